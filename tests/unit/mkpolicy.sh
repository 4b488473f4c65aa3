# mkpolicy: the pages as they are, and that each thing which is wrong on a page stops the
# build and is named by file and line.
. "$BB_TOP/tests/lib.sh"
MK=$BB_BUILD/host/mkpolicy
P=$T/policy
mkdir "$P"

page() { cat >"$P/t.tool"; }
fine() {
	page <<'PAGE'
title  Try
verb   try
says   It tries.
arg    path  routing path:file : where
arg    n     routing int 0..9 clamp = 3 : how many
arg    text  content text
fd     3 read  path
fd     4 write slot
fd     5 read  carry:text
ask    no
limit  cpu 1s wall 2s memory 3M slot 4K
call   most  int 1..5
result code  word ok bad-luck
result bytes int 0..
landlock none
seccomp @base
seccomp read  arg0 in 0 3
seccomp close # why: it has to
PAGE
	echo 't bb-t' >"$P/tools.list"
	cp "$BB_TOP/policy/groups.seccomp" "$P/"
}
# bad LINE 'sed program' WORDS: the changed page is refused at t.tool:LINE ("" = no line).
bad() {
	fine
	sed "$2" "$P/t.tool" >"$P/t.new" && mv "$P/t.new" "$P/t.tool"
	out=$("$MK" tool "$P" t 2>&1 >/dev/null)
	s=$?
	case $s:$out in
	1:"$P/t.tool:${1:+$1:} "*"$3"*) ok 0 "refused: $3" ;;
	*) ok 1 "refused: $3 (status $s, $out)" ;;
	esac
}
# append 'text' WORDS: a line more, which is line 19, is refused.
append() { bad 19 "\$a\\
$1" "$2"; }

fine
"$MK" tool "$P" t >"$T/t.c" && "$MK" check "$P"
ok $? 'a page'
has "$(cat "$T/t.c")" '.helper = "bb-t"' 'its helper'
has "$(cat "$T/t.c")" '{.n = 5, .access = TOOL_READ, .source = TOOL_FROM_CARRY, .args = {"text"}}' \
	'a carried argument'
has "$(cat "$T/t.c")" '.clamp = 1' 'clamped'
has "$(cat "$T/t.c")" '"close", "", "it has to", 0' 'the reason is kept'
"$MK" tool "$P" t | cmp -s - "$T/t.c"
ok $? 'the same every time'
"$MK" check "$BB_TOP/policy"
ok $? 'the pages of this repository'

bad 1 '1s/^/colour red\
/' "'colour' is not known"
bad 1 '1s/.*/title/' 'title is empty'
bad 2 '1p' 'title stands twice'
bad 3 '2p' 'verb stands twice'
bad 2 '2s/try/muchtoolong/' 'too long'
bad 4 '4s/routing/wanted/' "'wanted' is not routing or content"
bad 4 '4s/path:file/path:any/' "'path:any' is not a type"
bad 4 '4s/path:file/& clamp/' 'only a bounded number can be clamped'
bad 4 '4s/path:file/& maybe/' "'maybe' is not known here"
bad 4 '4s/path /Path /' "'Path' is not a name"
bad 5 '5s/ n / path /' 'argument path stands twice'
bad 5 '5s/= 3/= 10/' "'10' is no default in the range"
bad 5 '5s/= 3/= x/' "'x' is no default in the range"
bad 5 '5s/0..9/9..0/' 'is not MIN..MAX'
bad 5 '5s/0..9/0-9/' 'is not MIN..MAX'
bad 5 '5s/0..9/0..99999999999999999999/' 'is not MIN..MAX'
bad 6 '6s/text$/text = x/' 'only numbers, booleans and paths have a default'
bad '' 's/routing/content/; /^fd *[35]/d; /^seccomp *read/d; s/^fd *4/fd 3/' \
	'no routing argument, no tool'
bad 7 '7s/3/4/' 'numbered from 3 without gaps'
bad 8 '8s/4/5/' 'numbered from 3 without gaps'
bad 8 '7p' 'numbered from 3 without gaps'
bad 7 '7s/read/exec/' "'exec' is not read, write or dir"
bad 7 '7s/path/text/' 'text is content and opens nothing'
bad 7 '7s/path/n/' 'n is no path and no reference'
bad 7 '7s/path/gone/' "'gone' is no argument above"
bad 7 '7s/path/path + n/' "'+' is not known here"
bad 8 '8s/write/read/' 'a slot is written'
bad 9 '9s/carry:text/carry:path/' 'path is routing and is not carried'
bad 9 '9s/read/write/' 'what is carried is read'
bad 10 '10s/no/maybe/' "'maybe' is not no, quarantined or every"
bad 11 '10p' 'ask stands twice'
bad 11 '11s/1s/1/' 'is not a number with its unit'
bad 11 '11s/1s/0s/' 'is not a number with its unit'
bad 11 '11s/4K/4s/' 'is not a number with its unit'
bad 11 '11s/cpu/gpu/' "'gpu' is not cpu, wall, memory or slot"
bad 12 '11p' 'cpu stands twice'
bad '' '11s/cpu 1s//' 'limits of cpu, wall, memory and slot are required'
bad 13 '12p' 'most stands twice'
bad 12 '12s/1..5/& 6/' "'6' is not known here"
bad 13 '13s/ok/OK/' "'OK' is not a word"
bad 13 '13s/word.*/word/' 'which words?'
bad 14 '14s/int/float/' "'float' is not int, word or text"
bad '' 13d "the first result is 'code'"
bad 15 '15s/none/fd 3 read_dir/' 'not the number of a directory above'
bad 15 '15s/none/some/' 'landlock none, or landlock fd N RIGHTS'
bad 16 '15p' 'landlock stands twice'
bad '' 15d 'landlock and seccomp are required'
bad 16 '16s/base/nothing/' 'no group @nothing'
append 'one-of path' 'one-of takes two names or more'
append 'one-of path gone' "'gone' is no argument above"
append 'seccomp frobnicate arg0 == 1' 'is no system call'
append 'seccomp getpid' 'needs an argument condition or a # why:'
append 'seccomp getpid # how: so' 'needs an argument condition or a # why:'
append 'seccomp read # why: all' 'needs an argument condition on arg0, the descriptor'
append 'seccomp write arg2 == 1' 'needs an argument condition on arg0, the descriptor'
append 'seccomp write arg0 \& 3 == 1' 'needs an argument condition on arg0, the descriptor'
append 'seccomp pread64 # why: all' 'needs an argument condition on arg0, the descriptor'
for c in clone clone3 fork execve execveat socket ioctl ptrace prctl openat connect \
	memfd_create seccomp fcntl io_uring_setup bpf unshare; do
	append "seccomp $c # why: I would like to" "$c needs an argument condition"
done
append 'seccomp pkey_mprotect arg2 == PROT_READ|PROT_EXEC' 'must exclude PROT_EXEC'
append 'seccomp pkey_mprotect arg0 == 0' 'must exclude PROT_EXEC'
append 'seccomp pkey_mprotect arg2 \& PROT_WRITE == 0' 'must exclude PROT_EXEC'
append 'seccomp dup arg6 == 1' "'arg6' is not arg0 to arg5"
append 'seccomp dup arg0 < 1' "'<' is not ==, in or &"
append 'seccomp dup arg0 ==' 'takes a value'
append 'seccomp dup arg0 == 1 2' 'takes one value'
append 'seccomp dup arg0 in 1 1' 'a value stands twice'
append 'seccomp dup arg0 == O_EVERYTHING' 'neither a number nor a known constant'
append 'seccomp dup arg0 == O_CLOEXEC||O_RDONLY' 'neither a number nor a known constant'
append 'seccomp dup arg0 \& 1 == 2' 'a value outside its mask never matches'
append 'seccomp dup arg0 \& 0 == 0' 'a mask that is not 0'
append 'seccomp dup arg0 == 1,' "'' is not arg0"
append 'seccomp dup arg0 == 1, arg0 == 2' 'two conditions on arg0'
append 'seccomp read arg0 == 3' 'read stands twice'
printf 'says \033[31mred\n' >"$T/red"
bad 19 "\$r $T/red" 'a control character'

fine
echo 'seccomp @base' >>"$P/t.tool"
has "$("$MK" tool "$P" t 2>&1 >/dev/null)" "groups.seccomp:7: exit_group stands twice" 'a group twice'

# --- groups ---
group() {
	fine
	printf '%s\n' "$1" >>"$P/groups.seccomp"
	out=$("$MK" tool "$P" t 2>&1 >/dev/null)
	case $?:$out in
	1:"$P/groups.seccomp:"[0-9]*": "*"$2"*) ok 0 "group refused: $2" ;;
	*) ok 1 "group refused: $2 ($out)" ;;
	esac
}
group 'read arg0 == 0' 'read may not stand in a group'
group 'sendmsg' 'sendmsg may not stand in a group'
group 'openat arg2 == 0' 'openat may not stand in a group'
group 'socket arg0 == 1' 'socket may not stand in a group'
group '@base' 'group @base stands twice'
group '@more @base' 'is not @name'
group '@more' 'empty'
group '@more
@other
getpid' 'an empty group'
group '@more
read' 'read may not stand in a group'
fine
printf 'getpid\n@base\nbrk\n' >"$P/groups.seccomp"
has "$("$MK" tool "$P" t 2>&1 >/dev/null)" 'before the first group' 'a call outside any group'

# --- patterns, booleans, threads, files that are opened on the way ---
append 'threads 0' "'0' is not 1 to 8 threads"
append 'threads 9' "'9' is not 1 to 8 threads"
append 'threads two' "'two' is not 1 to 8 threads"
bad 12 '12s/1..5/& = 6/' "'6' is no default in the range"
bad 12 '12s/1..5/& = 3 4/' "'4' is not known here"
bad 14 '14s/$/ = 1/' "'= 1' is not known here"
bad 6 '6s/content text$/routing bool = yes/' "'yes' is not true or false"
walker() {
	page <<'PAGE'
title  Try
verb   try
says   It tries.
arg    p    routing patterns required
arg    dir  routing path:dir = .
arg    yes  routing bool = true
fd     3 dir   dir
ask    no
limit  cpu 1s wall 2s memory 3M slot 4K
threads 2
call   most int 0.. = 200
result code word ok
landlock fd 3 read_dir read_file
seccomp @base
seccomp read # why: opened beneath 3
PAGE
}
walker
"$MK" tool "$P" t >"$T/t.c"
ok $? 'a page that opens files beneath a directory'
has "$(cat "$T/t.c")" '.type = TOOL_PATTERNS, .says = "", .clamp = 0, .required = 1, .sent = 1' 'patterns are sent'
has "$(cat "$T/t.c")" '.max = 1, .has_default = true, .def = INT64_C(1)' 'a boolean and its default'
has "$(cat "$T/t.c")" '.has_default = true, .def = INT64_C(200)' 'what a member is unless somebody says otherwise'
has "$(cat "$T/t.c")" '.threads = 2' 'its threads'
fails() { # 'sed program' WORDS
	walker
	sed "$1" "$P/t.tool" >"$P/t.new" && mv "$P/t.new" "$P/t.tool"
	has "$("$MK" tool "$P" t 2>&1 >/dev/null)" "$2" "$3"
}
no='needs an argument condition on arg0, the descriptor'
fails 's/^threads.*/&\
&/' 'threads stands twice' 'threads twice'
fails 's/ read_file//' "read $no" 'reading whatever number is for pages that open files'
fails 's/ # why.*//' "read $no" 'and says why'
fails 's/^seccomp read/seccomp write/' "write $no" 'writing never is'
fails 's/^seccomp read/seccomp readv/' "readv $no" 'nor any other way of reading'
fails '/^landlock/d; $a\
landlock fd 3 read_dir read_file' "read $no" 'the rule stands above it'

# --- the list and the modes ---
fine
echo 't -' >"$P/tools.list"
has "$("$MK" tool "$P" t 2>&1 >/dev/null)" 'a tool without a helper' 'descriptors without a helper'
printf 'title T\nverb t\nsays t\narg a routing int 0..\nask no\n' >"$P/t.tool"
"$MK" tool "$P" t >"$T/t.c"
ok $? 'a tool without a helper'
lacks "$(cat "$T/t.c")" '.helper' 'has none'
echo 't /bin/sh' >"$P/tools.list"
has "$("$MK" check "$P" 2>&1)" "'/bin/sh' is no helper" 'a helper is one of ours'
printf 't bb-t\nt bb-u\n' >"$P/tools.list"
has "$("$MK" table "$P" 2>&1)" 'tools.list:2: t stands twice' 'a tool twice'
fine
"$MK" tool "$P" u >/dev/null 2>&1
is $? 1 'a tool that is not in the list'
"$MK" >/dev/null 2>&1
is $? 2 'no words'
rm "$P/t.tool"
"$MK" check "$P" >/dev/null 2>&1
is $? 1 'a page that is not there'
has "$("$MK" map "$BB_TOP/policy")" '| `read_file` | `bb-read` | path, path_ref, offset, limit | why | 3 read path / path_ref; 4 write slot | nothing |' 'the power map'
printf abc >"$T/bb-x"
out=$("$MK" digests "$T/bb-x")
has "$out" '{"bb-x", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}' 'digests'
has "$out" 'helper_digests_len = 1;' 'counted'
"$MK" digests "$T/none" >/dev/null 2>&1
is $? 1 'no such file'

# A page without a helper: no process, so no power of one.
alone() {
	cat >"$P/t.tool" <<'PAGE'
title  Try
verb   try
says   It tries.
arg    list  content todos 0..3 required : tasks
ask    no
PAGE
	echo 't -' >"$P/tools.list"
}
alone
"$MK" tool "$P" t >"$T/t.c" && "$MK" check "$P"
ok $? 'a page without a helper, and without routing: it touches nothing'
lacks "$(cat "$T/t.c")" '.helper = ' 'it has none'
has "$(cat "$T/t.c")" 'TOOL_TODOS' 'a list of tasks'
has "$(cat "$T/t.c")" '.min = INT64_C(0), .max = INT64_C(3)' 'its bounds'
has "$("$MK" map "$P")" '| `t` | none | – | list | – | – | – | – | no |' 'its row of the power map'
# less 'line to add' WORDS
less() {
	alone
	printf '%s\n' "$1" >>"$P/t.tool"
	out=$("$MK" tool "$P" t 2>&1 >/dev/null)
	s=$?
	case $s:$out in
	1:*"$2"*) ok 0 "refused: $1" ;;
	*) ok 1 "refused: $1 (status $s, $out)" ;;
	esac
}
less 'effect' 'no routing argument, no tool'
less 'seccomp @base' 'has no descriptors and no calls'
less 'fd 3 write slot' 'has no descriptors and no calls'
less 'landlock none' 'has no descriptors and no calls'
less 'result code word ok' 'has no descriptors and no calls'
less 'call most int 1..5' 'has no descriptors and no calls'
less 'threads 2' 'has no descriptors and no calls'
less 'limit cpu 1s' 'is limited in slot alone'
less 'arg more content questions' 'is not MIN..MAX'
less 'arg more content todos 5..1' 'is not MIN..MAX'
for a in quarantined every; do
	alone
	sed -i "s/^ask .*/ask $a/" "$P/t.tool"
	has "$("$MK" tool "$P" t 2>&1 >/dev/null)" 'no routing argument, no tool' "asks $a without routing"
done
done_testing

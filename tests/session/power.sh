# bb power: in words, in JSON, and as a line for a shell that gives the same page.
. "${BB_TOP:?}/tests/lib.sh"
printf 'one\ntwo\nthree\nS3EN\n' >"$WS/README.md"
mkdir -p "$WS/src/sub" "$T/out"
echo x >"$WS/src/a.c"
echo x >"$WS/src/sub/b.c"
p() { "$BIN/bb" -C "$WS" "$@"; }
out=$(p --trust power read_file path=README.md)
is $? 0 "bb power read_file"
for s in "read_file path=README.md" "nothing is called" "bb-read" "environment empty" \
	"README.md         read only, regular file, 19 bytes" "write only, at most 64 MiB" \
	"it can open nothing" "no sockets" "pread64 arg0 == 3" "any other one kills it" \
	"cpu 10 s" "policy/read_file.tool"; do
	case $s in pread64*) grep -q '^seccomp pread64' "$BB_TOP/policy/read_file.tool" || continue ;; esac
	has "$out" "$s" "says: $s"
done
lacks "$out" S3EN "and no byte of the file"
is "$(p --trust power read_file path=README.md)" "$out" "the same each time"
has "$(p power read_file path=README.md)" "nobody has vouched for it, so the text would be held back" "unvouched: says what would happen"
out=$(p --trust power list_files directory=src)
has "$out" "beneath descriptor 3, nothing else (Landlock)" "bb power list_files"
has "$(p --trust=src power list_files)" "trusted in parts" "a split tree is said to be one"
lacks "$(p power list_files)" "README" "and no name is listed"
find "$XDG_STATE_HOME" -type f 2>/dev/null | grep -q . && rc=1 || rc=0
ok $rc "nothing is recorded"

# Agreement of words and of exit codes with the call.
for a in path=absent path=/etc/passwd path=../x path=src 'path_ref=ref:0' 'limit=x'; do
	p --trust power read_file "$a" >"$T/o1" 2>&1
	rc=$?
	p --trust call read_file "$a" >"$T/o2" 2>&1
	want=$?
	case $a in path_ref*) continue ;; esac
	is $rc $want "power $a ends as the call does"
done
p power no_such_tool >"$T/o1" 2>&1
is $? 2 "an unknown tool"

# JSON.
if command -v jq >/dev/null 2>&1; then
	p --trust power read_file path=README.md --json >"$T/j"
	is "$(jq -r '[.schema, .tool, .args.path, .decision, .label] | join(" ")' "$T/j")" \
		"1 read_file README.md runs (T,priv)" "JSON: what and why"
	is "$(jq -c '[.fds[] | [.n, .access, .type]]' "$T/j")" \
		'[[3,"read","regular"],[4,"write","memory"]]' "JSON: descriptors are those of the page"
	is "$(jq -r '.seccomp.allow | map(.call) | sort | unique | length' "$T/j")" \
		"$(jq -r '.seccomp.allow | length' "$T/j")" "JSON: each call once"
	is "$(jq -r '[.seccomp.default, (.landlock | length), (.namespaces | length), (.process.env | length)] | join(" ")' "$T/j")" \
		"kill 0 0 0" "JSON: nothing else"
	has "$(p --trust power list_files --json | jq -c .landlock)" '"rights":' "JSON: Landlock of a listing"
	p --trust power read_file path=absent --json >"$T/j"
	is "$(jq -r .error.code "$T/j")" not-found "JSON: an error has its code"
else
	skip "JSON" "no jq"
fi

# Pasted into a shell.
if [ ! -x "$BIN/frame" ]; then
	skip "by hand" "no frame"
	done_testing
	exit
fi
page() { p --trust call read_file "$@" | sed '/^\[.*token [0-9a-f]*\]$/d' | sed '$d'; }
by_hand() {
	line=$(p --trust power "$@" --by-hand)
	(cd / && sh -c "$line") >"$T/hand" 2>"$T/err"
	rc=$?
}
for a in "path=README.md" "path=README.md offset=2" "path=README.md offset=2 limit=1" "path=src/a.c"; do
	# shellcheck disable=SC2086
	by_hand read_file $a
	ok $rc "$a: the line runs"
	# shellcheck disable=SC2086
	page $a >"$T/page"
	tail -n "$(grep -c '' "$T/page")" "$T/hand" >"$T/tail"
	cmp -s "$T/page" "$T/tail"
	ok $? "$a: and gives the same page"
	has "$(cat "$T/hand")" "code ok" "$a: with the helper's own result"
done
is "$(p --trust power read_file path=README.md --by-hand | wc -l | tr -d ' ')" 1 "one line"
# A name that a shell would act on.
for f in "a b" "q'uote" '$(touch PWNED)' '`x`' ';touch PWNED' '-n' '"' '*' "é"; do
	printf 'odd\n' >"$WS/$f"
	by_hand read_file "path=$f"
	is "$(tail -n 1 "$T/hand")" odd "by hand: the name $f"
done
nl=$(printf 'new\nline')
printf 'odd\n' >"$WS/$nl"
line=$(p --trust power read_file "path=$nl" --by-hand)
(cd / && sh -c "$line") >"$T/hand" 2>&1
is "$(tail -n 1 "$T/hand")" odd "by hand: a name with a newline"
[ ! -e /PWNED ] && [ ! -e "$WS/PWNED" ] && [ ! -e PWNED ]
ok $? "and nothing else ran"
by_hand list_files directory=src
has "$(tr '\n' ' ' <"$T/hand")" "fa.c fsub/b.c" "by hand: a listing"
by_hand list_files directory=src depth=1 'pattern=*.c'
has "$(tr '\n' ' ' <"$T/hand")" "fa.c dsub" "by hand: depth and pattern"
done_testing

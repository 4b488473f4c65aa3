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

# The calls in words, as bb-audit prints them, and no row wider than the terminal.
out=$(p --trust power read_file path=README.md)
has "$out" " · write on 1 2 4 ·" "the calls in words"
lacks "$out" "arg0" "and no text of the filter"
calls() { sed -n '/^ calls  /,/ in all; any other one kills it/p' | sed '$d'; }
for t in "read_file path=README.md" list_files "search pattern=x"; do
	# shellcheck disable=SC2086
	is "$(p --trust power $t | calls)" "$("$BIN/bb-audit" --show "$(p power $t --json | sed 's/.*"program":"\([^"]*\)".*/\1/')" | calls)" \
		"$t: the same words as bb-audit --show"
	# shellcheck disable=SC2086
	is "$(p --trust=src power $t | LC_ALL=C.UTF-8 sed -n '/^.\{81\}/p')" "" "$t: 80 columns"
done

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

	# One power a process: what Landlock grants it and the parts it is to walk are in it.
	power() { p "$@" --json | jq -r .power; }
	of() { p "$@" --json | jq -c "[.processes[] | [.part, .label, (.landlock | map(.path + \" \" + .rights))]]"; }
	mkdir -p "$WS/docs" "$WS/mail"
	echo x >"$WS/mail/1.txt"
	for t in list_files "search pattern=x"; do
		# shellcheck disable=SC2086
		{
			whole=$(power --trust power $t) part=$(power --trust=src power $t) other=$(power --trust=docs power $t)
			is "$(power power $t)" "$whole" "$t: one process over the same directory is the same confinement"
			is "$(power --trust=src power $t)" "$part" "$t: the same split, the same power"
			is "$(power --trust power $t directory=.)" "$whole" "$t: the same directory by name"
			[ "$(printf '%s\n' "$whole" "$part" "$other" "$(power --trust power $t directory=src)" | sort -u | wc -l)" -eq 4 ]
			ok $? "$t: another confinement, another power"
			is "$(p --trust=src power $t --json | jq -r '[.processes[].power] | unique | length')" 2 "$t: each process has its own"
			is "$(p --trust power $t --json | jq -r '[.processes[].power == .power] | tostring')" "[true]" "$t: one process, one power"
		}
	done
	is "$(of --trust power list_files)" '[["whole","(T,priv)",[". read_dir"]]]' "JSON: a whole directory"
	is "$(of --trust=src power list_files directory=src)" '[["whole","(T,priv)",["src read_dir"]]]' "JSON: by its name"
	is "$(of --trust=src power list_files)" \
		'[["trusted","(T,priv)",["src read_dir"]],["others","(U,priv)",["entry 1 of . read_dir","entry 2 of . read_dir"]]]' \
		"JSON: the rules of each process, and no name nobody vouched for"
	is "$(of --trust=src/sub power search pattern=x directory=src)" \
		'[["trusted","(T,priv)",["src/sub read_dir read_file"]],["others","(U,priv)",["entry 1 of src read_file"]]]' \
		"JSON: files beside a part"
	lacks "$(p --trust=src power list_files --json)" mail "a held-back directory is not named"
	lacks "$(p --trust=src power search pattern=x --json)" README "nor a file"
	# What the trail stores is what bb power printed, a line for each process.
	for how in "--trust list_files" "list_files" "--trust=src list_files" "--trust=src list_files depth=1" "--trust=src/sub list_files directory=src" \
		"--trust=src search pattern=x" "--trust search pattern=x" "--trust read_file path=README.md"; do
		case $how in --*) opt=${how%% *} words=${how#* } ;; *) opt=--read-only words=$how ;; esac
		rm -f "$T/trail"
		# shellcheck disable=SC2086
		p $opt --trail "$T/trail" call $words >/dev/null 2>&1
		# shellcheck disable=SC2086
		is "$(jq -r 'select(.gate == "action") | .power' "$T/trail")" "$(p $opt power $words --json | jq -r '.processes[].power')" \
			"the trail of $how"
	done
	rm -r "$WS/docs" "$WS/mail"
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
# A split call cannot be pasted, and that is said in the line itself.
line=$(p --trust=src power list_files --by-hand)
has "$line" "# this call starts 2 processes" "by hand: a split call is said to be one"
lacks "$(p --trust power list_files --by-hand)" "#" "by hand: one process, no remark"
(cd / && sh -c "$line") >"$T/hand" 2>&1
has "$(tr '\n' ' ' <"$T/hand")" "fREADME.md" "by hand: it still runs, over the whole directory"
by_hand list_files directory=src depth=1 'pattern=*.c'
has "$(tr '\n' ' ' <"$T/hand")" "fa.c dsub" "by hand: depth and pattern"
printf 'x\n' >"$WS/effect"
has "$("$BIN/bb" -C "$WS" --trust power write_file path=effect contents=y)" 'asks      every time' 'a write: every time'
has "$("$BIN/bb" -C "$WS" power edit_file path=effect old_text=x new_text=y)" 'an edit is refused' 'an edit of what nobody vouched for'
has "$("$BIN/bb" -C "$WS" --trust power write_file path=not/there contents=y)" 'asks      every time' 'a file that is not there yet'
done_testing

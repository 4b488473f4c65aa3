# With --json every wrong use has its object on standard output: one, with the sentence of
# standard error and the same status (prompts 5).
. "${BB_TOP:?}/tests/lib.sh"
if ! command -v jq >/dev/null 2>&1; then
	skip "errors in JSON" "no jq"
	done_testing
	exit
fi
cd "$WS" || exit 1
echo x >a.txt
# bad STATUS SAYS REMEDY WORDS… : wherever --json stands; STATUS -: as without it
bad() {
	want=$1 says=$2 remedy=$3
	shift 3
	if [ "$want" = - ]; then
		"$BIN/bb" "$@" >"$T/o" 2>&1 </dev/null
		want=$?
	fi
	"$BIN/bb" "$@" --json >"$T/o" 2>"$T/e" </dev/null
	is $? "$want" "bb $*: its status"
	is "$(jq -s 'length' "$T/o" 2>&1)" 1 "bb $*: one object"
	is "$(jq -r '.schema' "$T/o" 2>&1)" 1 "bb $*: its schema"
	has "$(jq -r '.error.says' "$T/o")" "$says" "bb $*: the sentence"
	is "$(jq -r '.error.remedy' "$T/o")" "$remedy" "bb $*: the remedy"
	is "$(jq -r '.error | [has("code"), .code != ""] | all' "$T/o")" true "bb $*: a code"
	is "$(wc -l <"$T/e" | tr -d ' ')" 1 "bb $*: one row on standard error"
	"$BIN/bb" --json "$@" 2>/dev/null </dev/null | cmp -s - "$T/o"
	ok $? "bb --json $*: the same"
}
HELP="bb help lists commands and options"
bad 2 "no session 'zzz'" "bb sessions lists them" log zzz
bad 2 "no session 'a; b'" "bb sessions lists them" log 'a; b'
bad 1 "no session of this directory is recorded" "" log
bad 2 "-n takes a whole number above 0" "" log -n x
bad 2 "--since takes a time" "" log --since x
bad - "no such session is running" "" status zzz
bad 2 "which tool? bb call read_file path=README.md" "" call
bad 2 "'x' is not key=value" "" call read_file x
bad 2 "unknown command 'nosuchcmd'" "$HELP" nosuchcmd
bad 2 "unknown option '--nosuch'" "$HELP" --nosuch
bad 2 "this command has no option '--older'" "$HELP" log --older 3d
bad 2 "--require takes full, run or pure" "" doctor --require x
bad 2 "needs --older AGE" "" sessions prune
bad 2 "bb sessions [prune" "" sessions x
bad - "approve needs a terminal" "" approve
for c in "call read_file path=a.txt" "power read_file path=a.txt" drive status; do
	# shellcheck disable=SC2086
	bad 2 "'x'" "" --tools x $c
	# shellcheck disable=SC2086
	bad - "absent" "" -C absent $c
done
bad 2 "--approver" "" --approver x call read_file path=a.txt
bad 2 "--approver" "" --approver x drive
bad 2 "unknown option '--esc<U+001B>'" "$HELP" "$(printf -- '--esc\033')"
# What answers with an object of its own gives no second one, and where nothing went wrong
# there is none.
for c in "call read_file path=absent" "call read_file path=../x" "call nosuch" "power read_file path=absent"; do
	# shellcheck disable=SC2086
	"$BIN/bb" $c --json >"$T/o" 2>"$T/e"
	is "$(jq -s length "$T/o")" 1 "bb $c: one object"
	is "$(cat "$T/e")" "" "bb $c: nothing on standard error"
done
is "$("$BIN/bb" sessions --json | jq -r 'has("error")')" false "no error, no object of one"
"$BIN/bb" nosuchcmd >"$T/o" 2>/dev/null
is "$(cat "$T/o")" "" "without --json there is none"
"$BIN/bb" nosuchcmd -- --json >"$T/o" 2>/dev/null
is "$(cat "$T/o")" "" "nor where --json is a word"

# bb-audit too.
for w in --nosuch "--show" "--show bb-read word"; do
	# shellcheck disable=SC2086
	"$BIN/bb-audit" --json $w >"$T/o" 2>/dev/null
	is "$? $(jq -r .error.code "$T/o")" "2 usage" "bb-audit --json $w"
done

# bb power: a remedy where there is one.
remedy() {
	want=$1
	shift
	is "$("$BIN/bb" power "$@" --json | jq -r .error.remedy)" "$want" "bb power $*: the remedy"
}
mkdir -p sub
remedy "bb help lists the tools" nosuch
remedy "bb help lists each tool's arguments" search
remedy "bb power read_file path=README.md" read_file
remedy "list it: bb power list_files directory=DIR" read_file path=sub
remedy "open its directory with --add-dir" read_file path=/etc/passwd
remedy "give the name relative to the workspace" read_file "path=$WS/a.txt"
remedy "" read_file path=../x
remedy "" read_file path=absent
done_testing

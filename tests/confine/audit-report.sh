# bb-audit as people use it: layout, words, exit codes; that it is not fooled by another
# program in a helper's place, and does not wait for one that says nothing.
. "$BB_TOP/tests/lib.sh"
A=$BIN/bb-audit
NL='
'
# its own place for what it leaves: another audit may run at the same time
TMPDIR=$(mktemp -d /tmp/bl.XXXXXX)
chmod 1777 "$TMPDIR"
export TMPDIR
leftover() { find "$TMPDIR" -mindepth 1 | wc -l; }
out=$("$A" bb-read)
is $? 0 "everything holds"
has "$(printf '%s\n' "$out" | head -1)" "   Linux " "the first row: the machine"
has "$(printf '%s\n' "$out" | head -1)" "   helpers $BIN" "and which helpers"
printf '%s\n' "$out" | sed -n 3p |
	grep -Eq '^bb-read     [0-9]+ probes: [0-9]+ held(, [0-9]+ [a-z ]+)*      each also tried outside: [0-9]+ succeeded there$'
ok $? "a row for the helper"
printf '%s\n' "$out" | tail -1 |
	grep -Eq '^[0-9]+ probes, 0 not held, [0-9]+ not applicable, [0-9]+ skipped · [0-9]+\.[0-9] s$'
ok $? "the last row: all numbers and the time"

# --- as another user
mkdir -m 755 "$T/bin" && cp "$A" "$BIN/bb-read" "$BIN/bb-list" "$T/bin/"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1; then
	chmod 755 "$T"
	out=$(cd / && setpriv --reuid 65534 --regid 65534 --clear-groups "$T/bin/bb-audit" bb-list)
	is $? 0 "everything holds for an ordinary user"
	has "$out" "uid 65534" "who it ran as"
else
	skip "as another user" "this one is ordinary, or setpriv is missing"
fi

# --- another program in the helper's place: 124 would be a wait without end
other() {
	out=$(timeout 200 "$T/bin/bb-audit" bb-read 2>&1)
	is $? 1 "$1: seen"
	has "$out" "NOT HELD" "$1: said"
	has "$out" "$2" "$1: where"
}
cp "$BIN/bb-list" "$T/bin/bb-read"
other "bb-list as bb-read" "READY"
printf '#!/bin/sh\nexec cat\n' >"$T/bin/bb-read"
other "one that says nothing" "expected READY, seen nothing"
printf '#!/bin/sh\nprintf half\nexec cat\n' >"$T/bin/bb-read"
other "one that says half of it" "expected READY, seen nothing"
printf '#!/bin/sh\nexec sleep 100000\n' >"$T/bin/bb-read"
other "one that sleeps and does not read" "expected READY, seen nothing"
cp /bin/true "$T/bin/bb-read"
other "one that only ends" "static-pie"
is "$(leftover)" 0 "nothing is left behind"
rm -rf "$TMPDIR"
unset TMPDIR

# --- --show
out=$("$A" --show bb-read)
is $? 0 "--show"
for row in asks process gets files network calls why limits decided; do
	printf '%s\n' "$out" | grep -q "^ $row "
	ok $? "--show has the row '$row'"
done
has "$out" "$NL gets      3  <path>            read only, regular file$NL" "the object is <path>"
has "$out" "files     none: it can open nothing and look up no name" "no files"
has "$out" "read on 0 3 · write on 1 2 4" "calls with their descriptors"
has "$out" "any other one kills it" "and the default"
has "$("$A" --show bb-list)" "read_dir beneath descriptor 3, nothing else" "bb-list: what it may open"
has "$("$A" --show bb-list --json)" '{"schema":1,"helper":"bb-list","tool":"list_files"' "--show --json"

# --- --trace
printf 'one\ntwo\n' >"$T/file"
out=$("$A" --trace read_file path="$T/file")
is $? 0 "--trace"
printf '%s\n' "$out" | head -1 | grep -Eq '^used  .*read [0-9]+ · write [0-9]+'
ok $? "calls used, with counts"
has "$out" "${NL}allowed and unused  brk (why: " "and those not used"
is "$(printf '%s\n' "$out" | sed -n 's/^allowed and unused  //p' | sed 's/ · /\n/g' | grep -cv ' (why: .*)$')" 0 \
	"each with its page's reason"
lacks "$("$A" --trace read_file path="$T/file" --json)" '"why":""' "as records too"
lacks "$out" "openat" "bb-read opens nothing after its filter"
has "$("$A" --trace list_files directory="$BB_TOP/policy" depth=1)" "openat" "bb-list does"
has "$("$A" --show bb-search)" "read_dir read_file beneath descriptor 3, nothing else" "bb-search: what it may open"
has "$("$A" --trace search pattern=seccomp directory="$BB_TOP/policy" case_sensitive=false)" "getdents64" "bb-search walks and reads"
"$A" --trace search pattern=x case_sensitive=maybe >"$T/out" 2>&1
is $? 2 "a boolean is true or false"
"$A" --trace list_files directory="$T/file" >"$T/out" 2>&1
is $? 1 "a file is no directory"
mkfifo "$T/fifo"
timeout 60 "$A" --trace read_file path="$T/fifo" >"$T/out" 2>&1
is $? 1 "a FIFO is refused and not waited for"
out=$("$A" --trace read_file path="$T/none" --json 2>/dev/null)
is $? 1 "a missing file"
has "$out" '{"schema":1,"error":{"code":"cannot-open","says":"cannot open ' "as an object too"
for w in offset=x nothing=1 limit=-1 offset; do
	"$A" --trace read_file path="$T/file" "$w" >/dev/null 2>&1
	is $? 2 "--trace with '$w': wrong use"
done
"$A" --trace read_file >/dev/null 2>&1
is $? 2 "--trace without its object: wrong use"

# --- --compare
"$A" --json bb-read >"$T/old"
out=$("$A" --compare "$T/old" bb-read)
is $? 0 "--compare"
lacks "$out" "older report" "nothing changed since"
lacks "$(cat "$T/old")" '"probe":0' "a check of no row of the notes has no number"
has "$(cat "$T/old")" '"name":"READY names every layer"' "and is there"
sed '/"name":"READY names every layer"/s/"seen":"all"/"seen":"none"/
s/"name":"READY names the page/"name":"READY once named the page/' "$T/old" >"$T/older"
out=$("$A" --compare "$T/older" bb-read)
has "$out" "$NL  READY names every layer$NL      held, seen all$NL      the older report saw: none" \
	"it is compared by its name"
has "$out" "bb-read READY once named the page's filter: in the older report only" "and missed"
sed 's/"name":"chdir","expected":"killed","seen":"killed"/"name":"chdir","expected":"killed","seen":"EPERM"/
s/"name":"fchdir"/"name":"fchdir of old"/' "$T/old" >"$T/older"
out=$("$A" --compare "$T/older" bb-read)
is $? 0 "a difference is no failure by itself"
has "$out" "#6 chdir$NL      held, seen killed$NL      the older report saw: EPERM" "a changed row is named"
has "$out" "bb-read #6 fchdir of old: in the older report only" "so is one that is gone"
"$A" --compare "$T/none" bb-read >/dev/null 2>&1
is $? 2 "--compare with nothing to compare"

# --- its own words
is "$("$A" --version)" "bb-audit $(sed -n 's/^VERSION *:= *//p' "$BB_TOP/Makefile")" "--version"
has "$("$A" --help)" "usage: bb-audit" "--help, on standard output"
for w in --nothing "--show" "--show bb-nothing" "--oci bb-nothing" "--trace nothing" bb-nothing \
	"--show bb-read --oci bb-read" "--show bb-read bb-list" "--trace read_file --strict"; do
	# shellcheck disable=SC2086 # words
	"$A" $w >/dev/null 2>"$T/err"
	is $? 2 "'$w': wrong use"
	[ -s "$T/err" ]
	ok $? "'$w': said"
done
TMPDIR=/proc/none "$A" bb-read >/dev/null 2>"$T/err"
is $? 75 "a TMPDIR that cannot be written: 75"
has "$(cat "$T/err")" "TMPDIR" "and the remedy"
done_testing

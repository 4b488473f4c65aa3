# bb-search replaced by a program that reads all it can reach and says what it likes
# (liar-search.c): as the trusted process it cannot read one distrusted file, and no number
# of its is believed that does not fit.
. "${BB_TOP:?}/tests/lib.sh"
LIAR=${BB_LIAR_SEARCH:-$BB_BUILD/tests/session/liar-search}
[ -x "$LIAR" ] || {
	echo "1..0 # SKIP no $LIAR"
	exit 0
}
B=$T/bin
cp -r "$BIN" "$B"
cp "$LIAR" "$B/bb-search"
[ "$("$BIN/bb" -C "$WS" doctor --json 2>/dev/null | grep -c '"files":"full"')" != 0 ] || {
	echo "1..0 # SKIP no Landlock here"
	exit 0
}
mkdir -p "$WS/src/lib" "$WS/UNSEEN-dir/UNSEEN-sub" "$WS/doc/e" "$WS/src/hidden" "$T/UNSEEN-out"
for f in UNSEEN-file UNSEEN-dir/UNSEEN-f doc/UNSEEN-d; do
	echo "CANARY of $f" >"$WS/$f"
done
for f in src/SEEN-a.c src/lib/SEEN-b.c doc/e/INNER-e src/hidden/HID-h; do echo "text of $f" >"$WS/$f"; done
echo "CANARY outside" >"$T/outside"
ln -s ../UNSEEN-dir "$WS/src/link"
ln -s ../UNSEEN-file "$WS/src/flink"
L() { "$B/bb" -C "$WS" "$@" 2>&1; }
none() { # TEXT NAME: no byte and no name of a distrusted file
	lacks "$1" CANARY "$2: not one byte of a distrusted file"
	lacks "$1" UNSEEN "$2: nor its name"
	lacks "$1" "root:" "$2: nor a file of the machine"
}
out=$(L --trust=src call search pattern=x)
has "$out" "text of src/SEEN-a.c" "the liar runs as the trusted process, and is believed beneath src"
has "$out" "text of src/lib/SEEN-b.c" "and further down"
none "$out" "split"
none "$(L --trust=src call search pattern=x --json)" "in JSON"
out=$(L --trust=src call search pattern=x directory=src)
has "$out" "text of src/SEEN-a.c" "a whole trusted directory: what is in it"
none "$out" "a whole trusted directory"
out=$(L --trust=UNSEEN-file call search pattern=x)
has "$out" "CANARY of UNSEEN-file" "one file trusted: a rule of its own"
lacks "$out" "CANARY of UNSEEN-dir" "and no other"
lacks "$out" "text of" "nor any beside it"

typed() {
	printf '%s\n' "$@" | "$B/bb" -C "$WS" --trust --approver none --color never 2>&1 |
		grep -v '^> \|^held back from'
}
out=$(typed '/distrust src/hidden' '/distrust doc' '/distrust UNSEEN-dir' '/distrust UNSEEN-file' ',search pattern=x')
has "$out" "text of src/lib/SEEN-b.c" "distrusted beneath trusted: the trusted siblings"
lacks "$out" CANARY "not one byte of the distrusted"
lacks "$out" "text of src/hidden" "nor beneath src"
out=$(typed '/distrust doc' '/trust doc/e' '/distrust UNSEEN-dir' '/distrust UNSEEN-file' '/distrust src/hidden' ',search pattern=x')
has "$out" "text of doc/e/INNER-e" "trusted beneath distrusted: what is in it"
lacks "$out" CANARY "trusted beneath distrusted: nothing between"

out=$(L call search pattern=x)
lacks "$out" "text of" "nothing trusted: whatever it says is held back"
lacks "$out" leak "not one word of it"
has "$out" "lines in files you may not read: ref:0" "but how many"

# bb's own records, whoever asks.
mkdir -p "$WS/.state/bb"
XDG_STATE_HOME=$WS/.state L --trust call list_files depth=1 >/dev/null
out=$(XDG_STATE_HOME=$WS/.state L --trust call search pattern=x)
has "$out" "text of src/SEEN-a.c" "a tree that holds bb's own records"
lacks "$out" '"kind":"call"' "which it cannot read"
rm -rf "$WS/.state"

# More parts than can be granted one by one: everything is held back.
i=0
while [ $i -lt 300 ]; do
	echo x >"$WS/src/w$i"
	i=$((i + 1))
done
out=$(typed '/distrust src/hidden' ',search pattern=x')
has "$out" "search a subdirectory" "above 256 parts, files counted, the whole is held back"
lacks "$out" "src/leak" "whatever the helper says"
rm -f "$WS"/src/w*

# --- numbers and words --------------------------------------------------------------------
say() { # NAME=VALUE… -> pattern list
	j='["say"'
	for w; do j="$j,\"$w\""; done
	printf '%s]' "$j"
}
S() { L --trust call search pattern:="$(say "$@")"; }
bad() { # NAME NAME=VALUE…
	what=$1
	shift
	out=$(S "$@")
	is "$out" "error: bb-search gave counts that do not fit what it wrote" "$what"
}
is "$(S 'slot=a:1: x\n' matches=1 total=1)" "a:1: x" "what fits is believed"
bad "fewer lines than it says" 'slot=a:1: x\n' matches=2 total=2
bad "more lines than it says" 'slot=a:1: x\nb:1: y\n' matches=1 total=1
bad "matches and no text" matches=1 total=1
bad "text and no match" 'slot=a:1: x\n'
bad "bytes that are not there" 'slot=a:1: x\n' matches=1 total=1 bytes=99
bad "a total below its matches" 'slot=a:1: x\n' matches=1 total=0
bad "a total and no match from the first on" total=5
bad "more matches than asked for" matches=201 total=201 'slot=a'
bad "more files read than chosen" read=2 selected=1
bad "more files than asked for" selected=100001
bad "more binary ones than files" binary=2 selected=2 read=1
bad "more bad text than read" badtext=2
bad "a next page without a full one" 'slot=a:1: x\n' matches=1 total=2 next=2
bad "context left out that nobody asked for" context_cap=1
bad "cut lines that are not there" long=3
bad "counts past any tree" links=9999999999
bad "a pattern at fault that is none" code=bad-pattern fault=fine
bad "a fault that does not stand there" code=bad-pattern fault=unmatched-paren
bad "a pattern that was not given" code=bad-pattern fault=unclosed-group which=99
bad "a word bb would have said itself" code=bad-pattern fault=long
bad "a scope it cannot read" code=bad-scope
is "$(S code=unreadable)" "error: '.': permission denied" "a directory it may not read"
has "$(S code=colour)" "answered against the protocol and was killed" "a word that is not on the page"
has "$(S matches=-1)" "answered against the protocol and was killed" "a number below the page's"
has "$(S files_cap=2)" "answered against the protocol and was killed" "and above it"

# --- every sentence that needs a large tree or a slow one --------------------------------
out=$(S selected=100000 read=100000 files_cap=1)
has "$out" "(no matching lines in the 100000 files read)" "the walk stopped: what it found"
has "$out" "[stopped before every file was opened, at 100000 files, incomplete; narrow the include or search a subdirectory]" \
	"and that it stopped"
L --trust call search pattern:="$(say selected=100000 read=100000 files_cap=1)" >/dev/null
is $? 5 "which is partial"
out=$(S selected=300 read=12 timed_out=1)
has "$out" "[ran out of time after 10 s with 12 of 300 files read, incomplete; narrow the pattern or search a subdirectory]" \
	"out of time"
out=$(S timed_out=1 selected=300 read=0)
has "$out" "(nothing was searched: of 300 files chosen none was read as text)" "out of time before the first file"
out=$(S rows=200 matches=200 total=201 next=201)
has "$out" "[stopped at 200 matches, incomplete; next offset 201]" "a full page names the next"
out=$(S rows=200 matches=200 total=201 next=201 timed_out=1 selected=9)
has "$out" "[stopped at 200 matches, incomplete]" "a full page and no time: no offset"
lacks "$out" "next offset" "as there is none to give"
lacks "$(L --trust call search pattern:="$(say rows=200 matches=200 total=201 next=201 files_cap=1)" --json)" '"next":' \
	"nor in the data"
out=$(L --trust call search context=2 pattern:="$(say 'slot=a:1: x\n' matches=1 total=1 context_cap=1)")
has "$out" "[context lines were left out, incomplete; ask for less context]" "context past its cap"
out=$(S unopened=2 dirs=1 binary=3 links=1 others=2 badtext=1 selected=6)
has "$out" "[could not be read and missing here: 2 files, 1 directory]" "what could not be read"
has "$out" "[not searched: 3 binary files, 1 link (not followed), 2 FIFOs, sockets or devices]" "what was left out"
has "$out" "[1 file is not UTF-8 throughout: what is not shows as U+FFFD]" "what is no text throughout"
out=$(S 'slot=a:1: x\n' matches=1 total=1 long=1)
has "$out" "[1 line cut at 500 bytes]" "a line that was cut"
out=$(L call search pattern:="$(say selected=300 read=12 timed_out=1 'slot=a:1: x\n' matches=1 total=1)")
has "$out" "1 line in files you may not read: ref:0" "held back"
has "$out" "ran out of time" "and the notice stands beside it"
done_testing

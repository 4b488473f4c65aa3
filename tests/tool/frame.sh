# frame: writes CALL and shows what comes, so that anybody can drive a helper.
. "$BB_TOP/tests/lib.sh"
FRAME=$BIN/frame
body() { tail -c +17; }
is "$("$FRAME" call | od -An -tx1 -N16 | tr -d ' \n')" bb010002000000010000001300000000 'the header of CALL'
is "$("$FRAME" call | body)" 'offset 1
limit 500' 'defaults come from the page'
is "$("$FRAME" call limit=7 offset=3 | body)" 'offset 3
limit 7' 'in the order of the page'
is "$("$FRAME" call read_file offset=-1 | body | head -1)" 'offset -1' 'what it is told, right or not'
is "$("$FRAME" call list_files | body)" 'prefix 0:
most 2000' 'another tool, and what has no default is left out'
is "$("$FRAME" call list_files 'pattern=a b' prefix=x/ most=3 depth=2 | body)" 'pattern 3:a b
depth 2
prefix 2:x/
most 3' 'a pattern, and what bb adds'
is "$("$FRAME" call most=3 prefix=x/ | body)" 'prefix 2:x/
most 3' 'a tool known by what it is sent'
for bad in offset=x offset= 'offset=1 ' path=x colour=red offset limit=99999999999999999999; do
	"$FRAME" call "$bad" >"$T/out" 2>&1
	is $? 2 "refused: $bad"
done
"$FRAME" >"$T/out" 2>&1
is $? 2 'no word'
"$FRAME" show read_file more </dev/null >"$T/out" 2>&1
is $? 2 'a word too many'
"$FRAME" call >/dev/full 2>"$T/err"
is $? 75 'nowhere to write'
"$FRAME" show </dev/null >"$T/out"
is $? 1 'nothing came'
if [ -c /dev/full ]; then
	"$FRAME" call | "$FRAME" show >/dev/full 2>"$T/err"
	is $? 75 'nowhere to show'
	has "$(cat "$T/err")" 'frame: cannot write' 'and says so'
	"$FRAME" show </dev/null >/dev/full 2>"$T/err"
	is "$? $(cat "$T/err")" '1 ' 'nothing to show, nothing lost'
fi
echo 'HTTP/1.1 200 OK' | "$FRAME" show >"$T/out"
is $? 1 'no frame'
has "$(cat "$T/out")" 'not a frame' 'and says so'
"$FRAME" call | "$FRAME" show >"$T/out"
is $? 1 'a CALL is shown, and is no answer'
echo 'one line' >"$T/file"
"$FRAME" call | "$BIN/bb-read" 3<"$T/file" 4>"$T/slot" | "$FRAME" show >"$T/out"
is $? 0 'an answer'
is "$(tail -1 "$T/out")" 'RESULT code ok first 1 lines 1 total 1 cut 0 bytes 9' 'shown'
is "$(cat "$T/slot")" 'one line' 'the content is in the slot'
"$FRAME" call depth=1 most=9 | "$BIN/bb-list" 3<"$WS" 4>"$T/slot" 5</dev/null | "$FRAME" show >"$T/out"
is "$(tail -1 "$T/out")" 'RESULT code ok files 0 dirs 0 links 0 truncated 0 missing 0 bytes 0' \
	'a tool known by its filter'
"$FRAME" call | "$BIN/bb-read" 3<"$T/file" 4>"$T/slot" | sed 's/code ok/code of/' | "$FRAME" show >"$T/out"
is $? 1 'a lie in a word'
has "$(cat "$T/out")" 'malformed' 'is shown'
done_testing

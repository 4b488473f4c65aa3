# bb-read driven by hand: pages, what is text, bounds, what ends it. Rows of tools-files
# 0.5, 1 and 9.
. "$BB_TOP/tests/lib.sh"
READ=$BIN/bb-read
FRAME=$BIN/frame
S=$T/slot
SAY=$T/said

# page FILE [NAME=VALUE…]: the RESULT line; the slot is in $S.
page() {
	f=$1
	shift
	"$FRAME" call "$@" | "$READ" 3<"$f" 4>"$S" 2>"$SAY" | "$FRAME" show | sed -n 's/^RESULT //p'
}
slot() { cat "$S"; }
# row WANT NAME FILE [NAME=VALUE…]
row() {
	want=$1 name=$2
	shift 2
	is "$(page "$@")" "$want" "$name"
}
code() {
	row "code $1 first 0 lines 0 total 0 cut 0 bytes 0" "$2" "$3"
	is "$(wc -c <"$S" | tr -d ' ')" 0 "$2: nothing in the slot"
}
lines() { awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) print "line " i }'; }
# repeat COUNT TEXT
repeat() { awk -v n="$1" -v t="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", t }'; }

# --- lines ---
: >"$T/0"
row 'code ok first 0 lines 0 total 0 cut 0 bytes 0' 'an empty file' "$T/0"
printf 'a' >"$T/1"
row 'code ok first 1 lines 1 total 1 cut 0 bytes 2' 'one line without its end' "$T/1"
is "$(od -An -c <"$S" | tr -d ' ')" 'a\n' 'gets one'
printf '\n' >"$T/nl"
row 'code ok first 1 lines 1 total 1 cut 0 bytes 1' 'one empty line' "$T/nl"
lines 500 >"$T/500"
lines 501 >"$T/501"
row 'code ok first 1 lines 500 total 500 cut 0 bytes 4392' '500 lines' "$T/500"
cmp -s "$T/500" "$S"
ok $? 'all of them'
row 'code ok first 1 lines 500 total 501 cut 0 bytes 4392' '501 lines' "$T/501"
cmp -s "$T/500" "$S"
ok $? 'the first 500'
row 'code ok first 501 lines 1 total 501 cut 0 bytes 9' 'the last line' "$T/501" offset=501
is "$(slot)" 'line 501' 'is it'
row 'code ok first 0 lines 0 total 501 cut 0 bytes 0' 'past the end' "$T/501" offset=502
row 'code ok first 0 lines 0 total 501 cut 0 bytes 0' 'far past the end' "$T/501" \
	offset=9223372036854775807
row 'code ok first 1 lines 500 total 501 cut 0 bytes 4392' 'offset 0 is absent' "$T/501" offset=0
row 'code ok first 1 lines 500 total 501 cut 0 bytes 4392' 'limit 0 is absent' "$T/501" limit=0
row 'code ok first 7 lines 1 total 501 cut 0 bytes 7' 'one line of the middle' "$T/501" \
	offset=7 limit=1
row 'code ok first 2 lines 500 total 501 cut 0 bytes 4394' 'from the second' "$T/501" offset=2

# --- ends of lines ---
printf 'a\r\nb\rc\r\n\r\nd\r\r\ne\r' >"$T/crlf"
row 'code ok first 1 lines 5 total 5 cut 0 bytes 13' 'CRLF, mixed, lone' "$T/crlf"
is "$(od -An -c <"$S" | tr -d ' \n')" 'a\nb\rc\n\nd\r\ne\r\n' 'a CR goes before LF only'
printf '\357\273\277a\n' >"$T/bom"
row 'code ok first 1 lines 1 total 1 cut 0 bytes 5' 'a BOM stays' "$T/bom"
cmp -s "$T/bom" "$S"
ok $? 'as it was'

# --- long lines: ASCII and four bytes a character ---
for c in x 𝄞; do
	bytes=$(printf %s "$c" | wc -c)
	for k in 1999 2000 2001; do
		repeat $k "$c" >"$T/long"
		printf '\n' >>"$T/long"
		want=$((k * bytes + 1)) cut=0
		[ $k -le 2000 ] || { want=$((2000 * bytes + 10)) cut=1; }
		row "code ok first 1 lines 1 total 1 cut $cut bytes $want" "$k characters of $bytes" "$T/long"
	done
	is "$(slot)" "$(repeat 2000 "$c") …[cut]" "cut after 2,000 characters of $bytes"
	repeat 2000 "$c" >"$T/long"
	printf '\r\n' >>"$T/long"
	row "code ok first 1 lines 1 total 1 cut 0 bytes $((2000 * bytes + 1))" \
		"2,000 of $bytes and CRLF are whole" "$T/long"
done
{
	repeat 100000 é
	printf '\nend\n'
} >"$T/long"
row 'code ok first 1 lines 2 total 2 cut 1 bytes 4014' 'a line longer than the buffer' "$T/long"
row 'code ok first 2 lines 1 total 2 cut 0 bytes 4' 'what follows it' "$T/long" offset=2

# --- the page's bytes ---
repeat 64 "$(repeat 1023 y)
" >"$T/64k"
row 'code ok first 1 lines 64 total 64 cut 0 bytes 65536' '64 KiB exactly' "$T/64k"
printf z >>"$T/64k"
row 'code ok first 1 lines 64 total 65 cut 0 bytes 65536' 'a line more waits' "$T/64k"
row 'code ok first 65 lines 1 total 65 cut 0 bytes 2' 'and comes next' "$T/64k" offset=65
{
	printf 'a'
	cat "$T/64k"
} >"$T/64k1"
row 'code ok first 1 lines 63 total 65 cut 0 bytes 64513' 'a line that does not fit is left' "$T/64k1"
repeat 100 "$(repeat 3000 𝄞)
" >"$T/wide"
row 'code ok first 1 lines 8 total 100 cut 8 bytes 64080' 'cut lines fill a page too' "$T/wide"

# --- what is text ---
printf 'a\000b' >"$T/b"
code binary 'a NUL' "$T/b"
{
	repeat 8191 x
	printf '\000'
} >"$T/b"
code binary 'NUL as byte 8,192' "$T/b"
{
	repeat 8192 x
	printf '\000\n'
} >"$T/b"
row 'code ok first 1 lines 1 total 1 cut 1 bytes 2010' 'NUL past the window is text' "$T/b"
{
	repeat 30 "$(printf '\001')"
	repeat 70 x
} >"$T/b"
row 'code ok first 1 lines 1 total 1 cut 0 bytes 101' '30 % controls are text' "$T/b"
{
	repeat 31 "$(printf '\033')"
	repeat 69 x
} >"$T/b"
code binary '31 % controls' "$T/b"
printf '\t\n\f\r\t\n\f\r' >"$T/b"
row 'code ok first 1 lines 2 total 3 cut 0 bytes 6' 'TAB LF FF CR are no controls' "$T/b" limit=2
repeat 100 "$(printf '\177')" >"$T/b"
row 'code ok first 1 lines 1 total 1 cut 0 bytes 101' 'nor is DEL' "$T/b"
printf '\377abc' >"$T/b"
code binary 'invalid as byte 0' "$T/b"
{
	repeat 9000 x
	printf '\300\257'
} >"$T/b"
code binary 'invalid past the window' "$T/b"
{
	repeat 65534 x
	printf '\303'
} >"$T/b"
code binary 'an unfinished end' "$T/b"
{
	repeat 65534 x
	printf '\360\235\204\236 ok\n'
} >"$T/b"
row 'code ok first 1 lines 1 total 1 cut 1 bytes 2010' 'a character across two blocks' "$T/b"
{
	repeat 65535 x
	printf '\377more'
} >"$T/b"
code binary 'an invalid byte at the end of a block' "$T/b"
printf 'a\355\240\200' >"$T/b"
code binary 'a surrogate' "$T/b"
printf '\364\220\200\200' >"$T/b"
code binary 'past U+10FFFF' "$T/b"
printf 'caf\351\n' >"$T/b"
code binary 'Latin-1' "$T/b"
printf '\377\376a\000' >"$T/b"
code utf-16 'UTF-16, little-endian' "$T/b"
printf '\376\377\000a' >"$T/b"
code utf-16 'UTF-16, big-endian' "$T/b"
printf '\377\376\000\000a\000\000\000' >"$T/b"
code utf-32 'UTF-32, little-endian' "$T/b"
printf '\000\000\376\377\000\000\000a' >"$T/b"
code utf-32 'UTF-32, big-endian' "$T/b"

# --- size ---
yes 1234567 | head -c 67108864 >"$T/big"
row 'code ok first 8388608 lines 1 total 8388608 cut 0 bytes 8' '64 MiB' "$T/big" offset=8388608
printf x >>"$T/big"
code too-large '64 MiB and a byte' "$T/big"
rm "$T/big"
dd if=/dev/null of="$T/sparse" bs=1 seek=1048576 2>/dev/null
code binary 'a sparse file' "$T/sparse"
dd if=/dev/null of="$T/sparse" bs=1 seek=67108865 2>/dev/null
code too-large 'a sparse file of 64 MiB and a byte is not read' "$T/sparse"
is "$("$FRAME" call | "$READ" 3</dev/zero 4>"$S" | "$FRAME" show | sed -n 's/^RESULT code \([a-z-]*\) .*/\1/p')" \
	binary 'an endless file'
is "$(yes 2>/dev/null | "$READ" --json 2>&1 >/dev/null)" \
	'{"code": "too-large", "first": 0, "lines": 0, "total": 0, "cut": 0, "bytes": 0}' \
	'an endless file of text is bounded'
code unreadable 'a directory' "$T"
if [ -r /proc/self/status ]; then
	has "$(page /proc/self/status limit=1)" 'code ok first 1 lines 1' 'a file of /proc, of no size'
else
	skip 'a file of /proc' 'no /proc'
fi

# --- READY ---
out=$("$FRAME" call | "$READ" 3<"$T/1" 4>"$S" | "$FRAME" show)
has "$out" 'READY' 'READY first'
has "$out" 'limits no_new_privs' 'says its layers'
has "$out" "filter $(sed -n 's/.*filter_digest = "\(.*\)",/\1/p' "$BB_BUILD/gen/tool_read_file.c")" \
	'says its filter'

# --- what ends it ---
# ends STATUS NAME: the bytes of $T/in in place of CALL; no RESULT.
ends() {
	{
		"$READ" <"$T/in" 3<"$T/1" 4>"$S" 2>"$SAY"
		echo $? >"$T/status"
	} | "$FRAME" show >"$T/shown"
	is "$(cat "$T/status")" "$1" "$2: status $1"
	lacks "$(cat "$T/shown")" RESULT "$2: no RESULT"
}
: >"$T/in"
ends 0 'nothing'
printf '\273\001\000\002' >"$T/in"
ends 70 'half a header'
printf 'GET / HTTP/1.0\r\n\r\n' >"$T/in"
ends 70 'another protocol'
"$FRAME" call | sed 's/offset 1/offset x/' >"$T/in"
ends 70 'a malformed number'
"$FRAME" call | sed 's/offset 1/offset 01/' >"$T/in"
ends 70 'a leading zero'
"$FRAME" call | sed 's/offset 1/offset -/' >"$T/in"
ends 70 'no number'
"$FRAME" call | sed 's/offset/offsat/' >"$T/in"
ends 70 'another name'
"$FRAME" call limit=501 >"$T/in"
ends 70 'limit 501'
"$FRAME" call limit=-1 >"$T/in"
ends 70 'a negative limit'
"$FRAME" call offset=-1 >"$T/in"
ends 70 'a negative offset'
# head TYPE LENGTH: a header of call 1, both given as octal bytes
head_of() { printf "\\273\\001\\000\\$1\\000\\000\\000\\001\\000\\000\\000\\$2\\000\\000\\000\\000"; }
{
	head_of 003 023
	printf 'offset 1\nlimit 500\n'
} >"$T/in"
ends 70 'a frame of another type'
{
	head_of 002 034
	printf 'offset 1\nlimit 500\nlimit 50\n'
} >"$T/in"
ends 70 'a member twice'
{
	head_of 002 024
	printf 'limit 500\noffset 1\n'
} >"$T/in"
ends 70 'members out of order'
{
	head_of 002 011
	printf 'offset 1\n'
} >"$T/in"
ends 70 'a member short'
head_of 002 000 >"$T/in"
ends 70 'an empty body'
head_of 002 023 >"$T/in"
ends 70 'a body that does not come'
{
	head_of 002 023
	printf 'offset 1\nlimit 500\n'
} | "$READ" 3<"$T/1" 4>"$S" | "$FRAME" show | grep -q '^RESULT code ok'
ok $? 'and one that is right'
"$READ" </dev/null 4>"$S" 3>&- 2>"$SAY"
is $? 2 'no file on 3'
"$READ" 3<"$T/1" </dev/null 4>&- 2>"$SAY"
is $? 2 'no slot'
"$READ" 3<>"$T/1" 4>"$S" </dev/null 2>"$SAY"
is $? 2 'a file open for writing too'
"$READ" 3<"$T/1" 4<>"$S" </dev/null 2>"$SAY"
is $? 2 'a slot that can be read'
has "$(cat "$SAY")" 'descriptors' 'and says why'

# --- the human form ---
is "$("$READ" --limit 2 "$T/501")" 'line 1
line 2' 'a page by hand'
is "$("$READ" --offset=501 "$T/501")" 'line 501' 'NAME=VALUE'
is "$("$READ" --offset 500 --limit 9999 "$T/501" | wc -l | tr -d ' ')" 2 'a limit above the most'
is "$("$READ" --limit 1 <"$T/501")" 'line 1' 'standard input'
is "$("$READ" --limit 1 - <"$T/501")" 'line 1' 'as - too'
cp "$T/1" "$T/--odd"
is "$(cd "$T" && "$READ" -- --odd)" a 'a name like an option'
is "$("$READ" --json "$T/1" 2>&1 >/dev/null)" \
	'{"code": "ok", "first": 1, "lines": 1, "total": 1, "cut": 0, "bytes": 2}' '--json'
"$READ" "$T/1" >"$S"
is $? 0 'status 0'
"$READ" "$T/sparse" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '$T/sparse': larger than 64 MiB" 'status 1: too large'
"$READ" "$T/b" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '$T/b': binary (UTF-32), not text" 'status 1: binary'
"$READ" --limit 1 <"$T/b" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" '1 bb-read: standard input: binary (UTF-32), not text' 'standard input is named too'
mkdir "$T/dir"
"$READ" "$T/dir" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '$T/dir': is a directory" 'status 1: a directory'
odd=$(printf 'o\033[31m')
mkdir "$T/$odd"
"$READ" "$T/$odd" >"$S" 2>"$SAY"
is "$(cat "$SAY")" "bb-read: '$T/o<U+001B>[31m': is a directory" 'named so that no terminal minds'
mkfifo "$T/fifo"
timeout 5 "$READ" "$T/fifo" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '$T/fifo': not a regular file" 'a FIFO nobody writes to holds nothing up'
timeout 5 "$READ" /dev/zero >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '/dev/zero': not a regular file" 'a device is not read'
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0]))' "$T/sock"
"$READ" "$T/sock" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: '$T/sock': not a regular file" 'nor a socket'
is "$(printf 'a\n' | "$READ" --limit 1)" a 'a pipe on standard input is'
# more <file, options…>: what stands on 2, and the status
more() {
	"$READ" "$@" 2>"$SAY" >"$S"
	echo "$? $(cat "$SAY")"
}
is "$(more "$T/501")" "0 bb-read: '$T/501': lines 1-500 of 501; --offset 501 for more" \
	'that more remains is said'
is "$(more --offset 3 --limit 2 "$T/501")" \
	"0 bb-read: '$T/501': lines 3-4 of 501; --offset 5 for more" 'of a page within'
is "$(more --offset 501 "$T/501")" '0 ' 'nothing at the end'
is "$(more "$T/1")" '0 ' 'nor of the whole'
is "$(more --offset 502 "$T/501")" "0 bb-read: '$T/501': no lines there; it has 501" 'past the end'
awk 'BEGIN { for (i = 0; i < 100; i++) { s = sprintf("%-1000s", i); print s } }' >"$T/wide"
is "$(more "$T/wide")" "0 bb-read: '$T/wide': lines 1-65 of 100; --offset 66 for more" \
	'cut by bytes'
"$READ" --limit 500 <"$T/501" 2>"$SAY" >"$S"
is "$(cat "$SAY")" 'bb-read: standard input: lines 1-500 of 501; --offset 501 for more' \
	'of standard input'
is "$("$READ" --json "$T/501" 2>&1 >/dev/null | wc -l | tr -d ' ')" 1 '--json says it in its numbers alone'
"$READ" "$T/none" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-read: cannot open '$T/none': not found" 'status 1: not there'
"$READ" --colour "$T/1" >"$S" 2>"$SAY"
is $? 2 'status 2: unknown option'
"$READ" --path=x "$T/1" >"$S" 2>"$SAY"
is $? 2 'status 2: an argument that is not sent'
"$READ" --limit >"$S" 2>"$SAY"
is $? 2 'status 2: no value'
"$READ" --limit -1 "$T/1" >"$S" 2>"$SAY"
is $? 2 'status 2: a negative number'
"$READ" "$T/1" "$T/1" >"$S" 2>"$SAY"
is $? 2 'status 2: two files'
has "$("$READ" --help)" 'usage: bb-read' '--help'
has "$("$READ" --version)" 'bb-read ' '--version'
done_testing

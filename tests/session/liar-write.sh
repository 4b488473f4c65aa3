# bb-write replaced by one that lies (liar-write.c): what does not fit the bytes is never
# drawn, and nothing is written.
. "${BB_TOP:?}/tests/lib.sh"
LIAR=${BB_LIAR_WRITE:-$BB_BUILD/tests/session/liar-write}
[ -x "$LIAR" ] || {
	echo "1..0 # SKIP no $LIAR"
	exit 0
}
B=$T/bin
cp -r "$BIN" "$B"
cp "$LIAR" "$B/bb-write"
printf 'one\ntwo\nthree\n' >"$WS/f"
lie() { "$B/bb" -C "$WS" --trust --approver none call edit_file path=f old_text=two "new_text=$1
x" 2>&1; }
out=$(lie 0)
is "$?" 4 'one that does not lie: the person would be asked'
for what in '1 a byte outside the passage' '2 a byte outside, kept out of the list' '3 a wrong count' \
	'4 nothing replaced' '5 a length that is not the text'\''s' '6 places past the end' \
	'7 a wrong number of lines' '8 line ends that are not there'; do
	out=$(lie "${what%% *}")
	is "$?" 70 "${what#* }: it misbehaved, and nobody is asked"
done
is "$(cat "$WS/f")" 'one
two
three' 'the file is as it was'
done_testing

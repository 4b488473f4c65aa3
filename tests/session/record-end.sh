# The end of a record is a line of its own: what was cut or killed is told. And one seed used
# again: every record can be named.
. "${BB_TOP:?}/tests/lib.sh"
cd "$WS" || exit 1
echo x >f
call() { "$BIN/bb" --approver none --trust "$@" call read_file path=f >/dev/null 2>&1 </dev/null; }
S=$XDG_STATE_HOME/bb/sessions
call
F=$(echo "$S"/*/*.jsonl)
all=$(wc -l <"$F")
has "$(tail -n 1 "$F")" '"kind":"session_end","calls":1,' "the last line is the session's end, with its calls"
out=$("$BIN/bb" log --verify)
is "$? $out" "0 $all lines, 1 call, whole" "with it the record is whole"
has "$("$BIN/bb" log)" "end     of the session, calls: 1" "for people"
cp "$F" "$T/whole"
k=$((all - 1))
while [ "$k" -ge 1 ]; do
	head -n "$k" "$T/whole" >"$F"
	out=$("$BIN/bb" log --verify)
	is "$?" 1 "cut after line $k of $all: not whole"
	has "$out" "ends without the session's end" "and said"
	k=$((k - 3))
done
has "$("$BIN/bb" log --verify --json)" '"ended":false' "for programs"
{ cat "$T/whole"; head -n 5 "$T/whole"; cat "$T/whole"; } >"$F"
out=$("$BIN/bb" log --verify)
has "$out" "line $((all + 6)): the session before has no end" "one cut among others"
{ head -n 2 "$T/whole"; tail -n 1 "$T/whole" | sed 's/"seq":[0-9]*/"seq":3/'; } >"$F"
has "$("$BIN/bb" log --verify)" "counts other calls than began" "an end put behind a cut"
rm -r "$S"

# While it runs, its end is yet to come; killed, it never comes.
mkfifo "$T/in"
"$BIN/bb" --approver none drive <"$T/in" >"$T/out" 2>&1 &
pid=$!
exec 8>"$T/in"
echo '{"id":1,"tool":"read_file","args":{"path":"f"}}' >&8
i=0
while [ $i -lt 100 ] && ! grep -q '"id":1' "$T/out"; do
	sleep 0.05
	i=$((i + 1))
done
out=$("$BIN/bb" log --verify)
is "$?" 0 "a running session is no fault"
has "$out" "1 call, whole so far, still running" "and said to run"
kill -9 "$pid"
wait "$pid" 2>/dev/null
exec 8>&-
out=$("$BIN/bb" log --verify)
is "$?" 1 "a killed one is not whole"
has "$out" "or the session was killed" "and said"
rm -r "$S"

# --- who did it ---------------------------------------------------------------------------------
printf '/trust f\n/distrust f\n' | "$BIN/bb" --approver none >/dev/null 2>&1
out=$("$BIN/bb" log)
has "$out" "person  trust $WS/f, by person at terminal" "a typed command has its person"
has "$out" "person  distrust $WS/f, by person at terminal" "each of them"
"$BIN/bb" --approver none --trust=f call list_files >/dev/null 2>&1
lacks "$("$BIN/bb" log)" "person at terminal" "an option is nobody's typing"
rm -r "$S"

# --- one seed again and again --------------------------------------------------------------------
for i in 1 2 3; do call --seed s; done
id=$(basename "$(find "$S" -name '*[0-9a-f].audit.jsonl' | grep -v '\.[23]\.audit' | head -n 1)" .audit.jsonl)
out=$("$BIN/bb" log "$id" --json 2>"$T/err")
is "$?" 0 "the whole id names the first"
is "$out" "$(cat "$S"/*/"$id.audit.jsonl")" "and no other"
has "$(cat "$T/err")" "bb log $id.2" "how to name the others is said"
"$BIN/bb" log "$id.3" --json >"$T/third" 2>/dev/null
cmp -s "$T/third" "$S"/*/"$id.3.audit.jsonl"
ok $? "by its number, the third"
out=$("$BIN/bb" log "$(echo "$id" | cut -c1-5)" 2>&1)
is "$?" 2 "a part of it names none of three"
has "$out" "the whole id" "and it is said what would"
out=$("$BIN/bb" sessions)
has "$out" "$id.2 " "bb sessions names them as bb log takes them"
has "$("$BIN/bb" sessions --json)" "\"id\":\"$id.3\"" "for programs, too"
mkdir "$T/ws2"
cp f "$T/ws2"
(cd "$T/ws2" && "$BIN/bb" --approver none --trust --seed s call read_file path=f >/dev/null 2>&1 </dev/null)
has "$("$BIN/bb" log "$id" 2>/dev/null)" "  $WS " "the same seed elsewhere: this directory's is meant"
has "$("$BIN/bb" -C "$T/ws2" log "$id" 2>/dev/null)" "  $T/ws2 " "with -C that one's"
(cd / && "$BIN/bb" log "$id" >/dev/null 2>"$T/err")
is $? 2 "from elsewhere it is neither"
has "$(cat "$T/err")" "-C DIR" "and said"
done_testing

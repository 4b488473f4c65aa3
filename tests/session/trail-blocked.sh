# bb killed while it waits to append: the append comes before the effect, so no helper was
# started and nothing was answered; then with the trail readable again the same call works.
. "$BB_TOP/tests/lib.sh"
printf 'hello\n' >"$WS/a.txt"
mkfifo "$T/trail"
exec 7<>"$T/trail"
dd if=/dev/zero bs=65536 count=1 2>/dev/null >&7 # a pipe's whole room
"$BIN/bb" -C "$WS" --trust --approver none --trail fd:8 call read_file path=a.txt 8>"$T/trail" >"$T/out" 2>&1 </dev/null &
pid=$!
i=0
while [ $i -lt 50 ] && ! grep -q '^State:.S' "/proc/$pid/status" 2>/dev/null; do
	sleep 0.02
	i=$((i + 1))
done
sleep 0.3
kids=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
is "$kids" "" "while the append waits there is no helper"
is "$(cat "$T/out")" "" "and no answer"
kill -9 "$pid"
wait "$pid" 2>/dev/null
is "$(cat "$T/out")" "" "killed there, it has answered nothing"
dd bs=65536 count=1 <&7 >/dev/null 2>&1
(cat <&7 >"$T/kept") &
cat=$!
out=$("$BIN/bb" -C "$WS" --trust --approver none --trail fd:8 call read_file path=a.txt 8>"$T/trail" 2>&1 </dev/null)
has "$out" hello "with room again the call is made"
sleep 0.2
kill "$cat" 2>/dev/null
exec 7>&-
has "$(cat "$T/kept")" '"gate":"action"' "its gates were appended"
done_testing

# Found by trying to break it: limits, closed streams, empty values, floods, and records
# that are not what they say.
. "${BB_TOP:?}/tests/lib.sh"
echo QUAGGA >"$WS/a.txt"
mkdir "$WS/sub"
echo x >"$WS/sub/b.txt"
bb() { "$BIN/bb" -C "$WS" --approver none "$@" 2>&1 </dev/null; }

# A file size limit met by the trail is a failed append, not bb's end.
out=$( (ulimit -f 4
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	echo "{\"id\":$i,\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}"
done | "$BIN/bb" -C "$WS" --approver none --trust drive 2>/dev/null
echo "status $?") | grep -v '^$')
is "$(printf '%s\n' "$out" | tail -1)" "status 0" "a trail that meets the file size limit does not end bb"
is "$(printf '%s\n' "$out" | grep -c '"id"')" 40 "every call is answered"
has "$out" '"gate":"trail"' "the ones that cannot be recorded are refused"

# Values.
bb --trust= call read_file path=a.txt >/dev/null
is $? 2 "--trust= with nothing behind it is wrong use"
out=$(bb --add-dir sub call read_file path=sub/b.txt)
is $? 2 "--add-dir inside the workspace is wrong use"
has "$out" "open already" "and says why"
lacks "$out" x.txt "nothing of it is trusted"
bb --add-dir . call read_file path=a.txt >/dev/null
is $? 2 "--add-dir of the workspace itself, too"
for last in -1 -5 0 abc 99999999999999999999; do
	bb log -n "$last" >/dev/null
	is $? 2 "log -n $last is wrong use"
done

# An answer that went nowhere is not done.
"$BIN/bb" -C "$WS" --approver none --trust call read_file path=a.txt >&- 2>/dev/null </dev/null
is $? 75 "standard output closed: 75"
[ -c /dev/full ] && {
	"$BIN/bb" -C "$WS" --approver none --trust call read_file path=a.txt >/dev/full 2>/dev/null </dev/null
	is $? 75 "standard output full: 75"
}
# shellcheck disable=SC3045 # every sh of Debian has it
(ulimit -n 20; bb --trust call list_files >/dev/null; exit $?)
is $? 75 "no descriptor for a helper: the system said no"

# Trails that are no files.
mkfifo "$T/fifo"
timeout 5 "$BIN/bb" -C "$WS" --trail "$T/fifo" --approver none call read_file path=a.txt >"$T/out" 2>&1 </dev/null
is $? 75 "a FIFO nobody reads does not hold up the start"
has "$(cat "$T/out")" "regular file" "it is said what is taken"
bb --trail /dev/zero call read_file path=a.txt >/dev/null
is $? 75 "a device keeps nothing"

# That a name differs only in its form tells of the other one: only where it is trusted.
printf x >"$WS/sub/$(printf 'cafe\314\201').txt"
name=sub/$(printf 'caf\303\251').txt
lacks "$(bb call read_file path="$name")" "Unicode form" "not in a directory nobody trusts"
has "$(bb --trust call read_file path="$name")" "Unicode form" "in a trusted one"

# An approver that sends nothing but wrong answers is ended; the record stays small.
cat >"$T/flood" <<'END'
#!/bin/sh
while :; do echo '{"ask":99,"answer":"y"}' || exit; done
END
chmod +x "$T/flood"
out=$(timeout 20 "$BIN/bb" -C "$WS" --trail "$T/flood.jsonl" --approver "exec:$T/flood" call read_file path=a.txt 2>&1 </dev/null)
is $? 0 "the call is answered"
lacks "$out" QUAGGA "and not by a yes nobody gave"
has "$(cat "$T/flood.jsonl")" '"approver ended"' "the end is recorded"
many=$(grep -c 'answer refused' "$T/flood.jsonl")
[ "$many" -ge 1 ] && [ "$many" -le 100 ]
ok $? "its wrong answers are recorded, and bounded ($many)"

# Every tool that is offered answers a call without arguments, and nothing crashes.
for tool in $("$BIN/bb" help --json | tr '{' '\n' | sed -n '/"helper"/s/.*"name":"\([a-z_]*\)".*/\1/p'); do
	bb --trust call "$tool" >/dev/null 2>&1 </dev/null
	rc=$?
	[ "$rc" -le 5 ]
	ok $? "$tool without arguments: $rc"
done

# A file that says it is empty and never ends.
if [ "$(id -u)" -eq 0 ] && [ -r /proc/kmsg ]; then
	out=$(timeout 20 "$BIN/bb" -C /proc --private --trust --approver none call read_file path=kmsg 2>&1 </dev/null)
	has "$out" "did not finish within 5 s" "/proc/kmsg has 5 s"
else
	skip "/proc/kmsg has 5 s" "only root may open it"
fi

# --verify: a record with one gate less is not whole.
bb --trust --seed v call read_file path=a.txt >/dev/null
S=$(dirname "$(find "$T/state" -name '*.jsonl' | head -1)")
F=$(ls -t "$S"/*.jsonl | head -1)
is "$(bb log --verify | tail -1)" "$(wc -l <"$F" | tr -d ' ') lines, 1 call, whole" "as written it is whole"
for g in precommit capability rules confine promote trust action present; do
	awk -v g="\"gate\":\"$g\"" '!index($0, g) { n++; sub(/"seq":[0-9]+/, "\"seq\":" n); print }' "$F" >"$S/aa$g.audit.jsonl"
	bb log "aa$g" --verify >"$T/out"
	is $? 1 "without $g it is not"
done
grep -v action_field "$F" | awk '{ n++; sub(/"seq":[0-9]+/, "\"seq\":" n); print }' >"$S/bbfield.audit.jsonl"
bb log bbfield --verify >/dev/null
is $? 1 "nor without the argument's own line"

# prune removes records, and follows no link to anything else.
mkdir "$T/victim"
echo keep >"$T/victim/x.audit.jsonl"
touch -d 2020-01-01 "$T/victim/x.audit.jsonl"
ln -s "$T/victim" "$T/state/bb/sessions/link-0"
bb sessions prune --older 30d >/dev/null
is "$(cat "$T/victim/x.audit.jsonl" 2>&1)" keep "a linked directory is left alone"

# One kind of mistake has one status, whichever command or tool it is made with.
# mistake STATUS NAME WORD...: what bb said is in $out.
mistake() {
	want=$1 what=$2
	shift 2
	out=$(bb "$@")
	is $? "$want" "$what"
}
mistake 1 "a directory where a file is meant: the tool's error" --trust call read_file path=sub
mistake 1 "a file where a directory is meant" --trust call list_files directory=a.txt
has "$out" "error: 'a.txt' is not a directory" "in words"
mistake 1 "the same of a search" --trust call search pattern=x directory=a.txt
mistake 1 "and of what it would be given" --trust power list_files directory=a.txt
mistake 1 "as of a file" --trust power read_file path=sub
mistake 1 "a missing file" --trust call read_file path=none
mistake 1 "a missing directory" --trust call list_files directory=none
mistake 2 "a workspace that is not there: wrong use" -C "$T/none" call list_files
mistake 2 "a directory to add that is not there" --add-dir "$T/none" call list_files
has "$out" "--add-dir '$T/none': not found" "in words"
mistake 2 "or is a file" --add-dir "$WS/a.txt" call list_files
mistake 2 "a file to vouch for that is not there" --file none call list_files
mistake 2 "no such session: log" log zzz
mistake 2 "no such session: status" status zzz
has "$out" "no such session is running" "in words"
for v in x 2.5 -1 99999999999999999999 1e30; do
	mistake 2 "depth=$v: wrong use" --trust call list_files depth=$v
done
has "$out" "'depth' is outside its range" "in words"
is "$(bb --trust call list_files depth=2.0)" "$(bb --trust call list_files depth=2)" "depth=2.0 is 2"
done_testing

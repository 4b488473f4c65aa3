# bb stopped before each append in turn, by a kill and by a device that is full from then
# on: no helper runs whose gates are not on record, and nothing is shown that is not
# recorded as shown.
. "${BB_TOP:?}/tests/lib.sh"
AT=$BB_BUILD/tests/session/at-append
if ! "$AT" "$T/report" 0 kill 8 /bin/true 2>/dev/null; then
	echo "1..0 # SKIP no program can be watched here (ptrace)"
	exit 0
fi
mkdir -p "$WS/dir/mail"
printf 'SEEN\n' >"$WS/f"
printf 'SEEN\n' >"$WS/dir/SEENname"
printf 'x\n' >"$WS/dir/mail/0"
approver=none own=0
lines() { grep -c "$1" "$T/t"; }
# one HOW N WORD… : the call, stopped at append N; what it showed in $T/shown
one() {
	how=$1 at=$2
	shift 2
	: >"$T/t"
	"$AT" "$T/report" "$at" "$how" 8 "$BIN/bb" -C "$WS" --approver "$approver" --trail fd:8 "$@" 8>>"$T/t" 2>"$T/err" </dev/null >"$T/pipe"
	rc=$?
	read -r _ appends _ helpers <"$T/report"
}
# each NAME FIRST WORD… : FIRST is what its answer holds when nothing stops it
each() {
	name=$1 holds=$2
	shift 2
	mkfifo "$T/pipe" # no regular file: the full device is the trail's alone
	cat "$T/pipe" >"$T/shown" &
	one kill 0 "$@"
	wait $!
	is "$rc" 0 "$name: watched and not stopped, it is answered"
	has "$(cat "$T/shown")" "$holds" "$name: with what it found"
	all=$((appends - 1)) # the last is the session's end, after the answer
	[ "$all" -ge 1 ]
	ok $? "$name: $all appends, processes started: $helpers"
	for how in kill full; do
		i=1
		while [ "$i" -le "$all" ]; do
			cat "$T/pipe" >"$T/shown" &
			one "$how" "$i" "$@"
			wait $!
			what="$name: $how at append $i of $all"
			case $how in
			kill) is "$rc" 137 "$what: it is dead" ;;
			full)
				[ "$rc" = 3 ] || [ "$rc" = 75 ]
				ok $? "$what: refused ($rc)"
				;;
			esac
			# to show a person the head of a file is an effect of its own
			may=$((own + $(lines '"gate":"display"') + 2 * $(lines '"gate":"action"')))
			[ "$helpers" -le "$may" ]
			ok $? "$what: processes started: $helpers, and the record says why"
			lacks "$(cat "$T/shown")" "$holds" "$what: nothing is shown"
			i=$((i + 1))
		done
	done
	rm -f "$T/pipe"
}
each "a read" SEEN --trust call read_file path=f
each "a listing" SEENname --trust call list_files
each "a listing in two parts" SEENname --trust=dir call list_files directory=.
each "a read held back" "ref:0" call read_file path=f
# With a person who says yes: the approver is a process too, and not the planner's.
cat >"$T/yes" <<'EOF'
#!/bin/sh
while read -r l; do
	case $l in
	*'"screen"'*)
		id=${l#*\"ask\":}
		printf '{"ask":%s,"answer":"y"}\n' "${id%%[!0-9]*}"
		;;
	esac
done
EOF
chmod +x "$T/yes"
approver=exec:$T/yes own=1
each "a read asked about" SEEN call read_file path=f
done_testing

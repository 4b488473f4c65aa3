# What other users put in bb's way: directories, links and sockets of theirs; and a planner
# that would answer for itself.
. "${BB_TOP:?}/tests/lib.sh"
echo QUAGGA >"$WS/a.txt"
unset XDG_RUNTIME_DIR
call() { "$BIN/bb" -C "$WS" --approver none --trust "$@" call read_file path=a.txt 2>&1 </dev/null; }
mode() { stat -c %a "$1"; }

# --- links in the place of bb's own directories ---------------------------------------------
mkdir "$T/victim"
chmod 755 "$T/victim"
for own in bb bb/sessions; do
	rm -rf "$T/state/bb"
	mkdir -p "$T/state/$(dirname "$own")"
	ln -s "$T/victim" "$T/state/$own"
	out=$(call)
	is $? 75 "$own is a link: refused"
	has "$out" "$T/state/$own' is a link" "it is named"
	has "$out" "--state DIR" "with the way out"
	lacks "$out" QUAGGA "nothing is read"
	is "$(mode "$T/victim") $(ls "$T/victim")" "755 " "what it leads to is left alone"
done
rm -rf "$T/state/bb"
mkdir "$T/real"
ln -s "$T/real" "$T/linked"
has "$(XDG_STATE_HOME=$T/linked call)" QUAGGA "a link of one's own may lead there"
is "$(mode "$T/real/bb/sessions")" 700 "what bb makes is 0700"
mkdir "$T/wide"
chmod 777 "$T/wide"
out=$(call --state "$T/wide")
is $? 75 "a directory that anybody may change: refused"
has "$out" "$T/wide'" "it is named"
chmod 1777 "$T/wide"
has "$(call --state "$T/wide")" QUAGGA "a sticky one will do"
is "$(mode "$T/wide")" 1777 "and is not changed"
rm -rf "$T/state/run"
echo '{"id":1,"hello":1}' >"$T/hello"
mkdir -p "$T/run"
ln -s "$T/victim" "$T/run/bb"
out=$(XDG_RUNTIME_DIR=$T/run "$BIN/bb" -C "$WS" drive <"$T/hello" 2>&1)
is $? 75 "the socket's directory is a link: refused"
has "$out" "$T/run/bb' is a link" "it is named"
is "$(ls "$T/victim")" "" "no socket there"
rm "$T/run/bb"

# --- what belongs to somebody else ------------------------------------------------------------
if [ "$(id -u)" -eq 0 ]; then
	# bb runs from a place that is open to others, as /tmp is
	mkdir "$T/tmp"
	chmod 1777 "$T/tmp"
	for at in bb bb/sessions .; do
		rm -rf "$T/tmp/x"
		mkdir -p "$T/tmp/x/$at"
		chown 12345:12345 "$T/tmp/x/$at"
		chmod 755 "$T/tmp/x/$at"
		out=$(XDG_STATE_HOME=$T/tmp/x call)
		is $? 75 "$at of another user: refused"
		has "$out" "(uid 12345)" "with its owner"
		is "$(mode "$T/tmp/x/$at")" 755 "and not changed"
		lacks "$out" QUAGGA "nothing is read"
	done
	rm -rf "$T/tmp/x"
	mkdir "$T/tmp/x"
	chown 12345:12345 "$T/tmp/x"
	has "$("$BIN/bb" -C "$WS" --state "$T/tmp/x" doctor | tr -s ' \n' '  ')" "x belongs to another user (uid 12345)" "bb doctor says so too"
	chown 12345:12345 "$T/tmp/x"
	out=$(call --state "$T/tmp/x")
	is $? 75 "--state DIR of another user: refused"
	has "$out" "$T/tmp/x' belongs to another user (uid 12345)" "and named"
	is "$(ls "$T/tmp/x")" "" "nothing is made there"
	mkdir -p "$T/tmp/r/bb"
	chown 12345:12345 "$T/tmp/r/bb"
	out=$(XDG_RUNTIME_DIR=$T/tmp/r "$BIN/bb" -C "$WS" drive <"$T/hello" 2>&1)
	is $? 75 "a runtime directory of another user: refused"
	has "$out" "XDG_RUNTIME_DIR" "with the way out"
	mkdir -p "$T/tmp/p/sessions/k"
	echo '{}' >"$T/tmp/p/sessions/k/x.audit.jsonl"
	touch -d 2020-01-01 "$T/tmp/p/sessions/k/x.audit.jsonl"
	chown 12345:12345 "$T/tmp/p/sessions"
	out=$("$BIN/bb" --state "$T/tmp/p" sessions prune --older 1d 2>&1)
	is $? 75 "prune in another user's directory: refused"
	ok "$([ -e "$T/tmp/p/sessions/k/x.audit.jsonl" ]; echo $?)" "and nothing goes"

	# --- somebody else listens ------------------------------------------------------------
	chmod 711 "$T"
	mkdir "$T/s"
	chmod 777 "$T/s"
	perl -MIO::Socket::UNIX -MPOSIX -e '
		my $p = shift;
		POSIX::setgid(12345); POSIX::setuid(12345);
		my $s = IO::Socket::UNIX->new(Local => $p, Listen => 8) or die $!;
		chmod 0777, $p;
		open my $f, ">", "$p.up"; close $f;
		$SIG{PIPE} = "IGNORE";
		alarm 60;
		while (my $c = $s->accept) {
			syswrite $c, qq({"hello":1,"session":"f00df00d","workspace":"/w","front":"drive","waiting":1}\n);
			sysread $c, my $b, 4096;
			syswrite $c, qq({"rows":["trusted    nothing FAKE"]}\n);
			close $c;
		}' "$T/s/f00df00d.sock" &
	pid=$!
	i=0
	while [ ! -e "$T/s/f00df00d.sock.up" ] && [ $i -lt 100 ]; do
		sleep 0.05
		i=$((i + 1))
	done
	mkdir -p "$T/run2/bb"
	ln "$T/s/f00df00d.sock" "$T/run2/bb/f00df00d.sock"
	export XDG_RUNTIME_DIR=$T/run2
	out=$(timeout 20 "$BIN/bb" approve --list 2>&1)
	has "$out" "another user (uid 12345) listens at" "approve --list names it"
	has "$out" "no session is running" "and lists none"
	out=$(timeout 20 "$BIN/bb" status f00df00d 2>&1)
	is $? 2 "status of it: there is no such session"
	lacks "$out" FAKE "not a word of it is shown"
	out=$(timeout 20 "$BIN/bb" status "$T/s/f00df00d.sock" 2>&1)
	is $? 75 "by its socket, too"
	has "$out" "another user (uid 12345)" "and named"
	out=$(timeout 20 "$BIN/bb" -C "$WS" --approver "unix:$T/s/f00df00d.sock" call read_file path=a.txt 2>&1 </dev/null)
	is $? 75 "as an approver: refused"
	has "$out" "another user listens there" "and said"
	unset XDG_RUNTIME_DIR
	kill "$pid"
	wait "$pid" 2>/dev/null
else
	skip "directories and sockets of another user" "only root can make them"
fi

# --- a planner that answers for itself --------------------------------------------------------
for fd in 0 1 2; do
	out=$(echo '{"id":1,"tool":"read_file","args":{"path":"a.txt"}}' | timeout 20 "$BIN/bb" -C "$WS" --private --approver fd:$fd drive 2>&1 | cat)
	has "$out" "planner's" "--approver fd:$fd is the planner's own: said"
	lacks "$out" QUAGGA "and nothing is read"
	: | timeout 20 "$BIN/bb" -C "$WS" --private --approver fd:$fd drive >/dev/null 2>&1
	is $? 2 "fd:$fd is wrong use"
done
mkfifo "$T/in" "$T/out"
exec 5<>"$T/in" 6<>"$T/out"
timeout 20 "$BIN/bb" -C "$WS" --private --approver fd:7 drive <"$T/in" 2>"$T/err" >"$T/o" 7<"$T/in" 8>"$T/out"
is $? 2 "another descriptor of the pipe the planner writes to"
has "$(cat "$T/err")" "planner's" "is said as well"
timeout 20 "$BIN/bb" -C "$WS" --private --approver fd:7 drive </dev/null 2>"$T/err" >"$T/out" 7<"$T/in" 8>"$T/out"
is $? 2 "and one of the pipe that it reads"
timeout 20 "$BIN/bb" -C "$WS" --private --approver fd:7 drive </dev/null 2>"$T/err" >"$T/o" 7<"$T/in" 8>"$T/out"
is $? 0 "two pipes of their own will do"
exec 5>&- 6>&-

# --- the record on a descriptor, in the workspace -----------------------------------------------
tell() { "$BIN/bb" -C "$WS" --approver none --trust --trail fd:3 "$@" 3>>"$WS/trail.jsonl" 2>&1 </dev/null; }
tell call read_file path=a.txt >/dev/null
out=$(tell call read_file path=trail.jsonl)
is $? 3 "the planner may not read it"
lacks "$out" '"kind"' "nor sees a line"
lacks "$(tell call list_files)" trail.jsonl "nor lists it"
lacks "$(tell call search pattern=precommit)" '"gate"' "nor finds its text"
ln "$WS/trail.jsonl" "$WS/again"
lacks "$(tell call read_file path=again)" '"kind"' "nor by a second name"
rm "$WS/trail.jsonl" "$WS/again"

# --- an answer that no key gives ------------------------------------------------------------------
cat >"$T/odd" <<'END'
#!/bin/sh
while read -r l; do
	case $l in
	*'"screen"'*) printf '{"ask":1,"answer":"\\u0003"}\n{"ask":1,"answer":"y"}\n' ;;
	esac
done
END
chmod +x "$T/odd"
out=$(timeout 20 "$BIN/bb" -C "$WS" --trail "$T/odd.jsonl" --approver "exec:$T/odd" call read_file path=a.txt 2>&1 </dev/null)
has "$out" QUAGGA "a control character is no stop: the yes behind it counts"
has "$(cat "$T/odd.jsonl")" "not offered" "and it is refused as not offered"

# --- full ---------------------------------------------------------------------------------------------
if [ -c /dev/full ]; then
	export XDG_STATE_HOME="$T/state2"
	call >/dev/null
	for words in sessions "sessions --json" "sessions prune --older 1d" status "status --json" doctor "doctor --json" \
		"power read_file path=a.txt" "power read_file path=a.txt --json" "power read_file path=a.txt --by-hand" \
		"approve --list" "approve --list --json" help "help --json" --help --version log "log --json" "log --verify" \
		"call read_file path=a.txt" "call read_file path=a.txt --json" drive; do
		# shellcheck disable=SC2086
		(cd "$WS" && timeout 60 "$BIN/bb" --approver none $words <"$T/hello" >/dev/full 2>"$T/err")
		is $? 75 "bb $words >/dev/full: 75"
		has "$(cat "$T/err")" "cannot write to standard output" "bb $words: and said"
	done
	"$BIN/bb-audit" --show bb-read >/dev/full 2>/dev/null
	is $? 75 "bb-audit >/dev/full: 75"
else
	skip "answers that go nowhere" "no /dev/full"
fi
done_testing

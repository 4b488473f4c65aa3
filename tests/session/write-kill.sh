# kill -9 at every system call of a write: the file is the old one or the new one, and the
# next start leaves no temporary file and no note of one.
. "${BB_TOP:?}/tests/lib.sh"
unset BB_SEED
AT=$BB_BUILD/tests/session/at-append
cat >"$T/yes" <<'EOF'
#!/usr/bin/perl
$| = 1;
while (<STDIN>) { print qq({"ask":$1,"answer":"y"}\n) if /"screen"/ && /"ask":(\d+)/ }
EOF
chmod +x "$T/yes"
old='the old text
of three
lines'
new=$(yes 'a line of the new text' | head -2000)
put() { # NAME OPTION...: one write of the new text, watched
	name=$1
	shift
	"$AT" "$T/report" "$1" put 0 "$BIN/bb" -C "$WS" --trust --approver "exec:$T/yes" \
		call write_file "path=$name" "contents=$new" >"$T/out" 2>&1
}
strays() { find "$WS" -name '.bb-*'; find "$XDG_STATE_HOME/bb/notes" -type f; }
mkdir -p "$XDG_STATE_HOME/bb/notes"
printf %s "$old" >"$WS/f"
put f 0
rc=$?
if [ $rc -eq 99 ]; then
	skip 'killed at every call of a write' 'a program cannot be watched here'
	done_testing
	exit
fi
is "$rc" 0 'a write that is not killed'
for name in f n/e/w; do
	k=1 bad='' saw_old=0 saw_new=0 left=0
	while [ $k -lt 200 ]; do
		rm -rf "$WS/n"
		[ $name != f ] || printf %s "$old" >"$WS/f"
		put "$name" $k
		rc=$?
		[ $rc -ne 0 ] || break
		if [ ! -e "$WS/$name" ] && [ $name != f ]; then
			saw_old=1
		elif [ "$(cat "$WS/$name" 2>&1)" = "$new" ]; then
			saw_new=1
		elif [ "$(cat "$WS/$name" 2>&1)" = "$old" ]; then
			saw_old=1
		else
			bad="$bad $k:third"
		fi
		[ -z "$(strays)" ] || left=$((left + 1))
		"$BIN/bb" -C "$WS" --trust --approver none call list_files >"$T/next" 2>&1
		[ -z "$(strays)" ] || bad="$bad $k:stray"
		k=$((k + 1))
	done
	is "$rc" 0 "$name: there were $k calls, the last run was whole"
	is "$bad" '' "$name: old or new, and nothing left after the next start"
	is "$saw_old $saw_new" '1 1' "$name: both were seen"
	ok "$([ $left -gt 2 ]; echo $?)" "$name: a kill does leave something, or this tests nothing"
done
# A note can make the next start remove nothing else.
printf 'x\n' >"$WS/.bb-0123456789abcdef"
printf 'x\n' >"$WS/mine"
printf %s "$WS/mine" >"$XDG_STATE_HOME/bb/notes/0123456789abcdee"
printf %s "$WS/.bb-0123456789abcdef" >"$XDG_STATE_HOME/bb/notes/0123456789abcdff"
"$BIN/bb" -C "$WS" --trust --approver none call list_files >"$T/next" 2>&1
is "$(cat "$WS/mine" "$WS/.bb-0123456789abcdef" | wc -l)" 2 'a note of another name removes nothing'
done_testing

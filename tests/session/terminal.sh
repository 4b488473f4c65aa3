# The interactive session without a terminal: its lines from standard input.
. "${BB_TOP:?}/tests/lib.sh"
LC_ALL=C.UTF-8 TERM=xterm
export LC_ALL TERM
mkdir -p "$WS/src" "$T/other"
echo "SEEN readme" >"$WS/README.md"
echo "SEEN a" >"$WS/src/a b.c"
printf 'esc\033[2Jape\n' >"$WS/esc"
echo "other" >"$T/other/o"
# say [OPTION…] : lines on standard input; what came in $out, its status in $rc
say() {
	"$BIN/bb" -C "$WS" --approver none --color never "$@" >"$T/out" 2>"$T/err"
	rc=$?
	out=$(cat "$T/out")
}
say </dev/null
is $rc 0 "no line at all: 0"
has "$out" "not trusted" "the first row says what is trusted"

printf ',read_file path=README.md\n' >"$T/in"
say <"$T/in"
has "$out" "> ,read_file path=README.md" "a line is echoed"
has "$out" "[ref:0] README.md" "a typed call vouches for nothing"
lacks "$out" "SEEN readme" "its text is held back"
say --trust <"$T/in"
has "$out" "│ SEEN readme" "with trust it is drawn behind the margin"
is $rc 0 "and ends with 0"
out=$(LC_ALL=C "$BIN/bb" -C "$WS" --trust --approver none <"$T/in")
has "$out" "| SEEN readme" "a margin of ASCII where the locale has no other"

printf '/trust\n,read_file path=README.md\n/distrust src\n,read_file path="src/a b.c"\n,read_file path=README.md\n/trust src\n' >"$T/in"
printf ",read_file path='src/a b.c'\n,read_file path=src/a\\\\ b.c\n/distrust .\n,read_file path=README.md\n" >>"$T/in"
say <"$T/in"
is "$(grep -c 'SEEN readme' "$T/out")" 2 "/trust shows it, /distrust of another does not, /distrust . holds it back"
is "$(grep -c 'SEEN a' "$T/out")" 2 "/distrust, /trust of a directory; quotes and backslash"
has "$out" '[ref:0] src/a b.c' "a name in double quotes"
has "$out" '[ref:1] README.md' "after /distrust . it is a reference again"

printf ',read_file path=README.md\n/show ref:0\n/show ref:7\n/show nonsense\n/show\n' >"$T/in"
say <"$T/in"
has "$out" "you are looking at it yourself" "/show is for the person"
is "$(printf '%s\n' "$out" | grep -A1 '^> /show ref:0')" "> /show ref:0
held back from the agent; you are looking at it yourself" "and says so on its first row"
is "$(grep -c 'SEEN readme' "$T/out")" 1 "and shows the file once"
printf ',list_files\n/show ref:0\n' >"$T/in"
say <"$T/in"
lacks "$(sed '1,2d; /to look at it/,$d' "$T/out")" "README" "a listing held back names nothing"

printf '/status\n' >"$T/in"
say --trust=src <"$T/in"
has "$out" "workspace  $WS" "/status: the workspace"
has "$out" "src" "/status: what is trusted"
printf '/help\n' >"$T/in"
say <"$T/in"
for c in /help /status /trust /distrust /add-dir /cd /show /log /quit ,read_file ,list_files; do
	has "$out" "$c" "/help names $c"
done

printf '/nope\n/trustx\n/\nhello there\n,\n,nothing path=x\n,read_file\n,read_file path\n,read_file =x\n,read_file path="x\n,read_file lines=3 path=README.md\n,read_file path=a path=b\n/status\n' >"$T/in"
say <"$T/in"
is "$(grep -c 'no such command' "$T/out")" 3 "unknown commands are said to be"
has "$out" "no model is configured" "a sentence is read by nobody"
has "$out" "a call is written" "a lone comma"
has "$out" "unknown tool 'nothing'" "an unknown tool"
has "$out" "one of path or path_ref is required" "no argument"
has "$out" "'path' is not key=value" "no value"
has "$out" "a quote is not closed" "an open quote"
has "$out" "'lines' is not an argument" "an unknown argument"
has "$out" "'path' is given twice" "one given twice"
has "$out" "workspace  " "and the session goes on after all of them"

printf ',read_file path=\377x\nabc\377\n,read_file path=a\000b\n/status\n' >"$T/in"
say <"$T/in"
is "$(grep -c 'not valid UTF-8' "$T/out")" 2 "lines that are not UTF-8 are refused"
has "$out" "holds a NUL" "a NUL too"
has "$out" "workspace  " "and the session goes on"
grep -q "$(printf '\377')" "$T/out"
ok "$([ $? -ne 0 ]; echo $?)" "bytes that are no text are not printed raw"
LC_ALL=C grep -q "$(printf '\000' | tr '\000' '\001')" "$T/out"
ok "$([ $? -ne 0 ]; echo $?)" "nor are control bytes"

printf ',read_file path=esc\n,read_file path="\033[31mred"\n' >"$T/in"
say --trust <"$T/in"
LC_ALL=C grep -q "$(printf '\033')" "$T/out"
ok "$([ $? -ne 0 ]; echo $?)" "an escape in a file or a line is drawn, not sent"
has "$out" "ape" "the rest of it is there"

printf '/quit\n/status\n' >"$T/in"
say <"$T/in"
lacks "$out" "> /status" "/quit leaves"
is $rc 0 "with 0"

printf ',read_file path="%s/other/o"\n/add-dir %s/other\n,read_file path="%s/other/o"\n' "$T" "$T" "$T" >"$T/in"
say <"$T/in"
has "$out" "is outside the workspace" "before /add-dir it is out of reach"
has "$out" "│ other" "and after it within, and trusted"
printf '/cd %s/other\n,read_file path=o\n/cd nowhere\n/cd\n/add-dir\n/add-dir /nowhere\n' "$T" >"$T/in"
say <"$T/in"
has "$out" "│ other" "/cd goes on there"
has "$out" "needs a directory" "a command without its word says so"

# The last call decides the status, as documented for lines from a file.
printf ',read_file path=absent\n' >"$T/in"
say --trust <"$T/in"
is $rc 1 "a failed last call is seen in the status"
printf ',read_file path=absent' >"$T/in"
say --trust <"$T/in"
has "$out" "not found" "a last line without its end counts"
# Much of it.
i=0
while [ $i -lt 300 ]; do
	echo ',read_file path=README.md'
	i=$((i + 1))
done >"$T/in"
say --trust <"$T/in"
is "$(grep -c 'SEEN readme' "$T/out")" 300 "300 lines, 300 answers"
head -c 3000000 /dev/zero | tr '\0' 'x' >"$T/in"
printf '\n/status\n' >>"$T/in"
say <"$T/in"
has "$out" "workspace  " "a line of 3 MB does no harm"

# The opening question says that a directory is the temporary one, by whatever name.
cat >"$T/no" <<'EOF'
#!/bin/sh
while read -r line; do
	case $line in *'"ask":'*)
		echo "$line" >>"$0.asked"
		n=${line#*'"ask":'}
		echo "{\"ask\":${n%%[!0-9]*},\"answer\":\"n\"}"
		;;
	esac
done
EOF
chmod +x "$T/no"
mkdir -p "$T/tmp/sub"
ln -s tmp "$T/link"
opening() {
	rm -f "$T/no.asked"
	TMPDIR=$1 "$BIN/bb" -C "$2" --approver "exec:$T/no" </dev/null >/dev/null 2>&1
	out=$(cat "$T/no.asked")
}
opening "$T/tmp" "$T/tmp"
has "$out" "it is the temporary directory" "TMPDIR is the temporary directory"
opening "$T/link/" "$T/tmp"
has "$out" "it is the temporary directory" "by another name too"
opening "$T/tmp" "$T/link"
has "$out" "it is the temporary directory" "and entered by another name"
for d in "" relative "$T/absent" "$T/tmp/sub" "$T/no"; do
	opening "$d" "$T/tmp"
	has "$out" "trust this directory?" "TMPDIR=$d: the question"
	lacks "$out" "it is the temporary directory" "TMPDIR=$d: is another one"
done
# An approver that leaves: nothing is known of when it was started, and that is said.
printf '#!/bin/sh\nread -r line\n' >"$T/no"
{ echo '{"hello":1}'; sleep 1; } | "$BIN/bb" -C "$WS" --approver "exec:$T/no" --trail "$T/left" drive >/dev/null 2>&1
has "$(cat "$T/left")" '"what":"approver detached","object":"approver, started -"' "an approver that left"
done_testing

# bb log and bb sessions: for people, as stored, checked; what hostile names and damaged
# records do to them.
. "${BB_TOP:?}/tests/lib.sh"
cd "$WS" || exit 1
export TZ=UTC LC_ALL=C.UTF-8 TERM=xterm
S=$XDG_STATE_HOME/bb/sessions
log() { "$BIN/bb" log "$@" 2>&1; }

# --- where records lie ------------------------------------------------------------------------
out=$(log)
is "$? $out" "1 bb: no session of this directory is recorded" "none yet"
out=$("$BIN/bb" sessions)
is "$? $out" "0 " "no sessions: nothing, and no error"
echo hello >f
printf 'x\n' >"$(printf 'n\033[31m\nred\342\200\256')"
drive() { "$BIN/bb" --approver none drive >"$T/answers" 2>"$T/err"; }
line() { printf '{"id":%s,"tool":"%s","args":{%s}}\n' "$@"; }
{
	line 1 read_file '"path":"f"'
	sleep 0.1
	line 2 read_file '"path":"../secret"'
	sleep 0.1
	line 3 list_files ''
} | drive
is "$?" 0 "a session with three calls"
key=$(ls "$S")
is "$key" "ws-$(printf %s "$WS" | sha256sum | cut -c1-16)" "its directory: last component and digest"
file=$(echo "$S"/*/*.audit.jsonl)
id=$(basename "$file" .audit.jsonl)
long="$T/a b"'$(x)'"é-0123456789012345678901234567890123456789"
mkdir "$long" && (cd "$long" && echo '{"id":1,"tool":"read_file","args":{}}' | "$BIN/bb" --state "$T/other" --approver none drive >/dev/null 2>&1)
is "$(ls "$T/other/sessions")" "a-b--x----0123456789012345678901-$(printf %s "$long" | sha256sum | cut -c1-16)" \
	"a long and odd name: 32 bytes, plain ones"

# --- for people ---------------------------------------------------------------------------------
out=$(log)
is "$?" 0 "the newest of this directory"
entries=$(wc -l <"$file")
has "$out" "$id  20" "head: id and date"
has "$out" "3 calls, $entries entries" "head: calls and entries"
is "$(echo "$out" | grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}   [123]  (read_file   |list_files)')" 3 "a row for each call"
has "$out" "               ok      precommit" "a gate"
has "$out" "               ok      read_file.path [routing] trusted, public" "a field"
has "$out" "               slot    ref:0 holds f, unread, untrusted, private" "a slot"
has "$out" "               BLOCK   confine: " "a refusal"
has "$out" "               done    refused, " "its end"
lacks "$out" "hello" "no content"
for form in log "log $id" "log $(echo "$id" | cut -c1-6)"; do
	# shellcheck disable=SC2086
	is "$("$BIN/bb" $form)" "$out" "bb $form: the same"
done
out=$(log zzz)
is "$? $out" "2 bb: no session 'zzz'; bb sessions lists them" "no such session"

# --- narrowed -------------------------------------------------------------------------------------
calls() { grep -oE '^[0-9:.]{12} +[0-9]+' | awk '{print $2}' | tr '\n' ' '; }
is "$(log -n 1 | calls)" "3 " "-n 1: the last call"
is "$(log -n 2 | calls)" "2 3 " "-n 2"
is "$(log -n 50 | calls)" "1 2 3 " "-n 50: all there are"
is "$(log --refused | calls)" "2 " "--refused"
is "$(log --refused | grep -c BLOCK)" 1 "with the gate that refused"
is "$(log --tool list_files | calls)" "3 " "--tool"
is "$(log --tool nothing)" "" "--tool nobody called: nothing"
is "$(log --tool read_file --refused -n 2 | calls)" "2 " "together"
is "$(log --since 2000-01-01T00:00:00Z | calls)" "1 2 3 " "--since long ago"
is "$(log --since 9999-01-01T00:00:00Z)" "" "--since the future"
at=$(sed -n 's/^{"at":"\([^"]*\)".*"call":2,"kind":"call".*/\1/p' "$file")
is "$(log --since "$at" | calls)" "2 3 " "--since: that very instant counts"
is "$(TZ=Asia/Kolkata "$BIN/bb" log --since "$(date -u -d "$at" +%Y-%m-%dT%H:%M:%S.%3N)+00:00" | calls)" "2 3 " "with an offset"
local=$(TZ=XYZ-5:30 date -d "$at" +%Y-%m-%dT%H:%M:%S.%3N)
is "$(TZ=XYZ-5:30 "$BIN/bb" log --since "$local" | calls)" "2 3 " "without one: local time"
has "$(TZ=XYZ-5:30 "$BIN/bb" log -n 2)" "$(echo "$local" | cut -c12-)   2  read_file" "times are local"
for bad in '' yesterday 2026-13-01 2026-11-30T25:00 2026-11-30T10:00:00+1 '12:00Z' '2026-11-30T10:00:00Zx' 2026-1-1; do
	out=$(log --since "$bad")
	is "$?" 2 "--since '$bad' is refused"
done

# --- as stored --------------------------------------------------------------------------------------
log --json >"$T/json"
cmp -s "$T/json" "$file"
ok $? "--json: the stored lines"
is "$(log --json -n 1 | grep -cv '"call":3')" 0 "--json -n 1: lines of that call"
is "$(log --json --refused | grep -c '"call":2')" "$(grep -c '"call":2' "$file")" "--json --refused: all of that call"
out=$(log --json | head -n 1)
has "$out" '"kind":"session"' "a reader that leaves early does no harm"

# --- hostile names ----------------------------------------------------------------------------------
trail() { # what a record of a hostile workspace might hold
	printf '{"at":"2026-11-30T14:02:11.204Z","seq":1,"kind":"session","session":"7f3a","workspace":"/w\\u001b[2J\\nx","front":"\\u202edrive","refusal":false}\n'
	printf '{"at":"2026-11-30T14:02:11.204Z","seq":2,"call":1,"kind":"call","tool":"t\\u009b31m","object":"a\\nBLOCK  b\\u202ec\\rd\\u0007","refusal":false}\n'
	printf '{"at":"2026-11-30T14:02:11.204Z","seq":3,"call":1,"kind":"gate_passed","gate":"\\u001b]0;x\\u0007","detail":"%%s%%n","refusal":false}\n'
	printf '{"at":"\\u001b[1m","seq":4,"call":1,"kind":"slot_deferred","slot":"ref:0","origin":"e\\u001b[8m\\u2066\\u200b","label":{"integrity":"\\u001b","confidentiality":"x\\ny"},"refusal":false}\n'
	printf '{"at":"2026-11-30T14:02:11.204Z","seq":5,"call":1,"kind":"later_kind","x":"\\u001b","refusal":false}\n'
	printf '{"at":"2026-11-30T14:02:11.204Z","seq":6,"call":1,"kind":"done","status":"\\u001b","label":7,"refusal":false}\n'
	printf '{"at":99,"seq":7,"kind":"act","what":"\\u001bA","object":["x"],"refusal":false}\n'
}
mkdir -p "$S/x-000000000000"
trail >"$S/x-000000000000/7f3a.audit.jsonl"
out=$(log 7f3a)
is "$?" 0 "a record with hostile names is shown"
is "$(printf %s "$out" | LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177]')")" 0 "no control byte reaches the terminal"
for hidden in 302\\233 342\\200\\256 342\\201\\246 342\\200\\213; do
	# shellcheck disable=SC2059
	lacks "$out" "$(printf "\\$hidden")" "nor $hidden"
done
is "$(echo "$out" | wc -l)" 6 "a newline in a name makes no row"
has "$out" "%s%n" "a name is no format"
has "$out" "??:??:??.??? " "a time that is none"
lacks "$out" later_kind "a kind of a later version is left out"
out=$(LC_ALL=C "$BIN/bb" log 7f3a)
is "$(printf %s "$out" | LC_ALL=C grep -c "$(printf '[\200-\377]')")" 0 "ASCII only where the locale is"
out=$("$BIN/bb" sessions)
is "$(printf %s "$out" | LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177]')")" 0 "bb sessions: no control byte either"
rm -r "$S/x-000000000000"

# --- calls side by side -----------------------------------------------------------------------------
h() { printf '{"at":"2026-11-30T14:02:1%s.000Z","seq":%s,' "$(($1 % 10))" "$1"; }
head1() { h 1; printf '"kind":"session","session":"%s","workspace":"/w","front":"drive","refusal":false}\n' "$1"; }
call() { h "$1"; printf '"call":%s,"kind":"call","tool":"%s","object":"o%s","refusal":false}\n' "$2" "$3" "$2"; }
gate() { h "$1"; printf '"call":%s,"kind":"gate_passed","gate":"g%s","refusal":false}\n' "$2" "$2"; }
block() { h "$1"; printf '"call":%s,"kind":"gate_blocked","gate":"g","reason":"r","refusal":true}\n' "$2"; }
end() { h "$1"; printf '"call":%s,"kind":"done","status":"%s","label":{"integrity":"trusted","confidentiality":"public"},"refusal":%s}\n' "$2" "$3" "${4:-false}"; }
close() { h "$1"; printf '"kind":"session_end","calls":%s,"refusal":false}\n' "$2"; } # SEQ CALLS
seen() { h "$1"; printf '"call":%s,"kind":"observed","capability":"file_read","label":{"integrity":"trusted","confidentiality":"private"},"refusal":false}\n' "$2"; }
mkdir -p "$S/w-000000000000"
R=$S/w-000000000000/beef.audit.jsonl
{ head1 beef; call 2 1 a; call 3 2 b; gate 4 1; gate 5 2; block 6 2; end 7 1 ok; end 8 2 refused true; call 9 3 a; gate 10 3; } >"$R"
is "$(log beef | awk 'NR > 1 { print $1 == "ok" ? $2 : $1 ~ /:/ ? $2 : $1 }' | tr '\n' ' ')" "1 g1 done 2 g2 BLOCK done 3 g3 " \
	"each call in one piece, an unended one too"
is "$(log beef --refused | calls)" "2 " "--refused finds the one"
is "$(log beef --tool a | grep -c g2)" 0 "--tool takes no row of another"
is "$(log beef --tool a | calls)" "1 3 " "and all of its own"
is "$(log beef --json --refused | grep -c '"call":2')" 4 "--json --refused: whole"

# --- verify -------------------------------------------------------------------------------------------
out=$(log --verify)
is "$? $out" "0 $entries lines, 3 calls, whole" "the record of a session is whole"
close 11 3 >>"$R"
out=$(log beef --verify)
is "$? $out" "0 11 lines, 3 calls, whole; 1 call without an end" "a call without an end is told, no fault"
out=$(log beef --verify --json)
is "$? $out" '0 {"schema":1,"whole":true,"lines":11,"calls":3,"unended":1,"ended":true,"running":false,"faults":[],"more":0}' "for programs"
# Every way a call can end passes the check, as bb itself writes it.
{
	line 1 read_file '"path":"f"'
	line 2 read_file '"path_ref":"ref:9"'
	line 3 read_file '"path":"/etc/passwd"'
	line 4 read_file ''
	line 5 read_file '"path":7'
	line 6 nothing ''
	line 7 list_files '"pattern":"*"'
	line 8 list_files '"directory":"none"'
	line 9 read_file '"path":"none"'
	line 10 read_file '"path":"."'
	line 11 read_file '"path":"f","limit":-1'
	line 12 list_files '"pattern":"["'
	echo garbage
} >"$T/calls"
for options in '' --trust '--context untrusted' '--tools list_files' '--trust --seed 4'; do
	# shellcheck disable=SC2086
	"$BIN/bb" --approver none $options --trail "$T/many" drive <"$T/calls" >/dev/null 2>&1
done
mkdir -p "$S/m-000000000000" && cp "$T/many" "$S/m-000000000000/feed.audit.jsonl"
out=$(log feed --verify)
is "$? $out" "0 $(wc -l <"$T/many") lines, 60 calls, whole" "five sessions in one file, calls of every kind"
is "$(log feed | grep -c "^[0-9a-f]\{12\}  20.* calls, ")" 5 "a head for each"
is "$(log feed -n 2 | grep -c "^[0-9a-f]\{12\}  20")" 1 "-n: only that of the calls shown"
rm -r "$S/m-000000000000"
fault() { # NAME WANT: the first thing that is said of the record
	out=$(log beef --verify)
	is "$? $(echo "$out" | head -n 1)" "1 $2" "$1"
}
{ head1 beef; call 2 1 a; gate 3 1; end 5 1 ok; } >"$R"
fault "a line is missing" "line 4: the sequence is broken"
{ head1 beef; call 2 1 a; gate 3 1; gate 3 1; end 4 1 ok; } >"$R"
fault "a line is twice there" "line 4: the sequence is broken"
{ call 2 1 a; gate 3 1; end 4 1 ok; } >"$R"
fault "the beginning is missing" "line 1: the record does not begin with its session"
{ head1 beef; call 2 1 a; end 3 1 ok; } >"$R"
fault "done without a gate" "line 3: a call was done without passing a gate"
{ head1 beef; call 2 1 a; seen 3 1; gate 4 1; end 5 1 ok; } >"$R"
fault "an effect before its gate" "line 3: an effect with no gate before it"
{ head1 beef; call 2 1 a; gate 3 1; end 4 1 refused true; } >"$R"
fault "refused by nobody" "line 4: a call was refused by no gate"
{ head1 beef; gate 2 1; end 3 1 ok; } >"$R"
fault "a gate of no call" "line 2: its call did not begin, or has ended"
{ head1 beef; call 2 1 a; gate 3 1; end 4 1 ok; seen 5 1; } >"$R"
fault "an effect after the end" "line 5: its call did not begin, or has ended"
{ head1 beef; call 2 1 a; gate 3 1; end 4 1 ok; call 5 1 a; } >"$R"
fault "a number used again" "line 5: the number of this call was used before"
{ head1 beef; call 2 1 a; gate 3 1 | tr -d '\n'; } >"$R"
fault "a torn end" "line 3: the last line is torn"
{ head1 beef; call 2 1 a; gate 3 1 | cut -c1-40; } >"$R"
fault "a torn line" "line 3: it cannot be read: torn, or written by somebody else"
{ head1 beef; call 2 1 a | sed 's/,"refusal":false//'; } >"$R"
fault "a line without its verdict" "line 2: it does not say whether it is a refusal"
: >"$R"
fault "an empty record" "line 0: the record is empty"
has "$(log beef --verify --json)" '"whole":false' "for programs: not whole"
{ head1 beef; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do gate 1 9; done; } >"$R"
is "$(log beef --verify | wc -l)" 22 "of many faults the first twenty"
{ head1 beef; call 2 1 a; gate 3 1; h 4 | cut -c1-9; head1 beef; call 2 1 a; gate 3 1; end 4 1 ok; close 5 1; } >"$R"
is "$(log beef --verify | tr '\n' '|')" "line 4: it cannot be read: torn, or written by somebody else|line 5: the session before has no end: cut, or killed|9 lines, 2 calls, not whole; 1 call without an end|" \
	"a second session after a crash: its tear and its missing end"
out=$(log beef)
is "$(echo "$out" | grep -c '^beef')" 2 "both heads"
has "$out" "               TORN    line 4 cannot be read" "the torn line is named"
has "$(log beef --refused)" TORN "what cannot be read counts as a refusal"
out=$("$BIN/bb" log beef --json 2>"$T/err")
lacks "$out" '{"at":"20
' "--json prints no torn line"
has "$(cat "$T/err")" "line 4 of the trail cannot be read" "but says so"
{ head1 beef; call 2 1 a; gate 3 1; h 4; printf '"call":1,"kind":"gate_passed","gate":"g","refusal":"no"}\n'; end 5 1 ok; } >"$R"
is "$(log beef --refused | calls)" "1 " "an unreadable verdict counts as a refusal"

# --- a long one -----------------------------------------------------------------------------------------
{
	head1 beef
	awk 'BEGIN { for (i = 1; i <= 25000; i++) {
		p = "{\"at\":\"2026-11-30T14:02:11.204Z\",\"seq\":"; s = 3 * i - 1
		printf "%s%d,\"call\":%d,\"kind\":\"call\",\"tool\":\"read_file\",\"object\":\"some/longer/name/of/a/file\",\"refusal\":false}\n", p, s, i
		printf "%s%d,\"call\":%d,\"kind\":\"gate_passed\",\"gate\":\"precommit\",\"detail\":\"routing is fixed before\",\"refusal\":false}\n", p, s + 1, i
		printf "%s%d,\"call\":%d,\"kind\":\"done\",\"status\":\"ok\",\"label\":{\"integrity\":\"trusted\",\"confidentiality\":\"private\"},\"refusal\":false}\n", p, s + 2, i } }'
	close 75002 25000
} >"$R"
ok "$([ "$(wc -c <"$R")" -gt 9000000 ]; echo $?)" "ten megabytes"
limit='ulimit -v 60000 2>/dev/null; exec "$@"'
case $BB_BUILD in */san*) limit='exec "$@"' ;; esac # the sanitizer reserves its shadow
is "$(sh -c "$limit" sh "$BIN/bb" log beef -n 3 | calls)" "24998 24999 25000 " "-n 3 in little memory"
is "$(sh -c "$limit" sh "$BIN/bb" log beef --verify)" "75002 lines, 25000 calls, whole" "--verify too"
is "$(sh -c "$limit" sh "$BIN/bb" log beef | wc -l)" 75002 "and all of it"
is "$(log beef | head -n 1 | grep -c '25000 calls, 75002 entries')" 1 "counted"

# --- following ------------------------------------------------------------------------------------------
{ head1 beef; call 2 1 a; gate 3 1; } >"$R"
"$BIN/bb" log beef -f >"$T/follow" 2>&1 &
pid=$!
await() { # TEXT: until it stands in the output
	for i in $(seq 100); do
		grep -q "$1" "$T/follow" && return 0
		sleep 0.1
	done
	return 1
}
await g1
ok $? "-f shows what is there"
end 4 1 ok | head -c 40 >>"$R"
sleep 0.3
lacks "$(cat "$T/follow")" 'done' "half a line is waited for"
end 4 1 ok | tail -c +41 >>"$R"
await 'done    ok'
ok $? "and shown when it is whole"
call 5 2 a >>"$R"
await '2  a           o2'
ok $? "a call is shown before it ends"
kill "$pid"
wait "$pid" 2>/dev/null
rm -r "$S/w-000000000000"

# --- sessions -------------------------------------------------------------------------------------------
out=$("$BIN/bb" sessions)
is "$? $(echo "$out" | wc -l)" "0 1" "one session"
has "$out" "$id" "its id"
has "$out" "    3 calls    1 refused" "calls and refusals"
has "$out" " drive    $WS" "front and directory"
is "$("$BIN/bb" sessions --json | sed 's/"start":"[^"]*"/"start":""/')" \
	"{\"schema\":1,\"sessions\":[{\"id\":\"$id\",\"directory\":\"$WS\",\"title\":null,\"start\":\"\",\"calls\":3,\"refused\":1,\"front\":\"drive\",\"size\":$(wc -c <"$file")}]}" \
	"for programs"
for bad in '' 30 d 30x 30dd -1d 99999999999d; do
	out=$("$BIN/bb" sessions prune --older "$bad" 2>&1)
	is "$?" 2 "prune --older '$bad' is refused"
done
out=$("$BIN/bb" sessions prune 2>&1)
is "$?" 2 "prune without an age is refused"
is "$("$BIN/bb" sessions prune --older 1d)" "0 records removed, 0 bytes" "nothing is that old"
ok "$([ -e "$file" ]; echo $?)" "and nothing goes"
touch -d '40 days ago' "$file"
echo x >"$S/$key/other"
out=$("$BIN/bb" sessions prune --older 30d --dry-run)
is "$out" "1 record would be removed, $(wc -c <"$file") bytes" "--dry-run"
ok "$([ -e "$file" ]; echo $?)" "removes nothing"
# A session that runs keeps its record, however old.
mkfifo "$T/in"
"$BIN/bb" --approver none drive <"$T/in" >"$T/answers" 2>&1 &
pid=$!
exec 8>"$T/in"
line 1 read_file '"path":"f"' >&8
for i in $(seq 100); do
	grep -q '"id":1' "$T/answers" && break
	sleep 0.1
done
running=$(ls -t "$S/$key"/*.audit.jsonl | head -n 1)
touch -d '40 days ago' "$running"
out=$("$BIN/bb" sessions prune --older 30d)
is "$(echo "$out" | tail -n 1)" "1 left: its session is still running" "the record of a running session is left"
ok "$([ -e "$running" ] && [ ! -e "$file" ]; echo $?)" "the old one goes, the running one stays"
ok "$([ -e "$S/$key/other" ]; echo $?)" "a file that is no record stays"
exec 8>&-
wait "$pid"
touch -d '40 days ago' "$running"
rm "$S/$key/other"
is "$("$BIN/bb" sessions prune --older 30d --json | sed 's/"bytes":[0-9]*/"bytes":N/')" '{"schema":1,"removed":1,"running":0,"bytes":N,"dry_run":false}' "when it ended it goes as well"
ok "$([ ! -e "$S/$key" ]; echo $?)" "with its empty directory"
done_testing

# search behind the walls of the other tools: bb's own records, a machine without Landlock,
# the trail, the canaries, the line by hand.
. "${BB_TOP:?}/tests/lib.sh"
MASK=${BB_MASK:-$BB_BUILD/tests/session/degrade-mask}
mkdir -p "$WS/src/sub" "$WS/other" "$T/out"
echo "SEEN here" >"$WS/src/a.c"
echo "SEEN below" >"$WS/src/sub/b.c"
echo "CANARY SEEN" >"$WS/other/x"
echo "CANARY outside SEEN" >"$T/out/s"
ln -s "$T/out" "$WS/src/out"
ln -s "$T/out/s" "$WS/src/file"
bb() { "$BIN/bb" -C "$WS" --approver none "$@" 2>&1 </dev/null; }
out=$(bb --trust=src call search pattern=SEEN)
has "$out" "src/sub/b.c:1: SEEN below" "what is trusted"
lacks "$out" CANARY "nothing beside it, nothing through a link"
has "$out" "2 links (not followed)" "links are counted"

# bb's own records are searched by nobody.
H=$T/home
mkdir -p "$H/.config/bb" "$H/.local/share"
echo "SEEN share" >"$H/.local/share/x"
echo '{"x":"SEEN settings"}' >"$H/.config/bb/settings.json"
own() { (unset XDG_STATE_HOME XDG_CONFIG_HOME; "$BIN/bb" -C "$H" --approver none "$@" 2>&1 </dev/null); }
own call list_files >/dev/null
for how in --trust --trust=.local --private; do
	out=$(own $how call search 'pattern:=["SEEN","precommit"]')
	lacks "$out" '"gate":' "$how: not one line of the trail"
	lacks "$out" settings "$how: nor of the settings"
done
has "$(own --trust call search pattern=SEEN)" ".local/share/x:1: SEEN share" "their neighbours are searched"
own --trust call search pattern=x directory=.local/state/bb >/dev/null
is $? 3 "nor can they be named"
i=0
while [ $i -lt 260 ]; do
	: >"$H/f$i"
	i=$((i + 1))
done
out=$(own --trust call search 'pattern:=["SEEN","precommit"]')
has "$out" "error: '.' has too many parts to be searched as one: search a subdirectory" \
	"where they cannot be kept out one by one nothing is searched"
has "$(own --trust call search pattern=SEEN directory=.local/share)" "SEEN share" "a subdirectory is"

# The gates of a call, in order, before it has an effect.
out=$(bb --trust --trail "$T/t.jsonl" call search pattern=SEEN 'include=*.c')
story=$(sed -n 's/.*"kind":"call".*/call/p; s/.*"gate":"\([a-z-]*\)".*/\1/p; s/.*"field":"\([a-z]*\)".*/\1/p; s/.*"kind":"observed".*/observed/p; s/.*"kind":"done".*/done/p' "$T/t.jsonl" | tr '\n' ' ')
has "$story" "call precommit capability directory rules confine promote pattern include trust action observed present done" \
	"its gates"
lacks "$(cat "$T/t.jsonl")" "SEEN here" "the trail holds no line that was found"
rm -f "$T/t.jsonl"
out=$(bb --trail "$T/t.jsonl" call search pattern=SEEN)
has "$(cat "$T/t.jsonl")" '"search in ."' "what is held back stands there by where it was looked for"
lacks "$(cat "$T/t.jsonl")" CANARY "and by nothing of it"

# The same by hand.
line=$(bb --trust power search 'pattern:=["SEEN","zebra"]' directory=src include='*.c' --by-hand)
out=$(cd / && sh -c "$line" 2>&1)
has "$out" "src/sub/b.c:1: SEEN below" "the line of bb power runs"
has "$out" "code ok fault fine" "and shows the numbers"
line=$(bb --trust power search pattern='it'"'"'s $(touch PWNED)' --by-hand)
(cd "$T" && sh -c "$line") >/dev/null 2>&1
[ ! -e "$T/PWNED" ]
ok $? "a pattern is no word of a shell"

# A machine without Landlock.
if [ -x "$MASK" ] && "$MASK" -- /bin/true; then
	m() { "$MASK" landlock_create_ruleset=ENOSYS -- "$BIN/bb" -C "$WS" --approver none "$@" 2>&1; }
	out=$(m --trust call search pattern=SEEN)
	ok "$([ $? -ne 0 ]; echo $?)" "no Landlock: refused"
	lacks "$out" "SEEN here" "nothing is shown"
	has "$out" "could open any file; --weaker=landlock allows that" "and what would allow it"
	has "$(m --trust --weaker=landlock call search pattern=SEEN)" "src/a.c:1: SEEN here" "--weaker=landlock searches"
	out=$(m --trust=src --weaker=landlock call search pattern=SEEN)
	lacks "$out" "SEEN here" "trusted in parts: nothing but the request would keep the parts apart"
	has "$out" "in files you may not read: ref:" "so all of it is held back"
	has "$out" "without Landlock nothing keeps the parts of this tree apart" "and that is said"
	has "$(m doctor | tr -s ' \n' '  ')" "not enabled: list_files and search would be able to open anything" "bb doctor says what it means"
else
	for t in refused nothing allow weaker parts held doctor; do skip "no Landlock: $t" "no filter can be put around a program here"; done
fi
has "$(printf ',search \n' | "$BIN/bb" -C "$WS" --trust --approver none 2>&1)" "'pattern' is required" "a typed search without a pattern"
done_testing

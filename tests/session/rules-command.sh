# bb rules: shows, adds, removes, and says which rule decides. Only the person's own file is
# written.
. "${BB_TOP:?}/tests/lib.sh"
cd "$WS" || exit 1
C=$XDG_CONFIG_HOME/bb/settings.json
rules() { "$BIN/bb" rules "$@" 2>"$T/err"; }
is "$(rules)" "no rules" "none"
rules add deny 'Read(.env)'
is $? 0 "add deny"
is "$(stat -c %a "$C" "$XDG_CONFIG_HOME/bb" | tr '\n' ' ')" "600 700 " "the file is the person's alone"
rules add ask 'Read(doc/**)' && rules add allow Read
is $? 0 "add ask, add allow"
is "$(rules list)" "  1  allow  Read  $C
  2  ask    Read(doc/**)  $C
  3  deny   Read(.env)  $C" "they are numbered, with their file"
has "$(rules add deny 'Read(.env)')" "there already" "twice is once"
for bad in 'deny Reed(x)' 'deny ' 'never Read'; do
	before=$(cat "$C")
	rules add "${bad%% *}" "${bad#* }"
	is "$? $(cat "$C")" "2 $before" "add $bad: wrong use, nothing is written"
done
mkdir -p doc
echo x >doc/a
ln -s .env link
while read -r want args; do
	# shellcheck disable=SC2086 # words
	out=$(rules test $args)
	is "$?_${out%%  *}" "$want" "test $args"
done <<'END'
3_deny read_file path=.env
3_deny read_file path=sub/.env
3_deny read_file path=link
0_ask read_file path=doc/a
0_ask list_files directory=doc
0_ask search directory=doc pattern=x
0_allow read_file path=README
END
is "$(rules --json --select .from test read_file path=.env)" "\"$C\"" "in JSON, with its file"
rules test no_such path=x
is $? 2 "an unknown tool is wrong use"
rules test read_file
is $? 2 "no path is wrong use"
mkdir .bb && echo '{"permissions":{"deny":["Read(y)"]}}' >.bb/settings.json
k=$(rules list | awk '/settings.json/ && /Read\(y\)/ { print $1 }')
rules remove "$k"
is $? 3 "a checkout's rule is not removed"
has "$(cat "$T/err")" ".bb/settings.json" "and its file is named"
k=$(rules list | awk '/Read\(\.env\)/ { print $1 }')
rules remove "$k"
is $? 0 "remove"
lacks "$(rules list)" "Read(.env)" "it is gone"
has "$(rules list)" "Read(doc/**)" "and no other"
for k in 0 9 x -1 ''; do
	rules remove "$k"
	is $? 2 "remove '$k' is wrong use"
done
# What else stands in the file stays; a link stays one; what is no settings file is left.
rm -r .bb
echo '{"search":{"maxFiles":7},"mine":{"b":1,"a":2}}' >"$T/real.json"
chmod 640 "$T/real.json"
ln -sf "$T/real.json" "$C"
rules add deny Read
is $? 0 "add to a file behind a link"
[ -L "$C" ]
ok $? "the link stays"
is "$(tr -d ' \n' <"$T/real.json") $(stat -c %a "$T/real.json")" '{"search":{"maxFiles":7},"mine":{"b":1,"a":2},"permissions":{"deny":["Read"]}} 640' \
	"what else stands there stays, and its mode"
printf '{' >"$T/real.json"
rules add deny 'Read(z)'
is "$? $(cat "$T/real.json")" "1 {" "a file that cannot be read is left as it is"
is "$(find "$T/config" "$T/real.json"* -type f | wc -l)" 1 "no temporary file is left"
rules no-such
is $? 2 "an unknown word is wrong use"
done_testing

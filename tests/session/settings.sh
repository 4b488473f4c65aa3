# Settings: layers and their order, who may widen, and what is said of an entry that cannot
# be read. The manual's table is the program's.
. "${BB_TOP:?}/tests/lib.sh"
cd "$WS" || exit 1
C=$XDG_CONFIG_HOME/bb/settings.json
mkdir -p "${C%/*}" .bb
doctor() { "$BIN/bb" "$@" --json --select .settings doctor --settings 2>"$T/err"; }
# value KEY [OPTION…]: what holds, and who said so; the whole is in $T/json
value() {
	key=$1
	shift
	doctor "$@" >"$T/json"
	KEY=$key perl -MJSON::PP -0777 -ne '
		my ($k) = grep { $_->{key} eq $ENV{KEY} } @{ decode_json($_)->{keys} };
		(my $f = $k->{from}) =~ s{.*/}{};
		print $k->{value} + 0, " $f"' "$T/json"
}
BB=$BIN/bb sh "$BB_TOP/scripts/settings.sh" --check 2>"$T/err"
is "$?$(cat "$T/err")" 0 "bb-settings(5) has the table of the program"

is "$(value search.maxFiles)" "100000 default" "no file: the default"
while read -r entry want name; do
	printf '%s\n' "$entry" >"$C"
	is "$(value search.maxFiles)" "$want settings.json" "maxFiles $name"
done <<'END'
{"search":{"maxFiles":7}} 7 lowered
{"search":{"maxFiles":7.0}} 7 with a point, and whole
{"search":{"maxFiles":200000}} 200000 raised
{"search":{"maxFiles":10000000}} 10000000 the most
END
while read -r entry name; do
	printf '%s\n' "$entry" >"$C"
	is "$(value search.maxFiles)" "100000 default" "maxFiles $name: the default"
	has "$(cat "$T/json")" 'search.maxFiles: not a whole number from 1 to 10000000' "and it is named"
done <<'END'
{"search":{"maxFiles":0}} 0
{"search":{"maxFiles":-1}} negative
{"search":{"maxFiles":1.5}} not whole
{"search":{"maxFiles":"7"}} a string
{"search":{"maxFiles":10000001}} above the most
{"search":{"maxFiles":1e400}} beyond any number
END
echo '{"search":{"maxFiles":"x","maxSeconds":3},"nobody":1,"permissions":{"deny":["Read(a)",5,"Reed(b)"]}}' >"$C"
is "$(value search.maxSeconds)" "3 settings.json" "an entry that cannot be read takes nothing with it"
has "$(cat "$T/json")" '{"rule":"Read(a)",' "nor does a rule"
has "$(cat "$T/json")" 'permissions.deny[1]: not a string' "a rule that is no string is named"
has "$(cat "$T/json")" "permissions.deny[2]: 'Reed(b)': no such family" "one that cannot be read too"
lacks "$(cat "$T/json")" nobody "an unknown key is ignored"
echo hello >a.txt
"$BIN/bb" --trust call read_file path=a.txt >"$T/out" 2>"$T/err"
is $? 0 "a call is made all the same"
has "$(cat "$T/err")" "$C: search.maxFiles: not a whole number" "and the entry is named, with its file"

# What is no settings file leaves the others.
echo '{"search":{"maxSeconds":4}}' >.bb/settings.json
for bad in '[]' '{' '{"a":1,"a":2}' '' '1'; do
	printf '%s' "$bad" >"$C"
	is "$(value search.maxSeconds)" "4 settings.json" "'$bad' is no settings file; the checkout's is read"
	has "$(cat "$T/json")" "$C: " "and it is named"
done
head -c 70000 /dev/zero | tr '\0' ' ' >"$C"
value search.maxSeconds >/dev/null
has "$(cat "$T/json")" "$C: larger than 64 KiB" "a file that is too large"
rm "$C" && mkfifo "$C"
value search.maxSeconds >/dev/null
has "$(cat "$T/json")" "$C: not a regular file" "a FIFO"
rm "$C"

# Order: the nearest one says.
echo '{"search":{"maxFiles":1}}' >"$C"
echo '{"search":{"maxFiles":2}}' >.bb/settings.json
is "$(value search.maxFiles)" "2 settings.json" "the checkout's over one's own"
echo '{"search":{"maxFiles":3}}' >.bb/settings.local.json
is "$(value search.maxFiles)" "3 settings.local.json" "local over it"
echo '{"search":{"maxFiles":4}}' >"$T/more.json"
is "$(value search.maxFiles --settings "$T/more.json")" "4 more.json" "--settings over that"
is "$(value search.maxFiles --settings "$T/none.json" --settings "$T/more.json")" "4 more.json" "the last one counts"
mkdir -p sub/.bb && echo '{"search":{"maxFiles":9}}' >sub/.bb/settings.json
is "$(value search.maxFiles -C sub)" "9 settings.json" "the start directory's"
mkdir -p sub2
is "$(value search.maxFiles -C sub2)" "1 settings.json" "and none above it"
rm .bb/settings.local.json .bb/settings.json

# Who may widen.
echo '{"ask":{"maxDeclined":9},"permissions":{"allow":["Read(x)"],"deny":["Read(y)"]}}' >.bb/settings.json
is "$(value ask.maxDeclined)" "5 default" "a checkout does not say how often one is asked"
has "$(cat "$T/json")" 'ask.maxDeclined: counts for nothing in a checkout' "and it is named"
has "$(cat "$T/json")" 'permissions.allow: counts for nothing in a checkout' "its allow rules do not count"
lacks "$(cat "$T/json")" '{"rule":"Read(x)"' "none of them"
has "$(cat "$T/json")" '{"rule":"Read(y)","from":".bb/settings.json"}' "its deny rules do"
cp .bb/settings.json inside.json
is "$(value ask.maxDeclined --settings inside.json)" "5 default" "a file in the workspace is the checkout's, whatever names it"
ln -s "$WS/inside.json" "$T/link.json"
is "$(value ask.maxDeclined --settings "$T/link.json")" "5 default" "through a link as well"
cp inside.json "$T/outside.json"
is "$(value ask.maxDeclined --settings "$T/outside.json")" "9 outside.json" "outside it is one's own"
echo '{"permissions":{"readsStayInWorkspace":true}}' >"$C"
echo '{"permissions":{"readsStayInWorkspace":false}}' >.bb/settings.json
is "$(value permissions.readsStayInWorkspace)" "1 settings.json" "a narrowing is not taken back"
echo '{"permissions":{"readsStayInWorkspace":"yes"}}' >"$C"
is "$(value permissions.readsStayInWorkspace)" "0 default" "anything but true or false is absence"
has "$(cat "$T/json")" 'permissions.readsStayInWorkspace: not true or false' "and is named"
rm "$C" .bb/settings.json

# --settings must be there.
for f in "$T/none.json" "$T" ''; do
	"$BIN/bb" --settings "$f" call read_file path=a.txt >/dev/null 2>"$T/err"
	is $? 2 "--settings '$f' is wrong use"
done
echo '[' >"$T/bad.json"
"$BIN/bb" --settings "$T/bad.json" call read_file path=a.txt >/dev/null 2>"$T/err"
is "$? $(cat "$T/err")" "2 bb: --settings '$T/bad.json': not valid JSON" "so is one that cannot be read"

# What they do.
for i in 1 2 3 4 5; do echo needle >"n$i"; done
echo '{"search":{"maxFiles":3}}' >"$C"
out=$("$BIN/bb" --trust call search pattern=needle --json)
is $? 5 "search.maxFiles stops a walk: partial"
has "$out" '"files_cap":true' "and it is said"
has "$out" '"selected":3' "after that many files"
echo '{"search":{"maxFiles":300000,"maxSeconds":20}}' >"$C"
"$BIN/bb" --trust call search pattern=needle >"$T/out"
is $? 0 "caps raised"
has "$("$BIN/bb" doctor --settings | tr -s ' \n' '  ')" "search.maxSeconds 20 ($C)" "bb doctor --settings names who said so"
has "$("$BIN/bb" --trust power search pattern=x --by-hand)" "files=300000 ms=20000" "bb power search --by-hand has the caps"
done_testing

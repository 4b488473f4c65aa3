# What is distrusted, and what is bb's own, is so by every name: at a bind mount of it, of a
# part of it and of a directory that holds it, and by a hard link. What a person names to
# /trust and /distrust is said back as it is done.
. "${BB_TOP:?}/tests/lib.sh"
mkdir -p "$WS/mail/sub" "$WS/docs" "$WS/bind" "$WS/part" "$WS/up" "$WS/own" "$WS/my mail"
echo 'SEEN mail' >"$WS/mail/m.txt"
echo 'SEEN sub' >"$WS/mail/sub/s.txt"
echo 'SEEN good' >"$WS/mail/sub/good.txt"
echo 'SEEN letter' >"$WS/mail/letter.txt"
ln "$WS/mail/letter.txt" "$WS/docs/hard.txt"
echo 'SEEN docs' >"$WS/docs/d.txt"
echo 'SEEN mine' >"$WS/my mail/m.txt"
# say OPTION… <lines: a terminal session from a file. Sets rc, out, and flat without its breaks.
say() {
	out=$("$BIN/bb" -C "$WS" --approver none --color never "$@" 2>&1)
	rc=$?
	flat=$(printf '%s' "$out" | tr -s '\n ' '  ')
}
read_of() { printf ',read_file path=%s\n' "$@"; }

# --- by a hard link ------------------------------------------------------------------------
{ echo '/distrust mail/letter.txt' && read_of docs/hard.txt docs/d.txt; } >"$T/in"
say --trust <"$T/in"
lacks "$out" "SEEN letter" "a distrusted file by its other name is held back"
has "$out" "SEEN docs" "its neighbour is not"
rm "$WS/docs/hard.txt"

# --- by mounts -----------------------------------------------------------------------------
# mounted COMMAND…: run it in a mount namespace of its own with other names mounted.
cat >"$T/try" <<'END'
set -e
mount --make-rprivate /
mount --bind "$WS/mail" "$WS/bind"
mount --bind "$WS/mail/sub" "$WS/part"
mount --bind "$T" "$WS/up"
mount --bind "$XDG_STATE_HOME" "$WS/own"
exec "$@"
END
mounted() { unshare -m sh "$T/try" "$@"; }
typed() {
	out=$(mounted "$BIN/bb" -C "$WS" --trust --approver none --color never 2>&1)
	flat=$(printf '%s' "$out" | tr -s '\n ' '  ')
}
export T WS
if ! mounted true 2>"$T/why"; then
	skip "bind mounts" "$(head -1 "$T/why") (needs root)"
else
	out=$(mounted "$BIN/bb" -C "$WS" --trust --approver none call read_file path=bind/m.txt 2>&1)
	has "$out" "SEEN mail" "mounted elsewhere and distrusted nowhere it is read"
	cat >"$T/in" <<'END'
/distrust mail
,read_file path=bind/m.txt
,read_file path=part/s.txt
,read_file path=up/ws/mail/m.txt
,read_file path=up/ws/bind/m.txt
,list_files directory=bind
,list_files directory=part
,search pattern=SEEN
,search pattern=SEEN directory=up
,read_file path=docs/d.txt
END
	typed <"$T/in"
	lacks "$out" "SEEN mail" "a mount of what is distrusted is held back, read and searched"
	lacks "$out" "SEEN sub" "a mount of a part of it, too"
	lacks "$out" "bind/m.txt:" "no match names it"
	lacks "$out" "ws/mail/m.txt:" "by either name"
	has "$out" "SEEN docs" "what lies beside it is shown"
	lacks "$out" "│ bind/m.txt" "a listing does not name what lies in it"
	lacks "$out" "│ part/s.txt" "nor in the part"
	printf '/distrust mail\n,list_files\n' >"$T/in"
	typed <"$T/in"
	lacks "$out" "│ bind/" "nor one of the whole tree"
	lacks "$out" "│ part/" "in either place"
	lacks "$out" "ws/mail/" "nor through a mount of what holds it"
	has "$out" "│ docs/d.txt" "and names the rest"
	printf '/distrust mail\n/trust bind\n,read_file path=bind/m.txt\n' >"$T/in"
	typed <"$T/in"
	has "$flat" "not trusted: bind leads to mail, which is held back" "the other name cannot be trusted in its place"
	lacks "$out" "SEEN mail" "and is not"
	printf '/distrust mail\n/trust mail/sub/good.txt\n' >"$T/in"
	read_of part/good.txt part/s.txt >>"$T/in"
	typed <"$T/in"
	has "$out" "SEEN good" "what is trusted in it again is so by every name"
	lacks "$out" "SEEN sub" "and nothing beside it"

	# bb's own state directory by another name.
	trail=$(cd "$T/state" && find bb -name '*.jsonl' | head -1)
	has "$trail" bb/sessions "there is a record"
	out=$(mounted "$BIN/bb" -C "$WS" --trust --approver none call read_file path="own/$trail" 2>&1)
	is $? 3 "bb's own is out of reach by a mount of its parent"
	lacks "$out" '"seq"' "and not shown"
	out=$(mounted "$BIN/bb" -C "$WS" --trust --approver none call search pattern=seq 2>&1)
	lacks "$out" '"seq"' "a search of the tree does not find it"
	out=$(mounted "$BIN/bb" -C "$WS" --trust --approver none call list_files 2>&1)
	lacks "$out" "$(basename "$trail")" "nor does a listing name it"
fi

# --- through links -------------------------------------------------------------------------
ln -s ../mail "$WS/docs/api"
printf '/distrust mail\n/trust docs/api\n' >"$T/in"
read_of mail/m.txt docs/api/m.txt >>"$T/in"
say --trust <"$T/in"
has "$flat" "not trusted: docs/api leads to mail, which is held back; to trust that, name it: /trust mail" "a link does not lift what was distrusted"
lacks "$out" "SEEN mail" "by neither name"
printf '/trust docs/api\n' >"$T/in"
read_of mail/m.txt >>"$T/in"
say <"$T/in"
has "$flat" "trusted, this session: docs/api, which leads to mail" "where nothing was distrusted the row names both"
has "$out" "SEEN mail" "and both are"
has "$(cat "$T"/state/bb/sessions/*/*.jsonl | grep '"trust"')" "$WS/mail\"" "the trail names both"
printf '/distrust docs/api\n' >"$T/in"
say --trust <"$T/in"
has "$flat" "held back from now on: docs/api, which leads to mail" "so does the row of /distrust"
say --trust=../x </dev/null
is $rc 2 "a path that cannot be meant ends --trust=PATH"
has "$out" "--trust=../x: not in the workspace or an added directory" "and is named"

# --- what is not there, and names with blanks ----------------------------------------------
cat >"$T/in" <<'END'
/distrust "my mail"
/distrust docs\/d.txt
,read_file path="my mail/m.txt"
,read_file path=docs/d.txt
END
say --trust <"$T/in"
has "$out" "held back from now on: my mail" "quotes hold a name together"
lacks "$out" "SEEN mine" "and it is held back"
lacks "$out" "SEEN docs" "a backslash takes the next byte"
printf '/distrust my\\ mail\n,read_file path="my mail/m.txt"\n' >"$T/in"
say --trust <"$T/in"
lacks "$out" "SEEN mine" "a blank behind a backslash is part of the name"
printf '/distrust my mail\n,read_file path="my mail/m.txt"\n,read_file path=mail/m.txt\n' >"$T/in"
say --trust <"$T/in"
has "$out" "held back from now on: my mail" "without quotes too, where it is there"
lacks "$out" "SEEN mine" "and it is done"
has "$out" "SEEN mail" "nothing else is"
printf '/distrust docs  mail\n' >"$T/in"
read_of docs/d.txt mail/m.txt >>"$T/in"
say --trust <"$T/in"
has "$out" "held back from now on: docs" "two paths: the first"
has "$out" "held back from now on: mail" "and the second"
lacks "$out" "SEEN" "both are"
printf '/distrust docs /etc\n' >"$T/in"
read_of docs/d.txt >>"$T/in"
say --trust <"$T/in"
has "$flat" "not in the workspace or an added directory: /etc" "one that is refused"
has "$out" "SEEN docs" "refuses the line"
lacks "$out" "held back from now on" "and nothing of it is confirmed"
printf '/distrust "my mail\n' >"$T/in"
say --trust <"$T/in"
has "$out" "a quote is not closed" "an open quote is said"
lacks "$out" "held back from now on" "and nothing confirmed"
printf '/distrust Mail\n' >"$T/in"
say --trust <"$T/in"
has "$flat" "nothing is there yet: Mail; what comes there is held back" "a path that is not there is said to be missing"
has "$flat" "one name there differs only in case: mail" "and what was probably meant"
lacks "$out" "held back from now on" "nothing is confirmed that holds nothing back"
mkdir "$WS/$(printf 'cafe\314\201')"
printf '/distrust caf\303\251\n/trust not/there\n' >"$T/in"
say --trust <"$T/in"
has "$flat" "one name there differs only in its Unicode form" "nor by another Unicode form"
has "$flat" "nothing is there yet: not/there" "the same for /trust"
done_testing

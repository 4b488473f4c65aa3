# bb-list replaced by a program that ignores its request and lists all it can reach
# (liar-list.c): as the trusted process it cannot name one distrusted entry.
. "${BB_TOP:?}/tests/lib.sh"
LIAR=${BB_LIAR_LIST:-$BB_BUILD/tests/session/liar-list}
[ -x "$LIAR" ] || {
	echo "1..0 # SKIP no $LIAR"
	exit 0
}
# The rights of the directories are what is tested here, not who may read them.
B=$T/bin
cp -r "$BIN" "$B"
cp "$LIAR" "$B/bb-list"
[ "$("$BIN/bb" -C "$WS" doctor --json 2>/dev/null | grep -c '"files":"full"')" != 0 ] || {
	echo "1..0 # SKIP no Landlock here"
	exit 0
}
tree() {
	rm -rf "$WS"
	mkdir -p "$WS/src/lib" "$WS/UNSEEN-dir/UNSEEN-sub" "$WS/doc/e" "$WS/src/hidden" "$T/UNSEEN-out"
	for f in src/SEEN-a.c src/lib/SEEN-b.c UNSEEN-file UNSEEN-dir/UNSEEN-f doc/UNSEEN-d \
		doc/e/INNER-e src/hidden/HID-h; do
		echo x >"$WS/$f"
	done
	ln -s ../UNSEEN-dir "$WS/src/link"
}
tree
L() { "$B/bb" -C "$WS" "$@" 2>&1; }
out=$(L --trust=src call list_files)
has "$out" "src/leak.i-was.here" "the liar runs as the trusted process, and is believed beneath src"
has "$out" "SEEN-a.c" "it sees what it was given"
has "$out" "SEEN-b.c" "and beneath"
lacks "$out" UNSEEN "split: it cannot name one distrusted entry"
lacks "$out" "leak.fd.src" "nor list the directory on descriptor 3 itself"
lacks "$out" bbtest "nor what lies above"
out=$(L --trust=src call list_files depth=1)
lacks "$out" UNSEEN "depth 1: the same"
out=$(L --trust=src call list_files --json)
lacks "$out" UNSEEN "in JSON neither"
out=$(L --trust=src call list_files directory=src)
has "$out" SEEN-a.c "a whole trusted directory: what is beneath it"
lacks "$out" UNSEEN-file "and nothing beside it"
lacks "$out" UNSEEN-dir "not through a link either"

typed() {
	printf '%s\n' "$@" | "$B/bb" -C "$WS" --trust --approver none --color never 2>&1 |
		grep -v '^> \|^held back from'
}
out=$(typed '/distrust src/hidden' '/distrust doc' '/distrust UNSEEN-dir' '/distrust UNSEEN-file' ',list_files')
has "$out" SEEN-b.c "distrusted beneath trusted: the trusted siblings"
lacks "$out" UNSEEN "not one name of the distrusted"
lacks "$out" HID "nor beneath src"
out=$(typed '/distrust doc' '/trust doc/e' '/distrust UNSEEN-dir' '/distrust UNSEEN-file' '/distrust src/hidden' ',list_files')
has "$out" INNER-e "trusted beneath distrusted: what is in it"
lacks "$out" UNSEEN "trusted beneath distrusted: nothing between"

# Nothing trusted: whatever it says is held back.
out=$(L call list_files)
lacks "$out" leak "as the distrusted process not one word of it is shown"
lacks "$out" SEEN "no name at all"

# More parts than can be granted one by one: one process, and it is the distrusted one.
i=0
while [ $i -lt 300 ]; do
	mkdir "$WS/src/w$i"
	i=$((i + 1))
done
out=$(typed '/distrust src/hidden' ',list_files')
has "$out" "held back; list a subdirectory" "above 256 parts the whole is held back"
lacks "$out" leak "whatever the helper says"
lacks "$out" SEEN "no name"
done_testing

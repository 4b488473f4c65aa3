# Each program has a page that is clean mdoc and names its options and exit codes;
# tool(5) has every word that pages use, frame(7) every member.
. "${BB_TOP:?}/tests/lib.sh"
page() { find "$BB_TOP/bin" "$BB_TOP/policy" "$BB_TOP/libcommon" "$BB_TOP/scripts" -name "$1"; }
flat() {
	if command -v mandoc >/dev/null 2>&1; then
		mandoc -Tutf8 -O width=400 "$1" | sed 's/.\x08//g'
	else
		cat "$1"
	fi
}
for p in "$BIN"/*; do
	name=$(basename "$p")
	section=8
	[ "$name" = bb ] && section=1
	file=$(page "$name.$section")
	[ -s "$file" ]
	ok $? "$name has a page in section $section"
	flat "$file" >"$T/man"
	grep -qx 'EXIT STATUS' "$T/man"
	ok $? "$name: EXIT STATUS"
	case $name in
	bb-audit) ;;
	bb-*)
		for s in DESCRIPTORS CONFINEMENT; do
			grep -qx "$s" "$T/man"
			ok $? "$name: $s"
		done
		;;
	esac
	missing=
	for o in $("$p" --help 2>&1 | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
		grep -q -e "$o" "$T/man" || missing="$missing $o"
	done
	is "$missing" "" "$name: every option of --help is in the page"
done
missing=
for f in "$BB_TOP"/policy/*.tool; do
	sed 's/^#.*//; s/[ \t]#.*//' "$f" | awk 'NF { print $1 } $1 == "arg" { print $3; print $4 }
		$1 == "fd" { print $3 } $1 == "limit" { for (i = 2; i < NF; i += 2) print $i }
		$1 == "call" || $1 == "result" { print $3 }'
done | sort -u >"$T/words"
flat "$BB_TOP/policy/tool.5" >"$T/man"
while read -r w; do
	grep -qwF -- "$w" "$T/man" || missing="$missing $w"
done <"$T/words"
is "$missing" "" "tool(5) has every word that pages use"
flat "$BB_TOP/libcommon/frame.7" >"$T/man"
for f in "$BB_TOP"/policy/*.tool; do
	missing=
	for w in $(sed 's/^#.*//' "$f" | awk '$1 == "call" || $1 == "result" { print $2 }'); do
		grep -qw -- "$w" "$T/man" || missing="$missing $w"
	done
	is "$missing" "" "frame(7) has every member of $(basename "$f")"
done
if command -v mandoc >/dev/null 2>&1; then
	for f in $(cd "$BB_TOP" && find bin policy libcommon scripts -name '*.[1-8]'); do
		is "$(mandoc -Tlint -W warning "$BB_TOP/$f" 2>&1 | grep -v 'outdated mandoc.db')" "" "$f is clean"
	done
else
	skip "pages are clean mdoc" "no mandoc"
fi
done_testing

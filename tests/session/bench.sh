# scripts/bench runs every row and writes them down. No time is looked at.
. "${BB_TOP:?}/tests/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
variant=${BB_BUILD#"$BB_TOP/build"}
case $variant in
/san*)
	echo "1..0 # SKIP nothing of a sanitizer build is measured"
	exit 0
	;;
esac
export BVARIANT="$variant"
out=$("$BB_TOP/scripts/bench" --turns 2 --calls 4 --sessions 5 --json "$T/bench.json" 2>"$T/err")
rc=$?
is "$rc" 0 "a short run ends well"
[ "$rc" -eq 0 ] || sed 's/^/# /' "$T/err"
for id in spawn empty helper helper-empty drive bb-memory helper-memory call first sessions sessions-last; do
	grep -q "\"id\":\"$id\"" "$T/bench.json"
	ok $? "row $id"
done
is "$(printf '%s\n' "$out" | wc -l)" 13 "a row each, a head and a foot"
"$BB_TOP/scripts/bench" --turns 2>"$T/err"
is "$?" 2 "a value that is missing is wrong use"
"$BB_TOP/scripts/bench" --faster 1 2>"$T/err"
is "$?" 2 "an unknown option is wrong use"
done_testing

# bb doctor on a terminal of 80 columns: rows go on below their own column.
. "${BB_TOP:?}/tests/lib.sh"
cd "$WS" || exit 1
"$BIN/bb" doctor >"$T/out" 2>"$T/err"
ok $? "bb doctor"
is "$(LC_ALL=C.UTF-8 sed 1d "$T/out" | LC_ALL=C.UTF-8 sed -n '/^.\{81\}/p')" "" "no row is wider"
out=$(tr -s ' \n' '  ' <"$T/out")
has "$out" "note gates gate credential-scan is not built yet; it will stop credentials in what a trusted read would show or a write would carry" "a long row is whole"
has "$(cat "$T/out")" "
                        credentials in what a trusted read would show or a write
" "and goes on below its own column"
"$BIN/bb" doctor --json >"$T/out"
has "$(cat "$T/out")" '"says":"gate credential-scan is not built yet; it will stop credentials in what a trusted read would show or a write would carry"' "JSON: in one"
done_testing

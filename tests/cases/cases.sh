# Situations in the shared format: our own, and the shared ones where they lie beside
# the checkout.
. "${BB_TOP:?}/tests/lib.sh"
rc=0
set -- "$BB_TOP/tests/cases/ours.jsonl"
shared=../shared/cases/cases.jsonl
[ ! -f "$BB_TOP/$shared" ] || set -- "$@" "$BB_TOP/$shared"
perl "$BB_TOP/tests/cases/run" "$@" >"$T/rows" || rc=$?
sed '/^1\.\./d' "$T/rows"
n=$(sed -n 's/^1\.\.//p' "$T/rows")
n=${n:-0} # and one row more where the shared file is not there
[ $# -gt 1 ] || skip "the situations of $shared" "it does not lie beside this checkout"
echo "1..$n"
exit $rc

# Situations in the shared format: our own, and the shared ones where they lie beside
# the checkout.
. "${BB_TOP:?}/tests/lib.sh"
rc=0
set -- "$BB_TOP/tests/cases/ours.jsonl"
[ ! -f "$BB_TOP/../shared/cases/cases.jsonl" ] || set -- "$@" "$BB_TOP/../shared/cases/cases.jsonl"
perl "$BB_TOP/tests/cases/run" "$@" || rc=$?
exit $rc

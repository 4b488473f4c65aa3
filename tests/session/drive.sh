# The planner protocol of bb drive: what comes in malformed, many at once, and ends.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/drive.pl"

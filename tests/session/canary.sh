# Hostile contents and names never reach a planner (flow 15, T1 and T2).
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/canary.pl"

# The audit trail: every gate in order, before the effect, and never a byte of content.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/trail.pl"

# The gate of permission rules, from outside: deny, ask, lists, searches, references, links.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/rules.pl"

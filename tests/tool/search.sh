# bb-search driven by hand: what it finds, in which order, what it says of the rest.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/tool/search.pl"

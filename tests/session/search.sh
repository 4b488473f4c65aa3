# search: its sentences, pages, faults and parts, through bb drive and bb call.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/search.pl"

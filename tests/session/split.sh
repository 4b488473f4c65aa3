# list_files over a tree that is trusted in parts (design 2.4).
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/split.pl"

# list_files: every row of its edge tables, through bb drive.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/list.pl"

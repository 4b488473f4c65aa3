# write_file and edit_file: their edge tables, through bb drive and a scripted person.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/write.pl"

# ask_user: the table of agents 2 and prompts 2.10, through bb drive and a scripted person.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/ask.pl"

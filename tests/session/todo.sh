# todo_write: the table of agents 3, through bb drive and at the terminal's front.
. "${BB_TOP:?}/tests/lib.sh"
export T WS BIN
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/todo.pl"

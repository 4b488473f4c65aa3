# vet_content and the refusals of read_output: through bb drive and a scripted person.
. "${BB_TOP:?}/tests/lib.sh"
XDG_CACHE_HOME=$T/cache
export T WS BIN XDG_CACHE_HOME
perl -I "$BB_TOP/tests/session" "$BB_TOP/tests/session/vet.pl"

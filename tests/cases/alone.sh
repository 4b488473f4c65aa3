# A checkout that lies beside nothing: what is left out of the situations is said.
. "${BB_TOP:?}/tests/lib.sh"
mkdir -p "$T/top/tests/cases" "$T/shared/cases"
cp "$BB_TOP/tests/lib.sh" "$T/top/tests"
cp "$BB_TOP/tests/cases/run" "$BB_TOP/tests/cases/cases.sh" "$T/top/tests/cases"
head -2 "$BB_TOP/tests/cases/ours.jsonl" >"$T/top/tests/cases/ours.jsonl"
cases() { BB_TOP=$T/top sh "$T/top/tests/cases/cases.sh"; }
out=$(cases)
is $? 0 'nothing beside it is no failure'
has "$out" 'the situations of ../shared/cases/cases.jsonl # SKIP it does not lie beside this checkout' \
	'a row names what is left out'
is "$(printf '%s\n' "$out" | tail -1)" "1..$(printf '%s\n' "$out" | grep -Ec '^(not )?ok ')" 'and is counted'
sed -n 3p "$BB_TOP/tests/cases/ours.jsonl" >"$T/shared/cases/cases.jsonl"
out=$(cases)
lacks "$out" 'beside this checkout' 'where it is there nothing is left out'
done_testing

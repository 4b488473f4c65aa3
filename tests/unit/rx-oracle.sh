# The regular expressions of search against perl's and ripgrep's, over random patterns and
# texts; the same with a DFA cache of sixteen states. RX_PATTERNS=5000 is 100,000 pairs.
. "${BB_TOP:?}/tests/lib.sh"
patterns=${RX_PATTERNS:-150}
rg=$(command -v rg)
[ -n "$rg" ] || skip "against ripgrep" "no rg"
for answerer in rx-answer rx-answer-small; do
	for seed in 1 $(($$ + $(date +%s))); do
		perl "$BB_TOP/tests/unit/rx-oracle.pl" "$BB_BUILD/tests/unit/$answerer" "$patterns" "$seed" ${rg:+"$rg"} >"$T/out" 2>&1
		is "$?" 0 "$answerer, seed $seed: it ran"
		last=$(tail -n 1 "$T/out")
		has "$last" " pairs, 0 differences" "$answerer, seed $seed: $last"
		case $last in
		*' 0 differences'*) ;;
		*) head -n 20 "$T/out" | cut -c 1-300 | sed 's/^/# /' ;;
		esac
	done
done
done_testing

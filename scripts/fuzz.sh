#!/bin/sh
# Run the fuzz targets SECONDS each, two at once, and print TAP: fuzz.sh SECONDS [NAME…].
# Seeds are tests/fuzz/NAME/; what libFuzzer learns stays in build/san/fuzz/corpus, what
# it finds in build/san/fuzz/found.
unset CDPATH
cd "$(dirname "$0")/.." || exit 75
seconds=${1:?usage: fuzz.sh SECONDS [NAME…]}
shift
if [ $# -eq 0 ]; then
	for f in tests/fuzz/*.c; do
		[ ! -e "$f" ] || set -- "$@" "$(basename "$f" .c)"
	done
fi
B=build/san/fuzz
if ! command -v clang >/dev/null 2>&1; then
	echo "1..0 # SKIP no clang: fuzz targets not run"
	exit 0
fi
probe=$(mktemp -d) || exit 75
trap 'rm -rf "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n)
{ return p && n > 1 ? 0 : 0; }' >"$probe/p.c"
if ! clang -fsanitize=fuzzer -o "$probe/p" "$probe/p.c" >/dev/null 2>&1; then
	echo "1..0 # SKIP clang has no libFuzzer here (libclang-rt-dev): fuzz targets not run"
	exit 0
fi
mkdir -p "$B/corpus" "$B/found" "$B/log" || exit 75
rm -f "$B"/found/*
if ! make -k -s -j"$(nproc 2>/dev/null || echo 2)" CC=clang SAN=1 BVARIANT=/fuzz \
	EXTRA_CFLAGS=-fsanitize=fuzzer-no-link fuzz-build >"$B/log/build" 2>&1 </dev/null; then
	grep -E 'error|undefined|No rule' "$B/log/build" | head -20 | sed 's/^/# /'
fi
# one NAME: status 0 when it ran to its end without a finding.
one() {
	mkdir -p "$B/corpus/$1"
	set -- "$1" "$B/corpus/$1"
	for d in tests/fuzz/"$1" tests/fuzz/corpus/"$1" tests/fuzz/corpora/"$1"; do
		[ ! -d "$d" ] || set -- "$@" "$d"
	done
	name=$1
	shift
	"$B/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
		-print_final_stats=1 -artifact_prefix="$B/found/$name-" "$@" \
		>"$B/log/$name" 2>&1 </dev/null
}
n=0
failed=0
report() {
	n=$((n + 1))
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$B/log/$1" 2>/dev/null)
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1: ${runs:-0} inputs in $seconds s, no finding"
	else
		failed=1
		echo "not ok $n - $1: a finding, or it did not run"
		[ ! -e "$B/log/$1" ] || grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$B/log/$1" |
			head -5 | sed 's/^/# /'
	fi
}
while [ $# -gt 0 ]; do
	one "$1" &
	first=$!
	second=
	if [ $# -gt 1 ]; then
		one "$2" &
		second=$!
	fi
	wait "$first"
	report "$1" $?
	if [ -n "$second" ]; then
		wait "$second"
		report "$2" $?
		shift
	fi
	shift
done
echo "1..$n"
exit "$failed"

#!/bin/sh
# How prove starts one test (prove -e 'sh scripts/tap.sh'): bounded in time, without a
# terminal, its output kept in NAME.tap for scripts/count.awk.
out=${1%.t}.tap
timeout -k 5 "${BB_TEST_SECONDS:-900}" "$1" >"$out" 2>"$out.err" </dev/null
rc=$?
if [ "$rc" -ne 0 ]; then
	[ "$rc" -ne 124 ] || echo "# did not end within ${BB_TEST_SECONDS:-900} s" >>"$out"
	tail -n 20 "$out.err" | sed 's/^/# stderr: /' >>"$out"
fi
echo "# exit $rc" >>"$out"
cat "$out"
exit "$rc"

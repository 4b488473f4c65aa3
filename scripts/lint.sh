#!/bin/sh
# Style and static checks, as TAP: lint.sh [NAME…] runs all of them or those named. A
# check whose tool is not installed is skipped by name. clang's analyzer (scan-build)
# runs as clang-tidy's clang-analyzer-*: the same engine, once.
# shellcheck disable=SC2317 # called by name
unset CDPATH
cd "$(dirname "$0")/.." || exit 75
jobs=$(nproc 2>/dev/null || echo 2)
mkdir -p build/lint || exit 75
log=build/lint/log
n=0
failed=0
c_files() { find bin libcommon scripts tests -name '*.c' -type f | LC_ALL=C sort; }
c_and_h() { find bin libcommon scripts tests -name '*.[ch]' -type f | LC_ALL=C sort; }
sh_files() {
	echo scripts/run
	echo scripts/check
	echo .ci/run
	find scripts tests -name '*.sh' -type f | LC_ALL=C sort
	grep -rlE '^#!/bin/sh' tests --include='[a-z]*' --exclude='*.*' 2>/dev/null
}

arrows() { sh scripts/arrows.sh >build/lint/arrows.dot; }
gcc_build() { CI=1 make -k -s -j"$jobs" BVARIANT=/lint-gcc CC=gcc all tests bench-build >/dev/null; }
clang_build() { CI=1 make -k -s -j"$jobs" BVARIANT=/lint-clang CC=clang all tests >/dev/null; }
layout() {
	c_and_h | tr '\n' '\0' |
		xargs -0 clang-format --style=file:scripts/clang-format --dry-run -Werror
}
tidy() {
	echo "exec clang-tidy --quiet --config-file=scripts/clang-tidy \"\$@\" --" \
		"$(make -s BVARIANT=/lint-clang CC=clang print-flags)" >build/lint/tidy.sh
	c_files | grep -v '^tests/' | tr '\n' '\0' |
		xargs -0 -n 4 -P "$jobs" sh build/lint/tidy.sh 2>/dev/null &&
		# A test may be as careless with its own strings as it likes.
		c_files | grep '^tests/' | tr '\n' '\0' | xargs -0 -n 4 -P "$jobs" sh build/lint/tidy.sh \
			--checks=-clang-analyzer-security.insecureAPI.strcpy,-bugprone-not-null-terminated-result \
			2>/dev/null
}
analyzer() {
	for f in libcommon/*.c; do
		eval "gcc $(make -s CC=gcc print-flags) -fanalyzer -Werror -c -o /dev/null $f" || return 1
	done
}
second_opinion() {
	cppcheck --quiet --error-exitcode=1 --enable=warning,portability --inline-suppr -I. \
		-D__x86_64__=1 '-Djson_array_foreach(a,i,v)=for (;;)' '-Djson_object_foreach(o,k,v)=for (;;)' \
		-j "$jobs" --library=posix --suppress=missingIncludeSystem \
		--suppressions-list=scripts/cppcheck-suppressions bin libcommon scripts
}
shells() {
	# A test gets T, WS, BIN and its like from tests/lib.sh, which is found at run time.
	sh_files | sort -u | tr '\n' '\0' |
		xargs -0 shellcheck -s sh -S warning -e SC1090,SC1091,SC2034,SC2154
}
manuals() {
	# Whether other pages are installed is no matter of ours.
	! find bin policy libcommon scripts -name '*.[1-8]' -type f -exec mandoc -Tlint -W style {} + 2>&1 |
		grep -vE 'referenced manual not found|outdated mandoc.db'
}
power_map() { make -s build/host/mkpolicy && sh scripts/map.sh --check; }
long_files() {
	c_files | tr '\n' '\0' | xargs -0 wc -l |
		awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines"; bad = 1 } END { exit bad }'
}

# lint NAME TOOL WORDS: the function NAME, when TOOL is there.
lint() {
	if [ -n "$only" ]; then
		case " $only " in *" $1 "*) ;; *) return ;; esac
	fi
	n=$((n + 1))
	if ! command -v "$2" >/dev/null 2>&1; then
		echo "ok $n - $1: $3 # SKIP no $2 here"
	elif "$1" >"$log.$1" 2>&1; then
		echo "ok $n - $1: $3"
	else
		echo "not ok $n - $1: $3"
		head -n 40 "$log.$1" | sed 's/^/# /'
		failed=1
	fi
}
only=$*
lint arrows sh 'includes follow the drawing'
lint long_files sh 'one idea a file, at most 600 lines'
lint power_map make 'the power map of README.md is what policy/ says'
lint manuals mandoc 'manual pages are clean mdoc'
lint shells shellcheck 'scripts'
lint layout clang-format 'layout of C (make format)'
lint gcc_build gcc 'no warning of gcc'
lint clang_build clang 'no warning of clang'
lint second_opinion cppcheck 'nothing found by cppcheck'
lint analyzer gcc 'gcc -fanalyzer on libcommon'
lint tidy clang-tidy 'clang-tidy and clang'\''s analyzer'
echo "1..$n"
exit "$failed"

# TAP for tests in sh: `. "$BB_TOP/tests/lib.sh"`, then ok/is/like, then done_testing.
# Needs BB_TOP (repository) and BB_BUILD (build directory). $T is a fresh private
# directory, removed at the end; XDG_STATE_HOME, XDG_RUNTIME_DIR and HOME point into it.
: "${BB_TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${BB_BUILD:=$BB_TOP/build}"
BIN=$BB_BUILD/bin
T=$(mktemp -d "${TMPDIR:-/tmp}/bbtest.XXXXXX") || exit 1
T=$(cd "$T" && pwd -P)
chmod 700 "$T"
trap 'chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$T/home" "$T/state" "$T/run" "$T/ws"
chmod 700 "$T/run"
export HOME="$T/home" XDG_STATE_HOME="$T/state" XDG_RUNTIME_DIR="$T/run" XDG_CONFIG_HOME="$T/config"
WS=$T/ws
n=0 failed=0
# ok STATUS NAME
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi
}
# is GOT WANT NAME
is() {
	if [ "$1" = "$2" ]; then ok 0 "$3"; else
		ok 1 "$3"
		printf '%s\n' "$1" | sed 's/^/# got  /'
		printf '%s\n' "$2" | sed 's/^/# want /'
	fi
}
# has TEXT SUBSTRING NAME, lacks TEXT SUBSTRING NAME
has() {
	case $1 in *"$2"*) ok 0 "$3" ;; *)
		ok 1 "$3"
		printf '%s\n' "$1" | sed 's/^/# in   /'
		printf '# want %s\n' "$2"
		;;
	esac
}
lacks() {
	case $1 in *"$2"*)
		ok 1 "$3"
		printf '%s\n' "$1" | sed 's/^/# in   /'
		printf '# but  %s\n' "$2"
		;;
	*) ok 0 "$3" ;; esac
}
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}
done_testing() {
	echo "1..$n"
	[ "$failed" -eq 0 ]
}

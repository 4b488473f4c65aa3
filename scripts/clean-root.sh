#!/bin/sh
# Both commands on a bare machine: make a minimal Debian with debootstrap, put a fresh
# clone of this repository into it, and run ./scripts/check there as root and as an
# ordinary user, and the demo. Needs root, debootstrap and the network; not part of the
# check.
#   clean-root.sh [--keep] [DIRECTORY]       default: a fresh temporary directory
unset CDPATH
top=$(cd "$(dirname "$0")/.." && pwd -P) || exit 75
keep=
[ "${1-}" != --keep ] || {
	keep=1
	shift
}
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
	echo "clean-root.sh: needs root and debootstrap" >&2
	exit 75
fi
R=${1:-$(mktemp -d "${TMPDIR:-/var/tmp}/bb-root.XXXXXX")} || exit 75
R=$(mkdir -p "$R" && cd "$R" && pwd -P) || exit 75
chmod 755 "$R" # it is the root directory of people in it
done_with() {
	for m in dev/pts proc; do
		! mountpoint -q "$R/$m" || umount "$R/$m" || keep=1
	done
	if [ -n "$keep" ]; then
		echo "clean-root.sh: left in $R"
	else
		rm -rf --one-file-system "$R"
	fi
}
trap done_with EXIT
trap 'exit 1' HUP INT TERM

# The archive this machine itself uses, unless MIRROR names another.
: "${MIRROR:=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	sed -n -e 's/^deb  *\(\[[^]]*\]  *\)\{0,1\}\([^ ]*\).*/\2/p' -e 's/^URIs: *\([^ ]*\).*/\1/p' |
	head -n 1)}"
[ -e "$R/etc/debian_version" ] ||
	debootstrap --variant=minbase bookworm "$R" "$MIRROR" >"$R.log" 2>&1 || {
	tail -n 5 "$R.log"
	exit 75
}
rm -f "$R.log"
for f in /etc/resolv.conf /etc/hosts; do
	[ ! -e "$f" ] || cp "$f" "$R$f"
done
# The machine's own way to its package archive, whatever that is.
if [ -d /etc/apt/apt.conf.d ]; then
	cp -r /etc/apt/apt.conf.d/. "$R/etc/apt/apt.conf.d/"
fi
mountpoint -q "$R/proc" || mount -t proc proc "$R/proc" || exit 75
mkdir -p "$R/dev/pts"
mountpoint -q "$R/dev/pts" || mount -t devpts -o ptmxmode=666 devpts "$R/dev/pts" || exit 75
ln -sf pts/ptmx "$R/dev/ptmx"
chroot "$R" id person >/dev/null 2>&1 || chroot "$R" useradd -m person || exit 75

# inside USER DIRECTORY COMMAND…
inside() {
	user=$1 dir=$2
	shift 2
	chroot "$R" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb setpriv --reuid "$user" \
		--regid "$user" --init-groups env HOME="$(chroot "$R" sh -c "echo ~$user")" \
		${BB_CI:+CI=true} sh -c 'cd "$1" && shift && exec "$@"' sh "$dir" "$@" </dev/null
}
clone() {
	rm -rf "$R$1"
	mkdir -p "$(dirname "$R$1")"
	git clone -q --no-hardlinks "$top" "$R$1" || exit 75
	chroot "$R" chown -R "$2:$2" "$1"
}
status=0
for user in root person; do
	where="/home/a b é/$user"
	clone "$where" "$user"
	for what in './scripts/check' './scripts/run --demo'; do
		echo "== $user: $what"
		start=$(date +%s)
		# shellcheck disable=SC2086 # a command and its option
		inside "$user" "$where" $what >"$R/tmp/log" 2>&1
		rc=$?
		[ "$rc" -eq 0 ] || status=1
		grep -E '^(not ok|skipped)' "$R/tmp/log"
		tail -n 3 "$R/tmp/log"
		echo "== status $rc, $(($(date +%s) - start)) s"
	done
done
exit "$status"

# Sourced by scripts/run and scripts/check after they set `top` (this repository) and
# `me` (their name). setup_packages CLASS… installs what is missing, setup_build makes
# targets. Everything said goes to standard error: standard output belongs to bb.
# shellcheck shell=sh

: "${top:?}" "${me:?}" "${yes:=}"

setup_say() { printf '%s: %s\n' "$me" "$*" >&2; }

# Is one probe of scripts/debian-packages true?
setup_probe() {
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
	inc:*)
		for setup_d in /usr/include /usr/local/include /usr/include/*-linux-*; do
			[ -e "$setup_d/${1#inc:}" ] && return 0
		done
		return 1
		;;
	file:*)
		# The pattern is ours and holds no blank.
		for setup_f in ${1#file:}; do
			[ -e "$setup_f" ] && return 0
		done
		return 1
		;;
	esac
}

# Names of the packages of these classes that are not there, one a line.
setup_missing() {
	setup_classes=" $* "
	while read -r setup_class setup_pkg setup_probes _; do
		case $setup_classes in *" $setup_class "*) ;; *) continue ;; esac
		setup_found=
		setup_ifs=$IFS
		IFS='|'
		set -f
		# shellcheck disable=SC2086 # alternatives are split on purpose
		set -- $setup_probes
		set +f
		IFS=$setup_ifs
		for setup_p in "$@"; do
			setup_probe "$setup_p" && setup_found=1
		done
		[ -n "$setup_found" ] || echo "$setup_pkg"
	done <"$top/scripts/debian-packages"
}

# Packages named here that the machine does not have yet: ask, install, or say what to
# do and return 75. An unreachable package manager matters only when something is missing.
setup_packages() {
	# shellcheck disable=SC2046 # package names hold no blanks
	set -- $(setup_missing "$@")
	[ $# -gt 0 ] || return 0
	setup_say "missing packages: $*"
	if ! command -v apt-get >/dev/null 2>&1; then
		setup_say "these are Debian's names; there is no apt-get here, so install what" \
			"provides the same with this machine's package manager and try again"
		return 75
	fi
	setup_sudo=
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null 2>&1; then
			setup_say "you are not root and there is no sudo; ask an administrator for:" \
				"apt-get install --no-install-recommends $*"
			return 75
		fi
		setup_sudo=sudo
		[ -t 0 ] && [ -t 2 ] || setup_sudo='sudo -n'
	fi
	if [ -z "$yes" ] && [ -z "${CI:-}" ] && [ -t 0 ] && [ -t 2 ]; then
		printf '%s: install them%s? [y/N] ' "$me" "${setup_sudo:+ with sudo}" >&2
		read -r setup_answer || setup_answer=n
		case $setup_answer in
		y | Y | yes) ;;
		*)
			setup_say "nothing was installed; nothing can be built without them"
			return 75
			;;
		esac
	fi
	setup_log=$(mktemp "${TMPDIR:-/tmp}/bb-setup.XXXXXX") || return 75
	# An old list of packages may still do: only the second command decides.
	$setup_sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update >"$setup_log" 2>&1 </dev/null ||
		setup_say "the package lists could not be refreshed; trying with the old ones"
	setup_say "installing"
	if ! $setup_sudo env DEBIAN_FRONTEND=noninteractive apt-get -qy \
		--no-install-recommends install "$@" >>"$setup_log" 2>&1 </dev/null; then
		tail -n 5 "$setup_log" | sed 's/^/  /' >&2
		rm -f "$setup_log"
		setup_say "could not install: $*"
		return 75
	fi
	rm -f "$setup_log"
	hash -r 2>/dev/null || :
	return 0
}

# setup_build TARGET…: quiet unless it fails. In a checkout this user cannot write, what
# was built before will do if it is up to date.
setup_build() {
	if ! setup_writable; then
		make -C "$top" -q "$@" >/dev/null 2>&1 && return 0
		# shellcheck disable=SC2012 # owner's name of one known path
		setup_owner=$(ls -ld "$setup_stuck" | awk '{print $3}')
		setup_say "cannot build: '$setup_stuck' belongs to $setup_owner and cannot be" \
			"written by $(id -un); build there as $setup_owner, or copy the checkout to" \
			"a directory of your own and start from there"
		return 75
	fi
	mkdir -p "$top/build" || return 75
	make -C "$top" -q "$@" >/dev/null 2>&1 </dev/null && return 0
	setup_say "building (the first time takes a minute)"
	if ! make -C "$top" -j"$(setup_jobs)" "$@" >"$top/build/build.log" 2>&1 </dev/null; then
		grep -E 'error|Error|undefined|No rule' "$top/build/build.log" | head -20 >&2
		setup_say "the build failed; all of it is in build/build.log"
		return 1
	fi
}

setup_writable() {
	setup_stuck=$top
	if [ -d "$top/build" ]; then
		for setup_stuck in "$top/build" "$top/build/bin" "$top/build/gen" "$top/build/obj"; do
			[ ! -e "$setup_stuck" ] || [ -w "$setup_stuck" ] || return 1
		done
		return 0
	fi
	[ -w "$top" ]
}

setup_jobs() { nproc 2>/dev/null || echo 2; }

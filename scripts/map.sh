#!/bin/sh
# The power map of README.md, between its two markers, is printed by mkpolicy from
# policy/*.tool. Without a word: write it; --check: fail when it is not up to date.
unset CDPATH
cd "$(dirname "$0")/.." || exit 75
: "${MKPOLICY:=build/host/mkpolicy}"
case ${1-} in
'' | --check) ;;
*)
	echo "usage: map.sh [--check]" >&2
	exit 2
	;;
esac
if [ ! -x "$MKPOLICY" ]; then
	echo "map.sh: no $MKPOLICY; run make first" >&2
	exit 75
fi
map=$(mktemp) new=$(mktemp) || exit 75
trap 'rm -f "$map" "$new"' EXIT
"$MKPOLICY" map policy >"$map" || exit
awk -v map="$map" '
/^<!-- power map: begin/ { print; while ((getline line < map) > 0) print line; skip = 1; n++ }
/^<!-- power map: end/ { skip = 0; n++ }
!skip { print }
END { if (n != 2) exit 1 }' README.md >"$new" || {
	echo "map.sh: README.md does not hold the two markers" >&2
	exit 1
}
if [ "${1-}" = --check ]; then
	diff README.md "$new" >&2 || {
		echo "map.sh: the power map of README.md is not what policy/ says: run scripts/map.sh" >&2
		exit 1
	}
else
	cmp -s README.md "$new" || cat "$new" >README.md
fi

#!/bin/sh
# The keys in bin/bb/bb-settings.5, between their two markers, are printed by bb from its
# table. Without a word: write them; --check: fail when they are not up to date.
unset CDPATH
cd "$(dirname "$0")/.." || exit 75
: "${BB:=build/bin/bb}"
page=bin/bb/bb-settings.5
case ${1-} in
'' | --check) ;;
*)
	echo "usage: settings.sh [--check]" >&2
	exit 2
	;;
esac
if [ ! -x "$BB" ]; then
	echo "settings.sh: no $BB; run make first" >&2
	exit 75
fi
d=$(mktemp -d) || exit 75
trap 'rm -rf "$d"' EXIT
mkdir "$d/ws"
HOME=$d XDG_CONFIG_HOME=$d XDG_STATE_HOME=$d "$BB" -C "$d/ws" doctor --settings --json |
	perl -MJSON::PP -0777 -ne '
		print ".Bl -tag -width Ds\n";
		for my $k (@{ decode_json($_)->{settings}{keys} }) {
			my $says = ucfirst $k->{says};
			my $type = $k->{type};
			$type .= " from $k->{min} to $k->{max}" if exists $k->{min};
			my $default = $k->{default};
			$default = $default ? "true" : "false" if JSON::PP::is_bool($default);
			print ".It Ic $k->{key}\n$says.\n", ucfirst "$type";
			print defined $default ? "; default $default.\n" : "; default empty.\n";
			print "Read from \L$k->{layers}\E.\n";
		}
		print ".El\n"' >"$d/keys" && [ -s "$d/keys" ] || exit 1
awk -v keys="$d/keys" '
/^\.\\" keys: begin/ { print; while ((getline line < keys) > 0) print line; skip = 1; n++ }
/^\.\\" keys: end/ { skip = 0; n++ }
!skip { print }
END { if (n != 2) exit 1 }' "$page" >"$d/new" || {
	echo "settings.sh: $page does not hold the two markers" >&2
	exit 1
}
if [ "${1-}" = --check ]; then
	diff "$page" "$d/new" >&2 || {
		echo "settings.sh: $page is not what the table says: run scripts/settings.sh" >&2
		exit 1
	}
else
	cmp -s "$page" "$d/new" || cat "$d/new" >"$page"
fi

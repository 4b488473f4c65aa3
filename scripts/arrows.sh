#!/bin/sh
# Print the includes between rooms as a DOT graph; fail on one that the drawing does
# not have. The drawing: main -> session -> ui, planner, spawn, labels, permit;
# permit -> labels; a helper -> its own folder; everything -> libcommon; libcommon ->
# nothing. Another room is entered by its door <room>/<room>.h.
#   scripts/arrows.sh | dot -Tsvg >arrows.svg
unset CDPATH
cd "$(dirname "$0")/.." || exit 75
find bin libcommon scripts -name '*.[ch]' -type f | LC_ALL=C sort | while read -r f; do
	sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$f" | sed "s|^|$f |"
done | awk '
function room(p,  a, n) {
	n = split(p, a, "/")
	if (a[1] == "bin" && a[2] == "bb")
		return n > 3 ? a[3] : "main"
	return a[1] == "bin" ? a[2] : a[1]
}
BEGIN {
	split("main>session session>ui session>planner session>spawn session>labels " \
	    "session>permit permit>labels", ok, " ")
	for (i in ok)
		allowed[ok[i]] = 1
	print "digraph rooms {"
}
$2 ~ /^gen\// { next }
{
	from = room($1); to = room($2)
	if ($2 !~ /\//) {
		printf "%s: \"%s\" is not written from the top\n", $1, $2 | "cat >&2"
		bad = 1
		next
	}
	if (from == to)
		next
	arrow = from ">" to
	if (!(arrow in seen)) {
		seen[arrow] = 1
		printf "\t\"%s\" -> \"%s\";\n", from, to
	}
	if (to == "libcommon" && from != "libcommon")
		next
	if (!(arrow in allowed)) {
		printf "%s: %s -> %s (\"%s\") is no arrow of the drawing\n", $1, from, to, $2 | "cat >&2"
		bad = 1
	} else if ($2 != "bin/bb/" to "/" to ".h") {
		printf "%s: \"%s\" lies behind the door of %s\n", $1, $2, to | "cat >&2"
		bad = 1
	}
}
END {
	print "}"
	exit bad
}'

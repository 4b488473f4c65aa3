# bb-list driven by hand: order, depth, patterns, caps, scope. Rows of tools-files 2 and 9
# and of design 2.4. Every walk also shows that Landlock and the filter let the honest
# helper do its work.
. "$BB_TOP/tests/lib.sh"
LIST=$BIN/bb-list
FRAME=$BIN/frame
S=$T/slot
SAY=$T/said
SCOPE=$T/scope
: >"$SCOPE"

# walk DIR [NAME=VALUE…]: the RESULT line; records in $S.
walk() {
	d=$1
	shift
	"$FRAME" call list_files "$@" | "$LIST" 3<"$d" 4>"$S" 5<"$SCOPE" 2>"$SAY" |
		"$FRAME" show list_files | sed -n 's/^RESULT //p'
}
# The records on one line: each `f` or `d`, a path, a slash-free separator.
got() { tr '\000' ' ' <"$S" | sed 's/ $//'; }
# row RECORDS RESULT NAME DIR [NAME=VALUE…]; RESULT without its byte count
row() {
	want=$1 result=$2 name=$3
	shift 3
	r=$(walk "$@")
	is "${r% bytes *}" "$result" "$name"
	is "${r##* bytes }" "$(wc -c <"$S" | tr -d ' ')" "$name: bytes"
	is "$(got)" "$want" "$name: entries"
}
# ok_of FILES DIRS [LINKS TRUNCATED MISSING]
ok_of() { echo "code ok files $1 dirs $2 links ${3-0} truncated ${4-0} missing ${5-0}"; }

mkdir -p "$WS/b/deep/er" "$WS/a" "$WS/.hid" "$WS/a b"
touch "$WS/z" "$WS/B" "$WS/a/2" "$WS/a/1" "$WS/b/x.c" "$WS/b/deep/y.c" "$WS/b/deep/er/z.h" \
	"$WS/.hid/f" "$WS/a b/c" "$WS/a-file"
ln -s z "$WS/link"
ln -s . "$WS/a/loop"
mkfifo "$WS/fifo"

# --- order and depth ---
row 'fB fa-file fz f.hid/f fa/1 fa/2 fa b/c fb/x.c fb/deep/y.c fb/deep/er/z.h' "$(ok_of 10 0 2)" \
	'own files first, then down, bytewise' "$WS"
row 'fB fa-file fz d.hid da da b db' "$(ok_of 3 4 1)" 'depth 1 names what it stops at' "$WS" depth=1
row 'fB fa-file fz f.hid/f fa/1 fa/2 fa b/c fb/x.c db/deep' "$(ok_of 8 1 2)" \
	'depth 2: files first, then directories' "$WS" depth=2
row 'fB fa-file fz f.hid/f fa/1 fa/2 fa b/c fb/x.c fb/deep/y.c db/deep/er' "$(ok_of 9 1 2)" \
	'depth 3' "$WS" depth=3
row 'fB fa-file fz d.hid da da b db' "$(ok_of 3 4 1)" 'depth 0 counts as 1' "$WS" depth=0
mkdir "$T/empty"
row '' "$(ok_of 0 0)" 'an empty directory' "$T/empty"

# --- patterns ---
row 'fb/x.c fb/deep/y.c' "$(ok_of 2 0 2)" 'a pattern on names' "$WS" pattern='*.c'
row 'fb/x.c' "$(ok_of 1 0 2)" 'with a slash on paths' "$WS" pattern='b/*.c'
row 'fb/x.c fb/deep/y.c fb/deep/er/z.h' "$(ok_of 3 0 2)" '**' "$WS" pattern='b/**'
row 'fx.c fdeep/y.c' "$(ok_of 2 0)" 'from the root of the workspace' "$WS/b" pattern='b/**/*.c' prefix=b/
row 'fx.c' "$(ok_of 1 0)" 'a slash and the directory itself' "$WS/b" pattern='b/*.c' prefix=b/
row 'fdeep/y.c' "$(ok_of 1 0)" 'from the directory' "$WS/b" pattern='deep/*.c' prefix=b/
row 'fb/x.c fb/deep/y.c fb/deep/er/z.h' "$(ok_of 3 0 2)" 'braces' "$WS" pattern='*.{c,h}'
row 'd.hid da da b db' "$(ok_of 0 4 1)" 'not on directories stopped at' "$WS" pattern='*.c' depth=1
row '' "$(ok_of 0 0 2)" 'an empty pattern keeps nothing' "$WS" pattern=
mkdir "$T/braces"
touch "$T/braces/aaaaaa" "$T/braces/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"
row 'faaaaaa' "$(ok_of 1 0)" '64 expansions' "$T/braces" pattern='{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'
row 'f{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}' "$(ok_of 1 0)" '128 are the text itself' "$T/braces" \
	pattern='{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'

# --- directories that are not walked ---
mkdir -p "$T/skip/vendor/x" "$T/skip/node_modules" "$T/skip/.git" "$T/skip/out" "$T/skip/bin" \
	"$T/skip/sub/target"
touch "$T/skip/vendor/in" "$T/skip/node_modules/in" "$T/skip/.git/in" "$T/skip/out/o" \
	"$T/skip/bin/b" "$T/skip/sub/target/t" "$T/skip/build"
row 'fbuild fbin/b fout/o' "$(ok_of 3 0)" 'by name, files of such names stay' "$T/skip"
row 'fbuild dbin dout dsub' "$(ok_of 1 3)" 'nor named at a depth' "$T/skip" depth=1
row 'fin' "$(ok_of 1 0)" 'the named directory itself is walked' "$T/skip/vendor"

# --- names ---
mkdir "$T/names"
touch "$T/names/$(printf 'a\nb')" "$T/names/$(printf 'e\033[31m')" "$T/names/$(printf 'n\377')"
walk "$T/names" >"$T/r"
has "$(cat "$T/r")" "$(ok_of 3 0)" 'odd names'
printf 'fa\nb\000fe\033[31m\000fn\377\000' | cmp -s - "$S"
ok $? 'byte by byte'
is "$("$LIST" "$T/names" . 2>"$SAY")" '' 'two directories by hand are not taken'
is "$("$LIST" "$T/names")" 'a?b
e?[31m
n?' 'shown by hand so that no terminal minds'
n255=$(awk 'BEGIN { for (i = 0; i < 255; i++) printf "n" }')
mkdir "$T/n255"
: >"$T/n255/$n255"
row "f$n255" "$(ok_of 1 0)" 'a name of 255 bytes' "$T/n255"

# --- the cap ---
mkdir "$T/many"
(cd "$T/many" && awk 'BEGIN { for (i = 1; i <= 2000; i++) printf "f%04d\n", i }' | xargs touch)
r=$(walk "$T/many")
is "${r% bytes *}" "$(ok_of 2000 0)" '2,000 files'
touch "$T/many/f2001"
r=$(walk "$T/many")
is "${r% bytes *}" "$(ok_of 2000 0 0 1)" '2,001 files'
has "$(got)" 'ff2000' 'the first 2,000'
lacks "$(got)" 'ff2001' 'and no more'
r=$(walk "$T/many" pattern='f1*')
is "${r% bytes *}" "$(ok_of 1000 0)" 'what the pattern drops is not counted'
rm "$T/many/f2001" "$T/many/f2000"
mkdir "$T/many/d1" "$T/many/d2"
r=$(walk "$T/many" depth=1)
is "${r% bytes *}" "$(ok_of 1999 1 0 1)" 'directories stopped at are counted'
row 'fB fa-file' "$(ok_of 2 0 1 1)" 'most' "$WS" most=2
row 'fB fa-file fz d.hid da' "$(ok_of 3 2 1 1)" 'files before directories' "$WS" depth=1 most=5

# --- what cannot be read ---
if [ "$(id -u)" -ne 0 ]; then
	mkdir -p "$T/dark/no" "$T/dark/yes"
	touch "$T/dark/yes/f"
	chmod 0 "$T/dark/no"
	row 'fyes/f' "$(ok_of 1 0 0 0 1)" 'a directory that cannot be read is missing' "$T/dark"
	chmod 700 "$T/dark/no"
else
	skip 'a directory that cannot be read' 'root reads every directory'
fi

# --- deep trees ---
mkdir "$T/deep"
(
	cd "$T/deep" || exit
	i=0
	while [ $i -lt 120 ]; do
		mkdir "level$i" && cd "level$i" || exit
		: >f
		i=$((i + 1))
	done
)
r=$(walk "$T/deep")
is "${r% bytes *}" "$(ok_of 120 0)" 'a tree of 120 levels'
d250=$(awk 'BEGIN { for (i = 0; i < 250; i++) printf "d" }')
# A shell's cd goes by whole paths; perl is there where prove is.
mkdir "$T/long"
(cd "$T/long" && perl -e 'for (1 .. 20) { mkdir $ARGV[0]; chdir $ARGV[0]; open F, ">f"; }' "$d250")
r=$(walk "$T/long")
is "${r% bytes *}" "$(ok_of 16 0 0 0 1)" 'a path above 4,096 bytes is missing'

# --- scope (design 2.4) ---
# shellcheck disable=SC2059 # records are written as printf reads them
scope() { printf "$1" >"$SCOPE"; }
scope 'W\000'
row 'fx.c fdeep/y.c fdeep/er/z.h' "$(ok_of 3 0)" 'the whole directory' "$WS/b"
scope 'S\000Wa\000Fz\000FB\000'
row 'fB fz fa/1 fa/2' "$(ok_of 4 0 1)" 'a spine: its files, then its parts' "$WS"
row 'fB fz da' "$(ok_of 2 1)" 'at a depth' "$WS" depth=1
scope 's\000sb\000Wb/deep\000Fb/x.c\000'
row '' "$(ok_of 0 0)" 's is never itself reported' "$WS" depth=1
row 'fb/x.c db/deep' "$(ok_of 1 1)" 'what is beneath it is' "$WS" depth=2
row 'fb/x.c fb/deep/y.c fb/deep/er/z.h' "$(ok_of 3 0)" 'all of it' "$WS"
scope 'S\000Sb\000'
row 'db' "$(ok_of 0 1)" 'S is' "$WS" depth=1
row '' "$(ok_of 0 0)" 'and has no entries of its own' "$WS"
scope 'S\000Fz\000Fb\000'
row 'fz' "$(ok_of 1 0)" 'the pattern holds for F' "$WS" pattern=z
scope 'S\000Wvendor\000Wout\000Sbin\000Fbin/b\000snode_modules\000Fnode_modules/in\000'
row 'fbin/b fout/o' "$(ok_of 2 0)" 'names that are skipped are skipped here too' "$T/skip"
row 'dbin dout' "$(ok_of 0 2)" 'at a depth too' "$T/skip" depth=1
scope 'S\000Wgone\000Wa\000'
row 'fa/1 fa/2' "$(ok_of 2 0 1 0 1)" 'a part that is gone is missing' "$WS"
scope 'S\000Wlink\000Wa\000'
row 'fa/1 fa/2' "$(ok_of 2 0 1 0 1)" 'a part that became a link is missing' "$WS"
scope 'S\000Sx\000Wx/y\000Fx!\000Wx-z\000Fx/f\000'
mkdir -p "$T/sort/x/y" "$T/sort/x-z"
touch "$T/sort/x/y/1" "$T/sort/x-z/2"
row 'fx! fx/f fx/y/1 fx-z/2' "$(ok_of 4 0)" 'directories by name, not by path' "$T/sort"
bad() {
	scope "$2"
	row '' 'code bad-scope files 0 dirs 0 links 0 truncated 0 missing 0' "bad scope: $1" "$WS"
}
bad 'no NUL at the end' 'W'
bad 'no root' 'Fa\000'
bad 'two roots' 'S\000W\000'
bad 'a root that is a file' 'F\000'
bad 'an unknown letter' 'S\000Xa\000'
bad 'no letter' 'S\000\000'
bad 'a path from /' 'S\000W/etc\000'
bad '..' 'S\000W..\000'
bad '.. within' 'S\000Sa\000Wa/..\000'
bad '.' 'S\000W.\000'
bad 'an empty component' 'S\000Sa\000Wa//b\000'
bad 'a slash at the end' 'S\000Wa/\000'
bad 'an entry twice' 'S\000Wa\000Fa\000'
bad 'an entry of no directory' 'S\000Wa/b\000'
bad 'an entry of a whole directory' 'S\000Wa\000Fa/1\000'
bad 'an entry of a file' 'S\000Fa\000Fa/1\000'
bad 'an entry beside a whole root' 'W\000Fa\000'
bad 'a long name' "S\\000W${n255}n\\000"
awk 'BEGIN { printf "S%c", 0; p = "d"; for (i = 0; i < 129; i++) { printf "S%s%c", p, 0; p = p "/d" } }' \
	>"$SCOPE"
row '' 'code bad-scope files 0 dirs 0 links 0 truncated 0 missing 0' 'bad scope: 129 levels' "$WS"
awk 'BEGIN { printf "S%c", 0; for (i = 0; i < 20000; i++) printf "Ff%05d%c", 20000 - i, 0 }' >"$SCOPE"
r=$(walk "$WS")
is "${r% bytes *}" "$(ok_of 2000 0 0 1)" '20,000 records'
has "$(got)" 'ff00001 ff00002 ' 'sorted'
: >"$SCOPE"

# --- what ends it ---
ends() {
	{
		"$LIST" <"$T/in" 3<"$WS" 4>"$S" 5<"$SCOPE" 2>"$SAY"
		echo $? >"$T/status"
	} | "$FRAME" show list_files >"$T/shown"
	is "$(cat "$T/status")" 70 "$1: status 70"
	lacks "$(cat "$T/shown")" RESULT "$1: no RESULT"
}
"$FRAME" call list_files most=0 >"$T/in"
ends 'most 0'
"$FRAME" call list_files most=2001 >"$T/in"
ends 'most 2,001'
"$FRAME" call list_files depth=-1 >"$T/in"
ends 'a negative depth'
"$FRAME" call read_file >"$T/in"
ends 'the call of another tool'
"$LIST" 3<"$WS/z" 4>"$S" 5<"$SCOPE" </dev/null 2>"$SAY"
is $? 2 'a file on 3'
"$LIST" 3<"$WS" 4>"$S" 5>&- </dev/null 2>"$SAY"
is $? 2 'no scope on 5'

# --- the human form ---
is "$("$LIST" --depth 1 --pattern '*-*' "$WS")" 'a-file
.hid/
a/
a b/
b/' 'by hand'
is "$(cd "$WS/b" && "$LIST" --depth 1)" 'x.c
deep/' 'this directory'
is "$(cd "$WS/b" && "$LIST" --depth 0)" 'x.c
deep/' 'depth 0 counts as 1 by hand too'
is "$(cd "$WS/b" && "$LIST" . | tr '\n' ' ')" 'x.c deep/y.c deep/er/z.h ' 'absent is no bound'
timeout 5 "$LIST" "$WS/fifo" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-list: cannot open '$WS/fifo': not a directory" 'a FIFO holds nothing up'
is "$("$LIST" --json --depth=1 "$WS" 2>&1 >/dev/null | sed 's/, "bytes".*//')" \
	'{"code": "ok", "files": 3, "dirs": 4, "links": 1, "truncated": 0, "missing": 0' '--json'
"$LIST" "$WS/none" >"$S" 2>"$SAY"
is "$? $(cat "$SAY")" "1 bb-list: cannot open '$WS/none': not found" 'status 1: not there'
"$LIST" "$WS/z" >"$S" 2>"$SAY"
is $? 1 'status 1: a file'
"$LIST" --depth x "$WS" >"$S" 2>"$SAY"
is $? 2 'status 2'
if [ -r / ]; then
	"$LIST" --depth 1 / >"$S" 2>"$SAY"
	is $? 0 'the root directory: confined all the same'
else
	skip 'the root directory' 'it cannot be read'
fi
done_testing

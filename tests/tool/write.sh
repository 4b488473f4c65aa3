# bb-write by hand: with words, and by frames.
. "$BB_TOP/tests/lib.sh"
W=$BIN/bb-write
cd "$T" || exit 1
printf 'one\ntwo\nthree\n' >f
is "$("$W" --old_text two --new_text 2 f)" '@@ -1,3 +1,3 @@
 one
-two
+2
 three' 'an edit as diff -u has it'
is "$(cat f)" 'one
two
three' 'the file is as it was'
is "$("$W" --contents 'one
' f)" '@@ -1,3 +1,1 @@
 one
-two
-three' 'a write'
printf 'one\ntwo\nthree' | "$W" f >out
is "$?" 0 'the new content on standard input'
has "$(cat out)" '\ No newline at end of file' 'a missing end is said'
"$W" --old_text e --new_text E f >out 2>err
is "$? $(cat err)" "1 bb-write: 'f': old_text occurs 3 times: line 1, 3, 3" 'several times'
"$W" --old_text ' two' --new_text E f >out 2>err
is "$? $(cat err)" "1 bb-write: 'f': old_text is not in it; nearest: line 2" 'not there'
"$W" --old_text e --new_text E --replace_all true f >out
is "$? $(grep -c '^+' out)" '0 2' 'all of them'
"$W" --old_text e f >out 2>err
is "$?" 2 'one text is missing'
"$W" --nonsense f >out 2>err
is "$?" 2 'an unknown option'
"$W" --old_text a --new_text b /dev/null >out 2>err
is "$?" 1 'not a regular file'
"$W" --contents x nowhere >out 2>err
is "$?" 1 'a file that is not there'
printf 'a\0b' >bin
"$W" --old_text a --new_text b bin >out 2>err
is "$? $(cat err)" "1 bb-write: 'bin': binary, not text" 'binary'
"$W" --json --contents '' f 2>err >out
has "$(cat err)" '"places": 1, "removed": 3, "added": 0' 'numbers as JSON'
if command -v patch >/dev/null 2>&1; then
	for i in 1 2 3 4 5 6 7 8 9; do
		seq 1 40 | awk -v i="$i" '{ if ((NR * 7 + i) % 11 > 1) print; if ((NR + i) % 13 == 0) print "new" }' >new
		seq 1 40 >old
		"$W" old <new >p
		patch -s old p
		cmp -s old new
		ok $? "patch makes the new text of it: $i"
	done
else
	skip 'patch reads it' 'no patch here'
fi
printf two >o
printf 2 >n
"$BIN/frame" call edit_file replace_all=0 | "$W" 3<f 4>slot 5<o 6>staged 7<n | "$BIN/frame" show edit_file >out
has "$(cat out)" 'code ok found 1 count 1 line1 2' 'by frames: an edit'
is "$(cat slot)" '2,1 2,1' 'its places'
is "$(cat staged)" 'one
2
three' 'its text'
"$BIN/frame" call write_file | "$W" 3<f 4>slot 5<n | "$BIN/frame" show >out
has "$(cat out)" 'code ok places 1 removed 3 added 1' 'by frames: a write'
"$BIN/frame" call write_file | "$W" 3<f 4<slot 5<n >out 2>err
is "$?" 2 'a slot that can be read is refused'
done_testing

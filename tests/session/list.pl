# list_files' edges (tools-files 2, 9): depth, globs, the skip list, caps, odd names,
# links, what cannot be read. Run by list.sh.
use strict;
use warnings;
use JSON::PP;
use POSIX qw(mkfifo);
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my $root = $> == 0;
my $a;

sub names { return join ' ', rows($_[0]) }
put($_, "x\n") for qw(b a.c Z.h .hidden sub/one.c sub/deep/two.c sub/deep/er/three.h out/o bin/b);
put("$_/x", "x\n") for qw(.git .hg .svn target dist build .next .nuxt .parcel-cache .turbo .gradle .cache
	.mypy_cache .pytest_cache .ruff_cache .tox __pycache__ coverage .nyc_output .terraform .stack-work
	node_modules bower_components vendor third_party thirdparty Pods Carthage site-packages .venv venv .bundle);
mkfifo("$WS/fifo", 0644);
mkdir "$WS/empty";
my $d = drive(opt => ['--trust']);
is(names(ls($d)), '.hidden Z.h a.c b bin/b out/o sub/deep/er/three.h sub/deep/two.c sub/one.c',
	'a whole tree: sorted bytewise, the skip list left out, hidden names and bin and out in');
is(names(ls($d, depth => 1)), '.hidden Z.h a.c b bin/ empty/ out/ sub/', 'depth 1: this directory only');
is(names(ls($d, depth => 2)), '.hidden Z.h a.c b bin/b out/o sub/deep/ sub/one.c', 'depth 2');
is(names(ls($d, depth => 3)), '.hidden Z.h a.c b bin/b out/o sub/deep/er/ sub/deep/two.c sub/one.c', 'depth 3');
is(names(ls($d, depth => 9223372036854775807)), names(ls($d)), 'depth 2^63-1');
is($a = names(ls($d, depth => 4)), names(ls($d)), 'a depth that reaches all');
is(names(ls($d, depth => JSON::PP::null())), names(ls($d)), 'depth null is absent');
is(ls($d, depth => -1)->{text}, "error: 'depth' must not be negative", 'depth -1');
is(names(ls($d, depth => 0)), names(ls($d, depth => 1)), 'depth 0 counts as 1');
for ('2.0', '2e0', '0.2e1') {
	$a = raw($d, qq({"id":"w","tool":"list_files","args":{"depth":$_}}));
	is(names($a), names(ls($d, depth => 2)), "depth $_ is whole");
}
for ('9223372036854775808', '99999999999999999999', '1e30', '1e999', '9' x 400) {
	$a = raw($d, qq({"id":"w","tool":"list_files","args":{"depth":$_,"directory":"."}}));
	is("$a->{id} $a->{code} $a->{text}", "w bad-argument error: 'depth' is outside its range", "depth " . substr($_, 0, 20));
}
is(raw($d, '{"id":"w","tool":"list_files","args":{"depth":-99999999999999999999}}')->{text}, "error: 'depth' must not be negative", 'far below 0');
is(raw($d, '{"id":99999999999999999999,"hello":1}')->{id}, '(undef)', 'an id beyond 64 bits is none');
for ('"1"', '1.5', '2.5e0', 'true', '[]', '{}') {
	is(raw($d, qq({"id":"w","tool":"list_files","args":{"depth":$_}}))->{text}, "error: 'depth' must be a whole number", "depth $_");
}
for ('5', 'true', '[]', '{}') {
	is(raw($d, qq({"id":"w","tool":"list_files","args":{"directory":$_}}))->{text}, "error: 'directory' must be a string", "directory $_");
	is(raw($d, qq({"id":"w","tool":"list_files","args":{"pattern":$_}}))->{text}, "error: 'pattern' must be a string", "pattern $_");
}
is(call($d, 'list_files', path => 'sub')->{text}, "error: 'path' is not an argument of list_files", 'an unknown argument');
is(names(ls($d, directory => '')), names(ls($d)), 'an empty directory argument is absent');
is(names(ls($d, directory => './sub/')), 'sub/deep/er/three.h sub/deep/two.c sub/one.c', 'paths are of the workspace');
is(names(ls($d, directory => 'sub//deep/.')), 'sub/deep/er/three.h sub/deep/two.c', 'a name is normalised');
is(names(ls($d, directory => 'vendor')), 'vendor/x', 'a directory of the skip list, named, is walked');
is(names(ls($d, directory => '.git')), '.git/x', 'also .git');
$a = ls($d, directory => 'empty');
is($a->{text}, '(no files)', 'nothing there');
is("$a->{status} $a->{label}", 'ok (T,priv)', 'is a visible answer');
is($a->{data}{entries}, 0, 'with 0 entries');

# --- globs -------------------------------------------------------------------------------
for (['*.c', 'a.c sub/deep/two.c sub/one.c'], ['a.?', 'a.c'], ['?', 'b bin/b out/o'], ['*', '.hidden Z.h a.c b bin/b out/o sub/deep/er/three.h sub/deep/two.c sub/one.c'],
	['**/*.c', 'a.c sub/deep/two.c sub/one.c'], ['sub/*.c', 'sub/one.c'], ['sub/**/*.c', 'sub/deep/two.c sub/one.c'], ['sub/**', 'sub/deep/er/three.h sub/deep/two.c sub/one.c'],
	['*.{c,h}', 'Z.h a.c sub/deep/er/three.h sub/deep/two.c sub/one.c'], ['{a,{b,Z}}{.c,,.h}', 'Z.h a.c b bin/b'], ['z.h', ''], ['[ab].c', ''],
	['*.{c,h', ''], ['', ''], ['sub/**/deep/two.c', 'sub/deep/two.c'], ['**', '.hidden Z.h a.c b bin/b out/o sub/deep/er/three.h sub/deep/two.c sub/one.c']) {
	my ($p, $want) = @$_;
	my $got = ls($d, pattern => $p);
	is($want eq '' ? $got->{text} : names($got), $want eq '' ? '(no files)' : $want, "pattern '$p'");
}
is(names(ls($d, directory => 'sub', pattern => 'deep/*.c')), 'sub/deep/two.c', 'a pattern from the directory');
is(names(ls($d, directory => 'sub', pattern => 'sub/deep/*.c')), 'sub/deep/two.c', 'or from the workspace root');
is(names(ls($d, depth => 1, pattern => '*.c')), 'a.c bin/ empty/ out/ sub/', 'a pattern does not apply to where it stopped');
put('aaaaaa', '');
put('{a,b}' x 7, '');
is(names(ls($d, pattern => '{a,b}' x 6)), 'aaaaaa', '64 expansions');
is(names(ls($d, pattern => '{a,b}' x 7)), '{a,b}' x 7, '128 are taken literally');
unlink "$WS/aaaaaa", "$WS/" . '{a,b}' x 7;
is(ls($d, pattern => '*a' x 1000)->{text}, '(no files)', 'a pattern of many stars ends');
is(ls($d, pattern => 'x' x 5000)->{status} =~ /^(ok|error)$/ ? 1 : 0, 1, 'a pattern of 5,000 bytes is answered');
put('x' x 255, '');
is(ls($d, pattern => '*' . 'x*' x 120 . 'y')->{text}, '(no files)', 'stars against a long name end');
unlink "$WS/" . 'x' x 255;

# --- what is not a directory -----------------------------------------------------------------
is(ls($d, directory => 'b')->{text}, "error: 'b' is not a directory", 'a file');
is(ls($d, directory => 'fifo')->{status}, 'error', 'a FIFO');
is(ls($d, directory => 'none')->{code}, 'not-found', 'a missing one');
for ('..', '/etc', '../ws', 'sub/../..', '/', '~') {
	$a = ls($d, directory => $_);
	is("$a->{status} $a->{gate}", 'refused confine', "directory $_");
}
is(ls($d, directory => "a\0")->{status}, 'error', 'a NUL');
is(ls($d, directory => 'x' x 256)->{status}, 'error', '256 bytes');

# --- links -----------------------------------------------------------------------------------
mkdir "$T/out";
put("$T/out/s", "S3CRET\n");
symlink "$T/out", "$WS/lout";
symlink 'sub', "$WS/lsub";
symlink 'loop', "$WS/loop";
symlink '.', "$WS/sub/self";
symlink '/proc/self/root', "$WS/lmagic";
$a = ls($d);
lacks($a->{text}, 'lout', 'links are left out');
has($a->{text}, "\n\n[5 links left out]", 'and counted');
is($a->{data}{links}, 5, 'also as data');
is(names(ls($d, directory => 'lsub')), 'lsub/deep/er/three.h lsub/deep/two.c lsub/one.c', 'a named link to a directory inside is walked');
for ('lout', 'loop', 'lmagic', 'lout/x') {
	$a = ls($d, directory => $_);
	is("$a->{status} $a->{gate}", 'refused confine', "directory $_ leads out");
	lacks($json->encode($a), "$T/out", "$_: not where to");
}
unlink "$WS/$_" for qw(lout lsub loop sub/self lmagic);

# --- odd names in a trusted tree -----------------------------------------------------------------
mkdir "$WS/odd";
my @odd = ("new\nline", "esc\x1b[31m", "inv\xff", "del\x7f", "bidi\xe2\x80\xaex");
put("odd/$_", "odd\n") for @odd[0 .. 3], 'plain', 'n' x 255;
mkdir "$WS/odd/di\nr";
put("odd/di\nr/inner", "x\n");
$a = ls($d, directory => 'odd', depth => 1);
is((rows($a))[0], 'odd/' . 'n' x 255, 'a name of 255 bytes');
is((rows($a))[1], 'odd/plain', 'a plain name is shown');
has($a->{text}, "\n\n5 names that cannot be printed on a line:\n", 'the others are counted');
is(scalar @{ $a->{refs} }, 5, 'each is a reference');
lacks($d->{raw}, $_, 'none is printed') for 'new\\nline', 'u001b', 'del\\u007f';
matches($a->{text}, qr/\[ref:\d+\] file \(T,priv\)/, 'a trusted one');
is(scalar(grep { $_->{kind} eq 'directory' } @{ $a->{refs} }), 1, 'the directory is one');
for my $r (grep { $_->{kind} eq 'file' } @{ $a->{refs} }) {
	my $x = call($d, 'read_file', path_ref => $r->{ref});
	matches($x->{text}, qr/\Aodd\n\n\[token/, "$r->{ref} is readable");
}
my ($dirref) = map { $_->{ref} } grep { $_->{kind} eq 'directory' } @{ $a->{refs} };
for (['read_file', 'path_ref'], ['read_file', 'path'], ['list_files', 'directory'], ['search', 'directory']) {
	my ($tool, $arg) = @$_;
	my $x = call($d, $tool, $arg => $dirref, $tool eq 'search' ? (pattern => 'x') : ());
	is("$x->{status} $x->{code} $x->{gate} $x->{text}",
		"refused not-a-file reference refused: $dirref is a directory a listing stopped at; list odd with a greater depth", "a directory's reference as $arg of $tool");
}
has(ls($d, directory => 'ref:99999')->{text}, "error: 'ref:99999': not found", 'a reference to nothing is a name');
unlink "$WS/odd/new\nline";
my ($gone) = map { $_->{ref} } grep { call($d, 'read_file', path_ref => $_->{ref})->{status} eq 'error' } grep { $_->{kind} eq 'file' } @{ $a->{refs} };
ok(defined $gone, 'one whose file went is an error');
lacks(call($d, 'read_file', path_ref => $gone)->{text}, 'new', 'worded about the reference');
system('rm', '-rf', "$WS/odd");

# --- what cannot be read -----------------------------------------------------------------------
put('locked/x', '');
chmod 0, "$WS/locked";
if ($root) {
	skip($_, 'root reads everything') for 'the named directory', 'a nested one', 'its status', 'not named';
} else {
	is(ls($d, directory => 'locked')->{text}, "error: 'locked': permission denied", 'the named directory');
	$a = ls($d);
	has($a->{text}, "\n\n[part of this tree could not be read and is missing here]", 'a nested one');
	is($a->{status}, 'partial', 'its status');
	lacks($a->{text}, 'locked', 'not named');
}
chmod 0755, "$WS/locked";
system('rm', '-rf', "$WS/locked");
# deeper than any path argument
{
	my ($deep, $level) = ('', 0);
	my $at = "$WS/deep0";
	mkdir $at;
	chdir $at or die;
	for (1 .. 60) { mkdir 'd' x 100 or last; chdir 'd' x 100 or last; $level++ }
	open my $f, '>', 'bottom';
	close $f;
	chdir '/';
	$a = ls($d, directory => 'deep0');
	is($a->{status}, 'partial', 'a tree deeper than a path may be long');
	has($a->{text}, 'could not be read and is missing here', 'is said to be incomplete');
	system('rm', '-rf', $at);
}

# --- the cap -------------------------------------------------------------------------------------
mkdir "$WS/many";
put("many/f$_", '') for 1 .. 2000;
$a = ls($d, directory => 'many');
is("$a->{status} $a->{data}{entries}", 'ok 2000', '2,000 files');
lacks($a->{text}, 'stopped at', 'are not too many');
put('many/f2001', '');
$a = ls($d, directory => 'many');
is("$a->{status} $a->{data}{entries}", 'partial 2000', '2,001 are');
has($a->{text}, "\n\n[stopped at 2000 entries, incomplete; list a subdirectory]", 'and that is said');
is(ls($d, directory => 'many', pattern => 'f2*')->{status}, 'ok', 'the filter comes before the cap');
unlink "$WS/many/f2001", "$WS/many/f2000";
mkdir "$WS/many/sub";
$a = ls($d, directory => 'many', depth => 1);
is("$a->{status} $a->{data}{entries} $a->{data}{directories}", 'ok 2000 1', '1,999 files and a directory');
mkdir "$WS/many/sub2";
is(ls($d, directory => 'many', depth => 1)->{status}, 'partial', 'and one more directory is too many');
is(finish($d), 0, 'the session ends with 0');

# --- what one line of the protocol holds -----------------------------------------------------------
my $deep = 'wide/' . join '/', ('d"' x 120) x 4;
put("$deep/" . sprintf('%04d', $_), '') for 1 .. 1900;
$d = drive(opt => ['--trust']);
$a = ls($d, directory => 'wide');
my $kept = rows($a);
ok(length($d->{raw}) < 1 << 20, 'names of 1,000 bytes with escapes stay below 1 MiB', length $d->{raw});
is("$a->{status} $a->{data}{truncated}", "partial 1", 'partial');
ok($kept > 400 && $kept < 1900, 'most of what fits is there', $kept);
is($a->{data}{entries}, $kept, 'and is counted');
has($a->{text}, "\n\n[stopped at $kept entries, incomplete; list a subdirectory]", 'and that is said');
is((rows($a))[0], "$deep/0001", 'the first ones');
is(ls($d, directory => 'wide', pattern => '000*')->{status}, 'ok', 'a pattern gets through');
is(finish($d), 0, 'ends with 0');
system('rm', '-rf', "$WS/wide");

# --- held back ------------------------------------------------------------------------------------
$d = drive();
$a = ls($d, directory => 'sub', depth => 1);
is($a->{text}, qq(2 entries in "sub", names withheld; pass a file's reference as path_ref; list deeper to reach into a directory\n\n)
	. "[ref:0] file (U,priv)\n[ref:1] directory (U,priv)", 'one reference an entry, files first');
is($json->encode($a->{refs}), '[{"kind":"file","label":"(U,priv)","ref":"ref:0"},{"kind":"directory","label":"(U,priv)","ref":"ref:1"}]', 'no size, no origin');
is("$a->{status} $a->{label}", 'ok (U,priv)', 'a success');
has(call($d, 'read_file', path_ref => 'ref:1')->{text}, 'refused: ref:1 is a directory a listing stopped at', 'a directory is no file');
matches(call($d, 'read_file', path_ref => 'ref:0')->{text}, qr/^ref:0 already is that file/, 'a file held back stays so');
is(ls($d, directory => 'empty')->{text}, '(no files)', 'an empty listing is visible');
is(ls($d, directory => 'many')->{status}, 'ok', 'many entries held back');
put('many/f2000', ''), put('many/f2001', '');
$a = ls($d, directory => 'many');
has($a->{text}, '[stopped at 2000 entries, incomplete; list a subdirectory]', 'the notice stands beside what is held back');
is(scalar @{ $a->{refs} }, 2000, 'with 2,000 references');
has(ls($d, directory => 'sub', pattern => 'one*')->{text}, '1 entry in "sub"', 'one entry is said as one');
my $had = 4007;
while ($had + 2000 <= 50000) {
	$a = ls($d, directory => 'many', pattern => 'f*');
	last if $a->{status} ne 'partial';
	$had = substr($a->{refs}[-1]{ref}, 4) + 1;
}
$a = ls($d, directory => 'many', pattern => 'f*');
is("$a->{status} $a->{code} $a->{gate} $a->{text}", "refused busy reference refused: this session already holds $had references of at most 50000; "
	. 'list with a pattern or a smaller depth, or begin a new session', 'references have a bound');
is(scalar @{ $a->{refs} }, 0, 'none is given then');
is(ls($d, directory => 'many', pattern => 'f1*')->{status}, 'ok', 'a narrower listing finds room') if $had <= 49000;
while ($had < 50000) {
	$a = call($d, 'read_file', path => 'sub/one.c');
	last if $a->{status} ne 'ok';
	$had = substr($a->{refs}[0]{ref}, 4) + 1;
}
is($had, 50000, 'it is filled to the last');
for (['read_file', path => 'sub/one.c'], ['search', pattern => 'o|x', directory => 'sub'], ['list_files', directory => 'sub']) {
	$a = call($d, @$_);
	is("$a->{status} $a->{code}", 'refused busy', "then $$_[0] is refused");
}
is(ls($d, directory => 'empty')->{text}, '(no files)', 'and what needs none is not');
is(finish($d), 0, 'ends with 0');

# --- an added directory ------------------------------------------------------------------------
put("$T/added/in/x.c", "added\n");
$d = drive(opt => ['--trust', '--add-dir', "$T/added"]);
is(names(ls($d, directory => "$T/added")), "$T/added/in/x.c", 'its paths are absolute');
is(names(ls($d, directory => "$T/added", pattern => 'in/*.c')), "$T/added/in/x.c", 'a pattern from that directory');
matches(rd($d, "$T/added/in/x.c")->{text}, qr/\Aadded\n\n\[token/, 'and its files are read by the same name');
is(ls($d, directory => "$T/out")->{status}, 'refused', 'another one is not open');
is(finish($d), 0, 'ends with 0');
done();

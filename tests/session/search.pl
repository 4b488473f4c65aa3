# search as a planner meets it: lines, context, lists, case, include, pages, the kinds of
# nothing, what is said to be missing, faults of patterns, and a tree trusted in parts.
# What needs a helper that lies is in liar-search.sh. Run by search.sh.
use strict;
use warnings;
use JSON::PP;
use POSIX qw(mkfifo);
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my $root = $> == 0;
my ($d, $a);

sub se { my ($x, $pattern, %more) = @_; return call($x, 'search', pattern => $pattern, %more) }
sub text { my ($pattern, %more) = @_; return se($d, $pattern, %more)->{text} }
sub typed {
	my ($opt, @lines) = @_;
	open my $f, '>', "$T/typed" or die;
	print $f map { "$_\n" } @lines;
	close $f;
	return `LC_ALL=C.UTF-8 TERM=xterm "$BIN/bb" -C "$WS" @$opt --approver none --color never <"$T/typed" 2>&1`;
}

put('README', "Shop\nneedle in front\n");
put('src/a.c', "one\nNeedle two\nthree needle\nfour\nfive\nsix\nseven needle\n");
put('src/deep/b.h', "needle\r\nlast needle");
put('src/empty', '');
put('doc/x.txt', "no\n");

# --- lines ---------------------------------------------------------------------------------
$d = drive(opt => ['--trust']);
$a = se($d, 'needle');
is($a->{text}, "README:2: needle in front\nsrc/a.c:3: three needle\nsrc/a.c:7: seven needle\nsrc/deep/b.h:1: needle\nsrc/deep/b.h:2: last needle",
	'matching lines, own files first, then down');
is("$a->{status} $a->{label}", 'ok (T,priv)', 'complete and visible');
is($json->encode([@{ $a->{data} }{qw(matches total selected read held_back links binary)}]), '[5,5,5,5,0,0,0]', 'with numbers');
is(scalar @{ $a->{refs} }, 0, 'and no reference');
ok(!exists $a->{data}{next}, 'no next page');
is(text('Needle'), 'src/a.c:2: Needle two', 'case counts');
has(text('NEEDLE', case_sensitive => JSON::PP::false()), 'src/a.c:2: Needle two', 'unless told otherwise');
is(text('(?i)NEEDLE T'), 'src/a.c:2: Needle two', 'by the pattern too');
is(text(['^one$', '^six$']), "src/a.c:1: one\nsrc/a.c:6: six", 'a list is alternation');
is(text(['^one$']), 'src/a.c:1: one', 'a list of one');
is(text('needle$', directory => 'src/deep'), "src/deep/b.h:1: needle\nsrc/deep/b.h:2: last needle", 'paths are of the workspace; CR belongs to the end of a line');
is(text('needle', directory => 'src//deep/.'), text('needle', directory => 'src/deep'), 'a name is normalised');
is(text('^needle', directory => ''), "README:2: needle in front\nsrc/deep/b.h:1: needle", 'an empty directory is absent');
is(text('^one$', context => 1), "src/a.c:1: one\nsrc/a.c-2- Needle two", 'context behind');
is(text('needle$', directory => 'src', include => '*.c', context => 1),
	"src/a.c-2- Needle two\nsrc/a.c:3: three needle\nsrc/a.c-4- four\n--\nsrc/a.c-6- six\nsrc/a.c:7: seven needle", 'context on both sides, groups apart');
is(text('five', context => 99), text('five', context => 10), 'more context than 10 is 10');
is(text('five', context => 0), 'src/a.c:5: five', 'context 0');
is(text('^needle', offset => 0), text('^needle', offset => 1), 'offset 0 counts as absent');
is(text('  '), '(no matching lines in the 5 files read)', 'a pattern of blanks is a pattern');

# --- include -------------------------------------------------------------------------------
is(text('needle$', include => '*.h'), "src/deep/b.h:1: needle\nsrc/deep/b.h:2: last needle", 'include by name');
is(text('needle$', include => 'src/**/*.{c,h}'), text('needle$', directory => 'src'), 'by path from the root');
is(text('needle$', include => 'deep/*', directory => 'src'), text('needle$', directory => 'src/deep'), 'by path from the directory');
is(text('^one$', include => ''), 'src/a.c:1: one', 'an empty one is absent');
is(se($d, 'x', include => 'y' x 5000)->{text}, "error: 'include' may be 4096 bytes and hold no NUL", 'a long one');
is(raw($d, qq({"id":1,"tool":"search","args":{"pattern":"a","include":"a\\u0000b"}}))->{status}, 'error', 'one with a NUL');

# --- kinds of nothing ------------------------------------------------------------------------
is(text('zebra'), '(no matching lines in the 5 files read)', 'nothing in what was read');
is(text('zebra', directory => 'doc'), '(no matching lines in the 1 file read)', 'in one file');
is(text('a', include => '*.zig'), "(include '*.zig' selected no file, so nothing was read)", 'nothing was read');
mkdir "$WS/void";
is(text('a', directory => 'void'), "(there is no file to search in 'void')", 'nothing there');
for (['*.[ch]', 'a glob has no [...] classes; write each as in {a,b}'], ['!*.c', 'a glob has no negation, so ! is an ordinary character'],
	['a\\*', 'a glob has no escapes, so \\ is an ordinary character'], ['{1..9}.c', 'a glob has no {1..9} ranges; write each as in {1,2,3}'],
	['./*.c', 'a glob begins without ./ and without /'], ['/src/*.c', 'a glob begins without ./ and without /'],
	['src/', 'a glob names files, so it does not end in /; write /** behind a directory'],
	['*.{c', 'its braces do not close or make more than 64 globs, so they are ordinary characters'],
	['{a,b}' x 7, 'its braces do not close or make more than 64 globs, so they are ordinary characters'],
	['*.c,*.h', 'only a comma between braces separates, as in *.{c,h}'], ['*.c|*.h', 'only a comma between braces separates, as in *.{c,h}'],
	['@(a|b)', 'a glob has no (...) groups; write alternatives as {a,b}'], ['doc/a**b', '** stands alone between slashes, elsewhere it is a plain *']) {
	my ($g, $says) = @$_;
	is(text('a', include => $g), "(include '$g' selected no file, so nothing was read: $says)", "glob $g: what it leans on");
}
put('[id].c', "x\n");
is(text('x', include => '[id].c'), '[id].c:1: x', 'a bracket that is a name is not blamed');
unlink "$WS/[id].c";
$a = se($d, 'needle', offset => 9);
is($a->{text}, '(no match at offset 9: 5 matches in all)', 'an offset past the end says how many there are');
is("$a->{data}{total} $a->{data}{matches} $a->{status}", '5 0 ok', 'as numbers too');
is(text('zebra', offset => 9), '(no matching lines in the 5 files read)', 'what is not there is not there at any offset');

# --- pages -----------------------------------------------------------------------------------
put('many/f', join '', map { "row $_\n" } 1 .. 450);
$a = se($d, 'row', directory => 'many');
is("$a->{status} $a->{data}{matches} $a->{data}{next}", 'partial 200 201', 'a page of 200');
has($a->{text}, "\n\n[stopped at 200 matches, incomplete; next offset 201]", 'says where to go on');
my ($at, @all) = (1);
while (defined $at) {
	$a = se($d, 'row', directory => 'many', offset => $at);
	push @all, rows($a);
	$at = $a->{data}{next};
}
is(join(' ', map { (split ' ')[-1] } @all), join(' ', 1 .. 450), 'pages tile the matches');
is($a->{status}, 'ok', 'the last one is complete');
put('many/f', join '', map { "row $_\n" } 1 .. 200);
$a = se($d, 'row', directory => 'many');
is("$a->{status} $a->{data}{matches}", 'ok 200', 'exactly 200 are complete');
is(se($d, 'row', directory => 'many', offset => 201)->{text}, '(no match at offset 201: 200 matches in all)', 'and 201 is past them');
put('many/f', join '', map { "row $_\n" } 1 .. 201);
is(se($d, 'row', directory => 'many')->{status}, 'partial', '201 are not');
put('many/f', 'y' x 3000 . "\nz" . "\xc3\xa9" x 1000 . "\n");
$a = se($d, 'y|z', directory => 'many');
has($a->{text}, "\n\n[2 lines cut at 500 bytes]", 'long lines are cut, and that is said');
ok(length((rows($a))[0]) < 520, 'to about that', length((rows($a))[0]));
system('rm', '-rf', "$WS/many", "$WS/void");

# --- what is left out, what cannot be read -------------------------------------------------------
put('odd/bin', "needle\0\n");
put('odd/latin', "caf\xe9 needle\n");
put("odd/new\nline", "needle\n");
put('odd/node_modules/x/y.js', "needle\n");
put('odd/.gitignore', "evil.c\n");
put('odd/evil.c', "needle\n");
mkfifo("$WS/odd/fifo", 0644);
symlink 'evil.c', "$WS/odd/link";
symlink 'nowhere', "$WS/odd/broken";
$a = se($d, 'needle', directory => 'odd');
has($a->{text}, 'odd/evil.c:1: needle', 'an ignore file hides nothing');
lacks($a->{text}, 'node_modules', 'directories of the fixed list are not walked');
has($a->{text}, "odd/latin:1: caf\xef\xbf\xbd needle", 'a byte that is no UTF-8 is shown as U+FFFD');
has($a->{text}, "odd/new\xef\xbf\xbdline:1: needle", 'a name cannot forge a line');
has($a->{text}, "\n\n[not searched: 1 binary file, 2 links (not followed), 1 FIFO, socket or device]", 'what is left out is counted');
has($a->{text}, "\n\n[1 file is not UTF-8 throughout: what is not shows as U+FFFD]", 'and what is no UTF-8');
is($a->{status}, 'ok', 'nothing of it makes an answer incomplete');
symlink 'odd', "$WS/way";
has(text('needle', directory => 'way'), 'way/evil.c:1: needle', 'a link named outright is searched');
symlink '/etc', "$WS/out";
is(se($d, 'root', directory => 'out')->{gate}, 'confine', 'one that leads out is refused');
unlink "$WS/out", "$WS/way";
chmod 0, "$WS/odd/evil.c";
mkdir "$WS/odd/shut", 0;
if ($root) {
	skip($_, 'root reads everything') for 'a file that cannot be opened', 'its status', 'a directory that cannot', 'its status';
} else {
	$a = se($d, 'needle', directory => 'odd');
	has($a->{text}, "\n\n[could not be read and missing here: 1 file, 1 directory]", 'what cannot be read is counted');
	is($a->{status}, 'partial', 'a directory is a part that is missing');
	rmdir "$WS/odd/shut";
	is(se($d, 'needle', directory => 'odd')->{status}, 'ok', 'a file is counted');
	is(se($d, 'needle', directory => 'odd')->{data}{unopened}, 1, 'as a number');
}
chmod 0755, "$WS/odd/shut";
system('rm', '-rf', "$WS/odd");

# --- faults of patterns -----------------------------------------------------------------------
for (['ab(?=c)', 'lookahead (?=...) at character 3 is not supported: match what is looked for as part of the line', 'unsupported-group', 2],
	['(?!a)', 'negative lookahead (?!...) at character 1 is not supported: match without it and leave lines out yourself', 'unsupported-group', 0],
	['(?<=a)b', 'lookbehind (?<=...) at character 1 is not supported: match what stands before as part of the line', 'unsupported-group', 0],
	['(?<!a)b', 'negative lookbehind (?<!...) at character 1 is not supported: match without it and leave lines out yourself', 'unsupported-group', 0],
	['(?P<n>a)', 'a named group (?P<...) at character 1 is not supported: write (...)', 'unsupported-group', 0],
	['(?<n>a)', 'a named group (?<...>...) at character 1 is not supported: write (...)', 'unsupported-group', 0],
	['(?>a)', 'an atomic group (?>...) at character 1 is not supported: write (?:...), nothing here backtracks', 'unsupported-group', 0],
	['(?m)^a', 'flag m at character 1 is not supported: ^ and $ mean the line already', 'unsupported-group', 0],
	['(?is)a', 'flag s at character 1 is not supported: a match never passes the end of a line', 'unsupported-group', 0],
	['(?)', '(?) at character 1 is not supported: it sets no flag, leave it out', 'unsupported-group', 0],
	['(?-)', 'a (? form at character 1 is not supported: only (?:...), (?i), (?-i) and (?i:...) are', 'unsupported-group', 0],
	['é\1', 'backreference \1 at character 2 is not supported: write the text itself', 'unknown-escape', 1],
	['\x41', 'character code \x at character 1 is not supported: write the character itself', 'unknown-escape', 0],
	['\p{L}', 'property \p at character 1 is not supported: use \w, \d, \s or a class such as [a-z]', 'unknown-escape', 0],
	['\Aa', '\A at character 1 is not supported: ^ is the beginning of a line', 'unknown-escape', 0],
	['a\z', '\z at character 2 is not supported: $ is the end of a line', 'unknown-escape', 1],
	['\q', '\q at character 1 means nothing here: a letter is written without its backslash', 'unknown-escape', 0],
	['*ab', 'nothing stands before the * at character 1 that it could repeat: write \* for the character itself', 'nothing-to-repeat', 0],
	['a|+', 'nothing stands before the + at character 3 that it could repeat: write \+ for the character itself', 'nothing-to-repeat', 2],
	['^*', '^ at character 1 is a place and cannot be repeated: leave the repeat out, or write (^)', 'nothing-to-repeat', 0],
	['\B*', '\B at character 1 is a place and cannot be repeated: leave the repeat out, or write (\B)', 'nothing-to-repeat', 0],
	['(?i)*a', 'the flags at character 1 cannot be repeated: leave the repeat out', 'nothing-to-repeat', 0],
	['(ab', 'the ( at character 1 is not closed: add its ), or write \( for the character itself', 'unclosed-group', 0],
	['ab)', 'the ) at character 3 closes no group: write \) for the character itself', 'unmatched-paren', 2],
	['x[abc', 'the [ at character 2 is not closed: add its ] (one right behind it is a member), or write \[ for the character itself', 'unclosed-class', 1],
	['[z-a]', 'the range z-a in the class at character 1 runs backwards: write a-z', 'reversed-range', 0],
	['ab\\', 'the backslash at character 3 ends it: write \\\\ for the character itself', 'dangling-escape', 2],
	['(' x 51 . 'a' . ')' x 51, 'the group at character 51 is nested deeper than 50: write it flatter', 'deep', 50],
	['a' x 1001, 'it has 1001 characters and 1000 are the most: split it into a list', 'long', 0],
	['', 'it is empty: give a regular expression', 'empty', 0]) {
	my ($p, $says, $fault, $where) = @$_;
	my $short = length $p > 20 ? substr($p, 0, 8) . '...' : $p;
	$a = se($d, $p);
	is($a->{text}, "error: 'pattern': $says", "fault of $short");
	is("$a->{code} $a->{data}{fault} $a->{data}{at}", "bad-argument $fault $where", "$short: its code");
}
$a = se($d, ['a', '(b']);
is($a->{text}, "error: 'pattern' 2 of 2: the ( at character 1 is not closed: add its ), or write \\( for the character itself", 'which of a list');
is($a->{data}{pattern}, 1, 'as a number');
is(text(['a', '']), "error: 'pattern' 2 of 2: it is empty: give a regular expression", 'an empty one in a list');
is(text([]), "error: 'pattern': an empty list: give one regular expression or more", 'an empty list');
is(text([('a') x 129]), "error: 'pattern': the list has 129 members and 128 are the most: search more than once", '129 of them');
is(text([('a' x 1000) x 17]), "error: 'pattern': the list is longer than 16000 characters together: search more than once", '17,000 characters');
is(text([("\x{1f600}" x 990) x 16], directory => '.'), '(no matching lines in the 5 files read)', '63,000 bytes of them are sent');
matches(text([("\x{1f600}" x 1000) x 16], include => "\x{1f600}" x 1000), qr/^error: 'pattern' is 64015 bytes, too many beside the directory and the include: search more than once$/, 'what a request cannot hold');
is(call($d, 'search')->{text}, "error: 'pattern' is required", 'no pattern');
for ('5', 'true', '{}', '["a",5]', '[["a"]]') {
	is(raw($d, qq({"id":1,"tool":"search","args":{"pattern":$_}}))->{text}, "error: 'pattern' must be a string or a list of strings", "pattern $_");
}
is(raw($d, '{"id":1,"tool":"search","args":{"pattern":"a","case_sensitive":1}}')->{text}, "error: 'case_sensitive' must be true or false", 'case_sensitive 1');
is(text('a', offset => -1), "error: 'offset' must not be negative", 'offset -1');
is(text('a', context => -1), "error: 'context' must not be negative", 'context -1');
is(text('a', directory => 'README'), "error: 'README' is not a directory", 'a file is no directory');
is(se($d, 'a', directory => 'none')->{code}, 'not-found', 'a missing one');
for ('..', '/etc', '../ws', '~') {
	$a = se($d, 'a', directory => $_);
	is("$a->{status} $a->{gate}", 'refused confine', "directory $_");
}
is(call($d, 'search', pattern => 'a', path => 'x')->{text}, "error: 'path' is not an argument of search", 'an unknown argument');

# --- schemas --------------------------------------------------------------------------------------
my $both = '[{"type":"string"},{"items":{"type":"string"},"minItems":1,"type":"array"}]';
for (['openai', sub { $_[0]{function}{parameters} }, sub { $_[0]{function}{name} }], ['anthropic', sub { $_[0]{input_schema} }, sub { $_[0]{name} }], ['mcp', sub { $_[0]{inputSchema} }, sub { $_[0]{name} }]) {
	my ($form, $schema, $name) = @$_;
	my ($t) = grep { $name->($_) eq 'search' } @{ raw($d, qq({"id":7,"tools":"$form"}))->{data}{tools} };
	is($json->encode($schema->($t)->{properties}{pattern}{anyOf}), $both, "$form: a pattern is a string or a list");
	is($json->encode($schema->($t)->{required}), '["pattern","why"]', "$form: it is required");
	is($json->encode($schema->($t)->{properties}{case_sensitive}{default}), 'true', "$form: a default");
}
is(finish($d), 0, 'the session ends with 0');

# --- the command line, the transcript, the log -------------------------------------------------------
my ($out, $rc) = bb('--trust', 'call', 'search', 'pattern=^one$');
is("$rc $out", "0 src/a.c:1: one\n", 'bb call with one pattern');
($out, $rc) = bb('--trust', 'call', 'search', 'pattern:=["^one$","^six$"]', 'case_sensitive=false', 'context=0');
is("$rc $out", "0 src/a.c:1: one\nsrc/a.c:6: six\n", 'and with a list');
($out, $rc) = bb('--trust', 'call', 'search', 'pattern:=[');
is("$rc", 2, 'what is no JSON is wrong use');
($out, $rc) = bb('--trust', 'call', 'search', 'pattern=(');
is("$rc", 2, 'a faulty pattern is wrong use');
$out = typed(['--trust'], ',search pattern=needle$ directory=src/deep "why=who says it"', ',search pattern:=\'["a","b"]\' directory=..');
matches($out, qr/^  search   "needle\$" in src\/deep  +who says it$/m, 'the transcript says what is looked for');
has($out, "2 matches in 1 file read\n", 'and what came of it');
has($out, "refused  \"a\" or \"b\" in ..", 'a refusal too');
($out) = bb('log', '-n', '2');
has($out, 'search      "needle$" in src/deep', 'and the log');
has($out, 'search.pattern [routing] trusted, public', 'with its gates');
($out) = bb('--trust=src', 'power', 'search', 'pattern=x');
has($out, 'directory, to search files beneath it', 'bb power: the descriptor');
has($out =~ s/\s+/ /gr, 'trusted in parts: one process for 1 trusted directories and files, one for 2 others (Landlock)', 'the parts');
($out, $rc) = bb('--trust', 'power', 'search');
is($out, "error: 'pattern' is required\n", 'and what is missing');
($out) = bb('--trust', 'power', 'search', 'pattern:=["a","b"]', '--by-hand');
has($out, 'bb-search 3<', 'the line by hand');

# --- trusted in parts ----------------------------------------------------------------------------------
put('vendor2/z.c', "needle of a stranger: CANARY\nsecond needle CANARY\n");
put('top.c', "needle CANARY at the top\n");
$d = drive(opt => ['--trust=src']);
$a = se($d, 'needle');
is((split /\n\n/, $a->{text})[0], "src/a.c:3: three needle\nsrc/a.c:7: seven needle\nsrc/deep/b.h:1: needle\nsrc/deep/b.h:2: last needle", 'trusted lines as text');
has($a->{text}, "\n\nand 4 more lines in files you may not read: ref:0\n[ref:0] search in . (4 lines, ", 'the others are one reference');
lacks($json->encode($a), 'CANARY', 'not a byte of them');
lacks($json->encode($a), 'vendor2', 'nor a name');
is($a->{label}, '(T,priv)', 'its label');
is($json->encode([map { "$_->{ref} $_->{kind} $_->{label} $_->{lines} $_->{origin}" } @{ $a->{refs} }]), '["ref:0 content (U,priv) 4 search in ."]', 'the reference');
is("$a->{data}{matches} $a->{data}{held_back} $a->{data}{total}", '4 4 8', 'the numbers');
$a = se($d, 'stranger');
has($a->{text}, "(no matching lines in the 3 files you may read)\n\n1 line in files you may not read: ref:1\n", 'none here, one there');
is($a->{label}, '(U,priv)', 'nothing but what is held back');
$a = se($d, 'zebra');
is("$a->{text} $a->{label}", '(no matching lines in the 7 files read) (T,priv)', 'none anywhere');
is(scalar @{ $a->{refs} }, 0, 'no reference to nothing');
is(text('needle', directory => 'src', include => '*.c'), "src/a.c:3: three needle\nsrc/a.c:7: seven needle", 'beneath the rule nothing is held back');
$a = se($d, 'CANARY', directory => 'vendor2', context => 1);
matches($a->{text}, qr/\A2 lines in files you may not read: ref:2\n\[ref:2\] search in vendor2 \(\d+ bytes, \(U,priv\)\)\nits content is held back\z/, 'beside it everything, with context');
is(se($d, 'needle', offset => 5)->{text}, '(no match at offset 5: 4 matches here and 4 in files you may not read)', 'past the end of both parts');
put('vendor2/more', "needle\n" x 300);
$a = se($d, 'needle');
has($a->{text}, '[stopped at 200 matches, incomplete; next offset 201]', 'the notice stands beside the reference');
is("$a->{status} $a->{data}{held_back}", 'partial 200', 'a page of it');
$a = se($d, 'needle', offset => 201);
is($a->{data}{held_back}, 104, 'and the rest of it');
has($a->{text}, "(no match at offset 201 in the files you may read: 4 matches there)\n\n104 lines in files you may not read:", 'where one part has no more');
is(call($d, 'read_file', path_ref => 'ref:0')->{gate}, 'reference', 'it is no file');
is(finish($d), 0, 'ends with 0');
lacks($d->{raw}, 'CANARY', 'nothing of a stranger in the whole session');
$d = drive(opt => ['--trust=top.c', '--trust=src/deep']);
is((split /\n\n/, text('needle'))[0], "top.c:1: needle CANARY at the top\nsrc/deep/b.h:1: needle\nsrc/deep/b.h:2: last needle", 'a file as the boundary');
finish($d);
$out = typed(['--trust'], '/distrust vendor2', '/distrust top.c', ',search pattern=needle', '/show ref:0');
has($out, '│ src/deep/b.h:2: last needle', 'distrusted beneath trusted');
has($out, '5 matches in ', 'counted');
has($out, '200 held back (ref:0)', 'with what is held back');
has($out, '│ top.c:1: needle CANARY at the top', 'the person looks at it');
$d = drive();
$a = se($d, 'needle');
matches($a->{text}, qr/\A200 lines in files you may not read: ref:0\n/, 'nothing trusted: one reference');
is($a->{label}, '(U,priv)', 'its label');
finish($d);
lacks($d->{raw}, $_, "no '$_'") for 'needle in front', 'CANARY', 'a.c';

# Without a Landlock rule left: 300 files beside a boundary.
put("wide/f$_", "needle\n") for 1 .. 300;
put('wide/bad/x', "needle CANARY\n");
$out = typed(['--trust'], '/distrust wide/bad', ',search pattern=needle directory=wide');
has($out, 'everything found is held back; search a subdirectory', 'above 256 rules the whole is one reference');
lacks($out, 'wide/f1:', 'no line of it');
is(scalar(() = $out =~ /\[ref:\d+\]/g), 1, 'one');

# An added directory.
put("$T/added/in/x.c", "added needle\n");
$d = drive(opt => ['--trust', '--add-dir', "$T/added"]);
is(text('added', directory => "$T/added"), "$T/added/in/x.c:1: added needle", 'its paths are absolute');
finish($d);
done();

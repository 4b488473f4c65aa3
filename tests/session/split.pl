# A tree trusted in parts: the trusted names are text, each of the others a reference,
# and which is which follows the map alone. Run by split.sh.
use strict;
use warnings;
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my ($d, $a);
sub names { return join ' ', rows($_[0]) }
put($_, "x\n") for qw(src/a.c src/lib/b.c src2/c.c README doc/d.md doc/e/f.md node_modules/m src/vendor/v);
symlink 'a.c', "$WS/src/link";
symlink 'src', "$WS/link2";

$d = drive(opt => ['--trust=src']);
$a = ls($d);
is(names($a), 'src/a.c src/lib/b.c', 'one trusted directory: its names');
has($a->{text}, "\n\n4 entries in \".\", names withheld;", 'the others are counted');
is(scalar(grep { $_->{kind} eq 'file' } @{ $a->{refs} }), 4, 'and each is a reference');
lacks($json->encode($a), $_, "'$_' is not named") for 'src2', 'README', 'doc', 'node_modules', 'vendor';
has($a->{text}, '[2 links left out]', 'links of both parts are counted');
is("$a->{data}{entries} $a->{data}{held_back}", '6 4', 'counts');
is(call($d, 'read_file', path_ref => $_->{ref})->{status}, 'ok', "$_->{ref} names a file") for @{ $a->{refs} };
$a = ls($d, depth => 1);
is(names($a), 'src/', 'depth 1: the trusted directory');
is(scalar @{ $a->{refs} }, 3, 'a file and two directories held back');
$a = ls($d, depth => 2);
is(names($a), 'src/a.c src/lib/', 'depth 2: below a rule');
is(scalar @{ $a->{refs} }, 4, 'the others');
$a = ls($d, directory => 'src');
is(names($a), 'src/a.c src/lib/b.c', 'beneath the rule nothing is held back');
is($a->{label}, '(T,priv)', 'its label');
is(scalar @{ $a->{refs} }, 0, 'no reference');
$a = ls($d, directory => 'doc');
is($a->{label}, '(U,priv)', 'beside it everything');
is(names(ls($d, pattern => '*.c')), 'src/a.c src/lib/b.c', 'a pattern on both parts');
is(scalar @{ ls($d, pattern => '*.c')->{refs} }, 1, 'one hit held back');
is(ls($d, pattern => 'README')->{data}{held_back}, 1, 'a file on the way');
is(names(ls($d, pattern => 'src/*.c')), 'src/a.c', 'a pattern with a slash');
is(finish($d), 0, 'ends with 0');

# --- a file as the boundary; two; nested ------------------------------------------------------
$d = drive(opt => ['--trust=README', '--trust=doc/e/f.md']);
$a = ls($d);
is(names($a), 'README doc/e/f.md', 'single files');
is(scalar @{ $a->{refs} }, 4, 'the rest held back');
$a = ls($d, depth => 1);
is(names($a), 'README', 'depth 1: the file');
is(scalar @{ $a->{refs} }, 3, 'directories held back, those on the way too');
is(names(ls($d, directory => 'doc', depth => 2)), 'doc/e/f.md', 'below a directory on the way');
is(finish($d), 0, 'ends with 0');
$d = drive(opt => ['--trust=src', '--trust=src2/c.c', '--trust=not/there', '--trust=src/lib']);
is(names(ls($d)), 'src/a.c src/lib/b.c src2/c.c', 'rules within a rule, and one for nothing');
finish($d);

# --- distrusted beneath trusted, typed by the person --------------------------------------------
sub typed {
	my ($opt, @lines) = @_;
	open my $f, '>', "$T/lines";
	print $f "$_\n" for @lines;
	close $f;
	return join '', grep { !/^(> |held back from now on)/ } `'$BIN/bb' -C '$WS' @$opt --approver none --color never <'$T/lines' 2>&1`;
}
my $s = typed(['--trust'], '/distrust src/lib', ',list_files');
has($s, 'src/a.c', 'trusted names are there');
lacks($s, 'b.c', 'the distrusted one is not');
matches($s, qr/1 entry in ".", names withheld/, 'it is one entry');
$s = typed(['--trust'], '/distrust src/lib', ',list_files depth=2');
lacks($s, 'src/lib', 'nor is a distrusted directory named where the walk stops');
has($s, '[ref:0] directory (U,priv)', 'it is a reference');
$s = typed(['--trust'], '/distrust doc', '/trust doc/e', ',list_files');
has($s, 'doc/e/f.md', 'trusted beneath distrusted beneath trusted');
lacks($s, 'd.md', 'between them it is held back');
$s = typed(['--trust'], '/distrust src/a.c', ',list_files directory=src');
lacks($s, 'a.c', 'a distrusted file');
has($s, 'src/lib/b.c', 'its siblings stay');

# --- more than 256 parts ----------------------------------------------------------------------
mkdir "$WS/wide";
put("wide/d$_/f", '') for 1 .. 300;
put("wide/bad/UNSEEN", '');
$s = typed(['--trust'], '/distrust wide/bad', ',list_files directory=wide');
has($s, 'held back; list a subdirectory', 'above 256 parts: one answer, and why');
lacks($s, 'wide/d1/f', 'no name is shown');
lacks($s, 'UNSEEN', 'the distrusted one least');
system('rm', '-rf', "$WS/wide/d$_") for 255 .. 300;
$s = typed(['--trust'], '/distrust wide/bad', ',list_files directory=wide');
has($s, 'wide/d254/f', '254 siblings are split');
lacks($s, 'UNSEEN', 'the distrusted name is held back');
system('rm', '-rf', "$WS/wide");

# --- the cap over both parts ------------------------------------------------------------------
put("src/m/$_", '') for 1 .. 1500;
put("doc/m/$_", '') for 1 .. 1500;
$d = drive(opt => ['--trust=src']);
$a = ls($d);
is("$a->{status} $a->{data}{entries}", 'partial 2000', '2,000 over both parts together');
has($a->{text}, '[stopped at 2000 entries, incomplete', 'is said');
is(scalar @{ $a->{refs} }, $a->{data}{held_back}, 'a reference each');
finish($d);

# --- through a link: both names count ------------------------------------------------------------
system('rm', '-rf', "$WS/src/m", "$WS/doc/m");
$s = typed(['--trust'], '/distrust src', ',list_files directory=link2');
has($s, '2 entries in "link2", names withheld', 'a link into a distrusted directory shows no name');
lacks($s, 'b.c', 'of it');
$s = typed(['--trust'], '/distrust src/lib', ',list_files directory=link2');
has($s, 'link2/a.c', 'through a link: what is trusted by both names');
lacks($s, 'b.c', 'and nothing else');
done();

# write_file and edit_file (tools-files 3, 4, 9). Run by write.sh.
use strict;
use warnings;
use POSIX qw(mkfifo);
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my $root = $> == 0;
my ($a, $say, $before);
my $stray = sub { return join ' ', glob("$WS/.bb-* $WS/*/.bb-*") };

my $d = drive(opt => ['--trust', "--trail=$T/trail"], person => sub { $before->() if $before; return $say });
sub wr { my ($p, $c, %more) = @_; return call($d, 'write_file', path => $p, contents => $c, %more) }
sub ed { my ($p, $o, $n, %more) = @_; return call($d, 'edit_file', path => $p, old_text => $o, new_text => $n, %more) }
sub screen { return $d->{asked}[-1]{screen} // '' }
sub asked { return scalar @{ $d->{asked} } }

# --- write ---
$say = 'y';
$a = wr('new/dir/a.txt', "one\ntwo\n", why => 'because');
is("$a->{status} $a->{text}", 'ok created new/dir/a.txt', 'a new file, with its directories');
is(slurp("$WS/new/dir/a.txt"), "one\ntwo\n", 'its bytes');
is(sprintf('%04o', (stat "$WS/new/dir/a.txt")[2] & 07777), sprintf('%04o', 0666 & ~umask), 'its mode');
has(screen(), 'new, 2 lines, 8 bytes', 'the prompt says how much');
has(screen(), "\x{2502} two", 'and shows all of it');
has(screen(), 'because', 'and why');
is($d->{asked}[-1]{kind}, 'write', 'its kind');
is($a->{label}, '(T,priv)', 'its label');
$a = wr('new/dir/a.txt', "one\n2\n");
is($a->{text}, 'replaced new/dir/a.txt, which was already there', 'replaced');
has(screen(), "1 place, +1 -1", 'the places counted');
has(screen(), "   2 - two\n\x{2502}    2 + 2", 'the lines that differ');
my $n = asked();
$a = wr('new/dir/a.txt', "one\n2\n");
is("$a->{status} $a->{text}", 'ok new/dir/a.txt already holds that; nothing to do', 'an equal write');
is(asked(), $n, 'is not asked about');
is(wr('empty', '')->{text}, 'created empty', 'empty contents');
is(-s "$WS/empty", 0, 'are an empty file');
has(screen(), 'new, empty', 'said so');
put('m.sh', "#!/bin/sh\n");
chmod 0755, "$WS/m.sh";
wr('m.sh', "#!/bin/sh\ntrue\n");
is(sprintf('%04o', (stat "$WS/m.sh")[2] & 07777), '0755', 'mode kept');
has(screen(), 'mode 0755 kept', 'and said');
put('h', "old\n");
link "$WS/h", "$WS/h2";
wr('h', "new\n");
is(slurp("$WS/h2"), "old\n", 'a hard link keeps the old text');
has(screen(), '1 other name (a hard link) keeps the old text', 'and the prompt says so');
put('crlf', "a\r\nb\r\n");
wr('crlf', "a\nb\n");
has(screen(), 'CRLF -> LF', 'a change of line ends in words');
wr('.envrc', "x\n");
has(screen(), 'other programs act on this file', 'a name that others obey');
put('real', "r\n");
symlink 'real', "$WS/link";
wr('link', "R\n");
is(slurp("$WS/real"), "R\n", 'through a link: its target');
ok(-l "$WS/link", 'the link stays');
like_row(screen(), 'leads to   real');
sub like_row { has($_[0], $_[1], "row $_[1]") }
symlink 'made', "$WS/dangling";
wr('dangling', "m\n");
is(slurp("$WS/made"), "m\n", 'a dangling link: the target is made');
symlink "$T/outside", "$WS/out";
$n = asked();
is(wr('out', 'x')->{status}, 'refused', 'a link outside');
ok(!-e "$T/outside", 'nothing there');
is(wr('../x', 'x')->{code}, 'outside-workspace', 'a path that climbs');
is(wr('new', 'x')->{text}, "error: 'new' is a directory, which cannot be written as a file", 'a directory');
mkfifo("$WS/fifo", 0644);
is(wr('fifo', 'x')->{text}, "error: 'fifo' is not a regular file", 'a FIFO');
is(wr('a/', 'x')->{code}, 'bad-argument', 'a trailing slash');
is(call($d, 'write_file', path => 'q')->{text}, 'error: one of contents or contents_ref is required', 'neither body');
is(call($d, 'write_file', path => 'q', contents => '', contents_ref => 'ref:0')->{text},
	'error: give contents or contents_ref, not both', 'both bodies');
is(call($d, 'write_file', path => 'q', path_ref => 'ref:0', contents => '')->{text}, 'error: give path or path_ref, not both', 'both paths');
is(call($d, 'write_file', path => 'q', contents_ref => 'ref:99')->{text}, 'refused: ref:99 names nothing in this session', 'no such reference');
if ($root) { skip('a read-only file', 'root writes everywhere') } else {
	put('ro', "x\n");
	chmod 0444, "$WS/ro";
	is(wr('ro', 'y')->{text}, "error: 'ro' is read-only", 'a read-only file');
}
is(asked(), $n, 'none of these was asked about');
$say = 'n';
$a = wr('real', 'no');
is("$a->{status} $a->{code} $a->{text}", 'refused declined refused: the user did not approve writing real; do not retry the same write', 'no');
is(slurp("$WS/real"), "R\n", 'and nothing was written');
$a = ed('real', 'R', 'S');
is($a->{text}, 'refused: the user did not approve editing real; do not retry the same edit', 'no to an edit');

# --- stale ---
raw($d, '{"id":"t","turn":"end"}');
$say = 'y';
for my $case (['written meanwhile', sub { put('s', "other\n") }], ['the same length and time', sub {
		my @st = Time::HiRes::stat("$WS/s"); put('s', "OLD\n"); Time::HiRes::utime($st[8], $st[9], "$WS/s") }],
	['replaced', sub { put('s.new', "old\n"); rename "$WS/s.new", "$WS/s" }], ['gone', sub { unlink "$WS/s" }],
	['a link now', sub { unlink "$WS/s"; symlink 'real', "$WS/s" }], ['a directory now', sub { unlink "$WS/s"; mkdir "$WS/s" }]) {
	unlink "$WS/s";
	rmdir "$WS/s";
	put('s', "old\n");
	$before = $case->[1];
	$a = $case->[0] =~ /time|gone/ ? ed('s', 'old', 'new') : wr('s', "new\n");
	is("$a->{status} $a->{code}", 'error stale', "stale: $case->[0]");
	is(slurp("$WS/real"), "R\n", 'nothing elsewhere was written');
	lacks(slurp("$WS/s"), 'new', 'nor there');
	$before = undef;
	raw($d, '{"id":"t","turn":"end"}');
}
rmdir "$WS/s";
$before = sub { put('fresh', "theirs\n") };
is(wr('fresh', "ours\n")->{code}, 'stale', 'stale: a new file came into being');
is(slurp("$WS/fresh"), "theirs\n", 'and is theirs');
mkdir "$WS/dd";
mkdir "$T/elsewhere";
$before = sub { rename "$WS/dd", "$WS/dd.was"; symlink "$T/elsewhere", "$WS/dd" };
ok(wr('dd/x', "ours\n")->{status} ne 'ok', 'a directory swapped for a link');
ok(!-e "$T/elsewhere/x", 'nothing goes through it');
$before = undef;

# --- edit ---
put('e', "alpha\nbeta\ngamma\n");
$a = ed('e', 'beta', "BETA\nx");
is($a->{text}, "     1  alpha\n     2  BETA\n     3  x\n     4  gamma\n\nedited e: 1 replacement", 'an edit and its excerpt');
is(slurp("$WS/e"), "alpha\nBETA\nx\ngamma\n", 'its bytes');
is($d->{asked}[-1]{kind}, 'edit', 'its kind');
$a = ed('e', 'betta', 'x');
has($a->{text}, 'error: old_text is not in e; it must match exactly, including whitespace; read the file again', 'absent');
$a = ed('e', "\tgamma", 'x');
has($a->{text}, 'nearest to it: line 4', 'and what is nearest');
$a = ed('e', 'a', 'x');
has($a->{text}, 'error: old_text occurs 4 times; add surrounding text or set replace_all; it stands in lines 1, 4 and on', 'several times, and where');
put('o', "aaa\n");
has(ed('o', 'aa', 'b')->{text}, 'occurs 2 times', 'overlapping ones count');
$a = ed('o', 'aa', 'b', replace_all => JSON::PP::true());
is(slurp("$WS/o"), "ba\n", 'replaced left to right');
put('r', "x x x\n");
$a = ed('r', 'x', 'xx', replace_all => JSON::PP::true());
has($a->{text}, 'edited r: 3 replacements', 'replace_all with the old text in the new');
is(slurp("$WS/r"), "xx xx xx\n", 'is not looked at again');
is(ed('e', '', 'x')->{text}, 'error: old_text is empty; write_file writes a whole file', 'empty');
is(ed('e', 'x', 'x')->{text}, 'error: old_text and new_text are the same', 'the same');
is(call($d, 'edit_file', path => 'e', old_text => 'x')->{text}, "error: 'new_text' is required", 'no new text');
put('c', "a\r\nb\r\nc\r\n");
ed('c', "a\nb", "A\nB");
is(slurp("$WS/c"), "A\r\nB\r\nc\r\n", 'CR LF kept');
is(ed('c', "A\n", "A\r\n")->{text}, 'error: old_text and new_text are the same', 'equal once converted');
put('mixed', "a\r\nb\nc\r\n");
ed('mixed', 'b', 'B');
is(slurp("$WS/mixed"), "a\r\nB\nc\r\n", 'a mixed file as it is');
put('nl', "a\nb");
ed('nl', 'b', 'c');
is(slurp("$WS/nl"), "a\nc", 'a missing end stays missing');
has(screen(), "\x{23ce} missing", 'and is drawn');
ed('nl', "a\n", '');
is(slurp("$WS/nl"), 'c', 'the first line removed');
put('bom', "\xef\xbb\xbfa\n");
ed('bom', 'a', 'b');
is(slurp("$WS/bom"), "\xef\xbb\xbfb\n", 'a byte order mark stays');
put('bin', "a\0b\n");
is(ed('bin', 'a', 'b')->{text}, "error: 'bin' is binary, not text", 'binary');
put('latin', "caf\xe9 x\n");
is(ed('latin', 'x', 'y')->{code}, 'binary', 'not UTF-8: refused, not folded');
is(slurp("$WS/latin"), "caf\xe9 x\n", 'and untouched');
is(ed('nofile', 'x', 'y')->{code}, 'not-found', 'a file that is not there');
put('long', join('', map { "$_\n" } 1 .. 100));
$a = ed('long', "10\n", join('', map { "n$_\n" } 1 .. 60));
matches($a->{text}, qr/\x{2026} 26 more lines \x{2026}/, 'a long excerpt loses its middle');
is($stray->(), '', 'no temporary file');

# --- order ---
raw($d, '{"id":"t","turn":"end"}');
put('seq', "0\n");
send_call($d, 'edit_file', { path => 'seq', old_text => "$_", new_text => '' . ($_ + 1) }, "s$_") for 0 .. 5;
my @got = map { next_answer($d)->{id} } 0 .. 5;
is("@got", 's0 s1 s2 s3 s4 s5', 'effects happen in the order asked for');
is(slurp("$WS/seq"), "6\n", 'each made of what the one before left');

# --- the trail: gates before the effect ---
my @gates = map { $json->decode($_) } split /\n/, slurp("$T/trail");
my ($i) = grep { ($gates[$_]{gate} // '') eq 'write' && ($gates[$_]{detail} // '') eq 'done' } 0 .. $#gates;
my @seen = map { $_->{gate} // $_->{kind} } @gates[0 .. $i];
for my $g (qw(precommit capability rules confine trust render asked endorsed-destination)) {
	ok((grep { $_ eq $g } @seen), "$g stands in the trail before the write");
}
ok(!(grep { $_ eq 'promote' } @seen), 'a destination is not promoted');
finish($d);

# --- trust ---
put('mail/m.txt', "a stranger's words\n");
put('mine.txt', "mine\n");
$d = drive(opt => ['--trust=mine.txt'], person => sub { return $say });
$say = 'n';
$a = call($d, 'read_file', path => 'mail/m.txt');
my $ref = $a->{refs}[0]{ref};
$say = 'y';
is(ed('mail/m.txt', 'a', 'b')->{code}, 'gate', 'nobody vouched for it: no edit');
$n = asked();
$a = call($d, 'write_file', path => 'mine.txt', contents_ref => $ref);
is($a->{text}, 'replaced mine.txt, which was already there', 'what a reference holds');
is(slurp("$WS/mine.txt"), "a stranger's words\n", 'byte for byte');
has(screen(), 'nobody vouched for it', 'the prompt says whose words');
has(screen(), 'after this the agent may no longer read it', 'and what is lost');
$say = 'n';
$a = call($d, 'read_file', path => 'mine.txt');
lacks($a->{text}, 'stranger', 'from then on it is held back');
$say = 'y';
$a = call($d, 'write_file', path => 'mine.txt', contents => "mine again\n");
has(call($d, 'read_file', path => 'mine.txt')->{text}, 'mine again', 'our own words are trusted again');
$n = asked();
$a = call($d, 'write_file', path => 'mail/m.txt', contents => "a stranger's words\n");
ok(asked() == $n + 1, 'an equal write over held-back bytes is asked: the answer tells nothing');
put('mail/k.txt', "k\n");
$say = 'n';
$a = call($d, 'read_file', path => 'mail/k.txt');
$say = 'y';
$n = asked();
$ref = $a->{refs}[0]{ref};
$a = call($d, 'write_file', path_ref => $ref, contents_ref => $ref);
is("$a->{text} " . (asked() - $n), "$ref already holds what $ref holds; nothing to do 0", 'a file into itself');
$a = call($d, 'write_file', path_ref => $ref, contents => "known\n");
is($a->{text}, "replaced the file $ref names, from the contents given; it is written, do not write it again", 'through a reference');
is(slurp("$WS/mail/k.txt"), "known\n", 'written');
finish($d);

# --- nobody to ask ---
$d = drive(opt => ['--trust']);
$a = call($d, 'write_file', path => 'x', contents => 'x');
is("$a->{status} $a->{code}", 'unasked nobody-to-ask', 'nobody to ask');
ok(!-e "$WS/x", 'nothing was written');
finish($d);
my (undef, $rc) = bb('-C', $WS, '--trust', '--approver', 'none', 'call', 'write_file', 'path=x', 'contents=x');
is($rc, 4, 'exit status 4');
$d = drive(opt => ['--trust', '--read-only']);
is(call($d, 'write_file', path => 'x', contents => 'x')->{code}, 'not-offered', '--read-only offers no write');
finish($d);
done();

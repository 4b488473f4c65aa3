# read_file's edges (tools-files 0.3 to 0.5, 1, 9): what is asked for, what is there, and
# what a planner is told. Run by read.sh.
use strict;
use warnings;
use Encode qw(encode_utf8);
use JSON::PP;
use POSIX qw(mkfifo);
use Socket ();
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my $root = $> == 0;
my $d = drive(opt => ['--trust']);
my $a;

# text PATH BYTES, then the body without its footer.
sub body { my ($x) = @_; my $s = $x->{text}; $s =~ s/\n\n\[[^\[\]]*token [0-9a-f]{16}\]\z// or return "(no footer) $s"; return $s }
sub foot { my ($x) = @_; return $x->{text} =~ /\n\n\[([^\[\]]*)token [0-9a-f]{16}\]\z/ ? $1 : "(none) $x->{text}" }
sub read_bytes { my ($bytes, %more) = @_; put('f', $bytes); return rd($d, 'f', %more) }

# --- what is text ---------------------------------------------------------------------
is(body(read_bytes("one\ntwo\n")), "one\ntwo", 'two lines');
is(body(read_bytes("one\ntwo")), "one\ntwo", 'no newline at the end');
is(body(read_bytes("one\r\ntwo\r\n")), "one\ntwo", 'CRLF is a terminator for display');
is(body(read_bytes("a\r\nb\nc\r\r\nd\re\r")), "a\nb\nc\r\nd\re\r", 'mixed: a lone CR is a character');
is(body(read_bytes("\xef\xbb\xbfone\n")), "\xef\xbb\xbfone", 'the mark at the start is kept');
is(body(read_bytes("\n")), "", 'one empty line');
is($a = read_bytes("\n\n\n"), $a, 'three empty lines');
is($a->{data}{total}, 3, 'and counted');
$a = read_bytes('');
is(body($a), '(empty file)', 'an empty file says so');
is($a->{status}, 'ok', 'and is no error');
matches($a->{token}, qr/^[0-9a-f]{16}$/, 'with its token');
is(body(read_bytes("a\x{1b}[31mb\x01c\n" . 'x' x 100)), "a\x{1b}[31mb\x01c\n" . 'x' x 100, 'few controls are text');
matches($d->{raw}, qr/\\u001b\[31mb\\u0001c/, 'and escaped in JSON');
for (['NUL at 8,191', ('a' x 8191) . "\0" . 'b', 'error'], ['NUL at 8,192', ('a' x 8192) . "\0" . "b\n", 'ok'],
	['NUL at 0', "\0", 'error'], ['30 % controls', "\x01" x 30 . 'a' x 70, 'ok'],
	['31 % controls', "\x01" x 31 . 'a' x 69, 'error'], ['all form feeds', "\f\t\r\n" x 25, 'ok'],
	['31 % of the first 8,192', "\x01" x 2540 . 'a' x (8192 - 2540) . 'b' x 9000, 'error'],
	['30 % of the first 8,192', "\x01" x 2458 . 'a' x (8192 - 2458) . 'b' x 9000, 'ok'],
	['controls past the window', 'a' x 8192 . "\x01" x 8192, 'ok'],
	['invalid UTF-8 at 0', "\xffabc\n", 'error'], ['at 9,000', 'a' x 9000 . "\xc3" . "a\n", 'error'],
	['last byte', 'a' x 70000 . "\n\xe2\x82", 'error'], ['a surrogate', "a\xed\xa0\x80b", 'error'],
	['overlong', "a\xc0\x80b", 'error'], ['above U+10FFFF', "a\xf4\x90\x80\x80", 'error'],
	['Latin-1', "caf\xe9\n", 'error'], ['a sequence over 65,536', 'a' x 65535 . "\xe2\x82\xac\n", 'ok'],
	['over 65,536, broken', 'a' x 65535 . "\xe2\x82" . "a\n", 'error'],
	['two bytes before the block end', 'a' x 65534 . "\xf0\x9f\x98\x80" . 'b', 'ok'],
	['exactly one block', 'a' x 65535 . "\n", 'ok']) {
	my ($name, $bytes, $want) = @$_;
	$a = read_bytes($bytes);
	is($a->{status}, $want, $name);
	next if $want eq 'ok';
	is($a->{code}, 'binary', "$name: code");
	is($a->{text}, "error: 'f' is binary, not text", "$name: words");
	is($a->{token}, '(undef)', "$name: no token");
}
$a = read_bytes("\xff\xfea\0b\0");
is($a->{text}, "error: 'f' is binary (UTF-16)", 'UTF-16 LE is named');
is(read_bytes("\xfe\xff\0a")->{text}, "error: 'f' is binary (UTF-16)", 'UTF-16 BE is named');
is(read_bytes("\xff\xfe\0\0a\0\0\0")->{text}, "error: 'f' is binary (UTF-32)", 'UTF-32 LE is named');
is(read_bytes("\0\0\xfe\xffabcd")->{text}, "error: 'f' is binary (UTF-32)", 'UTF-32 BE is named');

# --- pages ------------------------------------------------------------------------------
my $five = join '', map { "$_\n" } 1 .. 500;
$a = read_bytes($five);
is(foot($a), '', '500 lines are one page');
is($a->{data}{next}, '(undef)', 'and nothing follows');
$a = read_bytes($five . "501\n");
is(foot($a), 'lines 1-500 of 501; next offset 501; ', '501 lines are two pages');
is($a->{data}{next}, 501, 'next offset as data');
my $tok = $a->{token};
$a = rd($d, 'f', offset => 501);
is(body($a), '501', 'the last page');
is(foot($a), 'line 501 of 501; ', 'its range, no next offset');
is($a->{token}, $tok, 'the same token on every page');
is(foot(rd($d, 'f', offset => 500)), 'lines 500-501 of 501; ', 'offset last but one');
$a = rd($d, 'f', offset => 502);
is(body($a), '(no lines at offset 502; the file has 501)', 'past the end');
is(foot($a), '', 'no range, no next offset there');
is($a->{status}, 'ok', 'past the end is no error');
is(body(rd($d, 'f', offset => 0)), body(rd($d, 'f')), 'offset 0 is absent');
is(body(rd($d, 'f', offset => JSON::PP::null())), body(rd($d, 'f')), 'offset null is absent');
has(rd($d, 'f', offset => 9223372036854775807)->{text}, '(no lines at offset 9223372036854775807;', 'offset 2^63-1');
for (['limit 0', 0, 500], ['limit null', JSON::PP::null(), 500], ['limit 1', 1, 1], ['limit 500', 500, 500], ['limit 501', 501, 500], ['limit 10^12', 1000000000000, 500]) {
	$a = rd($d, 'f', limit => $_->[1]);
	is($a->{data}{lines}, $_->[2], $_->[0]);
}
is(foot(rd($d, 'f', limit => 1)), 'line 1 of 501; next offset 2; ', 'one line is said as one line');
is(rd($d, 'f', limit => -1)->{text}, "error: 'limit' must not be negative", 'limit -1');
is(rd($d, 'f', offset => -1)->{text}, "error: 'offset' must not be negative", 'offset -1');
for ('"5"', '1.5', 'true', '[]', '{}', '1.0001e3', '""') {
	for my $arg ('offset', 'limit') {
		$a = raw($d, qq({"id":"w","tool":"read_file","args":{"path":"f","$arg":$_}}));
		is($a->{text}, "error: '$arg' must be a whole number", "$arg $_");
		is($a->{code}, 'bad-argument', "$arg $_: code");
	}
}
# A whole number however it is written (JSON Schema's integer).
is(raw($d, '{"id":"w","tool":"read_file","args":{"path":"f","offset":5e0,"limit":1.0}}')->{text} =~ s/\n.*//sr, '5', '5e0 and 1.0 are whole');
$a = raw($d, '{"id":"w","tool":"read_file","args":{"path":"f","offset":9223372036854775808}}');
matches($a->{status}, qr/^error$/, 'offset 2^63 is an error');
for ('5', 'true', '[]', '{}', '["f"]') {
	is(raw($d, qq({"id":"w","tool":"read_file","args":{"path":$_}}))->{text}, "error: 'path' must be a string", "path $_");
	is(raw($d, qq({"id":"w","tool":"read_file","args":{"path_ref":$_}}))->{text}, "error: 'path_ref' must be a string", "path_ref $_");
	is(raw($d, qq({"id":"w","tool":"read_file","args":{"path":"f","why":$_}}))->{status}, 'ok', "why $_ changes nothing");
}
for ('5', '"f"', '[]', 'true') {
	is(raw($d, qq({"id":"w","tool":"read_file","args":$_}))->{text}, "error: 'args' must be an object", "args $_");
}
is(call($d, 'read_file', path => 'f', lines => 3)->{text}, "error: 'lines' is not an argument of read_file", 'an unknown argument is named');
is(call($d, 'read_file')->{text}, 'error: one of path or path_ref is required', 'neither');
is(call($d, 'read_file', path => '', path_ref => "  \t")->{text}, 'error: one of path or path_ref is required', 'both blank');
is(call($d, 'read_file', path => 'f', path_ref => 'ref:0')->{text}, 'error: give path or path_ref, not both', 'both');
is(call($d, 'read_file', path => 'f', path_ref => '')->{status}, 'ok', 'an empty path_ref is absent');
is(call($d, 'read_file', path => JSON::PP::null(), path_ref => JSON::PP::null())->{text}, 'error: one of path or path_ref is required', 'both null');

# --- long lines, long pages -------------------------------------------------------------
for my $u ('a', "\xf0\x9f\x98\x80", "\xc3\xa9") {
	my $w = length $u;
	is(body(read_bytes($u x 1999 . "\nx\n")), $u x 1999 . "\nx", "1,999 characters of $w bytes");
	$a = read_bytes($u x 2000 . "\r\nx\n");
	is(body($a), $u x 2000 . "\nx", "2,000 characters of $w bytes are whole");
	is($a->{data}{cut}, 0, 'nothing is cut');
	$a = read_bytes($u x 2001 . "\nx\n");
	is(body($a), $u x 2000 . " \xe2\x80\xa6[cut]\nx", "2,001 characters of $w bytes are cut after 2,000");
	is(foot($a), '1 line cut at 2000 chars; ', 'and that is said');
}
is(foot(read_bytes(('a' x 2500 . "\n") x 3 . '')), '3 lines cut at 2000 chars; ', 'three cut lines');
$a = read_bytes('a' x 3000);
is(body($a), 'a' x 2000 . " \xe2\x80\xa6[cut]", 'a cut line without an end');
# 64 KiB bound of a page: whole lines only, and the pages together are the file.
my $long = join '', map { sprintf("%04d", $_) . 'y' x 1500 . "\n" } 1 .. 200;
$a = read_bytes($long);
ok(length(body($a)) <= 65536, 'a page is at most 64 KiB');
my ($all, $pages, $off) = ('', 0, 1);
while ($pages < 30) {
	$a = rd($d, 'f', offset => $off);
	$all .= body($a) . "\n";
	$pages++;
	last unless $off = $a->{data}{next};
}
is($all, $long, 'the pages together are the file');
ok($pages > 3, 'in several pages');
$a = read_bytes("\xf0\x9f\x98\x80" x 2100 . "\n" x 1 . "z\n");
is($a->{data}{lines}, 2, 'the longest line there is fits a page');

# --- tokens ---------------------------------------------------------------------------------
put('t', "same size\n");
utime 1000000000, 1000000000, "$WS/t";
my $t1 = rd($d, 't')->{token};
is(rd($d, 't')->{token}, $t1, 'a token stays');
utime 1000000001, 1000000001, "$WS/t";
ok(rd($d, 't')->{token} ne $t1, 'it moves on touch');
put('t', "SAME SIZE\n");
utime 1000000000, 1000000000, "$WS/t";
is(rd($d, 't')->{token}, $t1, 'same size and time: the same token');
put('t', "same size!\n");
utime 1000000000, 1000000000, "$WS/t";
ok(rd($d, 't')->{token} ne $t1, 'another size: another token');
utime -1000000000, -1000000000, "$WS/t";
my $neg = rd($d, 't');
is($neg->{status}, 'ok', 'a file written before 1970');
ok($neg->{token} ne $t1, 'and its sign counts');

# --- kinds of file --------------------------------------------------------------------------
mkdir "$WS/dir";
put('dir/x', "in x\n");
is(rd($d, 'dir')->{text}, "error: 'dir' is a directory; list it", 'a directory');
is(rd($d, '.')->{text}, "error: '.' is a directory; list it", 'the workspace');
is(rd($d, 'dir/x/')->{status}, 'error', 'a trailing slash on a file');
is(rd($d, 'dir/')->{status}, 'error', 'a trailing slash on a directory');
is(rd($d, 'f/x')->{status}, 'error', 'beneath a file');
mkfifo("$WS/fifo", 0644);
is(rd($d, 'fifo')->{text}, "error: 'fifo' is not a regular file", 'a FIFO never blocks');
is(rd($d, 'fifo')->{code}, 'not-a-file', 'its code');
my $sock;
socket($sock, Socket::AF_UNIX(), Socket::SOCK_STREAM(), 0) && bind($sock, Socket::pack_sockaddr_un("$WS/sock"));
is(rd($d, 'sock')->{text}, "error: 'sock' is not a regular file", 'a socket');
if ($root && system('mknod', "$WS/zero", 'c', '1', '5') == 0) {
	is(rd($d, 'zero')->{text}, "error: 'zero' is not a regular file", 'a device');
} else {
	skip('a device', 'devices need root');
}
$a = rd($d, 'nothing/here');
is($a->{text}, "error: 'nothing/here': not found; it is looked up under the working directory", 'missing');
is($a->{code}, 'not-found', 'its code');
put("caf\xc3\xa9", "composed\n");
has(call($d, 'read_file', path => "cafe\x{301}")->{text}, 'differs only in its Unicode form', 'a name in another Unicode form is told');
put('secret', "x\n");
chmod 0, "$WS/secret";
if ($root) {
	skip('permission denied', 'root reads everything');
} else {
	is(rd($d, 'secret')->{text}, "error: 'secret': permission denied", 'permission denied');
}
open my $sp, '>', "$WS/sparse" or die;
truncate($sp, 100 << 30) or die;
close $sp;
$a = rd($d, 'sparse');
is($a->{code}, 'too-large', 'a sparse 100 GB file');
matches($a->{text}, qr/^error: 'sparse' is 107374182400 bytes; a text file above 64 MiB is not read$/, 'its words');
put('one', 'a');
truncate("$WS/one", 1 << 30);
is(rd($d, 'one')->{code}, 'too-large', 'a file of 1 GB in one line');
for ([(64 << 20) - 1, 'ok'], [64 << 20, 'ok'], [(64 << 20) + 1, 'error']) {
	my ($size, $want) = @$_;
	open my $f, '>:raw', "$WS/big" or die;
	my $block = ('b' x 1023 . "\n") x 1024;
	my $left = $size;
	while ($left > 0) { my $k = $left < length $block ? $left : length $block; print $f substr $block, 0, $k; $left -= $k }
	close $f;
	is(rd($d, 'big', limit => 1)->{status}, $want, "$size bytes");
}
unlink "$WS/big", "$WS/one";
put('line', 'l' x (32 << 20));
$a = rd($d, 'line');
is($a->{data}{total}, 1, '32 MiB in one line is one line');
is(length(body($a)), 2000 + length(" \xe2\x80\xa6[cut]"), 'cut');
unlink "$WS/line";

# --- paths ------------------------------------------------------------------------------------
for (['./f', 'ok'], ['.//dir///x', 'ok'], ['dir/./x', 'ok'], ['../ws/f', 'refused'], ['dir/../f', 'refused'], ['..', 'refused'],
	["$WS/f", 'refused'], ['/etc/passwd', 'refused'], ['/', 'refused'], ['~/f', 'refused'], ["a\0b", 'error'], ['x' x 256, 'error'],
	[('d/' x 2100) . 'f', 'error'], ['~x/y', 'error'], ['...', 'error']) {
	my ($path, $want) = @$_;
	$a = rd($d, $path);
	is($a->{status}, $want, 'path ' . substr($path, 0, 30));
	is($a->{code}, 'outside-workspace', 'code for ' . substr($path, 0, 30)) if $want eq 'refused';
	is($a->{gate}, 'confine', 'gate for ' . substr($path, 0, 30)) if $want eq 'refused';
}
is(rd($d, '../f')->{text}, "refused: '../f' is outside the workspace: a path may not hold '..'", 'climbing: words');
is(rd($d, '/etc/passwd')->{text}, "refused: '/etc/passwd' is outside the workspace; the person can open its directory with /add-dir or --add-dir", 'outside: words');
matches(rd($d, "a\0b")->{text}, qr/NUL/, 'NUL: words');
has(rd($d, "$WS/f")->{text}, "refused: '$WS/f' is outside the workspace", 'an absolute name of the workspace itself: words');
put('y' x 255, "long name\n");
is(rd($d, 'y' x 255)->{status}, 'ok', 'a component of 255 bytes');
for ("new\nline", "esc\x1b[31m", 'tab	x', ' lead', "q'uote", '-C', '$(x)', '*') {
	put($_, "odd\n");
	is(body(rd($d, $_)), 'odd', "a name that holds $_");
}
my $bad = "bad\xff";
put($bad, "x\n");
my ($out, $rc) = bb('--trust', 'call', 'read_file', "path=$bad");
is($rc, 2, 'a name that is not UTF-8 cannot be typed');

# --- links -----------------------------------------------------------------------------------
mkdir "$T/out";
put("$T/out/s", "S3CRET\n");
symlink 'f', "$WS/l0";
symlink 'dir', "$WS/ld";
symlink "$T/out/s", "$WS/lout";
symlink "$T/out", "$WS/ldout";
symlink 'loop', "$WS/loop";
symlink 'lb', "$WS/la";
symlink 'la', "$WS/lb";
symlink 'absent', "$WS/dangling";
symlink "$T/out/absent", "$WS/dangout";
symlink '../../etc/passwd', "$WS/lrel";
symlink '/proc/self/fd/0', "$WS/lmagic";
symlink "$WS/f", "$WS/labs";
put('f', "target\n");
is(body(rd($d, 'l0')), 'target', 'a link inside');
is(body(rd($d, 'labs')), 'target', 'an absolute link inside');
is(body(rd($d, 'ld/x')), 'in x', 'through a linked directory');
for my $p (qw(lout ldout/s loop la dangout lrel lmagic ldout/absent)) {
	$a = rd($d, $p);
	is($a->{status}, 'refused', "$p is refused");
	is($a->{gate}, 'confine', "$p: gate");
	lacks($json->encode($a), "$T/out", "$p: where it leads is not said");
	lacks($json->encode($a), 'S3CRET', "$p: nothing of it is shown");
}
is(rd($d, 'dangling')->{code}, 'not-found', 'dangling inside is not found');
symlink 'f', "$WS/c1";
symlink 'c' . ($_ - 1), "$WS/c$_" for 2 .. 9;
is(body(rd($d, "c$_")), 'target', "a chain of $_ links") for 1 .. 9;
symlink 'absent', "$WS/n1";
symlink 'n' . ($_ - 1), "$WS/n$_" for 2 .. 9;
is(rd($d, "n$_")->{code}, 'not-found', "a dangling chain of $_") for 1, 8;
matches(rd($d, 'n9')->{status}, qr/^(error|refused)$/, 'a dangling chain of 9');
link "$T/out/s", "$WS/hard";
is(body(rd($d, 'hard')), 'S3CRET', 'a hard link is an ordinary file');
is(finish($d), 0, 'the session ends with 0');

# --- held back, pictures, references -----------------------------------------------------
$d = drive();
put('p.PNG', "not a picture\n");
put('README.md', "held\n");
$a = rd($d, 'README.md', offset => 7, limit => 3);
is($a->{text}, "[ref:0] README.md (5 bytes, (U,priv))\nnobody has vouched for this file, so its text is held back: "
	. 'path_ref or contents_ref use it unread, vet_content asks the person to show it', 'an unvouched file is one reference');
is($json->encode($a->{refs}), '[{"bytes":5,"kind":"file","label":"(U,priv)","origin":"README.md","ref":"ref:0"}]', 'as data');
is($a->{label}, '(U,priv)', 'its label');
is($a->{token} // '(undef)', '(undef)', 'no token');
$a = call($d, 'read_file', path_ref => 'ref:0');
matches($a->{text}, qr/^ref:0 already is that file/, 'path_ref to it');
is(scalar @{ $a->{refs} }, 1, 'no new reference');
is($a->{refs}[0]{ref}, 'ref:0', 'the same one');
is(rd($d, './README.md')->{refs}[0]{origin}, './README.md', "the origin is the planner's spelling");
is(rd($d, 'fifo')->{code}, 'not-a-file', 'a FIFO is refused held back or not');
is(rd($d, 'sparse')->{status}, 'ok', 'an unvouched sparse file is a reference');
for ('p.PNG' => 'image/png') { $a = rd($d, 'p.PNG'); has($a->{text}, '(image/png, 14 bytes, (U,priv))', 'a picture by its name') }
is($a->{refs}[0]{kind}, 'content', 'a picture is content');
my $pic = $a->{refs}[0]{ref};
is(call($d, 'read_file', path_ref => $pic)->{text}, "refused: $pic names no file", 'content is no path');
for ('ref:01', 'ref:', 'ref:-1', 'ref:0 ', ' ref:0', "ref:0\n", 'Ref:0', 'ref:0x', '0', 'ref:+1') {
	$a = call($d, 'read_file', path_ref => $_);
	is($a->{status}, 'refused', "reference $_");
	is($a->{gate}, 'reference', "reference $_: gate");
}
is(call($d, 'read_file', path_ref => 'ref:99')->{text}, 'refused: ref:99 names nothing in this session', 'an unknown number');
is(call($d, 'read_file', path_ref => 'ref:99999999999999999999999')->{status}, 'refused', 'a number beyond any');
is(finish($d), 0, 'ends with 0');

$d = drive(opt => ['--trust']);
for (['a.png', 'image/png'], ['b.JPG', 'image/jpeg'], ['c.jpeg', 'image/jpeg'], ['d.gif', 'image/gif'], ['e.WebP', 'image/webp'], ['f.x.pdf', 'application/pdf'], ['.png', 'image/png']) {
	put($_->[0], "text\n");
	$a = rd($d, $_->[0]);
	has($a->{text}, "($_->[1], 5 bytes, (T,priv))", "$_->[0] in a trusted tree");
	lacks($a->{text}, 'text', "$_->[0]: no byte of it");
	is($a->{token} // '(undef)', '(undef)', "$_->[0]: no token");
}
put('png', "text\n");
is(body(rd($d, 'png')), 'text', 'an extension needs a dot');
put('real.txt', "\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
is(rd($d, 'real.txt')->{code}, 'binary', 'a picture named .txt is binary');
truncate("$WS/a.png", 8 << 20);
is(rd($d, 'a.png')->{status}, 'ok', '8 MiB may be attached');
truncate("$WS/a.png", (8 << 20) + 1);
is(rd($d, 'a.png')->{text}, "error: 'a.png' is larger than the 8 MiB an attachment may be", 'one byte more not');
is(finish($d), 0, 'ends with 0');

# --- one call and its exit code ------------------------------------------------------------
put('f', "one\n");
for ([0, '--trust', 'call', 'read_file', 'path=f'], [0, 'call', 'read_file', 'path=f'], [1, 'call', 'read_file', 'path=absent'], [3, 'call', 'read_file', 'path=/etc/passwd'],
	[2, 'call', 'read_file'], [2, 'call', 'read_file', 'path=f', 'limit=x'], [2, 'call', 'no_such_tool'], [3, 'call', 'read_file', 'path_ref=ref:0'], [2, 'call', 'read_file', 'nonsense'],
	[2, 'call', 'read_file', 'path=f', 'path=f'], [0, '--trust', 'call', 'read_file', '--args', '{"path":"f","limit":1}'], [2, 'call', 'read_file', '--args', '{"path":"f"']) {
	my ($want, @words) = @$_;
	($out, $rc) = bb(@words);
	is($rc, $want, "bb @words");
}
($out, $rc) = bb('--trust', 'call', 'read_file', 'path=f');
matches($out, qr/\Aone\n\n\[token [0-9a-f]{16}\]\n\z/, 'bb call prints what a planner would see');
($out, $rc) = bb('call', 'read_file', 'path=f');
lacks($out, 'one', 'and no byte of an unvouched file');
($out, $rc) = bb('--trust', '--context', 'untrusted', 'call', 'read_file', 'path=f', '--json');
$a = $json->decode($out);
is("$a->{status} $a->{gate}", 'refused argument', 'an untrusted conversation reads nothing');
($out, $rc) = bb('--trust', '--tools', 'list_files', 'call', 'read_file', 'path=f');
is("$rc $out", "2 error: unknown tool 'read_file'; this session offers list_files\n", 'a tool left out is unknown');
done();

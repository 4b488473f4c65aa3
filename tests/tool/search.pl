# bb-search by its frames and by hand: every member of RESULT, the order, caps, pages and
# context against a model written here, odd bytes and names, scopes, and that the answer
# is the same however often it is asked. Run by search.sh.
use strict;
use warnings;
use POSIX qw(mkfifo);
require 'drive_lib.pl';
our ($T, $WS, $BIN);
my $root = $> == 0;
my @members = qw(selected read binary badtext unopened dirs links others matches total next
	files_cap timed_out context_cap long bytes);
my $SCOPE = put("$T/scope", '');

sub quoted { my ($s) = @_; $s =~ s/'/'\\''/g; return "'$s'" }
# find DIR, NAME=VALUE...: the members of RESULT and the slot.
sub find {
	my ($dir, @words) = @_;
	my $words = join ' ', map { quoted($_) } @words;
	my ($line) = grep { /^RESULT/ } `'$BIN/frame' call search $words | '$BIN/bb-search' 3<@{[quoted($dir)]} 4>'$T/slot' 5<'$SCOPE' 2>'$T/said' | '$BIN/frame' show search`;
	my %r = split ' ', ($line // '') =~ s/^RESULT //r;
	return (\%r, slurp("$T/slot"));
}
# The members that are not 0, in order, without `bytes`.
sub told {
	my ($r) = @_;
	return join ' ', ($r->{code} // '(none)') eq 'ok' ? () : $r->{code} // '(none)', map { "$_ $r->{$_}" } grep { $_ ne 'bytes' && $r->{$_} } @members;
}
# row NAME, RESULT, SLOT, DIR, NAME=VALUE...
sub row {
	my ($name, $want, $slot, @call) = @_;
	my ($r, $got) = find(@call);
	is(told($r), $want, $name);
	is($got, $slot, "$name: lines");
	is($r->{bytes}, length $got, "$name: bytes") if $r->{bytes};
}
sub scope { put($SCOPE, join '', map { "$_\0" } @_) }
my $n = 0;
sub dir { my %f = @_; my $d = "$T/d" . ++$n; mkdir $d; put("$d/$_", $f{$_}) for keys %f; return $d }
sub tree { system('rm', '-rf', $_[0]) }

# --- order, links, names that are not walked ---------------------------------------------
my $d = dir('z.c' => "x 1\n", 'B' => "x 2\n", 'a/2' => "x 3\n", 'a/1' => "x 4\n", 'a b/c' => "x 5\n", 'b/deep/y' => "no\n",
	'.hid/f' => "x 6\n", 'target/t' => "x 7\n", 'a/node_modules/m' => "x 8\n", 'out/o' => "x 9\n", 'empty' => '');
symlink 'z.c', "$d/link";
symlink '.', "$d/a/loop";
symlink 'nowhere', "$d/broken";
mkfifo("$d/fifo", 0644);
my $all = "B:1: x 2\nz.c:1: x 1\n.hid/f:1: x 6\na/1:1: x 4\na/2:1: x 3\na b/c:1: x 5\nout/o:1: x 9\n";
row('own files first, then down', 'selected 9 read 9 links 3 others 1 matches 7 total 7', $all, $d, 'pattern=x');
row('a prefix', 'selected 9 read 9 links 3 others 1 matches 1 total 1', "p/q/a b/c:1: x 5\n", $d, 'pattern=5', 'prefix=p/q/');
row('nothing', 'selected 9 read 9 links 3 others 1', '', $d, 'pattern=zebra');
row('the directory itself may have any name', 'selected 1 read 1 matches 1 total 1', "t:1: x 7\n", "$d/target", 'pattern=x');
row('no file', '', '', dir(), 'pattern=x');
row('two patterns', 'selected 9 read 9 links 3 others 1 matches 2 total 2', "z.c:1: x 1\na/2:1: x 3\n", $d, 'pattern=1', 'pattern=3');
row('case', 'selected 9 read 9 links 3 others 1', '', $d, 'pattern=X');
row('no case', 'selected 9 read 9 links 3 others 1 matches 7 total 7', $all, $d, 'pattern=X', 'case_sensitive=0');

# --- include ---------------------------------------------------------------------------------
row('include a name', 'selected 1 read 1 links 3 others 1 matches 1 total 1', "z.c:1: x 1\n", $d, 'pattern=x', 'include=*.c');
row('a path', 'selected 2 read 2 links 3 others 1 matches 2 total 2', "a/1:1: x 4\na/2:1: x 3\n", $d, 'pattern=x', 'include=a/*');
row('any path', 'selected 1 read 1 links 3 others 1 matches 1 total 1', "out/o:1: x 9\n", $d, 'pattern=x', 'include=**/o');
row('braces', 'selected 2 read 2 links 3 others 1 matches 2 total 2', "z.c:1: x 1\nout/o:1: x 9\n", $d, 'pattern=x', 'include={*.c,o}');
row('from the workspace root', 'selected 2 read 2 links 3 others 1 matches 2 total 2', "w/a/1:1: x 4\nw/a/2:1: x 3\n", $d, 'pattern=x', 'include=w/a/*', 'prefix=w/');
row('none', 'links 3 others 1', '', $d, 'pattern=x', 'include=*.zig');
row('empty', 'links 3 others 1', '', $d, 'pattern=x', 'include=');
row('as text', 'links 3 others 1', '', $d, 'pattern=x', 'include=[a-z].c');

# --- lines -----------------------------------------------------------------------------------
sub lines {
	my ($name, $bytes, $pattern, $want, $told, @more) = @_;
	my $dir = dir(f => $bytes);
	my $m = () = $want =~ /^f:\d+: /mg;
	row($name, join(' ', 'selected 1', $told // 'read 1', $m ? "matches $m total $m" : ()), $want, $dir, "pattern=$pattern", @more);
	tree($dir);
}
lines('no final newline', "a\nb", 'b', "f:2: b\n");
lines('no line after the last newline', "a\n", '^$', '');
lines('only newlines', "\n\n\n", '^$', "f:1: \nf:2: \nf:3: \n");
lines('one newline', "\n", '^$', "f:1: \n");
lines('CRLF', "a;\r\nb;\r\n", ';$', "f:1: a;\nf:2: b;\n");
lines('a CR alone stays', "a\rb\n", 'a', "f:1: a\rb\n");
lines('a CR at the very end stays', "a\r", 'a', "f:1: a\r\n");
lines('a byte order mark stays', "\xef\xbb\xbfa\n", 'a', "f:1: \xef\xbb\xbfa\n");
lines('control characters stay', "a\e[31m\x01\n", 'a', "f:1: a\e[31m\x01\n");
lines('a byte that is not UTF-8', "caf\xe9 x\n", 'x', "f:1: caf\xef\xbf\xbd x\n", 'read 1 badtext 1');
lines('it matches nothing', "a\xe9b\n", 'a.b', '', 'read 1 badtext 1');
lines('overlong and surrogates', "\xc0\xaf\xed\xa0\x80 x\n", 'x', 'f:1: ' . "\xef\xbf\xbd" x 5 . " x\n", 'read 1 badtext 1');
lines('a cut character at the end', "x\xe2\x82", 'x', 'f:1: x' . "\xef\xbf\xbd" x 2 . "\n", 'read 1 badtext 1');
lines('NUL first', "\0x\n", 'x', '', 'binary 1');
lines('NUL last', "x\n\0", 'x', '', 'binary 1');
lines('NUL alone', "\0", 'x', '', 'binary 1');
lines('NUL in a later chunk', "x\n" x 500000 . "\0", 'x', '', 'binary 1');
my $r;
for ([499, 0], [500, 0], [501, 1]) {
	my ($len, $cut) = @$_;
	my $dir = dir(f => 'y' x $len . "\nno\n");
	($r, my $got) = find($dir, 'pattern=y$');
	is("$r->{matches} $r->{long} " . length $got, "1 $cut " . (6 + ($len > 500 ? 500 : $len)), "a line of $len bytes");
	put("$dir/f", 'y' . "\xc3\xa9" x ($len - 250) . "\n");
	($r, $got) = find($dir, 'pattern=y');
	is(length $got, 6 + ($len == 499 ? 499 : 499), "characters are not cut through ($len)");
	tree($dir);
}
$d = dir(f => "\xff" x 300 . "y\n");
($r, my $got) = find($d, 'pattern=y');
is("$r->{long} " . length $got, '1 ' . (6 + 498), 'what is shown instead counts');

# --- long lines, edges of what is read at once -------------------------------------------------------
for my $at (map { my $k = $_; map { $k * 262144 + $_ } -3 .. 3 } 1, 2, 4, 16) {
	put("$d/f", ('-' x 63 . "\n") x int($at / 64 - 1) . 'q' x ($at - 64 * int($at / 64 - 1) - 3) . "needle\nrest\n");
	($r, $got) = find($d, 'pattern=needle$');
	my $no = int($at / 64 - 1) + 1;
	is("$r->{matches} $r->{read} " . substr($got, 0, length "f:$no: q"), "1 1 f:$no: q", "a match at byte $at");
}
for my $len (262143, 262144, 262145, 524288) {
	put("$d/f", 'x' x ($len - 1) . "\n");
	row("a file of $len bytes", 'selected 1 read 1 matches 1 total 1 long 1', 'f:1: ' . 'x' x 500 . "\n", $d, 'pattern=x$');
	put("$d/f", "\n" x $len);
	($r) = find($d, 'pattern=^$', 'most=0');
	is("$r->{matches} $r->{total}", "$len $len", "$len empty lines");
}
put("$d/f", "first\n" . 'x' x 10_000_000 . "y\nlast y\n");
row('a line of 10 MB', 'selected 1 read 1 matches 2 total 2 long 1', 'f:2: ' . 'x' x 500 . "\nf:3: last y\n", $d, 'pattern=y$');
row('its context', 'selected 1 read 1 matches 1 total 1 long 1', 'f-1- first' . "\nf-2- " . 'x' x 500 . "\nf:3: last y\n", $d, 'pattern=last', 'context=2');
put("$d/f", "first\nkey " . 'x' x 20_000_000 . "y\nlast key\nkey");
row('one that is too long is searched at its head', 'selected 1 read 1 matches 3 total 3 long 1', 'f:2: key ' . 'x' x 496 . "\nf:3: last key\nf:4: key\n", $d, 'pattern=key');
row('context across it', 'selected 1 read 1 matches 2 total 2 long 1', 'f-1- first' . "\nf:2: key " . 'x' x 496 . "\nf-3- last key\nf:4: key\n", $d, 'pattern=^key', 'context=1');
row('where that says nothing, the file is not searched', 'selected 1 unopened 1', '', $d, 'pattern=first|y$');
put("$d/f", 'key' . 'x' x 20_000_000 . "\0");
row('NUL at its end', 'selected 1 binary 1', '', $d, 'pattern=key');
open my $f, '>', "$d/f";
truncate $f, 8 << 30;
close $f;
row('8 GB of nothing are known by their begin', 'selected 1 binary 1', '', $d, 'pattern=x');
tree($d);

# --- names -----------------------------------------------------------------------------------
$d = dir("a\nb" => "x\n", "e\e[31m" => "x\n", "n\xff" => "x\n", "c\xc2\x85" => "x\n", "u\xc3\xa9" => "x\n");
my $bad = "\xef\xbf\xbd";
row('odd names', 'selected 5 read 5 matches 5 total 5', "a${bad}b:1: x\nc$bad:1: x\ne${bad}[31m:1: x\nn$bad:1: x\nu\xc3\xa9:1: x\n", $d, 'pattern=x');
tree($d);
$d = dir();
my $long = 'd' x 250;
{
	my $keep = fork() // die;
	if (!$keep) {
		chdir $d;
		for (1 .. 20) { mkdir $long; chdir $long; open my $g, '>', 'f'; print $g "x $_\n" }
		POSIX::_exit(0);
	}
	waitpid $keep, 0;
}
($r, $got) = find($d, 'pattern=x');
is("$r->{matches} $r->{dirs} $r->{unopened}", '16 1 0', 'a path above 4,096 bytes is a directory that is missing');
tree($d);
$d = dir();
my $p = $d;
for (1 .. 150) { $p .= "/l$_"; mkdir $p; put("$p/f", "x\n") }
row('150 levels', 'selected 150 read 150 matches 150 total 150', join('', map { join('/', map { "l$_" } 1 .. $_) . "/f:1: x\n" } 1 .. 150), $d, 'pattern=x');
# Again and again: a directory is given up by the walk and by a worker at one moment.
my $short = 0;
for (1 .. 40) {
	($r, $got) = find($d, 'pattern=x');
	$short++ if ($r->{matches} // 0) != 150;
}
is($short, 0, '150 levels, forty times');
tree($d);
$d = dir(map { sprintf('d%03d/f', $_) => "x $_\n" } 0 .. 599);
row('600 directories of one file', 'selected 600 read 600 matches 600 total 600', join('', map { sprintf "d%03d/f:1: x %d\n", $_, $_ } 0 .. 599), $d, 'pattern=x', 'most=0');
tree($d);

# --- what cannot be read ----------------------------------------------------------------------
if ($root) {
	skip($_, 'root reads everything') for 'files and directories that cannot be read', 'their lines';
} else {
	$d = dir('a' => "x\n", 'b' => "x\n", 'no/c' => "x\n", 'yes/c' => "x\n");
	chmod 0, "$d/b", "$d/no";
	row('files and directories that cannot be read', 'selected 3 read 2 unopened 1 dirs 1 matches 2 total 2', "a:1: x\nyes/c:1: x\n", $d, 'pattern=x');
	chmod 0700, "$d/no";
}

# --- caps ---------------------------------------------------------------------------------------
$d = dir(f => join('', map { "row $_\n" } 1 .. 200));
row('200 are all', 'selected 1 read 1 matches 200 total 200', join('', map { "f:$_: row $_\n" } 1 .. 200), $d, 'pattern=row');
put("$d/g", "row\n");
row('201 are one too many', 'selected 2 read 2 matches 200 total 201 next 201', join('', map { "f:$_: row $_\n" } 1 .. 200), $d, 'pattern=row');
row('the rest', 'selected 2 read 2 matches 1 total 201', "g:1: row\n", $d, 'pattern=row', 'offset=201');
row('past the end', 'selected 2 read 2 total 201', '', $d, 'pattern=row', 'offset=202');
row('what is counted is what was gone through', 'selected 1 read 1 matches 3 total 8 next 8', join('', map { "f:$_: row $_\n" } 5 .. 7), $d, 'pattern=row', 'offset=5', 'most=3');
row('files', 'selected 1 read 1 matches 200 total 200 files_cap 1', join('', map { "f:$_: row $_\n" } 1 .. 200), $d, 'pattern=row', 'files=1');
row('exactly so many files', 'selected 2 read 2 matches 1 total 1', "f:9: row 9\n", $d, 'pattern=row 9$', 'files=2');
tree($d);
$d = dir(map { ("f$_" => "x\n" x 3) } 1 .. 300);
put("$d/$_", "\0") for qw(a b zz);
row('what lies behind a full page is not told of', 'selected 69 read 67 binary 2 matches 200 total 201 next 201', first_200(), $d, 'pattern=x');
sub first_200 { my @n = sort map { "f$_" } 1 .. 300; return join '', map { my $k = $_; map { "$n[$k]:$_: x\n" } 1 .. ($k == 66 ? 2 : 3) } 0 .. 66 }
put("$d/f$_", "x\n" x 200_000) for 1 .. 60; # 12 million matches: more than is kept at once
($r, $got) = find($d, 'pattern=x', 'ms=1', 'most=0');
ok($r->{timed_out} == 1 || $r->{read} == 301, 'out of time is told');
is($r->{selected}, 303, 'the walk goes on all the same');
is($r->{read} + $r->{binary} + $r->{unopened} <= $r->{selected} ? 'fits' : 'does not', 'fits', 'and the numbers fit');
($r, $got) = find($d, 'pattern=x', 'offset=9000001', 'most=5');
is("$r->{matches} $r->{next} $r->{total}", '5 9000006 9000006', 'a page far down');
tree($d);

# --- pages and context against a model -----------------------------------------------------------------
# The page a perfect searcher prints of these files, in order.
sub model {
	my ($files, $context, $offset, $most) = @_;
	my ($seen, $out, $last, $contexts, $next, $read) = (0, '', undef, 0, 0, 0);
	for my $file (@$files) {
		my ($name, @l) = @$file;
		$read++;
		my @hit = grep { $l[$_] =~ /x/ } 0 .. $#l;
		my %index = map { $hit[$_] => $seen + $_ + 1 } 0 .. $#hit;
		my %chosen = map { $_ => 1 } grep { $index{$_} >= $offset && (!$most || $index{$_} < $offset + $most) } @hit;
		for my $i (0 .. $#l) {
			my $near = grep { abs($_ - $i) <= $context } keys %chosen;
			next unless $near;
			next if !$chosen{$i} && $most && $contexts == 1000;
			$contexts++ unless $chosen{$i};
			$out .= "--\n" if $context && defined $last && !($last->[0] eq $name && $last->[1] == $i - 1);
			$last = [$name, $i];
			my $mark = $chosen{$i} ? ':' : '-';
			$out .= "$name$mark" . ($i + 1) . "$mark $l[$i]\n";
		}
		$seen += @hit;
		if ($most && $seen > $offset - 1 + $most) { $next = $offset + $most; last }
	}
	return ($out, $next, $read);
}
srand 7;
my ($wrong, $trials) = (0, 0);
for my $trial (1 .. 60) {
	my @files = map { my $k = $_; [sprintf('f%03d', $k), map { rand() < (1, .3, .05)[$trial % 3] ? "x $_" : "- $_" } 1 .. int rand(40)] } 1 .. int(rand(5)) + ($trial % 7 == 0 ? 300 : 1);
	my $dir = dir();
	for (@files) { my ($name, @l) = @$_; put("$dir/$name", join('', map { "$_\n" } @l)) }
	for my $k (1 .. 3) {
		my ($context, $offset, $most) = (int rand(11), 1 + int rand($k == 1 ? 1 : 30), (0, 1, 3, 200)[int rand 4]);
		my ($want, $next, $read) = model(\@files, $context, $offset, $most);
		my ($got_r, $got) = find($dir, 'pattern=x', "context=$context", "offset=$offset", "most=$most");
		$trials++;
		next if $got eq $want && $got_r->{next} == $next && $got_r->{selected} == $read;
		$wrong++;
		print "# trial $trial context $context offset $offset most $most\n" if $wrong == 1;
	}
	tree($dir);
}
is($wrong, 0, "$trials pages with context are those of the model");
my @big = map { my $k = $_; ["f$k", map { ($_ % 997) == 5 * $k ? "x $_" : 'a line that says nothing, ' . $_ } 1 .. 60_000] } 1 .. 3;
$d = dir();
for (@big) { my ($name, @l) = @$_; put("$d/$name", join "\n", @l) }
for ([0, 1, 200], [3, 1, 200], [10, 30, 20], [2, 100, 0]) {
	my ($context, $offset, $most) = @$_;
	my ($want) = model(\@big, $context, $offset, $most);
	(undef, $got) = find($d, 'pattern=x', "context=$context", "offset=$offset", "most=$most");
	ok($got eq $want, "large files, context $context, from $offset, $most");
}
tree($d);
$d = dir(f => join('', map { "x $_\n" . "- \n" x 20 } 1 .. 150));
($r, $got) = find($d, 'pattern=x', 'context=10');
is("$r->{matches} $r->{context_cap} " . scalar(() = $got =~ /^f-/mg), '150 1 1000', '1,000 lines of context and no more');
row('context that overlaps stands there once', 'selected 1 read 1 matches 1 total 1', "f:3151: x\n", dir(f => '-' . "\n-" x 3149 . "\nx"), 'pattern=x');

# --- the same answer every time ---------------------------------------------------------------------------
tree($d);
$d = dir(map { my $k = $_; ("d@{[$k % 37]}/f$k" => join '', map { "row $_ of $k\n" } 1 .. 10 + $k % 50) } 1 .. 900);
for my $call (['pattern=row'], ['pattern=row', 'context=2', 'offset=5000'], ['pattern=1 of', 'offset=800'], ['pattern=row', 'most=0'], ['pattern=zebra']) {
	my %seen;
	for (1 .. 50) {
		my ($res, $slot) = find($d, @$call);
		$seen{join(' ', map { $res->{$_} // '' } 'code', @members) . "\n$slot"}++;
	}
	is(scalar keys %seen, 1, "50 times the same: @$call");
}
my @tiled;
for (my $at = 1; $at; $at = $r->{next}) { ($r, $got) = find($d, 'pattern=[0-9]2 of', "offset=$at", "most=137"); push @tiled, $got }
(undef, $got) = find($d, 'pattern=[0-9]2 of', 'most=0');
is(join('', @tiled), $got, 'pages tile the matches');
tree($d);

# --- patterns ------------------------------------------------------------------------------------------------
$d = dir(f => "x\n");
for (['(a', 'unclosed-group 0 0 0 0'], ['a|*', 'nothing-to-repeat 0 2 0 0'], ['[z-a]', 'reversed-range 0 0 122 97'], ['', 'empty 0 0 0 0'], ['a\\q', 'unknown-escape 0 1 113 0']) {
	($r, $got) = find($d, "pattern=$_->[0]");
	is("$r->{code} " . join(' ', map { $r->{$_} } qw(fault which at a b)) . " $r->{selected}$got", "bad-pattern $_->[1] 0", "'$_->[0]' is refused");
}
($r) = find($d, 'pattern=a', 'pattern=b(');
is("$r->{fault} $r->{which}", 'unclosed-group 1', 'the second is at fault');
($r) = find($d, map { "pattern=a$_" } 1 .. 128);
is($r->{code}, 'ok', '128 patterns');
($r) = find($d, map { "pattern=a$_" } 1 .. 129);
is("$r->{code} $r->{fault}", 'bad-pattern list-long', '129 are refused');
($r) = find($d, map { "pattern=a$_" } 1 .. 3000);
is("$r->{code} $r->{fault}", 'bad-pattern list-long', '3,000 too');
($r) = find($d);
is("$r->{code} $r->{fault}", 'bad-pattern empty', 'none is refused');

# --- scope (design 2.4) -----------------------------------------------------------------------------------------
$d = dir('z' => "x\n", 'B' => "x\n", 'a/1' => "x\n", 'b/x.c' => "x\n", 'b/deep/y' => "x\n", 'vendor/v' => "x\n", 'c' => "x\n");
symlink 'a', "$d/way";
symlink 'z', "$d/zlink";
sub parts { my ($name, $want, $slot, @parts) = @_; scope(@parts); row("scope: $name", $want, $slot, $d, 'pattern=x') }
parts('the whole', 'selected 6 read 6 links 2 matches 6 total 6', "B:1: x\nc:1: x\nz:1: x\na/1:1: x\nb/x.c:1: x\nb/deep/y:1: x\n", 'W');
parts('a spine: files, then parts', 'selected 3 read 3 matches 3 total 3', "B:1: x\nz:1: x\na/1:1: x\n", 'S', 'Wa', 'Fz', 'FB');
parts('spines', 'selected 2 read 2 matches 2 total 2', "b/x.c:1: x\nb/deep/y:1: x\n", 's', 'sb', 'Wb/deep', 'Fb/x.c');
parts('names that are skipped', 'selected 1 read 1 matches 1 total 1', "z:1: x\n", 'S', 'Wvendor', 'Fz');
parts('what is gone', 'selected 2 read 1 unopened 1 dirs 1 matches 1 total 1', "z:1: x\n", 'S', 'Wgone', 'Fz', 'Fgone2');
parts('what became a link', 'selected 2 read 1 unopened 1 dirs 1 matches 1 total 1', "c:1: x\n", 'S', 'Wway', 'Fzlink', 'Fc');
parts('nothing', '', '', 'S');
parts('malformed', 'bad-scope', '', 'S', 'Xa');
scope('s', 'sb', 'Fb/x.c');
row('scope: include', 'selected 1 read 1 matches 1 total 1', "p/b/x.c:1: x\n", $d, 'pattern=x', 'include=p/b/*.c', 'prefix=p/');
scope();
tree($d);

# --- what ends it ----------------------------------------------------------------------------------------------------
$d = dir(f => "x\n");
for (['most=-1'], ['files=0'], ['ms=0'], ['offset=0'], ['case_sensitive=2'], ['context=11']) {
	my $status = system("'$BIN/frame' call search pattern=x @$_ >'$T/in'; '$BIN/bb-search' <'$T/in' 3<'$d' 4>'$T/slot' 5<'$SCOPE' >'$T/out' 2>&1") >> 8;
	is($status, 70, "malformed: @$_");
}
is(system("'$BIN/bb-search' 3<'$d/f' 4>'$T/slot' 5<'$SCOPE' </dev/null >'$T/out' 2>&1") >> 8, 2, 'a file on 3');

# --- the human form ------------------------------------------------------------------------------------------------------
sub hand { my (@w) = @_; my $out = `cd '$d' && '$BIN/bb-search' @{[join ' ', map { quoted($_) } @w]} 2>'$T/said'`; return ($? >> 8) . "|$out|" . slurp("$T/said") }
put("$d/f", "one\nTwo\nthree\n");
put("$d/sub/g", "two\n-e\n");
is(hand('two'), "0|sub/g:1: two\n|", 'a pattern, here');
is(hand('-i', 'two'), "0|f:2: Two\nsub/g:1: two\n|", '-i');
is(hand('two', 'sub'), "0|g:1: two\n|", 'paths from the directory');
is(hand('-e', 'one', '-etwo', 'sub'), "0|g:1: two\n|", '-e');
is(hand('--', '-e', 'sub'), "0|g:2: -e\n|", 'a pattern that begins with -');
is(hand('--include=f', '--context', '1', 'Two'), "0|f-1- one\nf:2: Two\nf-3- three\n|", 'include and context');
is(hand('--offset', '2', '-i', 'two'), "0|sub/g:1: two\n|", 'offset');
is(hand('two', 'sub/g'), "0|sub/g:1: two\n|", 'one file, shown as given');
symlink 'sub/g', "$d/l";
like_hand(hand('two', 'l'), qr{^0\|/.*/sub/g:1: two\n\|$}, 'a link as what it leads to');
sub like_hand { my ($g, $re, $name) = @_; matches($g, $re, $name) }
unlink "$d/l";
is(hand('zebra'), '1||', 'nothing is 1');
is(hand('(a'), "2||bb-search: pattern refused: a '(' is not closed, at character 1\n", 'a bad pattern is 2');
is(hand('x', 'none'), "2||bb-search: cannot open 'none': not found\n", 'no such directory is 2');
is(hand('-i'), "2||bb-search: what is missing is the 'pattern': try --help\n", 'no pattern is 2');
is(hand('a', 'b', 'c'), "2||bb-search: one object at a time 'c'\n", 'two directories are 2');
is(hand('-e'), "2||bb-search: a value is missing after '-e'\n", 'no value is 2');
is(hand('--frob', 'a'), "2||bb-search: unknown option '--frob': try --help\n", 'an unknown option is 2');
is(hand('--context', 'x', 'a'), "2||bb-search: a whole number is needed for 'context'\n", 'a number is needed');
put("$d/many", "row\n" x 300);
put("$d/bin", "row\0");
is(hand('row') =~ s/^(\d)\|(.*)\|/"$1 " . ($2 =~ tr{\n}{}) . ' '/esr, "0 200 bb-search: incomplete: there are more matches; go on with --offset 201, or give --no-cap\nbb-search: 1 binary files were left out\n", 'a page, and what is missing');
is(hand('--no-cap', 'row') =~ s/^(\d)\|(.*)\|/"$1 " . ($2 =~ tr{\n}{}) . ' '/esr, "0 300 bb-search: 1 binary files were left out\n", '--no-cap');
has(hand('--json', 'zebra'), '{"code": "ok", "fault": "fine", "which": 0, "at": 0, "a": 0, "b": 0, "selected": 4, "read": 3, "binary": 1', '--json');
like_hand(hand('--help'), qr/^0\|usage: bb-search /, '--help');
open $f, '>', "$d/large";
print $f 'x' x 99, "\n" for 1 .. 800_000;
close $f;
my $sum = `cd '$d' && '$BIN/bb-search' --no-cap --include large x 2>/dev/null | wc -l`;
is($sum + 0, 800_000, '80 MB of lines are printed as they come');
system("cd '$d' && '$BIN/bb-search' --no-cap --include large x >'$T/big' 2>/dev/null");
ok(-s "$T/big" > 80_000_000, 'into a file too');
unlink "$T/big";
open $f, '>>', "$d/large";
print $f "\0";
close $f;
my ($lines, $said) = split /\|/, `cd '$d' && '$BIN/bb-search' --no-cap --include large x 2>'$T/said' | wc -l` . '|' . slurp("$T/said");
ok($lines > 0, 'what is out is out');
has($said, '1 binary files were left out', 'and a NUL after it is told');
tree($d);
done();

# Random patterns over random texts, ours against perl's and ripgrep's answer:
#   rx-oracle.pl ANSWERER PATTERNS SEED [RG]
# Prints each difference and, last, `PAIRS pairs, DIFFERENCES differences, REFUSED refused`.
#
# What the specification explains is kept out of what is generated: ripgrep's \w, \d and
# folding in Unicode differ by design (so the texts hold no letter on which they do), and
# its --crlf makes a lone CR a line end; both fold K (U+212A) into [A-Z], which we do not.
use strict;
use warnings;
use File::Temp qw(tempdir);
use IPC::Open2;

my ($answerer, $patterns, $seed, $rg) = @ARGV;
my $FILES = 10;
my ($rg_version) = $rg ? `"$rg" --version` =~ /ripgrep (\d+)/ : (0);
srand($seed);
my $pid = open2(my $from, my $to, 'env', $answerer) or die;
binmode $from;
binmode $to;
my $dir = tempdir(CLEANUP => 1);

sub pick { return $_[int rand @_] }

# One pattern as [ours, perl's, ripgrep's], each a character string.
my @plain = ('a', 'b', 'c', 'x', 'f', 'o', '_', '1', ' ', 'k', '-', 'foo', 'bar', 'ab', '{', '}',
	"\x{e9}", "\x{c9}", "\x{65e5}", ';', 'Handler', ',', '/', '"', '<', '@', 'return');
sub class {
	my $s = rand() < .3 ? '^' : '';
	my @m = ('a', 'b', 'x', '0-9', 'a-f', 'A-J', '\d', '\w', '\s', '\W', '\D', '\S', '_', '.', '*', '(',
		"\x{e9}", "\x{e0}-\x{ff}", "\x{4e00}-\x{9fff}", ' ', '\t', '\]', '\\\\', '\-');
	$s .= pick(@m) for 1 .. 1 + int rand 4;
	my ($p, $r) = ($s, $s);
	$p =~ s/\\d/0-9/g;
	$r =~ s/\\d/0-9/g;
	$p =~ s/\\D/\\P{IsOurDigit}/g;
	$r =~ s/\\D/[^0-9]/g;
	# Neither of them reads `&&`, `~~`, `--` or `[` in a class as we do: not generated.
	return ["[$s]", "[$p]", "[$r]"];
}
sub IsOurDigit { return "0030\t0039\n" }
sub atom {
	my ($depth) = @_;
	my $k = rand;
	if ($k < .5) {
		my $c = pick(@plain);
		(my $q = $c) =~ s/([{}])/\\$1/g;
		return [$c, $q =~ s/([\@"\/<-])/\\$1/gr, $q];
	}
	return ['.', '[^\n]', '.'] if $k < .58;
	if ($k < .7) {
		my $e = pick('\w', '\W', '\s', '\S', '\d', '\D');
		return [$e, '[0-9]', '[0-9]'] if $e eq '\d';
		return [$e, '[^0-9]', '[^0-9]'] if $e eq '\D';
		return [$e, $e, $e];
	}
	return class() if $k < .8;
	if ($k < .86) {
		my $c = pick('.', '*', '+', '?', '(', ')', '[', '\\', '|', '^', '$');
		return ["\\$c", "\\$c", "\\$c"];
	}
	return ['()', '(?:)', '(?:)'] if $k < .87;
	if ($depth < 3) {
		my $in = branches($depth + 1);
		my $head = pick('(', '(?:', '(?i:', '(?-i:');
		my $theirs = $head eq '(' ? '(?:' : $head;
		return ["$head$in->[0])", "$theirs$in->[1])", "$theirs$in->[2])"];
	}
	return ['a', 'a', 'a'];
}
sub branch {
	my ($depth) = @_;
	my @out = ('', '', '');
	for (1 .. 1 + int rand 5) {
		if (rand() < .08) {
			my $a = pick('^', '$', '\b', '\B');
			my %perl = ('^' => '\A', '$' => '\z', '\b' => '\b', '\B' => '\B');
			my @t = ($a, $perl{$a}, $a);
			$out[$_] .= $t[$_] for 0 .. 2;
			next;
		}
		my $a = atom($depth);
		my $repeat = rand() < .3 ? pick('*', '+', '?', '*?', '+?', '??') : '';
		# Ours stack: x+? is (x+)?, which is x*.
		my %theirs = ('*?' => '*', '+?' => '*', '??' => '?');
		for (0 .. 2) {
			my $one = $a->[$_];
			$one = "(?:$one)" if length($repeat) && length($one) > 1 && $one !~ /^(\[|\(|\\.$)/s;
			$out[$_] .= $one . ($_ == 0 ? $repeat : $theirs{$repeat} // $repeat);
		}
	}
	return \@out;
}
sub branches {
	my ($depth) = @_;
	my $out = branch($depth);
	while (rand() < .2) {
		my $b = branch($depth);
		$out->[$_] .= "|$b->[$_]" for 0 .. 2;
	}
	if (rand() < .05) {
		$out->[$_] = "(?i)$out->[$_]" for 0 .. 2;
	}
	return $out;
}

my @bits = ('a', 'b', 'c', 'x', 'f', 'o', '_', '1', ' ', '  ', 'k', 'K', "\n", "\n", "\n", "\r\n", 'foo', 'bar', 'FOO',
	'return', 'Handler', "\t", '-', ';', '.', '*', '(', ')', '[', ']', '\\', '{', '}', "\x{e9}", "\x{c9}",
	"\x{65e5}", "\x{e0}", "\x{ff}", "\x{a0}", "\x{3000}", "\x{2028}", "\x{1f600}", "\x{212a}", "\x{df}",
	"\x{1e9e}", 'ab', '7', ',', '^', '$', '|', "\"", '/', '@', '<');
sub text {
	my $kind = rand;
	return pick('', "\n", "\n\n\n", "\r\n", 'a', "foo\r\n", "x\n\ny") if $kind < .05;
	my $n = $kind < .7 ? 1 + int rand 80 : $kind < .95 ? 1 + int rand 600 : 4000 + int rand 3000;
	my $width = rand() < .5 ? scalar @bits : 3 + int rand 20;
	my @from = map { pick(@bits) } 1 .. $width;
	push @from, "\n" if rand() < .9;
	my $t = join '', map { pick(@from) } 1 .. $n;
	return $t;
}

my ($pairs, $differences, $refused, $tooslow) = (0, 0, 0, 0);
for my $round (1 .. $patterns) {
	my $p = branches(0);
	my $fold = rand() < .25;
	my $perl = eval {
		local $SIG{__WARN__} = sub { };
		$fold ? qr/(?i:$p->[1])/u : qr/$p->[1]/u;
	};
	my %ours;
	my @texts = map { text() } 1 .. $FILES;
	utf8::encode(my $pattern = $p->[0]);
	my @bytes = map { my $b = $_; utf8::encode($b); $b } @texts;
	for my $i (0 .. $#texts) {
		print $to 2 + $fold, ' ', length $pattern, ' ', length $bytes[$i], "\n", $pattern, $bytes[$i];
	}
	$to->flush;
	$ours{$_} = <$from> for 0 .. $#texts;
	die "the answerer ended\n" if !defined $ours{$#texts};
	if ($ours{0} =~ /^-/) {
		# Refused by us: it must be one of the differences of the dialect.
		$refused++;
		next;
	}
	if (!defined $perl) {
		print "perl refuses what we take: $pattern\n";
		next;
	}
	for my $i (0 .. $#texts) {
		my @lines = split /\n/, $texts[$i], -1;
		pop @lines if @lines && $lines[-1] eq '';
		my $ended = $texts[$i] =~ /\n\z/;
		my $want = '';
		my $late = 0;
		eval {
			local $SIG{ALRM} = sub { die "late\n" };
			alarm 5;
			for my $k (0 .. $#lines) {
				my $l = $lines[$k];
				$l =~ s/\r\z// if $k < $#lines || $ended;
				$want .= ($k + 1) . ' ' if $l =~ $perl;
			}
			alarm 0;
			1;
		} or $late = 1;
		alarm 0;
		$tooslow += $late;
		$pairs++;
		next if $late || $ours{$i} eq "$want\n";
		$differences++;
		(my $shown = $bytes[$i]) =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ge;
		print "perl differs: $pattern", ($fold ? ' (folded)' : ''), "\n  ours $ours{$i}  want $want\n";
		print '  text ', substr($shown, 0, 400), "\n";
	}
	# Before version 14 assertions are rewritten for --crlf ($^ finds no empty line, $\b looks
	# behind the CR): there perl's answer has to do.
	next if !$rg || ($rg_version < 14 && $p->[2] =~ /[\^\$]|\\[bB]/);
	for my $i (0 .. $#texts) {
		open my $f, '>', "$dir/$i" or die;
		binmode $f;
		print $f $bytes[$i];
		close $f;
	}
	utf8::encode(my $theirs = $p->[2]);
	open my $out, '-|', $rg, '--no-config', '-a', '-uuu', '-n', '-H', '--no-heading', '-j1', '--no-messages', '--crlf',
		'--null', '--color=never', ($fold ? '-i' : '-s'), '-e', $theirs, map { "$dir/$_" } 0 .. $#texts or die;
	binmode $out;
	my %rg;
	while (<$out>) {
		$rg{$1} .= "$2 " if m{^\Q$dir\E/(\d+)\0(\d+):};
	}
	close $out;
	if ($? >> 8 > 1) {
		print "ripgrep refuses what we take: $pattern\n";
		next;
	}
	for my $i (0 .. $#texts) {
		$pairs++;
		my $want = $rg{$i} // '';
		# Its \B also stands between the CR and the LF of a line end.
		next if $bytes[$i] =~ /\r/ && $p->[2] =~ /\\B/;
		next if $ours{$i} eq "$want\n";
		$differences++;
		(my $shown = $bytes[$i]) =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ge;
		print "ripgrep differs: $pattern", ($fold ? ' (folded)' : ''), "\n  ours $ours{$i}  want $want\n";
		print '  text ', substr($shown, 0, 400), "\n";
	}
}
close $to;
waitpid $pid, 0;
print "$pairs pairs, $differences differences, $refused patterns refused, $tooslow texts too slow for perl\n";

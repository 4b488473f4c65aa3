# The search bars (engine notes): bb-search by hand against ripgrep with two threads, over
# a tree of files of this machine, turn about, whole processes. Called by scripts/bench:
#   bench-search.pl BUILD TREE TURNS JSON [RG]
# The outputs of both are compared line by line before a row counts.
use strict;
use warnings;
use File::Path qw(make_path);
use File::Find;

my ($build, $tree, $turns, $json, $rg) = @ARGV;
my $ours = "$build/bin/bb-search";
my ($FILES, $BYTES) = (50_000, 1_000_000_000);
$rg ||= 'rg';
my ($version) = (`\Q$rg\E --version 2>/dev/null` // '') =~ /ripgrep (\d+)/;
die "bench search: needs ripgrep 15 or later; name it with --rg (this is " . ($version // 'none') . ")\n"
	if !$version || $version < 15;
$| = 1;

# Text files of this machine, of 2 to 400 KiB, until there are enough of both.
sub build_tree {
	my ($n, $bytes, %seen) = (0, 0);
	my @roots = grep { -d } qw(/usr/include /usr/share /usr/lib /usr/src /usr/local /opt), glob("$ENV{HOME}/.??*");
	print STDERR "bench: copying a tree of files to $tree\n";
	for my $root (@roots) {
		find({ no_chdir => 1, preprocess => sub { sort @_ }, wanted => sub {
			return if $n >= $FILES && $bytes >= $BYTES;
			my @st = lstat $_ or return;
			# Small ones are left out while bytes are what is missing.
			return if !-f _ || $st[7] < ($bytes / $BYTES < $n / $FILES ? 16384 : 2048) || $st[7] > 400_000;
			open my $in, '<:raw', $_ or return;
			local $/;
			my $text = <$in>;
			return if !defined $text || $text =~ /\0/;
			my $name = sprintf '%s/%02d/%02d/%05d-%s', $tree, $n / 4000, $n / 100 % 40, $n, substr $_, rindex($_, '/') + 1, 60;
			make_path($name =~ s{/[^/]*$}{}r);
			open my $out, '>:raw', $name or die "bench: $name: $!\n";
			print $out $text;
			close $out or die "bench: $name: $!\n";
			$n++;
			$bytes += $st[7];
		} }, $root);
		last if $n >= $FILES && $bytes >= $BYTES;
	}
	die sprintf "bench search: this machine has only %d text files of %d bytes in all\n", $n, $bytes
		if $n < $FILES || $bytes < $BYTES;
	open my $done, '>', "$tree.done" or die;
	print $done "$n files, $bytes bytes\n";
}
build_tree() if !-e "$tree.done";
open my $done, '<', "$tree.done" or die;
chomp(my $size = <$done>);

sub median { my @s = sort { $a <=> $b } @_; return $s[@s / 2] }
# Every line's place, and its text where ours shows it as it is (short, and ASCII). Lines
# with bytes that are not UTF-8 or with a CR inside are left out: there the two differ by
# design. In a process of its own: the lines need memory.
sub compare {
	my ($mine, $theirs) = @_;
	my $pid = fork // die;
	return waitpid($pid, 0) && $? == 0 ? 'equal' : 'DIFFERENT' if $pid;
	my (%lines, %odd);
	for my $file ($theirs, $mine) {
		open my $f, '<:raw', $file or die;
		while (<$f>) {
			s{^\./}{};
			s/\r?\n$//;
			s/^([^:]*:\d+:) /$1/ if $file eq $mine;
			my ($place) = /^([^:]*:\d+):/;
			if ($file eq $theirs) {
				my $copy = $_;
				$odd{$place} = 1 if /\r/ || !utf8::decode($copy);
			}
			next if $odd{$place};
			$_ = $place if length > 450 || /[^\x20-\x7e\t]/;
			$lines{$_} += $file eq $mine ? 1 : -1;
		}
	}
	for (grep { $lines{$_} != 0 } keys %lines) {
		print STDERR "bench: only one of them has: $_\n";
		exit 1;
	}
	exit 0;
}

my $work = "$build/bench-work";
make_path($work);
my @rows;
my $peak = 0;
sub measure {
	my ($id, $what, $dir, $mine, $theirs, $must, $aim, $compare) = @_;
	my (@a, @b);
	open my $pair, '-|', "$build/host/bench-pair", $turns, $dir, "$work/a", "$work/b", '--:', @$mine, '--:', @$theirs or die;
	while (<$pair>) {
		my ($ta, $tb, $kib) = split;
		push @a, $ta / 1e6;
		push @b, $tb / 1e6;
		$peak = $kib if $kib > $peak;
	}
	close $pair or die "bench: a run of $what failed\n";
	my $same = $compare ? compare("$work/a", "$work/b") : 'not compared';
	my $lines = 0;
	open my $counted, '<:raw', "$work/a" or die;
	$lines++ while <$counted>;
	my $figure = median(@a) / median(@b);
	my $verdict = $figure <= $aim ? 'aim' : $figure <= $must ? 'must' : 'MISSED';
	printf "%-34s %9.1f %9.1f %6.2f %6.2f %6.2f  %-6s %8d lines, %s\n", $what, 1e3 * median(@a), 1e3 * median(@b),
		$figure, $must, $aim, $verdict, $lines, $same;
	push @rows, sprintf '{"id":"%s","what":"%s","n":%d,"ours_ms":%.3f,"ripgrep_ms":%.3f,"figure":%.4f,"must":%.2f,'
		. '"aim":%.2f,"verdict":"%s","lines":%d,"output":"%s"}', $id, $what =~ s/\\/\\\\/gr, $turns, 1e3 * median(@a), 1e3 * median(@b),
		$figure, $must, $aim, $verdict, $lines, $same;
}
my @RG = ($rg, '--no-config', '-j2', '-uu', '--no-unicode', '--no-heading', '--color=never', '-n', '-H', '--crlf');
sub search {
	my ($id, $what, $must, $aim, @patterns) = @_;
	my @flags = $patterns[0] eq '-i' ? (shift @patterns) : ();
	my @e = map { ('-e', $_) } @patterns;
	measure($id, $what, $tree, [$ours, '--no-cap', @flags, @e, '--', '.'], [@RG, @flags, @e, '.'], $must, $aim, 1);
}

my @list = qw(posix_spawn pthread_create sigaction getaddrinfo memmove strtoul qsort_r fopencookie openat2 renameat2
	copy_file_range splice vmsplice epoll_pwait timerfd_create signalfd eventfd inotify_init fanotify_mark userfaultfd
	perf_event_open io_uring_setup landlock_create seccomp_load bpf_prog_load keyctl_read mbind migrate_pages move_pages
	set_mempolicy process_vm_readv kcmp finit_module sched_setattr getrandom memfd_create kexec_file_load execveat
	membarrier mlock2 preadv2 pwritev2 pkey_mprotect statx io_pgetevents rseq pidfd_send_signal clone3 close_range
	faccessat2);
print "search over $size; milliseconds, medians of $turns\n";
printf "%-34s %9s %9s %6s %6s %6s\n", 'what', 'bb-search', 'rg -j2', 'ratio', 'must', 'aim';
search('rare', 'a rare literal', .85, .76, 'posix_spawn_file_actions_addtcsetpgrp');
search('unicode', 'a literal beyond ASCII', .85, .76, "na\xc3\xafve");
search('common', 'a common literal', .80, .62, 'return');
search('icase', 'a literal in any case', .80, .62, '-i', 'warning');
search('five', 'five alternatives', .95, .70, 'sigaction|getaddrinfo|pthread_create|openat2|memmove');
search('fifty', 'a list of 50', 1.0, .80, @list);
search('handler', '\\w+Handler\\b', .80, .65, '\\w+Handler\\b');
search('dots', '.*foo.*bar', .80, .65, '.*foo.*bar');
search('class', '[a-z]+_[0-9]+[a-z]* = [0-9]+', .85, .60, '[a-z]+_[0-9]+[a-z]* = [0-9]+');
search('nested', '(a+)+$', 1.0, .45, '(a+)+$');

# The first 5,000 files, and one.
my $small = "$tree-5000";
if (!-d $small) {
	my $n = 0;
	find({ no_chdir => 1, preprocess => sub { sort @_ }, wanted => sub {
		return if $n >= 5000 || !-f;
		my $to = $small . substr $_, length $tree;
		make_path($to =~ s{/[^/]*$}{}r);
		link $_, $to or die "bench: $to: $!\n";
		$n++;
	} }, $tree);
}
measure('small', '5,000 files, a literal', $small, [$ours, '--no-cap', '-e', 'sigaction', '--', '.'], [@RG, '-e', 'sigaction', '.'],
	.60, .50, 1);
my ($one) = glob "$small/00/00/*";
my $name = $one =~ s{.*/}{}r;
measure('one', 'one file, start to exit', $one =~ s{/[^/]*$}{}r, [$ours, '-e', 'include', '--', $name], [@RG, '-e', 'include', $name],
	.50, .40, 0);
measure('walk', 'the walk alone (rg --files)', $tree, [$ours, '-e', 'x', '--include', 'no such name', '--', '.'],
	[$rg, '--no-config', '-j2', '-uu', '--files', '.'], .50, .43, 0);
printf "peak memory of bb-search: %.1f MiB (must 32)\n", $peak / 1024;

# Time against length for patterns that are hard elsewhere: one line of 8 million characters
# over one of 2 million; 4 is linear, start-up and all.
my @hard = ('(a+)+$', '(a|aa)*c', '(a*)*b', '(a|a)*b', '(a|a?)+b', '(.*a){1}x', '(.*)(.*)(.*)x', '(a?a?a?a?a?)*b', 'a*a*a*a*a*b',
	'(a+a+)+b', '([a-z]+)*\\d', '(\\w+\\s?)*!', '(x+x+)+y', '^(a+)*$b', '(a|b|ab)*c', '(\\w*a)*b', '(.+)+\\b!', '\\b(a+)+\\B1', '(?i)(a+k?)+z',
	'([^b]+a)+b');
print "\npattern                    ms at 2,000,000  ms at 8,000,000  ratio (4 is linear)\n";
for my $p (@hard) {
	my @t;
	for my $n (2_000_000, 8_000_000) {
		open my $f, '>', "$work/line" or die;
		print $f 'a' x $n, "\n";
		close $f;
		open my $pair, '-|', "$build/host/bench-pair", 5, $work, "$work/a", "$work/b", '--:', $ours, '-e', $p, '--', 'line',
			'--:', 'true' or die;
		push @t, median(map { (split)[0] / 1e6 } <$pair>);
	}
	printf "%-26s %15.2f %16.2f %6.1f\n", $p, 1e3 * $t[0], 1e3 * $t[1], $t[1] / $t[0];
	push @rows, sprintf '{"id":"linear","what":"%s","ms_2000000":%.3f,"ms_8000000":%.3f}', $p =~ s/([\\"])/\\$1/gr, 1e3 * $t[0], 1e3 * $t[1];
}
open my $out, '>', $json or die "bench: $json: $!\n";
print $out '{"schema":1,"tree":"', $size, '","peak_mib":', sprintf('%.1f', $peak / 1024), ',"rows":[', join(",\n", @rows), "]}\n";

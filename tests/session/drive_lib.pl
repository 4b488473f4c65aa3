# What the tests of a planner's side share: TAP, files with exact bytes, one `bb drive`
# with a scripted person. Wants T, WS and BIN in the environment (see lib.sh).
use strict;
use warnings;
use Encode qw(encode_utf8);
use Errno qw(EINTR);
use Fcntl qw(F_SETFD);
use File::Basename qw(dirname);
use File::Glob qw(:bsd_glob);
use File::Path qw(make_path);
use IO::Select;
use JSON::PP;
use POSIX qw(WNOHANG);
use Socket;
use Time::HiRes qw(time);

our ($T, $WS, $BIN) = @ENV{qw(T WS BIN)};
our $json = JSON::PP->new->canonical->allow_nonref->utf8;
my ($n, $failed) = (0, 0);
$SIG{PIPE} = 'IGNORE';
$| = 1;

sub ok {
	my ($ok, $name, @why) = @_;
	$n++;
	$failed++ unless $ok;
	$name =~ s/[^\x20-\x7e]/?/g;
	print $ok ? '' : 'not ', "ok $n - $name\n";
	if (!$ok) {
		for (map { split /\n/ } grep { defined } @why) {
			my $l = substr $_, 0, 300;
			utf8::encode($l) if utf8::is_utf8($l);
			print "# $l\n";
		}
	}
	return $ok;
}
sub is { my ($got, $want, $name) = @_; $got //= '(undef)'; return ok($got eq $want, $name, "got  $got", "want $want") }
sub has { my ($s, $part, $name) = @_; $s //= ''; return ok(index($s, $part) >= 0, $name, "in   $s", "want $part") }
sub lacks { my ($s, $part, $name) = @_; $s //= ''; return ok(index($s, $part) < 0, $name, "in   $s", "but  $part") }
sub matches { my ($s, $re, $name) = @_; $s //= ''; return ok($s =~ $re, $name, "in   $s", "want $re") }
sub skip { my ($name, $why) = @_; $n++; print "ok $n - $name # SKIP $why\n" }
sub done { print "1..$n\n"; exit($failed ? 1 : 0) }

# put NAME BYTES: a file under the workspace, or anywhere when absolute.
sub put {
	my ($path, $bytes) = @_;
	$path = "$WS/$path" if $path !~ m{^/};
	make_path(dirname($path));
	open my $f, '>:raw', $path or die "$path: $!";
	print $f $bytes;
	close $f or die "$path: $!";
	return $path;
}
sub slurp { my ($path) = @_; open my $f, '<:raw', $path or return ''; local $/; my $s = <$f>; return $s // '' }

# drive {opt => [...], run => [words before bb], person => sub { reply to a question }}
sub drive {
	my (%o) = @_;
	my @app;
	pipe(my $in_r, my $in_w) or die;
	pipe(my $out_r, my $out_w) or die;
	if ($o{person}) {
		socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
		@app = ($a, $b);
	}
	my $err = $o{err} // "$T/stderr";
	my $pid = fork() // die;
	if ($pid == 0) {
		open(STDIN, '<&', $in_r);
		open(STDOUT, '>&', $out_w);
		open(STDERR, '>', $err);
		if (@app) { fcntl($app[1], F_SETFD, 0); POSIX::dup2(fileno($app[1]), 9) }
		$ENV{$_} = $o{env}{$_} for keys %{ $o{env} // {} };
		exec @{ $o{run} // [] }, $o{bb} // "$BIN/bb", '-C', $o{ws} // $WS, @{ $o{opt} // [] },
			'--approver', @app ? 'fd:9' : 'none', 'drive' or POSIX::_exit(127);
	}
	close $_ for $in_r, $out_w, @app ? $app[1] : ();
	$in_w->autoflush(1);
	return { pid => $pid, in => $in_w, out => $out_r, app => $app[0], person => $o{person},
		buf => {}, asked => [], raw => '', n => 0 };
}

# The next answer (a hash), or undef at the end. Questions are replied to on the way.
sub next_answer {
	my ($d, $seconds) = @_;
	my $end = time + ($seconds // 60);
	my @from = ($d->{out}, $d->{app} && !$d->{app_gone} ? $d->{app} : ());
	while (time < $end) {
		my @ready = grep { ($d->{buf}{$_} // '') =~ /\n/ } @from;
		@ready = IO::Select->new(@from)->can_read(0.2) unless @ready;
		for my $h (@ready) {
			if (($d->{buf}{$h} // '') !~ /\n/) {
				my $k = sysread($h, my $chunk, 1 << 20);
				next if !defined $k && $! == EINTR;
				if (!$k) {
					return undef if $h == $d->{out};
					$d->{app_gone} = 1;
					@from = ($d->{out});
					next;
				}
				$d->{raw} .= $chunk if $h == $d->{out};
				$d->{buf}{$h} .= $chunk;
			}
			while ($d->{buf}{$h} =~ s/^([^\n]*)\n//) {
				my $v = $json->decode($1);
				return $v if $h == $d->{out};
				next unless exists $v->{ask} && exists $v->{screen};
				push @{ $d->{asked} }, $v;
				my $say = $d->{person}->($v);
				syswrite($d->{app}, $json->encode({ ask => $v->{ask}, answer => $say }) . "\n") if defined $say;
			}
		}
	}
	return undef;
}
sub raw { my ($d, $line) = @_; print { $d->{in} } $line, "\n"; return next_answer($d) }
# A name given as bytes is sent as the text it spells.
sub send_call { my ($d, $tool, $args, $id) = @_; $id //= ++$d->{n}; for (values %$args) { utf8::decode($_) if defined && !ref && !utf8::is_utf8($_) && /[\x80-\xff]/ } print { $d->{in} } $json->encode({ id => $id, tool => $tool, args => $args }), "\n"; return $id }
sub call {
	my ($d, $tool, %args) = @_;
	my $id = send_call($d, $tool, \%args);
	my $a = next_answer($d) // { text => "(no answer: bb ended)", status => 'none', refs => [], data => {}, notes => [] };
	# Text as bytes: what a test compares with.
	$a->{text} = encode_utf8($a->{text} // '');
	return $a;
}
sub rd { my ($d, $path, %more) = @_; return call($d, 'read_file', path => $path, %more) }
sub ls { my ($d, %args) = @_; return call($d, 'list_files', %args) }
# Rows of a visible listing.
sub rows { my ($a) = @_; my ($list) = split /\n\n/, $a->{text}; return split /\n/, $list // '' }
# End of input; the exit status.
sub finish {
	my ($d) = @_;
	close $d->{in};
	while (defined next_answer($d, 20)) { }
	close $d->{app} if $d->{app};
	my $end = time + 20;
	while (time < $end) {
		return $? if waitpid($d->{pid}, WNOHANG) > 0;
		select undef, undef, undef, 0.01;
	}
	kill 'KILL', $d->{pid};
	waitpid($d->{pid}, 0);
	return -1;
}
# bb with words: (standard output, exit code).
sub bb {
	my (@words) = @_;
	pipe(my $r, my $w) or die;
	my $pid = fork() // die;
	if ($pid == 0) {
		open(STDIN, '<', '/dev/null');
		open(STDOUT, '>&', $w);
		open(STDERR, '>', "$T/stderr");
		exec ref $words[0] ? @{ shift @words } : (), "$BIN/bb", '-C', $WS, @words or POSIX::_exit(127);
	}
	close $w;
	local $/;
	my $out = <$r>;
	waitpid($pid, 0);
	return ($out // '', $? >> 8);
}
# The one trail of this state directory, newest session, as hashes.
sub trail {
	my ($file) = @_;
	if (!defined $file) {
		my @f = sort { (stat $a)[9] <=> (stat $b)[9] } glob "$ENV{XDG_STATE_HOME}/bb/sessions/*/*.audit.jsonl";
		$file = $f[-1] // return;
	}
	return map { $json->decode($_) } grep { /\S/ } split /\n/, slurp($file);
}
1;

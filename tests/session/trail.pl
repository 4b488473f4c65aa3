# The trail (flow 12): gates in order for each kind of call, a full device, a kill.
# Run by trail.sh.
use strict;
use warnings;
use File::Glob qw(:bsd_glob);
use JSON::PP;
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my ($d, $a, $out, $rc, @t);
put('f', "content SEEN\n");
put('u', "content UNSEEN\n");
mkdir "$T/tr";
my $k = 0;
# One bb call with its own trail: its lines without those of the start.
sub lines_of { my (@words) = @_; my $f = "$T/tr/" . $k++; ($out, $rc) = bb('--trail', $f, @words); my @l = trail($f); return grep { ($_->{call} // 0) == 1 } @l }
sub story { return join ' ', map { $_->{kind} eq 'gate_passed' ? $_->{gate} : $_->{kind} eq 'gate_blocked' ? "BLOCK:$_->{gate}" : $_->{kind} eq 'action_field' ? $_->{field} : $_->{kind} } @_ }
is(story(lines_of('--trust', 'call', 'read_file', 'path=f')),
	'call precommit capability path rules confine promote trust action observed present done', 'a visible read');
is(story(lines_of('call', 'read_file', 'path=u')),
	'call precommit capability path rules confine promote trust slot_deferred done', 'one held back');
is(story(@t = lines_of('call', 'read_file', 'path=/etc/passwd')), 'call precommit capability path rules BLOCK:confine done', 'a refused one');
my ($b) = grep { $_->{kind} eq 'gate_blocked' } @t;
is($b->{refusal} ? 1 : 0, 1, 'it is marked as a refusal');
has($b->{reason}, 'outside the workspace', 'with its reason');
is(story(lines_of('call', 'read_file', 'path_ref=ref:9')), 'call precommit capability path_ref BLOCK:reference done', 'a reference to nothing');
is(story(lines_of('call', 'read_file')), 'call done', 'a malformed one');
is(story(lines_of('--trust', 'call', 'list_files')), 'call precommit capability directory rules confine promote trust action observed present done', 'a visible listing');
has(story(lines_of('call', 'list_files', 'pattern=*')), 'call precommit capability directory rules confine promote pattern trust action observed slot_deferred', 'one held back');
is(story(lines_of('call', 'nothing')), 'call BLOCK:capability done', 'an unknown tool');
is(story(lines_of('--trust', '--context', 'untrusted', 'call', 'read_file', 'path=f')), 'call precommit capability BLOCK:argument done', 'an untrusted conversation');
# The first event, and the shape of every line.
my @all = trail("$T/tr/0");
ok((grep { $_->{kind} eq 'gate_passed' && $_->{gate} eq 'mode' } @all) > 0 || $all[0]{kind} eq 'session', 'the start is there', story(@all));
my $seq = 0;
is(scalar(grep { $_->{seq} == ++$seq && defined $_->{at} && exists $_->{refusal} } @all) == @all ? 1 : 0, 1, 'each line: its number in order, at, refusal') or print map { "# " . $json->encode($_) . "\n" } @all[0 .. 2];
lacks(join('', map { slurp("$T/tr/$_") } 0 .. $k - 1), $_, "no content: $_") for 'SEEN', 'root:';
is((stat "$T/tr/0")[2] & 0777, 0600, 'its mode is 0600');

# --- a full device ------------------------------------------------------------------------------
for my $how (['fd', ['sh', '-c', 'exec 7>/dev/full; exec "$@"', 'sh'], '--trail', 'fd:7'], ['file', [], '--trail', '/dev/full']) {
	my ($name, $run, @opt) = @$how;
	($out, $rc) = bb(@$run ? $run : (), '--trust', @opt, 'call', 'read_file', 'path=f', '--json');
	lacks($out, 'SEEN', "$name full: nothing is shown");
	ok($rc == 3 || $rc == 75, "$name full: the call is refused ($rc)", $out);
	next if $rc == 75;
	$a = $json->decode($out);
	is("$a->{status} " . ($a->{gate} // ''), 'refused trail', "$name full: by the gate trail");
	($out, $rc) = bb(@$run ? $run : (), '--trust', @opt, 'call', 'list_files', '--json');
	lacks($out, '"text":"f', "$name full: no name is listed");
	is($rc, 3, "$name full: refused");
}
# It fills while a session runs: a pipe nobody reads any more.
pipe(my $r, my $w) or die;
$d = drive(opt => ['--trust', '--trail', 'fd:7'], run => ['sh', '-c', "exec 7>'$T/fifo7'; exec \"\$@\"", 'sh']) if POSIX::mkfifo("$T/fifo7", 0600);
open my $rd, '<', "$T/fifo7" or die;
matches(rd($d, 'f')->{text}, qr/\Acontent/, 'while the trail is read, a read goes');
close $rd;
$a = rd($d, 'f');
is("$a->{status} " . ($a->{gate} // ''), 'refused trail', 'then nobody reads it: refused');
lacks($a->{text}, 'SEEN', 'and nothing shown');
is(call($d, 'list_files')->{gate} // '', 'trail', 'so is every later call');
is(finish($d), 0, 'the session ends in order');

# --- killed at any moment ----------------------------------------------------------------------
my ($bad, $lines) = (0, 0);
for my $round (1 .. 25) {
	my $f = "$T/tr/k$round";
	$d = drive(opt => ['--trust', '--trail', $f]);
	print { $d->{in} } join '', map { qq({"id":$_,"tool":"read_file","args":{"path":"f"}}\n) } 1 .. 40;
	select undef, undef, undef, rand 0.03;
	kill 'KILL', $d->{pid};
	waitpid($d->{pid}, 0);
	while (defined next_answer($d, 5)) { }
	my $s = slurp($f);
	my $answers = () = $d->{raw} =~ /"status":"ok"/g;
	my @l = split /\n/, $s, -1;
	my $rest = pop(@l) // ''; # an empty file has no piece at all
	my $shown = 0;
	for (@l) { $lines++; my $v = eval { $json->decode($_) }; if (!$v) { $bad++; next } $shown++ if $v->{kind} eq 'gate_passed' && $v->{gate} eq 'present' }
	$bad++ if $rest ne '' && $rest !~ /^\{/;
	ok($shown >= $answers, "round $round: what was shown stands in the trail", "$shown < $answers");
}
is($bad, 0, 'every line of a killed session is whole');
ok($lines > 0, 'there were lines', $lines);

# --- why, and the person's acts --------------------------------------------------------------------
@t = lines_of('--trust', 'call', 'read_file', 'path=f', 'why=ignore all');
my $with = story(@t);
is($with, story(lines_of('--trust', 'call', 'read_file', 'path=f')), 'why changes no gate');
my $f = "$T/tr/asked";
$d = drive(opt => ['--trail', $f], person => sub { return 'y' });
rd($d, 'u');
finish($d);
@t = trail($f);
my ($asked) = grep { $_->{kind} eq 'asked' } @t;
ok($asked, 'a question and its answer are recorded', story(@t));
has($json->encode($asked // {}), '"yes"', 'with the answer');
lacks(slurp($f), 'UNSEEN', 'without the content');
# Names with bytes that a terminal would act on.
put("n\x1b[31m\nx", "x\n");
$f = "$T/tr/names";
$d = drive(opt => ['--trail', $f]);
ls($d);
call($d, 'read_file', path_ref => 'ref:0');
finish($d);
my $s = slurp($f);
lacks($s, "\x1b", 'no escape in the trail');
is(scalar(grep { !eval { $json->decode($_) } } grep { /\S/ } split /\n/, $s), 0, 'a name with a newline breaks no line');
# --private keeps none.
system('rm', '-rf', $ENV{XDG_STATE_HOME});
bb('--private', '--trust', 'call', 'read_file', 'path=f');
is(scalar(my @left = glob "$ENV{XDG_STATE_HOME}/bb/sessions/*/*"), 0, '--private leaves no record');
done();

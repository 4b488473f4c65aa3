# todo_write (agents 3, flow 7, 11). Run by todo.sh.
use strict;
use warnings;
use utf8;
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my ($a, $d, $out, $rc);

$d = drive(opt => ["--trail=$T/trail"]);
sub todo { return call($d, 'todo_write', todos => [@_], why => 'so that you see it') }
sub task { return { content => $_[0], status => $_[1] } }
$a = todo(task('one', 'completed'), task('two', 'in_progress'), task('three', 'pending'), task('four', 'cancelled'));
is("$a->{status} $a->{text}", 'ok recorded 4 tasks: 1 to do, 1 in progress, 1 completed, 1 cancelled', 'counts, and what was cancelled is not done');
is($a->{label}, '(T,pub)', 'its label');
is($json->encode($a->{data}{counts}), '{"cancelled":1,"completed":1,"in_progress":1,"pending":1}', 'counts as numbers');
is(scalar @{ $a->{refs} }, 0, 'no reference');
$a = todo(task('other', 'pending'));
is($json->encode($a->{data}{todos}), '[{"content":"other","status":"pending"}]', 'a list replaces the one before');
$a = todo(task('a', 'done'), task('b', 'Completed'), task('c', ''), { content => 'd' }, { content => 'e', status => 5 });
is($a->{text}, 'recorded 5 tasks: 5 to do', 'an unknown, empty or missing status is outstanding work');
is(todo()->{text}, 'recorded 0 tasks; the list is empty now', 'an empty list');
for my $c ([ 'x', "'todos' must be a list of objects" ], [ {}, "'todos' must be a list of objects" ], [ ['x'], 'number 1 is none' ],
	[ [ {} ], 'number 1 must have content' ], [ [ { content => ' ' } ], 'number 1 must have content' ],
	[ [ { content => 7 } ], 'number 1 must have content' ],
	[ [ { content => 'a', path => 'x' } ], "holds 'path'" ], [ [ task('x' x 1001, 'pending') ], 'longer than 1000 bytes' ],
	[ [ map { task('x', 'pending') } 1 .. 201 ], "'todos' holds 201, and 0 to 200 may stand there" ], [ undef, "'todos' is required" ]) {
	$a = call($d, 'todo_write', todos => $c->[0]);
	is("$a->{status} $a->{code}", 'error bad-argument', "refused: $c->[1]");
	has($a->{text}, $c->[1], 'by name and way out');
}
is(todo(map { task("task $_", 'pending') } 1 .. 200)->{status}, 'ok', '200 tasks');
$a = call($d, 'todo_write', todos => [ task('x', 'pending') ], path => 'x');
is($a->{code}, 'bad-argument', 'it takes no path');
is(finish($d), 0, 'the session ends well');
my @t = grep { ($_->{tool} // '') eq 'todo_write' && $_->{kind} eq 'action_field' } trail("$T/trail");
is($t[0]{role}, 'content', 'the list is content in the trail');
lacks(slurp("$T/trail"), 'task 7', 'and not a word of it is there');
is(join(' ', sort map { $_->{kind} } grep { ($_->{call} // 0) == 1 } trail("$T/trail")), 'action_field call done gate_passed gate_passed', 'its gates: precommit, capability, the field');

# Where nobody can be asked it works as well; context U refuses it (I10).
$d = drive(opt => ['--context=untrusted']);
$a = todo(task('one', 'pending'));
is("$a->{status} $a->{gate}", 'refused argument', 'not from an untrusted context');
finish($d);
$d = drive(opt => ['--tools=read_file']);
is(todo(task('one', 'pending'))->{code}, 'not-offered', 'left out of --tools it is unknown');
finish($d);
$d = drive(opt => ['--read-only']);
is(todo(task('one', 'pending'))->{status}, 'ok', '--read-only keeps it: it touches nothing');
finish($d);

# The schema, from the table.
$d = drive();
my $t = raw($d, '{"id":1,"tools":"openai"}')->{data}{tools};
my ($s) = map { $_->{function}{parameters} } grep { $_->{function}{name} eq 'todo_write' } @$t;
is("@{ $s->{properties}{todos}{items}{properties}{status}{enum} }", 'pending in_progress completed cancelled', 'the words in the schema');
is("$s->{properties}{todos}{minItems} $s->{properties}{todos}{maxItems} @{ $s->{required} }", '0 200 todos why', 'its bounds');
finish($d);

# What the person sees: at a front of their own, each task behind its sign.
($out, $rc) = bb('call', 'todo_write', 'todos=[{"content":"x","status":"completed"}]');
is("$rc $out", "0 recorded 1 task: 1 completed\n", 'bb call');
($out, $rc) = bb('call', 'todo_write', 'todos=nonsense');
is($rc, 2, 'what is no JSON is wrong use');
put("$T/lines", qq{,todo_write todos='[{"content":"ship\\u202eit","status":"cancelled"},{"content":"b","status":"in_progress"}]'\n});
my @typed = ('sh', '-c', "\"\$@\" <$T/lines", 'sh');
($out, $rc) = bb([@typed]);
utf8::decode($out);
has($out, '[-] ship<U+202E>it', 'a cancelled task, what could deceive made visible');
has($out, '[>] b', 'one in progress');
($out, $rc) = bb([@typed], '--color', 'always');
matches($out, qr/\e\[9m.*ship.*\e\[29m/, 'struck through where there are colours');

# bb power: no process, said in words and in JSON.
($out, $rc) = bb('power', 'todo_write');
is($rc, 0, 'bb power todo_write');
has($out, 'process   none: bb does it itself and starts nothing', 'no process');
($out, $rc) = bb('power', 'todo_write', '--json');
my $p = $json->decode($out);
is($json->encode([ @$p{qw(decision process fds seccomp power)} ]), '["runs",null,[],null,null]', 'the same in JSON');
($out, $rc) = bb('power', 'todo_write', '--by-hand');
is("$rc $out", "2 error: this tool has no helper that could be started by hand\n", 'nothing to start by hand');
done();

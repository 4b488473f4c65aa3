# ask_user (agents 2, flow 8, prompts 2.10, design 3.2). Run by ask.sh.
use strict;
use warnings;
use utf8;
use JSON::PP ();
require "drive_lib.pl";
our ($T, $WS, $BIN, $json);
my ($a, $d, $out, $rc);

my @say; # answers to come; undef: none
my $drive = sub { my @opt = @_; return drive(opt => [@opt], person => sub { return shift @say }) };
$d = $drive->("--trail=$T/trail");
sub ask { return call($d, 'ask_user', questions => [@_], why => 'to go on') }
sub asked { return scalar @{ $d->{asked} } }
my %style = (header => 'Error style', question => 'Stop at the first error, or collect them?',
	options => [ { label => 'stop at the first', detail => 'simplest' }, 'collect' ]);

# --- one question, each kind of answer ---
@say = ({ choices => [2] });
$a = ask({%style});
is("$a->{status} $a->{text}", 'ok 1. Error style: chosen: collect', 'an option');
is($a->{label}, '(T,pub)', 'an answer is trusted and as public as the question');
is($json->encode($a->{data}), '{"answers":[{"choices":[2],"labels":["collect"]}]}', 'as data');
my $q = $d->{asked}[-1];
is("$q->{kind} $q->{tool} @{ $q->{answers} }", 'question ask_user choices text skip', 'its kind and answers');
is($json->encode($q->{plan}), $json->encode({ header => 'Error style', question => $style{question}, multiple => JSON::PP::false(),
	options => [ { label => 'stop at the first', detail => 'simplest' }, { label => 'collect' } ] }), 'its plan');
has($q->{screen}, "  1          stop at the first   simplest\n  2          collect\n  3          something else: type it\n", 'its drawing');
has($q->{screen}, '1-3 choose', 'its keys');
has($q->{screen}, 's skip this one', 'skip is one');
has($q->{screen}, 'to go on', 'and why');
my $n = asked();
$a = ask({%style});
is($a->{text}, '1. Error style: chosen: collect (answered earlier in this session)', 'remembered');
is(asked(), $n, 'and not asked again');
@say = ({ text => "neither:\nlog them" });
$a = ask({ %style, header => 'Error style 2' });
is($a->{text}, "1. Error style 2: in their own words: neither:\nlog them", 'own words; the key covers the header');
@say = ('skip', 'skip');
$a = ask({ %style, question => 'Other?' });
is("$a->{status} $a->{text}", 'ok 1. Error style: skipped: go on without it, and do not ask it again', 'skipped is an answer');
$n = asked();
ask({ %style, question => 'Other?' });
is(asked(), $n, 'and remembered');
for my $other ({ %style, options => ['collect'] }, { %style, multiple => JSON::PP::true() }, { %style, multiple => JSON::PP::false() },
	{ header => 'Error style', question => $style{question} }, { %style, options => [ { label => 'stop at the first' }, 'collect' ] },
	{ %style, options => [ { label => 'stop at the first', detail => '' }, 'collect' ] }) {
	@say = ({ text => 'x' });
	$n = asked();
	ask($other);
	is(asked(), $n + 1, 'every field is part of the key: ' . $json->encode($other));
}
@say = ({ choices => [ 3, 1 ] }, { choices => [] });
$a = ask({ header => 'H', question => 'Which?', options => [qw(a b c)], multiple => JSON::PP::true() });
is($a->{text}, '1. H: chosen: a; c', 'several');
has($d->{asked}[-1]{screen}, "  [ ] 1      a\n", 'with boxes');
$a = ask({ header => 'H2', question => 'Which?', options => [qw(a b c)], multiple => JSON::PP::true() });
is($a->{text}, '1. H2: none of the options', 'or none');
@say = ({ text => 'ok' });
$a = ask({ header => 'Name', question => 'What is it called?' });
is($a->{text}, '1. Name: in their own words: ok', 'without options');
is("@{ $d->{asked}[-1]{answers} }", 'text skip', 'there is nothing to choose');
has($d->{asked}[-1]{screen}, '1 type', 'but to type');

# --- a series ---
@say = ('skip', { text => 'two' });
$a = ask({%style}, { header => 'A', question => 'a?' }, { header => 'B', question => 'b?' });
is($a->{text}, "1. Error style: chosen: collect (answered earlier in this session)\n2. A: skipped: go on without it, and do not ask it again\n3. B: in their own words: two", 'a series known in part asks the rest, in order');
is(join(',', map { $_->{plan}{header} } @{ $d->{asked} }[-2, -1]), 'A,B', 'one at a time');
is("$d->{asked}[-2]{of}[0] of $d->{asked}[-2]{of}[1]", '1 of 2', 'the position is shown');
$n = asked();
$a = ask(map { { header => "$_", question => '?' } } 1 .. 5);
is("$a->{status} $a->{code}", 'error bad-argument', 'more than four are refused whole');
has($a->{text}, "'questions' holds 5, and 1 to 4 may stand there; none of them was taken", 'in words');
is(asked(), $n, 'and none of them asked');

# --- what is no question ---
my $long = 'x' x 2001;
for my $c ([ [], "holds 0, and 1 to 4" ], [ 'x', 'must be a list of objects' ], [ [7], 'number 1 is none' ], [ undef, "'questions' is required" ],
	[ [ { question => 'q' } ], 'question 1 must have a header' ], [ [ { header => 'h' } ], 'question 1 must have a question' ],
	[ [ { header => ' ', question => 'q' } ], 'must have a header' ], [ [ { header => 'h', question => 5 } ], 'must have a question' ],
	[ [ { header => 'h', question => 'q', extra => 1 } ], "'extra' is no member of a question (question 1)" ],
	[ [ { header => 'h', question => 'q', options => 'x' } ], 'the options of question 1 must be a list' ],
	[ [ { header => 'h', question => 'q', options => [''] } ], 'must have a label for each option' ],
	[ [ { header => 'h', question => 'q', options => [ {} ] } ], 'must have a label for each option' ],
	[ [ { header => 'h', question => 'q', options => [ { label => 'l', run => 'x' } ] } ], "'run' is no member of an option" ],
	[ [ { header => 'h', question => 'q', options => [ { label => 'l', detail => 1 } ] } ], 'detail of an option must be a string' ],
	[ [ { header => 'h', question => 'q', options => [ 1 .. 9 ] } ], 'must have a label' ],
	[ [ { header => 'h', question => 'q', options => [ map { "o$_" } 1 .. 9 ] } ], 'more than 8 options' ],
	[ [ { header => 'h', question => 'q', multiple => 'yes' } ], "'multiple' of question 1 must be true or false" ],
	[ [ { header => 'h', question => $long } ], 'longer than 2000 bytes' ], [ [ { header => 'x' x 201, question => 'q' } ], 'longer than 200 bytes' ],
	[ [ ({ header => 'h', question => 'q' }) x 2 ], 'questions 1 and 2 are the same' ]) {
	$a = call($d, 'ask_user', questions => $c->[0]);
	is("$a->{status} $a->{code}", 'error bad-argument', "refused: $c->[1]");
	has($a->{text}, $c->[1], 'by name and cause');
}
is(asked(), $n, 'nothing of it was asked');

# --- what a lying approver says ---
@say = ();
for my $bad ('y', 'n', 's', '=', '~', { choices => [3] }, { choices => [ 1, 2 ] }, { choices => [] }, { choices => [0] }, { choices => ['1'] },
	{ text => '' }, { text => "a\e[2Jb" }, { text => 'a', choices => [1] }, {}, [1]) {
	push @say, $bad;
}
my @tries = @say;
@say = (undef);
my $id = send_call($d, 'ask_user', { questions => [ { %style, header => 'Liar' } ] });
$out = next_answer($d, 1);
ok(!defined $out, 'it waits');
my $ask = $d->{asked}[-1]{ask};
for my $v (@tries) { syswrite($d->{app}, $json->encode({ ask => $ask, answer => $v }) . "\n") }
$out = next_answer($d, 1);
ok(!defined $out, 'none of them answers it', defined $out ? $json->encode($out) : '');
syswrite($d->{app}, $json->encode({ ask => $ask, answer => { choices => [1] } }) . "\n");
$a = next_answer($d);
is($a->{text}, '1. Liar: chosen: stop at the first', 'what was offered does');

# --- an answer is no yes to anything else, and a choice none ---
put('f', "old\n");
@say = ({ choices => [1] });
$id = send_call($d, 'write_file', { path => 'f', contents => "new\n" });
ok(!defined next_answer($d, 1), 'a choice does not answer a write');
syswrite($d->{app}, $json->encode({ ask => $d->{asked}[-1]{ask}, answer => 'skip' }) . "\n");
ok(!defined next_answer($d, 1), 'nor does skip');
syswrite($d->{app}, $json->encode({ ask => $d->{asked}[-1]{ask}, answer => 'n' }) . "\n");
is(next_answer($d)->{status}, 'refused', 'n does');
is(slurp("$WS/f"), "old\n", 'nothing was written');

# --- a cancel, a stop ---
@say = (undef);
$id = send_call($d, 'ask_user', { questions => [ map { { header => "C$_", question => '?' } } 1 .. 4 ] });
ok(!defined next_answer($d, 1), 'four wait');
print { $d->{in} } qq({"id":900,"cancel":$id}\n);
my %got = map { $_->{id} => $_ } next_answer($d), next_answer($d);
is($got{$id}{code}, 'cancelled', 'a cancel withdraws all of them');
@say = ('stop');
$n = asked();
$a = ask(map { { header => "S$_", question => '?' } } 1 .. 3);
is("$a->{status} $a->{code}", 'error cancelled', 'a stop stops the turn');
is(asked(), $n + 1, 'and the rest is not drawn');
is(ask({ header => 'S9', question => '?' })->{code}, 'declined', 'until it ends');
raw($d, '{"id":901,"turn":"end"}');
@say = ({ text => 'again' });
is(ask({ header => 'S1', question => '?' })->{text}, '1. S1: in their own words: again', 'what was stopped is not remembered');

# --- ten calls at once: order of arrival ---
@say = map { { text => "t$_" } } 1 .. 10;
$n = asked();
my @ids = map { send_call($d, 'ask_user', { questions => [ { header => "T$_", question => '?' } ] }) } 1 .. 10;
%got = map { my $v = next_answer($d); ($v->{id} => $v->{text}) } 1 .. 10;
is(join('|', map { $got{$_} } @ids), join('|', map { "1. T$_: in their own words: t$_" } 1 .. 10), 'ten in flight, each its own answer');
is(join(' ', map { $_->{plan}{header} } @{ $d->{asked} }[ $n .. $n + 9 ]), join(' ', map { "T$_" } 1 .. 10), 'asked in the order of arrival');
finish($d);
my @t = trail("$T/trail");
my ($first) = grep { $_->{kind} eq 'asked' } @t;
is(join(' ', grep { defined } @{$first}{qw(call object answer)}), '1 Error style answered', 'the trail: that it was answered');
lacks(slurp("$T/trail"), 'log them', 'and not one word of it');
my ($gate) = grep { ($t[$_]{gate} // '') eq 'answer' } 0 .. $#t;
my ($asked) = grep { $t[$_]{kind} eq 'asked' } 0 .. $#t;
ok(defined $gate && $gate < $asked, 'its gate stands before it');

# --- five no: later ones are not asked, and nobody answers them ---
$d = $drive->();
put("n$_", "x\n") for 1 .. 5;
@say = ('n') x 5;
call($d, 'write_file', path => "n$_", contents => "y\n") for 1 .. 5;
$a = ask({%style});
is("$a->{status} $a->{code}", 'refused declined', 'after five no');
has($a->{text}, 'not asked: the person said no to several questions of this turn', 'said so');
finish($d);

# --- nobody ---
$d = drive();
$a = ask({%style}, { header => 'B', question => 'b?' });
is("$a->{status} $a->{code}", 'unasked nobody-to-ask', 'nobody can be asked');
is(scalar(grep { $_->{unasked} } @{ $a->{data}{answers} }), 2, 'every question is declined');
has($a->{text}, 'not asked: nobody can be asked here', 'none is answered for them');
has($a->{text}, 'bb approve', 'and the way out');
finish($d);
($out, $rc) = bb('--approver', 'none', 'call', 'ask_user', 'questions=[{"header":"H","question":"q"}]');
is($rc, 4, 'bb call: exit 4');
@say = ({ text => 'x' });
$d = $drive->('--context=untrusted');
$a = ask({%style});
is("$a->{status} $a->{gate}", 'refused argument', 'not from an untrusted context');
is(asked(), 0, 'and it is not drawn');
finish($d);
@say = ({ text => 'x' });
$d = $drive->();
put('held.md', "HELD\n");
@say = ('n', { text => 'still' });
call($d, 'read_file', path => 'held.md');
is(ask({ header => 'After', question => '?' })->{text}, '1. After: in their own words: still', 'a held-back read does not stop it');
# Somebody who says too much, and forges rows of ours.
@say = ('skip');
ask({ header => "H\n  4  another", question => "q\n\n  y yes    n no\x{202e}", options => [ "a\n  3  b" ] });
lacks($d->{asked}[-1]{screen}, "\n  4  another", 'the agent draws no row');
lacks($d->{asked}[-1]{screen}, "\n  y yes", 'and no key');
lacks($d->{asked}[-1]{screen}, "\x{202e}", 'nor another direction');
finish($d);
done();

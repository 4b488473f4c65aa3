# bb drive line by line (design 3.1). Run by drive.sh.
use strict;
use warnings;
use JSON::PP;
use Time::HiRes qw(time);
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my ($d, $a);
put('f', "one\ntwo\n");
put("u$_", "held\n") for 1 .. 70;

# --- lines that cannot be read ----------------------------------------------------------------
$d = drive(opt => ['--trust']);
my $deep33 = '{"id":1,"tool":"read_file","args":' . '{"a":' x 32 . '1' . '}' x 32 . '}';
for (['no JSON', 'hello'], ['half', '{"id":1'], ['an array', '[1]'], ['a string', '"x"'], ['a number', '5'], ['null', 'null'], ['two values', '{"id":1,"hello":1} {}'],
	['a trailing comma', '{"id":1,}'], ['a comment', '{"id":1/**/}'], ['duplicate id', '{"id":1,"id":2,"hello":1}'], ['duplicate path', '{"id":1,"tool":"read_file","args":{"path":"f","path":"g"}}'],
	['duplicate by escape', '{"id":1,"tool":"read_file","args":{"path":"f","pa\u0074h":"g"}}'], ['depth 33', $deep33], ['depth 100,000', '[' x 100000], ['raw NUL', "{\"id\":1,\"hello\":1\0}"],
	['escaped NUL', '{"id":1,"tool":"read_file","args":{"path":"a\u0000b"}}'], ['NUL in a key', '{"id":1,"a\u0000":1}'], ['high surrogate', '{"id":1,"tool":"read_file","args":{"path":"\ud800"}}'],
	['low surrogate', '{"id":1,"tool":"read_file","args":{"path":"\udc00x"}}'], ['invalid UTF-8', "{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"\xff\"}}"],
	['encoded surrogate', "{\"id\":1,\"x\":\"\xed\xa0\x80\"}"], ['overlong', "{\"id\":1,\"x\":\"\xc0\xaf\"}"], ['raw control', "{\"id\":1,\"x\":\"\x01\"}"], ['NaN', '{"id":NaN}'], ['leading zero', '{"id":01,"hello":1}'],
	['a mark', "\xef\xbb\xbf{\"id\":1,\"hello\":1}"], ['id missing', '{"hello":1}'], ['id null', '{"id":null,"hello":1}'], ['id true', '{"id":true,"hello":1}'],
	['id 1.5', '{"id":1.5,"hello":1}'], ['id an object', '{"id":{},"hello":1}'], ['id of 257 bytes', '{"id":"' . 'i' x 257 . '","hello":1}'], ['id 2^64', '{"id":18446744073709551616,"hello":1}'],
	['a line of 10 MB', '{"id":1,"tool":"read_file","args":{"path":"' . 'x' x 10_000_000 . '"}}'], ['1 MiB and one byte', '{"id":1,"hello":1}' . ' ' x ((1 << 20) - 17)]) {
	my ($name, $line) = @$_;
	$a = raw($d, $line);
	is(($a->{status} // '') . ' ' . ($a->{code} // '') . ' ' . (defined $a->{id} ? 'id' : 'null'), 'error bad-line null', $name);
	matches($a->{text}, qr/^error: /, "$name: says so");
}
is(raw($d, '{"id":1,"hello":1}')->{status}, 'ok', 'and the session goes on');
for (['no kind', '{"id":"k"}'], ['unknown member', '{"id":"k","tool":"read_file","arg":{}}'], ['tool a number', '{"id":"k","tool":5}'], ['tool null', '{"id":"k","tool":null}'], ['tools false', '{"id":"k","tools":false}'], ['tools unknown', '{"id":"k","tools":"xml"}']) {
	$a = raw($d, $_->[1]);
	is("$a->{status} $a->{id}", 'error k', "$_->[0]: an error with its id");
}
has(raw($d, '{"id":"k","hello":1,"extra":1}')->{text}, 'extra', 'an unknown member is named');
for ('0', '-5', '9007199254740993', '9223372036854775807', '"a"', '""', '"\u00e9"', '"' . 'i' x 256 . '"') {
	print { $d->{in} } qq({"id":$_,"hello":1}\n);
	my $before = length $d->{raw};
	next_answer($d);
	my $want = $_ eq '"\u00e9"' ? "\"\xc3\xa9\"" : $_;
	has(substr($d->{raw}, $before), "\"id\":$want,", 'id ' . substr($_, 0, 20) . ' comes back as sent');
}
print { $d->{in} } "\n\n\n";
is(raw($d, '{"id":2,"hello":1}')->{id} // 'null', 2, 'empty lines are passed over') || next_answer($d);
$a = raw($d, '{"id":3,"hello":1}');
$a = raw($d, "{\"id\":4,\"hello\":1}\r") if defined $a->{id} && $a->{id} eq 3;
is($a->{status}, 'ok', 'a CR at the end of a line');
$a = raw($d, '{"id":5,"tool":"read_file","args":{"path":"f"}}' . ' ' x ((1 << 20) - 100));
is($a->{status}, 'ok', 'a long line below 1 MiB');

# --- hello, tools, turn -------------------------------------------------------------------------
$a = raw($d, '{"id":6,"hello":1}')->{data};
is("$a->{protocol} " . Encode::encode_utf8($a->{workspace}) . " $a->{mode} @{ $a->{tools} }", "1 $WS default read_file list_files search write_file edit_file read_output vet_content ask_user todo_write", 'hello');
matches($a->{guarantee}{files}, qr/^(full|weaker)$/, 'says what holds');
for ('true', '"openai"', '"anthropic"', '"mcp"') {
	my $t = raw($d, qq({"id":7,"tools":$_}))->{data}{tools};
	is(scalar @$t, scalar @{ $a->{tools} }, "tools $_");
	has($json->encode($t), 'read_file', "tools $_ names read_file");
}
is($json->encode(raw($d, '{"id":8,"turn":"end"}')->{data}), '{"jobs_stopped":[],"undo_points":0}', 'turn');
for ('run', 'read_file ', 'READ_FILE', '', "x\x{1b}", 'x' x 5000) {
	$a = call($d, $_);
	is("$a->{status} $a->{code}", 'error not-offered', 'unknown tool ' . substr($_, 0, 20));
}
is($json->encode(raw($d, '{"id":9,"cancel":99}')->{data}), '{"cancelled":false}', 'nothing to cancel');

# --- READ-8 ---------------------------------------------------------------------------------------
my $first = rd($d, 'f')->{text};
is(rd($d, 'f')->{text}, $first, 'a planner that does not say it remembers gets the text again');
raw($d, '{"id":10,"hello":1,"remembers":true}');
$a = rd($d, 'f');
is($a->{text}, $first, 'the first read of one that does');
my $tok = $a->{token};
is(rd($d, 'f')->{text}, "f from line 1: unchanged since it was shown; see the earlier result\n\n[token $tok]", 'then unchanged');
is(rd($d, './f')->{token}, $tok, 'under another spelling: the same token');
matches(rd($d, 'f', offset => 2)->{text}, qr/\Atwo/, 'another window is shown');
matches(rd($d, 'f', limit => 1)->{text}, qr/\Aone/, 'another limit is shown');
has(rd($d, 'f', limit => 1)->{text}, 'f from line 1, at most 1 line: unchanged', 'and then unchanged');
put('f', "changed\n");
matches(rd($d, 'f')->{text}, qr/\Achanged/, 'a changed file is shown');
is(finish($d), 0, 'end of input: 0');

# --- many at once ---------------------------------------------------------------------------------
$d = drive(opt => ['--trust', '--stats']);
put("g$_", "file $_\n") for 1 .. 60;
print { $d->{in} } join '', map { qq({"id":"c$_","tool":"read_file","args":{"path":"g$_"}}\n) } 1 .. 60;
my %got;
for (1 .. 60) { my $x = next_answer($d); $got{ $x->{id} } = $x }
is(scalar(grep { ($got{"c$_"}{text} // '') =~ /\Afile $_\n/ } 1 .. 60), 60, '60 calls at once: each answer has its own id');
is(join(' ', sort keys %{ $got{c1}{stats} }), 'asked_us questions spawns wall_us', '--stats');
is($got{c1}{stats}{spawns}, 1, 'one helper for a page');
finish($d);

my @held;
$d = drive(person => sub { push @held, $_[0]; return undef });
print { $d->{in} } join '', map { qq({"id":$_,"tool":"read_file","args":{"path":"u$_"}}\n) } 1 .. 65;
$a = next_answer($d);
is("$a->{id} $a->{code}", '65 busy', 'the 65th call in flight is refused');
is(raw($d, '{"id":3,"tool":"read_file","args":{"path":"f"}}')->{text}, 'error: a call with this id is still open', 'an open id again');
print { $d->{in} } qq({"id":"x","cancel":5}\n);
my %two = map { $_->{id} => $_ } map { next_answer($d) } 1 .. 2;
is($json->encode($two{x}{data}), '{"cancelled":true}', 'a waiting call is cancelled');
is("$two{5}{status} $two{5}{code} $two{5}{text}", 'error cancelled error: the call was cancelled', 'and answered as such');
print { $d->{in} } qq({"id":"y","cancel":1}\n);
%two = map { $_->{id} => $_ } map { next_answer($d) } 1 .. 2;
is($two{1}{code} // '', 'cancelled', 'also the one whose question is drawn');
$d->{n} = 1000;
is(call($d, 'list_files')->{status}, 'ok', 'there is room again');
is(finish($d), 0, 'end of input with open questions: it ends, with 0');
lacks($d->{raw}, '"text":"held', 'and nothing was shown');
my %seen;
$seen{ $json->decode($_)->{id} // 'null' }++ for grep { /\S/ } split /\n/, $d->{raw};
is(join(' ', grep { ($seen{$_} // 0) != 1 } 1 .. 2, 4 .. 65), '', 'every call was answered once');

# --- vouching by a scripted person ---------------------------------------------------------------
$d = drive(person => sub { return $_[0]{screen} =~ /u2/ ? 'n' : 'y' });
matches(rd($d, 'u1')->{text}, qr/\Aheld\n/, 'a yes shows the file');
matches(rd($d, 'u2')->{text}, qr/\A\[ref:0\] u2/, 'a no holds it back');
is(scalar @{ $d->{asked} }, 2, 'two questions');
matches($d->{asked}[0]{screen}, qr/ file +u1 /, 'the file is named as it lies in the workspace');
rd($d, 'u2');
is(scalar @{ $d->{asked} }, 2, 'not asked twice in a turn');
raw($d, '{"id":"t","turn":"end"}');
rd($d, 'u2');
is(scalar @{ $d->{asked} }, 3, 'but in the next');
matches(call($d, 'read_file', path_ref => 'ref:0')->{text}, qr/^ref:0 already is/, 'a reference is not asked about in the same turn');
rd($d, 'u1');
is(scalar @{ $d->{asked} }, 3, 'a vouched file is not asked about');
is(finish($d), 0, 'ends with 0');

# Three files of one folder: the person is told that a folder can be trusted.
put("dir/h$_", "x\n") for 1 .. 4;
$d = drive(person => sub { return 'n' });
rd($d, "dir/h$_") for 1 .. 4;
lacks($d->{asked}[0]{screen}, '/trust dir', 'no hint at the first file of a folder');
has($d->{asked}[3]{screen}, '/trust dir', 'a hint at the fourth');
finish($d);

# The file changes while the person looks.
$d = drive(person => sub { put('u3', "other text\n"); return 'y' });
$a = rd($d, 'u3');
matches($a->{text}, qr/\A\[ref:0\] u3/, 'a file changed during the question stays held back');
has("@{ $a->{notes} }", 'the file changed while the person was asked', 'and that is said');
lacks($d->{raw}, 'other text', 'no byte of it');
finish($d);

# --- ends -----------------------------------------------------------------------------------------
$d = drive(opt => ['--trust']);
close $d->{out};
print { $d->{in} } qq({"id":1,"hello":1}\n{"id":2,"tool":"list_files"}\n);
my $end = time + 20;
my $gone = 0;
while (!$gone && time < $end) { $gone = waitpid($d->{pid}, POSIX::WNOHANG()) > 0; select undef, undef, undef, 0.01 }
ok($gone, 'a planner that stopped reading: bb ends');
ok($gone && ($? & 127) == 0, 'not by a signal');
sub play { my (@opt) = @_; my $x = drive(opt => ['--trust=src', @opt]); print { $x->{in} } qq({"id":0,"hello":1}\n); next_answer($x);
	rd($x, 'f'); rd($x, 'src/t'); ls($x); rd($x, 'none'); finish($x); return $x->{raw} }
put('src/t', "seeded\n");
my $one = play('--seed', 7);
is(play('--seed', 7), $one, '--seed: the same twice');
ok(play('--seed', 8) ne $one, 'another seed, another session');
ok(play() ne play(), 'and without one each differs');
lacks($one, '"stats"', 'no time without --stats');
$d = drive(opt => ['--trust']);
print { $d->{in} } '{"id":1,"hello":1}';
close $d->{in};
$a = next_answer($d, 10);
ok(!defined $a || $a->{status} eq 'ok' || $a->{code} eq 'bad-line', 'a last line without its end');
waitpid($d->{pid}, 0);
is($?, 0, 'ends with 0');
done();

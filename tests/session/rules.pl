# Rules of the person in a session: what is denied is opened by no name, left out of lists
# and searches, and counted nowhere; what a rule asks about is asked. Run by rules.sh.
use strict;
use warnings;
require 'drive_lib.pl';
our ($T, $WS, $BIN, $json);
my ($d, $a);
sub rules { put("$ENV{XDG_CONFIG_HOME}/bb/settings.json", $json->encode({ permissions => {@_} })) }
sub names { return join ' ', rows($_[0]) }
sub search { my ($d, %args) = @_; return call($d, 'search', pattern => 'S3CRET', %args) }

put($_, "KEY=S3CRET $_\n") for qw(.env src/.env src/a.c src/lib/b.c doc/one doc/two deep/er/still/.env deep/er/x);
symlink '.env', "$WS/notes.txt";
symlink 'src', "$WS/link";

# --- deny: every name ---------------------------------------------------------------------
rules(deny => ['Read(.env)']);
$d = drive(opt => ['--trust']);
for my $path ('.env', './/.env', 'src/.env', 'notes.txt', 'link/.env', "$WS/.env", '.env/', 'none/.env', '.env/x') {
	$a = rd($d, $path);
	next if $path eq "$WS/.env" && $a->{code} eq 'outside-workspace';
	ok(($a->{status} eq 'refused' && $a->{code} eq 'deny-rule' && $a->{gate} eq 'rules') || $path eq '.env/' && $a->{status} eq 'refused',
		"$path is refused", $json->encode($a));
	lacks($json->encode($a), 'S3CRET', "$path: nothing of it");
}
has(rd($d, '.env')->{text}, "refused: a rule of the person denies this for '.env'", 'the planner is told so');
lacks(rd($d, '.env')->{text}, 'Read(', 'and not which rule');
is(rd($d, 'src/a.c')->{status}, 'ok', 'what no rule covers is read');
is(rd($d, '../.env')->{status}, 'refused', 'outside stays outside');
my ($block) = grep { ($_->{gate} // '') eq 'rules' && ($_->{reason} // '') =~ /deny/ } trail();
has($block->{reason}, "deny Read(.env), $ENV{XDG_CONFIG_HOME}/bb/settings.json", 'the trail has the rule and its file');

# --- lists and searches --------------------------------------------------------------------
is(names(ls($d)), 'deep/er/x doc/one doc/two src/a.c src/lib/b.c', 'a list leaves it out');
is(ls($d)->{data}{entries}, 5, 'and does not count it');
is(names(ls($d, directory => 'src')), 'src/a.c src/lib/b.c', 'beneath a directory too');
is(names(ls($d, pattern => '**/.env')), '(no files)', 'whatever the pattern');
$a = search($d);
is($a->{status}, 'ok', 'a search is whole');
is(join(' ', sort map { /^([^:\[]+):\d/ } split /\n/, $a->{text}), 'deep/er/x doc/one doc/two src/a.c src/lib/b.c', 'and leaves it out');
is("$a->{data}{read} $a->{data}{selected} $a->{data}{unopened}", '5 5 0', 'by no number');
is(search($d, include => '.env')->{data}{matches}, 0, 'whatever is included');
is(finish($d), 0, 'ends');

# --- held back as well: the references ---------------------------------------------------------
$d = drive();
$a = ls($d);
is(scalar @{ $a->{refs} }, 5, 'a held-back list has no reference to it');
for my $r (@{ $a->{refs} }) { is(call($d, 'read_file', path_ref => $r->{ref})->{status}, 'ok', "$r->{ref} is none of them") }
lacks($json->encode(search($d)), '.env', 'a held-back search');
is(search($d)->{data}{total}, 5, 'does not count it either');
finish($d);

# A rule can name what a reference was minted for.
rules(deny => []);
$d = drive();
$a = ls($d, directory => 'doc');
my $ref = $a->{refs}[0]{ref};
finish($d);
rules(deny => ['Read(doc/**)']);
$d = drive(opt => ['--trust']);
$a = ls($d, directory => 'doc');
is($a->{code}, 'deny-rule', 'a directory: refused');
is(search($d, directory => 'doc')->{code}, 'deny-rule', 'searched: refused');
is(rd($d, 'doc/one')->{code}, 'deny-rule', 'a file of it');
is(names(ls($d)), '.env deep/er/still/.env deep/er/x src/.env src/a.c src/lib/b.c', 'it is not entered');
finish($d);
rules(deny => ['Read(one)', 'Read(two)']);
$d = drive(opt => ['--trust']);
$a = ls($d, directory => 'doc');
has(join(' ', @{ $a->{notes} }), 'a rule of the person leaves out', 'nothing left: a rule is said to be why');
$a = search($d, directory => 'doc');
has(join(' ', @{ $a->{notes} }), 'a rule of the person leaves out', 'of a search too');
is(scalar(grep { /rule/ } @{ ls($d)->{notes} }), 0, 'not where something is left');
finish($d);

# --- in parts, and in many ---------------------------------------------------------------------
rules(deny => ['Read(.env)']);
$d = drive(opt => ['--trust=src']);
$a = search($d);
has($a->{text}, 'src/a.c:1:', 'trusted in parts: the trusted lines');
is("$a->{data}{matches} $a->{data}{held_back}", '2 3', 'the others are held back');
lacks($a->{text}, '.env', 'and it is in neither');
finish($d);
put("many/$_/.env", "S3CRET\n"), put("many/$_/x", "S3CRET many\n") for 1 .. 300;
$d = drive(opt => ['--trust']);
$a = search($d, directory => 'many');
lacks($json->encode($a), '.env', 'more parts than a ruleset has: nothing of it');
is($a->{code}, 'unsupported', 'and the search is refused');
is(search($d, directory => 'many/7')->{data}{matches}, 1, 'a part of it can be searched');
$a = ls($d, directory => 'many');
lacks($a->{text}, '.env', 'a list of it');
ok($a->{status} eq 'ok' || $a->{code} eq 'unsupported', 'is answered', $json->encode($a));
finish($d);
system('rm', '-rf', "$WS/many");

# --- ask -----------------------------------------------------------------------------------------
rules(ask => ['Read(doc/**)']);
my $say = 'y';
$d = drive(opt => ['--trust'], person => sub { $say });
$a = rd($d, 'doc/one', why => 'to see');
is($a->{status}, 'ok', 'asked and agreed: read');
has($a->{text}, 'S3CRET doc/one', 'its text');
is(scalar @{ $d->{asked} }, 1, 'one question');
my $q = $d->{asked}[0];
is("$q->{kind} $q->{tool}", 'rules read_file', 'its kind');
has($q->{screen}, $_, "it shows $_") for 'doc/one', 'Read(doc/**)', 'settings.json', 'to see';
rd($d, 'doc/one', offset => 1);
is(scalar @{ $d->{asked} }, 2, 'each call asks');
$say = 'n';
$a = rd($d, 'doc/one');
is("$a->{status} $a->{code}", 'refused declined', 'no is no');
lacks($json->encode($a), 'S3CRET', 'and nothing of it is shown');
$say = 'y';
is(names(ls($d, directory => 'doc')), 'doc/one doc/two', 'a list of what was asked about');
is(names(ls($d)), '.env deep/er/still/.env deep/er/x src/.env src/a.c src/lib/b.c', 'elsewhere it is left out');
lacks(search($d)->{text}, 'doc/', 'and not searched');
finish($d);
$d = drive(opt => ['--trust']);
$a = rd($d, 'doc/one');
is("$a->{status} $a->{code}", 'unasked nobody-to-ask', 'nobody to ask: it is not read');
lacks($json->encode($a), 'S3CRET', 'nothing of it');
finish($d);
# A yes is for one place.
rules(ask => ['Read(swap)']);
symlink 'src/a.c', "$WS/swap";
$d = drive(opt => ['--trust'], person => sub { unlink "$WS/swap"; symlink 'doc/one', "$WS/swap"; 'y' });
$a = rd($d, 'swap');
is("$a->{status} $a->{code}", 'refused stale', 'a link turned meanwhile: refused');
lacks($a->{text}, 'S3CRET', 'nothing of the other place');
finish($d);
unlink "$WS/swap";

# --- allow grants no label; modes do not matter; other directories ---------------------------------
rules(allow => ['Read']);
$d = drive();
$a = rd($d, 'doc/one');
is($a->{label}, '(U,priv)', 'allowed is not trusted');
lacks($a->{text}, 'S3CRET', 'so its text is held back');
finish($d);
put("$T/other/.env", "S3CRET other\n");
rules(deny => ['Read(.env)']);
$d = drive(opt => ['--add-dir', "$T/other"]);
is(rd($d, "$T/other/.env")->{status}, 'ok', 'a pattern from the workspace does not reach another directory');
finish($d);
rules(deny => ['Read(//**/.env)']);
$d = drive(opt => ['--add-dir', "$T/other", '--trust']);
is(rd($d, "$T/other/.env")->{code}, 'deny-rule', 'one from the root does');
is(rd($d, '.env')->{code}, 'deny-rule', 'and a file of the workspace too');
finish($d);
put("$ENV{XDG_CONFIG_HOME}/bb/settings.json", $json->encode({ permissions => { readsStayInWorkspace => JSON::PP::true() } }));
$d = drive(opt => ['--add-dir', "$T/other", '--trust']);
is(rd($d, "$T/other/.env")->{code}, 'outside-workspace', 'readsStayInWorkspace refuses an added directory');
is(ls($d, directory => "$T/other")->{code}, 'outside-workspace', 'and its list');
is(rd($d, 'doc/one')->{status}, 'ok', 'not the workspace');
finish($d);
unlink "$ENV{XDG_CONFIG_HOME}/bb/settings.json";

# --- writes ------------------------------------------------------------------------------------
rules(deny => ['Edit(locked/**)', 'Read(.env)'], ask => ['Edit(doc/**)']);
put('locked/f', "one\n");
put('open', "one\n");
put('doc/w', "one\n");
$say = 'y';
$d = drive(opt => ['--trust'], person => sub { $say });
sub wr { my ($d, $path, %args) = @_; return call($d, 'write_file', path => $path, contents => "new\n", %args) }
sub on_disk { open my $f, '<', "$WS/$_[0]" or return 'none'; local $/; return <$f> }
for my $path ('locked/f', 'locked/new', './locked/deep/new', '.env', 'notes.txt') {
	my $before = on_disk($path);
	$a = wr($d, $path);
	is("$a->{status} $a->{code} $a->{gate}", 'refused deny-rule rules', "$path is not written");
	is(on_disk($path), $before, "$path is as it was");
}
$a = call($d, 'edit_file', path => 'locked/f', old_text => 'one', new_text => 'two');
is($a->{code}, 'deny-rule', 'nor edited');
is(on_disk('locked/f'), "one\n", 'and is as it was');
is(scalar @{ $d->{asked} }, 0, 'nobody was asked about any');
$a = wr($d, 'doc/w');
is("$a->{status} $d->{asked}[0]{kind}", 'ok write', 'what a rule asks about is asked as a write is');
is(scalar @{ $d->{asked} }, 1, 'once');
is(on_disk('doc/w'), "new\n", 'and written');
is(wr($d, 'open')->{status}, 'ok', 'what no rule covers is asked about and written');
is(rd($d, 'locked/f')->{status}, 'ok', 'a rule on edits does not hold reads');
finish($d);
# A reference made before the file had a name that a rule denies: its bytes go nowhere.
put('later/one', "S3CRET\n");
rules(deny => ['Read(hidden/**)']);
$d = drive(person => sub { 'y' });
$a = ls($d, directory => 'later');
$ref = $a->{refs}[0]{ref};
rename "$WS/later", "$WS/hidden" or die;
symlink 'hidden', "$WS/later";
$a = call($d, 'write_file', path => 'copy', contents_ref => $ref);
ok($a->{status} ne 'ok', 'a reference that leads to a denied file now is not written elsewhere', $json->encode($a));
is(on_disk('copy'), 'none', 'nothing is there');
finish($d);
unlink "$ENV{XDG_CONFIG_HOME}/bb/settings.json";

# --- a checkout may deny; who says so is shown -------------------------------------------------------
put('.bb/settings.json', '{"permissions":{"deny":["Read(/doc/two)"],"allow":["Read"]}}');
$d = drive(opt => ['--trust']);
is(rd($d, 'doc/two')->{code}, 'deny-rule', 'the checkout denies one of its files');
finish($d);
my ($out, $code) = bb('--trust', 'status');
has($out, 'deny Read(/doc/two)  .bb/settings.json', 'bb status says where a rule comes from');
($out) = bb('--trust', '--json', 'status');
is($json->decode($out)->{rules}[0]{from}, '.bb/settings.json', 'in JSON too');
($out, $code) = bb('--trust', 'power', 'read_file', 'path=doc/two');
is($code, 3, 'bb power: refused');
has($out, "a rule denies 'doc/two'", 'by a rule');
($out, $code) = bb('--trust', 'call', 'read_file', 'path=doc/two');
is($code, 3, 'bb call ends with 3');
($out) = bb('log', '-n', '1');
has($out, 'rules', 'bb log shows the gate');
has($out, 'Read(/doc/two)', 'and the rule');
done();

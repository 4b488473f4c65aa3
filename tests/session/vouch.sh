# A yes is for the bytes that were shown: a file changed while the person reads is asked
# about anew, however the change was made.
. "${BB_TOP:?}/tests/lib.sh"
F=$WS/a.txt
# An approver that changes the file by HOW and then says y.
cat >"$T/yes" <<'END'
#!/usr/bin/perl
use strict; use warnings;
$| = 1;
my ($f, $how) = @ENV{qw(F HOW)};
while (my $l = <STDIN>) {
	next unless $l =~ /"screen"/ && $l =~ /"ask":(\d+),/;
	my $id = $1;
	open my $s, '>', "$ENV{T}/screen" or die; print $s $l; close $s;
	system('touch', '-r', $f, "$ENV{T}/ref"); # to the nanosecond, which a float is not
	if ($how eq 'in-place') { open my $h, '+<', $f or die; print $h "EVIL!\n"; close $h; system('touch', '-r', "$ENV{T}/ref", $f) }
	elsif ($how eq 'rename') { open my $h, '>', "$f.n" or die; print $h "EVIL!\n"; close $h; system('touch', '-r', "$ENV{T}/ref", "$f.n"); rename "$f.n", $f }
	elsif ($how eq 'link') { open my $h, '>', "$f.m" or die; print $h "EVIL!\n"; close $h; unlink $f; symlink "$f.m", $f }
	elsif ($how eq 'longer') { open my $h, '>>', $f or die; print $h "EVIL!\n"; close $h }
	elsif ($how eq 'gone') { unlink $f }
	print qq({"ask":$id,"answer":"y"}\n);
}
END
chmod +x "$T/yes"
export F T
for how in in-place rename link longer gone nothing; do
	rm -f "$F" "$F.m"
	echo 'good!' >"$F"
	out=$(HOW=$how "$BIN/bb" -C "$WS" --private --approver "exec:$T/yes" call read_file path=a.txt why=x 2>&1 </dev/null)
	has "$(cat "$T/screen")" 'good!' "$how: the old text was shown"
	lacks "$out" EVIL "$how: the new text is not let through"
	if [ "$how" = nothing ]; then
		has "$out" 'good!' "unchanged, the yes counts"
	else
		has "$out" "changed while the person was asked" "$how: it is said"
	fi
done
# At once after it was written: a time stamp's tick must not hide a change.
i=0
while [ $i -lt 8 ]; do
	echo 'good!' >"$F"
	out=$(HOW=in-place "$BIN/bb" -C "$WS" --private --approver "exec:$T/yes" call read_file path=a.txt 2>&1 </dev/null)
	case $out in *EVIL*) break ;; esac
	i=$((i + 1))
done
is $i 8 "a file written just before is no different"
done_testing

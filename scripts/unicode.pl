#!/usr/bin/perl
# Print libcommon/unicode_tables.c from the files of the Unicode Character Database (Debian
# package unicode-data). Its output is checked in: building needs neither.
#   scripts/unicode.pl [DIRECTORY] >libcommon/unicode_tables.c
use strict;
use warnings FATAL => 'all';

@ARGV <= 1 or die "usage: unicode.pl [DIRECTORY]\n";
my $dir = $ARGV[0] // '/usr/share/unicode';
my $version;
my $END = 0x110000;

# Rows of a data file without comments, split at the semicolons. Its first line has the
# version (UnicodeData.txt alone has no such line); all must be of the same.
sub rows {
	my ($name) = @_;
	my @rows;
	open my $f, '<', "$dir/$name.txt" or die "unicode.pl: cannot open '$dir/$name.txt': $!\n";
	while (<$f>) {
		if ($. == 1 && /^# \Q$name\E-(\d+\.\d+\.\d+)\.txt$/) {
			$version //= $1;
			$1 eq $version or die "unicode.pl: '$name' is of $1, others of $version\n";
		}
		s/\s*#.*//;
		s/\s+$//;
		push @rows, [split /\s*;\s*/, $_, -1] if length;
	}
	return @rows;
}

# The scalars of which a file like PropList.txt says PROPERTY.
sub property {
	my ($name, $property) = @_;
	my @set;
	for (rows($name)) {
		my ($range, $what) = @$_;
		next if $what ne $property;
		my ($first, $last) = map { hex } split /\.\./, $range;
		push @set, $first .. $last // $first;
	}
	@set or die "unicode.pl: nothing in '$name' is $property\n";
	return @set;
}

# Scalars, in any order, to runs [first, last].
sub ranges {
	my @runs;
	my %in = map { $_ => 1 } @_;
	for my $c (sort { $a <=> $b } keys %in) {
		if (@runs && $runs[-1][1] == $c - 1) {
			$runs[-1][1] = $c;
		} else {
			push @runs, [$c, $c];
		}
	}
	return @runs;
}

my (@number, %lower, %upper, $first);
for (rows('UnicodeData')) {
	my ($c, $name, $category, $up, $low) = (hex $_->[0], @$_[1, 2, 12, 13]);
	if ($name =~ /, First>$/) {
		$first = $c;
		next;
	}
	my $from = $name =~ /, Last>$/ ? $first : $c;
	push @number, $from .. $c if $category =~ /^N[dlo]$/;
	$upper{$c} = hex $up if length $up;
	$lower{$c} = hex $low if length $low;
}
# Rows with a fifth field of their own have a condition (a language, a final sigma).
for (rows('SpecialCasing')) {
	my ($c, $low, undef, $up, $condition) = @$_;
	next if length($condition // '');
	for ([\%lower, $low], [\%upper, $up]) {
		my ($map, $to) = @$_;
		if ($to =~ / /) {
			delete $map->{hex $c};
		} else {
			$map->{hex $c} = hex $to;
		}
	}
}
my @word = ranges(property('DerivedCoreProperties', 'Alphabetic'), @number, ord '_');
my @space = ranges(property('PropList', 'White_Space'));
defined $version or die "unicode.pl: no file of '$dir' says its version\n";

sub pairs {
	my ($map) = @_;
	return map { [$_, $map->{$_}] } sort { $a <=> $b } grep { $map->{$_} != $_ } keys %$map;
}

sub table {
	my ($type, $name, @rows) = @_;
	my $line = '';
	print "\nconst struct $type $name\[] = {\n";
	for (@rows) {
		$_->[0] < $END && $_->[1] < $END or die "unicode.pl: no scalar in $name\n";
		my $cell = sprintf '{0x%X,0x%X},', @$_;
		if (length($line) + length($cell) > 112) {
			print "\t$line\n";
			$line = '';
		}
		$line .= $cell;
	}
	print "\t$line\n};\n";
	printf "const size_t %s_len = %d;\n", $name, scalar @rows;
}

print <<"END";
/* Unicode $version: word characters, white space, one-scalar case mappings.
 * Printed by scripts/unicode.pl; do not edit. */
#include "libcommon/unicode.h"

/* clang-format off */
const char unicode_version[] = "$version";
END
table('unicode_range', 'unicode_word_ranges', @word);
table('unicode_range', 'unicode_space_ranges', @space);
table('unicode_pair', 'unicode_lower_pairs', pairs(\%lower));
table('unicode_pair', 'unicode_upper_pairs', pairs(\%upper));

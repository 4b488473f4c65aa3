/* Unicode tables: the rows of search's semantics, the order of the tables, and two
 * opinions from elsewhere, perl's and utf8proc's, where they are of the same version. */
#include "libcommon/unicode.h"

#include <utf8proc.h>

#include "tests/tap.h"

#define END 0x110000u

TEST(white_space_is_exactly_this)
{
	static const struct unicode_range want[] = {{0x09, 0x0d}, {0x20, 0x20},
	    {0x85, 0x85}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a},
	    {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}};
	size_t n = sizeof(want) / sizeof(*want), at = 0;
	bool good = true;

	ok_int(unicode_space_ranges_len, n, "so many ranges");
	ok(unicode_space_ranges_len == n &&
	        memcmp(unicode_space_ranges, want, sizeof(want)) == 0,
	    "the same ranges");
	for (uint32_t c = 0; c < END; c++) {
		at += at < n && c > want[at].last;
		good &= unicode_space(c) == (at < n && c >= want[at].first);
	}
	ok(good, "every scalar");
	ok(!unicode_space(0x200b) && !unicode_space(0xfeff) && !unicode_space(0x180e),
	    "neither U+200B, U+FEFF nor U+180E");
}

TEST(word)
{
	static const uint32_t yes[] = {'_', 0xaa, 0xb2 /* superscript two, No */, 0xbd,
	    0xe9, 0x345 /* a mark that is Alphabetic */, 0x663 /* Nd */, 0x2160 /* Nl */,
	    0x2460 /* No */, 0x24b6 /* So, but Alphabetic */, 0x3007, 0x65e5, 0xac00,
	    0xd7a3, 0x10400, 0x1d7ce, 0x20000, 0x2a6df};
	static const uint32_t no[] = {0, '-', 0xa0, 0xa9, 0xd7, 0xf7,
	    0x301 /* not Alphabetic: spec's \w has no marks of its own */, 0x200b,
	    0x200d /* Join_Control */, 0x203f /* Pc, and not '_' */, 0x2028, 0x3000,
	    0xd800, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x1f600, 0x10ffff, END, 0xffffffff};

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		ok(unicode_word(yes[i]), "U+%04X is", (unsigned)yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		ok(!unicode_word(no[i]), "U+%04X is not", (unsigned)no[i]);
}

TEST(one_scalar_case)
{
	static const struct {
		uint32_t c, lower, upper;
		const char *what;
	} rows[] = {{'A', 'a', 'A', "A"}, {'z', 'z', 'Z', "z"}, {'@', '@', '@', "@"},
	    {'[', '[', '[', "["}, {'`', '`', '`', "`"}, {'{', '{', '{', "{"},
	    {0x212a, 'k', 0x212a, "Kelvin sign"}, {0x212b, 0xe5, 0x212b, "Angstrom sign"},
	    {0xdf, 0xdf, 0xdf, "sharp s, whose upper case is two"},
	    {0x1e9e, 0xdf, 0x1e9e, "capital sharp s"}, {0x17f, 0x17f, 'S', "long s"},
	    {0x3c2, 0x3c2, 0x3a3, "final sigma"}, {0x3c3, 0x3c3, 0x3a3, "sigma"},
	    {0x3a3, 0x3c3, 0x3a3, "capital sigma, whatever follows"},
	    {0x130, 0x130, 0x130, "I with a dot, whose lower case is two"},
	    {0x131, 0x131, 'I', "i without a dot"}, {'I', 'i', 'I', "I"},
	    {'i', 'i', 'I', "i"}, {0xb5, 0xb5, 0x39c, "micro sign"},
	    {0xff, 0xff, 0x178, "y with diaeresis, beyond Latin-1"},
	    {0xc9, 0xe9, 0xc9, "E acute"}, {0x1c5, 0x1c6, 0x1c4, "a title case"},
	    {0x149, 0x149, 0x149, "n preceded by apostrophe"},
	    {0x1f80, 0x1f80, 0x1f80, "alpha with iota: upper case is two"},
	    {0x1f88, 0x1f80, 0x1f88, "its title case: upper case is two, lower one"},
	    {0x390, 0x390, 0x390, "iota with dialytika and tonos: three"},
	    {0xfb03, 0xfb03, 0xfb03, "ligature ffi"},
	    {0x10a0, 0x2d00, 0x10a0, "Georgian"}, {0x13a0, 0xab70, 0x13a0, "Cherokee"},
	    {0x10400, 0x10428, 0x10400, "Deseret"},
	    {0xd800, 0xd800, 0xd800, "a surrogate"}, {END, END, END, "past the end"},
	    {0xffffffff, 0xffffffff, 0xffffffff, "far past the end"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ok_int(unicode_lower(rows[i].c), rows[i].lower, rows[i].what);
		ok_int(unicode_upper(rows[i].c), rows[i].upper, rows[i].what);
	}
}

static void
ranges_in_order(const struct unicode_range *r, size_t n, bool (*fn)(uint32_t))
{
	bool order = n > 0 && r[n - 1].last < END, same = true;
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		order &=
		    r[i].first <= r[i].last && (i == 0 || r[i - 1].last + 1 < r[i].first);
	ok(order, "sorted and merged");
	for (uint32_t c = 0; c < END; c++) {
		at += at < n && c > r[at].last;
		same &= fn(c) == (at < n && c >= r[at].first);
	}
	ok(same, "the function says what the table says, ASCII too");
}

static void
pairs_in_order(const struct unicode_pair *p, size_t n, uint32_t (*fn)(uint32_t))
{
	bool order = n > 0 && p[n - 1].from < END, same = true;
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		order &= p[i].from != p[i].to && p[i].to < END &&
		    (i == 0 || p[i - 1].from < p[i].from);
	ok(order, "sorted, and none to itself");
	for (uint32_t c = 0; c < END; c++) {
		at += at < n && c > p[at].from;
		same &= fn(c) == (at < n && c == p[at].from ? p[at].to : c);
	}
	ok(same, "the function says what the table says, ASCII too");
}

TEST(word_ranges)
{
	ranges_in_order(unicode_word_ranges, unicode_word_ranges_len, unicode_word);
}

TEST(space_ranges)
{
	ranges_in_order(unicode_space_ranges, unicode_space_ranges_len, unicode_space);
}

TEST(lower_pairs)
{
	pairs_in_order(unicode_lower_pairs, unicode_lower_pairs_len, unicode_lower);
}

TEST(upper_pairs)
{
	pairs_in_order(unicode_upper_pairs, unicode_upper_pairs_len, unicode_upper);
}

/* The version, then a line for each scalar of which there is something to say. \w of
 * perl is not ours: it has all marks, connectors and joiners. */
static const char ask_perl[] =
    "perl -e 'use strict; use warnings; no warnings qw(utf8); use Unicode::UCD; "
    "use feature qw(unicode_strings); print Unicode::UCD::UnicodeVersion(), qq(\\n); "
    "for my $c (0 .. 0x10ffff) { my $s = chr $c; my ($l, $u) = (lc $s, uc $s); "
    "my @is = ($s =~ /[\\p{Alphabetic}\\p{Nd}\\p{Nl}\\p{No}_]/ ? 1 : 0, "
    "$s =~ /\\p{White_Space}/ ? 1 : 0, map { length == 1 ? ord : $c } $l, $u); "
    "print qq($c @is\\n) if $is[0] || $is[1] || $is[2] != $c || $is[3] != $c }' "
    "2>/dev/null";

TEST(perl_says_the_same)
{
	unsigned at = END, word = 0, space = 0, lower = 0, upper = 0, bad = 0, told = 0;
	char version[32] = "", why[96];
	FILE *p = popen(ask_perl, "r");

	if (p == NULL || fscanf(p, "%31s", version) != 1) {
		skip("no perl with Unicode::UCD");
	} else if (strcmp(version, unicode_version) != 0) {
		snprintf(why, sizeof(why), "perl has Unicode %s, the tables %s", version,
		    unicode_version);
		skip(why);
	} else {
		for (uint32_t c = 0; c < END; c++) {
			bool said;

			if ((told == 0 || at < c) &&
			    fscanf(p, "%u %u %u %u %u", &at, &word, &space, &lower,
			        &upper) == 5)
				told++;
			said = at == c;
			if (unicode_word(c) == (said && word) &&
			    unicode_space(c) == (said && space) &&
			    unicode_lower(c) == (said ? lower : c) &&
			    unicode_upper(c) == (said ? upper : c))
				continue;
			if (bad++ < 10)
				printf("# U+%04X is otherwise in perl\n", (unsigned)c);
		}
		ok(bad == 0 && told > 100000, "of all 0x110000, %u of note", told);
	}
	if (p != NULL)
		pclose(p);
}

/* utf8proc knows neither Alphabetic nor the mappings to several; it does know the
 * categories that are Alphabetic by definition, and the simple mappings. */
TEST(utf8proc_does_not_contradict)
{
	unsigned word = 0, space = 0, lower = 0, upper = 0, several = 0;
	char why[96];

	if (strcmp(utf8proc_unicode_version(), unicode_version) != 0) {
		snprintf(why, sizeof(why), "utf8proc has Unicode %s, the tables %s",
		    utf8proc_unicode_version(), unicode_version);
		skip(why);
		return;
	}
	for (uint32_t c = 0; c < END; c++) {
		const char *k = utf8proc_category_string((utf8proc_int32_t)c);
		uint32_t l = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
		uint32_t u = (uint32_t)utf8proc_toupper((utf8proc_int32_t)c);

		/* Letters and numbers are; of marks and symbols some are; nothing else. */
		if (*k == 'L' || *k == 'N' || c == '_')
			word += !unicode_word(c);
		else if (*k != 'M' && *k != 'S')
			word += unicode_word(c);
		space += (*k == 'Z' && !unicode_space(c)) ||
		    (unicode_space(c) && *k != 'Z' && strcmp(k, "Cc") != 0);
		/* Where it is not the simple one, the full one is of several: only these. */
		lower += unicode_lower(c) != l && (c != 0x130 || unicode_lower(c) != c);
		upper += unicode_upper(c) != u &&
		    ((c != 0xdf && (c < 0x1f80 || c > 0x1fff)) || unicode_upper(c) != c);
		several += unicode_upper(c) != u && c != 0xdf;
	}
	ok_int(word, 0, "word");
	ok_int(space, 0, "white space");
	ok_int(lower, 0, "lower case");
	ok_int(upper, 0, "upper case");
	ok_int(several, 27,
	    "Greek letters with an iota beneath have an upper case of two");
}

TAP_MAIN

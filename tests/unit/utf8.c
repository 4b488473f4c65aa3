/* UTF-8: every two bytes, the borders of every length, and bad bytes wherever they are. */
#include "libcommon/utf8.h"
#include "libcommon/bytes.h"

#include "tests/tap.h"

static int
next(const char *s, size_t n, uint32_t *cp)
{
	return utf8_next((const unsigned char *)s, n, cp);
}

TEST(borders)
{
	static const struct {
		const char *s;
		int len;
		uint32_t cp;
	} rows[] = {{"a", 1, 'a'}, {"\x7f", 1, 0x7f}, {"\xc2\x80", 2, 0x80},
	    {"\xc3\xa9", 2, 0xe9}, {"\xdf\xbf", 2, 0x7ff}, {"\xe0\xa0\x80", 3, 0x800},
	    {"\xe2\x82\xac", 3, 0x20ac}, {"\xed\x9f\xbf", 3, 0xd7ff},
	    {"\xee\x80\x80", 3, 0xe000}, {"\xef\xbf\xbf", 3, 0xffff},
	    {"\xf0\x90\x80\x80", 4, 0x10000}, {"\xf0\x9f\x98\x80", 4, 0x1f600},
	    {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
	    /* overlong, surrogates, past the end, alone, cut short, not continued */
	    {"\xc0\x80", 0, 0xc0}, {"\xc1\xbf", 0, 0xc1}, {"\xe0\x80\x80", 0, 0xe0},
	    {"\xe0\x9f\xbf", 0, 0xe0}, {"\xf0\x80\x80\x80", 0, 0xf0},
	    {"\xf0\x8f\xbf\xbf", 0, 0xf0}, {"\xed\xa0\x80", 0, 0xed},
	    {"\xed\xbf\xbf", 0, 0xed}, {"\xf4\x90\x80\x80", 0, 0xf4},
	    {"\xf5\x80\x80\x80", 0, 0xf5}, {"\xf8\x88\x80\x80\x80", 0, 0xf8},
	    {"\xfe", 0, 0xfe}, {"\xff", 0, 0xff}, {"\x80", 0, 0x80}, {"\xbf", 0, 0xbf},
	    {"\xc3", 0, 0xc3}, {"\xe2\x82", 0, 0xe2}, {"\xf0\x9f\x98", 0, 0xf0},
	    {"\xc3(", 0, 0xc3}, {"\xe2\x82(", 0, 0xe2}, {"\xf0\x9f\x98(", 0, 0xf0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t cp = 1;

		ok(next(rows[i].s, strlen(rows[i].s), &cp) == rows[i].len &&
		        cp == rows[i].cp,
		    "row %zu is of length %d", i, rows[i].len);
	}
}

TEST(every_scalar_there_and_back)
{
	bool good = true;
	uint32_t back;

	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		char s[4];
		int n = utf8_put(cp, s);

		if (cp >= 0xd800 && cp <= 0xdfff) {
			good &= next(s, (size_t)n, &back) == 0;
			continue;
		}
		good &= next(s, (size_t)n, &back) == n && back == cp;
		good &= utf8_valid(s, (size_t)n) == (size_t)n &&
		    bytes_utf8(s, (size_t)n) == (size_t)n;
		/* cut short it is none */
		good &= n == 1 || next(s, (size_t)n - 1, &back) == 0;
	}
	ok(good, "all 1,112,064 of them, and no surrogate");
}

TEST(every_two_bytes)
{
	size_t valid = 0, differ = 0;

	for (unsigned a = 0; a < 256; a++)
		for (unsigned b = 0; b < 256; b++) {
			unsigned char s[2] = {(unsigned char)a, (unsigned char)b};

			valid += utf8_valid(s, 2) == 2;
			differ += bytes_utf8(s, 2) != utf8_valid(s, 2);
			for (unsigned c = 0; c < 256; c++) {
				unsigned char long_[3] = {s[0], s[1], (unsigned char)c};

				differ += bytes_utf8(long_, 3) != utf8_valid(long_, 3);
			}
		}
	ok_int(differ, 0, "every two and three bytes are judged the same in megabytes");
	ok_int(valid, 128 * 128 + 30 * 64, "two of ASCII, or one of two bytes");
}

TEST(a_bad_byte_is_found_wherever_it_is)
{
	char s[67];
	bool good = true;

	for (size_t n = 0; n <= sizeof(s); n++) {
		memset(s, 'x', sizeof(s));
		good &= utf8_valid(s, n) == n;
		for (size_t i = 0; i < n; i++) {
			s[i] = (char)0xff;
			good &= utf8_valid(s, n) == i && bytes_utf8(s, n) == i;
			s[i] = (char)0xc3; /* a beginning without its end */
			good &= utf8_valid(s, n) == i;
			if (i + 1 < n) {
				s[i + 1] = (char)0xa9;
				good &= utf8_valid(s, n) == n && bytes_utf8(s, n) == n;
				s[i + 1] = 'x';
			}
			s[i] = 'x';
		}
	}
	ok(good, "in up to 67 bytes, at each place");
}

TEST(names_that_may_be_printed)
{
	char c;

	ok(utf8_plain("", 0), "nothing");
	ok(utf8_plain("a b", 3) && utf8_plain("\xc3\xa9t\xc3\xa9", 5),
	    "letters and blanks");
	ok(!utf8_plain("a\0b", 3), "a NUL");
	ok(!utf8_plain("\xc3", 1) && !utf8_plain("a\xff", 2), "bad bytes");
	for (int i = 0; i < 128; i++) {
		c = (char)i;
		if (utf8_plain(&c, 1) != (i >= 0x20 && i != 0x7f))
			ok(false, "byte %d", i);
	}
	ok(true, "every ASCII byte");
	for (uint32_t cp = 0x80; cp <= 0x10ffff; cp++) {
		bool no = cp < 0xa0 || cp == 0x61c || cp == 0x200e || cp == 0x200f ||
		    cp == 0x2028 || cp == 0x2029 || (cp >= 0x202a && cp <= 0x202e) ||
		    (cp >= 0x2066 && cp <= 0x2069) || (cp >= 0xd800 && cp <= 0xdfff);
		char name[6] = "a";
		size_t n = 1 + (size_t)utf8_put(cp, name + 1);

		name[n++] = 'b';
		if (utf8_plain(name, n) == no)
			ok(false, "U+%04X", cp);
	}
	ok(true, "every other scalar: C1, line separators and bidi controls are not");
}

TAP_MAIN

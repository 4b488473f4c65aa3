/* Foreign strings (prompts 1.3; K033, K034, K036): what is printed, what is shown as
 * an escape, and that two names never look alike. */
#include "tests/tap.h"

#include "bin/bb/ui/ui.h"
#include "libcommon/utf8.h"

static const struct look utf8 = {.width = 80, .height = 24, .utf8 = true};
static const struct look ascii = {.width = 80, .height = 24};
static const struct look colour = {.width = 80,
    .height = 24,
    .utf8 = true,
    .colour = true};

static void
is_shown(const struct look *l, enum safe_kind kind, const char *in, size_t n,
    const char *want, const char *what)
{
	auto_buf struct buf out = BUF_INIT;

	safe_put(in, n, kind, l, &out);
	ok_str(buf_cstr(&out), want, what);
}
#define NAME(in, want) is_shown(&utf8, SAFE_NAME, (in), sizeof(in) - 1, (want), #in)
#define TEXT(in, want) is_shown(&utf8, SAFE_TEXT, (in), sizeof(in) - 1, (want), #in)
#define PLAIN(in, want) is_shown(&ascii, SAFE_NAME, (in), sizeof(in) - 1, (want), #in)
#define COLOUR(in, want) is_shown(&colour, SAFE_NAME, (in), sizeof(in) - 1, (want), #in)

TEST(ordinary_text_is_itself)
{
	NAME("", "");
	NAME("src/main.c", "src/main.c");
	NAME("Ärger im Büro.txt", "Ärger im Büro.txt");
	NAME("資料/итоги.txt", "資料/итоги.txt");
	NAME("e\u0301", "e\u0301");
	TEXT("🎉 \u2764\ufe0f", "🎉 \u2764\ufe0f");
	TEXT("prix\u00a0: 3", "prix\u00a0: 3");
}

TEST(control_characters_are_pictures)
{
	NAME("a\033[31mb", "a␛[31mb");
	NAME("a\nb\tc\rd", "a␊b␉c␍d");
	NAME("\0x\177", "␀x␡");
	NAME("\xc2\x9b"
	     "31m",
	    "<U+009B>31m");
	NAME("\xc2\x85", "<U+0085>");
	PLAIN("a\033b\177", "a<U+001B>b<U+007F>");
	PLAIN("é資", "<U+00E9><U+8CC7>");
	COLOUR("a\033b", "a\033[7m␛\033[27mb");
	/* OSC 52, OSC 8 */
	TEXT("\033]52;c;cHduZWQ=\007", "␛]52;c;cHduZWQ=␇");
	TEXT("\033]8;;http://evil.test\007ok", "␛]8;;http://evil.test␇ok");
}

TEST(tabs)
{
	TEXT("\tint", "        int");
	TEXT("abc\tx", "abc     x");
	TEXT("資\tx", "資      x");
	TEXT("1234567\tx\ty", "1234567 x       y");
	NAME("a\tb", "a␉b");
}

TEST(what_reorders_hides_or_pads_is_an_escape)
{
	NAME("a\u202etxt.exe\u200b", "a<U+202E>txt.exe<U+200B>"); /* K033 */
	COLOUR("\u202e", "\033[7m<U+202E>\033[27m");
	NAME("\u061c\u200e\u200f\u202a\u2066\u2069",
	    "<U+061C><U+200E><U+200F><U+202A><U+2066><U+2069>");
	NAME("a\u200b\u200c\u200d\u2060\ufeff\u00adz",
	    "a<U+200B><U+200C><U+200D><U+2060><U+FEFF><U+00AD>z");
	/* K034: tags, supplementary variation selectors, fillers, wide blanks */
	NAME("a\U000E0041\U000E0100\u3164\u2003\u2003b",
	    "a<U+E0041><U+E0100><U+3164><U+2003><U+2003>b");
	NAME("\u115f\u1160\uffa0x", "<U+115F><U+1160><U+FFA0>x");
	NAME("a\ufe0fb\ufe00", "a<U+FE0F>b<U+FE00>");
	TEXT("1\ufe0f\u20e3", "1<U+FE0F><U+20E3>");
	NAME("\u034f\u180e\u17b4\ufff9\U0001d173",
	    "<U+034F><U+180E><U+17B4><U+FFF9><U+1D173>");
	NAME("\u2028\u2029", "<U+2028><U+2029>");
	NAME("\ue000\U000F0000\ufdd0\uffff\U0010FFFF\u0378",
	    "<U+E000><U+F0000><U+FDD0><U+FFFF><U+10FFFF><U+0378>");
	NAME("a\u00a0b\u3000c", "a<U+00A0>b<U+3000>c");
	TEXT("a\u2003b\u2800", "a<U+2003>b\u2800");
	TEXT("a\u00a0\u00a0b \u3000c\u3000", "a<U+00A0><U+00A0>b <U+3000>c<U+3000>");
	TEXT("あ\u3000い", "あ\u3000い");
}

TEST(invalid_bytes)
{
	NAME("a\xff"
	     "b",
	    "a<FF>b");
	NAME("\xc0\xaf", "<C0><AF>");
	NAME("\xed\xa0\x80", "<ED><A0><80>");
	NAME("\xe8\xb3", "<E8><B3>");
	NAME("\xf4\x90\x80\x80", "<F4><90><80><80>");
	PLAIN("\xff", "<FF>");
}

TEST(marks_do_not_climb)
{
	NAME("\u0301x", "<U+0301>x");
	NAME("\033\u0301", "␛<U+0301>");
	NAME(" x \u0301", "␠x <U+0301>");
	NAME("o\u0301\u0302\u0303\u0304\u0305\u0306",
	    "o\u0301\u0302\u0303\u0304<U+0305><U+0306>");
}

TEST(names_that_look_alike_are_told_apart)
{
	NAME("a b", "a b");
	NAME("a  b", "a  b");
	NAME("a   b", "a␠␠␠b");
	NAME(" a", "␠a");
	NAME("a ", "a␠");
	PLAIN("a ", "a<U+0020>");
	NAME("a␛b", "a<U+241B>b");
	NAME("<U+202E>", "<U+003C>U+202E>");
	NAME("<FF>", "<U+003C>FF>");
	NAME("a<b>", "a<b>");
	NAME("<U+>", "<U+>");
	TEXT("<DD>x</DD>  ", "<DD>x</DD>  ");
}

TEST(widths)
{
	ok_int(safe_width('a'), 1, "a letter");
	ok_int(safe_width(0x8cc7), 2, "an ideograph");
	ok_int(safe_width(0x1f389), 2, "a picture");
	ok_int(safe_width(0x301), 0, "a mark");
	ok_int(safe_width(0x200b), 0, "a zero-width space");
	ok_int(safe_width(0x1b), -1, "a control character");
	ok_int(safe_width(0x378), -1, "unassigned");
	ok_int(safe_width(0xe000), -1, "private");
	ok_int(safe_width(0xd800), -1, "a surrogate");
	ok_int(safe_width(0x110000), -1, "past the end");
	ok_int(safe_width(0x1f1e6), -1, "half a flag");
}

/* Every scalar, printed between two letters, is either itself or an ASCII escape; what
 * is itself has a width. */
TEST(every_scalar)
{
	size_t bad = 0;
	char in[6];

	for (uint32_t cp = 1; cp <= 0x10ffff; cp++) {
		auto_buf struct buf out = BUF_INIT;
		int n;

		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		in[0] = 'a';
		n = utf8_put(cp, in + 1);
		in[n + 1] = 'b';
		safe_put(in, (size_t)n + 2, SAFE_NAME, &utf8, &out);
		if (out.len == (size_t)n + 2 && memcmp(out.p, in, out.len) == 0)
			bad += cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
			    (cp >= 0x2000 && cp <= 0x200f) ||
			    (cp >= 0x2028 && cp <= 0x202f) ||
			    (cp >= 0x205f && cp <= 0x206f) ||
			    (cp >= 0xe000 && cp <= 0xf8ff) ||
			    (cp >= 0xfe00 && cp <= 0xfe0f) || cp >= 0xe0000 ||
			    (cp & 0xfffe) == 0xfffe;
		else if (cp >= 0xa0)
			bad += utf8_valid(out.p, out.len) != out.len || out.p[1] != '<' ||
			    out.p[2] != 'U' || out.p[out.len - 2] != '>';
	}
	ok_int(bad, 0, "each is itself or an escape");
}

TAP_MAIN

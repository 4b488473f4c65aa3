/* Foreign words in messages and on a terminal: nothing that steers is left, and nothing
 * else is changed. */
#include "libcommon/visible.h"

#include "libcommon/utf8.h"
#include "tests/tap.h"

static const char *
shown(const char *s, enum visible_kind kind)
{
	static struct buf b = BUF_INIT;

	buf_clear(&b);
	visible_put(s, strlen(s), kind, &b);
	return buf_cstr(&b);
}

TEST(words)
{
	ok_str(shown("", VISIBLE_WORD), "", "nothing");
	ok_str(shown("a b/\xc3\xa9", VISIBLE_WORD), "a b/\xc3\xa9", "letters stay");
	ok_str(shown("\033[31mx\n\ty\x7f", VISIBLE_WORD),
	    "<U+001B>[31mx<U+000A><U+0009>y<U+007F>", "control characters");
	ok_str(shown("\xc2\x9b"
	             "31m",
	           VISIBLE_WORD),
	    "<U+009B>31m", "C1");
	ok_str(shown("a\u202eb\u2066c\u200fd\u061c", VISIBLE_WORD),
	    "a<U+202E>b<U+2066>c<U+200F>d<U+061C>", "what turns the order around");
	ok_str(shown("\u2028\u2029", VISIBLE_WORD), "<U+2028><U+2029>", "line ends");
	ok_str(shown("\xff\x9b\xc3", VISIBLE_WORD), "<FF><9B><C3>", "bad bytes");
}

TEST(pages)
{
	ok_str(shown("a\tb\r\nc\n", VISIBLE_PAGE), "a\tb\r\nc\n", "rows stay rows");
	ok_str(shown("a\rb\033c\r", VISIBLE_PAGE), "a<U+000D>b<U+001B>c<U+000D>",
	    "a CR that goes back over its row does not");
}

TEST(every_scalar)
{
	size_t bad = 0;

	for (uint32_t cp = 1; cp <= 0x10ffff; cp++) {
		char u[8];
		auto_buf struct buf b = BUF_INIT;
		int n = utf8_put(cp, u);

		visible_put(u, (size_t)n, VISIBLE_WORD, &b);
		bad += !utf8_plain(b.p, b.len) ||
		    (utf8_plain(u, (size_t)n) &&
		        (b.len != (size_t)n || memcmp(b.p, u, b.len) != 0));
	}
	ok_int(bad, 0, "is shown as it is, or made visible");
}

TAP_MAIN

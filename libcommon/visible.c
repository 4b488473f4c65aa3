/* Words from outside made safe to print. */
#include "libcommon/visible.h"

#include "libcommon/utf8.h"

static void
code(uint32_t cp, const char *before, unsigned digits, struct buf *out)
{
	(void)buf_str(out, before);
	while (digits-- > 0)
		(void)buf_byte(out, "0123456789ABCDEF"[cp >> 4 * digits & 15]);
	(void)buf_byte(out, '>');
}

static bool
stays(const char *p, size_t n, enum visible_kind kind)
{
	return kind == VISIBLE_PAGE &&
	    (*p == '\n' || *p == '\t' || (*p == '\r' && n > 1 && p[1] == '\n'));
}

void
visible_put(const char *p, size_t n, enum visible_kind kind, struct buf *out)
{
	size_t from = 0;

	for (size_t at = 0; at < n;) {
		uint32_t cp;
		int len = utf8_next((const unsigned char *)p + at, n - at, &cp);
		size_t step = len > 0 ? (size_t)len : 1;

		if (len == 0 || (utf8_steers(cp) && !stays(p + at, n - at, kind))) {
			(void)buf_append(out, p + from, at - from);
			code(cp, len == 0 ? "<" : "<U+", len == 0 ? 2 : 4, out);
			from = at + step;
		}
		at += step;
	}
	(void)buf_append(out, p + from, n - from);
}

/* Foreign content behind the margin. Every drawn row begins with it, so that nothing
 * a file or a program says can pass for a row of ours. Rows are cut only with a
 * count. */
#include "bin/bb/ui/ui_int.h"

#include <string.h>

#include "libcommon/utf8.h"

struct setting {
	const struct look *l;
	struct margin *m;
	struct buf *out;
	enum shade shade; /* of the line, by its sign */
	bool stopped;     /* a cut ended the page */
	bool bare;        /* nothing stands behind the margin yet */
};

static bool
is_drawn(const struct setting *s)
{
	return !s->stopped && s->m->rows >= s->m->first && s->m->drawn < s->m->most;
}

/* The blank behind the sign comes with the first character: an empty row has none. */
static void
row_begin(struct setting *s, bool continued)
{
	const char *sign = continued ? sign_continuation(s->l) : sign_margin(s->l);

	if (is_drawn(s))
		buf_append(s->out, sign, strlen(sign) - 1);
	s->bare = true;
}

static void
row_put(struct setting *s, const struct atom *a)
{
	if (!is_drawn(s))
		return;
	if (s->bare) {
		buf_byte(s->out, ' ');
		shade_on(s->l, s->shade, s->out);
	}
	s->bare = false;
	put_atom(s->l, a, s->out);
}

/* Closes a row; tells whether it was drawn. */
static bool
row_finish(struct setting *s)
{
	bool drawn = is_drawn(s);

	if (drawn) {
		if (!s->bare)
			shade_off(s->l, s->shade, s->out);
		buf_byte(s->out, '\n');
		s->m->drawn++;
	}
	s->m->rows++;
	return drawn;
}

static size_t
characters(const char *p, size_t n)
{
	size_t count = 0;
	uint32_t cp;

	for (size_t at = 0; at < n; count++) {
		int len = utf8_next((const unsigned char *)p + at, n - at, &cp);

		at += len == 0 ? 1 : (size_t)len;
	}
	return count;
}

bool
margin_cuts(const char *p, size_t n, size_t cut)
{
	for (size_t at = 0; at < n;) {
		const char *nl = memchr(p + at, '\n', n - at);
		size_t len = nl != NULL ? (size_t)(nl - p) - at : n - at;

		/* what is drawn as one sign may be several characters, never the reverse */
		if (len > cut && characters(p + at, len) > cut)
			return true;
		at += len + (nl != NULL);
	}
	return false;
}

void
cut_words(const struct look *l, const char *p, size_t n, struct buf *out)
{
	buf_str(out, l->utf8 ? "\u2026[cut, " : "...[cut, ");
	words_many(characters(p, n), "more character", out);
	buf_byte(out, ']');
}

/* A row of our own: how much of the line is not drawn here. */
static void
cut_row(struct setting *s, const char *p, size_t n)
{
	bool drawn = is_drawn(s);

	if (drawn) {
		put_blanks(s->l->width < 60 ? 0 : 2, s->out);
		shade_on(s->l, SHADE_DIM, s->out);
		cut_words(s->l, p, n, s->out);
		shade_off(s->l, SHADE_DIM, s->out);
		buf_str(s->out, "\n");
		s->m->drawn++;
	}
	s->m->rows++;
	if (drawn && s->m->whole)
		s->stopped = true;
}

/* True when the end of the line was drawn. */
static bool
line_draw(struct setting *s, const char *p, size_t n)
{
	unsigned width = row_width(s->l) - 2, column = 0;
	struct scan scan = scan_of(p, n, SCAN_TEXT, s->l->utf8);
	struct atom a;
	size_t count = 0;
	char sign = s->m->signs > 0 && s->m->signs < n ? p[s->m->signs] : ' ';

	s->shade = sign == '+' ? SHADE_GREEN : sign == '-' ? SHADE_RED : SHADE_PLAIN;
	row_begin(s, false);
	for (;;) {
		size_t at = scan.at;

		if (s->m->cut > 0 && count == s->m->cut && at < n) {
			row_finish(s);
			cut_row(s, p + at, n - at);
			if (!s->m->whole) {
				s->m->dropped++;
				return true;
			}
			row_begin(s, true);
			count = column = 0;
		}
		if (!scan_next(&scan, &a))
			break;
		if (column + a.width > width && column > 0) {
			row_finish(s);
			row_begin(s, true);
			column = 0;
		}
		row_put(s, &a);
		column += a.width;
		count++;
	}
	return row_finish(s);
}

void
margin_draw(const struct look *l, const char *p, size_t n, struct margin *m,
    struct buf *out)
{
	struct setting s = {.l = l, .m = m, .out = out};

	m->rows = m->drawn = m->lines_left = m->dropped = 0;
	for (size_t at = 0; at < n;) {
		const char *nl = memchr(p + at, '\n', n - at);
		size_t len = nl != NULL ? (size_t)(nl - p) - at : n - at;

		if (!line_draw(&s, p + at, len) && m->rows > m->first)
			m->lines_left++;
		at += len + (nl != NULL);
	}
}

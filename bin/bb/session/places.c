/* The list of places that bb-write makes is a claim: nothing is shown or written by it that
 * was not measured here. Lines are found by their line feed and compared; nothing else is
 * learnt from the bytes, and they go to the person's screen, or, where they are trusted, to
 * the planner. */
#include "bin/bb/session/places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 3
#define EXCERPT_LINES 40
#define EXCERPT_HALF 20

void
places_release(struct places *p)
{
	free(p->at);
	*p = (struct places){0};
}

/* A number of at most 12 digits, ended by `end`. */
static bool
number(const char **p, const char *stop, char end, uint64_t *v)
{
	size_t n = 0;

	for (*v = 0; *p < stop && **p >= '0' && **p <= '9' && n < 12; ++*p, n++)
		*v = *v * 10 + (uint64_t)(**p - '0');
	return n > 0 && *p < stop && *(*p)++ == end;
}

int
places_read(const char *text, size_t n, struct places *p)
{
	const char *stop = text + n;
	uint64_t a = 0, b = 0; /* the first lines that are free */

	*p = (struct places){0};
	while (text < stop) {
		struct placed x;

		if (!number(&text, stop, ',', &x.a) || !number(&text, stop, ' ', &x.n) ||
		    !number(&text, stop, ',', &x.b) || !number(&text, stop, '\n', &x.m) ||
		    x.n + x.m == 0 || x.a <= a || x.b <= b || x.a - a != x.b - b)
			return E_BAD;
		if (p->count == p->room) {
			size_t room = p->room == 0 ? 16 : p->room * 2;
			struct placed *at = reallocarray(p->at, room, sizeof(*at));

			if (at == NULL)
				return E_NOMEM;
			p->at = at;
			p->room = room;
		}
		p->at[p->count++] = x;
		p->removed += x.n;
		p->added += x.m;
		a = x.a + x.n;
		b = x.b + x.m;
		/* Between two places stands one equal line at least. */
		if (p->count == 1 && x.a != x.b)
			return E_BAD;
	}
	return 0;
}

struct cursor {
	const char *p, *end;
	uint64_t line;
};

static struct cursor
cursor_of(const struct buf *b)
{
	return (struct cursor){buf_cstr(b), buf_cstr(b) + b->len, 1};
}

/* The line at the cursor, with its end; the cursor goes behind it. */
static size_t
next(struct cursor *c, const char **line)
{
	const char *q = memchr(c->p, '\n', (size_t)(c->end - c->p));
	const char *to = q != NULL ? q + 1 : c->end;
	size_t n = (size_t)(to - c->p);

	*line = c->p;
	c->p = to;
	c->line++;
	return n;
}

static bool
skip(struct cursor *c, uint64_t lines)
{
	const char *line;

	for (; lines > 0 && c->p < c->end; lines--)
		(void)next(c, &line);
	return lines == 0;
}

/* The same bytes up to line `to` in both. */
static bool
same(struct cursor *old, struct cursor *new, uint64_t to)
{
	const char *from_old = old->p, *from_new = new->p;
	uint64_t lines = to - old->line;
	size_t n;

	if (!skip(old, lines) || !skip(new, lines))
		return false;
	n = (size_t)(old->p - from_old);
	return n == (size_t)(new->p - from_new) && memcmp(from_old, from_new, n) == 0;
}

bool
places_hold(const struct places *p, const struct buf *old, const struct buf *new)
{
	struct cursor a = cursor_of(old), b = cursor_of(new);
	size_t n;

	for (size_t i = 0; i < p->count; i++)
		if (!same(&a, &b, p->at[i].a) || a.line != p->at[i].a ||
		    b.line != p->at[i].b || !skip(&a, p->at[i].n) ||
		    !skip(&b, p->at[i].m))
			return false;
	n = (size_t)(a.end - a.p);
	return n == (size_t)(b.end - b.p) && memcmp(a.p, b.p, n) == 0;
}

/* --- for the person ---------------------------------------------------------------------- */

static unsigned
digits(uint64_t n)
{
	unsigned d = 1;

	while (n >= 10) {
		n /= 10;
		d++;
	}
	return d;
}

/* One line: its number, its sign, its text; blanks at its end and a missing end are made
 * visible. */
static void
row(uint64_t number_, unsigned width, char sign, const char *p, size_t n, struct buf *out)
{
	bool ended = n > 0 && p[n - 1] == '\n';
	size_t text = n - ended, cr, blanks = 0;

	(void)buf_fmt(out, "%*" PRIu64 " %c ", (int)width, number_, sign);
	cr = text > 0 && ended && p[text - 1] == '\r';
	text -= cr;
	while (sign != ' ' && blanks < text &&
	    (p[text - 1 - blanks] == ' ' || p[text - 1 - blanks] == '\t'))
		blanks++;
	(void)buf_append(out, p, text - blanks);
	for (size_t i = 0; i < blanks; i++)
		(void)buf_str(out, "\u00b7");
	(void)buf_byte(out, '\n');
	if (!ended)
		(void)buf_fmt(out, "%*s \u23ce missing\n", (int)width + 2, "");
}

static void
rows(struct cursor *c, uint64_t lines, unsigned width, char sign, struct buf *out)
{
	const char *p;

	for (; lines > 0 && c->p < c->end; lines--) {
		uint64_t n = c->line;
		size_t len = next(c, &p);

		row(n, width, sign, p, len, out);
	}
}

void
places_rows(const struct places *p, const struct buf *old, const struct buf *new,
    unsigned *sign, struct buf *out)
{
	struct cursor a = cursor_of(old), b = cursor_of(new);
	uint64_t last = p->count > 0 ? p->at[p->count - 1].a + p->at[p->count - 1].n : 1,
	         last_new =
	             p->count > 0 ? p->at[p->count - 1].b + p->at[p->count - 1].m : 1;
	unsigned width = digits((last > last_new ? last : last_new) + AROUND);

	width = width < 4 ? 4 : width;
	*sign = width + 1;
	for (size_t i = 0, k; i < p->count; i = k) {
		uint64_t first = p->at[i].a > AROUND ? p->at[i].a - AROUND : 1;

		if (i > 0)
			(void)buf_byte(out, '\n');
		(void)skip(&a, first - a.line);
		(void)skip(&b, p->at[i].b - (p->at[i].a - first) - b.line);
		for (k = i; k < p->count; k++) {
			if (k > i && p->at[k].a - a.line > (uint64_t)2 * AROUND)
				break;
			(void)skip(&a, p->at[k].a - a.line);
			rows(&b, p->at[k].b - b.line, width, ' ', out);
			rows(&a, p->at[k].n, width, '-', out);
			rows(&b, p->at[k].m, width, '+', out);
		}
		rows(&b, AROUND, width, ' ', out);
		(void)skip(&a, AROUND);
	}
}

/* --- for the planner --------------------------------------------------------------------- */

void
places_excerpt(const struct places *p, const struct buf *new, struct buf *out)
{
	struct cursor c = cursor_of(new);
	uint64_t first, last, lines = 0, i = 0;
	const char *line;

	if (p->count == 0)
		return;
	while (c.p < c.end) {
		(void)next(&c, &line);
		lines++;
	}
	first = p->at[0].b > AROUND ? p->at[0].b - AROUND : 1;
	last = p->at[p->count - 1].b + p->at[p->count - 1].m - 1 + AROUND;
	last = last < lines ? last : lines;
	c = cursor_of(new);
	(void)skip(&c, first - 1);
	for (uint64_t n = first; n <= last; n++, i++) {
		size_t len = next(&c, &line);

		if (last - first + 1 > EXCERPT_LINES && i >= EXCERPT_HALF &&
		    last - n >= EXCERPT_HALF) {
			if (i == EXCERPT_HALF)
				(void)buf_fmt(out,
				    "         \u2026 %" PRIu64 " more lines "
				    "\u2026\n",
				    last - first + 1 - 2 * EXCERPT_HALF);
			continue;
		}
		len -= len > 0 && line[len - 1] == '\n';
		len -= len > 0 && line[len - 1] == '\r';
		(void)buf_fmt(out, "%6" PRIu64 "  ", n);
		(void)buf_append(out, line, len);
		(void)buf_byte(out, '\n');
	}
}

/* --- a passage --------------------------------------------------------------------------- */

bool
passage_replaced(const struct buf *old, const struct buf *new, const struct buf *from,
    const struct buf *to, uint64_t count)
{
	const char *a = buf_cstr(old), *a_end = a + old->len, *b = buf_cstr(new),
	           *b_end = b + new->len;

	for (; count > 0; count--) {
		const char *q = memmem(a, (size_t)(a_end - a), from->p, from->len);
		size_t n;

		if (q == NULL)
			return false;
		n = (size_t)(q - a);
		if ((size_t)(b_end - b) < n || (size_t)(b_end - b) - n < to->len ||
		    memcmp(a, b, n) != 0 ||
		    (to->len > 0 && memcmp(b + n, to->p, to->len) != 0))
			return false;
		a = q + from->len;
		b += n + to->len;
	}
	/* No further occurrence was left out, and what follows is as it was. */
	return memmem(a, (size_t)(a_end - a), from->p, from->len) == NULL &&
	    a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

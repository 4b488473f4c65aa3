/* Rows: how wide they are, which signs frame them, and where they end. Every row of
 * a drawing or of the transcript is set here, so that no row is wider than the
 * window and no foreign word ever starts where a word of ours would stand. */
#include "bin/bb/ui/ui_int.h"

#include <limits.h>
#include <string.h>

unsigned
row_width(const struct look *l)
{
	if (l->width > UI_WIDEST)
		return UI_WIDEST;
	return l->width < 4 ? 4 : l->width;
}

const char *
sign_rule(const struct look *l)
{
	return l->utf8 ? "\u2500" : "-";
}

const char *
sign_margin(const struct look *l)
{
	return l->utf8 ? "\u2502 " : "| ";
}

const char *
sign_continuation(const struct look *l)
{
	return l->utf8 ? "\u250a " : ": ";
}

void
shade_on(const struct look *l, enum shade s, struct buf *out)
{
	static const char *const on[] = {[SHADE_PLAIN] = "",
	    [SHADE_BOLD] = "\033[1m",
	    [SHADE_DIM] = "\033[2m",
	    [SHADE_YELLOW] = "\033[33m",
	    [SHADE_RED] = "\033[31m",
	    [SHADE_GREEN] = "\033[32m"};

	if (l->colour)
		buf_str(out, on[s]);
}

void
shade_off(const struct look *l, enum shade s, struct buf *out)
{
	if (l->colour && s != SHADE_PLAIN)
		buf_str(out, "\033[0m");
}

void
put_blanks(unsigned n, struct buf *out)
{
	while (n-- > 0)
		buf_byte(out, ' ');
}

void
put_atom(const struct look *l, const struct atom *a, struct buf *out)
{
	bool reverse = a->escape && l->colour;

	if (reverse)
		buf_str(out, "\033[7m");
	buf_append(out, a->s, a->len);
	if (reverse)
		buf_str(out, "\033[27m");
}

struct wrap
wrap_of(const struct look *l, unsigned column, unsigned hang, struct buf *out)
{
	return (struct wrap){.l = l,
	    .out = out,
	    .width = row_width(l),
	    .column = column,
	    .hang = hang};
}

void
wrap_newline(struct wrap *w)
{
	buf_byte(w->out, '\n');
	put_blanks(w->hang, w->out);
	w->column = w->hang;
	w->loose = w->begun = false;
}

size_t
wrap_columns(const struct look *l, const char *p, size_t n, enum scan_kind kind,
    bool *unknown)
{
	struct scan s = scan_of(p, n, kind, l->utf8);
	struct atom a;
	size_t columns = 0;

	*unknown = false;
	while (scan_next(&s, &a)) {
		columns += a.width;
		*unknown = *unknown || a.unknown;
	}
	return columns;
}

/* How much of what is left goes on this row. The row ends after *end bytes; the next
 * one starts at *next. False when all of it fits. A row that ends at a blank is
 * shorter than the window, so a full row is one broken inside a word. */
static bool
row_end(const struct wrap *w, struct scan s, size_t *end, size_t *next)
{
	size_t blank = SIZE_MAX, start = s.at, at;
	unsigned column = w->column;
	struct atom a;

	for (;;) {
		at = s.at;
		if (!scan_next(&s, &a))
			return false;
		if (column + a.width > w->width)
			break;
		if (a.blank && at > start)
			blank = at;
		column += a.width;
	}
	if (a.blank && s.kind == SCAN_OURS) {
		*end = at;
		*next = s.at;
	} else if (blank != SIZE_MAX) {
		*end = blank;
		*next = blank + 1;
	} else {
		/* an atom wider than a whole row is put all the same */
		*end = *next = at > start || w->column > w->hang ? at : s.at;
	}
	return true;
}

static void
put_until(struct wrap *w, struct scan *s, size_t end, enum shade shade)
{
	struct atom a;

	if (s->at >= end)
		return;
	shade_on(w->l, shade, w->out);
	while (s->at < end && scan_next(s, &a)) {
		put_atom(w->l, &a, w->out);
		w->column += a.width;
		w->loose = w->loose || a.unknown;
	}
	shade_off(w->l, shade, w->out);
	w->begun = true;
}

size_t
wrap_rows(struct wrap *w, unsigned gap, const char *p, size_t n, enum scan_kind kind,
    enum shade shade, unsigned most)
{
	struct scan s = scan_of(p, n, kind, w->l->utf8);
	struct atom skipped;
	size_t end, next, columns;
	bool unknown;

	if (w->begun) {
		columns = wrap_columns(w->l, p, n, kind, &unknown);
		if (w->loose || columns > w->width ||
		    w->column + gap + columns > w->width) {
			wrap_newline(w);
		} else {
			put_blanks(gap, w->out);
			w->column += gap;
		}
	}
	while (row_end(w, s, &end, &next)) {
		put_until(w, &s, end, shade);
		if (--most == 0)
			return end;
		while (s.at < next && scan_next(&s, &skipped))
			;
		wrap_newline(w);
	}
	put_until(w, &s, n, shade);
	w->begun = true;
	return n;
}

void
wrap_piece(struct wrap *w, unsigned gap, const char *p, size_t n, enum scan_kind kind,
    enum shade shade)
{
	(void)wrap_rows(w, gap, p, n, kind, shade, UINT_MAX);
}

/* Rows of the transcript, of the session's first and last row, and of reports
 * (prompts 3). Objects, reasons and contents are foreign; the words around them are
 * ours. */
#include "bin/bb/ui/ui_int.h"

#include <string.h>

#define VERB 8
#define OBJECT 11
#define CAME 18 /* below an object behind a time of day */
#define WHY 51  /* counted from 0 */
#define WHY_LEAST_WIDTH 60

/* Two blanks, the verb, and blanks up to the object. */
static struct wrap
verb_draw(const struct look *l, const char *time, const char *verb, enum shade shade,
    struct buf *out)
{
	size_t n = strlen(verb);
	unsigned gap = n <= VERB ? VERB + 1 - (unsigned)n : 1, before = 0;

	if (time != NULL) {
		put_blanks(2, out);
		buf_str(out, time);
		before = 2 + (unsigned)strlen(time);
	}
	put_blanks(2, out);
	shade_on(l, shade, out);
	buf_append(out, verb, n);
	shade_off(l, shade, out);
	put_blanks(gap, out);
	return wrap_of(l, before + 2 + (unsigned)n + gap, before + OBJECT, out);
}

static void
piece(struct wrap *w, unsigned gap, const char *s, enum scan_kind kind, enum shade shade)
{
	if (*s != '\0')
		wrap_piece(w, gap, s, strlen(s), kind, shade);
}

void
screen_call_at(const struct look *l, const char *time, const char *verb,
    const char *object, const char *why, struct buf *out)
{
	bool refused = strcmp(verb, "refused") == 0, unknown;
	enum shade shade = refused ? SHADE_RED : SHADE_PLAIN;
	struct wrap w = verb_draw(l, time, verb, shade, out);

	if (why == NULL)
		why = "";
	piece(&w, 0, object, SCAN_NAME, shade);
	if (refused) {
		piece(&w, 4, why, SCAN_NAME, shade);
	} else if (*why != '\0' && l->width >= WHY_LEAST_WIDTH) {
		size_t columns = wrap_columns(l, why, strlen(why), SCAN_NAME, &unknown);

		if (!w.loose && w.column + 2 <= WHY && WHY + columns <= w.width) {
			piece(&w, WHY - w.column, why, SCAN_NAME, SHADE_DIM);
		} else {
			wrap_newline(&w);
			piece(&w, 0, why, SCAN_NAME, SHADE_DIM);
		}
	}
	buf_byte(out, '\n');
}

void
screen_call(const struct look *l, const char *verb, const char *object, const char *why,
    struct buf *out)
{
	screen_call_at(l, NULL, verb, object, why, out);
}

void
screen_came(const struct look *l, const char *words, enum shade shade, struct buf *out)
{
	struct wrap w = wrap_of(l, CAME, CAME, out);

	put_blanks(CAME, out);
	piece(&w, 0, words, SCAN_NAME, shade);
	buf_byte(out, '\n');
}

void
screen_result(const struct look *l, const char *words, enum shade shade, struct buf *out)
{
	screen_say(l, OBJECT, words, shade, out);
}

void
screen_say(const struct look *l, unsigned indent, const char *words, enum shade shade,
    struct buf *out)
{
	struct wrap w = wrap_of(l, indent, indent, out);

	if (*words != '\0')
		put_blanks(indent, out);
	piece(&w, 0, words, SCAN_OURS, shade);
	buf_byte(out, '\n');
}

void
screen_task(const struct look *l, const char *sign, const char *content, enum shade shade,
    bool struck, struct buf *out)
{
	struct wrap w = wrap_of(l, OBJECT, OBJECT + 4, out);

	put_blanks(OBJECT, out);
	piece(&w, 0, sign, SCAN_OURS, shade);
	if (struck && l->colour)
		buf_str(out, "\033[9m");
	piece(&w, 1, content, SCAN_NAME, shade);
	if (struck && l->colour)
		buf_str(out, "\033[29m");
	buf_byte(out, '\n');
}

void
screen_asked(const struct look *l, const char *what, const char *object,
    const char *outcome, struct buf *out)
{
	struct wrap w = verb_draw(l, NULL, "asked", SHADE_PLAIN, out);

	piece(&w, 0, what, SCAN_OURS, SHADE_PLAIN);
	piece(&w, *what != '\0', object, SCAN_NAME, SHADE_PLAIN);
	piece(&w, 4, outcome, SCAN_OURS, SHADE_PLAIN);
	buf_byte(out, '\n');
}

void
screen_mark(const struct look *l, struct buf *out)
{
	screen_say(l, 0, "held back from the agent; you are looking at it yourself",
	    SHADE_YELLOW, out);
}

void
screen_content(const struct look *l, const char *p, size_t n, bool marked,
    struct buf *out)
{
	struct margin m = {.most = SIZE_MAX};

	if (marked)
		screen_mark(l, out);
	margin_draw(l, p, n, &m, out);
}

void
screen_banner(const struct look *l, const struct screen_item *items, size_t n,
    struct buf *out)
{
	struct wrap w = wrap_of(l, 0, 0, out);

	for (size_t i = 0; i < n; i++)
		piece(&w, 2, items[i].words, items[i].foreign ? SCAN_NAME : SCAN_OURS,
		    items[i].shade);
	buf_byte(out, '\n');
}

static size_t
item_columns(const struct look *l, const struct screen_item *it)
{
	bool unknown;

	return wrap_columns(l, it->words, strlen(it->words),
	    it->foreign ? SCAN_NAME : SCAN_OURS, &unknown);
}

/* Which of the items stand on the row: how many from the left, besides the kept. */
static size_t
status_fits(const struct look *l, const struct screen_item *items, size_t n)
{
	for (size_t left = n; left > 0; left--) {
		size_t columns = 1, count = 0;

		for (size_t i = 0; i < n; i++) {
			if (i >= left && !items[i].keep)
				continue;
			columns += item_columns(l, &items[i]) + (count++ > 0 ? 3 : 0);
		}
		if (columns <= row_width(l))
			return left;
	}
	return 0;
}

void
screen_status(const struct look *l, const struct screen_item *items, size_t n,
    struct buf *out)
{
	size_t left = status_fits(l, items, n);
	struct wrap w = wrap_of(l, 1, 1, out);

	buf_byte(out, ' ');
	for (size_t i = 0; i < n; i++) {
		if (i >= left && !items[i].keep)
			continue;
		if (w.begun)
			piece(&w, 1, "\u00b7", SCAN_OURS, SHADE_PLAIN);
		piece(&w, 1, items[i].words, items[i].foreign ? SCAN_NAME : SCAN_OURS,
		    items[i].shade);
	}
}

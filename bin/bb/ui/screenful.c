/* One screen of a drawing. Facts stand on every page above the content as long as they
 * fit; where they do not, every row between title and keys is paged, so that none leaves
 * the screen before it was seen. */
#include <string.h>

#include "bin/bb/ui/draw_int.h"

/* A page of content is never smaller. */
#define CONTENT_LEAST 3

static size_t
rows_of(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

static void
tail_draw(const struct drawing *d, const struct look *l, size_t part, bool first_page,
    enum unseen unseen, struct buf *out)
{
	below_draw(d, l, part, out);
	buf_byte(out, '\n');
	keys_draw(d, l, first_page, unseen, out);
}

/* Rows of content that fit between `head` and `tail`. */
static size_t
content_room(const struct look *l, const struct buf *head, const struct buf *tail,
    size_t more)
{
	size_t taken = rows_of(head) + rows_of(tail) + more + 1;

	if (is_endless(l))
		return SIZE_MAX;
	return l->height > taken + CONTENT_LEAST ? l->height - taken : CONTENT_LEAST;
}

static size_t
content_rows(const struct drawing *d, const struct look *l)
{
	struct margin m = {.signs = d->signs, .cut = ROW_CUT, .whole = true};
	auto_buf struct buf none = BUF_INIT;

	margin_draw(l, d->content.p, d->content.len, &m, &none);
	return m.rows;
}

bool
drawing_fits(const struct look *l)
{
	return l->width >= 40 && l->height >= 10;
}

static void
refuse_draw(const struct look *l, const char *words, struct buf *out)
{
	struct wrap w = wrap_of(l, 0, 0, out);

	wrap_piece(&w, 0, words, strlen(words), SCAN_OURS, SHADE_PLAIN);
	buf_byte(out, '\n');
}

static void
paged_draw(const struct drawing *d, const struct look *l, size_t first, size_t part,
    struct buf *head, size_t *unseen, struct buf *out)
{
	struct margin m = {.signs = d->signs,
	    .cut = ROW_CUT,
	    .whole = !is_endless(l),
	    .first = first};
	auto_buf struct buf body = BUF_INIT, tail = BUF_INIT;

	tail_draw(d, l, part, first == 0, UNSEEN_NONE, &tail);
	m.most = content_room(l, head, &tail, d->lines > lines_held(d));
	margin_draw(l, d->content.p, d->content.len, &m, &body);
	if (first + m.drawn < m.rows && !is_endless(l)) {
		buf_clear(&tail);
		buf_clear(&body);
		tail_draw(d, l, part, first == 0, UNSEEN_CONTENT, &tail);
		m.most = content_room(l, head, &tail, 1);
		margin_draw(l, d->content.p, d->content.len, &m, &body);
	}
	*unseen = (first + m.drawn < m.rows ? m.rows - first - m.drawn : 0) + m.dropped;
	more_draw(d, l, m.lines_left, &body);
	buf_append(out, head->p, head->len);
	buf_append(out, body.p, body.len);
	buf_append(out, tail.p, tail.len);
}

/* --- a window that cannot hold the facts: all rows between title and keys are paged --- */

struct rows {
	struct buf title, above, below;
	size_t n_above, n_content, n_below;
	size_t part; /* the first one below the content */
	bool paged;
};

static void
rows_release(struct rows *r)
{
	buf_release(&r->title);
	buf_release(&r->above);
	buf_release(&r->below);
}
#define auto_rows __attribute__((cleanup(rows_release)))

static size_t
keys_rows(const struct drawing *d, const struct look *l, enum unseen unseen)
{
	auto_buf struct buf b = BUF_INIT;

	buf_byte(&b, '\n');
	keys_draw(d, l, unseen == UNSEEN_NONE, unseen, &b);
	return rows_of(&b);
}

static void
rows_of_drawing(const struct drawing *d, const struct look *l, struct rows *r)
{
	size_t fixed;

	*r = (struct rows){.title = BUF_INIT, .above = BUF_INIT, .below = BUF_INIT};
	title_draw(d, l, &r->title);
	r->part = above_draw(d, l, false, &r->above);
	if (d->lines > lines_held(d))
		more_draw(d, l, 0, &r->below);
	below_draw(d, l, r->part, &r->below);
	r->n_above = rows_of(&r->above);
	r->n_content = content_rows(d, l);
	r->n_below = rows_of(&r->below);
	fixed = 1 + rows_of(&r->title) + r->n_above + r->n_below;
	r->paged = !is_endless(l) &&
	    fixed + r->n_content + keys_rows(d, l, UNSEEN_NONE) > l->height &&
	    (r->n_content <= CONTENT_LEAST ||
	        fixed + CONTENT_LEAST + 1 + keys_rows(d, l, UNSEEN_CONTENT) > l->height);
}

/* Rows first .. first+most-1 of a block of rows; gives how many there were. */
static size_t
rows_put(const struct buf *block, size_t first, size_t most, struct buf *out)
{
	const char *p = block->p, *end = p + block->len;
	size_t n = 0;

	for (size_t row = 0; p < end && n < most; row++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl != NULL ? nl + 1 : end) - p);

		if (row >= first) {
			buf_append(out, p, len);
			n++;
		}
		p += len;
	}
	return n;
}

static size_t
past(size_t at, size_t before)
{
	return at > before ? at - before : 0;
}

/* The page that begins at row `first`; gives the number of rows on it. */
static size_t
page_draw(const struct drawing *d, const struct look *l, const struct rows *r,
    size_t first, size_t room, struct buf *out)
{
	struct margin m = {.signs = d->signs, .cut = ROW_CUT, .whole = true};
	size_t n = rows_put(&r->above, first, room, out), to;

	m.first = past(first, r->n_above);
	m.most = room - n;
	margin_draw(l, d->content.p, d->content.len, &m, out);
	n += m.drawn;
	to = r->n_above + r->n_content;
	if (first + n >= to)
		n += rows_put(&r->below, past(first + n, to), room - n, out);
	return n;
}

static void
rows_draw(const struct drawing *d, const struct look *l, const struct rows *r,
    size_t first, size_t *unseen, struct buf *out)
{
	size_t all = r->n_above + r->n_content + r->n_below, n, room;
	/* the longest keys and the row that counts: each page has the same room */
	size_t fixed = 1 + rows_of(&r->title) + keys_rows(d, l, UNSEEN_FACTS) + 1;
	unsigned in = is_narrow(l) ? 0 : 2;
	auto_buf struct buf s = BUF_INIT;
	struct wrap w = wrap_of(l, in, in, out);

	room = l->height > fixed ? l->height - fixed : 1;
	buf_append(out, r->title.p, r->title.len);
	n = page_draw(d, l, r, first, room, out);
	*unseen = past(all, first + n);
	if (*unseen > 0) {
		words_many(*unseen, "more row", &s);
		buf_str(&s,
		    *unseen == 1 ? " \u00b7 space shows it" : " \u00b7 space shows them");
		put_blanks(in, out);
		wrap_piece(&w, 0, buf_cstr(&s), s.len, SCAN_OURS, SHADE_DIM);
		buf_byte(out, '\n');
	}
	buf_byte(out, '\n');
	keys_draw(d, l, first == 0,
	    first + n < r->n_above ? UNSEEN_FACTS
	        : *unseen > 0      ? UNSEEN_CONTENT
	                           : UNSEEN_NONE,
	    out);
}

void
drawing_render(const struct drawing *d, const struct look *l, size_t first,
    size_t *unseen, struct buf *out)
{
	auto_rows struct rows r = {.paged = false};

	*unseen = SIZE_MAX;
	if (d->failed || d->text.failed || d->content.failed) {
		refuse_draw(l, "this question is too large to be drawn; answer n", out);
		return;
	}
	if (!drawing_fits(l)) {
		refuse_draw(l, "make this window at least 40 x 10 to answer", out);
		return;
	}
	rows_of_drawing(d, l, &r);
	if (r.title.failed || r.above.failed || r.below.failed)
		return;
	*unseen = 0;
	if (r.paged) {
		rows_draw(d, l, &r, first, unseen, out);
		return;
	}
	buf_append(&r.title, r.above.p, r.above.len);
	if (d->has_content) {
		paged_draw(d, l, first, r.part, &r.title, unseen, out);
		return;
	}
	buf_append(out, r.title.p, r.title.len);
	tail_draw(d, l, r.part, true, UNSEEN_NONE, out);
}

size_t
drawing_rows(const struct drawing *d, const struct look *l)
{
	auto_rows struct rows r;

	rows_of_drawing(d, l, &r);
	return r.paged ? r.n_above + r.n_content + r.n_below : r.n_content;
}

size_t
drawing_deciding(const struct drawing *d, const struct look *l)
{
	auto_rows struct rows r;

	rows_of_drawing(d, l, &r);
	return r.paged ? r.n_above : 0;
}

void
drawing_whole(const struct drawing *d, const struct look *l, struct buf *out)
{
	struct margin m = {.signs = d->signs, .most = SIZE_MAX};
	auto_buf struct buf above = BUF_INIT;
	auto_rows struct rows r;
	bool all;

	rows_of_drawing(d, l, &r);
	(void)above_draw(d, l, true, &above);
	all = r.paged || above.len != r.above.len;
	if (all)
		buf_append(out, above.p, above.len);
	margin_draw(l, d->content.p, d->content.len, &m, out);
	if (all)
		buf_append(out, r.below.p, r.below.len);
}

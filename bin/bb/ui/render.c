/* From a drawing to rows (prompts 1.2, 2): the rule with what is asked, the facts in
 * their order, content behind the margin as far as the window goes, the keys. The
 * approving keys are dim until the end of the content is drawn. */
#include "bin/bb/ui/draw_int.h"

#include <limits.h>
#include <string.h>

#define NARROW 60
#define LABEL 11
/* A page of content is never smaller, however many facts there are. */
#define CONTENT_LEAST 3

static bool
is_narrow(const struct look *l)
{
	return l->width < NARROW;
}

static bool
is_endless(const struct look *l)
{
	return l->height == UINT_MAX;
}

static const char *
str(const struct drawing *d, size_t at)
{
	return d->text.p + at;
}

static size_t
rows_of(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

static enum scan_kind
kind_of(bool foreign)
{
	return foreign ? SCAN_NAME : SCAN_OURS;
}

/* Columns 0 .. up to (not including) `to` as rule. */
static void
rule_to(const struct look *l, size_t from, size_t to, struct buf *out)
{
	for (; from < to; from++)
		buf_str(out, sign_rule(l));
}

static void
title_draw(const struct drawing *d, const struct look *l, struct buf *out)
{
	const char *title = str(d, d->title), *right = str(d, d->right);
	unsigned width = row_width(l);
	bool unknown;
	size_t tail = 0;
	struct wrap w;

	if (*right != '\0')
		tail = wrap_columns(l, right, strlen(right), SCAN_OURS, &unknown) + 4;
	rule_to(l, 0, 2, out);
	buf_byte(out, ' ');
	w = wrap_of(l, 3, 3, out);
	wrap_piece(&w, 0, title, strlen(title), SCAN_OURS, SHADE_PLAIN);
	if (w.column < width)
		buf_byte(out, ' ');
	if (tail > 0 && w.column + 2 + tail > width) {
		rule_to(l, w.column + 1, width, out);
		buf_byte(out, '\n');
		w = wrap_of(l, 0, 0, out);
		rule_to(l, 0, tail < width ? width - tail : 0, out);
	} else {
		rule_to(l, w.column + 1, width - tail, out);
	}
	if (tail > 0) {
		buf_byte(out, ' ');
		w = wrap_of(l, 1, 1, out);
		w.width = tail < width ? width : width - 4;
		wrap_piece(&w, 0, right, strlen(right), SCAN_OURS, SHADE_PLAIN);
		buf_byte(out, ' ');
		rule_to(l, 0, 2, out);
	}
	buf_byte(out, '\n');
}

/* Write a label and start the value beside it, or below it in a narrow window. There
 * the values stand two columns in: no value can pass for a label. */
static struct wrap
label_draw(const struct look *l, const char *label, bool valued, struct buf *out)
{
	size_t n = strlen(label);
	unsigned column = 2;

	if (is_narrow(l)) {
		buf_append(out, label, n);
		if (n > 0 && valued)
			buf_byte(out, '\n');
		if (valued)
			put_blanks(2, out);
		return wrap_of(l, 2, 2, out);
	}
	if (n > 0 || valued)
		put_blanks(2, out);
	buf_append(out, label, n);
	if (valued) {
		column += n < LABEL ? LABEL : (unsigned)n + 1;
		put_blanks(column - 2 - (unsigned)n, out);
	}
	return wrap_of(l, column, 2 + LABEL, out);
}

/* `no   it is shown …`: what follows the first wide gap wraps below itself. */
static unsigned
hang_of(const char *words)
{
	for (unsigned i = 1; i < 16 && words[i - 1] != '\0' && words[i] != '\0'; i++)
		if (words[i - 1] != ' ' && words[i] == ' ' && words[i + 1] == ' ')
			return i + (unsigned)strspn(words + i, " ");
	return 0;
}

/* One part and those that belong to it; gives the index after them. */
static size_t
part_draw(const struct drawing *d, const struct look *l, size_t i, struct buf *out)
{
	const struct part *p = &d->parts[i];
	const char *s = str(d, p->at);
	unsigned in = is_narrow(l) ? 0 : 2;
	struct margin m = {.cut = ROW_CUT, .most = SIZE_MAX};
	struct wrap w;

	if (p->kind == PART_REMARK) {
		margin_draw(l, s, p->n, &m, out);
		return i + 1;
	}
	if (p->kind == PART_FACT) {
		w = label_draw(l, str(d, p->label), p->n > 0, out);
	} else if (p->kind == PART_OBJECT) {
		put_blanks(2, out);
		w = wrap_of(l, 2, 4, out);
	} else {
		if (p->n > 0)
			put_blanks(in, out);
		w = wrap_of(l, in, in + hang_of(s), out);
	}
	if (p->n > 0)
		wrap_piece(&w, 0, s, p->n, kind_of(p->foreign), p->shade);
	for (i++; i < d->nparts && d->parts[i].kind == PART_ALSO; i++) {
		p = &d->parts[i];
		wrap_piece(&w, p->gap, str(d, p->at), p->n, kind_of(p->foreign),
		    p->shade);
	}
	buf_byte(out, '\n');
	return i;
}

static void
thens_draw(const struct drawing *d, const struct look *l, struct buf *out)
{
	struct wrap w;

	if (d->nthens == 0)
		return;
	w = label_draw(l, "then", true, out);
	for (size_t i = 0; i < d->nthens; i++) {
		const char *kind = str(d, d->thens[i].kind);
		const char *object = str(d, d->thens[i].object);
		bool unknown;
		size_t both = wrap_columns(l, kind, strlen(kind), SCAN_OURS, &unknown) +
		    1 + wrap_columns(l, object, strlen(object), SCAN_NAME, &unknown);

		if (i > 0 && (w.loose || w.column + 3 + both > w.width))
			wrap_newline(&w);
		else if (i > 0)
			wrap_piece(&w, 1, "\u00b7 ", strlen("\u00b7 "), SCAN_OURS,
			    SHADE_DIM);
		wrap_piece(&w, 0, kind, strlen(kind), SCAN_OURS, SHADE_DIM);
		wrap_piece(&w, 1, object, strlen(object), SCAN_NAME, SHADE_DIM);
	}
	buf_byte(out, '\n');
}

static void
key_name(const struct key *k, struct buf *out)
{
	if (k->key == ' ')
		buf_str(out, "space");
	else if (k->key == '\003')
		buf_str(out, "ctrl-c");
	else if (k->key != '\0')
		buf_byte(out, k->key);
}

static void
keys_draw(const struct drawing *d, const struct look *l, bool first_page, bool unseen,
    struct buf *out)
{
	unsigned in = is_narrow(l) ? 0 : 2, gap = is_narrow(l) ? 2 : 4;
	struct wrap w = wrap_of(l, in, in, out);

	put_blanks(in, out);
	for (size_t i = 0; i < d->nkeys; i++) {
		const struct key *k = &d->keys[i];
		bool waits = k->approves && unseen;
		auto_buf struct buf s = BUF_INIT;

		if (k->key != ' ' || unseen) {
			key_name(k, &s);
			if (k->key != '\0')
				buf_byte(&s, ' ');
			buf_str(&s, str(d, k->words));
			if (waits)
				buf_str(&s, " (space to the end first)");
			wrap_piece(&w, gap, buf_cstr(&s), s.len, SCAN_OURS,
			    waits ? SHADE_DIM : SHADE_PLAIN);
		}
		if (k->key == ' ' && !first_page)
			wrap_piece(&w, gap, "b back", 6, SCAN_OURS, SHADE_PLAIN);
	}
	buf_byte(out, '\n');
}

static bool
waits_for_end(const struct drawing *d)
{
	for (size_t i = 0; i < d->nkeys; i++)
		if (d->keys[i].approves)
			return true;
	return false;
}

static uint64_t
lines_held(const struct drawing *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->content.len; i++)
		n += d->content.p[i] == '\n';
	return n + (d->content.len > 0 && d->content.p[d->content.len - 1] != '\n');
}

/* `27 more lines · space shows them`. `held` of them can be shown here. */
static void
more_draw(const struct drawing *d, const struct look *l, uint64_t held, struct buf *out)
{
	uint64_t all = lines_held(d), beyond = d->lines > all ? d->lines - all : 0;
	unsigned in = is_narrow(l) ? 0 : 2;
	auto_buf struct buf s = BUF_INIT;
	struct wrap w = wrap_of(l, in, in, out);

	if (held + beyond == 0)
		return;
	words_many(held + beyond, "more line", &s);
	if (held > 0 && drawing_offers(d, ' ', NULL) && !waits_for_end(d))
		buf_str(&s,
		    beyond > 0      ? " \u00b7 space shows more"
		        : held == 1 ? " \u00b7 space shows it"
		                    : " \u00b7 space shows them");
	put_blanks(in, out);
	wrap_piece(&w, 0, buf_cstr(&s), s.len, SCAN_OURS, SHADE_DIM);
	buf_byte(out, '\n');
}

static void
tail_draw(const struct drawing *d, const struct look *l, size_t part, bool first_page,
    bool unseen, struct buf *out)
{
	while (part < d->nparts)
		part = part_draw(d, l, part, out);
	thens_draw(d, l, out);
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
	struct margin m = {.cut = ROW_CUT, .whole = !is_endless(l), .first = first};
	auto_buf struct buf body = BUF_INIT, tail = BUF_INIT;

	tail_draw(d, l, part, first == 0, false, &tail);
	m.most = content_room(l, head, &tail, d->lines > lines_held(d));
	margin_draw(l, d->content.p, d->content.len, &m, &body);
	if (first + m.drawn < m.rows && !is_endless(l)) {
		buf_clear(&tail);
		buf_clear(&body);
		tail_draw(d, l, part, first == 0, true, &tail);
		m.most = content_room(l, head, &tail, 1);
		margin_draw(l, d->content.p, d->content.len, &m, &body);
	}
	*unseen = (first + m.drawn < m.rows ? m.rows - first - m.drawn : 0) + m.dropped;
	more_draw(d, l, m.lines_left, &body);
	buf_append(out, head->p, head->len);
	buf_append(out, body.p, body.len);
	buf_append(out, tail.p, tail.len);
}

void
drawing_render(const struct drawing *d, const struct look *l, size_t first,
    size_t *unseen, struct buf *out)
{
	auto_buf struct buf head = BUF_INIT;
	size_t part = 0;

	*unseen = SIZE_MAX;
	if (d->failed || d->text.failed || d->content.failed) {
		refuse_draw(l, "this question is too large to be drawn; answer n", out);
		return;
	}
	if (!drawing_fits(l)) {
		refuse_draw(l, "make this window at least 40 x 10 to answer", out);
		return;
	}
	*unseen = 0;
	title_draw(d, l, &head);
	while (part < d->nparts && d->parts[part].kind != PART_CONTENT)
		part = part_draw(d, l, part, &head);
	if (part == d->nparts) {
		buf_append(out, head.p, head.len);
		tail_draw(d, l, part, true, false, out);
		return;
	}
	if (head.len < 2 || head.p[head.len - 2] != '\n')
		buf_byte(&head, '\n');
	paged_draw(d, l, first, part + 1, &head, unseen, out);
}

size_t
drawing_rows(const struct drawing *d, const struct look *l)
{
	struct margin m = {.cut = ROW_CUT, .whole = true};
	auto_buf struct buf none = BUF_INIT;

	margin_draw(l, d->content.p, d->content.len, &m, &none);
	return m.rows;
}

void
drawing_whole(const struct drawing *d, const struct look *l, struct buf *out)
{
	struct margin m = {.most = SIZE_MAX};

	margin_draw(l, d->content.p, d->content.len, &m, out);
}

void
drawing_explained(const struct drawing *d, const struct look *l, struct buf *out)
{
	for (size_t i = 0; i < d->nkeys; i++) {
		const char *s = str(d, d->keys[i].sentence);
		auto_buf struct buf name = BUF_INIT;
		struct wrap w;

		if (*s == '\0')
			continue;
		key_name(&d->keys[i], &name);
		w = label_draw(l, buf_cstr(&name), true, out);
		wrap_piece(&w, 0, s, strlen(s), SCAN_OURS, SHADE_PLAIN);
		buf_byte(out, '\n');
	}
}

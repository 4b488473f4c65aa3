/* From a drawing to rows (prompts 1.2, 2): the rule with what is asked, the facts in
 * their order, the keys, dim while what they wait for was not drawn. How much of it
 * stands on one screen is screenful.c's. */
#include "bin/bb/ui/draw_int.h"

#include <string.h>

#define LABEL 11

static const char *
str(const struct drawing *d, size_t at)
{
	return d->text.p + at;
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

void
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

/* A value that may take some rows only, and how much more there is. */
static void
bounded_draw(const struct part *p, const struct look *l, const char *s, struct wrap *w)
{
	size_t at = wrap_rows(w, 0, s, p->n, kind_of(p->foreign), p->shade, p->most);
	auto_buf struct buf more = BUF_INIT;

	if (at == p->n)
		return;
	cut_words(l, s + at, p->n - at, &more);
	wrap_newline(w);
	wrap_piece(w, 0, buf_cstr(&more), more.len, SCAN_OURS, SHADE_DIM);
	if (!is_endless(l))
		wrap_piece(w, 1, "e shows all", strlen("e shows all"), SCAN_OURS,
		    SHADE_DIM);
}

/* One part and those that belong to it; gives the index after them. */
static size_t
part_draw(const struct drawing *d, const struct look *l, size_t i, bool whole,
    struct buf *out)
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
	if (p->most > 0 && !whole)
		bounded_draw(p, l, s, &w);
	else if (p->n > 0)
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

static const char *
key_waits(const struct drawing *d, const struct key *k, enum unseen unseen)
{
	if (unseen == UNSEEN_NONE || k->key <= ' ' || k->key == 'n')
		return "";
	if (key_needs_end(d, k))
		return " (space to the end first)";
	return unseen == UNSEEN_FACTS ? " (space to the last fact first)" : "";
}

void
keys_draw(const struct drawing *d, const struct look *l, bool first_page,
    enum unseen unseen, struct buf *out)
{
	unsigned in = is_narrow(l) ? 0 : 2, gap = is_narrow(l) ? 2 : 4;
	struct wrap w = wrap_of(l, in, in, out);

	put_blanks(in, out);
	for (size_t i = 0; i < d->nkeys; i++) {
		const struct key *k = &d->keys[i];
		const char *waits = key_waits(d, k, unseen);
		auto_buf struct buf s = BUF_INIT;

		if (k->key != ' ' || unseen != UNSEEN_NONE) {
			key_name(k, &s);
			if (k->key != '\0')
				buf_byte(&s, ' ');
			buf_str(&s, str(d, k->words));
			buf_str(&s, waits);
			wrap_piece(&w, gap, buf_cstr(&s), s.len, SCAN_OURS,
			    *waits != '\0' ? SHADE_DIM : SHADE_PLAIN);
		}
		if (k->key == ' ' && !first_page)
			wrap_piece(&w, gap, "b back", 6, SCAN_OURS, SHADE_PLAIN);
	}
	if (!drawing_offers(d, ' ', NULL)) {
		if (unseen != UNSEEN_NONE)
			wrap_piece(&w, gap, "space more", 10, SCAN_OURS, SHADE_PLAIN);
		if (!first_page)
			wrap_piece(&w, gap, "b back", 6, SCAN_OURS, SHADE_PLAIN);
	}
	buf_byte(out, '\n');
}

static bool
waits_for_end(const struct drawing *d)
{
	for (size_t i = 0; i < d->nkeys; i++)
		if (key_needs_end(d, &d->keys[i]))
			return true;
	return false;
}

uint64_t
lines_held(const struct drawing *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->content.len; i++)
		n += d->content.p[i] == '\n';
	return n + (d->content.len > 0 && d->content.p[d->content.len - 1] != '\n');
}

void
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

void
below_draw(const struct drawing *d, const struct look *l, size_t part, struct buf *out)
{
	while (part < d->nparts)
		part = part_draw(d, l, part, false, out);
	thens_draw(d, l, out);
}

size_t
above_draw(const struct drawing *d, const struct look *l, bool whole, struct buf *out)
{
	size_t part = 0;

	while (part < d->nparts && d->parts[part].kind != PART_CONTENT)
		part = part_draw(d, l, part, whole, out);
	if (part == d->nparts)
		return part;
	if (out->len < 2 || out->p[out->len - 2] != '\n')
		buf_byte(out, '\n');
	return part + 1;
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

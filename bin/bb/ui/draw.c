/* A drawing: what a question consists of, collected by its builder. Strings are
 * copied and kept as they came; what is foreign is marked and made safe only when it
 * is rendered (render.c). */
#include "bin/bb/ui/draw_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t
keep(struct drawing *d, const char *s, size_t n)
{
	size_t at = d->text.len;

	buf_append(&d->text, s, n);
	buf_byte(&d->text, '\0');
	return at;
}

static struct part *
part_add(struct drawing *d, enum part_kind kind, const char *s, size_t n, bool foreign,
    enum shade shade)
{
	struct part *p;

	if (d->nparts == d->room) {
		size_t room = d->room == 0 ? 16 : d->room * 2;

		p = reallocarray(d->parts, room, sizeof *p);
		if (p == NULL) {
			d->failed = true;
			return NULL;
		}
		d->parts = p;
		d->room = room;
	}
	p = &d->parts[d->nparts++];
	*p = (struct part){.kind = kind,
	    .at = keep(d, s, n),
	    .n = n,
	    .foreign = foreign,
	    .shade = shade};
	return p;
}

int
drawing_new(const char *title, struct drawing **out)
{
	struct drawing *d = calloc(1, sizeof *d);

	*out = NULL;
	if (d == NULL)
		return E_NOMEM;
	buf_init(&d->text, BUF_CAP_DEFAULT);
	buf_init(&d->content, BUF_CAP_DEFAULT);
	buf_byte(&d->text, '\0'); /* offset 0 is the empty string */
	d->title = keep(d, title, strlen(title));
	if (d->text.failed) {
		drawing_free(d);
		return E_NOMEM;
	}
	*out = d;
	return 0;
}

void
drawing_free(struct drawing *d)
{
	if (d == NULL)
		return;
	buf_release(&d->text);
	buf_release(&d->content);
	free(d->parts);
	free(d);
}

void
drawing_right(struct drawing *d, const char *right)
{
	d->right = right == NULL ? 0 : keep(d, right, strlen(right));
}

void
drawing_fact(struct drawing *d, const char *label, const char *value, bool foreign,
    enum shade shade)
{
	struct part *p = part_add(d, PART_FACT, value, strlen(value), foreign, shade);

	if (p != NULL)
		p->label = keep(d, label, strlen(label));
}

void
drawing_object(struct drawing *d, const char *value, enum shade shade)
{
	part_add(d, PART_OBJECT, value, strlen(value), true, shade);
}

void
drawing_also(struct drawing *d, unsigned gap, const char *value, bool foreign,
    enum shade shade)
{
	struct part *p = part_add(d, PART_ALSO, value, strlen(value), foreign, shade);

	if (p != NULL)
		p->gap = gap;
}

void
drawing_say(struct drawing *d, const char *words, enum shade shade)
{
	part_add(d, PART_SAY, words, strlen(words), false, shade);
}

void
drawing_why(struct drawing *d, const char *why)
{
	size_t before = d->nparts;

	if (why == NULL || *why == '\0')
		return;
	drawing_fact(d, "why", why, true, SHADE_PLAIN);
	if (d->nparts > before)
		d->parts[before].most = WHY_ROWS;
}

void
drawing_remark(struct drawing *d, const char *p, size_t n)
{
	part_add(d, PART_REMARK, p, n, true, SHADE_PLAIN);
}

void
drawing_content(struct drawing *d, const char *p, size_t n, uint64_t lines)
{
	if (!d->has_content)
		part_add(d, PART_CONTENT, "", 0, true, SHADE_PLAIN);
	d->has_content = true;
	d->lines = lines;
	buf_append(&d->content, p, n);
	d->long_row = margin_cuts(d->content.p, d->content.len, ROW_CUT);
}

void
drawing_signs(struct drawing *d, unsigned column)
{
	d->signs = column;
}

void
drawing_no_content(struct drawing *d, const char *words)
{
	drawing_say(d, "", SHADE_PLAIN);
	drawing_say(d, words, SHADE_PLAIN);
}

void
drawing_choice(struct drawing *d, unsigned n, bool several, const char *label,
    const char *detail)
{
	char digit[16];

	(void)snprintf(digit, sizeof digit, "%s%u", several ? "[ ] " : "", n);
	drawing_fact(d, digit, label, true, SHADE_PLAIN);
	if (detail != NULL && *detail != '\0')
		drawing_also(d, 3, detail, true, SHADE_DIM);
}

void
drawing_tick(struct drawing *d, unsigned n, bool on)
{
	char want[8];

	(void)snprintf(want, sizeof want, "] %u", n);
	for (size_t i = 0; i < d->nparts; i++) {
		char *label = d->text.p + d->parts[i].label;

		if (d->parts[i].kind == PART_FACT && label[0] == '[' &&
		    label[1] != '\0' && strcmp(label + 2, want) == 0)
			label[1] = on ? 'x' : ' ';
	}
}

static struct key *
key_find(struct drawing *d, char key)
{
	for (size_t i = 0; i < d->nkeys; i++)
		if (d->keys[i].key == key)
			return &d->keys[i];
	return NULL;
}

void
drawing_key(struct drawing *d, char key, const char *words, bool approves)
{
	struct key *k = key_find(d, key);

	if (k == NULL) {
		if (d->nkeys == KEYS_MOST) {
			d->failed = true;
			return;
		}
		k = &d->keys[d->nkeys++];
		k->key = key;
	}
	k->words = keep(d, words, strlen(words));
	k->approves = approves;
}

void
drawing_explain(struct drawing *d, char key, const char *sentence)
{
	struct key *k = key_find(d, key);

	if (k != NULL)
		k->sentence = keep(d, sentence, strlen(sentence));
}

void
drawing_then(struct drawing *d, const char *kind, const char *object)
{
	if (kind == NULL) {
		d->nthens = 0;
		return;
	}
	if (d->nthens == THENS_MOST)
		return;
	d->thens[d->nthens].kind = keep(d, kind, strlen(kind));
	d->thens[d->nthens++].object = keep(d, object, strlen(object));
}

bool
drawing_offers(const struct drawing *d, char key, bool *approves)
{
	for (size_t i = 0; i < d->nkeys; i++) {
		if (d->keys[i].key != key)
			continue;
		if (approves != NULL)
			*approves = key_needs_end(d, &d->keys[i]);
		return true;
	}
	if (approves != NULL)
		*approves = false;
	return false;
}

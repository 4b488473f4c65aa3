/* Which strings a matching line must contain: found on the tree, so that most of a text is
 * passed over without the DFA. Every string here is a promise; where one cannot be kept,
 * there is no filter. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"
#include "libcommon/utf8.h"

#define LITS_MAX 128
#define CROSS_MAX 32  /* strings of a product of two sets that both have several */
#define SCALARS_MAX 8 /* members of a set that are spelled out */
#define KELVIN 0x212au

/* What half bits of rarity (rx_rarity) a set needs to be worth looking for. */
#define WORTH_ONE 16
#define WORTH_MANY 20

/* Counted over 50 MB of headers, scripts, manuals and web pages; bytes that were not met
 * stand at the end of the scale. */
/* clang-format off */
const uint8_t rx_rarity[256] = {
    40, 40, 40, 40, 40, 40, 40, 40, 40, 16, 11, 40, 40, 39, 40, 40,
    40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40,
     5, 23, 15, 15, 20, 24, 21, 16, 13, 13, 13, 21, 13, 15, 14, 14,
    14, 15, 16, 17, 18, 17, 18, 19, 18, 17, 16, 16, 16, 16, 15, 24,
    22, 14, 17, 14, 15, 13, 16, 17, 18, 14, 22, 18, 14, 16, 14, 14,
    14, 22, 14, 12, 13, 17, 18, 20, 17, 19, 24, 19, 17, 19, 26, 10,
    20, 10, 14, 11, 11,  8, 12, 14, 12, 10, 20, 14, 11, 13, 10, 10,
    12, 21, 10,  9,  9, 12, 15, 16, 15, 14, 20, 19, 21, 19, 25, 40,
    28, 30, 30, 30, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 32, 31,
    31, 31, 32, 31, 28, 31, 31, 31, 31, 30, 31, 31, 30, 31, 31, 31,
    21, 30, 32, 32, 30, 30, 31, 31, 31, 31, 31, 31, 31, 31, 32, 32,
    30, 31, 31, 31, 31, 31, 31, 31, 30, 31, 31, 31, 31, 31, 31, 31,
    37, 38, 21, 29, 34, 33, 39, 40, 39, 38, 39, 38, 40, 40, 36, 38,
    27, 30, 40, 40, 40, 40, 40, 36, 37, 39, 40, 40, 40, 40, 40, 40,
    37, 35, 27, 31, 33, 27, 27, 28, 28, 28, 32, 29, 29, 31, 40, 34,
    35, 40, 39, 39, 40, 40, 40, 40, 38, 40, 40, 40, 40, 40, 40, 40,
};
/* clang-format on */

struct strings {
	struct rx_lit *l;
	size_t n;
};
struct info {
	bool exact; /* the node matches just these, where its assertions hold */
	bool pure;  /* and it has none */
	struct strings all;
	bool some; /* every match contains one of these */
	struct strings any;
	bool ends; /* a repeat: it begins and ends with one of `all` */
};
struct finder_work {
	struct arena *a;
	bool kelvin;
};

static int
quality(const struct strings *s)
{
	int least = INT32_MAX, many = 0;

	for (size_t i = 0; i < s->n; i++) {
		int sum = 0;

		for (size_t k = 0; k < s->l[i].len; k++)
			sum += rx_rarity[s->l[i].b[k]] - (s->l[i].mask[k] != 0 ? 2 : 0);
		if (sum < least)
			least = sum;
	}
	for (size_t n = s->n; n > 1; n /= 2)
		many += 2;
	return least == INT32_MAX ? least : least - many;
}

static void
consider(struct info *i, const struct strings *s)
{
	if (i->some && quality(&i->any) >= quality(s))
		return;
	i->some = true;
	i->any = *s;
}

static struct strings
empty_string(struct finder_work *w)
{
	struct rx_lit *l = arena_get(w->a, sizeof(*l));

	return (struct strings){l, l != NULL};
}

/* False: too many, or too long. */
static bool
product(struct finder_work *w, const struct strings *a, const struct strings *b,
    struct strings *out)
{
	size_t n = a->n * b->n, k = 0;
	struct rx_lit *l;

	if (n > LITS_MAX || (a->n > 1 && b->n > 1 && n > CROSS_MAX))
		return false;
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < b->n; j++)
			if (a->l[i].len + b->l[j].len > LIT_MAX)
				return false;
	if ((l = arena_get(w->a, (n + 1) * sizeof(*l))) == NULL)
		return false;
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < b->n; j++, k++) {
			const struct rx_lit *x = &a->l[i], *y = &b->l[j];

			l[k] = *x;
			memcpy(l[k].b + x->len, y->b, y->len);
			memcpy(l[k].mask + x->len, y->mask, y->len);
			l[k].len = (uint8_t)(x->len + y->len);
		}
	*out = (struct strings){l, n};
	return true;
}

/* A letter in both cases, as a masked byte. 0: it is something else. */
static uint8_t
both_cases(struct finder_work *w, const struct rx_set *s)
{
	for (unsigned c = 'a'; c <= 'z'; c++)
		if (s->ascii[0] == 0 &&
		    s->ascii[1] == (1ULL << (c - 64) | 1ULL << (c - 96))) {
			if (s->n == 0)
				return (uint8_t)c;
			if (c == 'k' && s->n == 1 && s->high[0].first == KELVIN &&
			    s->high[0].last == KELVIN) {
				w->kelvin = true;
				return (uint8_t)c;
			}
		}
	return 0;
}

static bool
members(struct finder_work *w, const struct rx_set *s, struct strings *out)
{
	uint8_t letter = both_cases(w, s);
	struct rx_lit *l;
	size_t n = 0, count = 0;

	for (size_t i = 0; i < s->n && count <= SCALARS_MAX; i++)
		count += s->high[i].last - s->high[i].first + 1;
	count += (size_t)__builtin_popcountll(s->ascii[0]) +
	    (size_t)__builtin_popcountll(s->ascii[1]);
	if ((letter == 0 && count > SCALARS_MAX) ||
	    (l = arena_get(w->a, (SCALARS_MAX + 1) * sizeof(*l))) == NULL)
		return false;
	*out = (struct strings){l, 1};
	if (letter != 0) {
		*l = (struct rx_lit){.len = 1, .b = {letter}, .mask = {0x20}};
		return true;
	}
	for (uint32_t c = 0; c < 0x80; c++)
		if (set_has(s, c))
			l[n++] = (struct rx_lit){.len = 1, .b = {(uint8_t)c}};
	for (size_t i = 0; i < s->n; i++)
		for (uint32_t c = s->high[i].first; c <= s->high[i].last; c++) {
			char u[4];

			if (c >= 0xd800 && c <= 0xdfff)
				continue;
			l[n].len = (uint8_t)utf8_put(c, u);
			memcpy(l[n++].b, u, 4);
		}
	out->n = n;
	return true;
}

static struct info analyze(struct finder_work *w, const struct rx_node *n);

static struct info
sequence(struct finder_work *w, const struct rx_node *n)
{
	struct info out = {.exact = true, .pure = true};
	struct strings run = empty_string(w); /* what ends where we are, in one piece */

	for (size_t k = 0; k < n->n; k++) {
		struct info kid = analyze(w, n->kid[k]);
		struct strings joined;

		out.pure &= kid.pure;
		if (kid.exact && product(w, &run, &kid.all, &joined)) {
			run = joined;
			continue;
		}
		out.exact = false;
		if (kid.ends && product(w, &run, &kid.all, &joined))
			run = joined;
		consider(&out, &run);
		if (kid.some)
			consider(&out, &kid.any);
		run = kid.exact || kid.ends ? kid.all : empty_string(w);
	}
	consider(&out, &run);
	if (out.exact)
		out.all = run;
	return out;
}

static struct info
either(struct finder_work *w, const struct rx_node *n)
{
	struct info out = {.exact = true, .pure = true, .some = true};
	struct rx_lit *all = arena_get(w->a, LITS_MAX * sizeof(*all)),
	              *any = arena_get(w->a, LITS_MAX * sizeof(*any));

	if (all == NULL || any == NULL)
		return (struct info){0};
	out.all.l = all;
	out.any.l = any;
	for (size_t k = 0; k < n->n; k++) {
		struct info kid = analyze(w, n->kid[k]);

		out.pure &= kid.pure;
		out.exact &= kid.exact && out.all.n + kid.all.n <= LITS_MAX;
		out.some &= kid.some && out.any.n + kid.any.n <= LITS_MAX;
		if (out.exact && kid.all.n > 0) {
			memcpy(all + out.all.n, kid.all.l, kid.all.n * sizeof(*all));
			out.all.n += kid.all.n;
		}
		if (out.some && kid.any.n > 0) {
			memcpy(any + out.any.n, kid.any.l, kid.any.n * sizeof(*any));
			out.any.n += kid.any.n;
		}
	}
	return out;
}

/* Recursion is as deep as the tree, which the parser bounds. */
static struct info
analyze(struct finder_work *w, const struct rx_node *n)
{
	struct info out = {0}, kid;

	switch (n->kind) {
	case NODE_SET:
		out.pure = true;
		if (members(w, n->set, &out.all))
			out.exact = true;
		break;
	case NODE_CAT:
		return sequence(w, n);
	case NODE_ALT:
		return either(w, n);
	case NODE_OPT:
		out = analyze(w, n->kid[0]);
		out.some = false;
		if (out.exact && out.all.n < LITS_MAX) {
			struct rx_lit *l = arena_get(w->a, (out.all.n + 1) * sizeof(*l));

			if (l == NULL)
				return (struct info){0};
			if (out.all.n > 0)
				memcpy(l, out.all.l, out.all.n * sizeof(*l));
			out.all.l = l;
			memset(&l[out.all.n++], 0, sizeof(*l));
		} else {
			out.exact = false;
		}
		return out;
	case NODE_PLUS:
		kid = analyze(w, n->kid[0]);
		out.pure = kid.pure;
		out.some = kid.some;
		out.any = kid.any;
		out.ends = kid.exact;
		out.all = kid.all;
		return out;
	case NODE_STAR:
		out.pure = analyze(w, n->kid[0]).pure;
		return out;
	case NODE_NULL:
	case NODE_BOL:
	case NODE_EOL:
	case NODE_WORDB:
	case NODE_NWORDB:
		out.exact = true;
		out.pure = n->kind == NODE_NULL;
		out.all = empty_string(w);
		break;
	}
	if (out.exact) {
		out.some = true;
		out.any = out.all;
	}
	return out;
}

int
rx_literals(const struct rx_node *node, unsigned flags, struct arena *a,
    struct rx_lits *out)
{
	struct finder_work w = {.a = a};
	struct info i = analyze(&w, node);
	size_t shortest = LIT_MAX;
	bool cr = false;
	int q;

	memset(out, 0, sizeof(*out));
	if (a->failed)
		return E_NOMEM;
	if (i.exact && i.all.n == 0) {
		out->never = true;
		return 0;
	}
	if (i.exact && i.pure)
		i.any = i.all;
	if (!i.some || i.any.n == 0)
		return 0;
	for (size_t k = 0; k < i.any.n; k++) {
		if (i.any.l[k].len < shortest)
			shortest = i.any.l[k].len;
		cr |= memchr(i.any.l[k].b, '\r', i.any.l[k].len) != NULL;
	}
	out->exact = i.exact && i.pure && !(cr && (flags & RX_CRLF) != 0);
	q = quality(&i.any);
	if (shortest == 0 || (i.any.n > 1 && (shortest < 2 || q < WORTH_MANY)) ||
	    (i.any.n == 1 && !out->exact && q < WORTH_ONE)) {
		out->exact = false;
		return 0;
	}
	out->l = i.any.l;
	out->n = i.any.n;
	out->kelvin = w.kelvin;
	return 0;
}

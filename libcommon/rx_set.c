/* Sets of scalar values: gathered as ranges, folded, negated, then split into an ASCII
 * bitmap and sorted ranges. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"

#define LAST 0x10ffffu

struct arena_block {
	struct arena_block *before;
	size_t used, room;
	_Alignas(16) unsigned char mem[];
};

void *
arena_get(struct arena *a, size_t n)
{
	struct arena_block *b = a->last;
	void *p;

	n = (n + 15) & ~(size_t)15;
	if (b == NULL || b->room - b->used < n) {
		size_t room = n > 16000 ? n : 16000;

		if ((b = calloc(1, sizeof(*b) + room)) == NULL) {
			a->failed = true;
			return NULL;
		}
		b->before = a->last;
		b->room = room;
		a->last = b;
	}
	p = b->mem + b->used;
	b->used += n;
	return p;
}

void
arena_release(struct arena *a)
{
	while (a->last != NULL) {
		struct arena_block *b = a->last;

		a->last = b->before;
		free(b);
	}
}

void
ranges_add(struct rx_ranges *b, uint32_t first, uint32_t last)
{
	if (b->n == b->room) {
		size_t room = b->room == 0 ? 16 : 2 * b->room;
		struct unicode_range *r = realloc(b->r, room * sizeof(*r));

		if (r == NULL) {
			b->failed = true;
			return;
		}
		b->r = r;
		b->room = room;
	}
	b->r[b->n++] = (struct unicode_range){first, last};
}

static int
in_order(const void *pa, const void *pb)
{
	const struct unicode_range *a = pa, *b = pb;

	return a->first < b->first ? -1 : a->first > b->first;
}

void
ranges_settle(struct rx_ranges *b, bool negate)
{
	struct rx_ranges out = {0};
	uint32_t from = 0;
	size_t m = 0;

	if (b->n > 1)
		qsort(b->r, b->n, sizeof(*b->r), in_order);
	for (size_t i = 0; i < b->n; i++) {
		if (m > 0 && b->r[i].first <= b->r[m - 1].last + 1) {
			if (b->r[i].last > b->r[m - 1].last)
				b->r[m - 1].last = b->r[i].last;
		} else {
			b->r[m++] = b->r[i];
		}
	}
	b->n = m;
	if (!negate)
		return;
	for (size_t i = 0; i < b->n; i++) {
		if (b->r[i].first > from)
			ranges_add(&out, from, b->r[i].first - 1);
		from = b->r[i].last + 1;
	}
	if (from <= LAST)
		ranges_add(&out, from, LAST);
	out.failed |= b->failed;
	free(b->r);
	*b = out;
}

void
ranges_fold(struct rx_ranges *b)
{
	size_t n;

	ranges_settle(b, false);
	n = b->n; /* members as written: what is added below is not asked again */
	for (uint32_t c = 'A'; c <= 'Z'; c++) {
		if (unicode_within(b->r, n, c + 32))
			ranges_add(b, c, c);
		if (unicode_within(b->r, n, c))
			ranges_add(b, c + 32, c + 32);
	}
	for (size_t i = 0; i < unicode_lower_pairs_len; i++)
		if (unicode_within(b->r, n, unicode_lower_pairs[i].to))
			ranges_add(b, unicode_lower_pairs[i].from,
			    unicode_lower_pairs[i].from);
	for (size_t i = 0; i < unicode_upper_pairs_len; i++)
		if (unicode_within(b->r, n, unicode_upper_pairs[i].to))
			ranges_add(b, unicode_upper_pairs[i].from,
			    unicode_upper_pairs[i].from);
	ranges_settle(b, false);
}

const struct rx_set *
ranges_set(struct rx_ranges *b, struct arena *a)
{
	struct rx_set *s = arena_get(a, sizeof(*s));
	struct unicode_range *high = arena_get(a, b->n * sizeof(*high) + 1);
	size_t n = 0;

	if (s == NULL || high == NULL || b->failed) {
		a->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < b->n; i++) {
		struct unicode_range r = b->r[i];

		for (; r.first <= r.last && r.first < 0x80; r.first++)
			if (r.first != '\n')
				s->ascii[r.first / 64] |= 1ULL << r.first % 64;
		if (r.first <= r.last)
			high[n++] = r;
	}
	s->high = high;
	s->n = n;
	return s;
}

bool
set_has(const struct rx_set *s, uint32_t c)
{
	return c < 0x80 ? (s->ascii[c / 64] >> c % 64 & 1) != 0
	                : unicode_within(s->high, s->n, c);
}

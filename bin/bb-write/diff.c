/* Line differences: what both texts begin and end with is left out, the middle is compared
 * by a table of longest common subsequences, whose lines were numbered first, so that equal
 * lines are one number and no line is compared twice. A middle above DIFF_CELLS is one
 * place. */
#include "bin/bb-write/diff.h"

#include <stdlib.h>
#include <string.h>

#include "libcommon/err.h"

struct text {
	const char *p;
	size_t n;     /* bytes of the middle */
	size_t lines; /* of it */
	uint32_t *id; /* of each line */
};

void
diff_release(struct diff *d)
{
	free(d->at);
	d->at = NULL;
	d->count = d->room = 0;
}

static size_t
count_lines(const char *p, size_t n)
{
	size_t lines = 0;

	for (const char *end = p + n; p < end; lines++) {
		const char *q = memchr(p, '\n', (size_t)(end - p));

		p = q != NULL ? q + 1 : end;
	}
	return lines;
}

/* Bytes that both begin with, whole lines only. */
static size_t
common_head(const char *a, size_t n, const char *b, size_t m)
{
	size_t most = n < m ? n : m, p = 0;

	while (p < most && a[p] == b[p])
		p++;
	if (p == n && p == m)
		return p;
	while (p > 0 && a[p - 1] != '\n')
		p--;
	return p;
}

/* Bytes that both end with, whole lines only, of what is behind the head. */
static size_t
common_tail(const char *a, size_t n, const char *b, size_t m)
{
	size_t most = n < m ? n : m, s = 0;

	while (s < most && a[n - 1 - s] == b[m - 1 - s])
		s++;
	while (
	    s > 0 && ((s < n && a[n - s - 1] != '\n') || (s < m && b[m - s - 1] != '\n')))
		s--;
	return s;
}

struct line {
	const char *p;
	size_t n;
	uint32_t id; /* 0: the slot is free */
};

/* Number the lines of t: the same bytes, the same number. */
static void
number(struct text *t, struct line *table, size_t mask, uint32_t *next)
{
	const char *p = t->p, *end = t->p + t->n;

	for (size_t i = 0; i < t->lines; i++) {
		const char *q = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((q != NULL ? q + 1 : end) - p), at;
		uint64_t h = 0xcbf29ce484222325u;

		for (size_t k = 0; k < n; k++)
			h = (h ^ (unsigned char)p[k]) * 0x100000001b3u;
		for (at = h & mask; table[at].id != 0; at = (at + 1) & mask)
			if (table[at].n == n && memcmp(table[at].p, p, n) == 0)
				break;
		if (table[at].id == 0)
			table[at] = (struct line){p, n, (*next)++};
		t->id[i] = table[at].id;
		p += n;
	}
}

static int
number_both(struct text *a, struct text *b)
{
	struct line *table;
	size_t size = 16;
	uint32_t next = 1;

	while (size < 2 * (a->lines + b->lines))
		size *= 2;
	table = calloc(size, sizeof(*table));
	a->id = malloc((a->lines + 1) * sizeof(*a->id));
	b->id = malloc((b->lines + 1) * sizeof(*b->id));
	if (table == NULL || a->id == NULL || b->id == NULL) {
		free(table);
		return E_NOMEM;
	}
	number(a, table, size - 1, &next);
	number(b, table, size - 1, &next);
	free(table);
	return 0;
}

static int
place_add(struct diff *d, struct place p)
{
	if (d->count == d->room) {
		size_t room = d->room == 0 ? 16 : d->room * 2;
		struct place *at = reallocarray(d->at, room, sizeof(*at));

		if (at == NULL)
			return E_NOMEM;
		d->at = at;
		d->room = room;
	}
	d->at[d->count++] = p;
	d->removed += p.n;
	d->added += p.m;
	return 0;
}

/* Walk the table from its beginning; `first`: number of the middle's first line. */
static int
walk(const struct text *a, const struct text *b, const uint16_t *table, uint64_t first,
    struct diff *d)
{
	size_t i = 0, k = 0, width = b->lines + 1;
	struct place p = {0};

	while (i < a->lines || k < b->lines) {
		if (i < a->lines && k < b->lines && a->id[i] == b->id[k]) {
			if (p.n + p.m > 0 && place_add(d, p) != 0)
				return E_NOMEM;
			p = (struct place){0};
			i++;
			k++;
			continue;
		}
		if (p.n + p.m == 0)
			p = (struct place){.a = first + i, .b = first + k};
		if (k == b->lines ||
		    (i < a->lines &&
		        table[(i + 1) * width + k] >= table[i * width + k + 1])) {
			p.n++;
			i++;
		} else {
			p.m++;
			k++;
		}
	}
	return p.n + p.m > 0 ? place_add(d, p) : 0;
}

static int
compare(struct text *a, struct text *b, uint64_t first, struct diff *d)
{
	uint16_t *table;
	size_t width = b->lines + 1;
	int r;

	if ((r = number_both(a, b)) != 0)
		return r;
	if ((table = calloc((a->lines + 1) * width, sizeof(*table))) == NULL)
		return E_NOMEM;
	/* The shorter side has 1,000 lines at most: lengths fit 16 bits. */
	for (size_t i = a->lines; i-- > 0;)
		for (size_t k = b->lines; k-- > 0;) {
			uint16_t down = table[(i + 1) * width + k],
			         right = table[i * width + k + 1];

			table[i * width + k] = a->id[i] == b->id[k]
			    ? (uint16_t)(table[(i + 1) * width + k + 1] + 1)
			    : down > right ? down
			                   : right;
		}
	r = walk(a, b, table, first, d);
	free(table);
	return r;
}

int
diff_lines(const char *old, size_t n, const char *new, size_t m, struct diff *d)
{
	size_t head = common_head(old, n, new, m),
	       tail = common_tail(old + head, n - head, new + head, m - head);
	struct text a = {.p = old + head, .n = n - head - tail},
	            b = {.p = new + head, .n = m - head - tail};
	uint64_t first = 1 + count_lines(old, head);
	int r;

	*d = (struct diff){0};
	a.lines = count_lines(a.p, a.n);
	b.lines = count_lines(b.p, b.n);
	if (a.lines == 0 && b.lines == 0)
		return 0;
	if (a.lines == 0 || b.lines == 0)
		return place_add(d, (struct place){first, a.lines, first, b.lines});
	if (a.lines > DIFF_CELLS / b.lines) {
		d->large = true;
		return place_add(d, (struct place){first, a.lines, first, b.lines});
	}
	r = compare(&a, &b, first, d);
	free(a.id);
	free(b.id);
	return r;
}

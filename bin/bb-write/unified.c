/* The places as diff -u prints them, three equal lines around each: what patch reads. */
#include <string.h>

#include "bin/bb-write/work.h"
#include "libcommon/helper.h"

#define AROUND 3

struct cursor {
	const char *p, *end;
	uint64_t line; /* number of the line at p */
};

static void
skip_to(struct cursor *c, uint64_t line)
{
	while (c->line < line && c->p < c->end) {
		const char *q = memchr(c->p, '\n', (size_t)(c->end - c->p));

		c->p = q != NULL ? q + 1 : c->end;
		c->line++;
	}
}

/* Lines up to number `line`, each behind its sign. */
static void
put(struct cursor *c, uint64_t line, char sign, struct buf *out)
{
	while (c->line < line && c->p < c->end) {
		const char *q = memchr(c->p, '\n', (size_t)(c->end - c->p));
		const char *to = q != NULL ? q + 1 : c->end;

		(void)buf_byte(out, sign);
		(void)buf_append(out, c->p, (size_t)(to - c->p));
		if (q == NULL)
			(void)buf_str(out, "\n\\ No newline at end of file\n");
		c->p = to;
		c->line++;
	}
}

/* `FIRST,N`; a range of no lines names the one before it. */
static void
range(uint64_t first, uint64_t n, struct buf *out)
{
	(void)buf_int(out, (int64_t)(n == 0 ? first - 1 : first));
	(void)buf_byte(out, ',');
	(void)buf_int(out, (int64_t)n);
}

static uint64_t
lines_in(const struct buf *b)
{
	struct cursor c = {buf_cstr(b), buf_cstr(b) + b->len, 1};

	skip_to(&c, UINT64_MAX);
	return c.line - 1;
}

int
unified_put(const struct worked *w)
{
	const struct place *at = w->diff.at;
	struct cursor old = {buf_cstr(&w->old), buf_cstr(&w->old) + w->old.len, 1},
	              new = {buf_cstr(&w->new), buf_cstr(&w->new) + w->new.len, 1};
	uint64_t all = lines_in(&w->old);
	auto_buf struct buf out = BUF_INIT;

	for (size_t i = 0, k; i < w->diff.count; i = k + 1) {
		uint64_t before = at[i].a > AROUND ? AROUND : at[i].a - 1, after, n, m;

		for (k = i; k + 1 < w->diff.count &&
		     at[k + 1].a - at[k].a - at[k].n <= (uint64_t)2 * AROUND;)
			k++;
		after = all + 1 - (at[k].a + at[k].n);
		after = after < AROUND ? after : AROUND;
		n = before + at[k].a + at[k].n - at[i].a + after;
		m = before + at[k].b + at[k].m - at[i].b + after;
		(void)buf_str(&out, "@@ -");
		range(at[i].a - before, n, &out);
		(void)buf_str(&out, " +");
		range(at[i].b - before, m, &out);
		(void)buf_str(&out, " @@\n");
		skip_to(&old, at[i].a - before);
		for (size_t j = i; j <= k; j++) {
			put(&old, at[j].a, ' ', &out);
			put(&old, at[j].a + at[j].n, '-', &out);
			skip_to(&new, at[j].b);
			put(&new, at[j].b + at[j].m, '+', &out);
		}
		put(&old, old.line + after, ' ', &out);
	}
	return out.failed ? E_NOMEM : helper_page(1, buf_cstr(&out), out.len);
}

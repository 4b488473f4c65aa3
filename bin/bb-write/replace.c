/* Exact passages (tools-files 4): found byte for byte by the failure function of Knuth,
 * Morris and Pratt, which counts overlapping occurrences in one pass and needs no second
 * look at a byte, so that no text makes it slow. */
#include "bin/bb-write/replace.h"

#include <stdlib.h>
#include <string.h>

#define NEAR_LEAST 4 /* characters in common that make a line a near one */

const char *
replace_ends(const char *p, size_t n)
{
	size_t lf = 0, crlf = 0;

	for (size_t at = 0; at < n;) {
		const char *q = memchr(p + at, '\n', n - at);

		if (q == NULL)
			break;
		lf++;
		crlf += q > p && q[-1] == '\r';
		at = (size_t)(q - p) + 1;
	}
	return lf == 0 ? "none" : crlf == 0 ? "lf" : crlf == lf ? "crlf" : "mixed";
}

/* Each bare line feed as CR LF. */
static int
with_cr(const char *p, size_t n, struct buf *out)
{
	for (size_t at = 0; at < n;) {
		const char *q = memchr(p + at, '\n', n - at);
		size_t end = q != NULL ? (size_t)(q - p) : n;

		(void)buf_append(out, p + at, end - at);
		if (q == NULL)
			break;
		(void)buf_str(out, end > 0 && p[end - 1] == '\r' ? "\n" : "\r\n");
		at = end + 1;
	}
	return out->failed ? E_NOMEM : 0;
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* <p, n> without blanks at its ends. */
static void
trim(const char **p, size_t *n)
{
	while (*n > 0 && blank((*p)[*n - 1]))
		--*n;
	while (*n > 0 && blank(**p)) {
		++*p;
		--*n;
	}
}

/* Lines that are nearest to the first line of the passage that is not blank: those that
 * differ in blanks only, else the one that begins most alike. */
static void
nearest(const char *text, size_t n, const char *old, size_t n_old, uint64_t *where)
{
	size_t len = 0, best = NEAR_LEAST - 1, found = 0;
	const char *want = old;
	uint64_t line = 1, most = 0;

	for (size_t at = 0; at < n_old && len == 0;) {
		const char *q = memchr(old + at, '\n', n_old - at);

		want = old + at;
		len = (size_t)((q != NULL ? q : old + n_old) - want);
		at += len + 1;
		trim(&want, &len);
	}
	if (len == 0)
		return;
	for (size_t at = 0; at < n && found < REPLACE_WHERE; line++) {
		const char *q = memchr(text + at, '\n', n - at), *have = text + at;
		size_t size = (size_t)((q != NULL ? q : text + n) - have), same = 0;

		at += size + 1;
		trim(&have, &size);
		while (same < size && same < len && have[same] == want[same])
			same++;
		if (same == len && size == len)
			where[found++] = line;
		else if (same > best) {
			best = same;
			most = line;
		}
	}
	if (found == 0)
		where[0] = most;
}

struct search {
	const char *old;
	size_t n_old;
	uint32_t *fail; /* longest border of each prefix */
};

static bool
prepare(struct search *s)
{
	size_t k = 0;

	if (s->n_old == 0 || (s->fail = calloc(s->n_old, sizeof(*s->fail))) == NULL)
		return false;
	s->fail[0] = 0;
	for (size_t i = 1; i < s->n_old; i++) {
		while (k > 0 && s->old[i] != s->old[k])
			k = s->fail[k - 1];
		k += s->old[i] == s->old[k];
		s->fail[i] = (uint32_t)k;
	}
	return true;
}

/* One pass: all occurrences counted, the chosen ones replaced onto out (NULL: none). */
static void
pass(const struct replacing *p, const struct search *s, struct replaced *r,
    struct buf *out)
{
	uint64_t line = 1;
	size_t k = 0, from = 0, lines_to = 0;

	for (size_t i = 0; i < p->n; i++) {
		size_t begin;

		while (k > 0 && p->text[i] != s->old[k])
			k = s->fail[k - 1];
		k += p->text[i] == s->old[k];
		if (k < s->n_old)
			continue;
		k = s->fail[k - 1];
		begin = i + 1 - s->n_old;
		if (out == NULL) {
			for (; lines_to < begin; lines_to++)
				line += p->text[lines_to] == '\n';
			if (r->found++ < REPLACE_WHERE)
				r->where[r->found - 1] = line;
		} else if (begin >= from) {
			(void)buf_append(out, p->text + from, begin - from);
			(void)buf_append(out, p->new, p->n_new);
			from = i + 1;
			r->count++;
			if (out->failed)
				return;
		}
	}
	if (out != NULL)
		(void)buf_append(out, p->text + from, p->n - from);
}

enum replace_end
replace_passage(const struct replacing *given, struct replaced *r, struct buf *out)
{
	auto_buf struct buf old = BUF_INIT, new = BUF_INIT;
	struct replacing p = *given;
	struct search s;

	*r = (struct replaced){0};
	if (p.n_old == 0)
		return REPLACE_EMPTY;
	if (strcmp(replace_ends(p.text, p.n), "crlf") == 0 &&
	    (memchr(p.old, '\n', p.n_old) != NULL ||
	        memchr(p.new, '\n', p.n_new) != NULL)) {
		if (with_cr(p.old, p.n_old, &old) != 0 ||
		    with_cr(p.new, p.n_new, &new) != 0)
			return REPLACE_NOMEM;
		r->crlf = old.len != p.n_old || new.len != p.n_new;
		p.old = buf_cstr(&old);
		p.n_old = old.len;
		p.new = buf_cstr(&new);
		p.n_new = new.len;
	}
	if (p.n_old == p.n_new && memcmp(p.old, p.new, p.n_old) == 0)
		return REPLACE_SAME;
	s = (struct search){p.old, p.n_old, NULL};
	if (!prepare(&s))
		return REPLACE_NOMEM;
	pass(&p, &s, r, NULL);
	if (r->found == 1 || (r->found > 1 && p.all))
		pass(&p, &s, r, out);
	free(s.fail);
	if (r->found == 0) {
		nearest(p.text, p.n, p.old, p.n_old, r->where);
		return REPLACE_ABSENT;
	}
	if (r->found > 1 && !p.all)
		return REPLACE_MANY;
	return out->failed ? REPLACE_LARGE : REPLACE_DONE;
}

/* Replace and compare: a byte of flags, the passage, a NUL, what comes in its place, a NUL,
 * the text. What bb would check of the helper has to hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb-write/diff.h"
#include "bin/bb-write/replace.h"
#include "bin/bb/session/places.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

static void
compare(const struct buf *old, const struct buf *new)
{
	auto_buf struct buf text = BUF_INIT, rows = BUF_INIT;
	struct places at;
	struct diff d;
	unsigned sign;

	if (diff_lines(buf_cstr(old), old->len, buf_cstr(new), new->len, &d) != 0)
		abort();
	for (size_t i = 0; i < d.count; i++)
		(void)buf_fmt(&text, "%llu,%llu %llu,%llu\n",
		    (unsigned long long)d.at[i].a, (unsigned long long)d.at[i].n,
		    (unsigned long long)d.at[i].b, (unsigned long long)d.at[i].m);
	if (places_read(buf_cstr(&text), text.len, &at) != 0 ||
	    !places_hold(&at, old, new))
		abort();
	places_rows(&at, old, new, &sign, &rows);
	buf_clear(&rows);
	places_excerpt(&at, new, &rows);
	places_release(&at);
	diff_release(&d);
}

int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	auto_buf struct buf from = BUF_INIT, to = BUF_INIT, old = BUF_INIT,
	                    new = BUF_INIT;
	struct replacing r = {0};
	struct replaced said;
	struct places at;

	/* Any list: read or refused. */
	if (places_read((const char *)p, n, &at) == 0)
		(void)places_hold(&at, &old, &new);
	places_release(&at);
	if (n < 3)
		return 0;
	r.all = p[0] & 1;
	p++;
	n--;
	for (int i = 0; i < 2; i++) {
		const unsigned char *q = memchr(p, '\0', n);
		size_t len = q != NULL ? (size_t)(q - p) : n;

		(void)buf_append(i == 0 ? &from : &to, p, len);
		n -= len + (q != NULL);
		p += len + (q != NULL);
	}
	(void)buf_append(&old, p, n);
	r.text = buf_cstr(&old);
	r.n = old.len;
	r.old = buf_cstr(&from);
	r.n_old = from.len;
	r.new = buf_cstr(&to);
	r.n_new = to.len;
	if (replace_passage(&r, &said, &new) == REPLACE_DONE) {
		if (!said.crlf && !passage_replaced(&old, &new, &from, &to, said.count))
			abort();
		compare(&old, &new);
	}
	compare(&old, &from);
	return 0;
}

/* JSON lines in and out. What comes in is a planner's: bounded line by line, parsed by
 * the caller; a line that is too long is dropped to its end and said. */
#include "bin/bb/planner/planner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_MAX ((size_t)8 << 20)

struct wire {
	int in, out;
	struct buf rd, wr;
	size_t used;    /* bytes of rd that earlier lines took */
	size_t scanned; /* bytes of rd known to hold no newline, from used */
	bool skipping;  /* inside a line that was too long */
	bool eof;
};

int
wire_new(int in, int out, struct wire **w)
{
	if ((*w = calloc(1, sizeof(**w))) == NULL)
		return E_NOMEM;
	(*w)->in = in;
	(*w)->out = out;
	buf_init(&(*w)->rd, 2 * WIRE_LINE_MAX + 65536);
	buf_init(&(*w)->wr, OUT_MAX + 4 * WIRE_LINE_MAX);
	return 0;
}

void
wire_free(struct wire *w)
{
	if (w == NULL)
		return;
	buf_release(&w->rd);
	buf_release(&w->wr);
	free(w);
}

int
wire_fill(struct wire *w)
{
	ssize_t n;

	if (w->used > 0) {
		buf_drop(&w->rd, w->used);
		w->used = 0;
	}
	if (buf_reserve(&w->rd, 65536) != 0)
		return 0; /* full of complete lines: taken first */
	do
		n = read(w->in, w->rd.p + w->rd.len, 65536);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : E_SYS;
	if (n == 0) {
		w->eof = true;
		return E_EOF;
	}
	w->rd.len += (size_t)n;
	w->rd.p[w->rd.len] = '\0';
	return 0;
}

bool
wire_next(struct wire *w, const char **p, size_t *n, bool *too_long)
{
	const char *from = w->rd.p + w->used;
	size_t left = w->rd.len - w->used;
	const char *end =
	    left > w->scanned ? memchr(from + w->scanned, '\n', left - w->scanned) : NULL;

	*too_long = false;
	if (end == NULL && w->eof &&
	    left > 0) /* a last line without its newline counts */
		end = from + left;
	if (end == NULL) {
		w->scanned = left;
		if (left > WIRE_LINE_MAX) {
			w->skipping = true;
			w->used += left;
			w->scanned = 0;
		}
		return false;
	}
	*p = from;
	*n = (size_t)(end - from);
	*too_long = w->skipping || *n > WIRE_LINE_MAX;
	w->skipping = false;
	w->used += *n + (w->used + *n < w->rd.len);
	w->scanned = 0;
	return true;
}

int
wire_flush(struct wire *w)
{
	while (w->wr.len > 0) {
		struct pollfd pf = {.fd = w->out, .events = POLLOUT};
		ssize_t n;

		/* One pipe buffer's worth is taken whole or not at all once poll says so. */
		if (poll(&pf, 1, 0) <= 0)
			return 0;
		n = write(w->out, w->wr.p, w->wr.len < 4096 ? w->wr.len : 4096);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : E_SYS;
		buf_drop(&w->wr, (size_t)n);
	}
	return 0;
}

int
wire_put(struct wire *w, const json_t *v)
{
	size_t from = w->wr.len;
	int r = json_print(v, &w->wr);

	if (r == 0 && w->wr.len - from >= WIRE_LINE_MAX) {
		w->wr.len = from;
		if (w->wr.p != NULL)
			w->wr.p[from] = '\0';
		return E_TOO_LONG;
	}
	if (r != 0 || (r = buf_byte(&w->wr, '\n')) != 0)
		return r;
	if ((r = wire_flush(w)) != 0)
		return r;
	return w->wr.len > OUT_MAX ? E_FULL : 0;
}

size_t
wire_pending(const struct wire *w)
{
	return w->wr.len;
}

/* One worker: opens the files of a unit, reads and matches them, and keeps of what
 * matches the lines that may be printed, in the form they are shown in. Trusts no byte
 * it reads; what it may open is Landlock's word. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/bytes.h"
#include "libcommon/clock.h"

#define LOOK_EVERY ((size_t)64 << 10) /* bytes kept between two looks at the whole */
#define HELD_MAX ((size_t)4 << 20)    /* of a file without a cap, until it is printed */
#define ROOM (2 * CHUNK)              /* of the buffer, but for long lines */
#define SLACK 64

struct worker {
	struct search *s;
	struct rx_scan *scan;
	uint8_t *buf;
	size_t room;
	/* the unit */
	struct unit *u;
	unsigned i;   /* file */
	uint64_t sum; /* matches in it so far */
	bool front;
	/* the file */
	struct found *f;
	uint64_t from, to; /* its matches that may be printed */
	uint64_t base;     /* its lines before the region */
	uint64_t last;     /* number of the line kept last */
	uint64_t kept;     /* matches among its records */
	uint64_t after;    /* context lines still owed */
	size_t look;
	bool high; /* something beyond ASCII was read */
	bool bad, blind, streaming;
	/* the region: whole lines in the buffer */
	size_t n, pos;  /* behind the line kept last */
	size_t counted; /* up to here lines are counted: */
	uint64_t lines; /* number of the line there */
	/* the last lines before the region, for context */
	unsigned ring;
	struct line before[CONTEXT_MAX];
	char before_text[CONTEXT_MAX][SHOWN_MAX];
};

struct worker *
worker_new(struct search *s)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->s = s;
	w->room = ROOM + SLACK;
	if ((w->buf = malloc(w->room)) == NULL ||
	    (w->scan = rx_scan_new(s->rx)) == NULL) {
		free(w->buf);
		free(w);
		return NULL;
	}
	return w;
}

/* --- what is kept -------------------------------------------------------------------------- */

/* Which matches of the file may be printed, as far as that is known. */
static void
limits(struct worker *w, uint64_t known)
{
	const struct page *p = &w->s->page;
	uint64_t before = known + (w->front ? 0 : w->sum);

	w->from = w->front && p->offset - 1 > known ? p->offset - 1 - known : 0;
	w->to = page_wanted(p) > before ? page_wanted(p) - before : 0;
}

/* The file's records go; its path stays. */
static void
forget(struct worker *w)
{
	w->u->store.len = w->f->at + w->f->path_len;
	w->f->lines = 0;
	w->kept = 0;
}

/* Much is kept: where others wait for that, wait for the turn of this unit; then it goes
 * straight to the page. */
static void
look(struct worker *w)
{
	struct search *s = w->s;
	struct unit *u = w->u;
	uint64_t known;

	if (!w->front && order_heavy(s)) {
		size_t done = w->f->at;

		order_wait_front(s, u);
		if (order_stopped(s))
			return;
		w->front = order_front(s, u, &known);
		order_emit(s, u, w->i);
		memmove(u->store.p, u->store.p + done, u->store.len - done);
		u->store.len -= done;
		w->f->at = 0;
		limits(w, s->page.total);
		if (w->f->hits <= w->from) {
			forget(w);
			w->last = w->after = w->pos = 0;
		}
	} else if (w->front && s->page.most == 0 &&
	    (w->streaming || u->store.len - w->f->at > HELD_MAX)) {
		w->streaming = true;
		page_part(&s->page, u, w->f);
		w->f->first += w->kept;
		forget(w);
	}
	w->look = u->store.len + LOOK_EVERY;
}

static bool
path(struct worker *w)
{
	const struct search *s = w->s;
	struct store *st = &w->u->store;
	const char *dir = "", *name = w->u->name[w->i];
	size_t n, len;
	char *at;

	for (unsigned k = 0; k < w->u->n_runs && w->u->run[k].first <= w->i; k++)
		dir = w->u->run[k].dir->path;
	n = strlen(dir);
	w->f->at = st->len;
	if (!order_grow(w->s, st, 3 * (s->prefix_len + n + 1 + strlen(name))))
		return false;
	at = st->p + st->len;
	len = text_path(s->prefix, s->prefix_len, s->terminal, at);
	len += text_path(dir, n, s->terminal, at + len);
	if (n > 0)
		at[len++] = '/';
	len += text_path(name, strlen(name), s->terminal, at + len);
	w->f->path_len = len;
	st->len += len;
	w->look = st->len + LOOK_EVERY;
	return true;
}

/* A record; `text` is as shown already where `as` is given. */
static void
keep(struct worker *w, uint64_t no, const uint8_t *p, size_t n, bool match,
    const struct line *as)
{
	struct store *st = &w->u->store;
	struct line l = {.no = no, .match = match};
	char *at;

	w->last = no;
	if ((w->f->path_len == 0 && !path(w)) ||
	    !order_grow(w->s, st, sizeof(l) + SHOWN_MAX)) {
		order_fail(w->s);
		return;
	}
	at = st->p + st->len;
	if (as != NULL) {
		l = *as;
		memcpy(at + sizeof(l), p, n);
	} else {
		l.len = (uint16_t)text_line(p, n, w->s->terminal, at + sizeof(l), &l.cut);
	}
	memcpy(at, &l, sizeof(l));
	st->len += sizeof(l) + l.len;
	w->f->lines++;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* The line that begins at `at`: *len without its end. Returns where the next one begins. */
static size_t
line_at(const struct worker *w, size_t at, size_t *len)
{
	size_t end = at + bytes_find(w->buf + at, w->n - at, '\n');

	*len = end - at;
	if (end == w->n)
		return end;
	if (*len > 0 && w->buf[end - 1] == '\r')
		--*len;
	return end + 1;
}

/* Number of the line that begins at `at`, which is not before the one asked for last. */
static uint64_t
number_at(struct worker *w, size_t at)
{
	w->lines += bytes_count(w->buf + w->counted, at - w->counted, '\n');
	w->counted = at;
	return w->lines;
}

/* Where the lines before `at` begin, the nearest first, at most `most` of them and none
 * before `floor`. */
static unsigned
backwards(const struct worker *w, size_t at, size_t floor, uint64_t most, size_t *begin)
{
	unsigned n = 0;

	while (n < most && at > floor) {
		at = floor + bytes_past_last(w->buf + floor, at - 1 - floor, '\n');
		begin[n++] = at;
	}
	return n;
}

static void
context_after(struct worker *w, size_t limit)
{
	while (w->after > 0 && w->pos < limit) {
		size_t at = w->pos, len;

		w->pos = line_at(w, at, &len);
		keep(w, w->last + 1, w->buf + at, len, false, NULL);
		w->after--;
	}
}

static void
context_before(struct worker *w, size_t at, uint64_t no)
{
	uint64_t most = w->s->page.context;
	size_t begin[CONTEXT_MAX], len;
	unsigned n;

	n = backwards(w, at, w->pos, most, begin);
	/* Lines of the region before: as many as are wanted, there, and not kept yet. */
	for (unsigned k = 0; w->pos == 0 && k < w->ring; k++) {
		const struct line *l = &w->before[k];

		if (l->no > w->last && l->no + most >= no)
			keep(w, l->no, (const uint8_t *)w->before_text[k], l->len, false,
			    l);
	}
	while (n-- > 0) {
		(void)line_at(w, begin[n], &len);
		keep(w, no - n - 1, w->buf + begin[n], len, false, NULL);
	}
}

/* The region is over: its last lines may be context of the next one's. */
static void
remember(struct worker *w)
{
	uint64_t no = number_at(w, w->n), most = w->s->page.context;
	size_t begin[CONTEXT_MAX], len;
	unsigned n;

	w->base = no - 1;
	if (most == 0)
		return;
	n = backwards(w, w->n, 0, most, begin);
	while (n-- > 0) {
		struct line *l;

		if (w->ring == most) {
			w->ring--;
			memmove(w->before, w->before + 1, w->ring * sizeof(*w->before));
			memmove(w->before_text, w->before_text + 1,
			    w->ring * sizeof(*w->before_text));
		}
		l = &w->before[w->ring];
		(void)line_at(w, begin[n], &len);
		*l = (struct line){.no = no - n - 1};
		l->len = (uint16_t)text_line(w->buf + begin[n], len, w->s->terminal,
		    w->before_text[w->ring++], &l->cut);
	}
}

static void
hit(struct worker *w, size_t at)
{
	uint64_t k = w->f->hits++, no;
	size_t len, next;

	context_after(w, at);
	if (k < w->from || k >= w->to)
		return;
	no = number_at(w, at);
	if (w->s->page.context > 0)
		context_before(w, at, no);
	if (w->kept++ == 0)
		w->f->first = k;
	next = line_at(w, at, &len);
	keep(w, no, w->buf + at, len, true, NULL);
	w->pos = next;
	w->after = w->s->page.context;
	if (w->u->store.len >= w->look)
		look(w);
}

/* Search n bytes of whole lines at the buffer's begin. With `head` they are the begin of
 * one line that is too long. */
static bool
region(struct worker *w, size_t n, bool head)
{
	const struct rx_hit *h;
	size_t found = 0;
	uint64_t most = w->f->hits > w->to ? 0 : w->to + 1 - w->f->hits;

	w->n = n;
	w->pos = w->counted = 0;
	w->lines = w->base + 1;
	if (!w->bad && w->high)
		w->bad = bytes_utf8(w->buf, n) < (head ? n - 3 : n);
	if (head) {
		/* What follows is not known: `$` does not match at its end. */
		w->buf[n] = 0xff;
		most = 1;
	}
	if (most > 0 &&
	    rx_lines(w->scan, w->buf, n + head, most < SIZE_MAX ? (size_t)most : SIZE_MAX,
	        &h, &found) != 0) {
		order_fail(w->s);
		return false;
	}
	for (size_t i = 0; i < found && !order_stopped(w->s); i++)
		hit(w, h[i].begin);
	context_after(w, n);
	w->blind |= head && found == 0;
	return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool
room(struct worker *w, size_t need)
{
	size_t more = w->room;
	uint8_t *p;

	if (need <= more)
		return true;
	while (more < need)
		more += more / 2;
	if ((p = realloc(w->buf, more)) == NULL)
		return false;
	w->buf = p;
	w->room = more;
	return true;
}

static bool
late(const struct worker *w)
{
	return w->s->order.deadline != UINT64_MAX &&
	    clock_mono_us() > w->s->order.deadline;
}

/* Read and search the file open at fd. A short read is its end: nothing regular answers
 * so before, and what is no file any more ends there too. */
static enum fate
content(struct worker *w, int fd)
{
	size_t len = 0;
	bool skipping = false;

	for (;;) {
		size_t whole, got;
		ssize_t n;
		bool end;

		if (!room(w, len + CHUNK + SLACK)) {
			order_fail(w->s);
			return FATE_NONE;
		}
		while ((n = read(fd, w->buf + len, CHUNK)) < 0 && errno == EINTR)
			;
		if (n < 0)
			return FATE_UNOPENED;
		got = (size_t)n;
		end = got < CHUNK;
		if (bytes_text(w->buf + len, got, &w->high) < got)
			return FATE_BINARY;
		if (skipping) { /* len is 0 */
			size_t lf = bytes_find(w->buf, got, '\n');

			skipping = lf == got;
			got = skipping ? 0 : got - lf - 1;
			memmove(w->buf, w->buf + lf + 1, got);
		}
		whole = bytes_past_last(w->buf + len, got, '\n');
		whole = end ? len + got : whole > 0 ? len + whole : 0;
		len += got;
		if (whole > 0 && !region(w, whole, false))
			return FATE_NONE;
		if (end)
			break;
		if (order_stopped(w->s))
			return FATE_NONE;
		if (late(w))
			return FATE_LATE;
		if (whole > 0) {
			remember(w);
			memmove(w->buf, w->buf + whole, len - whole);
			len -= whole;
		} else if (len >= LINE_MAX_BYTES) {
			if (!region(w, len, true))
				return FATE_NONE;
			w->lines++;
			remember(w);
			skipping = true;
			len = 0;
		}
	}
	return w->blind ? FATE_UNOPENED : w->bad ? FATE_BADTEXT : FATE_READ;
}

static void
file(struct worker *w, int dir)
{
	struct found *f = w->f;
	size_t at = w->u->store.len;
	int fd;

	if (late(w)) {
		f->fate = FATE_LATE;
		return;
	}
	/* The C library would add flags of its own, and the filter compares the word. */
	fd = (int)syscall(SYS_openat, (long)dir, w->u->name[w->i],
	    (long)(O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), 0L);
	if (fd < 0) {
		f->fate = FATE_UNOPENED;
		return;
	}
	w->base = w->last = w->kept = w->after = 0;
	w->high = w->bad = w->blind = w->streaming = false;
	w->ring = 0;
	f->fate = content(w, fd);
	close(fd);
	if (w->room > 8 * ROOM) {
		free(w->buf);
		w->room = ROOM + SLACK;
		if ((w->buf = malloc(w->room)) == NULL)
			order_fail(w->s);
	}
	if (f->fate == FATE_READ || f->fate == FATE_BADTEXT)
		return;
	/* Nothing of it counts, but for what is printed already. */
	f->hits = w->streaming ? f->first : 0;
	f->lines = 0;
	w->u->store.len = f->path_len > 0 ? f->at : at;
}

void
worker_unit(struct worker *w, struct unit *u)
{
	struct search *s = w->s;
	unsigned run = 0;
	uint64_t known = 0;

	w->u = u;
	w->sum = 0;
	w->front = order_front(s, u, &known);
	limits(w, known);
	for (w->i = 0; w->i < u->n && !order_stopped(s); w->i++) {
		if (run + 1 < u->n_runs && u->run[run + 1].first <= w->i)
			run++;
		w->f = &u->found[w->i];
		file(w, u->run[run].dir->fd);
		if (w->f->hits == 0)
			continue;
		w->sum += w->f->hits;
		if (w->front || order_front(s, u, &known)) {
			w->front = true;
			order_emit(s, u, w->i + 1);
			u->store.len = 0;
			known = s->page.total;
		} else if (known + w->sum > page_wanted(&s->page)) {
			break; /* what is behind it is wanted by nobody */
		}
		limits(w, known);
	}
}

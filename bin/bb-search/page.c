/* What is printed: the page of matches that was asked for, with its context, of files
 * that come in order. It sees shown lines, never a file. */
#include <string.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/bytes.h"
#include "libcommon/io.h"

uint64_t
page_wanted(const struct page *p)
{
	uint64_t all;

	return p->most == 0 || __builtin_add_overflow(p->offset - 1, p->most, &all)
	    ? UINT64_MAX - 1
	    : all;
}

void
page_flush(struct page *p)
{
	if (p->n > 0 && !p->unwritten && io_write(4, p->out, p->n) != 0)
		p->unwritten = true;
	p->n = 0;
}

static void
put(struct page *p, const char *s, size_t n)
{
	p->bytes += n;
	while (n > 0) {
		size_t some = sizeof(p->out) - p->n;

		if (some > n)
			some = n;
		bytes_copy(p->out + p->n, s, some);
		p->n += some;
		s += some;
		n -= some;
		if (p->n == sizeof(p->out))
			page_flush(p);
	}
}

static void
print(struct page *p, const char *path, size_t path_len, const struct line *l,
    const char *text, char mark)
{
	char no[24];
	size_t at = sizeof(no);

	if (p->context > 0 && p->any && (p->last + 1 != l->no || p->file != p->now))
		put(p, "--\n", 3);
	p->any = true;
	p->last = l->no;
	p->file = p->now;
	no[--at] = ' ';
	no[--at] = mark;
	for (uint64_t v = l->no; v > 0; v /= 10)
		no[--at] = (char)('0' + v % 10);
	no[--at] = mark;
	put(p, path, path_len);
	put(p, no + at, sizeof(no) - at);
	put(p, text, l->len);
	put(p, "\n", 1);
	p->cut += l->cut;
}

/* The records of f: those of matches [from, to) of the file are printed, and what stands
 * within `context` lines of one of them. */
static void
lines(struct page *p, const struct unit *u, const struct found *f, uint64_t from,
    uint64_t to)
{
	const char *path = u->store.p + f->at, *at = path + f->path_len, *ahead = at;
	uint64_t k = f->first, k_ahead = k, i_ahead = 0, before = 0, after = 0;
	struct line l, next;

	for (uint64_t i = 0; i < f->lines; i++, at += sizeof(l) + l.len) {
		memcpy(&l, at, sizeof(l));
		/* The first chosen match that does not stand before this line. */
		for (; i_ahead < f->lines && after < l.no; i_ahead++) {
			memcpy(&next, ahead, sizeof(next));
			ahead += sizeof(next) + next.len;
			if (next.match && k_ahead >= from && k_ahead < to)
				after = next.no;
			k_ahead += next.match;
		}
		k += l.match;
		if (l.match && k > from && k <= to) {
			before = l.no;
			p->matches++;
			print(p, path, f->path_len, &l, at + sizeof(l), ':');
			continue;
		}
		if ((before == 0 || l.no - before > p->context) &&
		    (after < l.no || after - l.no > p->context))
			continue;
		if (p->contexts == CONTEXTS_MAX && p->most > 0) {
			p->context_cap = true;
			continue;
		}
		p->contexts++;
		print(p, path, f->path_len, &l, at + sizeof(l), '-');
	}
}

void
page_file(struct page *p, struct unit *u, unsigned i)
{
	const struct found *f = &u->found[i];
	uint64_t wanted = page_wanted(p), before = p->offset - 1;

	while (u->at_run + 1 < u->n_runs && u->run[u->at_run + 1].first <= i)
		u->at_run++;
	p->seen = u->run[u->at_run].seen;
	p->now = ++p->selected;
	p->read += f->fate == FATE_READ || f->fate == FATE_BADTEXT;
	p->badtext += f->fate == FATE_BADTEXT;
	p->binary += f->fate == FATE_BINARY;
	p->unopened += f->fate == FATE_UNOPENED;
	p->timed_out |= f->fate == FATE_LATE;
	if (f->hits == 0)
		return;
	lines(p, u, f, before > p->total ? before - p->total : 0, wanted - p->total);
	p->total += f->hits;
	if (p->total > wanted) {
		p->total = wanted + 1;
		p->next = wanted + 1;
		p->full = true;
	}
}

void
page_part(struct page *p, const struct unit *u, const struct found *f)
{
	uint64_t before = p->offset - 1;

	p->now = p->selected + 1;
	lines(p, u, f, before > p->total ? before - p->total : 0, UINT64_MAX);
}

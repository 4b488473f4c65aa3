/* Compiling a list of patterns, and scanning a text with it: by its literals where every
 * match has one, else by the DFA over four pieces of the text at once, one line at a time
 * by simulation where neither can tell. */
#include "libcommon/rx.h"

#include <stdlib.h>
#include <string.h>

#include "libcommon/bytes.h"
#include "libcommon/bytes_int.h"
#include "libcommon/rx_int.h"

#define STREAMS 4
#define STREAMS_FROM 2048 /* bytes; below, cutting costs more than it saves */
#define BLOCK 8           /* bytes between two looks at the states */

/* A filter whose candidates fail this often (one in so many bytes) is given up. */
#define FAILS_PER_BYTES 48
#define FAILS_FROM 64

struct hits {
	struct rx_hit *v;
	size_t n, room;
};

struct rx_scan {
	const struct rx *rx;
	struct rx_sim sim;
	struct rx_dfa dfa;
	bool has_dfa;
	struct hits hits, part[STREAMS];
	uint64_t failed, passed; /* candidates that were no match; bytes they stood in */
	bool filter_off, no_memory;
};

int
rx_compile(const struct rx_text *pattern, size_t n, unsigned flags, struct rx **out,
    struct rx_error *err)
{
	struct rx *rx = calloc(1, sizeof(*rx));
	struct rx_node *node;
	int r;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	if (rx == NULL)
		return E_NOMEM;
	rx->flags = flags;
	if ((r = rx_parse(pattern, n, flags, &rx->arena, &node, err)) != 0 ||
	    (r = rx_literals(node, flags, &rx->arena, &rx->lits)) != 0 ||
	    (r = rx_program(node, false, false, &rx->scalars)) != 0)
		goto failed;
	/* Too many byte sequences: what is not ASCII is left to the simulation. */
	if ((r = rx_program(node, true, false, &rx->bytes)) == E_FULL)
		r = rx_program(node, true, true, &rx->bytes);
	if (r != 0)
		goto failed;
	finder_init(&rx->finder, &rx->lits, bytes_level());
	*out = rx;
	return 0;
failed:
	rx_free(rx);
	return r;
}

void
rx_free(struct rx *rx)
{
	if (rx == NULL)
		return;
	free(rx->scalars.inst);
	free(rx->bytes.inst);
	arena_release(&rx->arena);
	free(rx);
}

struct rx_scan *
rx_scan_new(const struct rx *rx)
{
	struct rx_scan *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->rx = rx;
	if (sim_init(&s->sim, &rx->scalars) != 0) {
		free(s);
		return NULL;
	}
	return s;
}

void
rx_scan_free(struct rx_scan *s)
{
	if (s == NULL)
		return;
	sim_release(&s->sim);
	if (s->has_dfa)
		dfa_release(&s->dfa);
	free(s->hits.v);
	for (size_t i = 0; i < STREAMS; i++)
		free(s->part[i].v);
	free(s);
}

bool
rx_line(struct rx_scan *s, const void *p, size_t n)
{
	return sim_line(&s->sim, p, n);
}

/* --- lines ------------------------------------------------------------------------------ */

static void
add(struct rx_scan *s, struct hits *h, size_t begin, size_t end)
{
	if (h->n == h->room) {
		size_t room = h->room == 0 ? 64 : 2 * h->room;
		struct rx_hit *v = realloc(h->v, room * sizeof(*v));

		if (v == NULL) {
			s->no_memory = true;
			return;
		}
		h->v = v;
		h->room = room;
	}
	h->v[h->n++] = (struct rx_hit){(uint32_t)begin, (uint32_t)end};
}

/* The line around `at`, looking back no further than `from`: *end is without its
 * terminator; returns where the next line begins. */
static size_t
line_at(const struct rx_scan *s, const uint8_t *p, size_t n, size_t from, size_t at,
    size_t *begin, size_t *end)
{
	size_t lf = at + bytes_find(p + at, n - at, '\n');

	*begin = from + bytes_past_last(p + from, at - from, '\n');
	*end = lf;
	if (lf == n)
		return n;
	if ((s->rx->flags & RX_CRLF) != 0 && lf > *begin && p[lf - 1] == '\r')
		*end = lf - 1;
	return lf + 1;
}

static int
need_dfa(struct rx_scan *s)
{
	int r;

	if (s->has_dfa)
		return 0;
	if ((r = dfa_init(&s->dfa, &s->rx->bytes, (s->rx->flags & RX_CRLF) != 0)) == 0)
		s->has_dfa = true;
	return r;
}

static bool
line_matches(struct rx_scan *s, const uint8_t *p, size_t n)
{
	struct rx_dfa *d = &s->dfa;
	uint32_t at = d->start, to;

	for (size_t i = 0; i < n; i++) {
		if ((to = d->next[at + p[i]]) < DFA_LIVE) {
			if (to == DFA_UNKNOWN)
				to = dfa_step(d, &at, 1, 0, p[i]);
			if (to == DFA_MATCH)
				return true;
			if (to == DFA_HIGH)
				return sim_line(&s->sim, p, n);
		}
		at = to;
	}
	to = dfa_end(d, at);
	return to == DFA_MATCH || (to == DFA_HIGH && sim_line(&s->sim, p, n));
}

/* --- by literals ---------------------------------------------------------------------------- */

/* Returns how far it came: n, or where the filter was given up, at a line's start. */
static size_t
filtered(struct rx_scan *s, const uint8_t *p, size_t n, size_t most)
{
	const struct rx_finder *f = &s->rx->finder;
	size_t from = 0;

	while (from < n && s->hits.n < most && !s->no_memory) {
		size_t at = finder_next(f, p, n, from), begin, end, next;

		if (at == n)
			return n;
		next = line_at(s, p, n, from, at, &begin, &end);
		s->passed += next - from;
		if (s->rx->lits.exact || line_matches(s, p + begin, end - begin))
			add(s, &s->hits, begin, end);
		else if (++s->failed >= FAILS_FROM &&
		    s->passed / s->failed < FAILS_PER_BYTES) {
			s->filter_off = true;
			return next;
		}
		from = next;
	}
	return n;
}

/* --- by the DFA, four pieces at once ---------------------------------------------------------- */

struct stream {
	size_t at, end; /* at the byte to read next */
	size_t line;    /* no line of it begins before this */
	bool full;      /* enough hits */
};

/* Read piece k up to `stop`, one byte at a time, or past it to the end of a line. */
static void
careful(struct rx_scan *s, const uint8_t *p, struct stream *st, uint32_t *state, size_t k,
    size_t stop, size_t most)
{
	struct rx_dfa *d = &s->dfa;
	struct stream *me = &st[k];

	while (me->at < stop && !me->full) {
		uint8_t b = p[me->at];
		uint32_t to = d->next[state[k] + b];
		size_t begin, end, next;

		if (to == DFA_UNKNOWN)
			to = dfa_step(d, state, STREAMS, k, b);
		if (to >= DFA_LIVE) {
			state[k] = to;
			me->at++;
			continue;
		}
		next = line_at(s, p, me->end, me->line, me->at, &begin, &end);
		if (to == DFA_MATCH || sim_line(&s->sim, p + begin, end - begin)) {
			add(s, &s->part[k], begin, end);
			me->full = s->part[k].n >= most || s->no_memory;
		}
		me->at = me->line = next;
		state[k] = d->start;
	}
}

/* Until one piece has less than a block left. */
static void
together(struct rx_scan *s, const uint8_t *p, struct stream *st, uint32_t *state,
    size_t most)
{
	const uint32_t *const next = s->dfa.next;

	for (;;) {
		const uint8_t *q0 = p + st[0].at, *q1 = p + st[1].at, *q2 = p + st[2].at,
		              *q3 = p + st[3].at;
		uint32_t a = state[0], b = state[1], c = state[2], e = state[3];
		size_t blocks = SIZE_MAX;

		for (size_t k = 0; k < STREAMS; k++) {
			if (st[k].full || st[k].end - st[k].at < BLOCK)
				return;
			if ((st[k].end - st[k].at) / BLOCK < blocks)
				blocks = (st[k].end - st[k].at) / BLOCK;
		}
		for (; blocks > 0; blocks--) {
			uint32_t a1 = a, b1 = b, c1 = c, e1 = e;

#pragma GCC unroll 8
			for (unsigned i = 0; i < BLOCK; i++) {
				a1 = next[a1 + q0[i]];
				b1 = next[b1 + q1[i]];
				c1 = next[c1 + q2[i]];
				e1 = next[e1 + q3[i]];
			}
			if (a1 < DFA_LIVE || b1 < DFA_LIVE || c1 < DFA_LIVE ||
			    e1 < DFA_LIVE)
				break;
			a = a1;
			b = b1;
			c = c1;
			e = e1;
			q0 += BLOCK;
			q1 += BLOCK;
			q2 += BLOCK;
			q3 += BLOCK;
		}
		state[0] = a;
		state[1] = b;
		state[2] = c;
		state[3] = e;
		st[0].at = (size_t)(q0 - p);
		st[1].at = (size_t)(q1 - p);
		st[2].at = (size_t)(q2 - p);
		st[3].at = (size_t)(q3 - p);
		if (blocks == 0)
			continue;
		for (size_t k = 0; k < STREAMS; k++)
			careful(s, p, st, state, k, st[k].at + BLOCK, most);
	}
}

static void
by_dfa(struct rx_scan *s, const uint8_t *p, size_t from, size_t n, size_t most)
{
	struct stream st[STREAMS];
	uint32_t state[STREAMS];
	size_t cut = from, pieces = n - from >= STREAMS_FROM ? STREAMS : 1, last;

	for (size_t k = 0; k < STREAMS; k++) {
		size_t end = n;

		if (k + 1 < pieces) {
			end = from + (n - from) / pieces * (k + 1);
			end = end > cut ? end : cut;
			end += bytes_find(p + end, n - end, '\n');
			end += end < n;
		} else if (k >= pieces) {
			end = cut;
		}
		st[k] = (struct stream){.at = cut, .end = end, .line = cut};
		state[k] = s->dfa.start;
		s->part[k].n = 0;
		cut = end;
	}
	if (pieces == STREAMS)
		together(s, p, st, state, most);
	for (size_t k = 0; k < STREAMS; k++)
		careful(s, p, st, state, k, st[k].end, most);
	/* A last line without LF ends with the text. */
	for (last = STREAMS - 1; last > 0 && st[last].line == st[last].end; last--)
		;
	if (n > from && p[n - 1] != '\n' && st[last].end == n && !st[last].full &&
	    st[last].line < n) {
		size_t begin, end;
		uint32_t to = dfa_end(&s->dfa, state[last]);

		(void)line_at(s, p, n, st[last].line, n, &begin, &end);
		if (begin < n &&
		    (to == DFA_MATCH ||
		        (to == DFA_HIGH && sim_line(&s->sim, p + begin, n - begin))))
			add(s, &s->part[last], begin, n);
	}
	for (size_t k = 0; k < STREAMS; k++)
		for (size_t i = 0; i < s->part[k].n && s->hits.n < most; i++)
			add(s, &s->hits, s->part[k].v[i].begin, s->part[k].v[i].end);
}

int
rx_lines(struct rx_scan *s, const void *v, size_t n, size_t most,
    const struct rx_hit **hits, size_t *n_hits)
{
	static const uint8_t kelvin[] = {0xe2, 0x84, 0xaa};
	const struct rx_lits *lits = &s->rx->lits;
	const uint8_t *p = v;
	size_t done = 0;
	int r;

	*hits = NULL;
	*n_hits = 0;
	s->hits.n = 0;
	s->no_memory = false;
	if (lits->never || n == 0 || most == 0)
		return 0;
	if (!(lits->n > 0 && lits->exact && !lits->kelvin) && (r = need_dfa(s)) != 0)
		return r;
	if (lits->n > 0 && !s->filter_off) {
		bool use = true;

		if (lits->kelvin)
			for (size_t at = 0; use && at < n; at++) {
				at += bytes_find(p + at, n - at, kelvin[0]);
				use = n - at < 3 || memcmp(p + at, kelvin, 3) != 0;
			}
		if (use)
			done = filtered(s, p, n, most);
	}
	if (done < n && s->hits.n < most)
		by_dfa(s, p, done, n, most);
	*hits = s->hits.v;
	*n_hits = s->hits.n;
	return s->no_memory ? E_NOMEM : 0;
}

/* The lazy DFA over bytes. A state is the set of instructions stepped to, before closure,
 * and what stands before it: so \b, ^ and $ are decided when the next byte is known, a
 * match is seen one byte late, and a line's end is a byte like any other. A CR stays
 * undecided until the byte behind it (RX_CRLF). What only scalar values can tell is
 * DFA_HIGH: that line is simulated. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"

#define IDS_MAX ((uint32_t)RX_STATES * 128 + 6 * PROG_MAX)
#define SLOTS ((uint32_t)RX_STATES * 4)
#define FIRST 3u /* number of the first live state */

enum dfa_before { BEFORE_OTHER, BEFORE_WORD, BEFORE_HIGH, BEFORE_BEGIN };
enum after { AFTER_OTHER, AFTER_WORD, AFTER_HIGH, AFTER_END };

/* --- states -------------------------------------------------------------------------- */

static void
fill_rows(struct rx_dfa *d)
{
	/* The three answers lead to themselves: the hot loop looks only now and then. */
	for (uint32_t i = 0; i < 256; i++) {
		d->next[i] = DFA_UNKNOWN;
		d->next[DFA_MATCH + i] = DFA_MATCH;
		d->next[DFA_HIGH + i] = DFA_HIGH;
	}
}

/* The state of these sorted instructions: found, or made. 0 when there is no room. */
static uint32_t
intern(struct rx_dfa *d, const uint16_t *ids, uint32_t n, uint8_t before, bool cr)
{
	uint32_t hash = 2166136261u ^ before ^ (uint32_t)cr << 7, slot;
	struct dfa_state *s;

	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ ids[i]) * 16777619u;
	hash ^= hash >> 15;
	for (slot = hash % SLOTS; d->slot[slot] != 0; slot = (slot + 1) % SLOTS) {
		s = &d->state[d->slot[slot] - 1];
		if (s->hash == hash && s->n == n && s->before == before && s->cr == cr &&
		    (n == 0 || memcmp(d->ids + s->at, ids, n * sizeof(*ids)) == 0))
			return (d->slot[slot] - 1) * 256;
	}
	if (d->n == RX_STATES || d->n_ids + n > IDS_MAX)
		return 0;
	s = &d->state[d->n];
	*s = (struct dfa_state){d->n_ids, hash, (uint16_t)n, before, cr};
	if (n > 0)
		memcpy(d->ids + d->n_ids, ids, n * sizeof(*ids));
	d->n_ids += n;
	d->slot[slot] = d->n + 1;
	return d->n++ * 256;
}

static void
begin(struct rx_dfa *d)
{
	d->start = intern(d, NULL, 0, BEFORE_BEGIN, false);
}

static void
forget(struct rx_dfa *d)
{
	memset(d->next + DFA_LIVE, 0, (size_t)(d->n - FIRST) * 256 * sizeof(*d->next));
	memset(d->slot, 0, SLOTS * sizeof(*d->slot));
	d->n = FIRST;
	d->n_ids = 0;
	begin(d);
}

/* Room for one more state, whatever it costs: all others are forgotten, and those in
 * at[0..n) made anew. */
static void
make_room(struct rx_dfa *d, uint32_t *at, size_t n)
{
	struct dfa_state keep[8];
	uint32_t used = 0;

	for (size_t i = 0; i < n; i++) {
		const struct dfa_state *s = &d->state[at[i] / 256];

		keep[i] = *s;
		keep[i].at = used;
		if (s->n > 0)
			memcpy(d->kept + used, d->ids + s->at, s->n * sizeof(*d->kept));
		used += s->n;
	}
	forget(d);
	for (size_t i = 0; i < n; i++)
		if (at[i] >= DFA_LIVE)
			at[i] = intern(d, d->kept + keep[i].at, keep[i].n, keep[i].before,
			    keep[i].cr);
}

/* --- closure and step ----------------------------------------------------------------- */

/* Does an assertion hold? 1, 0, or -1: not to be told from bytes. */
static int
holds(uint8_t op, uint8_t before, enum after after)
{
	if (op == OP_BOL)
		return before == BEFORE_BEGIN;
	if (op == OP_EOL)
		return after == AFTER_END;
	if (before == BEFORE_HIGH || after == AFTER_HIGH)
		return -1;
	return ((before == BEFORE_WORD) != (after == AFTER_WORD)) == (op == OP_WORDB);
}

/* Close state s, and the program's start, into d->set. DFA_MATCH, DFA_HIGH, or 0. */
static uint32_t
closure(struct rx_dfa *d, const struct dfa_state *s, uint8_t before, enum after after)
{
	uint32_t depth = 0, result = 0;

	d->n_set = 0;
	if (++d->mark == 0) {
		memset(d->seen, 0, d->prog->n * sizeof(*d->seen));
		d->mark = 1;
	}
	/* The search is not anchored: the start stands behind every byte. */
	for (uint32_t i = 0; i <= s->n; i++) {
		d->stack[depth++] = i < s->n ? d->ids[s->at + i] : d->prog->start;
		while (depth > 0) {
			uint32_t at = d->stack[--depth];
			const struct rx_inst *in = &d->prog->inst[at];
			int r;

			if (d->seen[at] == d->mark)
				continue;
			d->seen[at] = d->mark;
			switch ((enum rx_op)in->op) {
			case OP_MATCH:
				return DFA_MATCH;
			case OP_SPLIT:
				d->stack[depth++] = in->other;
				d->stack[depth++] = in->out;
				break;
			case OP_BOL:
			case OP_EOL:
			case OP_WORDB:
			case OP_NWORDB:
				if ((r = holds(in->op, before, after)) > 0)
					d->stack[depth++] = in->out;
				else if (r < 0)
					result = DFA_HIGH;
				break;
			case OP_SET:
			case OP_BYTES:
			case OP_RANGE:
			case OP_HIGH:
				d->set[d->n_set++] = at;
				break;
			}
		}
	}
	return result;
}

static int
by_number(const void *a, const void *b)
{
	return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void
sort_heads(uint16_t *v, uint32_t n)
{
	if (n > 24) {
		qsort(v, n, sizeof(*v), by_number);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		uint16_t x = v[i];
		uint32_t k = i;

		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* The heads behind byte b of the closed set: into d->heads, sorted. */
static uint32_t
heads(struct rx_dfa *d, uint8_t b, bool *high)
{
	uint32_t n = 0;

	if (++d->mark == 0) {
		memset(d->seen, 0, d->prog->n * sizeof(*d->seen));
		d->mark = 1;
	}
	*high = false;
	for (uint32_t i = 0; i < d->n_set; i++) {
		const struct rx_inst *in = &d->prog->inst[d->set[i]];
		bool fits = false;

		if (in->op == OP_BYTES)
			fits = b < 0x80 && (in->set->ascii[b / 64] >> b % 64 & 1) != 0;
		else if (in->op == OP_RANGE)
			fits = b >= in->lo && b <= in->hi;
		else if (in->op == OP_HIGH && b >= 0x80)
			*high = true;
		if (!fits || d->seen[in->out] == d->mark)
			continue;
		d->seen[in->out] = d->mark;
		d->heads[n++] = (uint16_t)in->out;
	}
	sort_heads(d->heads, n);
	return n;
}

/* Behind an ordinary byte b from `s`: a state, DFA_MATCH, DFA_HIGH, or 0 for no room. */
static uint32_t
ordinary(struct rx_dfa *d, const struct dfa_state *s, uint8_t b)
{
	bool word = b < 0x80 && unicode_word(b), high;
	enum after after = b >= 0x80 ? AFTER_HIGH : word ? AFTER_WORD : AFTER_OTHER;
	uint32_t r = closure(d, s, s->before, after), n;

	if (r != 0)
		return r;
	n = heads(d, b, &high);
	if (high)
		return DFA_HIGH;
	return intern(d, d->heads, n,
	    !d->prog->words ? BEFORE_OTHER
	        : b >= 0x80 ? BEFORE_HIGH
	        : word      ? BEFORE_WORD
	                    : BEFORE_OTHER,
	    false);
}

static uint32_t
at_end(struct rx_dfa *d, const struct dfa_state *s)
{
	return closure(d, s, s->before, AFTER_END);
}

uint32_t
dfa_end(struct rx_dfa *d, uint32_t at)
{
	uint32_t after;

	if (!d->state[at / 256].cr)
		return at_end(d, &d->state[at / 256]);
	/* The text ends behind a CR: without LF it was an ordinary one. */
	while ((after = ordinary(d, &d->state[at / 256], '\r')) == 0)
		make_room(d, &at, 1);
	return after < DFA_LIVE ? after : at_end(d, &d->state[after / 256]);
}

uint32_t
dfa_step(struct rx_dfa *d, uint32_t *at, size_t n, size_t which, uint8_t b)
{
	for (;;) {
		struct dfa_state s = d->state[at[which] / 256];
		uint32_t to;

		if (b == '\n') {
			to = at_end(d, &s);
			if (to == 0)
				to = d->start;
		} else if (s.cr) {
			/* The CR was ordinary; then b, which may be another one. */
			to = ordinary(d, &s, '\r');
			if (to >= DFA_LIVE) {
				s = d->state[to / 256];
				to = b == '\r'
				    ? intern(d, d->ids + s.at, s.n, s.before, true)
				    : ordinary(d, &s, b);
			}
		} else if (b == '\r' && d->crlf) {
			to = intern(d, d->ids + s.at, s.n, s.before, true);
		} else {
			to = ordinary(d, &s, b);
		}
		if (to != 0) {
			d->next[at[which] + b] = to;
			return to;
		}
		make_room(d, at, n);
	}
}

int
dfa_init(struct rx_dfa *d, const struct rx_prog *prog, bool crlf)
{
	size_t n = prog->n;

	memset(d, 0, sizeof(*d));
	d->prog = prog;
	d->crlf = crlf;
	d->next = calloc((size_t)RX_STATES * 256, sizeof(*d->next));
	d->state = calloc(RX_STATES, sizeof(*d->state));
	d->slot = calloc(SLOTS, sizeof(*d->slot));
	d->ids = calloc(IDS_MAX, sizeof(*d->ids));
	d->set = calloc(n, sizeof(*d->set));
	d->seen = calloc(n, sizeof(*d->seen));
	d->stack = calloc(2 * n + 2, sizeof(*d->stack));
	d->heads = calloc(n, sizeof(*d->heads));
	d->kept = calloc(4 * n + 4, sizeof(*d->kept));
	if (d->next == NULL || d->state == NULL || d->slot == NULL || d->ids == NULL ||
	    d->set == NULL || d->seen == NULL || d->stack == NULL || d->heads == NULL ||
	    d->kept == NULL) {
		dfa_release(d);
		return E_NOMEM;
	}
	fill_rows(d);
	d->n = FIRST;
	begin(d);
	return 0;
}

void
dfa_release(struct rx_dfa *d)
{
	free(d->next);
	free(d->state);
	free(d->slot);
	free(d->ids);
	free(d->set);
	free(d->seen);
	free(d->stack);
	free(d->heads);
	free(d->kept);
	memset(d, 0, sizeof(*d));
}

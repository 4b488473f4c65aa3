/* Set simulation over scalar values (Thompson, Pike): every position once per
 * instruction, whatever the pattern. The closure is iterative; a pattern chooses no
 * depth of stack. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"
#include "libcommon/utf8.h"

#define NO_SCALAR 0xffffffffu /* a byte that is not UTF-8: member of no set, no word */

int
sim_init(struct rx_sim *s, const struct rx_prog *prog)
{
	size_t n = prog->n;

	memset(s, 0, sizeof(*s));
	s->prog = prog;
	for (size_t i = 0; i < 2; i++) {
		s->list[i] = calloc(n, sizeof(*s->list[i]));
		s->at[i] = calloc(n, sizeof(*s->at[i]));
	}
	/* Each instruction is entered once a position and pushes at most two. */
	s->stack = calloc(2 * n + 2, sizeof(*s->stack));
	if (s->list[0] == NULL || s->list[1] == NULL || s->at[0] == NULL ||
	    s->at[1] == NULL || s->stack == NULL) {
		sim_release(s);
		return E_NOMEM;
	}
	return 0;
}

void
sim_release(struct rx_sim *s)
{
	for (size_t i = 0; i < 2; i++) {
		free(s->list[i]);
		free(s->at[i]);
	}
	free(s->stack);
	memset(s, 0, sizeof(*s));
}

struct around {
	bool begin, end, word_before, word_after;
};

/* Add `from` and what it leads to without a character to list `k`. True: a match. */
static bool
close_over(struct rx_sim *s, unsigned k, uint32_t from, const struct around *w)
{
	size_t n = 0;

	s->stack[n++] = from;
	while (n > 0) {
		uint32_t i = s->stack[--n];
		const struct rx_inst *in = &s->prog->inst[i];
		uint32_t seat = s->at[k][i];

		if (seat < s->n[k] && s->list[k][seat] == i)
			continue;
		s->at[k][i] = s->n[k];
		s->list[k][s->n[k]++] = i;
		switch ((enum rx_op)in->op) {
		case OP_MATCH:
			return true;
		case OP_SPLIT:
			s->stack[n++] = in->other;
			s->stack[n++] = in->out;
			break;
		case OP_BOL:
			if (w->begin)
				s->stack[n++] = in->out;
			break;
		case OP_EOL:
			if (w->end)
				s->stack[n++] = in->out;
			break;
		case OP_WORDB:
		case OP_NWORDB:
			if ((w->word_before != w->word_after) == (in->op == OP_WORDB))
				s->stack[n++] = in->out;
			break;
		case OP_SET:
		case OP_BYTES:
		case OP_RANGE:
		case OP_HIGH:
			break;
		}
	}
	return false;
}

bool
sim_line(struct rx_sim *s, const uint8_t *p, size_t n)
{
	struct around w = {.begin = true};
	/* What was stepped to, and its closure, made only when both neighbours are known. */
	const unsigned heads = 0, closed = 1;
	size_t at = 0;

	s->n[0] = s->n[1] = 0;
	for (;;) {
		uint32_t c = NO_SCALAR, seeds = s->n[heads];
		int len = at < n ? utf8_next(p + at, n - at, &c) : 0;

		if (len == 0)
			c = NO_SCALAR;
		w.end = at == n;
		w.word_after = c != NO_SCALAR && unicode_word(c);
		s->n[closed] = 0;
		for (uint32_t i = 0; i < seeds; i++)
			if (close_over(s, closed, s->list[heads][i], &w))
				return true;
		if (close_over(s, closed, s->prog->start, &w))
			return true;
		if (at == n)
			return false;
		s->n[heads] = 0;
		for (uint32_t i = 0; i < s->n[closed]; i++) {
			const struct rx_inst *in = &s->prog->inst[s->list[closed][i]];
			uint32_t seat;

			if (in->op != OP_SET || c == NO_SCALAR || !set_has(in->set, c))
				continue;
			seat = s->at[heads][in->out];
			if (seat < s->n[heads] && s->list[heads][seat] == in->out)
				continue;
			s->at[heads][in->out] = s->n[heads];
			s->list[heads][s->n[heads]++] = in->out;
		}
		w.begin = false;
		w.word_before = w.word_after;
		at += len > 0 ? (size_t)len : 1;
	}
}

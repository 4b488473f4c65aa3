/* The tree as a program (Thompson's construction): over scalar values for the simulation,
 * over bytes for the DFA. Emitted from the end backwards, so that every instruction knows
 * where it leads. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"

#define SEQUENCES_MAX 40 /* of bytes, for one set; above, its bytes >= 0x80 stay open */

struct emitter {
	struct rx_prog *p;
	bool bytes, high_apart;
};

static uint32_t
put(struct emitter *e, struct rx_inst inst)
{
	struct rx_prog *p = e->p;

	if (p->n == p->room && !p->failed) {
		uint32_t room = p->room == 0 ? 64 : 2 * p->room;
		struct rx_inst *v = realloc(p->inst, room * sizeof(*v));

		p->failed = v == NULL;
		if (v != NULL) {
			p->inst = v;
			p->room = room;
		}
	}
	if (p->failed || p->n == PROG_MAX) {
		p->n = p->n == PROG_MAX ? PROG_MAX : 0;
		p->failed = true;
		return 0;
	}
	p->inst[p->n] = inst;
	return p->n++;
}

static uint32_t
split(struct emitter *e, uint32_t a, uint32_t b)
{
	return put(e, (struct rx_inst){.op = OP_SPLIT, .out = a, .other = b});
}

static uint32_t
range(struct emitter *e, uint8_t lo, uint8_t hi, uint32_t out)
{
	return put(e, (struct rx_inst){.op = OP_RANGE, .lo = lo, .hi = hi, .out = out});
}

/* --- scalar ranges as byte sequences -------------------------------------------------- */

struct sequence {
	uint8_t n, lo[4], hi[4];
};

/* Cut [first, last] where the length of the encoding or a byte's carry changes. False:
 * more than fit. */
static bool
sequences(uint32_t first, uint32_t last, struct sequence *out, size_t *n)
{
	static const uint32_t ends[] = {0x7f, 0x7ff, 0xffff, 0x10ffff};

	for (size_t i = 0; i < 4; i++)
		if (first <= ends[i] && last > ends[i])
			return sequences(first, ends[i], out, n) &&
			    sequences(ends[i] + 1, last, out, n);
	if (first <= 0xdfff && last >= 0xd800) /* surrogates have no encoding */
		return (first >= 0xd800 || sequences(first, 0xd7ff, out, n)) &&
		    (last <= 0xdfff || sequences(0xe000, last, out, n));
	for (unsigned k = 1; k < 4; k++) {
		uint32_t m = (1u << 6 * k) - 1;

		if (first < 0x80 || (k == 2 && first < 0x800) ||
		    (k == 3 && first < 0x10000))
			break;
		if ((first & ~m) == (last & ~m))
			continue;
		if ((first & m) != 0)
			return sequences(first, first | m, out, n) &&
			    sequences((first | m) + 1, last, out, n);
		if ((last & m) != m)
			return sequences(first, (last & ~m) - 1, out, n) &&
			    sequences(last & ~m, last, out, n);
	}
	if (*n == SEQUENCES_MAX)
		return false;
	struct sequence *s = &out[(*n)++];
	unsigned len = first < 0x80 ? 1 : first < 0x800 ? 2 : first < 0x10000 ? 3 : 4;
	static const uint8_t head[] = {0, 0, 0xc0, 0xe0, 0xf0};

	s->n = (uint8_t)len;
	for (unsigned k = len; k-- > 1;) {
		s->lo[k] = (uint8_t)(0x80 | (first & 0x3f));
		s->hi[k] = (uint8_t)(0x80 | (last & 0x3f));
		first >>= 6;
		last >>= 6;
	}
	s->lo[0] = (uint8_t)(head[len] | first);
	s->hi[0] = (uint8_t)(head[len] | last);
	return true;
}

static uint32_t
set_bytes(struct emitter *e, const struct rx_set *s, uint32_t out)
{
	struct sequence seq[SEQUENCES_MAX];
	uint32_t tail[4] = {out, UINT32_MAX, UINT32_MAX, UINT32_MAX}, at = UINT32_MAX;
	size_t n = 0;
	bool ascii = (s->ascii[0] | s->ascii[1]) != 0, fit = !e->high_apart;

	for (size_t i = 0; i < s->n && fit; i++)
		fit = sequences(s->high[i].first, s->high[i].last, seq, &n);
	if (s->n > 0 && !fit)
		at = put(e, (struct rx_inst){.op = OP_HIGH, .out = out});
	for (size_t i = 0; fit && i < n; i++) {
		uint32_t to = out;

		for (unsigned k = seq[i].n; k-- > 0;) {
			unsigned left = seq[i].n - k; /* bytes from here to the end */

			if (k > 0 && seq[i].lo[k] == 0x80 && seq[i].hi[k] == 0xbf &&
			    to ==
			        tail[left -
			            1]) { /* any tail of this length: one for all */
				if (tail[left] == UINT32_MAX)
					tail[left] = range(e, 0x80, 0xbf, to);
				to = tail[left];
			} else {
				to = range(e, seq[i].lo[k], seq[i].hi[k], to);
			}
		}
		at = at == UINT32_MAX ? to : split(e, to, at);
	}
	if (ascii || at == UINT32_MAX) {
		uint32_t to =
		    put(e, (struct rx_inst){.op = OP_BYTES, .set = s, .out = out});

		at = at == UINT32_MAX ? to : split(e, to, at);
	}
	return at;
}

static uint32_t
emit(struct emitter *e, const struct rx_node *n, uint32_t out)
{
	uint32_t at;

	switch (n->kind) {
	case NODE_NULL:
		return out;
	case NODE_SET:
		return e->bytes
		    ? set_bytes(e, n->set, out)
		    : put(e, (struct rx_inst){.op = OP_SET, .set = n->set, .out = out});
	case NODE_CAT:
		for (size_t k = n->n; k-- > 0;)
			out = emit(e, n->kid[k], out);
		return out;
	case NODE_ALT:
		at = emit(e, n->kid[n->n - 1], out);
		for (size_t k = n->n - 1; k-- > 0;)
			at = split(e, emit(e, n->kid[k], out), at);
		return at;
	case NODE_OPT:
		return split(e, emit(e, n->kid[0], out), out);
	case NODE_STAR:
	case NODE_PLUS: {
		uint32_t loop = split(e, out, out), body = emit(e, n->kid[0], loop);

		if (!e->p->failed)
			e->p->inst[loop].out = body;
		return n->kind == NODE_STAR ? loop : body;
	}
	case NODE_BOL:
		return put(e, (struct rx_inst){.op = OP_BOL, .out = out});
	case NODE_EOL:
		return put(e, (struct rx_inst){.op = OP_EOL, .out = out});
	case NODE_WORDB:
	case NODE_NWORDB:
		e->p->words = true;
		return put(e,
		    (struct rx_inst){.op = n->kind == NODE_WORDB ? OP_WORDB : OP_NWORDB,
		        .out = out});
	}
	return out;
}

int
rx_program(const struct rx_node *node, bool bytes, bool high_apart, struct rx_prog *out)
{
	struct emitter e = {out, bytes, high_apart};
	bool full;

	memset(out, 0, sizeof(*out));
	out->start = emit(&e, node, put(&e, (struct rx_inst){.op = OP_MATCH}));
	if (!out->failed)
		return 0;
	full = out->n == PROG_MAX;
	free(out->inst);
	memset(out, 0, sizeof(*out));
	return full ? E_FULL : E_NOMEM;
}

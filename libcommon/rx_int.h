/* Inside rx*.c: the parsed pattern, the two programs, the literals and the DFA. */
#ifndef BB_LIBCOMMON_RX_INT_H
#define BB_LIBCOMMON_RX_INT_H

#include "libcommon/rx.h"
#include "libcommon/unicode.h"

/* --- memory of one compilation: freed as a whole ------------------------------------- */
struct arena {
	struct arena_block *last;
	bool failed;
};
/* Zeroed bytes, or NULL (and a->failed). */
void *arena_get(struct arena *a, size_t n);
void arena_release(struct arena *a);

/* --- sets of scalar values (rx_set.c) --------------------------------------------------- */
struct rx_set {
	uint64_t ascii[2];
	const struct unicode_range *high; /* from 0x80 on, sorted, apart */
	size_t n;
};
/* Ranges being gathered, in any order. */
struct rx_ranges {
	struct unicode_range *r;
	size_t n, room;
	bool failed;
};
void ranges_add(struct rx_ranges *b, uint32_t first, uint32_t last);
/* Sort, merge; with `negate` the complement. */
void ranges_settle(struct rx_ranges *b, bool negate);
/* Add what folds to a member: c, lower(c) or upper(c) is one (spec search 3). */
void ranges_fold(struct rx_ranges *b);
/* The set of settled ranges, without LF. NULL when out of memory. */
const struct rx_set *ranges_set(struct rx_ranges *b, struct arena *a);
bool set_has(const struct rx_set *s, uint32_t c);

/* --- the pattern (rx_parse.c) ------------------------------------------------------------ */
enum rx_kind {
	NODE_NULL, /* matches the empty string */
	NODE_SET,
	NODE_CAT,
	NODE_ALT,
	NODE_STAR,
	NODE_PLUS,
	NODE_OPT,
	NODE_BOL,
	NODE_EOL,
	NODE_WORDB,
	NODE_NWORDB
};
struct rx_node {
	enum rx_kind kind;
	const struct rx_set *set;
	struct rx_node **kid; /* CAT, ALT: n; repeats: 1 */
	size_t n;
};
/* The list as one node, simplified for a boolean answer. 0, E_BAD (*err), E_NOMEM. */
must_use int rx_parse(const struct rx_text *pattern, size_t n, unsigned flags,
    struct arena *a, struct rx_node **out, struct rx_error *err);

/* --- programs (rx_prog.c) ----------------------------------------------------------------- */
enum rx_op {
	OP_MATCH,
	OP_SPLIT, /* out and other */
	OP_SET,   /* scalar program: a member of set */
	OP_BYTES, /* byte program: ASCII bytes in set->ascii */
	OP_RANGE, /* byte program: lo..hi */
	OP_HIGH,  /* byte program: any byte from 0x80 on cannot be decided here */
	OP_BOL,
	OP_EOL,
	OP_WORDB,
	OP_NWORDB
};
struct rx_inst {
	uint8_t op, lo, hi;
	uint32_t out, other;
	const struct rx_set *set;
};
struct rx_prog {
	struct rx_inst *inst;
	uint32_t n, room, start;
	bool words; /* has \b or \B */
	bool failed;
};
#define PROG_MAX 65535u /* instructions: a DFA state names them in 16 bits */
/* `bytes`: the byte program. 0, E_NOMEM, E_FULL (more than PROG_MAX). */
must_use int rx_program(const struct rx_node *node, bool bytes, bool high_apart,
    struct rx_prog *out);

/* --- literals (rx_lit.c) -------------------------------------------------------------------- */
#define LIT_MAX 32 /* bytes */
struct rx_lit {
	uint8_t len;
	uint8_t b[LIT_MAX], mask[LIT_MAX]; /* a text byte t fits if (t | mask) == b */
};
struct rx_lits {
	struct rx_lit *l;
	size_t n;
	bool exact;  /* a line matches just when one of them stands in it */
	bool kelvin; /* U+212A folds to a byte of one: such text is not filtered */
	bool never;  /* nothing can match */
};
/* What every match contains one of; n == 0: no useful filter. Gives out->l. */
must_use int rx_literals(const struct rx_node *node, unsigned flags, struct arena *a,
    struct rx_lits *out);
/* Rarity of a byte in texts: -log2 of its share, in halves. */
extern const uint8_t rx_rarity[256];

/* --- finding them (rx_find.c) ------------------------------------------------------------------ */
struct rx_finder {
	const struct rx_lits *lits;
	size_t shortest;
	unsigned one[2]; /* one literal: offsets of its two rarest bytes */
	/* many: nibble tables of the first `prints` bytes, buckets 0-7 and 8-15 */
	unsigned prints;
	bool wide; /* 16 buckets */
	uint8_t low[4][32], high[4][32];
	uint16_t print[4][256];       /* the same, byte by byte */
	uint8_t first[16], count[16]; /* literals of a bucket, in order */
	int level;
};
void finder_init(struct rx_finder *f, const struct rx_lits *lits, int level);
/* Offset of the first literal that stands at or after `from` in <p, n>, or n. */
size_t finder_next(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from);

/* --- one line by the scalar program (rx_sim.c) ---------------------------------------------------- */
struct rx_sim {
	const struct rx_prog *prog;
	uint32_t *list[2], *at[2], *stack;
	uint32_t n[2];
};
must_use int sim_init(struct rx_sim *s, const struct rx_prog *prog);
void sim_release(struct rx_sim *s);
bool sim_line(struct rx_sim *s, const uint8_t *p, size_t n);

/* --- the lazy DFA (rx_dfa.c) ------------------------------------------------------------------------ */
#ifndef RX_STATES
#define RX_STATES 4096 /* a test build has few */
#endif
#define DFA_UNKNOWN 0u /* not computed yet */
#define DFA_MATCH 256u
#define DFA_HIGH 512u /* the line has to be simulated */
#define DFA_LIVE 768u /* states from here on */
struct dfa_state {
	uint32_t at; /* of its instructions in ids */
	uint32_t hash;
	uint16_t n;
	uint8_t before; /* what stands before: enum dfa_before */
	bool cr;        /* a CR was read and is not decided yet */
};
struct rx_dfa {
	const struct rx_prog *prog;
	bool crlf;
	uint32_t *next; /* RX_STATES rows of 256: premultiplied state, or one of DFA_ */
	struct dfa_state *state;
	uint32_t n;
	uint32_t *slot; /* hash table of state numbers + 1 */
	uint16_t *ids;
	uint32_t n_ids, start;
	/* scratch */
	uint32_t *set, *seen, *stack;
	uint32_t n_set, mark;
	uint16_t *heads, *kept;
};
must_use int dfa_init(struct rx_dfa *d, const struct rx_prog *prog, bool crlf);
void dfa_release(struct rx_dfa *d);
/* The state after byte b in *at[which], computed. Making room may renumber the states
 * *at[0] to *at[n - 1]. */
uint32_t dfa_step(struct rx_dfa *d, uint32_t *at, size_t n, size_t which, uint8_t b);
/* Does the end of the text match in state `at`? DFA_MATCH, DFA_HIGH or another. */
uint32_t dfa_end(struct rx_dfa *d, uint32_t at);

struct rx {
	struct arena arena;
	unsigned flags;
	struct rx_prog scalars, bytes;
	struct rx_lits lits;
	struct rx_finder finder;
};

#endif

/* What a drawing is made of; between draw.c, which collects, render.c, which makes rows
 * of it, and screenful.c, which chooses the rows of one screen. */
#ifndef BB_UI_DRAW_INT_H
#define BB_UI_DRAW_INT_H

#include <limits.h>

#include "bin/bb/ui/ui_int.h"

#define KEYS_MOST 16
#define THENS_MOST 3
/* Characters of one content row that are drawn before it is cut. */
#define ROW_CUT 2000
/* Rows the agent's own words may take among the facts. */
#define WHY_ROWS 3

enum part_kind {
	PART_FACT,
	PART_OBJECT,
	PART_SAY,
	PART_ALSO, /* belongs to the part before it */
	PART_REMARK,
	PART_CONTENT /* where the content stands */
};
struct part {
	enum part_kind kind;
	size_t label, at, n; /* offsets into text; label 0 = none */
	bool foreign;
	enum shade shade;
	unsigned gap;
	unsigned most; /* rows it may take; 0: as many as it needs */
};
struct key {
	char key;
	size_t words, sentence;
	bool approves;
};
struct drawing {
	struct buf text; /* every string, each with its NUL; offset 0 is "" */
	size_t title, right;
	struct part *parts;
	size_t nparts, room;
	bool has_content;
	struct buf content;
	uint64_t lines;
	unsigned signs; /* of a diff: where a line of the content has its sign; 0: none */
	bool long_row;  /* of the content: some row is cut */
	struct key keys[KEYS_MOST];
	size_t nkeys;
	struct {
		size_t kind, object;
	} thens[THENS_MOST];
	size_t nthens;
	bool failed; /* memory ran out: it is not drawn and cannot be approved */
};

static inline bool
is_narrow(const struct look *l)
{
	return l->width < 60;
}

static inline bool
is_endless(const struct look *l)
{
	return l->height == UINT_MAX;
}

/* Does a key that stands for a yes wait until the end of the content was drawn? Those
 * that approve what is drawn do; where a row is cut, all of them (prompts 1.3). */
static inline bool
key_needs_end(const struct drawing *d, const struct key *k)
{
	return k->approves || (d->long_row && k->key > ' ' && k->key != 'n');
}

/* ---- render.c: rows, each with its newline --------------------------------------- */

/* What of a drawing was not on the screen yet. */
enum unseen { UNSEEN_NONE, UNSEEN_CONTENT, UNSEEN_FACTS };

void title_draw(const struct drawing *d, const struct look *l, struct buf *out);
/* What stands above the content; gives the index of the part after it. `whole`: the
 * agent's words too. */
size_t above_draw(const struct drawing *d, const struct look *l, bool whole,
    struct buf *out);
/* What stands below the content, from that part on. */
void below_draw(const struct drawing *d, const struct look *l, size_t part,
    struct buf *out);
void keys_draw(const struct drawing *d, const struct look *l, bool first_page,
    enum unseen unseen, struct buf *out);
/* Lines of the content that the drawing holds. */
uint64_t lines_held(const struct drawing *d);
/* `27 more lines · space shows them`. `held` of them can be shown here. */
void more_draw(const struct drawing *d, const struct look *l, uint64_t held,
    struct buf *out);

#endif

/* What a drawing is made of; between draw.c, which collects, and render.c. */
#ifndef BB_UI_DRAW_INT_H
#define BB_UI_DRAW_INT_H

#include "bin/bb/ui/ui_int.h"

#define KEYS_MOST 16
#define THENS_MOST 3
/* Characters of one content row that are drawn before it is cut. */
#define ROW_CUT 2000

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
	struct key keys[KEYS_MOST];
	size_t nkeys;
	struct {
		size_t kind, object;
	} thens[THENS_MOST];
	size_t nthens;
	bool failed; /* memory ran out: it is not drawn and cannot be approved */
};

#endif

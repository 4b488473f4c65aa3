/* What a change does to a file, line by line: a helper's list of the places that differ,
 * checked against the bytes themselves, and drawn from them. */
#ifndef BB_SESSION_PLACES_H
#define BB_SESSION_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

struct placed { /* lines a .. a+n-1 become lines b .. b+m-1, from 1 */
	uint64_t a, n, b, m;
};
struct places {
	struct placed *at;
	size_t count, room;
	uint64_t removed, added;
};
void places_release(struct places *p);
/* Read `A,N B,M` lines. 0, E_BAD, E_NOMEM. */
must_use int places_read(const char *text, size_t n, struct places *p);
/* Is everything outside the places the same in both, line for line, and do the places lie
 * within them? Then what is drawn of them is all that changes, whoever made the list. */
bool places_hold(const struct places *p, const struct buf *old, const struct buf *new);
/* Rows for the person: number (of a line that goes the old one, else the new), sign, text;
 * three equal lines around; an empty row between.
 * *sign gets the column of the sign. */
void places_rows(const struct places *p, const struct buf *old, const struct buf *new,
    unsigned *sign, struct buf *out);
/* Rows for the planner (tools-files 4): the lines of the new text that differ, three around,
 * the middle left out above 40. Nothing when it is empty. */
void places_excerpt(const struct places *p, const struct buf *new, struct buf *out);
/* Is `new` the old bytes with `count` times this passage replaced by that, every occurrence
 * from left to right, and nothing else? */
bool passage_replaced(const struct buf *old, const struct buf *new,
    const struct buf *from, const struct buf *to, uint64_t count);

#endif

/* The lines in which two texts differ, as a list of places. Pure. */
#ifndef BB_WRITE_DIFF_H
#define BB_WRITE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIFF_CELLS 1000000 /* of the table; above it all that differs is one place */

/* Lines a .. a+n-1 of the old text are gone and lines b .. b+m-1 of the new one have come
 * in their place; from 1. n or m may be 0: a or b is then the line they stand before. */
struct place {
	uint64_t a, n, b, m;
};
struct diff {
	struct place *at; /* in order, lines equal in both between them */
	size_t count, room;
	uint64_t removed, added; /* lines */
	bool large;              /* not compared line by line */
};
/* Lines are compared with their ends. 0, or E_NOMEM. diff_release() in every case. */
int diff_lines(const char *old, size_t n, const char *new, size_t m, struct diff *d);
void diff_release(struct diff *d);

#endif

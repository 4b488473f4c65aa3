/* An exact passage of a text, found and replaced. Pure: bytes in, bytes out. */
#ifndef BB_WRITE_REPLACE_H
#define BB_WRITE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"

#define REPLACE_WHERE 3 /* places named in an answer */

enum replace_end {
	REPLACE_DONE,
	REPLACE_EMPTY,  /* the old passage is empty */
	REPLACE_SAME,   /* old and new are the same */
	REPLACE_ABSENT, /* it does not occur; `where` are the lines nearest to it */
	REPLACE_MANY,   /* it occurs several times; `where` are lines of the first ones */
	REPLACE_LARGE,  /* the result would be longer than `out` may hold */
	REPLACE_NOMEM
};
struct replacing {
	const char *text, *old, *new;
	size_t n, n_old, n_new;
	bool all; /* every occurrence, left to right, none overlapping */
};
struct replaced {
	uint64_t found;                /* occurrences, overlapping ones too */
	uint64_t count;                /* replaced */
	uint64_t where[REPLACE_WHERE]; /* line numbers from 1; 0: none */
	bool crlf; /* line feeds of old and new were read as CR LF, as the text has it */
};
/* Find old in text byte for byte and put the text with new in its place onto out, which
 * is empty. Where every line of the text ends in CR LF, a bare line feed in old and new is
 * read as one. Linear in what it is given. */
enum replace_end replace_passage(const struct replacing *p, struct replaced *r,
    struct buf *out);
/* How the lines of a text end: "none", "lf", "crlf" or "mixed". */
const char *replace_ends(const char *p, size_t n);

#endif

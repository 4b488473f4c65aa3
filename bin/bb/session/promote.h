/* One slot let through to the planner, once (flow 10.3): what vet_content and read_output
 * have in common. No rule is written, the slot keeps its label, and the answer serves this
 * one call. */
#ifndef BB_SESSION_PROMOTE_H
#define BB_SESSION_PROMOTE_H

#include "bin/bb/session/questions.h"
#include "bin/bb/session/session_int.h"

/* What can be shown whole, and so be let through. An approver's line holds 1 MiB. */
#define PROMOTE_TEXT_MAX ((size_t)384 << 10)
#define PROMOTE_TEXT_WORDS "384 KiB that a person can be shown at once"
#define PROMOTE_WHOLE ((size_t)64 << 10) /* given in one answer; else in pages */
#define PROMOTE_PAGE ((size_t)16 << 10)  /* run.maxOutput, which comes with run */

struct promotion {
	struct ref *r;
	struct buf bytes;  /* what is shown, and what is let through */
	const char *media; /* of a picture or PDF, or NULL */
	char *path;        /* the file it is the address of, for the person, or NULL */
	char *copy;        /* private copy for the person to open, or NULL */
	int copy_fd;       /* holds its lock; -1 */
	struct drawing *drawing;
	const char *kind; /* of the question: "vet", "output" */
	const char
	    *declined; /* what the planner is told after the fixed words, or NULL */
};
struct promotion *promotion_new(struct call *c, const char *kind);
/* The reference argument `ref` of the call; no directory's. False: the call is answered. */
must_use bool promotion_ref(struct call *c, struct promotion *p);
/* Its bytes, at most `most`. False: the call is answered. */
must_use bool promotion_bytes(struct call *c, struct promotion *p, size_t most);
/* Put the question that p->drawing is; a yes gives the bytes to the planner. */
void promotion_ask(struct call *c, struct promotion *p, const char *object);
/* A slot the planner may read: one page from byte `offset`, at most `most` bytes. */
void promotion_page(struct call *c, const struct ref *r, uint64_t offset, size_t most);
uint64_t promotion_lines(const struct buf *b);
/* Bytes that are not text, as U+FFFD. Appends; returns how many there were. */
size_t promotion_text(const char *p, size_t n, struct buf *out);

/* copy.c: a private copy of <bytes> in the cache directory: 0600, a random name that
 * ends in the media's extension; those that nobody holds any more are removed. Gives
 * *path and *fd. 0; E_MISSING: there is no place for one. */
must_use int copy_make(const struct buf *bytes, const char *media, char **path, int *fd);
void copy_remove(char **path, int *fd);

#endif

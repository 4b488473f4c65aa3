/* Between write.c, which says what a file shall become, and change.c, which measures, asks
 * and does it. */
#ifndef BB_SESSION_CHANGE_INT_H
#define BB_SESSION_CHANGE_INT_H

#include "bin/bb/session/places.h"
#include "bin/bb/session/session_int.h"

#define CHANGE_BYTES \
	((uint64_t)16 << 20) /* of a text that is compared, edited, carried */

struct change {
	struct grant g;
	struct ref *through;        /* the destination came by it */
	struct ref *source;         /* contents_ref */
	bool edit, fresh, verbatim; /* verbatim: the source is this very file */
	struct slot *old; /* the bytes that are there, as captured; NULL: too large */
	struct slot
	    *body; /* what shall be there, sealed; for an edit what the helper made */
	struct slot *places;    /* the helper's list */
	struct slot *from, *to; /* of an edit: the two passages */
	struct label label;     /* of the body */
	enum integrity was;     /* of what is there, by the map */
	uint64_t revision, revision_spelled;
	struct places at;
	uint64_t found, count, lines; /* as the helper said */
	bool large;
	const char *old_ends, *new_ends;
	struct drawing *drawing;
	char digest[65]; /* of the body that was drawn */
};

/* change.c: capture what is there. False: the call is answered. */
must_use bool change_capture(struct call *c, struct change *w);
/* The helper over descriptors 3 and on. False: it could not be started, and the call is
 * answered. */
must_use bool change_run(struct call *c, struct change *w, const int *fds, size_t n,
    const struct buf *body, spawn_done done);
/* The slots are sealed and labelled, the numbers read: measure, then ask, then do it. */
void change_propose(struct call *c, struct change *w);

#endif

/* Every sentence a planner reads, in one file (answer.c). Only planner-typed values
 * a gate released, ref:N, names from fixed sets and integers may stand in them. */
#ifndef BB_SESSION_ANSWER_H
#define BB_SESSION_ANSWER_H

#include "bin/bb/labels/labels.h"
#include "bin/bb/session/session.h"
#include "bin/bb/spawn/spawn.h"
#include "libcommon/buf.h"
#include "libcommon/tool.h"

#define TEXT_TRAIL \
	"refused: the audit trail cannot be written, so nothing was done; " \
	"the person must make room or give another --trail"
#define TEXT_NO_MEMORY "error: bb ran out of memory for this answer"
#define TEXT_CONTEXT \
	"this conversation has met content nobody vouched for, so no argument of a " \
	"tool can be taken from it any more; start a new session"

/* Words for a path fault; returns the code. `ref`: the place was named by a reference,
 * nothing of its name may be said. */
const char *answer_fault(const struct reach *reach, const char *shown, enum grant_fault f,
    const struct grant *g, bool ref, struct buf *out);
/* How a helper ended, in numbers and fixed words. */
void answer_helper_end(const struct tool *t, const struct spawn_outcome *o,
    struct buf *out);
/* The routing object of a call as typed (path, path_ref, directory), for the trail and
 * the transcript; "" when there is none. Borrowed from args. */
const char *answer_object(const json_t *args);
/* "1 line", "2 lines". */
void answer_count(struct buf *out, uint64_t n, const char *one, const char *many);

#endif

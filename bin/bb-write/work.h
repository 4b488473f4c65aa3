/* The two works of bb-write, and what its human form prints of them. */
#ifndef BB_WRITE_WORK_H
#define BB_WRITE_WORK_H

#include "bin/bb-write/diff.h"
#include "libcommon/buf.h"
#include "libcommon/frame.h"

#define WORK_BYTES ((size_t)16 << 20) /* of a text that is compared or edited */

extern const struct tool tool_write_file, tool_edit_file;

/* Descriptors 3 the old file, 5 the new contents; the places go to 4. */
int write_work(struct rec *call, struct buf *result);
/* 3 the old file, 5 the passage, 7 what comes in its place; the new bytes go to 6, the
 * places to 4. */
int edit_work(struct rec *call, struct buf *result);

/* What the work held, for the report by hand. */
struct worked {
	struct buf old, new;
	struct diff diff;
};
extern struct worked worked;
/* unified.c: as diff -u has it, without the names, onto standard output. 0 or a code. */
int unified_put(const struct worked *w);

#endif

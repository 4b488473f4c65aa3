/* Where a session's files lie beneath the state directory: one place knows it. */
#ifndef BB_SESSION_STATE_H
#define BB_SESSION_STATE_H

#include "libcommon/buf.h"
#include "libcommon/err.h"

#define STATE_SUFFIX ".audit.jsonl"

/* <state>/sessions/<key>: key = readable last component of the canonical workspace, a
 * dash, 16 hex of the SHA-256 of its path, so that no two directories share one. */
must_use int state_session_dir(const char *state, const char *workspace, struct buf *out);
/* <state>/notes: where temporary files are noted before they exist (spawn.h, put). */
must_use int state_notes_dir(const char *state, struct buf *out);

#endif

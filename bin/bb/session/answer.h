/* Every sentence a planner reads (answer.c, about a search answer_search.c). Only planner-typed values
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
#define TEXT_REFS \
	"this session already holds %zu references of at most %d; list with a pattern " \
	"or a smaller depth, or begin a new session"
#define TEXT_NO_MEMORY "error: bb ran out of memory for this answer"
#define TEXT_CONTEXT \
	"this conversation has met content nobody vouched for, so no argument of a " \
	"tool can be taken from it any more; start a new session"

#define TEXT_RULE_ALL "a rule of the person leaves out what is there"
#define TEXT_NOBODY \
	"this needs a person's answer and nobody can be asked; run 'bb approve' in a " \
	"terminal in this directory, then make the same call again"
#define TEXT_CANCELLED "the call was cancelled"
#define TEXT_STOPPED "the person stopped this turn"
#define TEXT_STOPPED_NOW TEXT_STOPPED "; no call is made until it ends"
#define TEXT_DECLINED \
	"the person said no to several questions of this turn, so this one was " \
	"answered no without being asked; it can be asked again in another turn"

/* Words for a path fault; returns the code. `ref`: the place was named by a reference,
 * nothing of its name may be said. */
const char *answer_fault(const struct reach *reach, const char *shown, enum grant_fault f,
    const struct grant *g, bool ref, struct buf *out);
/* How a helper ended, in numbers and fixed words. */
void answer_helper_end(const struct tool *t, const struct spawn_outcome *o,
    struct buf *out);
/* The routing object of a call as typed (path, path_ref, directory, or what is searched
 * for), for the trail and the transcript; nothing when there is none. `t` may be NULL. */
void answer_object(const struct tool *t, const json_t *args, struct buf *out);
/* An answer in the words of the trail. */
const char *answer_word(enum answer a);
/* "1 line", "2 lines". */
void answer_count(struct buf *out, uint64_t n, const char *one, const char *many);

/* ---- answer_search.c ---- */

#define TEXT_SEARCH_COARSE \
	"this tree is trusted in too many small parts to be split, so everything found " \
	"is held back; search a subdirectory"
#define TEXT_SEARCH_CHANGED \
	"part of this tree lost its trust while it was searched, so everything found " \
	"is " \
	"held back"
#define TEXT_SEARCH_WEAKER \
	"without Landlock nothing keeps the parts of this tree apart, so everything " \
	"found " \
	"is held back; search a directory that is trusted as a whole"

struct arg_value;
struct rx_error;
/* Scalar values of a pattern. */
size_t answer_scalars(const char *p);
/* Does what a helper says of a pattern fit the text of the argument? */
bool answer_pattern_fits(const struct arg_value *v, const struct rx_error *e);
/* What is wrong with which pattern, where, and the way out: one sentence. */
void answer_pattern(const struct arg_value *v, const struct rx_error *e, struct buf *out);
/* What a glob leans on that the matcher does not have, by its text alone, or NULL. */
const char *answer_glob_lacks(const char *glob);

struct search_facts { /* all parts of a search together */
	int64_t offset, most, files, seconds;
	int64_t selected, read, binary, badtext, unopened, dirs, links, others;
	int64_t matches, total, total_held, next, cut; /* total_held: of total */
	bool files_cap, timed_out, context_cap;
};
/* Which kind of nothing an answer without a line is. */
void answer_nothing(const struct search_facts *f, const char *shown, const char *include,
    struct buf *out);
/* The trusted files hold none, others do. */
void answer_nothing_here(const struct search_facts *f, int64_t offset, struct buf *out);
/* What is incomplete, unread or left out. */
void answer_search_notices(const struct search_facts *f, struct buf *out);
/* "and 2 more lines in files you may not read: ref:7" */
void answer_search_held(int64_t lines, bool beside, unsigned ref, struct buf *out);

#endif

/* The glob dialect of list_files and search (tools-files 2, LIST-3): `?` one
 * character, `*` a run within a segment, `**` as a whole segment zero or more
 * segments, `{a,b}` alternatives (nested, empty ones allowed), expanded once.
 * Case-sensitive, bytes; no classes, no escapes. More than GLOB_EXPANSIONS
 * results, or unbalanced braces: the pattern is taken literally (braces are
 * ordinary characters). Matching is two-pointer: time <= |pattern| * |path|, no
 * recursion, no allocation. */
#ifndef BB_LIBCOMMON_GLOB_H
#define BB_LIBCOMMON_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "libcommon/err.h"

#define GLOB_EXPANSIONS 64
#define GLOB_MAX 4096 /* bytes of a pattern */

struct glob {
	char **alt; /* expanded alternatives */
	size_t n;
	bool has_slash; /* some alternative holds '/' */
	bool literal;   /* braces were unbalanced or too many */
};

/* Compile <p, n>. An empty pattern matches nothing (n = 0 alternatives).
 * 0, E_TOO_LONG, E_NOMEM. Gives g; release with glob_release. */
must_use int glob_compile(const char *p, size_t n, struct glob *g);
void glob_release(struct glob *g);

/* One alternative against one '/'-separated path; exported for tests. */
bool glob_match_one(const char *pattern, const char *path);

/* Does g keep the file? `name` is its last component, `from_root` its path from
 * the workspace root and `from_dir` its path from the listed directory. Without
 * a slash the pattern is matched on name, with one on either path. */
bool glob_keeps(const struct glob *g, const char *name, const char *from_root,
    const char *from_dir);

#endif

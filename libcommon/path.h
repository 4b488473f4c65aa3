/* Paths as text: what is an acceptable path argument, how a key of the trust
 * map is spelled, and where bb keeps its state. Nothing here touches a file
 * except where it says so. */
#ifndef BB_LIBCOMMON_PATH_H
#define BB_LIBCOMMON_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

#define PATH_ARG_MAX 4096      /* bytes of a path argument (tools-files 0.2) */
#define PATH_COMPONENT_MAX 255 /* bytes of one component */

enum path_fault {
	PATH_FINE = 0,
	PATH_EMPTY,   /* empty or blanks only: counts as absent */
	PATH_NUL,     /* holds a NUL byte */
	PATH_CLIMBS,  /* has a `..` component */
	PATH_LONG,    /* longer than PATH_ARG_MAX or a component over 255 */
	PATH_TRAILING /* ends in `/` where a file is meant */
};
/* Judge <p, n> as a path argument. `file`: a trailing slash is a fault. */
enum path_fault path_check(const char *p, size_t n, bool file);

/* Normalise as trust-map keys are (flow 6.1): drop empty and `.` components,
 * keep a leading `/`, keep `..` as written. Trimming blanks is NOT done: a name
 * may begin or end with one. Appends to out. "" and "." give "". */
int path_normal(const char *p, struct buf *out);
/* dir + "/" + name, normalised; an absolute name replaces dir. */
int path_join(const char *dir, const char *name, struct buf *out);
/* True when `path` is `dir` or beneath it, by whole components; both normal.
 * "/" covers every absolute path. *rest (may be NULL) is what follows dir. */
bool path_covers(const char *dir, const char *path, const char **rest);
/* Last component (never empty for a normal path but "/"). */
const char *path_base(const char *p);

/* $HOME if absolute, else NULL. */
const char *path_home(void);
/* State directory: `override`, else $XDG_STATE_HOME/bb, else ~/.local/state/bb.
 * Appends; E_MISSING where there is no home. Creates nothing. */
must_use int path_state(const char *override, struct buf *out);
/* Settings directory $XDG_CONFIG_HOME/bb, else ~/.config/bb. E_MISSING: no home. */
must_use int path_config(struct buf *out);
/* Cache directory $XDG_CACHE_HOME/bb, else ~/.cache/bb. E_MISSING: no home. */
must_use int path_cache(struct buf *out);
/* Runtime directory $XDG_RUNTIME_DIR/bb, else <state>/run. */
must_use int path_runtime(const char *state, struct buf *out);
/* mkdir -p with mode 0700. The last `own` components are bb's own: each must be a
 * directory of ours and no link, and is narrowed to 0700. What leads to them may go
 * through links, but through nothing that another user put into a directory open to
 * others, and its last must be ours or root's and not writable by others (sticky will
 * do). Nobody else's directory is ever changed. 0; E_OUTSIDE: it is another user's, and
 * `why` (may be NULL) gets the directory and its owner; E_SYS; E_NOMEM. */
must_use int path_private_dir(const char *path, size_t own, struct buf *why);
/* Directory of the helpers: that of /proc/self/exe when it holds `bb-read`
 * (a build tree), else libexec/bb beside the program's own bin, else PREFIX/libexec/bb.
 * Appends. 0, E_MISSING when none of them holds helpers, E_NOMEM, E_TOO_LONG. */
must_use int path_helpers(struct buf *out);

#endif

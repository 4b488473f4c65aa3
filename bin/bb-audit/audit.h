/* bb-audit's own door: the probes, how one is run in a helper's place, and what else is
 * shown of a helper. Links no room of bb: a second opinion, from the same table. */
#ifndef BB_AUDIT_AUDIT_H
#define BB_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/tool.h"

/* --- place.c: a child in a helper's place ---------------------------------------------- */

/* What a probe may use: prepared by the parent, valid in the child. */
struct place {
	const struct tool *tool;
	char
	    dir[64]; /* a fresh directory: dir/granted is the helper's, dir/outside not */
	char outside[96];   /* a file outside the grant that anybody may read */
	char granted[96];   /* the file or directory on descriptor 3 */
	int victim;         /* a process that must live */
	int listener;       /* TCP port on 127.0.0.1 that the parent listens on */
	char unix_path[96]; /* pathname of a listening socket */
	int leak[8];        /* descriptors left open in the parent (their numbers) */
};

/* How a child ended. */
enum end_kind { END_KILLED, END_VALUE, END_OTHER };
struct end {
	enum end_kind kind; /* killed by SIGSYS; gave a value; anything else */
	long value;         /* END_VALUE: result of the call, -errno on failure */
	int status;         /* wait status */
};

typedef long (*probe_fn)(const struct place *p, const long *args);

/* Run fn in a child placed as a helper of p->tool. `confined`: after confine_self.
 * `mask`: errno that landlock_create_ruleset is answered with by an outer filter, 0 none. */
struct end place_run(const struct place *p, probe_fn fn, const long *args, bool confined,
    int mask);
int place_make(const struct tool *t, struct place *p); /* 0, or -1 with errno */
void place_free(struct place *p);

/* --- probes.c, probes_own.c -------------------------------------------------------------- */

enum control {
	CONTROL_OK,      /* outside it must succeed */
	CONTROL_REACHED, /* outside it must reach the call's own checks (not ENOSYS, EPERM) */
	CONTROL_NONE     /* there is nothing to try outside; stated */
};
struct probe {
	int row; /* of the confinement notes' table */
	const char *name;
	const char *layer;
	probe_fn fn;
	long args[7]; /* for the generic call: number, then arguments */
	enum control control;
	long want;    /* PROBE_KILLED, or a value (-errno) */
	long or_want; /* another verdict that is right too, or PROBE_NOTHING */
};
#define PROBE_KILLED LONG_MIN
#define PROBE_NOTHING (LONG_MIN + 1)

/* All probes for a helper of t; gives *out (free it). */
size_t probes_calls(const struct tool *t, const struct place *p, struct probe **out);
/* One raw system call: args[0] is its number. */
long probe_call(const struct place *p, const long *args);

/* --- checks.c: what is not one call --------------------------------------------------------- */

struct verdict {
	int row;
	const char *name, *layer;
	char expected[48], seen[96];
	bool held, applies;
	const char *skipped; /* reason, or NULL */
	const char *control; /* "succeeded", "failed", "none" */
	double ms;
};
typedef void (*verdict_fn)(void *arg, const struct verdict *v);
void checks_run(const struct tool *t, const char *helpers, struct place *p, verdict_fn fn,
    void *arg);

/* --- real.c: the real helper, started as bb starts it ------------------------------------------ */

struct real {
	int pid, in, out;
	unsigned layers;
	int abi;
	char digest[65];
};
/* Start it on the place's descriptors, with `leaks` descriptors left open for it to close.
 * Reads READY. 0 or -1. */
int real_start(const struct tool *t, const char *helpers, const struct place *p,
    bool traced, struct real *r);
/* As real_start, as the unprivileged user `uid` (only root can). */
int real_start_as(const struct tool *t, const char *helpers, const struct place *p,
    unsigned uid, struct real *r);
void real_end(struct real *r);

/* --- show.c, oci.c, trace.c -------------------------------------------------------------------- */

void show_helper(const struct tool *t, bool json, struct buf *out);
void oci_profile(const struct tool *t, struct buf *out);
/* Exit status; appends what is printed. */
int trace_tool(const struct tool *t, const char *helpers, char *const *words, size_t n,
    bool json, struct buf *out);

#endif

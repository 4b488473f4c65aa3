/* The layers a helper puts on itself, and the one bb puts on before exec.
 * Order and reasons: spec of the confinement (close, parent death, limits, no
 * new privileges, Landlock, NOFILE, capabilities, the page's threads, seccomp last and
 * on all of them).
 *
 * Kernel pages: prctl(2), landlock(7), seccomp(2), capabilities(7). Constants
 * newer than Debian 12's headers live in landlock_abi.h. */
#ifndef BB_LIBCOMMON_CONFINE_H
#define BB_LIBCOMMON_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "libcommon/err.h"
#include "libcommon/tool.h"

/* Bits of READY's `layers`. */
enum confine_layer {
	LAYER_FDS = 1 << 0,      /* every descriptor but the page's closed */
	LAYER_DUMP = 1 << 1,     /* PR_SET_DUMPABLE 0, PR_SET_PDEATHSIG SIGKILL */
	LAYER_LIMITS = 1 << 2,   /* rlimits of the page; CORE 1, NPROC 0, ... */
	LAYER_NNP = 1 << 3,      /* no_new_privs */
	LAYER_LANDLOCK = 1 << 4, /* all the ABI knows handled; proven by a denied open */
	LAYER_CAPS = 1 << 5,     /* capability sets empty */
	LAYER_SECCOMP = 1 << 6   /* the page's filter, KILL_PROCESS */
};

/* Descriptors a helper with Landlock rules may open beside its page's: NOFILE is the
 * page's highest number plus one plus these. bb-list holds the directories on its way
 * down; deeper ones are opened by a longer path from the last one held. */
#define CONFINE_WALK_FDS 34
/* And those of a page with threads, for directories that the walk has left and whose
 * files are still to be read. */
#define CONFINE_AHEAD_FDS 94

struct confine_report {
	unsigned layers;  /* confine_layer bits that are on */
	int landlock_abi; /* 0: no Landlock */
};

/* Put all layers of tool t on the calling process. Never fails half-way
 * silently: a layer that could not be put on is absent from r->layers; the
 * supervisor decides. The page's threads (crew.h) are made last but one and carry every
 * layer. The filter goes on last; when seccomp itself is refused the
 * bit is absent and the process is NOT filtered. With -DBB_UNCONFINED (sanitizer
 * builds only) does nothing and reports every bit but LAYER_SECCOMP's truth:
 * layers = all, so that bb accepts it; such builds are never installed. */
void confine_self(const struct tool *t, struct confine_report *r);

/* Which bits bb requires of a helper of t before it sends CALL. Landlock is
 * left out when the page grants no path at all (its filter has no open), or when
 * `weaker_landlock`. */
unsigned confine_required(const struct tool *t, bool weaker_landlock);

/* How many descriptors the limit of t allows, 0 to 2 included. */
unsigned confine_files(const struct tool *t);

/* Landlock ABI of the running kernel, 0 when absent or blocked (ENOSYS,
 * EOPNOTSUPP, EPERM). */
int confine_landlock_abi(void);
/* A ruleset handling every right, TCP action and scope of the running ABI.
 * Gives *fd. 0, E_UNSUPPORTED, E_SYS. */
must_use int confine_ruleset(int *fd);
/* Allow `rights` (LANDLOCK_ACCESS_FS_*) beneath the object open at `object`. */
must_use int confine_allow(int ruleset, int object, uint64_t rights);

#endif

/* bb-audit's own door: the probes, how one is run in a helper's place and in the helper
 * itself, and what else is shown of a helper. Links no room of bb: a second opinion, from
 * the same table. */
#ifndef BB_AUDIT_AUDIT_H
#define BB_AUDIT_AUDIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/user.h>

#include "libcommon/buf.h"
#include "libcommon/frame.h"
#include "libcommon/tool.h"

/* --- place.c: a world outside the grant, and a child in a helper's place -------------- */

/* What probes may use and what must not change. */
struct place {
	const struct tool *tool;
	char dir[64];     /* fresh: dir/granted is the helper's, the rest is not */
	char outside[96]; /* a file outside the grant that anybody may read: the canary */
	char granted[96]; /* the file or directory on descriptor 3 */
	char unix_path[96]; /* pathname of a listening socket, "" where there is none */
	char home[128];     /* of whoever audits */
	int victim;         /* a process that must live */
	int boss;           /* the auditing process: what bb is to a helper */
	int port;           /* TCP port on 127.0.0.1 that is listened on */
	int tcp, local;     /* the listeners; -1 in a child */
	int self;           /* this program, to be started in the helper's place */
	int slot;    /* memory for the result to look at afterwards; -1: a fresh one */
	int leak[8]; /* descriptors for the real helper to close; 0: none */
};

/* How an attempt ended. */
enum end_kind { END_KILLED, END_VALUE, END_OTHER };
struct end {
	enum end_kind kind; /* killed by SIGSYS; gave a value; anything else */
	long value;         /* END_VALUE: result of the call, -errno on failure */
	int status;         /* wait status; -1: it did not get that far */
};

typedef long (*probe_fn)(const struct place *p, const long *args);

enum control {
	CONTROL_OK,      /* outside it must succeed */
	CONTROL_REACHED, /* outside it must reach the call's own checks (not ENOSYS, EPERM) */
	CONTROL_ALIVE /* outside it must come back, whatever the answer */
};
/* The calls of section 7, and what each layer does alone. */
enum stage {
	STAGE_ALL,  /* in its place and in the helper, all layers on */
	STAGE_ALONE /* in the helper, before its filter: what the other layers stop */
};
struct probe {
	int row; /* of the confinement notes' table */
	const char *name, *layer;
	probe_fn fn;
	long args[7]; /* for the generic call: number, then arguments */
	enum control control;
	enum stage stage;
	long want;    /* PROBE_KILLED, or a value (-errno) */
	long or_want; /* another verdict that is right too, or PROBE_NOTHING */
};
#define PROBE_KILLED LONG_MIN
#define PROBE_NOTHING (LONG_MIN + 1)
#define PROBE_GOOD (LONG_MIN + 2)               /* it works: any value of 0 and up */
#define PROBE_SIGNAL(n) (LONG_MIN + 1000 + (n)) /* it dies of this one, without a core */

int place_make(const struct tool *t, struct place *p); /* 0, or -1 with errno */
void place_free(struct place *p);
/* Descriptors of the page, opened as bb would. 0 or -1. */
int place_open(const struct place *p, int *fds);
/* Outside: in a fork with the helper's descriptors, no layer on. */
struct end place_outside(const struct place *p, const struct probe *q);
/* The same fork, confined, without the exec: cheap enough for a thousand numbers. `mask`:
 * errno by which an outer filter answers landlock_create_ruleset and openat2, 0 none. */
struct end place_forked(const struct place *p, probe_fn fn, const long args[7], int mask);
/* Inside: this program again, started as bb starts a helper; then confine_self(), then
 * probe number `i`. */
struct end place_inside(const struct place *p, size_t i);
/* What such a child does; main() calls it. Never returns. */
_Noreturn void place_main(char *const *words);
/* The outer filter. 0 or -1. */
int place_mask(int e);
/* A witness of what an attempt did outside: NULL, or what it was. */
struct witness {
	struct stat canary, dir;
};
void place_before(const struct place *p, struct witness *w);
const char *place_after(const struct place *p, const struct witness *w);

/* Every signal to its default, as bb leaves them: those that the C library keeps for
 * itself (32, 33) too, which whatever started bb-audit may have left ignored. */
void signals_default(void);

/* --- probes*.c ---------------------------------------------------------------------------- */

/* Memory that probes point to: one piece, so that it can be put into another process. */
struct room {
	char buf[4096];
	struct {
		long sec, nsec;
	} time[2];
	struct {
		uint64_t flags, mode, resolve;
	} how;
	unsigned char in[16], un[110];
	uint64_t clone_args[11];
	uint64_t ruleset[3];
	int pair[2];
	char text[6144];
	size_t used;
};
extern struct room room;

struct list {
	const struct place *p;
	struct probe *at;
	size_t n, have;
};
/* All probes for the place's helper, in the same order in every process; free list->at. */
void probes_list(const struct place *p, struct list *l);
void probes_files(struct list *l);
void probes_net(struct list *l);
void probes_kernel(struct list *l);
void probes_alone(struct list *l);
void probes_steps(struct list *l);
/* Append one system call. NULL where the processor has no such call. */
struct probe *probe_add(struct list *l, int row, const char *name, enum control control,
    const long args[7]);
/* Text in the room. */
long probe_text(const char *s);
/* One raw system call: args[0] is its number. */
long probe_call(const struct place *p, const long *args);
bool probe_grants(const struct tool *t, const char *call);

/* --- real.c: the real helper, started as bb starts it --------------------------------------- */

struct real {
	int pid, in, out;
	unsigned layers;
	int abi;
	char digest[65];
};
struct real_how {
	bool traced;  /* stops at its exec; READY is not read */
	bool waiting; /* READY is not read */
	unsigned uid; /* run it as this user (only root can); 0: as ours */
	int mask;     /* as place_forked */
};
int real_start(const struct place *p, const char *helpers, struct real_how how,
    struct real *r); /* 0 or -1 */
/* READY, or any frame of its: 0, or -1 when it is malformed or not there in time. */
#define REAL_BOUND_US 2000000
int real_ready(struct real *r);
int real_frame(struct real *r, struct frame *f, unsigned char body[FRAME_BODY_MAX]);
void real_end(struct real *r);

/* --- inside.c: acts of the real helper itself, by ptrace ------------------------------------- */

struct inside {
	struct real h;
	unsigned long at; /* the room's place in it, 0: its memory is closed to us */
	unsigned long words, execfn; /* argc; address of AT_EXECFN */
	size_t env;                  /* number of its environment's strings */
	char path[512];              /* AT_EXECFN */
	long dies;                   /* signal it asked for at its parent's death */
	struct user_regs_struct saved;
};
/* Start it and stop it before its filter goes on. `abi`: Landlock ABI it is told, 0: the
 * kernel's. 0, or -1: it cannot be traced here. */
int inside_start(const struct place *p, const char *helpers, int abi, struct inside *i);
/* Let the filter go on; stop before the next call. 0 or -1. */
int inside_filter(struct inside *i);
/* Make the helper do one call. Pointers into the room are translated. */
struct end inside_call(struct inside *i, const long args[7]);
/* Let it go on untraced. */
void inside_release(struct inside *i);
void inside_end(struct inside *i);

/* --- checks.c, layers.c, life.c, numbers.c ------------------------------------------------------- */

struct verdict {
	int row;
	const char *name, *layer;
	char expected[48], seen[112];
	bool held, applies;
	const char *skipped; /* reason, or NULL */
	const char *control; /* "succeeded" or "failed" */
	const char *missing; /* why the control failed, or NULL */
	double ms;
};
typedef void (*verdict_fn)(void *arg, const struct verdict *v);
struct run {
	const struct tool *t;
	const char *helpers;
	struct place *p;
	struct list probes;
	bool traceable;
	bool
	    mute; /* the helper says no READY: what needs it is not tried again and again */
	verdict_fn fn;
	void *arg;
	uint64_t since;
};
/* Everything about one helper. */
void checks_run(const struct tool *t, const char *helpers, struct place *p, verdict_fn fn,
    void *arg);
/* A check with its own words. `control`: the same look at something unconfined sees the
 * difference. */
void check(struct run *r, int row, const char *name, const char *layer, bool held,
    bool control, const char *expected, const char *seen);
/* What could not be tried, and why. */
void check_skip(struct run *r, int row, const char *name, const char *layer,
    const char *why);
const char *value_words(long v, char *b, size_t n);
void checks_layers(struct run *r);
void checks_life(struct run *r);
void checks_numbers(struct run *r);
void checks_race(struct run *r);

/* --- main.c: what could not be done, on 2 and, with --json, as an object. Gives status. --- */

int audit_fail(bool json, int status, const char *code, const char *says,
    const char *remedy);

/* --- show.c, oci.c, trace.c -------------------------------------------------------------------------- */

void show_helper(const struct tool *t, bool json, struct buf *out);
void oci_profile(const struct tool *t, struct buf *out);
/* The body of CALL for KEY=VALUE words. */
void trace_call(const struct tool *t, char *const *words, size_t n, struct buf *b);
/* Exit status; appends what is printed. */
int trace_tool(const struct tool *t, const char *helpers, char *const *words, size_t n,
    bool json, struct buf *out);

#endif

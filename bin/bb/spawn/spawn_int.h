/* Behind the door of spawn/: one running helper and what bb knows of it.
 *   spawn.c     queue, deadline, exit status, the one report
 *   start.c     pipes, descriptors, exec
 *   belt.c      programs and the rulesets bb puts on before exec
 *   dispatch.c  what a helper says, and in which order it may say it */
#ifndef BB_SPAWN_SPAWN_INT_H
#define BB_SPAWN_SPAWN_INT_H

#include <sys/types.h>

#include "bin/bb/spawn/spawn.h"

#define SPAWN_AT_ONCE 16
#define SPAWN_FDS_MAX 13               /* of a page, so that sources go above 10 + 5 */
#define SPAWN_STACK ((size_t)64 << 10) /* of a child before exec */
#define SPAWN_LOG_KEPT 4096            /* bytes of descriptor 2 that are kept */
#define SPAWN_LOG_FLOOD (1 << 20)      /* more than this is no log any more */
#define SPAWN_READY_MAX 256            /* bytes of READY's body */
#define SPAWN_SILENT_MS 2000 /* answer pipe closed without RESULT, still alive */
#define SPAWN_STUCK_MS 5000  /* killed and yet not gone: reported all the same */

struct program {
	char *name, *path;
	int fd;      /* O_PATH, what the rulesets name */
	int ruleset; /* for tools that allow nothing else, -1 until first used */
};

struct spawner {
	struct loop *loop;
	char *helpers;
	bool weaker_landlock, trace;
	int abi;
	uint64_t spawns;
	struct program *programs;
	size_t n_programs;
	void *stack;           /* the child's until it has exec'd */
	struct child *running; /* and those whose report waits for the loop (pid 0) */
	unsigned n_running;    /* without the latter */
	struct child *queued, **queued_tail;
};

/* Where a conversation stands; the table in dispatch.c moves it. */
enum phase { PHASE_READY, PHASE_RESULT, PHASE_EXIT };

struct child {
	struct child *next;
	struct spawner *s;
	const struct tool *tool;
	uint32_t call;
	spawn_done done;
	void *arg;

	/* while queued: duplicates, owned */
	bool queued;
	struct spawn_fd *fds;
	size_t n_fds;
	struct spawn_landlock *allow;
	size_t n_allow;

	/* while it runs */
	pid_t pid;
	int pidfd, request, answer, log;
	struct loop_source *on_exit, *on_request, *on_answer, *on_log, *timer;
	enum phase phase;
	bool decided; /* o.end stands; it is only waited for */
	bool told;    /* done was called although it is not gone */
	struct spawn_outcome o;
	unsigned char *out; /* CALL, header and body */
	size_t out_len, out_sent;
	char text[SPAWN_LOG_KEPT + 1];
	size_t text_len;
	uint64_t log_bytes;
	size_t in_len, in_kept; /* kept: bytes of the RESULT frame, once there */
	/* Last, and not zeroed. One header more than a frame, so that what comes
	 * after the largest RESULT is seen. */
	unsigned char in[2 * FRAME_HEADER + FRAME_BODY_MAX];
};

/* spawn.c: decide the end of c and kill it; later reasons do not count. */
void child_fail(struct child *c, enum spawn_end end);
/* spawn.c: READY was good. */
void child_send_call(struct child *c);

/* start.c: make the pipes and exec the tool's helper. Sets c's pid and
 * descriptors (also in part when it fails). 0, E_SYS, E_NOMEM, E_UNSUPPORTED. */
must_use int start_launch(struct child *c, const struct spawn_fd *fds,
    const struct spawn_landlock *allow, size_t n_allow);

/* dispatch.c: read once what is there. False at end of file or when nothing is
 * there. */
bool dispatch_read(struct child *c);

/* belt.c */
must_use int belt_program(struct spawner *s, const char *helper, struct program **out);
void belt_forget(struct program *p);
/* The ruleset to restrict oneself with before exec, -1: none (no Landlock).
 * *owned: close it afterwards. 0, E_SYS. */
must_use int belt_ruleset(const struct spawner *s, struct program *p,
    const struct spawn_landlock *allow, size_t n, int *ruleset, bool *owned);

#endif

/* DOOR of spawn/: from a routing argument to an opened descriptor (grant.c), and
 * from descriptors to a confined helper and its answer (spawn.c, belt.c,
 * dispatch.c). It knows no labels, no rules and no sentences. */
#ifndef BB_SPAWN_SPAWN_H
#define BB_SPAWN_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libcommon/buf.h"
#include "libcommon/confine.h"
#include "libcommon/err.h"
#include "libcommon/frame.h"
#include "libcommon/loop.h"
#include "libcommon/same.h"
#include "libcommon/tool.h"

/* ---- grant.c: opening (tools-files 0.3, 0.4) ------------------------------ */

/* Directories file tools can reach. roots[0] is the workspace: relative names
 * lie under it; the others are reached by absolute names only. */
struct reach;
/* 0; E_SYS: the workspace cannot be opened; E_NOMEM. */
must_use int reach_new(const char *workspace, struct reach **out);
void reach_free(struct reach *r);
/* Open one more directory. 0; E_DUP when open already or inside an open one;
 * E_STATE when it holds the workspace... (an ancestor is refused); E_SYS. */
must_use int reach_add(struct reach *r, const char *directory);
/* Replaces roots[0]; closes overlapping ones. A relative name, here and in
 * reach_add, is read from the workspace. 0, E_SYS, E_NOMEM. */
must_use int reach_cd(struct reach *r, const char *directory);
/* Keep a path of bb's own out of every tool's reach, whatever is open or trusted: what
 * it names, its links resolved as far as it exists, and all beneath lands outside. */
must_use int reach_hide(struct reach *r, const char *path);
/* The same for a regular file by its open descriptor (borrowed), and by any name that a
 * tool opens it by. Anything else is no file of the workspace: nothing is done. */
must_use int reach_hide_fd(struct reach *r, int fd);
/* Is it that file, under whatever name? */
bool reach_hides(const struct reach *r, const struct stat *st);
/* Does a canonical path lie in something hidden, by its text or as the same object by
 * another name? Where that cannot be told it does. */
bool reach_hidden(const struct reach *r, const char *canonical);
/* Does something hidden lie strictly beneath a canonical directory, likewise? */
bool reach_hides_beneath(const struct reach *r, const char *canonical);
/* Append the objects along an absolute key, from the open directory that covers it, else
 * from the root directory. 0, E_SYS, E_NOMEM. */
must_use int reach_walk(const struct reach *r, const char *key, struct same_way *w);
/* Hidden paths beneath (or at) a canonical directory, for who walks it. */
size_t reach_hidden_count(const struct reach *r);
const char *reach_hidden_path(const struct reach *r, size_t i);
size_t reach_count(const struct reach *r);
const char *reach_path(const struct reach *r, size_t i); /* canonical absolute path */
int reach_fd(const struct reach *r, size_t i);           /* O_PATH directory, borrowed */

enum grant_fault {
	GRANT_FINE = 0,
	GRANT_EMPTY, /* counts as absent */
	GRANT_NUL,   /* holds a NUL byte */
	GRANT_LONG,
	GRANT_TRAILING, /* ends in / where a file is meant */
	GRANT_NO_HOME,  /* ~ without a home */
	GRANT_CLIMBS,   /* has a `..` component */
	GRANT_OUTSIDE,  /* absolute outside, or a link leading out, or a loop */
	GRANT_MISSING,
	GRANT_MISSING_FORM, /* missing, and one name in that directory differs only in
	                       Unicode normal form */
	GRANT_DIRECTORY,    /* a directory where a file is meant */
	GRANT_NOT_DIRECTORY,
	GRANT_NOT_REGULAR, /* FIFO, socket, device */
	GRANT_DENIED,      /* EACCES */
	GRANT_CHANGED,     /* raced */
	GRANT_SYSTEM       /* another errno, in `errnum` */
};

struct grant {
	int fd;         /* see `grant_open`; -1 otherwise; owned */
	struct stat st; /* of the target */
	char *spelled;  /* absolute normal key as typed (workspace + name), owned */
	char *landed;   /* the same after links, owned; equal to spelled without links */
	bool linked;    /* spelled and landed differ */
	size_t root;    /* index of the open directory it lies in */
	int errnum;     /* for GRANT_SYSTEM */
};
#define GRANT_INIT ((struct grant){.fd = -1})
void grant_release(struct grant *g);

enum grant_want { GRANT_FILE, GRANT_DIR };
/* Resolve <p, n> as typed: judge it, expand a leading `~`, find where it lands
 * (openat2 O_PATH, NO_MAGICLINKS; deepest existing ancestor; dangling links by
 * name, at most 8), require that landing beneath an open directory, and stat it.
 * Opens nothing for reading: g->fd stays -1. Both keys are set whenever they are
 * known, also on a fault (for rules). */
enum grant_fault grant_resolve(const struct reach *r, const char *p, size_t n,
    enum grant_want want, struct grant *g);
/* Re-open the resolved target from its root's descriptor, BENEATH|NO_SYMLINKS|
 * NO_MAGICLINKS, O_NONBLOCK|O_NOCTTY, require the wanted type and the inode
 * grant_resolve saw... a different inode of the right type is accepted (the name
 * decides), a wrong type or a link is GRANT_CHANGED. Sets g->fd (O_RDONLY) and
 * refreshes g->st by fstat on it. */
enum grant_fault grant_open(const struct reach *r, enum grant_want want, struct grant *g);
/* As grant_resolve for a key that is absolute already and lies in an open
 * directory (an address behind a reference). */
enum grant_fault grant_resolve_key(const struct reach *r, const char *key,
    enum grant_want want, struct grant *g);

/* ---- put.c: a file put into place (tools-files 3) --------------------------- */

enum put_end {
	PUT_DONE,
	PUT_CHANGED, /* the destination is not what was previewed */
	PUT_FAILED,  /* errno in errnum; nothing is there, or what was there still is */
	PUT_UNSURE   /* it is in place, and the kernel could not make it last */
};
struct put {
	const struct grant
	    *g;     /* the destination as it was previewed; g->st where it existed */
	bool fresh; /* there was none */
	int from;   /* a sealed memory file: the bytes; borrowed */
	int old;    /* the file that is replaced, for its attributes, or -1 */
	const char *notes; /* directory of notes on temporary files */
	int errnum;
	bool lost; /* some attribute or the owner could not be kept */
};
/* Missing directories, a temporary file beside the destination, noted before it exists, all
 * bytes, owner and attributes and mode of the old file, fsync, rename, fsync of the
 * directory. Opens nothing but beneath the open directory and through no link. */
must_use enum put_end put_file(const struct reach *r, struct put *p);
/* Remove temporary files that a killed session noted in `notes` and left behind. */
void put_sweep(const char *notes);

/* ---- spawn.c, belt.c, dispatch.c: one helper, one call -------------------- */

struct spawn_fd {
	int n;  /* descriptor number in the helper */
	int fd; /* ours, borrowed until spawn_start returns */
};

/* What bb itself puts on the child before exec (Landlock around the helper's own
 * start): everything handled; EXECUTE and READ_FILE (execve opens it for reading too)
 * on the helper's file; `rights` beneath each
 * granted object. A helper that ignores its duties still cannot pass this. */
struct spawn_landlock {
	int fd; /* borrowed */
	uint64_t rights;
};

enum spawn_end {
	SPAWN_ANSWERED,  /* READY as required, one RESULT of the page's shape, exit 0 */
	SPAWN_CANCELLED, /* spawn_cancel */
	SPAWN_TIMEOUT,   /* the wall limit, in wall_s */
	SPAWN_FILTER,    /* killed by its own filter (SIGSYS) */
	SPAWN_LIMIT,     /* SIGXCPU, SIGXFSZ, SIGKILL by the CPU limit */
	SPAWN_SIGNAL,    /* another signal, in `number` */
	SPAWN_EXIT,      /* ended without an answer, or with a status, in `number` */
	SPAWN_PROTOCOL,  /* malformed, unexpected, out of range, second answer, flood */
	SPAWN_UNCONFINED, /* READY without a required layer or with another filter's digest;
	                     `missing` names the layers; no CALL was sent */
	SPAWN_NO_START    /* could not be started; errno in `number` */
};

struct spawn_outcome {
	enum spawn_end end;
	int number;      /* signal, status, errno */
	unsigned wall_s; /* the limit that held: the page's, or the request's */
	unsigned layers; /* as READY said */
	int landlock_abi;
	unsigned missing; /* required bits that were absent */
	/* RESULT's body, validated member by member; borrowed. */
	const unsigned char *result;
	size_t result_len;
	/* What it wrote on 2, at most 4 KiB, NUL-terminated; borrowed, hostile. */
	const char *log;
};

/* Range-checked reading of a validated result: value of an int member, index of
 * a word member. bug() on a name the page does not have. */
int64_t spawn_int(const struct tool *t, const struct spawn_outcome *o, const char *name);
const char *spawn_word(const struct tool *t, const struct spawn_outcome *o,
    const char *name);

struct spawner; /* helper directory, opened programs, counters, bound of 16 at once */
struct spawn_config {
	struct loop *loop;
	const char *helpers;  /* absolute directory */
	bool weaker_landlock; /* --weaker=landlock */
	bool trace;           /* --trace frames: headers and sizes to descriptor 2 */
};
must_use int spawner_new(const struct spawn_config *c, struct spawner **out);
void spawner_free(struct spawner *s); /* kills what still runs */
uint64_t spawner_spawns(const struct spawner *s);
/* Landlock ABI of the running kernel, probed once; 0 = none. */
int spawner_abi(const struct spawner *s);

struct child;
typedef void (*spawn_done)(void *arg, const struct spawn_outcome *o);
struct spawn_request {
	const struct tool *tool;
	uint32_t call;              /* goes into the frames */
	const struct spawn_fd *fds; /* exactly the page's, in its order */
	size_t n_fds;
	const struct spawn_landlock *allow; /* may be empty */
	size_t n_allow;
	const void *body; /* CALL record, borrowed */
	size_t body_len;
	unsigned wall_s; /* seconds, below the page's limit; 0: the page's */
	spawn_done done; /* called exactly once, from the loop, never from spawn_start */
	void *arg;
};
/* Queue or start. Above 16 running ones it waits in order (descriptors are
 * dup'ed then). Gives *out, valid until `done` has returned. 0, E_NOMEM, E_BAD
 * when fds differ from the page. */
must_use int spawn_start(struct spawner *s, const struct spawn_request *q,
    struct child **out);
/* Kill it; `done` follows with SPAWN_CANCELLED. */
void spawn_cancel(struct child *c);

/* The shell line that starts the tool's helper by hand with the same descriptors
 * (bb power --by-hand). `file`: what a person types for fd 3. Appends. */
must_use int spawn_by_hand(const struct tool *t, const char *helpers, const char *file,
    const void *body, size_t body_len, struct buf *out);

#endif

/* Inside bb-search. One search is: tree.c walks in order and hands out units of files;
 * order.c passes each unit to a worker and emits them in order; work.c reads and matches
 * the files of a unit; text.c makes lines fit to be shown; page.c decides what of it is
 * printed, in order. What a search answers is decided by the ordered sequence of files
 * alone, never by which thread was first; but the time limit is a matter of time. */
#ifndef BB_SEARCH_SEARCH_INT_H
#define BB_SEARCH_SEARCH_INT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/crew.h"
#include "libcommon/glob.h"
#include "libcommon/rx.h"
#include "libcommon/scope.h"
#include "libcommon/walk.h"

#define UNIT_FILES 64
#define UNITS 128                         /* handed out and not emitted yet */
#define UNITS_ALONE 2                     /* up to so many the main thread does itself */
#define PENDING_MAX ((size_t)8 << 20)     /* bytes found and not emitted yet */
#define SHOWN_MAX 500                     /* bytes of a shown line */
#define CONTEXT_MAX 10                    /* lines beside a match */
#define CONTEXTS_MAX 1000                 /* context lines of an answer */
#define CHUNK ((size_t)256 << 10)         /* of one read */
#define LINE_MAX_BYTES ((size_t)16 << 20) /* of a line that is searched whole */

/* What the walk left out, up to some point of it. */
struct tally {
	uint64_t dirs, links, others;
};

/* A directory that was read. Its descriptor is open while anybody reads files of it or
 * walks beneath it, its names while anybody needs them. */
struct dir {
	int fd;
	bool own;                /* fd is closed at last; else it is 3 */
	unsigned readers, users; /* under the order's lock */
	struct walk_dir entries;
	struct tally seen; /* when its own files were chosen */
	char *path;        /* below 3; "" for 3 itself */
	struct dir *next;  /* of the spares */
};

enum fate {
	FATE_NONE, /* not come to */
	FATE_READ,
	FATE_BADTEXT, /* read, but not UTF-8 throughout */
	FATE_BINARY,
	FATE_UNOPENED,
	FATE_LATE /* the time was over */
};

/* What was found in one file: `lines` records at `at` in its unit's store. */
struct found {
	enum fate fate;
	uint64_t hits;  /* lines that match, as far as anybody wants to know */
	uint64_t first; /* index of the first one among the records */
	size_t at, path_len;
	uint64_t lines;
};

/* A shown line, in the store: this, then its text. */
struct line {
	uint64_t no;
	uint16_t len;
	bool match, cut;
};

struct store { /* bytes; what of them is not emitted is `pending` */
	char *p;
	size_t len, room;
};

struct run { /* consecutive files of a unit, from one directory */
	struct dir *dir;
	struct tally seen;
	unsigned first; /* file */
};

struct unit {
	uint64_t seq;
	unsigned n, n_runs;
	unsigned emitted, at_run; /* files, and the run of the last one */
	bool done;
	const char *name[UNIT_FILES]; /* until it is done */
	struct run run[UNIT_FILES];
	struct found found[UNIT_FILES];
	struct store store;
};

struct page {
	uint64_t offset, most, context; /* asked; most 0: no cap */
	uint64_t selected, read, binary, badtext, unopened;
	uint64_t matches, total, next, cut, contexts, bytes;
	bool timed_out, context_cap;
	bool full; /* there is one match more than the page holds */
	struct tally seen;
	/* groups */
	uint64_t last;      /* number of the line printed last, in file `file` */
	uint64_t file, now; /* files by their number */
	bool any, unwritten;
	size_t n;
	char out[65536];
};

struct order {
	pthread_mutex_t lock;
	pthread_cond_t work, room, front;
	uint64_t made, taken, emitted; /* units: handed out, taken by a worker, gone */
	unsigned open;                 /* directories */
	struct dir *spare;             /* done with: their buffers are used again */
	unsigned spares;
	unsigned low_open; /* what the walk waits for */
	uint64_t low_units;
	struct unit *filling; /* the walk's */
	bool started;         /* the crew is at work */
	bool closed;          /* no unit will come */
	bool emitting;
	bool stop, failed; /* read without the lock too */
	size_t pending;
	uint64_t deadline;
	uint64_t known; /* matches emitted, at least */
	struct worker
	    *worker[CREW_MAX]; /* of the crew: they last as long as the process */
	unsigned workers;
	struct unit unit[UNITS];
};

struct search {
	struct rx *rx;
	struct glob include;
	bool filtered;
	const char *prefix;
	size_t prefix_len;
	uint64_t files, ms;
	bool terminal; /* shown text may hold nothing that steers one */
	struct scope scope;
	struct tally seen; /* by the walk */
	uint64_t selected; /* by the walk */
	bool files_cap;
	struct page page;
	struct order order;
};

/* --- tree.c: the walk, in the main thread ------------------------------------------------ */
/* Hand every file out. "ok", or the word for what ended it. */
const char *tree_walk(struct search *s);

/* --- order.c ------------------------------------------------------------------------------- */
void order_init(struct search *s);
/* The walk hands out the next file in order: `name` of directory d. */
void order_add(struct search *s, struct dir *d, const char *name);
/* The walk is about to open one more directory: waits until it may. */
void order_room(struct search *s);
void order_closed(struct search *s); /* it has closed one, or opened none */
/* A directory whose members but `entries` are zero. NULL when out of memory. */
struct dir *order_dir(struct search *s);
/* The walk is done with d: with its descriptor, with all of it. */
void order_release(struct search *s, struct dir *d, bool fd, bool all);
/* All files are handed out: returns when all are emitted, or nobody wants more. */
void order_finish(struct search *s);
/* Nobody wants more: the page is full, or the search has failed. */
bool order_stopped(const struct search *s);
void order_fail(struct search *s);
/* Is u the next to be emitted? Then all before it is known, and who works on it may emit
 * what it has. *known: matches that stand before its files not yet emitted; where it is
 * not the next, at least so many. */
bool order_front(struct search *s, const struct unit *u, uint64_t *known);
void order_wait_front(struct search *s, const struct unit *u);
/* Emit the files of u before the n-th. */
void order_emit(struct search *s, struct unit *u, unsigned n);
void order_empty(struct search *s, struct store *st);
/* Make room for `more` bytes in u's store. */
bool order_grow(struct search *s, struct store *st, size_t more);
/* More is found than may lie about. */
bool order_heavy(struct search *s);

/* --- work.c --------------------------------------------------------------------------------- */
struct worker;
/* Room for one worker's buffers. NULL when out of memory. */
struct worker *worker_new(struct search *s);
void worker_unit(struct worker *w, struct unit *u);

/* --- text.c ---------------------------------------------------------------------------------- */
/* A line's text as shown, at most SHOWN_MAX bytes into out. Returns its length. */
size_t text_line(const uint8_t *p, size_t n, bool terminal, char *out, bool *cut);
/* A path as shown, into out (3 * n bytes at most). */
size_t text_path(const char *p, size_t n, bool terminal, char *out);

/* --- page.c ----------------------------------------------------------------------------------- */
/* How many matches the page wants seen; one more shows that there are more. */
uint64_t page_wanted(const struct page *p);
/* The next file in order is file i of u. */
void page_file(struct page *p, struct unit *u, unsigned i);
/* Print what is stored of it so far; its counts come later. Without a cap only. */
void page_part(struct page *p, const struct unit *u, const struct found *f);
void page_flush(struct page *p);

#endif

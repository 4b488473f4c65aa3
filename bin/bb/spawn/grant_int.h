/* Behind the door of spawn/: the opened directories and the walk that finds
 * where a name lands. Shared by reach.c, land.c and grant.c only. */
#ifndef BB_SPAWN_GRANT_INT_H
#define BB_SPAWN_GRANT_INT_H

#include "bin/bb/spawn/spawn.h"
#include "libcommon/same.h"

struct root {
	int fd;     /* O_PATH directory */
	char *path; /* canonical, absolute, normal */
	dev_t dev;
	ino_t ino;
	struct same_way way; /* from / to it, as it was opened */
};
struct hidden {
	char *path;          /* canonical */
	struct same_way way; /* as last walked */
	dev_t dev;           /* what was there then */
	ino_t ino;
};
struct reach {
	struct root *v; /* v[0] is the workspace */
	size_t n;
	struct hidden *hidden; /* bb's own */
	size_t n_hidden;
	dev_t hidden_dev; /* reach_hide_fd: the record; hidden_ino 0 = none */
	ino_t hidden_ino;
};

/* Index of the outermost open directory that covers a canonical path by its
 * text, or r->n. */
size_t reach_covering(const struct reach *r, const char *path);

#define LAND_LINKS 40   /* links followed in all, as the kernel's own bound */
#define LAND_DANGLING 8 /* links followed by name towards something missing */

enum land_end {
	LAND_EXISTS,  /* st is the target's */
	LAND_MISSING, /* path is where it would be */
	LAND_MATCH,   /* a prefix is open directory `root`; `rest` is left */
	LAND_REFUSED, /* loop, magic link, a component that cannot be examined */
	LAND_LONG,
	LAND_SYSTEM /* errnum */
};
struct landing {
	struct buf path; /* where it lands; as far as it got when refused */
	struct stat st;
	int parent; /* LAND_MISSING by the last name only: its directory, else -1; owned */
	char *missing;   /* that last name, owned */
	size_t root;     /* LAND_MATCH */
	struct buf rest; /* LAND_MATCH */
	int errnum;
};
/* Walk `names` from directory `from` (borrowed, canonical path `from_path`),
 * component by component with O_PATH|O_NOFOLLOW, following links by their text.
 * With `match`, stop at the shallowest prefix of `names` that is an open
 * directory. Fills *l, which landing_release() empties in every case. */
enum land_end land(int from, const char *from_path, const char *names,
    const struct reach *match, struct landing *l);
void landing_release(struct landing *l);

/* Does exactly one entry of directory `parent` differ from `name` in its Unicode
 * normal form only? */
bool form_differs(int parent, const char *name);

#endif

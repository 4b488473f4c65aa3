/* Which object a path names, whatever it is called. A volume that folds names, a bind
 * mount or a hard link gives one object several names; what is said of an object must
 * hold for all of them. Only bb links this. */
#ifndef BB_LIBCOMMON_SAME_H
#define BB_LIBCOMMON_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

struct same_id {
	uint64_t dev, ino;
	uint64_t mount; /* number of the mount it lies in; 0: the kernel does not say */
	size_t end;     /* where its name ends in the key; 0 is the root directory */
	bool top;       /* it is the uppermost directory of that mount */
};
/* The objects along an absolute normal key, uppermost first. */
struct same_way {
	struct same_id *v;
	size_t n, room;
	bool whole; /* up to the last component; else what is left is not there, cannot be
	               reached, or lies behind a link */
};
#define SAME_WAY_INIT ((struct same_way){0})

/* Walk `key` one component at a time with O_PATH, through no link, and append what is met
 * to w. The first `from` bytes of the key are directory `dir` (borrowed) and are in w
 * already; dir -1: all of it, from the root directory. 0; E_SYS: it cannot be told;
 * E_NOMEM. */
must_use int same_walk(int dir, const char *key, size_t from, struct same_way *w);
must_use int same_copy(const struct same_way *from, struct same_way *to);
void same_release(struct same_way *w);

enum same_answer {
	SAME_NO,
	SAME_YES,
	SAME_UNSURE /* the mounts cannot be read, or memory ran out: take it for a yes */
};
/* Is the key at or beneath the object `of` walks to, under another name than its own?
 * SAME_YES appends to `named` the key as it would be called there: of_key and the rest. */
enum same_answer same_within(const struct same_way *w, const char *key,
    const struct same_way *of, const char *of_key, struct buf *named);
/* Does the object `of` lie strictly beneath the directory w walks to, by any name? */
enum same_answer same_holds(const struct same_way *w, const char *key,
    const struct same_way *of, const char *of_key);

#endif

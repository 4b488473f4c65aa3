/* The scope of a split tree (design 2.4), as bb writes it and bb-list and bb-search read
 * it: which parts of descriptor 3 this process is to report. One record a part: a letter
 * and a path relative to descriptor 3 (the root is ""), ended by NUL, in any order.
 *   W  walk this directory whole; reported where a depth stops at it
 *   S  a directory that is not read: its entries are the records whose parent it is;
 *      reported where a depth stops at it
 *   s  the same, never itself reported
 *   F  a file; reported if the pattern keeps it
 * A record that is no entry of an S or s record is malformed, as is one that stands
 * twice. */
#ifndef BB_LIBCOMMON_SCOPE_H
#define BB_LIBCOMMON_SCOPE_H

#include <stddef.h>

#include "libcommon/err.h"

#define SCOPE_BYTES ((size_t)10 << 20) /* of all records */
#define SCOPE_DEPTH 128                /* components of a path */
#define SCOPE_PATH 4096                /* bytes of a path, as everywhere */

struct part {
	char letter;
	const char *path;
	size_t dir; /* bytes of path that are its directory's */
};

struct scope {
	struct part root;  /* letter 0: no scope, the whole directory */
	struct part *part; /* all others, sorted by directory, then by name */
	size_t n;
	char *text;
};

/* Read descriptor `fd` to its end. 0, E_BAD, E_TOO_LONG, E_NOMEM, E_SYS. Release s in
 * any case. */
must_use int scope_read(int fd, struct scope *s);
void scope_release(struct scope *s);
/* The entries of directory record `dir`: *n of them, sorted by name. */
const struct part *scope_entries(const struct scope *s, const struct part *dir,
    size_t *n);

#endif

/* The one order in which trees are read, and the directories that are not
 * walked. Used by bb-list and bb-search; depends on openat and getdents64 only
 * (no stat: the type comes from d_type; a DT_UNKNOWN entry is opened as a directory to
 * find out, and where that answers ENOTDIR it is left out and counted in `others`). */
#ifndef BB_LIBCOMMON_WALK_H
#define BB_LIBCOMMON_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/err.h"

/* True for names never entered (.git, node_modules, target, ...; the list of
 * tools-files 2). */
bool walk_skips(const char *name);

/* Open a directory to be read: openat(2) with exactly O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC
 * (the C library would add flags of its own, and filters compare the whole word).
 * A descriptor, or -1 with errno. */
int walk_open(int dir, const char *path);

enum walk_kind { WALK_FILE = 1, WALK_DIR = 2 };

struct walk_entry {
	const char *name; /* last component, borrowed until the next call */
	enum walk_kind kind;
};

/* One directory, read whole and sorted bytewise: own files first, then
 * subdirectories. Links, FIFOs, sockets and devices are left out and counted. */
struct walk_dir {
	struct walk_entry *e; /* files [0, files), directories [files, n) */
	size_t n, files;
	uint64_t links;  /* symbolic links left out */
	uint64_t others; /* FIFOs, sockets, devices left out */
	char *names;     /* storage */
	size_t e_room, names_room;
};

/* Read the directory open at fd (from its current offset; does not close it) into d,
 * which is all zero or was read into before: what that left is used again. One thread at
 * a time. 0, E_SYS, E_NOMEM, E_FULL when more than `most` entries (0 = no bound); then d
 * is all zero. */
must_use int walk_read(int fd, size_t most, struct walk_dir *d);
void walk_release(struct walk_dir *d);

#endif

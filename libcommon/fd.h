/* Descriptors: opening beneath a directory, placing, closing, and what they are. */
#ifndef BB_LIBCOMMON_FD_H
#define BB_LIBCOMMON_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libcommon/err.h"

/* Open `path` beneath directory descriptor `dir` with openat2(2) and
 * RESOLVE_BENEATH|RESOLVE_NO_SYMLINKS|RESOLVE_NO_MAGICLINKS. `flags` are open(2)
 * flags; O_CLOEXEC|O_NOCTTY are added. `path` is relative; "" and "." mean the
 * directory itself. Where openat2 is missing (before 5.6, or answered ENOSYS or
 * EPERM by an outer filter) components are walked one by one with
 * O_PATH|O_NOFOLLOW instead. Gives *out (-1 unless 0 is returned).
 * 0, E_OUTSIDE (a link, or it climbs), E_SYS. */
must_use int fd_beneath(int dir, const char *path, int flags, int *out);

/* Close every descriptor from `low` up: close_range(2), else the process's
 * descriptor directory, else a loop to the soft limit. 0 or E_SYS. */
must_use int fd_close_from(int low);

/* A sealed-able memory file. `name` shows in /proc only. Gives *fd, O_RDWR and
 * CLOEXEC, not executable where the kernel can say so (MFD_NOEXEC_SEAL, 6.3). */
must_use int fd_memory(const char *name, int *fd);
/* A second, differently opened view of descriptor fd by way of /proc/self/fd:
 * O_RDONLY or O_WRONLY with an offset of its own. Gives *out, CLOEXEC. */
must_use int fd_reopen(int fd, int flags, int *out);
/* Both ends CLOEXEC. Gives pair[0] (read) and pair[1] (write). */
must_use int fd_pipe(int pair[2]);
must_use int fd_nonblock(int fd, bool on);

#endif

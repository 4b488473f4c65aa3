/* Scope-bound ownership (bubblewrap's idea): a variable marked auto_* is
 * released when its scope ends, unless take_*() moved the value out. */
#ifndef BB_LIBCOMMON_OWN_H
#define BB_LIBCOMMON_OWN_H

#include <stdlib.h>
#include <unistd.h>

static inline void
own_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void
own_free(void *p)
{
	free(*(void **)p);
}

static inline int
take_fd(int *fd)
{
	int moved = *fd;

	*fd = -1;
	return moved;
}

static inline void *
own_take(void **p)
{
	void *moved = *p;

	*p = NULL;
	return moved;
}

#define auto_fd __attribute__((cleanup(own_close)))
#define auto_free __attribute__((cleanup(own_free)))
#define take_ptr(p) ((__typeof__(*(p)))own_take((void **)(p)))

#endif

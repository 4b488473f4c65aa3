/* A private copy of a held-back picture or PDF for the person to open, while they are asked
 * about it. It lies in the cache directory, under a lock that dies with bb. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "bin/bb/session/promote.h"
#include "libcommon/io.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

/* 16 hex digits and an extension: what a copy of ours is called. */
static bool
is_copy(const char *name)
{
	return strspn(name, "0123456789abcdef") == 16 && name[16] == '.';
}

/* Copies whose bb is gone: nobody holds their lock. */
static void
sweep(int dir)
{
	int again = dup(dir);
	DIR *d = again >= 0 ? fdopendir(again) : NULL;
	const struct dirent *e;

	if (d == NULL) {
		if (again >= 0)
			close(again);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		int fd;

		if (!is_copy(e->d_name))
			continue;
		fd = openat(dir, e->d_name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			(void)unlinkat(dir, e->d_name, 0);
		close(fd);
	}
	closedir(d);
}

int
copy_make(const struct buf *bytes, const char *media, char **path, int *fd)
{
	auto_buf struct buf dir = BUF_INIT, name = BUF_INIT;
	const char *kind = strrchr(media, '/') + 1;
	unsigned char noise[8];
	auto_fd int at = -1;

	*path = NULL;
	*fd = -1;
	if (path_cache(&dir) != 0 || buf_str(&dir, "/vetting") != 0 ||
	    path_private_dir(buf_cstr(&dir), 2, NULL) != 0 ||
	    (at = open(buf_cstr(&dir), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) <
	        0 ||
	    getrandom(noise, sizeof(noise), 0) != (ssize_t)sizeof(noise))
		return E_MISSING;
	sweep(at);
	for (size_t i = 0; i < sizeof(noise); i++)
		(void)buf_fmt(&name, "%02x", noise[i]);
	(void)buf_fmt(&name, ".%s", strcmp(kind, "jpeg") == 0 ? "jpg" : kind);
	*fd = openat(at, buf_cstr(&name),
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (*fd < 0)
		return E_MISSING;
	(void)buf_fmt(&dir, "/%s", buf_cstr(&name));
	*path = buf_take(&dir);
	/* SAFE: the lock comes before the first byte: a sweep takes no copy in use */
	if (*path != NULL && flock(*fd, LOCK_EX | LOCK_NB) == 0 &&
	    io_write(*fd, buf_cstr(bytes), bytes->len) == 0)
		return 0;
	(void)unlinkat(at, buf_cstr(&name), 0);
	close(*fd);
	*fd = -1;
	free(*path);
	*path = NULL;
	return E_MISSING;
}

void
copy_remove(char **path, int *fd)
{
	if (*path != NULL)
		(void)unlink(*path);
	free(*path);
	*path = NULL;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

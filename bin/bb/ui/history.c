/* The file of typed lines: the person's own, 0600, one line each, at most 1,000. Two
 * sessions may write it at once. */
#include "bin/bb/ui/line_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/io.h"
#include "libcommon/own.h"
#include "libcommon/utf8.h"

#define FILE_MOST ((size_t)8 << 20)

static int
locked(const char *path, int *out)
{
	auto_fd int fd = -1;
	struct stat st;

	*out = -1;
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || fstat(fd, &st) != 0)
		return E_SYS;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
		errno = EPERM;
		return E_SYS;
	}
	if ((st.st_mode & 077) != 0 && fchmod(fd, 0600) != 0)
		return E_SYS;
	if (flock(fd, LOCK_EX) != 0)
		return E_SYS;
	*out = take_fd(&fd);
	return 0;
}

/* Where the last `most` lines begin. */
static size_t
tail_of(const struct buf *b, size_t most)
{
	size_t at = b->len, lines = 0;

	while (at > 0) {
		if (b->p[at - 1] == '\n' && at < b->len && ++lines == most)
			return at;
		at--;
	}
	return 0;
}

int
history_load(const char *path, history_line fn, void *arg)
{
	auto_buf struct buf b = BUF_INIT;
	auto_fd int fd = -1;
	char *p;
	int r;

	b.cap = FILE_MOST;
	if ((r = locked(path, &fd)) != 0 || (r = io_pread_all(fd, &b)) != 0)
		return r;
	if (b.len == 0)
		return 0;
	p = b.p + tail_of(&b, HISTORY_MOST);
	for (char *nl; (nl = strchr(p, '\n')) != NULL; p = nl + 1) {
		*nl = '\0';
		if (utf8_valid(p, (size_t)(nl - p)) == (size_t)(nl - p) && nl > p)
			fn(arg, p);
	}
	return 0;
}

int
history_add(const char *path, const char *line)
{
	auto_buf struct buf b = BUF_INIT, all = BUF_INIT;
	auto_fd int fd = -1;
	size_t n = strlen(line), last, keep;
	int r;

	b.cap = FILE_MOST;
	if ((r = locked(path, &fd)) != 0 || (r = io_pread_all(fd, &b)) != 0)
		return r;
	if (b.len > 0 && b.p[b.len - 1] != '\n')
		buf_byte(&b, '\n');
	last = tail_of(&b, 1);
	if (b.len - last == n + 1 && memcmp(buf_cstr(&b) + last, line, n) == 0)
		return 0;
	keep = tail_of(&b, HISTORY_MOST - 1);
	if (keep == 0) {
		buf_fmt(&all, "%s\n", line);
		return all.failed ? E_NOMEM : io_write(fd, all.p, all.len);
	}
	buf_append(&all, b.p + keep, b.len - keep);
	buf_fmt(&all, "%s\n", line);
	if (all.failed)
		return E_NOMEM;
	/* in place, under the lock: a crash here loses typed lines and nothing else */
	if (ftruncate(fd, 0) != 0)
		return E_SYS;
	return io_write(fd, all.p, all.len);
}

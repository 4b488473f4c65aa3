/* Whole reads and writes. */
#include "libcommon/io.h"

#include <errno.h>
#include <unistd.h>

int
io_write(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t w = write(fd, at, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return E_SYS;
		at += w;
		n -= (size_t)w;
	}
	return 0;
}

int
io_read(int fd, void *p, size_t n)
{
	char *at = p;
	size_t got = 0;

	while (got < n) {
		ssize_t r = read(fd, at + got, n - got);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return E_SYS;
		if (r == 0)
			return got == 0 ? E_EOF : E_BAD;
		got += (size_t)r;
	}
	return 0;
}

static int
read_all(int fd, struct buf *b, bool positioned)
{
	off_t at = 0;

	for (;;) {
		size_t want = 65536;
		ssize_t r;
		int e;

		if (b->cap - b->len < want)
			want = b->cap - b->len;
		if (want == 0) { /* full: is there more? */
			char c;

			r = positioned ? pread(fd, &c, 1, at) : read(fd, &c, 1);
			if (r < 0 && errno == EINTR)
				continue;
			return r == 0 ? 0 : r > 0 ? E_TOO_LONG : E_SYS;
		}
		if ((e = buf_reserve(b, want)) != 0)
			return e;
		r = positioned ? pread(fd, b->p + b->len, want, at)
		               : read(fd, b->p + b->len, want);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return E_SYS;
		if (r == 0)
			return 0;
		at += r;
		b->len += (size_t)r;
		b->p[b->len] = '\0';
	}
}

int
io_read_all(int fd, struct buf *b)
{
	return read_all(fd, b, false);
}

int
io_pread_all(int fd, struct buf *b)
{
	return read_all(fd, b, true);
}

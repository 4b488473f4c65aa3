/* Descriptors: opening beneath a directory, closing, memory files. Trusts the kernel's
 * openat2; where it is missing every component is opened on its own without links. */
#include "libcommon/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcommon/own.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U /* Linux 6.3 */
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

static int
fault(void)
{
	/* EXDEV: it climbs or leaves; ELOOP: a link. EAGAIN: a race inside, asked again. */
	return errno == EXDEV || errno == ELOOP ? E_OUTSIDE : E_SYS;
}

/* Component by component, as O_PATH without links; only the last one is opened as asked. */
static int
beneath_slow(int dir, const char *path, int flags, int *out)
{
	auto_fd int at = fcntl(dir, F_DUPFD_CLOEXEC, 3);
	const char *p = path;

	if (at < 0)
		return E_SYS;
	for (;;) {
		char part[256];
		size_t n;
		const char *rest;
		int next;
		bool last;

		while (*p == '/')
			p++;
		n = strcspn(p, "/");
		if (n >= sizeof(part)) {
			errno = ENAMETOOLONG;
			return E_SYS;
		}
		rest = p + n;
		while (*rest == '/')
			rest++;
		last = *rest == '\0';
		if (last && p[n] == '/' &&
		    n > 0) { /* a trailing slash asks for a directory */
			if ((flags & O_CREAT) != 0) {
				errno = EISDIR;
				return E_SYS;
			}
			flags |= O_DIRECTORY;
		}
		memcpy(part, n > 0 ? p : ".", n > 0 ? n : 1);
		part[n > 0 ? n : 1] = '\0';
		if (strcmp(part, "..") == 0) {
			errno = EXDEV;
			return E_OUTSIDE;
		}
		next = openat(at, part,
		    (last ? flags : O_PATH | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC |
		        O_NOCTTY,
		    0666);
		if (next < 0) {
			struct stat st;
			int why = errno;

			/* A link in the middle fails as ENOTDIR with O_DIRECTORY: told apart. */
			if (why == ENOTDIR &&
			    fstatat(at, part, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			    S_ISLNK(st.st_mode))
				errno = ELOOP;
			else
				errno = why;
			return fault();
		}
		if (last && (flags & O_PATH) != 0) {
			struct stat st;

			if (fstat(next, &st) == 0 && S_ISLNK(st.st_mode)) {
				close(next);
				errno = ELOOP;
				return E_OUTSIDE;
			}
		}
		close(at);
		at = next;
		if (last)
			break;
		p = rest;
	}
	*out = take_fd(&at);
	return 0;
}

int
fd_beneath(int dir, const char *path, int flags, int *out)
{
	struct open_how how = {
	    .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC | O_NOCTTY),
	    .mode = (flags & O_CREAT) != 0 ? 0666 : 0,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	*out = -1;
	if (path[0] == '/') {
		errno = EXDEV;
		return E_OUTSIDE;
	}
	if ((flags & O_PATH) != 0) /* O_PATH takes none of the others */
		how.flags &= ~(uint64_t)O_NOCTTY;
	for (int tries = 0; tries < 100; tries++) {
		fd = syscall(SYS_openat2, dir, path[0] != '\0' ? path : ".", &how,
		    sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return beneath_slow(dir, path, flags, out);
	if (fd < 0)
		return fault();
	*out = (int)fd;
	return 0;
}

/* Close what one reading of the process's own list shows. How many were closed, or -1. */
static int
close_listed(int list, int low)
{
	char room[4096] __attribute__((aligned(8)));
	int closed = 0;
	long n;

	if (lseek(list, 0, SEEK_SET) < 0)
		return -1;
	while ((n = syscall(SYS_getdents64, list, room, sizeof(room))) > 0)
		for (long at = 0; at < n;) {
			const char *name =
			    room + at + 19; /* linux_dirent64, getdents64(2) */
			uint16_t len;
			int fd = 0;

			memcpy(&len, room + at + 16, sizeof(len));
			for (const char *p = name; *p >= '0' && *p <= '9'; p++)
				fd = fd * 10 + (*p - '0');
			if (*name >= '0' && *name <= '9' && fd >= low && fd != list)
				closed += close(fd) == 0;
			at += len;
		}
	return n < 0 ? -1 : closed;
}

static int
close_slow(int low)
{
	int list = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct rlimit l;
	rlim_t top = 1024;
	int n = -1;

	if (list >= 0) {
		/* Closing while reading may skip entries: repeated until a pass closes none. */
		while ((n = close_listed(list, low)) > 0)
			;
		close(list);
	}
	if (n == 0)
		return 0;
	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur != RLIM_INFINITY)
		top = l.rlim_cur;
	for (rlim_t fd = (rlim_t)low; fd < top; fd++)
		close((int)fd);
	return 0;
}

int
fd_close_from(int low)
{
	if (syscall(SYS_close_range, (unsigned)low, ~0u, 0u) == 0)
		return 0;
	return errno == ENOSYS || errno == EPERM ? close_slow(low) : E_SYS;
}

int
fd_memory(const char *name, int *fd)
{
	*fd = (int)syscall(SYS_memfd_create, name,
	    MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
	if (*fd < 0 && errno == EINVAL)
		*fd =
		    (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return *fd >= 0 ? 0 : E_SYS;
}

int
fd_reopen(int fd, int flags, int *out)
{
	char path[32] = "/proc/self/fd/";
	size_t n = strlen(path), k = 0;
	char digits[12];

	*out = -1;
	if (fd < 0) {
		errno = EBADF;
		return E_SYS;
	}
	do
		digits[k++] = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	while (k > 0)
		path[n++] = digits[--k];
	path[n] = '\0';
	*out = open(path, flags | O_CLOEXEC | O_NOCTTY);
	return *out >= 0 ? 0 : E_SYS;
}

int
fd_pipe(int pair[2])
{
	return pipe2(pair, O_CLOEXEC) == 0 ? 0 : E_SYS;
}

int
fd_nonblock(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return E_SYS;
	flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
	return fcntl(fd, F_SETFL, flags) == 0 ? 0 : E_SYS;
}

/* Paths as text, and the places where bb keeps things. */
#include "libcommon/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/own.h"

enum path_fault
path_check(const char *p, size_t n, bool file)
{
	bool blank = true;

	for (size_t i = 0; i < n; i++)
		blank &= p[i] == ' ' || p[i] == '\t' || p[i] == '\n';
	if (blank)
		return PATH_EMPTY;
	if (memchr(p, '\0', n) != NULL)
		return PATH_NUL;
	if (n > PATH_ARG_MAX)
		return PATH_LONG;
	for (size_t at = 0; at < n;) {
		const char *slash = memchr(p + at, '/', n - at);
		size_t len = slash != NULL ? (size_t)(slash - p) - at : n - at;

		if (len == 2 && p[at] == '.' && p[at + 1] == '.')
			return PATH_CLIMBS;
		if (len > PATH_COMPONENT_MAX)
			return PATH_LONG;
		at += len + 1;
	}
	if (file && p[n - 1] == '/')
		return PATH_TRAILING;
	return PATH_FINE;
}

int
path_normal(const char *p, struct buf *out)
{
	size_t start = out->len;
	int r = 0;

	if (p[0] == '/')
		r = buf_byte(out, '/');
	while (*p != '\0' && r == 0) {
		size_t n = strcspn(p, "/");

		if (n > 0 && !(n == 1 && p[0] == '.')) {
			if (out->len > start && out->p[out->len - 1] != '/')
				r = buf_byte(out, '/');
			if (r == 0)
				r = buf_append(out, p, n);
		}
		p += n + (p[n] == '/');
	}
	return r != 0 ? r : buf_append(out, "", 0);
}

int
path_join(const char *dir, const char *name, struct buf *out)
{
	struct buf b = BUF_INIT;
	int r = 0;

	if (name[0] != '/') {
		r = buf_str(&b, dir);
		if (r == 0)
			r = buf_byte(&b, '/');
	}
	if (r == 0)
		r = buf_str(&b, name);
	if (r == 0)
		r = path_normal(buf_cstr(&b), out);
	buf_release(&b);
	return r;
}

bool
path_covers(const char *dir, const char *path, const char **rest)
{
	size_t n = strlen(dir);

	if (n == 1 && dir[0] == '/')
		n = 0; /* the root covers every absolute path */
	else if (n == 0 && path[0] == '/')
		return false;
	if (strncmp(dir, path, n) != 0 || (path[n] != '\0' && path[n] != '/' && n > 0))
		return false;
	if (n == 0 && dir[0] == '/' && path[0] != '/')
		return false;
	if (rest != NULL)
		*rest = path + n;
	return true;
}

const char *
path_base(const char *p)
{
	const char *slash = strrchr(p, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : p;
}

const char *
path_home(void)
{
	const char *home = getenv("HOME");

	return home != NULL && home[0] == '/' ? home : NULL;
}

int
path_state(const char *override, struct buf *out)
{
	const char *xdg = getenv("XDG_STATE_HOME");

	if (override != NULL && override[0] != '\0')
		return buf_str(out, override);
	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return path_home() != NULL ? path_join(path_home(), ".local/state/bb", out)
	                           : E_MISSING;
}

int
path_cache(struct buf *out)
{
	const char *xdg = getenv("XDG_CACHE_HOME");

	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return path_home() != NULL ? path_join(path_home(), ".cache/bb", out) : E_MISSING;
}

int
path_config(struct buf *out)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");

	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return path_home() != NULL ? path_join(path_home(), ".config/bb", out)
	                           : E_MISSING;
}

int
path_runtime(const char *state, struct buf *out)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");

	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return state != NULL ? path_join(state, "run", out) : E_MISSING;
}

/* --- directories that are nobody else's --------------------------------------------- */

static bool
is_ours(uid_t owner)
{
	return owner == geteuid() || owner == 0;
}

/* Can others put something there, or (`sticky` does not help) take ours away? */
static bool
open_to_others(const struct stat *st, bool sticky)
{
	return ((st->st_mode & S_IWOTH) != 0 ||
	           ((st->st_mode & S_IWGRP) != 0 && st->st_uid != geteuid())) &&
	    (!sticky || (st->st_mode & S_ISVTX) == 0);
}

static int
refused(struct buf *why, const char *path, size_t n, const struct stat *st,
    const char *what)
{
	if (n == 0) {
		path = path[0] == '/' ? "/" : ".";
		n = 1;
	}
	if (why != NULL)
		(void)buf_fmt(why, "'%.*s' %s", (int)n, path, what);
	if (why != NULL && st != NULL)
		(void)buf_fmt(why, " (uid %u)", (unsigned)st->st_uid);
	errno = EPERM;
	return E_OUTSIDE;
}

/* A component of bb's own beneath `at`. SAFE: by descriptor and through no link, so that
 * only a directory that was seen to be ours is narrowed. */
static int
own_dir(int at, const char *name, const char *path, size_t n, struct buf *why, int *out)
{
	auto_fd int fd =
	    openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		int kept = errno;

		if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			if (S_ISLNK(st.st_mode))
				return refused(why, path, n, &st,
				    "is a link, and bb follows none here");
			if (S_ISDIR(st.st_mode) && st.st_uid != geteuid())
				return refused(why, path, n, &st,
				    "belongs to another user");
		}
		errno = kept;
		return E_SYS;
	}
	if (fstat(fd, &st) != 0)
		return E_SYS;
	if (st.st_uid != geteuid())
		return refused(why, path, n, &st, "belongs to another user");
	if ((st.st_mode & 077) != 0 && fchmod(fd, 0700) != 0)
		return E_SYS;
	*out = take_fd(&fd);
	return 0;
}

/* One that leads there: links may be followed, but nothing that another user put into a
 * directory that is open to others. */
static int
lead_dir(int at, const char *name, const char *path, size_t n, struct buf *why, int *out)
{
	struct stat dir, st;

	if (fstat(at, &dir) != 0 || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return E_SYS;
	if (open_to_others(&dir, false) && !is_ours(st.st_uid))
		return refused(why, path, n, &st,
		    S_ISLNK(st.st_mode) ? "is a link of another user"
		                        : "belongs to another user");
	*out = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return *out < 0 ? E_SYS : 0;
}

static int
may_hold_ours(int fd, const char *path, size_t n, struct buf *why)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return E_SYS;
	if (!is_ours(st.st_uid))
		return refused(why, path, n, &st, "belongs to another user");
	if (open_to_others(&st, true))
		return refused(why, path, n, NULL,
		    "can be written by other users: what bb keeps there could be "
		    "exchanged");
	return 0;
}

int
path_private_dir(const char *path, size_t own, struct buf *why)
{
	auto_buf struct buf name = BUF_INIT;
	auto_fd int fd =
	    open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	size_t left = 0, n;
	int r = fd < 0 ? E_SYS : 0;

	for (const char *p = path; *(p += strspn(p, "/")) != '\0'; p += strcspn(p, "/"))
		left++;
	for (const char *p = path, *to; r == 0 && *(to = p + strspn(p, "/")) != '\0';
	     p = to + n, left--) {
		auto_fd int next = -1;

		n = strcspn(to, "/");
		buf_clear(&name);
		if (buf_append(&name, to, n) != 0)
			return E_NOMEM;
		if (left == own &&
		    (r = may_hold_ours(fd, path, (size_t)(p - path), why)) != 0)
			break;
		if (mkdirat(fd, name.p, 0700) != 0 && errno != EEXIST)
			return E_SYS;
		r = left <= own
		    ? own_dir(fd, name.p, path, (size_t)(to - path) + n, why, &next)
		    : lead_dir(fd, name.p, path, (size_t)(to - path) + n, why, &next);
		if (r == 0) {
			close(fd);
			fd = take_fd(&next);
		}
	}
	return r;
}

int
path_helpers(struct buf *out)
{
	static const char installed[] = BB_PREFIX "/libexec/bb";
	char exe[PATH_ARG_MAX + 1], *slash;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct buf b = BUF_INIT;
	int r;

	if (n > 0) {
		exe[n] = '\0';
		if ((slash = strrchr(exe, '/')) != NULL) {
			*slash = '\0';
			if ((r = path_join(exe, "bb-read", &b)) != 0)
				goto out;
			if (access(buf_cstr(&b), X_OK) == 0) {
				r = buf_str(out, exe);
				goto out;
			}
			/* installed elsewhere than it was built for: PREFIX/bin/bb, PREFIX/libexec/bb */
			buf_clear(&b);
			if ((slash = strrchr(exe, '/')) != NULL) {
				*slash = '\0';
				if ((r = path_join(exe, "libexec/bb/bb-read", &b)) != 0)
					goto out;
				if (access(buf_cstr(&b), X_OK) == 0) {
					r = path_join(exe, "libexec/bb", out);
					goto out;
				}
			}
		}
	}
	r = access(installed, X_OK) == 0 ? buf_str(out, installed) : E_MISSING;
out:
	buf_release(&b);
	return r;
}

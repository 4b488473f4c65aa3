/* From a routing argument to a descriptor. Resolving only finds where the name
 * lands; opening starts again at the open directory's own descriptor, beneath it
 * and through no link, so nothing that changes in between can lead outside.
 * Trusts the reach (the person's) and nothing in the file system. */
#include "bin/bb/spawn/grant_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/fd.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

void
grant_release(struct grant *g)
{
	if (g == NULL)
		return;
	if (g->fd >= 0)
		close(g->fd);
	free(g->spelled);
	free(g->landed);
	*g = GRANT_INIT;
}

static enum grant_fault
system_fault(struct grant *g, int errnum)
{
	g->errnum = errnum;
	return GRANT_SYSTEM;
}

/* The kernel's reason for not opening something that lies inside. */
static enum grant_fault
errno_fault(struct grant *g, int errnum)
{
	switch (errnum) {
	case EACCES:
	case EPERM:
		return GRANT_DENIED;
	case ENOENT:
		return GRANT_MISSING;
	case ENAMETOOLONG:
		return GRANT_LONG;
	default:
		return system_fault(g, errnum);
	}
}

static enum grant_fault
type_fault(const struct stat *st, enum grant_want want)
{
	if (want == GRANT_DIR)
		return S_ISDIR(st->st_mode) ? GRANT_FINE : GRANT_NOT_DIRECTORY;
	if (S_ISDIR(st->st_mode))
		return GRANT_DIRECTORY;
	return S_ISREG(st->st_mode) ? GRANT_FINE : GRANT_NOT_REGULAR;
}

/* "/" + "a" is "/a"; a directory and nothing is the directory. */
static char *
key_of(const char *directory, const char *rest)
{
	auto_buf struct buf b = BUF_INIT;

	if (path_join(directory, rest, &b) != 0)
		return NULL;
	return buf_take(&b);
}

/* Take over where a walk ended. `from`: lowest index a landing may have. */
static enum grant_fault
landed(const struct reach *r, enum land_end e, struct landing *l, enum grant_want want,
    size_t from, struct grant *g)
{
	size_t i;

	free(g->landed);
	if ((g->landed = buf_take(&l->path)) == NULL)
		return system_fault(g, ENOMEM);
	g->linked = strcmp(g->landed, g->spelled) != 0;
	if (e == LAND_SYSTEM && l->errnum == ENOMEM)
		return system_fault(g, ENOMEM);
	/* SAFE: whatever happened outside is one and the same answer. */
	if ((i = reach_covering(r, g->landed)) >= r->n || i < from || e == LAND_REFUSED ||
	    reach_hidden(r, g->landed))
		return GRANT_OUTSIDE;
	g->root = i;
	if (e == LAND_LONG)
		return GRANT_LONG;
	if (e == LAND_SYSTEM)
		return errno_fault(g, l->errnum);
	if (e == LAND_MISSING)
		return l->missing != NULL && form_differs(l->parent, l->missing)
		    ? GRANT_MISSING_FORM
		    : GRANT_MISSING;
	g->st = l->st;
	return reach_hides(r, &g->st) ? GRANT_OUTSIDE : type_fault(&g->st, want);
}

/* Resolve `rest`, which is normal and relative, beneath open directory i. */
static enum grant_fault
resolve_in(const struct reach *r, size_t i, const char *rest, enum grant_want want,
    struct grant *g)
{
	auto_fd int fd = -1;
	struct landing l;
	enum grant_fault f;
	int e;

	free(g->spelled);
	if ((g->spelled = key_of(r->v[i].path, rest)) == NULL)
		return system_fault(g, ENOMEM);
	g->root = i;
	/* No link on the way: then it lands where it is spelled. */
	e = fd_beneath(r->v[i].fd, rest, O_PATH, &fd);
	if (e == 0 || (e == E_SYS && errno == EACCES)) {
		int kept = errno;

		if ((g->landed = strdup(g->spelled)) == NULL)
			return system_fault(g, ENOMEM);
		/* SAFE: before anything is said of it, bb's own is as good as outside. */
		if (reach_hidden(r, g->landed))
			return GRANT_OUTSIDE;
		if (e != 0)
			return errno_fault(g, kept);
		if (fstat(fd, &g->st) < 0)
			return errno_fault(g, errno);
		return reach_hides(r, &g->st) ? GRANT_OUTSIDE : type_fault(&g->st, want);
	}
	f = landed(r, land(r->v[i].fd, r->v[i].path, rest, NULL, &l), &l, want, 0, g);
	landing_release(&l);
	return f;
}

/* An absolute name may go to an added directory only: by its text, by another
 * name of the directory, or by a link that ends in one. */
static enum grant_fault
resolve_absolute(const struct reach *r, const char *name, enum grant_want want,
    struct grant *g)
{
	auto_buf struct buf key = BUF_INIT;
	auto_fd int top = -1;
	struct landing l;
	enum land_end e;
	enum grant_fault f;
	const char *rest;
	size_t i;

	if (path_normal(name, &key) != 0 || (g->spelled = strdup(buf_cstr(&key))) == NULL)
		return system_fault(g, ENOMEM);
	if ((i = reach_covering(r, key.p)) < r->n) {
		(void)path_covers(r->v[i].path, key.p, &rest);
		f = resolve_in(r, i, rest + strspn(rest, "/"), want, g);
		return i == 0 ? GRANT_OUTSIDE : f;
	}
	if ((top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
		return system_fault(g, errno);
	e = land(top, "/", key.p + 1, r, &l);
	if (e == LAND_MATCH) {
		rest = buf_cstr(&l.rest);
		f = resolve_in(r, l.root, rest + strspn(rest, "/"), want, g);
		if (l.root == 0)
			f = GRANT_OUTSIDE;
	} else
		f = landed(r, e, &l, want, 1, g);
	landing_release(&l);
	return f;
}

/* `~` and `~/x` with the home put in; anything else as it is. NULL: no home, or
 * no memory. Gives. */
static char *
expand(const char *p, size_t n, bool *no_home)
{
	auto_buf struct buf b = BUF_INIT;
	const char *home;

	*no_home = false;
	if (n > 0 && p[0] == '~' && (n == 1 || p[1] == '/')) {
		if ((home = path_home()) == NULL) {
			*no_home = true;
			return NULL;
		}
		buf_str(&b, home);
		p++, n--;
	}
	if (buf_append(&b, p, n) != 0)
		return NULL;
	return buf_take(&b);
}

enum grant_fault
grant_resolve(const struct reach *r, const char *p, size_t n, enum grant_want want,
    struct grant *g)
{
	enum path_fault pf = path_check(p, n, want == GRANT_FILE);
	auto_free char *name = NULL;
	auto_buf struct buf rest = BUF_INIT;
	enum grant_fault f;
	bool no_home;

	*g = GRANT_INIT;
	if (pf == PATH_EMPTY)
		return GRANT_EMPTY;
	if (pf == PATH_NUL)
		return GRANT_NUL;
	if ((name = expand(p, n, &no_home)) == NULL)
		return no_home ? GRANT_NO_HOME : system_fault(g, ENOMEM);
	if (pf == PATH_CLIMBS || pf == PATH_LONG) {
		g->spelled = key_of(r->v[0].path, name);
		return pf == PATH_LONG ? GRANT_LONG : GRANT_CLIMBS;
	}
	if (name[0] == '/')
		f = resolve_absolute(r, name, want, g);
	else if (path_normal(name, &rest) != 0)
		return system_fault(g, ENOMEM);
	else
		f = resolve_in(r, 0, buf_cstr(&rest), want, g);
	return pf == PATH_TRAILING && f != GRANT_OUTSIDE ? GRANT_TRAILING : f;
}

enum grant_fault
grant_resolve_key(const struct reach *r, const char *key, enum grant_want want,
    struct grant *g)
{
	const char *rest;
	size_t i = reach_covering(r, key);

	*g = GRANT_INIT;
	if (i >= r->n) {
		g->spelled = strdup(key);
		return GRANT_OUTSIDE;
	}
	(void)path_covers(r->v[i].path, key, &rest);
	return resolve_in(r, i, rest + strspn(rest, "/"), want, g);
}

enum grant_fault
grant_open(const struct reach *r, enum grant_want want, struct grant *g)
{
	auto_fd int fd = -1;
	const char *rest;
	struct stat st;
	int e, flags = O_RDONLY | O_NONBLOCK | (want == GRANT_DIR ? O_DIRECTORY : 0);

	if (g->landed == NULL || g->root >= r->n)
		bug("opening what was not resolved");
	if (g->fd >= 0)
		close(take_fd(&g->fd));
	/* The reach can have changed since (a directory closed). */
	if (!path_covers(r->v[g->root].path, g->landed, &rest))
		return GRANT_OUTSIDE;
	e = fd_beneath(r->v[g->root].fd, rest + strspn(rest, "/"), flags, &fd);
	/* Not to be opened at all: it is of another type by now. */
	if (e == E_OUTSIDE ||
	    (e == E_SYS &&
	        (errno == ENOTDIR || errno == ENXIO || errno == ELOOP || errno == EXDEV ||
	            errno == ENODEV || errno == EISDIR)))
		return GRANT_CHANGED;
	if (e != 0)
		return e == E_SYS ? errno_fault(g, errno) : system_fault(g, ENOMEM);
	if (fstat(fd, &st) < 0)
		return errno_fault(g, errno);
	/* What the name leads to may have changed since it was resolved. */
	if (type_fault(&st, want) != GRANT_FINE || reach_hides(r, &st) ||
	    reach_hidden(r, g->landed))
		return GRANT_CHANGED;
	if (fcntl(fd, F_SETFL, 0) < 0)
		return errno_fault(g, errno);
	g->st = st;
	g->fd = take_fd(&fd);
	return GRANT_FINE;
}

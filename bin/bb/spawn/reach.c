/* The directories file tools can reach. Named by the person alone (the command
 * line, /add-dir, /cd), so a name here may go through links and `..`; what is
 * kept is the canonical path and a descriptor, and every later opening starts at
 * the descriptor. */
#include "bin/bb/spawn/grant_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/fd.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

static void
root_release(struct root *o)
{
	if (o->fd >= 0)
		close(o->fd);
	free(o->path);
	*o = (struct root){.fd = -1};
}

/* Open a directory by a person's name for it, read from `base`. */
static int
root_open(const char *base, const char *directory, struct root *o)
{
	auto_buf struct buf name = BUF_INIT;
	auto_free char *canonical = NULL;
	auto_fd int top = -1, fd = -1;
	struct stat st;
	int r;

	*o = (struct root){.fd = -1};
	if (directory[0] == '\0') {
		errno = ENOENT;
		return E_SYS;
	}
	if (base != NULL && directory[0] != '/')
		buf_fmt(&name, "%s/", base);
	if (buf_str(&name, directory) != 0)
		return E_NOMEM;
	if ((canonical = realpath(name.p, NULL)) == NULL)
		return E_SYS;
	if ((top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
		return E_SYS;
	/* SAFE: without links, so that the descriptor is what the path names. */
	if ((r = fd_beneath(top, canonical + 1, O_PATH | O_DIRECTORY, &fd)) != 0) {
		if (r == E_OUTSIDE)
			errno = ELOOP;
		return E_SYS;
	}
	if (fstat(fd, &st) < 0)
		return E_SYS;
	o->fd = take_fd(&fd);
	o->path = take_ptr(&canonical);
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	return 0;
}

static bool
root_same(const struct root *a, const struct root *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

int
reach_new(const char *workspace, struct reach **out)
{
	struct reach *r;
	int e;

	*out = NULL;
	if ((r = calloc(1, sizeof(*r))) == NULL ||
	    (r->v = calloc(1, sizeof(*r->v))) == NULL) {
		free(r);
		return E_NOMEM;
	}
	if ((e = root_open(NULL, workspace, &r->v[0])) != 0) {
		int kept = errno;

		free(r->v);
		free(r);
		errno = kept;
		return e;
	}
	r->n = 1;
	*out = r;
	return 0;
}

void
reach_free(struct reach *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++)
		root_release(&r->v[i]);
	for (size_t i = 0; i < r->n_hidden; i++)
		free(r->hidden[i]);
	free(r->hidden);
	free(r->v);
	free(r);
}

/* The canonical form of a path that may not exist yet: its longest existing part
 * resolved, the rest as written. NULL when memory ran out. */
static char *
canonical_of(const char *path)
{
	auto_buf struct buf whole = BUF_INIT, rest = BUF_INIT, out = BUF_INIT;
	auto_free char *cwd = NULL;

	if (path[0] != '/' && (cwd = realpath(".", NULL)) == NULL)
		return NULL;
	if (path_join(cwd != NULL ? cwd : "/", path, &whole) != 0)
		return NULL;
	for (;;) {
		auto_free char *there = realpath(whole.p, NULL);
		char *slash;

		if (there != NULL)
			return path_join(there, buf_cstr(&rest), &out) == 0
			    ? buf_take(&out)
			    : NULL;
		if ((slash = strrchr(whole.p, '/')) == NULL || whole.p[1] == '\0')
			return NULL;
		auto_buf struct buf longer = BUF_INIT;

		if (path_join(slash + 1, buf_cstr(&rest), &longer) != 0)
			return NULL;
		buf_clear(&rest);
		(void)buf_str(&rest, buf_cstr(&longer));
		whole.len = (size_t)(slash - whole.p);
		if (whole.len == 0)
			whole.len = 1;
		whole.p[whole.len] = '\0';
	}
}

int
reach_hide(struct reach *r, const char *path)
{
	char *canonical = canonical_of(path), **more;

	if (canonical == NULL)
		return E_NOMEM;
	more = reallocarray(r->hidden, r->n_hidden + 1, sizeof(*more));
	if (more == NULL) {
		free(canonical);
		return E_NOMEM;
	}
	r->hidden = more;
	r->hidden[r->n_hidden++] = canonical;
	return 0;
}

bool
reach_hidden(const struct reach *r, const char *canonical)
{
	for (size_t i = 0; i < r->n_hidden; i++)
		if (path_covers(r->hidden[i], canonical, NULL))
			return true;
	return false;
}

size_t
reach_hidden_count(const struct reach *r)
{
	return r->n_hidden;
}

const char *
reach_hidden_path(const struct reach *r, size_t i)
{
	return r->hidden[i];
}

int
reach_add(struct reach *r, const char *directory)
{
	struct root o, *more;
	int e;

	if ((e = root_open(r->v[0].path, directory, &o)) != 0)
		return e;
	for (size_t i = 0; i < r->n; i++)
		if (root_same(&r->v[i], &o) || path_covers(r->v[i].path, o.path, NULL)) {
			root_release(&o);
			return E_DUP;
		}
	if (path_covers(o.path, r->v[0].path, NULL)) {
		root_release(&o);
		return E_STATE;
	}
	if ((more = realloc(r->v, (r->n + 1) * sizeof(*more))) == NULL) {
		root_release(&o);
		return E_NOMEM;
	}
	r->v = more;
	r->v[r->n++] = o;
	return 0;
}

int
reach_cd(struct reach *r, const char *directory)
{
	struct root o;
	size_t kept = 1;
	int e;

	if ((e = root_open(r->v[0].path, directory, &o)) != 0)
		return e;
	root_release(&r->v[0]);
	r->v[0] = o;
	for (size_t i = 1; i < r->n; i++) {
		if (root_same(&r->v[i], &o) || path_covers(r->v[i].path, o.path, NULL) ||
		    path_covers(o.path, r->v[i].path, NULL))
			root_release(&r->v[i]);
		else
			r->v[kept++] = r->v[i];
	}
	r->n = kept;
	return 0;
}

size_t
reach_count(const struct reach *r)
{
	return r->n;
}

const char *
reach_path(const struct reach *r, size_t i)
{
	if (i >= r->n)
		bug("no such open directory");
	return r->v[i].path;
}

int
reach_fd(const struct reach *r, size_t i)
{
	if (i >= r->n)
		bug("no such open directory");
	return r->v[i].fd;
}

size_t
reach_covering(const struct reach *r, const char *path)
{
	size_t best = r->n;

	for (size_t i = 0; i < r->n; i++)
		if (path_covers(r->v[i].path, path, NULL) &&
		    (best == r->n || strlen(r->v[i].path) < strlen(r->v[best].path)))
			best = i;
	return best;
}

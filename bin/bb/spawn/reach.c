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
	free(r->v);
	free(r);
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

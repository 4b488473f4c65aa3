/* The directories file tools can reach. Named by the person alone (the command
 * line, /add-dir, /cd), so a name here may go through links and `..`; what is
 * kept is the canonical path and a descriptor, and every later opening starts at
 * the descriptor. */
#include "bin/bb/spawn/grant_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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
	same_release(&o->way);
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
	if ((r = same_walk(-1, canonical, 0, &o->way)) != 0) {
		same_release(&o->way);
		return r;
	}
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

static void
hidden_release(struct hidden *h)
{
	free(h->path);
	same_release(&h->way);
}

void
reach_free(struct reach *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++)
		root_release(&r->v[i]);
	for (size_t i = 0; i < r->n_hidden; i++)
		hidden_release(&r->hidden[i]);
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
	char *canonical = canonical_of(path);
	struct hidden *more;

	if (canonical == NULL)
		return E_NOMEM;
	more = reallocarray(r->hidden, r->n_hidden + 1, sizeof(*more));
	if (more == NULL) {
		free(canonical);
		return E_NOMEM;
	}
	r->hidden = more;
	r->hidden[r->n_hidden++] = (struct hidden){.path = canonical};
	return 0;
}

int
reach_hide_fd(struct reach *r, int fd)
{
	char link[32], path[PATH_ARG_MAX + 1];
	struct stat st, named;
	ssize_t n;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	r->hidden_dev = st.st_dev;
	r->hidden_ino = st.st_ino;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return 0;
	path[n] = '\0';
	/* A removed file has no name left: its link reads otherwise. */
	if (stat(path, &named) != 0 || named.st_dev != st.st_dev ||
	    named.st_ino != st.st_ino)
		return 0;
	return reach_hide(r, path);
}

bool
reach_hides(const struct reach *r, const struct stat *st)
{
	return r->hidden_ino != 0 && st->st_ino == r->hidden_ino &&
	    st->st_dev == r->hidden_dev;
}

int
reach_walk(const struct reach *r, const char *key, struct same_way *w)
{
	size_t i = reach_covering(r, key);
	int e;

	if (i >= r->n)
		return same_walk(-1, key, 0, w);
	if ((e = same_copy(&r->v[i].way, w)) != 0)
		return e;
	return same_walk(r->v[i].fd, key,
	    strcmp(r->v[i].path, "/") == 0 ? 0 : strlen(r->v[i].path), w);
}

/* Is there such an object now? Walked again only when it is another. */
static enum same_answer
hidden_now(struct hidden *h)
{
	struct stat st;

	if (lstat(h->path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES
		    ? SAME_NO
		    : SAME_UNSURE;
	if (h->way.whole && h->dev == st.st_dev && h->ino == st.st_ino)
		return SAME_YES;
	same_release(&h->way);
	h->dev = st.st_dev;
	h->ino = st.st_ino;
	return same_walk(-1, h->path, 0, &h->way) == 0 ? SAME_YES : SAME_UNSURE;
}

static bool
hidden_by_identity(const struct reach *r, const char *canonical, bool beneath)
{
	struct same_way way = SAME_WAY_INIT;
	bool yes = r->n_hidden > 0 && reach_walk(r, canonical, &way) != 0;

	for (size_t i = 0; !yes && i < r->n_hidden; i++) {
		auto_buf struct buf name = BUF_INIT;
		struct hidden *h = &r->hidden[i];
		enum same_answer a = hidden_now(h);

		if (a == SAME_YES)
			a = beneath
			    ? same_holds(&way, canonical, &h->way, h->path)
			    : same_within(&way, canonical, &h->way, h->path, &name);
		yes = a != SAME_NO;
	}
	same_release(&way);
	return yes;
}

bool
reach_hidden(const struct reach *r, const char *canonical)
{
	for (size_t i = 0; i < r->n_hidden; i++)
		if (path_covers(r->hidden[i].path, canonical, NULL))
			return true;
	/* SAFE: bb's own stays out of reach whatever it is called. */
	return hidden_by_identity(r, canonical, false);
}

bool
reach_hides_beneath(const struct reach *r, const char *canonical)
{
	for (size_t i = 0; i < r->n_hidden; i++)
		if (path_covers(canonical, r->hidden[i].path, NULL) &&
		    strcmp(canonical, r->hidden[i].path) != 0)
			return true;
	return hidden_by_identity(r, canonical, true);
}

size_t
reach_hidden_count(const struct reach *r)
{
	return r->n_hidden;
}

const char *
reach_hidden_path(const struct reach *r, size_t i)
{
	return r->hidden[i].path;
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

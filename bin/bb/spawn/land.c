/* Where a name lands: a walk of its own instead of the kernel's, because it must
 * also say where a dangling link would land and must never take a magic link
 * (/proc/self/fd/N names the supervisor's own files). Trusts nothing it walks
 * over; what it finds is a name, and grant.c opens that name again without
 * links, so that a race here can only make the opening fail. */
#include "bin/bb/spawn/grant_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <utf8proc.h>

#include "libcommon/own.h"
#include "libcommon/path.h"

#define FORM_ENTRIES 65536 /* entries looked at for the hint on Unicode forms */

struct walker {
	int at;          /* where we stand, O_PATH, owned */
	struct buf todo; /* names left */
	size_t outer;    /* bytes of todo behind the outermost link being followed */
	unsigned links;  /* followed in all */
	unsigned chain;  /* followed since the last one that led somewhere */
};

void
landing_release(struct landing *l)
{
	if (l->parent >= 0)
		close(l->parent);
	l->parent = -1;
	free(l->missing);
	l->missing = NULL;
	buf_release(&l->path);
	buf_release(&l->rest);
}

/* Cut the first component off todo into name. Its length, 0 at the end; one that no
 * file system takes is left uncut. */
static size_t
next_name(struct walker *w, char name[PATH_COMPONENT_MAX + 1])
{
	const char *p = buf_cstr(&w->todo);
	size_t skip = strspn(p, "/"), n = strcspn(p + skip, "/");

	if (n <= PATH_COMPONENT_MAX) {
		memcpy(name, p + skip, n);
		name[n] = '\0';
		buf_drop(&w->todo, skip + n);
	}
	return n;
}

/* Put a link's text before the names left. */
static enum land_end
follow(struct walker *w, int link, struct landing *l)
{
	char text[PATH_ARG_MAX + 1];
	auto_buf struct buf names = BUF_INIT;
	struct statfs fs;
	ssize_t n;

	/* SAFE: on procfs a link's text is not what it leads to. */
	if (fstatfs(link, &fs) < 0 || fs.f_type == PROC_SUPER_MAGIC)
		return LAND_REFUSED;
	if (++w->links > LAND_LINKS ||
	    (n = readlinkat(link, "", text, sizeof(text))) <= 0)
		return LAND_REFUSED;
	if ((size_t)n == sizeof(text))
		return LAND_LONG;
	if (++w->chain == 1)
		w->outer = w->todo.len + 1;
	buf_append(&names, text, (size_t)n);
	buf_byte(&names, '/');
	if (buf_append(&names, buf_cstr(&w->todo), w->todo.len) != 0) {
		l->errnum = ENOMEM;
		return LAND_SYSTEM;
	}
	buf_release(&w->todo);
	w->todo = names;
	names = BUF_INIT;
	if (text[0] == '/') {
		int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (top < 0)
			return LAND_REFUSED;
		close(w->at);
		w->at = top;
		buf_clear(&l->path);
	}
	return LAND_EXISTS;
}

/* `name` is not in the directory we stand in: the rest is missing with it. */
static enum land_end
missing(struct walker *w, const char *name, struct landing *l)
{
	const char *rest = buf_cstr(&w->todo);
	auto_buf struct buf tail = BUF_INIT;

	if (w->chain > LAND_DANGLING)
		return LAND_REFUSED;
	/* SAFE: `..` behind something missing cannot be examined. */
	for (const char *p = rest; *p != '\0';) {
		size_t n = strcspn(p, "/");

		if (n == 2 && p[0] == '.' && p[1] == '.')
			return LAND_REFUSED;
		p += n + (p[n] == '/');
	}
	rest += strspn(rest, "/");
	buf_byte(&l->path, '/');
	buf_str(&l->path, name);
	if (path_normal(rest, &tail) != 0) {
		l->errnum = ENOMEM;
		return LAND_SYSTEM;
	}
	if (tail.len > 0) {
		buf_byte(&l->path, '/');
		buf_str(&l->path, tail.p);
	} else {
		l->parent = take_fd(&w->at);
		l->missing = strdup(name);
	}
	return LAND_MISSING;
}

static void
up(struct buf *path)
{
	char *slash = path->len > 0 ? strrchr(path->p, '/') : NULL;

	if (slash != NULL) {
		path->len = (size_t)(slash - path->p);
		*slash = '\0';
	}
}

/* Go one name further. LAND_EXISTS with *more: not at the end yet. */
static enum land_end
step(struct walker *w, const struct reach *match, struct landing *l, bool *more)
{
	char name[PATH_COMPONENT_MAX + 1];
	auto_fd int next = -1;
	bool climbs;
	size_t n;

	*more = false;
	/* Behind the text of the links: they led somewhere. */
	buf_drop(&w->todo, strspn(buf_cstr(&w->todo), "/"));
	if (w->todo.len <= w->outer)
		w->chain = 0;
	if ((n = next_name(w, name)) == 0)
		return LAND_EXISTS;
	if (n > PATH_COMPONENT_MAX)
		return LAND_LONG;
	*more = true;
	if (strcmp(name, ".") == 0)
		return LAND_EXISTS;
	climbs = strcmp(name, "..") == 0;
	next = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0 && !climbs && (errno == ENOENT || errno == ENOTDIR))
		return missing(w, name, l);
	if (next < 0 && errno == ENAMETOOLONG)
		return LAND_LONG;
	if (next < 0 || fstat(next, &l->st) < 0)
		return LAND_REFUSED;
	if (S_ISLNK(l->st.st_mode))
		return follow(w, next, l);
	close(w->at);
	w->at = take_fd(&next);
	if (climbs)
		up(&l->path);
	else {
		buf_byte(&l->path, '/');
		buf_str(&l->path, name);
	}
	/* Only what is spelled is looked up, not what a link says. */
	if (w->chain > 0 && w->todo.len > w->outer)
		return LAND_EXISTS;
	for (size_t i = 0; match != NULL && i < match->n; i++)
		if (match->v[i].dev == l->st.st_dev && match->v[i].ino == l->st.st_ino) {
			l->root = i;
			buf_str(&l->rest, buf_cstr(&w->todo));
			return LAND_MATCH;
		}
	return LAND_EXISTS;
}

enum land_end
land(int from, const char *from_path, const char *names, const struct reach *match,
    struct landing *l)
{
	struct walker w = {.at = -1, .todo = BUF_INIT};
	enum land_end e = LAND_SYSTEM;
	bool more;

	*l = (struct landing){.parent = -1, .path = BUF_INIT, .rest = BUF_INIT};
	if (strcmp(from_path, "/") != 0)
		buf_str(&l->path, from_path);
	buf_str(&w.todo, names);
	if ((w.at = fcntl(from, F_DUPFD_CLOEXEC, 0)) < 0 || fstat(w.at, &l->st) < 0)
		l->errnum = errno;
	else
		do
			e = step(&w, match, l, &more);
		while (e == LAND_EXISTS && more);
	if (l->path.len == 0)
		buf_byte(&l->path, '/');
	if (l->path.failed || l->rest.failed || w.todo.failed) {
		l->errnum = ENOMEM;
		e = LAND_SYSTEM;
	}
	if (w.at >= 0)
		close(w.at);
	buf_release(&w.todo);
	return e;
}

static char *
composed(const char *name)
{
	utf8proc_uint8_t *out = NULL;

	if (utf8proc_map((const utf8proc_uint8_t *)name, 0, &out,
	        UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE) < 0)
		return NULL;
	return (char *)out;
}

static bool
ascii(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s >= 0x80)
			return false;
	return true;
}

bool
form_differs(int parent, const char *name)
{
	auto_free char *want = NULL;
	struct dirent *d;
	unsigned found = 0, seen = 0;
	DIR *dir;
	int fd;

	/* Of ASCII only these three are another character's composed form. */
	if (ascii(name) && strpbrk(name, "K;`") == NULL)
		return false;
	if ((want = composed(name)) == NULL)
		return false;
	if ((fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)) <
	    0)
		return false;
	if ((dir = fdopendir(fd)) == NULL) {
		close(fd);
		return false;
	}
	while (found < 2 && seen++ < FORM_ENTRIES && (d = readdir(dir)) != NULL) {
		auto_free char *form = NULL;

		if (ascii(d->d_name) || strcmp(d->d_name, name) == 0)
			continue;
		form = composed(d->d_name);
		found += form != NULL && strcmp(form, want) == 0;
	}
	closedir(dir);
	return found == 1;
}

/* Identity by device and inode along a path, and by the kernel's own table of mounts
 * where a mount shows a part of a tree whose upper directories are not met on the way.
 * Trusts the kernel; a name is never believed to be the only one. */
#include "libcommon/same.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libcommon/own.h"
#include "libcommon/path.h"

void
same_release(struct same_way *w)
{
	free(w->v);
	*w = SAME_WAY_INIT;
}

static int
push(struct same_way *w, const struct same_id *id)
{
	if (w->n == w->room) {
		size_t room = w->room == 0 ? 8 : 2 * w->room;
		struct same_id *v = reallocarray(w->v, room, sizeof(*v));

		if (v == NULL)
			return E_NOMEM;
		w->v = v;
		w->room = room;
	}
	w->v[w->n++] = *id;
	return 0;
}

int
same_copy(const struct same_way *from, struct same_way *to)
{
	int r = 0;

	*to = SAME_WAY_INIT;
	for (size_t i = 0; i < from->n && r == 0; i++)
		r = push(to, &from->v[i]);
	to->whole = from->whole;
	if (r != 0)
		same_release(to);
	return r;
}

/* What is open at fd. *link: it is one, and nothing is appended. */
static int
meet(int fd, size_t end, struct same_way *w, bool *link)
{
	struct same_id id = {.end = end};
	struct statx x;
	struct stat st;

	*link = false;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &x) == 0) {
		*link = S_ISLNK(x.stx_mode);
		id.dev = ((uint64_t)x.stx_dev_major << 32) | x.stx_dev_minor;
		id.ino = x.stx_ino;
		if ((x.stx_mask & STATX_MNT_ID) != 0)
			id.mount = x.stx_mnt_id;
		id.top = (x.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
	} else if (fstat(fd, &st) == 0) { /* before 4.11, or refused by an outer filter */
		*link = S_ISLNK(st.st_mode);
		id.dev = ((uint64_t)major(st.st_dev) << 32) | minor(st.st_dev);
		id.ino = st.st_ino;
	} else {
		return E_SYS;
	}
	return *link ? 0 : push(w, &id);
}

int
same_walk(int dir, const char *key, size_t from, struct same_way *w)
{
	auto_fd int at = dir < 0 ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)
	                         : fcntl(dir, F_DUPFD_CLOEXEC, 0);
	const char *p = key + from;
	bool link;
	int r;

	w->whole = false;
	if (at < 0)
		return E_SYS;
	if (dir < 0 && (r = meet(at, 0, w, &link)) != 0)
		return r;
	for (;;) {
		char name[PATH_COMPONENT_MAX + 1];
		int next;
		size_t n;

		p += strspn(p, "/");
		if ((n = strcspn(p, "/")) == 0)
			break;
		if (n > PATH_COMPONENT_MAX)
			return 0;
		memcpy(name, p, n);
		name[n] = '\0';
		/* What no open can go through leads to no object either. */
		if (strcmp(name, "..") == 0)
			return 0;
		next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return errno == ENOENT || errno == ENOTDIR || errno == EACCES ||
			        errno == ENAMETOOLONG
			    ? 0
			    : E_SYS;
		close(at);
		at = next;
		p += n;
		if ((r = meet(at, (size_t)(p - key), w, &link)) != 0 || link)
			return r;
	}
	w->whole = true;
	return 0;
}

/* --- the table of mounts ---------------------------------------------------------------- */

struct mount {
	uint64_t id;
	char device[32]; /* major:minor */
	char *root;      /* the part of the file system it shows */
	char *point;     /* where */
};
static struct {
	int fd; /* kept open: the kernel says on it when the table has changed */
	bool read;
	struct mount *v;
	size_t n;
} mounts = {.fd = -1};

static void
mounts_forget(void)
{
	for (size_t i = 0; i < mounts.n; i++) {
		free(mounts.v[i].root);
		free(mounts.v[i].point);
	}
	free(mounts.v);
	mounts.v = NULL;
	mounts.n = 0;
	mounts.read = false;
}

/* Blank, tab, newline and backslash stand as \ooo. In place. */
static void
unescape(char *s)
{
	char *to = s;

	for (const char *p = s; *p != '\0';) {
		if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' &&
		    p[2] <= '7' && p[3] >= '0' && p[3] <= '7') {
			*to++ = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + p[3] - '0');
			p += 4;
		} else {
			*to++ = *p++;
		}
	}
	*to = '\0';
}

/* One line: id parent major:minor root point … */
static bool
mount_line(char *line)
{
	char *field[5], *save = NULL;
	struct mount m = {0}, *v;

	for (size_t i = 0; i < 5; i++)
		if ((field[i] = strtok_r(i == 0 ? line : NULL, " ", &save)) == NULL)
			return false;
	if (strlen(field[2]) >= sizeof(m.device))
		return false;
	unescape(field[3]);
	unescape(field[4]);
	m.id = strtoull(field[0], NULL, 10);
	memcpy(m.device, field[2], strlen(field[2]) + 1);
	if ((v = reallocarray(mounts.v, mounts.n + 1, sizeof(*v))) == NULL)
		return false;
	mounts.v = v;
	m.root = strdup(field[3]);
	m.point = strdup(field[4]);
	mounts.v[mounts.n++] = m;
	return m.root != NULL && m.point != NULL;
}

/* The table as it is now. False: it cannot be read. */
static bool
mounts_now(void)
{
	struct pollfd p = {.events = POLLPRI};
	auto_buf struct buf text = BUF_INIT;
	char part[8192], *save = NULL;
	ssize_t n;

	if (mounts.fd < 0 &&
	    (mounts.fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	p.fd = mounts.fd;
	/* Asked before it is read: a change in between is seen the next time. */
	if (poll(&p, 1, 0) < 0 || (p.revents & (POLLPRI | POLLERR)) != 0)
		mounts.read = false;
	if (mounts.read)
		return true;
	mounts_forget();
	if (lseek(mounts.fd, 0, SEEK_SET) < 0)
		return false;
	while ((n = read(mounts.fd, part, sizeof(part))) > 0)
		(void)buf_append(&text, part, (size_t)n);
	if (n < 0 || text.failed || text.len == 0)
		return false;
	for (char *line = strtok_r(text.p, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save))
		if (!mount_line(line)) {
			mounts_forget();
			return false;
		}
	mounts.read = true;
	return true;
}

static const struct mount *
mount_of(const struct same_id *id)
{
	for (size_t i = 0; i < mounts.n; i++)
		if (mounts.v[i].id == id->mount)
			return &mounts.v[i];
	return NULL;
}

/* path_covers, ASCII letters folded: a mount is named as it was typed. What is taken for
 * the same by that is held back or hidden, never shown. */
static bool
covers(const char *dir, const char *path, const char **rest)
{
	size_t n = strcmp(dir, "/") == 0 ? 0 : strlen(dir);

	if (strncasecmp(dir, path, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return false;
	if (rest != NULL)
		*rest = path + n;
	return true;
}

/* Where in its file system the object lies that a whole way from the root leads to. */
static const struct mount *
in_volume(const struct same_way *of, const char *key, struct buf *path)
{
	const struct mount *m = of->n > 0 ? mount_of(&of->v[of->n - 1]) : NULL;
	size_t top = of->n;

	while (top > 0 && !of->v[top - 1].top)
		top--;
	if (m == NULL || top == 0)
		return NULL;
	return path_join(m->root,
	           key + of->v[top - 1].end + (key[of->v[top - 1].end] == '/'), path) == 0
	    ? m
	    : NULL;
}

/* --- questions -------------------------------------------------------------------------- */

static bool
equal(const struct same_id *a, const struct same_id *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

static enum same_answer
as_named(const char *of_key, const char *inner, const char *rest, struct buf *named)
{
	auto_buf struct buf at = BUF_INIT;

	inner += strspn(inner, "/");
	rest += strspn(rest, "/");
	if (path_join(of_key, inner, &at) != 0 ||
	    path_join(buf_cstr(&at), rest, named) != 0)
		return SAME_UNSURE;
	return SAME_YES;
}

enum same_answer
same_within(const struct same_way *w, const char *key, const struct same_way *of,
    const char *of_key, struct buf *named)
{
	auto_buf struct buf inside = BUF_INIT;
	const struct mount *of_mount = NULL, *m;
	size_t n = strlen(of_key);
	bool looked = false;
	const char *inner;

	if (!of->whole || of->n == 0)
		return SAME_NO; /* there is no such object */
	/* Deepest first: nearest to what is asked about. */
	for (size_t i = w->n; i-- > 0;) {
		if (equal(&w->v[i], &of->v[of->n - 1])) {
			if (w->v[i].end == n && memcmp(key, of_key, n) == 0)
				return SAME_NO; /* its own name: the rule itself answers */
			return as_named(of_key, "", key + w->v[i].end, named);
		}
		/* A mount of a part of it: what lies above is not met on this way. */
		if (!w->v[i].top || w->v[i].mount == 0 ||
		    w->v[i].mount == of->v[of->n - 1].mount)
			continue;
		if (!looked) {
			if (!mounts_now())
				return SAME_UNSURE;
			of_mount = in_volume(of, of_key, &inside);
			looked = true;
		}
		m = mount_of(&w->v[i]);
		if (m == NULL || of_mount == NULL) {
			/* Outside what our root shows: only another volume can be told. */
			if (w->v[i].dev == of->v[of->n - 1].dev)
				return SAME_UNSURE;
			continue;
		}
		if (strcmp(m->device, of_mount->device) == 0 &&
		    covers(buf_cstr(&inside), m->root, &inner))
			return as_named(of_key, inner, key + w->v[i].end, named);
	}
	return SAME_NO;
}

enum same_answer
same_holds(const struct same_way *w, const char *key, const struct same_way *of,
    const char *of_key)
{
	auto_buf struct buf inside = BUF_INIT;
	const struct mount *of_mount;
	char device[32];

	if (!of->whole || of->n == 0)
		return SAME_NO;
	if (!w->whole || w->n == 0)
		return SAME_NO; /* nothing there to be entered */
	for (size_t i = 0; i + 1 < of->n; i++)
		if (equal(&w->v[w->n - 1], &of->v[i]))
			return SAME_YES;
	if (of->v[of->n - 1].mount == 0)
		return SAME_NO;
	if (!mounts_now())
		return SAME_UNSURE;
	of_mount = in_volume(of, of_key, &inside);
	if (of_mount == NULL)
		(void)snprintf(device, sizeof(device), "%u:%u",
		    (unsigned)(of->v[of->n - 1].dev >> 32),
		    (unsigned)(of->v[of->n - 1].dev & 0xffffffffU));
	/* A mount beneath shows it, a part of it, or a directory that it lies in. */
	for (size_t i = 0; i < mounts.n; i++) {
		const struct mount *m = &mounts.v[i];
		const char *below;

		if (!covers(key, m->point, &below) || *below == '\0' ||
		    strcmp(below, "/") == 0)
			continue;
		if (of_mount == NULL) {
			if (strcmp(m->device, device) == 0)
				return SAME_UNSURE;
		} else if (strcmp(m->device, of_mount->device) == 0 &&
		    (covers(buf_cstr(&inside), m->root, NULL) ||
		        covers(m->root, buf_cstr(&inside), NULL))) {
			return SAME_YES;
		}
	}
	return SAME_NO;
}

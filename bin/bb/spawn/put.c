/* New bytes to the place of a file, or none of them: a temporary file in the same directory,
 * renamed when it is whole. Trusts the previewed grant for what is meant and looks at
 * everything else anew, beneath the open directory and through no link. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/xattr.h>

#include "bin/bb/spawn/grant_int.h"
#include "libcommon/clock.h"
#include "libcommon/fd.h"
#include "libcommon/io.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define HEX 16
#define TEMP_PREFIX ".bb-"
#define ATTRIBUTES_MAX 65536

struct work {
	struct put *p;
	const struct root *root;
	const char *rest; /* the destination from the root */
	const char *name; /* its last component */
	int dir;          /* where it lies, O_PATH; owned */
	int notes;        /* directory of notes, locked (shared); owned */
	char hex[HEX + 1], temp[sizeof(TEMP_PREFIX) + HEX];
	bool noted, made; /* the note, the temporary file exist */
	size_t new_dirs;  /* directories that were made, of the last components */
};

static enum put_end
failed(struct work *w, int errnum)
{
	w->p->errnum = errnum;
	return PUT_FAILED;
}

/* --- where it goes ---------------------------------------------------------------------- */

/* The directory of the destination; with `make`, missing ones are made. */
static int
parent_open(struct work *w, bool make, int *out)
{
	auto_fd int at = -1;
	const char *p = w->rest;
	int r;

	if ((r = fd_beneath(w->root->fd, "", O_PATH | O_DIRECTORY, &at)) != 0)
		return r;
	while (p < w->name) {
		char name[PATH_COMPONENT_MAX + 1];
		size_t n = strcspn(p, "/");
		int next;

		if (n > PATH_COMPONENT_MAX)
			return E_TOO_LONG;
		memcpy(name, p, n);
		name[n] = '\0';
		p += n + strspn(p + n, "/");
		r = fd_beneath(at, name, O_PATH | O_DIRECTORY, &next);
		if (make && r == E_SYS && errno == ENOENT) {
			if (mkdirat(at, name, 0777) == 0)
				w->new_dirs++;
			else if (errno != EEXIST)
				return E_SYS;
			r = fd_beneath(at, name, O_PATH | O_DIRECTORY, &next);
		}
		if (r != 0)
			return r;
		close(at);
		at = next;
	}
	*out = take_fd(&at);
	return 0;
}

/* Directories that were made for what did not come are taken away again. */
static void
unmake(struct work *w)
{
	char path[PATH_ARG_MAX + 1];
	size_t all = (size_t)(w->name - w->rest);

	if (all > PATH_ARG_MAX)
		return;
	memcpy(path, w->rest, all);
	path[all] = '\0';
	for (; w->new_dirs > 0; w->new_dirs--) {
		size_t n = strlen(path);
		auto_fd int dir = -1;
		char *slash;

		while (n > 0 && path[n - 1] == '/')
			path[--n] = '\0';
		slash = strrchr(path, '/');
		if (slash != NULL)
			*slash = '\0';
		if (fd_beneath(w->root->fd, slash != NULL ? path : "",
		        O_PATH | O_DIRECTORY, &dir) != 0 ||
		    unlinkat(dir, slash != NULL ? slash + 1 : path, AT_REMOVEDIR) != 0)
			return;
		if (slash == NULL)
			return;
	}
}

/* SAFE: is the place still the one that was previewed? Asked right before the rename: the
 * same directory by the same way, and in it the same file, untouched, or still none. */
static bool
as_previewed(struct work *w)
{
	const struct stat *old = &w->p->g->st;
	auto_fd int again = -1;
	struct stat here, there, st;

	if (parent_open(w, false, &again) != 0 || fstat(w->dir, &here) != 0 ||
	    fstat(again, &there) != 0 || here.st_dev != there.st_dev ||
	    here.st_ino != there.st_ino)
		return false;
	if (fstatat(w->dir, w->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return w->p->fresh && errno == ENOENT;
	return !w->p->fresh && S_ISREG(st.st_mode) && st.st_dev == old->st_dev &&
	    st.st_ino == old->st_ino && st.st_size == old->st_size &&
	    st.st_mtim.tv_sec == old->st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == old->st_mtim.tv_nsec &&
	    st.st_ctim.tv_sec == old->st_ctim.tv_sec &&
	    st.st_ctim.tv_nsec == old->st_ctim.tv_nsec;
}

/* --- the note --------------------------------------------------------------------------- */

/* The temporary file's path is on disk before the file is: whoever starts next finds it.
 * The shared lock says that notes are being made. */
static int
note(struct work *w)
{
	auto_buf struct buf path = BUF_INIT;
	auto_fd int fd = -1;
	unsigned char raw[HEX / 2];
	int r = clock_random(raw, sizeof(raw));

	for (size_t i = 0; i < sizeof(raw); i++)
		(void)snprintf(w->hex + 2 * i, 3, "%02x", raw[i]);
	(void)snprintf(w->temp, sizeof(w->temp), TEMP_PREFIX "%s", w->hex);
	(void)buf_append(&path, w->p->g->landed,
	    strlen(w->p->g->landed) - strlen(w->name));
	(void)buf_str(&path, w->temp);
	if (r != 0 || path.failed)
		return E_SYS;
	w->notes = open(w->p->notes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (w->notes < 0 || flock(w->notes, LOCK_SH) != 0 ||
	    (fd = openat(w->notes, w->hex, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	         0600)) < 0)
		return E_SYS;
	w->noted = true;
	if ((r = io_write(fd, buf_cstr(&path), path.len)) != 0)
		return r;
	return fsync(fd) == 0 && fsync(w->notes) == 0 ? 0 : E_SYS;
}

static void
clean(struct work *w)
{
	int kept = errno;

	if (w->made)
		(void)unlinkat(w->dir, w->temp, 0);
	if (w->noted)
		(void)unlinkat(w->notes, w->hex, 0);
	if (w->notes >= 0)
		close(w->notes);
	if (w->dir >= 0)
		close(w->dir);
	errno = kept;
}

/* --- the file --------------------------------------------------------------------------- */

static int
copy_bytes(int from, int to)
{
	off_t at = 0;
	ssize_t n;

	while ((n = sendfile(to, from, &at, 1 << 20)) > 0 || (n < 0 && errno == EINTR))
		;
	return n == 0 ? 0 : E_SYS;
}

static bool
copy_attribute(int from, int to, const char *name)
{
	static char value[ATTRIBUTES_MAX];
	ssize_t n = fgetxattr(from, name, value, sizeof(value));

	return n >= 0 && fsetxattr(to, name, value, (size_t)n, 0) == 0;
}

/* Owner, extended attributes (access lists are some of them), mode: in this order, since
 * a change of owner takes bits of the mode away. False: not all could be kept. */
static bool
keep_attributes(const struct put *p, int to)
{
	static char names[ATTRIBUTES_MAX];
	mode_t mode = p->g->st.st_mode & 07777;
	bool all = true;
	ssize_t n;

	if (fchown(to, p->g->st.st_uid, p->g->st.st_gid) != 0) {
		all = fchown(to, (uid_t)-1, p->g->st.st_gid) == 0 &&
		    p->g->st.st_uid == geteuid();
		/* SAFE: they would be another's rights. */
		mode &= (mode_t) ~(S_ISUID | S_ISGID);
	}
	n = p->old >= 0 ? flistxattr(p->old, names, sizeof(names)) : 0;
	if (n < 0)
		all &= errno == ENOTSUP;
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(names + i) + 1)
		all &= copy_attribute(p->old, to, names + i);
	return fchmod(to, mode) == 0 && all;
}

static int
stage(struct work *w)
{
	auto_fd int fd =
	    openat(w->dir, w->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	        w->p->fresh ? 0666 : 0600);

	if (fd < 0)
		return E_SYS;
	w->made = true;
	if (copy_bytes(w->p->from, fd) != 0)
		return E_SYS;
	if (!w->p->fresh)
		w->p->lost = !keep_attributes(w->p, fd);
	return fsync(fd) == 0 ? 0 : E_SYS;
}

static int
into_place(struct work *w)
{
	if (renameat2(w->dir, w->temp, w->dir, w->name,
	        w->p->fresh ? RENAME_NOREPLACE : 0) == 0)
		return 0;
	/* A file system that cannot refuse to replace: a link does. */
	if (!w->p->fresh || errno != EINVAL)
		return E_SYS;
	return linkat(w->dir, w->temp, w->dir, w->name, 0) == 0 &&
	        unlinkat(w->dir, w->temp, 0) == 0
	    ? 0
	    : E_SYS;
}

static enum put_end
put(struct work *w, const struct reach *r)
{
	auto_fd int dir = -1;
	int e;

	if ((e = parent_open(w, w->p->fresh, &w->dir)) != 0)
		return e == E_OUTSIDE || (e == E_SYS && errno == ENOTDIR)
		    ? PUT_CHANGED
		    : failed(w, e == E_SYS ? errno : ENOMEM);
	/* SAFE: a name of bb's own that came into being since it was resolved. */
	if (reach_hidden(r, w->p->g->landed))
		return PUT_CHANGED;
	if (note(w) != 0 || stage(w) != 0)
		return failed(w, errno);
	if (!as_previewed(w))
		return PUT_CHANGED;
	if (into_place(w) != 0)
		return errno == EEXIST ? PUT_CHANGED : failed(w, errno);
	w->made = false;
	w->new_dirs = 0;
	/* A directory that may be written and not read cannot be opened for this. */
	dir = openat(w->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 ? errno != EACCES : fsync(dir) != 0) {
		(void)failed(w, errno);
		return PUT_UNSURE;
	}
	return PUT_DONE;
}

enum put_end
put_file(const struct reach *r, struct put *p)
{
	struct work w = {.p = p, .dir = -1, .notes = -1};
	const char *slash;
	enum put_end e;

	p->errnum = 0;
	p->lost = false;
	if (p->g->root >= r->n ||
	    !path_covers(r->v[p->g->root].path, p->g->landed, &w.rest))
		return PUT_CHANGED;
	w.root = &r->v[p->g->root];
	w.rest += strspn(w.rest, "/");
	slash = strrchr(w.rest, '/');
	w.name = slash != NULL ? slash + 1 : w.rest;
	e = put(&w, r);
	clean(&w);
	if (e == PUT_FAILED || e == PUT_CHANGED)
		unmake(&w);
	return e;
}

/* --- what a killed session left -------------------------------------------------------- */

/* True when the note is done with. */
static bool
sweep(const char *hex, const char *path)
{
	const char *base = path_base(path);
	auto_buf struct buf parent = BUF_INIT;
	auto_fd int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), dir = -1;
	struct stat st;

	/* SAFE: a note names nothing but a temporary file of ours. */
	if (path[0] != '/' || buf_append(&parent, path, (size_t)(base - path)) != 0 ||
	    strncmp(base, TEMP_PREFIX, strlen(TEMP_PREFIX)) != 0 ||
	    strcmp(base + strlen(TEMP_PREFIX), hex) != 0)
		return true;
	if (top < 0 || fd_beneath(top, parent.p + 1, O_PATH | O_DIRECTORY, &dir) != 0)
		return errno == ENOENT;
	if (fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT;
	if (!S_ISREG(st.st_mode) || (st.st_uid != geteuid() && geteuid() != 0))
		return true;
	return unlinkat(dir, base, 0) == 0;
}

void
put_sweep(const char *notes)
{
	int fd = open(notes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct dirent *e;
	DIR *d;

	if (fd < 0)
		return;
	/* Somebody is writing: the next start looks again. */
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 || (d = fdopendir(fd)) == NULL) {
		close(fd);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		auto_buf struct buf path = {.cap = PATH_ARG_MAX + 64};
		auto_fd int note_fd = -1;

		if (strlen(e->d_name) != HEX ||
		    strspn(e->d_name, "0123456789abcdef") != HEX)
			continue;
		note_fd = openat(dirfd(d), e->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (note_fd < 0 || io_read_all(note_fd, &path) != 0)
			continue;
		/* An empty one was made before its file. */
		if (path.len == 0 || sweep(e->d_name, buf_cstr(&path)))
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	closedir(d);
}

/* list_files (tools-files 2): a sorted walk, own files first, then down. Every open is
 * openat from descriptor 3; where it may lead is Landlock's word, not this code's. The
 * scope of a split tree (design 2.4) names the parts and the entries of directories
 * that may not be read here. */
#include "bin/bb-list/list.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/glob.h"
#include "libcommon/io.h"
#include "libcommon/walk.h"

#define SCOPE_MAX ((size_t)10 << 20)
#define PATH_MAX_BYTES 4096

bool list_by_hand;

struct part { /* one record of the scope */
	char letter;
	const char *path;
};

struct lister {
	struct glob glob;
	bool filtered;
	int64_t depth; /* levels below the listed directory that are walked; from 1 */
	int64_t most;
	const char *prefix;
	size_t prefix_len;
	struct buf files, dirs; /* records */
	int64_t n_files, n_dirs, links;
	bool truncated, missing, full;
	char *scope;
	struct part *part; /* sorted by path */
	size_t n_part;
	char path[PATH_MAX_BYTES + 1]; /* of the directory being walked, relative to 3 */
};

static void
hold(struct lister *l, char kind, const char *path)
{
	struct buf *b = kind == 'f' ? &l->files : &l->dirs;

	if (l->n_files + l->n_dirs == l->most) { /* one more than may be held */
		l->truncated = l->full = true;
		return;
	}
	if (list_by_hand) {
		(void)buf_str(b, path);
		(void)buf_str(b, kind == 'd' ? "/\n" : "\n");
	} else {
		(void)buf_byte(b, kind);
		(void)buf_append(b, path, strlen(path) + 1);
	}
	if (b->failed) {
		l->truncated = l->full = true;
		return;
	}
	*(kind == 'f' ? &l->n_files : &l->n_dirs) += 1;
}

static void
file(struct lister *l, const char *path)
{
	char root[2 * PATH_MAX_BYTES + 2];
	const char *slash = strrchr(path, '/');
	size_t n = strlen(path);

	if (l->filtered) {
		if (l->prefix_len + n >= sizeof(root)) {
			l->missing = true;
			return;
		}
		memcpy(root, l->prefix, l->prefix_len);
		memcpy(root + l->prefix_len, path, n + 1);
		if (!glob_keeps(&l->glob, slash != NULL ? slash + 1 : path, root, path))
			return;
	}
	hold(l, 'f', path);
}

/* l->path + "/" + name in l->path; the old length, or SIZE_MAX when it is too long. */
static size_t
push(struct lister *l, const char *name)
{
	size_t old = strlen(l->path), n = strlen(name);

	if (old + 1 + n > PATH_MAX_BYTES) {
		l->missing = true;
		return SIZE_MAX;
	}
	if (old > 0)
		l->path[old] = '/';
	memcpy(l->path + old + (old > 0), name, n + 1);
	return old;
}

static void
pop(struct lister *l, size_t old)
{
	l->path[old] = '\0';
}

/* Walk the directory l->path whole; `level` is 1 for the listed one. */
static void
walk(struct lister *l, int64_t level)
{
	struct walk_dir d;
	int fd, r;

	/* The path from descriptor 3 each time: no descriptor is held on the way down. A
	 * component swapped for a link meanwhile leads where Landlock allows, or nowhere. */
	fd = walk_open(3, l->path[0] != '\0' ? l->path : ".");
	if (fd < 0) {
		l->missing = true;
		return;
	}
	r = walk_read(fd, 0, &d);
	close(fd);
	if (r != 0) {
		l->missing = true;
		return;
	}
	l->links += (int64_t)d.links;
	for (size_t i = 0; i < d.n && !l->full; i++) {
		size_t old;

		if (d.e[i].kind == WALK_DIR && walk_skips(d.e[i].name))
			continue;
		if ((old = push(l, d.e[i].name)) == SIZE_MAX)
			continue;
		if (d.e[i].kind == WALK_FILE)
			file(l, l->path);
		else if (level >= l->depth)
			hold(l, 'd', l->path);
		else
			walk(l, level + 1);
		pop(l, old);
	}
	walk_release(&d);
}

/* --- a scope ------------------------------------------------------------------------- */

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct part *)a)->path, ((const struct part *)b)->path);
}

static bool
fine_path(const char *p)
{
	size_t depth = 0;

	if (strlen(p) > PATH_MAX_BYTES || *p == '/')
		return false;
	while (*p != '\0') {
		size_t n = strcspn(p, "/");

		if (n == 0 || n > 255 || ++depth > 2048 || (n == 1 && p[0] == '.') ||
		    (n == 2 && p[0] == '.' && p[1] == '.'))
			return false;
		p += n;
		if (*p == '/' && *++p == '\0')
			return false;
	}
	return true;
}

/* 1: there is a scope, 0: none, -1: malformed. */
static int
read_scope(struct lister *l)
{
	struct buf b;
	size_t at = 0, n = 0;

	buf_init(&b, SCOPE_MAX);
	if (io_read_all(5, &b) != 0)
		return -1;
	if (b.len == 0)
		return 0;
	if (b.p[b.len - 1] != '\0')
		return -1;
	for (size_t i = 0; i < b.len; i++)
		n += b.p[i] == '\0';
	if ((l->part = calloc(n, sizeof(*l->part))) == NULL)
		return -1;
	while (at < b.len) {
		struct part *p = &l->part[l->n_part++];

		p->letter = b.p[at];
		p->path = b.p + at + 1;
		if (strchr("WSsF", p->letter) == NULL || p->letter == '\0' || !fine_path(p->path))
			return -1;
		at += 2 + strlen(p->path);
	}
	l->scope = b.p; /* lives as long as the process */
	qsort(l->part, l->n_part, sizeof(*l->part), by_path);
	for (size_t i = 1; i < l->n_part; i++)
		if (strcmp(l->part[i].path, l->part[i - 1].path) == 0)
			return -1;
	return 1;
}

/* Is `path` an entry of directory `dir`? Then its name. */
static const char *
entry_of(const char *dir, size_t n, const char *path)
{
	if (*path == '\0' || (n > 0 && (strncmp(path, dir, n) != 0 || path[n] != '/')))
		return NULL;
	path += n + (n > 0);
	return strchr(path, '/') == NULL ? path : NULL;
}

static void spine(struct lister *l, int64_t level);

/* A directory record met at `level` - 1 levels below the listed one. */
static void
part_dir(struct lister *l, const struct part *p, int64_t level)
{
	size_t n = strlen(p->path);

	if (level > l->depth) {
		if (p->letter != 's')
			hold(l, 'd', p->path);
		return;
	}
	memcpy(l->path, p->path, n + 1);
	if (p->letter == 'W')
		walk(l, level);
	else
		spine(l, level);
}

/* The entries of l->path are those that the scope names: files first, then down. */
static void
spine(struct lister *l, int64_t level)
{
	char dir[PATH_MAX_BYTES + 1];
	size_t n = strlen(l->path);
	const struct part *first = l->part, *end = l->part + l->n_part;

	memcpy(dir, l->path, n + 1);
	for (const struct part *p = first; p < end && !l->full; p++)
		if (p->letter == 'F' && entry_of(dir, n, p->path) != NULL)
			file(l, p->path);
	for (const struct part *p = first; p < end && !l->full; p++)
		if (p->letter != 'F' && entry_of(dir, n, p->path) != NULL)
			part_dir(l, p, level + 1);
	memcpy(l->path, dir, n + 1);
}

/* ---------------------------------------------------------------------------------------- */

static const char *
run(struct lister *l)
{
	int r = read_scope(l), fd;

	if (r < 0)
		return "bad-scope";
	if (r == 0) { /* the named directory itself failing is an error, not a gap */
		fd = walk_open(3, ".");
		if (fd < 0)
			return "unreadable";
		close(fd);
		walk(l, 1);
		return "ok";
	}
	if (l->part[0].path[0] != '\0')
		return "bad-scope"; /* the root's own record comes first when sorted */
	part_dir(l, &l->part[0], 1);
	return "ok";
}

int
list_files(struct rec *call, struct buf *result)
{
	static struct lister l;
	const char *pattern, *code;
	size_t n;
	int64_t bytes;

	buf_init(&l.files, (size_t)60 << 20);
	buf_init(&l.dirs, (size_t)60 << 20);
	if (rec_has(call, "pattern")) {
		if (rec_get_text(call, "pattern", GLOB_MAX, &pattern, &n) != 0 ||
		    glob_compile(pattern, n, &l.glob) != 0)
			return E_BAD;
		l.filtered = true;
	}
	if (rec_get_int(call, "depth", 0, INT64_MAX, &l.depth) != 0 ||
	    rec_get_text(call, "prefix", PATH_MAX_BYTES + 1, &l.prefix, &l.prefix_len) != 0 ||
	    rec_get_int(call, "most", 1, 2000, &l.most) != 0 || rec_end(call) != 0)
		return E_BAD;
	if (l.depth == 0)
		l.depth = INT64_MAX;
	code = run(&l);
	bytes = (int64_t)(l.files.len + l.dirs.len);
	if (io_write(4, buf_cstr(&l.files), l.files.len) != 0 ||
	    io_write(4, buf_cstr(&l.dirs), l.dirs.len) != 0)
		code = "unreadable";
	rec_put_word(result, "code", code);
	rec_put_int(result, "files", l.n_files);
	rec_put_int(result, "dirs", l.n_dirs);
	rec_put_int(result, "links", l.links);
	rec_put_int(result, "truncated", l.truncated);
	rec_put_int(result, "missing", l.missing);
	rec_put_int(result, "bytes", bytes);
	return 0;
}

/* list_files (tools-files 2): a sorted walk, own files first, then down. Opens
 * directories, each from the one above it; where that may lead is Landlock's word, not
 * this code's. */
#include "bin/bb-list/list.h"

#include <string.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/glob.h"
#include "libcommon/io.h"
#include "libcommon/scope.h"
#include "libcommon/tool.h"
#include "libcommon/utf8.h"
#include "libcommon/walk.h"

/* Directories held open on the way down: besides them one is being read, and one opened
 * to see whether it is one. */
#define HELD_MAX (CONFINE_WALK_FDS - 2)

extern const struct tool tool_list_files;
bool list_by_hand;

struct lister {
	struct glob glob;
	bool filtered;
	int64_t depth; /* levels to walk; 1 is the listed directory alone */
	int64_t most;
	const char *prefix; /* of paths from the workspace root */
	size_t prefix_len;
	struct buf files, dirs; /* records */
	int64_t n_files, n_dirs, links;
	bool truncated, missing;
	bool full; /* nothing more is looked for */
	struct scope scope;
	unsigned held;
	char path[SCOPE_PATH + 1]; /* of the directory being walked, relative to 3 */
	char
	    root[2 * SCOPE_PATH + 2]; /* the same from the workspace root, for the glob */
};

/* A path for a person's terminal. */
static void
shown(struct buf *b, const char *path)
{
	const unsigned char *p = (const unsigned char *)path;
	size_t n = strlen(path);

	while (n > 0) {
		uint32_t c;
		int len = utf8_next(p, n, &c);

		if (len == 0 || utf8_steers(c))
			(void)buf_byte(b, '?');
		else
			(void)buf_append(b, p, (size_t)len);
		p += len > 0 ? len : 1;
		n -= len > 0 ? (size_t)len : 1;
	}
}

static void
hold(struct lister *l, char kind, const char *path)
{
	struct buf *b = kind == 'f' ? &l->files : &l->dirs;

	if (l->n_files + l->n_dirs == l->most) { /* one more than may be held */
		l->truncated = l->full = true;
		return;
	}
	if (list_by_hand) {
		shown(b, path);
		(void)buf_str(b, kind == 'd' ? "/\n" : "\n");
	} else {
		(void)buf_byte(b, kind);
		(void)buf_append(b, path, strlen(path) + 1);
	}
	*(kind == 'f' ? &l->n_files : &l->n_dirs) += 1;
}

static void
file(struct lister *l, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (l->filtered) {
		memcpy(l->root, l->prefix, l->prefix_len);
		memcpy(l->root + l->prefix_len, path, strlen(path) + 1);
		if (!glob_keeps(&l->glob, slash != NULL ? slash + 1 : path, l->root,
		        path))
			return;
	}
	hold(l, 'f', path);
}

/* l->path + "/" + name in l->path; false when that is too long. */
static bool
push(struct lister *l, size_t len, const char *name)
{
	size_t n = strlen(name);

	if (len + 1 + n > SCOPE_PATH)
		return false;
	if (len > 0)
		l->path[len++] = '/';
	memcpy(l->path + len, name, n + 1);
	return true;
}

/* Walk the directory l->path whole; `level` is 1 for the listed one. Directory `above`
 * is open and stands for the first `rel` bytes. False when it cannot be read. */
static bool
walk(struct lister *l, int64_t level, int above, size_t rel)
{
	size_t len = strlen(l->path);
	int fd = walk_open(above, l->path[rel] != '\0' ? l->path + rel : ".");
	struct walk_dir d = {0};

	if (fd < 0)
		return false;
	if (walk_read(fd, 0, &d) != 0) {
		close(fd);
		return false;
	}
	if (l->held < HELD_MAX) {
		l->held++;
		above = fd;
		rel = len + (len > 0);
	} else {
		close(fd);
		fd = -1;
	}
	l->links += (int64_t)d.links;
	for (size_t i = 0; i < d.n && !l->full; i++) {
		const struct walk_entry *e = &d.e[i];

		if (e->kind == WALK_DIR && walk_skips(e->name))
			continue;
		if (!push(l, len, e->name))
			l->missing = true;
		else if (e->kind == WALK_FILE)
			file(l, l->path);
		else if (level >= l->depth)
			hold(l, 'd', l->path);
		else if (!walk(l, level + 1, above, rel))
			l->missing = true;
		l->path[len] = '\0';
	}
	walk_release(&d);
	if (fd >= 0) {
		close(fd);
		l->held--;
	}
	return true;
}

/* A directory of the scope, met `level` - 1 levels below the listed one. A spine is not
 * read: its entries are the records that name it as their directory. */
static bool
part(struct lister *l, const struct part *p, int64_t level)
{
	const struct part *entry;
	size_t n;

	if (p->letter == 'W') {
		memcpy(l->path, p->path, strlen(p->path) + 1);
		return walk(l, level, 3, 0);
	}
	entry = scope_entries(&l->scope, p, &n);
	for (size_t i = 0; i < n && !l->full; i++)
		if (entry[i].letter == 'F')
			file(l, entry[i].path);
	for (size_t i = 0; i < n && !l->full; i++) {
		const char *slash = strrchr(entry[i].path, '/');

		if (entry[i].letter == 'F' ||
		    walk_skips(slash != NULL ? slash + 1 : entry[i].path))
			continue;
		if (level >= l->depth) {
			if (entry[i].letter != 's')
				hold(l, 'd', entry[i].path);
		} else if (!part(l, &entry[i], level + 1)) {
			l->missing = true;
		}
	}
	return true;
}

static const char *
run(struct lister *l)
{
	if (scope_read(5, &l->scope) != 0)
		return "bad-scope";
	/* The named directory itself failing is an error, not a gap. */
	if (l->scope.root.letter == '\0' ? !walk(l, 1, 3, 0)
	                                 : !part(l, &l->scope.root, 1))
		return "unreadable";
	return "ok";
}

static void
answer(struct lister *l, const char *code, struct buf *result)
{
	int64_t bytes = (int64_t)(l->files.len + l->dirs.len);

	if (strcmp(code, "ok") == 0 &&
	    (l->files.failed || l->dirs.failed ||
	        io_write(4, buf_cstr(&l->files), l->files.len) != 0 ||
	        io_write(4, buf_cstr(&l->dirs), l->dirs.len) != 0))
		code = "unreadable";
	if (strcmp(code, "ok") != 0) {
		l->n_files = l->n_dirs = l->links = bytes = 0;
		l->truncated = l->missing = false;
	}
	rec_put_word(result, "code", code);
	rec_put_int(result, "files", l->n_files);
	rec_put_int(result, "dirs", l->n_dirs);
	rec_put_int(result, "links", l->links);
	rec_put_int(result, "truncated", l->truncated);
	rec_put_int(result, "missing", l->missing);
	rec_put_int(result, "bytes", bytes);
}

int
list_files(struct rec *call, struct buf *result)
{
	static struct lister l;
	const struct tool_member *most = &tool_list_files.call[1];
	const char *pattern;
	size_t n;

	memset(&l, 0, sizeof(l));
	l.files.cap = l.dirs.cap = tool_list_files.limits.slot / 2;
	if (rec_has(call, "pattern")) {
		if (rec_get_text(call, "pattern", GLOB_MAX, &pattern, &n) != 0 ||
		    glob_compile(pattern, n, &l.glob) != 0)
			return E_BAD;
		l.filtered = true;
	}
	l.depth = INT64_MAX; /* left out: all of them */
	if ((rec_has(call, "depth") &&
	        rec_get_int(call, "depth", 0, INT64_MAX, &l.depth) != 0) ||
	    rec_get_text(call, "prefix", SCOPE_PATH + 1, &l.prefix, &l.prefix_len) != 0 ||
	    rec_get_int(call, "most", most->min, most->max, &l.most) != 0 ||
	    rec_end(call) != 0) {
		glob_release(&l.glob);
		return E_BAD;
	}
	if (l.depth == 0) /* counts as 1, as for a planner */
		l.depth = 1;
	answer(&l, run(&l), result);
	glob_release(&l.glob);
	scope_release(&l.scope);
	buf_release(&l.files);
	buf_release(&l.dirs);
	return 0;
}

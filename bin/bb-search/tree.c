/* The walk: own files first, then down, in the one order of libcommon/walk.h; of a tree
 * that is trusted in parts only what the scope names. Opens directories, each from the
 * one above it; where that may lead is Landlock's word, not this code's. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/confine.h"

/* Directories held open on the way down; deeper ones are opened by a longer path. */
#define HELD_MAX (CONFINE_WALK_FDS - 2)

struct walk {
	struct search *s;
	unsigned held;
	char path[SCOPE_PATH + 1];       /* of the directory being walked, below 3 */
	char root[2 * SCOPE_PATH + 300]; /* of a file, from the workspace root */
};

static bool
over(const struct walk *w)
{
	return w->s->files_cap || order_stopped(w->s);
}

/* Does the include keep the file? w->path is its directory, of `len` bytes. */
static bool
kept(struct walk *w, size_t len, const char *name)
{
	const struct search *s = w->s;
	char *at = w->root;

	if (!s->filtered)
		return true;
	if (!s->include.has_slash)
		return glob_keeps(&s->include, name, name, name);
	memcpy(at, s->prefix, s->prefix_len);
	at += s->prefix_len;
	memcpy(at, w->path, len);
	at += len;
	if (len > 0)
		*at++ = '/';
	memcpy(at, name, strlen(name) + 1);
	return glob_keeps(&s->include, name, w->root, w->root + s->prefix_len);
}

static void
choose(struct walk *w, struct dir *d, const char *name)
{
	struct search *s = w->s;

	if (s->selected == s->files) {
		s->files_cap = true;
		return;
	}
	s->selected++;
	order_add(s, d, name);
}

/* A directory open at fd, for the path w->path. */
static struct dir *
dir_new(struct walk *w, int fd, bool own)
{
	struct dir *d = order_dir(w->s);

	if (d == NULL || (d->path = strdup(own ? w->path : "")) == NULL) {
		if (d != NULL)
			walk_release(&d->entries);
		free(d);
		order_fail(w->s);
		return NULL;
	}
	d->fd = fd;
	d->own = own;
	d->readers = d->users = 1;
	return d;
}

/* w->path + "/" + name in w->path; false when that is too long. */
static bool
push(struct walk *w, size_t len, const char *name)
{
	size_t n = strlen(name);

	if (len + 1 + n > SCOPE_PATH)
		return false;
	if (len > 0)
		w->path[len++] = '/';
	memcpy(w->path + len, name, n + 1);
	return true;
}

/* Open and read w->path, whose first `rel` bytes `above` stands for. */
static struct dir *
enter(struct walk *w, int above, size_t rel)
{
	struct search *s = w->s;
	struct dir *d = NULL;
	int fd;

	order_room(s);
	fd = walk_open(above, w->path[rel] != '\0' ? w->path + rel : ".");
	if (fd >= 0 && (d = dir_new(w, fd, true)) != NULL &&
	    walk_read(fd, 0, &d->entries) == 0)
		return d;
	if (d != NULL) {
		order_release(s, d, true, true);
	} else {
		if (fd >= 0)
			close(fd);
		order_closed(s);
	}
	return NULL;
}

/* Walk the directory w->path whole. False when it cannot be read. */
static bool
walk(struct walk *w, int above, size_t rel)
{
	struct search *s = w->s;
	size_t len = strlen(w->path);
	struct dir *d = enter(w, above, rel);
	const struct walk_dir *e;
	bool hold;

	if (d == NULL)
		return false;
	e = &d->entries;
	s->seen.links += e->links;
	s->seen.others += e->others;
	for (size_t i = 0; i < e->files && !over(w); i++)
		if (kept(w, len, e->e[i].name))
			choose(w, d, e->e[i].name);
	hold = e->n > e->files && w->held < HELD_MAX;
	if (hold) {
		w->held++;
		above = d->fd;
		rel = len + (len > 0);
	} else {
		order_release(s, d, true, false);
	}
	for (size_t i = e->files; i < e->n && !over(w); i++) {
		if (walk_skips(e->e[i].name))
			continue;
		if (!push(w, len, e->e[i].name) || !walk(w, above, rel))
			s->seen.dirs++;
		w->path[len] = '\0';
	}
	order_release(s, d, hold, true);
	w->held -= hold;
	return true;
}

/* A directory of the scope. A spine is not read: its entries are the records that name
 * it as their directory, and its files are opened from 3. */
static bool
part(struct walk *w, const struct part *p, struct dir *top)
{
	struct search *s = w->s;
	const struct part *entry;
	size_t n;

	if (p->letter == 'W') {
		bool fine;

		memcpy(w->path, p->path, strlen(p->path) + 1);
		fine = walk(w, 3, 0);
		w->path[0] = '\0';
		return fine;
	}
	entry = scope_entries(&s->scope, p, &n);
	for (size_t i = 0; i < n && !over(w); i++) {
		const char *slash = strrchr(entry[i].path, '/');

		if (entry[i].letter != 'F')
			continue;
		if (s->filtered) { /* its path, not relative to anything */
			memcpy(w->root, s->prefix, s->prefix_len);
			memcpy(w->root + s->prefix_len, entry[i].path,
			    strlen(entry[i].path) + 1);
			if (!glob_keeps(&s->include,
			        slash != NULL ? slash + 1 : entry[i].path, w->root,
			        entry[i].path))
				continue;
		}
		choose(w, top, entry[i].path);
	}
	for (size_t i = 0; i < n && !over(w); i++) {
		const char *slash = strrchr(entry[i].path, '/');

		if (entry[i].letter == 'F' ||
		    walk_skips(slash != NULL ? slash + 1 : entry[i].path))
			continue;
		if (!part(w, &entry[i], top))
			s->seen.dirs++;
	}
	return true;
}

const char *
tree_walk(struct search *s)
{
	static struct walk w;
	struct dir *top;
	bool fine;

	w.s = s;
	if (scope_read(5, &s->scope) != 0)
		return "bad-scope";
	/* The named directory itself failing is an error, not a gap. */
	if (s->scope.root.letter == '\0')
		return walk(&w, 3, 0) ? "ok" : "unreadable";
	if ((top = dir_new(&w, 3, false)) == NULL)
		return "unreadable";
	fine = part(&w, &s->scope.root, top);
	order_release(s, top, true, true);
	return fine ? "ok" : "unreadable";
}

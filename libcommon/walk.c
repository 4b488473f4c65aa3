/* One directory, read whole and sorted. The type of an entry comes from the directory
 * itself; nothing is looked up by name but what a file system leaves unsaid. */
#include "libcommon/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
walk_skips(const char *name)
{
	static const char *const skipped[] = {".git", ".hg", ".svn", "target", "dist",
	    "build", ".next", ".nuxt", ".parcel-cache", ".turbo", ".gradle", ".cache",
	    ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", "__pycache__",
	    "coverage", ".nyc_output", ".terraform", ".stack-work", "node_modules",
	    "bower_components", "vendor", "third_party", "thirdparty", "Pods", "Carthage",
	    "site-packages", ".venv", "venv", ".bundle"};

	for (size_t i = 0; i < sizeof(skipped) / sizeof(*skipped); i++)
		if (strcmp(name, skipped[i]) == 0)
			return true;
	return false;
}

int
walk_open(int dir, const char *path)
{
	return (int)syscall(SYS_openat, (long)dir, path,
	    (long)(O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0L);
}

#define KEYS_KEPT 4096

/* An entry being sorted: most comparisons end in its first eight bytes. */
struct key {
	uint64_t head;
	struct walk_entry e;
};

static bool
before(const struct key *a, const struct key *b)
{
	if (a->e.kind != b->e.kind)
		return a->e.kind < b->e.kind;
	if (a->head != b->head)
		return a->head < b->head;
	return strcmp(a->e.name, b->e.name) < 0;
}

static uint64_t
head_of(const char *name)
{
	uint64_t head = 0;
	size_t i = 0;

	for (; i < 8 && name[i] != '\0'; i++)
		head = head << 8 | (unsigned char)name[i];
	return i == 0 ? 0 : head << 8 * (8 - i);
}

/* Runs by insertion, then merged. (musl's qsort moves entries by a call each and takes
 * four times as long.) The keys stay from one directory to the next: what is freed goes
 * back to the kernel, which has to tell every other processor. */
static int
sort(struct walk_entry *e, size_t n)
{
	static struct key *keys;
	static size_t room;
	const size_t run = 12;
	struct key *from, *to, *swap;

	if (n > room) {
		struct key *more = reallocarray(NULL, n, 2 * sizeof(*more));

		if (more == NULL)
			return E_NOMEM;
		free(keys);
		keys = more;
		room = n;
	}
	from = keys;
	to = keys + n;
	for (size_t i = 0; i < n; i++) {
		struct key k = {head_of(e[i].name), e[i]};
		size_t at = i;

		for (; at % run != 0 && before(&k, &from[at - 1]); at--)
			from[at] = from[at - 1];
		from[at] = k;
	}
	for (size_t width = run; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width) {
			size_t a = i, a_end = i + width < n ? i + width : n, b = a_end,
			       b_end = a_end + width < n ? a_end + width : n, out = i;

			while (a < a_end && b < b_end)
				to[out++] =
				    before(&from[b], &from[a]) ? from[b++] : from[a++];
			while (a < a_end)
				to[out++] = from[a++];
			while (b < b_end)
				to[out++] = from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n; i++)
		e[i] = from[i].e;
	if (room > KEYS_KEPT) {
		free(keys);
		keys = NULL;
		room = 0;
	}
	return 0;
}

/* DT_UNKNOWN: a directory answers to being opened as one. Anything else (ENOTDIR; a link
 * too) is not told apart without a look-up by name, and is left out. The kernel asks
 * whether it is a directory before it asks for permission, so any other failure is a
 * directory that cannot be read: it is named, and whoever enters it learns so. */
static bool
is_directory(int fd, const char *name)
{
	int sub = walk_open(fd, name);

	if (sub >= 0) {
		close(sub);
		return true;
	}
	return errno != ENOTDIR && errno != ELOOP && errno != ENOENT;
}

static int
add(struct walk_dir *d, size_t *names, const char *name, enum walk_kind kind)
{
	size_t n = strlen(name) + 1;

	if (*names + n > d->names_room) {
		size_t more = d->names_room == 0 ? 4096 : 2 * d->names_room;
		char *p;

		while (more < *names + n)
			more *= 2;
		if ((p = realloc(d->names, more)) == NULL)
			return E_NOMEM;
		d->names = p;
		d->names_room = more;
	}
	if (d->n == d->e_room) {
		size_t more = d->e_room == 0 ? 64 : 2 * d->e_room;
		struct walk_entry *e = reallocarray(d->e, more, sizeof(*e));

		if (e == NULL)
			return E_NOMEM;
		d->e = e;
		d->e_room = more;
	}
	memcpy(d->names + *names, name, n);
	/* The storage may still move: an offset until all names are there. */
	d->e[d->n].name = (const char *)*names;
	d->e[d->n++].kind = kind;
	d->files += kind == WALK_FILE;
	*names += n;
	return 0;
}

struct raw_entry { /* linux_dirent64, getdents64(2) */
	uint64_t ino;
	int64_t off;
	uint16_t len;
	uint8_t type;
	char name[];
};

int
walk_read(int fd, size_t most, struct walk_dir *d)
{
	size_t names = 0;
	char raw[32768] __attribute__((aligned(8)));
	long n;
	int r = 0;

	d->n = d->files = 0;
	d->links = d->others = 0;
	while (r == 0 && (n = syscall(SYS_getdents64, fd, raw, sizeof(raw))) > 0) {
		for (long at = 0; r == 0 && at < n;) {
			const struct raw_entry *e = (const void *)(raw + at);
			bool dir = e->type == DT_DIR;

			at += e->len;
			if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0)
				continue;
			if (e->type == DT_UNKNOWN)
				dir = is_directory(fd, e->name);
			if (e->type == DT_LNK) {
				d->links++;
				continue;
			}
			if (e->type != DT_REG && !dir) {
				d->others++;
				continue;
			}
			if (most > 0 && d->n == most)
				r = E_FULL;
			else
				r = add(d, &names, e->name, dir ? WALK_DIR : WALK_FILE);
		}
	}
	if (r == 0 && n < 0)
		r = E_SYS;
	for (size_t i = 0; r == 0 && i < d->n; i++)
		d->e[i].name = d->names + (size_t)d->e[i].name;
	if (r == 0 && d->n > 1)
		r = sort(d->e, d->n);
	if (r != 0) {
		int keep = errno;

		walk_release(d);
		errno = keep;
		return r;
	}
	return 0;
}

void
walk_release(struct walk_dir *d)
{
	free(d->e);
	free(d->names);
	memset(d, 0, sizeof(*d));
}

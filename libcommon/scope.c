/* Reading a scope. bb wrote it, yet it is checked like anything else: a record that does
 * not fit ends the call, so that no part is ever left out unsaid. */
#include "libcommon/scope.h"

#include <stdlib.h>
#include <string.h>

#include "libcommon/io.h"

static int
by_bytes(const char *a, size_t na, const char *b, size_t nb)
{
	int r = memcmp(a, b, na < nb ? na : nb);

	return r != 0 ? r : na < nb ? -1 : na > nb;
}

static const char *
name_of(const struct part *p)
{
	return p->path + p->dir + (p->dir > 0);
}

static int
in_order(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;
	int r = by_bytes(a->path, a->dir, b->path, b->dir);

	return r != 0 ? r : strcmp(name_of(a), name_of(b));
}

/* Components of 1 to 255 bytes, none `.` or `..`, no slash at either end. */
static bool
fine_path(const char *p)
{
	size_t depth = 0;

	if (strlen(p) > SCOPE_PATH)
		return false;
	for (;;) {
		size_t n = strcspn(p, "/");

		if (n == 0 || n > 255 || ++depth > SCOPE_DEPTH ||
		    (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
			return false;
		if (p[n] == '\0')
			return true;
		p += n + 1;
	}
}

/* The first entry whose directory is <dir, n>, or where it would stand. */
static size_t
first_of(const struct scope *s, const char *dir, size_t n)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_bytes(s->part[mid].path, s->part[mid].dir, dir, n) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Is <path, n> the path of an S or s record? */
static bool
is_spine(const struct scope *s, const char *path, size_t n)
{
	struct part want = {.path = path};
	size_t low = 0, high = s->n;

	if (n == 0)
		return s->root.letter == 'S' || s->root.letter == 's';
	for (size_t i = 0; i < n; i++)
		if (path[i] == '/')
			want.dir = i;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct part *p = &s->part[mid];
		size_t at = want.dir + (want.dir > 0);
		int r = by_bytes(p->path, p->dir, path, want.dir);

		if (r == 0)
			r = by_bytes(name_of(p), strlen(name_of(p)), path + at, n - at);
		if (r == 0)
			return p->letter == 'S' || p->letter == 's';
		if (r < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static int
split(struct scope *s, size_t len)
{
	size_t most = 0;

	for (size_t i = 0; i < len; i++)
		most += s->text[i] == '\0';
	if ((s->part = calloc(most, sizeof(*s->part))) == NULL)
		return E_NOMEM;
	for (size_t at = 0; at < len;) {
		struct part p = {.letter = s->text[at], .path = s->text + at + 1};
		const char *slash;

		if (p.letter == '\0' || strchr("WSsF", p.letter) == NULL)
			return E_BAD;
		at += 2 + strlen(p.path);
		if (*p.path == '\0') {
			if (s->root.letter != '\0' || p.letter == 'F')
				return E_BAD;
			s->root = p;
			continue;
		}
		if (!fine_path(p.path))
			return E_BAD;
		slash = strrchr(p.path, '/');
		p.dir = slash != NULL ? (size_t)(slash - p.path) : 0;
		s->part[s->n++] = p;
	}
	return s->root.letter != '\0' ? 0 : E_BAD;
}

int
scope_read(int fd, struct scope *s)
{
	struct buf b = {.cap = SCOPE_BYTES};
	size_t len;
	int r;

	memset(s, 0, sizeof(*s));
	if ((r = io_read_all(fd, &b)) != 0 || b.len == 0) {
		buf_release(&b);
		return r;
	}
	len = b.len;
	if ((s->text = buf_take(&b)) == NULL)
		return E_NOMEM;
	if (s->text[len - 1] != '\0')
		return E_BAD;
	if ((r = split(s, len)) != 0)
		return r;
	if (s->n > 0)
		qsort(s->part, s->n, sizeof(*s->part), in_order);
	for (size_t i = 0; i < s->n; i++)
		if ((i > 0 && in_order(&s->part[i - 1], &s->part[i]) == 0) ||
		    !is_spine(s, s->part[i].path, s->part[i].dir))
			return E_BAD;
	return 0;
}

void
scope_release(struct scope *s)
{
	free(s->part);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

const struct part *
scope_entries(const struct scope *s, const struct part *dir, size_t *n)
{
	size_t len = strlen(dir->path), at = first_of(s, dir->path, len);

	for (*n = 0; at + *n < s->n; ++*n) {
		const struct part *p = &s->part[at + *n];

		if (by_bytes(p->path, p->dir, dir->path, len) != 0)
			break;
	}
	return s->part + at;
}

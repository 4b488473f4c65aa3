/* Compare bytes with tests/data/golden/NAME.WIDTH.{utf8,ascii}[.colour]; on a
 * difference print both rows that differ. The tests run from the top of the
 * repository, or BB_TOP names it. */
#ifndef BB_TESTS_UNIT_GOLDEN_H
#define BB_TESTS_UNIT_GOLDEN_H

#include "tests/tap.h"

#include "bin/bb/ui/ui.h"

static inline void
golden_row(const char *what, const char *p, size_t at, size_t n)
{
	size_t from = at, to = at;

	while (from > 0 && p[from - 1] != '\n')
		from--;
	while (to < n && p[to] != '\n')
		to++;
	printf("# %s [", what);
	for (size_t i = from; i < to; i++)
		if (p[i] == '\033')
			printf("\\e");
		else
			putchar(p[i]);
	printf("]\n");
}

static inline void
golden(const char *name, const struct look *l, const struct buf *got)
{
	const char *top = getenv("BB_TOP");
	static char want[65536];
	char path[512];
	size_t n = 0, at = 0, row = 1;
	FILE *f;

	snprintf(path, sizeof path, "%s/tests/data/golden/%s.%u.%s%s",
	    top != NULL ? top : ".", name, l->width, l->utf8 ? "utf8" : "ascii",
	    l->colour ? ".colour" : "");
	if ((f = fopen(path, "rb")) == NULL) {
		ok(false, "%s can be read", path);
		return;
	}
	n = fread(want, 1, sizeof want, f);
	fclose(f);
	while (at < n && at < got->len && want[at] == got->p[at])
		row += want[at++] == '\n';
	if (ok(at == n && at == got->len, "%s.%u.%s%s", name, l->width,
	        l->utf8 ? "utf8" : "ascii", l->colour ? ".colour" : ""))
		return;
	printf("# row %zu differs\n", row);
	golden_row("want", want, at, n);
	golden_row("got ", buf_cstr(got), at, got->len);
}

#endif

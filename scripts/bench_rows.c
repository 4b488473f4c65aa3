/* Samples, quantiles, and the two forms of a measured row. Trusts its caller. */
#include "scripts/bench_rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *id, *what, *unit; /* unit: "spawns", "MiB", "ratio" */
	size_t n;
	double median, p10, p90;  /* microseconds, or in `unit` when that is no time */
	double figure, must, aim; /* must 0: no bar */
};
static struct row rows[16];
static size_t n_rows;

void
die(const char *fmt, ...)
{
	va_list ap;

	fputs("bench: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

void
sample(struct samples *s, double v)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		if ((s->v = realloc(s->v, s->room * sizeof(*s->v))) == NULL)
			die("out of memory");
	}
	s->v[s->n++] = v;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
quantile(const struct samples *s, size_t n, double q)
{
	double *v, r;

	if (n == 0 || (v = malloc(n * sizeof(*v))) == NULL)
		die("no samples");
	memcpy(v, s->v, n * sizeof(*v));
	qsort(v, n, sizeof(*v), by_value);
	r = v[(size_t)(q * (double)(n - 1) + 0.5)];
	free(v);
	return r;
}

void
row(const char *id, const char *what, const char *unit, const struct samples *s,
    double figure, double must, double aim)
{
	struct row *r = &rows[n_rows++];

	*r = (struct row){.id = id,
	    .what = what,
	    .unit = unit,
	    .n = s->n,
	    .median = quantile(s, s->n, 0.5),
	    .p10 = quantile(s, s->n, 0.1),
	    .p90 = quantile(s, s->n, 0.9),
	    .figure = figure,
	    .must = must,
	    .aim = aim};
	fprintf(stderr, "  %-58s %.2f %s\n", what, figure, unit);
}

void
row_over(const char *id, const char *what, const struct samples *s,
    const struct samples *base, double must, double aim)
{
	row(id, what, "spawns", s, quantile(s, s->n, 0.5) / quantile(base, base->n, 0.5),
	    must, aim);
}

static const char *
verdict(const struct row *r)
{
	if (r->must <= 0)
		return "";
	return r->figure <= r->aim ? "aim" : r->figure <= r->must ? "must" : "MISSED";
}

void
print_table(void)
{
	printf("%-58s %7s %9s %9s %9s %9s %6s %6s\n", "what", "n", "median", "p10", "p90",
	    "figure", "must", "aim");
	for (size_t i = 0; i < n_rows; i++) {
		const struct row *r = &rows[i];
		bool time = strcmp(r->unit, "MiB") != 0;

		printf("%-58s %7zu %9.*f %9.*f %9.*f %6.2f %-2s", r->what, r->n,
		    time ? 0 : 2, r->median, time ? 0 : 2, r->p10, time ? 0 : 2, r->p90,
		    r->figure,
		    strcmp(r->unit, "spawns") == 0 ? "sp"
		        : time                     ? "x"
		                                   : "Mi");
		if (r->must > 0)
			printf(" %6.2f %6.2f  %s", r->must, r->aim, verdict(r));
		putchar('\n');
	}
	puts("times in microseconds; sp = medians of posix_spawn of /bin/true, same row, "
	     "same run");
}

void
print_json(const char *name)
{
	FILE *f = fopen(name, "we");

	if (f == NULL)
		die("cannot open '%s': %s", name, strerror(errno));
	fputs("{\"schema\":1,\"rows\":[", f);
	for (size_t i = 0; i < n_rows; i++) {
		const struct row *r = &rows[i];

		fprintf(f,
		    "%s\n{\"id\":\"%s\",\"what\":\"%s\",\"n\":%zu,\"median\":%.3f,"
		    "\"p10\":%.3f,"
		    "\"p90\":%.3f,\"figure\":%.4f,\"unit\":\"%s\"",
		    i ? "," : "", r->id, r->what, r->n, r->median, r->p10, r->p90,
		    r->figure, r->unit);
		if (r->must > 0)
			fprintf(f, ",\"must\":%.2f,\"aim\":%.2f,\"verdict\":\"%s\"",
			    r->must, r->aim, verdict(r));
		fputs("}", f);
	}
	fputs("\n]}\n", f);
	if (fclose(f) != 0)
		die("cannot write '%s'", name);
}

/* Inside scripts/bench: samples, the rows made of them, the table and bench.json. */
#ifndef BB_SCRIPTS_BENCH_ROWS_H
#define BB_SCRIPTS_BENCH_ROWS_H

#include <stddef.h>

_Noreturn __attribute__((format(printf, 1, 2))) void die(const char *fmt, ...);

struct samples {
	double *v;
	size_t n, room;
};
void sample(struct samples *s, double v);
/* Quantile q of the first n samples. */
double quantile(const struct samples *s, size_t n, double q);

/* One row. unit: "spawns", "ratio" (samples are microseconds) or "MiB". must 0: no bar. */
void row(const char *id, const char *what, const char *unit, const struct samples *s,
    double figure, double must, double aim);
/* Its figure is the ratio of the medians, in spawns. */
void row_over(const char *id, const char *what, const struct samples *s,
    const struct samples *base, double must, double aim);
void print_table(void);
void print_json(const char *name);

#endif

/* The regular expressions of search and read_git (dialect: tool page of search, spec
 * search 2 to 4): boolean, one line at a time, over Unicode scalar values, never
 * backtracking. Time is bytes x size of the pattern, whatever the pattern.
 *
 * A pattern is compiled once into a struct rx, which is then constant and may be shared
 * by threads; each thread scans with a struct rx_scan of its own, which holds its caches
 * (6 MiB of address space; what is used of it grows with the states met).
 *
 * Lines end at LF. With RX_CRLF one CR directly before the LF belongs to the line's end.
 * No line stands after a final LF. A byte that is not part of valid UTF-8 matches
 * nothing, and its line may match elsewhere. */
#ifndef BB_LIBCOMMON_RX_H
#define BB_LIBCOMMON_RX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/err.h"

#define RX_PATTERN_MAX 1000 /* scalar values of one pattern */
#define RX_DEPTH_MAX 50     /* groups within groups */
#define RX_LIST_MAX 128     /* patterns of a list */
#define RX_TOTAL_MAX 16000  /* scalar values of a whole list */

enum rx_flags { RX_NOCASE = 1 << 0, RX_CRLF = 1 << 1 };

struct rx_text {
	const char *p; /* UTF-8, borrowed */
	size_t n;
};

/* What is wrong with a pattern. The words are those of search's page, in this order
 * (rx_fault_words), so that a helper can send them. */
enum rx_fault {
	RX_FINE,
	RX_EMPTY,           /* no pattern, or one of no characters */
	RX_LONG,            /* more than RX_PATTERN_MAX scalar values */
	RX_LIST_LONG,       /* more than RX_LIST_MAX patterns or RX_TOTAL_MAX in all */
	RX_DEEP,            /* groups nested deeper than RX_DEPTH_MAX */
	RX_UNCLOSED_GROUP,  /* `(` without `)` */
	RX_UNMATCHED_PAREN, /* `)` without `(` */
	RX_UNCLOSED_CLASS,  /* `[` without `]` */
	RX_NOTHING_TO_REPEAT, /* `at`: the `*`, `+` or `?`, or the atom that cannot be repeated */
	RX_DANGLING_ESCAPE,   /* `\` at the end */
	RX_UNKNOWN_ESCAPE,    /* `at`: the `\`; a: the letter or digit behind it */
	RX_UNSUPPORTED_GROUP, /* `at`: the `(` of a `(?` form that is not in the dialect */
	RX_REVERSED_RANGE,    /* a > b in [a-b] */
	RX_NOT_UTF8,          /* the pattern is not valid UTF-8 */
};
extern const char *const rx_fault_words[]; /* NULL-terminated: "fine", "empty", ... */

struct rx_error {
	enum rx_fault fault;
	size_t which;  /* index in the list */
	size_t at;     /* 0-based scalar index in that pattern, where the fault has one */
	uint32_t a, b; /* RX_REVERSED_RANGE: the ends; RX_UNKNOWN_ESCAPE: a */
};

struct rx;
struct rx_scan;

/* Compile n patterns as one alternation. 0: gives *out. E_BAD: *err says what is wrong,
 * E_NOMEM. */
must_use int rx_compile(const struct rx_text *pattern, size_t n, unsigned flags,
    struct rx **out, struct rx_error *err);
void rx_free(struct rx *rx);

/* Borrows rx for its lifetime. NULL when out of memory. */
struct rx_scan *rx_scan_new(const struct rx *rx);
void rx_scan_free(struct rx_scan *s);

struct rx_hit { /* a line that matched, without its terminator */
	uint32_t begin, end;
};

/* Find the matching lines of <p, n>, which begins at the start of a line; a last line
 * without LF counts as a line. At most `most` hits are looked for. n < 2^32 - 64.
 * 0: *hits (borrowed until the next call) and *n_hits in order. E_NOMEM. */
must_use int rx_lines(struct rx_scan *s, const void *p, size_t n, size_t most,
    const struct rx_hit **hits, size_t *n_hits);

/* One line without its terminator, by the set simulation alone: slow, small, the
 * reference the rest is tested against. */
bool rx_line(struct rx_scan *s, const void *p, size_t n);

#endif

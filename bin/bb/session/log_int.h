/* Between the files that read trails; for nobody else. */
#ifndef BB_SESSION_LOG_INT_H
#define BB_SESSION_LOG_INT_H

#include <stdint.h>
#include <stdio.h>

#include "bin/bb/session/log.h"
#include "libcommon/buf.h"
#include "libcommon/json.h"

/* An instant: RFC 3339, or for people without its zone (local), without its time
 * (midnight), or a time alone (today). 0 or E_BAD. */
must_use int log_instant(const char *s, int64_t *ms);
/* Local HH:MM:SS.mmm, or YYYY-MM-DD, of a stored `at`; it is said when that is none. */
void log_clock(const json_t *at, char out[13]);
void log_date(const json_t *at, char out[11]);

/* One line of a trail for people, with its newline; nothing for a kind that a later
 * version writes. Everything foreign goes through safe_put. */
void log_row(const json_t *line, const char *kind, const struct look *look,
    struct buf *out);
/* The head of a session; counts below 0 are left out. */
void log_head(const json_t *line, int64_t calls, int64_t entries, const struct look *look,
    struct buf *out);
/* Append a member that is a string as a name, padded to `least` columns. */
void log_name(const json_t *line, const char *key, size_t least, const struct look *look,
    struct buf *out);

/* What a light look at stored lines tells, without parsing them: a quote inside a string
 * is stored escaped, so a hostile name cannot pretend to be a member. */
struct log_counts {
	uint64_t calls, refused, entries;
};
bool log_is(const char *line, const char *kind);
/* Count from the reader's place to the next session's first line or the end. */
void log_count(FILE *f, struct log_counts *out);

/* --verify: one reader of the lines in order. */
struct verifier;
struct verifier *verifier_new(void); /* never NULL */
void verifier_line(struct verifier *v, const json_t *line, const char *kind);
void verifier_fault(struct verifier *v, const char *what); /* the line cannot be read */
void verifier_blank(struct verifier *v);                   /* an empty line */
/* Print the findings; frees v. `running`: the session holds the record, its end is yet to
 * come. True when the record is whole. */
bool verifier_end(struct verifier *v, bool json, bool running);

#endif

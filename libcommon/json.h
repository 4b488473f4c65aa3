/* JSON where planners, people and settings speak (bb only; helpers use records,
 * frame.h). One strict reader over jansson, and jq-style access by path.
 * RFC 8259; refused besides malformed text: duplicate members, NUL in a string,
 * lone surrogates, invalid UTF-8, depth above JSON_DEPTH, anything after the value.
 * A number that neither 64 bits nor a double hold is read as 1e308 or -1e308: where it
 * stands it is out of range, and the rest is read. */
#ifndef BB_LIBCOMMON_JSON_H
#define BB_LIBCOMMON_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

#define JSON_DEPTH 32

static inline void
own_json(json_t **v)
{
	json_decref(*v);
}
#define auto_json __attribute__((cleanup(own_json)))

/* Read one value from <p, n>. Gives *out (NULL unless 0). *why (may be NULL) is
 * set to a fixed sentence without input text: "duplicate member", "not valid
 * JSON", "nested deeper than 32", "holds a NUL", "not valid UTF-8", "a lone
 * surrogate". 0, E_BAD, E_DUP, E_NOMEM. */
must_use int json_parse(const char *p, size_t n, json_t **out, const char **why);

/* Value at a jq-style path: `.key`, `[n]`, `."odd key"`, `.key?`; "." is v itself.
 * Borrows v; the result is borrowed, NULL when any step is absent (with `?` or
 * not) or the path is malformed. */
json_t *json_at(const json_t *v, const char *path);

/* Typed getters: the out-parameter is zeroed first. 0, E_MISSING (absent or
 * null), E_TYPE, E_RANGE. Strings are borrowed. */
must_use int json_get_str(const json_t *v, const char *path, const char **out);
must_use int json_get_int(const json_t *v, const char *path, int64_t min, int64_t max,
    int64_t *out);
must_use int json_get_bool(const json_t *v, const char *path, bool *out);

/* A number that is whole, 2.0 too. *out is 0 unless 0 is returned. E_TYPE: no number, or
 * not whole; E_RANGE: not within 64 bits. v may be NULL (E_TYPE). */
must_use int json_whole(const json_t *v, int64_t *out);

/* A string value of <p, n>, or NULL when that is not UTF-8. jansson's own looks at each
 * byte twice. */
json_t *json_text(const char *p, size_t n);

/* Append v as one compact line without the newline, members in insertion order. What
 * steers (utf8_steers) is written as \uXXXX. 0 or E_NOMEM. */
int json_print(const json_t *v, struct buf *out);
/* Append <p, n> as a JSON string with quotes; invalid UTF-8 bytes become U+FFFD,
 * what steers \uXXXX. */
int json_quote(const char *p, size_t n, struct buf *out);

#endif

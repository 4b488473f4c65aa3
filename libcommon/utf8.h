/* UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing past
 * U+10FFFF. */
#ifndef BB_LIBCOMMON_UTF8_H
#define BB_LIBCOMMON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode one scalar value at p. Returns its length 1..4 and sets *cp, or 0 when
 * the bytes at p are not valid (then *cp is the first byte). n > 0. */
int utf8_next(const unsigned char *p, size_t n, uint32_t *cp);
/* Encode cp; returns 1..4. */
int utf8_put(uint32_t cp, char out[4]);
/* Length of the valid prefix of <p, n>; equals n when all of it is valid. Fast
 * on ASCII. */
size_t utf8_valid(const void *p, size_t n);
/* Does cp move a cursor, end a line or turn the order of signs around? Control
 * characters (C0, DEL, C1), U+2028, U+2029 and the bidi controls. */
bool utf8_steers(uint32_t cp);
/* True when all of it is valid UTF-8 and nothing in it steers: a name that may be
 * printed on a line of a listing. */
bool utf8_plain(const char *p, size_t n);

#endif

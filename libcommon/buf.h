/* Bounded growing bytes. A buffer never grows past its cap: the append that
 * would do so changes nothing and marks the buffer failed, and every later
 * append fails too, so a chain of appends needs one check at the end. The bytes
 * are always followed by a NUL that is not counted. */
#ifndef BB_LIBCOMMON_BUF_H
#define BB_LIBCOMMON_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/err.h"

struct buf {
	char *p;     /* NULL while empty; NUL-terminated otherwise */
	size_t len;  /* bytes used */
	size_t room; /* bytes allocated, the NUL included */
	size_t cap;  /* most bytes it may hold */
	bool failed; /* an append did not fit or memory ran out */
};

#define BUF_CAP_DEFAULT ((size_t)64 << 20)
#define BUF_INIT ((struct buf){.cap = BUF_CAP_DEFAULT})
#define auto_buf __attribute__((cleanup(buf_release)))

void buf_init(struct buf *b, size_t cap);
void buf_release(struct buf *b); /* frees; b is BUF-zero afterwards, cap kept */
void buf_clear(struct buf *b);   /* empties, keeps the memory, clears failed */
int buf_append(struct buf *b, const void *p, size_t n); /* 0, E_TOO_LONG, E_NOMEM */
int buf_str(struct buf *b, const char *s);
int buf_byte(struct buf *b, char c);
int buf_int(struct buf *b, int64_t v); /* decimal; links no printf */
int buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int buf_vfmt(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
int buf_reserve(struct buf *b, size_t more); /* room for `more` bytes; grows within cap */
void buf_drop(struct buf *b, size_t n);      /* removes the first n bytes */
const char *buf_cstr(const struct buf *b);   /* never NULL; "" when empty */
/* Gives the bytes to the caller (free() them); b is empty afterwards. Never
 * NULL unless memory ran out. */
char *buf_take(struct buf *b);

#endif

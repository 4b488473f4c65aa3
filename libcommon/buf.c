/* Bounded growing bytes; a failed append leaves the contents as they were. */
#include "libcommon/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
buf_init(struct buf *b, size_t cap)
{
	*b = (struct buf){.cap = cap};
}

void
buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf){.cap = b->cap};
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->p != NULL)
		b->p[0] = '\0';
}

int
buf_reserve(struct buf *b, size_t more)
{
	size_t want, room;
	char *p;

	if (b->failed)
		return E_STATE;
	/* Half the address space: doubling below cannot overflow. */
	if (__builtin_add_overflow(b->len, more, &want) || want > b->cap ||
	    want > SIZE_MAX / 4)
		return E_TOO_LONG;
	if (want < b->room)
		return 0;
	room = b->room < 64 ? 64 : b->room;
	while (room <= want)
		room *= 2;
	if (room - 1 > b->cap)
		room = b->cap + 1;
	if ((p = realloc(b->p, room)) == NULL)
		return E_NOMEM;
	if (b->p == NULL)
		p[0] = '\0';
	b->p = p;
	b->room = room;
	return 0;
}

int
buf_append(struct buf *b, const void *p, size_t n)
{
	int r = buf_reserve(b, n);

	if (r != 0) {
		b->failed = true;
		return r;
	}
	if (n > 0)
		memcpy(b->p + b->len, p, n);
	b->len += n;
	b->p[b->len] = '\0';
	return 0;
}

int
buf_str(struct buf *b, const char *s)
{
	return buf_append(b, s, strlen(s));
}

int
buf_byte(struct buf *b, char c)
{
	return buf_append(b, &c, 1);
}

int
buf_int(struct buf *b, int64_t v)
{
	char digits[24];
	size_t i = sizeof(digits);
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do
		digits[--i] = (char)('0' + u % 10);
	while ((u /= 10) > 0);
	if (v < 0)
		digits[--i] = '-';
	return buf_append(b, digits + i, sizeof(digits) - i);
}

#ifndef BB_HELPER
int
buf_vfmt(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n, r;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || (r = buf_reserve(b, (size_t)n)) != 0) {
		b->failed = true;
		return n < 0 ? E_BAD : r;
	}
	(void)vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
	return 0;
}

int
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = buf_vfmt(b, fmt, ap);
	va_end(ap);
	return r;
}
#endif

void
buf_drop(struct buf *b, size_t n)
{
	if (n > b->len)
		n = b->len;
	if (n == 0)
		return;
	memmove(b->p, b->p + n, b->len - n);
	b->len -= n;
	b->p[b->len] = '\0';
}

const char *
buf_cstr(const struct buf *b)
{
	return b->p != NULL ? b->p : "";
}

char *
buf_take(struct buf *b)
{
	char *p = b->p != NULL ? b->p : calloc(1, 1);

	b->p = NULL;
	b->len = b->room = 0;
	b->failed = false;
	return p;
}

/* Frames and flat records. What is read here was written by the other side of a pipe,
 * perhaps a helper that has been taken over: type and length are judged first, then
 * each member strictly in order. */
#include "libcommon/frame.h"

#include <string.h>

#include "libcommon/io.h"

static void
put_be(unsigned char *p, uint32_t v, size_t n)
{
	while (n-- > 0) {
		p[n] = (unsigned char)v;
		v >>= 8;
	}
}

static uint32_t
get_be(const unsigned char *p, size_t n)
{
	uint32_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

void
frame_pack(const struct frame *f, unsigned char out[FRAME_HEADER])
{
	put_be(out, FRAME_MAGIC, 2);
	put_be(out + 2, f->type, 2);
	put_be(out + 4, f->call, 4);
	put_be(out + 8, f->length, 4);
	put_be(out + 12, 0, 4);
}

int
frame_unpack(const unsigned char in[FRAME_HEADER], struct frame *f)
{
	memset(f, 0, sizeof(*f));
	if (get_be(in, 2) != FRAME_MAGIC || get_be(in + 2, 2) == 0 ||
	    get_be(in + 12, 4) != 0)
		return E_BAD;
	if (get_be(in + 8, 4) > FRAME_BODY_MAX)
		return E_TOO_LONG;
	f->type = (uint16_t)get_be(in + 2, 2);
	f->call = get_be(in + 4, 4);
	f->length = get_be(in + 8, 4);
	return 0;
}

int
frame_send(int fd, uint16_t type, uint32_t call, const void *body, size_t n)
{
	unsigned char one[4096];
	const struct frame f = {.type = type, .call = call, .length = (uint32_t)n};
	int r;

	if (n > FRAME_BODY_MAX)
		return E_TOO_LONG;
	frame_pack(&f, one);
	if (n <=
	    sizeof(one) - FRAME_HEADER) { /* one write: the common case is one call */
		if (n > 0)
			memcpy(one + FRAME_HEADER, body, n);
		return io_write(fd, one, FRAME_HEADER + n);
	}
	if ((r = io_write(fd, one, FRAME_HEADER)) != 0)
		return r;
	return io_write(fd, body, n);
}

int
frame_receive(int fd, struct frame *f, unsigned char *body)
{
	unsigned char head[FRAME_HEADER];
	int r;

	if ((r = io_read(fd, head, sizeof(head))) != 0 ||
	    (r = frame_unpack(head, f)) != 0)
		return r;
	if (f->length == 0)
		return 0;
	r = io_read(fd, body, f->length);
	return r == E_EOF ? E_BAD : r;
}

/* --- writing ----------------------------------------------------------------------- */

void
rec_put_int(struct buf *b, const char *name, int64_t v)
{
	(void)buf_str(b, name);
	(void)buf_byte(b, ' ');
	(void)buf_int(b, v);
	(void)buf_byte(b, '\n');
}

void
rec_put_word(struct buf *b, const char *name, const char *word)
{
	(void)buf_str(b, name);
	(void)buf_byte(b, ' ');
	(void)buf_str(b, word);
	(void)buf_byte(b, '\n');
}

void
rec_put_text(struct buf *b, const char *name, const void *p, size_t n)
{
	(void)buf_str(b, name);
	(void)buf_byte(b, ' ');
	(void)buf_int(b, (int64_t)n);
	(void)buf_byte(b, ':');
	(void)buf_append(b, p, n);
	(void)buf_byte(b, '\n');
}

/* --- reading ------------------------------------------------------------------------ */

void
rec_init(struct rec *r, const void *p, size_t n)
{
	*r = (struct rec){.p = p, .len = n};
}

bool
rec_has(const struct rec *r, const char *name)
{
	size_t n = strlen(name);

	return r->fault == 0 && r->len - r->pos > n &&
	    memcmp(r->p + r->pos, name, n) == 0 && r->p[r->pos + n] == ' ';
}

/* Past `name `, or the fault. */
static int
expect(struct rec *r, const char *name)
{
	if (r->fault == 0 && !rec_has(r, name))
		r->fault = E_MISSING;
	if (r->fault == 0)
		r->pos += strlen(name) + 1;
	return r->fault;
}

/* A value up to the newline; *n its length. */
static const char *
value(struct rec *r, size_t *n)
{
	const char *p = (const char *)r->p + r->pos;
	const char *end = memchr(p, '\n', r->len - r->pos);

	if (end == NULL) {
		r->fault = E_BAD;
		return NULL;
	}
	*n = (size_t)(end - p);
	r->pos += *n + 1;
	return p;
}

/* -?[0-9]+ without leading zeros, in 64 bits. */
static int
number(const char *p, size_t n, int64_t *out)
{
	bool minus = n > 0 && p[0] == '-';
	uint64_t u = 0;

	p += minus;
	n -= minus;
	if (n == 0 || (n > 1 && p[0] == '0') || (minus && p[0] == '0'))
		return E_BAD;
	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return E_BAD;
		if (__builtin_mul_overflow(u, 10, &u) ||
		    __builtin_add_overflow(u, (uint64_t)(p[i] - '0'), &u))
			return E_RANGE;
	}
	if (u > (uint64_t)INT64_MAX + minus)
		return E_RANGE;
	*out = minus ? (int64_t)(0 - u) : (int64_t)u;
	return 0;
}

int
rec_get_int(struct rec *r, const char *name, int64_t min, int64_t max, int64_t *out)
{
	const char *p;
	size_t n;
	int64_t v;

	*out = 0;
	if (expect(r, name) != 0 || (p = value(r, &n)) == NULL)
		return r->fault;
	r->fault = number(p, n, &v);
	if (r->fault == 0 && (v < min || v > max))
		r->fault = E_RANGE;
	if (r->fault == 0)
		*out = v;
	return r->fault;
}

/* [a-z][a-z0-9-]* */
static bool
is_word(const char *p, size_t n)
{
	if (n == 0 || p[0] < 'a' || p[0] > 'z')
		return false;
	for (size_t i = 1; i < n; i++)
		if (!((p[i] >= 'a' && p[i] <= 'z') || (p[i] >= '0' && p[i] <= '9') ||
		        p[i] == '-'))
			return false;
	return true;
}

int
rec_get_word(struct rec *r, const char *name, const char *const *words, int *out)
{
	const char *p;
	size_t n;

	*out = -1;
	if (expect(r, name) != 0 || (p = value(r, &n)) == NULL)
		return r->fault;
	if (!is_word(p, n))
		return r->fault = E_BAD;
	for (int i = 0; words[i] != NULL; i++)
		if (strlen(words[i]) == n && memcmp(words[i], p, n) == 0) {
			*out = i;
			return 0;
		}
	return r->fault = E_RANGE;
}

int
rec_get_hex(struct rec *r, const char *name, char *out, size_t digits)
{
	const char *p;
	size_t n;

	out[0] = '\0';
	if (expect(r, name) != 0 || (p = value(r, &n)) == NULL)
		return r->fault;
	if (n != digits)
		return r->fault = E_BAD;
	for (size_t i = 0; i < n; i++)
		if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f')))
			return r->fault = E_BAD;
	memcpy(out, p, n);
	out[n] = '\0';
	return 0;
}

int
rec_get_text(struct rec *r, const char *name, size_t max, const char **out, size_t *n)
{
	const char *p;
	size_t left, digits = 0;
	int64_t len;

	*out = NULL;
	*n = 0;
	if (expect(r, name) != 0)
		return r->fault;
	p = (const char *)r->p + r->pos;
	left = r->len - r->pos;
	while (digits < left && digits < 8 && p[digits] != ':')
		digits++;
	if (digits == left || p[digits] != ':' || number(p, digits, &len) != 0 || len < 0)
		return r->fault = E_BAD;
	if ((uint64_t)len > max)
		return r->fault = E_TOO_LONG;
	if ((uint64_t)len >= left - digits - 1 || p[digits + 1 + (size_t)len] != '\n')
		return r->fault = E_BAD;
	*out = p + digits + 1;
	*n = (size_t)len;
	r->pos += digits + 1 + (size_t)len + 1;
	return 0;
}

int
rec_end(struct rec *r)
{
	if (r->fault == 0 && r->pos != r->len)
		r->fault = E_UNKNOWN;
	return r->fault;
}

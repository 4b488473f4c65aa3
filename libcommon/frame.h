/* Frames between bb and a helper: a 16-byte header, then a flat record. frame(7)
 * is the manual; this header is its C side.
 *
 * Header, big-endian: u16 magic 0xBB01, u16 type, u32 call, u32 length of the
 * body (<= FRAME_BODY_MAX), u32 zero. Types a helper sends are odd, types bb
 * sends are even. Type, permit and length are checked before any byte of the
 * body is looked at.
 *
 * Body: lines `name value\n`; a value is an integer (-?[0-9]+, no leading zero),
 * a word ([a-z][a-z0-9-]*), a digest (hex digits), or text as `LEN:bytes`. Names
 * stand in the order of the tool's page, each at most once; nothing unread. */
#ifndef BB_LIBCOMMON_FRAME_H
#define BB_LIBCOMMON_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

#define FRAME_MAGIC 0xBB01
#define FRAME_HEADER 16
#define FRAME_BODY_MAX 65536

enum frame_type {
	FRAME_READY = 1, /* helper: layers are on */
	FRAME_CALL = 2,  /* bb: the one request */
	FRAME_RESULT = 3 /* helper: the one answer, last */
};

struct frame {
	uint16_t type;
	uint32_t call;   /* number of the call; READY carries 0 */
	uint32_t length; /* bytes of the body */
};

/* Write a header into out[16]. */
void frame_pack(const struct frame *f, unsigned char out[FRAME_HEADER]);
/* Read a header. 0, E_BAD (magic, reserved field, type 0), E_TOO_LONG. */
must_use int frame_unpack(const unsigned char in[FRAME_HEADER], struct frame *f);
/* Send header and body with as few write(2) calls as possible (one when it fits
 * PIPE_BUF). 0, E_TOO_LONG, E_SYS. */
must_use int frame_send(int fd, uint16_t type, uint32_t call, const void *body, size_t n);
/* Read one frame, blocking. The body goes into `body` (FRAME_BODY_MAX bytes).
 * 0, E_EOF, E_BAD, E_TOO_LONG, E_SYS. */
must_use int frame_receive(int fd, struct frame *f, unsigned char *body);

/* --- records: writing. Appends one line; a failed buffer stays failed. --- */
void rec_put_int(struct buf *b, const char *name, int64_t v);
void rec_put_word(struct buf *b, const char *name, const char *word);
void rec_put_text(struct buf *b, const char *name, const void *p, size_t n);

/* --- records: reading, strictly in order. --- */
struct rec {
	const unsigned char *p;
	size_t len, pos;
	int fault; /* first error; later getters return it */
};
void rec_init(struct rec *r, const void *p, size_t n);
/* Is `name` the next member? (for optional members) */
bool rec_has(const struct rec *r, const char *name);
/* Each zeroes its out-parameter first, then demands that the next member is
 * `name` with a value of that form. 0, E_MISSING (another name, or the end),
 * E_BAD (form), E_RANGE, E_TOO_LONG. Text is borrowed from the record and may
 * hold any byte. */
must_use int rec_get_int(struct rec *r, const char *name, int64_t min, int64_t max,
    int64_t *out);
/* *out is the index in the NULL-terminated list, or -1. E_RANGE: not in it. */
must_use int rec_get_word(struct rec *r, const char *name, const char *const *words,
    int *out);
/* Hex digits only; out holds n+1 bytes and receives exactly n digits. */
must_use int rec_get_hex(struct rec *r, const char *name, char *out, size_t n);
must_use int rec_get_text(struct rec *r, const char *name, size_t max, const char **out,
    size_t *n);
/* 0 when everything was read and nothing failed, else E_UNKNOWN or the fault. */
must_use int rec_end(struct rec *r);

#endif

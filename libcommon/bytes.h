/* Plain searches over bytes at the speed of the machine: AVX2 or SSE2 on x86-64, NEON on
 * aarch64, a scalar twin everywhere; one is chosen at the first call. (musl's own are a
 * byte at a time.) No result depends on the choice. */
#ifndef BB_LIBCOMMON_BYTES_H
#define BB_LIBCOMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Offset of the first `c` in <p, n>, or n. */
size_t bytes_find(const void *p, size_t n, unsigned char c);
/* Offset just past the last `c` in <p, n>, or 0. */
size_t bytes_past_last(const void *p, size_t n, unsigned char c);
/* How many `c` stand in <p, n>. */
size_t bytes_count(const void *p, size_t n, unsigned char c);
/* How many bytes at the begin of <p, n> are below 0x80. */
size_t bytes_ascii(const void *p, size_t n);
/* bytes_find() of the NUL in one pass with bytes_ascii(): *high is set when a byte of
 * 0x80 or more stands before the NUL (behind it is not looked), and left alone otherwise. */
size_t bytes_text(const void *p, size_t n, bool *high);
/* utf8_valid() for megabytes: the length of the valid prefix. */
size_t bytes_utf8(const void *p, size_t n);

#endif

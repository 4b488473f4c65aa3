/* Plain searches over bytes at the speed of the machine: AVX2 or SSE2 on x86-64, NEON on
 * aarch64, a scalar twin everywhere; one is chosen at the first call. (musl's own are a
 * byte at a time.) No result depends on the choice. */
#ifndef BB_LIBCOMMON_BYTES_H
#define BB_LIBCOMMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* memcpy(3) for a name or a line: musl's begins with a string instruction, which takes
 * longer to start than to copy a hundred bytes. */
static inline void
bytes_copy(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;
	size_t i = 0;

	if (n > 256) {
		memcpy(t, f, n);
	} else if (n >= 16) {
		for (; i + 16 <= n; i += 16) {
			memcpy(t + i, f + i, 16);
			__asm__("" : "+r"(i)); /* or the compiler makes it a memcpy */
		}
		memcpy(t + n - 16, f + n - 16, 16);
	} else if (n >= 8) {
		memcpy(t, f, 8);
		memcpy(t + n - 8, f + n - 8, 8);
	} else {
		for (; i < n; i++) {
			t[i] = f[i];
			__asm__("" : "+r"(i));
		}
	}
}

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

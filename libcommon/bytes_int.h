/* The kernels of one machine, for bytes.c, rx_find.c and their tests. */
#ifndef BB_LIBCOMMON_BYTES_INT_H
#define BB_LIBCOMMON_BYTES_INT_H

#if defined(__x86_64__)
#define BYTES_X86 1
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#endif

/* What this processor runs: 0 scalar, 1 SSE2, 2 AVX2. */
int bytes_level(void);
/* For tests: not above `level`. */
void bytes_limit(int level);

#endif

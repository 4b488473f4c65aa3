/* The kernels of one machine, for bytes.c, rx_find.c and their tests. */
#ifndef BB_LIBCOMMON_BYTES_INT_H
#define BB_LIBCOMMON_BYTES_INT_H

#if defined(__x86_64__)
#define BYTES_X86 1
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#elif defined(__aarch64__)
#define BYTES_NEON 1
#include <arm_neon.h>
#include <stdint.h>
/* Four bits for each of 16 bytes that are all ones or zeros. */
static inline uint64_t
neon_bits(uint8x16_t v)
{
	return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)),
	    0);
}
#endif

/* What this processor runs: 0 scalar, 1 SSE2 or NEON, 2 AVX2. */
int bytes_level(void);
/* For tests: not above `level`. */
void bytes_limit(int level);

#endif

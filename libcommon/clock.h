/* Time and chance come in here, so that tests and --seed can own them. */
#ifndef BB_LIBCOMMON_CLOCK_H
#define BB_LIBCOMMON_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "libcommon/err.h"

uint64_t clock_mono_us(void); /* monotonic microseconds */
uint64_t clock_wall_ms(void); /* milliseconds since 1970 UTC */
/* "2026-11-30T14:02:11.204Z" into out[25]. */
void clock_rfc3339(uint64_t wall_ms, char out[25]);
/* Secret random bytes of the kernel (getrandom). 0 or E_SYS. Never seeded. */
must_use int clock_random(void *p, size_t n);

#endif

/* Time and chance. */
#include "libcommon/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

uint64_t
clock_mono_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint64_t
clock_wall_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
digits(char *at, unsigned n, uint64_t v)
{
	while (n-- > 0) {
		at[n] = (char)('0' + v % 10);
		v /= 10;
	}
}

/* By hand: helpers carry no stdio, and strftime asks for a locale. */
void
clock_rfc3339(uint64_t wall_ms, char out[25])
{
	static const uint64_t last = 253402300799999; /* the end of the year 9999 */
	uint64_t ms = wall_ms > last ? last : wall_ms, s = ms / 1000 % 86400;
	/* Years that begin in March, so that a leap day is their last: days since
	 * 1 March of the year 0, of its 400 years, of its year. */
	uint64_t day = ms / 86400000 + 719468, era = day / 146097, doe = day % 146097;
	uint64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	uint64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	uint64_t march = (5 * doy + 2) / 153; /* months since March: 153 days are five */
	uint64_t month = march < 10 ? march + 3 : march - 9;

	memcpy(out, "0000-00-00T00:00:00.000Z", 25);
	digits(out, 4, era * 400 + yoe + (month <= 2));
	digits(out + 5, 2, month);
	digits(out + 8, 2, doy - (153 * march + 2) / 5 + 1);
	digits(out + 11, 2, s / 3600);
	digits(out + 14, 2, s / 60 % 60);
	digits(out + 17, 2, s % 60);
	digits(out + 20, 3, ms % 1000);
}

int
clock_random(void *p, size_t n)
{
	char *at = p;

	while (n > 0) {
		ssize_t r = getrandom(at, n, 0);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return E_SYS;
		at += r;
		n -= (size_t)r;
	}
	return 0;
}

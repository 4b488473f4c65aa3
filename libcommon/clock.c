/* Time and chance. */
#include "libcommon/clock.h"

#include <errno.h>
#include <stdbool.h>
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

static unsigned
days_of(uint64_t year, unsigned month) /* month 0..11 */
{
	static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
	    31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month] + (month == 1 && leap);
}

/* By hand: helpers carry no stdio, and strftime asks for a locale. */
void
clock_rfc3339(uint64_t wall_ms, char out[25])
{
	static const uint64_t last = 253402300799999; /* the end of the year 9999 */
	uint64_t ms = wall_ms > last ? last : wall_ms;
	uint64_t day = ms / 86400000, s = ms / 1000 % 86400;
	uint64_t year = 1970 + day / 146097 * 400; /* 400 years repeat to the day */
	unsigned month = 0;

	day %= 146097;
	for (;; month = (month + 1) % 12) {
		unsigned n = days_of(year, month);

		if (day < n)
			break;
		day -= n;
		year += month == 11;
	}
	memcpy(out, "0000-00-00T00:00:00.000Z", 25);
	digits(out, 4, year);
	digits(out + 5, 2, month + 1);
	digits(out + 8, 2, day + 1);
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

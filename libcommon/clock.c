/* Time and chance. */
#include "libcommon/clock.h"

#include <errno.h>
#include <stdio.h>
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

void
clock_rfc3339(uint64_t wall_ms, char out[25])
{
	time_t s = (time_t)(wall_ms / 1000);
	struct tm tm;
	char day[20];

	(void)gmtime_r(&s, &tm);
	(void)strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(out, 25, "%.19s.%03uZ", day, (unsigned)(wall_ms % 1000));
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

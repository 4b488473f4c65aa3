/* Numbers as our own words say them. */
#include "bin/bb/ui/ui.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
words_count(uint64_t n, struct buf *out)
{
	char s[24];
	int len = snprintf(s, sizeof s, "%" PRIu64, n);

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf_byte(out, ',');
		buf_byte(out, s[i]);
	}
}

void
words_many(uint64_t n, const char *one, struct buf *out)
{
	words_count(n, out);
	buf_byte(out, ' ');
	buf_str(out, one);
	if (n != 1)
		buf_byte(out, 's');
}

void
words_age(int64_t seconds, struct buf *out)
{
	static const struct {
		int64_t from, unit;
		const char *name;
	} steps[] = {{2 * 365 * 86400LL, 365 * 86400LL, "year"},
	    {60 * 86400LL, 30 * 86400LL, "month"}, {86400, 86400, "day"},
	    {3600, 3600, "hour"}, {60, 60, "minute"}};

	if (seconds < 0)
		seconds = 0;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		if (seconds < steps[i].from)
			continue;
		words_many((uint64_t)(seconds / steps[i].unit), steps[i].name, out);
		buf_str(out, " ago");
		return;
	}
	words_count((uint64_t)seconds, out);
	buf_str(out, " s ago");
}

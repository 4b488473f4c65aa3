/* Log text on descriptor 2. */
#include "libcommon/log.h"

#include <stdarg.h>
#include <stdio.h>

int log_level;

void
log_at(int level, const char *fmt, ...)
{
	va_list ap;

	if (level > log_level)
		return;
	va_start(ap, fmt);
	fputs("bb: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}

/* Log text on descriptor 2. */
#include "libcommon/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int log_level;

void
log_at(int level, const char *fmt, ...)
{
	int keep = errno; /* a line of log is no reason to lose the kernel's */
	va_list ap;

	if (level > log_level)
		return;
	va_start(ap, fmt);
	fputs("bb: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	errno = keep;
}

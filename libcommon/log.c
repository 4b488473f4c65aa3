/* Messages on descriptor 2, and pages on 1. What they hold may be anybody's words. */
#include "libcommon/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/visible.h"

int log_level;

/* The last complaint as it was shown, in two. */
static struct {
	struct buf says, remedy;
	bool open;
} last = {BUF_INIT, BUF_INIT, false};

/* Split where the format, which is ours, does it: never in a name. */
static void
keep_last(const char *fmt, const struct buf *shown)
{
	const char *cut = NULL, *p = buf_cstr(shown);
	size_t n = shown->len > 0 ? shown->len - 1 : 0, tail = 0;

	for (const char *at = fmt; (at = strstr(at, "; ")) != NULL; at += 2)
		if (cut == NULL && strchr(at, '%') == NULL)
			cut = at;
	if (cut != NULL)
		tail = strcspn(cut, "\n");
	buf_clear(&last.says);
	buf_clear(&last.remedy);
	if (strncmp(p, "bb: ", 4) == 0)
		p += 4, n -= 4;
	if (tail > n)
		tail = 0;
	(void)buf_append(&last.says, p, n - tail);
	if (tail > 2)
		(void)buf_append(&last.remedy, p + n - tail + 2, tail - 2);
	last.open = true;
}

const char *
complaint(const char **remedy)
{
	*remedy = buf_cstr(&last.remedy);
	return last.open ? buf_cstr(&last.says) : NULL;
}

void
complaint_answered(void)
{
	last.open = false;
}

__attribute__((format(printf, 2, 0))) static void
message(const char *before, const char *fmt, va_list ap, bool keep)
{
	auto_buf struct buf said = BUF_INIT, shown = BUF_INIT;
	char *text = NULL;
	int n = vasprintf(&text, fmt, ap);

	if (n >= 0)
		(void)buf_append(&said, text, (size_t)n);
	free(text);
	if (said.len > 0 && said.p[said.len - 1] == '\n')
		said.len--;
	(void)buf_str(&shown, before);
	visible_put(buf_cstr(&said), said.len, VISIBLE_WORD, &shown);
	(void)buf_byte(&shown, '\n');
	fputs(buf_cstr(&shown), stderr);
	if (keep)
		keep_last(fmt, &shown);
}

void
log_at(int level, const char *fmt, ...)
{
	int keep = errno; /* a line of log is no reason to lose the kernel's */
	va_list ap;

	if (level > log_level)
		return;
	va_start(ap, fmt);
	message("bb: ", fmt, ap, false);
	va_end(ap);
	errno = keep;
}

void
complain(const char *fmt, ...)
{
	int keep = errno;
	va_list ap;

	va_start(ap, fmt);
	message("", fmt, ap, true);
	va_end(ap);
	errno = keep;
}

bool
print_page(const char *p, size_t n)
{
	auto_buf struct buf shown = BUF_INIT;

	if (isatty(STDOUT_FILENO) == 1) {
		visible_put(p, n, VISIBLE_PAGE, &shown);
		if (shown.failed)
			return false;
		p = buf_cstr(&shown);
		n = shown.len;
	}
	return fwrite(p, 1, n, stdout) == n && fflush(stdout) == 0;
}

/* mkpolicy's reader on any page: it ends by naming what is wrong or compiles a filter; it
 * never ends otherwise. Its exit comes back here, and its files are in memory. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static jmp_buf ended;
static const char *input[2]; /* the page, the groups */
static size_t left[2];

static const char groups[] =
    "@base\nexit_group\nbrk\nmmap arg2 & ~(PROT_READ|PROT_WRITE) == 0, arg3 == "
    "MAP_PRIVATE|MAP_ANONYMOUS\n@more\nmunmap\n";

_Noreturn static void
fuzz_exit(int status)
{
	(void)status;
	longjmp(ended, 1);
}

static FILE *
fuzz_open(const char *name, const char *how)
{
	size_t n = strlen(name);

	(void)how;
	return (FILE *)&input[n > 8 && strcmp(name + n - 8, ".seccomp") == 0];
}

static ssize_t
fuzz_line(char **line, size_t *room, FILE *f)
{
	static char held[2][8192];
	size_t i = (size_t)((const char **)f - input), n;
	const char *lf;

	*line = held[i];
	*room = sizeof(held[i]);
	if (left[i] == 0)
		return -1;
	lf = memchr(input[i], '\n', left[i]);
	n = lf != NULL ? (size_t)(lf - input[i]) + 1 : left[i];
	if (n >= sizeof(held[i]))
		n = sizeof(held[i]) - 1;
	memcpy(held[i], input[i], n);
	held[i][n] = '\0';
	input[i] += n;
	left[i] -= n;
	return (ssize_t)n;
}

static int
fuzz_close(FILE *f)
{
	(void)f;
	return 0;
}

static void
fuzz_free(void *p)
{
	(void)p;
}

__attribute__((format(printf, 2, 0))) static int
fuzz_vsay(FILE *f, const char *fmt, va_list ap)
{
	static char said[8192];

	(void)f;
	return vsnprintf(said, sizeof(said), fmt, ap);
}

__attribute__((format(printf, 2, 3))) static int
fuzz_say(FILE *f, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = fuzz_vsay(f, fmt, ap);
	va_end(ap);
	return n;
}

#define exit fuzz_exit
#define fopen fuzz_open
#define getline fuzz_line
#define fclose fuzz_close
#define free fuzz_free
#define vfprintf fuzz_vsay
#define fprintf fuzz_say
#define fputc(c, f) fuzz_say(f, "%c", c)
#include "scripts/mkpolicy_calls.c"
#include "scripts/mkpolicy_page.c"
#undef exit
#undef fopen
#undef getline
#undef fclose
#undef free
#undef vfprintf
#undef fprintf
#undef fputc
#include "scripts/mkpolicy_bpf.c"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	static struct page page;
	static unsigned count;

	input[0] = (const char *)p;
	left[0] = n;
	input[1] = groups;
	left[1] = sizeof(groups) - 1;
	if (setjmp(ended) != 0)
		return 0;
	page_read("policy", "t", "bb-t", &page);
	/* Compiling is slow beside reading, and its refusals leave a context behind. */
	if (count++ % 64 == 0) {
		char digest[65];
		size_t len;

		free(page_filter(&page, &len, digest));
	}
	return 0;
}

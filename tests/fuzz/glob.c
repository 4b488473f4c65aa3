/* The glob matcher against a naive recursive one: pattern, newline, path. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/glob.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

static size_t
character(const char *s)
{
	size_t n = 1;

	while (((unsigned char)s[n] & 0xc0) == 0x80 && n < 4 && (unsigned char)s[0] >= 0xc2)
		n++;
	return n;
}

/* One segment: `*` and `?` within it. */
static int
segment(const char *p, size_t np, const char *s, size_t ns)
{
	if (np == 0)
		return ns == 0;
	if (*p == '*') {
		for (size_t i = 0; i <= ns; i++)
			if (segment(p + 1, np - 1, s + i, ns - i))
				return 1;
		return 0;
	}
	if (ns == 0)
		return 0;
	if (*p == *s && segment(p + 1, np - 1, s + 1, ns - 1))
		return 1;
	if (*p == '?') {
		size_t k = character(s);

		return k <= ns && segment(p + 1, np - 1, s + k, ns - k);
	}
	return 0;
}

static int
naive(const char *p, const char *s)
{
	size_t np = strcspn(p, "/"), ns = strcspn(s, "/");

	if (np == 2 && p[0] == '*' && p[1] == '*') {
		if (p[2] == '\0')
			return 1;
		for (;;) {
			if (naive(p + 3, s))
				return 1;
			s += strcspn(s, "/");
			if (*s == '\0')
				return 0;
			s++;
		}
	}
	if (!segment(p, np, s, ns))
		return 0;
	if (p[np] == '\0' || s[ns] == '\0')
		return p[np] == s[ns];
	return naive(p + np + 1, s + ns + 1);
}

int
LLVMFuzzerTestOneInput(const unsigned char *in, size_t n)
{
	const unsigned char *nl = memchr(in, '\n', n);
	char pattern[13], path[25]; /* the naive one is exponential */
	size_t np, ns;
	struct glob g;

	if (glob_compile((const char *)in, n < GLOB_MAX ? n : GLOB_MAX, &g) == 0) {
		if (g.n > GLOB_EXPANSIONS)
			abort();
		glob_release(&g);
	}
	if (nl == NULL)
		return 0;
	np = (size_t)(nl - in);
	ns = n - np - 1;
	if (np >= sizeof(pattern) || ns >= sizeof(path) || memchr(in, '\0', n) != NULL)
		return 0;
	memcpy(pattern, in, np);
	pattern[np] = '\0';
	memcpy(path, nl + 1, ns);
	path[ns] = '\0';
	if (glob_match_one(pattern, path) != (naive(pattern, path) != 0))
		abort();
	return 0;
}

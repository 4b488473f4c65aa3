/* The glob matcher against a naive recursive one: pattern, newline, path. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/glob.h"
#include "libcommon/utf8.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

/* By the table of RFC 3629, not by utf8.c. */
static size_t
character(const char *p)
{
	const unsigned char *s = (const unsigned char *)p;
	unsigned low = 0x80, high = 0xbf;
	size_t n;

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 1;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	if (s[0] == 0xed)
		high = 0x9f;
	if (s[0] == 0xf0)
		low = 0x90;
	if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 1;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 1;
	return n;
}

/* One segment: `*` and `?` within it. */
static int
segment(const char *p, size_t np, const char *s, size_t ns)
{
	if (np == 0)
		return ns == 0;
	if (*p == '*') {
		for (size_t i = 0; i <= ns; i += i < ns ? character(s + i) : 1)
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
	char pattern[13] = "", path[25] = ""; /* the naive one is exponential */
	size_t np, ns, stars = 0;
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
	/* Planners write UTF-8. In a pattern that is not, a `*` still never ends within a
	 * character of the path, where the naive one may begin again. */
	if (utf8_valid(in, np) != np)
		return 0;

	for (size_t i = 0; i < np; i++)
		stars += in[i] == '*';
	if (stars > 4) /* the naive one is exponential in them */
		return 0;
	memcpy(pattern, in, np);
	pattern[np] = '\0';
	memcpy(path, nl + 1, ns);
	path[ns] = '\0';
	if (glob_match_one(pattern, path) != (naive(pattern, path) != 0))
		abort();
	return 0;
}

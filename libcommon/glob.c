/* The glob dialect of list and search. Matching keeps two places to go back to, the
 * last `*` of the segment and the last `**`, so no pattern costs more than its length
 * times the path's. */
#include "libcommon/glob.h"

#include <stdlib.h>
#include <string.h>

#include "libcommon/utf8.h"

static bool
double_star(const char *p)
{
	return p[0] == '*' && p[1] == '*' && (p[2] == '/' || p[2] == '\0');
}

/* Length of the character at s: `?` takes one scalar value, not one byte; a byte that
 * begins none counts as one. */
static size_t
character(const char *s)
{
	uint32_t cp;
	int n = utf8_next((const unsigned char *)s, strnlen(s, 4), &cp);

	return n > 0 ? (size_t)n : 1;
}

bool
glob_match_one(const char *pattern, const char *path)
{
	const char *p = pattern, *s = path;
	const char *star_p = NULL,
	           *star_s = NULL; /* after the last `*`, where it began */
	const char *deep_p = NULL,
	           *deep_s = NULL; /* after the last `**`, segment it began */
	bool at_start = true;      /* p and s stand at a segment's beginning */

	for (;;) {
		if (at_start && double_star(p)) {
			if (p[2] == '\0')
				return true; /* `**` at the end takes whatever follows */
			deep_p = p + 3;
			deep_s = s;
			star_p = NULL;
			p += 3;
			continue;
		}
		if (*s == '\0' && *p == '\0')
			return true;
		if (*p == '*') {
			star_p = ++p;
			star_s = s;
			at_start = false;
			continue;
		}
		if (*s != '\0' && *p == *s) {
			at_start = *s == '/';
			p++;
			s++;
			if (at_start)
				star_p = NULL; /* a `*` does not cross a segment */
			continue;
		}
		if (*s != '\0' && *s != '/' && *p == '?') {
			p++;
			s += character(s);
			at_start = false;
			continue;
		}
		if (star_p != NULL && *star_s != '\0' && *star_s != '/') {
			s = star_s += character(star_s); /* never into a character */
			p = star_p;
			at_start = false;
			continue;
		}
		if (deep_p == NULL)
			return false;
		/* `**` takes one more whole segment. */
		deep_s += strcspn(deep_s, "/");
		if (*deep_s == '\0')
			return false;
		s = ++deep_s;
		p = deep_p;
		star_p = NULL;
		at_start = true;
	}
}

/* --- braces -------------------------------------------------------------------------- */

static bool
balanced(const char *p, size_t n)
{
	size_t depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] == '{')
			depth++;
		else if (p[i] == '}' && depth-- == 0)
			return false;
	}
	return depth == 0;
}

static int
push(struct glob *g, char *s)
{
	char **p;

	if (g->n == GLOB_EXPANSIONS) {
		free(s);
		return E_FULL;
	}
	if (s == NULL || (p = reallocarray(g->alt, g->n + 1, sizeof(*p))) == NULL) {
		free(s);
		return E_NOMEM;
	}
	g->alt = p;
	g->alt[g->n++] = s;
	return 0;
}

/* One step: the first brace group of s spelled out into out. E_BAD: s has none. */
static int
spell(const char *s, struct glob *out)
{
	const char *open = strchr(s, '{'), *close, *from;
	size_t depth = 0;

	if (open == NULL)
		return E_BAD;
	for (close = open;; close++) {
		depth += *close == '{';
		if (*close == '}' && --depth == 0)
			break;
	}
	depth = 0;
	from = open + 1;
	for (const char *p = open + 1; p <= close; p++) {
		if (*p == '{')
			depth++;
		if (*p == '}' && p < close)
			depth--;
		if (p == close || (*p == ',' && depth == 0)) {
			size_t head = (size_t)(open - s), mid = (size_t)(p - from),
			       tail = strlen(close + 1);
			char *one = malloc(head + mid + tail + 1);
			int r;

			if (one != NULL) {
				memcpy(one, s, head);
				memcpy(one + head, from, mid);
				memcpy(one + head + mid, close + 1, tail + 1);
			}
			if ((r = push(out, one)) != 0)
				return r;
			from = p + 1;
		}
	}
	return 0;
}

static int
expand(struct glob *g)
{
	for (;;) {
		struct glob next = {0};
		bool any = false;
		int r = 0;

		for (size_t i = 0; i < g->n && r == 0; i++) {
			r = spell(g->alt[i], &next);
			if (r == E_BAD)
				r = push(&next, strdup(g->alt[i]));
			else
				any = true;
		}
		if (r != 0) {
			glob_release(&next);
			return r;
		}
		for (size_t i = 0; i < g->n; i++)
			free(g->alt[i]);
		free(g->alt);
		g->alt = next.alt;
		g->n = next.n;
		if (!any)
			return 0;
	}
}

int
glob_compile(const char *p, size_t n, struct glob *g)
{
	char *whole;
	int r;

	memset(g, 0, sizeof(*g));
	if (n == 0)
		return 0;
	if (n > GLOB_MAX || memchr(p, '\0', n) != NULL)
		return E_TOO_LONG;
	if ((whole = strndup(p, n)) == NULL || push(g, whole) != 0)
		return E_NOMEM;
	g->literal = !balanced(p, n);
	r = g->literal ? 0 : expand(g);
	if (r == E_FULL) { /* too many: braces are ordinary characters */
		glob_release(g);
		g->literal = true;
		r = push(g, strndup(p, n));
	}
	if (r != 0) {
		glob_release(g);
		return r;
	}
	for (size_t i = 0; i < g->n; i++)
		g->has_slash |= strchr(g->alt[i], '/') != NULL;
	return 0;
}

void
glob_release(struct glob *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->alt[i]);
	free(g->alt);
	memset(g, 0, sizeof(*g));
}

bool
glob_keeps(const struct glob *g, const char *name, const char *from_root,
    const char *from_dir)
{
	for (size_t i = 0; i < g->n; i++) {
		if (strchr(g->alt[i], '/') == NULL) {
			if (glob_match_one(g->alt[i], name))
				return true;
		} else if (glob_match_one(g->alt[i], from_root) ||
		    glob_match_one(g->alt[i], from_dir)) {
			return true;
		}
	}
	return false;
}

/* Permission rules: FAMILY or FAMILY(SPEC), read from the person's settings and matched
 * against a path. A rule decides whether something may happen and who is asked, never a
 * label. What restricts (deny, ask) reads broadly, what grants reads to the letter: a path
 * beneath a denied directory is denied, a pattern through a link covers where it leads. */
#include <stdlib.h>
#include <string.h>

#include "bin/bb/permit/permit.h"
#include "libcommon/buf.h"
#include "libcommon/err.h"
#include "libcommon/glob.h"
#include "libcommon/path.h"

#define FORMS 2 /* as written, and as it lands */

/* One pattern: relative to the workspace, or an absolute path without its first slash. */
struct form {
	char *pattern;
	bool absolute;
};

struct entry {
	struct rule r; /* first: a rule given out is its entry */
	char *text, *from, *dir;
	char *spec; /* path pattern as written; NULL: covers every use */
	struct form form[FORMS];
	size_t n;
};

struct rules {
	char *workspace, *home;
	bool folds;
	struct entry **e;
	size_t n;
};

static const struct {
	const char *name;
	enum rule_family family;
} families[] = {{"Read", RULE_READ}, {"Edit", RULE_EDIT}, {"Bash", RULE_BASH},
    {"Exec", RULE_BASH}, {"Confined", RULE_CONFINED}, {"WebFetch", RULE_WEBFETCH},
    {"Mcp", RULE_MCP}};

const char *const rule_list_words[] = {"deny", "ask", "allow"};

static void
entry_free(struct entry *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->n; i++)
		free(e->form[i].pattern);
	free(e->text);
	free(e->from);
	free(e->dir);
	free(e->spec);
	free(e);
}

int
rules_new(const char *workspace, const char *home, bool folds, struct rules **out)
{
	struct rules *r = calloc(1, sizeof(*r));

	*out = NULL;
	if (r == NULL)
		return E_NOMEM;
	r->folds = folds;
	if ((r->workspace = strdup(workspace)) == NULL ||
	    (home != NULL && (r->home = strdup(home)) == NULL)) {
		rules_free(r);
		return E_NOMEM;
	}
	*out = r;
	return 0;
}

void
rules_free(struct rules *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++)
		entry_free(r->e[i]);
	free(r->e);
	free(r->workspace);
	free(r->home);
	free(r);
}

/* --- path patterns ----------------------------------------------------------------- */

static bool
wild(const char *s, size_t n)
{
	return memchr(s, '*', n) != NULL || memchr(s, '?', n) != NULL;
}

/* The segments of p onto out, joined by one slash: empty and `.` ones dropped. */
static int
segments(const char *p, struct buf *out)
{
	while (*p != '\0') {
		size_t n = strcspn(p, "/");

		if (n == 2 && p[0] == '.' && p[1] == '.')
			return E_BAD;
		if (n > 0 && !(n == 1 && *p == '.') &&
		    ((out->len > 0 && buf_byte(out, '/') != 0) ||
		        buf_append(out, p, n) != 0))
			return E_NOMEM;
		p += n + (p[n] == '/');
	}
	return 0;
}

/* Bytes of p that come before its first segment with a sign. */
static size_t
literal(const char *p)
{
	size_t at = 0, end = 0;

	for (;;) {
		size_t n = strcspn(p + at, "/");

		if (n == 0 || wild(p + at, n))
			return end;
		end = at + n;
		if (p[end] == '\0')
			return end;
		at = end + 1;
	}
}

static int
add_form(struct rules *r, struct entry *e, const char *pattern, bool absolute)
{
	struct form *f = &e->form[e->n];

	if ((f->pattern = strdup(pattern)) == NULL)
		return E_NOMEM;
	f->absolute = absolute;
	for (char *c = f->pattern; r->folds && *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	e->n++;
	return 0;
}

/* An absolute pattern whose plain beginning lies in the workspace is about its files. */
static int
add_absolute(struct rules *r, struct entry *e, const char *pattern)
{
	const char *rest = NULL;
	size_t n = literal(pattern + 1);
	char *plain = strndup(pattern, n + 1);
	bool inside;

	if (plain == NULL)
		return E_NOMEM;
	inside = path_covers(r->workspace, plain, &rest);
	free(plain);
	if (!inside)
		return add_form(r, e, pattern + 1, true);
	rest = pattern + strlen(r->workspace);
	return add_form(r, e, rest + strspn(rest, "/"), false);
}

/* Where the plain beginning of an absolute pattern leads, with the rest behind it. *out
 * stays empty where it leads nowhere else. */
static int
landed(const char *pattern, struct buf *out)
{
	size_t n = 1 + literal(pattern + 1);

	while (n > 1) {
		char *plain = strndup(pattern, n), *real;

		if (plain == NULL)
			return E_NOMEM;
		real = realpath(plain, NULL);
		if (real != NULL) {
			bool same = strcmp(real, plain) == 0;
			int err = 0;

			if (!same)
				err = buf_fmt(out, "%s%s",
				    strcmp(real, "/") == 0 ? "" : real, pattern + n);
			free(real);
			free(plain);
			return err;
		}
		free(plain);
		while (n > 1 && pattern[n - 1] != '/') /* the last component */
			n--;
		n -= n > 1; /* and its slash */
	}
	return 0;
}

/* The spec of e into its forms, for the workspace as it is now. *why only with E_BAD. */
static int
compile(struct rules *r, struct entry *e, const char **why)
{
	const char *p = e->spec, *anchor = NULL;
	bool restricts = e->r.list != RULE_ALLOW, floats = false;
	auto_buf struct buf body = BUF_INIT, whole = BUF_INIT, there = BUF_INIT;
	int err;

	for (; e->n > 0; e->n--)
		free(e->form[e->n - 1].pattern);
	if (p == NULL)
		return 0;
	if (strncmp(p, "//", 2) == 0) {
		anchor = "";
	} else if (p[0] == '~' && (p[1] == '/' || p[1] == '\0')) {
		anchor = r->home;
		if (anchor == NULL) {
			*why = "there is no home directory for '~'";
			return E_BAD;
		}
		p++;
	} else if (p[0] == '/') {
		anchor = e->dir;
	} else {
		size_t n = strlen(p);

		while (n > 0 && p[n - 1] == '/')
			n--;
		floats = memchr(p, '/', n) == NULL ||
		    (restricts && strncmp(p, "./", 2) != 0 && !wild(p, strcspn(p, "/")));
	}
	if ((err = segments(p, &body)) != 0) {
		*why = "'..' names nothing a call can name";
		return err;
	}
	(void)buf_fmt(&whole, "%s/%s",
	    anchor == NULL                 ? r->workspace
	        : strcmp(anchor, "/") == 0 ? ""
	                                   : anchor,
	    buf_cstr(&body));
	if (whole.failed)
		return E_NOMEM;
	while (whole.len > 1 && whole.p[whole.len - 1] == '/')
		whole.p[--whole.len] = '\0';
	if (anchor != NULL) {
		err = add_absolute(r, e, buf_cstr(&whole));
	} else {
		auto_buf struct buf form = BUF_INIT;

		(void)buf_fmt(&form, "%s%s", floats ? "**/" : "", buf_cstr(&body));
		err = form.failed ? E_NOMEM : add_form(r, e, buf_cstr(&form), false);
	}
	if (err != 0 || !restricts)
		return err;
	/* SAFE: written through a link it holds for the place reached as well. */
	if ((err = landed(buf_cstr(&whole), &there)) != 0 || there.len == 0)
		return err;
	return add_absolute(r, e, buf_cstr(&there));
}

static bool
fits(const char *pattern, const char *path)
{
	size_t n = strlen(pattern);

	if (*pattern == '\0')
		return *path == '\0';
	if (glob_match_one(pattern, path))
		return true;
	/* `x/` and two stars covers x too. */
	if (n > 3 && strcmp(pattern + n - 3, "/**") == 0) {
		auto_buf struct buf base = BUF_INIT;

		return buf_append(&base, pattern, n - 3) == 0 &&
		    glob_match_one(buf_cstr(&base), path);
	}
	return false;
}

/* `up`: or is a directory on the way to it covered? */
static bool
form_covers(const struct form *f, const char *path, bool up)
{
	auto_buf struct buf b = BUF_INIT;
	char *slash;

	if (fits(f->pattern, path))
		return true;
	/* SAFE: without memory a restriction holds. */
	if (!up || *path == '\0' || buf_str(&b, path) != 0)
		return up && *path != '\0' && b.failed;
	while ((slash = strrchr(b.p, '/')) != NULL) {
		*slash = '\0';
		if (fits(f->pattern, b.p))
			return true;
	}
	return fits(f->pattern, "");
}

static bool
entry_covers(const struct rules *r, const struct entry *e, const char *key)
{
	auto_buf struct buf b = BUF_INIT;
	bool up = e->r.list != RULE_ALLOW, inside;
	const char *rest = NULL;

	if (e->spec == NULL)
		return true;
	if (buf_str(&b, key) != 0)
		return up;
	inside = path_covers(r->workspace, b.p, &rest);
	for (char *c = b.p; r->folds && *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	for (size_t i = 0; i < e->n; i++) {
		const struct form *f = &e->form[i];

		if (!f->absolute && inside &&
		    form_covers(f, rest + strspn(rest, "/"), up))
			return true;
		/* A file of the project is held relative; what restricts reaches it by its
		 * whole path as well. */
		if (f->absolute && (!inside || up) &&
		    form_covers(f, b.p + strspn(b.p, "/"), up))
			return true;
	}
	return false;
}

/* --- reading a rule ---------------------------------------------------------------- */

static bool
alias(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		           "0123456789_-.",
		        p[i]) == NULL)
			return false;
	return n > 0;
}

/* What is wrong with the specifier of a family without paths, or NULL. */
static const char *
judge(enum rule_family f, const char *spec)
{
	if (f == RULE_WEBFETCH) {
		if (strncmp(spec, "domain:", 7) != 0)
			return "a host is written 'domain:' and its name";
		spec += 7;
		spec += strspn(spec, ".");
		return *spec == '\0' || strpbrk(spec, " \t/:") != NULL
		    ? "'domain:' wants the name of a host"
		    : NULL;
	}
	if (f == RULE_MCP) {
		size_t n = strcspn(spec, ":");

		if (!alias(spec, n) ||
		    (spec[n] == ':' && strcmp(spec + n, ":*") != 0 &&
		        !alias(spec + n + 1, strlen(spec + n + 1))))
			return "a server's tool is written SERVER:TOOL or SERVER:*";
	}
	return NULL;
}

/* The family that <p, n> names, or -1. */
static int
family(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (strlen(families[i].name) == n && memcmp(families[i].name, p, n) == 0)
			return (int)families[i].family;
	return -1;
}

static int
read_rule(struct rules *r, struct entry *e, const char **why)
{
	const char *open = strchr(e->text, '(');
	size_t n = strlen(e->text);
	int f = family(e->text, open != NULL ? (size_t)(open - e->text) : n);

	if (n == 0)
		*why = "it is empty";
	else if (f < 0)
		*why = "no such family; there are Read, Edit, Bash, Confined, WebFetch "
		       "and Mcp";
	else if (open != NULL && e->text[n - 1] != ')')
		*why = "the parenthesis is not closed";
	else if (open != NULL && strspn(open + 1, " \t") == strlen(open + 1) - 1)
		*why = "nothing stands between the parentheses";
	else if (f == RULE_CONFINED && e->r.list != RULE_ALLOW)
		*why = "Confined belongs into the allow list alone";
	if (*why != NULL)
		return E_BAD;
	e->r.family = (enum rule_family)f;
	if (open == NULL || strcmp(open, "(*)") == 0)
		return 0;
	if ((e->spec = strndup(open + 1, strlen(open) - 2)) == NULL)
		return E_NOMEM;
	if (f == RULE_READ || f == RULE_EDIT) {
		if (strlen(e->spec) > PATH_ARG_MAX) {
			*why = "the pattern is too long";
			return E_BAD;
		}
		return compile(r, e, why);
	}
	*why = judge(e->r.family, e->spec);
	return *why != NULL ? E_BAD : 0;
}

int
rules_add(struct rules *r, enum rule_list list, const char *text, const char *from,
    const char *dir, const char **why)
{
	struct entry *e = calloc(1, sizeof(*e)), **p;
	size_t n;
	int err = E_NOMEM;

	*why = NULL;
	text += strspn(text, " \t\n\r");
	for (n = strlen(text); n > 0 && strchr(" \t\n\r", text[n - 1]) != NULL;)
		n--;
	if (e == NULL)
		return E_NOMEM;
	e->text = strndup(text, n);
	e->from = strdup(from);
	e->dir = strdup(dir);
	e->r = (struct rule){.list = list, .text = e->text, .from = e->from};
	if (e->text == NULL || e->from == NULL || e->dir == NULL ||
	    (err = read_rule(r, e, why)) != 0) {
		entry_free(e);
		return err;
	}
	if ((p = reallocarray(r->e, r->n + 1, sizeof(struct entry *))) == NULL) {
		entry_free(e);
		return E_NOMEM;
	}
	r->e = p;
	r->e[r->n++] = e;
	return 0;
}

int
rules_move(struct rules *r, const char *workspace)
{
	const char *why = NULL;
	char *w = strdup(workspace);
	int err = 0;

	if (w == NULL)
		return E_NOMEM;
	free(r->workspace);
	r->workspace = w;
	for (size_t i = 0; i < r->n; i++)
		if (r->e[i]->r.family == RULE_READ || r->e[i]->r.family == RULE_EDIT) {
			int one = compile(r, r->e[i], &why);

			err = one != 0 ? one : err;
		}
	return err;
}

/* --- deciding ----------------------------------------------------------------------- */

static const struct rule *
first(const struct rules *r, enum rule_list list, enum rule_family f, const char *key)
{
	for (size_t i = 0; key != NULL && i < r->n; i++) {
		const struct entry *e = r->e[i];
		bool mine = e->r.family == f ||
		    (f == RULE_EDIT && list == RULE_DENY && e->r.family == RULE_READ);

		if (mine && e->r.list == list && entry_covers(r, e, key))
			return &e->r;
	}
	return NULL;
}

const struct rule *
rules_decide(const struct rules *r, enum rule_family f, const char *spelled,
    const char *reached)
{
	const struct rule *x;

	for (enum rule_list list = RULE_DENY; list <= RULE_ASK; list++)
		if ((x = first(r, list, f, spelled)) != NULL ||
		    (x = first(r, list, f, reached)) != NULL)
			return x;
	return first(r, RULE_ALLOW, f, spelled);
}

bool
rules_restrict(const struct rules *r, enum rule_family f)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->e[i]->r.family == f && r->e[i]->r.list != RULE_ALLOW)
			return true;
	return false;
}

size_t
rules_count(const struct rules *r)
{
	return r->n;
}

const struct rule *
rules_at(const struct rules *r, size_t i)
{
	return &r->e[i]->r;
}

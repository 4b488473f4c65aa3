/* /trust and /distrust, and --trust=PATH: a rule for every name of what the person meant,
 * and a row that says what was done and nothing else. A link in a repository is a
 * stranger's: it never lifts what was distrusted. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define PATHS_MAX 32
#define CASE_ENTRIES 65536 /* looked at for the hint on case */

struct meant {
	const char *path; /* as typed */
	struct grant g;
	bool missing, form;
};

static void
shown(const char *s, struct buf *out)
{
	struct look look;

	look_of(STDOUT_FILENO, COLOUR_NEVER, &look);
	safe_put(s, strlen(s), SAFE_NAME, &look, out);
}

/* A key as the person would name it. */
static const char *
name_of(const struct session *s, const char *key)
{
	const char *rest;

	if (!path_covers(reach_path(s->reach, 0), key, &rest))
		return key;
	rest += strspn(rest, "/");
	return *rest != '\0' ? rest : ".";
}

/* The same as a word of a typed line. */
static void
word_of(const char *name, struct buf *out)
{
	auto_buf struct buf b = BUF_INIT;

	if (strpbrk(name, " \t'\"\\") == NULL) {
		shown(name, out);
		return;
	}
	(void)buf_byte(&b, '"');
	for (; *name != '\0'; name++) {
		if (*name == '"' || *name == '\\')
			(void)buf_byte(&b, '\\');
		(void)buf_byte(&b, *name);
	}
	(void)buf_byte(&b, '"');
	shown(buf_cstr(&b), out);
}

/* An existing place inside what is open, or one that is not there yet. */
static bool
resolve(const struct session *s, const char *path, struct meant *m)
{
	enum grant_fault f;

	*m = (struct meant){.path = path, .g = GRANT_INIT};
	f = grant_resolve(s->reach, path, strlen(path), GRANT_DIR, &m->g);
	if (f == GRANT_NOT_DIRECTORY || f == GRANT_NOT_REGULAR || f == GRANT_DENIED) {
		grant_release(&m->g);
		f = grant_resolve(s->reach, path, strlen(path), GRANT_FILE, &m->g);
	}
	m->form = f == GRANT_MISSING_FORM;
	m->missing = f == GRANT_MISSING || m->form;
	return (f == GRANT_FINE || m->missing) && m->g.spelled != NULL;
}

static char *
caseless(const char *name)
{
	utf8proc_uint8_t *out = NULL;

	if (utf8proc_map((const utf8proc_uint8_t *)name, 0, &out,
	        UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
	            UTF8PROC_CASEFOLD) < 0)
		return NULL;
	return (char *)out;
}

/* The one entry of directory fd that differs from name only in case. Gives. */
static bool
other_case(int fd, const char *name, struct buf *out)
{
	auto_free char *want = caseless(name);
	struct dirent *d;
	unsigned n = 0, seen = 0;
	DIR *dir;
	int own = dup(fd);

	if (want == NULL || own < 0 || (dir = fdopendir(own)) == NULL) {
		if (own >= 0)
			close(own);
		return false;
	}
	while (n < 2 && seen++ < CASE_ENTRIES && (d = readdir(dir)) != NULL) {
		auto_free char *form = caseless(d->d_name);

		if (form == NULL || strcmp(form, want) != 0)
			continue;
		n++;
		buf_clear(out);
		(void)buf_str(out, d->d_name);
	}
	closedir(dir);
	return n == 1 && !out->failed;
}

/* Where the way to what is missing ends: is there a name that was meant? */
static void
hint(const struct session *s, const struct meant *m, struct buf *out)
{
	auto_buf struct buf key = BUF_INIT, name = BUF_INIT, there = BUF_INIT;
	struct grant g = GRANT_INIT;
	bool found = false;
	char *slash;

	if (m->form) {
		(void)buf_str(out, "; one name there differs only in its Unicode form");
		return;
	}
	(void)buf_str(&key, m->g.landed != NULL ? m->g.landed : m->g.spelled);
	while (!key.failed && (slash = strrchr(key.p, '/')) != NULL && slash != key.p) {
		buf_clear(&name);
		(void)buf_str(&name, slash + 1);
		*slash = '\0';
		grant_release(&g);
		if (!name.failed &&
		    grant_resolve_key(s->reach, key.p, GRANT_DIR, &g) == GRANT_MISSING)
			continue;
		if (!name.failed && grant_open(s->reach, GRANT_DIR, &g) == GRANT_FINE)
			found = other_case(g.fd, name.p, &there);
		break;
	}
	grant_release(&g);
	if (found) {
		(void)buf_str(out, "; one name there differs only in case: ");
		shown(there.p, out);
	}
}

/* SAFE: would trusting it lift what was distrusted by another name? Then that one is to be
 * named; a link or a mount that somebody made must not do it in passing. */
static bool
lifts(const struct session *s, const struct meant *m, struct buf *out)
{
	auto_buf struct buf other = BUF_INIT;
	const char *landed = m->g.linked ? m->g.landed : NULL;
	bool by_name = false;

	if (landed != NULL && !trust_distrusted_as(s->trust, landed, &other) &&
	    trust_of(s->trust, landed) == TRUST_U) {
		by_name = true;
		(void)buf_str(&other, landed);
	}
	if (!by_name && other.len == 0 &&
	    !trust_distrusted_as(s->trust, landed != NULL ? landed : m->g.spelled,
	        &other) &&
	    !trust_distrusted_as(s->trust, m->g.spelled, &other))
		return false;
	(void)buf_str(out, "not trusted: ");
	shown(m->path, out);
	if (other.len == 0) {
		(void)buf_str(out,
		    ": whether it is held back by another name cannot be told\n");
		return true;
	}
	(void)buf_str(out, " leads to ");
	shown(name_of(s, buf_cstr(&other)), out);
	(void)buf_str(out, ", which is held back; to trust that, name it: /trust ");
	word_of(name_of(s, buf_cstr(&other)), out);
	(void)buf_str(out, "\n");
	return true;
}

static int
set(struct session *s, const char *key, bool trust)
{
	trail_act(s->trail, trust ? "trust" : "distrust", key, s->acting);
	return trust_set(s->trust, key, trust ? TRUST_T : TRUST_U, TRUST_BY_PERSON);
}

static int
carry_out(struct session *s, const struct meant *m, bool trust, struct buf *out)
{
	int r = set(s, m->g.spelled, trust);

	if (r == 0 && m->g.linked)
		r = set(s, m->g.landed, trust);
	if (r != 0) {
		(void)buf_str(out, "out of memory: not done for ");
		shown(m->path, out);
		(void)buf_str(out, "\n");
		return r;
	}
	(void)buf_str(out,
	    m->missing  ? "nothing is there yet: "
	        : trust ? "trusted, this session: "
	                : "held back from now on: ");
	shown(m->path, out);
	if (m->g.linked) {
		(void)buf_str(out, ", which leads to ");
		shown(name_of(s, m->g.landed), out);
	}
	if (m->missing) {
		(void)buf_fmt(out, "; what comes there is %s",
		    trust ? "trusted" : "held back");
		hint(s, m, out);
	}
	(void)buf_str(out, "\n");
	return 0;
}

/* All of them, or none. */
static int
command_paths(struct session *s, char *const *paths, size_t n, bool trust,
    struct buf *out)
{
	struct meant m[PATHS_MAX];
	int r = 0;

	for (size_t i = 0; i < n; i++)
		if (!resolve(s, paths[i], &m[i])) {
			(void)buf_str(out,
			    "not in the workspace or an added directory: ");
			shown(paths[i], out);
			(void)buf_str(out, "\n");
			r = E_OUTSIDE;
		} else if (trust && lifts(s, &m[i], out)) {
			r = E_OUTSIDE;
		}
	for (size_t i = 0; i < n && r == 0; i++)
		r = carry_out(s, &m[i], trust, out);
	if (r == 0 && trail_flush(s->trail) != 0)
		(void)buf_str(out,
		    "the audit trail cannot be written: no call will be made\n");
	for (size_t i = 0; i < n; i++)
		grant_release(&m[i].g);
	return r;
}

int
command_trust(struct session *s, const char *path, bool trust, struct buf *out)
{
	auto_buf struct buf own = BUF_INIT;

	if (buf_str(&own, path) != 0)
		return E_NOMEM;
	return command_paths(s, &own.p, 1, trust, out);
}

void
command_trust_typed(struct session *s, const char *text, bool trust, struct buf *out)
{
	auto_buf struct buf line = BUF_INIT;
	char *words[PATHS_MAX];
	struct meant whole;
	size_t n;
	bool there;
	int r;

	/* A name with blanks in it, typed as it is: where there is one, it is meant. */
	there = resolve(s, text, &whole) && !whole.missing;
	grant_release(&whole.g);
	if (there) {
		(void)command_trust(s, text, trust, out);
		return;
	}
	(void)buf_str(&line, text);
	if (line.failed || (r = words_split(line.p, words, PATHS_MAX, &n)) != 0 || n == 0)
		(void)buf_str(out,
		    line.failed       ? "out of memory\n"
		        : r == E_BAD  ? "a quote is not closed\n"
		        : r == E_FULL ? "too many paths\n"
		                      : "a path is required\n");
	else
		(void)command_paths(s, words, n, trust, out);
}

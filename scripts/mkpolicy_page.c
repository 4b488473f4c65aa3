/* Reads tools.list and a page. The grammar is tool(5); what is not known, stands twice or
 * is missing ends the build with its file and line. */
#include "scripts/mkpolicy.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/hash.h"

void
die(const char *file, size_t line, const char *fmt, ...)
{
	va_list ap;

	if (line > 0)
		fprintf(stderr, "%s:%zu: ", file, line);
	else
		fprintf(stderr, "%s: ", file);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

void
take(char *to, size_t room, const char *from, const char *file, size_t line)
{
	if (strlen(from) >= room)
		die(file, line, "'%s' is too long", from);
	memcpy(to, from, strlen(from) + 1);
}

char *
trim(char *s)
{
	char *end;

	while (*s == ' ' || *s == '\t')
		s++;
	end = s + strlen(s);
	while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n'))
		*--end = '\0';
	return s;
}

char *
word(char **s)
{
	char *w, *p = *s;

	while (*p == ' ' || *p == '\t')
		p++;
	w = p;
	while (*p != '\0' && *p != ' ' && *p != '\t')
		p++;
	if (*p != '\0')
		*p++ = '\0';
	*s = p;
	return w;
}

bool
is_name(const char *s)
{
	if (!islower((unsigned char)*s))
		return false;
	for (; *s != '\0'; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) &&
		    *s != '_')
			return false;
	return true;
}

char *
comment(char *text)
{
	static char none[] = "";

	for (char *p = text; *p != '\0'; p++)
		if (*p == '#' && (p == text || p[-1] == ' ' || p[-1] == '\t')) {
			*p++ = '\0';
			p = trim(p);
			return strncmp(p, "why:", 4) == 0 ? trim(p + 4) : none;
		}
	return none;
}

/* The line as read holds text only. */
static void
plain(const char *text, size_t n, const char *file, size_t line)
{
	if (n > 0 && text[n - 1] == '\n')
		n--;
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7f)
			die(file, line, "a control character");
}

/* A word that may stand once. */
static void
once(bool *seen, const char *what, const char *file, size_t line)
{
	if (*seen)
		die(file, line, "%s stands twice", what);
	*seen = true;
}

static void
nothing_more(char *s, const char *file, size_t line)
{
	s = trim(s);
	if (*s != '\0')
		die(file, line, "'%s' is not known here", s);
}

static bool
whole(const char *s, int64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoll(s, &end, 10);
	return (isdigit((unsigned char)*s) ||
	           (*s == '-' && isdigit((unsigned char)s[1]))) &&
	    errno == 0 && *end == '\0';
}

static uint64_t
amount(const char *s, const char *units, const char *file, size_t line)
{
	char *end;
	uint64_t v = strtoull(s, &end, 10);

	if (!isdigit((unsigned char)*s) || v == 0 || v > UINT32_MAX || *end == '\0' ||
	    end[1] != '\0' || strchr(units, *end) == NULL)
		die(file, line, "'%s' is not a number with its unit (%s)", s, units);
	return *end == 'M' ? v << 20 : *end == 'K' ? v << 10 : v;
}

/* MIN..MAX, or MIN.. without a bound. */
static void
range(char *s, int64_t *min, int64_t *max, const char *file, size_t line)
{
	char *dots = strstr(s, "..");

	if (dots == NULL)
		die(file, line, "'%s' is not MIN..MAX", s);
	*dots = '\0';
	*max = INT64_MAX;
	if (!whole(s, min) || (dots[2] != '\0' && !whole(dots + 2, max)) || *max < *min)
		die(file, line, "'%s..%s' is not MIN..MAX", s, dots + 2);
}

static const struct arg_row *
find_arg(const struct page *p, const char *name)
{
	for (size_t i = 0; i < p->n_arg; i++)
		if (strcmp(p->arg[i].name, name) == 0)
			return &p->arg[i];
	return NULL;
}

static bool
one_word_of(const char *w, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(w, *list) == 0)
			return true;
	return false;
}

static void
arg_line(char *s, struct page *p, const char *file, size_t line)
{
	static const char *const types[] = {"path:file", "path:dir", "ref:file",
	    "ref:any", "int", "bool", "glob", "patterns", "line", "text", "questions",
	    "todos", NULL};
	struct arg_row *a = &p->arg[p->n_arg];
	char *colon = strstr(s, " : "), *w;
	bool num;

	if (p->n_arg == MAX_ARGS)
		die(file, line, "too many arguments");
	memset(a, 0, sizeof(*a));
	if (colon != NULL) {
		take(a->says, sizeof(a->says), trim(colon + 3), file, line);
		*colon = '\0';
	}
	take(a->name, sizeof(a->name), word(&s), file, line);
	take(a->role, sizeof(a->role), word(&s), file, line);
	take(a->type, sizeof(a->type), word(&s), file, line);
	if (!is_name(a->name))
		die(file, line, "'%s' is not a name", a->name);
	if (find_arg(p, a->name) != NULL)
		die(file, line, "argument %s stands twice", a->name);
	if (strcmp(a->role, "routing") != 0 && strcmp(a->role, "content") != 0)
		die(file, line, "'%s' is not routing or content", a->role);
	if (!one_word_of(a->type, types))
		die(file, line, "'%s' is not a type", a->type);
	num = strcmp(a->type, "int") == 0;
	if (num || strcmp(a->type, "questions") == 0 || strcmp(a->type, "todos") == 0)
		range(word(&s), &a->min, &a->max, file, line);
	while (*(w = word(&s)) != '\0') {
		if (strcmp(w, "clamp") == 0) {
			once(&a->clamp, w, file, line);
			if (!num || a->max == INT64_MAX)
				die(file, line, "only a bounded number can be clamped");
		} else if (strcmp(w, "required") == 0) {
			once(&a->required, w, file, line);
		} else if (strcmp(w, "=") == 0) {
			once(&a->has_def, "a default", file, line);
			take(a->def, sizeof(a->def), word(&s), file, line);
			if (num &&
			    (!whole(a->def, &a->def_int) || a->def_int < a->min ||
			        a->def_int > a->max))
				die(file, line, "'%s' is no default in the range",
				    a->def);
			if (strcmp(a->type, "bool") == 0) {
				a->def_int = strcmp(a->def, "true") == 0;
				if (!a->def_int && strcmp(a->def, "false") != 0)
					die(file, line, "'%s' is not true or false",
					    a->def);
			} else if (!num && strncmp(a->type, "path:", 5) != 0) {
				die(file, line,
				    "only numbers, booleans and paths have a default");
			}
			if (a->def[0] == '\0' || strpbrk(a->def, "\"\\") != NULL)
				die(file, line, "'%s' is no default", a->def);
		} else {
			die(file, line, "'%s' is not known here", w);
		}
	}
	if (a->required && a->has_def)
		die(file, line, "what is required has no default");
	p->n_arg++;
}

static void
one_of_line(char *s, struct page *p, const char *file, size_t line)
{
	char *w;

	if (p->n_one_of == sizeof(p->one_of) / sizeof(*p->one_of))
		die(file, line, "too many lines of one-of");
	while (*(w = word(&s)) != '\0') {
		size_t *n = &p->one_of[p->n_one_of].n;

		if (find_arg(p, w) == NULL)
			die(file, line, "'%s' is no argument above", w);
		if (*n == sizeof(p->one_of->name) / sizeof(*p->one_of->name))
			die(file, line, "too many names");
		for (size_t i = 0; i <= p->n_one_of; i++)
			for (size_t k = 0; k < p->one_of[i].n; k++)
				if (strcmp(p->one_of[i].name[k], w) == 0)
					die(file, line, "%s stands twice", w);
		take(p->one_of[p->n_one_of].name[(*n)++], sizeof(p->one_of->name[0]), w,
		    file, line);
	}
	if (p->one_of[p->n_one_of++].n < 2)
		die(file, line, "one-of takes two names or more");
}

static void
fd_line(char *s, struct page *p, const char *file, size_t line)
{
	static const char *const ways[] = {"read", "write", "dir", NULL};
	struct fd_row *f = &p->fd[p->n_fd];
	int64_t n;
	char *w;
	bool carried = false;

	if (p->n_fd == MAX_FDS)
		die(file, line, "too many descriptors");
	memset(f, 0, sizeof(*f));
	if (!whole(word(&s), &n) || n != 3 + (int64_t)p->n_fd)
		die(file, line, "descriptors are numbered from 3 without gaps");
	f->n = (int)n;
	take(f->access, sizeof(f->access), word(&s), file, line);
	if (!one_word_of(f->access, ways))
		die(file, line, "'%s' is not read, write or dir", f->access);
	take(f->source, sizeof(f->source), trim(s), file, line);
	p->n_fd++;
	if (strcmp(f->source, "slot") == 0 || strcmp(f->source, "scope") == 0) {
		if ((strcmp(f->source, "slot") == 0) != (strcmp(f->access, "write") == 0))
			die(file, line, "a slot is written, a scope is read");
		return;
	}
	if (strncmp(s = trim(s), "carry:", 6) == 0) {
		carried = true;
		s += 6;
		if (strcmp(f->access, "read") != 0)
			die(file, line, "what is carried is read");
	}
	for (;;) {
		const struct arg_row *a;

		w = word(&s);
		if ((a = find_arg(p, w)) == NULL)
			die(file, line, "'%s' is no argument above", w);
		/* Only routing opens anything in the world; content justifies nothing. */
		if (carried && f->n_args == 0 && strcmp(a->role, "content") != 0)
			die(file, line, "%s is routing and is not carried", w);
		/* In its place what a reference holds: a copy in memory as well. */
		if (carried && f->n_args == 1 && strcmp(a->type, "ref:any") != 0)
			die(file, line, "%s is no reference", w);
		if (!carried && strcmp(a->role, "routing") != 0)
			die(file, line, "%s is content and opens nothing", w);
		if (!carried && strncmp(a->type, "path:", 5) != 0 &&
		    strncmp(a->type, "ref:", 4) != 0)
			die(file, line, "%s is no path and no reference", w);
		if (f->n_args == 2)
			die(file, line, "two arguments at most");
		take(f->args[f->n_args++], sizeof(f->args[0]), w, file, line);
		w = word(&s);
		if (*w == '\0')
			break;
		if (strcmp(w, "|") != 0)
			die(file, line, "'%s' is not known here", w);
	}
}

/* `= N` after the range of a number of CALL. */
static void
member_default(char *s, struct member_row *m, const char *file, size_t line)
{
	char *w = word(&s);

	if (*w == '\0')
		return;
	if (strcmp(w, "=") != 0)
		die(file, line, "'%s' is not known here", w);
	w = word(&s);
	if (!whole(w, &m->def) || m->def < m->min || m->def > m->max)
		die(file, line, "'%s' is no default in the range", w);
	m->has_def = true;
	nothing_more(s, file, line);
}

/* `most` rows at m, *n of them filled. `call`: of CALL, where a number may have a default. */
static void
member_line(char *s, struct member_row *m, size_t *n, size_t most, bool call,
    const char *file, size_t line)
{
	struct member_row *new = &m[*n];
	char copy[200], *rest = copy, *w;

	if (*n == most)
		die(file, line, "too many members");
	memset(new, 0, sizeof(*new));
	take(new->name, sizeof(new->name), word(&s), file, line);
	take(new->type, sizeof(new->type), word(&s), file, line);
	if (!is_name(new->name))
		die(file, line, "'%s' is not a name", new->name);
	for (size_t i = 0; i < *n; i++)
		if (strcmp(m[i].name, new->name) == 0)
			die(file, line, "%s stands twice", new->name);
	if (strcmp(new->type, "int") == 0) {
		range(word(&s), &new->min, &new->max, file, line);
		if (call)
			member_default(s, new, file, line);
		else
			nothing_more(s, file, line);
	} else if (strcmp(new->type, "word") == 0) {
		take(new->words, sizeof(new->words), trim(s), file, line);
		take(copy, sizeof(copy), new->words, file, line);
		if (*copy == '\0')
			die(file, line, "which words?");
		while (*(w = word(&rest)) != '\0')
			if (!islower((unsigned char)*w) ||
			    w[strspn(w, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
				die(file, line, "'%s' is not a word", w);
	} else if (strcmp(new->type, "text") == 0) {
		nothing_more(s, file, line);
	} else {
		die(file, line, "'%s' is not int, word or text", new->type);
	}
	++*n;
}

static void
landlock_line(char *s, struct page *p, const char *file, size_t line)
{
	char *w = word(&s);
	int64_t n;

	if (strcmp(w, "none") == 0) {
		once(&p->landlock_said, "landlock", file, line);
		nothing_more(s, file, line);
		p->landlock_none = true;
		return;
	}
	if (strcmp(w, "fd") != 0 || p->landlock_none)
		die(file, line, "it is landlock none, or landlock fd N RIGHTS");
	if (p->n_landlock == 4)
		die(file, line, "too many rules");
	p->landlock_said = true;
	if (!whole(word(&s), &n) || n < 3 || n >= 3 + (int64_t)p->n_fd ||
	    strcmp(p->fd[n - 3].access, "dir") != 0)
		die(file, line, "not the number of a directory above");
	for (size_t i = 0; i < p->n_landlock; i++)
		if (p->landlock_fd[i] == (int)n)
			die(file, line, "a rule on descriptor %d stands twice", (int)n);
	p->landlock_fd[p->n_landlock] = (int)n;
	s = trim(s);
	if (strcmp(s, "read_dir") != 0 && strcmp(s, "read_dir read_file") != 0)
		die(file, line, "'%s' is not read_dir, or read_dir read_file", s);
	take(p->landlock_words[p->n_landlock++], sizeof(p->landlock_words[0]), s, file,
	    line);
}

static void
limit_line(char *s, struct page *p, const char *file, size_t line)
{
	char *w;

	while (*(w = word(&s)) != '\0') {
		char *v = word(&s);
		uint64_t *to = strcmp(w, "cpu") == 0 ? &p->cpu
		    : strcmp(w, "wall") == 0         ? &p->wall
		    : strcmp(w, "memory") == 0       ? &p->memory
		    : strcmp(w, "slot") == 0         ? &p->slot
		                                     : NULL;

		if (to == NULL)
			die(file, line, "'%s' is not cpu, wall, memory or slot", w);
		if (*to != 0)
			die(file, line, "%s stands twice", w);
		*to = amount(v, to == &p->cpu || to == &p->wall ? "s" : "KM", file, line);
	}
}

static void
threads_line(char *s, struct page *p, const char *file, size_t line)
{
	int64_t n;

	if (p->threads != 0)
		die(file, line, "threads stands twice");
	if (!whole(s, &n) || n < 1 || n > 8)
		die(file, line, "'%s' is not 1 to 8 threads", s);
	p->threads = (unsigned)n;
}

static void
text_line(char *to, size_t room, const char *s, const char *what, const char *file,
    size_t line)
{
	if (*to != '\0')
		die(file, line, "%s stands twice", what);
	if (*s == '\0')
		die(file, line, "%s is empty", what);
	take(to, room, s, file, line);
}

static void
page_line(const char *dir, char *s, const char *why, struct page *p, const char *file,
    size_t line)
{
	static const char *const asks[] = {"no", "quarantined", "every", NULL};
	char *key = word(&s);
	size_t n = strlen(p->says);

	s = trim(s);
	if (strcmp(key, "title") == 0) {
		text_line(p->title, sizeof(p->title), s, key, file, line);
	} else if (strcmp(key, "verb") == 0) {
		text_line(p->verb, sizeof(p->verb), s, key, file, line);
		if (!is_name(p->verb))
			die(file, line, "'%s' is no word", s);
	} else if (strcmp(key, "says") == 0) {
		if (n > 0 && n + 1 < sizeof(p->says))
			p->says[n++] = ' ';
		if (strlen(s) >= sizeof(p->says) - n)
			die(file, line, "the description is longer than 2,047 bytes");
		take(p->says + n, sizeof(p->says) - n, s, file, line);
	} else if (strcmp(key, "arg") == 0) {
		arg_line(s, p, file, line);
	} else if (strcmp(key, "one-of") == 0) {
		one_of_line(s, p, file, line);
	} else if (strcmp(key, "fd") == 0) {
		fd_line(s, p, file, line);
	} else if (strcmp(key, "ask") == 0) {
		text_line(p->ask, sizeof(p->ask), s, key, file, line);
		if (!one_word_of(s, asks))
			die(file, line, "'%s' is not no, quarantined or every", s);
	} else if (strcmp(key, "effect") == 0) {
		once(&p->effect, key, file, line);
		nothing_more(s, file, line);
	} else if (strcmp(key, "threads") == 0) {
		threads_line(s, p, file, line);
	} else if (strcmp(key, "limit") == 0) {
		limit_line(s, p, file, line);
	} else if (strcmp(key, "call") == 0) {
		member_line(s, p->call, &p->n_call, MAX_MEMBERS, true, file, line);
	} else if (strcmp(key, "result") == 0) {
		member_line(s, p->result, &p->n_result, MAX_MEMBERS, false, file, line);
	} else if (strcmp(key, "landlock") == 0) {
		landlock_line(s, p, file, line);
	} else if (strcmp(key, "seccomp") == 0 && *s == '@') {
		calls_group(dir, s, p, file, line);
	} else if (strcmp(key, "seccomp") == 0) {
		calls_line(s, why, false, p, file, line);
	} else {
		die(file, line, "'%s' is not known", key);
	}
}

/* What a page lacks as a whole. */
static void
complete(const struct page *p, const char *file)
{
	bool routing = false, alone = strcmp(p->helper, "-") == 0;

	for (size_t i = 0; i < p->n_arg; i++)
		routing |= strcmp(p->arg[i].role, "routing") == 0;
	/* What touches nothing at all needs nobody's direction. */
	if (!routing && (!alone || p->effect || strcmp(p->ask, "no") != 0))
		die(file, 0, "no routing argument, no tool");
	if (p->title[0] == '\0' || p->verb[0] == '\0' || p->says[0] == '\0' ||
	    p->ask[0] == '\0')
		die(file, 0, "title, verb, says and ask are required");
	for (size_t i = 0; i < p->n_call; i++)
		if (find_arg(p, p->call[i].name) != NULL)
			die(file, 0, "call %s is an argument already", p->call[i].name);
	if (alone) {
		if (p->n_fd > 0 || p->n_calls > 0 || p->landlock_said || p->n_call > 0 ||
		    p->n_result > 0 || p->threads > 0)
			die(file, 0,
			    "a tool without a helper has no descriptors and no calls");
		if (p->cpu > 0 || p->wall > 0 || p->memory > 0)
			die(file, 0, "a tool without a helper is limited in slot alone");
		return;
	}
	if (p->cpu == 0 || p->wall == 0 || p->memory == 0 || p->slot == 0)
		die(file, 0, "limits of cpu, wall, memory and slot are required");
	if (!p->landlock_said || p->n_calls == 0)
		die(file, 0, "landlock and seccomp are required");
	if (p->n_result == 0 || strcmp(p->result[0].name, "code") != 0 ||
	    strcmp(p->result[0].type, "word") != 0)
		die(file, 0, "the first result is 'code', a word");
}

void
page_read(const char *dir, const char *name, const char *helper, struct page *p)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0;
	struct sha256 h;
	ssize_t got;
	FILE *f;

	memset(p, 0, sizeof(*p));
	(void)snprintf(file, sizeof(file), "%s/%s.tool", dir, name);
	take(p->name, sizeof(p->name), name, file, 0);
	take(p->helper, sizeof(p->helper), helper, file, 0);
	if ((f = fopen(file, "r")) == NULL)
		die(file, 0, "%s", strerror(errno));
	sha256_init(&h);
	while ((got = getline(&text, &room, f)) >= 0) {
		char *why, *s;

		line++;
		sha256_add(&h, text, (size_t)got);
		plain(text, (size_t)got, file, line);
		why = comment(text);
		s = trim(text);
		if (*s != '\0')
			page_line(dir, s, why, p, file, line);
	}
	sha256_hex(&h, p->digest);
	free(text);
	fclose(f);
	complete(p, file);
}

/* Reads tools.list, a page and the groups. The grammar is tool(5). */
#include "scripts/mkpolicy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

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

static void
take(char *to, size_t room, const char *from, const char *file, size_t line)
{
	if (strlen(from) >= room)
		die(file, line, "'%s' is too long", from);
	memcpy(to, from, strlen(from) + 1);
}

static char *
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

/* The next word of *s, which moves past it; "" at the end. */
static char *
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

static bool
is_name(const char *s)
{
	if (!islower((unsigned char)*s))
		return false;
	for (; *s != '\0'; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != '_')
			return false;
	return true;
}

/* --- numbers and constants --------------------------------------------------------- */

static const struct {
	const char *name;
	uint64_t v;
} constants[] = {
	{"O_RDONLY", O_RDONLY}, {"O_DIRECTORY", O_DIRECTORY}, {"O_NOFOLLOW", O_NOFOLLOW},
	{"O_CLOEXEC", O_CLOEXEC}, {"O_NONBLOCK", O_NONBLOCK}, {"O_NOCTTY", O_NOCTTY},
	{"PROT_NONE", PROT_NONE}, {"PROT_READ", PROT_READ}, {"PROT_WRITE", PROT_WRITE},
	{"PROT_EXEC", PROT_EXEC}, {"MAP_PRIVATE", MAP_PRIVATE}, {"MAP_ANONYMOUS", MAP_ANONYMOUS},
	{"MAP_SHARED", MAP_SHARED},
};

/* NUMBER | NAME | A|B | (…) | ~… */
static uint64_t
value(const char *text, const char *file, size_t line)
{
	char copy[160], *p = copy, *save = NULL;
	uint64_t v = 0;
	bool invert = false;

	take(copy, sizeof(copy), text, file, line);
	if (*p == '~') {
		invert = true;
		p++;
	}
	if (*p == '(' && p[strlen(p) - 1] == ')') {
		p[strlen(p) - 1] = '\0';
		p++;
	}
	if (*p == '\0')
		die(file, line, "a value is missing");
	for (char *part = strtok_r(p, "|", &save); part != NULL; part = strtok_r(NULL, "|", &save)) {
		bool known = false;
		char *end;

		for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
			if (strcmp(part, constants[i].name) == 0) {
				v |= constants[i].v;
				known = true;
			}
		if (!known) {
			errno = 0;
			v |= strtoull(part, &end, 0);
			if (errno != 0 || *end != '\0' || !isdigit((unsigned char)*part))
				die(file, line, "'%s' is neither a number nor a known constant", part);
		}
	}
	return invert ? ~v : v;
}

/* `argN == V`, `argN in V V…`, `argN & MASK == V`. */
static void
condition(char *text, struct cond *c, const char *file, size_t line)
{
	char *arg = word(&text), *op = word(&text), *w;

	memset(c, 0, sizeof(*c));
	c->mask = UINT64_MAX;
	if (strlen(arg) != 4 || strncmp(arg, "arg", 3) != 0 || arg[3] < '0' || arg[3] > '5')
		die(file, line, "'%s' is not arg0 to arg5", arg);
	c->arg = (unsigned)(arg[3] - '0');
	if (strcmp(op, "&") == 0) {
		c->mask = value(word(&text), file, line);
		op = word(&text);
		if (strcmp(op, "==") != 0)
			die(file, line, "a mask is followed by ==");
	}
	if (strcmp(op, "==") != 0 && strcmp(op, "in") != 0)
		die(file, line, "'%s' is not ==, in or &", op);
	while (*(w = word(&text)) != '\0') {
		if (c->n == MAX_VALUES)
			die(file, line, "too many values");
		c->value[c->n++] = value(w, file, line);
	}
	if (c->n == 0 || (strcmp(op, "==") == 0 && c->n != 1))
		die(file, line, "%s takes %s", op, c->n == 0 ? "a value" : "one value");
}

/* Calls that may never be allowed without naming which, on any page. */
static bool
dangerous(const char *name)
{
	static const char *const names[] = {"clone", "clone3", "fork", "vfork", "execve", "execveat",
	    "socket", "socketpair", "ioctl", "ptrace", "prctl", "seccomp", "open", "openat", "openat2",
	    "memfd_create", "mmap", "mprotect", "fcntl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool
carries(const char *name)
{
	static const char *const names[] = {"read", "write", "readv", "writev", "pread64", "pwrite64",
	    "sendmsg", "recvmsg", "sendto", "recvfrom"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Could the call be made with PROT_EXEC? */
static bool
may_execute(const struct call_row *r)
{
	if (strcmp(r->name, "mmap") != 0 && strcmp(r->name, "mprotect") != 0 &&
	    strcmp(r->name, "pkey_mprotect") != 0)
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (r->cond[i].arg == 2 && (r->cond[i].mask & PROT_EXEC) != 0) {
			bool none = true;

			for (size_t k = 0; k < r->cond[i].n; k++)
				none &= (r->cond[i].value[k] & PROT_EXEC) == 0;
			if (none)
				return false;
		}
	return true;
}

/* `NAME [COND {, COND}] [= ERRNO]`, the text after `# why:` apart. */
static void
call_line(char *text, const char *why, bool group, struct page *p, const char *file, size_t line)
{
	struct call_row *r = &p->calls[p->n_calls];
	char *name, *eq, *save = NULL;

	if (p->n_calls == MAX_ROWS)
		die(file, line, "too many calls");
	memset(r, 0, sizeof(*r));
	name = word(&text);
	take(r->name, sizeof(r->name), name, file, line);
	take(r->why, sizeof(r->why), why, file, line);
	r->group = group;
	text = trim(text);
	if ((eq = strrchr(text, '=')) != NULL && strncmp(trim(eq + 1), "ENO", 3) == 0) {
		if (strcmp(trim(eq + 1), "ENOSYS") != 0)
			die(file, line, "only ENOSYS may be answered");
		r->errnum = ENOSYS;
		*eq = '\0';
		text = trim(text);
	}
	take(r->text, sizeof(r->text), text, file, line);
	for (char *c = strtok_r(text, ",", &save); c != NULL; c = strtok_r(NULL, ",", &save)) {
		if (r->n == MAX_CONDS)
			die(file, line, "too many conditions");
		condition(trim(c), &r->cond[r->n++], file, line);
	}
	r->nr = seccomp_syscall_resolve_name(r->name);
	if (r->nr < 0)
		die(file, line, "'%s' is no system call of this architecture", r->name);
	if (r->errnum == 0) {
		if (may_execute(r))
			die(file, line, "%s must exclude PROT_EXEC", r->name);
		if (dangerous(r->name) && r->n == 0)
			die(file, line, "%s needs an argument condition", r->name);
		if (carries(r->name) && (group || r->n == 0))
			die(file, line, group ? "%s may not stand in a group" : "%s needs an argument condition",
			    r->name);
		if (!group && r->n == 0 && r->why[0] == '\0')
			die(file, line, "%s needs an argument condition or a # why:", r->name);
	}
	for (size_t i = 0; i < p->n_calls; i++)
		if (strcmp(p->calls[i].name, r->name) == 0)
			die(file, line, "%s stands twice", r->name);
	p->n_calls++;
}

/* Split off a comment; returns the text of `# why:` or "". */
static char *
comment(char *text)
{
	static char none[] = "";
	char *hash = strchr(text, '#');

	if (hash == NULL || (hash > text && hash[-1] != ' ' && hash[-1] != '\t'))
		return none;
	*hash++ = '\0';
	hash = trim(hash);
	return strncmp(hash, "why:", 4) == 0 ? trim(hash + 4) : none;
}

static void
group(const char *dir, const char *want, struct page *p)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0, from = p->n_calls;
	bool inside = false, found = false;
	FILE *f;

	(void)snprintf(file, sizeof(file), "%s/groups.seccomp", dir);
	if ((f = fopen(file, "r")) == NULL)
		die(file, 0, "%s", strerror(errno));
	while (getline(&text, &room, f) >= 0) {
		char *why, *s;

		line++;
		why = comment(text);
		s = trim(text);
		if (*s == '\0')
			continue;
		if (*s == '@') {
			if (strchr(s, ' ') != NULL)
				die(file, line, "groups do not include groups");
			inside = strcmp(s, want) == 0;
			found |= inside;
		} else if (inside) {
			call_line(s, why, true, p, file, line);
		}
	}
	free(text);
	fclose(f);
	if (!found || p->n_calls == from)
		die(file, 0, "no group %s", want);
}

/* --- the lines of a page ------------------------------------------------------------- */

static uint64_t
amount(const char *s, char unit, const char *file, size_t line)
{
	char *end;
	uint64_t v = strtoull(s, &end, 10);

	if (end == s || v == 0 || (unit == 's' ? strcmp(end, "s") != 0
	    : strcmp(end, "M") != 0 && strcmp(end, "K") != 0))
		die(file, line, "'%s' is not a number with its unit", s);
	return unit == 's' ? v : *end == 'M' ? v << 20 : v << 10;
}

static void
range(const char *s, char *min, char *max, size_t room, const char *file, size_t line)
{
	const char *dots = strstr(s, "..");
	char *end;

	if (dots == NULL)
		die(file, line, "'%s' is not MIN..MAX", s);
	(void)snprintf(min, room, "%.*s", (int)(dots - s), s);
	(void)snprintf(max, room, "%s", dots[2] != '\0' ? dots + 2 : "INT64_MAX");
	(void)strtoll(min, &end, 10);
	if (end == min || *end != '\0')
		die(file, line, "'%s' is not MIN..MAX", s);
	if (dots[2] != '\0' && (strtoll(dots + 2, &end, 10) < strtoll(min, NULL, 10) || *end != '\0'))
		die(file, line, "'%s' is not MIN..MAX", s);
}

static void
arg_line(char *s, struct page *p, const char *file, size_t line)
{
	struct arg_row *a = &p->arg[p->n_arg];
	char *colon = strstr(s, " : "), *w;

	if (p->n_arg == 16)
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
	for (size_t i = 0; i < p->n_arg; i++)
		if (strcmp(p->arg[i].name, a->name) == 0)
			die(file, line, "argument %s stands twice", a->name);
	if (strcmp(a->role, "routing") != 0 && strcmp(a->role, "content") != 0)
		die(file, line, "'%s' is not routing or content", a->role);
	if (strcmp(a->type, "int") == 0)
		range(word(&s), a->min, a->max, sizeof(a->min), file, line);
	else if (strcmp(a->type, "bool") != 0 && strcmp(a->type, "path:file") != 0 &&
	    strcmp(a->type, "path:dir") != 0 && strcmp(a->type, "ref:file") != 0 &&
	    strcmp(a->type, "ref:any") != 0 && strcmp(a->type, "glob") != 0 &&
	    strcmp(a->type, "line") != 0 && strcmp(a->type, "text") != 0)
		die(file, line, "'%s' is not a type", a->type);
	while (*(w = word(&s)) != '\0') {
		if (strcmp(w, "clamp") == 0) {
			a->clamp = true;
		} else if (strcmp(w, "required") == 0) {
			a->required = true;
		} else if (strcmp(w, "=") == 0) {
			a->has_def = true;
			take(a->def, sizeof(a->def), word(&s), file, line);
		} else {
			die(file, line, "'%s' is not known here", w);
		}
	}
	p->n_arg++;
}

static bool
has_arg(const struct page *p, const char *name)
{
	for (size_t i = 0; i < p->n_arg; i++)
		if (strcmp(p->arg[i].name, name) == 0)
			return true;
	return false;
}

static void
fd_line(char *s, struct page *p, const char *file, size_t line)
{
	struct fd_row *f = &p->fd[p->n_fd];
	char *n = word(&s), copy[80], *save = NULL;

	if (p->n_fd == 8)
		die(file, line, "too many descriptors");
	f->n = atoi(n);
	if (f->n != 3 + (int)p->n_fd)
		die(file, line, "descriptors are numbered from 3 without gaps");
	take(f->access, sizeof(f->access), word(&s), file, line);
	take(f->source, sizeof(f->source), trim(s), file, line);
	if (strcmp(f->access, "read") != 0 && strcmp(f->access, "write") != 0 &&
	    strcmp(f->access, "dir") != 0)
		die(file, line, "'%s' is not read, write or dir", f->access);
	p->n_fd++;
	if (strcmp(f->source, "slot") == 0 || strcmp(f->source, "scope") == 0)
		return;
	if (strncmp(f->source, "carry:", 6) == 0) {
		if (!has_arg(p, f->source + 6))
			die(file, line, "'%s' is no argument", f->source + 6);
		return;
	}
	take(copy, sizeof(copy), f->source, file, line);
	for (char *a = strtok_r(copy, "|", &save); a != NULL; a = strtok_r(NULL, "|", &save))
		for (size_t i = 0;; i++) {
			if (i == p->n_arg)
				die(file, line, "'%s' is no argument above", trim(a));
			if (strcmp(p->arg[i].name, trim(a)) == 0) {
				/* Only routing opens anything in the world; content justifies nothing. */
				if (strcmp(p->arg[i].role, "routing") != 0)
					die(file, line, "%s is content and opens nothing", p->arg[i].name);
				break;
			}
		}
}

static void
member_line(char *s, struct member_row *m, const char *file, size_t line)
{
	memset(m, 0, sizeof(*m));
	take(m->name, sizeof(m->name), word(&s), file, line);
	take(m->type, sizeof(m->type), word(&s), file, line);
	if (!is_name(m->name))
		die(file, line, "'%s' is not a name", m->name);
	if (strcmp(m->type, "int") == 0) {
		range(word(&s), m->min, m->max, sizeof(m->min), file, line);
	} else if (strcmp(m->type, "word") == 0) {
		take(m->words, sizeof(m->words), trim(s), file, line);
		if (m->words[0] == '\0')
			die(file, line, "which words?");
		return;
	} else if (strcmp(m->type, "text") != 0) {
		die(file, line, "'%s' is not int, word or text", m->type);
	}
	if (*trim(s) != '\0')
		die(file, line, "'%s' is not known here", trim(s));
}

static void
landlock_line(char *s, struct page *p, const char *file, size_t line)
{
	char *w = word(&s);

	p->landlock_said = true;
	if (strcmp(w, "none") == 0)
		return;
	if (strcmp(w, "fd") != 0 || p->n_landlock == 4)
		die(file, line, "landlock none, or landlock fd N RIGHTS");
	p->landlock_fd[p->n_landlock] = atoi(word(&s));
	s = trim(s);
	if (strcmp(s, "read_dir") != 0 && strcmp(s, "read_dir read_file") != 0)
		die(file, line, "'%s' is not read_dir, or read_dir read_file", s);
	take(p->landlock_words[p->n_landlock++], 64, s, file, line);
}

static void
page_line(const char *dir, char *s, const char *why, struct page *p, const char *file, size_t line)
{
	char *key = word(&s);

	s = trim(s);
	if (strcmp(key, "title") == 0)
		take(p->title, sizeof(p->title), s, file, line);
	else if (strcmp(key, "verb") == 0)
		take(p->verb, 9, s, file, line);
	else if (strcmp(key, "says") == 0) {
		if (strlen(p->says) + strlen(s) + 2 > sizeof(p->says))
			die(file, line, "the description is longer than 2,047 bytes");
		if (p->says[0] != '\0')
			strcat(p->says, " ");
		strcat(p->says, s);
	} else if (strcmp(key, "arg") == 0)
		arg_line(s, p, file, line);
	else if (strcmp(key, "one-of") == 0) {
		while (*s != '\0' && p->n_one_of < 8) {
			char *w = word(&s);

			if (!has_arg(p, w))
				die(file, line, "'%s' is no argument", w);
			take(p->one_of[p->n_one_of++], 32, w, file, line);
		}
	} else if (strcmp(key, "fd") == 0)
		fd_line(s, p, file, line);
	else if (strcmp(key, "ask") == 0) {
		if (strcmp(s, "no") != 0 && strcmp(s, "quarantined") != 0 && strcmp(s, "every") != 0)
			die(file, line, "'%s' is not no, quarantined or every", s);
		take(p->ask, sizeof(p->ask), s, file, line);
	} else if (strcmp(key, "effect") == 0)
		p->effect = true;
	else if (strcmp(key, "limit") == 0) {
		while (*s != '\0') {
			char *w = word(&s), *v = word(&s);

			if (strcmp(w, "cpu") == 0)
				p->cpu = amount(v, 's', file, line);
			else if (strcmp(w, "wall") == 0)
				p->wall = amount(v, 's', file, line);
			else if (strcmp(w, "memory") == 0)
				p->memory = amount(v, 'M', file, line);
			else if (strcmp(w, "slot") == 0)
				p->slot = amount(v, 'M', file, line);
			else
				die(file, line, "'%s' is not cpu, wall, memory or slot", w);
		}
	} else if (strcmp(key, "call") == 0 && p->n_call < 8)
		member_line(s, &p->call[p->n_call++], file, line);
	else if (strcmp(key, "result") == 0 && p->n_result < 16)
		member_line(s, &p->result[p->n_result++], file, line);
	else if (strcmp(key, "landlock") == 0)
		landlock_line(s, p, file, line);
	else if (strcmp(key, "seccomp") == 0 && *s == '@')
		group(dir, s, p);
	else if (strcmp(key, "seccomp") == 0)
		call_line(s, why, false, p, file, line);
	else
		die(file, line, "'%s' is not known", key);
}

void
page_read(const char *dir, const char *name, const char *helper, struct page *p)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0, n;
	bool routing = false;
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
		why = comment(text);
		s = trim(text);
		if (*s != '\0')
			page_line(dir, s, why, p, file, line);
	}
	sha256_hex(&h, p->digest);
	free(text);
	fclose(f);
	for (n = 0; n < p->n_arg; n++)
		routing |= strcmp(p->arg[n].role, "routing") == 0;
	if (!routing)
		die(file, 0, "no routing argument, no tool");
	if (p->title[0] == '\0' || p->verb[0] == '\0' || p->says[0] == '\0' || p->ask[0] == '\0')
		die(file, 0, "title, verb, says and ask are required");
	if (strcmp(helper, "-") != 0 && (p->cpu == 0 || p->wall == 0 || p->memory == 0 ||
	    p->slot == 0 || !p->landlock_said || p->n_calls == 0 || p->n_result == 0 ||
	    strcmp(p->result[0].name, "code") != 0))
		die(file, 0, "limits, landlock, seccomp and a first result 'code' are required");
}

size_t
list_read(const char *dir, char names[][2][64], size_t most)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0, n = 0;
	FILE *f;

	(void)snprintf(file, sizeof(file), "%s/tools.list", dir);
	if ((f = fopen(file, "r")) == NULL)
		die(file, 0, "%s", strerror(errno));
	while (getline(&text, &room, f) >= 0) {
		char *s;

		line++;
		(void)comment(text);
		s = trim(text);
		if (*s == '\0')
			continue;
		if (n == most)
			die(file, line, "too many tools");
		take(names[n][0], 64, word(&s), file, line);
		take(names[n][1], 64, word(&s), file, line);
		if (names[n][1][0] == '\0' || *trim(s) != '\0' || !is_name(names[n][0]))
			die(file, line, "a line is: tool helper");
		for (size_t i = 0; i < n; i++)
			if (strcmp(names[i][0], names[n][0]) == 0)
				die(file, line, "%s stands twice", names[n][0]);
		n++;
	}
	free(text);
	fclose(f);
	return n;
}

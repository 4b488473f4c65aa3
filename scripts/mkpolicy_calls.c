/* The calls of a page: values, conditions, the rules on what may be allowed at all, and
 * the groups. Trusts nobody's care: a call that could reach something has to say how it
 * is bounded, on the page, or the build stops. */
#include "scripts/mkpolicy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static const struct {
	const char *name;
	uint64_t v;
} constants[] = {
    {"O_RDONLY", O_RDONLY},
    {"O_DIRECTORY", O_DIRECTORY},
    {"O_NOFOLLOW", O_NOFOLLOW},
    {"O_CLOEXEC", O_CLOEXEC},
    {"O_NONBLOCK", O_NONBLOCK},
    {"O_NOCTTY", O_NOCTTY},
    {"PROT_NONE", PROT_NONE},
    {"PROT_READ", PROT_READ},
    {"PROT_WRITE", PROT_WRITE},
    {"PROT_EXEC", PROT_EXEC},
    {"MAP_PRIVATE", MAP_PRIVATE},
    {"MAP_ANONYMOUS", MAP_ANONYMOUS},
    {"MAP_SHARED", MAP_SHARED},
    {"FUTEX_WAIT_PRIVATE", FUTEX_WAIT_PRIVATE},
    {"FUTEX_WAKE_PRIVATE", FUTEX_WAKE_PRIVATE},
    {"FUTEX_REQUEUE_PRIVATE", FUTEX_REQUEUE_PRIVATE},
    {"CLOCK_MONOTONIC", CLOCK_MONOTONIC},
};

static bool
one_of(const char *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Calls that may never be allowed without naming which, on any page. */
static bool
dangerous(const char *name)
{
	static const char *const names[] = {"clone", "clone3", "fork", "vfork", "execve",
	    "execveat", "socket", "socketpair", "connect", "bind", "listen", "accept",
	    "accept4", "ioctl", "ptrace", "process_vm_readv", "process_vm_writev",
	    "pidfd_getfd", "kill", "tkill", "tgkill", "prctl", "seccomp", "bpf",
	    "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd",
	    "perf_event_open", "unshare", "setns", "mount", "umount2", "open", "openat",
	    "openat2", "creat", "open_by_handle_at", "memfd_create", "mmap", "mprotect",
	    "pkey_mprotect", "remap_file_pages", "shmat", "fcntl", NULL};

	return one_of(name, names);
}

/* Calls that carry bytes: only on named descriptors. */
static bool
carries(const char *name)
{
	static const char *const names[] = {"read", "write", "readv", "writev", "pread64",
	    "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "sendmsg", "recvmsg",
	    "sendmmsg", "recvmmsg", "sendto", "recvfrom", "sendfile", "splice", "tee",
	    "vmsplice", "copy_file_range", NULL};

	return one_of(name, names);
}

static bool
maps(const char *name)
{
	static const char *const names[] = {"mmap", "mprotect", "pkey_mprotect", NULL};

	return one_of(name, names);
}

/* One number or constant. */
static uint64_t
atom(const char *s, const char *file, size_t line)
{
	char *end;
	uint64_t v;

	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++)
		if (strcmp(s, constants[i].name) == 0)
			return constants[i].v;
	errno = 0;
	v = strtoull(s, &end, 0);
	if (errno != 0 || *end != '\0' || !isdigit((unsigned char)*s))
		die(file, line, "'%s' is neither a number nor a known constant", s);
	return v;
}

/* A|B, (A|B), ~A or ~(A|B); A is a number or a constant's name. */
static uint64_t
value(char *s, const char *file, size_t line)
{
	bool invert = *s == '~';
	uint64_t v = 0;
	size_t n;

	s += invert;
	n = strlen(s);
	if (n > 1 && s[0] == '(' && s[n - 1] == ')') {
		s[n - 1] = '\0';
		s++;
	} else if (invert && strchr(s, '|') != NULL) {
		die(file, line, "~ of several values needs parentheses");
	}
	for (char *bar = s; bar != NULL; s = bar + 1) {
		if ((bar = strchr(s, '|')) != NULL)
			*bar = '\0';
		v |= atom(s, file, line);
		if (bar == NULL)
			break;
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
	if (strlen(arg) != 4 || strncmp(arg, "arg", 3) != 0 || arg[3] < '0' ||
	    arg[3] > '5')
		die(file, line, "'%s' is not arg0 to arg5", arg);
	c->arg = (unsigned)(arg[3] - '0');
	if (strcmp(op, "&") == 0) {
		c->mask = value(word(&text), file, line);
		op = word(&text);
		if (strcmp(op, "==") != 0 || c->mask == 0)
			die(file, line, "a mask that is not 0 is followed by ==");
	}
	if (strcmp(op, "==") != 0 && strcmp(op, "in") != 0)
		die(file, line, "'%s' is not ==, in or &", op);
	while (*(w = word(&text)) != '\0') {
		uint64_t v = value(w, file, line);

		if (c->n == MAX_VALUES)
			die(file, line, "too many values");
		if ((v & ~c->mask) != 0)
			die(file, line, "a value outside its mask never matches");
		for (size_t i = 0; i < c->n; i++)
			if (c->value[i] == v)
				die(file, line, "a value stands twice");
		c->value[c->n++] = v;
	}
	if (c->n == 0 || (strcmp(op, "==") == 0 && c->n != 1))
		die(file, line, "%s takes %s", op, c->n == 0 ? "a value" : "one value");
}

/* Is PROT_EXEC ruled out? */
static bool
never_executable(const struct call_row *r)
{
	for (size_t i = 0; i < r->n; i++) {
		bool none = r->cond[i].arg == 2 && (r->cond[i].mask & PROT_EXEC) != 0;

		for (size_t k = 0; none && k < r->cond[i].n; k++)
			none = (r->cond[i].value[k] & PROT_EXEC) == 0;
		if (none)
			return true;
	}
	return false;
}

static bool
names_descriptor(const struct call_row *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->cond[i].arg == 0 && r->cond[i].mask == UINT64_MAX)
			return true;
	return false;
}

static bool
reads_only(const char *name)
{
	return strcmp(name, "read") == 0 || strcmp(name, "pread64") == 0;
}

static bool
may_open_files(const struct page *p)
{
	for (size_t i = 0; i < p->n_landlock; i++)
		if (strstr(p->landlock_words[i], "read_file") != NULL)
			return true;
	return false;
}

/* What may be allowed, whoever asks. */
static void
judge(const struct call_row *r, bool group, const struct page *p, const char *file,
    size_t line)
{
	/* What a page opens has no number that could stand on it: reading is then bounded by
	 * what Landlock lets it open, and says why. */
	bool opened = reads_only(r->name) && r->why[0] != '\0' && may_open_files(p);

	if (maps(r->name) && !never_executable(r))
		die(file, line, "%s must exclude PROT_EXEC", r->name);
	if (group && (carries(r->name) || (dangerous(r->name) && !maps(r->name))))
		die(file, line, "%s may not stand in a group", r->name);
	if (carries(r->name) && !names_descriptor(r) && !opened)
		die(file, line, "%s needs an argument condition on arg0, the descriptor",
		    r->name);
	if (dangerous(r->name) && r->n == 0)
		die(file, line, "%s needs an argument condition", r->name);
	if (!group && r->n == 0 && r->why[0] == '\0')
		die(file, line, "%s needs an argument condition or a # why:", r->name);
}

void
calls_line(char *text, const char *why, bool group, struct page *p, const char *file,
    size_t line)
{
	struct call_row *r = &p->calls[p->n_calls];
	char *eq, *next;

	if (p->n_calls == MAX_ROWS)
		die(file, line, "too many calls");
	memset(r, 0, sizeof(*r));
	take(r->name, sizeof(r->name), word(&text), file, line);
	take(r->why, sizeof(r->why), why, file, line);
	text = trim(text);
	if ((eq = strrchr(text, '=')) != NULL && strcmp(trim(eq + 1), "ENOSYS") == 0 &&
	    (eq == text || eq[-1] == ' ')) {
		r->errnum = ENOSYS;
		*eq = '\0';
		text = trim(text);
	}
	take(r->text, sizeof(r->text), text, file, line);
	for (char *c = *text != '\0' ? text : NULL; c != NULL; c = next) {
		if ((next = strchr(c, ',')) != NULL)
			*next++ = '\0';
		if (r->n == MAX_CONDS)
			die(file, line, "too many conditions");
		condition(trim(c), &r->cond[r->n++], file, line);
		for (size_t i = 0; i + 1 < r->n; i++)
			if (r->cond[i].arg == r->cond[r->n - 1].arg)
				die(file, line, "two conditions on arg%u",
				    r->cond[i].arg);
	}
	r->nr = seccomp_syscall_resolve_name(r->name);
	if (r->nr < 0)
		die(file, line, "'%s' is no system call of this architecture", r->name);
	if (r->errnum == 0)
		judge(r, group, p, file, line);
	for (size_t i = 0; i < p->n_calls; i++)
		if (strcmp(p->calls[i].name, r->name) == 0)
			die(file, line, "%s stands twice", r->name);
	p->n_calls++;
}

void
calls_group(const char *dir, const char *want, struct page *p, const char *page,
    size_t at)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0;
	static struct page other; /* groups that were not asked for are judged too */
	struct page *to = NULL;
	char names[16][32];
	size_t n = 0;
	bool found = false, empty = false;
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
			if (empty)
				die(file, line, "an empty group stands above");
			if (strpbrk(s, " \t") != NULL || !is_name(s + 1))
				die(file, line, "'%s' is not @name", s);
			if (n < sizeof(names) / sizeof(*names))
				take(names[n], sizeof(names[n]), s, file, line);
			else
				die(file, line, "too many groups");
			for (size_t i = 0; i < n; i++)
				if (strcmp(names[i], s) == 0)
					die(file, line, "group %s stands twice", s);
			n++;
			found |= strcmp(s, want) == 0;
			memset(&other, 0, sizeof(other));
			to = strcmp(s, want) == 0 ? p : &other;
			empty = true;
			continue;
		}
		if (to == NULL)
			die(file, line, "a call stands before the first group");
		calls_line(s, why, true, to, file, line);
		empty = false;
	}
	free(text);
	fclose(f);
	if (empty)
		die(file, line, "the last group is empty");
	if (!found)
		die(page, at, "no group %s in groups.seccomp", want);
}

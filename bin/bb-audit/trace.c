/* --trace: run the real helper under ptrace on a real call and set the calls it made after
 * its filter went on against those its page allows. A grant that nothing used is named. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/audit.h"
#include "libcommon/frame.h"
#include "libcommon/json.h"
#include "libcommon/own.h"

#define NUMBERS 1024

static const char *
given(char *const *words, size_t n, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (strncmp(words[i], name, len) == 0 && words[i][len] == '=')
			return words[i] + len + 1;
	return NULL;
}

void
trace_call(const struct tool *t, char *const *words, size_t n, struct buf *b)
{
	for (size_t i = 0; i < t->n_args; i++) {
		const struct tool_arg *a = &t->args[i];
		const char *v = given(words, n, a->name);

		if (!a->sent)
			continue;
		if (tool_sends_text(a)) {
			if (v != NULL)
				rec_put_text(b, a->name, v, strlen(v));
		} else if (a->type == TOOL_BOOL) {
			rec_put_int(b, a->name,
			    v != NULL ? strcmp(v, "true") == 0 : a->def);
		} else if (v != NULL || !tool_omits(a)) {
			int64_t num = a->def;

			if (v == NULL || tool_number(a, strtoll(v, NULL, 10), &num) == 0)
				rec_put_int(b, a->name, num);
		}
	}
	for (size_t i = 0; i < t->n_call; i++)
		if (t->call[i].type == MEMBER_INT)
			rec_put_int(b, t->call[i].name,
			    tool_call_default(t, t->call[i].name));
		else
			rec_put_text(b, t->call[i].name, "", 0);
}

/* Each word is KEY=VALUE of this tool, numbers are numbers. NULL, or the word that is not. */
static const char *
misfit(const struct tool *t, char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char key[64], *end;
		const char *eq = strchr(words[i], '=');
		const struct tool_arg *a;
		int64_t v;

		if (eq == NULL || (size_t)(eq - words[i]) >= sizeof(key))
			return words[i];
		(void)snprintf(key, sizeof(key), "%.*s", (int)(eq - words[i]), words[i]);
		if ((a = tool_arg(t, key)) == NULL)
			return words[i];
		if (a->type == TOOL_BOOL && strcmp(eq + 1, "true") != 0 &&
		    strcmp(eq + 1, "false") != 0)
			return words[i];
		if (a->type != TOOL_INT)
			continue;
		errno = 0;
		v = strtoll(eq + 1, &end, 10);
		if (eq[1] == '\0' || *end != '\0' || errno != 0 ||
		    tool_number(a, v, &v) != 0)
			return words[i];
	}
	return NULL;
}

/* Number of the call a stopped child is entering. */
static long
number(int pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return -1;
	return (long)info.entry.nr;
}

static volatile sig_atomic_t traced; /* the process to end when its time is over */

static void
on_alarm(int sig)
{
	(void)sig;
	(void)kill(traced, SIGKILL);
}

static pid_t
wait_for(pid_t pid, int *st)
{
	pid_t got;

	while ((got = waitpid(pid, st, 0)) < 0 && errno == EINTR)
		;
	return got;
}

/* Pass its calls and count those after its filter went on. *last is the one it was in. */
static int
follow(struct real *r, const struct buf *call, unsigned used[NUMBERS], bool *killed,
    long *last)
{
	bool filtered = false, sent = false;
	int st, sig = 0;

	*killed = false;
	if (wait_for(r->pid, &st) != r->pid)
		return -1;
	if (!WIFSTOPPED(st)) {
		r->pid = 0;
		return -1;
	}
	if (ptrace(PTRACE_SETOPTIONS, r->pid, 0,
	        PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
		return -1;
	for (;;) {
		long nr;

		if (ptrace(PTRACE_SYSCALL, r->pid, 0, sig) != 0 ||
		    wait_for(r->pid, &st) != r->pid)
			return -1;
		if (!WIFSTOPPED(st))
			break;
		sig = WSTOPSIG(st) == (SIGTRAP | 0x80) || WSTOPSIG(st) == SIGTRAP
		    ? 0
		    : WSTOPSIG(st);
		if (WSTOPSIG(st) != (SIGTRAP | 0x80) || (nr = number(r->pid)) < 0)
			continue;
		*last = nr;
		if (nr == SYS_seccomp) {
			filtered = true;
			continue;
		}
		if (filtered && nr < NUMBERS)
			used[nr]++;
		/* Its first read after READY is the request. */
		if (filtered && !sent && nr == SYS_read) {
			sent = true;
			if (frame_send(r->in, FRAME_CALL, 1, call->p, call->len) != 0)
				return -1;
		}
	}
	r->pid = 0;
	*killed = WIFSIGNALED(st);
	return filtered ? 0 : -1;
}

static bool
was_used(const struct tool_call *c, const unsigned used[NUMBERS])
{
	return c->nr < NUMBERS && used[c->nr] > 0;
}

static void
print_text(const struct tool *t, const unsigned used[NUMBERS], struct buf *out)
{
	size_t n = 0, unused = 0;

	(void)buf_str(out, "used  ");
	for (size_t i = 0; i < t->n_calls; i++)
		if (was_used(&t->calls[i], used))
			(void)buf_fmt(out, "%s%s %u", n++ > 0 ? " · " : "",
			    t->calls[i].name, used[t->calls[i].nr]);
	for (size_t i = 0; i < t->n_calls; i++) {
		const struct tool_call *c = &t->calls[i];
		bool why = c->why[0] != '\0';

		if (!was_used(c, used))
			(void)buf_fmt(out, "%s%s%s%s%s",
			    unused++ == 0 ? "\nallowed and unused  " : " · ", c->name,
			    why ? " (why: " : "", c->why, why ? ")" : "");
	}
	(void)buf_byte(out, '\n');
}

static void
print_json(const struct tool *t, const unsigned used[NUMBERS], bool killed, long last,
    struct buf *out)
{
	auto_json json_t *o = NULL;
	json_t *u = json_object(), *un = json_array();

	for (size_t i = 0; i < t->n_calls; i++) {
		const struct tool_call *c = &t->calls[i];

		if (was_used(c, used))
			json_object_set_new(u, c->name, json_integer(used[c->nr]));
		else
			json_array_append_new(un,
			    json_pack("{s:s,s:s}", "call", c->name, "why", c->why));
	}
	o = json_pack("{s:i,s:s,s:s,s:o,s:o,s:b}", "schema", 1, "helper", t->helper,
	    "tool", t->name, "used", u, "unused", un, "killed", killed);
	if (killed)
		json_object_set_new(o, "at", json_integer(last));
	(void)json_print(o, out);
	(void)buf_byte(out, '\n');
}

/* What the first descriptor is opened on, as the words name it. */
static const char *
object_of(const struct tool *t, char *const *words, size_t n)
{
	const char *object = NULL;

	for (size_t i = 0; i < 2 && t->fds[0].args[i] != NULL && object == NULL; i++)
		object = given(words, n, t->fds[0].args[i]);
	if (object == NULL && t->fds[0].access == TOOL_DIR)
		object = ".";
	return object;
}

int
trace_tool(const struct tool *t, const char *helpers, char *const *words, size_t n,
    bool json, struct buf *out)
{
	static unsigned used[NUMBERS];
	struct place p = {.tool = t, .tcp = -1, .local = -1, .slot = -1, .self = -1};
	struct real r = {.in = -1, .out = -1};
	auto_buf struct buf call = BUF_INIT, says = BUF_INIT;
	auto_fd int fd = -1;
	const char *object = object_of(t, words, n), *wrong = misfit(t, words, n);
	struct sigaction late = {.sa_handler = on_alarm};
	struct stat st;
	bool killed, dir = t->fds[0].access == TOOL_DIR;
	long last = 0;

	if (wrong != NULL) {
		(void)buf_fmt(&says, "'%s' is no argument of %s", wrong, t->name);
		return audit_fail(json, 2, "bad-argument", buf_cstr(&says), "");
	}
	if (object == NULL) {
		(void)buf_fmt(&says, "%s is required: --trace %s %s=...",
		    t->fds[0].args[0], t->name, t->fds[0].args[0]);
		return audit_fail(json, 2, "bad-argument", buf_cstr(&says), "");
	}
	/* SAFE: a FIFO would hold us until somebody wrote to it. */
	fd = open(object, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) != 0 ||
	    (dir ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))) {
		(void)buf_fmt(&says, "cannot open '%s': %s", object,
		    fd < 0    ? err_errno(errno)
		        : dir ? "not a directory"
		              : "not a regular file");
		return audit_fail(json, 1, "cannot-open", buf_cstr(&says), "");
	}
	(void)snprintf(p.granted, sizeof(p.granted), "/proc/self/fd/%d", fd);
	trace_call(t, words, n, &call);
	if (real_start(&p, helpers, (struct real_how){.traced = true}, &r) == 0) {
		traced = r.pid;
		(void)sigaction(SIGALRM, &late, NULL);
		(void)alarm(t->limits.wall_s + 1);
	}
	if (r.pid <= 0 || follow(&r, &call, used, &killed, &last) != 0) {
		real_end(&r);
		(void)buf_fmt(&says, "%s cannot be traced here", t->helper);
		return audit_fail(json, 75, "no-trace", buf_cstr(&says),
		    "allow ptrace: a container must have SYS_PTRACE, "
		    "kernel.yama.ptrace_scope "
		    "must be below 3");
	}
	(void)alarm(0);
	real_end(&r);
	if (json)
		print_json(t, used, killed, last, out);
	else
		print_text(t, used, out);
	if (killed && !json)
		(void)buf_fmt(out,
		    "it was killed in call number %ld: its page does not allow it so\n",
		    last);
	return killed ? 1 : 0;
}

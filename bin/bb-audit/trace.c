/* --trace: run the real helper under ptrace on a real call and set the calls it made after
 * its filter went on against those its page allows. A grant that nothing used is named. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/fd.h"
#include "libcommon/frame.h"
#include "libcommon/json.h"

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

static void
call_body(const struct tool *t, char *const *words, size_t n, struct buf *b)
{
	for (size_t i = 0; i < t->n_args; i++) {
		const struct tool_arg *a = &t->args[i];
		const char *v = given(words, n, a->name);

		if (!a->sent)
			continue;
		if (a->type == TOOL_GLOB) {
			if (v != NULL)
				rec_put_text(b, a->name, v, strlen(v));
		} else {
			int64_t num = v != NULL ? strtoll(v, NULL, 10) : a->def;

			rec_put_int(b, a->name, num > a->max ? a->max : num);
		}
	}
	for (size_t i = 0; i < t->n_call; i++)
		if (t->call[i].type == MEMBER_INT)
			rec_put_int(b, t->call[i].name, t->call[i].max);
		else
			rec_put_text(b, t->call[i].name, "", 0);
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

static int
follow(struct real *r, const struct buf *call, unsigned used[NUMBERS], bool *killed)
{
	bool filtered = false, sent = false;
	int st;

	*killed = false;
	if (waitpid(r->pid, &st, 0) != r->pid || !WIFSTOPPED(st) ||
	    ptrace(PTRACE_SETOPTIONS, r->pid, 0,
	        PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
		return -1;
	for (;;) {
		int sig = 0;
		long nr;

		if (ptrace(PTRACE_SYSCALL, r->pid, 0, sig) != 0 ||
		    waitpid(r->pid, &st, 0) != r->pid)
			return -1;
		if (WIFEXITED(st))
			break;
		if (WIFSIGNALED(st)) {
			*killed = true;
			break;
		}
		if (!WIFSTOPPED(st) || WSTOPSIG(st) != (SIGTRAP | 0x80))
			continue;
		if ((nr = number(r->pid)) < 0)
			continue;
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
	return filtered ? 0 : -1;
}

int
trace_tool(const struct tool *t, const char *helpers, char *const *words, size_t n,
    bool json, struct buf *out)
{
	static unsigned used[NUMBERS];
	struct place p = {.tool = t};
	struct real r;
	struct buf call = BUF_INIT;
	const char *object = NULL;
	bool killed;
	size_t unused = 0;
	json_t *u = json_object(), *un = json_array();

	for (size_t i = 0; i < 2 && t->fds[0].args[i] != NULL && object == NULL; i++)
		object = given(words, n, t->fds[0].args[i]);
	if (object == NULL)
		object = t->fds[0].access == TOOL_DIR ? "." : NULL;
	if (object == NULL) {
		fprintf(stderr, "bb-audit: --trace %s needs %s=…\n", t->name,
		    t->fds[0].args[0]);
		return 2;
	}
	(void)snprintf(p.granted, sizeof(p.granted), "%s", object);
	if (strlen(object) >= sizeof(p.granted)) {
		/* a longer name by way of its descriptor */
		int fd = open(object, O_RDONLY | O_CLOEXEC);

		(void)snprintf(p.granted, sizeof(p.granted), "/proc/self/fd/%d", fd);
	}
	if (access(object, R_OK) != 0) {
		fprintf(stderr, "bb-audit: cannot open '%s': %s\n", object,
		    err_errno(errno));
		return 1;
	}
	call_body(t, words, n, &call);
	if (real_start(t, helpers, &p, true, &r) != 0 ||
	    follow(&r, &call, used, &killed) != 0) {
		real_end(&r);
		fprintf(stderr, "bb-audit: %s cannot be traced here (ptrace)\n",
		    t->helper);
		return 75;
	}
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].nr < NUMBERS && used[t->calls[i].nr] > 0)
			json_object_set_new(u, t->calls[i].name,
			    json_integer(used[t->calls[i].nr]));
	(void)buf_str(out, json ? "" : "used  ");
	for (size_t i = 0, k = 0; i < t->n_calls && !json; i++)
		if (t->calls[i].nr < NUMBERS && used[t->calls[i].nr] > 0)
			(void)buf_fmt(out, "%s%s %u", k++ > 0 ? " · " : "",
			    t->calls[i].name, used[t->calls[i].nr]);
	for (size_t i = 0; i < t->n_calls; i++) {
		const struct tool_call *c = &t->calls[i];

		if (c->nr < NUMBERS && used[c->nr] > 0)
			continue;
		if (!json)
			(void)buf_fmt(out, "%s%s%s%s%s",
			    unused == 0 ? "\nallowed and unused  " : " · ", c->name,
			    c->why[0] != '\0' ? " (why: " : "", c->why,
			    c->why[0] != '\0' ? ")" : "");
		json_array_append_new(un,
		    json_pack("{s:s,s:s}", "call", c->name, "why", c->why));
		unused++;
	}
	if (json) {
		json_t *o = json_pack("{s:i,s:s,s:o,s:o,s:b}", "schema", 1, "helper",
		    t->helper, "used", u, "unused", un, "killed", killed);

		(void)json_print(o, out);
		json_decref(o);
	} else {
		json_decref(u);
		json_decref(un);
		if (killed)
			(void)buf_str(out,
			    "\nit was killed: it made a call that its page does not "
			    "allow");
	}
	(void)buf_byte(out, '\n');
	close(r.in);
	close(r.out);
	buf_release(&call);
	return killed ? 1 : 0;
}

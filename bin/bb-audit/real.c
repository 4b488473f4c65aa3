/* The real helper, started on the place's descriptors as bb starts it: empty environment,
 * fixed name, own session, working directory /. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/fd.h"
#include "libcommon/frame.h"

static int
start(const struct tool *t, const char *helpers, const struct place *p, bool traced,
    unsigned uid, int in, int out, int log)
{
	char path[4200];
	char *argv[] = {(char *)(uintptr_t)t->helper, NULL}, *env[] = {NULL};
	int fds[8];

	(void)snprintf(path, sizeof(path), "%s/%s", helpers, t->helper);
	for (size_t i = 0; i < t->n_fds && i < 8; i++) {
		const struct tool_fd *f = &t->fds[i];
		int fd = -1, mem;

		if (f->source == TOOL_FROM_ARG)
			fd = open(p->granted,
			    f->access == TOOL_DIR ? O_PATH | O_DIRECTORY : O_RDONLY);
		else if (fd_memory("audit", &mem) == 0)
			(void)!fd_reopen(mem,
			    f->access == TOOL_WRITE ? O_WRONLY : O_RDONLY, &fd);
		if (fd < 0 || (fds[i] = fcntl(fd, F_DUPFD, 200)) < 0)
			return 120;
	}
	in = fcntl(in, F_DUPFD, 200);
	out = fcntl(out, F_DUPFD, 200);
	log = fcntl(log, F_DUPFD, 200);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(log, 2) < 0)
		return 120;
	for (size_t i = 0; i < t->n_fds && i < 8; i++)
		if (dup2(fds[i], t->fds[i].n) < 0)
			return 120;
	/* Descriptors left open on purpose: the helper must close them (row 5). Those of this
	 * preparation close on exec. */
	for (int fd = 100; fd < 400; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < 8; i++)
		if (p->leak[i] > 0 && dup2(p->leak[i], 410 + (int)i * 7) < 0)
			return 120;
	for (size_t i = 0; i < 8; i++) /* number 6 .. too: below the usual table */
		if (p->leak[i] > 0 && i < 2)
			(void)dup2(p->leak[i], 3 + (int)t->n_fds + 1 + (int)i);
	(void)setsid();
	if (chdir("/") != 0)
		return 120;
	if (uid != 0 &&
	    (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
	        setresuid(uid, uid, uid) != 0))
		return 123;
	if (traced && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		return 121;
	execve(path, argv, env);
	return 122;
}

static int
ready(struct real *r)
{
	static unsigned char body[FRAME_BODY_MAX];
	struct frame f;
	struct rec rec;
	int64_t layers, abi;

	if (frame_receive(r->out, &f, body) != 0 || f.type != FRAME_READY)
		return -1;
	rec_init(&rec, body, f.length);
	if (rec_get_int(&rec, "layers", 0, 127, &layers) != 0 ||
	    rec_get_int(&rec, "abi", 0, 1000, &abi) != 0 ||
	    rec_get_hex(&rec, "filter", r->digest, 64) != 0 || rec_end(&rec) != 0)
		return -1;
	r->layers = (unsigned)layers;
	r->abi = (int)abi;
	return 0;
}

static int
begin(const struct tool *t, const char *helpers, const struct place *p, bool traced,
    unsigned uid, struct real *r)
{
	int to[2], from[2], null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	memset(r, 0, sizeof(*r));
	if (null < 0 || fd_pipe(to) != 0 || fd_pipe(from) != 0)
		return -1;
	if ((r->pid = fork()) == 0)
		_exit(start(t, helpers, p, traced, uid, to[0], from[1], null));
	close(to[0]);
	close(from[1]);
	close(null);
	r->in = to[1];
	r->out = from[0];
	if (r->pid < 0)
		return -1;
	return traced ? 0 : ready(r);
}

int
real_start(const struct tool *t, const char *helpers, const struct place *p, bool traced,
    struct real *r)
{
	return begin(t, helpers, p, traced, 0, r);
}

int
real_start_as(const struct tool *t, const char *helpers, const struct place *p,
    unsigned uid, struct real *r)
{
	return begin(t, helpers, p, false, uid, r);
}

void
real_end(struct real *r)
{
	if (r->pid <= 0)
		return;
	close(r->in);
	close(r->out);
	(void)kill(r->pid, SIGKILL);
	(void)waitpid(r->pid, NULL, 0);
	r->pid = 0;
}

/* The real helper, started on the place's descriptors as bb starts it: empty environment,
 * fixed name, own session, working directory /. bb's belt is left out on purpose: what
 * holds here is the helper's own. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/audit.h"
#include "libcommon/clock.h"
#include "libcommon/fd.h"
#include "libcommon/frame.h"
#include "libcommon/own.h"

#define ABOVE 200
#define LEAKS 410 /* one number in seven from here up is left open for the helper */

static int
put(const struct place *p, const int ends[3])
{
	int fds[8], std[3];

	if (place_open(p, fds) != 0)
		return -1;
	for (int i = 0; i < 3; i++)
		if ((std[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, ABOVE)) < 0)
			return -1;
	for (int i = 0; i < 3; i++)
		if (dup2(std[i], i) < 0)
			return -1;
	for (size_t i = 0; i < p->tool->n_fds && i < 8; i++)
		if (dup2(fds[i], p->tool->fds[i].n) < 0)
			return -1;
	/* What this preparation used closes on exec; what bb-audit itself was given by its
	 * caller too. The leaks stay: closing them is the helper's duty (row 5). */
	for (int fd = 3 + (int)p->tool->n_fds; fd < 1024; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	for (int i = 0; i < 8; i++)
		if (p->leak[i] > 0 && dup2(p->leak[i], LEAKS + i * 7) < 0)
			return -1;
	for (int i = 0; i < 2; i++) /* and in the range of a usual table */
		if (p->leak[i] > 0)
			(void)dup2(p->leak[i], 3 + (int)p->tool->n_fds + 1 + i);
	return 0;
}

static int
start(const struct place *p, const char *helpers, struct real_how how, const int ends[3])
{
	char path[4200];
	char *argv[] = {(char *)(uintptr_t)p->tool->helper, NULL}, *env[] = {NULL};
	unsigned uid = how.uid;
	sigset_t none;

	(void)snprintf(path, sizeof(path), "%s/%s", helpers, p->tool->helper);
	if (put(p, ends) != 0)
		return 120;
	(void)umask(077);
	signals_default();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setsid();
	if (chdir("/") != 0)
		return 120;
	if (uid != 0 &&
	    (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
	        setresuid(uid, uid, uid) != 0))
		return 123;
	if (how.traced && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		return 121;
	if (how.mask != 0 && place_mask(how.mask) != 0)
		return 124;
	execve(path, argv, env);
	return 122;
}

/* Read all of it by the deadline: what stands in a helper's place may say nothing for ever,
 * or half of something. */
static int
read_by(int fd, void *at, size_t n, uint64_t deadline)
{
	for (size_t got = 0; got < n;) {
		uint64_t now = clock_mono_us();
		struct pollfd pf = {.fd = fd, .events = POLLIN};
		int left = now < deadline ? (int)((deadline - now) / 1000) + 1 : 0;
		ssize_t k;

		if (left == 0)
			return -1;
		if (poll(&pf, 1, left) != 1)
			continue; /* a signal, or the end of the time */
		if ((k = read(fd, (char *)at + got, n - got)) <= 0)
			return -1;
		got += (size_t)k;
	}
	return 0;
}

int
real_frame(struct real *r, struct frame *f, unsigned char body[FRAME_BODY_MAX])
{
	unsigned char head[FRAME_HEADER];
	uint64_t deadline = clock_mono_us() + REAL_BOUND_US;

	if (read_by(r->out, head, sizeof(head), deadline) != 0 ||
	    frame_unpack(head, f) != 0 || f->length > FRAME_BODY_MAX)
		return -1;
	return read_by(r->out, body, f->length, deadline);
}

int
real_ready(struct real *r)
{
	static unsigned char body[FRAME_BODY_MAX];
	struct frame f;
	struct rec rec;
	int64_t layers, abi;

	if (real_frame(r, &f, body) != 0 || f.type != FRAME_READY)
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

int
real_start(const struct place *p, const char *helpers, struct real_how how,
    struct real *r)
{
	int to[2], from[2], log[2];

	*r = (struct real){.in = -1, .out = -1};
	if (fd_pipe(to) != 0)
		return -1;
	if (fd_pipe(from) != 0 || fd_pipe(log) != 0)
		return -1;
	if ((r->pid = fork()) == 0)
		_exit(start(p, helpers, how, (const int[3]){to[0], from[1], log[1]}));
	close(to[0]);
	close(from[1]);
	close(log[0]); /* nobody reads its words */
	close(log[1]);
	r->in = to[1];
	r->out = from[0];
	if (r->pid < 0)
		return -1;
	return how.traced || how.waiting ? 0 : real_ready(r);
}

void
real_end(struct real *r)
{
	own_close(&r->in);
	own_close(&r->out);
	r->in = r->out = -1;
	if (r->pid <= 0)
		return;
	(void)kill(r->pid, SIGKILL);
	(void)waitpid(r->pid, NULL, 0);
	r->pid = 0;
}

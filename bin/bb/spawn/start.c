/* From descriptors to a running program. The child shares bb's memory until it
 * has exec'd (no page tables are copied), so what it does in between is
 * start_main(): system calls only, on a stack of its own, while bb waits. */
#include "bin/bb/spawn/spawn_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/fd.h"
#include "libcommon/own.h"

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#define SIGNALS 64 /* the kernel's, 32 and 33 with them */
#define SIGSET_BYTES 8

struct start {
	const char *path, *name;
	int ruleset; /* -1: none */
	int n, top;  /* placements, and the highest number placed at */
	struct {
		int to, from;
	} fd[3 + SPAWN_FDS_MAX];
	volatile int errnum; /* told back through the shared memory */
};

/* As the kernel has it; libc's refuses 32 and 33. */
struct kernel_sigaction {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

static int
place(struct start *a)
{
	for (int i = 0; i < a->n; i++)
		if (a->fd[i].from <= a->top &&
		    (a->fd[i].from = fcntl(a->fd[i].from, F_DUPFD_CLOEXEC, a->top + 1)) <
		        0)
			return -1;
	if (a->ruleset >= 0 && a->ruleset <= a->top &&
	    (a->ruleset = fcntl(a->ruleset, F_DUPFD_CLOEXEC, a->top + 1)) < 0)
		return -1;
	if (syscall(SYS_close_range, 3, a->top, 0) < 0)
		for (int n = 3; n <= a->top; n++)
			(void)close(n);
	for (int i = 0; i < a->n; i++)
		if (dup2(a->fd[i].from, a->fd[i].to) < 0)
			return -1;
	return 0;
}

static int
start_main(void *arg)
{
	static char *const no_environment[] = {NULL};
	static const struct kernel_sigaction by_default;
	static const uint64_t no_signals;
	struct start *a = arg;
	char *argv[] = {(char *)a->name, NULL};

	if (setsid() < 0 || chdir("/") < 0)
		goto failed;
	(void)umask(077);
	/* SAFE: before the mask is lifted, or one of bb's handlers could run here,
	 * in bb's memory. Ignored signals would outlive exec. */
	for (long n = 1; n <= SIGNALS; n++)
		if (n != SIGKILL && n != SIGSTOP)
			syscall(SYS_rt_sigaction, n, &by_default, NULL, SIGSET_BYTES);
	if (place(a) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		goto failed;
	if (a->ruleset >= 0 && syscall(SYS_landlock_restrict_self, a->ruleset, 0) < 0)
		goto failed;
	/* bb's own close themselves; what bb was started with may not. */
	if (syscall(SYS_close_range, a->top + 1, ~0U, 0) < 0)
		for (int n = a->top + 1; n < 4096; n++)
			(void)close(n);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, SIGSET_BYTES);
	execve(a->path, argv, no_environment);
failed:
	a->errnum = errno;
	_exit(127);
}

/* Start it. 0, or E_SYS with errno. */
static int
start(struct spawner *s, struct start *a, pid_t *pid, int *pidfd)
{
	uint64_t all = ~(uint64_t)0, before;

	a->errnum = 0;
	*pidfd = -1;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGSET_BYTES);
	*pid = clone(start_main, (char *)s->stack + SPAWN_STACK,
	    CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, a, pidfd);
	if (*pid < 0)
		a->errnum = errno;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGSET_BYTES);
	if (*pid >= 0 && *pidfd < 0 && a->errnum == 0) {
		/* A kernel without pidfds: nothing could be waited for. */
		kill(*pid, SIGKILL);
		a->errnum = ENOSYS;
	}
	if (a->errnum == 0)
		return 0;
	if (*pid >= 0)
		(void)waitpid(*pid, NULL, 0);
	if (*pidfd >= 0)
		close(take_fd(pidfd));
	errno = a->errnum;
	return E_SYS;
}

int
start_launch(struct child *c, const struct spawn_fd *fds,
    const struct spawn_landlock *allow, size_t n_allow)
{
	struct spawner *s = c->s;
	struct start a = {.name = c->tool->helper, .top = 10};
	struct program *p;
	auto_fd int in = -1, out = -1, err = -1, made = -1;
	bool owned, again = false;
	int pair[2], r;

	if ((r = fd_pipe(pair)) != 0)
		return r;
	in = pair[0], c->request = pair[1];
	if ((r = fd_pipe(pair)) != 0)
		return r;
	c->answer = pair[0], out = pair[1];
	if ((r = fd_pipe(pair)) != 0)
		return r;
	c->log = pair[0], err = pair[1];
	/* O_NONBLOCK is an end's own. Fresh pipes have no other flag to keep. */
	if (fcntl(c->request, F_SETFL, O_NONBLOCK) < 0 ||
	    fcntl(c->answer, F_SETFL, O_NONBLOCK) < 0 ||
	    fcntl(c->log, F_SETFL, O_NONBLOCK) < 0)
		return E_SYS;
retry:
	if ((r = belt_program(s, c->tool->helper, &p)) != 0 ||
	    (r = belt_ruleset(s, p, allow, n_allow, &a.ruleset, &owned)) != 0)
		return r;
	if (owned)
		made = a.ruleset;
	a.path = p->path;
	a.n = 0;
	a.fd[a.n].to = 0, a.fd[a.n++].from = in;
	a.fd[a.n].to = 1, a.fd[a.n++].from = out;
	a.fd[a.n].to = 2, a.fd[a.n++].from = err;
	for (size_t i = 0; i < c->tool->n_fds; i++) {
		a.fd[a.n].to = fds[i].n, a.fd[a.n++].from = fds[i].fd;
		if (fds[i].n > a.top)
			a.top = fds[i].n;
	}
	r = start(s, &a, &c->pid, &c->pidfd);
	if (r == E_SYS && errno == EACCES && a.ruleset >= 0 && !again) {
		/* The ruleset names the file by its inode; an upgrade put another
		 * file in its place. */
		again = true;
		if (made >= 0)
			close(take_fd(&made));
		belt_forget(p);
		goto retry;
	}
	if (r != 0) {
		c->pid = 0;
		return r;
	}
	s->spawns++;
	return 0;
}

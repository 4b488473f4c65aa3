/* A child in a helper's place: the same descriptors, session, directory and layers, put on
 * by the same libcommon code; then one probe by raw system calls, nothing of libc. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/fd.h"

int
place_make(const struct tool *t, struct place *p)
{
	const char *tmp = getenv("TMPDIR");
	struct sockaddr_in in = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(in);
	int fd;

	memset(p, 0, sizeof(*p));
	p->tool = t;
	if (tmp == NULL || tmp[0] != '/' || strlen(tmp) > 30)
		tmp = "/tmp";
	(void)snprintf(p->dir, sizeof(p->dir), "%s/bb-audit.XXXXXX", tmp);
	if (mkdtemp(p->dir) == NULL)
		return -1;
	(void)snprintf(p->outside, sizeof(p->outside), "%s/outside", p->dir);
	(void)snprintf(p->granted, sizeof(p->granted), "%s/granted", p->dir);
	if ((fd = open(p->outside, O_CREAT | O_WRONLY | O_CLOEXEC, 0666)) < 0 ||
	    write(fd, "canary\n", 7) != 7)
		return -1;
	close(fd);
	if (t->fds[0].access == TOOL_DIR) {
		char link[160];

		if (mkdir(p->granted, 0755) != 0)
			return -1;
		(void)snprintf(link, sizeof(link), "%s/out", p->granted);
		if (symlink("/etc", link) != 0)
			return -1;
		(void)snprintf(link, sizeof(link), "%s/sub", p->granted);
		if (mkdir(link, 0755) != 0)
			return -1;
	} else {
		if ((fd = open(p->granted, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)) < 0 ||
		    write(fd, "one\ntwo\n", 8) != 8)
			return -1;
		close(fd);
	}
	if ((p->victim = fork()) == 0) {
		for (;;)
			pause();
	}
	if ((fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) >= 0 &&
	    bind(fd, (struct sockaddr *)&in, sizeof(in)) == 0 && listen(fd, 64) == 0 &&
	    getsockname(fd, (struct sockaddr *)&in, &len) == 0)
		p->listener = ntohs(in.sin_port);
	(void)snprintf(p->unix_path, sizeof(p->unix_path), "%s/sock", p->dir);
	memcpy(un.sun_path, p->unix_path, strlen(p->unix_path) + 1);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) >= 0 &&
	    (bind(fd, (struct sockaddr *)&un, sizeof(un)) != 0 || listen(fd, 64) != 0))
		p->unix_path[0] = '\0';
	return 0;
}

void
place_free(struct place *p)
{
	char path[160];

	if (p->victim > 0) {
		(void)kill(p->victim, SIGKILL);
		(void)waitpid(p->victim, NULL, 0);
	}
	for (const char *const *n = (const char *const[]){"granted/out", "granted/sub",
	         "granted", "outside", "sock", "", NULL};
	     *n != NULL; n++) {
		(void)snprintf(path, sizeof(path), "%s/%s", p->dir, *n);
		if (unlink(path) != 0)
			(void)rmdir(path);
	}
}

/* An outer filter: Landlock's first call is answered with an errno, as a container or an
 * older kernel would. */
static int
mask_landlock(int e)
{
	struct sock_filter f[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)e),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = 4, .filter = f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
}

/* 0: in place. Sources are moved out of the way first. */
static int
settle(const struct place *p, int report)
{
	int fds[8], null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char zero[] = "";

	for (size_t i = 0; i < p->tool->n_fds && i < 8; i++) {
		const struct tool_fd *f = &p->tool->fds[i];
		int fd = -1, mem;

		if (f->source == TOOL_FROM_ARG)
			fd = open(p->granted,
			    f->access == TOOL_DIR ? O_PATH | O_DIRECTORY : O_RDONLY);
		else if (fd_memory("audit", &mem) == 0)
			(void)!fd_reopen(mem,
			    f->access == TOOL_WRITE ? O_WRONLY : O_RDONLY, &fd);
		if (fd < 0 || (fds[i] = fcntl(fd, F_DUPFD, 100)) < 0)
			return -1;
	}
	(void)zero;
	report = fcntl(report, F_DUPFD, 100);
	if (dup2(null, 0) < 0 || dup2(report, 1) < 0 || dup2(null, 2) < 0)
		return -1;
	for (size_t i = 0; i < p->tool->n_fds && i < 8; i++)
		if (dup2(fds[i], p->tool->fds[i].n) < 0)
			return -1;
	if (fd_close_from(3 + (int)p->tool->n_fds) != 0)
		return -1;
	(void)setsid();
	return chdir("/");
}

static long
raw3(long nr, long a, long b, long c)
{
	long r;

	__asm__ volatile("syscall"
	                 : "=a"(r)
	                 : "a"(nr), "D"(a), "S"(b), "d"(c)
	                 : "rcx", "r11", "memory");
	return r;
}

static bool
ends_within(pid_t pid, int ms)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd pf = {.fd = fd, .events = POLLIN};
	bool ended;

	if (fd < 0)
		return true; /* no pidfd here: waited for without a bound */
	ended = poll(&pf, 1, ms) == 1;
	close(fd);
	return ended;
}

struct end
place_run(const struct place *p, probe_fn fn, const long *args, bool confined, int mask)
{
	struct end e = {.kind = END_OTHER};
	struct confine_report report;
	long value;
	int pair[2];
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) != 0)
		return e;
	if ((pid = fork()) == 0) {
		if (settle(p, pair[1]) != 0 || (mask != 0 && mask_landlock(mask) != 0))
			raw3(SYS_exit_group, 99, 0, 0);
		if (confined)
			confine_self(p->tool, &report);
		value = fn(p, args);
		raw3(SYS_write, 1, (long)&value, sizeof(value));
		raw3(SYS_exit_group, 0, 0, 0);
	}
	close(pair[1]);
	/* A call that was let through may wait for ever: that is an end too. */
	if (pid > 0 && !ends_within(pid, 2000))
		(void)kill(pid, SIGKILL);
	if (pid < 0 || waitpid(pid, &e.status, 0) != pid) {
		close(pair[0]);
		return e;
	}
	if (WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGSYS)
		e.kind = END_KILLED;
	else if (read(pair[0], &value, sizeof(value)) == (ssize_t)sizeof(value)) {
		e.kind = END_VALUE;
		e.value = value;
	}
	close(pair[0]);
	return e;
}

/* A world outside the grant, and a child in a helper's place: this program again, started
 * with the same descriptors, environment, session and directory; the same libcommon code
 * puts the layers on; then one probe by raw system calls, nothing of the C library. What an
 * attempt did is judged here, outside, by the witness. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/confine.h"
#include "libcommon/fd.h"
#include "libcommon/own.h"

#define BOUND_MS 2000
#define ABOVE 100 /* descriptors in preparation lie from here up */

void
signals_default(void)
{
	/* struct sigaction as the kernel has it: SIG_DFL, no flags, empty mask. */
	static const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} by_default;

	for (long n = 1; n <= 64; n++)
		if (n != SIGKILL && n != SIGSTOP)
			(void)syscall(SYS_rt_sigaction, n, &by_default, NULL, 8L);
}

static int
file(const char *dir, const char *name, const char *text, mode_t mode)
{
	char path[160];
	auto_fd int fd = -1;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, mode);
	return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) &&
	        fchmod(fd, mode) == 0
	    ? 0
	    : -1;
}

static int
granted(struct place *p)
{
	char path[160];

	if (p->tool->fds[0].access != TOOL_DIR)
		return file(p->dir, "granted", "one\ntwo\n", 0644);
	if (mkdir(p->granted, 0755) != 0 || file(p->granted, "file", "one\n", 0644) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/sub", p->granted);
	if (mkdir(path, 0755) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/out", p->granted);
	if (symlink("/etc", path) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/up", p->granted);
	return symlink("../..", path);
}

static void
listeners(struct place *p)
{
	struct sockaddr_in in = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(in);

	p->tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->tcp >= 0 && bind(p->tcp, (struct sockaddr *)&in, sizeof(in)) == 0 &&
	    listen(p->tcp, 64) == 0 &&
	    getsockname(p->tcp, (struct sockaddr *)&in, &len) == 0)
		p->port = ntohs(in.sin_port);
	(void)snprintf(p->unix_path, sizeof(p->unix_path), "%s/sock", p->dir);
	memcpy(un.sun_path, p->unix_path, strlen(p->unix_path) + 1);
	p->local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->local < 0 || bind(p->local, (struct sockaddr *)&un, sizeof(un)) != 0 ||
	    listen(p->local, 64) != 0)
		p->unix_path[0] = '\0';
}

int
place_make(const struct tool *t, struct place *p)
{
	const char *tmp = getenv("TMPDIR"), *home = getenv("HOME");

	*p = (struct place){.tool = t,
	    .tcp = -1,
	    .local = -1,
	    .slot = -1,
	    .boss = (int)getpid()};
	if ((p->self = open("/proc/self/exe", O_PATH | O_CLOEXEC)) < 0)
		return -1;
	if (home == NULL || home[0] != '/' || strlen(home) >= sizeof(p->home))
		home = "/root";
	(void)snprintf(p->home, sizeof(p->home), "%s", home);
	if (tmp == NULL || tmp[0] != '/' || strlen(tmp) > 30)
		tmp = "/tmp";
	(void)snprintf(p->dir, sizeof(p->dir), "%s/bb-audit.XXXXXX", tmp);
	if (mkdtemp(p->dir) == NULL)
		return -1;
	(void)snprintf(p->outside, sizeof(p->outside), "%s/outside", p->dir);
	(void)snprintf(p->granted, sizeof(p->granted), "%s/granted", p->dir);
	if (file(p->dir, "outside", "canary\n", 0666) != 0 || granted(p) != 0)
		return -1;
	if ((p->victim = fork()) == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			pause();
	}
	listeners(p);
	return p->victim > 0 ? 0 : -1;
}

void
place_free(struct place *p)
{
	static const char *const names[] = {"granted/out", "granted/up", "granted/file",
	    "granted/sub/in", "granted/sub", "granted", "outside", "sock", ""};
	char path[160];

	if (p->victim > 0) {
		(void)kill(p->victim, SIGKILL);
		(void)waitpid(p->victim, NULL, 0);
	}
	for (size_t i = 0; p->dir[0] != '\0' && i < sizeof(names) / sizeof(*names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", p->dir, names[i]);
		if (unlink(path) != 0)
			(void)rmdir(path);
	}
	own_close(&p->tcp);
	own_close(&p->local);
	own_close(&p->self);
}

/* --- the witness ---------------------------------------------------------------------- */

static bool
arrived(int listener)
{
	auto_fd int fd = listener >= 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;

	return fd >= 0;
}

void
place_before(const struct place *p, struct witness *w)
{
	while (arrived(p->tcp) || arrived(p->local))
		; /* those of the control */
	(void)kill(p->victim, SIGCONT);
	if (stat(p->outside, &w->canary) != 0)
		memset(&w->canary, 0, sizeof(w->canary));
	if (stat(p->dir, &w->dir) != 0)
		memset(&w->dir, 0, sizeof(w->dir));
}

const char *
place_after(const struct place *p, const struct witness *w)
{
	struct stat st;
	char path[64], text[1024];
	auto_fd int fd = -1;
	ssize_t n;

	if (arrived(p->tcp) || arrived(p->local))
		return "a connection arrived";
	/* The time of a change covers mode, owner, content and links. */
	if (stat(p->outside, &st) != 0 || st.st_ctim.tv_sec != w->canary.st_ctim.tv_sec ||
	    st.st_ctim.tv_nsec != w->canary.st_ctim.tv_nsec)
		return "the file outside changed";
	if (stat(p->dir, &st) != 0 || st.st_mtim.tv_sec != w->dir.st_mtim.tv_sec ||
	    st.st_mtim.tv_nsec != w->dir.st_mtim.tv_nsec)
		return "the directory outside changed";
	(void)snprintf(path, sizeof(path), "/proc/%d/status", p->victim);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	text[n > 0 ? n : 0] = '\0';
	if (kill(p->victim, 0) != 0 || strstr(text, "State:\tZ") != NULL)
		return "the victim died";
	if (strstr(text, "State:\tT") != NULL || strstr(text, "State:\tt") != NULL)
		return "the victim stopped";
	return n > 0 && strstr(text, "TracerPid:\t0\n") == NULL ? "the victim is traced"
	                                                        : NULL;
}

/* --- in the helper's place ------------------------------------------------------------ */

/* Older than Landlock or openat2, or a container that refuses them. */
int
place_mask(int e)
{
	struct sock_filter f[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_LANDLOCK_CREATE, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_OPENAT2, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)e),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = sizeof(f) / sizeof(*f), .filter = f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
}

int
place_open(const struct place *p, int *fds)
{
	for (size_t i = 0; i < p->tool->n_fds && i < 8; i++) {
		const struct tool_fd *f = &p->tool->fds[i];
		int fd = -1, mem = -1;

		if (f->source == TOOL_FROM_ARG)
			fd = open(p->granted,
			    O_RDONLY | O_CLOEXEC |
			        (f->access == TOOL_DIR ? O_DIRECTORY : 0));
		else if (f->source == TOOL_FROM_SLOT && p->slot >= 0)
			(void)!fd_reopen(p->slot, O_WRONLY, &fd);
		else if (fd_memory("audit", &mem) == 0)
			(void)!fd_reopen(mem,
			    f->access == TOOL_WRITE ? O_WRONLY : O_RDONLY, &fd);
		if (mem >= 0)
			close(mem);
		if (fd < 0 || (fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE)) < 0)
			return -1;
		close(fd);
	}
	return 0;
}

/* Everything from `low` up closes when the helper's place is taken. */
static void
close_on_exec(int low)
{
	const long args[7] = {SYS_close_range, low, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */};

	if (raw_call(args) != 0)
		for (int fd = low; fd < 1024; fd++)
			(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int
settle(struct place *p, const int ends[3])
{
	int fds[8], std[3];
	sigset_t none;

	if (place_open(p, fds) != 0 ||
	    (p->self = fcntl(p->self, F_DUPFD_CLOEXEC, ABOVE)) < 0)
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
	close_on_exec(3 + (int)p->tool->n_fds);
	(void)umask(077);
	signals_default();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	return setsid() < 0 ? -1 : chdir("/");
}

static _Noreturn void
leave(long value)
{
	const long say[7] = {SYS_write, 1, (long)&value, sizeof(value)};
	const long end[7] = {SYS_exit_group, 0};

	(void)raw_call(say);
	for (;;)
		(void)raw_call(end);
}

static bool
ended(pid_t pid, int *status)
{
	auto_fd int fd = (int)syscall(NR_PIDFD_OPEN, pid, 0);
	struct pollfd pf = {.fd = fd, .events = POLLIN};

	if (fd >= 0) {
		/* A call that was let through may wait for ever: that is an end too. */
		if (poll(&pf, 1, BOUND_MS) != 1)
			(void)kill(pid, SIGKILL);
		return waitpid(pid, status, 0) == pid;
	}
	for (int ms = 0; ms < BOUND_MS; ms++) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		(void)usleep(1000);
	}
	(void)kill(pid, SIGKILL);
	return waitpid(pid, status, 0) == pid;
}

static struct end
outcome(pid_t pid, int answer)
{
	struct end e = {.kind = END_OTHER, .status = -1};

	if (pid <= 0 || !ended(pid, &e.status))
		return e;
	if (WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGSYS)
		e.kind = END_KILLED;
	else if (read(answer, &e.value, sizeof(e.value)) == (ssize_t)sizeof(e.value))
		e.kind = END_VALUE;
	return e;
}

/* Pipes on 0, 1 and 2, as a helper has them. The far ends close when their scope ends. */
struct pipes {
	int near[3], far[3];
};

static void
close_pipes(struct pipes *s)
{
	for (int i = 0; i < 3; i++) {
		own_close(&s->near[i]);
		own_close(&s->far[i]);
	}
}

static int
make_pipes(struct pipes *s)
{
	int pair[2];

	*s = (struct pipes){{-1, -1, -1}, {-1, -1, -1}};
	for (int i = 0; i < 3; i++) {
		if (fd_pipe(pair) != 0)
			return -1;
		s->near[i] = pair[i == 0 ? 0 : 1];
		s->far[i] = pair[i == 0 ? 1 : 0];
	}
	(void)fcntl(s->far[1], F_SETFL,
	    O_NONBLOCK); /* a probe may leave without a word */
	return 0;
}

static struct end
forked(const struct place *p, probe_fn fn, const long *args, bool confined, int mask)
{
	__attribute__((cleanup(close_pipes))) struct pipes s;
	struct place mine = *p;
	struct confine_report report;
	struct rlimit core = {0, 0};
	pid_t pid;

	if (make_pipes(&s) != 0)
		return (struct end){.kind = END_OTHER, .status = -1};
	if ((pid = fork()) == 0) {
		(void)setrlimit(RLIMIT_CORE, &core);
		if (settle(&mine, s.near) != 0 || (mask != 0 && place_mask(mask) != 0))
			_exit(99);
		if (confined)
			confine_self(p->tool, &report);
		leave(fn(&mine, args));
	}
	return outcome(pid, s.far[1]);
}

struct end
place_outside(const struct place *p, const struct probe *q)
{
	return forked(p, q->fn, q->args, false, 0);
}

struct end
place_forked(const struct place *p, probe_fn fn, const long args[7], int mask)
{
	return forked(p, fn, args, true, mask);
}

struct end
place_inside(const struct place *p, size_t i)
{
	__attribute__((cleanup(close_pipes))) struct pipes s;
	struct place mine = *p;
	char index[24], victim[24], boss[24], port[24];
	char *argv[] = {(char *)(uintptr_t) "bb-audit", (char *)(uintptr_t) "--in-place",
	    (char *)(uintptr_t)p->tool->name, index, mine.dir, victim, boss, port,
	    mine.home, NULL};
	char *env[] = {NULL};
	pid_t pid;

	(void)snprintf(index, sizeof(index), "%zu", i);
	(void)snprintf(victim, sizeof(victim), "%d", p->victim);
	(void)snprintf(boss, sizeof(boss), "%d", p->boss);
	(void)snprintf(port, sizeof(port), "%d", p->port);
	if (make_pipes(&s) != 0)
		return (struct end){.kind = END_OTHER, .status = -1};
	if ((pid = fork()) == 0) {
		if (settle(&mine, s.near) == 0)
			(void)syscall(SYS_execveat, mine.self, "", argv, env,
			    AT_EMPTY_PATH);
		_exit(99);
	}
	return outcome(pid, s.far[1]);
}

static int
number(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

_Noreturn void
place_main(char *const *words)
{
	const struct tool *t = tool_find(words[0]);
	struct place p = {.tool = t,
	    .victim = number(words[3]),
	    .boss = number(words[4]),
	    .port = number(words[5]),
	    .tcp = -1,
	    .local = -1,
	    .slot = -1,
	    .self = -1};
	struct confine_report report;
	struct list l;
	size_t i = (size_t)number(words[1]);

	if (t == NULL || strlen(words[2]) >= sizeof(p.dir) ||
	    strlen(words[6]) >= sizeof(p.home))
		_exit(99);
	(void)snprintf(p.home, sizeof(p.home), "%s", words[6]);
	(void)snprintf(p.dir, sizeof(p.dir), "%s", words[2]);
	(void)snprintf(p.outside, sizeof(p.outside), "%s/outside", p.dir);
	(void)snprintf(p.granted, sizeof(p.granted), "%s/granted", p.dir);
	(void)snprintf(p.unix_path, sizeof(p.unix_path), "%s/sock", p.dir);
	probes_list(&p, &l);
	if (i >= l.n)
		_exit(99);
	confine_self(t, &report);
	leave(l.at[i].fn(&p, l.at[i].args));
}

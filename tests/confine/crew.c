/* A page's threads: each carries every layer, none is ever without the filter, and
 * nobody makes another one. In the real helper as the kernel shows it, and from inside
 * one thread. */
#include "libcommon/crew.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "libcommon/confine.h"
#include "tests/tap.h"

#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define DOWN (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static char dir[] = "/tmp/bbcrew.XXXXXX", file[64];
static const struct tool *searching;

static void
at(int fd, int n)
{
	if (fd < 0 || dup2(fd, n) < 0)
		_exit(99);
	if (fd != n)
		close(fd);
}

static void
page(void)
{
	struct rlimit core = {0, 0};
	char path[64];

	(void)setrlimit(RLIMIT_CORE, &core); /* no report of a wanted death */
	for (int n = 3; n < 20; n++)
		close(n);
	at(open(dir, O_RDONLY), 3);
	(void)snprintf(path, sizeof(path), "%s/slot", dir);
	at(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), 4);
	at(open("/dev/null", O_RDONLY), 5);
}

TEST(setting_up)
{
	FILE *f;

	searching = tool_find("search");
	ok(searching != NULL && searching->threads > 0, "a page with threads");
	ok(mkdtemp(dir) != NULL, "a directory");
	(void)snprintf(file, sizeof(file), "%s/file", dir);
	ok((f = fopen(file, "w")) != NULL && fputs("hello\n", f) >= 0 && fclose(f) == 0,
	    "a file");
	for (size_t i = 0; i < tools_len; i++)
		for (size_t k = 0; k < tools[i]->n_calls; k++)
			ok(strncmp(tools[i]->calls[k].name, "clone", 5) != 0,
			    "%s: no page allows %s", tools[i]->name,
			    tools[i]->calls[k].name);
}

/* --- as the kernel shows it ------------------------------------------------------------- */

static void
value(const char *path, const char *key, char *out, size_t n)
{
	char line[256];
	FILE *f = fopen(path, "r");

	out[0] = '\0';
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, key, strlen(key)) == 0) {
			char *p = line + strlen(key) + 1;

			p += strspn(p, " \t");
			p[strcspn(p, "\n")] = '\0';
			(void)snprintf(out, n, "%s", p);
		}
	if (f != NULL)
		fclose(f);
}

TEST(each_thread_of_the_helper)
{
	static const char *const rows[][2] = {{"Seccomp:", "2"},
	    {"Seccomp_filters:", "1"}, {"NoNewPrivs:", "1"},
	    {"CapEff:", "0000000000000000"}, {"CapPrm:", "0000000000000000"},
	    {"CapInh:", "0000000000000000"}, {"CapAmb:", "0000000000000000"}};
	char self[PATH_MAX], path[400], got[64], c, tasks[64], base[64] = "";
	int down[2], up[2], outer = 0;
	unsigned threads = 0;
	struct dirent *e;
	pid_t pid;
	DIR *d;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n < 0 ? 0 : n] = '\0';
	for (int k = 0; k < 3; k++) /* tests/confine/crew.t */
		*strrchr(self, '/') = '\0';
	(void)strncat(self, "/bin/bb-search", sizeof(self) - strlen(self) - 1);
	value("/proc/self/status", "Seccomp_filters:", got, sizeof(got));
	outer = atoi(got);
	fflush(stdout);
	if (pipe(down) < 0 || pipe(up) < 0 || (pid = fork()) < 0) {
		ok(false, "a child");
		return;
	}
	if (pid == 0) {
		at(down[0], 0);
		at(up[1], 1);
		page();
		execl(self, "bb-search", (char *)NULL);
		_exit(99);
	}
	close(up[1]);
	close(down[0]);
	ok(read(up[0], &c, 1) == 1, "READY: its layers are on");
	(void)snprintf(tasks, sizeof(tasks), "/proc/%d/task", (int)pid);
	d = opendir(tasks);
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		threads++;
		(void)snprintf(path, sizeof(path), "%s/%s/status", tasks, e->d_name);
		if (access(path, R_OK) != 0) {
			skip("its status may not be read here");
			continue;
		}
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			(void)snprintf(base, sizeof(base), "%s", rows[i][1]);
			if (i == 1)
				(void)snprintf(base, sizeof(base), "%d", outer + 1);
			value(path, rows[i][0], got, sizeof(got));
			if (i == 1 && got[0] == '\0')
				continue; /* kernels before 5.9 */
			ok_str(got, base, rows[i][0]);
		}
		(void)snprintf(path, sizeof(path), "%s/%s/limits", tasks, e->d_name);
		value(path, "Max processes", got, sizeof(got));
		ok(got[0] == '0', "no process more: %s", got);
	}
	if (d != NULL)
		closedir(d);
	ok_int(threads, searching->threads + 1, "threads of the page, and its own");
	close(down[1]);
	ok_int(waitpid(pid, NULL, 0), pid, "it ends with its input");
	close(up[0]);
}

/* --- from inside one of them -------------------------------------------------------------- */

static struct {
	long nr, a[6];
	int want; /* errno, 0: works, -1: dies of SIGSYS */
	const char *what;
} attempt;

/* In a thread: nothing but calls of the page, since nothing of this C library is. */
static void
inside(void *unused)
{
	long r;

	(void)unused;
	errno = 0;
	r = syscall(attempt.nr, attempt.a[0], attempt.a[1], attempt.a[2], attempt.a[3],
	    attempt.a[4], attempt.a[5]);
	syscall(SYS_exit_group, r < 0 ? errno : 0);
}

static void
tried(void)
{
	int st = 0;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		struct confine_report c;
		char nothing[1];

		page();
		(void)alarm(20);
		confine_self(searching, &c);
		if (crew_size() != searching->threads || (c.layers & LAYER_SECCOMP) == 0)
			syscall(SYS_exit_group, 98L);
		crew_run(inside, NULL);
		for (;;)
			syscall(SYS_read, 5L, nothing, 1L);
	}
	if (pid < 0 || waitpid(pid, &st, 0) != pid)
		return;
	if (attempt.want < 0)
		ok(WIFSIGNALED(st) && WTERMSIG(st) == SIGSYS, "%s: dies", attempt.what);
	else
		ok_int(WIFEXITED(st) ? WEXITSTATUS(st) : -1, attempt.want, attempt.what);
}

TEST(a_thread)
{
	static char outside[] = "/etc/passwd", here[] = ".", name[] = "file", in[8];
	const bool landlock = confine_landlock_abi() > 0;
#define P(x) ((long)(uintptr_t)(x))
	const __typeof__(attempt) rows[] = {
	    {SYS_openat, {3, P(name), FILE_FLAGS}, 0, "opens a file in the grant"},
	    {SYS_openat, {3, P(here), DOWN}, 0, "opens a directory in the grant"},
	    {SYS_openat, {AT_FDCWD, P(outside), FILE_FLAGS}, EACCES, "no file outside"},
	    {SYS_openat, {3, P(name), FILE_FLAGS | O_WRONLY}, -1, "for writing"},
	    {SYS_openat, {3, P(name), O_RDONLY}, -1, "with other flags"},
	    {SYS_clone,
	        {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
	            CLONE_SYSVSEM},
	        -1, "another thread"},
	    {SYS_clone, {SIGCHLD}, -1, "a process"},
	    {435 /* clone3 */, {P(in), 64}, -1, "clone3"},
	    {SYS_socket, {AF_INET, SOCK_STREAM}, -1, "a socket"},
	    {SYS_prctl, {PR_SET_DUMPABLE, 1}, -1, "prctl"},
	    {SYS_exit, {0}, -1, "its own end"},
	    {SYS_futex, {P(in), 0}, -1, "a shared futex"},
	    {SYS_write, {3, P(in), 1}, -1, "a write anywhere"},
	    {SYS_tgkill, {1, 1, SIGKILL}, -1, "a signal"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].want == EACCES && !landlock) {
			skip("no Landlock here");
			continue;
		}
		attempt = rows[i];
		tried();
	}
}

TEST(end)
{
	char cmd[64];

	(void)snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	ok_int(system(cmd), 0, "cleaned up");
}

TAP_MAIN

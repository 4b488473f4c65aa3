/* What a process that put its layers on can still do: each thing a helper may is tried
 * and works, each thing it may not kills it or is denied. Runs confine_self itself, so
 * that the kernel answers and not a description. */
#include "libcommon/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/tap.h"

#define DOWN ((long)(O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))

static char dir[] = "/tmp/bblayers.XXXXXX";
static const struct tool *reading, *listing;
static struct tool shrunk; /* a page with smaller limits */

static void
at(int fd, int n)
{
	if (fd < 0 || dup2(fd, n) < 0)
		_exit(99);
	if (fd != n)
		close(fd);
}

/* As the page of t has it: the object, the slot, an empty scope; layers on. */
static struct confine_report
confined(const struct tool *t)
{
	struct confine_report r;
	struct rlimit core = {0, 0};
	char path[64];

	(void)setrlimit(RLIMIT_CORE, &core); /* no report of a wanted death */
	for (int n = 3; n < 20; n++)
		close(n);
	(void)snprintf(path, sizeof(path), "%s/file", dir);
	at(open(t->fds[0].access == TOOL_DIR ? dir : path, O_RDONLY), 3);
	(void)snprintf(path, sizeof(path), "%s/slot", dir);
	at(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), 4);
	at(open("/dev/null", O_RDONLY), 5);
	confine_self(t, &r);
	return r;
}

/* --- one call --------------------------------------------------------------------------- */

struct attempt {
	const char *what;
	long nr, a[6];
	int want; /* 0: it works; an errno; -1: it dies of SIGSYS */
};
#define DIES (-1)

static bool
tried(const struct tool *t, const struct attempt *a)
{
	int st = 0;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		long r;
		int e;

		(void)confined(t);
		errno = 0;
		r = syscall(a->nr, a->a[0], a->a[1], a->a[2], a->a[3], a->a[4], a->a[5]);
		e = errno;
		syscall(SYS_exit_group, r < 0 ? e : 0);
	}
	if (pid < 0 || waitpid(pid, &st, 0) != pid)
		return false;
	if (a->want == DIES ? WIFSIGNALED(st) && WTERMSIG(st) == SIGSYS
	                    : WIFEXITED(st) && WEXITSTATUS(st) == a->want)
		return ok(true, "%s: %s", t->name, a->what);
	ok(false, "%s: %s", t->name, a->what);
	printf("# status 0x%x, errno %s\n", st,
	    WIFEXITED(st) ? strerror(WEXITSTATUS(st)) : "-");
	return false;
}

static char in[64] = "some bytes", path_file[64], path_self[] = "/proc/self/exe",
            root[] = "/", here[] = ".", up[] = "..", sub[] = "sub", way[] = "way",
            etc[] = "/etc", up_etc[] = "../../etc", null[] = "/dev/null";
static struct stat st_out;
#define P(x) ((long)(uintptr_t)(x))
#define HIGH (1L << 32)

TEST(setting_up)
{
	FILE *f;
	char path[64];

	reading = tool_find("read_file");
	listing = tool_find("list_files");
	ok(mkdtemp(dir) != NULL, "a directory");
	(void)snprintf(path_file, sizeof(path_file), "%s/file", dir);
	ok((f = fopen(path_file, "w")) != NULL && fputs("hello\n", f) >= 0 &&
	        fclose(f) == 0,
	    "a file");
	(void)snprintf(path, sizeof(path), "%s/sub", dir);
	ok(mkdir(path, 0700) == 0, "a directory beneath");
	(void)snprintf(path, sizeof(path), "%s/way", dir);
	ok(symlink("sub", path) == 0, "a link");
}

static void
report_of(const struct tool *t)
{
	int pair[2];
	struct confine_report r = {0};
	const unsigned all = LAYER_FDS | LAYER_DUMP | LAYER_LIMITS | LAYER_NNP |
	    LAYER_LANDLOCK | LAYER_CAPS | LAYER_SECCOMP;
	pid_t pid;

	fflush(stdout);
	if (pipe(pair) < 0 || (pid = fork()) < 0) {
		ok(false, "a child");
		return;
	}
	if (pid == 0) {
		at(pair[1], 1);
		r = confined(t);
		syscall(SYS_write, 1L, &r, sizeof(r));
		syscall(SYS_exit_group, 0L);
	}
	close(pair[1]);
	ok(read(pair[0], &r, sizeof(r)) == (ssize_t)sizeof(r), "%s: a report", t->name);
	close(pair[0]);
	(void)waitpid(pid, NULL, 0);
	ok_int(r.landlock_abi, confine_landlock_abi(), "the kernel's Landlock");
	if (r.landlock_abi == 0)
		skip("no Landlock here");
	else
		ok_int(r.layers, all, "every layer");
	ok_int(all & ~LAYER_LANDLOCK & ~r.layers, 0, "all that need no Landlock");
	ok_int(confine_required(t, false) & ~r.layers & ~LAYER_LANDLOCK, 0,
	    "what bb requires");
}

TEST(report)
{
	report_of(reading);
	report_of(listing);
	ok((confine_required(reading, false) & LAYER_LANDLOCK) == 0,
	    "a page without an open does not need Landlock");
	ok((confine_required(listing, false) & LAYER_LANDLOCK) != 0,
	    "a page with one does");
	ok((confine_required(listing, true) & LAYER_LANDLOCK) == 0,
	    "unless the person said otherwise");
	ok((confine_required(listing, true) & LAYER_SECCOMP) != 0,
	    "of seccomp nobody can");
}

TEST(reader)
{
	const struct attempt rows[] = {
	    {"reads 3", SYS_read, {3, P(in), 5}, 0},
	    {"pread64 of 3", SYS_pread64, {3, P(in), 5, 1}, DIES},
	    {"fstat of 3", SYS_fstat, {3, P(&st_out)}, 0},
	    {"writes 4", SYS_write, {4, P(in), 5}, 0},
	    {"takes memory", SYS_mmap,
	        {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1}, 0},
	    {"memory above its limit", SYS_mmap,
	        {0, 300L << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1},
	        ENOMEM},
	    {"exits", SYS_exit_group, {0}, 0},
	    {"write on 3", SYS_write, {3, P(in), 1}, DIES},
	    {"read on 4", SYS_read, {4, P(in), 1}, DIES},
	    {"read on 5", SYS_read, {5, P(in), 1}, DIES},
	    {"a high half in the descriptor", SYS_read, {HIGH | 3, P(in), 1}, DIES},
	    {"a high half in prot", SYS_mmap,
	        {0, 4096, HIGH | PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1}, DIES},
	    {"executable memory", SYS_mmap,
	        {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1}, DIES},
	    {"a file mapped", SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE, 3}, DIES},
	    {"mprotect to executable", SYS_mprotect, {P(in) & ~4095L, 4096, PROT_EXEC},
	        DIES},
#ifdef SYS_open
	    {"open", SYS_open, {P(path_file), O_RDONLY}, DIES},
#endif
	    {"openat", SYS_openat, {AT_FDCWD, P(path_file), O_RDONLY}, DIES},
	    {"openat of a directory", SYS_openat, {AT_FDCWD, P(root), DOWN}, DIES},
	    {"socket", SYS_socket, {AF_INET, SOCK_STREAM}, DIES},
	    {"socket, unix", SYS_socket, {AF_UNIX, SOCK_STREAM}, DIES},
	    {"memfd_create", SYS_memfd_create, {P(in)}, DIES},
	    {"execve", SYS_execve, {P(path_self)}, DIES},
	    {"execveat", SYS_execveat, {3, P(in), 0, 0, AT_EMPTY_PATH}, DIES},
	    {"clone", SYS_clone, {SIGCHLD}, DIES},
	    {"clone3", 435, {P(in), 64}, DIES},
	    {"ioctl", SYS_ioctl, {1, 0x5401, P(in)}, DIES},
	    {"fcntl", SYS_fcntl, {3, F_GETFL}, DIES},
	    {"dup", SYS_dup, {3}, DIES},
	    {"close", SYS_close, {3}, DIES},
	    {"lseek", SYS_lseek, {3}, DIES},
	    {"ftruncate", SYS_ftruncate, {4, 1}, DIES},
	    {"getdents64", SYS_getdents64, {3, P(in), 64}, DIES},
	    {"newfstatat", SYS_newfstatat, {AT_FDCWD, P(root), P(&st_out)}, DIES},
	    {"kill", SYS_kill, {1, 0}, DIES},
	    {"prctl", SYS_prctl, {PR_SET_DUMPABLE, 1}, DIES},
	    {"ptrace", SYS_ptrace, {0}, DIES},
	    {"seccomp", SYS_seccomp, {0}, DIES},
	    {"setuid", SYS_setuid, {0}, DIES},
	    {"getpid", SYS_getpid, {0}, DIES},
	    {"io_uring_setup", 425, {1, P(in)}, DIES},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tried(reading, &rows[i]);
}

TEST(lister)
{
	const int denied = confine_landlock_abi() > 0 ? EACCES : 0;
	const struct attempt rows[] = {
	    {"opens 3", SYS_openat, {3, P(here), DOWN}, 0},
	    {"opens beneath 3", SYS_openat, {3, P(sub), DOWN}, 0},
	    {"lists a directory", SYS_getdents64, {3, P(in), 64}, 0},
	    {"reads 5", SYS_read, {5, P(in), 1}, 0},
	    {"closes", SYS_close, {4}, 0},
	    {"a link", SYS_openat, {3, P(way), DOWN}, ENOTDIR},
	    {"the way up", SYS_openat, {3, P(up), DOWN}, denied},
	    {"the root", SYS_openat, {AT_FDCWD, P(root), DOWN}, denied},
	    {"another place", SYS_openat, {AT_FDCWD, P(etc), DOWN}, denied},
	    {"another place by a climb", SYS_openat, {3, P(up_etc), DOWN}, denied},
	    {"read on 3", SYS_read, {3, P(in), 1}, DIES},
	    {"pread64", SYS_pread64, {5, P(in), 1}, DIES},
	    {"write on 3", SYS_write, {3, P(in), 1}, DIES},
	    {"a file beneath 3", SYS_openat, {3, P(path_file), O_RDONLY}, DIES},
	    {"a device", SYS_openat, {AT_FDCWD, P(null), O_RDONLY}, DIES},
	    {"a directory with other flags", SYS_openat, {3, P(sub), O_DIRECTORY}, DIES},
	    {"a directory with one more flag", SYS_openat, {3, P(sub), DOWN | O_NOATIME},
	        DIES},
	    {"a high half in the flags", SYS_openat, {3, P(sub), HIGH | DOWN}, DIES},
	    {"O_PATH", SYS_openat, {3, P(sub), DOWN | O_PATH}, DIES},
	    {"O_CREAT", SYS_openat, {3, P(in), DOWN | O_CREAT, 0600}, DIES},
	    {"openat2", 437, {3, P(sub), P(in), 24}, DIES},
	    {"fstat", SYS_fstat, {3, P(&st_out)}, DIES},
	    {"newfstatat", SYS_newfstatat, {3, P(sub), P(&st_out)}, DIES},
	    {"statx", SYS_statx, {3, P(sub), 0, 0x7ff, P(in)}, DIES},
	    {"readlinkat", SYS_readlinkat, {3, P(way), P(in), 64}, DIES},
	    {"faccessat", SYS_faccessat, {3, P(sub), 0}, DIES},
	    {"mkdirat", SYS_mkdirat, {3, P(in), 0700}, DIES},
	    {"unlinkat", SYS_unlinkat, {3, P(way), 0}, DIES},
	    {"socket", SYS_socket, {AF_INET, SOCK_DGRAM}, DIES},
	    {"execve", SYS_execve, {P(path_self)}, DIES},
	    {"memfd_create", SYS_memfd_create, {P(in)}, DIES},
	    {"executable memory", SYS_mmap,
	        {0, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1}, DIES},
	    {"clone", SYS_clone, {SIGCHLD}, DIES},
	    {"fchdir", SYS_fchdir, {3}, DIES},
	    {"chroot", SYS_chroot, {P(here)}, DIES},
	    {"landlock_create_ruleset", 444, {0, 0, 1}, DIES},
	};

	if (denied == 0)
		skip("no Landlock here: what it bounds is not bounded");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tried(listing, &rows[i]);
}

#ifdef __x86_64__
static void
old_gate(void *t)
{
	long r;

	(void)confined(t);
	__asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory"); /* getpid */
	syscall(SYS_exit_group, 1L);
}

static void
x32_gate(void *t)
{
	(void)confined(t);
	syscall(SYS_getpid | 0x40000000L);
	syscall(SYS_exit_group, 1L);
}

static void
x32_read(void *t)
{
	(void)confined(t);
	syscall(SYS_read | 0x40000000L, 3L, in, 1L);
	syscall(SYS_exit_group, 1L);
}

TEST(other_gates)
{
	int st = 0;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0)
		old_gate((void *)(uintptr_t)reading);
	/* A kernel without 32-bit programs faults instead. */
	ok(waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) &&
	        (WTERMSIG(st) == SIGSYS || WTERMSIG(st) == SIGSEGV),
	    "int 0x80");
	ok_died_of(SIGSYS, x32_gate, (void *)(uintptr_t)reading);
	ok_died_of(SIGSYS, x32_read, (void *)(uintptr_t)reading);
}
#endif

/* --- limits -------------------------------------------------------------------------------- */

static void
spins(void *arg)
{
	(void)arg;
	(void)confined(&shrunk);
	for (volatile long i = 0;; i++)
		;
}

static void
overflows(void *arg)
{
	(void)arg;
	(void)confined(&shrunk);
	for (;;)
		syscall(SYS_write, 4L, in, 64L);
}

TEST(limits)
{
	int st;
	pid_t pid;

	shrunk = *reading;
	shrunk.limits.cpu_s = 1;
	shrunk.limits.slot = 4096;
	ok_died_of(SIGXCPU, spins, NULL);
	ok_died_of(SIGXFSZ, overflows, NULL);
	fflush(stdout);
	if ((pid = fork()) == 0) {
		long n = 0;

		(void)confined(listing);
		while (syscall(SYS_openat, 3L, here, DOWN, 0L) >= 0)
			n++;
		syscall(SYS_exit_group, n);
	}
	ok(waitpid(pid, &st, 0) == pid && WIFEXITED(st), "ran into its limit");
	ok_int(WEXITSTATUS(st), CONFINE_WALK_FDS, "descriptors that a walk may hold");
}

/* --- what the kernel shows ---------------------------------------------------------------- */

static void
line_of(pid_t pid, const char *file, const char *key, char out[128])
{
	char path[64], line[256];
	FILE *f;

	out[0] = '\0';
	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	if ((f = fopen(path, "r")) == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, key, strlen(key)) == 0 &&
		    strchr(": ", line[strlen(key)]) != NULL) {
			char *p = line + strlen(key), *to = out;

			p += strspn(p, ": \t");
			while (*p != '\0' && *p != '\n' && to < out + 100) {
				if (*p != ' ' || to == out || to[-1] != ' ')
					*to++ = *p;
				p++;
			}
			*to = '\0';
		}
	fclose(f);
}

static void
shows(pid_t pid, const char *file, const char *key, const char *want)
{
	char got[128];

	line_of(pid, file, key, got);
	if (strncmp(got, want, strlen(want)) == 0)
		ok(true, "%s", key);
	else
		ok_str(got, want, key);
}

TEST(status)
{
	int up_pipe[2], down_pipe[2];
	char path[64], c;
	pid_t pid;

	fflush(stdout);
	if (pipe(up_pipe) < 0 || pipe(down_pipe) < 0 || (pid = fork()) < 0) {
		ok(false, "a child");
		return;
	}
	if (pid == 0) {
		at(down_pipe[0], 0);
		at(up_pipe[1], 1);
		(void)confined(reading);
		syscall(SYS_write, 1L, in, 1L);
		syscall(SYS_read, 0L, in, 1L);
		syscall(SYS_exit_group, 0L);
	}
	ok(read(up_pipe[0], &c, 1) == 1, "its layers are on");
	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (access(path, R_OK) != 0) {
		skip("no /proc to look into");
	} else {
		shows(pid, "status", "Seccomp", "2");
		shows(pid, "status", "NoNewPrivs", "1");
		shows(pid, "status", "CapInh", "0000000000000000");
		shows(pid, "status", "CapPrm", "0000000000000000");
		shows(pid, "status", "CapEff", "0000000000000000");
		shows(pid, "status", "CapAmb", "0000000000000000");
		shows(pid, "status", "Threads", "1");
		if (geteuid() == 0)
			shows(pid, "status", "CapBnd", "0000000000000000");
		shows(pid, "limits", "Max cpu time", "10 11 ");
		shows(pid, "limits", "Max file size", "67108864 67108864 ");
		shows(pid, "limits", "Max address space", "268435456 268435456 ");
		shows(pid, "limits", "Max processes", "0 0 ");
		shows(pid, "limits", "Max locked memory", "0 0 ");
		shows(pid, "limits", "Max msgqueue size", "0 0 ");
		shows(pid, "limits", "Max open files", "5 5 ");
		shows(pid, "limits", "Max core file size",
		    "0 0 "); /* the test's own is lower */
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	if (geteuid() != 0)
		ok(open(path, O_RDONLY) < 0 && errno == EACCES,
		    "its own user does not see its memory");
	else
		skip("root sees every process");
	for (int fd = 0; fd < 12 && geteuid() == 0; fd++) {
		(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		ok((readlink(path, in, sizeof(in)) >= 0) == (fd <= 4), "descriptor %d %s",
		    fd, fd <= 4 ? "is there" : "is closed");
	}
	close(down_pipe[1]);
	ok(waitpid(pid, NULL, 0) == pid, "it ends");
}

TEST(end)
{
	char path[64];
	static const char *const names[] = {"file", "slot", "way"};

	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	(void)snprintf(path, sizeof(path), "%s/sub", dir);
	(void)rmdir(path);
	ok(rmdir(dir) == 0, "nothing was left behind");
}

TAP_MAIN

/* Probes that are more than one call, or no ordinary call: other ways into the kernel,
 * memory, crashes, limits; and, at the end, what the layers beneath the filter stop alone.
 * All by raw system calls: the C library's own would be judged instead. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/landlock_abi.h"

#define P(row, name, control, ...) \
	probe_add(l, (row), (name), (control), (const long[7]){__VA_ARGS__})
#define S(s) probe_text(s)
#define CALL(...) raw_call((const long[7]){__VA_ARGS__})

/* --- other ways in -------------------------------------------------------------------- */

#ifdef __x86_64__
static long
int80(const struct place *p, const long *a)
{
	long r;

	(void)p;
	__asm__ volatile("int $0x80"
	                 : "=a"(r)
	                 : "a"(a[1]), "b"(a[2]), "c"(a[3])
	                 : "r8", "r9", "r10", "r11", "memory");
	return r;
}

/* Newer kernels emulate this page, and the filter sees the call. */
static long
vsyscall(const struct place *p, const long *a)
{
	long (*const now)(long *) = (long (*)(long *))0xffffffffff600400UL;

	(void)p;
	(void)a;
	return now(NULL);
}
#endif

/* --- executable memory, programs -------------------------------------------------------- */

static long
fexecve_memory(const struct place *p, const long *a)
{
	long fd = CALL(SYS_memfd_create, a[1], 0);

	(void)p;
	if (fd < 0)
		return fd;
	(void)CALL(SYS_write, fd, a[2], 4);
	return CALL(SYS_execveat, fd, a[3], 0, 0, AT_EMPTY_PATH);
}

static long
fork_many(const struct place *p, const long *a)
{
	long r = 0;

	(void)p;
	(void)a;
	for (int i = 0; i < 8; i++) {
		if ((r = CALL(SYS_clone, SIGCHLD, 0, 0, 0, 0)) == 0)
			for (;;)
				(void)CALL(SYS_exit_group, 0);
		if (r < 0)
			break;
		(void)CALL(SYS_wait4, r, 0, 0, 0);
	}
	return r;
}

/* --- sockets that would be reached from outside ------------------------------------------- */

static long
abstract(const struct place *p, const long *a)
{
	static unsigned char name[] = {AF_UNIX, 0, 0, 'b', 'b', '-', 'a', 'u', 'd', 'i',
	    't'};
	long fd = CALL(SYS_socket, AF_UNIX, SOCK_STREAM, 0), r;

	(void)p;
	(void)a;
	if (fd < 0)
		return fd;
	r = CALL(SYS_bind, fd, (long)name, sizeof(name));
	return r != 0 ? r : CALL(SYS_listen, fd, 1);
}

static long
dial(const struct place *p, const long *a)
{
	long fd = CALL(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)p;
	return fd < 0 ? fd : CALL(SYS_connect, fd, a[1], a[2]);
}

static long
fast_open(const struct place *p, const long *a)
{
	long fd = CALL(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)p;
	return fd < 0 ? fd : CALL(SYS_sendto, fd, a[1], 1, 0x20000000, a[2], a[3]);
}

static long
dial_name(const struct place *p, const long *a)
{
	long fd = CALL(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)p;
	return fd < 0 ? fd : CALL(SYS_connect, fd, a[1], a[2]);
}

/* --- what ends it ---------------------------------------------------------------------------- */

/* Dereference an address that is never mapped, kept from the compiler's eyes. */
static long
crash(const struct place *p, const long *a)
{
	volatile uintptr_t at = 8;

	(void)p;
	(void)a;
	*(volatile int *)at = 1;
	return 0;
}

/* Take memory until there is none: the limit must answer, not the machine. */
static long
eat(const struct place *p, const long *a)
{
	long got = 0;

	(void)p;
	(void)a;
	for (int i = 0; i < 64; i++) {
		long at = CALL(SYS_mmap, 0, 16 << 20, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at < 0 && at > -4096)
			return at;
		got += 16;
	}
	return got;
}

/* Write into the slot past its limit: SIGXFSZ. */
static long
flood(const struct place *p, const long *a)
{
	static char block[1 << 20];
	long n = 0;

	(void)a;
	while (n < (long)p->tool->limits.slot + (1 << 20)) {
		long w = CALL(SYS_write, 4, (long)block, sizeof(block));

		if (w <= 0)
			return w;
		n += w;
	}
	return n;
}

static struct probe *
step(struct list *l, int row, const char *name, probe_fn fn, const long args[7])
{
	struct probe *q = probe_add(l, row, name, CONTROL_OK, args);

	if (q != NULL)
		q->fn = fn;
	return q;
}
#define STEP(row, name, fn, ...) \
	step(l, (row), (name), (fn), (const long[7]){__VA_ARGS__})

void
probes_steps(struct list *l)
{
	const long buf = (long)room.buf, in = (long)room.in, un = (long)room.un;

	STEP(14, "connect to 127.0.0.1", dial, 0, in, sizeof(room.in));
	STEP(15, "send with MSG_FASTOPEN", fast_open, 0, buf, in, sizeof(room.in));
	if (l->p->unix_path[0] != '\0')
		STEP(18, "connect to a socket by its name", dial_name, 0, un,
		    sizeof(room.un));
	STEP(19, "an abstract socket for others to find", abstract, 0);
	STEP(39, "run a program made in memory", fexecve_memory, 0, S("x"), S("\177ELF"),
	    S(""))
	    ->control = CONTROL_REACHED;
	STEP(53, "many processes", fork_many, 0);
#ifdef __x86_64__
	STEP(41, "int 0x80: getpid", int80, 0, 20);
	STEP(41, "int 0x80: open", int80, 0, 5, 0, 0)->control = CONTROL_REACHED;
	STEP(41, "int 0x80: socketcall", int80, 0, 102, 99, 0)->control = CONTROL_REACHED;
	STEP(41, "the vsyscall page", vsyscall, 0);
	P(41, "a number of the x32 table: getpid", CONTROL_ALIVE, 0x40000000L | 39);
	P(41, "a number of the x32 table: open", CONTROL_ALIVE, 0x40000000L | 2,
	    S("/etc/passwd"));
#endif
	P(42, "a negative number", CONTROL_ALIVE, -7);
	P(42, "number 0x80000000", CONTROL_ALIVE, 0x80000000L);
	P(42, "number 0xffffffff", CONTROL_ALIVE, 0xffffffffL);
	STEP(54, "memory past its limit", eat, 0)->want = -ENOMEM;
	l->at[l->n - 1].layer = "limits";
	STEP(56, "a slot past its limit", flood, 0)->want = PROBE_SIGNAL(SIGXFSZ);
	l->at[l->n - 1].layer = "limits";
	STEP(67, "a crash leaves no core", crash, 0)->want = PROBE_SIGNAL(SIGSEGV);
	l->at[l->n - 1].layer = "limits";
	l->at[l->n - 1].control = CONTROL_REACHED;
}

/* --- beneath the filter -------------------------------------------------------------------- */

static void
alone(struct probe *q, const char *layer, int e)
{
	if (q == NULL)
		return;
	q->stage = STAGE_ALONE;
	q->layer = layer;
	q->want = -e;
}

/* Each is stopped although the filter is not on yet: one layer missing is seen behind
 * another that still holds. */
void
probes_alone(struct list *l)
{
	const long wd = AT_FDCWD, path = S(l->p->outside), dir = S(l->p->dir),
	           victim = l->p->victim;
	const char *landlock = "landlock alone", *caps = "capabilities alone";

	alone(P(1, "before the filter: read a file of the machine", CONTROL_OK,
	          SYS_openat, wd, S("/etc/passwd"), O_RDONLY),
	    landlock, EACCES);
	alone(P(1, "before the filter: read a file outside", CONTROL_OK, SYS_openat, wd,
	          path, O_RDONLY),
	    landlock, EACCES);
	alone(P(1, "before the filter: list a directory outside", CONTROL_OK, SYS_openat,
	          wd, dir, O_RDONLY | O_DIRECTORY),
	    landlock, EACCES);
	alone(P(9, "before the filter: write a file outside", CONTROL_OK, SYS_openat, wd,
	          path, O_WRONLY),
	    landlock, EACCES);
	alone(P(10, "before the filter: a file without a name", CONTROL_OK, SYS_openat,
	          wd, dir, O_TMPFILE | O_RDWR, 0600),
	    landlock, EACCES);
	alone(P(10, "before the filter: rename", CONTROL_OK, SYS_renameat2, wd, path, wd,
	          path, 0),
	    landlock, EACCES);
	alone(P(38, "before the filter: start a program", CONTROL_REACHED, SYS_execve,
	          S("/bin/true"), 0, 0),
	    landlock, EACCES);
	if (l->p->tool->fds[0].access != TOOL_DIR) {
		alone(P(4, "before the filter: descriptor 3 again, for writing",
		          CONTROL_OK, SYS_openat, wd, S("/proc/self/fd/3"), O_RDWR),
		    landlock, EACCES);
	} else {
		if (tool_reads_files(l->p->tool))
			alone(P(1, "before the filter: write a file in the grant",
			          CONTROL_OK, SYS_openat, 3, S("file"), O_WRONLY),
			    landlock, EACCES);
		else
			alone(P(1, "before the filter: read a file in the grant",
			          CONTROL_OK, SYS_openat, 3, S("file"), O_RDONLY),
			    landlock, EACCES);
		alone(P(2, "before the filter: follow a link out", CONTROL_OK, SYS_openat,
		          3, S("out"), O_RDONLY | O_DIRECTORY),
		    landlock, EACCES);
		alone(P(10, "before the filter: a file in the grant without a name",
		          CONTROL_OK, SYS_openat, 3, S("."), O_TMPFILE | O_RDWR, 0600),
		    landlock, EACCES);
	}
	alone(P(8, "before the filter: give a file away", CONTROL_OK, SYS_fchownat, wd,
	          path, 12345, -1, 0),
	    caps, EPERM);
	alone(P(46, "before the filter: drop all groups", CONTROL_OK, SYS_setgroups, 0,
	          0),
	    caps, EPERM);
	alone(P(52, "before the filter: a better priority", CONTROL_OK, SYS_setpriority,
	          0, 0, -5),
	    caps, EACCES);
	alone(P(54, "before the filter: memory past its limit", CONTROL_OK, SYS_mmap, 0,
	          (long)l->p->tool->limits.memory, PROT_READ | PROT_WRITE,
	          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
	    "limits alone", ENOMEM);
	alone(P(54, "before the filter: a file past its limit", CONTROL_OK, SYS_fallocate,
	          4, 0, (long)l->p->tool->limits.slot, 4096),
	    "limits alone", EFBIG);
	alone(P(40, "before the filter: lock memory", CONTROL_OK, SYS_mlock,
	          (long)room.buf, 4096),
	    "limits alone", EPERM);
	alone(P(30, "before the filter: signal another", CONTROL_OK, SYS_kill, victim, 0),
	    "landlock alone, ABI 6", EPERM);
	alone(P(28, "before the filter: trace another", CONTROL_OK, SYS_ptrace,
	          PTRACE_SEIZE, victim, 0, 0),
	    landlock, EPERM);
	alone(P(29, "before the filter: memory of another", CONTROL_OK, SYS_kcmp, victim,
	          victim, 1, 0, 0),
	    landlock, EPERM);
}

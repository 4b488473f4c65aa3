/* The real helper from READY to its end: what the kernel says of it, its parent's death,
 * and, for one that walks, names that change beneath it. */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/clock.h"
#include "libcommon/confine.h"
#include "libcommon/fd.h"
#include "libcommon/frame.h"
#include "libcommon/own.h"

/* --- what the kernel says ----------------------------------------------------------------- */

/* A file of /proc/PID as text. */
static bool
page(int pid, const char *name, char text[4096])
{
	char path[64];
	auto_fd int fd = -1;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, 4095) : -1;
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The rest of the line that begins with `key`. */
static const char *
line(const char *text, const char *key, char out[96])
{
	const char *p = text;
	size_t n;

	out[0] = '\0';
	while (p != NULL && strncmp(p, key, strlen(key)) != 0)
		p = (p = strchr(p, '\n')) != NULL ? p + 1 : NULL;
	if (p == NULL)
		return out;
	p += strlen(key);
	p += strspn(p, ":\t ");
	n = strcspn(p, "\n");
	(void)snprintf(out, 96, "%.*s", (int)(n < 95 ? n : 95), p);
	return out;
}

static void
status_page(struct run *r, int pid)
{
	char many[16];
	const struct {
		int row;
		const char *name, *layer, *key, *want;
		bool differs; /* an unconfined process must show something else */
	} rows[] = {{52, "the kernel says: filtered", "seccomp", "Seccomp", "2", true},
	    {52, "the kernel says: no new privileges", "no_new_privs", "NoNewPrivs", "1",
	        true},
	    {46, "the kernel says: inheritable capabilities", "capabilities", "CapInh",
	        "0000000000000000", false},
	    {46, "the kernel says: permitted capabilities", "capabilities", "CapPrm",
	        "0000000000000000", true},
	    {46, "the kernel says: effective capabilities", "capabilities", "CapEff",
	        "0000000000000000", true},
	    {46, "the kernel says: ambient capabilities", "capabilities", "CapAmb",
	        "0000000000000000", false},
	    {52, "the kernel says: umask", "start", "Umask", "0077", false},
	    {52, "the kernel says: blocked signals", "start", "SigBlk",
	        "0000000000000000", false},
	    {52, "the kernel says: ignored signals", "start", "SigIgn",
	        "0000000000000000", false},
	    {52, "the kernel says: handled signals", "start", "SigCgt",
	        "0000000000000000", false},
	    {37, "the kernel says: threads", "start", "Threads", many, false}};
	char theirs[4096], ours[4096], a[96], b[96];
	bool hidden =
	    !page(pid, "status", theirs) || !page((int)getpid(), "status", ours);

	(void)snprintf(many, sizeof(many), "%u", 1 + r->t->threads);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (hidden) {
			check_skip(r, rows[i].row, rows[i].name, rows[i].layer,
			    "/proc does not show other processes");
			continue;
		}
		(void)line(theirs, rows[i].key, a);
		(void)line(ours, rows[i].key, b);
		check(r, rows[i].row, rows[i].name, rows[i].layer,
		    strcmp(a, rows[i].want) == 0,
		    !rows[i].differs || strcmp(b, rows[i].want) != 0, rows[i].want, a);
	}
}

/* What holds for the process holds for each of its threads. */
static void
threads_page(struct run *r, int pid)
{
	static const char *const name = "the kernel says: each thread as confined";
	static const char *const rows[][2] = {{"Seccomp", "2"}, {"NoNewPrivs", "1"},
	    {"CapPrm", "0000000000000000"}, {"CapEff", "0000000000000000"}};
	char path[300], text[4096], a[96], seen[96] = "each of them";
	const struct dirent *e;
	unsigned n = 0;
	DIR *d;

	if (r->t->threads == 0)
		return;
	(void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if ((d = opendir(path)) == NULL) {
		check_skip(r, 52, name, "seccomp", "/proc does not show other processes");
		return;
	}
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		n++;
		(void)snprintf(path, sizeof(path), "task/%.20s/status", e->d_name);
		(void)page(pid, path, text);
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			if (strcmp(line(text, rows[i][0], a), rows[i][1]) != 0)
				(void)snprintf(seen, sizeof(seen), "one with %s %.40s",
				    rows[i][0], a);
	}
	closedir(d);
	check(r, 52, name, "seccomp", n == 1 + r->t->threads && seen[0] == 'e', true,
	    "each of them", seen);
}

static void
limits_page(struct run *r, int pid)
{
	const struct tool_limits *l = &r->t->limits;
	const struct {
		int row;
		const char *name, *key;
		unsigned long long soft;
	} rows[] = {{55, "limit: CPU time", "Max cpu time", l->cpu_s},
	    {54, "limit: memory", "Max address space", l->memory},
	    {56, "limit: size of a file", "Max file size", l->slot},
	    {67, "limit: size of a core", "Max core file size", 1},
	    {53, "limit: processes", "Max processes", 0},
	    {53, "limit: open files", "Max open files", confine_files(r->t)},
	    {54, "limit: locked memory", "Max locked memory", 0},
	    {49, "limit: message queues", "Max msgqueue size", 0}};
	char text[4096], a[96], want[32];
	bool hidden = !page(pid, "limits", text);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (hidden) {
			check_skip(r, rows[i].row, rows[i].name, "limits",
			    "/proc does not show other processes");
			continue;
		}
		(void)snprintf(want, sizeof(want), "%llu", rows[i].soft);
		(void)line(text, rows[i].key, a);
		a[strcspn(a, " ")] = '\0';
		check(r, rows[i].row, rows[i].name, "limits", strcmp(a, want) == 0, true,
		    want, a);
	}
}

static void
standing(struct run *r, int pid)
{
	cpu_set_t theirs, ours;
	char text[4096], own[4096], *p;
	int tty = -1;

	check(r, 52, "a session and a group of its own", "start",
	    getsid(pid) == pid && getpgid(pid) == pid, true, "its own",
	    getsid(pid) == pid && getpgid(pid) == pid ? "its own" : "another's");
	if (page(pid, "stat", text) && (p = strrchr(text, ')')) != NULL)
		(void)sscanf(p + 1, " %*c %*d %*d %*d %d", &tty);
	check(r, 52, "no terminal", "start", tty == 0, true, "none",
	    tty == 0 ? "none" : "one");
	check(r, 52, "nice value and scheduler", "start",
	    getpriority(PRIO_PROCESS, (id_t)pid) == getpriority(PRIO_PROCESS, 0) &&
	        sched_getscheduler(pid) == sched_getscheduler(0),
	    true, "ours", "others");
	check(r, 52, "processors", "start",
	    sched_getaffinity(pid, sizeof(theirs), &theirs) == 0 &&
	        sched_getaffinity(0, sizeof(ours), &ours) == 0 &&
	        CPU_EQUAL(&theirs, &ours),
	    true, "ours", "others");
	check(r, 52, "its place when memory runs out", "start",
	    page(pid, "oom_score_adj", text) &&
	        page((int)getpid(), "oom_score_adj", own) && atoi(text) >= atoi(own),
	    true, "not better than ours", "better");
}

/* --- the file, and READY -------------------------------------------------------------------- */

/* Static, position independent, no interpreter. */
static bool
static_pie(const char *path)
{
	Elf64_Ehdr h;
	Elf64_Phdr ph;
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pread(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) &&
	    h.e_type == ET_DYN;

	for (unsigned i = 0; ok && i < h.e_phnum; i++)
		ok = pread(fd, &ph, sizeof(ph), (off_t)(h.e_phoff + i * sizeof(ph))) ==
		        (ssize_t)sizeof(ph) &&
		    ph.p_type != PT_INTERP &&
		    !(ph.p_type == PT_GNU_STACK && (ph.p_flags & PF_X));
	return ok;
}

static bool
hung_up(int fd)
{
	struct pollfd pf = {.fd = fd, .events = POLLIN};

	return poll(&pf, 1, 500) == 1 && (pf.revents & POLLHUP) != 0;
}

static void
standard(struct run *r)
{
	int pipes[8][2], st, gone = 0;
	struct real h;
	bool open_end = false, same;
	unsigned need = confine_required(r->t, false);
	char path[4200], seen[96];
	uint64_t t0;

	(void)snprintf(path, sizeof(path), "%s/%s", r->helpers, r->t->helper);
	check(r, 0, "its file: static, position independent, no interpreter", "build",
	    static_pie(path), !static_pie("/proc/self/exe"), "static-pie",
	    static_pie(path) ? "static-pie" : "another form");
	for (size_t i = 0; i < 8; i++)
		if (fd_pipe(pipes[i]) == 0)
			r->p->leak[i] = pipes[i][1];
	st = real_start(r->p, r->helpers, (struct real_how){0}, &h);
	for (size_t i = 0; i < 8; i++) {
		close(pipes[i][1]);
		/* SAFE: while any copy of the write end lives, there is no hang-up. */
		open_end |= !hung_up(pipes[i][0]);
		close(pipes[i][0]);
		r->p->leak[i] = 0;
	}
	if (st != 0) {
		real_end(&h);
		r->mute = true;
		check(r, 0, "it starts and says READY", "start", false, true, "READY",
		    "nothing");
		return;
	}
	(void)snprintf(seen, sizeof(seen), "layers %u of %u", h.layers, need);
	check(r, 0, "READY names every layer", "all", (h.layers & need) == need, true,
	    "all", (h.layers & need) == need ? "all" : seen);
	same = strcmp(h.digest, r->t->filter_digest) == 0;
	check(r, 0, "READY names the page's filter", "seccomp", same, true,
	    "the same digest", same ? "the same digest" : "another");
	check(r, 0, "READY names the kernel's Landlock", "landlock",
	    h.abi == confine_landlock_abi(), true, "the same ABI",
	    h.abi == confine_landlock_abi() ? "the same ABI" : "another");
	check(r, 5, "descriptors left open by its parent", "fds", !open_end, true,
	    "closed", open_end ? "still open" : "closed");
	status_page(r, h.pid);
	threads_page(r, h.pid);
	limits_page(r, h.pid);
	standing(r, h.pid);
	/* Row 68: its parent's pipe ends; it must go by itself. */
	close(h.in);
	h.in = -1;
	t0 = clock_mono_us();
	while (
	    (gone = waitpid(h.pid, &st, WNOHANG)) == 0 && clock_mono_us() - t0 < 1000000)
		(void)usleep(1000);
	check(r, 68, "end of file from its parent", "start", gone == h.pid, true, "gone",
	    gone == h.pid ? "gone" : "still there");
	if (gone == h.pid)
		h.pid = 0;
	real_end(&h);
}

/* The pages of a process that may not be dumped belong to root, whoever runs it. Root sees
 * the difference only in a process of somebody else. */
static void
closed_memory(struct run *r)
{
	static const char *const name = "its memory is closed to its own user";
	struct real h;
	struct stat st;
	char path[64];
	bool closed;

	if (real_start(r->p, r->helpers,
	        (struct real_how){.uid = geteuid() == 0 ? 65534 : 0}, &h) != 0) {
		real_end(&h);
		check_skip(r, 29, name, "dumpable",
		    "an unprivileged user cannot start the helper from where it lies");
		return;
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/environ", h.pid);
	closed = stat(path, &st) == 0 && st.st_uid == 0;
	real_end(&h);
	check(r, 29, name, "dumpable", closed, true, "root's",
	    closed ? "root's" : "its user's");
}

/* --- its parent is killed -------------------------------------------------------------------- */

/* A parent that starts the helper, and an ordinary child that keeps the helper's input open
 * and does not go with its parent. */
static _Noreturn void
parent(const struct run *r, int say)
{
	struct real h;
	int pids[2] = {0, 0};

	if (real_start(r->p, r->helpers, (struct real_how){0}, &h) == 0) {
		pids[0] = h.pid;
		if ((pids[1] = fork()) == 0)
			for (;;)
				pause();
	}
	(void)!write(say, pids, sizeof(pids));
	for (;;)
		pause();
}

static bool
gone_within(int pid, int ms)
{
	for (; ms > 0; ms--) {
		if (waitpid(pid, NULL, WNOHANG) == pid ||
		    (kill(pid, 0) != 0 && errno == ESRCH))
			return true;
		(void)usleep(1000);
	}
	return false;
}

static bool
told(int fd)
{
	struct pollfd pf = {.fd = fd, .events = POLLIN};

	return poll(&pf, 1, 2 * REAL_BOUND_US / 1000) == 1;
}

static void
orphaned(struct run *r)
{
	int pair[2], pids[2] = {0, 0};
	bool gone = false, control = false;
	pid_t pid;

	/* the helper and its sibling come to us when their parent is gone */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || fd_pipe(pair) != 0)
		return;
	if ((pid = fork()) == 0)
		parent(r, pair[1]);
	close(pair[1]);
	if (told(pair[0]) && read(pair[0], pids, sizeof(pids)) == (ssize_t)sizeof(pids) &&
	    pids[0] > 0) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		gone = gone_within(pids[0], 1000);
		control =
		    pids[1] > 0 && kill(pids[1], 0) == 0 && !gone_within(pids[1], 20);
		if (!gone)
			(void)kill(pids[0], SIGKILL);
		if (pids[1] > 0) {
			(void)kill(pids[1], SIGKILL);
			(void)waitpid(pids[1], NULL, 0);
		}
		if (!gone)
			(void)waitpid(pids[0], NULL, 0);
	} else {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
	}
	close(pair[0]);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	check(r, 68, "its parent killed, its input open", "dumpable", gone, control,
	    "gone in a second", gone ? "gone in a second" : "still there");
}

void
checks_life(struct run *r)
{
	standard(r);
	if (r->mute)
		return;
	closed_memory(r);
	orphaned(r);
}

/* --- row 63: names that change ------------------------------------------------------------------ */

static const char secret[] = "canary-of-the-audit";

static _Noreturn void
flip(const struct place *p)
{
	char a[160], b[160];

	(void)snprintf(a, sizeof(a), "%s/sub", p->granted);
	(void)snprintf(b, sizeof(b), "%s/swap", p->dir);
	for (;;)
		(void)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2 /* exchange */);
}

/* What a careless walk sees. */
static bool
careless(const struct place *p)
{
	char path[160];
	DIR *d;
	struct dirent *e;
	bool seen = false;

	(void)snprintf(path, sizeof(path), "%s/sub", p->granted);
	if ((d = opendir(path)) == NULL)
		return false;
	while ((e = readdir(d)) != NULL)
		seen |= strcmp(e->d_name, secret) == 0;
	closedir(d);
	return seen;
}

/* One listing, or one search for anything. 1: the name outside is in it, 0: it is not,
 * -1: there was no answer. */
static int
listing(struct run *r)
{
	static char any[] = "pattern=.";
	static char *const words[] = {any, NULL};
	static unsigned char body[FRAME_BODY_MAX];
	static char text[65536];
	auto_buf struct buf call = BUF_INIT;
	struct frame f;
	struct real h;
	int mem, seen = -1;
	ssize_t n;

	if (fd_memory("slot", &mem) != 0)
		return -1;
	r->p->slot = mem;
	trace_call(r->t, words, tool_reads_files(r->t) ? 1 : 0, &call);
	if (real_start(r->p, r->helpers, (struct real_how){0}, &h) == 0 &&
	    frame_send(h.in, FRAME_CALL, 1, call.p, call.len) == 0 &&
	    real_frame(&h, &f, body) == 0 && f.type == FRAME_RESULT &&
	    (n = pread(mem, text, sizeof(text), 0)) > 0)
		seen = memmem(text, (size_t)n, secret, sizeof(secret) - 1) != NULL;
	real_end(&h);
	r->p->slot = -1;
	close(mem);
	return seen;
}

void
checks_race(struct run *r)
{
	struct place *p = r->p;
	char out[160], name[200], swap[160], seen[64];
	int listings = 0, leaks = 0, controls = 0;
	uint64_t t0 = clock_mono_us();
	pid_t pid;
	auto_fd int fd = -1;

	(void)snprintf(out, sizeof(out), "%s/secret", p->dir);
	(void)snprintf(name, sizeof(name), "%s/%s", out, secret);
	(void)snprintf(swap, sizeof(swap), "%s/swap", p->dir);
	if (mkdir(out, 0755) == 0)
		fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	if (symlink(out, swap) != 0 || fd < 0 || write(fd, "one\n", 4) != 4)
		return;
	if ((pid = fork()) == 0)
		flip(p);
	while (clock_mono_us() - t0 < 3000000 && (listings < 60 || controls < 5)) {
		int one = listing(r);

		listings += one >= 0;
		leaks += one == 1;
		for (int k = 0; k < 20; k++)
			controls += careless(p);
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)unlink(name);
	(void)rmdir(out);
	/* whichever of the two is the link */
	if (unlink(swap) != 0)
		(void)rmdir(swap);
	(void)snprintf(swap, sizeof(swap), "%s/sub", p->granted);
	if (unlink(swap) != 0)
		(void)rmdir(swap);
	(void)snprintf(seen, sizeof(seen), "%d of %d listings", leaks, listings);
	check(r, 63, "a directory that becomes a link out while it is listed", "landlock",
	    leaks == 0 && listings > 0, controls > 0, "never",
	    leaks == 0 && listings > 0 ? "never" : seen);
}

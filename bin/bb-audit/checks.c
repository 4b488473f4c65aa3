/* Every probe of one helper, each with its control outside, and the checks that are more
 * than one call: descriptors, executable memory, entry by other ways, the whole table of
 * numbers, limits, core dumps, the parent's death, a weaker host. */
#include "bin/bb-audit/audit.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/clock.h"
#include "libcommon/confine.h"
#include "libcommon/fd.h"

struct run {
	const struct tool *t;
	const char *helpers;
	struct place *p;
	verdict_fn fn;
	void *arg;
	uint64_t since;
};

static void
emit(struct run *r, struct verdict *v)
{
	uint64_t now = clock_mono_us();

	v->ms = (double)(now - r->since) / 1000;
	r->since = now;
	r->fn(r->arg, v);
}

static const char *
value_words(long v, char *b, size_t n)
{
	if (v == PROBE_KILLED)
		(void)snprintf(b, n, "killed");
	else if (v < 0 && v > -4096)
		(void)snprintf(b, n, "%s",
		    strerrorname_np((int)-v) != NULL ? strerrorname_np((int)-v)
		                                     : "errno");
	else
		(void)snprintf(b, n, "answered %ld", v);
	return b;
}

/* Did the control do what it must for the row to mean anything? */
static bool
control_held(const struct probe *q, const struct end *e)
{
	if (q->control == CONTROL_NONE)
		return true;
	if (e->kind != END_VALUE)
		/* it left, or was stopped by a signal of its own: it got there */
		return q->control == CONTROL_REACHED && e->kind == END_OTHER;
	if (q->control == CONTROL_OK)
		return e->value >= 0;
	return e->value != -ENOSYS && e->value != -EPERM && e->value != -EACCES;
}

static void
one_probe(struct run *r, const struct probe *q)
{
	struct verdict v = {.row = q->row, .name = q->name, .layer = q->layer};
	struct end out = place_run(r->p, q->fn, q->args, false, 0);
	struct end in = place_run(r->p, q->fn, q->args, true, 0);
	long seen = in.kind == END_KILLED ? PROBE_KILLED
	    : in.kind == END_VALUE        ? in.value
	                                  : LONG_MAX;

	v.applies = control_held(q, &out);
	v.control = q->control == CONTROL_NONE ? "none"
	    : v.applies                        ? "succeeded"
	                                       : "failed";
	(void)value_words(q->want, v.expected, sizeof(v.expected));
	if (in.kind == END_OTHER)
		(void)snprintf(v.seen, sizeof(v.seen), "status 0x%x", in.status);
	else
		(void)value_words(seen, v.seen, sizeof(v.seen));
	v.held = seen == q->want || (q->or_want != PROBE_NOTHING && seen == q->or_want);
	emit(r, &v);
}

/* A check of ours with its own words. */
static void
check(struct run *r, int row, const char *name, const char *layer, bool held,
    const char *expected, const char *seen, const char *skipped)
{
	struct verdict v = {.row = row,
	    .name = name,
	    .layer = layer,
	    .held = held,
	    .applies = true,
	    .skipped = skipped,
	    .control = "succeeded"};

	(void)snprintf(v.expected, sizeof(v.expected), "%s", expected);
	(void)snprintf(v.seen, sizeof(v.seen), "%s", seen);
	emit(r, &v);
}

/* --- probes with code of their own --------------------------------------------------------- */

static long
int80(const struct place *p, const long *a)
{
	long r = -ENOSYS;

	(void)p;
	(void)a;
#ifdef __x86_64__
	__asm__ volatile("int $0x80"
	                 : "=a"(r)
	                 : "a"(20L)
	                 : "r8", "r9", "r10", "r11", "memory");
#endif
	return r;
}

static long
crash(const struct place *p, const long *a)
{
	(void)p;
	(void)a;
	/* an address that is never mapped, kept from the compiler's eyes */
	volatile uintptr_t at = 8;

	*(volatile int *)at = 1;
	return 0;
}

/* Take memory until there is none: the limit must answer ENOMEM, not the machine. */
static long
eat(const struct place *p, const long *a)
{
	long take[7] = {SYS_mmap, 0, 16 << 20, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0};
	long got = 0;

	(void)a;
	for (int i = 0; i < 64; i++) {
		long at = probe_call(p, take);

		if (at < 0 && at > -4096)
			return at;
		got += 16;
	}
	return got;
}

/* Write until the slot's limit. A file past RLIMIT_FSIZE brings SIGXFSZ. */
static long
flood(const struct place *p, const long *a)
{
	static char block[1 << 16];
	long out[7] = {SYS_write, 4, (long)block, sizeof(block)};
	long n = 0;

	(void)a;
	while (n < (1L << 31)) {
		long w = probe_call(p, out);

		if (w <= 0)
			return w;
		n += w;
	}
	return n;
}

static void
special(struct run *r)
{
	struct probe q = {.layer = "seccomp",
	    .control = CONTROL_OK,
	    .want = PROBE_KILLED,
	    .or_want = PROBE_NOTHING};
	struct end e;

	q.row = 41;
	q.name = "int 0x80";
	q.fn = int80;
	q.control = CONTROL_REACHED;
	one_probe(r, &q);
	q.name = "a number of the x32 table";
	q.fn = probe_call;
	q.args[0] = 0x40000000L | 39;
	q.control = CONTROL_NONE;
	one_probe(r, &q);
	q.row = 42;
	q.name = "a negative number";
	q.args[0] = -7;
	one_probe(r, &q);
	q.name = "number 0x80000000";
	q.args[0] = 0x80000000L;
	one_probe(r, &q);
	q = (struct probe){.row = 54,
	    .name = "memory past the limit",
	    .layer = "limits",
	    .fn = eat,
	    .control = CONTROL_OK,
	    .want = -ENOMEM,
	    .or_want = PROBE_NOTHING};
	one_probe(r, &q);
	e = place_run(r->p, flood, q.args, true, 0);
	check(r, 56, "a slot past its limit", "limits",
	    WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGXFSZ, "SIGXFSZ",
	    WIFSIGNALED(e.status) ? strsignal(WTERMSIG(e.status)) : "it went on", NULL);
	e = place_run(r->p, crash, q.args, true, 0);
	check(r, 67, "a crash leaves no core", "limits",
	    WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGSEGV &&
	        !WCOREDUMP(e.status),
	    "SIGSEGV, no core",
	    WIFSIGNALED(e.status) && WCOREDUMP(e.status) ? "a core" : "no core", NULL);
}

/* uretprobe and uprobe (x86, Linux 6.11 and later) are taken past every filter by the
 * kernel itself. Called from anywhere but its own trampoline they only end the caller or
 * answer ENXIO. */
static bool
past_filters(long nr, const struct end *e)
{
#ifdef __x86_64__
	if (nr == 335 || nr == 336)
		return (e->kind == END_OTHER && WIFSIGNALED(e->status) &&
		           (WTERMSIG(e->status) == SIGILL ||
		               WTERMSIG(e->status) == SIGSEGV)) ||
		    (e->kind == END_VALUE && (e->value == -ENXIO || e->value == -ENOSYS));
#endif
	(void)nr;
	(void)e;
	return false;
}

/* Row 42: every number with garbage in all arguments, high halves set: only calls without
 * a condition may come back. */
static void
numbers(struct run *r)
{
	long args[7];
	unsigned wrong = 0;
	char seen[96] = "none";

	for (size_t i = 1; i < 7; i++)
		args[i] = 0x5a5a5a5a00000000L | (long)(0x7ff0 + i);
	/* SAFE: where the filter does not even stop this one, a thousand calls with garbage are
	 * not made. */
	args[0] = SYS_getppid;
	if (place_run(r->p, probe_call, args, true, 0).kind != END_KILLED) {
		check(r, 42, "every number from 0 to 1023", "seccomp", false, "killed",
		    "getppid came back", NULL);
		return;
	}
	for (long nr = 0; nr < 1024; nr++) {
		bool free_call = false;
		struct end e;

		for (size_t i = 0; i < r->t->n_calls; i++)
			free_call |=
			    r->t->calls[i].nr == nr && r->t->calls[i].n_conds == 0;
		if (free_call)
			continue; /* its own argument checks answer; some would end the child */
		args[0] = nr;
		e = place_run(r->p, probe_call, args, true, 0);
		if (e.kind == END_KILLED || past_filters(nr, &e))
			continue;
		if (wrong++ == 0)
			(void)snprintf(seen, sizeof(seen), "number %ld came back", nr);
	}
	check(r, 42, "every number from 0 to 1023, arguments with high halves", "seccomp",
	    wrong == 0, "killed", wrong == 0 ? "killed" : seen, NULL);
}

/* Row 69: Landlock answered as an older kernel or a container would. What must die dies
 * all the same, and READY must not claim the layer. */
static long
layers_of(const struct place *p, const long *a)
{
	(void)p;
	return a[0];
}

static void
weaker(struct run *r, const char *helpers)
{
	static const struct {
		int e;
		const char *name;
	} rows[] = {{ENOSYS, "without Landlock (ENOSYS)"},
	    {EOPNOTSUPP, "without Landlock (EOPNOTSUPP)"},
	    {EPERM, "without Landlock (EPERM)"}};
	long open_etc[7] = {SYS_open, (long)"/etc/passwd", O_RDONLY}, nothing[7] = {7};

	(void)helpers;
	for (size_t i = 0; i < 3; i++) {
		struct end e = place_run(r->p, probe_call, open_etc, true, rows[i].e);
		struct end alive = place_run(r->p, layers_of, nothing, false, rows[i].e);

		check(r, 69, rows[i].name, "seccomp",
		    e.kind == END_KILLED && alive.kind == END_VALUE, "killed",
		    e.kind == END_KILLED ? "killed" : "opened", NULL);
	}
}

/* --- the real helper ------------------------------------------------------------------------- */

static bool
status_has(int pid, const char *line)
{
	char path[64], text[4096];
	int fd;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return strstr(text, line) != NULL;
}

/* Static, position independent, no interpreter. */
static bool
static_pie(const char *helpers, const char *name)
{
	char path[4200];
	Elf64_Ehdr h;
	Elf64_Phdr ph;
	int fd;
	bool ok;

	(void)snprintf(path, sizeof(path), "%s/%s", helpers, name);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	ok = pread(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) && h.e_type == ET_DYN;
	for (unsigned i = 0; ok && i < h.e_phnum; i++)
		ok = pread(fd, &ph, sizeof(ph), (off_t)(h.e_phoff + i * sizeof(ph))) ==
		        (ssize_t)sizeof(ph) &&
		    ph.p_type != PT_INTERP;
	close(fd);
	return ok;
}

static void
environment(struct run *r, int pid)
{
	char path[64], b[64];
	int fd;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, b, sizeof(b)) : -1;
	if (fd >= 0)
		close(fd);
	if (fd < 0 && errno == EACCES) /* not dumpable: not even its own user may look */
		check(r, 51, "its environment cannot be read by its user", "dumpable",
		    true, "EACCES", "EACCES", NULL);
	else
		check(r, 51, "its environment is empty", "start", n == 0, "empty",
		    n == 0 ? "empty" : "something", NULL);
}

/* The pages of a process that may not be dumped belong to root, whoever runs it. Root sees
 * the difference only in a process of somebody else. */
static void
dumpable(struct run *r)
{
	const unsigned nobody = 65534;
	bool root = geteuid() == 0;
	struct real h;
	struct stat st;
	char path[64];
	int e = root ? real_start_as(r->t, r->helpers, r->p, nobody, &h)
	             : real_start(r->t, r->helpers, r->p, false, &h);

	if (e != 0) {
		real_end(&h);
		check(r, 29, "its memory is closed to its own user", "dumpable", true,
		    "root's", "not tried",
		    "an unprivileged user cannot start the helper from where it lies");
		return;
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/environ", h.pid);
	e = stat(path, &st);
	real_end(&h);
	check(r, 29, "its memory is closed to its own user", "dumpable",
	    e == 0 && st.st_uid == 0, "root's",
	    e == 0 && st.st_uid == 0 ? "root's" : "its user's", NULL);
}

static void
real(struct run *r)
{
	static const char *const caps[] = {"CapInh:\t0000000000000000",
	    "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
	    "CapAmb:\t0000000000000000"};
	int pipes[8][2];
	struct real h;
	bool open_end = false, none = true;
	unsigned need = confine_required(r->t, false);
	char seen[96];
	int st, gone;
	uint64_t t0;

	for (size_t i = 0; i < 8; i++)
		if (fd_pipe(pipes[i]) == 0)
			r->p->leak[i] = pipes[i][1];
	if (real_start(r->t, r->helpers, r->p, false, &h) != 0) {
		real_end(&h);
		check(r, 0, "the helper starts and says READY", "start", false, "READY",
		    "nothing", NULL);
		return;
	}
	check(r, 0, "static, position independent, no interpreter", "build",
	    static_pie(r->helpers, r->t->helper), "static-pie",
	    static_pie(r->helpers, r->t->helper) ? "static-pie" : "other", NULL);
	(void)snprintf(seen, sizeof(seen), "layers %u, needed %u", h.layers, need);
	check(r, 0, "READY reports every layer", "all", (h.layers & need) == need, "all",
	    seen, NULL);
	check(r, 0, "READY reports the page's filter", "seccomp",
	    strcmp(h.digest, r->t->filter_digest) == 0, "the same digest",
	    strcmp(h.digest, r->t->filter_digest) == 0 ? "the same digest" : "another",
	    NULL);
	for (size_t i = 0; i < 8; i++) {
		struct pollfd pf = {.fd = pipes[i][0], .events = POLLIN};

		close(pipes[i][1]);
		/* SAFE: while any copy of the write end lives, there is no hang-up. */
		if (poll(&pf, 1, 200) != 1 || (pf.revents & POLLHUP) == 0)
			open_end = true;
		close(pipes[i][0]);
		r->p->leak[i] = 0;
	}
	check(r, 5, "descriptors left open by the parent are closed", "fds", !open_end,
	    "closed", open_end ? "still open" : "closed", NULL);
	if (status_has(h.pid, "Seccomp:")) {
		check(r, 52, "the kernel says: filtered", "seccomp",
		    status_has(h.pid, "Seccomp:\t2"), "2",
		    status_has(h.pid, "Seccomp:\t2") ? "2" : "other", NULL);
		check(r, 52, "the kernel says: no new privileges", "no_new_privs",
		    status_has(h.pid, "NoNewPrivs:\t1"), "1",
		    status_has(h.pid, "NoNewPrivs:\t1") ? "1" : "0", NULL);
		for (size_t i = 0; i < 4; i++)
			none &= status_has(h.pid, caps[i]);
		if (geteuid() == 0)
			none &= status_has(h.pid, "CapBnd:\t0000000000000000");
		check(r, 46, "the kernel says: no capabilities", "capabilities", none,
		    "none", none ? "none" : "some", NULL);
	} else {
		check(r, 52, "the kernel's status page", "seccomp", true, "read",
		    "hidden", "hidepid");
	}
	environment(r, h.pid);
	check(r, 52, "it is in a session of its own", "start", getsid(h.pid) == h.pid,
	    "own session", getsid(h.pid) == h.pid ? "own session" : "ours", NULL);
	/* Row 68: its parent's pipe ends; it must go by itself. */
	close(h.in);
	t0 = clock_mono_us();
	while (
	    (gone = waitpid(h.pid, &st, WNOHANG)) == 0 && clock_mono_us() - t0 < 1000000)
		usleep(1000);
	check(r, 68, "end of file from the parent ends it within a second", "start",
	    gone == h.pid, "gone", gone == h.pid ? "gone" : "still there", NULL);
	if (gone == h.pid) {
		h.pid = 0;
		close(h.out);
	} else {
		h.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
		real_end(&h);
	}
}

/* --- limits that take time ------------------------------------------------------------------ */

static void
cpu(struct run *r)
{
	/* The page's CPU limit is too long to wait for; what is proven is that it is set: the
	 * helper's own limits as the kernel shows them. */
	struct real h;
	char path[64], text[4096] = "", want[64];
	ssize_t n = -1;
	int fd;

	if (real_start(r->t, r->helpers, r->p, false, &h) != 0)
		return;
	(void)snprintf(path, sizeof(path), "/proc/%d/limits", h.pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	real_end(&h);
	(void)snprintf(want, sizeof(want), "Max cpu time              %u",
	    r->t->limits.cpu_s);
	if (n <= 0) {
		check(r, 55, "its limits as the kernel shows them", "limits", true, "set",
		    "hidden", "the limits page cannot be read");
		return;
	}
	check(r, 55, "the CPU limit of the page is set", "limits",
	    strstr(text, want) != NULL, want + 26,
	    strstr(text, want) != NULL ? want + 26 : "another", NULL);
	check(r, 53, "no process may be started", "limits",
	    strstr(text, "Max processes             0 ") != NULL, "0",
	    strstr(text, "Max processes             0 ") != NULL ? "0" : "more", NULL);
	check(r, 67, "a core file is one byte at most", "limits",
	    strstr(text, "Max core file size        1 ") != NULL, "1",
	    strstr(text, "Max core file size        1 ") != NULL ? "1" : "another", NULL);
}

void
checks_run(const struct tool *t, const char *helpers, struct place *p, verdict_fn fn,
    void *arg)
{
	struct run r = {.t = t,
	    .helpers = helpers,
	    .p = p,
	    .fn = fn,
	    .arg = arg,
	    .since = clock_mono_us()};
	struct probe *list;
	size_t n;

	real(&r);
	dumpable(&r);
	cpu(&r);
	n = probes_calls(t, p, &list);
	for (size_t i = 0; i < n; i++)
		one_probe(&r, &list[i]);
	free(list);
	special(&r);
	numbers(&r);
	weaker(&r, helpers);
	check(&r, 30, "the victim of all this is alive", "seccomp",
	    kill(p->victim, 0) == 0, "alive", kill(p->victim, 0) == 0 ? "alive" : "dead",
	    NULL);
}

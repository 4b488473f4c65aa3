/* Kernels that lack a layer, played by an outer filter that answers for them: what READY
 * then says, that nothing is claimed which is not on, and that by hand nothing is run
 * (confinement-notes 6). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/frame.h"
#include "tests/tap.h"

#define ALL \
	(LAYER_FDS | LAYER_DUMP | LAYER_LIMITS | LAYER_NNP | LAYER_LANDLOCK | \
	    LAYER_CAPS | LAYER_SECCOMP)

/* Call nr is answered with errnum; with arg0 only when that is >= 0. */
struct lack {
	long nr;
	int arg0, errnum;
};

static void
lacking(const struct lack *l)
{
	struct sock_filter f[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)l->nr, 0, 4),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)l->arg0, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JA, l->arg0 < 0 ? 0 : 1, 0, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)l->errnum),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = {sizeof(f) / sizeof(*f), f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) != 0)
		_exit(98);
}

static void
helper_path(const char *name, char out[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

	out[n < 0 ? 0 : n] = '\0';
	for (int up = 0; up < 3; up++)
		*strrchr(out, '/') = '\0';
	strncat(out, "/bin/", PATH_MAX - strlen(out) - 1);
	strncat(out, name, PATH_MAX - strlen(out) - 1);
}

struct ready {
	bool came;
	int64_t layers, abi;
	char filter[65];
	int status;     /* after its input was closed */
	bool leak_gone; /* a descriptor that was none of its own was closed */
};

/* Start the helper of t where `l` is lacking, look at READY, end its input. */
static struct ready
started(const struct tool *t, const struct lack *l)
{
	static unsigned char body[FRAME_BODY_MAX];
	int in[2], out[2], leak[2];
	struct ready got = {.status = -1};
	struct frame f;
	struct rec r;
	struct pollfd p;
	char path[PATH_MAX];
	pid_t pid;

	helper_path(t->helper, path);
	fflush(stdout);
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 ||
	    pipe2(leak, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		return got;
	if (pid == 0) {
		int object = open(t->fds[0].access == TOOL_DIR ? "/" : "/etc/passwd",
		        O_RDONLY),
		    slot = open("/dev/null", O_WRONLY),
		    none = open("/dev/null", O_RDONLY);

		/* Above everything that is placed, then down. */
		object = fcntl(object, F_DUPFD, 30);
		slot = fcntl(slot, F_DUPFD, 30);
		none = fcntl(none, F_DUPFD, 30);
		if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(leak[1], 20) < 0 ||
		    dup2(object, 3) < 0 || dup2(slot, 4) < 0 || dup2(none, 5) < 0)
			_exit(97);
		if (l != NULL)
			lacking(l);
		execl(path, t->helper, (char *)NULL);
		_exit(96);
	}
	close(in[0]);
	close(out[1]);
	close(leak[1]);
	if (frame_receive(out[0], &f, body) == 0 && f.type == FRAME_READY) {
		rec_init(&r, body, f.length);
		got.came = rec_get_int(&r, "layers", 0, 255, &got.layers) == 0 &&
		    rec_get_int(&r, "abi", 0, 99, &got.abi) == 0 &&
		    rec_get_hex(&r, "filter", got.filter, 64) == 0 && rec_end(&r) == 0;
	}
	p = (struct pollfd){leak[0], POLLIN, 0};
	got.leak_gone = poll(&p, 1, 0) == 1 && (p.revents & POLLHUP) != 0;
	close(in[1]);
	(void)waitpid(pid, &got.status, 0);
	close(out[0]);
	close(leak[0]);
	return got;
}

/* Without these layers, and with all others the machine has. */
static void
without(const char *tool, const struct lack *l, unsigned gone, const char *what)
{
	const struct tool *t = tool_find(tool);
	struct ready r = started(t, l);
	unsigned want = ALL & ~gone;

	if (confine_landlock_abi() == 0)
		want &= ~(unsigned)LAYER_LANDLOCK;
	ok(r.came, "%s, %s: READY", tool, what);
	ok_int(r.layers, want, what);
	ok_str(r.filter, t->filter_digest, "the filter's digest");
	ok((r.abi == 0) == ((want & LAYER_LANDLOCK) == 0), "the Landlock version");
	ok(r.leak_gone == ((want & LAYER_FDS) != 0),
	    "a descriptor that is not the page's");
	ok_int(r.status, 0, "ends when nobody asks");
}

TEST(nothing_lacks)
{
	without("read_file", NULL, 0, "a whole kernel");
	without("list_files", NULL, 0, "a whole kernel");
}

TEST(no_landlock)
{
	static const int faults[] = {ENOSYS, EOPNOTSUPP, EPERM};

	for (size_t i = 0; i < 3; i++) {
		const struct lack l = {444, -1, faults[i]};

		without("read_file", &l, LAYER_LANDLOCK, strerror(faults[i]));
		without("list_files", &l, LAYER_LANDLOCK, strerror(faults[i]));
	}
}

TEST(landlock_that_fails_later)
{
	const struct lack add = {445, -1, EINVAL}, on = {446, -1, E2BIG};
	struct ready r;

	r = started(tool_find("list_files"), &add);
	ok(r.came && (r.layers & LAYER_LANDLOCK) == 0, "no rule, no layer");
	r = started(tool_find("list_files"), &on);
	ok(r.came && (r.layers & LAYER_LANDLOCK) == 0, "not put on, no layer");
	if (confine_landlock_abi() > 0)
		ok(r.abi > 0, "though the kernel has it");
	else
		skip("no Landlock here");
}

TEST(landlock_that_only_pretends)
{
	/* Says yes to everything and bounds nothing: only the denied open can tell. */
	const struct lack l = {446, -1, 0};
	struct ready r = started(tool_find("read_file"), &l);

	ok(r.came && (r.layers & LAYER_LANDLOCK) == 0,
	    "a yes that is not true is not believed");
}

TEST(no_seccomp)
{
	const struct lack l = {SYS_seccomp, -1, EINVAL}, none = {SYS_seccomp, -1, ENOSYS};

	without("read_file", &l, LAYER_SECCOMP, "seccomp refuses");
	without("list_files", &none, LAYER_SECCOMP, "no seccomp(2)");
}

TEST(other_calls)
{
	const struct lack close_range = {436, -1, ENOSYS},
	                  capset = {SYS_capset, -1, EPERM},
	                  limits = {SYS_prlimit64, -1, EPERM},
	                  dump = {SYS_prctl, PR_SET_DUMPABLE, EINVAL},
	                  nnp = {SYS_prctl, PR_SET_NO_NEW_PRIVS, EINVAL},
	                  death = {SYS_prctl, PR_SET_PDEATHSIG, EINVAL},
	                  ambient = {SYS_prctl, PR_CAP_AMBIENT, EINVAL};

	without("read_file", &close_range, 0,
	    "no close_range: they are closed one by one");
	without("list_files", &close_range, 0,
	    "no close_range: they are closed one by one");
	without("read_file", &capset, LAYER_CAPS, "no capset");
	without("read_file", &ambient, LAYER_CAPS, "no ambient set");
	without("read_file", &limits, LAYER_LIMITS, "no limits");
	without("read_file", &dump, LAYER_DUMP, "dumpable");
	without("read_file", &death, LAYER_DUMP, "no signal when the parent dies");
	without("read_file", &nnp, LAYER_NNP, "no_new_privs refused");
}

/* --- by hand -------------------------------------------------------------------------------- */

static void
by_hand(const char *helper, const char *object, const struct lack *l, int status,
    const char *says)
{
	char path[PATH_MAX], said[512] = "";
	int err[2], st = 0;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	helper_path(helper, path);
	fflush(stdout);
	if (pipe(err) < 0 || (pid = fork()) < 0) {
		ok(false, "a child");
		return;
	}
	if (pid == 0) {
		if (dup2(err[1], 2) < 0 || dup2(open("/dev/null", O_WRONLY), 1) < 0)
			_exit(97);
		close(err[0]);
		close(err[1]);
		lacking(l);
		execl(path, helper, object, (char *)NULL);
		_exit(96);
	}
	close(err[1]);
	while (n < sizeof(said) - 1 &&
	    (got = read(err[0], said + n, sizeof(said) - 1 - n)) > 0)
		n += (size_t)got;
	close(err[0]);
	ok(waitpid(pid, &st, 0) == pid && WIFEXITED(st), "%s ends", helper);
	ok_int(WEXITSTATUS(st), status, "its status");
	ok(strstr(said, says) != NULL, "says: %s", says);
}

TEST(by_hand_it_refuses)
{
	const struct lack landlock = {444, -1, ENOSYS},
	                  seccomp = {SYS_seccomp, -1, EINVAL},
	                  limits = {SYS_prlimit64, -1, EPERM};

	by_hand("bb-list", "/", &landlock, 75, "cannot be confined here: no Landlock");
	by_hand("bb-read", "/etc/passwd", &landlock, 0, "");
	by_hand("bb-read", "/etc/passwd", &seccomp, 75,
	    "cannot be confined here: no seccomp");
	by_hand("bb-list", "/", &seccomp, 75, "cannot be confined here: no seccomp");
	by_hand("bb-read", "/etc/passwd", &limits, 75,
	    "a limit or capability was refused");
}

TAP_MAIN

/* The layers a helper puts on itself. Trusts nothing that was received: everything here
 * is decided by the compiled page. A layer that fails is left out of the report; the
 * supervisor, not this code, decides whether that is enough. */
#include "libcommon/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcommon/crew.h"
#include "libcommon/fd.h"
#include "libcommon/landlock_abi.h"
#include "libcommon/own.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define FS_ABI1 ((1ULL << 13) - 1) /* EXECUTE to MAKE_SYM */

/* Being root means nothing, for good. */
#define LOCKED \
	(SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | \
	    SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED | \
	    SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

int
confine_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);

	return abi > 0 ? (int)abi : 0;
}

/* Every right, action and scope that the running kernel can handle. */
static size_t
everything(int abi, struct landlock_ruleset_abi6 *a)
{
	memset(a, 0, sizeof(*a));
	a->handled_access_fs = FS_ABI1;
	if (abi >= 2)
		a->handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
	if (abi >= 3)
		a->handled_access_fs |= LANDLOCK_ACCESS_FS_TRUNCATE;
	if (abi >= 5)
		a->handled_access_fs |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
	if (abi >= 4)
		a->handled_access_net =
		    LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
	if (abi >= 6)
		a->scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
	return abi >= 6 ? sizeof(*a)
	    : abi >= 4  ? offsetof(struct landlock_ruleset_abi6, scoped)
	                : offsetof(struct landlock_ruleset_abi6, handled_access_net);
}

int
confine_ruleset(int *fd)
{
	struct landlock_ruleset_abi6 a;
	int abi = confine_landlock_abi();

	*fd = -1;
	if (abi == 0)
		return E_UNSUPPORTED;
	*fd = (int)syscall(SYS_landlock_create_ruleset, &a, everything(abi, &a), 0);
	return *fd >= 0 ? 0 : E_SYS;
}

int
confine_allow(int ruleset, int object, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = rights,
	    .parent_fd = object};

	return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
	           0) == 0
	    ? 0
	    : E_SYS;
}

unsigned
confine_required(const struct tool *t, bool weaker_landlock)
{
	unsigned all = LAYER_FDS | LAYER_DUMP | LAYER_LIMITS | LAYER_NNP | LAYER_CAPS |
	    LAYER_SECCOMP;

	/* A page that grants no path has no open in its filter: Landlock is a second wall. */
	if (t->n_landlock > 0 && !weaker_landlock)
		all |= LAYER_LANDLOCK;
	return all;
}

unsigned
confine_files(const struct tool *t)
{
	unsigned n = 3 + (unsigned)t->n_fds;

	if (t->n_landlock > 0)
		n += CONFINE_WALK_FDS + (t->threads > 0 ? CONFINE_AHEAD_FDS : 0);
	return n;
}

#ifdef BB_UNCONFINED

void
confine_self(const struct tool *t, struct confine_report *r)
{
	(void)crew_start(t->threads);
	*r = (struct confine_report){.landlock_abi = confine_landlock_abi(),
	    .layers = LAYER_FDS | LAYER_DUMP | LAYER_LIMITS | LAYER_NNP | LAYER_LANDLOCK |
	        LAYER_CAPS | LAYER_SECCOMP};
}

#else

/* `more` is how far the hard limit lies above the soft one. A limit that is lower already
 * stays. */
static bool
limit(int what, uint64_t n, uint64_t more)
{
	struct rlimit l = {n, n + more}, have;

	if (getrlimit((__typeof__(RLIMIT_CORE))what, &have) != 0)
		return false;
	if (have.rlim_max < l.rlim_max)
		l.rlim_max = have.rlim_max;
	if (l.rlim_max < l.rlim_cur)
		l.rlim_cur = l.rlim_max;
	return setrlimit((__typeof__(RLIMIT_CORE))what, &l) == 0;
}

/* NPROC 0 makes a fork fail even where the filter did not; an ordinary user's thread too,
 * so that a page's threads come first. */
static bool
processes(void)
{
	return limit(RLIMIT_NPROC, 0, 0);
}

/* CORE 1, not 0: a pipe in core_pattern ignores 0, and one byte makes no file. The second
 * of CPU time between soft and hard lets the end show as SIGXCPU and not as anybody's
 * SIGKILL. */
static bool
limits(const struct tool *t)
{
	bool ok = limit(RLIMIT_CORE, 1, 0);

	ok &= limit(RLIMIT_FSIZE, t->limits.slot, 0);
	ok &= limit(RLIMIT_AS, t->limits.memory, 0);
	ok &= limit(RLIMIT_CPU, t->limits.cpu_s, 1);
	ok &= limit(RLIMIT_MEMLOCK, 0, 0);
	ok &= limit(RLIMIT_MSGQUEUE, 0, 0);
	return ok & (t->threads > 0 || processes());
}

static bool
denied(const char *path, int flags)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | flags);

	return fd < 0 && errno == EACCES;
}

/* SAFE: Landlock shows nowhere from outside; only a denial proves it. Where the page's own
 * descriptor is the root directory, that is granted, and the program's own file is asked
 * for instead; where that is granted too, writing, which no page grants. */
static bool
proven(const struct tool *t)
{
	if (denied("/", O_DIRECTORY))
		return true;
	return t->n_landlock > 0 &&
	    (denied("/proc/self/exe", 0) || denied("/dev/null", O_WRONLY));
}

static bool
landlock(const struct tool *t, int *abi)
{
	auto_fd int set = -1;

	*abi = confine_landlock_abi();
	if (*abi == 0 || confine_ruleset(&set) != 0)
		return false;
	for (size_t i = 0; i < t->n_landlock; i++)
		if (confine_allow(set, t->landlock[i].fd, t->landlock[i].rights) != 0)
			return false;
	return syscall(SYS_landlock_restrict_self, set, 0) == 0 && proven(t);
}

static bool
capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}, {0}};
	bool ok = prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0;

	/* Only with CAP_SETPCAP (root) can the bounding set go too; for others it means
	 * nothing, since nothing can be gained through exec. */
	if (prctl(PR_CAPBSET_DROP, 0, 0, 0, 0) == 0) {
		for (int c = 1; c <= 63 && prctl(PR_CAPBSET_DROP, c, 0, 0, 0) == 0; c++)
			;
		ok &= errno == EINVAL; /* past the last one this kernel knows */
		ok &= prctl(PR_SET_SECUREBITS, LOCKED, 0, 0, 0) == 0;
	}
	return ok & (syscall(SYS_capset, &head, none) == 0);
}

static bool
seccomp(const struct tool *t)
{
	struct sock_fprog prog = {.len = t->n_filter,
	    .filter = (struct sock_filter *)(uintptr_t)t->filter};

	/* SAFE: with threads it is on all of them or on none. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	           crew_size() > 0 ? SECCOMP_FILTER_FLAG_TSYNC : 0, &prog) == 0;
}

void
confine_self(const struct tool *t, struct confine_report *r)
{
	bool dies;

	*r = (struct confine_report){0};
	if (fd_close_from(3 + (int)t->n_fds) == 0)
		r->layers |= LAYER_FDS;
	/* The parent's death shows as end of file on 0 too; this covers a helper that is
	 * busy. */
	dies = prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
	if (dies && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
		r->layers |= LAYER_DUMP;
	if (limits(t))
		r->layers |= LAYER_LIMITS;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		r->layers |= LAYER_NNP;
	if (landlock(t, &r->landlock_abi))
		r->layers |= LAYER_LANDLOCK;
	/* After Landlock: its ruleset needs a descriptor. */
	if (!limit(RLIMIT_NOFILE, confine_files(t), 0))
		r->layers &= ~(unsigned)LAYER_LIMITS;
	if (capabilities())
		r->layers |= LAYER_CAPS;
	/* Everything above is a thread's own and passes to those it makes. */
	if (t->threads > 0) {
		(void)crew_start(t->threads);
		if (!processes())
			r->layers &= ~(unsigned)LAYER_LIMITS;
	}
	if (seccomp(t))
		r->layers |= LAYER_SECCOMP;
}

#endif

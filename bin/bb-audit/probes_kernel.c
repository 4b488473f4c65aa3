/* Rows 24 to 52, 58 and 66: the kernel's other interfaces. Where a call would do harm
 * outside, its arguments are such that it stops at its own checks. */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"

#define P(row, name, control, ...) \
	probe_add(l, (row), (name), (control), (const long[7]){__VA_ARGS__})
#define S(s) probe_text(s)

static void
others(struct list *l)
{
	const long buf = (long)room.buf, info = buf + 2048, victim = l->p->victim,
	           boss = l->p->boss;
	char text[64];

	P(28, "ptrace: seize another", CONTROL_REACHED, SYS_ptrace, PTRACE_SEIZE, victim,
	    0, 0);

	P(28, "ptrace: be traced", CONTROL_OK, SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
	P(29, "process_vm_readv", CONTROL_REACHED, SYS_process_vm_readv, boss, buf, 0,
	    buf, 0, 0);
	P(29, "process_vm_writev", CONTROL_REACHED, SYS_process_vm_writev, victim, buf, 0,
	    buf, 0, 0);
	(void)snprintf(text, sizeof(text), "/proc/%d/mem", l->p->boss);
	P(29, "memory of the one who started it", CONTROL_OK, SYS_openat, AT_FDCWD,
	    S(text), O_RDONLY);
	(void)snprintf(text, sizeof(text), "/proc/%d/environ", l->p->boss);
	P(29, "environment of the one who started it", CONTROL_OK, SYS_openat, AT_FDCWD,
	    S(text), O_RDONLY);
	(void)snprintf(text, sizeof(text), "/proc/%d/maps", l->p->boss);
	P(29, "maps of the one who started it", CONTROL_OK, SYS_openat, AT_FDCWD, S(text),
	    O_RDONLY);
	P(29, "kcmp", CONTROL_REACHED, SYS_kcmp, victim, victim, 1, 0, 0);
	P(29, "pidfd_open", CONTROL_OK, NR_PIDFD_OPEN, victim, 0);
	P(29, "pidfd_getfd", CONTROL_REACHED, NR_PIDFD_GETFD, 3, 0, 0);
	P(30, "kill another", CONTROL_OK, SYS_kill, victim, 0);
	P(30, "kill the one who started it", CONTROL_OK, SYS_kill, boss, 0);
	P(30, "kill a group", CONTROL_REACHED, SYS_kill, -boss, 0);
	P(30, "kill everybody", CONTROL_OK, SYS_kill, -1, 0);
	P(30, "tkill", CONTROL_OK, SYS_tkill, victim, 0);
	P(30, "tgkill", CONTROL_OK, SYS_tgkill, victim, victim, 0);
	P(30, "rt_sigqueueinfo", CONTROL_OK, SYS_rt_sigqueueinfo, victim, 0, info);
	P(30, "rt_tgsigqueueinfo", CONTROL_OK, SYS_rt_tgsigqueueinfo, victim, victim, 0,
	    info);
	P(30, "pidfd_send_signal", CONTROL_REACHED, 424, 3, 0, 0, 0);
	P(32, "setpgid", CONTROL_REACHED, SYS_setpgid, victim, boss);
	P(32, "setsid", CONTROL_ALIVE, SYS_setsid);
	P(32, "tcsetpgrp", CONTROL_REACHED, SYS_ioctl, 0, TIOCSPGRP, buf);
	P(66, "command line of another", CONTROL_OK, SYS_openat, AT_FDCWD,
	    S("/proc/1/cmdline"), O_RDONLY);
}

static void
descriptors(struct list *l)
{
	const long buf = (long)room.buf;

	P(31, "fcntl F_GETFL", CONTROL_OK, SYS_fcntl, 3, F_GETFL, 0);
	P(31, "fcntl F_SETFL O_ASYNC", CONTROL_OK, SYS_fcntl, 0, F_SETFL, O_ASYNC);
	P(31, "fcntl F_SETOWN", CONTROL_OK, SYS_fcntl, 0, F_SETOWN, 0);
	P(31, "fcntl F_SETSIG", CONTROL_OK, SYS_fcntl, 0, F_SETSIG, 0);
	P(31, "fcntl F_SETLEASE", CONTROL_REACHED, SYS_fcntl, 3, F_SETLEASE, F_UNLCK);
	P(31, "fcntl F_NOTIFY", CONTROL_REACHED, SYS_fcntl, 3, F_NOTIFY, 0);
	P(31, "fcntl F_DUPFD", CONTROL_OK, SYS_fcntl, 3, F_DUPFD, 0);
	P(31, "dup", CONTROL_OK, SYS_dup, 3);
	P(31, "dup3", CONTROL_OK, SYS_dup3, 3, 9, 0);
	P(31, "flock", CONTROL_REACHED, SYS_flock, 3, 8);
	P(31, "timer_create", CONTROL_OK, SYS_timer_create, 1, 0, buf);
	P(33, "ioctl TIOCSTI", CONTROL_REACHED, SYS_ioctl, 0, TIOCSTI, buf);
	P(33, "ioctl TIOCSTI with bit 32", CONTROL_REACHED, SYS_ioctl, 0,
	    TIOCSTI | (1L << 32), buf);
	P(33, "ioctl TIOCLINUX", CONTROL_REACHED, SYS_ioctl, 0, TIOCLINUX, buf);
	P(33, "ioctl TIOCSCTTY", CONTROL_REACHED, SYS_ioctl, 0, TIOCSCTTY, 0);
	P(33, "ioctl TIOCCONS", CONTROL_REACHED, SYS_ioctl, 1, TIOCCONS, 0);
	P(33, "ioctl FIONREAD", CONTROL_OK, SYS_ioctl, 0, FIONREAD, buf);
	P(58, "pipe2", CONTROL_OK, SYS_pipe2, (long)room.pair, 0);
	P(58, "fcntl F_SETPIPE_SZ", CONTROL_OK, SYS_fcntl, 1, F_SETPIPE_SZ, 4096);
	P(58, "eventfd2", CONTROL_OK, SYS_eventfd2, 0, 0);
	P(58, "epoll_create1", CONTROL_OK, SYS_epoll_create1, 0);
}

static void
memory(struct list *l)
{
	const long buf = (long)room.buf, rw = PROT_READ | PROT_WRITE,
	           own = MAP_PRIVATE | MAP_ANONYMOUS;

	P(39, "memfd_create", CONTROL_OK, SYS_memfd_create, S("x"), 0);
	P(39, "memfd_create, executable", CONTROL_OK, SYS_memfd_create, S("x"), 0x10);
	P(39, "memfd_secret", CONTROL_OK, NR_MEMFD_SECRET, 0);
	P(40, "mmap executable", CONTROL_OK, SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC,
	    own, -1, 0);
	P(40, "mmap writable and executable", CONTROL_OK, SYS_mmap, 0, 4096,
	    rw | PROT_EXEC, own, -1, 0);
	P(40, "mmap of descriptor 3", CONTROL_REACHED, SYS_mmap, 0, 4096, PROT_READ,
	    MAP_PRIVATE, 3, 0);
	P(40, "mmap shared", CONTROL_OK, SYS_mmap, 0, 4096, rw,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	P(40, "mmap at a fixed place", CONTROL_REACHED, SYS_mmap, buf, 0, rw,
	    own | MAP_FIXED, -1, 0);
	P(43, "mmap: protection with a high half", CONTROL_OK, SYS_mmap, 0, 4096,
	    PROT_READ | (1L << 33), own, -1, 0);
	P(40, "mprotect executable", CONTROL_OK, SYS_mprotect, buf, 4096, rw | PROT_EXEC);
	P(43, "mprotect: a high half", CONTROL_REACHED, SYS_mprotect, buf, 4096,
	    PROT_READ | (1L << 32));
	P(40, "pkey_mprotect", CONTROL_OK, SYS_pkey_mprotect, buf, 4096, rw, -1);
	P(40, "remap_file_pages", CONTROL_REACHED, SYS_remap_file_pages, 0, 4096, 0, 0,
	    0);
	P(40, "shmat", CONTROL_REACHED, SYS_shmat, -1, 0, 0);
	P(40, "personality", CONTROL_OK, SYS_personality, 0x0400000);
	P(49, "shmget", CONTROL_REACHED, SYS_shmget, 0x62627a7a, 4096, 0);
	P(49, "msgget", CONTROL_REACHED, SYS_msgget, 0x62627a7a, 0);
	P(49, "semget", CONTROL_REACHED, SYS_semget, 0x62627a7a, 0, 0);
	P(49, "mq_open", CONTROL_REACHED, SYS_mq_open, S("nothing-of-bb"), 0, 0, 0);
	P(66, "mincore", CONTROL_OK, SYS_mincore, buf, 4096, buf);
	P(66, "preadv2 of what is cached", CONTROL_REACHED, SYS_preadv2, 3, buf, 0, 0, 0,
	    8);
}

static void
prctls(struct list *l)
{
	static const struct {
		const char *name;
		long a[4];
		enum control control;
	} rows[] = {
	    {"prctl: dumpable again", {PR_SET_DUMPABLE, 1}, CONTROL_OK},
	    {"prctl: no signal at the parent's death", {PR_SET_PDEATHSIG, 0}, CONTROL_OK},
	    {"prctl: no_new_privs off", {PR_SET_NO_NEW_PRIVS, 0}, CONTROL_REACHED},
	    {"prctl: a filter", {PR_SET_SECCOMP, 99}, CONTROL_REACHED},
	    {"prctl: a tracer", {PR_SET_PTRACER, -1}, CONTROL_OK},
	    {"prctl: an ambient capability", {PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 99},
	        CONTROL_REACHED},
	    {"prctl: secure bits", {PR_SET_SECUREBITS, 0}, CONTROL_OK},
	    {"prctl: its memory's map", {PR_SET_MM, 99}, CONTROL_REACHED},
	    {"prctl: system call dispatch", {59, 99}, CONTROL_REACHED},
	    {"prctl: time stamps", {PR_SET_TSC, 99}, CONTROL_REACHED},
	    {"prctl: adopt orphans", {PR_SET_CHILD_SUBREAPER, 1}, CONTROL_OK},
	    {"prctl: its name", {PR_SET_NAME, 0}, CONTROL_REACHED},
	    {"prctl: read no_new_privs", {PR_GET_NO_NEW_PRIVS}, CONTROL_OK},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		P(44, rows[i].name, rows[i].control, SYS_prctl, rows[i].a[0],
		    rows[i].a[1], rows[i].a[2], 0, 0);
	P(43, "prctl: option with a high half", CONTROL_OK, SYS_prctl,
	    PR_GET_DUMPABLE | (1L << 32), 0, 0, 0, 0);
}

static void
namespaces(struct list *l)
{
	static const struct {
		const char *share, *birth;
		long flag;
	} rows[] = {{"unshare: users", "clone: users", CLONE_NEWUSER},
	    {"unshare: mounts", "clone: mounts", CLONE_NEWNS},
	    {"unshare: network", "clone: network", CLONE_NEWNET},
	    {"unshare: processes", "clone: processes", CLONE_NEWPID},
	    {"unshare: ipc", "clone: ipc", CLONE_NEWIPC},
	    {"unshare: host name", "clone: host name", CLONE_NEWUTS},
	    {"unshare: cgroups", "clone: cgroups", 0x02000000}};
	const long clone_args = (long)room.clone_args;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		P(36, rows[i].share, CONTROL_OK, SYS_unshare, rows[i].flag);
		/* with CLONE_THREAD it stops at its own checks */
		P(36, rows[i].birth, CONTROL_REACHED, SYS_clone,
		    rows[i].flag | CLONE_THREAD | SIGCHLD, 0, 0, 0, 0);
	}
	P(36, "unshare: files", CONTROL_OK, SYS_unshare, CLONE_FILES);
	P(36, "setns", CONTROL_REACHED, SYS_setns, 3, 0);
	P(36, "setns of a process", CONTROL_REACHED, SYS_setns, 3, CLONE_NEWNET);
	P(36, "clone3", CONTROL_REACHED, SYS_clone3, clone_args, 8);
	P(36, "clone3 into a cgroup", CONTROL_REACHED, SYS_clone3, clone_args, 999);
	P(37, "fork", CONTROL_REACHED, SYS_clone, CLONE_NEWUSER | CLONE_FS | SIGCHLD, 0,
	    0, 0, 0);
	P(37, "a thread", CONTROL_REACHED, SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
	P(38, "execve", CONTROL_REACHED, SYS_execve, S("/nowhere/x"), 0, 0);
	P(38, "execve of a script's reader", CONTROL_REACHED, SYS_execve, S("/bin/sh/x"),
	    0, 0);
	P(38, "execveat of descriptor 3", CONTROL_ALIVE, SYS_execveat, 3, S(""), 0, 0,
	    AT_EMPTY_PATH);
	P(38, "execveat of the slot", CONTROL_ALIVE, SYS_execveat, 4, S(""), 0, 0,
	    AT_EMPTY_PATH);
}

static void
machine(struct list *l)
{
	const long buf = (long)room.buf, name = S("/nowhere/x"), empty = S(""),
	           root = S("/"), wd = AT_FDCWD;

	P(34, "bpf", CONTROL_REACHED, SYS_bpf, 99, buf, 8);
	P(34, "bpf: a map", CONTROL_REACHED, SYS_bpf, 0, buf, 8);
	P(34, "bpf: a program", CONTROL_REACHED, SYS_bpf, 5, buf, 8);
	P(34, "perf_event_open", CONTROL_REACHED, SYS_perf_event_open, buf, 0, -1, -1, 0);
	P(35, "mount", CONTROL_REACHED, SYS_mount, name, name, name, 0, 0);
	P(35, "umount2", CONTROL_REACHED, SYS_umount2, name, 0);
	P(35, "move_mount", CONTROL_REACHED, NR_MOVE_MOUNT, 3, empty, 3, empty, 0);
	P(35, "open_tree", CONTROL_OK, NR_OPEN_TREE, wd, root, 0);
	P(35, "open_tree_attr", CONTROL_REACHED, NR_OPEN_TREE_ATTR, wd, root, 0, buf, 1);
	P(35, "fsopen", CONTROL_OK, NR_FSOPEN, S("tmpfs"), 0);
	P(35, "fsconfig", CONTROL_REACHED, NR_FSCONFIG, 3, 99, 0, 0, 0);
	P(35, "fsmount", CONTROL_REACHED, NR_FSMOUNT, 3, 0, 0);
	P(35, "mount_setattr", CONTROL_REACHED, NR_MOUNT_SETATTR, wd, name, 0, buf, 32);
	P(35, "pivot_root", CONTROL_REACHED, SYS_pivot_root, name, name);
	P(35, "statmount", CONTROL_REACHED, NR_STATMOUNT, buf, buf, 0, 0);
	P(35, "listmount", CONTROL_REACHED, NR_LISTMOUNT, buf, buf, 0, 0);
	P(48, "iopl", CONTROL_REACHED, SYS_iopl, 99);
	P(48, "ioperm", CONTROL_REACHED, SYS_ioperm, 1L << 40, 1, 0);
	P(48, "modify_ldt", CONTROL_REACHED, SYS_modify_ldt, 0, buf, 16);
	P(48, "arch_prctl: read fs", CONTROL_OK, SYS_arch_prctl, 0x1003, buf);
	P(48, "arch_prctl: set gs", CONTROL_OK, SYS_arch_prctl, 0x1001, 0);
	P(48, "arch_prctl: shadow stack off", CONTROL_REACHED, SYS_arch_prctl, 0x5002, 0);
	P(48, "kexec_load", CONTROL_REACHED, SYS_kexec_load, 0, 999, 0, -1);
	P(48, "init_module", CONTROL_REACHED, SYS_init_module, 0, 0, empty);
	P(48, "finit_module", CONTROL_REACHED, SYS_finit_module, -1, empty, 99);
	P(48, "delete_module", CONTROL_REACHED, SYS_delete_module, S("nothing-of-bb"),
	    O_NONBLOCK);
	P(48, "reboot", CONTROL_REACHED, SYS_reboot, 0, 0, 0, 0);
	P(48, "swapon", CONTROL_REACHED, SYS_swapon, name, 0);
	P(48, "swapoff", CONTROL_REACHED, SYS_swapoff, name);
	P(48, "acct", CONTROL_REACHED, SYS_acct, name);
	P(48, "quotactl", CONTROL_REACHED, SYS_quotactl, 0x80000200, name, 0, buf);
	P(48, "quotactl_fd", CONTROL_REACHED, NR_QUOTACTL_FD, 99, 0, 0, 0);
	P(48, "syslog", CONTROL_REACHED, SYS_syslog, 99, 0, 0);
	P(48, "settimeofday", CONTROL_REACHED, SYS_settimeofday, 1, 0);
	P(48, "clock_settime", CONTROL_REACHED, SYS_clock_settime, 99, (long)room.time);
	P(48, "clock_adjtime", CONTROL_REACHED, SYS_clock_adjtime, 99, buf);
	P(48, "adjtimex", CONTROL_OK, SYS_adjtimex, buf);
	P(48, "sethostname", CONTROL_REACHED, SYS_sethostname, buf, -1);
	P(48, "setdomainname", CONTROL_REACHED, SYS_setdomainname, buf, -1);
	P(48, "vhangup, by ioctl", CONTROL_REACHED, SYS_ioctl, 0, 0x5437, 0);
}

void
probes_kernel(struct list *l)
{
	const long buf = (long)room.buf;

	P(24, "io_uring_setup", CONTROL_REACHED, 425, 1, buf);
	P(24, "io_uring_setup, polled", CONTROL_REACHED, 425, 0, buf);
	P(24, "io_uring_enter", CONTROL_REACHED, 426, 0, 0, 0, 0, 0, 0);
	P(24, "io_uring_register", CONTROL_REACHED, 427, 0, 0, 0, 0);
	P(25, "io_setup", CONTROL_OK, SYS_io_setup, 1, buf);
	P(25, "io_submit", CONTROL_REACHED, SYS_io_submit, 0, 0, 0);
	P(26, "userfaultfd", CONTROL_OK, SYS_userfaultfd, 1);
	P(27, "keyctl: join a session", CONTROL_OK, SYS_keyctl,
	    KEYCTL_JOIN_SESSION_KEYRING, 0);
	P(27, "keyctl: the session's ring", CONTROL_REACHED, SYS_keyctl,
	    KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
	P(27, "keyctl: search", CONTROL_REACHED, SYS_keyctl, KEYCTL_SEARCH,
	    KEY_SPEC_SESSION_KEYRING, S("user"), S("bb"), 0);
	P(27, "keyctl: read", CONTROL_REACHED, SYS_keyctl, KEYCTL_READ,
	    KEY_SPEC_SESSION_KEYRING, 0, 0);
	P(27, "add_key", CONTROL_REACHED, SYS_add_key, S("user"), S("bb"), buf, 1,
	    KEY_SPEC_PROCESS_KEYRING);
	P(27, "request_key", CONTROL_REACHED, SYS_request_key, S("user"), S("bb"), 0, 0);
	others(l);
	descriptors(l);
	machine(l);
	namespaces(l);
	memory(l);
	prctls(l);
	P(45, "another filter", CONTROL_REACHED, SYS_seccomp, 1, 8, buf);
	P(45, "a filter that tells another", CONTROL_REACHED, SYS_seccomp, 1, 8 | 64,
	    buf);
	P(45, "landlock_create_ruleset", CONTROL_OK, NR_LANDLOCK_CREATE, 0, 0, 1);
	P(45, "landlock_add_rule", CONTROL_REACHED, NR_LANDLOCK_ADD, 3, 1, buf, 0);
	P(45, "landlock_restrict_self", CONTROL_REACHED, NR_LANDLOCK_RESTRICT, 3, 0);
	P(46, "setuid", CONTROL_OK, SYS_setuid, (long)getuid());
	P(46, "setgid", CONTROL_OK, SYS_setgid, (long)getgid());
	P(46, "setresuid", CONTROL_OK, SYS_setresuid, -1, -1, -1);
	P(46, "setresgid", CONTROL_OK, SYS_setresgid, -1, -1, -1);
	P(46, "setfsuid", CONTROL_OK, SYS_setfsuid, -1);
	P(46, "setgroups", CONTROL_OK, SYS_setgroups, 0, 0);
	P(46, "capset", CONTROL_REACHED, SYS_capset, buf, 0);
	P(46, "capget", CONTROL_REACHED, SYS_capget, buf, 0);
	P(52, "setpriority", CONTROL_OK, SYS_setpriority, 0, 0, 19);
	P(52, "sched_setscheduler", CONTROL_REACHED, SYS_sched_setscheduler, 0, 99, buf);
	P(52, "sched_setaffinity", CONTROL_REACHED, SYS_sched_setaffinity, 0, 8, buf);
	P(52, "ioprio_set", CONTROL_REACHED, SYS_ioprio_set, 1, 0, 99 << 13);
	P(52, "prlimit64", CONTROL_OK, SYS_prlimit64, 0, 7, 0, buf);
	P(52, "setrlimit", CONTROL_REACHED, SYS_setrlimit, 99, buf);
	P(52, "rt_sigaction", CONTROL_OK, SYS_rt_sigaction, SIGTERM, 0, buf, 8);
	P(52, "rt_sigprocmask", CONTROL_OK, SYS_rt_sigprocmask, SIG_BLOCK, 0, buf, 8);
	P(52, "umask", CONTROL_OK, SYS_umask, 0);
	P(52, "oom_score_adj", CONTROL_OK, SYS_openat, AT_FDCWD,
	    S("/proc/self/oom_score_adj"), O_WRONLY);
	P(55, "stop itself", CONTROL_OK, SYS_kill, 0, 0);
	P(66, "getrandom", CONTROL_OK, SYS_getrandom, buf, 1, 0);
	P(66, "sysinfo", CONTROL_OK, SYS_sysinfo, buf);
	P(66, "uname", CONTROL_OK, SYS_uname, buf);
	P(66, "clock_gettime, as a call", CONTROL_OK, SYS_clock_gettime, 0, buf);
	P(66, "getpid", CONTROL_OK, SYS_getpid);
	P(66, "loadavg", CONTROL_OK, SYS_openat, AT_FDCWD, S("/proc/loadavg"), O_RDONLY);
	P(66, "uptime", CONTROL_OK, SYS_openat, AT_FDCWD, S("/proc/uptime"), O_RDONLY);
}

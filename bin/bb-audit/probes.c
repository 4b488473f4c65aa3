/* The probes that are one system call, by row of the confinement notes. Each is made from
 * inside by its number and arguments, and outside as its own control. Where a call would
 * do harm outside, its arguments are such that it stops at its own checks. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

long
probe_call(const struct place *p, const long *a)
{
	long r;
	register long r10 __asm__("r10") = a[4];
	register long r8 __asm__("r8") = a[5];
	register long r9 __asm__("r9") = a[6];

	(void)p;
	__asm__ volatile("syscall"
	                 : "=a"(r)
	                 : "a"(a[0]), "D"(a[1]), "S"(a[2]), "d"(a[3]), "r"(r10), "r"(r8),
	                 "r"(r9)
	                 : "rcx", "r11", "memory");
	return r;
}

struct list {
	struct probe *at;
	size_t n, room;
};

static struct probe *
add(struct list *l, int row, const char *name, enum control control, const long args[7])
{
	struct probe *p;

	if (l->n == l->room) {
		l->room = l->room == 0 ? 128 : 2 * l->room;
		if ((l->at = reallocarray(l->at, l->room, sizeof(*l->at))) == NULL)
			bug("out of memory");
	}
	p = &l->at[l->n++];
	*p = (struct probe){.row = row,
	    .name = name,
	    .layer = "seccomp",
	    .fn = probe_call,
	    .control = control,
	    .want = PROBE_KILLED,
	    .or_want = PROBE_NOTHING};
	memcpy(p->args, args, sizeof(p->args));
	return p;
}

#define P(row, name, control, ...) \
	add(&l, (row), (name), (control), (const long[7]){__VA_ARGS__})

static struct {
	char buf[4096];
	struct {
		long sec, nsec;
	} time[2];
	struct {
		uint64_t flags, mode, resolve;
	} how;
	unsigned char sockaddr[128];
	uint64_t clone_args[11];
	int pair[2];
} room;

/* Addresses outlive the fork: the child sees the same memory. */
size_t
probes_calls(const struct tool *t, const struct place *p, struct probe **out)
{
	struct list l = {0};
	const long buf = (long)room.buf, path = (long)p->outside,
	           etc = (long)"/etc/passwd", root = (long)"/", empty = (long)"",
	           up = (long)"../../../../../../../../etc",
	           self = (long)"/proc/self/fd/3", name = (long)"/nowhere/x",
	           sa = (long)room.sockaddr, wd = AT_FDCWD, victim = p->victim;
	const long exact = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	bool opens = false;
	struct probe *q;

	for (size_t i = 0; i < t->n_calls; i++)
		opens |= strcmp(t->calls[i].name, "openat") == 0;
	room.sockaddr[0] = AF_INET;
	room.sockaddr[2] = (unsigned char)(p->listener >> 8);
	room.sockaddr[3] = (unsigned char)p->listener;
	room.sockaddr[4] = 127;
	room.sockaddr[7] = 1;
	room.how.flags = O_RDONLY;

	P(1, "open a file of the machine", CONTROL_OK, SYS_open, etc, O_RDONLY);
	P(1, "openat a file outside the grant", CONTROL_OK, SYS_openat, wd, path,
	    O_RDONLY);
	q = P(2, "openat from descriptor 3 upwards", CONTROL_REACHED, SYS_openat, 3, up,
	    exact);
	if (opens) {
		q->want = -EACCES;
		q->layer = "landlock";
		q = P(2, "openat a directory outside by name", CONTROL_OK, SYS_openat, wd,
		    (long)"/etc", exact);
		q->want = -EACCES;
		q->layer = "landlock";
		q = P(2, "openat through a link in the grant", CONTROL_REACHED,
		    SYS_openat, 3, (long)"out/", exact);
		q->want = -EACCES;
		q->layer = "landlock";
		q = P(3, "openat the root through /proc", CONTROL_OK, SYS_openat, wd,
		    (long)"/proc/self/root/etc", exact);
		q->want = -EACCES;
		q->layer = "landlock";
		P(2, "openat for reading without the exact flags", CONTROL_REACHED,
		    SYS_openat, 3, (long)"sub", O_RDONLY);
		P(2, "openat with one flag more", CONTROL_REACHED, SYS_openat, 3,
		    (long)"sub", exact | O_NONBLOCK);
		P(43, "openat flags with a high half", CONTROL_REACHED, SYS_openat, 3,
		    (long)"sub", exact | (1L << 32));
	}
	P(3, "openat2 through /proc/self/root", CONTROL_OK, 437, wd,
	    (long)"/proc/self/root/etc/passwd", (long)&room.how, sizeof(room.how));
	P(4, "open descriptor 3 again through /proc", CONTROL_OK, SYS_open, self,
	    O_RDONLY);
	P(6, "chdir", CONTROL_OK, SYS_chdir, root);
	P(6, "fchdir", CONTROL_REACHED, SYS_fchdir, 3);
	P(6, "chroot", CONTROL_OK, SYS_chroot, root);
	P(7, "stat", CONTROL_OK, SYS_stat, etc, buf);
	P(7, "newfstatat", CONTROL_OK, SYS_newfstatat, wd, etc, buf, 0);
	P(7, "statx", CONTROL_OK, SYS_statx, wd, etc, 0, 0x7ff, buf);
	P(7, "open by O_PATH", CONTROL_OK, SYS_openat, wd, etc, O_PATH);
	P(7, "readlink", CONTROL_OK, SYS_readlink, (long)"/proc/self/exe", buf, 4096);
	P(7, "access", CONTROL_OK, SYS_access, etc, 0);
	P(7, "statfs", CONTROL_OK, SYS_statfs, root, buf);
	P(8, "chmod", CONTROL_OK, SYS_chmod, path, 0666);
	P(8, "fchmod of descriptor 3", CONTROL_OK, SYS_fchmod, 3, 0755);
	P(8, "fchmodat2", CONTROL_OK, SYS_fchmodat2, wd, path, 0666, 0);
	P(8, "chown", CONTROL_OK, SYS_chown, path, -1, -1);
	P(8, "utimensat", CONTROL_OK, SYS_utimensat, wd, path, 0, 0);
	P(8, "setxattr", CONTROL_REACHED, SYS_setxattr, path, (long)"user.bb", buf, 1, 0);
	P(8, "removexattr", CONTROL_REACHED, SYS_removexattr, path, (long)"user.bb");
	P(9, "write on descriptor 3", CONTROL_REACHED, SYS_write, 3, buf, 1);
	P(9, "truncate", CONTROL_OK, SYS_truncate, path, 7);
	P(9, "ftruncate of the slot", CONTROL_OK, SYS_ftruncate, 4, 0);
	P(9, "fallocate", CONTROL_OK, SYS_fallocate, 4, 0, 0, 1);
	P(9, "copy_file_range", CONTROL_REACHED, SYS_copy_file_range, 3, 0, 4, 0, 1, 0);
	P(9, "sendfile", CONTROL_REACHED, SYS_sendfile, 4, 3, 0, 1);
	P(9, "splice", CONTROL_REACHED, SYS_splice, 3, 0, 4, 0, 1, 0);
	P(9, "pwrite64", CONTROL_REACHED, SYS_pwrite64, 3, buf, 1, 0);
	P(9, "writev on an unlisted descriptor", CONTROL_REACHED, SYS_writev, 3, buf, 0);
	P(9, "read on descriptor 1", CONTROL_REACHED, SYS_read, 1, buf, 0);
	P(43, "read with a high half in the descriptor", CONTROL_OK, SYS_read, (1L << 32),
	    buf, 0);
	P(43, "write with a high half in the descriptor", CONTROL_OK, SYS_write,
	    1 | (1L << 32), buf, 0);
	P(10, "O_TMPFILE", CONTROL_OK, SYS_openat, wd, (long)p->dir, O_TMPFILE | O_RDWR,
	    0600);
	P(10, "create a file", CONTROL_REACHED, SYS_openat, wd, name, O_CREAT | O_WRONLY,
	    0600);
	P(10, "mkdir", CONTROL_REACHED, SYS_mkdir, name, 0700);
	P(10, "mknod a FIFO", CONTROL_REACHED, SYS_mknod, name, 0010600, 0);
	P(10, "symlink", CONTROL_REACHED, SYS_symlink, root, name);
	P(10, "link", CONTROL_REACHED, SYS_link, path, name);
	P(10, "rename", CONTROL_REACHED, SYS_rename, path, name);
	P(10, "renameat2", CONTROL_REACHED, SYS_renameat2, wd, path, wd, name, 2);
	P(10, "unlink", CONTROL_REACHED, SYS_unlink, name);
	P(10, "rmdir", CONTROL_REACHED, SYS_rmdir, name);
	P(11, "linkat of a descriptor", CONTROL_REACHED, SYS_linkat, wd, self, wd, name,
	    AT_SYMLINK_FOLLOW);
	P(11, "linkat by AT_EMPTY_PATH", CONTROL_REACHED, SYS_linkat, 3, empty, wd, name,
	    AT_EMPTY_PATH);
	P(13, "name_to_handle_at", CONTROL_REACHED, SYS_name_to_handle_at, wd, etc, buf,
	    buf + 128, 0);
	P(13, "open_by_handle_at", CONTROL_REACHED, SYS_open_by_handle_at, 3, buf, 0);
	P(14, "a TCP socket", CONTROL_OK, SYS_socket, AF_INET, SOCK_STREAM, 0);
	P(14, "connect on an inherited descriptor", CONTROL_REACHED, SYS_connect, 0, sa,
	    16);
	P(15, "sendto with MSG_FASTOPEN", CONTROL_REACHED, SYS_sendto, 0, buf, 1,
	    0x20000000, sa, 16);
	P(15, "sendmsg", CONTROL_REACHED, SYS_sendmsg, 1, buf, 0);
	P(15, "setsockopt", CONTROL_REACHED, SYS_setsockopt, 0, 6, 30, buf, 4);
	P(16, "a UDP socket", CONTROL_OK, SYS_socket, AF_INET, SOCK_DGRAM, 0);
	P(16, "an MPTCP socket", CONTROL_REACHED, SYS_socket, AF_INET, SOCK_STREAM, 262);
	P(16, "an SCTP socket", CONTROL_REACHED, SYS_socket, AF_INET, SOCK_STREAM, 132);
	P(16, "a raw socket", CONTROL_OK, SYS_socket, AF_INET, SOCK_RAW, 1);
	P(17, "listen", CONTROL_REACHED, SYS_listen, 0, 1);
	P(17, "bind", CONTROL_REACHED, SYS_bind, 0, sa, 16);
	P(17, "accept4", CONTROL_REACHED, SYS_accept4, 0, 0, 0, 0);
	P(18, "a unix socket", CONTROL_OK, SYS_socket, AF_UNIX, SOCK_STREAM, 0);
	P(18, "a unix datagram pair", CONTROL_OK, SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0,
	    (long)room.pair);
	P(20, "a vsock", CONTROL_REACHED, SYS_socket, 40, SOCK_STREAM, 0);
	P(20, "a netlink socket", CONTROL_OK, SYS_socket, AF_NETLINK, SOCK_RAW, 0);
	P(20, "a packet socket", CONTROL_OK, SYS_socket, AF_PACKET, SOCK_RAW, 0);
	P(20, "an AF_ALG socket", CONTROL_REACHED, SYS_socket, 38, SOCK_SEQPACKET, 0);
	P(20, "an AF_XDP socket", CONTROL_REACHED, SYS_socket, 44, SOCK_RAW, 0);
	P(21, "a socket for a name look-up", CONTROL_OK, SYS_socket, AF_INET6, SOCK_DGRAM,
	    17);
	P(24, "io_uring_setup", CONTROL_REACHED, 425, 1, buf);
	P(24, "io_uring_enter", CONTROL_REACHED, 426, 0, 0, 0, 0, 0, 0);
	P(25, "io_setup", CONTROL_REACHED, SYS_io_setup, 1, buf);
	P(26, "userfaultfd", CONTROL_REACHED, SYS_userfaultfd, 1);
	P(27, "keyctl", CONTROL_REACHED, SYS_keyctl, KEYCTL_GET_KEYRING_ID,
	    KEY_SPEC_SESSION_KEYRING, 0);
	P(27, "add_key", CONTROL_REACHED, SYS_add_key, (long)"user", (long)"bb", buf, 1,
	    KEY_SPEC_PROCESS_KEYRING);
	P(27, "request_key", CONTROL_REACHED, SYS_request_key, (long)"user", (long)"bb",
	    0, 0);
	P(28, "ptrace attach", CONTROL_REACHED, SYS_ptrace, PTRACE_SEIZE, victim, 0, 0);
	P(28, "ptrace traceme", CONTROL_OK, SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
	P(29, "process_vm_readv", CONTROL_REACHED, SYS_process_vm_readv, victim, buf, 0,
	    buf, 0, 0);
	P(29, "process_vm_writev", CONTROL_REACHED, SYS_process_vm_writev, victim, buf, 0,
	    buf, 0, 0);
	P(29, "kcmp", CONTROL_REACHED, SYS_kcmp, victim, victim, 1, 0, 0);
	P(29, "pidfd_open", CONTROL_OK, 434, victim, 0);
	P(29, "pidfd_getfd", CONTROL_REACHED, 438, 3, 0, 0);
	P(30, "kill", CONTROL_OK, SYS_kill, victim, 0);
	P(30, "kill everybody", CONTROL_OK, SYS_kill, -1, 0);
	P(30, "tgkill", CONTROL_OK, SYS_tgkill, victim, victim, 0);
	P(30, "rt_sigqueueinfo", CONTROL_REACHED, SYS_rt_sigqueueinfo, victim, 0, buf);
	P(30, "pidfd_send_signal", CONTROL_REACHED, 424, 3, 0, 0, 0);
	P(31, "fcntl F_SETFL", CONTROL_OK, SYS_fcntl, 3, F_SETFL, 0);
	P(31, "fcntl F_SETOWN", CONTROL_OK, SYS_fcntl, 0, F_SETOWN, 0);
	P(31, "fcntl F_SETLEASE", CONTROL_REACHED, SYS_fcntl, 3, F_SETLEASE, F_UNLCK);
	P(31, "fcntl F_DUPFD", CONTROL_OK, SYS_fcntl, 3, F_DUPFD, 0);
	P(31, "flock", CONTROL_REACHED, SYS_flock, 3, 8);
	P(31, "timer_create", CONTROL_OK, SYS_timer_create, 1, 0, buf);
	P(32, "setpgid", CONTROL_REACHED, SYS_setpgid, 0, victim);
	P(32, "setsid", CONTROL_REACHED, SYS_setsid);
	P(33, "ioctl TIOCSTI", CONTROL_REACHED, SYS_ioctl, 0, TIOCSTI, buf);
	P(33, "ioctl TIOCSTI with bit 32", CONTROL_REACHED, SYS_ioctl, 0,
	    TIOCSTI | (1L << 32), buf);
	P(33, "ioctl TIOCSCTTY", CONTROL_REACHED, SYS_ioctl, 0, TIOCSCTTY, 0);
	P(33, "ioctl FIONREAD", CONTROL_REACHED, SYS_ioctl, 0, FIONREAD, buf);
	P(34, "bpf", CONTROL_REACHED, SYS_bpf, 99, buf, 8);
	P(34, "perf_event_open", CONTROL_REACHED, SYS_perf_event_open, buf, 0, -1, -1, 0);
	P(35, "mount", CONTROL_REACHED, SYS_mount, name, name, name, 0, 0);
	P(35, "umount2", CONTROL_REACHED, SYS_umount2, name, 0);
	P(35, "move_mount", CONTROL_REACHED, 429, 3, empty, 3, empty, 0);
	P(35, "open_tree", CONTROL_OK, 428, wd, root, 0);
	P(35, "fsopen", CONTROL_REACHED, 430, (long)"tmpfs", 0);
	P(35, "mount_setattr", CONTROL_REACHED, SYS_mount_setattr, wd, name, 0, buf, 32);
	P(35, "pivot_root", CONTROL_REACHED, SYS_pivot_root, name, name);
	P(36, "unshare a user namespace", CONTROL_OK, SYS_unshare, CLONE_NEWUSER);
	P(36, "unshare a network namespace", CONTROL_OK, SYS_unshare, CLONE_NEWNET);
	P(36, "setns", CONTROL_REACHED, SYS_setns, 3, 0);
	P(36, "clone3", CONTROL_REACHED, SYS_clone3, (long)room.clone_args, 8);
	P(37, "fork", CONTROL_REACHED, SYS_clone, CLONE_NEWUSER | CLONE_FS | SIGCHLD, 0,
	    0, 0, 0);
	P(37, "vfork by clone", CONTROL_REACHED, SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
	P(38, "execve", CONTROL_REACHED, SYS_execve, name, 0, 0);
	P(38, "execveat of descriptor 3", CONTROL_REACHED, SYS_execveat, 3, empty, 0, 0,
	    AT_EMPTY_PATH);
	P(39, "memfd_create", CONTROL_OK, SYS_memfd_create, (long)"x", 0);
	P(39, "memfd_secret", CONTROL_REACHED, SYS_memfd_secret, 0);
	P(40, "mmap executable", CONTROL_OK, SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	P(40, "mmap writable and executable", CONTROL_OK, SYS_mmap, 0, 4096,
	    PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	P(40, "mmap of a file", CONTROL_REACHED, SYS_mmap, 0, 4096, PROT_READ,
	    MAP_PRIVATE, 3, 0);
	P(40, "mprotect executable", CONTROL_OK, SYS_mprotect, buf & ~4095L, 4096,
	    PROT_READ | PROT_WRITE | PROT_EXEC);
	P(40, "mprotect with a high half", CONTROL_REACHED, SYS_mprotect, buf & ~4095L,
	    4096, PROT_READ | (1L << 32));
	P(40, "pkey_mprotect", CONTROL_REACHED, SYS_pkey_mprotect, buf & ~4095L, 4096,
	    PROT_READ, -1);
	P(40, "remap_file_pages", CONTROL_REACHED, SYS_remap_file_pages, 0, 4096, 0, 0,
	    0);
	P(40, "shmat", CONTROL_REACHED, SYS_shmat, -1, 0, 0);
	P(40, "personality", CONTROL_OK, SYS_personality, 0x0400000);
	P(44, "prctl dumpable", CONTROL_OK, SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
	P(44, "prctl parent death signal off", CONTROL_OK, SYS_prctl, PR_SET_PDEATHSIG, 0,
	    0, 0, 0);
	P(44, "prctl seccomp", CONTROL_REACHED, SYS_prctl, PR_SET_SECCOMP, 99, 0, 0, 0);
	P(44, "prctl ptracer", CONTROL_REACHED, SYS_prctl, PR_SET_PTRACER, -1, 0, 0, 0);
	P(44, "prctl ambient", CONTROL_REACHED, SYS_prctl, PR_CAP_AMBIENT,
	    PR_CAP_AMBIENT_RAISE, 99, 0, 0);
	P(44, "prctl mm", CONTROL_REACHED, SYS_prctl, PR_SET_MM, 99, 0, 0, 0);
	P(44, "prctl dispatch", CONTROL_REACHED, SYS_prctl, 59, 99, 0, 0, 0);
	P(45, "another filter", CONTROL_REACHED, SYS_seccomp, 1, 8, buf);
	P(45, "landlock_create_ruleset", CONTROL_REACHED, 444, 0, 0, 1);
	P(45, "landlock_restrict_self", CONTROL_REACHED, 446, 3, 0);
	P(46, "setuid", CONTROL_OK, SYS_setuid, (long)getuid());
	P(46, "setgid", CONTROL_OK, SYS_setgid, (long)getgid());
	P(46, "setgroups", CONTROL_OK, SYS_setgroups, 0, 0);
	P(46, "capset", CONTROL_REACHED, SYS_capset, buf, 0);
	P(47, "open /dev/tty", CONTROL_REACHED, SYS_open, (long)"/dev/tty", O_RDWR);
	P(47, "open /dev/null", CONTROL_OK, SYS_open, (long)"/dev/null", O_RDWR);
	P(47, "open core_pattern", CONTROL_OK, SYS_open,
	    (long)"/proc/sys/kernel/core_pattern", O_RDONLY);
	P(48, "iopl", CONTROL_REACHED, SYS_iopl, 99);
	P(48, "ioperm", CONTROL_REACHED, SYS_ioperm, 1L << 40, 1, 0);
	P(48, "modify_ldt", CONTROL_REACHED, SYS_modify_ldt, 99, 0, 0);
	P(48, "arch_prctl", CONTROL_REACHED, SYS_arch_prctl, 0x1003, buf);
	P(48, "kexec_load", CONTROL_REACHED, SYS_kexec_load, 0, 999, 0, -1);
	P(48, "finit_module", CONTROL_REACHED, SYS_finit_module, -1, empty, 99);
	P(48, "reboot", CONTROL_REACHED, SYS_reboot, 0, 0, 0, 0);
	P(48, "swapon", CONTROL_REACHED, SYS_swapon, name, 0);
	P(48, "acct", CONTROL_REACHED, SYS_acct, name);
	P(48, "syslog", CONTROL_REACHED, SYS_syslog, 99, 0, 0);
	P(48, "clock_settime", CONTROL_REACHED, SYS_clock_settime, 99, (long)room.time);
	P(48, "sethostname", CONTROL_REACHED, SYS_sethostname, buf, -1);
	P(49, "shmget", CONTROL_OK, SYS_shmget, 0, 0, 0);
	P(49, "msgget", CONTROL_REACHED, SYS_msgget, 1, 0);
	P(49, "semget", CONTROL_REACHED, SYS_semget, 1, 0, 0);
	P(49, "mq_open", CONTROL_REACHED, SYS_mq_open, (long)"nothing-of-bb", 0, 0, 0);
	P(50, "inotify_init1", CONTROL_OK, SYS_inotify_init1, 0);
	P(50, "fanotify_init", CONTROL_REACHED, SYS_fanotify_init, 0x200, 0);
	P(52, "setpriority", CONTROL_OK, SYS_setpriority, 0, 0, 19);
	P(52, "sched_setaffinity", CONTROL_REACHED, SYS_sched_setaffinity, 0, 8, buf);
	P(52, "prlimit64", CONTROL_OK, SYS_prlimit64, 0, 7, 0, buf);
	P(58, "pipe2", CONTROL_OK, SYS_pipe2, (long)room.pair, 0);
	P(58, "vmsplice", CONTROL_REACHED, SYS_vmsplice, 1, buf, 0, 0);
	P(65, "write a hook of git", CONTROL_REACHED, SYS_openat, 3,
	    (long)".git/hooks/post-commit", O_CREAT | O_WRONLY, 0755);
	P(66, "mincore", CONTROL_OK, SYS_mincore, buf & ~4095L, 4096, buf);
	P(66, "getrandom", CONTROL_OK, SYS_getrandom, buf, 1, 0);
	P(66, "sysinfo", CONTROL_OK, SYS_sysinfo, buf);
	P(66, "uname", CONTROL_OK, SYS_uname, buf);
	*out = l.at;
	return l.n;
}

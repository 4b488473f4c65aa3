/* Rows 1 to 13, 47, 50 and 65: what lies outside the grant, by name, by descriptor, by
 * handle, through /proc and through links. Where a call would do harm outside, its
 * arguments are such that it stops at its own checks. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"

#define P(row, name, control, ...) \
	probe_add(l, (row), (name), (control), (const long[7]){__VA_ARGS__})
#define S(s) probe_text(s)
#define DOWN (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define READ (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static void
landlocked(struct probe *q, int e)
{
	if (q == NULL)
		return;
	q->want = -e;
	q->layer = "landlock";
}

/* bb-list may open directories: beneath descriptor 3 and nowhere else. */
static void
walking(struct list *l)
{
	static const char *const ways[] = {"/proc/self/root", "/proc/self/cwd",
	    "/proc/1/root", "/proc/thread-self/root/etc", "/proc/self/fd", "/sys", "/dev",
	    "/"};
	static const char *const names[] = {"directory: /proc/self/root",
	    "directory: /proc/self/cwd", "directory: /proc/1/root",
	    "directory: /proc/thread-self/root/etc", "directory: /proc/self/fd",
	    "directory: /sys", "directory: /dev", "directory: /"};
	char path[64];
	struct probe *q;

	if (!probe_grants(l->p->tool, "openat"))
		return;
	landlocked(P(2, "directory outside, by name", CONTROL_OK, SYS_openat, AT_FDCWD,
	               S("/etc"), DOWN),
	    EACCES);
	landlocked(P(2, "directory outside, from descriptor 3 upwards", CONTROL_OK,
	               SYS_openat, 3, S(".."), DOWN),
	    EACCES);
	landlocked(P(2, "directory outside, far upwards", CONTROL_OK, SYS_openat, 3,
	               S("../../../../../../../../etc"), DOWN),
	    EACCES);
	landlocked(P(2, "through an absolute link in the grant", CONTROL_OK, SYS_openat,
	               3, S("out/."), DOWN),
	    EACCES);
	landlocked(P(2, "through a relative link in the grant", CONTROL_OK, SYS_openat, 3,
	               S("up/."), DOWN),
	    EACCES);
	q = P(2, "a link itself, as a directory", CONTROL_ALIVE, SYS_openat, 3, S("out"),
	    DOWN);
	landlocked(q, ENOTDIR);
	/* a magic link as the last component is not followed */
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		q = P(3, names[i], CONTROL_REACHED, SYS_openat, AT_FDCWD, S(ways[i]),
		    DOWN);
		landlocked(q, EACCES);
		q->or_want = -ENOTDIR;
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/fd/", l->p->boss);
	landlocked(P(3, "the descriptors of the one who started it", CONTROL_OK,
	               SYS_openat, AT_FDCWD, S(path), DOWN),
	    EACCES);
	(void)snprintf(path, sizeof(path), "/proc/%d/root/.", l->p->boss);
	landlocked(P(3, "the root of the one who started it", CONTROL_OK, SYS_openat,
	               AT_FDCWD, S(path), DOWN),
	    EACCES);
	P(1, "a file in the grant", CONTROL_OK, SYS_openat, 3, S("file"),
	    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	landlocked(P(1, "a file in the grant, as a directory", CONTROL_ALIVE, SYS_openat,
	               3, S("file"), DOWN),
	    ENOTDIR);
	P(2, "a directory in the grant, without the exact flags", CONTROL_OK, SYS_openat,
	    3, S("sub"), O_RDONLY);
	P(2, "a directory in the grant, links followed", CONTROL_OK, SYS_openat, 3,
	    S("out"), O_DIRECTORY | O_CLOEXEC);
	P(2, "a directory in the grant, with one flag more", CONTROL_OK, SYS_openat, 3,
	    S("sub"), DOWN | O_NONBLOCK);
	P(43, "openat: flags with a high half", CONTROL_OK, SYS_openat, 3, S("sub"),
	    DOWN | (1L << 32));
	P(7, "O_PATH beside the exact flags", CONTROL_OK, SYS_openat, 3, S("sub"),
	    DOWN | O_PATH);
	q = P(0, "what it is for: a directory in the grant", CONTROL_OK, SYS_openat, 3,
	    S("sub"), DOWN);
	landlocked(q, 0);
	q->want = PROBE_GOOD;
}

/* bb-search may open files too, for reading, in the grant and nowhere else. */
static void
reading(struct list *l)
{
	static const char *const away[][2] = {
	    {"file: /etc/passwd", "/etc/passwd"},
	    {"file: /proc/self/environ", "/proc/self/environ"},
	    {"file: /proc/self/maps", "/proc/self/maps"},
	    {"file: /proc/self/mem", "/proc/self/mem"},
	    {"file: /dev/null", "/dev/null"},
	    {"file: /dev/zero", "/dev/zero"},
	    {"file: /proc/self/root/etc/passwd", "/proc/self/root/etc/passwd"},
	};
	char path[64];
	struct probe *q;

	if (!tool_reads_files(l->p->tool))
		return;
	for (size_t i = 0; i < sizeof(away) / sizeof(*away); i++)
		landlocked(P(1, away[i][0], CONTROL_OK, SYS_openat, AT_FDCWD,
		               S(away[i][1]), READ),
		    EACCES);
	landlocked(P(1, "file outside, by name", CONTROL_OK, SYS_openat, AT_FDCWD,
	               S(l->p->outside), READ),
	    EACCES);
	landlocked(P(2, "file outside, from descriptor 3 upwards", CONTROL_OK, SYS_openat,
	               3, S("../outside"), READ),
	    EACCES);
	landlocked(P(2, "file through a link in the grant", CONTROL_OK, SYS_openat, 3,
	               S("out/passwd"), READ),
	    EACCES);
	landlocked(P(2, "a link itself, as a file", CONTROL_ALIVE, SYS_openat, 3,
	               S("out"), READ),
	    ELOOP);
	landlocked(P(4, "the slot again, for reading", CONTROL_ALIVE, SYS_openat,
	               AT_FDCWD, S("/proc/self/fd/4"), READ),
	    EACCES);
	l->at[l->n - 1].or_want = -ELOOP;
	(void)snprintf(path, sizeof(path), "/proc/%d/environ", l->p->boss);
	landlocked(P(3, "the environment of the one who started it", CONTROL_OK,
	               SYS_openat, AT_FDCWD, S(path), READ),
	    EACCES);
	P(9, "a file in the grant, for writing", CONTROL_OK, SYS_openat, 3, S("file"),
	    READ | O_WRONLY);
	P(9, "a file in the grant, for both", CONTROL_OK, SYS_openat, 3, S("file"),
	    READ | O_RDWR);
	P(10, "a file in the grant, made", CONTROL_OK, SYS_openat, 3, S("file"),
	    READ | O_CREAT, 0600);
	P(2, "a file in the grant, links followed", CONTROL_OK, SYS_openat, 3, S("file"),
	    READ & ~O_NOFOLLOW);
	P(2, "a file in the grant that may block", CONTROL_OK, SYS_openat, 3, S("file"),
	    READ & ~O_NONBLOCK);
	P(43, "openat of a file: flags with a high half", CONTROL_OK, SYS_openat, 3,
	    S("file"), READ | (1L << 32));
	q = P(0, "what it is for: a file in the grant, opened", CONTROL_OK, SYS_openat, 3,
	    S("file"), READ);
	landlocked(q, 0);
	q->want = PROBE_GOOD;
}

/* Where files are opened on the way `read` has no number on the page; what is not open
 * for reading answers so. */
static void
read_only_of(struct list *l, struct probe *q)
{
	if (q == NULL || !tool_reads_files(l->p->tool))
		return;
	q->want = -EBADF;
	q->layer = "descriptors";
}

static void
homes(struct list *l)
{
	static const char *const names[] = {"/.ssh", "/.gnupg", "/.config",
	    "/.local/state"};
	static const char *const says[] = {"~/.ssh", "~/.gnupg", "~/.config (settings)",
	    "~/.local/state (trails)"};
	char path[256];

	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", l->p->home, names[i]);
		P(1, says[i], CONTROL_REACHED, SYS_openat, AT_FDCWD, S(path), O_RDONLY);
	}
}

static void
devices(struct list *l)
{
	static const char *const paths[] = {"/dev/mem", "/dev/kmem", "/dev/port",
	    "/dev/kvm", "/dev/fuse", "/dev/tty", "/dev/ptmx", "/dev/null",
	    "/dev/userfaultfd", "/dev/loop-control", "/sys/kernel/debug",
	    "/sys/kernel/security", "/sys/power/state", "/proc/sysrq-trigger",
	    "/proc/kcore", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		P(47, paths[i], CONTROL_OK, SYS_openat, AT_FDCWD, S(paths[i]),
		    O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	P(47, "core_pattern for writing", CONTROL_OK, SYS_openat, AT_FDCWD,
	    S("/proc/sys/kernel/core_pattern"), O_WRONLY);
}

static void
again(struct list *l)
{
	static const char *const names[] = {"descriptor 0 again, by /proc",
	    "descriptor 1 again, by /proc", "descriptor 2 again, by /proc",
	    "descriptor 3 again, by /proc", "descriptor 4 again, by /proc",
	    "descriptor 5 again, by /proc"};
	char path[32];

	for (int n = 0; n < 3 + (int)l->p->tool->n_fds && n < 6; n++) {
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", n);
		P(4, names[n], CONTROL_OK, SYS_openat, AT_FDCWD, S(path),
		    (n == 3 && l->p->tool->fds[0].access == TOOL_DIR ? O_RDONLY
		                                                     : O_RDWR) |
		        O_NONBLOCK);
	}
}

void
probes_files(struct list *l)
{
	const struct place *p = l->p;
	const long buf = (long)room.buf, path = S(p->outside), etc = S("/etc/passwd"),
	           root = S("/"), empty = S(""), self3 = S("/proc/self/fd/3"),
	           name = S("/nowhere/x"), attr = S("user.bb"), wd = AT_FDCWD;
	char text[160];

	P(1, "open a file of the machine", CONTROL_OK, SYS_open, etc, O_RDONLY);
	P(1, "openat a file of the machine", CONTROL_OK, SYS_openat, wd, etc, O_RDONLY);
	P(1, "openat a file outside the grant", CONTROL_OK, SYS_openat, wd, path,
	    O_RDONLY);
	P(1, "openat it for writing", CONTROL_OK, SYS_openat, wd, path, O_RDWR);
	homes(l);
	P(2, "openat a file from descriptor 3 upwards", CONTROL_ALIVE, SYS_openat, 3,
	    S("../../../../../../../../etc/passwd"), O_RDONLY);
	walking(l);
	reading(l);
	P(3, "openat2 by /proc/self/root", CONTROL_OK, NR_OPENAT2, wd,
	    S("/proc/self/root/etc/passwd"), (long)&room.how, sizeof(room.how));
	P(3, "openat2 by /proc/self/cwd", CONTROL_OK, NR_OPENAT2, wd,
	    S("/proc/self/cwd/etc/passwd"), (long)&room.how, sizeof(room.how));
	P(3, "openat2 by descriptor 3", CONTROL_OK, NR_OPENAT2, wd, self3,
	    (long)&room.how, sizeof(room.how));
	(void)snprintf(text, sizeof(text), "/proc/%d/root/etc/passwd", p->boss);
	P(3, "openat2 by the root of the one who started it", CONTROL_OK, NR_OPENAT2, wd,
	    S(text), (long)&room.how, sizeof(room.how));
	again(l);
	P(6, "chdir", CONTROL_OK, SYS_chdir, root);
	P(6, "fchdir", CONTROL_REACHED, SYS_fchdir,
	    p->tool->fds[0].access == TOOL_DIR ? 3 : 99);
	P(6, "chroot", CONTROL_OK, SYS_chroot, root);
	P(7, "stat", CONTROL_OK, SYS_stat, etc, buf);
	P(7, "lstat", CONTROL_OK, SYS_lstat, etc, buf);
	P(7, "newfstatat", CONTROL_OK, SYS_newfstatat, wd, etc, buf, 0);
	P(7, "statx", CONTROL_OK, SYS_statx, wd, etc, 0, 0x7ff, buf);
	P(7, "fstat of descriptor 4", CONTROL_OK, SYS_fstat, 4, buf);
	P(7, "open by O_PATH", CONTROL_OK, SYS_openat, wd, etc, O_PATH);
	P(7, "readlink", CONTROL_OK, SYS_readlink, S("/proc/self/exe"), buf, 4096);
	P(7, "readlinkat", CONTROL_OK, SYS_readlinkat, wd, S("/proc/self/exe"), buf,
	    4096);
	P(7, "access", CONTROL_OK, SYS_access, etc, 0);
	P(7, "faccessat", CONTROL_OK, SYS_faccessat, wd, etc, 0);
	P(7, "faccessat2", CONTROL_OK, 439, wd, etc, 0, 0);
	P(7, "statfs", CONTROL_OK, SYS_statfs, root, buf);
	P(7, "getxattr", CONTROL_REACHED, SYS_getxattr, path, attr, buf, 1);
	P(7, "getcwd", CONTROL_OK, SYS_getcwd, buf, 4096);
	P(8, "chmod", CONTROL_OK, SYS_chmod, path, 0666);
	P(8, "fchmod of descriptor 3", CONTROL_OK, SYS_fchmod, 3, 0755);
	P(8, "fchmodat", CONTROL_OK, SYS_fchmodat, wd, path, 0666);
	P(8, "fchmodat2", CONTROL_OK, NR_FCHMODAT2, wd, path, 0666, 0);
	P(8, "chown", CONTROL_OK, SYS_chown, path, -1, -1);
	P(8, "fchown of descriptor 3", CONTROL_OK, SYS_fchown, 3, -1, -1);
	P(8, "fchownat", CONTROL_OK, SYS_fchownat, wd, path, -1, -1, 0);
	P(8, "utimensat", CONTROL_OK, SYS_utimensat, wd, path, 0, 0);
	P(8, "setxattr", CONTROL_REACHED, SYS_setxattr, path, attr, buf, 1, 0);
	P(8, "fsetxattr of descriptor 3", CONTROL_REACHED, SYS_fsetxattr, 3, attr, buf, 1,
	    2);
	P(8, "removexattr", CONTROL_REACHED, SYS_removexattr, path, attr);
	P(8, "file_setattr", CONTROL_REACHED, NR_FILE_SETATTR, wd, path, buf, 0, 0);
	P(9, "write on descriptor 3", CONTROL_REACHED, SYS_write, 3, buf, 1);
	P(9, "write on descriptor 0", CONTROL_REACHED, SYS_write, 0, buf, 1);
	P(9, "write on a number beyond the page's", CONTROL_REACHED, SYS_write, 9, buf,
	    1);
	P(9, "truncate", CONTROL_OK, SYS_truncate, path, 7);
	P(9, "ftruncate of the slot", CONTROL_OK, SYS_ftruncate, 4, 0);
	P(9, "ftruncate of descriptor 3", CONTROL_REACHED, SYS_ftruncate, 3, 8);
	P(9, "fallocate", CONTROL_OK, SYS_fallocate, 4, 0, 0, 1);
	P(9, "copy_file_range", CONTROL_REACHED, SYS_copy_file_range, 3, 0, 4, 0, 1, 0);
	P(9, "sendfile", CONTROL_REACHED, SYS_sendfile, 4, 3, 0, 1);
	P(9, "splice", CONTROL_REACHED, SYS_splice, 3, 0, 1, 0, 0, 0);
	P(9, "tee", CONTROL_REACHED, SYS_tee, 3, 1, 0, 0);
	P(9, "vmsplice", CONTROL_REACHED, SYS_vmsplice, 1, buf, 0, 0);
	P(9, "pread64", CONTROL_REACHED, SYS_pread64, 3, buf, 0, 0);
	P(9, "pwrite64", CONTROL_OK, SYS_pwrite64, 4, buf, 0, 0);
	P(9, "readv", CONTROL_OK, SYS_readv, 0, buf, 0);
	P(9, "writev", CONTROL_OK, SYS_writev, 4, buf, 0);
	P(9, "lseek", CONTROL_OK, SYS_lseek, 3, 0, 0);
	read_only_of(l,
	    P(9, "read of the answer pipe", CONTROL_REACHED, SYS_read, 1, buf, 0));
	read_only_of(l, P(9, "read of the slot", CONTROL_REACHED, SYS_read, 4, buf, 0));
	if (!tool_reads_files(p->tool))
		P(43, "read: descriptor with a high half", CONTROL_OK, SYS_read, 1L << 32,
		    buf, 0);
	P(43, "write: descriptor with a high half", CONTROL_OK, SYS_write, 1 | (1L << 32),
	    buf, 0);
	P(10, "O_TMPFILE", CONTROL_OK, SYS_openat, wd, S(p->dir), O_TMPFILE | O_RDWR,
	    0600);
	P(10, "create a file", CONTROL_REACHED, SYS_openat, wd, name, O_CREAT | O_WRONLY,
	    0600);
	P(10, "creat", CONTROL_REACHED, SYS_open, name, O_CREAT | O_WRONLY | O_TRUNC,
	    0600);
	P(10, "mkdir", CONTROL_REACHED, SYS_mkdir, name, 0700);
	P(10, "mkdirat descriptor 3", CONTROL_REACHED, SYS_mkdirat, 3, name, 0700);
	P(10, "mknod a FIFO", CONTROL_REACHED, SYS_mknod, name, 0010600, 0);
	P(10, "mknod a device", CONTROL_REACHED, SYS_mknodat, wd, name, 0020600, 0x103);
	P(10, "mknod a socket", CONTROL_REACHED, SYS_mknodat, wd, name, 0140600, 0);
	P(10, "symlink", CONTROL_REACHED, SYS_symlinkat, root, wd, name);
	P(10, "link", CONTROL_REACHED, SYS_link, path, name);
	P(10, "rename", CONTROL_REACHED, SYS_rename, path, name);
	P(10, "renameat2, exchange", CONTROL_REACHED, SYS_renameat2, wd, path, wd, name,
	    2);
	P(10, "renameat2, whiteout", CONTROL_REACHED, SYS_renameat2, wd, path, wd, name,
	    4);
	P(10, "unlink", CONTROL_REACHED, SYS_unlinkat, wd, name, 0);
	P(10, "rmdir", CONTROL_REACHED, SYS_unlinkat, wd, name, AT_REMOVEDIR);
	P(11, "linkat of a descriptor", CONTROL_REACHED, SYS_linkat, wd, self3, wd, name,
	    AT_SYMLINK_FOLLOW);
	P(11, "linkat by AT_EMPTY_PATH", CONTROL_REACHED, SYS_linkat, 3, empty, wd, name,
	    AT_EMPTY_PATH);
	P(13, "name_to_handle_at", CONTROL_REACHED, SYS_name_to_handle_at, wd, etc, buf,
	    buf + 128, 0);
	P(13, "open_by_handle_at", CONTROL_REACHED, SYS_open_by_handle_at, 3, buf, 0);
	devices(l);
	P(50, "inotify_init1", CONTROL_OK, SYS_inotify_init1, 0);
	P(50, "inotify_add_watch", CONTROL_REACHED, SYS_inotify_add_watch, 0, root, 1);
	P(50, "fanotify_init", CONTROL_REACHED, SYS_fanotify_init, 0x200, 0);
	P(50, "fanotify_mark", CONTROL_REACHED, SYS_fanotify_mark, 0, 1, 1, wd, root);
	P(65, "write a hook of git", CONTROL_REACHED, SYS_openat, 3,
	    S(".git/hooks/post-commit"), O_CREAT | O_WRONLY, 0755);
	P(65, "write a shell's start file", CONTROL_REACHED, SYS_openat, wd,
	    S("/nowhere/.bashrc"), O_WRONLY | O_APPEND | O_CREAT, 0600);
}

/* Descriptors: one table of opening beneath, played with openat2 and, under a filter
 * that refuses it, without; closing both ways; memory files. */
#include "libcommon/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/tap.h"

#define CALL_CLOSE_RANGE 436
#define CALL_OPENAT2 437

static char top[] = "/tmp/bbfd.XXXXXX";

static void
make_tree(void)
{
	if (mkdtemp(top) == NULL || chdir(top) != 0)
		bug("no temporary directory");
	(void)mkdir("d", 0755);
	(void)mkdir("d/sub", 0755);
	(void)mkdir("d/sub/deep", 0755);
	close(open("d/f", O_CREAT | O_WRONLY, 0644));
	close(open("d/sub/deep/g", O_CREAT | O_WRONLY, 0644));
	close(open("outside", O_CREAT | O_WRONLY, 0644));
	(void)!symlink("f", "d/link");
	(void)!symlink("sub", "d/dirlink");
	(void)!symlink("/etc", "d/out");
	(void)!symlink("loop", "d/loop");
	(void)!symlink("../../outside", "d/sub/up");
	(void)mkfifo("d/fifo", 0644);
}

struct row {
	const char *path;
	int flags, want, err; /* err: errno with E_SYS */
};

static const struct row rows[] = {{"f", O_RDONLY, 0, 0}, {"./f", O_RDONLY, 0, 0},
    {"sub//deep/g", O_RDONLY, 0, 0}, {"sub/./deep/g", O_RDONLY, 0, 0},
    {"sub", O_RDONLY | O_DIRECTORY, 0, 0}, {"sub/", O_RDONLY | O_DIRECTORY, 0, 0},
    {"sub/", O_RDONLY, 0, 0}, {".", O_RDONLY | O_DIRECTORY, 0, 0},
    {"", O_RDONLY | O_DIRECTORY, 0, 0}, {"f", O_PATH, 0, 0}, {"f", O_WRONLY, 0, 0},
    {"fifo", O_RDONLY | O_NONBLOCK, 0, 0},
    /* out, or by a link */
    {"..", O_RDONLY, E_OUTSIDE, 0}, {"../d/f", O_RDONLY, E_OUTSIDE, 0},
    {"../outside", O_RDONLY, E_OUTSIDE, 0}, {"sub/../../outside", O_RDONLY, E_OUTSIDE, 0},
    {"/etc/passwd", O_RDONLY, E_OUTSIDE, 0}, {"/", O_RDONLY, E_OUTSIDE, 0},
    {"link", O_RDONLY, E_OUTSIDE, 0}, {"link", O_WRONLY, E_OUTSIDE, 0},
    {"link", O_PATH, E_OUTSIDE, 0}, {"dirlink/deep", O_RDONLY, E_OUTSIDE, 0},
    {"dirlink", O_RDONLY | O_DIRECTORY, E_OUTSIDE, 0},
    {"out/passwd", O_RDONLY, E_OUTSIDE, 0}, {"sub/up", O_RDONLY, E_OUTSIDE, 0},
    {"loop", O_RDONLY, E_OUTSIDE, 0}, {"loop/x", O_RDONLY, E_OUTSIDE, 0},
    /* not there, or of another kind */
    {"none", O_RDONLY, E_SYS, ENOENT}, {"none/x", O_RDONLY, E_SYS, ENOENT},
    {"f/x", O_RDONLY, E_SYS, ENOTDIR}, {"f/", O_RDONLY, E_SYS, ENOTDIR},
    {"f", O_RDONLY | O_DIRECTORY, E_SYS, ENOTDIR}, {"sub", O_WRONLY, E_SYS, EISDIR},
    {"f", O_CREAT | O_EXCL | O_WRONLY, E_SYS, EEXIST}};

static void
play(void)
{
	int d = open("d", O_RDONLY | O_DIRECTORY), fd;
	char name[300];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		int got = fd_beneath(d, r->path, r->flags, &fd), e = errno;

		ok(got == r->want && (got == 0) == (fd >= 0) && (got == 0 || fd == -1),
		    "'%s' flags %o: %d", r->path, (unsigned)r->flags, r->want);
		if (got == E_SYS)
			ok_int(e, r->err, "by errno");
		if (got == 0)
			ok((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "closed by exec");
		if (fd >= 0)
			close(fd);
	}
	ok_int(fd_beneath(d, "new", O_CREAT | O_EXCL | O_WRONLY, &fd), 0, "a new file");
	close(fd);
	ok_int(unlinkat(d, "new", 0), 0, "is in the directory");
	memset(name, 'x', sizeof(name));
	name[256] = '\0';
	ok_int(fd_beneath(d, name, O_RDONLY, &fd), E_SYS, "a name too long");
	ok_int(errno, ENAMETOOLONG, "by errno");
	ok_int(fd_beneath(-1, "f", O_RDONLY, &fd), E_SYS, "no directory");
	ok_int(errno, EBADF, "by errno");
	/* Magic links lead anywhere without a name: never followed. */
	close(d);
	d = open("/proc/self", O_RDONLY | O_DIRECTORY);
	if (d >= 0) {
		ok_int(fd_beneath(d, "cwd", O_RDONLY, &fd), E_OUTSIDE, "a magic link");
		ok_int(fd_beneath(d, "root/etc", O_RDONLY, &fd), E_OUTSIDE,
		    "through one");
		close(d);
	} else {
		skip("no /proc");
	}
}

/* From here on this process's calls of that number answer that errno. */
static bool
refuse(unsigned call, int err)
{
	struct sock_filter f[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                              offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog p = {.len = 4, .filter = f};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p) == 0;
}

TEST(beneath)
{
	make_tree();
	play();
}

/* In a child, whose lines count as ours: its number of tests comes back by its status. */
static void
play_without(int err, const char *name)
{
	int p[2], got[2] = {0, 1}, st;
	pid_t pid;

	fflush(stdout);
	if (pipe(p) != 0 || (pid = fork()) < 0) {
		ok(false, "a child");
		return;
	}
	if (pid == 0) {
		int failed = tap_failed, d;

		if (!refuse(CALL_OPENAT2, err))
			_exit(9);
		d = (int)syscall(CALL_OPENAT2, AT_FDCWD, ".", NULL, 0);
		ok(d < 0 && errno == err, "openat2 answers %s", name);
		play();
		fflush(stdout);
		got[0] = tap_count;
		got[1] = tap_failed - failed;
		_exit(write(p[1], got, sizeof(got)) != sizeof(got));
	}
	close(p[1]);
	st = read(p[0], got, sizeof(got)) == sizeof(got);
	close(p[0]);
	(void)waitpid(pid, NULL, 0);
	if (st) {
		tap_count = got[0];
		tap_failed += got[1];
	}
	ok(st, "played to the end without openat2 (%s)", name);
}

TEST(beneath_where_openat2_is_missing)
{
	play_without(ENOSYS, "ENOSYS");
}

TEST(beneath_where_an_outer_filter_refuses_openat2)
{
	play_without(EPERM, "EPERM");
}

static bool
closes(int err)
{
	int st = 0;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		int far = 300, p[2];

		for (int i = 0; i < 100; i++)
			(void)!dup(1);
		(void)!dup2(1, far);
		if (pipe(p) != 0 || (err != 0 && !refuse(CALL_CLOSE_RANGE, err)))
			_exit(9);
		if (fd_close_from(3) != 0)
			_exit(8);
		for (int fd = 3; fd < 400; fd++)
			if (fcntl(fd, F_GETFD) >= 0)
				_exit(7);
		_exit(fcntl(1, F_GETFD) < 0 || fcntl(2, F_GETFD) < 0 ? 6 : 0);
	}
	return waitpid(pid, &st, 0) == pid && WIFEXITED(st) && WEXITSTATUS(st) == 0;
}

TEST(closing)
{
	ok(closes(0), "everything from 3 up, and nothing below");
	ok(closes(ENOSYS), "without close_range");
	ok(closes(EPERM), "where a filter refuses it");
}

TEST(memory_files)
{
	int fd, ro, wo;
	struct stat st;
	char c;

	ok_int(fd_memory("t", &fd), 0, "made");
	ok((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "closed by exec");
	ok(fstat(fd, &st) == 0 && st.st_size == 0, "empty");
	ok_int(fd_reopen(fd, O_WRONLY, &wo), 0, "a write-only view");
	ok(read(wo, &c, 1) < 0 && errno == EBADF, "cannot be read");
	ok(write(wo, "x", 1) == 1, "can be written");
	ok(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) == 0,
	    "sealed");
	ok(write(wo, "y", 1) < 0 && errno == EPERM, "cannot be written any more");
	ok_int(fd_reopen(fd, O_RDONLY, &ro), 0, "a read-only view");
	ok((fcntl(ro, F_GETFD) & FD_CLOEXEC) != 0, "closed by exec");
	ok(read(ro, &c, 1) == 1 && c == 'x', "with an offset of its own");
	ok(write(ro, "y", 1) < 0 && errno == EBADF, "cannot be written");
	ok_int(fd_reopen(-1, O_RDONLY, &fd), E_SYS, "of no descriptor");
	ok(errno == EBADF && fd == -1, "gives none");
	close(ro);
	close(wo);
}

TEST(pipes)
{
	int p[2];
	char c;

	ok_int(fd_pipe(p), 0, "made");
	ok((fcntl(p[0], F_GETFD) & fcntl(p[1], F_GETFD) & FD_CLOEXEC) != 0,
	    "closed by exec");
	ok_int(fd_nonblock(p[0], true), 0, "not blocking");
	ok(read(p[0], &c, 1) < 0 && errno == EAGAIN, "says so");
	ok_int(fd_nonblock(p[0], false), 0, "blocking");
	ok((fcntl(p[0], F_GETFL) & O_NONBLOCK) == 0, "again");
	close(p[0]);
	close(p[1]);
	ok_int(fd_nonblock(p[0], true), E_SYS, "a closed one");
}

TEST(the_tree_is_removed)
{
	static const char *const names[] = {"d/link", "d/dirlink", "d/out", "d/loop",
	    "d/fifo", "d/f", "d/sub/up", "d/sub/deep/g", "d/sub/deep", "d/sub", "d",
	    "outside"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)remove(names[i]);
	ok(chdir("/") == 0 && rmdir(top) == 0, "nothing is left");
}

TAP_MAIN

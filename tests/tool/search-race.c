/* Files and directories that are swapped for links, FIFOs and devices while bb-search
 * walks: what lies behind is never read, and nothing makes it wait. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "tests/tap.h"

#define SWAPS 100000
#define NAMES 40

static char dir[] = "/tmp/bbrace.XXXXXX", helper[PATH_MAX];
static uint64_t *swaps; /* shared */

static int
swap(int root, const char *a, const char *b)
{
	return (int)syscall(SYS_renameat2, root, a, root, b, 2u /* RENAME_EXCHANGE */);
}

/* Swap each name in the tree for its stand-in beside the tree, and back, until killed. */
static void
swapper(int root)
{
	char in[64], out[64];

	for (unsigned k = 0;; k = (k + 1) % NAMES) {
		(void)snprintf(in, sizeof(in), "tree/%s%02u", k % 4 == 3 ? "d" : "f", k);
		(void)snprintf(out, sizeof(out), "other/%02u", k);
		if (swap(root, in, out) != 0)
			_exit(1);
		__atomic_add_fetch(swaps, 1, __ATOMIC_RELAXED);
	}
}

/* Open what is a FIFO for writing, so that reading it could wait. */
static void
writer(int root)
{
	struct stat st;
	char name[64];
	int fd;

	(void)signal(SIGPIPE, SIG_IGN);
	for (unsigned k = 2;; k = (k + 4) % NAMES) {
		(void)snprintf(name, sizeof(name), "tree/f%02u", k);
		fd = openat(root, name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
		if (fd < 0)
			continue;
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
		    (k % 8 == 2 || write(fd, "no match\n", 9) == 9))
			(void)usleep(10);
		close(fd);
	}
}

static void
put(int root, const char *name, const char *text)
{
	int fd = openat(root, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("# cannot write %s\n", name);
	close(fd);
}

static void
link_to(int root, const char *to, const char *name)
{
	if (symlinkat(to, root, name) != 0)
		printf("# cannot link %s\n", name);
}

static void
build(int root)
{
	char name[64], secret[128];

	(void)snprintf(secret, sizeof(secret), "%s/outside/secret", dir);
	(void)mkdirat(root, "tree", 0755);
	(void)mkdirat(root, "other", 0755);
	(void)mkdirat(root, "outside", 0755);
	put(root, "outside/secret", "key SECRET\n");
	for (unsigned k = 0; k < NAMES; k++) {
		(void)snprintf(name, sizeof(name), "tree/%s%02u", k % 4 == 3 ? "d" : "f",
		    k);
		if (k % 4 == 3) {
			(void)mkdirat(root, name, 0755);
			(void)snprintf(name, sizeof(name), "tree/d%02u/secret", k);
		}
		put(root, name, "key fine\n");
		(void)snprintf(name, sizeof(name), "other/%02u", k);
		if (k % 4 == 3)
			link_to(root, "../outside", name);
		else if (k % 4 == 2)
			(void)mkfifoat(root, name, 0644);
		else if (k % 8 == 5 &&
		    mknodat(root, name, S_IFCHR | 0644, makedev(1, 5)) == 0)
			continue; /* root: /dev/zero */
		else
			link_to(root, k % 8 == 1 ? secret : "../outside/secret", name);
	}
}

/* One search; its output in out. Its status, or -1 when it did not end in time. */
static int
search(char *out, size_t room)
{
	char path[64];
	int pair[2], st, null;
	size_t n = 0;
	ssize_t some;
	pid_t pid;

	(void)snprintf(path, sizeof(path), "%s/tree", dir);
	if (pipe(pair) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		(void)dup2(pair[1], 1);
		(void)dup2(null, 0);
		(void)dup2(null, 2);
		(void)alarm(20);
		execl(helper, "bb-search", "--no-cap", "key", path, (char *)NULL);
		_exit(99);
	}
	close(pair[1]);
	while ((some = read(pair[0], out + n, room - 1 - n)) > 0)
		n += (size_t)some;
	out[n] = '\0';
	close(pair[0]);
	return waitpid(pid, &st, 0) == pid && WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

TEST(swapped_under_its_feet)
{
	char out[65536], self[PATH_MAX];
	unsigned runs = 0, odd = 0, leaks = 0, fine = 0;
	pid_t pid[2];
	int root;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n < 0 ? 0 : n] = '\0';
	for (int k = 0; k < 3; k++) /* tests/tool/search-race.t */
		*strrchr(self, '/') = '\0';
	(void)snprintf(helper, sizeof(helper), "%.*s/bin/bb-search", PATH_MAX - 20, self);
	swaps =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (swaps == MAP_FAILED || mkdtemp(dir) == NULL ||
	    (root = open(dir, O_RDONLY | O_DIRECTORY)) < 0) {
		ok(false, "a directory");
		return;
	}
	build(root);
	ok_int(search(out, sizeof(out)), 0, "a search of the tree as it is");
	ok(strstr(out, "f00:1: key fine") != NULL &&
	        strstr(out, "d03/secret:1: key fine") != NULL,
	    "finds what is in it");
	fflush(stdout);
	if ((pid[0] = fork()) == 0)
		swapper(root);
	if ((pid[1] = fork()) == 0)
		writer(root);
	while (__atomic_load_n(swaps, __ATOMIC_RELAXED) < SWAPS && runs < 200000) {
		int r = search(out, sizeof(out));

		runs++;
		odd += r != 0 && r != 1;
		leaks += strstr(out, "SECRET") != NULL;
		fine += strstr(out, "key fine") != NULL;
		if (kill(pid[0], 0) != 0 || waitpid(pid[0], NULL, WNOHANG) != 0)
			break;
	}
	(void)kill(pid[0], SIGKILL);
	(void)kill(pid[1], SIGKILL);
	(void)waitpid(pid[0], NULL, 0);
	(void)waitpid(pid[1], NULL, 0);
	ok(*swaps >= SWAPS, "%u searches during %llu swaps", runs,
	    (unsigned long long)*swaps);
	ok_int(leaks, 0, "none read what lies outside");
	ok_int(odd, 0, "none waited or broke");
	ok(fine > 0, "what is in the tree is found all the same");
	(void)snprintf(out, sizeof(out), "rm -rf %s", dir);
	ok_int(system(out), 0, "cleaned up");
}

TAP_MAIN

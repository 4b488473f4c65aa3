/* One directory read: the order, what is left out, the bound, what cannot be read. */
#include "libcommon/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/tap.h"

static char top[] = "/tmp/bbwalk.XXXXXX";

static void
file(const char *name)
{
	close(open(name, O_CREAT | O_WRONLY, 0644));
}

TEST(a_directory_of_every_kind)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "sock"};
	int s = socket(AF_UNIX, SOCK_STREAM, 0), fd;
	static const char *const want[] = {".hidden", "Z", "a", "a\nb", "b", "\xc3\xa9",
	    "\xff", ".git", "0dir", "dir"};
	struct walk_dir d = {0};

	if (mkdtemp(top) == NULL || chdir(top) != 0)
		bug("no temporary directory");
	file("b");
	file("a");
	file("Z");
	file(".hidden");
	file("a\nb");
	file("\xc3\xa9");
	file("\xff");
	(void)mkdir("dir", 0755);
	(void)mkdir(".git", 0755);
	(void)mkdir("0dir", 0755);
	(void)!symlink("a", "link");
	(void)!symlink("dir", "dirlink");
	(void)!symlink("nowhere", "broken");
	(void)mkfifo("fifo", 0644);
	ok_int(bind(s, (const struct sockaddr *)&at, sizeof(at)), 0, "a socket");
	close(s);

	fd = walk_open(AT_FDCWD, ".");
	ok(fd >= 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "opened");
	ok_int(walk_read(fd, 0, &d), 0, "read");
	ok_int(d.files, 7, "files");
	ok_int(d.n, 10, "files and directories");
	for (size_t i = 0; i < d.n && i < 10; i++) {
		ok(strcmp(d.e[i].name, want[i]) == 0, "entry %zu in its place", i);
		ok_int(d.e[i].kind, i < 7 ? WALK_FILE : WALK_DIR, "its kind");
	}
	ok_int(d.links, 3, "links are left out and counted");
	ok_int(d.others, 2, "so are the FIFO and the socket");
	walk_release(&d);
	ok(d.e == NULL && d.n == 0, "released");
	walk_release(&d);
	ok_int(walk_read(fd, 0, &d), 0, "read to its end");
	ok_int(d.n, 0, "there is no more");
	walk_release(&d);
	close(fd);
}

TEST(the_bound)
{
	struct walk_dir d = {0};
	int fd = walk_open(AT_FDCWD, ".");

	ok_int(walk_read(fd, 9, &d), E_FULL, "one too few");
	ok(d.e == NULL && d.names == NULL && d.n == 0, "gives nothing");
	ok(lseek(fd, 0, SEEK_SET) == 0, "again");
	ok_int(walk_read(fd, 10, &d), 0, "just enough: links and others do not count");
	walk_release(&d);
	close(fd);
}

TEST(what_is_not_opened)
{
	struct walk_dir d = {0};

	ok(walk_open(AT_FDCWD, "dirlink") < 0, "a link to a directory");
	ok(walk_open(AT_FDCWD, "a") < 0 && errno == ENOTDIR, "a file");
	ok(walk_open(AT_FDCWD, "fifo") < 0 && errno == ENOTDIR,
	    "a FIFO, without waiting");
	ok(walk_open(AT_FDCWD, "none") < 0 && errno == ENOENT, "nothing");
	ok_int(walk_read(-1, 0, &d), E_SYS, "no descriptor");
	ok_int(errno, EBADF, "by errno");
	if (geteuid() != 0) {
		ok(chmod("dir", 0) == 0, "made unreadable");
		ok(walk_open(AT_FDCWD, "dir") < 0 && errno == EACCES, "is refused");
		ok(chmod("dir", 0755) == 0, "made readable");
	} else {
		skip("root reads every directory");
	}
}

/* More than one buffer of the kernel's and than the first storage. */
TEST(many)
{
	enum { MANY = 3000 };
	struct walk_dir d = {0};
	bool sorted = true;
	char name[64];
	int fd;

	(void)mkdir("many", 0755);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "many/%d-a-name-of-some-length",
		    i * 7919 % MANY);
		file(name);
	}
	fd = walk_open(AT_FDCWD, "many");
	ok_int(walk_read(fd, 0, &d), 0, "read");
	ok_int(d.n, MANY, "all of them");
	for (size_t i = 1; i < d.n; i++)
		sorted &= strcmp(d.e[i - 1].name, d.e[i].name) < 0;
	ok(sorted, "in order, each once");
	for (size_t i = 0; i < d.n; i++)
		(void)unlinkat(fd, d.e[i].name, 0);
	walk_release(&d);
	close(fd);
	(void)rmdir("many");
}

TEST(names_never_entered)
{
	static const char *const skipped[] = {".git", ".hg", ".svn", "target", "dist",
	    "build", ".next", ".nuxt", ".parcel-cache", ".turbo", ".gradle", ".cache",
	    ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", "__pycache__",
	    "coverage", ".nyc_output", ".terraform", ".stack-work", "node_modules",
	    "bower_components", "vendor", "third_party", "thirdparty", "Pods", "Carthage",
	    "site-packages", ".venv", "venv", ".bundle"};
	static const char *const entered[] = {"out", "bin", "", ".", "Build", "git",
	    ".github", "targets", "node_module", "pods"};

	for (size_t i = 0; i < sizeof(skipped) / sizeof(*skipped); i++)
		ok(walk_skips(skipped[i]), "%s", skipped[i]);
	for (size_t i = 0; i < sizeof(entered) / sizeof(*entered); i++)
		ok(!walk_skips(entered[i]), "not '%s'", entered[i]);
}

TEST(the_tree_is_removed)
{
	static const char *const names[] = {".hidden", "Z", "a", "a\nb", "b", "\xc3\xa9",
	    "\xff", ".git", "0dir", "dir", "link", "dirlink", "broken", "fifo", "sock"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)remove(names[i]);
	ok(chdir("/") == 0 && rmdir(top) == 0, "nothing is left");
}

TAP_MAIN

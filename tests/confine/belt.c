/* What bb puts on a helper before exec, seen by a helper that puts nothing on
 * itself (liar.c): what it finds when it starts, and what it still reaches. */
#include "bin/bb/spawn/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "libcommon/fd.h"
#include "tests/tap.h"

static char dir[] = "/tmp/bbbelt.XXXXXX";
static struct loop *loop;
static struct spawner *spawner;
static struct spawn_outcome got;
static int64_t first, second, files;
static bool done;
static struct tool page;

static void
on_probe(void *arg, const struct spawn_outcome *o)
{
	(void)arg;
	done = true;
	got = *o;
	if (o->end == SPAWN_ANSWERED && strcmp(page.name, "read_file") == 0) {
		first = spawn_int(&page, o, "first");
		second = spawn_int(&page, o, "total");
	} else if (o->end == SPAWN_ANSWERED) {
		first = spawn_int(&page, o, "links");
		files = spawn_int(&page, o, "files");
	}
}

static void
run(const char *tool, const char *helper, const struct spawn_fd *fds, size_t n,
    const struct spawn_landlock *allow, size_t n_allow, const char *body)
{
	const struct spawn_request q = {.tool = &page,
	    .call = 9,
	    .fds = fds,
	    .n_fds = n,
	    .allow = allow,
	    .n_allow = n_allow,
	    .body = body,
	    .body_len = strlen(body),
	    .done = on_probe};
	struct child *c;

	page = *tool_find(tool);
	page.helper = helper;
	done = false;
	first = second = -1;
	if (spawn_start(spawner, &q, &c) != 0)
		return;
	while (!done && loop_once(loop, 10000) == 0)
		;
}

static void
link_liar(const char *name)
{
	char from[PATH_MAX], to[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", from, sizeof(from) - 1);

	from[n < 0 ? 0 : n] = '\0';
	(void)strcpy(strrchr(from, '/') + 1, "liar");
	(void)snprintf(to, sizeof(to), "%s/%s", dir, name);
	if (symlink(from, to) < 0)
		printf("# no link for %s\n", name);
}

static void
on_signal(int sig)
{
	(void)sig;
}

static void
bits(int64_t value, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ok(value >= 0 && (value >> i & 1) == 0, "%s", names[i]);
}

TEST(setting_up)
{
	struct spawn_config c = {.helpers = dir};

	if (mkdtemp(dir) == NULL || loop_new(&loop) != 0)
		exit(1);
	(void)chmod(dir, 0755);
	(void)alarm(60);
	link_liar("liar-probe");
	link_liar("liar-dir");
	c.loop = loop;
	ok_int(spawner_new(&c, &spawner), 0, "a spawner");
}

TEST(a_helper_finds_nothing_of_its_parent)
{
	static const char *const facts[] = {"empty environment", "argv is its name alone",
	    "working directory /", "umask 077", "a session of its own",
	    "no signal blocked", "every signal by default, 32 and 33 too",
	    "descriptors 0 to 4 and no other", "which stay open",
	    "its pipes wait and go one way"};
	static const char *const reaches[] = {"a file of the machine",
	    "the root directory", "a new file", "its own input for writing",
	    "its parent's environment", "another program", "tracing its parent",
	    "privileges by exec", "a TCP connection", "a signal to its parent"};
	const struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} ignore = {.handler = (void *)SIG_IGN};
	struct sigaction sa = {.sa_handler = on_signal};
	int file, slot, high;
	sigset_t usr2;

	/* A parent in a poor state: what it was started with leaks and is ignored. */
	for (int i = 0; i < 6; i++)
		(void)open("/dev/null", O_RDONLY);
	high = fcntl(0, F_DUPFD, 1000);
	file = open("/dev/null", O_RDONLY | O_CLOEXEC);
	slot = memfd_create("slot", MFD_CLOEXEC);
	(void)signal(SIGHUP, SIG_IGN);
	(void)sigaction(SIGUSR1, &sa, NULL);
	(void)syscall(SYS_rt_sigaction, 32, &ignore, NULL, 8);
	(void)syscall(SYS_rt_sigaction, 33, &ignore, NULL, 8);
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	(void)sigprocmask(SIG_BLOCK, &usr2, NULL);
	(void)umask(022);
	(void)setenv("SECRET", "x", 1);

	/* Sources that stand where others are to be placed. */
	(void)dup2(slot, 3);
	(void)dup2(file, 4);
	run("read_file", "liar-probe", (struct spawn_fd[]){{3, 4}, {4, 3}}, 2, NULL, 0,
	    "");
	ok_int(got.end, SPAWN_ANSWERED, "the probe answers");
	bits(first, facts, sizeof(facts) / sizeof(facts[0]));
#ifdef BB_UNCONFINED
	skip("a sanitizer build has no belt");
	(void)reaches;
#else
	if (spawner_abi(spawner) == 0)
		skip("no Landlock");
	else
		bits(second, reaches, sizeof(reaches) / sizeof(reaches[0]));
	ok(access("/tmp/bb-liar-was-here", F_OK) != 0, "and made nothing");
#endif
	ok(umask(022) == 022, "the parent's umask is its own");
	ok(getsid(0) != getpid() || getpgrp() == getpid(), "and so is its session");
	close(high);
}

TEST(it_reaches_what_is_allowed_and_nothing_above)
{
	char path[PATH_MAX];
	int here, file, slot;
	struct spawn_landlock allow;

	(void)snprintf(path, sizeof(path), "%s/tree", dir);
	(void)mkdir(path, 0755);
	here = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(void)mkdirat(here, "sub", 0755);
	close(openat(here, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	file = open("/dev/null", O_RDONLY | O_CLOEXEC);
	slot = memfd_create("slot", MFD_CLOEXEC);
	const struct spawn_fd fds[] = {{3, here}, {4, slot}, {5, file}};

	if (spawner_abi(spawner) == 0) {
		skip("no Landlock");
		return;
	}
	allow = (struct spawn_landlock){here, LANDLOCK_ACCESS_FS_READ_DIR};
	run("list_files", "liar-dir", fds, 3, &allow, 1, "");
#ifdef BB_UNCONFINED
	skip("a sanitizer build has no belt");
#else
	ok_int(first, 1 | 2, "directories in it, no file, nothing above");
	run("list_files", "liar-dir", fds, 3, NULL, 0, "");
	ok_int(first, 0, "nothing allowed: nothing by name, not even what it holds");
	allow.rights |= LANDLOCK_ACCESS_FS_READ_FILE;
	run("list_files", "liar-dir", fds, 3, &allow, 1, "");
	ok_int(first, 1 | 2 | 4, "files where files are allowed");
	run("list_files", "liar-dir", fds, 3, NULL, 0, "");
	ok_int(first, 0, "and none is left over for the next call");
#endif
}

TEST(the_real_helpers_work_under_it)
{
	char bin[PATH_MAX], tree[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", bin, sizeof(bin) - 1);
	struct spawn_config c = {.loop = loop, .helpers = bin};
	struct spawner *ours = spawner;
	const char *body = "offset 1\nlimit 500\n";
	int here, file, slot, view, empty;
	struct spawn_landlock allow;

	bin[n < 0 ? 0 : n] = '\0';
	for (int up = 0; up < 3; up++) /* tests/confine/belt.t */
		*strrchr(bin, '/') = '\0';
	(void)strcat(bin, "/bin");
	(void)snprintf(tree, sizeof(tree), "%s/tree", dir);
	here = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	file = openat(here, "file", O_RDONLY | O_CLOEXEC);
	empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd_memory("slot", &slot) != 0 || fd_reopen(slot, O_WRONLY, &view) != 0 ||
	    spawner_new(&c, &spawner) != 0)
		exit(1);
	run("read_file", "bb-read", (struct spawn_fd[]){{3, file}, {4, view}}, 2, NULL, 0,
	    body);
	ok_int(got.end, SPAWN_ANSWERED, "bb-read");
	ok_int(second, 0, "an empty file has no line");
	allow = (struct spawn_landlock){here, LANDLOCK_ACCESS_FS_READ_DIR};
	body = "depth 5\nprefix 0:\nmost 2000\n";
	if (spawner_abi(spawner) == 0) {
		skip("no Landlock");
	} else {
		run("list_files", "bb-list",
		    (struct spawn_fd[]){{3, here}, {4, view}, {5, empty}}, 3, &allow, 1,
		    body);
		ok_int(got.end, SPAWN_ANSWERED, "bb-list");
		ok_int(files, 1, "one file in its directory");
	}
	spawner_free(spawner);
	spawner = ours;
}

TEST(end)
{
	char cmd[100];

	spawner_free(spawner);
	loop_free(loop);
	(void)snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	ok_int(system(cmd), 0, "cleaned up");
}

TAP_MAIN

/* The supervisor against lying helpers (liar.c): each ends in the right
 * spawn_end, in bounded time, and leaves neither descriptor nor zombie. */
#include "bin/bb/spawn/spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tests/tap.h"

static const struct row {
	const char *mode;
	enum spawn_end end;
	int number;
	unsigned wall; /* seconds; 0: the page's */
} rows[] = {
    /* nothing a supervisor could object to */
    {"honest", SPAWN_ANSWERED, 0, 0},
    {"talk", SPAWN_ANSWERED, 0, 0},
    {"child", SPAWN_ANSWERED, 0, 0},
    {"session", SPAWN_ANSWERED, 0, 0},
    /* READY */
    {"fewer", SPAWN_UNCONFINED, 0, 0},
    {"none", SPAWN_UNCONFINED, 0, 0},
    {"digest", SPAWN_UNCONFINED, 0, 0},
    {"layers", SPAWN_PROTOCOL, 0, 0},
    {"newer", SPAWN_PROTOCOL, 0, 0},
    {"short", SPAWN_PROTOCOL, 0, 0},
    {"more", SPAWN_PROTOCOL, 0, 0},
    {"number", SPAWN_PROTOCOL, 0, 0},
    {"bulky", SPAWN_PROTOCOL, 0, 0},
    /* order and headers */
    {"early", SPAWN_PROTOCOL, 0, 0},
    {"both", SPAWN_PROTOCOL, 0, 0},
    {"again", SPAWN_PROTOCOL, 0, 0},
    {"even", SPAWN_PROTOCOL, 0, 0},
    {"unknown", SPAWN_PROTOCOL, 0, 0},
    {"zero", SPAWN_PROTOCOL, 0, 0},
    {"magic", SPAWN_PROTOCOL, 0, 0},
    {"reserved", SPAWN_PROTOCOL, 0, 0},
    {"half", SPAWN_PROTOCOL, 0, 0},
    {"long", SPAWN_PROTOCOL, 0, 0},
    {"longest", SPAWN_PROTOCOL, 0, 0},
    {"call", SPAWN_PROTOCOL, 0, 0},
    {"second", SPAWN_PROTOCOL, 0, 0},
    {"onemore", SPAWN_PROTOCOL, 0, 0},
    {"stream", SPAWN_PROTOCOL, 0, 0},
    {"bytes", SPAWN_PROTOCOL, 0, 0},
    {"cutexit", SPAWN_PROTOCOL, 0, 0},
    {"flood", SPAWN_PROTOCOL, 0, 0},
    {"closed", SPAWN_PROTOCOL, 0, 0},
    /* RESULT */
    {"negative", SPAWN_PROTOCOL, 0, 0},
    {"huge", SPAWN_PROTOCOL, 0, 0},
    {"wrap", SPAWN_PROTOCOL, 0, 0},
    {"nan", SPAWN_PROTOCOL, 0, 0},
    {"fraction", SPAWN_PROTOCOL, 0, 0},
    {"zeros", SPAWN_PROTOCOL, 0, 0},
    {"plus", SPAWN_PROTOCOL, 0, 0},
    {"range", SPAWN_PROTOCOL, 0, 0},
    {"text", SPAWN_PROTOCOL, 0, 0},
    {"order", SPAWN_PROTOCOL, 0, 0},
    {"missing", SPAWN_PROTOCOL, 0, 0},
    {"extra", SPAWN_PROTOCOL, 0, 0},
    {"twice", SPAWN_PROTOCOL, 0, 0},
    {"word", SPAWN_PROTOCOL, 0, 0},
    {"escape", SPAWN_PROTOCOL, 0, 0},
    {"crlf", SPAWN_PROTOCOL, 0, 0},
    {"unended", SPAWN_PROTOCOL, 0, 0},
    {"empty", SPAWN_PROTOCOL, 0, 0},
    {"noise", SPAWN_PROTOCOL, 0, 0},
    {"nul", SPAWN_PROTOCOL, 0, 0},
    /* time */
    {"asleep", SPAWN_TIMEOUT, 0, 1},
    {"cut", SPAWN_TIMEOUT, 0, 1},
    {"deaf", SPAWN_TIMEOUT, 0, 1},
    {"shut", SPAWN_TIMEOUT, 0, 1},
    {"late", SPAWN_TIMEOUT, 0, 1},
    {"stop", SPAWN_TIMEOUT, 0, 1},
    {"deafterm", SPAWN_TIMEOUT, 0, 1},
    /* exit */
    {"exit", SPAWN_EXIT, 0, 0},
    {"status", SPAWN_EXIT, 3, 0},
    {"sorry", SPAWN_EXIT, 70, 0},
    {"abort", SPAWN_SIGNAL, SIGABRT, 0},
    {"segv", SPAWN_SIGNAL, SIGSEGV, 0},
    {"kill", SPAWN_SIGNAL, SIGKILL, 0},
    {"sys", SPAWN_FILTER, SIGSYS, 0},
    {"xcpu", SPAWN_LIMIT, SIGXCPU, 0},
    {"xfsz", SPAWN_LIMIT, SIGXFSZ, 0},
    {"spin", SPAWN_LIMIT, SIGKILL, 0},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static char dir[] = "/tmp/bbliar.XXXXXX";
static struct loop *loop;
static struct tool pages[ROWS];
static char names[ROWS][32];
static struct {
	int times;
	struct spawn_outcome o;
	size_t text_len;
	int order;
} got[ROWS];
static int done_count;
static int file_fd, slot_fd;
static char big[FRAME_BODY_MAX];

static void
on_done(void *arg, const struct spawn_outcome *o)
{
	size_t i = (size_t)(uintptr_t)arg;

	got[i].times++;
	got[i].o = *o;
	got[i].text_len = o->log != NULL ? strlen(o->log) : 0;
	got[i].order = done_count++;
	if (o->end == SPAWN_ANSWERED && spawn_int(&pages[i], o, "first") != 1)
		got[i].times = 100;
	if ((o->end == SPAWN_ANSWERED) != (o->result != NULL))
		got[i].times = 101;
}

static void
link_mode(const char *mode, char *helper)
{
	char from[PATH_MAX], to[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", from, sizeof(from) - 1);

	/* The liar stands beside this test. */
	from[n < 0 ? 0 : n] = '\0';
	(void)strcpy(strrchr(from, '/') + 1, "liar");
	(void)snprintf(helper, 32, "liar-%s", mode);
	(void)snprintf(to, sizeof(to), "%s/%s", dir, helper);
	(void)unlink(to);
	if (symlink(from, to) < 0)
		printf("# no link for %s\n", mode);
}

static int
count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

static struct spawn_request
request(size_t i, struct spawn_fd fds[2])
{
	fds[0] = (struct spawn_fd){3, file_fd};
	fds[1] = (struct spawn_fd){4, slot_fd};
	return (struct spawn_request){.tool = &pages[i],
	    .call = (uint32_t)(1000 + i),
	    .fds = fds,
	    .n_fds = 2,
	    .body = "offset 1\nlimit 500\n",
	    .body_len = 19,
	    .done = on_done,
	    .arg = (void *)(uintptr_t)i};
}

static void
page_for(size_t i, const char *mode, unsigned wall)
{
	pages[i] = *tool_find("read_file");
	link_mode(mode, names[i]);
	pages[i].helper = names[i];
	if (wall != 0)
		pages[i].limits.wall_s = wall;
	if (strcmp(mode, "spin") == 0)
		pages[i].limits.cpu_s = 1;
}

static void
run_until(int n)
{
	for (int turns = 0; done_count < n && turns < 200000; turns++)
		if (loop_once(loop, 10000) != 0)
			break;
}

static struct spawner *
spawner(bool weaker)
{
	const struct spawn_config c = {.loop = loop,
	    .helpers = dir,
	    .weaker_landlock = weaker};
	struct spawner *s;

	if (spawner_new(&c, &s) != 0)
		exit(1);
	return s;
}

static void
all_modes(struct spawner *s)
{
	memset(got, 0, sizeof(got));
	done_count = 0;
	for (size_t i = 0; i < ROWS; i++) {
		struct spawn_fd fds[2];
		struct spawn_request q = request(i, fds);
		struct child *c;

		if (strcmp(rows[i].mode, "deaf") == 0)
			q.body = big, q.body_len = sizeof(big);
		if (spawn_start(s, &q, &c) != 0)
			printf("# cannot start %s\n", rows[i].mode);
	}
	ok_int(done_count, 0, "nothing is reported before the loop runs");
	run_until(ROWS);
	ok_int(done_count, ROWS, "every one ends, more than run at once");
}

TEST(every_lie)
{
	int before, after_one, after_two;
	struct spawner *s;

	if (mkdtemp(dir) == NULL || loop_new(&loop) != 0)
		exit(1);
	(void)chmod(dir, 0755);
	(void)alarm(120);
	file_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	slot_fd = memfd_create("slot", MFD_CLOEXEC);
	memset(big, 'x', sizeof(big));
	for (size_t i = 0; i < ROWS; i++)
		page_for(i, rows[i].mode, rows[i].wall);
	before = count_fds();
	s = spawner(false);
	all_modes(s);
	for (size_t i = 0; i < ROWS; i++) {
		ok(got[i].times == 1 && got[i].o.end == rows[i].end,
		    "%s ends as it should (%d, wanted %d; %d reports)", rows[i].mode,
		    got[i].o.end, rows[i].end, got[i].times);
		if (rows[i].number != 0)
			ok_int(got[i].o.number, rows[i].number, "and says by what");
		if (rows[i].end == SPAWN_UNCONFINED)
			ok(got[i].o.missing & LAYER_SECCOMP, "and says what is missing");
		if (strcmp(rows[i].mode, "talk") == 0)
			ok_int(got[i].text_len, 4096, "4 KiB of its log are kept");
	}
	ok_int(spawner_spawns(s), ROWS, "each was started once");
	after_one = count_fds();
	all_modes(s);
	after_two = count_fds();
	ok_int(after_two, after_one, "no descriptor grows");
	spawner_free(s);
	ok_int(count_fds(), before, "none is left");
	ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no zombie");
}

TEST(cancelling)
{
	struct spawn_fd fds[2];
	struct child *c[20];
	struct spawner *s = spawner(false);
	int wrong = 0;

	memset(got, 0, sizeof(got));
	done_count = 0;
	for (size_t i = 0; i < 20; i++) {
		struct spawn_request q;

		page_for(i, "asleep", 60);
		q = request(i, fds);
		if (spawn_start(s, &q, &c[i]) != 0)
			exit(1);
	}
	spawn_cancel(c[18]); /* still waiting */
	spawn_cancel(c[18]);
	ok_int(done_count, 0, "reported by the loop only");
	run_until(1);
	ok_int(got[18].times, 1, "one that waited ends at once");
	for (size_t i = 0; i < 20; i++)
		if (i != 18)
			spawn_cancel(c[i]);
	run_until(20);
	for (size_t i = 0; i < 20; i++)
		wrong += got[i].times != 1 || got[i].o.end != SPAWN_CANCELLED;
	ok_int(wrong, 0, "all are cancelled, once");
	ok_int(spawner_spawns(s), 16, "those that waited were never started");
	spawner_free(s);
	ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no zombie");
}

TEST(a_tighter_limit)
{
	struct spawn_fd fds[2];
	struct child *c;
	struct spawner *s = spawner(false);
	struct spawn_request q;

	memset(got, 0, sizeof(got));
	done_count = 0;
	page_for(0, "asleep", 60);
	q = request(0, fds);
	q.wall_s = 1;
	if (spawn_start(s, &q, &c) != 0)
		exit(1);
	page_for(1, "asleep", 1);
	q = request(1, fds);
	q.wall_s = 60;
	if (spawn_start(s, &q, &c) != 0)
		exit(1);
	run_until(2);
	ok(got[0].o.end == SPAWN_TIMEOUT && got[0].o.wall_s == 1, "a request's own");
	ok(got[1].o.end == SPAWN_TIMEOUT && got[1].o.wall_s == 1,
	    "it makes no page's limit wider");
	spawner_free(s);
}

TEST(order_of_those_that_wait)
{
	struct spawn_fd fds[2];
	struct child *c[20];
	struct spawner *s = spawner(false);
	int extra;

	memset(got, 0, sizeof(got));
	done_count = 0;
	for (size_t i = 0; i < 20; i++) {
		struct spawn_request q;

		page_for(i, i < 16 ? "asleep" : "honest", 60);
		q = request(i, fds);
		/* Its own descriptor may go once spawn_start is back. */
		fds[1].fd = extra = fcntl(slot_fd, F_DUPFD_CLOEXEC, 0);
		if (spawn_start(s, &q, &c[i]) != 0)
			exit(1);
		close(extra);
	}
	spawn_cancel(c[7]);
	run_until(5);
	ok_int(got[7].order, 0, "one makes room");
	ok(got[16].order == 1 && got[17].order == 2 && got[18].order == 3 &&
	        got[19].order == 4,
	    "the others come in the order they were asked");
	ok(got[16].o.end == SPAWN_ANSWERED && got[19].o.end == SPAWN_ANSWERED,
	    "with the descriptors they were given");
	spawner_free(s);
	ok_int(done_count, 5, "freeing kills and reports nothing");
	ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "no zombie");
}

TEST(not_started)
{
	struct spawn_fd fds[2];
	struct spawner *s = spawner(false);
	struct child *c;
	struct spawn_request q;

	memset(got, 0, sizeof(got));
	done_count = 0;
	page_for(0, "honest", 0);
	pages[0].helper = "no-such-helper";
	q = request(0, fds);
	ok_int(spawn_start(s, &q, &c), 0, "a helper that is not there");
	ok_int(done_count, 0, "is not reported by spawn_start");
	run_until(1);
	ok_int(got[0].o.end, SPAWN_NO_START, "but by the loop");
	ok_int(got[0].o.number, ENOENT, "with the reason");
	ok_int(spawner_spawns(s), 0, "and was not started");
	page_for(0, "honest", 0);
	q = request(0, fds);
	q.n_fds = 1;
	ok_int(spawn_start(s, &q, &c), E_BAD, "a descriptor too few");
	ok(c == NULL, "gives nothing");
	fds[1].n = 5;
	q.n_fds = 2;
	ok_int(spawn_start(s, &q, &c), E_BAD, "another number than the page's");
	q = request(0, fds);
	q.body_len = FRAME_BODY_MAX + 1;
	ok_int(spawn_start(s, &q, &c), E_BAD, "a record longer than a frame");
	spawner_free(s);
}

TEST(a_program_replaced_while_bb_runs)
{
	struct spawn_fd fds[2];
	struct spawner *s = spawner(false);
	struct spawn_request q;
	struct child *c;
	char cmd[PATH_MAX * 2], exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n < 0 ? 0 : n] = '\0';
	page_for(0, "honest", 0);
	for (int round = 0; round < 2; round++) {
		(void)strcpy(strrchr(exe, '/') + 1, "liar");
		(void)snprintf(cmd, sizeof(cmd),
		    "cp '%s' %s/new && mv %s/new %s/liar-honest", exe, dir, dir, dir);
		ok_int(system(cmd), 0, "a fresh file under the same name");
		memset(got, 0, sizeof(got));
		done_count = 0;
		q = request(0, fds);
		if (spawn_start(s, &q, &c) == 0)
			run_until(1);
		ok_int(got[0].o.end, SPAWN_ANSWERED, "is started");
	}
	spawner_free(s);
}

static void
on_list(void *arg, const struct spawn_outcome *o)
{
	*(struct spawn_outcome *)arg = *o;
	done_count++;
}

TEST(landlock_is_required_of_list_unless_weaker)
{
	struct tool page = *tool_find("list_files");
	int here = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct spawn_fd fds[3] = {{3, here}, {4, slot_fd}, {5, file_fd}};
	struct spawn_outcome o;
	char name[32];
	const struct spawn_request q = {.tool = &page,
	    .call = 1,
	    .fds = fds,
	    .n_fds = 3,
	    .done = on_list,
	    .arg = &o};

	link_mode("weak", name);
	page.helper = name;
	for (int weaker = 0; weaker < 2; weaker++) {
		struct spawner *s = spawner(weaker);
		struct child *c;

		done_count = 0;
		if (spawn_start(s, &q, &c) == 0)
			run_until(1);
		ok_int(o.end, weaker ? SPAWN_ANSWERED : SPAWN_UNCONFINED,
		    weaker ? "the person allowed it" : "not without Landlock");
		ok_int(o.missing, weaker ? 0 : LAYER_LANDLOCK, "what is missing");
		spawner_free(s);
	}
	close(here);
}

TEST(end)
{
	char cmd[100];

	loop_free(loop);
	(void)snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	ok_int(system(cmd), 0, "cleaned up");
}

TAP_MAIN

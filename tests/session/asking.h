/* A session that asks the ten questions of a script, in a process of its own, and
 * reports what was answered. */
#ifndef BB_TESTS_ASKING_H
#define BB_TESTS_ASKING_H

#include "tests/session/pty.h"

#include "bin/bb/ui/ask_int.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* Ten questions, each asked when the one before is answered. */
static const struct {
	const char *kind, *object, *answers;
	char key; /* 's' = stop */
	const char *result;
} script[10] = {
    {"trust", "/home/ana/src/shop", "yn", 'y', "yes"},
    {"vouch", "vendor/notes.md", "yn", 'n', "no"},
    {"write", "a\033[31m.c", "yarn", 'a', "always"},
    {"edit", "b\xff.c", "yn", 'y', "yes"},
    {"run", "make check", "yarn", 'r', "remember"},
    {"run", "make\nclean", "yarn", 'n', "no"},
    {"fetch", "https://example.com/", "yn", 'y', "yes"},
    {"output", "make check", "yan", 'a', "always"},
    {"lsp", "rust-analyzer", "yn", 'n', "no"},
    {"directory", "/home/ana/src/libcart", "yn", 's', "stop"},
};

static struct {
	struct loop *loop;
	struct asker *a;
	struct drawing *d;
	unsigned n;
	bool over;
} in;

static void ask_next(void);

static void
on_event(void *arg, const char *what, const char *detail)
{
	(void)arg;
	report("event %s %s\n", what,
	    strstr(what, "session socket") != NULL ? detail : "");
}

static void
on_command(void *arg, const char *line, const char *by, struct buf *out)
{
	(void)arg;
	report("event command %s by %s\n", line, by);
	buf_fmt(out, "rows for %s\n", line);
}

static void
on_done(void *arg, const struct answered *a)
{
	static const char *const words[] = {"none", "yes", "always", "remember", "no",
	    "stop", "nobody", "withdrawn"};

	(void)arg;
	report("%s %s\n", script[in.n].kind, words[a->answer]);
	drawing_free(in.d);
	in.d = NULL;
	if (++in.n == 10 || a->answer == ANSWER_NOBODY)
		in.over = true;
	else
		ask_next();
}

static void
ask_next(void)
{
	struct question q = {.kind = script[in.n].kind,
	    .who = "turn",
	    .tool = "t",
	    .object = script[in.n].object,
	    .answers = script[in.n].answers};
	char title[32];
	unsigned id;

	snprintf(title, sizeof title, "question %u?", in.n + 1);
	if (drawing_new(title, &in.d) != 0)
		_exit(9);
	drawing_fact(in.d, "about", script[in.n].object, true, SHADE_BOLD);
	for (const char *s = q.answers; *s != '\0'; s++)
		drawing_key(in.d, *s, *s == 'n' ? "no" : "yes", *s != 'n');
	drawing_key(in.d, CTRL_C, "stop", false);
	q.drawing = in.d;
	if (asker_ask(in.a, &q, on_done, NULL, &id) != 0)
		_exit(9);
}

struct plan {
	const char *how; /* NULL: the session socket */
	const char *runtime;
	uint64_t patience;
	int report;
	bool wait; /* for somebody to attach */
};

/* The session: ten questions, then out. */
static void
session(const struct plan *p)
{
	struct asker_config c = {.how = p->how,
	    .listen = p->how == NULL,
	    .runtime = p->runtime,
	    .session = "7f3a",
	    .workspace = "/home/ana/src/shop",
	    .front = "drive",
	    .max_declined = 5,
	    .event = on_event,
	    .command = on_command};
	int null = open("/dev/null", O_RDWR);

	pty_report = p->report;
	/* no terminal of its own */
	(void)setsid();
	dup2(null, 0);
	dup2(null, 2);
	memset(&in, 0, sizeof in);
	signal(SIGPIPE, SIG_IGN);
	if (loop_new(&in.loop) != 0)
		_exit(9);
	c.loop = in.loop;
	if (asker_new(&c, &in.a) != 0) {
		report("cannot: %s\n", strerror(errno));
		_exit(9);
	}
	if (p->patience > 0)
		asker_patience(in.a, p->patience);
	report("ready\n");
	while (p->wait && !asker_reachable(in.a))
		if (loop_once(in.loop, -1) != 0)
			_exit(9);
	ask_next();
	asker_called(in.a, "read", "src/a\033[2J.c", "where it is");
	asker_came(in.a, "9 matches", false);
	while (!in.over && loop_once(in.loop, -1) == 0)
		;
	for (int i = 0; i < 3; i++) /* what was refused goes out */
		if (loop_once(in.loop, 20) != 0)
			break;
	asker_free(in.a);
	loop_free(in.loop);
	report("end\n");
	_exit(0);
}

/* --- the parts ------------------------------------------------------------------------ */

static char dir[64], said[65536];
static int from_session = -1;
static pid_t middle;

/* The session runs below a process of its own: who comes later is no relative. */
static void
session_start(struct plan *p, int spare)
{
	int pair[2];

	said[0] = '\0';
	fflush(stdout);
	if (pipe2(pair, O_CLOEXEC) != 0)
		exit(1);
	if ((middle = fork()) == 0) {
		pid_t pid;
		int st;

		close(pair[0]);
		p->report = pair[1];
		if ((pid = fork()) == 0) {
			prctl(PR_SET_PDEATHSIG,
			    SIGKILL); /* a test cut short leaves nobody */
			session(p);
		}
		if (spare >= 0)
			close(spare);
		waitpid(pid, &st, 0);
		_exit(WIFEXITED(st) ? WEXITSTATUS(st) : 99);
	}
	close(pair[1]);
	from_session = pair[0];
}

static bool
session_says(const char *text)
{
	for (int i = 0; i < 400 && strstr(said, text) == NULL; i++) {
		struct pollfd pf = {from_session, POLLIN, 0};
		size_t at = strlen(said);
		ssize_t n;

		if (poll(&pf, 1, 25) > 0) {
			n = read(from_session, said + at, sizeof said - at - 1);
			if (n <= 0)
				break;
			said[at + (size_t)n] = '\0';
		}
	}
	if (strstr(said, text) == NULL)
		printf("# the session said %s\n", said);
	return strstr(said, text) != NULL;
}

static int
session_end(void)
{
	int st;

	(void)session_says("end\n");
	waitpid(middle, &st, 0);
	close(from_session);
	return WIFEXITED(st) ? WEXITSTATUS(st) : 99;
}

static void
fresh(void)
{
	strcpy(dir, "/tmp/bbapproverXXXXXX");
	if (mkdtemp(dir) == NULL)
		exit(1);
}

static void
gone(void)
{
	char cmd[128];

	snprintf(cmd, sizeof cmd, "%s/7f3a.sock", dir);
	unlink(cmd);
	ok(rmdir(dir) == 0, "nothing is left behind");
}

static void
approve_child(void *arg)
{
	int r = approve_main(dir, arg, false, false, COLOUR_NEVER);

	report("exit %d\n", r);
}

static struct pty pt;

#endif

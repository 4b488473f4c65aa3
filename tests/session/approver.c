/* One script of ten questions over every channel, with equal results; and the rules of
 * the session socket: who may answer, who only watches, what happens when they leave. */
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
	report("event %s %s\n", what, strstr(what, "session socket") != NULL ? detail : "");
}

static void
on_command(void *arg, const char *line, struct buf *out)
{
	(void)arg;
	buf_fmt(out, "rows for %s\n", line);
}

static void
on_done(void *arg, const struct answered *a)
{
	static const char *const words[] = {"none", "yes", "always", "remember", "no", "stop",
	    "nobody", "withdrawn"};

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
	struct question q = {.kind = script[in.n].kind, .who = "turn", .tool = "t",
	    .object = script[in.n].object, .answers = script[in.n].answers};
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
	struct asker_config c = {.how = p->how, .listen = p->how == NULL, .runtime = p->runtime,
	    .session = "7f3a", .workspace = "/home/ana/src/shop", .front = "drive",
	    .max_declined = 5, .event = on_event, .command = on_command};
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
	asker_transcript(in.a, "read     src/a.c");
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

/* --- an approver that follows the script over descriptors ------------------------- */

static void
approver(int in_fd, int out_fd)
{
	FILE *f = fdopen(in_fd, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while (f != NULL && (n = getline(&line, &room, f)) > 0) {
		json_t *v = NULL;
		char b[64];
		int64_t id;

		if (json_parse(line, (size_t)n - 1, &v, NULL) != 0)
			_exit(7);
		if (json_get_int(v, ".ask", 1, 10, &id) == 0 && json_object_get(v, "screen") != NULL) {
			char key[2] = {script[id - 1].key};

			snprintf(b, sizeof b, "{\"ask\":%d,\"answer\":\"%s\"}\n", (int)id,
			    key[0] == 's' ? "stop" : key);
			if (write(out_fd, b, strlen(b)) < 0)
				_exit(7);
		}
		json_decref(v);
	}
	_exit(0);
}

/* exec: is this program again. */
__attribute__((constructor)) static void
as_program(void)
{
	if (getenv("BB_TEST_APPROVER") != NULL)
		approver(0, 1);
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
			prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test cut short leaves nobody */
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

/* Only the lines about questions. */
static void
results(char *out, size_t room)
{
	out[0] = '\0';
	for (const char *s = said; *s != '\0';) {
		size_t n = strcspn(s, "\n");

		if (strncmp(s, "event", 5) != 0 && strncmp(s, "ready", 5) != 0)
			snprintf(out + strlen(out), room - strlen(out), "%.*s\n", (int)n, s);
		s += n + (s[n] == '\n');
	}
}

static void
compare(const char *channel)
{
	char got[4096], want[4096] = "";

	ok_int(session_end(), 0, channel);
	results(got, sizeof got);
	for (size_t i = 0; i < 10; i++)
		snprintf(want + strlen(want), sizeof want - strlen(want), "%s %s\n", script[i].kind,
		    script[i].result);
	strcat(want, "end\n");
	ok_str(got, want, channel);
}

static pid_t
start_approver(int in_fd, int out_fd, int drop)
{
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		if (drop >= 0)
			close(drop);
		approver(in_fd, out_fd);
	}
	return pid;
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

static int
connect_to(const char *name)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof a.sun_path, "%s/%s", dir, name);
	if (connect(s, (struct sockaddr *)&a, sizeof a) != 0) {
		close(s);
		return -1;
	}
	return s;
}

/* What comes within 3 s, until it holds `text` or the other side closes. */
static bool
hears(int fd, const char *text, char *all, size_t room)
{
	size_t n = strlen(all);

	for (int i = 0; i < 120 && strstr(all, text) == NULL; i++) {
		struct pollfd pf = {fd, POLLIN, 0};
		ssize_t r;

		if (poll(&pf, 1, 25) <= 0)
			continue;
		if ((r = recv(fd, all + n, room - n - 1, 0)) <= 0)
			break;
		n += (size_t)r;
		all[n] = '\0';
	}
	if (strstr(all, text) == NULL)
		printf("# heard %.2000s\n", all);
	return strstr(all, text) != NULL;
}

/* --- ten questions, five channels -------------------------------------------------------- */

TEST(over_a_socket)
{
	int pair[2];
	char how[32];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		exit(1);
	pid = start_approver(pair[1], pair[1], pair[0]);
	close(pair[1]);
	snprintf(how, sizeof how, "fd:%d", pair[0]);
	session_start(&(struct plan){.how = how}, pair[0]);
	close(pair[0]);
	compare("fd socket");
	waitpid(pid, NULL, 0);
}

TEST(over_pipes)
{
	int to[2], from[2], base = 40;
	pid_t pid;

	if (pipe(to) != 0 || pipe(from) != 0)
		exit(1);
	/* N to read, N+1 to write */
	dup2(from[0], base);
	dup2(to[1], base + 1);
	close(from[0]);
	close(to[1]);
	fflush(stdout);
	if ((pid = fork()) == 0) {
		close(base);
		close(base + 1);
		approver(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	/* the process between must not hold the ends */
	fflush(stdout);
	session_start(&(struct plan){.how = "fd:40"}, base);
	close(base);
	close(base + 1);
	compare("fd pipes");
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

TEST(over_a_named_socket)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), c;
	char how[128];
	pid_t pid;

	fresh();
	snprintf(a.sun_path, sizeof a.sun_path, "%s/mine", dir);
	snprintf(how, sizeof how, "unix:%s", a.sun_path);
	if (bind(s, (struct sockaddr *)&a, sizeof a) != 0 || listen(s, 1) != 0)
		exit(1);
	session_start(&(struct plan){.how = how}, -1);
	c = accept(s, NULL, NULL);
	pid = start_approver(c, c, -1);
	close(c);
	compare("unix:");
	waitpid(pid, NULL, 0);
	close(s);
	unlink(a.sun_path);
	gone();
}

TEST(by_a_program)
{
	char how[4200] = "exec:";
	ssize_t n = readlink("/proc/self/exe", how + 5, sizeof how - 6);

	how[5 + (n > 0 ? n : 0)] = '\0';
	setenv("BB_TEST_APPROVER", "1", 1);
	session_start(&(struct plan){.how = how}, -1);
	unsetenv("BB_TEST_APPROVER");
	compare("exec:");
}

static void
approve_child(void *arg)
{
	int r = approve_main(dir, arg, false, false, COLOUR_NEVER);

	report("exit %d\n", r);
}

static struct pty pt;

TEST(by_bb_approve)
{
	struct stat st;
	char path[96];

	fresh();
	session_start(&(struct plan){.runtime = dir, .wait = true}, -1);
	ok(session_says("ready"), "the session listens");
	snprintf(path, sizeof path, "%s/7f3a.sock", dir);
	ok(stat(path, &st) == 0 && S_ISSOCK(st.st_mode) && (st.st_mode & 0777) == 0600,
	    "at a socket of its own, 0600");
	ok(stat(dir, &st) == 0 && (st.st_mode & 0777) == 0700, "in a directory of 0700");
	pty_start(&pt, "xterm", 80, 24, approve_child, (void *)(uintptr_t)"7f3a");
	ok(sees(&pt, "bb approve  session  7f3a  /home/ana/src/shop  drive"), "says where it is");
	ok(sees(&pt, "you answer here"), "holds the pen");
	for (size_t i = 0; i < 10; i++) {
		char title[32], key[2] = {script[i].key == 's' ? '\003' : script[i].key};

		snprintf(title, sizeof title, "question %zu?", i + 1);
		if (!sees(&pt, title) || !sees(&pt, "ctrl-c stop"))
			break;
		if (i == 2) {
			keys_in(&pt, "y");
			drain(&pt, 50);
			ok(strstr(said, "write") == NULL, "keys are dead here too");
		}
		press(&pt, key);
		ok(sees(&pt, "asked "), "the row after the answer");
	}
	compare("bb approve");
	ok(strstr(pt.seen, "read     src/a.c") != NULL, "transcript rows");
	ok(strstr(pt.seen, "a\033[31m.c") == NULL, "nothing of the drawing steers the terminal");
	ok(sees(&pt, "the session ended"), "told of the end");
	ok(says(&pt, "exit 0"), "and leaves");
	ok(restored(&pt), "the terminal as it was");
	pty_end(&pt);
	ok(stat(path, &st) != 0, "the socket is removed");
	gone();
}

/* --- the rules of the socket ---------------------------------------------------------------- */

TEST(watching_and_the_pen)
{
	static struct pty second;

	fresh();
	session_start(&(struct plan){.runtime = dir, .wait = true, .patience = 200}, -1);
	(void)session_says("ready");
	pty_start(&pt, "xterm", 80, 24, approve_child, NULL);
	ok(says(&pt, "exit 75"), "no session of this directory");
	ok(sees(&pt, "7f3a  /home/ana/src/shop  drive  0 waiting"), "but the others are named");
	pty_end(&pt);

	pty_start(&pt, "xterm", 80, 24, approve_child, (void *)(uintptr_t)"7f");
	sees(&pt, "question 1?");
	sees(&pt, "ctrl-c stop");
	pty_start(&second, "xterm", 50, 24, approve_child, (void *)(uintptr_t)"7f3a");
	ok(sees(&second, "question 1?"), "the second one sees the question");
	ok(sees(&second, "answers; you are watching"), "and watches");
	press(&second, "y");
	press(&second, "\025/status\r");
	ok(sees(&second, "rows for /status"), "may ask for the status");
	press(&second, "/trust x\r");
	ok(sees(&second, "/pen takes the pen"), "and decides nothing");
	ok(strstr(said, "trust yes") == NULL, "its y was no answer");
	press(&second, "/pen\r");
	ok(sees(&second, "you answer here"), "takes the pen");
	ok(sees(&pt, "answers; you are watching"), "the first is told");
	ok(sees(&second, "ctrl-c stop"), "the question is drawn here now");
	press(&pt, "n");
	press(&second, "y");
	ok(session_says("trust yes"), "and answered here");
	ok(sees(&pt, "yes, this session"), "the first sees the answer");
	sees(&second, "question 2?");
	sees(&second, "ctrl-c stop");
	kill(second.pid, SIGKILL);
	pty_end(&second);
	ok(sees(&pt, "left"), "who goes is announced");
	ok(sees(&pt, "you answer here"), "the pen comes back");
	press(&pt, "n");
	ok(session_says("vouch no"), "and answers");
	sees(&pt, "question 3?");
	kill(pt.pid, SIGKILL);
	pty_end(&pt);
	ok(session_says("write no\n"), "nobody came back: no");
	session_end();
	ok(strstr(said, "event approver attached") != NULL &&
	    strstr(said, "event approver detached") != NULL, "recorded");
	gone();
}

struct visit {
	bool tty;
	const char *line, *want;
	bool ask; /* may hear a question */
};

static void
visitor(const struct visit *v, char *all, size_t room)
{
	int s = connect_to("7f3a.sock");

	all[0] = '\0';
	if (s >= 0 && v->line != NULL && write(s, v->line, strlen(v->line)) < 0)
		printf("# cannot write\n");
	(void)hears(s, v->want, all, room);
	close(s);
}

TEST(who_may_not)
{
	static char all[65536];

	fresh();
	session_start(&(struct plan){.runtime = dir, .wait = true}, -1);
	(void)session_says("ready");
	/* a process without a controlling terminal */
	fflush(stdout);
	for (int i = 0; i < 4; i++) {
		static const struct visit visits[] = {
			{.line = "{\"hello\":1}\n", .want = "an approver needs a terminal"},
			{.line = NULL, .want = "an approver needs a terminal"},
			{.line = "{\"command\":\"/trust .\"}\n", .want = "refused: an approver needs"},
			{.line = "{\"command\":\"/status\"}\n", .want = "rows for /status"},
		};
		int st;
		pid_t pid = fork();

		if (pid == 0) {
			setsid();
			visitor(&visits[i], all, sizeof all);
			_exit(strstr(all, visits[i].want) != NULL && strstr(all, "\"ask\"") == NULL &&
			        strstr(all, "\"pen\"") == NULL ? 0 : 1);
		}
		waitpid(pid, &st, 0);
		ok(st == 0, "without a terminal: %s", visits[i].want);
	}
	kill(middle, SIGTERM);
	waitpid(middle, NULL, 0);
	close(from_session);
	nap(50);
	gone();
}

static void
relative(void *arg)
{
	struct plan p = {.runtime = dir, .wait = true, .report = pty_report};
	char *all = arg;
	int s = -1;
	pid_t pid = fork();

	if (pid == 0)
		session(&p);
	for (int i = 0; i < 200 && s < 0; i++) {
		nap(10);
		s = connect_to("7f3a.sock");
	}
	if (write(s, "{\"pen\":1}\n", 10) < 0)
		_exit(1);
	report("heard %d\n", hears(s, "you were started by the program", all, 65536));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(relatives)
{
	static char all[65536];
	int s, st;
	struct stat before, after;
	char path[96];

	fresh();
	pty_start(&pt, "xterm", 80, 24, relative, all);
	ok(says(&pt, "heard 1"), "who descends from the session's own parent is refused");
	pty_end(&pt);
	/* it was killed: its socket is there and nobody listens */
	snprintf(path, sizeof path, "%s/7f3a.sock", dir);
	ok(stat(path, &before) == 0, "a killed session leaves its socket");
	session_start(&(struct plan){.runtime = dir, .wait = true}, -1);
	ok(session_says("ready"), "the next one starts all the same");
	s = connect_to("7f3a.sock");
	ok(s >= 0 && stat(path, &after) == 0, "and replaces it");
	close(s);
	/* a second session of that name does not take a live one's place */
	{
		pid_t first = middle;
		int from = from_session;

		session_start(&(struct plan){.runtime = dir}, -1);
		ok(session_says("event no session socket"), "a live one is left alone");
		ok(session_says("trust nobody"), "and without a socket nobody is asked");
		session_end();
		middle = first;
		from_session = from;
	}
	s = connect_to("7f3a.sock");
	ok(s >= 0, "the first still listens");
	close(s);
	kill(middle, SIGTERM);
	waitpid(middle, &st, 0);
	close(from_session);
	gone();
}

TAP_MAIN

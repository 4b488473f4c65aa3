/* The rules of the session socket: who may answer, who only watches, what happens when
 * they leave. */
#include "tests/session/asking.h"

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

/* --- the rules of the socket ---------------------------------------------------------------- */

TEST(watching_and_the_pen)
{
	static struct pty second;

	fresh();
	session_start(&(struct plan){.runtime = dir, .wait = true, .patience = 200}, -1);
	(void)session_says("ready");
	pty_start(&pt, "xterm", 80, 24, approve_child, NULL);
	ok(says(&pt, "exit 75"), "no session of this directory");
	ok(sees(&pt, "7f3a  /home/ana/src/shop  drive  0 waiting"),
	    "but the others are named");
	pty_end(&pt);

	pty_start(&pt, "xterm", 80, 24, approve_child, (void *)(uintptr_t) "7f");
	sees(&pt, "question 1?");
	sees(&pt, "ctrl-c stop");
	pty_start(&second, "xterm", 50, 24, approve_child, (void *)(uintptr_t) "7f3a");
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
	        strstr(said, "event approver detached") != NULL,
	    "recorded");
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
		    {.line = "{\"command\":\"/trust .\"}\n",
		        .want = "refused: an approver needs"},
		    {.line = "{\"command\":\"/status\"}\n", .want = "rows for /status"},
		};
		int st;
		pid_t pid = fork();

		if (pid == 0) {
			setsid();
			visitor(&visits[i], all, sizeof all);
			_exit(strstr(all, visits[i].want) != NULL &&
			            strstr(all, "\"ask\"") == NULL &&
			            strstr(all, "\"pen\"") == NULL
			        ? 0
			        : 1);
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

/* At a terminal, but no approver: the first line is a command. */
static void
typist(void *arg)
{
	static char all[65536];
	int s = connect_to("7f3a.sock");

	(void)arg;
	if (s >= 0 && write(s, "{\"command\":\"/trust .\"}\n", 24) == 24)
		(void)hears(s, "rows\"", all, sizeof all);
	report("%s\n", strstr(all, "rows for") != NULL ? "obeyed" : "not obeyed");
	for (int i = 0; i < 200 && s >= 0; i++)
		if (write(s, "{\"command\":\"/trust .\"}\n", 24) != 24)
			break;
	nap(300);
	close(s);
}

/* One who took the pen first. */
static void
holder(void *arg)
{
	static char all[65536];
	static const char words[] = "{\"pen\":1}\n{\"command\":\"/trust a\\u001b[2J\"}\n";
	int s = connect_to("7f3a.sock");

	(void)arg;
	if (s >= 0 && write(s, words, sizeof words - 1) > 0)
		(void)hears(s, "rows for", all, sizeof all);
	report("%s\n", strstr(all, "rows for") != NULL ? "obeyed" : "not obeyed");
	nap(300);
	close(s);
}

TEST(the_pen_decides)
{
	static struct pty second;

	fresh();
	session_start(&(struct plan){.runtime = dir, .wait = true}, -1);
	(void)session_says("ready");
	pty_start(&pt, "xterm", 80, 24, approve_child, (void *)(uintptr_t) "7f3a");
	ok(sees(&pt, "you answer here"), "one holds the pen");
	pty_start(&second, "xterm", 80, 24, typist, NULL);
	ok(says(&second, "obeyed\n"), "another one types a command at once");
	ok(strstr(second.said, "not obeyed") != NULL, "and is not obeyed");
	ok(session_says("event command refused"), "it is recorded");
	ok(session_says("event approver ended"), "who goes on and on is ended");
	pty_end(&second);
	pty_start(&second, "xterm", 80, 24, holder, NULL);
	ok(says(&second, "obeyed\n") && strstr(second.said, "not") == NULL,
	    "who took the pen is obeyed");
	ok(session_says("by bb approve (pid"), "the session hears by whom");
	ok(sees(&pt, " typed /trust a"), "the others are told");
	ok(strstr(pt.seen, "\033[2J") == NULL || strstr(pt.seen, "a\033[2J") == NULL,
	    "and nothing in it steers their terminal");
	pty_end(&second);
	pty_start(&second, "xterm", 80, 24, approve_child, (void *)(uintptr_t) "7f3a");
	ok(sees(&second, "question 1?"), "one who watches");
	press(&pt, "n");
	sees(&pt, "question 2?");
	press(&pt, "n");
	sees(&pt, "question 3?");
	press(&second, "/pen\r");
	ok(sees(&second, "you answer here"), "takes the pen");
	ok(session_says("event pen taken"), "which is recorded");
	ok(sees(&pt, "answers; you are watching"), "and told");
	sees(&second, "ctrl-c stop");
	press(&second, "n");
	ok(session_says("write no"), "he answers");
	kill(middle, SIGTERM);
	kill(pt.pid, SIGKILL);
	kill(second.pid, SIGKILL);
	pty_end(&pt);
	pty_end(&second);
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

/* One script of ten questions over every channel, with equal results. */
#include "tests/session/asking.h"

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
		if (json_get_int(v, ".ask", 1, 10, &id) == 0 &&
		    json_object_get(v, "screen") != NULL) {
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

/* Only the lines about questions. */
static void
results(char *out, size_t room)
{
	out[0] = '\0';
	for (const char *s = said; *s != '\0';) {
		size_t n = strcspn(s, "\n");

		if (strncmp(s, "event", 5) != 0 && strncmp(s, "ready", 5) != 0)
			snprintf(out + strlen(out), room - strlen(out), "%.*s\n", (int)n,
			    s);
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
		snprintf(want + strlen(want), sizeof want - strlen(want), "%s %s\n",
		    script[i].kind, script[i].result);
	snprintf(want + strlen(want), sizeof want - strlen(want), "end\n");
	ok_str(got, want, channel);
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
	pty_start(&pt, "xterm", 80, 24, approve_child, (void *)(uintptr_t) "7f3a");
	ok(sees(&pt, "bb approve  session  7f3a  /home/ana/src/shop  drive"),
	    "says where it is");
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
	ok(strstr(pt.seen, "  read     src/a\u241b[2J.c ") != NULL &&
	        strstr(pt.seen, "where it is") != NULL &&
	        strstr(pt.seen, "                  9 matches") != NULL,
	    "transcript rows");
	ok(strstr(pt.seen, "a\033[31m.c") == NULL,
	    "nothing of the drawing steers the terminal");
	ok(sees(&pt, "the session ended"), "told of the end");
	ok(says(&pt, "exit 0"), "and leaves");
	ok(restored(&pt), "the terminal as it was");
	pty_end(&pt);
	ok(stat(path, &st) != 0, "the socket is removed");
	gone();
}

TAP_MAIN

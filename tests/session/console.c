/* The second terminal beside a real `bb drive`: it sees the session's calls, its commands
 * do what they say, and a stop stops the turn. */
#include "tests/session/pty.h"

#include <limits.h>
#include <sys/prctl.h>
#include <sys/stat.h>

static char dir[] = "/tmp/bbconsole.XXXXXX", bb[PATH_MAX], heard[1 << 20];
static const char *workspace, *trusts; /* of the session that runs */
static int to_drive, from_drive;
static pid_t middle;
static struct pty pt;

static void
put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if ((f = fopen(path, "w")) == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(1);
}

static void
prepare(void)
{
	static const char *const subs[][2] = {{"HOME", "home"},
	    {"XDG_STATE_HOME", "state"}, {"XDG_RUNTIME_DIR", "run"},
	    {"XDG_CONFIG_HOME", "config"}};
	char path[128];
	ssize_t n = readlink("/proc/self/exe", bb, sizeof bb - sizeof "/bin/bb");

	if (n < 0 || mkdtemp(dir) == NULL)
		exit(1);
	bb[n] = '\0';
	for (int up = 0; up < 3; up++) /* tests/session/console.t */
		*strrchr(bb, '/') = '\0';
	(void)strcat(bb, "/bin/bb");
	for (size_t i = 0; i < sizeof subs / sizeof *subs; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, subs[i][1]);
		if (mkdir(path, 0700) != 0)
			exit(1);
		setenv(subs[i][0], path, 1);
	}
	snprintf(path, sizeof path, "%s/ws", dir);
	if (mkdir(path, 0700) != 0)
		exit(1);
	put("ws/a.txt", "alpha\n");
	for (const char *c = "1234567"; *c; c++) {
		char name[] = "ws/u?.txt";

		name[4] = *c;
		put(name, "unknown\n");
	}
	put("stopper",
	    "#!/bin/sh\nwhile read -r l; do case $l in *'\"screen\"'*) "
	    "echo '{\"ask\":1,\"answer\":\"stop\"}' ;; esac; done\n");
	snprintf(path, sizeof path, "%s/stopper", dir);
	chmod(path, 0700);
}

static void
finish(void)
{
	char cmd[128];

	snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok(system(cmd) == 0, "removed");
}

/* The session runs below a process of its own: who comes later is no relative. */
static void
drive_start(const char *ws, const char *trust)
{
	int in[2], out[2];

	workspace = ws;
	trusts = trust;
	heard[0] = '\0';
	fflush(stdout);
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		exit(1);
	if ((middle = fork()) == 0) {
		pid_t pid;
		int null = open("/dev/null", O_RDWR), st;

		(void)setsid();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if ((pid = fork()) == 0) {
			dup2(in[0], 0);
			dup2(out[1], 1);
			dup2(null, 2);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			execl(bb, "bb", "-C", ws, trust, "drive", (char *)NULL);
			_exit(127);
		}
		close(in[1]);
		close(out[0]);
		waitpid(pid, &st, 0);
		_exit(0);
	}
	close(in[0]);
	close(out[1]);
	to_drive = in[1];
	from_drive = out[0];
}

static void
drive_end(void)
{
	close(to_drive);
	waitpid(middle, NULL, 0);
	close(from_drive);
	pty_end(&pt);
}

static void
tell(const char *line)
{
	heard[0] = '\0';
	if (write(to_drive, line, strlen(line)) < 0 || write(to_drive, "\n", 1) != 1)
		printf("# cannot write\n");
}

static bool
hears(const char *text)
{
	for (int i = 0; i < 400 && strstr(heard, text) == NULL; i++) {
		struct pollfd pf = {from_drive, POLLIN, 0};
		size_t at = strlen(heard);
		ssize_t n;

		if (poll(&pf, 1, 25) > 0) {
			n = read(from_drive, heard + at, sizeof heard - at - 1);
			if (n <= 0)
				break;
			heard[at + (size_t)n] = '\0';
		}
	}
	if (strstr(heard, text) == NULL)
		printf("# not heard: %s\n# but %.3000s\n", text, heard);
	return strstr(heard, text) != NULL;
}

static void
approve(void *arg)
{
	(void)arg;
	fcntl(pty_report, F_SETFD, 0); /* its end would make every wait short */
	if (chdir(workspace) == 0)
		execl(bb, "bb", "approve", (char *)NULL);
	_exit(127);
}

static void
begin(const char *ws, const char *trust)
{
	drive_start(ws, trust);
	tell("{\"id\":0,\"hello\":1}");
	(void)hears("\"id\":0");
	pty_start(&pt, "xterm", 80, 40, approve, NULL);
	ok(sees(&pt, "you answer here"), "attached");
}

static const char *
ws(void)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/ws", dir);
	return path;
}

TEST(calls_are_seen)
{
	prepare();
	begin(ws(), "--trust");
	tell("{\"id\":1,\"tool\":\"list_files\",\"args\":{\"directory\":\".\",\"why\":"
	     "\"what is there\\u001b[2J\"}}");
	ok(sees(&pt, "  list     .  ") && sees(&pt, "what is there\u241b[2J"),
	    "a call and why it is made");
	ok(sees(&pt, "                  8 entries"), "what came of it, below");
	tell(
	    "{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"../../etc/passwd\"}}");
	ok(sees(&pt, "  refused  ../../etc/passwd") && sees(&pt, "outside the workspace"),
	    "a refusal is never silent");
	tell("{\"id\":3,\"tool\":\"read_file\",\"args\":{\"path\":\"no\\u001b["
	     "2J\\u202e\"}}");
	ok(sees(&pt, "  read     no\u241b[2J<U+202E>") && sees(&pt, "not found"),
	    "an error too, its words made visible");
	tell("{\"id\":4,\"tool\":\"make_tea\",\"args\":{}}");
	ok(sees(&pt, "make_tea") && sees(&pt, "unknown tool"), "and an unknown tool");
	ok(strstr(pt.seen, "\033[2J") == NULL, "nothing steers the terminal");
	press(&pt, "/distrust u1.txt\r");
	ok(sees(&pt, "held back from now on"), "one is taken back");
	tell("{\"id\":5,\"tool\":\"list_files\",\"args\":{}}");
	(void)hears("\"id\":5");
	tell("{\"id\":6,\"tool\":\"read_file\",\"args\":{\"path_ref\":\"ref:0\"}}");
	ok(sees(&pt, "  read     ref:0"), "a held-back name stays a reference");
	ok(sees(&pt, "let the agent read this file?") && sees(&pt, "ctrl-c stop"),
	    "only the question shows it");
	press(&pt, "n");
	ok(sees(&pt, "held back (ref:0)"), "what became of it");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(rows_wait_for_a_question)
{
	char *at;

	begin(ws(), "--trust=a.txt");
	tell("{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"u1.txt\"}}");
	ok(sees(&pt, "let the agent read this file?") && sees(&pt, "ctrl-c stop"),
	    "asked");
	at = pt.seen + pt.mark;
	tell("{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}");
	ok(hears("\"id\":2"), "another call ends meanwhile");
	drain(&pt, 200);
	ok(strstr(at, "a.txt") == NULL, "which does not disturb the drawing");
	press(&pt, "n");
	ok(sees(&pt, "  read     a.txt"), "and is shown afterwards");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(the_agent_asks)
{
	begin(ws(), "--trust=a.txt");
	tell("{\"id\":1,\"tool\":\"ask_user\",\"args\":{\"questions\":[{\"header\":"
	     "\"Style\","
	     "\"question\":\"Which?\",\"options\":[\"one\",\"two\"],\"multiple\":true},"
	     "{\"header\":\"Name\",\"question\":\"What is it called?\"},"
	     "{\"header\":\"Last\",\"question\":\"More?\"}]}}");
	ok(sees(&pt, "the agent asks") && sees(&pt, "1 of 3") && sees(&pt, "[ ] 2") &&
	        sees(&pt, "ctrl-c stop"),
	    "a question with boxes, the first of three");
	press(&pt, "2");
	ok(sees(&pt, "[x] 2"), "ticked here");
	press(&pt, "d");
	ok(sees(&pt, "2 of 3") && sees(&pt, "What is it called?") &&
	        sees(&pt, "ctrl-c stop"),
	    "the second");
	press(&pt, "1");
	(void)sees(&pt, "  > ");
	keys_in(&pt, "lexer");
	(void)sees(&pt, "lexer");
	drain(&pt, 50);
	keys_in(&pt, "\r");
	ok(sees(&pt, "3 of 3") && sees(&pt, "ctrl-c stop"), "the third");
	press(&pt, "s");
	ok(hears("1. Style: chosen: two\\n2. Name: in their own words: lexer\\n"
	         "3. Last: skipped"),
	    "the answers");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(a_yes_lasts_as_long_as_it_says)
{
	begin(ws(), "--trust=a.txt");
	tell("{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"u7.txt\"}}");
	(void)(sees(&pt, "let the agent read this file?") && sees(&pt, "ctrl-c stop"));
	press(&pt, "?");
	ok(sees(&pt, "also when it has changed") && sees(&pt, "/distrust"), "said so");
	press(&pt, "y");
	ok(hears("unknown"), "read");
	put("ws/u7.txt", "changed\n");
	tell("{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"u7.txt\"}}");
	ok(hears("changed"), "and it is so");
	press(&pt, "/distrust u7.txt\r");
	(void)sees(&pt, "held back from now on");
	tell("{\"id\":3,\"tool\":\"read_file\",\"args\":{\"path\":\"u7.txt\"}}");
	ok(hears("held back"), "until it is taken back");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(commands)
{
	begin(ws(), "--trust");
	tell("{\"id\":1,\"tool\":\"list_files\",\"args\":{}}");
	(void)hears("\"id\":1");
	tell("{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}");
	(void)hears("\"id\":2");
	press(&pt, "/log 1\r");
	ok(sees(&pt, "read_file") && sees(&pt, "confine"), "/log 1 has the last call");
	press(&pt, "/log\r");
	ok(sees(&pt, "list_files") && sees(&pt, "read_file"), "/log the last ones");
	press(&pt, "/log tea\r");
	ok(sees(&pt, "/log takes a number"), "/log something else");
	press(&pt, "/stop\r");
	ok(sees(&pt, "no call is open"), "/stop without a call");
	press(&pt, "/stop  \r");
	ok(sees(&pt, "no call is open"), "blanks behind it are nothing");
	press(&pt, "/help me\r");
	ok(sees(&pt, "/pen take the pen"), "help is of this window");
	ok(strstr(pt.seen, "no such command") == NULL, "no listed one is missing");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(stop_ends_an_open_call)
{
	int fd = open("/proc/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		ok(true, "a call that takes long # SKIP /proc/kmsg cannot be read");
		return;
	}
	close(fd);
	begin("/proc", "--trust");
	tell("{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"kmsg\"}}");
	ok(sees(&pt, "  read     kmsg"), "a call runs");
	press(&pt, "/stop\r");
	ok(sees(&pt, "stopped 1 call"), "/stop ends it");
	ok(hears("\"cancelled\"") && hears("the person stopped this turn"), "as said");
	tell("{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"version\"}}");
	ok(hears("refused: the person stopped this turn"), "the turn is over");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(a_stop_stops_the_turn)
{
	begin(ws(), "--trust=a.txt");
	tell("{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"u1.txt\"}}\n"
	     "{\"id\":2,\"tool\":\"read_file\",\"args\":{\"path\":\"u2.txt\"}}");
	ok(sees(&pt, "let the agent read this file?") && sees(&pt, "ctrl-c stop"),
	    "asked");
	press(&pt, "\003");
	ok(hears("\"id\":1") && hears("\"id\":2"), "both calls end");
	ok(strstr(heard, "held back") == NULL &&
	        strstr(heard, "error: the person stopped this turn") != NULL &&
	        strstr(strstr(heard, "person stopped") + 1, "person stopped") != NULL,
	    "cancelled, and why");
	tell("{\"id\":3,\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}");
	ok(hears("refused: the person stopped this turn") &&
	        strstr(heard, "\"refused\"") != NULL && strstr(heard, "alpha") == NULL,
	    "no further call");
	tell("{\"id\":4,\"turn\":\"end\"}");
	(void)hears("\"id\":4");
	tell("{\"id\":5,\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}");
	ok(hears("alpha"), "until the turn ends");
	press(&pt, "/quit\r");
	drive_end();
}

TEST(five_no)
{
	char line[128];

	begin(ws(), "--trust=a.txt");
	for (int i = 1; i <= 6; i++) {
		snprintf(line, sizeof line,
		    "{\"id\":%d,\"tool\":\"read_file\",\"args\":{\"path\":\"u%d.txt\"}}",
		    i, i);
		tell(line);
		if (i == 6)
			break;
		(void)(sees(&pt, "let the agent") && sees(&pt, "ctrl-c stop"));
		press(&pt, "n");
		(void)hears("held back");
		ok(strstr(heard, "answered no") == NULL, "asked %d", i);
	}
	ok(hears("answered no without being asked"), "the agent is told so");
	ok(sees(&pt, "ask.maxDeclined"), "and the person, in one line");
	press(&pt, "/quit\r");
	drive_end();
}

/* A library's directory where the loader finds a file that is none. */
static void
without_libedit(void *arg)
{
	setenv("LD_LIBRARY_PATH", arg, 1);
	execl(bb, "bb", "-C", ws(), "--private", "--trust", (char *)NULL);
	_exit(127);
}

TEST(no_editor)
{
	char lib[160];

	put("libedit.so.2", "");
	put("libedit.so.0", "");
	snprintf(lib, sizeof lib, "%s", dir);
	pty_start(&pt, "xterm", 80, 40, without_libedit, lib);
	ok(sees(&pt, "the terminal cannot be used: libedit is not installed"),
	    "a session without libedit says so");
	pty_end(&pt);
}

TEST(one_call)
{
	char cmd[3 * PATH_MAX], out[4096] = "";
	FILE *f;
	int st;

	snprintf(cmd, sizeof cmd,
	    "'%s' -C '%s' --private --approver 'exec:%s/stopper' call read_file "
	    "path=a.txt 2>&1 </dev/null",
	    bb, ws(), dir);
	if ((f = popen(cmd, "r")) == NULL)
		exit(1);
	(void)!fread(out, 1, sizeof out - 1, f);
	st = pclose(f);
	ok(WIFEXITED(st) && WEXITSTATUS(st) == 1, "bb call ends as a failure");
	ok_str(out, "error: the person stopped this turn\n", "and says why");
	finish();
}

TAP_MAIN

/* The person's line: editing, history, completion, and that the loop runs meanwhile. */
#include "tests/session/pty.h"

#include <sys/stat.h>

#include "bin/bb/ui/ask_int.h"

static char dir[64], file[96];
static struct pty pt;

struct plan {
	const char *history;
	bool ask; /* a question comes while the line is edited */
};

static struct {
	struct loop *loop;
	struct asker *a;
	struct drawing *d;
} in;

static void
complete(void *arg, const char *text, size_t at, struct buf *out)
{
	static const char *const words[] = {"/status", "/stop", "/trust", "path=sub/",
	    "path=\xc3\xa9t\xc3\xa9", "bad\nname"};
	size_t start = at;

	(void)arg;
	while (start > 0 && text[start - 1] != ' ')
		start--;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(words[i], text + start, at - start) == 0)
			buf_append(out, words[i], strlen(words[i]) + 1);
}

static void
on_tick(void *arg, short revents)
{
	(void)arg;
	(void)revents;
	report("tick\n");
}

static void
on_trail(void *arg)
{
	(void)arg;
	fputs("one row of trail\n", stdout);
	report("trail\n");
}

static void
on_done(void *arg, const struct answered *a)
{
	(void)arg;
	report("answer %d\n", (int)a->answer);
}

static void
on_ask(void *arg, short revents)
{
	struct question q = {.kind = "write",
	    .who = "turn",
	    .tool = "",
	    .object = "a",
	    .answers = "yn"};
	unsigned id;

	(void)arg;
	(void)revents;
	if (drawing_new("a question", &in.d) != 0)
		_exit(9);
	drawing_key(in.d, 'y', "yes", true);
	drawing_key(in.d, 'n', "no", false);
	q.drawing = in.d;
	if (asker_ask(in.a, &q, on_done, NULL, &id) != 0)
		_exit(9);
}

static void
child(void *arg)
{
	const struct plan *p = arg;
	struct line *l;
	struct asker_config c = {.how = "tty", .session = "t"};

	if (loop_new(&in.loop) != 0 ||
	    line_new(in.loop, p->history, complete, on_trail, NULL, &l) != 0)
		_exit(9);
	c.loop = in.loop;
	if (asker_new(&c, &in.a) != 0)
		_exit(9);
	loop_timer(in.loop, 30, on_tick, NULL);
	if (p->ask)
		loop_timer(in.loop, 500, on_ask, NULL);
	for (;;) {
		char *text;
		int r = line_read(l, "> ", &text);

		if (r == E_STATE) {
			report("ctrl-c\n");
			continue;
		}
		if (r != 0) {
			report("end %s\n", r == E_EOF ? "of input" : err_text(r));
			break;
		}
		report("line [%s]\n", text);
		free(text);
	}
	asker_free(in.a);
	drawing_free(in.d);
	line_free(l);
	loop_free(in.loop);
}

static void
start(const char *term, const char *history, bool ask)
{
	static struct plan p;

	p = (struct plan){history, ask};
	pty_start(&pt, term, 80, 24, child, &p);
	sees(&pt, "> ");
}

static void
leave(void)
{
	drain(&pt, 100);
	keys_in(&pt, "\004");
	ok(says(&pt, "end of input"), "ctrl-d on an empty line is the end");
	for (int i = 0; i < 100 && !restored(&pt); i++)
		drain(&pt, 10);
	ok(restored(&pt), "terminal settings are restored");
	pty_end(&pt);
}

TEST(typing)
{
	start("xterm", NULL, false);
	ok(says(&pt, "tick"), "the loop runs while a key is awaited");
	keys_in(&pt, "hello wurld\033[D\033[D\033[D\010o\r");
	ok(says(&pt, "line [hello world]"), "editing");
	keys_in(&pt, "gr\303\274\303\237e \344\275\240 \360\237\220\247\r");
	ok(says(&pt, "line [gr\303\274\303\237e \344\275\240 \360\237\220\247]"),
	    "UTF-8");
	keys_in(&pt, "a\377\300b\r");
	ok(says(&pt, "line [ab]"), "bytes that are not UTF-8 are dropped");
	drain(&pt, 100); /* between two lines ctrl-c is a signal */
	keys_in(&pt, "half a line\003");
	ok(says(&pt, "ctrl-c"), "ctrl-c gives the line up");
	keys_in(&pt, "next\r");
	ok(says(&pt, "line [next]"), "and nothing of it is left");
	keys_in(&pt, "\033[A\r");
	ok(says(&pt, "line [next]\nline [next]"), "up: the line before");
	leave();
}

TEST(trail)
{
	start("xterm", NULL, false);
	keys_in(&pt, "half\024");
	ok(says(&pt, "trail"), "ctrl-t shows the trail");
	ok(sees(&pt, "one row of trail"), "on rows of its own");
	keys_in(&pt, " way\r");
	ok(says(&pt, "line [half way]"), "the typed line is kept");
	leave();
}

TEST(completion)
{
	start("xterm", NULL, false);
	keys_in(&pt, "/tr\t.\r");
	ok(says(&pt, "line [/trust .]"), "one candidate is completed, with a blank");
	keys_in(&pt, ",x path=s\tf\r");
	ok(says(&pt, "line [,x path=sub/f]"), "a directory goes on");
	keys_in(&pt, ",x path=\303\251\t\r");
	ok(says(&pt, "line [,x path=\303\251t\303\251 ]"), "names in UTF-8");
	keys_in(&pt, "/s\t");
	drain(&pt, 100);
	keys_in(&pt, "\t");
	ok(sees(&pt, "  /status"), "several are listed");
	ok(sees(&pt, "  /stop"), "all of them");
	keys_in(&pt, "a\t\r");
	ok(says(&pt, "line [/status ]"), "and the line goes on");
	keys_in(&pt, "ba\t\r");
	ok(says(&pt, "line [ba]"), "a name with a newline is not offered");
	leave();
}

static size_t
lines_in(const char *path, char *last, size_t room)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t n = 0, cap = 0;

	while (f != NULL && getline(&line, &cap, f) > 0) {
		snprintf(last, room, "%s", line);
		n++;
	}
	free(line);
	if (f != NULL)
		fclose(f);
	return n;
}

TEST(history)
{
	struct stat st;
	char last[128] = "";
	FILE *f;

	strcpy(dir, "/tmp/bblineXXXXXX");
	if (mkdtemp(dir) == NULL)
		exit(1);
	snprintf(file, sizeof file, "%s/history", dir);
	start("xterm", file, false);
	keys_in(&pt, "one\r");
	says(&pt, "[one]");
	keys_in(&pt, "two\rtwo\rtwo\r secret\r\r");
	says(&pt, "[ secret]");
	leave();
	ok(stat(file, &st) == 0 && (st.st_mode & 07777) == 0600, "kept, 0600");
	ok_int(lines_in(file, last, sizeof last), 2,
	    "the same line in a row is kept once");
	ok_str(last, "two\n", "a line that begins with a blank is not kept");

	f = fopen(file, "w");
	for (int i = 0; i < 1500; i++)
		fprintf(f, "line %d\n", i);
	fclose(f);
	chmod(file, 0644);
	start("xterm", file, false);
	keys_in(&pt, "\033[A\r");
	ok(says(&pt, "line [line 1499]"), "the newest line of the file comes first");
	keys_in(&pt, "new\r");
	says(&pt, "[new]");
	leave();
	ok_int(lines_in(file, last, sizeof last), 1000, "at most 1,000");
	ok_str(last, "new\n", "the newest ones");
	ok(stat(file, &st) == 0 && (st.st_mode & 07777) == 0600, "narrowed to 0600");
	unlink(file);

	ok(symlink("/dev/null", file) == 0, "a link in its place");
	start("xterm", file, false);
	keys_in(&pt, "x\r");
	ok(says(&pt, "line [x]"), "typing goes on without a history");
	leave();
	unlink(file);
	rmdir(dir);
}

TEST(question_meanwhile)
{
	start("xterm", NULL, true);
	keys_in(&pt, "half");
	sees(&pt, "half");
	ok(sees(&pt, "a question"), "a question comes while the line is edited");
	sees(&pt, "n no");
	press(&pt, "n");
	ok(says(&pt, "answer 4"), "the key is the question's");
	ok(sees(&pt, "> half"), "the line is drawn again");
	keys_in(&pt, " way\r");
	ok(says(&pt, "line [half way]"), "and goes on");
	leave();
}

TEST(dumb)
{
	start("dumb", NULL, false);
	keys_in(&pt, "plain\r");
	ok(says(&pt, "line [plain]"), "works without cursor movement");
	ok(strchr(pt.seen, '\033') == NULL, "no escape sequence");
	leave();
}

/* A sanitizer build has a handler of its own there, which ends it with a report. */
static bool
by_sanitizer(int sig)
{
#ifdef BB_UNCONFINED
	return sig == SIGSEGV;
#else
	(void)sig;
	return false;
#endif
}

TEST(killed)
{
	const int sigs[] = {SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGSEGV,
	    SIGABRT, SIGXCPU, SIGSYS, SIGRTMIN, SIGRTMAX};

	for (size_t i = 0; i < 2 * sizeof sigs / sizeof *sigs; i++) {
		int st, sig = sigs[i / 2];

		start("xterm", NULL, i & 1);
		keys_in(&pt, "half");
		sees(&pt, "half");
		if (i & 1)
			sees(&pt, "n no");
		kill(pt.pid, sig);
		for (int k = 0; k < 100 && !restored(&pt); k++)
			drain(&pt, 10);
		ok(restored(&pt), "restored after %s%s", strsignal(sig),
		    i & 1 ? " with a question meanwhile" : "");
		st = pty_end(&pt);
		ok((WIFSIGNALED(st) && WTERMSIG(st) == sig) || by_sanitizer(sig),
		    "and it died of it");
	}
}

TAP_MAIN

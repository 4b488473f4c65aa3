/* A question at the terminal: which bytes are an answer, and that the terminal is as it
 * was afterwards, whatever happened (prompts 1.5, 2.11, 2.13). */
#include "tests/session/pty.h"

#include "bin/bb/ui/ask_int.h"

struct plan {
	unsigned questions;
	unsigned lines; /* of content */
	unsigned name;  /* signs of a long name */
	unsigned why;   /* signs of the agent's words */
	const char *answers;
	const char *withdraw; /* reason, 300 ms after it is asked */
	unsigned declined;
	unsigned sleep_ms; /* before anything is asked */
};
static struct {
	struct loop *loop;
	struct asker *a;
	unsigned left, id[8];
	const char *reason;
} in;

static void
on_done(void *arg, const struct answered *a)
{
	static const char *const words[] = {"none", "yes", "always", "remember", "no",
	    "stop", "nobody", "withdrawn"};

	report("%s:%s by %s\n", (const char *)arg, words[a->answer], a->by);
	in.left--;
}

static void
on_withdraw(void *arg, short revents)
{
	(void)arg;
	(void)revents;
	asker_withdraw(in.a, in.id[0], in.reason);
	report("gone\n");
}

static void
on_linger(void *arg, short revents)
{
	(void)revents;
	*(bool *)arg = true;
}

static void
long_fact(struct drawing *d, unsigned n)
{
	auto_buf struct buf b = BUF_INIT;

	while (n-- > 0)
		buf_byte(&b, 'Q');
	drawing_fact(d, "leads to", buf_cstr(&b), true, SHADE_BOLD);
	drawing_fact(d, "", "the last fact", false, SHADE_YELLOW);
}

static void
long_why(struct drawing *d, unsigned n)
{
	auto_buf struct buf b = BUF_INIT;

	while (n-- > 0)
		buf_byte(&b, 'W');
	drawing_why(d, buf_cstr(&b));
}

static struct drawing *
drawn(const struct plan *p, unsigned i)
{
	struct drawing *d;
	char title[32];

	snprintf(title, sizeof title, "question %u", i + 1);
	if (drawing_new(title, &d) != 0)
		_exit(9);
	drawing_fact(d, "file", "src/\033[2Ja.c", true, SHADE_BOLD);
	if (p->name > 0)
		long_fact(d, p->name);
	if (p->why > 0)
		long_why(d, p->why);
	if (p->lines > 0) {
		auto_buf struct buf b = BUF_INIT;

		for (unsigned k = 0; k < p->lines; k++)
			buf_fmt(&b, "row %u\n", k + 1);
		drawing_content(d, b.p, b.len, 0);
	}
	drawing_key(d, 'y', "write it", true);
	if (strchr(p->answers, 'a') != NULL)
		drawing_key(d, 'a', "this session", true);
	if (strchr(p->answers, 'r') != NULL) /* like vouching: needs no content seen */
		drawing_key(d, 'r', "read it", false);
	drawing_key(d, 'n', "don't", false);
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y', "the explanation of y");
	return d;
}

static void
child(void *arg)
{
	const struct plan *p = arg;
	static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
	struct asker_config c = {.how = "tty",
	    .session = "t",
	    .workspace = "/w",
	    .front = "call",
	    .max_declined = p->declined};
	struct drawing *d[8];
	bool over = false;

	nap((int)p->sleep_ms);
	if (loop_new(&in.loop) != 0)
		_exit(9);
	c.loop = in.loop;
	if (asker_new(&c, &in.a) != 0)
		_exit(9);
	in.left = p->questions;
	for (unsigned i = 0; i < p->questions; i++) {
		struct question q = {.kind = "write",
		    .who = "turn",
		    .tool = "write_file",
		    .object = names[i],
		    .answers = p->answers};

		q.drawing = d[i] = drawn(p, i);
		if (asker_ask(in.a, &q, on_done, (void *)(uintptr_t)names[i],
		        &in.id[i]) != 0)
			_exit(9);
	}
	if (p->withdraw != NULL) {
		in.reason = p->withdraw;
		loop_timer(in.loop, 300, on_withdraw, NULL);
	}
	while (in.left > 0 && loop_once(in.loop, -1) == 0)
		;
	if (p->withdraw != NULL) { /* its next key is swallowed */
		while (raw_active() && loop_once(in.loop, -1) == 0)
			;
		report("went on\n");
	}
	loop_timer(in.loop, 50, on_linger, &over);
	while (!over && loop_once(in.loop, -1) == 0)
		;
	asker_free(in.a);
	for (unsigned i = 0; i < p->questions; i++)
		drawing_free(d[i]);
	loop_free(in.loop);
	report("end\n");
}

static struct pty pt;
static struct plan one = {.questions = 1, .answers = "yn"};

static void
start(struct plan *p)
{
	pty_start(&pt, "xterm", 80, 24, child, p);
}

/* Nothing was answered by what was typed; n answers and everything is restored. */
static void
still_open(const char *what)
{
	drain(&pt, 100);
	ok(pt.nsaid == 0, "%s answers nothing", what);
	press(&pt, "n");
	ok(says(&pt, "1:no by person at terminal\n"), "n does, after %s", what);
	ok(says(&pt, "end"), "and the session goes on");
	ok(restored(&pt), "terminal settings are restored");
	pty_end(&pt);
}

TEST(yes)
{
	start(&one);
	ok(sees(&pt, "question 1"), "drawn");
	ok(sees(&pt, "src/␛[2Ja.c"), "control characters are pictures");
	ok(sees(&pt, "y write it"), "keys are drawn");
	ok(!restored(&pt), "raw while it asks");
	press(&pt, "y");
	ok(says(&pt, "1:yes by person at terminal\n"),
	    "y, alone and late enough, is yes");
	ok(sees(&pt, "asked    write 1"), "the row after the answer");
	ok(sees(&pt, "yes, once"), "with the answer");
	ok(says(&pt, "end") && restored(&pt), "terminal settings are restored");
	ok(strstr(pt.seen, "\033]0;bb: asks\a") != NULL, "title set");
	ok(strstr(pt.seen, "\033[23;0t") != NULL, "title given back");
	ok(strstr(pt.seen, "\033[?2004h") != NULL &&
	        strstr(pt.seen, "\033[?2004l") != NULL,
	    "pastes were marked, and are no more");
	char *bell = strstr(pt.seen, "\a\033");
	ok(bell != NULL || strchr(pt.seen, '\a') != NULL, "bell");
	pty_end(&pt);
}

TEST(typed_ahead)
{
	struct plan late = one;

	late.sleep_ms = 300;
	start(&late);
	keys_in(&pt, "y");
	nap(50);
	keys_in(&pt, "\ny");
	sees(&pt, "y write it");
	still_open("y before the last row");
}

TEST(too_soon)
{
	start(&one);
	sees(&pt, "y write it");
	keys_in(&pt, "y");
	nap(40);
	keys_in(&pt, "y");
	still_open("y at once");
}

TEST(held_down)
{
	start(&one);
	sees(&pt, "y write it");
	for (int i = 0; i < 20; i++) {
		keys_in(&pt, "y");
		nap(40);
	}
	still_open("y held down since before");
}

TEST(two_bytes)
{
	start(&one);
	sees(&pt, "y write it");
	press(&pt, "yy");
	still_open("yy in one piece");
}

TEST(pasted)
{
	start(&one);
	sees(&pt, "y write it");
	press(&pt, "\033[200~y\033[201~");
	still_open("a pasted y");
	start(&one);
	sees(&pt, "y write it");
	press(&pt, "\033[200~");
	nap(100);
	keys_in(&pt, "y");
	nap(100);
	keys_in(&pt, "\033[201~");
	still_open("a y within a slow paste");
}

TEST(never)
{
	static const struct {
		const char *bytes, *what;
	} keys[] = {{"\r", "Enter"}, {"\n", "newline"}, {"\033", "Escape"},
	    {" ", "space"}, {"Y", "a capital Y"}, {"a", "a letter not offered"},
	    {"\033[A", "an arrow"}, {"b", "b"}, {"e", "e without content"}, {"\t", "TAB"},
	    {"\004", "ctrl-d"}, {"\303\277", "a letter of two bytes"}};

	start(&one);
	sees(&pt, "y write it");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		press(&pt, keys[i].bytes);
		drain(&pt, 50);
		ok(pt.nsaid == 0, "%s answers nothing", keys[i].what);
	}
	still_open("none of them");
}

TEST(unseen)
{
	struct plan p = {.questions = 1, .lines = 60, .answers = "yan"};

	start(&p);
	ok(sees(&pt, "y write it (space to the end first)"), "says that the end waits");
	press(&pt, "y");
	press(&pt, "a");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "approving keys are dead");
	for (int i = 0; i < 20 && strstr(pt.seen, "row 60\r\n") == NULL; i++) {
		keys_in(&pt, " ");
		drain(&pt, 100);
	}
	ok(sees(&pt, "row 60"), "space shows the end");
	press(&pt, "b");
	press(&pt, "y");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "back is before the end again");
	press(&pt, " ");
	press(&pt, "a");
	ok(says(&pt, "1:always by"), "after the end they count");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

/* Rows from the last drawing's title to the end of what is on the screen. */
static unsigned
rows_drawn(const struct pty *p)
{
	const char *at = p->seen, *next;
	unsigned n = 0;

	while ((next = strstr(at + 1, "question 1")) != NULL)
		at = next;
	for (; *at != '\0'; at++)
		n += *at == '\n';
	return n;
}

TEST(long_why)
{
	struct plan p = {.questions = 1, .answers = "yn", .why = 4000};

	setenv("PAGER", "cat; echo PAGED", 1);
	start(&p);
	ok(sees(&pt, "question 1") && sees(&pt, "y write it"), "drawn");
	drain(&pt, 100);
	ok(rows_drawn(&pt) < 24, "%u rows: no fact left the screen", rows_drawn(&pt));
	ok(strstr(pt.seen, "more characters] e shows all") != NULL,
	    "the rest is counted and offered");
	press(&pt, "e");
	ok(sees(&pt, "PAGED") && sees(&pt, "y write it"), "e shows it");
	press(&pt, "y");
	ok(says(&pt, "1:yes by"), "and y is yes");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TEST(long_facts)
{
	struct plan p = {.questions = 1, .lines = 60, .answers = "yrn", .name = 3000};

	start(&p);
	ok(sees(&pt, "question 1") &&
	        sees(&pt, "r read it (space to the last fact first)"),
	    "says that facts are unseen");
	ok(rows_drawn(&pt) < 24, "%u rows on the screen", rows_drawn(&pt));
	press(&pt, "r");
	press(&pt, "y");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "no key but n is an answer before the last fact");
	for (int i = 0; i < 20 && strstr(pt.seen, "the last fact\r\n") == NULL; i++) {
		keys_in(&pt, " ");
		drain(&pt, 100);
	}
	press(&pt, "y");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "y waits for the end of the content");
	press(&pt, "b");
	press(&pt, "r");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "back is before the last fact again");
	press(&pt, " ");
	press(&pt, "r");
	ok(says(&pt, "1:remember by"), "r waits for the facts only");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TEST(pager)
{
	struct plan p = {.questions = 1, .lines = 60, .answers = "yn"};

	setenv("PAGER", "cat; echo PAGED", 1);
	start(&p);
	sees(&pt, "space to the end first");
	press(&pt, "e");
	ok(sees(&pt, "row 60"), "the whole content");
	ok(sees(&pt, "PAGED"), "in the pager");
	ok(sees(&pt, "y write it"), "drawn again");
	press(&pt, "y");
	ok(says(&pt, "1:yes by"), "what the pager showed is seen");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TEST(ctrl_c)
{
	struct plan p = {.questions = 4, .answers = "yn"};

	start(&p);
	ok(sees(&pt, "1 of 4"), "counts");
	ok(sees(&pt, "then       write 2"), "names what waits");
	ok(sees(&pt, "ctrl-c stop, and no to all 4"), "says what ctrl-c does");
	press(&pt, "y");
	ok(says(&pt, "1:yes"), "the first");
	ok(pt.nsaid == strlen("1:yes by person at terminal\n"), "no answer covers two");
	ok(sees(&pt, "2 of 4"), "the next one is drawn");
	press(&pt, "\003");
	ok(says(&pt,
	       "2:stop by person at terminal\n3:no by person at terminal\n4:no by "
	       "person"),
	    "ctrl-c: stop, and no to all that wait");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TEST(declined)
{
	struct plan p = {.questions = 7, .answers = "yn", .declined = 5};

	start(&p);
	for (int i = 1; i <= 5; i++) {
		char title[32];

		snprintf(title, sizeof title, "question %d", i);
		sees(&pt, title);
		press(&pt, "n");
	}
	ok(says(&pt,
	       "5:no by person at terminal\n6:no by ask.maxDeclined\n7:no by "
	       "ask.maxDeclined"),
	    "after five no the rest is no");
	says(&pt, "end");
	ok(strstr(pt.seen, "question 6") == NULL, "and is not drawn");
	ok(sees(&pt, "ask.maxDeclined"), "the person is told");
	ok(restored(&pt), "restored");
	pty_end(&pt);
}

TEST(resized)
{
	struct winsize ws = {.ws_col = 60, .ws_row = 24};

	start(&one);
	sees(&pt, "y write it");
	drain(&pt, 400);
	ioctl(pt.fd, TIOCSWINSZ, &ws);
	nap(20);
	keys_in(&pt, "y");
	ok(sees(&pt, "question 1"), "drawn again");
	sees(&pt, "y write it");
	keys_in(&pt, "y");
	still_open("y at a resize");
}

TEST(small)
{
	pty_start(&pt, "xterm", 39, 24, child, &one);
	ok(sees(&pt, "make this window at least 40 x 10"), "one row");
	ok(strstr(pt.seen, "question 1") == NULL, "nothing else");
	press(&pt, "y");
	still_open("y in a small window");
}

TEST(withdrawn)
{
	struct plan p = {.questions = 1,
	    .answers = "yn",
	    .withdraw = "was written by something else 1 s ago"};

	start(&p);
	sees(&pt, "y write it");
	ok(sees(&pt, "it changed while you were asked"), "replaced");
	ok(sees(&pt, "file       1 was written by something else 1 s ago"),
	    "by what happened");
	ok(sees(&pt, "your answer was not used; nothing was written"),
	    "and what that means");
	ok(sees(&pt, "any key goes on"), "until a key is pressed");
	ok(says(&pt, "1:withdrawn by withdrawn\n"), "nobody answered");
	press(&pt, "y");
	ok(says(&pt, "went on"), "the next key is swallowed");
	ok(strstr(pt.said, "yes") == NULL, "and answers nothing");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TEST(suspended)
{
	start(&one);
	sees(&pt, "y write it");
	press(&pt, "\032");
	ok(sees(&pt, "question 1"), "drawn again after ctrl-z");
	sees(&pt, "y write it");
	keys_in(&pt, "y");
	still_open("y after ctrl-z");
}

TEST(redrawn)
{
	start(&one);
	sees(&pt, "y write it");
	press(&pt, "?");
	ok(sees(&pt, "the explanation of y"), "? explains");
	press(&pt, "\014");
	ok(sees(&pt, "question 1"), "ctrl-l draws again");
	sees(&pt, "y write it");
	still_open("y's explanation");
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
	static const int sigs[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV,
	    SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, SIGSYS, SIGTRAP, SIGVTALRM,
	    SIGPROF, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT};

	for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++) {
		int st;

		start(&one);
		sees(&pt, "y write it");
		drain(&pt, 50);
		kill(pt.pid, sigs[i]);
		for (int k = 0; k < 100 && !restored(&pt); k++)
			drain(&pt, 10);
		ok(restored(&pt), "restored after %s", strsignal(sigs[i]));
		st = pty_end(&pt);
		ok((WIFSIGNALED(st) && WTERMSIG(st) == sigs[i]) || by_sanitizer(sigs[i]),
		    "and it died of it");
	}
}

TEST(dumb)
{
	struct plan p = {.questions = 1, .lines = 60, .answers = "yn"};

	pty_start(&pt, "dumb", 80, 24, child, &p);
	ok(sees(&pt, "y write it (space to the end first)"), "drawn");
	for (int i = 0; i < 20 && strstr(pt.seen, "row 60\r\n") == NULL; i++)
		press(&pt, " ");
	ok(sees(&pt, "row 60"), "pages");
	press(&pt, "y");
	ok(says(&pt, "1:yes"), "answered");
	ok(strchr(pt.seen, '\033') == NULL, "no cursor movement");
	ok(says(&pt, "end") && restored(&pt), "restored");
	pty_end(&pt);
}

TAP_MAIN

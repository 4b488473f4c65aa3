/* A question of the agent at the terminal: digits, boxes, own words, skip (prompts 2.10).
 * Its drawing is the session's own. */
#include "tests/session/pty.h"

#include "bin/bb/session/questions.h"
#include "bin/bb/ui/ask_int.h"

struct plan {
	unsigned options;
	bool multiple;
	const char *term;
};
static struct {
	struct loop *loop;
	bool over;
} in;
static struct pty pt;

static void
on_done(void *arg, const struct answered *a)
{
	(void)arg;
	report("answer %d choices %u text [%s] by %s\n", (int)a->answer, a->choices,
	    a->text != NULL ? a->text : "-", a->by);
	in.over = true;
}

static void
child(void *arg)
{
	const struct plan *p = arg;
	struct asker_config c = {.how = "tty",
	    .session = "t",
	    .workspace = "/w",
	    .front = "call",
	    .max_declined = 5};
	struct agent_facts f = {.header = "Error style",
	    .question = "Which one?\n  y yes",
	    .options = p->options,
	    .multiple = p->multiple,
	    .label = {"first", "second", "third"},
	    .detail = {"the simple one"}};
	struct question q = {.kind = "question",
	    .who = "turn",
	    .tool = "ask_user",
	    .object = "Error style",
	    .answers = QUESTION_ANSWERS,
	    .options = p->options,
	    .multiple = p->multiple};
	struct asker *a;
	unsigned id;

	if (loop_new(&in.loop) != 0 || (c.loop = in.loop, asker_new(&c, &a)) != 0 ||
	    question_agent(&f, &q.drawing) != 0 ||
	    asker_ask(a, &q, on_done, NULL, &id) != 0)
		_exit(9);
	while (!in.over && loop_once(in.loop, -1) == 0)
		;
	asker_free(a);
	drawing_free(q.drawing);
	loop_free(in.loop);
	report("end\n");
}

static void
start(unsigned options, bool multiple)
{
	static struct plan p;

	p = (struct plan){options, multiple, NULL};
	pty_start(&pt, "xterm", 80, 24, child, &p);
	ok(sees(&pt, "the agent asks") && sees(&pt, "s skip this one") &&
	        sees(&pt, "ctrl-c stop"),
	    "drawn, with %u options", options);
}

static void
ends(const char *want)
{
	ok(says(&pt, want), "%s", want);
	ok(says(&pt, "end\n") && restored(&pt), "and the terminal is as it was");
	pty_end(&pt);
}

TEST(a_digit_chooses)
{
	start(3, false);
	ok(strstr(pt.seen, "  1          first   the simple one") != NULL, "its row");
	ok(strstr(pt.seen, "\n  y yes") == NULL, "the agent draws no row of its own");
	press(&pt, "y");
	press(&pt, "\r");
	press(&pt, "5");
	press(&pt, "d");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "no other key answers");
	press(&pt, "2");
	ok(sees(&pt, "asked    ask Error style    answered"), "the row after it");
	ends("answer 8 choices 2 text [-] by person at terminal\n");
}

TEST(typed_ahead_or_pasted)
{
	start(2, false);
	keys_in(&pt, "1");
	drain(&pt, 100);
	press(&pt, "\033[200~1\033[201~");
	press(&pt, "11");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "a digit too early, pasted, or of two is no choice");
	press(&pt, "s");
	ok(sees(&pt, "asked    ask Error style    skipped"), "the row after a skip");
	ends("answer 9 choices 0 text [-] by person at terminal\n");
}

TEST(boxes)
{
	start(3, true);
	press(&pt, "1");
	ok(sees(&pt, "[x] 1"), "a box is filled");
	press(&pt, "3");
	ok(sees(&pt, "[x] 3"), "another");
	press(&pt, "1");
	ok(sees(&pt, "[ ] 1") && sees(&pt, "[x] 3"), "one taken back");
	press(&pt, "2");
	ok(sees(&pt, "[x] 2"), "a third");
	press(&pt, "d");
	ends("answer 8 choices 6 text [-] by person at terminal\n");
}

TEST(own_words)
{
	start(2, false);
	press(&pt, "3");
	ok(sees(&pt, "  > "), "a row to type in");
	keys_in(&pt, "\r");
	drain(&pt, 50);
	ok(pt.nsaid == 0, "nothing is no answer");
	keys_in(&pt, "caf\xc3\xa9");
	ok(sees(&pt, "> caf\xc3\xa9"), "what is typed is seen");
	drain(&pt, 50);
	keys_in(&pt, "\033[200~ and\rmore\033[201~");
	ok(sees(&pt, "and more"), "a paste belongs to it, and does not end it");
	drain(&pt, 50);
	keys_in(&pt, "\033[A");
	drain(&pt, 50);
	keys_in(&pt, "!");
	drain(&pt, 50);
	ok(pt.nsaid == 0, "still open");
	keys_in(&pt, "\r");
	ends("answer 8 choices 0 text [caf\xc3\xa9 and more!] by person at terminal\n");
}

TEST(back_from_words)
{
	start(2, false);
	press(&pt, "3");
	(void)sees(&pt, "  > ");
	keys_in(&pt, "zzz");
	(void)sees(&pt, "zzz");
	drain(&pt, 50);
	keys_in(&pt, "\033");
	drain(&pt, 100);
	ok(pt.nsaid == 0, "escape answers nothing");
	press(&pt, "1");
	ends("answer 8 choices 1 text [-] by person at terminal\n");
}

TEST(stop_while_typing)
{
	start(0, false);
	press(&pt, "1");
	(void)sees(&pt, "  > ");
	keys_in(&pt, "half");
	(void)sees(&pt, "half");
	drain(&pt, 50);
	keys_in(&pt, "\003");
	ends("answer 5 choices 0 text [-] by person at terminal\n");
}

TEST(another_window_while_typing)
{
	struct winsize ws = {.ws_col = 60, .ws_row = 20};

	start(0, false);
	press(&pt, "1");
	(void)sees(&pt, "  > ");
	keys_in(&pt, "half");
	(void)sees(&pt, "half");
	drain(&pt, 50);
	ioctl(pt.fd, TIOCSWINSZ, &ws);
	ok(sees(&pt, "the agent asks") && sees(&pt, "  > half"),
	    "drawn again, words too");
	drain(&pt, 100);
	keys_in(&pt, "\r");
	ends("answer 8 choices 0 text [half] by person at terminal\n");
}

TAP_MAIN

/* Who is asked, in which order, and what counts as an answer: an asker and an approver
 * over a socket pair, in one process. */
#include "tests/tap.h"

#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

static struct loop *loop;
static struct asker *a;
static int peer; /* the approver's end */
static struct buf got = {.cap = 16 << 20};
static char events[8192], done[8192];
static struct drawing *drawings[16];
static unsigned ids[16];

static void
on_event(void *arg, const char *what, const char *detail)
{
	size_t n = strlen(events);

	(void)arg;
	snprintf(events + n, sizeof events - n, "%s: %s\n", what, detail);
}

static void
on_command(void *arg, const char *line, const char *by, struct buf *out)
{
	(void)by;
	(void)arg;
	buf_fmt(out, "you typed %s\nsecond row\n", line);
}

static void
on_done(void *arg, const struct answered *ans)
{
	size_t n = strlen(done);

	snprintf(done + n, sizeof done - n, "%s=%d by %s\n", (const char *)arg,
	    (int)ans->answer, ans->by);
}

static struct asker_config
config(const char *how)
{
	return (struct asker_config){.loop = loop,
	    .how = how,
	    .session = "7f3a",
	    .workspace = "/home/ana/src/shop",
	    .front = "drive",
	    .max_declined = 5,
	    .event = on_event,
	    .command = on_command};
}

static void
begin(unsigned max_declined)
{
	int pair[2];
	char how[32];
	struct asker_config c;

	events[0] = done[0] = '\0';
	buf_clear(&got);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
	    loop_new(&loop) != 0)
		exit(1);
	peer = pair[1];
	snprintf(how, sizeof how, "fd:%d", pair[0]);
	c = config(how);
	c.max_declined = max_declined;
	ok_int(asker_new(&c, &a), 0, "an approver on a socket");
}

static void
end(void)
{
	asker_free(a);
	loop_free(loop);
	for (size_t i = 0; i < 16; i++) {
		drawing_free(drawings[i]);
		drawings[i] = NULL;
	}
	if (peer >= 0)
		close(peer);
}

static void
ask(unsigned i, const char *name, const char *who, const char *answers)
{
	struct question q = {.kind = "write",
	    .who = who,
	    .tool = "write_file",
	    .object = name,
	    .why = "because",
	    .answers = answers};

	if (drawing_new("write a new file", &drawings[i]) != 0)
		exit(1);
	drawing_fact(drawings[i], "file", name, true, SHADE_BOLD);
	drawing_key(drawings[i], 'y', "write it", true);
	drawing_key(drawings[i], 'n', "don't", false);
	drawing_key(drawings[i], CTRL_C, "stop", false);
	q.drawing = drawings[i];
	if (asker_ask(a, &q, on_done, (void *)(uintptr_t)name, &ids[i]) != 0)
		exit(1);
}

static void
turn_loop(void)
{
	for (int i = 0; i < 20; i++) {
		char b[65536];
		ssize_t n;

		if (loop_once(loop, 2) != 0)
			break;
		while (peer >= 0 && (n = recv(peer, b, sizeof b, MSG_DONTWAIT)) > 0)
			buf_append(&got, b, (size_t)n);
	}
}

/* The next line the approver got, NULL when there is none. */
static json_t *
next(void)
{
	json_t *v = NULL;
	char *nl;

	turn_loop();
	if (got.len == 0 || (nl = memchr(got.p, '\n', got.len)) == NULL)
		return NULL;
	if (json_parse(got.p, (size_t)(nl - got.p), &v, NULL) != 0)
		printf("# not JSON: %.200s\n", got.p);
	buf_drop(&got, (size_t)(nl - got.p) + 1);
	return v;
}

static bool
next_is(const char *want)
{
	auto_json json_t *v = next(), *w = NULL;
	auto_buf struct buf b = BUF_INIT;

	if (json_parse(want, strlen(want), &w, NULL) != 0)
		exit(1);
	if (v != NULL && json_equal(v, w))
		return true;
	(void)!json_print(v, &b);
	printf("# got %s\n", buf_cstr(&b));
	return false;
}

static void
write_line(const char *s)
{
	if (send(peer, s, strlen(s), MSG_NOSIGNAL) < 0 ||
	    send(peer, "\n", 1, MSG_NOSIGNAL) < 0)
		printf("# cannot write\n");
}

static bool
asked(unsigned id, int nth, int of)
{
	auto_json json_t *v = next();
	auto_buf struct buf b = BUF_INIT;

	if (json_integer_value(json_object_get(v, "ask")) == id &&
	    json_integer_value(json_at(v, ".of[0]")) == nth &&
	    json_integer_value(json_at(v, ".of[1]")) == of)
		return true;
	(void)!json_print(v, &b);
	printf("# got %s\n", buf_cstr(&b));
	return false;
}

#define HELLO \
	"{\"hello\":1,\"session\":\"7f3a\",\"workspace\":\"/home/ana/src/shop\"," \
	"\"front\":\"drive\",\"waiting\":0}"

TEST(one_question)
{
	auto_json json_t *v = NULL;
	const char *screen;

	begin(5);
	ok(next_is(HELLO), "hello comes first");
	ask(0, "a.c", "turn", "yan");
	v = next();
	ok(v != NULL, "asked");
	ok_str(json_string_value(json_object_get(v, "kind")), "write", "kind");
	ok_str(json_string_value(json_object_get(v, "who")), "turn", "who");
	ok_str(json_string_value(json_object_get(v, "tool")), "write_file", "tool");
	ok_str(json_string_value(json_object_get(v, "why")), "because", "why");
	ok_int(json_get_str(v, ".screen", &screen), 0, "screen");
	ok(strstr(screen, "write a new file") != NULL &&
	        strstr(screen, "  file       a.c\n") != NULL,
	    "is the drawing");
	ok(json_is_null(json_object_get(v, "expires")), "expires");
	ok_int(json_array_size(json_object_get(v, "answers")), 3, "answers");
	ok(json_is_object(json_object_get(v, "drawing")),
	    "and the drawing to draw oneself");
	write_line("{\"ask\":1,\"answer\":\"y\"}");
	ok(next() == NULL, "no reply to an answer that counts");
	ok_str(done, "a.c=1 by approver\n", "yes");
	end();
}

TEST(answers_that_do_not_count)
{
	static const struct {
		const char *line, *reply;
	} bad[] = {
	    {"{\"ask\":1,\"answer\":\"r\"}", "{\"ask\":1,\"refused\":\"not offered\"}"},
	    {"{\"ask\":1,\"answer\":\"Y\"}", "{\"ask\":1,\"refused\":\"not offered\"}"},
	    {"{\"ask\":1,\"answer\":\"yes\"}", "{\"ask\":1,\"refused\":\"not offered\"}"},
	    {"{\"ask\":1,\"answer\":true}", "{\"ask\":1,\"refused\":\"not offered\"}"},
	    {"{\"ask\":1}", "{\"ask\":1,\"refused\":\"not offered\"}"},
	    {"{\"ask\":2,\"answer\":\"y\"}", "{\"ask\":2,\"refused\":\"not asked yet\"}"},
	    {"{\"ask\":9,\"answer\":\"y\"}",
	        "{\"ask\":9,\"refused\":\"no such question\"}"},
	    {"{\"ask\":0,\"answer\":\"y\"}",
	        "{\"ask\":0,\"refused\":\"no such question\"}"},
	    {"{\"ask\":1,\"ask\":1,\"answer\":\"y\"}",
	        "{\"error\":\"duplicate member\"}"},
	    {"yes", "{\"error\":\"not valid JSON\"}"},
	    {"{\"background\":4}", "{\"background\":4,\"refused\":\"not available\"}"},
	};

	begin(5);
	(void)!next_is(HELLO);
	ask(0, "a.c", "turn", "yn");
	ask(1, "b.c", "turn", "yn");
	ok(asked(1, 1, 2), "the first is asked");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_line(bad[i].line);
		ok(next_is(bad[i].reply), "refused: %s", bad[i].line);
		ok_str(done, "", "nothing is answered");
	}
	ok(strstr(events, "answer refused: question 1: not offered (approver)\n") != NULL,
	    "and recorded");
	write_line("{\"ask\":1,\"answer\":\"n\"}");
	ok(asked(2, 2, 2), "the second");
	write_line("{\"ask\":1,\"answer\":\"y\"}");
	ok(next_is("{\"ask\":1,\"refused\":\"already answered\"}"), "late");
	ok_str(done, "a.c=4 by approver\n", "the first answer stands");
	write_line("{\"ask\":2,\"answer\":\"y\"}\n{\"ask\":2,\"answer\":\"n\"}");
	ok(next_is("{\"ask\":2,\"refused\":\"already answered\"}"), "twice");
	ok_str(done, "a.c=4 by approver\nb.c=1 by approver\n", "counts once");
	end();
}

TEST(too_long_a_line)
{
	auto_buf struct buf b = BUF_INIT;

	begin(5);
	(void)!next_is(HELLO);
	fcntl(peer, F_SETFL, O_NONBLOCK);
	for (size_t i = 0; i < (3 << 18); i++)
		buf_str(&b, "xx");
	for (size_t at = 0; at < b.len;) {
		ssize_t n = send(peer, b.p + at, b.len - at, MSG_NOSIGNAL);

		if (n > 0)
			at += (size_t)n;
		turn_loop();
	}
	ok(next_is("{\"error\":\"longer than 1 MiB\"}"), "refused once");
	ask(0, "a.c", "turn", "yn");
	write_line("");
	ok(asked(1, 1, 1), "the session goes on");
	write_line("{\"ask\":1,\"answer\":\"y\"}");
	turn_loop();
	ok_str(done, "a.c=1 by approver\n", "and the next line counts");
	end();
}

TEST(order_and_stop)
{
	begin(5);
	(void)!next_is(HELLO);
	for (unsigned i = 0; i < 4; i++)
		ask(i, (const char *[]){"a", "b", "c", "d"}[i], "turn", "yn");
	ok_int(asker_waiting(a), 4, "four wait");
	ok(asked(1, 1, 4), "in order");
	ok(next() == NULL, "one at a time");
	write_line("{\"ask\":1,\"answer\":\"y\"}");
	ok(asked(2, 2, 4), "the second");
	write_line("{\"ask\":2,\"answer\":\"stop\"}");
	ok(next() == NULL, "stop asks no more");
	ok_str(done,
	    "a=1 by approver\nb=5 by approver\nc=4 by approver\nd=4 by approver\n",
	    "stop, and no to all");
	end();
}

TEST(who_asks_and_then)
{
	auto_json json_t *v = NULL;
	const char *screen;

	begin(5);
	(void)!next_is(HELLO);
	ask(0, "a", "delegate 2 (wor\033ker)", "yn");
	for (unsigned i = 1; i < 6; i++)
		ask(i, (const char *[]){"b", "c", "d", "e", "f"}[i - 1], "turn", "yn");
	v = next();
	ok_int(json_get_str(v, ".screen", &screen), 0, "screen");
	ok(strstr(screen, "delegate 2 (wor\u241bker) asks") != NULL,
	    "names the delegate, made safe");
	ok(strstr(screen, "1 of 6") != NULL, "counts");
	ok(strstr(screen, "then       write b \u00b7 write c \u00b7 write d\n") != NULL,
	    "names three others");
	end();
	ok(strstr(done, "a=4 by session ended\n") != NULL, "the end is no");
}

TEST(withdrawn)
{
	begin(5);
	(void)!next_is(HELLO);
	ask(0, "a", "turn", "yn");
	ask(1, "b", "turn", "yn");
	ok(asked(1, 1, 2), "asked");
	asker_withdraw(a, ids[1], "cancelled");
	asker_withdraw(a, ids[0], "stale");
	ok_str(done, "", "told from the loop, not at once");
	ok(next_is("{\"ask\":1,\"withdrawn\":\"stale\"}"),
	    "what was asked is taken back");
	ok(next() == NULL, "what was not is not spoken of");
	ok_str(done, "b=7 by withdrawn\na=7 by withdrawn\n", "both are withdrawn");
	write_line("{\"ask\":1,\"answer\":\"y\"}");
	ok(next_is("{\"ask\":1,\"refused\":\"it was withdrawn\"}"),
	    "an answer to it is refused");
	asker_withdraw(a, ids[0], "stale");
	ok(next() == NULL, "withdrawing twice is nothing");
	ask(2, "c", "turn", "yn");
	ok(asked(3, 1, 1), "the next is asked");
	end();
}

TEST(declined)
{
	begin(2);
	(void)!next_is(HELLO);
	for (unsigned i = 0; i < 4; i++)
		ask(i, (const char *[]){"a", "b", "c", "d"}[i], "turn", "yn");
	ok(asked(1, 1, 4), "first");
	write_line("{\"ask\":1,\"answer\":\"n\"}");
	ok(asked(2, 2, 4), "second");
	write_line("{\"ask\":2,\"answer\":\"n\"}");
	ok(next_is(
	       "{\"row\":\"you said no to several questions of this turn: later ones are "
	       "answered no for you (ask.maxDeclined)\"}"),
	    "no third, and that is said");
	ok_str(done,
	    "a=4 by approver\nb=4 by approver\nc=4 by ask.maxDeclined\n"
	    "d=4 by ask.maxDeclined\n",
	    "the rest is no");
	ask(4, "e", "turn", "yn");
	ok(next() == NULL, "and so is what comes later, said once");
	asker_turn(a);
	ask(5, "f", "turn", "yn");
	ok(asked(6, 1, 1), "until the turn ends");
	end();
}

TEST(gone)
{
	begin(5);
	(void)!next_is(HELLO);
	ask(0, "a", "turn", "yn");
	ask(1, "b", "turn", "yn");
	ok(asked(1, 1, 2), "asked");
	ok(asker_reachable(a), "somebody is there");
	close(peer);
	peer = -1;
	turn_loop();
	ok_str(done, "a=4 by approver gone\nb=4 by approver gone\n",
	    "a closed channel is no to all");
	ok(!asker_reachable(a), "nobody is there");
	ask(2, "c", "turn", "yn");
	turn_loop();
	ok(strstr(done, "c=6 by nobody\n") != NULL, "later ones: nobody could be asked");
	end();
}

TEST(commands)
{
	begin(5);
	(void)!next_is(HELLO);
	write_line("{\"command\":\"/status\"}");
	ok(next_is("{\"rows\":[\"you typed /status\",\"second row\"]}"),
	    "answered by rows");
	end();
}

TEST(nobody)
{
	struct asker_config c;

	events[0] = done[0] = '\0';
	peer = -1;
	if (loop_new(&loop) != 0)
		exit(1);
	c = config("none");
	ok_int(asker_new(&c, &a), 0, "--approver none");
	ok(!asker_reachable(a), "reaches nobody");
	ask(0, "a", "turn", "yn");
	ok_str(done, "", "told from the loop");
	turn_loop();
	ok_str(done, "a=6 by nobody\n", "nobody could be asked");
	end();
}

TEST(ways_that_are_none)
{
	static const char *const bad[] = {"", "ttys", "fd:", "fd:x", "fd:-1", "fd:3x",
	    "unix:", "exec:", "http://x", "TTY"};
	struct asker_config c;
	int file = open("/dev/null", O_RDWR | O_CLOEXEC), pair[2];
	char how[32];

	if (loop_new(&loop) != 0 || pipe2(pair, O_CLOEXEC) != 0)
		exit(1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		c = config(bad[i]);
		ok(asker_new(&c, &a) == E_BAD && a == NULL, "wrong use: '%s'", bad[i]);
	}
	snprintf(how, sizeof how, "fd:%d", file);
	c = config(how);
	ok(asker_new(&c, &a) == E_BAD, "a device is no channel");
	snprintf(how, sizeof how, "fd:%d", pair[1]);
	c = config(how);
	ok(asker_new(&c, &a) != 0, "nor is the wrong end of a pipe");
	c = config("fd:999");
	ok(asker_new(&c, &a) == E_SYS && errno == EBADF, "nor one that is not open");
	c = config("unix:/nowhere/at/all");
	ok(asker_new(&c, &a) == E_SYS, "a socket nobody listens at");
	c = config("exec:/nowhere/at/all");
	ok(asker_new(&c, &a) == E_SYS, "a program that is none");
	loop_free(loop);
	close(file);
}

TAP_MAIN

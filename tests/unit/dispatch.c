/* dispatch.c by itself: bytes in a pipe, a child without a process. The pieces in
 * which bytes arrive must make no difference, and no byte may follow the answer. */
#include "bin/bb/spawn/spawn_int.h"

#include <fcntl.h>
#include <signal.h>

#include "libcommon/fd.h"
#include "tests/tap.h"

static const char *const words[] = {"ok", "bad", NULL};
static const struct tool_member members[] = {
    {.name = "code", .type = MEMBER_WORD, .words = words},
    {.name = "n", .type = MEMBER_INT, .min = -3, .max = 9},
    {.name = "note", .type = MEMBER_TEXT, .optional = true},
    {.name = "big", .type = MEMBER_INT, .min = 0, .max = INT64_MAX},
};
static const struct tool page = {
    .name = "try",
    .helper = "bb-try",
    .result = members,
    .n_result = 4,
    .filter_digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
};
static struct spawner spawner;
static struct child *c;
static int answer[2], request[2];

static void
fresh(void)
{
	if (c != NULL) {
		close(answer[0]), close(answer[1]), close(request[0]), close(request[1]);
		free(c->out);
		free(c);
	}
	if ((c = calloc(1, sizeof(*c))) == NULL || fd_pipe(answer) != 0 ||
	    fd_pipe(request) != 0 || fd_nonblock(answer[0], true) != 0 ||
	    fd_nonblock(request[0], true) != 0)
		exit(1);
	(void)fcntl(answer[1], F_SETPIPE_SZ, 1 << 18);
	spawner.abi = 7;
	c->s = &spawner;
	c->tool = &page;
	c->call = 42;
	c->pidfd = c->log = -1;
	c->answer = answer[0];
	c->request = request[1];
	c->out_len = FRAME_HEADER;
	c->out = calloc(1, FRAME_HEADER);
}

static void
frame(struct buf *b, uint16_t type, uint32_t call, const char *body, size_t n)
{
	const struct frame f = {type, call, (uint32_t)n};
	unsigned char h[FRAME_HEADER];

	frame_pack(&f, h);
	buf_append(b, h, sizeof(h));
	buf_append(b, body, n);
}

static void
ready(struct buf *b)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "layers 127\nabi 7\nfilter %s\n",
	    page.filter_digest);

	frame(b, FRAME_READY, 0, text, (size_t)n);
}

static bool
called(void)
{
	unsigned char h[FRAME_HEADER];

	return read(request[0], h, sizeof(h)) == (ssize_t)sizeof(h);
}

static void
feed(const void *p, size_t n)
{
	if (write(answer[1], p, n) != (ssize_t)n)
		printf("# short write\n");
	while (!c->decided && dispatch_read(c))
		;
}

static void
result(const char *body, bool good, const char *what)
{
	auto_buf struct buf b = BUF_INIT;

	fresh();
	ready(&b);
	feed(b.p, b.len);
	buf_clear(&b);
	frame(&b, FRAME_RESULT, 42, body, strlen(body));
	feed(b.p, b.len);
	if (good)
		ok(!c->decided && c->phase == PHASE_EXIT &&
		        c->o.result_len == strlen(body),
		    "%s", what);
	else
		ok(c->decided && c->o.end == SPAWN_PROTOCOL && c->o.result == NULL, "%s",
		    what);
}

TEST(byte_by_byte)
{
	auto_buf struct buf b = BUF_INIT;

	fresh();
	ready(&b);
	for (size_t i = 0; i < b.len; i++) {
		ok(c->phase == PHASE_READY && !called(), "no CALL before READY is whole");
		feed(b.p + i, 1);
	}
	ok(c->phase == PHASE_RESULT && called(), "then CALL");
	ok_int(c->o.layers, 127, "layers");
	ok_int(c->o.landlock_abi, 7, "abi");
	buf_clear(&b);
	frame(&b, FRAME_RESULT, 42,
	    "code bad\nn -3\nnote 2:a\n\nbig 9223372036854775807\n", 48);
	for (size_t i = 0; i < b.len; i++)
		feed(b.p + i, 1);
	ok(!c->decided && c->phase == PHASE_EXIT, "an answer in pieces");
	ok_int(spawn_int(&page, &c->o, "n"), -3, "a number");
	ok_int(spawn_int(&page, &c->o, "big"), INT64_MAX, "behind a text");
	ok_str(spawn_word(&page, &c->o, "code"), "bad", "a word");
	feed("", 1);
	ok(c->decided && c->o.end == SPAWN_PROTOCOL, "one byte more is one too many");
}

TEST(members)
{
	result("code ok\nn 9\nbig 0\n", true, "without the optional text");
	result("code ok\nn 9\nnote 0:\nbig 0\n", true, "an empty text");
	result("code ok\nn 9\nnote 3:\nbig 0\n", false,
	    "a text longer than what follows");
	result("code ok\nn 9\nnote 1:ab\nbig 0\n", false, "a text shorter than it is");
	result("code ok\nn 9\nnote 1:a\nnote 1:a\nbig 0\n", false, "a text twice");
	result("code ok\nn 10\nbig 0\n", false, "above the page's range");
	result("code ok\nn -4\nbig 0\n", false, "below it");
	result("code ok\nn 9\nbig 9223372036854775808\n", false, "2^63");
	result("code ok\nn 9\nbig -0\n", false, "a negative nought");
	result("code no\nn 9\nbig 0\n", false, "a word the page does not have");
	result("n 9\ncode ok\nbig 0\n", false, "another order");
	result("code ok\nn 9\n", false, "one missing");
	result("code ok\nn 9\nbig 0\nlast 0\n", false, "one more");
	result("code ok\nn 9\nbig 0", false, "without its end of line");
	result("code  ok\nn 9\nbig 0\n", false, "two blanks");
	result("", false, "nothing");
}

TEST(the_largest)
{
	auto_buf struct buf body = BUF_INIT, b = BUF_INIT;
	static char text[FRAME_BODY_MAX];
	size_t head;

	memset(text, 'x', sizeof(text));
	buf_str(&body, "code ok\nn 1\nnote ");
	head = FRAME_BODY_MAX - body.len - strlen("65500:\nbig 7\n");
	buf_fmt(&body, "%zu:", head);
	buf_append(&body, text, head);
	buf_str(&body, "\nbig 7\n");
	ok_int(body.len, FRAME_BODY_MAX, "64 KiB");
	fresh();
	ready(&b);
	feed(b.p, b.len);
	buf_clear(&b);
	frame(&b, FRAME_RESULT, 42, body.p, body.len);
	feed(b.p, b.len);
	ok(!c->decided && c->phase == PHASE_EXIT, "is taken");
	ok_int(spawn_int(&page, &c->o, "big"), 7, "and read");
	feed("x", 1);
	ok(c->decided && c->o.end == SPAWN_PROTOCOL, "and nothing may follow");
}

static void
refused(uint16_t type, uint32_t call, const char *body, enum spawn_end end,
    const char *what)
{
	auto_buf struct buf b = BUF_INIT;

	fresh();
	frame(&b, type, call, body, strlen(body));
	feed(b.p, b.len);
	ok(c->decided && c->o.end == end && !called(), "%s", what);
}

TEST(ready_must_be_right)
{
	char text[300];
	const char *d = page.filter_digest;

	refused(FRAME_RESULT, 42, "", SPAWN_PROTOCOL, "an answer first");
	refused(FRAME_CALL, 0, "", SPAWN_PROTOCOL, "a type only bb sends");
	refused(7, 0, "", SPAWN_PROTOCOL, "a type nobody knows: the same");
	(void)snprintf(text, sizeof(text), "layers 127\nabi 7\nfilter %s\n", d);
	refused(FRAME_READY, 42, text, SPAWN_PROTOCOL, "with a call number");
	(void)snprintf(text, sizeof(text), "layers 63\nabi 7\nfilter %s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_UNCONFINED, "no filter");
	ok_int(c->o.missing, LAYER_SECCOMP, "and that is what is missing");
	(void)snprintf(text, sizeof(text), "layers 127\nabi 7\nfilter %.63s0\n", d);
	refused(FRAME_READY, 0, text, SPAWN_UNCONFINED, "another filter");
	(void)snprintf(text, sizeof(text), "layers 128\nabi 7\nfilter %s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL, "a layer that does not exist");
	(void)snprintf(text, sizeof(text), "layers -1\nabi 7\nfilter %s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL, "a negative set of layers");
	(void)snprintf(text, sizeof(text), "layers 127\nabi 7\nfilter %.62s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL, "a shorter digest");
	(void)snprintf(text, sizeof(text), "layers 127\nabi 7\n");
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL, "no digest");
#ifndef BB_UNCONFINED
	(void)snprintf(text, sizeof(text), "layers 127\nabi 8\nfilter %s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL,
	    "a Landlock this kernel does not have");
	(void)snprintf(text, sizeof(text), "layers 127\nabi 0\nfilter %s\n", d);
	refused(FRAME_READY, 0, text, SPAWN_PROTOCOL, "Landlock on and none there");
#endif
}

static void
ask_absent(void *arg)
{
	int dark = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)arg;
	(void)dup2(dark, 2);
	(void)spawn_int(&page, &c->o, "absent");
}

TEST(a_name_the_page_does_not_have)
{
	result("code ok\nn 9\nbig 0\n", true, "a result");
	ok_died_of(SIGABRT, ask_absent, NULL);
}

TAP_MAIN

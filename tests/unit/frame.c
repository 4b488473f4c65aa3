/* Frames and records: the header bit by bit, each form of value, and everything that is
 * not of the form. */
#include "libcommon/frame.h"

#include <fcntl.h>

#include "libcommon/fd.h"
#include "tests/tap.h"

static const unsigned char good[16] = {0xbb, 0x01, 0, 2, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0,
    0};

static int
unpack(size_t at, unsigned char with)
{
	unsigned char h[16];
	struct frame f;

	memcpy(h, good, 16);
	h[at] = with;
	return frame_unpack(h, &f);
}

TEST(header)
{
	struct frame f = {FRAME_RESULT, 0x01020304, 65536}, g;
	unsigned char h[16];

	ok_int(frame_unpack(good, &g), 0, "a header");
	ok(g.type == FRAME_CALL && g.call == 7 && g.length == 5, "its fields");
	frame_pack(&f, h);
	ok(memcmp(h, "\xbb\x01\0\3\1\2\3\4\0\1\0\0\0\0\0\0", 16) == 0, "big-endian");
	ok_int(frame_unpack(h, &g), 0, "65,536 bytes are allowed");
	ok(f.type == g.type && f.call == g.call && f.length == g.length,
	    "there and back");
	ok_int(unpack(0, 0xba), E_BAD, "another magic");
	ok_int(unpack(1, 2), E_BAD, "another version");
	ok_int(unpack(3, 0), E_BAD, "type 0");
	for (size_t i = 12; i < 16; i++)
		ok_int(unpack(i, 1), E_BAD, "the reserved field");
	ok_int(unpack(8, 1), E_TOO_LONG, "16 MiB");
	ok_int(unpack(9, 2), E_TOO_LONG, "128 KiB");
	h[11] = 1;
	ok_int(frame_unpack(h, &g), E_TOO_LONG, "65,537 bytes");
}

static struct frame got;
static unsigned char body[FRAME_BODY_MAX];

/* What is made of these bytes and the end of the pipe. */
static int
received(const void *p, size_t n)
{
	int pair[2], r;

	if (fd_pipe(pair) != 0 || write(pair[1], p, n) != (ssize_t)n)
		return 1;
	close(pair[1]);
	r = frame_receive(pair[0], &got, body);
	close(pair[0]);
	return r;
}

TEST(receiving)
{
	unsigned char b[64];

	memcpy(b, good, 16);
	memcpy(b + 16, "hello, more", 11);
	ok_int(received(b, 21), 0, "a frame");
	ok(got.length == 5 && memcmp(body, "hello", 5) == 0, "with its body");
	ok_int(received(b, 27), 0, "what follows is left in the pipe");
	ok_int(received(b, 0), E_EOF, "nothing");
	ok_int(received(b, 1), E_BAD, "one byte");
	ok_int(received(b, 15), E_BAD, "most of a header");
	ok_int(received(b, 16), E_BAD, "no body");
	ok_int(received(b, 20), E_BAD, "most of a body");
	b[11] = 0;
	ok_int(received(b, 16), 0, "an empty body");
	b[9] = 2;
	ok_int(received(b, 16), E_TOO_LONG,
	    "a length that is too large is not waited for");
	ok_int(frame_receive(-1, &got, body), E_SYS, "no descriptor");
}

static void
sent(size_t n)
{
	static unsigned char out[FRAME_BODY_MAX];
	int pair[2], st;
	pid_t pid;

	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)(i * 31 >> 3);
	if (fd_pipe(pair) != 0 || (pid = fork()) < 0) {
		ok(false, "a pipe and a process");
		return;
	}
	if (pid == 0) {
		close(pair[0]);
		_exit(frame_send(pair[1], FRAME_RESULT, 9, out, n) != 0);
	}
	close(pair[1]);
	ok(frame_receive(pair[0], &got, body) == 0 && got.length == n &&
	        memcmp(body, out, n) == 0,
	    "%zu bytes there and back", n);
	ok(waitpid(pid, &st, 0) == pid && st == 0, "sent");
	close(pair[0]);
}

TEST(sending)
{
	int pair[2];

	sent(0);
	sent(1);
	sent(4080);
	sent(4081);
	sent(65536);
	ok_int(frame_send(1, FRAME_RESULT, 1, body, 65537), E_TOO_LONG, "65,537 bytes");
	ok_int(frame_send(-1, FRAME_RESULT, 1, body, 1), E_SYS, "no descriptor");
	ok_int(fd_pipe(pair), 0, "a pipe");
	ok(fcntl(pair[1], F_SETPIPE_SZ, 4096) >= 4096, "of one page");
	ok_int(frame_send(pair[1], FRAME_RESULT, 1, body, 4080), 0, "a page at once");
	close(pair[0]);
	close(pair[1]);
}

TEST(writing_records)
{
	struct buf b = {.cap = 4096};

	rec_put_int(&b, "a", 0);
	rec_put_int(&b, "b", -1);
	rec_put_int(&b, "c", INT64_MAX);
	rec_put_int(&b, "d", INT64_MIN);
	rec_put_word(&b, "e", "too-large");
	rec_put_text(&b, "f", "x\ny", 3);
	rec_put_text(&b, "g", "", 0);
	ok_str(buf_cstr(&b),
	    "a 0\nb -1\nc 9223372036854775807\nd -9223372036854775808\ne too-large\n"
	    "f 3:x\ny\ng 0:\n",
	    "each form");
	buf_release(&b);
	b = (struct buf){.cap = 8};
	rec_put_text(&b, "name", "value", 5);
	rec_put_int(&b, "a", 1);
	ok(b.failed && b.len <= 8, "a full buffer stays failed");
	buf_release(&b);
}

static struct rec
rec(const char *text)
{
	struct rec r;

	rec_init(&r, text, strlen(text));
	return r;
}

static int
get_int(const char *text, int64_t min, int64_t max, int64_t *v)
{
	struct rec r = rec(text);

	*v = 77;
	return rec_get_int(&r, "n", min, max, v);
}

TEST(integers)
{
	static const char *const bad[] = {"n \n", "n -\n", "n 01\n", "n -0\n", "n +1\n",
	    "n 1 \n", "n  1\n", "n 1a\n", "n 0x1\n", "n --1\n", "n 1", "n 1\r\n",
	    "n 00\n", "n 1.0\n"};
	int64_t v;

	ok(get_int("n 0\n", 0, 9, &v) == 0 && v == 0, "0");
	ok(get_int("n -9223372036854775808\n", INT64_MIN, 0, &v) == 0 && v == INT64_MIN,
	    "the smallest");
	ok(get_int("n 9223372036854775807\n", 0, INT64_MAX, &v) == 0 && v == INT64_MAX,
	    "the largest");
	ok(get_int("n 9223372036854775808\n", 0, INT64_MAX, &v) == E_RANGE && v == 0,
	    "one more");
	ok(get_int("n -9223372036854775809\n", INT64_MIN, 0, &v) == E_RANGE, "one less");
	ok(get_int("n 99999999999999999999999\n", 0, INT64_MAX, &v) == E_RANGE,
	    "many more");
	ok(get_int("n 10\n", 0, 9, &v) == E_RANGE && v == 0, "above the range");
	ok(get_int("n -1\n", 0, 9, &v) == E_RANGE, "below the range");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(get_int(bad[i], INT64_MIN, INT64_MAX, &v) == E_BAD && v == 0,
		    "bad form %zu", i);
	ok(get_int("m 1\n", 0, 9, &v) == E_MISSING && v == 0, "another name");
	ok(get_int("nn 1\n", 0, 9, &v) == E_MISSING, "a longer name");
	ok(get_int("n", 0, 9, &v) == E_MISSING, "a name alone");
	ok(get_int("", 0, 9, &v) == E_MISSING, "the end");
}

TEST(words_and_digests)
{
	static const char *const words[] = {"ok", "too-large", NULL};
	struct rec r = rec("w too-large\nw ok\nw okay\nw ok\n");
	char hex[9];
	int w;

	ok(rec_get_word(&r, "w", words, &w) == 0 && w == 1, "the second word");
	ok(rec_get_word(&r, "w", words, &w) == 0 && w == 0, "the first word");
	ok(rec_get_word(&r, "w", words, &w) == E_RANGE && w == -1,
	    "a word not in the list");
	ok(rec_get_word(&r, "w", words, &w) == E_RANGE && w == -1, "the fault stays");
	r = rec("w Ok\n");
	ok(rec_get_word(&r, "w", words, &w) == E_BAD, "no word");
	r = rec("w \n");
	ok(rec_get_word(&r, "w", words, &w) == E_BAD, "an empty word");
	r = rec("d 0123abcd\nd 0123abcde\n");
	ok(rec_get_hex(&r, "d", hex, 8) == 0 && strcmp(hex, "0123abcd") == 0, "a digest");
	ok(rec_get_hex(&r, "d", hex, 8) == E_BAD && hex[0] == '\0', "a digit too many");
	r = rec("d 0123abcg\n");
	ok(rec_get_hex(&r, "d", hex, 8) == E_BAD, "no digit");
	r = rec("d 0123ABCD\n");
	ok(rec_get_hex(&r, "d", hex, 8) == E_BAD, "upper case");
	r = rec("d 0123abc\n");
	ok(rec_get_hex(&r, "d", hex, 8) == E_BAD, "a digit too few");
}

static int
get_text(const char *text, size_t max)
{
	struct rec r = rec(text);
	const char *p;
	size_t n;
	int e = rec_get_text(&r, "t", max, &p, &n);

	if (e != 0 && (p != NULL || n != 0))
		return 1;
	return e != 0 ? e : rec_end(&r);
}

TEST(texts)
{
	static const char *const bad[] = {"t :\n", "t x\n", "t 1\n", "t 1:", "t 1:a",
	    "t 2:a\n", "t 1:ab\n", "t -1:\n", "t 01:a\n", "t 999999999:a\n",
	    "t 0:", "t 99999999999999999999:"};
	struct rec r;
	const char *p;
	size_t n;

	ok_int(get_text("t 0:\n", 0), 0, "empty");
	ok_int(get_text("t 3:a\nb\n", 3), 0, "with a newline");
	ok_int(get_text("t 5:t 1:x\n", 5), 0, "that looks like a member");
	ok_int(get_text("t 4:abcd\n", 3), E_TOO_LONG, "longer than allowed");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(get_text(bad[i], 100) == E_BAD || get_text(bad[i], 100) == E_TOO_LONG,
		    "bad form %zu", i);
	rec_init(&r, "t 3:a\0b\nn 1\n", 12);
	ok(rec_get_text(&r, "t", 9, &p, &n) == 0 && n == 3 && memcmp(p, "a\0b", 3) == 0,
	    "any byte");
	ok(rec_has(&r, "n") && !rec_has(&r, "t") && !rec_has(&r, "nn"),
	    "what comes next");
	ok_int(rec_end(&r), E_UNKNOWN, "a name that nobody read");
}

TEST(order)
{
	struct rec r = rec("a 1\nb 2\n");
	int64_t v;

	ok_int(rec_get_int(&r, "b", 0, 9, &v), E_MISSING, "not in order");
	ok_int(rec_get_int(&r, "a", 0, 9, &v), E_MISSING, "the first fault stays");
	ok(!rec_has(&r, "a"), "nothing comes next after a fault");
	ok_int(rec_end(&r), E_MISSING, "at the end too");
	r = rec("a 1\na 1\n");
	ok_int(rec_get_int(&r, "a", 0, 9, &v), 0, "once");
	ok_int(rec_end(&r), E_UNKNOWN, "twice is unread");
	r = rec("a 1\n");
	ok(rec_get_int(&r, "a", 0, 9, &v) == 0 && rec_end(&r) == 0, "all read");
	r = rec("a 1\n\n");
	ok(rec_get_int(&r, "a", 0, 9, &v) == 0 && rec_end(&r) == E_UNKNOWN,
	    "an empty line");
}

TAP_MAIN

/* Headers and records: what is read strictly, and what is refused. */
#include "libcommon/frame.h"

#include "tests/tap.h"

static const char *const words[] = {"ok", "binary", NULL};

TEST(headers)
{
	unsigned char h[FRAME_HEADER];
	struct frame f = {.type = FRAME_CALL, .call = 7, .length = 300}, g;

	frame_pack(&f, h);
	ok_int(frame_unpack(h, &g), 0, "what was packed is read");
	ok(g.type == FRAME_CALL && g.call == 7 && g.length == 300, "the same members");
	h[0] ^= 1;
	ok_int(frame_unpack(h, &g), E_BAD, "another magic");
	h[0] ^= 1;
	h[15] = 1;
	ok_int(frame_unpack(h, &g), E_BAD, "the reserved field is not zero");
	h[15] = 0;
	f.length = FRAME_BODY_MAX + 1;
	frame_pack(&f, h);
	ok_int(frame_unpack(h, &g), E_TOO_LONG, "65,537 bytes");
	f.length = FRAME_BODY_MAX;
	frame_pack(&f, h);
	ok_int(frame_unpack(h, &g), 0, "65,536 bytes");
	memset(h + 2, 0, 2);
	ok_int(frame_unpack(h, &g), E_BAD, "type 0");
}

TEST(pipes)
{
	static unsigned char body[FRAME_BODY_MAX], big[FRAME_BODY_MAX];
	struct frame f;
	int p[2];
	pid_t pid;

	ok(pipe(p) == 0, "a pipe");
	ok_int(frame_send(p[1], FRAME_RESULT, 3, "abc", 3), 0, "sent");
	ok_int(frame_receive(p[0], &f, body), 0, "received");
	ok(f.type == FRAME_RESULT && f.length == 3 && memcmp(body, "abc", 3) == 0, "the same");
	ok_int(frame_send(p[1], FRAME_RESULT, 3, big, FRAME_BODY_MAX + 1), E_TOO_LONG, "too long to send");
	fflush(stdout);
	if ((pid = fork()) == 0)
		_exit(frame_send(p[1], FRAME_RESULT, 1, big, sizeof(big)) != 0);
	ok_int(frame_receive(p[0], &f, body), 0, "64 KiB pass");
	ok_int(f.length, FRAME_BODY_MAX, "whole");
	(void)waitpid(pid, NULL, 0);
	ok(write(p[1], "\xbb\x01\x00\x03\0\0\0\0\0\0\0\x09\0\0\0\0half", 20) == 20, "a body that ends early");
	close(p[1]);
	ok_int(frame_receive(p[0], &f, body), E_BAD, "is no frame");
	ok_int(frame_receive(p[0], &f, body), E_EOF, "then the end");
	close(p[0]);
}

static int
one_int(const char *s, int64_t *v)
{
	struct rec r;

	rec_init(&r, s, strlen(s));
	return rec_get_int(&r, "n", -5, 100, v) != 0 ? r.fault : rec_end(&r);
}

TEST(integers)
{
	static const struct {
		const char *in;
		int want;
		int64_t v;
	} rows[] = {
		{"n 0\n", 0, 0}, {"n 100\n", 0, 100}, {"n -5\n", 0, -5}, {"n 101\n", E_RANGE, 0},
		{"n -6\n", E_RANGE, 0}, {"n 99999999999999999999\n", E_RANGE, 0}, {"n 07\n", E_BAD, 0},
		{"n -0\n", E_BAD, 0}, {"n +1\n", E_BAD, 0}, {"n \n", E_BAD, 0}, {"n 1 \n", E_BAD, 0},
		{"n  1\n", E_BAD, 0}, {"n 1", E_BAD, 0}, {"n 0x1\n", E_BAD, 0}, {"n NaN\n", E_BAD, 0},
		{"m 1\n", E_MISSING, 0}, {"", E_MISSING, 0}, {"n\n", E_MISSING, 0}, {"n 1\nn 1\n", E_UNKNOWN, 0},
		{"n 1\nx", E_UNKNOWN, 0}, {"n 1\r\n", E_BAD, 0}, {"N 1\n", E_MISSING, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int64_t v = 77;
		int r = one_int(rows[i].in, &v);

		ok_int(r, rows[i].want, rows[i].in);
		ok(r != 0 || v == rows[i].v, "its value");
	}
}

TEST(words_digests_texts)
{
	struct rec r;
	const char *s;
	size_t n;
	int w;
	char hex[5];

	rec_init(&r, "c binary\nd 0aff\nt 3:a\nb\nt2 0:\n", 30);
	ok_int(rec_get_word(&r, "c", words, &w), 0, "a listed word");
	ok_int(w, 1, "its index");
	ok_int(rec_get_hex(&r, "d", hex, 4), 0, "a digest");
	ok_str(hex, "0aff", "its digits");
	ok_int(rec_get_text(&r, "t", 10, &s, &n), 0, "a text with a newline in it");
	ok(n == 3 && memcmp(s, "a\nb", 3) == 0, "its bytes");
	ok_int(rec_get_text(&r, "t2", 10, &s, &n), 0, "an empty text");
	ok_int(rec_end(&r), 0, "all read");
	for (const char *const *p = (const char *const[]){"t 4:abc\n", "t 3:abcd\n", "t :abc\n", "t -1:a\n",
	         "t 03:abc\n", "t 99999999999:a\n", "t 3abc\n", "t 11:01234567890\n", "t 3:abc", NULL};
	     *p != NULL; p++) {
		rec_init(&r, *p, strlen(*p));
		ok(rec_get_text(&r, "t", 10, &s, &n) != 0 && s == NULL && n == 0, "refused: %s", *p);
	}
	rec_init(&r, "c other\n", 8);
	ok_int(rec_get_word(&r, "c", words, &w), E_RANGE, "a word not listed");
	ok_int(w, -1, "-1");
	ok_int(rec_get_word(&r, "c", words, &w), E_RANGE, "a fault stays");
	rec_init(&r, "d 0AFF\n", 7);
	ok_int(rec_get_hex(&r, "d", hex, 4), E_BAD, "capital hex");
}

TEST(writing_and_reading_agree)
{
	auto_buf struct buf b = BUF_INIT;
	struct rec r;
	int64_t v;
	const char *s;
	size_t n;

	rec_put_int(&b, "a", INT64_MIN);
	rec_put_int(&b, "b", INT64_MAX);
	rec_put_text(&b, "c", "\0\n", 2);
	rec_init(&r, b.p, b.len);
	ok(rec_get_int(&r, "a", INT64_MIN, 0, &v) == 0 && v == INT64_MIN, "the least");
	ok(rec_get_int(&r, "b", 0, INT64_MAX, &v) == 0 && v == INT64_MAX, "the greatest");
	ok(rec_has(&r, "c") && !rec_has(&r, "d"), "what comes next can be asked");
	ok(rec_get_text(&r, "c", 2, &s, &n) == 0 && n == 2 && memcmp(s, "\0\n", 2) == 0, "any byte");
	ok_int(rec_end(&r), 0, "the end");
}

TAP_MAIN

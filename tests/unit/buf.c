/* Buffers: the bound, the mark of failure, the NUL behind the bytes; and whole reads and
 * writes, which fill them. */
#include "libcommon/buf.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "libcommon/fd.h"
#include "libcommon/io.h"
#include "tests/tap.h"

TEST(an_append_that_does_not_fit_changes_nothing)
{
	struct buf b;

	buf_init(&b, 4);
	ok_int(buf_str(&b, "abcd"), 0, "up to the cap");
	ok_int(buf_byte(&b, 'e'), E_TOO_LONG, "one more");
	ok(b.failed, "is remembered");
	ok_str(buf_cstr(&b), "abcd", "the bytes are as they were");
	ok_int(b.len, 4, "and their count");
	ok(buf_append(&b, "", 0) != 0, "even an append of nothing fails then");
	buf_clear(&b);
	ok(!b.failed && b.len == 0 && b.p != NULL, "cleared, the memory kept");
	ok_str(buf_cstr(&b), "", "empty");
	ok_int(buf_fmt(&b, "%d", 12345), E_TOO_LONG, "a format that does not fit");
	ok_str(buf_cstr(&b), "", "prints nothing of it");
	buf_clear(&b);
	ok_int(buf_fmt(&b, "%d", 1234), 0, "one that just fits");
	ok_str(buf_cstr(&b), "1234", "is whole");
	buf_release(&b);
	ok(b.p == NULL && b.room == 0 && b.cap == 4, "released, the cap kept");
	buf_release(&b);
	ok_str(buf_cstr(&b), "", "never NULL");
}

TEST(every_cap)
{
	bool good = true;

	for (size_t cap = 0; cap < 300; cap++) {
		struct buf b;

		buf_init(&b, cap);
		for (size_t i = 0; i < cap; i++)
			good &= buf_byte(&b, 'x') == 0 && b.p[b.len] == '\0' &&
			    b.room <= cap + 1;
		good &= buf_byte(&b, 'x') == E_TOO_LONG && b.len == cap;
		buf_release(&b);
	}
	ok(good, "holds exactly so many bytes and a NUL");
}

TEST(sizes_that_would_wrap)
{
	struct buf b;

	buf_init(&b, SIZE_MAX);
	ok_int(buf_str(&b, "ab"), 0, "no cap at all");
	ok_int(buf_reserve(&b, SIZE_MAX - 1), E_TOO_LONG, "a sum past the end");
	ok_int(buf_reserve(&b, SIZE_MAX / 2), E_TOO_LONG, "half the address space");
	ok_str(buf_cstr(&b), "ab", "nothing is lost");
	buf_release(&b);
}

TEST(bytes_are_bytes)
{
	auto_buf struct buf b = BUF_INIT;
	char *p;

	ok_int(buf_append(&b, "a\0b", 3), 0, "a NUL within");
	ok_int(b.len, 3, "is counted");
	buf_drop(&b, 2);
	ok_str(buf_cstr(&b), "b", "dropped from the front");
	buf_drop(&b, 100);
	ok_int(b.len, 0, "more than there is");
	ok_int(buf_fmt(&b, "%s-%03d", "x", 7), 0, "a format");
	p = buf_take(&b);
	ok_str(p, "x-007", "taken");
	ok(b.p == NULL && b.len == 0, "is gone from the buffer");
	free(p);
	p = buf_take(&b);
	ok_str(p, "", "taking nothing gives the empty string");
	free(p);
}

TEST(formats_longer_than_the_room)
{
	auto_buf struct buf b = BUF_INIT;
	char big[5000];

	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	ok_int(buf_fmt(&b, "<%s>", big), 0, "printed");
	ok_int(b.len, 5001, "whole");
	ok(b.p[0] == '<' && b.p[5000] == '>' && b.p[5001] == '\0', "with its ends");
}

TEST(reading_to_the_end)
{
	struct buf b;
	int fd, p[2];
	char c[4];

	ok_int(fd_memory("t", &fd), 0, "a file");
	ok_int(io_write(fd, "abcdef", 6), 0, "written");
	buf_init(&b, 6);
	ok_int(io_pread_all(fd, &b), 0, "as long as the cap");
	ok_str(buf_cstr(&b), "abcdef", "read whole");
	ok_int(lseek(fd, 0, SEEK_CUR), 6, "the offset is left alone");
	buf_release(&b);
	buf_init(&b, 5);
	ok_int(io_pread_all(fd, &b), E_TOO_LONG, "one past the cap");
	buf_release(&b);
	buf_init(&b, 100);
	ok_int(io_read_all(fd, &b), 0, "from where it stands");
	ok_int(b.len, 0, "nothing is left");
	buf_release(&b);
	ok_int(io_read_all(-1, &b), E_SYS, "no descriptor");
	ok_int(errno, EBADF, "by errno");
	buf_release(&b);
	close(fd);

	ok_int(fd_pipe(p), 0, "a pipe");
	ok_int(io_write(p[1], "abc", 3), 0, "three bytes");
	ok_int(io_read(p[0], c, 2), 0, "two of them");
	close(p[1]);
	ok_int(io_read(p[0], c, 2), E_BAD, "closed within");
	ok_int(io_read(p[0], c, 2), E_EOF, "closed before the first");
	close(p[0]);
}

/* More than a pipe holds, so that both sides must come back for the rest. */
TEST(large_through_a_pipe)
{
	enum { BIG = 3 << 20 };
	auto_buf struct buf b = BUF_INIT;
	char *big = malloc(BIG);
	int p[2], st = 0;
	pid_t pid;

	for (size_t i = 0; i < BIG; i++)
		big[i] = (char)(i * 31 >> 3);
	ok_int(fd_pipe(p), 0, "a pipe");
	fflush(stdout);
	if ((pid = fork()) == 0) {
		close(p[0]);
		_exit(io_write(p[1], big, BIG) != 0);
	}
	close(p[1]);
	ok_int(io_read_all(p[0], &b), 0, "read");
	ok(b.len == BIG && memcmp(b.p, big, BIG) == 0, "three MiB, each byte");
	ok(waitpid(pid, &st, 0) == pid && WIFEXITED(st) && WEXITSTATUS(st) == 0,
	    "written");
	close(p[0]);
	free(big);
}

TEST(words_of_errors)
{
	bool fixed = true;

	for (int e = 1; e > -40; e--)
		fixed &= err_text(e) != NULL && err_text(e)[0] != '\0';
	for (int e = -1; e < 200; e++)
		fixed &=
		    err_errno(e) != NULL && strpbrk(err_errno(e), "0123456789'") == NULL;
	ok(fixed, "every number has words, and no number is in them");
	ok_str(err_errno(EACCES), "permission denied", "EACCES");
	ok_str(err_errno(9999), "system error", "an unknown one");
	ok_str(err_text(E_FULL), "full", "the last code");
	ok_str(err_text(E_FULL - 1), "unknown error", "beyond it");
	ok_str(err_text(1), "unknown error", "a positive one");
}

static void
broken(void *arg)
{
	(void)arg;
	(void)!freopen("/dev/null", "w", stderr);
	bug("an invariant");
}

TEST(numbers)
{
	static const struct {
		int64_t v;
		const char *text;
	} rows[] = {{0, "0"}, {-1, "-1"}, {INT64_MAX, "9223372036854775807"},
	    {INT64_MIN, "-9223372036854775808"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_buf struct buf b = BUF_INIT;

		ok_int(buf_int(&b, rows[i].v), 0, "written");
		ok_str(buf_cstr(&b), rows[i].text, "in decimal");
	}
}

TEST(bugs_abort)
{
	ok_died_of(SIGABRT, broken, NULL);
}

TAP_MAIN

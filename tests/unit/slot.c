/* Slots: written once, sealed, read by bb only in the two legal ways. */
#include "bin/bb/labels/labels.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "tests/tap.h"

static struct slot *
filled(const char *text, struct label l)
{
	struct slot *s;
	int fd;

	if (slot_new("test", 1000, &s) != 0 || slot_writer(s, &fd) != 0 ||
	    write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd) != 0 ||
	    slot_seal(s, l) != 0)
		abort();
	return s;
}

TEST(before_the_seal)
{
	struct buf b = BUF_INIT;
	struct slot *s;
	int fd = 7;

	ok_int(slot_new("test", 10, &s), 0, "a new slot");
	ok_int(slot_bytes(s), 0, "is empty");
	ok_int(slot_label(s).i, UNTRUSTED, "and untrusted");
	ok_int(slot_label(s).c, PRIVATE, "and private until it is said");
	ok_int(slot_reader(s, &fd), E_STATE, "no reader before the seal");
	ok_int(fd, -1, "and no descriptor");
	ok_int(slot_display(s, &b), E_STATE, "not for the screen");
	ok_int(slot_present(s, &b), E_STATE,
	    "not for a planner: an error, never empty bytes");
	ok_int(b.len, 0, "nothing came");
	ok_int(slot_writer(s, &fd), 0, "a writer");
	ok(read(fd, &(char){0}, 1) < 0, "cannot read");
	ok(fcntl(fd, F_GETFD) & FD_CLOEXEC, "and is not inherited by chance");
	ok(write(fd, "secret", 6) == 6, "writes");
	ok_int(slot_bytes(s), 0, "the size is not told before the seal");
	close(fd);
	slot_free(s);
}

TEST(written_once)
{
	struct slot *s;
	int w, r, w2;
	char c;

	if (slot_new("test", 10, &s) != 0 || slot_writer(s, &w) != 0 ||
	    write(w, "abc", 3) != 3)
		abort();
	ok_int(slot_seal(s, LABEL_T_PRIV), 0, "sealed while a writer is open");
	ok_int(slot_seal(s, LABEL_T_PUB), E_STATE, "a second time");
	ok_int(slot_label(s).c, PRIVATE, "does not change the label");
	ok_int(slot_writer(s, &w2), E_STATE, "no second writer");
	ok_int(w2, -1, "and no descriptor");
	ok(write(w, "d", 1) < 0 && errno == EPERM, "the first one cannot write any more");
	ok(ftruncate(w, 0) < 0 && errno == EPERM, "nor shrink");
	ok(ftruncate(w, 100) < 0 && errno == EPERM, "nor grow");
	ok(mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, w, 0) == MAP_FAILED,
	    "nor map");
	ok(fcntl(w, F_ADD_SEALS, F_SEAL_WRITE) < 0, "the seals are sealed");
	close(w);
	ok_int(slot_reader(s, &r), 0, "a reader");
	ok_int(fcntl(r, F_GET_SEALS) &
	        (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE),
	    F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE, "all four seals");
	ok(write(r, "x", 1) < 0 && errno == EBADF, "reads only");
	ok(mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, r, 0) == MAP_FAILED,
	    "maps only to read");
	ok(read(r, &c, 1) == 1 && c == 'a', "from the beginning");
	ok_int(slot_reader(s, &w2), 0, "a second reader");
	ok(read(w2, &c, 1) == 1 && c == 'a', "has an offset of its own");
	close(r);
	close(w2);
	ok_int(slot_bytes(s), 3, "three bytes");
	slot_free(s);
}

TEST(release)
{
	static const struct label l[4] = {{TRUSTED, PUBLIC}, {TRUSTED, PRIVATE},
	    {UNTRUSTED, PUBLIC}, {UNTRUSTED, PRIVATE}};

	for (size_t i = 0; i < 4; i++) {
		struct slot *s = filled("bytes", l[i]);
		struct buf b = BUF_INIT;
		int r = slot_present(s, &b);

		if (l[i].i == TRUSTED)
			ok(r == 0 && strcmp(buf_cstr(&b), "bytes") == 0,
			    "%s is presented", label_text(l[i]));
		else
			ok(r == E_STATE && b.len == 0, "%s is not: no byte",
			    label_text(l[i]));
		buf_clear(&b);
		ok(slot_display(s, &b) == 0 && strcmp(buf_cstr(&b), "bytes") == 0,
		    "%s is for the person's screen", label_text(l[i]));
		ok(slot_display(s, &b) == 0 && strcmp(buf_cstr(&b), "bytesbytes") == 0,
		    "again, appended");
		buf_release(&b);
		slot_free(s);
	}
}

TEST(bounds)
{
	struct buf b = BUF_INIT;
	struct slot *s;
	int w;

	if (slot_new("test", 4, &s) != 0 || slot_writer(s, &w) != 0 ||
	    write(w, "12345", 5) != 5)
		abort();
	close(w);
	ok_int(slot_seal(s, LABEL_T_PRIV), E_TOO_LONG, "one byte too many");
	ok_int(slot_seal(s, LABEL_T_PRIV), E_STATE, "sealed all the same");
	slot_free(s);
	if (slot_new("test", 4, &s) != 0 || slot_writer(s, &w) != 0 ||
	    write(w, "1234", 4) != 4)
		abort();
	close(w);
	ok_int(slot_seal(s, LABEL_T_PRIV), 0, "as many as it may hold");
	slot_free(s);
	s = filled("", LABEL_T_PRIV);
	ok_int(slot_present(s, &b), 0, "an empty one is read");
	ok_int(b.len, 0, "as nothing");
	buf_release(&b);
	slot_free(s);
	slot_free(NULL);
}

TEST(owners)
{
	struct slot *s = filled("x", LABEL_T_PRIV), *again = slot_share(s);
	struct buf b = BUF_INIT;

	ok(again == s, "the same slot");
	slot_free(s);
	ok_int(slot_present(again, &b), 0, "it lives while one owner does");
	buf_release(&b);
	slot_free(again);
}

TAP_MAIN

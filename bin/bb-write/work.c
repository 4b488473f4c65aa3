/* What bb-write does with its descriptors: read, replace, compare, and write down where the
 * texts differ. It opens nothing and decides nothing; what it says is checked by bb against
 * the bytes themselves. */
#include "bin/bb-write/work.h"

#include <string.h>

#include "bin/bb-write/replace.h"
#include "libcommon/io.h"
#include "libcommon/text.h"
#include "libcommon/utf8.h"

struct worked worked;

/* NULL, or why it could not be read. */
static const char *
take_in(int fd, struct buf *b)
{
	buf_init(b, WORK_BYTES);
	switch (io_read_all(fd, b)) {
	case 0:
		return NULL;
	case E_TOO_LONG:
		return "too-large";
	default:
		return "unreadable";
	}
}

static const char *
not_text(const struct buf *b)
{
	const unsigned char *p = (const unsigned char *)buf_cstr(b);
	const char *odd = text_odd(p, b->len);

	if (odd == NULL && utf8_valid(p, b->len) != b->len)
		odd = "binary";
	return odd;
}

static uint64_t
lines_of(const struct buf *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n + (b->len > 0 && b->p[b->len - 1] != '\n');
}

/* `OLD,N NEW,M`, a line each. NULL, or what went wrong. */
static const char *
places(int fd, int64_t *bytes)
{
	auto_buf struct buf b = BUF_INIT;

	if (diff_lines(buf_cstr(&worked.old), worked.old.len, buf_cstr(&worked.new),
	        worked.new.len, &worked.diff) != 0)
		return "unreadable";
	for (size_t i = 0; i < worked.diff.count; i++) {
		const struct place *p = &worked.diff.at[i];

		(void)buf_int(&b, (int64_t)p->a);
		(void)buf_byte(&b, ',');
		(void)buf_int(&b, (int64_t)p->n);
		(void)buf_byte(&b, ' ');
		(void)buf_int(&b, (int64_t)p->b);
		(void)buf_byte(&b, ',');
		(void)buf_int(&b, (int64_t)p->m);
		(void)buf_byte(&b, '\n');
	}
	if (b.failed || io_write(fd, buf_cstr(&b), b.len) != 0)
		return "unreadable";
	*bytes = (int64_t)b.len;
	return NULL;
}

/* The members that both answers end with. */
static void
numbers(struct buf *result, int64_t bytes)
{
	rec_put_int(result, "places", (int64_t)worked.diff.count);
	rec_put_int(result, "removed", (int64_t)worked.diff.removed);
	rec_put_int(result, "added", (int64_t)worked.diff.added);
	rec_put_int(result, "large", worked.diff.large);
	rec_put_word(result, "old_ends",
	    replace_ends(buf_cstr(&worked.old), worked.old.len));
	rec_put_word(result, "new_ends",
	    replace_ends(buf_cstr(&worked.new), worked.new.len));
	rec_put_int(result, "lines", (int64_t)lines_of(&worked.new));
	rec_put_int(result, "bytes", bytes);
}

int
write_work(struct rec *call, struct buf *result)
{
	int64_t bytes = 0;
	const char *wrong;

	if (rec_end(call) != 0)
		return E_BAD;
	if ((wrong = take_in(3, &worked.old)) == NULL &&
	    (wrong = take_in(5, &worked.new)) == NULL)
		wrong = places(4, &bytes);
	rec_put_word(result, "code", wrong != NULL ? wrong : "ok");
	numbers(result, bytes);
	return 0;
}

static const char *
edited(bool all, struct replaced *r)
{
	auto_buf struct buf old = BUF_INIT, new = BUF_INIT;
	struct replacing p = {.all = all};
	const char *wrong;

	if ((wrong = take_in(3, &worked.old)) != NULL ||
	    (wrong = take_in(5, &old)) != NULL || (wrong = take_in(7, &new)) != NULL ||
	    (wrong = not_text(&worked.old)) != NULL)
		return wrong;
	p.text = buf_cstr(&worked.old);
	p.n = worked.old.len;
	p.old = buf_cstr(&old);
	p.n_old = old.len;
	p.new = buf_cstr(&new);
	p.n_new = new.len;
	switch (replace_passage(&p, r, &worked.new)) {
	case REPLACE_DONE:
		return NULL;
	case REPLACE_EMPTY:
		return "empty";
	case REPLACE_SAME:
		return "same";
	case REPLACE_ABSENT:
		return "absent";
	case REPLACE_MANY:
		return "many";
	case REPLACE_LARGE:
		return "too-large";
	case REPLACE_NOMEM:
		break;
	}
	return "unreadable";
}

int
edit_work(struct rec *call, struct buf *result)
{
	int64_t all, bytes = 0, staged = 0;
	struct replaced r = {0};
	const char *wrong;

	if (rec_get_int(call, "replace_all", 0, 1, &all) != 0 || rec_end(call) != 0)
		return E_BAD;
	buf_init(&worked.new, WORK_BYTES);
	if ((wrong = edited(all != 0, &r)) != NULL)
		buf_clear(&worked.new);
	else if (io_write(6, buf_cstr(&worked.new), worked.new.len) != 0)
		wrong = "unreadable";
	else {
		staged = (int64_t)worked.new.len;
		wrong = places(4, &bytes);
	}
	rec_put_word(result, "code", wrong != NULL ? wrong : "ok");
	rec_put_int(result, "found", (int64_t)r.found);
	rec_put_int(result, "count", (int64_t)r.count);
	rec_put_int(result, "line1", (int64_t)r.where[0]);
	rec_put_int(result, "line2", (int64_t)r.where[1]);
	rec_put_int(result, "line3", (int64_t)r.where[2]);
	rec_put_int(result, "crlf", r.crlf);
	rec_put_int(result, "staged", staged);
	numbers(result, bytes);
	return 0;
}

/* bb-write that lies about an edit. Which lie: the first byte of new_text. */
#include <string.h>

#include "bin/bb-write/diff.h"
#include "bin/bb-write/replace.h"
#include "libcommon/helper.h"
#include "libcommon/io.h"

extern const struct tool tool_edit_file;

static void
list(const struct diff *d, uint64_t shift, struct buf *out)
{
	for (size_t i = 0; i < d->count; i++) {
		(void)buf_int(out, (int64_t)(d->at[i].a + shift));
		(void)buf_byte(out, ',');
		(void)buf_int(out, (int64_t)d->at[i].n);
		(void)buf_byte(out, ' ');
		(void)buf_int(out, (int64_t)(d->at[i].b + shift));
		(void)buf_byte(out, ',');
		(void)buf_int(out, (int64_t)d->at[i].m);
		(void)buf_byte(out, '\n');
	}
}

static int
lie(struct rec *call, struct buf *result)
{
	auto_buf struct buf old = BUF_INIT, from = BUF_INIT, to = BUF_INIT,
	                    new = BUF_INIT, shown = BUF_INIT, places = BUF_INIT;
	struct replacing p = {.all = true};
	struct replaced r;
	struct diff d;
	int64_t all;
	char how;

	if (rec_get_int(call, "replace_all", 0, 1, &all) != 0 || rec_end(call) != 0 ||
	    io_read_all(3, &old) != 0 || io_read_all(5, &from) != 0 ||
	    io_read_all(7, &to) != 0)
		return E_BAD;
	p.text = buf_cstr(&old);
	p.n = old.len;
	p.old = buf_cstr(&from);
	p.n_old = from.len;
	p.new = buf_cstr(&to);
	p.n_new = to.len;
	how = buf_cstr(&to)[0];
	if (replace_passage(&p, &r, &new) != REPLACE_DONE)
		return E_BAD;
	(void)buf_append(&shown, new.p, new.len);
	if (how == '1' || how == '2')
		new.p[new.len - 2] ^= 1;
	if (how == '1')
		shown.p[shown.len - 2] ^= 1;
	if (how == '4') {
		buf_clear(&new);
		buf_clear(&shown);
		(void)buf_append(&new, old.p, old.len);
		(void)buf_append(&shown, old.p, old.len);
	}
	if (diff_lines(buf_cstr(&old), old.len, buf_cstr(&shown), shown.len, &d) != 0)
		return E_BAD;
	list(&d, how == '6' ? 1000 : 0, &places);
	if (io_write(6, buf_cstr(&new), new.len) != 0 ||
	    io_write(4, buf_cstr(&places), places.len) != 0)
		return E_BAD;
	rec_put_word(result, "code", "ok");
	rec_put_int(result, "found", (int64_t)r.found);
	rec_put_int(result, "count", (int64_t)r.count + (how == '3'));
	rec_put_int(result, "line1", 1);
	rec_put_int(result, "line2", 0);
	rec_put_int(result, "line3", 0);
	rec_put_int(result, "crlf", 0);
	rec_put_int(result, "staged", (int64_t) new.len + (how == '5'));
	rec_put_int(result, "places", (int64_t)d.count);
	rec_put_int(result, "removed", (int64_t)d.removed);
	rec_put_int(result, "added", (int64_t)d.added + (how == '7'));
	rec_put_int(result, "large", 0);
	rec_put_word(result, "old_ends", how == '8' ? "crlf" : "lf");
	rec_put_word(result, "new_ends", "lf");
	rec_put_int(result, "lines", 3);
	rec_put_int(result, "bytes", (int64_t)places.len);
	return 0;
}

static int
report(struct rec *result)
{
	(void)result;
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand = {.usage = "", .report = report};

	return helper_main(argc, argv, &tool_edit_file, lie, &hand);
}

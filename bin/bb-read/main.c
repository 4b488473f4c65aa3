/* bb-read: pages of the one file it is given. It opens nothing; what it reads may be
 * hostile, so it answers in numbers and codes and one stream of content. */
#include <string.h>

#include "bin/bb-read/lines.h"
#include "libcommon/helper.h"

extern const struct tool tool_read_file;

/* What remains of the file behind the page. */
static void
remains(struct rec *r)
{
	const struct tool *t = &tool_read_file;
	auto_buf struct buf b = BUF_INIT;
	int64_t v[4]; /* first, lines, total, cut */

	for (size_t i = 0; i < 4; i++) {
		const struct tool_member *m = &t->result[i + 1];

		if (rec_get_int(r, m->name, m->min, m->max, &v[i]) != 0)
			return;
	}
	if (v[1] == 0 && v[2] > 0) {
		(void)buf_str(&b, "no lines there; it has ");
		(void)buf_int(&b, v[2]);
	} else if (v[1] > 0 && v[0] + v[1] <= v[2]) {
		(void)buf_str(&b, "lines ");
		(void)buf_int(&b, v[0]);
		(void)buf_str(&b, "-");
		(void)buf_int(&b, v[0] + v[1] - 1);
		(void)buf_str(&b, " of ");
		(void)buf_int(&b, v[2]);
		(void)buf_str(&b, "; --offset ");
		(void)buf_int(&b, v[0] + v[1]);
		(void)buf_str(&b, " for more");
	}
	if (b.len > 0)
		helper_say_of(buf_cstr(&b));
}

/* After a page printed by hand: what is left, or why there is none, like cat. */
static int
report(struct rec *result)
{
	static const char *const said[][2] = {
	    {"binary", "binary, not text"},
	    {"utf-16", "binary (UTF-16), not text"},
	    {"utf-32", "binary (UTF-32), not text"},
	    {"too-large", "larger than 64 MiB"},
	    {"unreadable", "cannot be read"},
	};
	const struct tool_member *code = &tool_read_file.result[0];
	int w;

	if (rec_get_word(result, "code", code->words, &w) != 0)
		return 70;
	if (strcmp(code->words[w], "ok") == 0) {
		remains(result);
		return 0;
	}
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (strcmp(said[i][0], code->words[w]) == 0)
			helper_say_of(said[i][1]);
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand = {.usage =
	                                               "[--offset N] [--limit N] [FILE]",
	    .report = report};

	return helper_main(argc, argv, &tool_read_file, read_lines, &hand);
}

/* bb-write: what a write would change, and the new bytes of an edit. Which of its two pages
 * holds is seen by its descriptors: an edit has numbers 6 and 7. It opens nothing; what it reads may be hostile, so it answers in numbers. */
#include <fcntl.h>
#include <string.h>

#include "bin/bb-write/work.h"
#include "libcommon/helper.h"

/* Number of the member `name` of the answer, which is read from its beginning. */
static int64_t
number_of(const struct tool *t, struct rec *r, const char *name)
{
	struct rec copy = *r;
	int64_t v = 0;
	int w;

	for (size_t i = 0; i < t->n_result; i++) {
		const struct tool_member *m = &t->result[i];

		if (m->type == MEMBER_WORD) {
			if (rec_get_word(&copy, m->name, m->words, &w) != 0)
				return 0;
		} else if (rec_get_int(&copy, m->name, m->min, m->max, &v) != 0)
			return 0;
		if (strcmp(m->name, name) == 0)
			return v;
	}
	return 0;
}

/* `; lines 3, 17`, as far as there are. */
static void
lines(struct rec *r, const char *before, struct buf *b)
{
	static const char *const names[] = {"line1", "line2", "line3"};

	for (size_t i = 0; i < 3; i++) {
		int64_t n = number_of(&tool_edit_file, r, names[i]);

		if (n == 0)
			break;
		(void)buf_str(b, i == 0 ? before : ", ");
		(void)buf_int(b, n);
	}
}

static int
said(const struct tool *t, struct rec *r)
{
	static const char *const words[][2] = {
	    {"empty", "old_text is empty"},
	    {"same", "old_text and new_text are the same"},
	    {"binary", "binary, not text"},
	    {"utf-16", "binary (UTF-16), not text"},
	    {"utf-32", "binary (UTF-32), not text"},
	    {"too-large", "larger than 16 MiB"},
	    {"unreadable", "cannot be read"},
	};
	const struct tool_member *code = &t->result[0];
	auto_buf struct buf b = BUF_INIT;
	struct rec copy = *r;
	int w;

	if (rec_get_word(&copy, "code", code->words, &w) != 0)
		return 70;
	if (strcmp(code->words[w], "ok") == 0)
		return unified_put(&worked) == 0 ? 0 : 75;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i][0], code->words[w]) == 0)
			(void)buf_str(&b, words[i][1]);
	if (strcmp(code->words[w], "absent") == 0) {
		(void)buf_str(&b, "old_text is not in it");
		lines(r, "; nearest: line ", &b);
	} else if (strcmp(code->words[w], "many") == 0) {
		(void)buf_str(&b, "old_text occurs ");
		(void)buf_int(&b, number_of(t, r, "found"));
		(void)buf_str(&b, " times");
		lines(r, ": line ", &b);
	}
	helper_say_of(buf_cstr(&b));
	return 1;
}

static int
report_write(struct rec *r)
{
	return said(&tool_write_file, r);
}

static int
report_edit(struct rec *r)
{
	return said(&tool_edit_file, r);
}

static const char usage[] = "[--contents TEXT] FILE\n"
                            "       bb-write [--json] --old_text TEXT --new_text TEXT "
                            "[--replace_all true] FILE";

static bool
opened(int fd, int way)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == way;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand_write = {.usage = usage,
	                                       .report = report_write,
	                                       .reports = true},
	                                   hand_edit = {.usage = usage,
	                                       .report = report_edit,
	                                       .reports = true};
	bool edit = argc == 1 && opened(6, O_WRONLY) && opened(7, O_RDONLY);

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		edit |= strncmp(argv[i], "--old_text", 10) == 0 ||
		    strncmp(argv[i], "--new_text", 10) == 0;
	return edit ? helper_main(argc, argv, &tool_edit_file, edit_work, &hand_edit)
	            : helper_main(argc, argv, &tool_write_file, write_work, &hand_write);
}

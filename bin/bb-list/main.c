/* bb-list: names beneath the one directory it is given, or the parts of it that its
 * scope names. It can open directories and nothing else. */
#include <string.h>

#include "bin/bb-list/list.h"
#include "libcommon/helper.h"

extern const struct tool tool_list_files;

static int64_t
number(const struct rec *result, const char *name)
{
	const struct tool *t = &tool_list_files;
	struct rec r = *result;
	int64_t v = 0;

	for (size_t i = 1; i < t->n_result; i++) {
		const struct tool_member *m = &t->result[i];

		if (rec_get_int(&r, m->name, m->min, m->max, &v) != 0)
			return -1;
		if (strcmp(m->name, name) == 0)
			return v;
	}
	return -1;
}

static int
report(struct rec *result)
{
	const struct tool_member *code = &tool_list_files.result[0];
	int w;

	if (rec_get_word(result, "code", code->words, &w) != 0)
		return 70;
	if (strcmp(code->words[w], "ok") != 0) {
		helper_say_of("cannot be read");
		return 1;
	}
	if (number(result, "truncated") > 0)
		helper_say("incomplete: there are more entries than it lists");
	if (number(result, "missing") == 0)
		return 0;
	helper_say("incomplete: part of this tree could not be read");
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand =
	    {.usage = "[--depth N] [--pattern GLOB] [DIRECTORY]", .report = report};

	list_by_hand = argc > 1;
	return helper_main(argc, argv, &tool_list_files, list_files, &hand);
}

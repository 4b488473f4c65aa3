/* bb-read: pages of the one file it is given. It opens nothing; what it reads may be
 * hostile, so it answers in numbers and codes and one stream of content. */
#include <string.h>

#include "bin/bb-read/lines.h"
#include "libcommon/helper.h"

extern const struct tool tool_read_file;

/* After a page printed by hand: why there is none, like cat. */
static int
report(struct rec *result)
{
	static const char *const said[][2] = {
	    {"binary", "binary, not text"},
	    {"utf-16", "binary (UTF-16), not text"},
	    {"utf-32", "binary (UTF-32), not text"},
	    {"too-large", "larger than 64 MiB"},
	    {"unreadable", "it cannot be read"},
	};
	const struct tool_member *code = &tool_read_file.result[0];
	int w;

	if (rec_get_word(result, "code", code->words, &w) != 0)
		return 70;
	if (strcmp(code->words[w], "ok") == 0)
		return 0;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (strcmp(said[i][0], code->words[w]) == 0)
			helper_say(said[i][1]);
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand = {"[--offset N] [--limit N] [FILE]",
	    report};

	return helper_main(argc, argv, &tool_read_file, read_lines, &hand);
}

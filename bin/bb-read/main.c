/* bb-read: pages of the one file it is given. It opens nothing; what it reads may be
 * hostile, so it answers in numbers and codes and one stream of content. */
#include <string.h>
#include <unistd.h>

#include "bin/bb-read/lines.h"
#include "libcommon/helper.h"

extern const struct tool tool_read_file;

static void
say(const char *s)
{
	ssize_t n = write(HELPER_LOG, s, strlen(s));

	(void)n;
}

/* After a page printed by hand: why there is none, like cat. */
static int
report(struct rec *result)
{
	const struct tool_member *m = &tool_read_file.result[0];
	int code;

	if (rec_get_word(result, "code", m->words, &code) != 0)
		return 70;
	if (code == 0)
		return 0;
	say("bb-read: ");
	say(strcmp(m->words[code], "too-large") == 0 ? "larger than 64 MiB"
	    : strcmp(m->words[code], "unreadable") == 0 ? "it cannot be read"
	    : strcmp(m->words[code], "binary") == 0 ? "binary, not text" : "binary: ");
	if (strncmp(m->words[code], "utf", 3) == 0)
		say(m->words[code]);
	say("\n");
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand = {"[--offset N] [--limit N] [FILE]", report};

	return helper_main(argc, argv, &tool_read_file, read_lines, &hand);
}

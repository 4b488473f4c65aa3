/* bb-list: names beneath the one directory it is given, or the parts of it that its
 * scope names. It can open directories and nothing else. */
#include <string.h>
#include <unistd.h>

#include "bin/bb-list/list.h"
#include "libcommon/helper.h"

extern const struct tool tool_list_files;

static int
report(struct rec *result)
{
	static const char partial[] = "bb-list: incomplete: stopped at its cap\n",
	                  missing[] = "bb-list: part of this tree could not be read\n",
	                  fault[] = "bb-list: it cannot be read\n";
	const struct tool_member *m = tool_list_files.result;
	int code;
	int64_t v, truncated = 0, gone = 0;
	const char *s = NULL;
	size_t n = 0;
	ssize_t w;

	if (rec_get_word(result, "code", m[0].words, &code) != 0)
		return 70;
	for (size_t i = 1; i < tool_list_files.n_result; i++) {
		if (rec_get_int(result, m[i].name, m[i].min, m[i].max, &v) != 0)
			return 70;
		if (strcmp(m[i].name, "truncated") == 0)
			truncated = v;
		if (strcmp(m[i].name, "missing") == 0)
			gone = v;
	}
	if (code != 0) {
		s = fault;
		n = sizeof(fault) - 1;
	} else if (gone) {
		s = missing;
		n = sizeof(missing) - 1;
	} else if (truncated) {
		s = partial;
		n = sizeof(partial) - 1;
	}
	w = s != NULL ? write(HELPER_LOG, s, n) : 0;
	(void)w;
	return code != 0 ? 2 : truncated || gone ? 1 : 0;
}

int
main(int argc, char **argv)
{
	static const struct helper_by_hand hand = {"[--depth N] [--pattern GLOB] [DIR]", report};

	list_by_hand = argc > 1;
	return helper_main(argc, argv, &tool_list_files, list_files, &hand);
}

/* Look-ups in one row of the table. */
#include "libcommon/tool.h"

#include <string.h>

#include "libcommon/landlock_abi.h"

const char *const tool_todo_words[TODO_WORDS] = {"pending", "in_progress", "completed",
    "cancelled"};

const struct tool_arg *
tool_arg(const struct tool *t, const char *name)
{
	for (size_t i = 0; i < t->n_args; i++)
		if (strcmp(t->args[i].name, name) == 0)
			return &t->args[i];
	return NULL;
}

bool
tool_sends_text(const struct tool_arg *a)
{
	return a->type == TOOL_GLOB || a->type == TOOL_PATTERNS;
}

int
tool_number(const struct tool_arg *a, int64_t n, int64_t *out)
{
	*out = 0;
	if (n == 0) /* planners fill optional numbers with 0 */
		n = a->has_default || a->min <= 0 ? a->def : a->min;
	if (n > a->max && a->clamp)
		n = a->max;
	if (n < a->min || n > a->max)
		return E_RANGE;
	*out = n;
	return 0;
}

bool
tool_omits(const struct tool_arg *a)
{
	return a->type == TOOL_INT && !a->has_default && a->min > 0;
}

int64_t
tool_call_default(const struct tool *t, const char *name)
{
	for (size_t i = 0; i < t->n_call; i++)
		if (t->call[i].type == MEMBER_INT && strcmp(t->call[i].name, name) == 0)
			return t->call[i].has_default ? t->call[i].def : t->call[i].max;
	return -1;
}

bool
tool_reads_files(const struct tool *t)
{
	for (size_t i = 0; i < t->n_landlock; i++)
		if ((t->landlock[i].rights & LANDLOCK_ACCESS_FS_READ_FILE) != 0)
			return true;
	return false;
}

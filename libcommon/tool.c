/* Look-ups in one row of the table. */
#include "libcommon/tool.h"

#include <string.h>

const struct tool_arg *
tool_arg(const struct tool *t, const char *name)
{
	for (size_t i = 0; i < t->n_args; i++)
		if (strcmp(t->args[i].name, name) == 0)
			return &t->args[i];
	return NULL;
}

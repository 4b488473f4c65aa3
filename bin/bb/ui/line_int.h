/* Inside ui/ only: line.c, the line being edited, and history.c, the lines before. */
#ifndef BB_UI_LINE_INT_H
#define BB_UI_LINE_INT_H

#include "bin/bb/ui/ask_int.h"

#define HISTORY_MOST 1000

typedef void (*history_line)(void *arg, const char *line);
/* Hand over the newest HISTORY_MOST lines, oldest first; makes the file. 0, E_SYS,
 * E_TOO_LONG, E_NOMEM. */
must_use int history_load(const char *path, history_line fn, void *arg);
/* Append line unless it equals the last one; the oldest go beyond HISTORY_MOST. */
must_use int history_add(const char *path, const char *line);

#endif

/* The task list on the person's screen. */
#ifndef BB_SESSION_TODO_H
#define BB_SESSION_TODO_H

#include "bin/bb/ui/ui.h"

/* One row a task of `list` (objects of content and status; NULL: none). Appends. */
void todo_rows(const struct look *l, const json_t *list, struct buf *out);

#endif

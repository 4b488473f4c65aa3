/* The person's own commands: the table from which /help, completion, manual and the
 * shell completions are made. */
#ifndef BB_SESSION_COMMANDS_H
#define BB_SESSION_COMMANDS_H

#include <stddef.h>

#include "bin/bb/ui/ui.h"
#include "libcommon/buf.h"

struct command {
	const char *name, *arg, *says;
};
extern const struct command commands[];
extern const size_t commands_len;

/* The first 1 MiB of an opened file for the person's screen; a longer one says so. */
must_use int commands_head(int fd, struct buf *out);
/* Rows of a report (`label      value`, `  /command   what it does`) for a window: a row
 * that does not fit goes on below its own second column, broken at blanks. */
void look_rows(const struct look *l, const char *rows, struct buf *out);
struct session;
/* Completion of the word that ends at text[at]: candidates, NUL-separated. */
void commands_complete(const struct session *s, const char *text, size_t at,
    struct buf *out);

#endif

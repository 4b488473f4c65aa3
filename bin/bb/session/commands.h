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
/* Append words from column `hang` on, going on below it where `columns` would be passed. */
void look_wrap(unsigned columns, unsigned hang, const char *words, struct buf *out);
/* Columns of standard output; 80 where that is no terminal. */
unsigned look_columns(void);
/* Words of a typed line, in place: blanks separate, '…' and "…" hold together, a backslash
 * takes the next byte. 0; E_BAD: a quote is not closed; E_FULL: more than `most`. */
must_use int words_split(char *line, char **words, size_t most, size_t *n);
struct session;
/* Completion of the word that ends at text[at]: candidates, NUL-separated. */
void commands_complete(const struct session *s, const char *text, size_t at,
    struct buf *out);

#endif

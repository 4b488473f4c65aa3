/* Commands and options of bb in one table: read by main.c, --help, `bb help --json`,
 * the completions and the test that compares them with the manual. */
#ifndef BB_OPTIONS_H
#define BB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "bin/bb/session/session.h"

struct option_row {
	const char *name; /* "--trust" */
	char letter;      /* 'C' or 0 */
	const char *arg;  /* "DIR"; NULL none; "[=PATH]" optional */
	const char *says;
};
struct command_row {
	const char *name, *arg, *says;
	const char *options; /* its own options, blank-separated */
};
struct exit_row {
	int code;
	const char *says;
};
extern const struct option_row option_rows[];
extern const size_t option_rows_len;
extern const struct command_row command_rows[];
extern const size_t command_rows_len;
extern const struct exit_row exit_rows[];
extern const size_t exit_rows_len;

/* Options of one command that are not for all. */
struct own_options {
	const char *args;             /* call --args JSON */
	bool by_hand;                 /* power */
	bool settings;                /* doctor */
	const char *require;          /* doctor */
	bool list;                    /* approve */
	const char *n, *tool, *since; /* log */
	bool follow, refused, verify;
	const char *older; /* sessions prune */
	bool dry_run;
};
struct parsed {
	struct session_config c;
	struct own_options own;
	const char *command; /* NULL: the interactive session */
	char **words;        /* what follows the command word, options taken out */
	size_t n_words;
	bool help, version;
	int verbose;
};
/* Read argv. 0, or 2 with one line printed on stderr. Lists are allocated and kept for
 * the life of the process. */
int options_parse(int argc, char **argv, struct parsed *out);
void options_help(bool json);

#endif

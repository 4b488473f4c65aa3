/* Reading trails: bb log, bb sessions, /log. Prints what a trail holds through the same
 * escaping as everything foreign; never replays it into anything else. */
#ifndef BB_SESSION_LOG_H
#define BB_SESSION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bin/bb/ui/ui.h"

struct log_options {
	const char *state;     /* state directory */
	const char *workspace; /* whose newest session, when none is named */
	const char *session;   /* an id or a unique beginning of one, or NULL */
	const char *file;      /* a trail file itself, or NULL */
	size_t n;              /* the last n calls; 0 = all */
	bool follow, refused, json, verify;
	const char *tool, *since;
	enum colour_choice colour;
	FILE *to;                /* NULL: standard output */
	const struct look *look; /* NULL: of standard output */
};
/* Returns the exit status: 0; 1 not whole (--verify); 2 wrong use; 75 cannot be read. */
int log_main(const struct log_options *o);
/* What stands behind /log: a number of calls, 5 when there is none. 0 or E_BAD. */
must_use int log_number(const char *arg, size_t *n);

struct sessions_options {
	const char *state;
	bool json, prune, dry_run;
	const char *older; /* "30d", "12h" */
};
int sessions_main(const struct sessions_options *o);

#endif

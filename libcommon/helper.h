/* The one main loop of every helper. */
#ifndef BB_LIBCOMMON_HELPER_H
#define BB_LIBCOMMON_HELPER_H

#include <stdbool.h>

#include "libcommon/buf.h"
#include "libcommon/frame.h"
#include "libcommon/tool.h"

/* Fixed descriptor numbers. */
enum helper_fd { HELPER_IN = 0, HELPER_OUT = 1, HELPER_LOG = 2, HELPER_FIRST = 3 };

/* The work: read the CALL members (in page order) from call, work on the
 * descriptors of the page, append the RESULT members (in page order) to result.
 * Returns 0, or a negative code when CALL was malformed: then the helper ends
 * with status 70 and no RESULT. */
typedef int (*helper_work)(struct rec *call, struct buf *result);

/* A word of the human form beside `--NAME VALUE`. */
struct helper_word {
	const char *word;  /* "-i" */
	const char *arg;   /* the argument it sets; NULL: it lifts the caps of CALL */
	const char *value; /* what it sets it to; NULL: the word behind it */
};

/* What a helper adds for its human form. */
struct helper_by_hand {
	const char *usage; /* "[--offset N] [--limit N] FILE" */
	/* After the work: say (helper_say) what a person should see besides the slot
	 * (which is standard output), from the RESULT record. Returns the exit status
	 * (0, 1, 2). */
	int (*report)(struct rec *result);
	const struct helper_word *words; /* ends with a NULL word; or NULL */
	const char *first; /* argument that a first positional word is, where nothing
	                        else gave it; or NULL */
	bool file;         /* a file will do for fd 3's directory: a scope names it */
	int cannot_open;   /* exit status; 0: 1 */
	bool reports;      /* standard output is report's: slots take nothing */
};

/* Print "HELPER: what" on descriptor 2; not with --json, whose object says it. */
void helper_say(const char *what);
/* The same of what was named: "HELPER: 'FILE': what", the name made visible, or
 * "HELPER: standard input: what". */
void helper_say_of(const char *what);
/* By hand: is standard output a terminal? */
bool helper_on_terminal(void);
/* Write text from outside to the slot: as it is, but by hand on a terminal made visible
 * (visible.h). 0, or a code. */
must_use int helper_page(int fd, const char *p, size_t n);

/* Without arguments: check the page's descriptors, confine, READY, one CALL,
 * work, RESULT, exit 0; every wait ends at end of file on 0.
 * With arguments: the human form. `--NAME VALUE` sets a sent argument (patterns as
 * often as it stands there) or a carried one (left out: standard input), the positional one is opened here (before confinement) as
 * the page's fd 3 (a directory, or a regular file: nothing else, and without waiting;
 * standard input may be anything), the slot is standard output; `--help`, `--version`, `--json` are
 * answered. Exit 0, 1, 2 as the field knows them, 70 and 75 as everywhere.
 * Returns the exit status. */
int helper_main(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *hand);

#endif

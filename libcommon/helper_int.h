/* Between helper.c, which speaks frames, and helper_hand.c, which speaks to a person. */
#ifndef BB_LIBCOMMON_HELPER_INT_H
#define BB_LIBCOMMON_HELPER_INT_H

#include "libcommon/helper.h"

#define EX_MISBEHAVED 70
#define EX_SYSTEM 75

struct helper_speech {
	const char *name, *named; /* who speaks; what it was told to open, or NULL */
	bool quiet, terminal;
};
extern struct helper_speech helper_speech;

void helper_put(int fd, const char *s);
/* `NAME: WHAT 'QUOTED': MORE`, as far as given. */
void helper_saying(const char *what, const char *quoted, const char *more);
int helper_by_words(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *h);

#endif

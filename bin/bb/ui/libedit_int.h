/* libedit for line.c. It and what it needs are four of the eight libraries bb would
 * start with, and only a person at a terminal needs them: they are loaded when the first
 * line is to be edited, so that `bb call` starts in three quarters of the time. */
#ifndef BB_UI_LIBEDIT_INT_H
#define BB_UI_LIBEDIT_INT_H

#include <histedit.h>

/* editline(3). The members are the functions of those names. */
struct libedit {
	__typeof__(el_init) *init;
	__typeof__(el_end) *end;
	__typeof__(el_reset) *reset;
	__typeof__(el_gets) *gets;
	__typeof__(el_set) *set;
	__typeof__(el_get) *get;
	__typeof__(el_line) *line;
	__typeof__(el_insertstr) *insertstr;
	__typeof__(el_resize) *resize;
	__typeof__(history_init) *history_init;
	__typeof__(history_end) *history_end;
	__typeof__(history) *history;
};

/* The library, loaded once and never unloaded; NULL when it is not installed. */
const struct libedit *libedit_get(void);

#endif

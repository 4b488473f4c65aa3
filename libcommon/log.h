/* Log text on descriptor 2: silent unless -v. Never the content of a slot. */
#ifndef BB_LIBCOMMON_LOG_H
#define BB_LIBCOMMON_LOG_H

#include <stdbool.h>
#include <stddef.h>

extern int log_level; /* 0 silent, 1 -v, 2 -v -v */
void log_at(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A message on descriptor 2, whatever the level. Foreign words in it are made visible
 * (visible.h): the newline that ends it is the only one. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The last message of complain, without the name of the program: what is wrong, and what to
 * do about it where its format goes on with "; " and words of ours, else "". NULL when there
 * was none, or it was answered: an object with it was printed, or it was a remark only. */
const char *complaint(const char **remedy);
void complaint_answered(void);
/* Rows of text to standard output: as they are, but on a terminal made visible. False
 * when they could not be written. */
bool print_page(const char *p, size_t n);

#endif

/* Log text on descriptor 2: silent unless -v. Never the content of a slot. */
#ifndef BB_LIBCOMMON_LOG_H
#define BB_LIBCOMMON_LOG_H

extern int log_level; /* 0 silent, 1 -v, 2 -v -v */
void log_at(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

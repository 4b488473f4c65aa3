/* What is text, by its first bytes. */
#ifndef BB_LIBCOMMON_TEXT_H
#define BB_LIBCOMMON_TEXT_H

#include <stddef.h>

#define SNIFF_BYTES 8192   /* bytes looked at to tell text from binary */
#define CONTROL_PERCENT 30 /* share of control bytes above which it is binary */

/* What it is instead: "binary", "utf-16", "utf-32"; NULL: it may be text. */
const char *text_odd(const unsigned char *b, size_t n);

#endif

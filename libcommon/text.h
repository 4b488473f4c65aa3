/* What is text, by its first bytes. */
#ifndef BB_LIBCOMMON_TEXT_H
#define BB_LIBCOMMON_TEXT_H

#include <stddef.h>

#include "libcommon/buf.h"

#define SNIFF_BYTES 8192   /* bytes looked at to tell text from binary */
#define CONTROL_PERCENT 30 /* share of control bytes above which it is binary */

/* What it is instead: "binary", "utf-16", "utf-32"; NULL: it may be text. */
const char *text_odd(const unsigned char *b, size_t n);

/* Append <p, n> in base64. */
void text_base64(const void *p, size_t n, struct buf *out);

#endif

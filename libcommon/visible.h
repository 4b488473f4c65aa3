/* Words from outside, for a terminal or for a message: nothing in them steers. bb's own
 * screens have a finer hand (bin/bb/ui/safe.c); this one fits into a helper. */
#ifndef BB_LIBCOMMON_VISIBLE_H
#define BB_LIBCOMMON_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "libcommon/buf.h"

enum visible_kind {
	VISIBLE_WORD, /* of a message: a newline and a TAB are foreign too */
	VISIBLE_PAGE  /* rows of text: newlines, with the CR before one, and TABs stay */
};
/* Append <p, n> with every scalar that steers (utf8_steers) as <U+001B> and every byte
 * that is no UTF-8 as <FF>. */
void visible_put(const char *p, size_t n, enum visible_kind kind, struct buf *out);

#endif

/* What a page grants, in words for a person. Not for helpers. */
#ifndef BB_LIBCOMMON_TOOL_WORDS_H
#define BB_LIBCOMMON_TOOL_WORDS_H

#include "libcommon/buf.h"
#include "libcommon/tool.h"

/* The rows ` calls     read on 0 3 · write on 1 2 4 · …` and how many they are, broken
 * between calls at `columns`. Appends. */
void tool_calls_words(const struct tool *t, unsigned columns, struct buf *b);
/* A row for each call whose page says why it is there. Appends. */
void tool_why_words(const struct tool *t, struct buf *b);

#endif

/* The search of the directory open on descriptor 3 into the slot on 4. */
#ifndef BB_SEARCH_SEARCH_H
#define BB_SEARCH_SEARCH_H

#include <stdbool.h>

#include "libcommon/buf.h"
#include "libcommon/frame.h"

/* Set by the work: the slot took no more. */
extern bool search_unwritten;

/* The work of bb-search (helper.h). */
int search_files(struct rec *call, struct buf *result);

#endif

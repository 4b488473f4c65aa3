/* The walk of the directory open on descriptor 3 into the slot on 4. */
#ifndef BB_LIST_LIST_H
#define BB_LIST_LIST_H

#include <stdbool.h>

#include "libcommon/buf.h"
#include "libcommon/frame.h"

/* By hand: one path a line, directories with a slash, instead of records; bytes that
 * could steer a terminal as `?`. Set before helper_main; a helper serves one call. */
extern bool list_by_hand;

/* The work of bb-list (helper.h). */
int list_files(struct rec *call, struct buf *result);

#endif

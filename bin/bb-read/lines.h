/* One page of the file open on descriptor 3 into the slot on 4. */
#ifndef BB_READ_LINES_H
#define BB_READ_LINES_H

#include "libcommon/buf.h"
#include "libcommon/frame.h"

#define LINE_CHARS 2000        /* Unicode scalar values shown of a line */
#define PAGE_BYTES 65536       /* bytes of a page */
#define FILE_BYTES (64u << 20) /* a text file may be this large */

/* The work of bb-read (helper.h). */
int read_lines(struct rec *call, struct buf *result);

#endif

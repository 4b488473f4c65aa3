/* Whole reads and writes on descriptors, with a deadline where one can wait. */
#ifndef BB_LIBCOMMON_IO_H
#define BB_LIBCOMMON_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"

/* Write all n bytes, retrying EINTR. 0 or E_SYS. Blocks as the descriptor does. */
must_use int io_write(int fd, const void *p, size_t n);
/* Read exactly n bytes. 0, E_EOF (closed before the first byte), E_BAD (closed
 * within), E_SYS. */
must_use int io_read(int fd, void *p, size_t n);
/* Append everything to end of file, at most b->cap. 0, E_TOO_LONG, E_NOMEM, E_SYS. */
must_use int io_read_all(int fd, struct buf *b);
/* As io_read_all for a regular file or memory file, by pread from offset 0, so
 * that a shared offset is left alone. */
must_use int io_pread_all(int fd, struct buf *b);

#endif

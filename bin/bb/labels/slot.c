/* Slots: write-once memory files. bb passes their descriptors on; it reads one only by
 * slot_present (trusted) and slot_display (the person's screen). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/labels/labels.h"
#include "libcommon/fd.h"
#include "libcommon/io.h"

struct slot {
	int fd;
	uint64_t most, bytes;
	struct label label;
	bool sealed;
	unsigned owners;
};

int
slot_new(const char *name, uint64_t most, struct slot **out)
{
	struct slot *s = calloc(1, sizeof(*s));
	int r;

	*out = NULL;
	if (s == NULL)
		return E_NOMEM;
	if ((r = fd_memory(name, &s->fd)) != 0) {
		free(s);
		return r;
	}
	s->most = most;
	s->owners = 1;
	s->label = LABEL_U_PRIV; /* the worse until it is said */
	*out = s;
	return 0;
}

struct slot *
slot_share(struct slot *s)
{
	s->owners++;
	return s;
}

void
slot_free(struct slot *s)
{
	if (s == NULL || --s->owners > 0)
		return;
	close(s->fd);
	free(s);
}

int
slot_writer(struct slot *s, int *fd)
{
	*fd = -1;
	return s->sealed ? E_STATE : fd_reopen(s->fd, O_WRONLY, fd);
}

int
slot_seal(struct slot *s, struct label label)
{
	struct stat st;

	if (s->sealed)
		return E_STATE;
	if (fcntl(s->fd, F_ADD_SEALS,
	        F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
	    fstat(s->fd, &st) != 0)
		return E_SYS;
	s->sealed = true;
	s->bytes = (uint64_t)st.st_size;
	s->label = label;
	return s->bytes > s->most ? E_TOO_LONG : 0;
}

int
slot_reader(const struct slot *s, int *fd)
{
	*fd = -1;
	return s->sealed ? fd_reopen(s->fd, O_RDONLY, fd) : E_STATE;
}

int
slot_copy(const char *name, int fd, uint64_t most, struct label label, struct slot **out)
{
	struct slot *s;
	off_t at = 0;
	ssize_t n = 0;
	int r;

	if ((r = slot_new(name, most, out)) != 0)
		return r;
	s = *out;
	while ((uint64_t)at <= most && (n = sendfile(s->fd, fd, &at, 1 << 20)) > 0)
		;
	r = n < 0 ? E_SYS : slot_seal(s, label);
	if (r != 0) {
		slot_free(s);
		*out = NULL;
	}
	return r;
}

int
slot_of(const char *name, const void *p, size_t n, struct label label, struct slot **out)
{
	int r;

	if ((r = slot_new(name, n, out)) != 0)
		return r;
	if ((r = io_write((*out)->fd, p, n)) == 0)
		r = slot_seal(*out, label);
	if (r != 0) {
		slot_free(*out);
		*out = NULL;
	}
	return r;
}

uint64_t
slot_bytes(const struct slot *s)
{
	return s->sealed ? s->bytes : 0;
}

struct label
slot_label(const struct slot *s)
{
	return s->label;
}

int
slot_display(const struct slot *s, struct buf *out)
{
	return s->sealed ? io_pread_all(s->fd, out) : E_STATE;
}

int
slot_present(const struct slot *s, struct buf *out)
{
	/* SAFE: the only way of slot bytes towards a planner. */
	if (!s->sealed || s->label.i != TRUSTED)
		return E_STATE;
	return slot_display(s, out);
}

/* The audit trail: one JSON object a line, queued in order and written before the effect
 * it precedes. It holds gate names, labels, paths and counts, never content. Hostile
 * names are escaped; what is not UTF-8 is written as <FF>. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bin/bb/labels/labels.h"
#include "libcommon/clock.h"
#include "libcommon/fd.h"
#include "libcommon/io.h"
#include "libcommon/utf8.h"

struct trail {
	int fd;     /* -1: a private session */
	bool owned; /* fd is ours to close */
	bool broken;
	int errnum; /* why it is broken */
	char *path;
	struct buf queue;
	uint64_t seq, calls;
	bool begun; /* it has its first line, so it gets a last one */
};

/* --- building a line ------------------------------------------------------------------ */

/* What a terminal or an eye would act on were the file simply printed: C1 controls, marks
 * and orders of direction, what has no width. */
static bool
acts(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f) || cp == 0xad || cp == 0x61c ||
	    (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	    (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff;
}

static void
text(struct buf *b, const char *key, const char *value)
{
	const unsigned char *p = (const unsigned char *)value;
	size_t n;

	if (value == NULL)
		return;
	n = strlen(value);
	(void)buf_fmt(b, ",\"%s\":\"", key);
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		int len = utf8_next(p + i, n - i, &cp);

		if (len == 0)
			(void)buf_fmt(b, "<%02X>", p[i]);
		else if (acts(cp))
			(void)buf_fmt(b, "\\u%04x", (unsigned)cp);
		else if (cp == '"' || cp == '\\')
			(void)buf_fmt(b, "\\%c", (char)cp);
		else
			(void)buf_append(b, value + i, (size_t)len);
		i += len == 0 ? 1 : (size_t)len;
	}
	(void)buf_byte(b, '"');
}

static void
label(struct buf *b, const char *key, struct label l)
{
	(void)buf_fmt(b, ",\"%s\":{\"integrity\":\"%s\",\"confidentiality\":\"%s\"}", key,
	    label_integrity(l), label_secrecy(l));
}

static struct buf *
begin(struct trail *t, unsigned call, const char *kind)
{
	char at[25];

	clock_rfc3339(clock_wall_ms(), at);
	(void)buf_fmt(&t->queue, "{\"at\":\"%s\",\"seq\":%" PRIu64, at, ++t->seq);
	if (call != 0)
		(void)buf_fmt(&t->queue, ",\"call\":%u", call);
	(void)buf_fmt(&t->queue, ",\"kind\":\"%s\"", kind);
	return &t->queue;
}

static void
end(struct trail *t, bool refusal)
{
	(void)buf_fmt(&t->queue, ",\"refusal\":%s}\n", refusal ? "true" : "false");
}

/* --- opening --------------------------------------------------------------------------- */

/* A line that a crash tore stays on a line of its own. */
static int
mend_tail(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char last;
	int again;

	if (size <= 0)
		return 0; /* new, or not seekable */
	if (fd_reopen(fd, O_RDONLY, &again) != 0)
		return 0;
	if (pread(again, &last, 1, size - 1) == 1 && last != '\n') {
		close(again);
		return io_write(fd, "\n", 1);
	}
	close(again);
	return 0;
}

int
trail_open(const struct trail_start *how, struct trail **out)
{
	struct trail *t = calloc(1, sizeof(*t));
	struct stat st;
	struct buf *b;
	int r;

	*out = NULL;
	if (t == NULL)
		return E_NOMEM;
	t->fd = how->fd;
	t->queue = BUF_INIT;
	if (how->path != NULL) {
		t->owned = true;
		t->fd = open(how->path,
		    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY |
		        O_NONBLOCK,
		    0600);
		/* O_NONBLOCK: a FIFO nobody reads must not hold up the start. What is no
		 * regular file keeps nothing, or somebody else's; a pipe comes by fd:N. */
		if (t->fd >= 0 && (fstat(t->fd, &st) != 0 || !S_ISREG(st.st_mode))) {
			close(t->fd);
			t->fd = -1;
			errno = EINVAL;
		}
		if (t->fd < 0 || (t->path = strdup(how->path)) == NULL) {
			int keep = errno;

			trail_close(t);
			errno = keep == ENXIO ? EINVAL : keep;
			return E_SYS;
		}
		/* Held while the session lasts: `bb sessions prune` leaves a locked trail. */
		(void)flock(t->fd, LOCK_SH | LOCK_NB);
	}
	b = begin(t, 0, "session");
	text(b, "session", how->session);
	text(b, "workspace", how->workspace);
	text(b, "front", how->front);
	text(b, "mode", how->mode);
	text(b, "seed", how->seed);
	text(b, "version", BB_VERSION);
	end(t, false);
	b = begin(t, 0, "gate_passed");
	text(b, "gate", "mode");
	text(b, "detail", how->mode);
	end(t, false);
	if (t->fd >= 0 && (r = mend_tail(t->fd)) != 0) {
		int keep = errno;

		trail_close(t);
		errno = keep;
		return r;
	}
	t->begun = true;
	*out = t;
	return 0;
}

void
trail_close(struct trail *t)
{
	if (t == NULL)
		return;
	if (t->begun) {
		struct buf *b = begin(t, 0, "session_end");

		(void)buf_fmt(b, ",\"calls\":%" PRIu64, t->calls);
		end(t, false);
	}
	if (!t->broken && t->fd >= 0)
		(void)!trail_flush(t);
	if (t->owned && t->fd >= 0)
		close(t->fd);
	buf_release(&t->queue);
	free(t->path);
	free(t);
}

int
trail_flush(struct trail *t)
{
	ssize_t n;

	if (t->broken) {
		errno = t->errnum;
		return E_SYS;
	}
	if (t->queue.failed) {
		t->broken = true;
		errno = t->errnum = ENOMEM;
		return E_SYS;
	}
	if (t->queue.len == 0)
		return 0;
	if (t->fd >= 0) {
		/* One write for what belongs together; a short one is a full device. */
		do
			n = write(t->fd, t->queue.p, t->queue.len);
		while (n < 0 && errno == EINTR);
		if (n >= 0 && (size_t)n < t->queue.len) {
			size_t left = t->queue.len - (size_t)n;

			n = io_write(t->fd, t->queue.p + n, left) == 0
			    ? (ssize_t)t->queue.len
			    : -1;
		}
		if (n < 0) {
			t->broken = true;
			t->errnum = errno;
			return E_SYS;
		}
	}
	buf_clear(&t->queue);
	return 0;
}

bool
trail_broken(const struct trail *t)
{
	return t->broken;
}

const char *
trail_path(const struct trail *t)
{
	return t->path;
}

int
trail_fd(const struct trail *t)
{
	return t->fd;
}

uint64_t
trail_entries(const struct trail *t)
{
	return t->seq;
}

/* --- the lines --------------------------------------------------------------------------- */

void
trail_gate(struct trail *t, unsigned call, const char *gate, const char *detail)
{
	struct buf *b = begin(t, call, "gate_passed");

	text(b, "gate", gate);
	text(b, "detail", detail);
	end(t, false);
}

void
trail_power(struct trail *t, unsigned call, const char *power)
{
	struct buf *b = begin(t, call, "gate_passed");
	char detail[32];

	(void)snprintf(detail, sizeof(detail), "power %s", power);
	text(b, "gate", "action");
	text(b, "detail", detail);
	text(b, "power", power);
	end(t, false);
}

void
trail_block(struct trail *t, unsigned call, const char *gate, const char *detail,
    const char *reason)
{
	struct buf *b = begin(t, call, "gate_blocked");

	text(b, "gate", gate);
	text(b, "detail", detail);
	text(b, "reason", reason);
	end(t, true);
}

void
trail_field(struct trail *t, unsigned call, const char *tool, const char *field,
    bool routing, struct label l, bool allowed)
{
	struct buf *b = begin(t, call, "action_field");

	text(b, "tool", tool);
	text(b, "field", field);
	text(b, "role", routing ? "routing" : "content");
	label(b, "label", l);
	(void)buf_fmt(b, ",\"allowed\":%s", allowed ? "true" : "false");
	end(t, !allowed);
}

void
trail_observed(struct trail *t, unsigned call, const char *capability, struct label l)
{
	struct buf *b = begin(t, call, "observed");

	text(b, "capability", capability);
	label(b, "label", l);
	end(t, false);
}

void
trail_slot(struct trail *t, unsigned call, const char *slot, struct label l)
{
	struct buf *b = begin(t, call, "slot_written");

	text(b, "slot", slot);
	label(b, "label", l);
	end(t, false);
}

void
trail_deferred(struct trail *t, unsigned call, const char *slot, const char *origin,
    struct label l)
{
	struct buf *b = begin(t, call, "slot_deferred");

	text(b, "slot", slot);
	text(b, "origin", origin);
	label(b, "label", l);
	end(t, false);
}

void
trail_declassified(struct trail *t, unsigned call, const char *slot, struct label from,
    struct label to, const char *reason)
{
	struct buf *b = begin(t, call, "declassified");

	text(b, "slot", slot);
	label(b, "from", from);
	label(b, "to", to);
	text(b, "reason", reason);
	end(t, false);
}

void
trail_call(struct trail *t, unsigned call, const char *tool, const char *object,
    const char *power)
{
	struct buf *b = begin(t, call, "call");

	t->calls++;
	text(b, "tool", tool);
	text(b, "object", object);
	text(b, "power", power);
	end(t, false);
}

void
trail_asked(struct trail *t, unsigned call, const char *kind, const char *object,
    const char *who, const char *answer)
{
	struct buf *b = begin(t, call, "asked");

	text(b, "question", kind);
	text(b, "object", object);
	text(b, "who", who);
	text(b, "answer", answer);
	end(t, false);
}

void
trail_done(struct trail *t, unsigned call, const char *status, const char *code,
    struct label l)
{
	struct buf *b = begin(t, call, "done");

	text(b, "status", status);
	text(b, "code", code);
	label(b, "label", l);
	end(t, strcmp(status, "refused") == 0);
}

void
trail_act(struct trail *t, const char *what, const char *object, const char *by)
{
	struct buf *b = begin(t, 0, "act");

	text(b, "what", what);
	text(b, "object", object);
	text(b, "by", by);
	end(t, false);
}

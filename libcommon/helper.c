/* The one main loop of every helper: confine, READY, one CALL, work, RESULT; or, with
 * words on its command line, the human form over the same work. Trusts the compiled page
 * and, by hand, the person; nothing received is looked at before the filter is on. */
#include "libcommon/helper_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/fd.h"
#include "libcommon/io.h"
#include "libcommon/visible.h"

static unsigned char body[FRAME_BODY_MAX];
struct helper_speech helper_speech;

void
helper_put(int fd, const char *s)
{
	if (s != NULL && write(fd, s, strlen(s)) < 0)
		helper_speech.quiet = true; /* nobody listens */
}

/* `NAME: WHAT 'QUOTED': MORE`, as far as given. */
void
helper_saying(const char *what, const char *quoted, const char *more)
{
	helper_put(HELPER_LOG, helper_speech.name);
	helper_put(HELPER_LOG, ": ");
	helper_put(HELPER_LOG, what);
	if (quoted != NULL) {
		auto_buf struct buf shown = BUF_INIT;

		visible_put(quoted, strlen(quoted), VISIBLE_WORD, &shown);
		helper_put(HELPER_LOG, what != NULL ? " '" : "'");
		helper_put(HELPER_LOG, buf_cstr(&shown));
		helper_put(HELPER_LOG, "'");
	}
	if (more != NULL)
		helper_put(HELPER_LOG, ": ");
	helper_put(HELPER_LOG, more);
	helper_put(HELPER_LOG, "\n");
}

void
helper_say(const char *what)
{
	if (!helper_speech.quiet)
		helper_saying(what, NULL, NULL);
}

void
helper_say_of(const char *what)
{
	if (!helper_speech.quiet)
		helper_saying(helper_speech.named != NULL ? NULL : "standard input",
		    helper_speech.named, what);
}

bool
helper_on_terminal(void)
{
	return helper_speech.terminal;
}

int
helper_page(int fd, const char *p, size_t n)
{
	auto_buf struct buf shown = BUF_INIT;

	if (!helper_speech.terminal)
		return io_write(fd, p, n);
	visible_put(p, n, VISIBLE_PAGE, &shown);
	return shown.failed ? E_NOMEM : io_write(fd, buf_cstr(&shown), shown.len);
}

static int
ready(const struct tool *t, const struct confine_report *c)
{
	auto_buf struct buf b = BUF_INIT;

	rec_put_int(&b, "layers", (int64_t)c->layers);
	rec_put_int(&b, "abi", c->landlock_abi);
	rec_put_word(&b, "filter", t->filter_digest);
	return b.failed ? E_NOMEM : frame_send(HELPER_OUT, FRAME_READY, 0, b.p, b.len);
}

/* Does the descriptor have the page's number and way of access? */
static bool
as_page(const struct tool_fd *f)
{
	int flags = fcntl(f->n, F_GETFL);

	if (flags < 0)
		return false;
	switch (f->access) {
	case TOOL_READ:
		return (flags & O_ACCMODE) == O_RDONLY && (flags & O_PATH) == 0;
	case TOOL_WRITE:
		return (flags & O_ACCMODE) == O_WRONLY;
	case TOOL_DIR: {
		struct stat st;

		return fstat(f->n, &st) == 0 && S_ISDIR(st.st_mode);
	}
	}
	return false;
}

static int
framed(const struct tool *t, helper_work work)
{
	auto_buf struct buf result = {.cap = FRAME_BODY_MAX};
	struct confine_report c;
	struct frame f;
	struct rec call;
	int r;

	for (size_t i = 0; i < t->n_fds; i++)
		if (!as_page(&t->fds[i])) {
			helper_saying("descriptors are not those of its page; try --help",
			    NULL, NULL);
			return 2;
		}
	/* The allocator's first act is done before the filter could forbid it. */
	if (buf_reserve(&result, 512) != 0)
		return EX_SYSTEM;
	confine_self(t, &c);
	if (ready(t, &c) != 0)
		return EX_SYSTEM;
	if ((r = frame_receive(HELPER_IN, &f, body)) == E_EOF)
		return 0; /* the parent is gone, or refused these layers */
	if (r != 0 || f.type != FRAME_CALL)
		return EX_MISBEHAVED;
	rec_init(&call, body, f.length);
	if (work(&call, &result) != 0 || result.failed)
		return EX_MISBEHAVED;
	return frame_send(HELPER_OUT, FRAME_RESULT, f.call, result.p, result.len) == 0
	    ? 0
	    : EX_SYSTEM;
}

int
helper_main(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *hand)
{
	helper_speech.name = t->helper;
	return argc > 1 ? helper_by_words(argc, argv, t, work, hand) : framed(t, work);
}

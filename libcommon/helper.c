/* The one main loop of every helper: confine, READY, one CALL, work, RESULT; or, with
 * words on its command line, the human form over the same work. */
#include "libcommon/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/fd.h"

#define EX_MISBEHAVED 70
#define EX_SYSTEM 75

static unsigned char body[FRAME_BODY_MAX];

static void
say(const char *a, const char *b, const char *c)
{
	const char *const part[] = {a, b, c, "\n"};

	for (size_t i = 0; i < 4; i++)
		if (part[i] != NULL && write(HELPER_LOG, part[i], strlen(part[i])) < 0)
			return;
}

static int
ready(const struct tool *t, const struct confine_report *c)
{
	struct buf b;

	buf_init(&b, 256);
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
	struct confine_report c;
	struct buf result;
	struct frame f;
	struct rec call;
	int r;

	for (size_t i = 0; i < t->n_fds; i++)
		if (!as_page(&t->fds[i])) {
			say(t->helper, ": descriptors are not those of its page; try --help", NULL);
			return 2;
		}
	/* The allocator's first act is done before the filter could forbid it. */
	buf_init(&result, FRAME_BODY_MAX);
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
	return frame_send(HELPER_OUT, FRAME_RESULT, f.call, result.p, result.len) == 0 ? 0 : EX_SYSTEM;
}

/* --- the human form ------------------------------------------------------------------ */

static bool
number(const char *s, int64_t *out)
{
	int64_t v = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++)
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, *s - '0', &v))
			return false;
	*out = v;
	return true;
}

struct hand {
	const char *value[16]; /* of each argument, as given */
	const char *object;    /* what fd 3 is opened on */
};

/* 0, or the status to end with + 1. */
static int
words(int argc, char **argv, const struct tool *t, const struct helper_by_hand *h,
    struct hand *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i], *eq = strchr(w, '=');
		size_t n = eq != NULL ? (size_t)(eq - w) : strlen(w);
		bool known = false;

		if (strcmp(w, "--help") == 0) {
			say("usage: ", t->helper, NULL);
			say("  ", h->usage, NULL);
			return 1;
		}
		if (strcmp(w, "--version") == 0) {
			if (write(1, t->helper, strlen(t->helper)) < 0 ||
			    write(1, " " BB_VERSION "\n", sizeof(BB_VERSION) + 1) < 0)
				return EX_SYSTEM + 1;
			return 1;
		}
		if (w[0] != '-' || w[1] != '-' || w[2] == '\0') {
			if (out->object != NULL && strcmp(w, "--") != 0) {
				say(t->helper, ": one object at a time: ", w);
				return 3;
			}
			if (strcmp(w, "--") != 0)
				out->object = w;
			continue;
		}
		for (size_t k = 0; k < t->n_args && k < 16; k++)
			if (t->args[k].sent && strlen(t->args[k].name) == n - 2 &&
			    memcmp(t->args[k].name, w + 2, n - 2) == 0) {
				known = true;
				out->value[k] = eq != NULL ? eq + 1 : i + 1 < argc ? argv[++i] : NULL;
				if (out->value[k] == NULL) {
					say(t->helper, ": a value is missing after ", w);
					return 3;
				}
			}
		if (!known) {
			say(t->helper, ": unknown option ", w);
			return 3;
		}
	}
	return 0;
}

/* The CALL record a person's words mean. */
static int
call_of(const struct tool *t, const struct hand *h, struct buf *b)
{
	for (size_t k = 0; k < t->n_args && k < 16; k++) {
		const struct tool_arg *a = &t->args[k];
		int64_t n = a->def;

		if (!a->sent)
			continue;
		if (a->type == TOOL_GLOB) {
			if (h->value[k] != NULL)
				rec_put_text(b, a->name, h->value[k], strlen(h->value[k]));
			continue;
		}
		if (h->value[k] != NULL && !number(h->value[k], &n)) {
			say(t->helper, ": a whole number is needed for --", a->name);
			return E_BAD;
		}
		if (n == 0)
			n = a->def;
		rec_put_int(b, a->name, n > a->max ? a->max : n);
	}
	for (size_t k = 0; k < t->n_call; k++)
		if (t->call[k].type == MEMBER_TEXT)
			rec_put_text(b, t->call[k].name, "", 0);
		else
			rec_put_int(b, t->call[k].name, t->call[k].max);
	return b->failed ? E_NOMEM : 0;
}

/* Put the page's descriptors in place: the object on 3, standard output as the slot,
 * an empty file for the scope. */
static int
place(const struct tool *t, const char *object)
{
	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];
		int fd;

		if (f->source == TOOL_FROM_SLOT)
			fd = dup(1);
		else if (f->source == TOOL_FROM_ARG)
			fd = object == NULL && f->access != TOOL_DIR ? dup(0)
			    : open(object == NULL ? "." : object, O_RDONLY | O_NOCTTY | O_NONBLOCK |
			        (f->access == TOOL_DIR ? O_DIRECTORY : 0));
		else
			fd = open("/dev/null", O_RDONLY);
		if (fd < 0)
			return E_SYS;
		if (fd != f->n && (dup2(fd, f->n) < 0 || close(fd) != 0))
			return E_SYS;
	}
	return 0;
}

static int
by_hand(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *h)
{
	struct confine_report c;
	struct hand words_of;
	struct buf call, result;
	struct rec r;
	unsigned missing;
	int e = words(argc, argv, t, h, &words_of);

	if (e != 0)
		return e - 1;
	/* What stands at 3 and up belongs to whoever called. */
	if (fd_close_from(3) != 0)
		return EX_SYSTEM;
	if (place(t, words_of.object) != 0) {
		say(t->helper, ": cannot open it: ", err_errno(errno));
		return t->n_landlock > 0 ? 2 : 1;
	}
	buf_init(&call, FRAME_BODY_MAX);
	buf_init(&result, FRAME_BODY_MAX);
	if (call_of(t, &words_of, &call) != 0)
		return 2;
	if (buf_reserve(&result, 512) != 0)
		return EX_SYSTEM;
	confine_self(t, &c);
	missing = confine_required(t, false) & ~c.layers;
	if (missing != 0) {
		say(t->helper, ": cannot be confined here: ", (missing & LAYER_SECCOMP) != 0
		    ? "no seccomp filters" : (missing & LAYER_LANDLOCK) != 0 ? "no Landlock"
		    : "a limit or capability was refused");
		return EX_SYSTEM;
	}
	rec_init(&r, call.p, call.len);
	if (work(&r, &result) != 0 || result.failed)
		return EX_MISBEHAVED;
	rec_init(&r, result.p, result.len);
	return h->report(&r);
}

int
helper_main(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *hand)
{
	return argc > 1 ? by_hand(argc, argv, t, work, hand) : framed(t, work);
}

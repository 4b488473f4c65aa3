/* The one main loop of every helper: confine, READY, one CALL, work, RESULT; or, with
 * words on its command line, the human form over the same work. Trusts the compiled page
 * and, by hand, the person; nothing received is looked at before the filter is on. */
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
#define ARGS_MAX 16

static unsigned char body[FRAME_BODY_MAX];
static const char *name;
static bool quiet;

static void
put(int fd, const char *s)
{
	if (s != NULL && write(fd, s, strlen(s)) < 0)
		quiet = true; /* nobody listens */
}

/* `NAME: WHAT 'QUOTED': MORE`, as far as given. */
static void
say(const char *what, const char *quoted, const char *more)
{
	put(HELPER_LOG, name);
	put(HELPER_LOG, ": ");
	put(HELPER_LOG, what);
	if (quoted != NULL) {
		put(HELPER_LOG, " '");
		put(HELPER_LOG, quoted);
		put(HELPER_LOG, "'");
	}
	if (more != NULL)
		put(HELPER_LOG, ": ");
	put(HELPER_LOG, more);
	put(HELPER_LOG, "\n");
}

void
helper_say(const char *what)
{
	if (!quiet)
		say(what, NULL, NULL);
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
			say("descriptors are not those of its page; try --help", NULL,
			    NULL);
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

/* --- the human form ------------------------------------------------------------------ */

struct hand {
	const char *value[ARGS_MAX]; /* of each argument, as given */
	const char *object; /* what fd 3 is opened on; NULL: standard input, or "." */
	bool json;
	int end; /* the status to end with now, or -1 */
};

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

/* Index of the sent argument that `--NAME` or `--NAME=VALUE` means, or -1. */
static int
option(const struct tool *t, const char *w, size_t n)
{
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++)
		if (t->args[k].sent && strlen(t->args[k].name) == n - 2 &&
		    memcmp(t->args[k].name, w + 2, n - 2) == 0)
			return (int)k;
	return -1;
}

static void
words(int argc, char **argv, const struct tool *t, const struct helper_by_hand *h,
    struct hand *out)
{
	bool options = true;

	memset(out, 0, sizeof(*out));
	out->end = 2;
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i], *eq = strchr(w, '=');
		int k;

		if (!options || w[0] != '-' || w[1] == '\0') {
			if (out->object != NULL) {
				say("one object at a time", w, NULL);
				return;
			}
			out->object = w;
		} else if (strcmp(w, "--") == 0) {
			options = false;
		} else if (strcmp(w, "--help") == 0 || strcmp(w, "--version") == 0) {
			bool help = w[2] == 'h';

			put(HELPER_OUT, help ? "usage: " : name);
			put(HELPER_OUT, help ? name : " " BB_VERSION);
			if (help) {
				put(HELPER_OUT, " [--json] ");
				put(HELPER_OUT, h->usage);
			}
			put(HELPER_OUT, "\n");
			out->end = quiet ? EX_SYSTEM : 0;
			return;
		} else if (strcmp(w, "--json") == 0) {
			out->json = true;
		} else if ((k = option(t, w, eq != NULL ? (size_t)(eq - w) : strlen(w))) <
		        0 ||
		    w[1] != '-') {
			say("unknown option", w, "try --help");
			return;
		} else if ((out->value[k] = eq != NULL ? eq + 1 : argv[i + 1]) == NULL) {
			say("a value is missing after", w, NULL);
			return;
		} else {
			i += eq == NULL;
		}
	}
	if (out->object != NULL && strcmp(out->object, "-") == 0 && options)
		out->object = NULL;
	out->end = -1;
}

/* The CALL record a person's words mean. */
static int
call_of(const struct tool *t, const struct hand *h, struct buf *b)
{
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++) {
		const struct tool_arg *a = &t->args[k];
		int64_t n = a->def;

		if (!a->sent)
			continue;
		if (a->type == TOOL_GLOB) {
			if (h->value[k] != NULL)
				rec_put_text(b, a->name, h->value[k],
				    strlen(h->value[k]));
			continue;
		}
		if (h->value[k] != NULL && !number(h->value[k], &n)) {
			say("a whole number is needed for", a->name, NULL);
			return E_BAD;
		}
		if (n == 0) /* counts as absent, as for a planner */
			n = a->def;
		if (n > a->max && a->clamp)
			n = a->max;
		if (n < a->min || n > a->max) {
			say("out of range", a->name, NULL);
			return E_RANGE;
		}
		rec_put_int(b, a->name, n);
	}
	for (size_t k = 0; k < t->n_call; k++)
		switch (t->call[k].type) {
		case MEMBER_TEXT:
			rec_put_text(b, t->call[k].name, "", 0);
			break;
		case MEMBER_WORD:
			rec_put_word(b, t->call[k].name, t->call[k].words[0]);
			break;
		case MEMBER_INT:
			rec_put_int(b, t->call[k].name, t->call[k].max);
			break;
		}
	return b->failed ? E_NOMEM : 0;
}

/* Put the page's descriptors in place: the object on 3, standard output as the slot,
 * nothing for the rest. */
static int
place(const struct tool *t, const char *object)
{
	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];
		int dir = f->access == TOOL_DIR ? O_DIRECTORY : 0, fd;

		if (f->source == TOOL_FROM_SLOT)
			fd = dup(HELPER_OUT);
		else if (f->source != TOOL_FROM_ARG)
			fd = open("/dev/null", O_RDONLY);
		else if (object == NULL && dir == 0)
			fd = dup(HELPER_IN);
		else
			fd = open(object == NULL ? "." : object,
			    O_RDONLY | O_NOCTTY | dir);
		if (fd < 0)
			return E_SYS;
		if (fd != f->n && (dup2(fd, f->n) < 0 || close(fd) != 0))
			return E_SYS;
	}
	return 0;
}

/* RESULT as one JSON object. Text members are left out: what a helper says beside its
 * numbers is not for a person's eyes unescaped. */
static int
json(const struct tool *t, struct rec *r)
{
	auto_buf struct buf b = BUF_INIT;

	(void)buf_byte(&b, '{');
	for (size_t i = 0; i < t->n_result; i++) {
		const struct tool_member *m = &t->result[i];
		int64_t v;
		const char *p;
		size_t n;
		int w;

		if (m->type == MEMBER_TEXT) {
			if ((!m->optional || rec_has(r, m->name)) &&
			    rec_get_text(r, m->name, FRAME_BODY_MAX, &p, &n) != 0)
				return r->fault;
			continue;
		}
		(void)buf_str(&b, b.len > 1 ? ", \"" : "\"");
		(void)buf_str(&b, m->name);
		(void)buf_str(&b, "\":");
		if (m->type == MEMBER_WORD) {
			if (rec_get_word(r, m->name, m->words, &w) != 0)
				return r->fault;
			(void)buf_str(&b, " \"");
			(void)buf_str(&b, m->words[w]);
			(void)buf_byte(&b, '"');
			continue;
		}
		if (rec_get_int(r, m->name, m->min, m->max, &v) != 0)
			return r->fault;
		rec_put_int(&b, "", v);
		if (!b.failed)
			b.p[--b.len] = '\0'; /* the newline */
	}
	(void)buf_str(&b, "}\n");
	if (b.failed)
		return E_NOMEM;
	put(HELPER_LOG, b.p);
	return rec_end(r);
}

static const char *
lacking(unsigned missing)
{
	return (missing & LAYER_SECCOMP) != 0 ? "no seccomp filters"
	    : (missing & LAYER_LANDLOCK) != 0 ? "no Landlock"
	                                      : "a limit or capability was refused";
}

static int
by_hand(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *h)
{
	auto_buf struct buf call = {.cap = FRAME_BODY_MAX},
	                    result = {.cap = FRAME_BODY_MAX};
	struct confine_report c;
	struct hand hand;
	struct rec r;
	unsigned missing;

	words(argc, argv, t, h, &hand);
	if (hand.end >= 0)
		return hand.end;
	if (call_of(t, &hand, &call) != 0)
		return 2;
	/* What stands at 3 and up belongs to whoever called. */
	if (fd_close_from(HELPER_FIRST) != 0)
		return EX_SYSTEM;
	if (place(t, hand.object) != 0) {
		say("cannot open", hand.object != NULL ? hand.object : "its input",
		    err_errno(errno));
		return 1;
	}
	if (buf_reserve(&result, 512) != 0)
		return EX_SYSTEM;
	confine_self(t, &c);
	missing = confine_required(t, false) & ~c.layers;
	if (missing != 0) {
		say("cannot be confined here", NULL, lacking(missing));
		return EX_SYSTEM;
	}
	rec_init(&r, call.p, call.len);
	if (work(&r, &result) != 0 || result.failed)
		return EX_MISBEHAVED;
	rec_init(&r, result.p, result.len);
	if (hand.json) {
		quiet = true;
		if (json(t, &r) != 0)
			return EX_MISBEHAVED;
		rec_init(&r, result.p, result.len);
	}
	return h->report(&r);
}

int
helper_main(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *hand)
{
	name = t->helper;
	return argc > 1 ? by_hand(argc, argv, t, work, hand) : framed(t, work);
}

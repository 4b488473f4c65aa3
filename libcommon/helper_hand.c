/* The human form of a helper: words on a command line instead of frames, over the same
 * work behind the same confinement. Trusts the compiled page and the person. */
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

#define ARGS_MAX 16

struct hand {
	const char *value[ARGS_MAX]; /* of each argument, as given */
	struct buf patterns;         /* the value of patterns: joined by NUL */
	size_t n_patterns;
	const char *object; /* what fd 3 is opened on; NULL: standard input, or "." */
	const char *prefix; /* of the paths shown */
	char scope[PATH_MAX + 8];
	size_t scope_len;
	char dir[PATH_MAX + 1], shown[PATH_MAX + 1];
	bool json, no_caps;
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

/* May a person give it? What is sent, and what is carried. */
static bool
givable(const struct tool_arg *a)
{
	return a->sent || a->type == TOOL_TEXT;
}

/* Index of the argument that `--NAME` or `--NAME=VALUE` means, or -1. */
static int
option(const struct tool *t, const char *w, size_t n)
{
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++)
		if (givable(&t->args[k]) && strlen(t->args[k].name) == n - 2 &&
		    memcmp(t->args[k].name, w + 2, n - 2) == 0)
			return (int)k;
	return -1;
}

static bool
give(const struct tool *t, struct hand *h, size_t k, const char *v)
{
	h->value[k] = v;
	if (t->args[k].type != TOOL_PATTERNS)
		return true;
	if (h->n_patterns++ > 0)
		(void)buf_byte(&h->patterns, '\0');
	return buf_str(&h->patterns, v) == 0;
}

/* The helper's own words. How many of `next` and itself were used; 0: none of them, -1:
 * the value is missing. */
static int
own_word(const struct tool *t, const struct helper_by_hand *h, const char *w,
    const char *next, struct hand *out)
{
	for (const struct helper_word *x = h->words; x != NULL && x->word != NULL; x++) {
		size_t n = strlen(x->word);
		bool joined = n == 2 && x->value == NULL && w[n] != '\0';
		const char *v = x->value != NULL ? x->value : joined ? w + n : next;

		if (strncmp(w, x->word, n) != 0 || (w[n] != '\0' && !joined))
			continue;
		if (x->arg == NULL) {
			out->no_caps = true;
			return 1;
		}
		if (v == NULL)
			return -1;
		for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++)
			if (strcmp(t->args[k].name, x->arg) == 0 && !give(t, out, k, v))
				return -1;
		return x->value != NULL || joined ? 1 : 2;
	}
	return 0;
}

static void
answer(const char *w, const struct helper_by_hand *h, struct hand *out)
{
	bool help = w[2] == 'h';

	helper_put(HELPER_OUT, help ? "usage: " : helper_speech.name);
	helper_put(HELPER_OUT, help ? helper_speech.name : " " BB_VERSION);
	if (help) {
		helper_put(HELPER_OUT, " [--json] ");
		helper_put(HELPER_OUT, h->usage);
	}
	helper_put(HELPER_OUT, "\n");
	out->end = helper_speech.quiet ? EX_SYSTEM : 0;
}

/* Which positional word is what. */
static bool
positional(const struct tool *t, const struct helper_by_hand *h, const char **word,
    size_t n, struct hand *out)
{
	for (size_t k = 0; h->first != NULL && k < t->n_args && k < ARGS_MAX; k++) {
		if (strcmp(t->args[k].name, h->first) != 0 || out->value[k] != NULL)
			continue;
		if (n == 0) {
			helper_saying("what is missing is the", h->first, "try --help");
			return false;
		}
		if (!give(t, out, k, word[0]))
			return false;
		word++;
		n--;
	}
	if (n > 1) {
		helper_saying("one object at a time", word[1], NULL);
		return false;
	}
	out->object = n > 0 ? word[0] : NULL;
	return true;
}

static void
words(int argc, char **argv, const struct tool *t, const struct helper_by_hand *h,
    struct hand *out)
{
	const char *word[3] = {NULL};
	size_t n = 0;
	bool options = true;

	out->end = 2;
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i], *eq = strchr(w, '='), *v;
		int k, used;

		if (!options || w[0] != '-' || w[1] == '\0') {
			if (n < sizeof(word) / sizeof(*word))
				word[n++] = w;
		} else if (strcmp(w, "--") == 0) {
			options = false;
		} else if (strcmp(w, "--help") == 0 || strcmp(w, "--version") == 0) {
			answer(w, h, out);
			return;
		} else if (strcmp(w, "--json") == 0) {
			out->json = true;
		} else if ((used = own_word(t, h, w, argv[i + 1], out)) != 0) {
			if (used < 0) {
				helper_saying("a value is missing after", w, NULL);
				return;
			}
			i += used - 1;
		} else if ((k = option(t, w, eq != NULL ? (size_t)(eq - w) : strlen(w))) <
		        0 ||
		    w[1] != '-') {
			helper_saying("unknown option", w, "try --help");
			return;
		} else if ((v = eq != NULL ? eq + 1 : argv[i + 1]) == NULL) {
			helper_saying("a value is missing after", w, NULL);
			return;
		} else if (give(t, out, (size_t)k, v)) {
			i += eq == NULL;
		}
	}
	if (!positional(t, h, word, n, out))
		return;
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++)
		if (t->args[k].type == TOOL_TEXT && t->args[k].required &&
		    out->value[k] == NULL) {
			helper_saying("what is missing is the", t->args[k].name,
			    "try --help");
			return;
		}
	if (out->object != NULL && strcmp(out->object, "-") == 0 && options &&
	    h->first == NULL)
		out->object = NULL;
	out->end = -1;
}

/* A file in place of a directory: its directory is opened, and a scope names the file. */
static void
single(struct hand *h)
{
	struct stat st;
	char *slash;
	const char *given = strrchr(h->object, '/');

	if (stat(h->object, &st) != 0 || !S_ISREG(st.st_mode) ||
	    realpath(h->object, h->dir) == NULL || (slash = strrchr(h->dir, '/')) == NULL)
		return; /* opening it says what is wrong */
	h->scope[0] = 'S';
	h->scope[2] = 'F';
	memcpy(h->scope + 3, slash + 1, strlen(slash + 1) + 1);
	h->scope_len = 4 + strlen(slash + 1);
	given = given != NULL ? given + 1 : h->object;
	/* Shown as given; a link as what it leads to. */
	if (strcmp(given, slash + 1) == 0)
		memcpy(h->shown, h->object, (size_t)(given - h->object));
	else
		memcpy(h->shown, h->dir, (size_t)(slash + 1 - h->dir));
	h->prefix = h->shown;
	slash[slash == h->dir] = '\0';
	h->object = h->dir;
}

static int
int_arg(const struct tool_arg *a, const char *value, struct buf *b)
{
	int64_t n = a->def;

	if (a->type == TOOL_BOOL) {
		if (value != NULL && strcmp(value, "true") != 0 &&
		    strcmp(value, "false") != 0) {
			helper_saying("true or false is needed for", a->name, NULL);
			return E_BAD;
		}
		rec_put_int(b, a->name, value != NULL ? value[0] == 't' : n);
		return 0;
	}
	if (value != NULL && !number(value, &n)) {
		helper_saying("a whole number is needed for", a->name, NULL);
		return E_BAD;
	}
	if (value != NULL && tool_number(a, n, &n) != 0) {
		helper_saying("out of range", a->name, NULL);
		return E_RANGE;
	}
	if (value != NULL || !tool_omits(a))
		rec_put_int(b, a->name, n);
	return 0;
}

/* The CALL record a person's words mean. */
static int
call_of(const struct tool *t, const struct hand *h, struct buf *b)
{
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++) {
		const struct tool_arg *a = &t->args[k];
		int r;

		if (!a->sent)
			continue;
		if (a->type == TOOL_PATTERNS && h->n_patterns > 0)
			rec_put_text(b, a->name, buf_cstr(&h->patterns), h->patterns.len);
		else if (a->type == TOOL_GLOB && h->value[k] != NULL)
			rec_put_text(b, a->name, h->value[k], strlen(h->value[k]));
		else if (!tool_sends_text(a) && (r = int_arg(a, h->value[k], b)) != 0)
			return r;
	}
	for (size_t k = 0; k < t->n_call; k++) {
		const struct tool_member *m = &t->call[k];

		switch (m->type) {
		case MEMBER_TEXT:
			rec_put_text(b, m->name, h->prefix != NULL ? h->prefix : "",
			    h->prefix != NULL ? strlen(h->prefix) : 0);
			break;
		case MEMBER_WORD:
			rec_put_word(b, m->name, m->words[0]);
			break;
		case MEMBER_INT: /* a cap whose least is 0 knows 0 as none */
			rec_put_int(b, m->name,
			    !h->no_caps       ? tool_call_default(t, m->name)
			        : m->min == 0 ? 0
			                      : m->max);
			break;
		}
	}
	if (b->failed)
		helper_saying("the words are too long", NULL, NULL);
	return b->failed ? E_NOMEM : 0;
}

/* A memory file that holds just this. */
static int
memory_of(const char *name, const void *p, size_t n)
{
	int fd;

	if (fd_memory(name, &fd) != 0)
		return -1;
	if (io_write(fd, p, n) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* What is carried: as given, else standard input where nothing else reads it. */
static int
carried(const struct tool *t, const struct tool_fd *f, const struct hand *h,
    const char **odd)
{
	for (size_t k = 0; k < t->n_args && k < ARGS_MAX; k++)
		if (strcmp(t->args[k].name, f->args[0]) == 0 && h->value[k] != NULL)
			return memory_of("carried", h->value[k], strlen(h->value[k]));
	if (h->object == NULL)
		*odd = "one input for two things; name the file";
	return dup(HELPER_IN);
}

/* What was named is opened. *odd: what it is instead of a file. */
static int
object_open(const char *path, int dir, const char **odd)
{
	/* SAFE: a FIFO would hold us until somebody wrote to it. */
	int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | dir);
	struct stat st;

	if (fd < 0 && (errno == ENXIO || errno == ENODEV)) /* a socket, no driver */
		*odd = "not a regular file";
	else if (fd >= 0 && dir == 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)))
		*odd = S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file";
	else if (fd >= 0 && dir == 0 && fcntl(fd, F_SETFL, 0) != 0)
		*odd = "cannot be read";
	return fd;
}

/* Put the page's descriptors in place: the object on 3, what is carried, standard output
 * as the slot (where the helper reports itself, nothing), nothing for the rest. */
static int
place(const struct tool *t, const struct hand *h, bool reports, const char **odd)
{
	const char *object = h->object;

	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];
		int dir = f->access == TOOL_DIR ? O_DIRECTORY : 0, fd;

		if (f->source == TOOL_FROM_SLOT)
			fd = reports ? open("/dev/null", O_WRONLY) : dup(HELPER_OUT);
		else if (f->source == TOOL_FROM_CARRY)
			fd = carried(t, f, h, odd);
		else if (f->source == TOOL_FROM_SCOPE && h->scope_len > 0)
			fd = memory_of("scope", h->scope, h->scope_len);
		else if (f->source != TOOL_FROM_ARG)
			fd = open("/dev/null", O_RDONLY);
		else if (object == NULL && dir == 0)
			fd = dup(HELPER_IN);
		else
			fd = object_open(object == NULL ? "." : object, dir, odd);
		if (fd < 0 || *odd != NULL)
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
	helper_put(HELPER_LOG, b.p);
	return rec_end(r);
}

static const char *
lacking(unsigned missing)
{
	return (missing & LAYER_SECCOMP) != 0 ? "no seccomp filters"
	    : (missing & LAYER_LANDLOCK) != 0 ? "no Landlock"
	                                      : "a limit or capability was refused";
}

int
helper_by_words(int argc, char **argv, const struct tool *t, helper_work work,
    const struct helper_by_hand *h)
{
	auto_buf struct buf call = {.cap = FRAME_BODY_MAX},
	                    result = {.cap = FRAME_BODY_MAX};
	static struct hand hand;
	struct tool own = *t;
	struct confine_report c;
	struct rec r;
	unsigned missing;
	const char *odd = NULL;

	buf_init(&hand.patterns, FRAME_BODY_MAX);
	words(argc, argv, t, h, &hand);
	if (hand.end >= 0)
		return hand.end;
	helper_speech.named =
	    hand.object != NULL || t->fds[0].access != TOOL_DIR ? hand.object : ".";
	if (h->file && hand.object != NULL)
		single(&hand);
	if (hand.scope_len > 0) /* one file is no work for several */
		own.threads = 0;
	if (call_of(t, &hand, &call) != 0)
		return 2;
	if (hand.no_caps) { /* what may take long may */
		own.limits.cpu_s = UINT_MAX;
		own.limits.slot = UINT64_MAX;
	}
	helper_speech.terminal = isatty(HELPER_OUT) == 1;
	/* What stands at 3 and up belongs to whoever called. */
	if (fd_close_from(HELPER_FIRST) != 0)
		return EX_SYSTEM;
	if (place(t, &hand, h->reports, &odd) != 0) {
		if (odd != NULL)
			helper_say_of(odd);
		else
			helper_saying("cannot open",
			    hand.object != NULL ? hand.object : "its input",
			    err_errno(errno));
		return h->cannot_open > 0 ? h->cannot_open : 1;
	}
	if (buf_reserve(&result, 512) != 0)
		return EX_SYSTEM;
	confine_self(&own, &c);
	missing = confine_required(t, false) & ~c.layers;
	if (missing != 0) {
		helper_saying("cannot be confined here", NULL, lacking(missing));
		return EX_SYSTEM;
	}
	rec_init(&r, call.p, call.len);
	if (work(&r, &result) != 0 || result.failed)
		return EX_MISBEHAVED;
	rec_init(&r, result.p, result.len);
	if (hand.json) {
		helper_speech.quiet = true;
		if (json(t, &r) != 0)
			return EX_MISBEHAVED;
		rec_init(&r, result.p, result.len);
	}
	return h->report(&r);
}

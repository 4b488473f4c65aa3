/* The person's line: editing by libedit, with bb's loop running while a key is
 * awaited. While a question is on the terminal the keys are its, and the line
 * waits. */
#include "bin/bb/ui/libedit_int.h"
#include "bin/bb/ui/line_int.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/own.h"
#include "libcommon/utf8.h"

#define LINE_MOST ((size_t)1 << 20)
#define LISTED_MOST 100

static const struct libedit *lib; /* set before any line is */

struct line {
	struct loop *loop;
	EditLine *el;
	History *history;
	char *file; /* NULL: none is kept */
	line_complete complete;
	void (*trail)(void *arg);
	void *arg;
	const char *prompt;
	struct loop_source *in;
	bool readable, broken, stopped, reading;
};

/* Editing must know UTF-8 whatever the locale says: typed lines are UTF-8 or
 * refused. */
static void
know_utf8(void)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		(void)setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		(void)setlocale(LC_CTYPE, "C.UTF-8");
}

static struct line *
line_of(EditLine *el)
{
	void *p = NULL;

	lib->get(el, EL_CLIENTDATA, &p);
	return p;
}

static char *
prompt_of(EditLine *el)
{
	return (char *)(uintptr_t)line_of(el)->prompt;
}

static void
on_readable(void *arg, short revents)
{
	struct line *l = arg;

	(void)revents;
	l->readable = true;
	loop_events(l->in, 0); /* until it is read */
}

/* Run the loop until the terminal has a key for us. */
static bool
await(struct line *l)
{
	l->readable = false;
	for (;;) {
		bool asking = raw_active();

		loop_events(l->in, asking ? 0 : POLLIN);
		if (loop_once(l->loop, -1) != 0 || l->stopped)
			return false;
		if (asking && !raw_active()) {
			/* the question went: its terminal settings too */
			lib->set(l->el, EL_PREP_TERM, 1);
			lib->resize(l->el);
			lib->set(l->el, EL_REFRESH);
		}
		if (l->readable && !raw_active())
			return true;
		l->readable = false;
	}
}

static int
one_byte(struct line *l, unsigned char *c)
{
	ssize_t n;

	for (;;) {
		if (!await(l))
			return 0;
		n = read(STDIN_FILENO, c, 1);
		if (n == 1)
			return 1;
		if (n == 0 || (errno != EINTR && errno != EAGAIN))
			return 0;
	}
}

static void
suspend(struct line *l)
{
	lib->set(l->el, EL_PREP_TERM, 0);
	(void)kill(0, SIGTSTP);
	lib->set(l->el, EL_PREP_TERM, 1);
	lib->set(l->el, EL_REFRESH);
}

/* One character for libedit. Bytes that are not UTF-8 are dropped. */
static int
get_key(EditLine *el, wchar_t *out)
{
	struct line *l = line_of(el);
	unsigned char b[4];
	size_t n = 0;
	uint32_t cp;

	for (;;) {
		if (one_byte(l, &b[n]) != 1)
			return 0;
		n++;
		if (n == 1 && b[0] == CTRL_C) {
			l->broken = true;
			return 0;
		}
		if (n == 1 && b[0] == '\032') {
			suspend(l);
			n = 0;
			continue;
		}
		if (utf8_next(b, n, &cp) == (int)n) {
			*out = (wchar_t)cp;
			return 1;
		}
		if (b[0] < 0xc2 || b[0] > 0xf4 || (n > 1 && (b[n - 1] & 0xc0) != 0x80) ||
		    n == sizeof b)
			n = 0;
	}
}

/* --- completion
 * ---------------------------------------------------------------------- */

static size_t
common_prefix(const struct buf *b, size_t *count)
{
	const char *first = b->p;
	size_t most = strlen(first);

	*count = 0;
	for (const char *p = b->p; p < b->p + b->len; p += strlen(p) + 1) {
		size_t n = 0;

		while (n < most && p[n] == first[n])
			n++;
		most = n;
		(*count)++;
	}
	while (most > 0 && ((unsigned char)first[most] & 0xc0) == 0x80)
		most--;
	return most;
}

static void
list(struct line *l, const struct buf *b)
{
	auto_buf struct buf out = BUF_INIT;
	struct look look;
	size_t n = 0;

	look_of(STDOUT_FILENO, COLOUR_AUTO, &look);
	buf_byte(&out, '\n');
	for (const char *p = b->p; p < b->p + b->len; p += strlen(p) + 1) {
		if (n++ == LISTED_MOST) {
			buf_str(&out, "  and more\n");
			break;
		}
		buf_str(&out, "  ");
		safe_put(p, strlen(p), SAFE_NAME, &look, &out);
		buf_byte(&out, '\n');
	}
	fwrite(out.p, 1, out.len, stdout);
	fflush(stdout);
	(void)l;
}

/* Names that cannot stand in a line are not offered. */
static void
keep_plain(const struct buf *all, struct buf *b)
{
	for (const char *p = all->p; p < all->p + all->len; p += strlen(p) + 1)
		if (*p != '\0' && utf8_plain(p, strlen(p)))
			buf_append(b, p, strlen(p) + 1);
}

static unsigned char
on_tab(EditLine *el, int ch)
{
	struct line *l = line_of(el);
	const LineInfo *li = lib->line(el);
	auto_buf struct buf all = BUF_INIT, b = BUF_INIT, text = BUF_INIT, add = BUF_INIT;
	size_t at = (size_t)(li->cursor - li->buffer), start = at, typed, most, count;

	(void)ch;
	buf_append(&text, li->buffer, (size_t)(li->lastchar - li->buffer));
	if (l->complete == NULL || text.failed)
		return CC_REFRESH_BEEP;
	while (start > 0 && text.p[start - 1] != ' ')
		start--;
	typed = at - start;
	l->complete(l->arg, buf_cstr(&text), at, &all);
	if (all.len > 0)
		keep_plain(&all, &b);
	if (b.len == 0)
		return CC_REFRESH_BEEP;
	most = common_prefix(&b, &count);
	if (count > 1 && most <= typed) {
		list(l, &b);
		return CC_REDISPLAY;
	}
	if (strncmp(b.p, buf_cstr(&text) + start, typed) != 0)
		return CC_REFRESH_BEEP;
	buf_append(&add, b.p + typed, most - typed);
	/* a whole word gets its blank, a directory or a key goes on */
	if (count == 1 && (most == 0 || (b.p[most - 1] != '/' && b.p[most - 1] != '=')))
		buf_byte(&add, ' ');
	if (add.len > 0)
		(void)lib->insertstr(el, add.p);
	return CC_REFRESH;
}

/* The typed line stays as it is; the rows stand above it. */
static unsigned char
on_ctrl_t(EditLine *el, int ch)
{
	struct line *l = line_of(el);

	(void)ch;
	if (l->trail == NULL)
		return CC_REFRESH_BEEP;
	fputs("\n", stdout);
	l->trail(l->arg);
	fflush(stdout);
	return CC_REDISPLAY;
}

/* --- the door
 * ------------------------------------------------------------------------- */

static void
remember(void *arg, const char *text)
{
	struct line *l = arg;
	HistEvent ev;

	lib->history(l->history, &ev, H_ENTER, text);
}

static int
edit_start(struct line *l)
{
	HistEvent ev;

	l->el = lib->init("bb", stdin, stdout, stderr);
	l->history = lib->history_init();
	if (l->el == NULL || l->history == NULL)
		return E_SYS;
	lib->history(l->history, &ev, H_SETSIZE, HISTORY_MOST);
	lib->history(l->history, &ev, H_SETUNIQUE, 1);
	lib->set(l->el, EL_CLIENTDATA, l);
	lib->set(l->el, EL_EDITOR, "emacs");
	lib->set(l->el, EL_SIGNAL, 1);
	lib->set(l->el, EL_PROMPT, prompt_of);
	lib->set(l->el, EL_HIST, lib->history, l->history);
	lib->set(l->el, EL_GETCFN, get_key);
	/* ctrl-c and ctrl-z are keys: no signal while a line is edited */
	lib->set(l->el, EL_SETTY, "-d", "-isig", NULL);
	lib->set(l->el, EL_ADDFN, "bb-complete", "complete a name", on_tab);
	lib->set(l->el, EL_BIND, "^I", "bb-complete", NULL);
	lib->set(l->el, EL_ADDFN, "bb-trail", "the trail of the last call", on_ctrl_t);
	lib->set(l->el, EL_BIND, "^T", "bb-trail", NULL);
	lib->set(l->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	return 0;
}

int
line_new(struct loop *loop, const char *history_file, line_complete complete,
    void (*trail)(void *arg), void *arg, struct line **out)
{
	struct line *l = calloc(1, sizeof *l);

	*out = NULL;
	if (l == NULL)
		return E_NOMEM;
	if ((lib = libedit_get()) == NULL) {
		free(l);
		errno = ELIBACC;
		return E_SYS;
	}
	know_utf8();
	l->loop = loop;
	l->complete = complete;
	l->trail = trail;
	l->arg = arg;
	l->prompt = "";
	if (history_file != NULL && (l->file = strdup(history_file)) == NULL) {
		line_free(l);
		return E_NOMEM;
	}
	if (edit_start(l) != 0) {
		line_free(l);
		return E_SYS;
	}
	/* a history that cannot be read is no reason not to type */
	if (l->file != NULL && history_load(l->file, remember, l) != 0) {
		free(l->file);
		l->file = NULL;
	}
	*out = l;
	return 0;
}

void
line_free(struct line *l)
{
	if (l == NULL)
		return;
	if (l->el != NULL)
		lib->end(l->el);
	if (l->history != NULL)
		lib->history_end(l->history);
	free(l->file);
	free(l);
}

static void
keep(struct line *l, const char *text)
{
	/* a line that begins with a blank is not kept */
	if (*text == '\0' || *text == ' ')
		return;
	remember(l, text);
	if (l->file != NULL && history_add(l->file, text) != 0) {
		free(l->file);
		l->file = NULL;
	}
}

int
line_read(struct line *l, const char *prompt, char **text)
{
	const char *got;
	int n = 0;

	*text = NULL;
	if (l->stopped)
		return E_EOF;
	l->prompt = prompt;
	l->broken = false;
	/* a question that is still on the terminal has it first */
	while (raw_active())
		if (loop_once(l->loop, -1) != 0 || l->stopped)
			return E_EOF;
	fflush(stdout);
	if ((l->in = loop_fd(l->loop, STDIN_FILENO, POLLIN, on_readable, l)) == NULL)
		return E_NOMEM;
	l->reading = true;
	raw_guard(STDIN_FILENO);
	got = lib->gets(l->el, &n);
	raw_unguard();
	l->reading = false;
	loop_remove(l->in);
	l->in = NULL;
	if (got == NULL || n <= 0) {
		fputs(l->broken ? "^C\n" : "\n", stdout);
		fflush(stdout);
		lib->reset(l->el);
		return l->broken ? E_STATE : E_EOF;
	}
	if ((size_t)n > LINE_MOST)
		return E_TOO_LONG;
	*text = strndup(got, strcspn(got, "\n\r"));
	if (*text == NULL)
		return E_NOMEM;
	keep(l, *text);
	return 0;
}

void
line_hide(struct line *l)
{
	struct look look;

	look_of(STDOUT_FILENO, COLOUR_AUTO, &look);
	if (l->reading && !raw_active())
		fputs(look.dumb ? "\n" : "\r\033[K", stdout);
	fflush(stdout);
}

void
line_say(struct line *l, const struct buf *rows)
{
	line_hide(l);
	fwrite(buf_cstr(rows), 1, rows->len, stdout);
	fflush(stdout);
	if (l->reading && !raw_active())
		lib->set(l->el, EL_REFRESH);
}

void
line_stop(struct line *l)
{
	l->stopped = true;
}

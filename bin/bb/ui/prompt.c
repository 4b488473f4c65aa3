/* One drawing on the person's terminal, until a key decides. Believes the terminal for
 * its size only; a key counts when key.c let it through, it is offered, and what it
 * approves was on the screen to its end. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/own.h"

#define SETTLE_MS 100 /* a window being dragged */
#define PAGES_MOST 4096

#define CTRL_L '\014'
#define CTRL_Z '\032'

enum prompt_state { PROMPT_IDLE, PROMPT_ASKING, PROMPT_SWALLOWING };

struct prompt {
	struct loop *loop;
	int in, out;
	bool owned; /* in and out are ours to close */
	enum colour_choice colour;
	prompt_fn fn;
	void *arg;

	enum prompt_state state;
	struct keys *keys;
	struct loop_source *events, *settle;
	const struct drawing *d;
	char answers[ANSWERS_MOST + 1];
	struct look look;
	size_t first, unseen;
	size_t back[PAGES_MOST];
	size_t nback;
	size_t rows; /* on the screen, of this drawing; 0 = draw below what is there */
	bool rang;
	struct choosing choosing;
	struct drawing
	    *ticks; /* d, while its boxes may be ticked: a question of the agent */
};

static void
put(struct prompt *p, const char *s, size_t n)
{
	while (n > 0) {
		ssize_t w = write(p->out, s, n);
		struct pollfd pf = {.fd = p->out, .events = POLLOUT};

		if (w < 0 && errno == EAGAIN && poll(&pf, 1, -1) >= 0)
			continue;
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;
		s += w;
		n -= (size_t)w;
	}
}

static size_t
rows_of(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

/* Draw over the former drawing where the terminal can, else below it. */
static void
draw(struct prompt *p, bool paging)
{
	auto_buf struct buf b = BUF_INIT;

	look_of(p->out, p->colour, &p->look);
	if (p->rows > 0 && !p->look.dumb) {
		size_t up = p->rows < p->look.height ? p->rows : p->look.height - 1;

		buf_fmt(&b, "\033[%zuA\r\033[J", up);
	}
	if (!p->rang)
		buf_byte(&b, '\a');
	p->rang = true;
	drawing_render(p->d, &p->look, p->first, &p->unseen, &b);
	if (b.failed)
		p->unseen = SIZE_MAX;
	p->rows = rows_of(&b);
	if (p->choosing.typing)
		choosing_row(&p->choosing, &p->look, &b);
	put(p, buf_cstr(&b), b.len);
	/* SAFE: only now do keys begin to count */
	keys_dead(p->keys, paging);
}

static void
from_top(struct prompt *p)
{
	p->first = 0;
	p->nback = 0;
}

/* Below everything, as after a stop or in a resized window: what the rows of the old
 * drawing have become cannot be known. */
static void
draw_below(struct prompt *p)
{
	p->rows = 0;
	from_top(p);
	draw(p, false);
}

static void
end(struct prompt *p)
{
	keys_free(p->keys);
	p->keys = NULL;
	loop_remove(p->events);
	loop_remove(p->settle);
	p->events = p->settle = NULL;
	p->state = PROMPT_IDLE;
	p->d = NULL;
	raw_leave();
}

static void
decide(struct prompt *p, int key)
{
	end(p);
	p->fn(p->arg, key);
}

static bool
next_page(struct prompt *p)
{
	if (p->unseen == 0 || p->unseen == SIZE_MAX || p->nback == PAGES_MOST)
		return false;
	p->back[p->nback++] = p->first;
	p->first = drawing_rows(p->d, &p->look) - p->unseen;
	return true;
}

static void
page_whole(struct prompt *p)
{
	auto_buf struct buf b = BUF_INIT, none = BUF_INIT;

	if (p->unseen == SIZE_MAX)
		return;
	drawing_whole(p->d, &p->look, &b);
	if (b.len == 0 || b.failed)
		return;
	if (p->look.dumb) {
		put(p, buf_cstr(&b), b.len);
	} else {
		raw_leave();
		page_to(p->out, buf_cstr(&b), b.len);
		if (raw_enter(p->in, p->out, p->look.dumb) != 0) {
			decide(p, PROMPT_GONE);
			return;
		}
	}
	/* shown whole: the drawing goes on at its last page */
	while (next_page(p)) {
		buf_clear(&none);
		drawing_render(p->d, &p->look, p->first, &p->unseen, &none);
	}
	p->rows = 0;
	draw(p, false);
}

static void
explain(struct prompt *p)
{
	auto_buf struct buf b = BUF_INIT;

	drawing_explained(p->d, &p->look, &b);
	p->rows += rows_of(&b);
	put(p, buf_cstr(&b), b.len);
	keys_dead(p->keys, true);
}

/* SAFE: the whole of what makes a letter an answer. */
static bool
counts(const struct prompt *p, int key)
{
	bool approves;

	if (key <= ' ' || strchr(p->answers, key) == NULL ||
	    !drawing_offers(p->d, (char)key, &approves))
		return false;
	if (key == 'n')
		return true;
	if (p->unseen == 0 || p->unseen == SIZE_MAX)
		return p->unseen == 0;
	return !approves &&
	    drawing_rows(p->d, &p->look) - p->unseen >= drawing_deciding(p->d, &p->look);
}

/* --- a question of the agent ------------------------------------------------------- */

static void on_words(void *arg, const char *s, size_t n, bool alone);

/* The row below the drawing in which words are typed, drawn anew. */
static void
draw_words(struct prompt *p)
{
	auto_buf struct buf b = BUF_INIT;

	if (!p->look.dumb)
		buf_str(&b, "\r\033[K");
	else
		buf_byte(&b, '\n');
	choosing_row(&p->choosing, &p->look, &b);
	put(p, buf_cstr(&b), b.len);
}

static void
choose(struct prompt *p, enum choose what)
{
	switch (what) {
	case CHOOSE_NOTHING:
		return;
	case CHOOSE_TICK:
		for (unsigned i = 1; i <= p->choosing.options; i++)
			drawing_tick(p->ticks, i,
			    (p->choosing.ticked >> (i - 1) & 1) != 0);
		draw(p, true);
		return;
	case CHOOSE_TYPE:
		keys_words(p->keys, on_words);
		draw_words(p);
		return;
	case CHOOSE_BACK:
		keys_words(p->keys, NULL);
		put(p, p->look.dumb ? "\n" : "\r\033[K", p->look.dumb ? 1 : 4);
		return;
	case CHOOSE_DONE:
	case CHOOSE_STOP:
		break;
	}
	if (p->choosing.typing)
		put(p, "\r\n", 2);
	decide(p, what == CHOOSE_STOP ? CTRL_C : PROMPT_CHOSEN);
}

/* Were the rows that say what is asked on the screen? */
static bool
facts_seen(const struct prompt *p)
{
	return p->unseen == 0 ||
	    (p->unseen != SIZE_MAX &&
	        drawing_rows(p->d, &p->look) - p->unseen >=
	            drawing_deciding(p->d, &p->look));
}

static void
on_words(void *arg, const char *s, size_t n, bool alone)
{
	struct prompt *p = arg;

	/* SAFE: not while the window is drawn anew; ctrl-c always */
	if (facts_seen(p) || (alone && *s == CTRL_C))
		choose(p, choosing_words(&p->choosing, s, n, alone));
}

static void
on_key(void *arg, int key)
{
	struct prompt *p = arg;

	if (p->ticks != NULL && p->state == PROMPT_ASKING && facts_seen(p)) {
		enum choose what = choosing_key(&p->choosing, key);

		if (what != CHOOSE_NOTHING) {
			choose(p, what);
			return;
		}
	}
	if (key == KEY_GONE) {
		decide(p, PROMPT_GONE);
	} else if (key == CTRL_Z) {
		raw_suspend();
	} else if (p->state == PROMPT_SWALLOWING) {
		decide(p, PROMPT_SWALLOWED);
	} else if (key == CTRL_C || counts(p, key)) {
		decide(p, key);
	} else if (key == CTRL_L) {
		if (!p->look.dumb)
			put(p, "\033[H\033[2J", 7);
		draw_below(p);
	} else if (key == ' ') {
		if (next_page(p))
			draw(p, true);
	} else if (key == 'b' && p->nback > 0) {
		p->first = p->back[--p->nback];
		draw(p, true);
	} else if (key == 'e') {
		page_whole(p);
	} else if (key == '?') {
		explain(p);
	}
}

static void
on_settled(void *arg, short revents)
{
	struct prompt *p = arg;

	(void)revents;
	p->settle = NULL;
	draw_below(p);
}

static void
on_event(void *arg, short revents)
{
	struct prompt *p = arg;
	unsigned what = raw_take();

	(void)revents;
	if (what == 0)
		return;
	if (p->state == PROMPT_SWALLOWING) {
		keys_dead(p->keys, false);
		return;
	}
	/* SAFE: dead from here on, not only when it is drawn again */
	p->unseen = SIZE_MAX;
	keys_dead(p->keys, false);
	loop_remove(p->settle);
	p->settle = loop_timer(p->loop, SETTLE_MS, on_settled, p);
}

static int
terminals(struct prompt *p, bool forced)
{
	if (!forced && isatty(STDIN_FILENO) != 1 && isatty(STDERR_FILENO) != 1)
		return E_SYS;
	p->in = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	p->out = p->in;
	p->owned = p->in >= 0;
	if (p->owned)
		return 0;
	if (isatty(STDIN_FILENO) != 1)
		return E_SYS;
	p->in = STDIN_FILENO;
	p->out = isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : STDIN_FILENO;
	return 0;
}

int
prompt_new(struct loop *l, bool forced, enum colour_choice colour, prompt_fn fn,
    void *arg, struct prompt **out)
{
	struct prompt *p = calloc(1, sizeof *p);

	*out = NULL;
	if (p == NULL)
		return E_NOMEM;
	p->loop = l;
	p->colour = colour;
	p->fn = fn;
	p->arg = arg;
	if (terminals(p, forced) != 0) {
		free(p);
		return E_SYS;
	}
	look_of(p->out, colour, &p->look);
	*out = p;
	return 0;
}

void
prompt_free(struct prompt *p)
{
	if (p == NULL)
		return;
	prompt_drop(p);
	buf_release(&p->choosing.text);
	if (p->owned)
		close(p->in);
	free(p);
}

bool
prompt_active(const struct prompt *p)
{
	return p->state != PROMPT_IDLE;
}

static int
begin(struct prompt *p)
{
	int r;

	look_of(p->out, p->colour, &p->look);
	if ((r = raw_enter(p->in, p->out, p->look.dumb)) != 0)
		return r;
	p->events = loop_fd(p->loop, raw_events(), POLLIN, on_event, p);
	if (p->events == NULL || keys_new(p->loop, p->in, on_key, p, &p->keys) != 0) {
		end(p);
		return E_NOMEM;
	}
	return 0;
}

int
prompt_show(struct prompt *p, const struct drawing *d, const char *answers)
{
	int r;

	if (p->state != PROMPT_IDLE)
		return E_STATE;
	if ((r = begin(p)) != 0)
		return r;
	p->state = PROMPT_ASKING;
	p->d = d;
	strncpy(p->answers, answers, ANSWERS_MOST);
	p->answers[ANSWERS_MOST] = '\0';
	p->rang = false;
	p->rows = 0;
	p->ticks = NULL;
	buf_release(&p->choosing.text);
	p->choosing = (struct choosing){.text = BUF_INIT};
	from_top(p);
	draw(p, false);
	return 0;
}

int
prompt_choose(struct prompt *p, struct drawing *d, unsigned options, bool multiple)
{
	int r;

	for (unsigned i = 1; i <= options; i++)
		drawing_tick(d, i, false); /* it may have been drawn elsewhere */
	if ((r = prompt_show(p, d, "s")) != 0)
		return r;
	p->choosing.options = options;
	p->choosing.multiple = multiple;
	p->ticks = d;
	return 0;
}

struct chosen
prompt_chosen(const struct prompt *p)
{
	return (struct chosen){p->choosing.ticked,
	    p->choosing.typing ? buf_cstr(&p->choosing.text) : NULL};
}

void
prompt_withdraw(struct prompt *p, struct drawing *instead)
{
	if (p->state == PROMPT_ASKING && p->choosing.typing) {
		p->choosing.typing = false;
		keys_words(p->keys, NULL);
		put(p, "\r\n", 2);
	}
	if (p->state == PROMPT_ASKING) {
		auto_buf struct buf b = BUF_INIT;
		size_t unseen;

		loop_remove(p->settle);
		p->settle = NULL;
		p->d = NULL;
		p->state = PROMPT_SWALLOWING;
		look_of(p->out, p->colour, &p->look);
		p->look.height = UINT_MAX; /* any key goes on: it has no pages */
		if (instead != NULL)
			drawing_render(instead, &p->look, 0, &unseen, &b);
		put(p, buf_cstr(&b), b.len);
		keys_dead(p->keys, false);
	}
	drawing_free(instead);
}

void
prompt_drop(struct prompt *p)
{
	if (p->state != PROMPT_IDLE)
		end(p);
}

struct look
prompt_look(const struct prompt *p)
{
	struct look l;

	look_of(p->out, p->colour, &l);
	return l;
}

void
prompt_say(struct prompt *p, const struct buf *rows)
{
	put(p, buf_cstr(rows), rows->len);
}

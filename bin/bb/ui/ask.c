/* Questions and whoever answers them: asked in the order of arrival, one at a time,
 * each answered exactly once, from the loop. Where nobody can be asked the answer is
 * "nobody", never yes. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/clock.h"

#define PATIENCE_MS (10ull * 60 * 1000)
#define ENDED_MOST 64

struct asker {
	struct asker_config c;
	char *session, *workspace, *front, *runtime;
	struct prompt *tty;                    /* NULL: none */
	struct hub *hub;                       /* NULL: none */
	struct open_question *waiting, *ended; /* ended: to be told */
	bool shown;                            /* the first of waiting is drawn */
	bool on_tty;                           /* and on the terminal */
	unsigned last;                         /* id */
	unsigned answered;                     /* since the queue was empty */
	unsigned declined;                     /* "no" of the person, this turn */
	bool said_declined;
	unsigned withdrawn[ENDED_MOST]; /* ids, newest last */
	struct loop_source *soon, *telling, *patience;
	uint64_t patience_ms;
};

static void on_soon(void *arg, short revents);

static void *
must(void *p)
{
	if (p == NULL)
		bug("out of memory");
	return p;
}

static char *
copy(const char *s)
{
	return s == NULL ? NULL : must(strdup(s));
}

static void
question_free(struct open_question *o)
{
	free(o->kind);
	free(o->who);
	free(o->tool);
	free(o->why);
	free(o->object);
	free(o->digest);
	free(o->by);
	free(o->text);
	json_decref(o->plan);
	free(o);
}

void
asker_note(struct asker *a, const char *what, const char *detail)
{
	if (a->c.event != NULL)
		a->c.event(a->c.arg, what, detail);
}

const struct open_question *
asker_shown(const struct asker *a)
{
	return a->shown ? a->waiting : NULL;
}

static void
soon(struct asker *a)
{
	if (a->soon == NULL)
		a->soon = must(loop_timer(a->c.loop, 0, on_soon, a));
}

/* --- ends ---------------------------------------------------------------------------- */

static void
tell(struct asker *a)
{
	while (a->ended != NULL) {
		struct open_question *o = a->ended;

		a->ended = o->next;
		o->done(o->arg, &o->answered);
		question_free(o);
	}
}

static void
on_telling(void *arg, short revents)
{
	struct asker *a = arg;

	(void)revents;
	a->telling = NULL;
	tell(a);
}

static void
finish(struct asker *a, struct open_question *o, enum answer answer, const char *by)
{
	struct open_question **p;

	for (p = &a->waiting; *p != NULL; p = &(*p)->next)
		if (*p == o) {
			*p = o->next;
			a->answered++;
			break;
		}
	if (a->waiting == NULL)
		a->answered = 0;
	o->next = NULL;
	o->by = copy(by);
	o->answered = (struct answered){answer, o->by, clock_mono_us() - o->asked_us,
	    o->answered.choices, o->answered.text};
	for (p = &a->ended; *p != NULL; p = &(*p)->next)
		;
	*p = o;
	if (a->telling == NULL)
		a->telling = must(loop_timer(a->c.loop, 0, on_telling, a));
	if (a->waiting == NULL) {
		loop_remove(a->patience);
		a->patience = NULL;
	}
}

static void
finish_all(struct asker *a, enum answer answer, const char *by)
{
	if (a->on_tty)
		prompt_drop(a->tty);
	a->shown = a->on_tty = false;
	while (a->waiting != NULL)
		finish(a, a->waiting, answer, by);
}

static void
say_words(struct asker *a, const char *words)
{
	auto_buf struct buf b = BUF_INIT;
	struct look l;

	if (a->tty == NULL)
		return;
	l = prompt_look(a->tty);
	screen_say(&l, 2, words, SHADE_PLAIN, &b);
	prompt_say(a->tty, &b);
}

void
asker_typed(struct asker *a, const char *by, const char *line)
{
	auto_buf struct buf words = BUF_INIT;
	struct look l;

	if (a->tty == NULL)
		return;
	l = prompt_look(a->tty);
	safe_put(by, strlen(by), SAFE_NAME, &l, &words);
	buf_str(&words, " typed ");
	safe_put(line, strlen(line), SAFE_NAME, &l, &words);
	say_words(a, buf_cstr(&words));
}

/* The row a person sees after a question (prompts 1.6). */
static void
say_asked(struct asker *a, const struct open_question *o, const char *outcome)
{
	auto_buf struct buf b = BUF_INIT;
	struct look l;

	if (a->tty == NULL)
		return;
	l = prompt_look(a->tty);
	screen_asked(&l, asker_verb(o->kind), o->object != NULL ? o->object : "", outcome,
	    &b);
	prompt_say(a->tty, &b);
}

/* The person's answer to what is drawn. SAFE: only from here does a yes come. */
static void
answer(struct asker *a, char letter, const struct chosen *chosen, const char *by)
{
	struct open_question *o = a->waiting;
	enum answer got = asker_answer(letter);
	bool seen = a->on_tty;

	if (got == ANSWER_CHOSEN && chosen != NULL) {
		o->answered.text = o->text = copy(chosen->text);
		o->answered.choices = chosen->choices;
	}
	if (a->on_tty && prompt_active(a->tty)) /* answered elsewhere */
		prompt_drop(a->tty);
	if (seen)
		say_asked(a, o, asker_outcome(o->kind, letter));
	a->shown = a->on_tty = false;
	if (got == ANSWER_NO)
		a->declined++;
	finish(a, o, got, by);
	if (a->hub != NULL)
		hub_ended(a->hub, o, NULL);
	while (got == ANSWER_STOP && a->waiting != NULL) {
		o = a->waiting;
		if (seen)
			say_asked(a, o, "no");
		finish(a, o, ANSWER_NO, by);
	}
	soon(a);
}

const char *
asker_take(struct asker *a, unsigned id, char letter, const struct chosen *chosen,
    const char *by)
{
	const struct open_question *o = asker_shown(a);
	const char *why;

	if (o == NULL || o->id != id) {
		for (size_t i = 0; i < ENDED_MOST; i++)
			if (a->withdrawn[i] == id && id != 0)
				return "it was withdrawn";
		for (o = a->waiting; o != NULL; o = o->next)
			if (o->id == id)
				return "not asked yet";
		return id != 0 && id <= a->last ? "already answered" : "no such question";
	}
	if (letter == '\0' || (letter != CTRL_C && strchr(o->answers, letter) == NULL))
		return "not offered";
	if (letter == CHOSEN &&
	    (why = chosen_fits(chosen, o->options, o->multiple)) != NULL)
		return why;
	answer(a, letter, chosen, by);
	return NULL;
}

/* --- asking -------------------------------------------------------------------------- */

static void
on_key(void *arg, int key)
{
	struct asker *a = arg;

	if (key == PROMPT_GONE) {
		prompt_free(a->tty);
		a->tty = NULL;
		a->on_tty = false;
		if (a->hub == NULL || !hub_pen(a->hub))
			finish_all(a, ANSWER_NO, "approver gone");
		return;
	}
	if (key == PROMPT_SWALLOWED || !a->shown) {
		a->on_tty = false;
		soon(a);
		return;
	}
	if (key == PROMPT_CHOSEN) {
		struct chosen chosen = prompt_chosen(a->tty);

		answer(a, CHOSEN, &chosen, "person at terminal");
	} else if (key == 's') {
		answer(a, SKIPPED, NULL, "person at terminal");
	} else {
		answer(a, (char)key, NULL, "person at terminal");
	}
}

static bool
has_declined(const struct asker *a)
{
	return a->c.max_declined > 0 && a->declined >= a->c.max_declined;
}

static void
decline_waiting(struct asker *a)
{
	static const char words[] =
	    "you said no to several questions of this turn: later ones are answered no "
	    "for you (ask.maxDeclined)";

	while (a->waiting != NULL)
		finish(a, a->waiting, ANSWER_NO, "ask.maxDeclined");
	if (a->said_declined)
		return;
	a->said_declined = true;
	say_words(a, words);
	if (a->hub != NULL)
		hub_row(a->hub, words, true);
}

/* Counter, who asks, and what waits behind it (prompts 2.11, 2.12). */
static void
dress(struct asker *a, struct open_question *o)
{
	struct look l = look_plain();
	auto_buf struct buf right = BUF_INIT, stop = BUF_INIT;
	bool delegate =
	    o->who != NULL && o->who[0] != '\0' && strcmp(o->who, "turn") != 0;
	unsigned left = (unsigned)asker_waiting(a);

	o->nth = a->answered + 1;
	o->of = a->answered + left;
	if (delegate) {
		safe_put(o->who, strlen(o->who), SAFE_NAME, &l, &right);
		buf_str(&right, " asks");
	}
	if (o->of > 1)
		buf_fmt(&right, "%s%u of %u", delegate ? " \u00b7 " : "", o->nth, o->of);
	if (right.len > 0)
		drawing_right(o->drawing, buf_cstr(&right));
	drawing_then(o->drawing, NULL, NULL);
	for (struct open_question *n = o->next; n != NULL; n = n->next)
		drawing_then(o->drawing, asker_verb(n->kind),
		    n->object != NULL ? n->object : "");
	if (left > 1 && drawing_offers(o->drawing, CTRL_C, NULL)) {
		buf_fmt(&stop, "stop, and no to all %u", left);
		drawing_key(o->drawing, CTRL_C, buf_cstr(&stop), false);
	}
}

static void
show(struct asker *a)
{
	struct open_question *o = a->waiting;
	bool pen = a->hub != NULL && hub_pen(a->hub);

	dress(a, o);
	a->shown = true;
	if (a->tty != NULL && !pen) {
		bool choose = strcmp(o->kind, KIND_QUESTION) == 0;

		if ((choose ? prompt_choose(a->tty, o->drawing, o->options, o->multiple)
		            : prompt_show(a->tty, o->drawing, o->answers)) != 0) {
			on_key(a, PROMPT_GONE);
			return;
		}
		a->on_tty = true;
	}
	if (a->hub != NULL && hub_ask(a->hub, o) == E_TOO_LONG && !a->on_tty) {
		/* SAFE: what cannot be shown whole is not asked */
		a->shown = false;
		asker_note(a, "question too long", "longer than 1 MiB; nobody was asked");
		finish(a, o, ANSWER_NOBODY, "nobody");
		soon(a);
	}
}

static void
on_soon(void *arg, short revents)
{
	struct asker *a = arg;

	(void)revents;
	a->soon = NULL;
	if (a->waiting == NULL || a->shown || (a->tty != NULL && prompt_active(a->tty)))
		return;
	if (has_declined(a))
		decline_waiting(a);
	else
		show(a);
}

static void
on_impatient(void *arg, short revents)
{
	struct asker *a = arg;

	(void)revents;
	a->patience = NULL;
	finish_all(a, ANSWER_NO, "approver gone");
}

/* The question on the screen moves to whoever holds the pen now. */
void
asker_pen(struct asker *a, bool gone)
{
	bool pen = hub_pen(a->hub);

	if (gone) {
		finish_all(a, ANSWER_NO, "approver gone");
		return;
	}
	loop_remove(a->patience);
	a->patience = NULL;
	if (a->tty != NULL && a->waiting != NULL) {
		if (pen && a->on_tty) {
			auto_buf struct buf words = BUF_INIT;

			prompt_drop(a->tty);
			a->on_tty = false;
			buf_fmt(&words, "%s answers now", hub_pen_by(a->hub));
			say_words(a, buf_cstr(&words));
		} else if (!pen && a->shown && !a->on_tty) {
			a->shown = false;
			soon(a);
		}
	} else if (!pen && a->waiting != NULL) {
		a->patience =
		    must(loop_timer(a->c.loop, a->patience_ms, on_impatient, a));
	}
}

void
asker_command(struct asker *a, const char *line, const char *by, struct buf *rows)
{
	if (strcmp(line, "/stop") == 0 && a->shown) {
		answer(a, CTRL_C, NULL, by);
		buf_str(rows, "stopped\n");
	} else if (a->c.command != NULL) {
		a->c.command(a->c.arg, line, by, rows);
	}
}

/* --- the door ------------------------------------------------------------------------- */

static int
channels(struct asker *a)
{
	const char *how = a->c.how;
	bool forced = how != NULL && strcmp(how, "tty") == 0;
	int r;

	if (how != NULL && strcmp(how, "none") == 0)
		return 0;
	if (how == NULL || forced) {
		r = prompt_new(a->c.loop, forced, a->c.colour, on_key, a, &a->tty);
		if (r == E_NOMEM || forced || !a->c.listen)
			return r == E_NOMEM ? r : 0;
		if (hub_new(a, &a->c, &a->hub) != 0)
			return E_NOMEM;
		if (hub_listen(a->hub, a->tty != NULL) != 0) {
			asker_note(a, "no session socket", err_errno(errno));
			hub_free(a->hub);
			a->hub = NULL;
		}
		return 0;
	}
	if (hub_new(a, &a->c, &a->hub) != 0)
		return E_NOMEM;
	return hub_open(a->hub, how);
}

int
asker_new(const struct asker_config *c, struct asker **out)
{
	struct asker *a = calloc(1, sizeof *a);
	int r, keep;

	*out = NULL;
	if (a == NULL)
		return E_NOMEM;
	a->c = *c;
	a->c.session = a->session = copy(c->session != NULL ? c->session : "");
	a->c.workspace = a->workspace = copy(c->workspace != NULL ? c->workspace : "");
	a->c.front = a->front = copy(c->front != NULL ? c->front : "session");
	a->c.runtime = a->runtime = copy(c->runtime != NULL ? c->runtime : "");
	a->patience_ms = PATIENCE_MS;
	if ((r = channels(a)) != 0) {
		keep = errno;
		asker_free(a);
		errno = keep;
		return r;
	}
	*out = a;
	return 0;
}

void
asker_free(struct asker *a)
{
	if (a == NULL)
		return;
	loop_remove(a->soon);
	finish_all(a, ANSWER_NO, "session ended");
	loop_remove(a->telling);
	loop_remove(a->patience);
	tell(a);
	prompt_free(a->tty);
	hub_free(a->hub);
	free(a->session);
	free(a->workspace);
	free(a->front);
	free(a->runtime);
	free(a);
}

bool
asker_reachable(const struct asker *a)
{
	return a->tty != NULL || (a->hub != NULL && hub_pen(a->hub)) ||
	    a->patience != NULL;
}

int
asker_ask(struct asker *a, const struct question *q, ask_done done, void *arg,
    unsigned *id)
{
	struct open_question *o = calloc(1, sizeof *o), **p;

	*id = 0;
	if (o == NULL)
		return E_NOMEM;
	o->id = *id = ++a->last;
	o->kind = copy(q->kind);
	o->who = copy(q->who);
	o->tool = copy(q->tool);
	o->why = copy(q->why);
	o->object = copy(q->object);
	o->digest = copy(q->digest);
	strncpy(o->answers, q->answers, ANSWERS_MOST);
	o->plan = json_incref(q->plan);
	o->options = q->options;
	o->multiple = q->multiple;
	o->drawing = q->drawing;
	o->done = done;
	o->arg = arg;
	o->asked_us = clock_mono_us();
	if (!asker_reachable(a)) {
		finish(a, o, ANSWER_NOBODY, "nobody");
		return 0;
	}
	for (p = &a->waiting; *p != NULL; p = &(*p)->next)
		;
	*p = o;
	soon(a);
	return 0;
}

void
asker_withdraw(struct asker *a, unsigned id, const char *reason)
{
	struct open_question *o = a->waiting;
	struct drawing *d = NULL;
	bool drawn;

	while (o != NULL && o->id != id)
		o = o->next;
	if (o == NULL)
		return;
	memmove(a->withdrawn, a->withdrawn + 1,
	    sizeof a->withdrawn - sizeof *a->withdrawn);
	a->withdrawn[ENDED_MOST - 1] = id;
	drawn = a->shown && o == a->waiting;
	if (drawn && a->on_tty) {
		if (asker_instead(o->kind, o->object, reason, &d) != 0)
			bug("out of memory");
		prompt_withdraw(a->tty, d);
	}
	finish(a, o, ANSWER_WITHDRAWN, "withdrawn");
	if (!drawn)
		return;
	a->shown = a->on_tty = false;
	if (a->hub != NULL)
		hub_ended(a->hub, o, reason);
	soon(a);
}

void
asker_turn(struct asker *a)
{
	a->declined = 0;
	a->said_declined = false;
}

size_t
asker_waiting(const struct asker *a)
{
	size_t n = 0;

	for (const struct open_question *o = a->waiting; o != NULL; o = o->next)
		n++;
	return n;
}

void
asker_called(struct asker *a, const char *verb, const char *object, const char *why)
{
	if (a->hub != NULL)
		hub_put(a->hub, msg_called(verb, object, why));
}

void
asker_came(struct asker *a, const char *words, bool failed)
{
	if (a->hub != NULL && *words != '\0')
		hub_put(a->hub, msg_came(words, failed));
}

void
asker_patience(struct asker *a, uint64_t ms)
{
	a->patience_ms = ms;
}

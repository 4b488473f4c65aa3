/* ask_user: up to four questions of the agent to the person (agents 2). What is drawn is
 * what was checked; an answer is never given for the person, approves nothing, and is
 * remembered for the session question by question. */
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/questions.h"
#include "bin/bb/session/session_int.h"

#define SERIES_MAX 4
#define HEADER_MAX 200    /* bytes */
#define QUESTION_MAX 2000 /* of a question */
#define OPTION_MAX 400    /* of a label, of a detail */

struct one { /* a question of the series */
	struct call *c;
	struct agent_facts f;
	char *key; /* every field of it, in one form: by this it is remembered */
	json_t *plan;
	json_t *answer;   /* NULL: not known yet */
	bool earlier;     /* known from an earlier call */
	enum answer lost; /* why there is none, where there is none */
	struct drawing *drawing;
	unsigned ask; /* id while it is open, else 0 */
	bool muted;   /* ask.maxDeclined answered */
};
struct asking {
	struct one one[SERIES_MAX];
	size_t n, open;
};

static void
work_free(void *p)
{
	struct asking *w = p;

	for (size_t i = 0; i < w->n; i++) {
		free(w->one[i].key);
		json_decref(w->one[i].plan);
		json_decref(w->one[i].answer);
		drawing_free(w->one[i].drawing);
	}
	free(w);
}

/* --- what was asked ------------------------------------------------------------------ */

/* A string that says something, of at most `most` bytes. False: the call is answered. */
static bool
words(struct call *c, const json_t *v, size_t nth, const char *what, size_t most,
    const char **out)
{
	const char *s = json_string_value(v);

	*out = s;
	if (s == NULL || s[strspn(s, " \t\n")] == '\0') {
		call_error(c, "bad-argument",
		    "question %zu must have %s, a string that says something", nth, what);
		return false;
	}
	if (strlen(s) <= most)
		return true;
	call_error(c, "bad-argument", "%s of question %zu is longer than %zu bytes", what,
	    nth, most);
	return false;
}

static bool
members(struct call *c, const json_t *v, const char *const *names, size_t nth,
    const char *what)
{
	const char *key;
	json_t *unused;

	json_object_foreach((json_t *)(uintptr_t)v, key, unused) {
		const char *const *name = names;

		while (*name != NULL && strcmp(*name, key) != 0)
			name++;
		if (*name != NULL)
			continue;
		call_error(c, "bad-argument", "'%s' is no member of %s (question %zu)",
		    key, what, nth);
		return false;
	}
	return true;
}

static bool
option(struct call *c, const json_t *v, size_t nth, struct one *o)
{
	static const char *const names[] = {"label", "detail", NULL};
	struct agent_facts *f = &o->f;
	const json_t *detail = json_is_object(v) ? json_object_get(v, "detail") : NULL;

	if (f->options == TOOL_OPTIONS_MAX) {
		call_error(c, "bad-argument",
		    "question %zu has more than %d options; ask in fewer", nth,
		    TOOL_OPTIONS_MAX);
		return false;
	}
	if (json_is_object(v) && !members(c, v, names, nth, "an option"))
		return false;
	if (!words(c, json_is_object(v) ? json_object_get(v, "label") : v, nth,
	        "a label for each option", OPTION_MAX, &f->label[f->options]))
		return false;
	if (detail != NULL && !json_is_string(detail)) {
		call_error(c, "bad-argument",
		    "the detail of an option must be a string (question %zu)", nth);
		return false;
	}
	if (json_string_length(detail) > OPTION_MAX) {
		call_error(c, "bad-argument",
		    "the detail of an option of question %zu is longer than %d bytes",
		    nth, OPTION_MAX);
		return false;
	}
	f->detail[f->options++] = json_string_value(detail);
	return true;
}

/* One question as it came. False: the call is answered. */
static bool
question(struct call *c, const json_t *v, size_t nth, struct one *o)
{
	static const char *const names[] = {"header", "question", "options", "multiple",
	    NULL};
	const json_t *options = json_at(v, ".options"),
	             *multiple = json_at(v, ".multiple"), *each;
	size_t i;

	o->c = c;
	o->f.why = c->why;
	if (!members(c, v, names, nth, "a question") ||
	    !words(c, json_at(v, ".header"), nth, "a header", HEADER_MAX, &o->f.header) ||
	    !words(c, json_at(v, ".question"), nth, "a question", QUESTION_MAX,
	        &o->f.question))
		return false;
	if (options != NULL && !json_is_null(options) && !json_is_array(options)) {
		call_error(c, "bad-argument",
		    "the options of question %zu must be a list", nth);
		return false;
	}
	json_array_foreach(options, i, each)
		if (!option(c, each, nth, o))
			return false;
	if (multiple != NULL && !json_is_null(multiple) && !json_is_boolean(multiple)) {
		call_error(c, "bad-argument",
		    "'multiple' of question %zu must be true or false", nth);
		return false;
	}
	o->f.multiple = json_is_true(multiple) && o->f.options > 0;
	o->key = json_dumps(v, JSON_SORT_KEYS | JSON_COMPACT);
	if (o->key == NULL)
		bug("out of memory");
	return true;
}

static json_t *
plan_of(const struct agent_facts *f)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < f->options; i++)
		json_array_append_new(list,
		    json_pack("{s:s,s:s*}", "label", f->label[i], "detail",
		        f->detail[i]));
	return json_pack("{s:s,s:s,s:o,s:b}", "header", f->header, "question",
	    f->question, "options", list, "multiple", f->multiple);
}

static bool
series(struct call *c, struct asking *w)
{
	const json_t *list = call_arg(c, "questions")->json, *v;
	size_t i;

	json_array_foreach(list, i, v) {
		if (i == SERIES_MAX)
			bug("more questions than the table allows");
		w->n = i + 1;
		if (!question(c, v, i + 1, &w->one[i]))
			return false;
		for (size_t k = 0; k < i; k++)
			if (strcmp(w->one[k].key, w->one[i].key) == 0) {
				call_error(c, "bad-argument",
				    "questions %zu and %zu are the same", k + 1, i + 1);
				return false;
			}
		w->one[i].plan = plan_of(&w->one[i].f);
	}
	return true;
}

/* --- the answers --------------------------------------------------------------------- */

static void
say_answer(const struct one *o, struct buf *b)
{
	const char *text = json_string_value(json_object_get(o->answer, "text"));
	const json_t *labels = json_object_get(o->answer, "labels"), *l;
	size_t i;

	if (o->answer == NULL)
		(void)buf_str(b,
		    o->lost == ANSWER_NOBODY ? "not asked: nobody can be asked here"
		        : o->muted           ? "not asked: the person said no to several "
		                               "questions of this turn"
		                             : "not answered");
	else if (text != NULL)
		(void)buf_fmt(b, "in their own words: %s", text);
	else if (labels == NULL)
		(void)buf_str(b, "skipped: go on without it, and do not ask it again");
	else if (json_array_size(labels) == 0)
		(void)buf_str(b, "none of the options");
	else
		(void)buf_str(b, "chosen: ");
	json_array_foreach(labels, i, l)
		(void)buf_fmt(b, "%s%s", i > 0 ? "; " : "", json_string_value(l));
	if (o->earlier)
		(void)buf_str(b, " (answered earlier in this session)");
}

static void
report(struct call *c, struct asking *w)
{
	json_t *all = json_array();
	size_t answered = 0, skipped = 0, unasked = 0;
	bool nobody = false;

	for (size_t i = 0; i < w->n; i++) {
		const struct one *o = &w->one[i];

		(void)buf_fmt(&c->text, "%s%zu. %s: ", i > 0 ? "\n" : "", i + 1,
		    o->f.header);
		say_answer(o, &c->text);
		json_array_append_new(all,
		    o->answer != NULL ? json_incref(o->answer)
		                      : json_pack("{s:b}", "unasked", 1));
		nobody |= o->answer == NULL && o->lost == ANSWER_NOBODY;
		if (o->answer == NULL)
			unasked++;
		else if (json_object_get(o->answer, "skipped") != NULL)
			skipped++;
		else
			answered++;
	}
	json_object_set_new(c->data, "answers", all);
	if (unasked > 0)
		(void)buf_str(&c->text,
		    "\nnobody answered for the person, so nothing was decided");
	if (nobody)
		(void)buf_str(&c->text,
		    "; a person who runs 'bb approve' in this directory can be asked");
	answer_count(&c->summary, answered, "answer", "answers");
	if (skipped > 0)
		(void)buf_fmt(&c->summary, ", %zu skipped", skipped);
	if (unasked > 0)
		(void)buf_fmt(&c->summary, ", %zu not asked", unasked);
	c->labelled = true;
	c->label = LABEL_T_PUB; /* typed, to a series that was */
	if (nobody) {
		call_finish(c, STATUS_UNASKED, "nobody-to-ask");
	} else if (unasked > 0) {
		c->gate = "answer";
		call_finish(c, STATUS_REFUSED, "declined");
	} else {
		call_finish(c, STATUS_OK, NULL);
	}
}

/* What an answer is to the planner and to a later call. */
static json_t *
answer_of(const struct one *o, const struct answered *a)
{
	json_t *choices, *labels;

	if (a->answer == ANSWER_SKIPPED)
		return json_pack("{s:b}", "skipped", 1);
	if (a->text != NULL)
		return json_pack("{s:s}", "text", a->text);
	choices = json_array();
	labels = json_array();
	for (unsigned i = 0; i < o->f.options; i++)
		if ((a->choices >> i & 1) != 0) {
			json_array_append_new(choices, json_integer((json_int_t)i + 1));
			json_array_append_new(labels, json_string(o->f.label[i]));
		}
	return json_pack("{s:o,s:o}", "choices", choices, "labels", labels);
}

static void
withdraw_rest(struct call *c, const struct asking *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->one[i].ask != 0)
			asker_withdraw(c->s->asker, w->one[i].ask, "cancelled");
}

static void
on_answer(void *arg, const struct answered *a)
{
	struct one *o = arg;
	struct call *c = o->c;
	struct asking *w = c->work;
	struct session *s = c->s;

	o->ask = 0;
	w->open--;
	drawing_free(o->drawing);
	o->drawing = NULL;
	c->asked_us = a->waited_us > c->asked_us ? a->waited_us : c->asked_us;
	trail_asked(s->trail, c->n, "question", o->f.header, a->by,
	    answer_word(a->answer));
	if (a->answer == ANSWER_CHOSEN || a->answer == ANSWER_SKIPPED) {
		o->answer = answer_of(o, a);
		if (o->answer == NULL)
			bug("out of memory");
		json_object_set(s->answered, o->key, o->answer);
	} else {
		o->lost = a->answer;
		o->muted = strcmp(a->by, "ask.maxDeclined") == 0;
	}
	if (a->answer == ANSWER_STOP)
		(void)session_stop(s);
	if (c->cancelled)
		withdraw_rest(c, w);
	for (size_t i = 0; i < w->n; i++)
		if (w->one[i].ask != 0)
			c->ask = w->one[i].ask; /* what a cancel withdraws */
	if (w->open > 0)
		return;
	c->asking = false;
	if (c->cancelled)
		call_cancelled(c);
	else
		report(c, w);
}

/* Put it in the queue. */
static void
put(struct call *c, struct asking *w, struct one *o)
{
	struct question q = {
	    .kind = "question",
	    .who = "turn",
	    .tool = c->tool->name,
	    .why = c->why,
	    .object = o->f.header,
	    .plan = o->plan,
	    .answers = QUESTION_ANSWERS,
	    .options = o->f.options,
	    .multiple = o->f.multiple,
	};

	if (question_agent(&o->f, &o->drawing) != 0)
		bug("out of memory");
	q.drawing = o->drawing;
	if (asker_ask(c->s->asker, &q, on_answer, o, &o->ask) != 0)
		bug("out of memory");
	c->ask = o->ask;
	c->asking = true;
	c->questions++;
	c->s->questions++;
	w->open++;
}

void
ask_start(struct call *c)
{
	struct asking *w = calloc(1, sizeof(*w));
	struct session *s = c->s;

	if (w == NULL)
		bug("out of memory");
	c->work = w;
	c->work_free = work_free;
	if (!series(c, w))
		return;
	call_field(c, "questions", true);
	trail_gate(s->trail, c->n, "answer", "the questions are trusted and public");
	if (s->answered == NULL && (s->answered = json_object()) == NULL)
		bug("out of memory");
	for (size_t i = 0; i < w->n; i++) {
		struct one *o = &w->one[i];

		o->answer = json_incref(json_object_get(s->answered, o->key));
		o->earlier = o->answer != NULL;
		o->lost = ANSWER_NOBODY;
	}
	call_started(c);
	if (!call_recorded(c))
		return;
	if (asker_reachable(s->asker))
		for (size_t i = 0; i < w->n; i++)
			if (w->one[i].answer == NULL)
				put(c, w, &w->one[i]);
	if (w->open == 0)
		report(c, w);
}

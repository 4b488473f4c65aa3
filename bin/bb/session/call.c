/* One tool call from table row to answer: common gates, dispatch to the tool's own file, and the one way in which a call ends. Sentences
 * built of more than a word are in answer.c. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/clock.h"
#include "libcommon/own.h"

#define IN_FLIGHT_MAX 64

static void effects_go_on(struct session *s);
static const struct session *offering; /* whose table call_offered answers for */

const struct arg_value *
call_arg(const struct call *c, const char *name)
{
	for (size_t i = 0; i < c->tool->n_args; i++)
		if (strcmp(c->tool->args[i].name, name) == 0)
			return &c->v[i];
	bug("argument not in the table");
}

void
call_offer(const struct session *s)
{
	offering = s;
}

bool
call_offered(const char *tool)
{
	const struct tool *t = tool_find(tool);

	return t != NULL && offering != NULL && permit_offered(&offering->offer, t);
}

void
call_field(struct call *c, const char *field, bool allowed)
{
	const struct tool_arg *a = tool_arg(c->tool, field);
	struct label l = {c->s->context.i, PUBLIC};

	trail_field(c->s->trail, c->n, c->tool->name, field, a->role == TOOL_ROUTING, l,
	    allowed);
}

void
call_note(struct call *c, const char *note)
{
	json_array_append_new(c->notes, json_string(note));
}

void
call_add_ref(struct call *c, const struct ref *r)
{
	json_array_append_new(c->refs, ref_json(r));
}

bool
call_room(struct call *c, size_t n)
{
	if (n <= refs_room(c->s->refs))
		return true;
	json_array_clear(c->refs);
	call_refuse(c, GATE_REFERENCE, "busy", TEXT_REFS, refs_count(c->s->refs),
	    REFS_MAX);
	return false;
}

static char *
copy(const char *s, size_t n)
{
	char *p = malloc(n + 1);

	if (p == NULL)
		bug("out of memory");
	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

/* --- what who watches at the session socket sees of it ---------------------------- */

/* As the planner wrote it: a held-back name is a reference here, as in the trail. */
static void
called(struct call *c, const char *verb, const char *why)
{
	auto_buf struct buf object = BUF_INIT;

	if (c->tool != NULL)
		answer_object(c->tool, c->args, &object);
	else
		(void)buf_str(&object, c->tool_name);
	asker_called(c->s->asker, verb, buf_cstr(&object), why);
}

static void
announce(struct call *c)
{
	if (!c->announced)
		called(c, c->tool != NULL ? c->tool->verb : "call", c->why);
	c->announced = true;
}

static void
came(struct call *c, const struct answer_out *a)
{
	const char *says = strchr(a->text, ' '); /* after `refused: ` */
	const json_t *note;
	size_t i;

	if (a->status == STATUS_REFUSED) {
		called(c, "refused", says != NULL ? says + 1 : a->text);
	} else {
		announce(c);
		asker_came(c->s->asker, a->status == STATUS_ERROR ? a->text : a->summary,
		    a->status == STATUS_ERROR);
	}
	json_array_foreach(a->notes, i, note)
		asker_came(c->s->asker, json_string_value(note), false);
}

/* Take the call out of the session, hand its answer over, and free it. */
static void
deliver(void *arg, short revents)
{
	struct call *c = arg;
	struct session *s = c->s;
	struct answer_out a = {
	    .status = c->status,
	    .code = c->code,
	    .gate = c->gate,
	    .text = buf_cstr(&c->text),
	    .text_len = c->text.len,
	    .labelled = c->labelled,
	    .label = c->label,
	    .refs = c->refs,
	    .notes = c->notes,
	    .data = c->data,
	    .token = c->token[0] != '\0' ? c->token : NULL,
	    .summary = buf_cstr(&c->summary),
	    .wall_us = clock_mono_us() - c->begun_us,
	    .asked_us = c->asked_us,
	    .spawns = c->spawns,
	    .questions = c->questions,
	};

	(void)revents;
	/* A helper or a question of this call that was just cancelled still has to report
	 * to it. */
	if (c->child[0] != NULL || c->child[1] != NULL || c->asking) {
		if (loop_timer(s->loop, 1, deliver, c) == NULL)
			bug("no memory for the end of a call");
		return;
	}
	for (struct call **p = &s->open; *p != NULL; p = &(*p)->next)
		if (*p == c) {
			*p = c->next;
			break;
		}
	s->in_flight--;
	effects_go_on(s);
	came(c, &a);
	c->done(c->arg, &a);
	if (c->work != NULL && c->work_free != NULL)
		c->work_free(c->work);
	buf_release(&c->text);
	buf_release(&c->summary);
	json_decref(c->refs);
	json_decref(c->notes);
	json_decref(c->data);
	json_decref(c->args);
	call_args_free(c);
	call_rules_free(c);
	free(c->shown);
	free(c->tool_name);
	free(c);
}

/* An answer whose trail cannot be written must not carry anything out. */
static void
withhold(struct call *c)
{
	buf_clear(&c->text);
	buf_clear(&c->summary);
	json_array_clear(c->refs);
	json_array_clear(c->notes);
	json_object_clear(c->data);
	c->token[0] = '\0';
	c->labelled = false;
	c->status = STATUS_REFUSED;
	c->code = "gate";
	c->gate = "trail";
	(void)buf_str(&c->text, TEXT_TRAIL);
}

void
call_finish(struct call *c, enum status st, const char *code)
{
	if (c->finished)
		bug("a call answered twice");
	c->finished = true;
	c->status = st;
	c->code = code;
	if (c->text.failed || c->summary.failed) {
		buf_clear(&c->text);
		(void)buf_str(&c->text, TEXT_NO_MEMORY);
		c->status = STATUS_ERROR;
		c->code = "helper-failed";
	}
	trail_done(c->s->trail, c->n, status_text(c->status), c->code,
	    c->labelled ? c->label : LABEL_T_PUB);
	if (trail_flush(c->s->trail) != 0 &&
	    !(c->gate != NULL && strcmp(c->gate, "trail") == 0))
		withhold(c);
	/* From the loop, so that nobody is answered within session_call. */
	if (loop_timer(c->s->loop, 0, deliver, c) == NULL)
		bug("no memory for the end of a call");
}

bool
call_recorded(struct call *c)
{
	if (trail_flush(c->s->trail) == 0)
		return true;
	c->gate = "trail";
	buf_clear(&c->text);
	(void)buf_str(&c->text, TEXT_TRAIL);
	call_finish(c, STATUS_REFUSED, "gate");
	return false;
}

void
call_error(struct call *c, const char *code, const char *fmt, ...)
{
	va_list ap;

	buf_clear(&c->text);
	(void)buf_str(&c->text, "error: ");
	va_start(ap, fmt);
	(void)buf_vfmt(&c->text, fmt, ap);
	va_end(ap);
	call_finish(c, STATUS_ERROR, code);
}

void
call_refuse(struct call *c, enum gate g, const char *code, const char *fmt, ...)
{
	va_list ap;
	const char *reason;

	buf_clear(&c->text);
	(void)buf_str(&c->text, "refused: ");
	va_start(ap, fmt);
	(void)buf_vfmt(&c->text, fmt, ap);
	va_end(ap);
	c->gate = gate_name(g);
	reason = buf_cstr(&c->text) + strlen("refused: ");
	trail_block(c->s->trail, c->n, c->gate, c->shown, reason);
	call_finish(c, STATUS_REFUSED, code);
}

void
call_cancelled(struct call *c)
{
	call_error(c, "cancelled", "%s", c->stopped ? TEXT_STOPPED : TEXT_CANCELLED);
}

static bool
may_retry(int e)
{
	return e == EMFILE || e == ENFILE || e == EAGAIN || e == ENOMEM;
}

bool
call_helper_failed(struct call *c, const struct spawn_outcome *o)
{
	if (o->end == SPAWN_ANSWERED)
		return false;
	if (o->end == SPAWN_CANCELLED || c->cancelled) {
		call_cancelled(c);
	} else if (o->end == SPAWN_TIMEOUT) {
		call_error(c, "timed-out", "%s did not finish within %u s",
		    c->tool->helper, o->wall_s);
	} else {
		auto_buf struct buf b = BUF_INIT;

		answer_helper_end(c->tool, o, &b);
		trail_block(c->s->trail, c->n, "helper", c->shown, buf_cstr(&b));
		/* The machine's no, not the helper's fault: it may work later. */
		call_error(c,
		    o->end == SPAWN_NO_START && may_retry(o->number) ? "busy"
		                                                     : "helper-failed",
		    "%s", buf_cstr(&b));
	}
	return true;
}

/* It passed: the person sees that it runs. A refused call is one row of its own. */
void
call_started(struct call *c)
{
	announce(c);
	if (c->s->on_start != NULL)
		c->s->on_start(c->s->on_arg, c);
}

/* --- the common gates ----------------------------------------------------------- */

static void (*const starts[])(struct call *) = {read_start, list_start, search_start,
    write_start, edit_start, output_start, vet_start, ask_start, todo_start};
static const char *const start_names[] = {"read_file", "list_files", "search",
    "write_file", "edit_file", "read_output", "vet_content", "ask_user", "todo_write"};

static void begin(void *arg, short revents);

/* Effects happen in the order in which they were asked for: an earlier one of this session
 * that is not over. */
static bool
effect_before(const struct call *c)
{
	for (const struct call *p = c->s->open; p != NULL; p = p->next)
		if (p != c && p->n < c->n && p->tool != NULL && p->tool->effect)
			return true;
	return false;
}

/* One is over: those that wait look again. */
static void
effects_go_on(struct session *s)
{
	for (struct call *p = s->open; p != NULL; p = p->next)
		if (p->waits) {
			p->waits = false;
			if (loop_timer(s->loop, 0, begin, p) == NULL)
				bug("no memory for the start of a call");
		}
}

static void
begin(void *arg, short revents)
{
	struct call *c = arg;
	struct session *s = c->s;

	(void)revents;
	if (c->cancelled) {
		call_cancelled(c);
		return;
	}
	if (s->stopped) {
		(void)buf_str(&c->text, "refused: " TEXT_STOPPED_NOW);
		c->gate = "approval";
		trail_block(s->trail, c->n, c->gate, NULL, TEXT_STOPPED);
		call_finish(c, STATUS_REFUSED, "declined");
		return;
	}
	if (c->tool == NULL || c->start == NULL) {
		/* A known name that is not offered gets the same answer (TOOL-3). */
		trail_block(s->trail, c->n, "capability", NULL, "unknown tool");
		auto_buf struct buf names = BUF_INIT;

		for (size_t i = 0; i < tools_len; i++)
			if (permit_offered(&s->offer, tools[i]))
				(void)buf_fmt(&names, "%s%s", names.len > 0 ? ", " : "",
				    tools[i]->name);
		call_error(c, "not-offered", "unknown tool '%s'; this session offers %s",
		    c->tool_name, names.len > 0 ? buf_cstr(&names) : "none");
		return;
	}
	if (c->tool->effect && effect_before(c)) {
		c->waits = true;
		return;
	}
	if (!call_parse(c))
		return;
	c->why = call_arg(c, "why")->s;
	trail_gate(s->trail, c->n, gate_name(GATE_PRECOMMIT),
	    "routing is fixed before anything is observed");
	trail_gate(s->trail, c->n, gate_name(GATE_CAPABILITY),
	    c->tool->helper == NULL ? "none is needed"
	        : c->tool->effect   ? "file_write"
	                            : "file_read");
	if (s->context.i != TRUSTED) {
		call_refuse(c, GATE_ARGUMENT, "gate", "%s", TEXT_CONTEXT);
		return;
	}
	c->start(c);
}

int
session_call(struct session *s, const struct call_request *q, call_done done, void *arg,
    struct call **out)
{
	struct call *c = calloc(1, sizeof(*c));
	const struct tool *t = tool_find(q->tool);
	auto_buf struct buf object = BUF_INIT;

	*out = NULL;
	if (c == NULL)
		return E_NOMEM;
	c->s = s;
	c->n = ++s->calls;
	c->tool = t != NULL && permit_offered(&s->offer, t) ? t : NULL;
	c->args = q->args != NULL ? json_incref(q->args) : json_object();
	c->tool_name = copy(q->tool, strlen(q->tool));
	c->typed = q->typed;
	c->done = done;
	c->arg = arg;
	c->text = c->summary = BUF_INIT;
	c->refs = json_array();
	c->notes = json_array();
	c->data = json_object();
	c->begun_us = clock_mono_us();
	c->next = s->open;
	s->open = c;
	s->in_flight++;
	for (size_t i = 0; c->tool != NULL && i < sizeof(starts) / sizeof(*starts); i++)
		if (strcmp(c->tool->name, start_names[i]) == 0)
			c->start = starts[i];
	if (c->tool != NULL)
		answer_object(c->tool, c->args, &object);
	else
		(void)buf_str(&object, c->tool_name);
	trail_call(s->trail, c->n, c->tool != NULL ? c->tool->name : "unknown",
	    buf_cstr(&object), NULL);
	if (c->typed)
		trail_gate(s->trail, c->n, "approval", "the person typed this call");
	*out = c;
	if (s->in_flight > IN_FLIGHT_MAX) {
		call_error(c, "busy", "%d calls in flight", IN_FLIGHT_MAX);
		return 0;
	}
	if (loop_timer(s->loop, 0, begin, c) == NULL)
		bug("no memory for the start of a call");
	return 0;
}

void
session_cancel(struct call *c)
{
	if (c->finished || c->cancelled)
		return;
	c->cancelled = true;
	if (c->waits)
		effects_go_on(c->s); /* it is answered there */
	for (size_t i = 0; i < 2; i++)
		if (c->child[i] != NULL)
			spawn_cancel(c->child[i]);
	if (c->asking)
		asker_withdraw(c->s->asker, c->ask, "cancelled");
}

unsigned
session_stop(struct session *s)
{
	unsigned n = 0;

	s->stopped = true;
	for (struct call *c = s->open; c != NULL; c = c->next) {
		if (c->finished)
			continue;
		c->stopped = !c->cancelled || c->stopped;
		session_cancel(c);
		n++;
	}
	return n;
}

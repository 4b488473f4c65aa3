/* bb drive: the planner protocol over standard input and output. What comes in is a
 * planner's word; anything malformed is answered and the session goes on. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/planner/planner.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/log.h"
#include "libcommon/own.h"

#define STOP_READING ((size_t)4 << 20) /* bytes unread by the planner: no new lines */

struct pending {
	struct drive *d;
	json_t *id;
	struct call *call;
	struct pending *next;
};

struct drive {
	struct session *s;
	struct wire *w;
	struct pending *open;
	struct loop_source *in, *out;
	bool eof, broken;
	int errnum; /* why it is broken */
};

static void
broken(struct drive *d)
{
	d->errnum = errno;
	d->broken = true;
}

static void
on_out(void *arg, short revents)
{
	struct drive *d = arg;

	(void)revents;
	if (wire_flush(d->w) != 0)
		broken(d);
}

static void put_error(struct drive *d, json_t *id, const char *code, const char *says,
    const char *detail);

static void
put(struct drive *d, json_t *id, json_t *o)
{
	json_t *line = json_object();
	int r;

	json_object_set(line, "id", id != NULL ? id : json_null());
	json_object_update(line, o);
	json_decref(o);
	r = d->broken ? 0 : wire_put(d->w, line);
	json_decref(line);
	if (r == E_SYS)
		broken(d);
	else if (r == E_TOO_LONG) /* each tool bounds its own; this is the last resort */
		put_error(d, id, "too-large",
		    "this answer is longer than the 1 MiB of a line; ask for less", NULL);
}

static void
put_error(struct drive *d, json_t *id, const char *code, const char *says,
    const char *detail)
{
	auto_buf struct buf b = BUF_INIT;

	(void)buf_fmt(&b, "error: %s%s%s", says, detail != NULL ? ": " : "",
	    detail != NULL ? detail : "");
	put(d, id,
	    json_pack("{s:s,s:s,s:s,s:n,s:[],s:n,s:[],s:{}}", "status", "error", "code",
	        code, "text", buf_cstr(&b), "label", "refs", "token", "notes", "data"));
}

static void
put_ok(struct drive *d, json_t *id, json_t *data)
{
	put(d, id, json_pack("{s:s,s:o}", "status", "ok", "data", data));
}

static void
on_done(void *arg, const struct answer_out *a)
{
	struct pending *p = arg;
	struct drive *d = p->d;

	for (struct pending **q = &d->open; *q != NULL; q = &(*q)->next)
		if (*q == p) {
			*q = p->next;
			break;
		}
	put(d, p->id, answer_json(d->s, a));
	json_decref(p->id);
	free(p);
}

static void
hello(struct drive *d, json_t *id, json_t *v)
{
	struct session *s = d->s;
	bool full = s->c.weaker_landlock || spawner_abi(s->spawner) > 0;

	if (json_is_true(json_object_get(v, "remembers")))
		s->remembers = true;
	put_ok(d, id,
	    json_pack("{s:i,s:s,s:s,s:s,s:s,s:o,s:{s:s,s:s}}", "protocol", 1, "version",
	        BB_VERSION, "session", s->id, "workspace", reach_path(s->reach, 0),
	        "mode", "default", "tools", surface_tools(NULL, call_offered),
	        "guarantee", "files", s->c.weaker_landlock || !full ? "weaker" : "full",
	        "run", "none"));
}

static void
cancel(struct drive *d, json_t *id, json_t *which)
{
	for (struct pending *p = d->open; p != NULL; p = p->next)
		if (json_equal(p->id, which)) {
			session_cancel(p->call);
			put_ok(d, id, json_pack("{s:b}", "cancelled", 1));
			return;
		}
	put_ok(d, id, json_pack("{s:b}", "cancelled", 0));
}

static void
offer_tools(struct drive *d, json_t *id, json_t *form)
{
	json_t *list = NULL;

	if (json_is_true(form))
		list = surface_tools("mcp", call_offered);
	else if (json_is_string(form))
		list = surface_tools(json_string_value(form), call_offered);
	if (list == NULL)
		put_error(d, id, "bad-argument",
		    "'tools' is true, \"openai\", \"anthropic\" or \"mcp\"", NULL);
	else
		put_ok(d, id, json_pack("{s:o}", "tools", list));
}

static void
call(struct drive *d, json_t *id, json_t *v)
{
	struct pending *p;
	struct call_request q = {.tool = json_string_value(json_object_get(v, "tool")),
	    .args = json_object_get(v, "args")};

	if (q.tool == NULL) {
		put_error(d, id, "bad-line", "'tool' must be a string", NULL);
		return;
	}
	for (p = d->open; p != NULL; p = p->next)
		if (json_equal(p->id, id)) {
			put_error(d, id, "bad-line", "a call with this id is still open",
			    NULL);
			return;
		}
	if ((p = calloc(1, sizeof(*p))) == NULL) {
		put_error(d, id, "busy", "out of memory", NULL);
		return;
	}
	p->d = d;
	p->id = json_incref(id);
	p->next = d->open;
	d->open = p;
	if (session_call(d->s, &q, on_done, p, &p->call) != 0)
		bug("out of memory");
}

/* Members that a line of each kind may hold; anything else is said. */
static bool
known(const json_t *v, const char **bad)
{
	static const char *const names[] = {"id", "hello", "remembers", "tool", "args",
	    "cancel", "turn", "tools"};
	const char *key;
	json_t *x;

	json_object_foreach((json_t *)(uintptr_t)v, key, x) {
		bool ok = false;

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			ok |= strcmp(key, names[i]) == 0;
		if (!ok) {
			*bad = key;
			return false;
		}
	}
	return true;
}

static void
take(struct drive *d, const char *p, size_t n)
{
	auto_json json_t *v = NULL;
	const char *why = NULL, *bad = NULL;
	json_t *id, *x;

	if (json_parse(p, n, &v, &why) != 0) {
		put_error(d, NULL, "bad-line", "this line was not read", why);
		return;
	}
	if (!json_is_object(v)) {
		put_error(d, NULL, "bad-line", "a line is one JSON object", NULL);
		return;
	}
	id = json_object_get(v, "id");
	if (!json_is_integer(id) &&
	    !(json_is_string(id) && json_string_length(id) <= 256)) {
		put_error(d, NULL, "bad-line",
		    "'id' must be a whole number or a short string", NULL);
		return;
	}
	if (!known(v, &bad)) {
		put_error(d, id, "bad-line", "unknown member", bad);
		return;
	}
	if (json_object_get(v, "tool") != NULL)
		call(d, id, v);
	else if (json_object_get(v, "hello") != NULL)
		hello(d, id, v);
	else if ((x = json_object_get(v, "cancel")) != NULL)
		cancel(d, id, x);
	else if (json_object_get(v, "turn") != NULL) {
		session_turn_end(d->s);
		put_ok(d, id, json_pack("{s:[],s:i}", "jobs_stopped", "undo_points", 0));
	} else if ((x = json_object_get(v, "tools")) != NULL)
		offer_tools(d, id, x);
	else
		put_error(d, id, "bad-line",
		    "a line has 'tool', 'hello', 'cancel', 'turn' or 'tools'", NULL);
}

static void
drain(struct drive *d)
{
	const char *p;
	size_t n;
	bool too_long;

	while (!d->broken && wire_pending(d->w) < STOP_READING &&
	    wire_next(d->w, &p, &n, &too_long)) {
		if (too_long)
			put_error(d, NULL, "bad-line",
			    "a line may be 1 MiB; longer contents go through "
			    "contents_ref or edits",
			    NULL);
		else if (n > 0)
			take(d, p, n);
	}
}

static void
on_in(void *arg, short revents)
{
	struct drive *d = arg;
	int r = wire_fill(d->w);

	(void)revents;
	if (r == E_EOF || r == E_SYS) {
		d->eof = true;
		loop_remove(d->in);
		d->in = NULL;
	}
	drain(d);
}

int
front_drive(const struct session_config *c)
{
	struct drive d = {0};
	auto_buf struct buf why = BUF_INIT;
	int r = session_new(c, &d.s, &why), status = 0;
	bool typed = isatty(0);

	if (r != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	settings_complain(d.s->settings);
	if (wire_new(0, 1, &d.w) != 0 ||
	    (d.in = loop_fd(d.s->loop, 0, POLLIN, on_in, &d)) == NULL ||
	    (d.out = loop_fd(d.s->loop, 1, 0, on_out, &d)) == NULL)
		bug("out of memory");
	while (!d.broken && !(d.eof && d.open == NULL && wire_pending(d.w) == 0)) {
		bool full = wire_pending(d.w) >= STOP_READING;

		loop_events(d.out, wire_pending(d.w) > 0 ? POLLOUT : 0);
		/* Typed by hand at the terminal where a question is drawn, a key is its answer. */
		if (d.in != NULL)
			loop_events(d.in,
			    full || (typed && asker_waiting(d.s->asker) > 0) ? 0
			                                                     : POLLIN);
		if (loop_once(d.s->loop, -1) != 0) {
			status = 70;
			break;
		}
		drain(&d); /* lines that waited for the planner to read */
		/* End of input is end of turn and session: open questions and calls of a
		 * planner that left are not waited for by a person. */
		if (d.eof)
			for (struct pending *p = d.open; p != NULL; p = p->next)
				if (p->call->asking)
					session_cancel(p->call);
	}
	loop_remove(d.in);
	loop_remove(d.out);
	if (d.broken) { /* nobody reads any more: whatever is open ends with the session */
		for (struct pending *p = d.open; p != NULL; p = p->next)
			session_cancel(p->call);
		for (int i = 0; i < 500 && d.open != NULL; i++)
			if (loop_once(d.s->loop, 10) != 0)
				break;
	}
	session_free(d.s);
	wire_free(d.w);
	/* A planner who left is an end as good as that of its input. */
	if (d.broken && d.errnum != EPIPE) {
		complain("bb: cannot write to standard output: %s\n",
		    err_errno(d.errnum));
		status = 75;
	}
	return status;
}

/* The approver protocol over a socket or a pair of pipes (design 3.2): JSON lines, one
 * side bb, the other a program of the person's. What it sends is read strictly; an
 * answer that was not offered is refused and recorded. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb/ui/ask_int.h"

#include "bin/bb/ui/peer.h"

struct wire_channel {
	struct asker *a;
	struct peer *peer;
	int pid; /* of a program we started, or 0 */
};

json_t *
wire_hello(const struct asker_config *c)
{
	return json_pack("{s:i,s:s,s:s,s:s}", "hello", 1, "session", c->session, "workspace",
	    c->workspace, "front", c->front);
}

json_t *
wire_ask(const struct open_question *q)
{
	const struct look plain = look_plain();
	struct buf screen = BUF_INIT;
	json_t *answers = json_array(), *o;
	size_t unseen;

	drawing_render(q->q.drawing, &plain, 0, &unseen, &screen);
	for (const char *p = q->q.answers; *p != '\0'; p++)
		json_array_append_new(answers, json_stringn(p, 1));
	o = json_pack("{s:i,s:s,s:s,s:[i,i],s:s,s:s?,s:s,s:O?,s:s?,s:n,s:o}", "ask", (int)q->id, "kind",
	    q->q.kind, "who", q->q.who, "of", (int)q->of[0], (int)q->of[1], "tool",
	    q->q.tool != NULL ? q->q.tool : "", "why", q->q.why, "screen", buf_cstr(&screen), "plan",
	    q->q.plan, "digest", q->q.digest, "expires", "answers", answers);
	if (o != NULL)
		json_object_set_new(o, "drawing", drawing_json(q->q.drawing));
	buf_release(&screen);
	return o;
}

static void
on_line(void *arg, struct peer *p, const json_t *v)
{
	struct wire_channel *w = arg;

	peer_take(w->a, p, v, "approver");
}

static void
on_end(void *arg, struct peer *p)
{
	struct wire_channel *w = arg;
	const struct asker_config *c = ask_config(w->a);

	peer_free(p);
	w->peer = NULL;
	if (c->event != NULL)
		c->event(c->arg, "approver gone", "");
	ask_gone(w->a, "approver gone");
}

static bool
reachable(void *self)
{
	return ((struct wire_channel *)self)->peer != NULL;
}

static void
put(void *self, const struct open_question *q)
{
	struct wire_channel *w = self;
	json_t *o = wire_ask(q);

	if (w->peer != NULL)
		peer_put(w->peer, o);
	json_decref(o);
}

static void
withdraw(void *self, const struct open_question *q, const char *reason)
{
	struct wire_channel *w = self;
	json_t *o = json_pack("{s:i,s:s}", "ask", (int)q->id, "withdrawn", reason);

	if (w->peer != NULL)
		peer_put(w->peer, o);
	json_decref(o);
}

static void
release(void *self)
{
	struct wire_channel *w = self;

	peer_free(w->peer);
	if (w->pid > 0) { /* its input has ended; it is not waited for, only reaped if done */
		for (int i = 0; i < 20 && waitpid(w->pid, NULL, WNOHANG) == 0; i++)
			usleep(5000);
	}
	free(w);
}

int
channel_wire(struct asker *a, int in, int out, int pid, struct channel *c)
{
	struct wire_channel *w = calloc(1, sizeof(*w));
	json_t *hello;

	if (w == NULL)
		return E_NOMEM;
	w->a = a;
	w->pid = pid;
	if (peer_new(ask_config(a)->loop, in, out, on_line, on_end, w, &w->peer) != 0) {
		free(w);
		return E_NOMEM;
	}
	hello = wire_hello(ask_config(a));
	peer_put(w->peer, hello);
	json_decref(hello);
	*c = (struct channel){.self = w, .reachable = reachable, .put = put, .withdraw = withdraw,
	    .free = release};
	return 0;
}

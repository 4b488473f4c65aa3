/* Lines of one approver. Reads strictly; a line that cannot be read is answered so. */
#include "bin/bb/ui/peer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/fd.h"

#define OUT_MAX ((size_t)8 << 20)

struct peer {
	struct loop *l;
	int in, out;
	struct buf rd, wr;
	struct loop_source *on_in, *on_out;
	peer_line line;
	peer_end end;
	void *arg;
	bool skipping; /* inside a line that is too long */
	bool *gone;    /* set when freed while reading */
};

static void
complain(struct peer *p, const char *why)
{
	json_t *o = json_pack("{s:n,s:s}", "ask", "refused", why);

	peer_put(p, o);
	json_decref(o);
}

static void
take(struct peer *p, const char *s, size_t n)
{
	const char *why;
	json_t *v;

	if (n == 0)
		return;
	if (json_parse(s, n, &v, &why) != 0) {
		complain(p, why);
		return;
	}
	p->line(p->arg, p, v);
	json_decref(v);
}

static void
readable(void *arg, short revents)
{
	struct peer *p = arg;
	bool gone = false;
	char *lf;
	ssize_t n;

	(void)revents;
	if (buf_reserve(&p->rd, 65536) != 0) { /* a line without end */
		p->skipping = true;
		buf_clear(&p->rd);
		if (buf_reserve(&p->rd, 65536) != 0)
			return;
	}
	n = read(p->in, p->rd.p + p->rd.len, 65536);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		p->end(p->arg, p);
		return;
	}
	p->rd.len += (size_t)n;
	p->rd.p[p->rd.len] = '\0';
	p->gone = &gone;
	while ((lf = memchr(p->rd.p, '\n', p->rd.len)) != NULL) {
		size_t len = (size_t)(lf - p->rd.p);

		if (p->skipping || len > PEER_LINE_MAX)
			complain(p, "a line may be 1 MiB");
		else
			take(p, p->rd.p, len);
		if (gone)
			return;
		p->skipping = false;
		buf_drop(&p->rd, len + 1);
	}
	p->gone = NULL;
}

static void
writable(void *arg, short revents)
{
	struct peer *p = arg;
	ssize_t n;

	if (p->wr.len == 0 && (revents & (POLLHUP | POLLERR)) == 0) {
		loop_events(p->on_out, 0);
		return;
	}
	n = p->wr.len > 0 ? write(p->out, p->wr.p, p->wr.len < 4096 ? p->wr.len : 4096) : -1;
	if (n < 0 && (errno == EAGAIN || errno == EINTR) && p->wr.len > 0)
		return;
	if (n < 0) {
		p->end(p->arg, p);
		return;
	}
	buf_drop(&p->wr, (size_t)n);
	if (p->wr.len == 0)
		loop_events(p->on_out, 0);
}

int
peer_new(struct loop *l, int in, int out, peer_line line, peer_end end, void *arg, struct peer **out_p)
{
	struct peer *p = calloc(1, sizeof(*p));

	*out_p = NULL;
	if (p == NULL)
		return E_NOMEM;
	*p = (struct peer){.l = l, .in = in, .out = out, .line = line, .end = end, .arg = arg};
	buf_init(&p->rd, PEER_LINE_MAX + 2 * 65536);
	buf_init(&p->wr, OUT_MAX);
	p->on_in = loop_fd(l, in, POLLIN, readable, p);
	p->on_out = loop_fd(l, out, 0, writable, p);
	if (p->on_in == NULL || p->on_out == NULL) {
		loop_remove(p->on_in);
		loop_remove(p->on_out);
		free(p);
		return E_NOMEM;
	}
	*out_p = p;
	return 0;
}

/* What is queued goes out if the other side takes it within a second. */
static void
drain(struct peer *p)
{
	for (int i = 0; i < 20 && p->wr.len > 0; i++) {
		struct pollfd pf = {.fd = p->out, .events = POLLOUT};
		ssize_t n;

		if (poll(&pf, 1, 50) <= 0)
			continue;
		if ((n = write(p->out, p->wr.p, p->wr.len < 4096 ? p->wr.len : 4096)) < 0)
			return;
		buf_drop(&p->wr, (size_t)n);
	}
}

void
peer_free(struct peer *p)
{
	if (p == NULL)
		return;
	if (p->gone != NULL)
		*p->gone = true;
	drain(p);
	loop_remove(p->on_in);
	loop_remove(p->on_out);
	close(p->in);
	if (p->out != p->in)
		close(p->out);
	buf_release(&p->rd);
	buf_release(&p->wr);
	free(p);
}

void
peer_put(struct peer *p, const json_t *v)
{
	if (json_print(v, &p->wr) != 0 || buf_byte(&p->wr, '\n') != 0) {
		p->wr.failed = false; /* it reads nothing: what does not fit is lost to it, and it ends */
		loop_events(p->on_in, POLLIN);
		return;
	}
	loop_events(p->on_out, POLLOUT);
}

static void
refuse(struct asker *a, struct peer *p, int64_t id, const char *why)
{
	const struct asker_config *c = ask_config(a);
	json_t *o = json_pack("{s:I,s:s}", "ask", (json_int_t)id, "refused", why);

	peer_put(p, o);
	json_decref(o);
	if (c->event != NULL)
		c->event(c->arg, "answer refused", why);
}

void
peer_take(struct asker *a, struct peer *p, const json_t *v, const char *by)
{
	json_t *answer = json_at(v, ".answer");
	const char *s = json_string_value(answer), *why;
	enum answer what = ANSWER_NONE;
	int64_t id;

	if (json_at(v, ".background") != NULL) {
		json_t *o = json_pack("{s:O,s:s}", "background", json_at(v, ".background"), "refused",
		    "no call of this session can go on in the background");

		peer_put(p, o);
		json_decref(o);
		return;
	}
	if (json_get_int(v, ".ask", 1, UINT32_MAX, &id) != 0 || json_object_size(v) != 2) {
		complain(p, "a line is {\"ask\":N,\"answer\":…}");
		return;
	}
	if (s != NULL && strcmp(s, "stop") == 0)
		what = ANSWER_STOP;
	else if (s != NULL && strlen(s) == 1)
		what = answer_of(s[0]);
	if (!ask_answer(a, (unsigned)id, what, by, &why))
		refuse(a, p, id, why);
}

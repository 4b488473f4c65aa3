/* Everybody connected by lines: the one approver that --approver names, or those who
 * come to the session socket. One of them holds the pen, the others watch. Believes
 * the kernel about who they are, and their lines only as far as wire.c reads them. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/path.h"

#define PEERS_MOST 8
#define SPEAK_MS 100 /* who says nothing so long is an approver */
#define LIMITED_MS 1000

#define WRONG_MOST 64 /* lines of one approver that do not count */

struct peer {
	struct hub *h;
	struct chan *chan;
	struct peer_who who;
	bool attached;
	bool limited;   /* may not answer: see peer.c */
	unsigned wrong; /* lines that did not count */
	struct loop_source *speak;
	struct peer *next;
};

struct hub {
	struct asker *a;
	const struct asker_config *c;
	struct peer *peers, *pen;
	bool single; /* --approver: no pen, no rows, its end is the end */
	bool tty;
	pid_t child;
	int listening;
	struct loop_source *accepting;
	pid_t parent;
	char *file;
	dev_t dev;
	ino_t ino;
};

int
hub_new(struct asker *a, const struct asker_config *c, struct hub **out)
{
	struct hub *h = calloc(1, sizeof *h);

	*out = h;
	if (h == NULL)
		return E_NOMEM;
	h->a = a;
	h->c = c;
	h->listening = -1;
	return 0;
}

static void
peer_put(struct peer *p, json_t *v)
{
	/* one that cannot be reached is heard of by its gone callback */
	if (chan_put(p->chan, v) != 0)
		return;
}

static void
peer_free(struct peer *p)
{
	loop_remove(p->speak);
	chan_free(p->chan);
	free(p);
}

static void
peer_forget(struct peer *p)
{
	for (struct peer **q = &p->h->peers; *q != NULL; q = &(*q)->next)
		if (*q == p) {
			*q = p->next;
			break;
		}
	peer_free(p);
}

static void
tell_others(struct hub *h, const struct peer *but, const char *what, const char *who)
{
	for (struct peer *p = h->peers; p != NULL; p = p->next)
		if (p != but && p->attached && !h->single)
			peer_put(p, json_pack("{s:s}", what, who));
}

static void
note_peer(struct hub *h, const char *what, const struct peer_who *w)
{
	auto_buf struct buf b = BUF_INIT;

	buf_fmt(&b, "%s, started %s", w->says, w->since[0] != '\0' ? w->since : "-");
	asker_note(h->a, what, w->says[0] != '\0' ? buf_cstr(&b) : "approver");
}

static void
take_pen(struct hub *h, struct peer *p)
{
	struct peer *before = h->pen;

	if (before == p)
		return;
	h->pen = p;
	if (before != NULL)
		peer_put(before, json_pack("{s:i,s:s}", "pen", 0, "by", p->who.says));
	if (p != NULL && !h->single)
		peer_put(p, json_pack("{s:i}", "pen", 1));
	asker_pen(h->a, false);
}

static int
peer_ask(struct peer *p, const struct open_question *q)
{
	int r = chan_put(p->chan, msg_ask(q, true));

	return r == E_TOO_LONG ? chan_put(p->chan, msg_ask(q, false)) : r;
}

static void
attach(struct peer *p)
{
	struct hub *h = p->h;
	const struct open_question *q = asker_shown(h->a);

	loop_remove(p->speak);
	p->speak = NULL;
	if (p->attached)
		return;
	p->attached = true;
	note_peer(h, "approver attached", &p->who);
	tell_others(h, p, "attached", p->who.says);
	if (q != NULL && peer_ask(p, q) != 0)
		return;
	if (h->pen == NULL && !h->tty)
		take_pen(h, p);
	else
		peer_put(p,
		    json_pack("{s:i,s:s}", "pen", 0, "by",
		        h->pen != NULL ? h->pen->who.says : "person at terminal"));
}

static void
refuse(struct peer *p)
{
	const char *why = p->who.ours
	    ? "you were started by the program that started this session"
	    : "an approver needs a terminal";

	note_peer(p->h, "approver refused", &p->who);
	peer_put(p, json_pack("{s:s}", "refused", why));
	peer_forget(p);
}

static void
on_speak(void *arg, short revents)
{
	struct peer *p = arg;

	(void)revents;
	p->speak = NULL;
	if (p->limited)
		refuse(p);
	else
		attach(p);
}

static void
on_gone(void *arg)
{
	struct peer *p = arg;
	struct hub *h = p->h;
	bool attached = p->attached, held = h->pen == p;
	struct peer_who who = p->who;

	if (held)
		h->pen = NULL;
	peer_forget(p);
	if (!attached)
		return;
	note_peer(h, "approver detached", &who);
	tell_others(h, NULL, "detached", who.says);
	if (!held)
		return;
	for (p = h->peers; p != NULL && h->pen == NULL && !h->tty; p = p->next)
		if (p->attached) {
			h->pen = p;
			peer_put(p, json_pack("{s:i}", "pen", 1));
		}
	asker_pen(h->a, h->single);
}

/* A line that does not count is answered and recorded; a program that sends nothing else
 * is ended before it fills the record. The peer may be gone afterwards. */
static void
wrong(struct peer *p)
{
	if (++p->wrong < WRONG_MOST)
		return;
	asker_note(p->h->a, "approver ended", "too many lines that do not count");
	on_gone(p);
}

static void
refuse_answer(struct peer *p, const struct msg *m, const char *why)
{
	auto_buf struct buf b = BUF_INIT;

	buf_fmt(&b, "question %u: %s (%s)", m->id, why, p->who.says);
	asker_note(p->h->a, "answer refused", buf_cstr(&b));
	peer_put(p, json_pack("{s:I,s:s}", "ask", (json_int_t)m->id, "refused", why));
	wrong(p);
}

static void
refuse_command(struct peer *p, const char *line)
{
	auto_buf struct buf b = BUF_INIT;

	buf_fmt(&b, "%.200s (%s)", line, p->who.says);
	asker_note(p->h->a, "command refused", buf_cstr(&b));
	wrong(p);
}

static bool
is_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 && (line[n] == '\0' || line[n] == ' ');
}

/* Everybody else hears what one of them typed, and so does the session's own terminal. */
static void
tell_typed(struct peer *p, const char *line)
{
	struct hub *h = p->h;
	auto_buf struct buf row = BUF_INIT;

	buf_fmt(&row, "%s typed %s", p->who.says, line);
	for (struct peer *q = h->peers; q != NULL && !h->single; q = q->next)
		if (q != p && q->attached)
			peer_put(q, json_pack("{s:o}", "row", msg_text(buf_cstr(&row))));
	asker_typed(h->a, p->who.says, line);
}

static void
on_command(struct peer *p, const char *line)
{
	struct hub *h = p->h;
	bool looks = is_word(line, "/status") ||
	    (!p->limited && (is_word(line, "/help") || is_word(line, "/log")));
	auto_buf struct buf b = BUF_INIT;
	json_t *rows = json_array();
	bool refused = false;

	loop_remove(p->speak);
	p->speak = NULL;
	if (!looks && p->limited) {
		buf_str(&b, "refused: an approver needs a terminal of its own\n");
		refused = true;
	} else if (!looks && h->pen != p) {
		/* SAFE: attached or not, only who holds the pen decides anything */
		buf_str(&b, "you are watching: /pen takes the pen\n");
		refused = true;
	} else {
		if (!looks)
			tell_typed(p, line);
		asker_command(h->a, line, p->who.says, &b);
	}
	for (const char *s = buf_cstr(&b); *s != '\0';) {
		size_t n = strcspn(s, "\n");
		auto_buf struct buf row = BUF_INIT;

		buf_append(&row, s, n);
		json_array_append_new(rows, msg_text(buf_cstr(&row)));
		s += n + (s[n] == '\n');
	}
	if (chan_put(p->chan, json_pack("{s:o}", "rows", rows)) == E_TOO_LONG)
		peer_put(p, json_pack("{s:[s]}", "rows", "too long to be shown here"));
	if (refused)
		refuse_command(p, line);
}

static json_t *
hello(const struct hub *h)
{
	return msg_hello(h->c->session, h->c->workspace, h->c->front,
	    asker_waiting(h->a));
}

static void
on_message(struct peer *p, const struct msg *m)
{
	struct hub *h = p->h;
	const char *why;

	switch (m->kind) {
	case MSG_COMMAND:
		on_command(p, m->line);
		return;
	case MSG_LOOK:
		loop_remove(p->speak);
		p->speak = NULL;
		if (p->limited)
			peer_put(p, hello(h));
		return;
	case MSG_BACKGROUND:
		peer_put(p,
		    json_pack("{s:O,s:s}", "background",
		        json_object_get(m->v, "background"), "refused", "not available"));
		return;
	case MSG_HELLO:
	case MSG_PEN:
	case MSG_ANSWER:
		break;
	}
	if (p->limited) {
		refuse(p);
		return;
	}
	attach(p);
	if (m->kind == MSG_PEN && !h->single) {
		if (h->pen != p) {
			note_peer(h, "pen taken", &p->who);
			tell_others(h, p, "took_pen", p->who.says);
		}
		take_pen(h, p);
	} else if (m->kind == MSG_ANSWER) {
		if (!h->single && h->pen != p)
			why = "somebody else holds the pen";
		else
			why = asker_take(h->a, m->id, m->letter, &m->chosen, p->who.says);
		if (why != NULL)
			refuse_answer(p, m, why);
	}
}

static void
on_line(void *arg, const char *s, size_t n)
{
	struct peer *p = arg;
	struct msg m = {0};
	const char *why = "longer than 1 MiB";

	if (n == SIZE_MAX || msg_read(s, n, &m, &why) != 0) {
		asker_note(p->h->a, "line refused", why);
		peer_put(p, json_pack("{s:s}", "error", why));
		wrong(p);
		return;
	}
	on_message(p, &m);
	json_decref(m.v);
}

/* Takes the descriptors. */
static struct peer *
peer_add(struct hub *h, int in, int out)
{
	struct peer *p = calloc(1, sizeof *p), **q = &h->peers;

	if (p == NULL) {
		close(in);
		if (out != in)
			close(out);
		return NULL;
	}
	p->h = h;
	if (chan_new(h->c->loop, in, out, on_line, on_gone, p, &p->chan) != 0) {
		free(p);
		return NULL;
	}
	while (*q != NULL)
		q = &(*q)->next;
	*q = p;
	return p;
}

static void
on_accept(void *arg, short revents)
{
	struct hub *h = arg;
	int fd = accept4(h->listening, NULL, NULL, SOCK_CLOEXEC);
	struct peer_who who;
	struct peer *p;
	size_t n = 0;

	(void)revents;
	if (fd < 0)
		return;
	peer_look(fd, h->parent, &who);
	for (p = h->peers; p != NULL; p = p->next)
		n++;
	if (!who.same_uid || n >= PEERS_MOST) {
		note_peer(h, "approver refused", &who);
		close(fd);
		return;
	}
	if ((p = peer_add(h, fd, fd)) == NULL)
		return;
	p->who = who;
	p->limited = !who.has_tty || who.ours;
	if (!p->limited)
		peer_put(p, hello(h));
	p->speak =
	    loop_timer(h->c->loop, p->limited ? LIMITED_MS : SPEAK_MS, on_speak, p);
}

int
hub_listen(struct hub *h, bool tty)
{
	auto_buf struct buf name = BUF_INIT, file = BUF_INIT;
	struct stat st;
	int r;

	h->tty = tty;
	if (strchr(h->c->session, '/') != NULL) {
		errno = EINVAL;
		return E_SYS;
	}
	if ((r = path_private_dir(h->c->runtime, 1, NULL)) != 0)
		return r;
	buf_fmt(&name, "%s.sock", h->c->session);
	buf_fmt(&file, "%s/%s", h->c->runtime, buf_cstr(&name));
	if ((r = chan_listen(h->c->runtime, buf_cstr(&name), &h->listening)) != 0)
		return r;
	if (lstat(buf_cstr(&file), &st) == 0) {
		h->dev = st.st_dev;
		h->ino = st.st_ino;
		h->file = strdup(buf_cstr(&file));
	}
	h->parent = peer_parent();
	if (h->parent == 0)
		asker_note(h->a, "session socket",
		    "started by init or a subreaper: descent is not checked");
	h->accepting = loop_fd(h->c->loop, h->listening, POLLIN, on_accept, h);
	return h->accepting != NULL ? 0 : E_NOMEM;
}

int
hub_open(struct hub *h, const char *how)
{
	int in = -1, out = -1, r;
	struct peer *p;

	r = way_open(how, h->c->listen, &in, &out, &h->child);
	if (r != 0)
		return r;
	h->single = true;
	if ((p = peer_add(h, in, out)) == NULL)
		return E_NOMEM;
	(void)snprintf(p->who.says, sizeof p->who.says, "approver");
	p->attached = true;
	h->pen = p;
	peer_put(p, hello(h));
	return 0;
}

void
hub_free(struct hub *h)
{
	struct stat st;

	if (h == NULL)
		return;
	loop_remove(h->accepting);
	h->pen = NULL;
	while (h->peers != NULL) {
		struct peer *p = h->peers;

		h->peers = p->next;
		peer_free(p);
	}
	if (h->child > 0)
		way_end(h->child);
	if (h->listening >= 0)
		close(h->listening);
	if (h->file != NULL && lstat(h->file, &st) == 0 && st.st_dev == h->dev &&
	    st.st_ino == h->ino)
		(void)unlink(h->file);
	free(h->file);
	free(h);
}

bool
hub_pen(const struct hub *h)
{
	return h->pen != NULL;
}

const char *
hub_pen_by(const struct hub *h)
{
	return h->pen != NULL ? h->pen->who.says : "nobody";
}

int
hub_ask(struct hub *h, const struct open_question *q)
{
	int r = 0;

	for (struct peer *p = h->peers; p != NULL; p = p->next)
		if (p->attached && peer_ask(p, q) == E_TOO_LONG)
			r = E_TOO_LONG;
	return r;
}

void
hub_ended(struct hub *h, const struct open_question *q, const char *withdrawn)
{
	char letter[2] = {
	    "?yarn"[q->answered.answer <= ANSWER_NO ? q->answered.answer : 0]};
	const char *word = q->answered.answer == ANSWER_STOP ? "stop"
	    : q->answered.answer == ANSWER_CHOSEN            ? "answered"
	    : q->answered.answer == ANSWER_SKIPPED           ? "skip"
	                                                     : letter;

	for (struct peer *p = h->peers; p != NULL; p = p->next) {
		if (!p->attached)
			continue;
		if (withdrawn != NULL)
			peer_put(p,
			    json_pack("{s:I,s:o}", "ask", (json_int_t)q->id, "withdrawn",
			        msg_text(withdrawn)));
		else if (!h->single)
			peer_put(p,
			    json_pack("{s:I,s:s,s:s}", "answered", (json_int_t)q->id,
			        "answer", word, "by", q->answered.by));
	}
}

void
hub_row(struct hub *h, const char *row, bool all)
{
	for (struct peer *p = h->peers; p != NULL && (all || !h->single); p = p->next)
		if (p->attached)
			peer_put(p, json_pack("{s:o}", "row", msg_text(row)));
}

void
hub_put(struct hub *h, json_t *v)
{
	for (struct peer *p = h->peers; p != NULL && !h->single; p = p->next)
		if (p->attached && chan_put(p->chan, json_incref(v)) == E_TOO_LONG)
			peer_put(p,
			    json_pack("{s:s}", "row",
			        "a row that is too long to be shown here"));
	json_decref(v);
}

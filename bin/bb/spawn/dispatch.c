/* What a helper says. Its bytes are hostile: type, turn, call number and length
 * are judged from the header before a byte of the body is looked at, the body
 * member by member against the tool's page; a frame that may not come now is the
 * same as one that does not exist. */
#include "bin/bb/spawn/spawn_int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ALL_LAYERS \
	(LAYER_FDS | LAYER_DUMP | LAYER_LIMITS | LAYER_NNP | LAYER_LANDLOCK | \
	    LAYER_CAPS | LAYER_SECCOMP)

/* Each gives SPAWN_ANSWERED to go on. */
static enum spawn_end on_ready(struct child *c, const unsigned char *body, size_t n);
static enum spawn_end on_result(struct child *c, const unsigned char *body, size_t n);

static const struct frame_rule {
	enum phase now;
	uint16_t type;
	uint32_t most; /* bytes of the body */
	enum phase next;
	enum spawn_end (*on)(struct child *c, const unsigned char *body, size_t n);
} from_helper[] = {
    {PHASE_READY, FRAME_READY, SPAWN_READY_MAX, PHASE_RESULT, on_ready},
    {PHASE_RESULT, FRAME_RESULT, FRAME_BODY_MAX, PHASE_EXIT, on_result},
    /* PHASE_EXIT: nothing. */
};

static const struct frame_rule *
rule_for(enum phase now, uint16_t type)
{
	for (size_t i = 0; i < sizeof(from_helper) / sizeof(from_helper[0]); i++)
		if (from_helper[i].now == now && from_helper[i].type == type)
			return &from_helper[i];
	return NULL;
}

static enum spawn_end
on_ready(struct child *c, const unsigned char *body, size_t n)
{
	unsigned need = confine_required(c->tool, c->s->weaker_landlock);
	int64_t layers, abi, most = 1000;
	char digest[65];
	struct rec r;

#ifndef BB_UNCONFINED
	/* It cannot know a newer Landlock than the kernel has. */
	most = c->s->abi;
#endif
	rec_init(&r, body, n);
	if (rec_get_int(&r, "layers", 0, ALL_LAYERS, &layers) != 0 ||
	    rec_get_int(&r, "abi", 0, most, &abi) != 0 ||
	    rec_get_hex(&r, "filter", digest, 64) != 0 || rec_end(&r) != 0)
		return SPAWN_PROTOCOL;
#ifndef BB_UNCONFINED
	if ((layers & LAYER_LANDLOCK) != 0 && abi == 0)
		return SPAWN_PROTOCOL;
#endif
	c->o.layers = (unsigned)layers;
	c->o.landlock_abi = (int)abi;
	c->o.missing = need & ~(unsigned)layers;
	/* SAFE: a filter other than the page's is as good as none. */
	if (strcmp(digest, c->tool->filter_digest) != 0)
		c->o.missing |= LAYER_SECCOMP;
	if (c->o.missing != 0)
		return SPAWN_UNCONFINED;
	/* An answer before the question. */
	if (c->in_len > FRAME_HEADER + n)
		return SPAWN_PROTOCOL;
	child_send_call(c);
	return SPAWN_ANSWERED;
}

static int
member(struct rec *r, const struct tool_member *m)
{
	const char *text;
	int64_t value;
	size_t n;
	int word;

	switch (m->type) {
	case MEMBER_INT:
		return rec_get_int(r, m->name, m->min, m->max, &value);
	case MEMBER_WORD:
		return rec_get_word(r, m->name, m->words, &word);
	case MEMBER_TEXT:
		if (m->optional && !rec_has(r, m->name))
			return 0;
		return rec_get_text(r, m->name, FRAME_BODY_MAX, &text, &n);
	}
	bug("a member without a type");
}

static enum spawn_end
on_result(struct child *c, const unsigned char *body, size_t n)
{
	struct rec r;

	rec_init(&r, body, n);
	for (size_t i = 0; i < c->tool->n_result; i++)
		if (member(&r, &c->tool->result[i]) != 0)
			return SPAWN_PROTOCOL;
	if (rec_end(&r) != 0)
		return SPAWN_PROTOCOL;
	c->o.result = body;
	c->o.result_len = n;
	return SPAWN_ANSWERED;
}

/* Take whole frames off c->in. */
static enum spawn_end
frames(struct child *c)
{
	const struct frame_rule *rule;
	enum spawn_end e;
	struct frame f;
	size_t whole;

	for (;;) {
		if (c->phase == PHASE_EXIT)
			return c->in_len > c->in_kept ? SPAWN_PROTOCOL : SPAWN_ANSWERED;
		if (c->in_len < FRAME_HEADER)
			return SPAWN_ANSWERED;
		if (frame_unpack(c->in, &f) != 0 ||
		    (rule = rule_for(c->phase, f.type)) == NULL ||
		    f.length > rule->most ||
		    f.call != (f.type == FRAME_READY ? 0 : c->call))
			return SPAWN_PROTOCOL;
		whole = FRAME_HEADER + f.length;
		if (c->in_len < whole)
			return SPAWN_ANSWERED;
		if (c->s->trace)
			dprintf(2, "frame: %s[%d] -> type %u call %u length %u\n",
			    c->tool->helper, (int)c->pid, f.type, f.call, f.length);
		if ((e = rule->on(c, c->in + FRAME_HEADER, f.length)) != SPAWN_ANSWERED)
			return e;
		c->phase = rule->next;
		if (c->phase == PHASE_EXIT)
			c->in_kept = whole;
		else
			memmove(c->in, c->in + whole, c->in_len -= whole);
	}
}

bool
dispatch_read(struct child *c)
{
	enum spawn_end e;
	ssize_t n;

	do
		n = read(c->answer, c->in + c->in_len, sizeof(c->in) - c->in_len);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	c->in_len += (size_t)n;
	if ((e = frames(c)) != SPAWN_ANSWERED)
		child_fail(c, e);
	return true;
}

/* ---- reading a validated result ------------------------------------------- */

static void
seek(const struct tool *t, const struct spawn_outcome *o, const char *name, struct rec *r,
    const struct tool_member **m)
{
	if (o->result == NULL)
		bug("no result to read");
	rec_init(r, o->result, o->result_len);
	for (size_t i = 0; i < t->n_result; i++) {
		*m = &t->result[i];
		if (strcmp((*m)->name, name) == 0)
			return;
		if (member(r, *m) != 0)
			bug("a result that was not validated");
	}
	bug("no such member of the result");
}

int64_t
spawn_int(const struct tool *t, const struct spawn_outcome *o, const char *name)
{
	const struct tool_member *m;
	struct rec r;
	int64_t v;

	seek(t, o, name, &r, &m);
	if (m->type != MEMBER_INT || rec_get_int(&r, name, m->min, m->max, &v) != 0)
		bug("not a number of the result");
	return v;
}

const char *
spawn_word(const struct tool *t, const struct spawn_outcome *o, const char *name)
{
	const struct tool_member *m;
	struct rec r;
	int i;

	seek(t, o, name, &r, &m);
	if (m->type != MEMBER_WORD || rec_get_word(&r, name, m->words, &i) != 0)
		bug("not a word of the result");
	return m->words[i];
}

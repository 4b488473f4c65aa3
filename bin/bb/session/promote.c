/* A held-back slot before the person, and what their one answer does: the bytes that were
 * drawn go to the planner as a new value, (T,priv). The slot keeps its label and the map is
 * not touched (I9). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/promote.h"
#include "libcommon/text.h"
#include "libcommon/utf8.h"

static void
work_free(void *arg)
{
	struct promotion *p = arg;

	buf_release(&p->bytes);
	copy_remove(&p->copy, &p->copy_fd);
	drawing_free(p->drawing);
	free(p->path);
	free(p);
}

struct promotion *
promotion_new(struct call *c, const char *kind)
{
	struct promotion *p = calloc(1, sizeof(*p));

	if (p == NULL)
		bug("out of memory");
	p->kind = kind;
	p->copy_fd = -1;
	p->bytes = BUF_INIT;
	c->work = p;
	c->work_free = work_free;
	return p;
}

bool
promotion_ref(struct call *c, struct promotion *p)
{
	const struct arg_value *v = call_arg(c, "ref");

	if ((c->shown = strdup(v->s)) == NULL)
		bug("out of memory");
	if ((p->r = call_ref(c, "ref")) == NULL)
		return false;
	trail_gate(c->s->trail, c->n, gate_name(GATE_REFERENCE), c->shown);
	return true;
}

bool
promotion_bytes(struct call *c, struct promotion *p, size_t most)
{
	if (slot_bytes(p->r->slot) > most) {
		call_error(c, "too-large", "ref:%u holds more than the %s", p->r->n,
		    p->media != NULL ? "700 KiB that fit into an answer"
		                     : PROMOTE_TEXT_WORDS);
		return false;
	}
	buf_init(&p->bytes, most + 1);
	/* For the person's screen: what is read here goes further only after their yes. */
	if (slot_display(p->r->slot, &p->bytes) == 0 && !p->bytes.failed)
		return true;
	call_error(c, "unreadable", "ref:%u could not be read", p->r->n);
	return false;
}

uint64_t
promotion_lines(const struct buf *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n + (b->len > 0 && b->p[b->len - 1] != '\n');
}

size_t
promotion_text(const char *p, size_t n, struct buf *out)
{
	size_t odd = 0;

	for (size_t at = 0; at < n;) {
		size_t good = utf8_valid(p + at, n - at), nul = strnlen(p + at, good);

		(void)buf_append(out, p + at, nul);
		at += nul;
		if (at < n) {
			(void)buf_str(out, "\xef\xbf\xbd");
			odd++;
			at++;
		}
	}
	return odd;
}

/* --- what the planner gets ------------------------------------------------------------- */

/* The greatest beginning of a character at or before `at`. */
static size_t
boundary(const struct buf *b, size_t at)
{
	size_t back = 0;

	while (back < 3 && at > back && at - back < b->len &&
	    ((unsigned char)b->p[at - back] & 0xc0) == 0x80)
		back++;
	return at - back;
}

/* The page <from, to> of all and where the next one begins. */
static void
page(struct call *c, const struct ref *r, const struct buf *all, size_t from, size_t to)
{
	size_t odd = promotion_text(buf_cstr(all) + from, to - from, &c->text);

	(void)buf_fmt(&c->text, "\n\n[bytes %zu-%zu of %zu in ref:%u; ", from, to,
	    all->len, r->n);
	if (to < all->len) {
		(void)buf_fmt(&c->text, "next offset %zu]", to);
		json_object_set_new(c->data, "next", json_integer((json_int_t)to));
	} else {
		(void)buf_str(&c->text, "end]");
	}
	json_object_set_new(c->data, "first", json_integer((json_int_t)from));
	json_object_set_new(c->data, "total", json_integer((json_int_t)all->len));
	if (odd > 0)
		call_note(c, "bytes that are not UTF-8 text are given as U+FFFD");
	answer_count(&c->summary, to - from, "byte", "bytes");
	(void)buf_fmt(&c->summary, " of %zu", all->len);
}

void
promotion_page(struct call *c, const struct ref *r, uint64_t offset, size_t most)
{
	struct buf all;
	size_t from, to;

	buf_init(&all, slot_bytes(r->slot) + 1);
	if (slot_present(r->slot, &all) != 0 || all.failed) {
		buf_release(&all);
		call_error(c, "unreadable", "ref:%u could not be read", r->n);
		return;
	}
	if (offset >= all.len) {
		(void)buf_fmt(&c->text,
		    "(ref:%u holds %zu bytes; nothing at offset %" PRIu64 ")", r->n,
		    all.len, offset);
		(void)buf_str(&c->summary, "nothing there");
	} else {
		from = boundary(&all, (size_t)offset);
		to = all.len - from > most ? boundary(&all, from + most) : all.len;
		if (to <= from)
			to = from + most < all.len ? from + most : all.len;
		page(c, r, &all, from, to);
	}
	buf_release(&all);
	c->labelled = true;
	c->label = slot_label(r->slot);
	trail_gate(c->s->trail, c->n, gate_name(GATE_PRESENT), c->shown);
	context_absorb(&c->s->context, c->label.i);
	call_finish(c, STATUS_OK, NULL);
}

/* More than one answer holds: the rest is kept, a new value that may be read unasked. */
static bool
keep(struct call *c, const struct promotion *p)
{
	struct ref init = {.kind = REF_KEPT,
	    .label = LABEL_T_PRIV,
	    .lines = -1,
	    .bytes = (int64_t)p->bytes.len};
	auto_buf struct buf origin = BUF_INIT;
	struct ref *r;
	size_t to = boundary(&p->bytes, PROMOTE_WHOLE);

	if (!call_room(c, 1))
		return false;
	(void)buf_fmt(&origin, "what was let through of %s", c->shown);
	init.origin = buf_take(&origin);
	if (init.origin == NULL ||
	    slot_of("kept", buf_cstr(&p->bytes), p->bytes.len, LABEL_T_PRIV,
	        &init.slot) != 0 ||
	    refs_mint(c->s->refs, &init, &r) != 0)
		bug("out of memory");
	page(c, r, &p->bytes, 0, to);
	if (!call_offered("read_output"))
		call_note(c,
		    "read_output, which gives the other pages, is not offered here");
	call_add_ref(c, r);
	return true;
}

static void
attach(struct call *c, const struct promotion *p)
{
	auto_buf struct buf b = BUF_INIT;

	text_base64(buf_cstr(&p->bytes), p->bytes.len, &b);
	if (b.failed)
		bug("out of memory");
	json_object_set_new(c->data, "attachment",
	    json_pack("{s:s,s:s,s:I,s:s}", "ref", c->shown, "media", p->media, "bytes",
	        (json_int_t)p->bytes.len, "base64", buf_cstr(&b)));
	(void)buf_fmt(&c->text, "%s was let through: a %s, attached as data.attachment",
	    c->shown, p->media[0] == 'i' ? "picture" : "PDF");
	(void)buf_str(&c->summary, "let through, attached");
}

static void
let_through(struct call *c, struct promotion *p)
{
	struct trail *t = c->s->trail;

	trail_gate(t, c->n, "grant", c->shown);
	trail_gate(t, c->n, c->tool->name, c->shown);
	trail_declassified(t, c->n, c->shown, slot_label(p->r->slot), LABEL_T_PRIV,
	    "the person let it through, this once");
	if (!call_recorded(c))
		return;
	c->labelled = true;
	c->label = LABEL_T_PRIV;
	if (p->media != NULL) {
		attach(c, p);
	} else if (p->bytes.len > PROMOTE_WHOLE) {
		if (!keep(c, p))
			return;
	} else {
		if (promotion_text(buf_cstr(&p->bytes), p->bytes.len, &c->text) > 0)
			call_note(c, "bytes that are not UTF-8 text are given as U+FFFD");
		if (p->bytes.len == 0)
			(void)buf_fmt(&c->text, "(%s is empty)", c->shown);
		answer_count(&c->summary, p->bytes.len, "byte", "bytes");
		(void)buf_str(&c->summary, " let through");
	}
	trail_gate(t, c->n, gate_name(GATE_PRESENT), c->shown);
	context_absorb(&c->s->context, TRUSTED);
	call_finish(c, STATUS_OK, NULL);
}

/* --- the question ----------------------------------------------------------------------- */

static void
on_answer(void *arg, const struct answered *a)
{
	struct call *c = arg;
	struct promotion *p = c->work;
	struct session *s = c->s;

	c->asking = false;
	c->asked_us += a->waited_us;
	drawing_free(p->drawing);
	p->drawing = NULL;
	copy_remove(&p->copy, &p->copy_fd);
	trail_asked(s->trail, c->n, p->kind, c->shown, a->by, answer_word(a->answer));
	if (a->answer == ANSWER_YES)
		s->yes++;
	else if (a->answer == ANSWER_NO || a->answer == ANSWER_STOP)
		s->no++;
	if (a->answer == ANSWER_STOP)
		(void)session_stop(s);
	if (c->cancelled) {
		call_cancelled(c);
	} else if (a->answer == ANSWER_YES) {
		let_through(c, p);
	} else if (a->answer == ANSWER_NOBODY) {
		(void)buf_str(&c->text, "refused: " TEXT_NOBODY);
		c->gate = gate_name(GATE_APPROVAL);
		trail_block(s->trail, c->n, c->gate, c->shown, "nobody can be asked");
		call_finish(c, STATUS_UNASKED, "nobody-to-ask");
	} else {
		if (strcmp(a->by, "ask.maxDeclined") == 0)
			call_note(c, TEXT_DECLINED);
		call_refuse(c, GATE_APPROVAL, "declined",
		    "%s was kept back from you; do not ask again%s", c->shown,
		    p->declined != NULL ? p->declined : "");
	}
}

void
promotion_ask(struct call *c, struct promotion *p, const char *object)
{
	struct question q = {
	    .kind = p->kind,
	    .who = "turn",
	    .tool = c->tool->name,
	    .why = c->why,
	    .object = object,
	    .drawing = p->drawing,
	    .answers = "yn",
	};

	trail_gate(c->s->trail, c->n, "vetting", "not made: no model configured");
	trail_gate(c->s->trail, c->n, "display", "the whole of it, to the person");
	call_started(c);
	if (!call_recorded(c))
		return;
	c->questions++;
	c->s->questions++;
	c->asking = true;
	if (asker_ask(c->s->asker, &q, on_answer, c, &c->ask) != 0)
		bug("out of memory");
}

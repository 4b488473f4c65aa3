/* write_file and edit_file up to the question: what the file shall become. The label of the
 * new bytes is known before the helper starts; what it says of them is measured in change.c
 * before a person sees it. Order: flow 8.1. */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/change_int.h"
#include "libcommon/own.h"

static void
work_free(void *p)
{
	struct change *w = p;

	grant_release(&w->g);
	slot_free(w->old);
	slot_free(w->body);
	slot_free(w->places);
	slot_free(w->from);
	slot_free(w->to);
	places_release(&w->at);
	drawing_free(w->drawing);
	free(w);
}

static struct change *
work_new(struct call *c, bool edit)
{
	struct change *w = calloc(1, sizeof(*w));

	if (w == NULL)
		bug("out of memory");
	w->g = GRANT_INIT;
	w->edit = edit;
	c->work = w;
	c->work_free = work_free;
	return w;
}

static bool
no_memory_file(struct call *c)
{
	call_error(c, "helper-failed", "no memory file for the new text");
	return false;
}

/* --- what a reference holds ------------------------------------------------------------ */

static bool
body_of_ref(struct call *c, struct change *w)
{
	struct ref *r = call_ref(c, "contents_ref");

	if (r == NULL)
		return false;
	w->source = r;
	if (r->slot == NULL && (r->media != NULL || r->kind != REF_FILE)) {
		call_refuse(c, GATE_REFERENCE, "not-a-file",
		    "ref:%u is %s, which cannot be written", r->n,
		    r->media != NULL ? "a picture or PDF" : "not text");
		return false;
	}
	if (r->slot == NULL &&
	    !call_fill(c, r, CHANGE_BYTES, "16 MiB that can be written from a reference"))
		return false;
	if (slot_bytes(r->slot) > CHANGE_BYTES) {
		call_error(c, "too-large",
		    "ref:%u holds more than the 16 MiB that can be written from a "
		    "reference",
		    r->n);
		return false;
	}
	w->body = slot_share(r->slot);
	w->label = slot_label(r->slot);
	w->verbatim = r->kind == REF_FILE && r->path != NULL && w->g.spelled != NULL &&
	    strcmp(r->path, w->g.spelled) == 0;
	return true;
}

static bool
body_given(struct call *c, struct change *w)
{
	const struct arg_value *v = call_arg(c, "contents");

	call_field(c, "contents", true);
	w->label = (struct label){c->s->context.i, PUBLIC};
	return slot_of("contents", v->s, v->n, w->label, &w->body) == 0 ||
	    no_memory_file(c);
}

/* --- write_file -------------------------------------------------------------------------- */

static void
read_numbers(const struct call *c, struct change *w, const struct spawn_outcome *o)
{
	w->large = spawn_int(c->tool, o, "large") != 0;
	w->old_ends = spawn_word(c->tool, o, "old_ends");
	w->new_ends = spawn_word(c->tool, o, "new_ends");
	w->lines = (uint64_t)spawn_int(c->tool, o, "lines");
}

/* The list of places, sealed; its length is what the helper said. */
static bool
seal_places(struct call *c, struct change *w, const struct spawn_outcome *o)
{
	auto_buf struct buf text = BUF_INIT;

	if (slot_seal(w->places, LABEL_U_PRIV) == 0 &&
	    slot_bytes(w->places) == (uint64_t)spawn_int(c->tool, o, "bytes") &&
	    slot_display(w->places, &text) == 0 &&
	    places_read(buf_cstr(&text), text.len, &w->at) == 0 &&
	    w->at.count == (uint64_t)spawn_int(c->tool, o, "places") &&
	    w->at.added == (uint64_t)spawn_int(c->tool, o, "added") &&
	    w->at.removed == (uint64_t)spawn_int(c->tool, o, "removed"))
		return true;
	call_error(c, "helper-failed", "%s gave a list of places that does not hold",
	    c->tool->helper);
	return false;
}

static void
on_compared(void *arg, const struct spawn_outcome *o)
{
	struct call *c = arg;
	struct change *w = c->work;

	c->child[0] = NULL;
	if (call_helper_failed(c, o))
		return;
	if (strcmp(spawn_word(c->tool, o, "code"), "ok") != 0) {
		call_error(c, "unreadable", "'%s' could not be compared", c->shown);
		return;
	}
	if (!seal_places(c, w, o))
		return;
	read_numbers(c, w, o);
	change_propose(c, w);
}

static void
compare(struct call *c, struct change *w)
{
	auto_buf struct buf none = BUF_INIT;
	auto_fd int old = -1, new = -1, places = -1;

	if (w->old == NULL) { /* too large to be read: nothing to compare */
		change_propose(c, w);
		return;
	}
	if (slot_new("places", c->tool->limits.slot, &w->places) != 0 ||
	    slot_writer(w->places, &places) != 0 || slot_reader(w->old, &old) != 0 ||
	    slot_reader(w->body, &new) != 0) {
		(void)no_memory_file(c);
		return;
	}
	(void)!change_run(c, w, (const int[]){old, places, new}, 3, &none, on_compared);
}

void
write_start(struct call *c)
{
	struct change *w = work_new(c, false);

	if (!call_resolve_file(c, &w->g, &w->through))
		return;
	if (!(call_arg(c, "contents_ref")->given ? body_of_ref(c, w) : body_given(c, w)))
		return;
	if (change_capture(c, w))
		compare(c, w);
}

/* --- edit_file ---------------------------------------------------------------------------- */

/* "line 3", "lines 3, 17, 40 and on": of more than three occurrences. */
static void
where(const struct call *c, const struct spawn_outcome *o, uint64_t found, struct buf *b)
{
	static const char *const names[] = {"line1", "line2", "line3"};
	int64_t line[3], last = 0;
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		int64_t v = spawn_int(c->tool, o, names[i]);

		if (v != 0 && v != last)
			line[n++] = last = v;
	}
	(void)buf_str(b, n == 1 && found <= 3 ? "line " : "lines ");
	for (size_t i = 0; i < n; i++)
		(void)buf_fmt(b, "%s%" PRId64, i > 0 ? ", " : "", line[i]);
	if (found > 3)
		(void)buf_str(b, " and on");
}

/* Why there is no edit, in the words of tools-files 4 and with what was seen. */
static void
not_edited(struct call *c, const struct spawn_outcome *o)
{
	const char *code = spawn_word(c->tool, o, "code");
	uint64_t found = (uint64_t)spawn_int(c->tool, o, "found");
	auto_buf struct buf b = BUF_INIT;

	if (strcmp(code, "empty") == 0)
		call_error(c, "bad-argument",
		    "old_text is empty; write_file writes a whole file");
	else if (strcmp(code, "same") == 0)
		call_error(c, "bad-argument", "old_text and new_text are the same");
	else if (strcmp(code, "binary") == 0)
		call_error(c, "binary", "'%s' is binary, not text", c->shown);
	else if (strncmp(code, "utf-", 4) == 0)
		call_error(c, "binary", "'%s' is binary (%s)", c->shown,
		    code[4] == '1' ? "UTF-16" : "UTF-32");
	else if (strcmp(code, "too-large") == 0)
		call_error(c, "too-large",
		    "'%s' is or would be larger than the 16 MiB that can be edited",
		    c->shown);
	else if (strcmp(code, "absent") == 0) {
		if (spawn_int(c->tool, o, "line1") > 0) {
			(void)buf_str(&b, "; nearest to it: ");
			where(c, o, 0, &b);
		}
		call_error(c, "not-found",
		    "old_text is not in %s; it must match exactly, including whitespace; "
		    "read the file again%s",
		    c->shown, buf_cstr(&b));
	} else if (strcmp(code, "many") == 0) {
		where(c, o, found, &b);
		json_object_set_new(c->data, "occurrences",
		    json_integer((json_int_t)found));
		call_error(c, "bad-argument",
		    "old_text occurs %" PRIu64
		    " times; add surrounding text or set replace_all; it stands in %s",
		    found, buf_cstr(&b));
	} else
		call_error(c, "unreadable", "'%s' could not be read", c->shown);
}

static void
on_edited(void *arg, const struct spawn_outcome *o)
{
	struct call *c = arg;
	struct change *w = c->work;

	c->child[0] = NULL;
	if (call_helper_failed(c, o))
		return;
	/* The map is asked again (I19): what was made of a file that lost its trust
	 * meanwhile is not spoken of. */
	if (trust_read(c->s->trust, w->g.spelled, w->g.landed) != TRUSTED) {
		call_error(c, "stale", "'%s' changed after it was read; read it again",
		    c->shown);
		return;
	}
	if (strcmp(spawn_word(c->tool, o, "code"), "ok") != 0) {
		not_edited(c, o);
		return;
	}
	w->label = (struct label){label_taint((struct label){w->was, PUBLIC},
	                              (struct label){c->s->context.i, PUBLIC})
	                              .i,
	    PRIVATE};
	if (slot_seal(w->body, w->label) != 0 ||
	    slot_bytes(w->body) != (uint64_t)spawn_int(c->tool, o, "staged")) {
		call_error(c, "helper-failed", "%s gave counts that do not fit its text",
		    c->tool->helper);
		return;
	}
	if (!seal_places(c, w, o))
		return;
	w->found = (uint64_t)spawn_int(c->tool, o, "found");
	w->count = (uint64_t)spawn_int(c->tool, o, "count");
	read_numbers(c, w, o);
	change_propose(c, w);
}

static bool
carry(struct call *c, const char *arg, struct slot **out)
{
	const struct arg_value *v = call_arg(c, arg);

	call_field(c, arg, true);
	return slot_of(arg, v->s, v->n, (struct label){c->s->context.i, PUBLIC}, out) ==
	    0 ||
	    no_memory_file(c);
}

static void
make_edit(struct call *c, struct change *w)
{
	auto_buf struct buf body = BUF_INIT;
	auto_fd int old = -1, from = -1, to = -1, staged = -1, places = -1;

	if (slot_new("staged", CHANGE_BYTES, &w->body) != 0 ||
	    slot_writer(w->body, &staged) != 0 ||
	    slot_new("places", c->tool->limits.slot, &w->places) != 0 ||
	    slot_writer(w->places, &places) != 0 || slot_reader(w->old, &old) != 0 ||
	    slot_reader(w->from, &from) != 0 || slot_reader(w->to, &to) != 0) {
		(void)no_memory_file(c);
		return;
	}
	rec_put_int(&body, "replace_all", call_arg(c, "replace_all")->i);
	(void)!change_run(c, w, (const int[]){old, places, from, staged, to}, 5, &body,
	    on_edited);
}

void
edit_start(struct call *c)
{
	struct change *w = work_new(c, true);

	if (!call_resolve_file(c, &w->g, &w->through))
		return;
	w->was = trust_read(c->s->trust, w->g.spelled, w->g.landed);
	if (w->was != TRUSTED) {
		call_refuse(c, GATE_TRUST, "gate",
		    "nobody has vouched for %s, and an edit needs to examine its "
		    "content; %s",
		    c->shown,
		    call_offered("spawn_processor") ? "use spawn_processor and write_file"
		                                    : "the person can vouch for it");
		return;
	}
	if (!carry(c, "old_text", &w->from) || !carry(c, "new_text", &w->to))
		return;
	if (change_capture(c, w))
		make_edit(c, w);
}

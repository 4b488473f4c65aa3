/* search: lines that match, split by trust. The trusted process's lines are the answer;
 * the other's stay in its slot, which is one reference. The label of a part is fixed by
 * what bb and Landlock let its process open, never by what it says; its numbers are
 * claims, checked against each other and the slot. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/frame.h"
#include "libcommon/glob.h"
#include "libcommon/own.h"
#include "libcommon/rx.h"
#include "libcommon/utf8.h"

struct part {
	struct slot *slot;
	bool ran;
	enum integrity i; /* of the slot, as the map was when the last byte was read */
	char code[16];
	struct rx_error e;
	struct search_facts f;
};

struct search_work {
	struct tree tree;
	struct part part[2]; /* by integrity */
};

static void
work_free(void *p)
{
	struct search_work *w = p;

	tree_release(&w->tree);
	slot_free(w->part[0].slot);
	slot_free(w->part[1].slot);
	free(w);
}

/* --- patterns ----------------------------------------------------------------------------- */

static void
bad_pattern(struct call *c, const struct rx_error *e)
{
	auto_buf struct buf b = BUF_INIT;

	answer_pattern(call_arg(c, "pattern"), e, &b);
	json_object_set_new(c->data, "fault", json_string(rx_fault_words[e->fault]));
	json_object_set_new(c->data, "pattern", json_integer((json_int_t)e->which));
	json_object_set_new(c->data, "at", json_integer((json_int_t)e->at));
	call_error(c, "bad-argument", "%s", buf_cstr(&b));
}

/* What can be said of patterns without reading them: whether there are too many, or too
 * much of them. */
static enum rx_fault
measure(const struct arg_value *v, size_t *which)
{
	const char *p = v->s;
	size_t total = 0;

	*which = 0;
	if (v->many == 0)
		return RX_EMPTY;
	if (v->many > RX_LIST_MAX)
		return RX_LIST_LONG;
	for (size_t i = 0; i < v->many; i++, p += strlen(p) + 1) {
		size_t n = answer_scalars(p);

		*which = i;
		if (n == 0 || n > RX_PATTERN_MAX)
			return n == 0 ? RX_EMPTY : RX_LONG;
		if ((total += n) > RX_TOTAL_MAX)
			return RX_LIST_LONG;
	}
	return RX_FINE;
}

/* The arguments this tool judges itself. False: the call is answered. */
static bool
judge(struct call *c)
{
	struct arg_value *include = &c->v[tool_arg(c->tool, "include") - c->tool->args];
	struct rx_error e = {.fault = measure(call_arg(c, "pattern"), &e.which)};

	if (e.fault != RX_FINE) {
		bad_pattern(c, &e);
		return false;
	}
	if (include->given && include->n == 0)
		include->given = false; /* planners fill optional words with nothing */
	if (include->given &&
	    (include->n > GLOB_MAX || memchr(include->s, '\0', include->n) != NULL)) {
		call_error(c, "bad-argument", "'include' may be %d bytes and hold no NUL",
		    GLOB_MAX);
		return false;
	}
	return true;
}

int64_t
search_cap(const struct session *s, const struct tool *t, const char *name)
{
	if (strcmp(t->name, "search") == 0 && strcmp(name, "files") == 0)
		return settings_number(s->settings, SETTING_SEARCH_FILES);
	if (strcmp(t->name, "search") == 0 && strcmp(name, "ms") == 0)
		return settings_number(s->settings, SETTING_SEARCH_SECONDS) * 1000;
	return tool_call_default(t, name);
}

static int64_t
cap(const struct call *c, const char *name)
{
	return search_cap(c->s, c->tool, name);
}

/* --- from numbers to an answer ------------------------------------------------------------- */

static void
take(const struct call *c, const struct spawn_outcome *o, struct part *p)
{
	const struct tool *t = c->tool;
	struct search_facts *f = &p->f;
	const char *fault = spawn_word(t, o, "fault");

	(void)snprintf(p->code, sizeof(p->code), "%s", spawn_word(t, o, "code"));
	for (p->e.fault = RX_FINE; strcmp(rx_fault_words[p->e.fault], fault) != 0;)
		p->e.fault++;
	p->e.which = (size_t)spawn_int(t, o, "which");
	p->e.at = (size_t)spawn_int(t, o, "at");
	p->e.a = (uint32_t)spawn_int(t, o, "a");
	p->e.b = (uint32_t)spawn_int(t, o, "b");
	f->selected = spawn_int(t, o, "selected");
	f->read = spawn_int(t, o, "read");
	f->binary = spawn_int(t, o, "binary");
	f->badtext = spawn_int(t, o, "badtext");
	f->unopened = spawn_int(t, o, "unopened");
	f->dirs = spawn_int(t, o, "dirs");
	f->links = spawn_int(t, o, "links");
	f->others = spawn_int(t, o, "others");
	f->matches = spawn_int(t, o, "matches");
	f->total = spawn_int(t, o, "total");
	f->next = spawn_int(t, o, "next");
	f->cut = spawn_int(t, o, "long");
	f->files_cap = spawn_int(t, o, "files_cap") != 0;
	f->timed_out = spawn_int(t, o, "timed_out") != 0;
	f->context_cap = spawn_int(t, o, "context_cap") != 0;
}

/* A helper's numbers are claims. What no search can have found ends the call. */
static bool
fits(const struct call *c, const struct part *p, int64_t bytes)
{
	const struct search_facts *f = &p->f;
	const int64_t most = cap(c, "most"), files = cap(c, "files"),
	              offset = call_arg(c, "offset")->i, huge = INT64_MAX / 8;

	if ((uint64_t)bytes != slot_bytes(p->slot) || f->dirs > UINT32_MAX ||
	    f->links > UINT32_MAX || f->others > UINT32_MAX || f->total > huge)
		return false;
	if (strcmp(p->code, "ok") != 0)
		return bytes == 0;
	if (f->selected > files || f->read > files || f->binary > files ||
	    f->unopened > files || f->read + f->binary + f->unopened > f->selected ||
	    f->badtext > f->read)
		return false;
	if (f->matches > most || (f->matches > 0 && f->read == 0) ||
	    (f->matches == 0) != (bytes == 0) || f->cut > bytes)
		return false;
	if (f->matches > 0 ? f->total - f->matches < offset - 1 : f->total >= offset)
		return false;
	if (f->next != 0 && (f->matches != most || f->next - most != offset))
		return false;
	return !f->context_cap || call_arg(c, "context")->i > 0;
}

static void
add(struct search_facts *all, const struct search_facts *f)
{
	all->selected += f->selected;
	all->read += f->read;
	all->binary += f->binary;
	all->badtext += f->badtext;
	all->unopened += f->unopened;
	all->dirs += f->dirs;
	all->links += f->links;
	all->others += f->others;
	all->matches += f->matches;
	all->total += f->total;
	all->cut += f->cut;
	all->next = f->next > all->next ? f->next : all->next;
	all->files_cap |= f->files_cap;
	all->timed_out |= f->timed_out;
	all->context_cap |= f->context_cap;
}

/* The trusted lines onto the text, without the last newline. False: they are not what the
 * helper said. */
static bool
visible(struct call *c, struct part *p)
{
	struct buf *b = &c->text;
	int64_t lines = 0;

	if (slot_present(p->slot, b) != 0 || utf8_valid(buf_cstr(b), b->len) != b->len ||
	    memchr(buf_cstr(b), '\0', b->len) != NULL)
		return false;
	if (b->len > 0 && b->p[b->len - 1] != '\n')
		lines = 1;
	for (size_t i = 0; i < b->len; i++)
		lines += b->p[i] == '\n';
	if (b->len > 0 && b->p[b->len - 1] == '\n')
		b->p[--b->len] = '\0';
	return p->f.cut <= lines &&
	    (call_arg(c, "context")->i == 0 ? lines == p->f.matches
	                                    : lines >= p->f.matches);
}

/* What a part found that may not be read: one reference, its label that of the part. */
static void
held_back(struct call *c, struct part *p, bool more)
{
	struct ref *r;
	auto_buf struct buf origin = BUF_INIT;
	char name[32];

	(void)buf_fmt(&origin, "search in %s", c->shown);
	struct ref init = {
	    .kind = REF_CONTENT,
	    .label = slot_label(p->slot),
	    .origin = buf_take(&origin),
	    .lines = call_arg(c, "context")->i == 0 ? p->f.matches : -1,
	    .bytes = (int64_t)slot_bytes(p->slot),
	    .slot = slot_share(p->slot),
	};

	if (init.origin == NULL || refs_mint(c->s->refs, &init, &r) != 0)
		bug("out of memory");
	(void)snprintf(name, sizeof(name), "ref:%u", r->n);
	trail_deferred(c->s->trail, c->n, name, r->origin, r->label);
	(void)buf_str(&c->text, c->text.len > 0 ? "\n\n" : "");
	answer_search_held(p->f.matches, more, r->n, &c->text);
	ref_describe(r, &c->text);
	(void)buf_byte(&c->text, '\n');
	ref_advise(r, call_offered, &c->text);
	call_add_ref(c, r);
	(void)buf_fmt(&c->summary, ", %" PRId64 " held back (%s)", p->f.matches, name);
}

static void
numbers(struct call *c, const struct search_facts *f, int64_t held)
{
	const struct {
		const char *name;
		int64_t n;
	} rows[] = {{"matches", f->matches - held}, {"held_back", held},
	    {"total", f->total}, {"selected", f->selected}, {"read", f->read},
	    {"binary", f->binary}, {"not_utf8", f->badtext}, {"unopened", f->unopened},
	    {"unreadable_directories", f->dirs}, {"links", f->links},
	    {"others", f->others}, {"cut", f->cut}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		json_object_set_new(c->data, rows[i].name, json_integer(rows[i].n));
	/* A walk or a reading that stopped is no page to be continued. */
	if (f->next > 0 && !f->files_cap && !f->timed_out)
		json_object_set_new(c->data, "next", json_integer(f->next));
	json_object_set_new(c->data, "match_cap", json_boolean(f->next > 0));
	json_object_set_new(c->data, "files_cap", json_boolean(f->files_cap));
	json_object_set_new(c->data, "timed_out", json_boolean(f->timed_out));
	json_object_set_new(c->data, "context_cap", json_boolean(f->context_cap));
}

static void
answer(struct call *c)
{
	struct search_work *w = c->work;
	const struct split *sp = &w->tree.split;
	const struct arg_value *include = call_arg(c, "include");
	struct search_facts f = {
	    .offset = call_arg(c, "offset")->i,
	    .most = cap(c, "most"),
	    .files = cap(c, "files"),
	    .seconds = cap(c, "ms") / 1000,
	    .dirs = (int64_t)sp->missing,
	    .links = (int64_t)sp->links,
	    .others = (int64_t)sp->others,
	};
	int64_t held = 0;
	bool shown = false;

	for (size_t i = 0; i < 2; i++) {
		struct part *p = &w->part[i];

		if (!p->ran)
			continue;
		add(&f, &p->f);
		if (p->i == UNTRUSTED) {
			held += p->f.matches;
			f.total_held += p->f.total;
		} else if (!visible(c, p)) {
			buf_clear(&c->text);
			tree_misfit(c, &w->tree);
			return;
		} else {
			shown = p->f.matches > 0;
		}
	}
	if (held > 0 && !call_room(c, 2)) /* at most one a part */
		return;
	if (f.matches == 0)
		answer_nothing(&f, c->shown, include->given ? include->s : NULL,
		    &c->text);
	else if (!shown && w->part[TRUSTED].i == TRUSTED && w->part[TRUSTED].f.read > 0)
		answer_nothing_here(&w->part[TRUSTED].f, f.offset, &c->text);
	answer_count(&c->summary, (uint64_t)(f.matches - held), "match", "matches");
	(void)buf_fmt(&c->summary, " in ");
	answer_count(&c->summary, (uint64_t)f.read, "file read", "files read");
	for (size_t i = 0; i < 2; i++)
		if (w->part[i].ran && w->part[i].i == UNTRUSTED &&
		    w->part[i].f.matches > 0)
			held_back(c, &w->part[i], shown);
	answer_search_notices(&f, &c->text);
	if (sp->ruled && f.selected + f.dirs == 0 && !include->given)
		call_note(c, TEXT_RULE_ALL);
	if (sp->coarse)
		call_note(c, TEXT_SEARCH_COARSE);
	else if (w->part[TRUSTED].ran && w->part[TRUSTED].i == UNTRUSTED)
		call_note(c,
		    spawner_abi(c->s->spawner) > 0 ? TEXT_SEARCH_CHANGED
		                                   : TEXT_SEARCH_WEAKER);
	c->labelled = true;
	c->label = held > 0 && !shown ? LABEL_U_PRIV : LABEL_T_PRIV;
	numbers(c, &f, held);
	trail_gate(c->s->trail, c->n, gate_name(GATE_PRESENT), c->shown);
	context_absorb(&c->s->context, TRUSTED);
	/* A file that cannot be opened is counted; what stopped short or could not be
	 * looked into is incomplete. */
	call_finish(c,
	    f.next > 0 || f.files_cap || f.timed_out || f.context_cap || f.dirs > 0
	        ? STATUS_PARTIAL
	        : STATUS_OK,
	    NULL);
}

/* --- the processes --------------------------------------------------------------------------- */

/* Every part gave its answer: is it that there is none? */
static bool
failed(struct call *c, struct search_work *w)
{
	for (size_t i = 0; i < 2; i++) {
		const struct part *p = &w->part[i];

		if (!p->ran || strcmp(p->code, "ok") == 0)
			continue;
		if (strcmp(p->code, "unreadable") == 0)
			call_error(c, "unreadable", "'%s': permission denied", c->shown);
		else if (strcmp(p->code, "bad-pattern") == 0 &&
		    answer_pattern_fits(call_arg(c, "pattern"), &p->e))
			bad_pattern(c, &p->e);
		else
			tree_misfit(c, &w->tree);
		return true;
	}
	return false;
}

static void
on_searched(struct call *c, enum integrity i, const struct spawn_outcome *o)
{
	struct search_work *w = c->work;
	struct part *p = &w->part[i];

	if (!tree_ended(c, &w->tree, i, o))
		return;
	/* SAFE: the map can have changed since the process was given its files; what it
	 * wrote is trusted only if all of them still are. Without Landlock nothing but the
	 * request keeps it out of the other parts. */
	p->i = i == TRUSTED && split_still_trusted(c->s, &w->tree.g, &w->tree.split) &&
	        (!w->tree.split.in_parts || spawner_abi(c->s->spawner) > 0)
	    ? TRUSTED
	    : UNTRUSTED;
	take(c, o, p);
	if (slot_seal(p->slot, (struct label){p->i, PRIVATE}) != 0 ||
	    !fits(c, p, spawn_int(c->tool, o, "bytes"))) {
		tree_misfit(c, &w->tree);
		return;
	}
	if (w->tree.waiting == 0 && !failed(c, w))
		answer(c);
}

static void
on_trusted(void *arg, const struct spawn_outcome *o)
{
	on_searched(arg, TRUSTED, o);
}

static void
on_untrusted(void *arg, const struct spawn_outcome *o)
{
	on_searched(arg, UNTRUSTED, o);
}

/* CALL by the table: what is sent of the arguments, then what bb adds. */
static void
request(const struct call *c, const struct search_work *w, struct buf *body)
{
	for (size_t i = 0; i < c->tool->n_args; i++) {
		const struct tool_arg *a = &c->tool->args[i];

		if (a->sent && !tool_sends_text(a))
			rec_put_int(body, a->name, c->v[i].i);
		else if (a->sent && c->v[i].given)
			rec_put_text(body, a->name, c->v[i].s, c->v[i].n);
	}
	rec_put_text(body, "prefix", w->tree.base, strlen(w->tree.base));
	for (size_t i = 1; i < c->tool->n_call; i++)
		rec_put_int(body, c->tool->call[i].name, cap(c, c->tool->call[i].name));
}

static bool
run(struct call *c, enum integrity i)
{
	struct search_work *w = c->work;
	struct part *p = &w->part[i];
	auto_buf struct buf body = BUF_INIT;

	if (slot_new("lines", c->tool->limits.slot, &p->slot) != 0)
		return false;
	request(c, w, &body);
	p->ran = tree_run(c, &w->tree, i, p->slot, &body,
	    i == TRUSTED ? on_trusted : on_untrusted);
	return p->ran;
}

void
search_start(struct call *c)
{
	static const char *const fields[] = {"pattern", "include"};
	struct search_work *w = calloc(1, sizeof(*w));
	auto_buf struct buf body = BUF_INIT;

	if (w == NULL)
		bug("out of memory");
	w->tree = TREE_INIT;
	c->work = w;
	c->work_free = work_free;
	if (!judge(c) || !call_resolve_dir(c, &w->tree.g))
		return;
	for (size_t i = 0; i < 2; i++)
		if (call_arg(c, fields[i])->given)
			call_field(c, fields[i], true);
	if (!tree_open(c, &w->tree, INT64_MAX))
		return;
	request(c, w, &body);
	if (body.len > FRAME_BODY_MAX)
		call_error(c, "bad-argument",
		    "'pattern' is %zu bytes, too many beside the directory and the "
		    "include: search more than once",
		    call_arg(c, "pattern")->n);
	else if (w->tree.split.too_many)
		call_error(c, "unsupported",
		    "'%s' has too many parts to be searched as one: search a "
		    "subdirectory",
		    c->shown);
	else
		tree_start(c, &w->tree, run, answer);
}

/* list_files: a walk split by trust. The trusted process's names become text; the
 * other's stay in its slot and each becomes a reference. The label of a part is
 * fixed by what bb and Landlock let its process open, never by what it says. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/frame.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/utf8.h"

#define LIST_MAX 2000
/* Bytes of the names as they stand in a line of the protocol: beside them 2,000
 * references have room below 1 MiB. */
#define LIST_BYTES ((size_t)700 << 10)

struct part {
	struct slot *slot;
	bool ran, done;
	char code[16];
	int64_t files, dirs;
	bool truncated, missing;
};

struct list_work {
	struct tree tree;
	struct part part[2]; /* by integrity */
	uint64_t links;
};

struct name { /* one visible name or one trusted name that cannot be printed */
	char *text;
	unsigned record;
	bool dir;
};

static void
work_free(void *p)
{
	struct list_work *w = p;

	tree_release(&w->tree);
	slot_free(w->part[0].slot);
	slot_free(w->part[1].slot);
	free(w);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static void
mint(struct call *c, struct list_work *w, enum integrity i, unsigned record, bool dir,
    struct label label)
{
	struct ref *r;
	struct ref init = {
	    .kind = dir ? REF_DIRECTORY : REF_FILE,
	    .label = label,
	    .lines = -1,
	    .bytes = -1,
	    .listing = slot_share(w->part[i].slot),
	    .entry = record,
	    .listing_base = strdup(w->tree.g.spelled),
	    .listing_shown = dir ? strdup(c->shown) : NULL,
	};
	struct buf origin = BUF_INIT;
	char name[32];

	if (init.listing_base == NULL || refs_mint(c->s->refs, &init, &r) != 0)
		bug("out of memory");
	(void)snprintf(name, sizeof(name), "ref:%u", r->n);
	/* Never its name: the trail says which of how many of the directory as typed. */
	(void)buf_fmt(&origin, "entry %u of %s", record + 1, c->shown);
	trail_deferred(c->s->trail, c->n, name, buf_cstr(&origin), label);
	buf_release(&origin);
	(void)buf_byte(&c->text, '\n');
	ref_describe(r, &c->text);
	call_add_ref(c, r);
}

/* How many of the first n fit an answer. */
static size_t
fitting(const struct name *v, size_t n)
{
	auto_buf struct buf line = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		(void)json_quote(v[i].text, strlen(v[i].text), &line); /* quotes: \n */
		if (line.len > LIST_BYTES)
			return i;
	}
	return n;
}

/* The names of the trusted part: printed ones into the text, sorted, as far as they fit;
 * those that could forge a line become references. `held` are minted beside them. 0;
 * E_BAD: the helper's records are not what it said; E_FULL: the call is answered. */
static int
visible(struct call *c, struct list_work *w, size_t held, size_t *shown, bool *cut)
{
	struct part *p = &w->part[TRUSTED];
	size_t total = (size_t)(p->files + p->dirs), n = 0, odd = 0, k = 0;
	auto_buf struct buf b = BUF_INIT;
	struct name *v = calloc(total + 1, sizeof(*v));
	bool fine = v != NULL && slot_present(p->slot, &b) == 0, full = false;

	trust_hold(c->s->trust, true);
	for (size_t at = 0; fine && at < b.len; k++) {
		const char *rec = b.p + at;
		size_t len = strnlen(rec, b.len - at);
		bool dir = k >= (size_t)p->files;
		auto_buf struct buf key = BUF_INIT, landed = BUF_INIT, text = BUF_INIT;

		fine = at + len < b.len && len > 1 && k < total &&
		    rec[0] == (dir ? 'd' : 'f') &&
		    path_check(rec + 1, len - 1, true) == PATH_FINE && rec[1] != '/';
		at += len + 1;
		if (!fine)
			break;
		(void)path_join(w->tree.g.spelled, rec + 1, &key);
		(void)path_join(w->tree.g.landed, rec + 1, &landed);
		/* The map may have changed since the walk began: it is asked again for each name. */
		if (trust_read(c->s->trust, buf_cstr(&key), buf_cstr(&landed)) !=
		        TRUSTED ||
		    !utf8_plain(rec + 1, len - 1)) {
			v[n].text = NULL;
			odd++;
		} else {
			(void)buf_fmt(&text, "%s%s%s", w->tree.base, rec + 1,
			    dir ? "/" : "");
			v[n].text = buf_take(&text);
			fine = v[n].text != NULL;
		}
		v[n].record = (unsigned)k;
		v[n++].dir = dir;
	}
	fine = fine && k == total;
	/* Unprintable ones to the end, then the printable sorted. */
	size_t m = 0;

	for (size_t i = 0; fine && i < n; i++)
		if (v[i].text != NULL) {
			struct name t = v[m];

			v[m++] = v[i];
			v[i] = t;
		}
	full = fine && !call_room(c, odd + held);
	if (fine && !full) {
		size_t fit;

		qsort(v, m, sizeof(*v), by_bytes);
		fit = fitting(v, m);
		*cut = fit < m;
		for (size_t i = 0; i < fit; i++)
			(void)buf_fmt(&c->text, "%s%s", i > 0 ? "\n" : "", v[i].text);
		if (odd > 0) {
			(void)buf_fmt(&c->text, "%s", m > 0 ? "\n\n" : "");
			answer_count(&c->text, odd, "name", "names");
			(void)buf_str(&c->text, " that cannot be printed on a line:\n");
		}
		for (size_t i = m; i < n; i++) {
			auto_buf struct buf key = BUF_INIT, landed = BUF_INIT;
			const struct ref at = {.listing = p->slot,
			    .entry = v[i].record,
			    .listing_base = w->tree.g.spelled};
			const struct ref there = {.listing = p->slot,
			    .entry = v[i].record,
			    .listing_base = w->tree.g.landed};
			enum integrity now = ref_entry_path(&at, &key) == 0 &&
			        ref_entry_path(&there, &landed) == 0
			    ? trust_read(c->s->trust, buf_cstr(&key), buf_cstr(&landed))
			    : UNTRUSTED;

			mint(c, w, TRUSTED, v[i].record, v[i].dir,
			    (struct label){now, PRIVATE});
		}
		*shown = n - m + fit;
	}
	trust_hold(c->s->trust, false);
	for (size_t i = 0; v != NULL && i < n; i++)
		free(v[i].text);
	free(v);
	return !fine ? E_BAD : full ? E_FULL : 0;
}

static void
held_back(struct call *c, struct list_work *w, size_t most, size_t *minted)
{
	struct part *p = &w->part[UNTRUSTED];
	size_t total = (size_t)(p->files + p->dirs), n = total < most ? total : most;

	if (n == 0)
		return;
	if (c->text.len > 0)
		(void)buf_str(&c->text, "\n\n");
	answer_count(&c->text, n, "entry", "entries");
	(void)buf_fmt(&c->text,
	    " in \"%s\", names withheld; pass a file's reference as path_ref%s; "
	    "list deeper to reach into a directory\n",
	    c->shown, call_offered("spawn_processor") ? ", or to spawn_processor" : "");
	for (size_t k = 0; k < n; k++)
		mint(c, w, UNTRUSTED, (unsigned)k, (int64_t)k >= p->files, LABEL_U_PRIV);
	*minted = n;
}

static void
answer(struct call *c)
{
	struct list_work *w = c->work;
	size_t shown = 0, held = 0, minted = 0,
	       dirs = (size_t)(w->part[0].dirs + w->part[1].dirs);
	bool truncated = false;
	int r = 0;
	bool missing =
	    w->tree.split.missing > 0 || w->part[0].missing || w->part[1].missing;
	struct buf *b = &c->text;

	if (w->part[UNTRUSTED].ran)
		held = (size_t)(w->part[UNTRUSTED].files + w->part[UNTRUSTED].dirs);
	if (w->part[TRUSTED].ran)
		r = visible(c, w, held, &shown, &truncated);
	else if (!call_room(c, held))
		r = E_FULL;
	if (r == E_FULL)
		return;
	if (r != 0) {
		buf_clear(b);
		json_array_clear(c->refs);
		call_error(c, "helper-failed", "%s gave names that do not fit its counts",
		    c->tool->helper);
		return;
	}
	if (w->part[UNTRUSTED].ran) {
		truncated |= held > LIST_MAX - shown;
		held_back(c, w, LIST_MAX - shown, &minted);
	}
	truncated |= w->part[0].truncated || w->part[1].truncated;
	if (shown + minted == 0)
		(void)buf_str(b, "(no files)");
	if (shown + minted == 0 && w->tree.split.ruled && !call_arg(c, "pattern")->given)
		call_note(c, TEXT_RULE_ALL);
	if (truncated)
		(void)buf_fmt(b,
		    "\n\n[stopped at %zu entries, incomplete; list a subdirectory]",
		    shown + minted);
	if (missing)
		(void)buf_str(b,
		    "\n\n[part of this tree could not be read and is missing here]");
	if (w->links > 0) {
		(void)buf_str(b, "\n\n[");
		answer_count(b, w->links, "link", "links");
		(void)buf_str(b, " left out]");
	}
	if (w->tree.split.coarse)
		call_note(c,
		    "this tree is trusted in too many small parts to be split, so the "
		    "whole "
		    "listing is held back; list a subdirectory");
	c->labelled = true;
	c->label = minted > 0 && shown == 0 ? LABEL_U_PRIV : LABEL_T_PRIV;
	json_object_set_new(c->data, "entries",
	    json_integer((json_int_t)shown + (json_int_t)minted));
	json_object_set_new(c->data, "directories", json_integer((json_int_t)dirs));
	json_object_set_new(c->data, "held_back", json_integer((json_int_t)minted));
	json_object_set_new(c->data, "links", json_integer((json_int_t)w->links));
	json_object_set_new(c->data, "truncated", json_boolean(truncated));
	json_object_set_new(c->data, "missing", json_boolean(missing));
	answer_count(&c->summary, shown + minted, "entry", "entries");
	if (minted > 0)
		(void)buf_fmt(&c->summary, ", %zu held back", minted);
	trail_gate(c->s->trail, c->n, gate_name(GATE_PRESENT), c->shown);
	context_absorb(&c->s->context, TRUSTED);
	call_finish(c, truncated || missing ? STATUS_PARTIAL : STATUS_OK, NULL);
}

static void
on_walked(struct call *c, enum integrity i, const struct spawn_outcome *o)
{
	struct list_work *w = c->work;
	struct part *p = &w->part[i];

	if (!tree_ended(c, &w->tree, i, o))
		return;
	(void)snprintf(p->code, sizeof(p->code), "%s", spawn_word(c->tool, o, "code"));
	p->files = spawn_int(c->tool, o, "files");
	p->dirs = spawn_int(c->tool, o, "dirs");
	p->truncated = spawn_int(c->tool, o, "truncated") != 0;
	p->missing = spawn_int(c->tool, o, "missing") != 0;
	w->links += (uint64_t)spawn_int(c->tool, o, "links");
	if (slot_seal(p->slot, (struct label){i, PRIVATE}) != 0 ||
	    p->files + p->dirs > LIST_MAX ||
	    (uint64_t)spawn_int(c->tool, o, "bytes") != slot_bytes(p->slot) ||
	    w->links > UINT32_MAX) {
		tree_misfit(c, &w->tree);
		return;
	}
	if (w->tree.waiting > 0)
		return;
	for (size_t k = 0; k < 2; k++)
		if (w->part[k].ran && strcmp(w->part[k].code, "ok") != 0) {
			call_error(c, "unreadable", "'%s': permission denied", c->shown);
			return;
		}
	answer(c);
}

static void
on_trusted(void *arg, const struct spawn_outcome *o)
{
	on_walked(arg, TRUSTED, o);
}

static void
on_untrusted(void *arg, const struct spawn_outcome *o)
{
	on_walked(arg, UNTRUSTED, o);
}

static bool
run(struct call *c, enum integrity i)
{
	struct list_work *w = c->work;
	struct part *p = &w->part[i];
	const struct arg_value *pattern = call_arg(c, "pattern"),
	                       *depth = call_arg(c, "depth");
	auto_buf struct buf body = BUF_INIT;

	if (slot_new("listing", c->tool->limits.slot, &p->slot) != 0)
		return false;
	if (pattern->given)
		rec_put_text(&body, "pattern", pattern->s, pattern->n);
	if (depth->given)
		rec_put_int(&body, "depth", depth->i);
	rec_put_text(&body, "prefix", w->tree.base, strlen(w->tree.base));
	rec_put_int(&body, "most", LIST_MAX);
	p->ran = tree_run(c, &w->tree, i, p->slot, &body,
	    i == TRUSTED ? on_trusted : on_untrusted);
	return p->ran;
}

void
list_start(struct call *c)
{
	struct list_work *w = calloc(1, sizeof(*w));
	const struct arg_value *depth = call_arg(c, "depth");

	if (w == NULL)
		bug("out of memory");
	w->tree = TREE_INIT;
	c->work = w;
	c->work_free = work_free;
	if (!call_resolve_dir(c, &w->tree.g))
		return;
	if (call_arg(c, "pattern")->given)
		call_field(c, "pattern", true);
	if (!tree_open(c, &w->tree, depth->given ? depth->i : INT64_MAX))
		return;
	w->links = w->tree.split.links;
	if (w->tree.split.too_many)
		call_error(c, "unsupported",
		    "'%s' has too many parts to be listed as one: list a subdirectory",
		    c->shown);
	else
		tree_start(c, &w->tree, run, answer);
}

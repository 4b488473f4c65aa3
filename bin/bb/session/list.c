/* list_files: a walk split by trust. The trusted process's names become text; the
 * other's stay in its slot and each becomes a reference. The label of a part is
 * fixed by what bb and Landlock let its process open, never by what it says. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/fd.h"
#include "libcommon/frame.h"
#include "libcommon/io.h"
#include "libcommon/landlock_abi.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/utf8.h"

#define LIST_MAX 2000

struct part {
	struct slot *slot;
	bool ran, done;
	char code[16];
	int64_t files, dirs;
	bool truncated, missing;
};

struct list_work {
	struct grant g;
	struct scope scope;
	struct part part[2]; /* by integrity */
	int waiting;
	bool failed;
	uint64_t links;
	char *base; /* printed in front of a name: "", "src/" or an absolute directory */
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

	scope_release(&w->scope);
	grant_release(&w->g);
	slot_free(w->part[0].slot);
	slot_free(w->part[1].slot);
	free(w->base);
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
	    .listing_base = strdup(w->g.spelled),
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

/* The names of the trusted part: printed ones into the text, sorted; those that could
 * forge a line become references. False: the helper's records are not what it said. */
static bool
visible(struct call *c, struct list_work *w, size_t *shown)
{
	struct part *p = &w->part[TRUSTED];
	size_t total = (size_t)(p->files + p->dirs), n = 0, odd = 0, k = 0;
	auto_buf struct buf b = BUF_INIT;
	struct name *v = calloc(total + 1, sizeof(*v));
	bool fine = v != NULL && slot_present(p->slot, &b) == 0;

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
		(void)path_join(w->g.spelled, rec + 1, &key);
		(void)path_join(w->g.landed, rec + 1, &landed);
		/* The map may have changed since the walk began: it is asked again for each name. */
		if (trust_read(c->s->trust, buf_cstr(&key), buf_cstr(&landed)) !=
		        TRUSTED ||
		    !utf8_plain(rec + 1, len - 1)) {
			v[n].text = NULL;
			odd++;
		} else {
			(void)buf_fmt(&text, "%s%s%s", w->base, rec + 1, dir ? "/" : "");
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
	if (fine) {
		qsort(v, m, sizeof(*v), by_bytes);
		for (size_t i = 0; i < m; i++)
			(void)buf_fmt(&c->text, "%s%s", i > 0 ? "\n" : "", v[i].text);
		if (odd > 0) {
			(void)buf_fmt(&c->text, "%s", m > 0 ? "\n\n" : "");
			answer_count(&c->text, odd, "name", "names");
			(void)buf_str(&c->text, " that cannot be printed on a line:\n");
		}
		for (size_t i = m; i < n; i++) {
			auto_buf struct buf key = BUF_INIT;
			const struct ref at = {.listing = p->slot,
			    .entry = v[i].record,
			    .listing_base = w->g.spelled};
			enum integrity now = ref_entry_path(&at, &key) == 0
			    ? trust_read(c->s->trust, buf_cstr(&key), NULL)
			    : UNTRUSTED;

			mint(c, w, TRUSTED, v[i].record, v[i].dir,
			    (struct label){now, PRIVATE});
		}
		*shown = n;
	}
	for (size_t i = 0; v != NULL && i < n; i++)
		free(v[i].text);
	free(v);
	return fine;
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
answer(struct call *c, struct list_work *w)
{
	size_t shown = 0, minted = 0, dirs = (size_t)(w->part[0].dirs + w->part[1].dirs);
	bool truncated = w->part[0].truncated || w->part[1].truncated;
	bool missing = w->scope.missing || w->part[0].missing || w->part[1].missing;
	struct buf *b = &c->text;

	if (w->part[TRUSTED].ran && !visible(c, w, &shown)) {
		buf_clear(b);
		json_array_clear(c->refs);
		call_error(c, "helper-failed", "%s gave names that do not fit its counts",
		    c->tool->helper);
		return;
	}
	if (w->part[UNTRUSTED].ran) {
		size_t held = (size_t)(w->part[1].files + w->part[1].dirs);

		truncated |= held > LIST_MAX - shown;
		held_back(c, w, LIST_MAX - shown, &minted);
	}
	if (shown + minted == 0)
		(void)buf_str(b, "(no files)");
	if (truncated)
		(void)buf_str(b,
		    "\n\n[stopped at 2000 entries, incomplete; list a subdirectory]");
	if (missing)
		(void)buf_str(b,
		    "\n\n[part of this tree could not be read and is missing here]");
	if (w->links > 0) {
		(void)buf_str(b, "\n\n[");
		answer_count(b, w->links, "link", "links");
		(void)buf_str(b, " left out]");
	}
	if (w->scope.coarse)
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

	c->child[i] = NULL;
	w->waiting--;
	if (!w->failed && (o->end != SPAWN_ANSWERED || c->cancelled)) {
		w->failed = true;
		if (c->child[!i] != NULL)
			spawn_cancel(c->child[!i]);
		(void)call_helper_failed(c, o);
		if (!c->finished) /* it answered, but the call was cancelled meanwhile */
			call_error(c, "cancelled", "the call was cancelled");
	}
	if (w->failed)
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
		w->failed = true;
		if (c->child[!i] != NULL)
			spawn_cancel(c->child[!i]);
		call_error(c, "helper-failed",
		    "%s gave counts that do not fit what it wrote", c->tool->helper);
		return;
	}
	if (w->waiting > 0)
		return;
	for (size_t k = 0; k < 2; k++)
		if (w->part[k].ran && strcmp(w->part[k].code, "ok") != 0) {
			call_error(c, "unreadable", "'%s': permission denied", c->shown);
			return;
		}
	answer(c, w);
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
run(struct call *c, struct list_work *w, enum integrity i)
{
	struct part *p = &w->part[i];
	struct scope_part *sp = &w->scope.part[i];
	const struct arg_value *pattern = call_arg(c, "pattern"),
	                       *depth = call_arg(c, "depth");
	auto_buf struct buf body = BUF_INIT;
	auto_fd int reader = -1, top = -1;
	struct spawn_landlock *allow = calloc(sp->n + 1, sizeof(*allow));
	int writer = -1, scope = -1, r = E_NOMEM;
	size_t n_allow = 0;

	if (allow == NULL || slot_new("listing", c->tool->limits.slot, &p->slot) != 0 ||
	    slot_writer(p->slot, &writer) != 0 || fd_memory("scope", &scope) != 0)
		goto out;
	if (w->scope.split) {
		for (size_t k = 0; k < sp->n; k++)
			allow[n_allow++] = (struct spawn_landlock){sp->fds[k],
			    LANDLOCK_ACCESS_FS_READ_DIR};
		if (io_write(scope, sp->records.p, sp->records.len) != 0)
			goto out;
	} else {
		allow[n_allow++] =
		    (struct spawn_landlock){w->g.fd, LANDLOCK_ACCESS_FS_READ_DIR};
	}
	/* SAFE: a name to open beneath, not an open directory: getdents on a readable one
	 * would list its entries, whatever Landlock allows to be opened. */
	if (fd_reopen(scope, O_RDONLY, &reader) != 0 ||
	    fd_beneath(w->g.fd, ".", O_PATH | O_DIRECTORY, &top) != 0)
		goto out;
	if (pattern->given)
		rec_put_text(&body, "pattern", pattern->s, pattern->n);
	rec_put_int(&body, "depth", depth->i);
	rec_put_text(&body, "prefix", w->base, strlen(w->base));
	rec_put_int(&body, "most", LIST_MAX);
	const struct spawn_fd fds[] = {{3, top}, {4, writer}, {5, reader}};
	const struct spawn_request q = {
	    .tool = c->tool,
	    .call = c->n,
	    .fds = fds,
	    .n_fds = 3,
	    .allow = allow,
	    .n_allow = n_allow,
	    .body = body.p,
	    .body_len = body.len,
	    .done = i == TRUSTED ? on_trusted : on_untrusted,
	    .arg = c,
	};
	r = body.failed ? E_TOO_LONG : spawn_start(c->s->spawner, &q, &c->child[i]);
	if (r == 0) {
		p->ran = true;
		w->waiting++;
		c->spawns++;
	}
out:
	free(allow);
	if (writer >= 0)
		close(writer);
	if (scope >= 0)
		close(scope);
	return r == 0;
}

/* How a name of this listing is spelled so that a later call can use it. */
static char *
base_of(const struct call *c, const struct grant *g)
{
	const char *rest = NULL;
	auto_buf struct buf b = BUF_INIT;

	if (!path_covers(reach_path(c->s->reach, 0), g->spelled, &rest))
		rest = g->spelled;
	else
		while (*rest == '/')
			rest++;
	if (*rest != '\0')
		(void)buf_fmt(&b, "%s/", rest);
	else
		(void)buf_str(&b, "");
	return buf_take(&b);
}

void
list_start(struct call *c)
{
	struct list_work *w = calloc(1, sizeof(*w));
	const struct arg_value *depth = call_arg(c, "depth");
	enum grant_fault f;
	char power[17];

	if (w == NULL)
		bug("out of memory");
	w->g = GRANT_INIT;
	c->work = w;
	c->work_free = work_free;
	if (!call_resolve_dir(c, &w->g))
		return;
	if (call_arg(c, "pattern")->given)
		call_field(c, "pattern", true);
	if ((f = grant_open(c->s->reach, GRANT_DIR, &w->g)) != GRANT_FINE) {
		call_grant_fault(c, f, &w->g, false);
		return;
	}
	if ((w->base = base_of(c, &w->g)) == NULL ||
	    scope_split(c->s, w->g.fd, &w->g, depth->i > 0 ? depth->i : INT64_MAX,
	        &w->scope) != 0)
		bug("out of memory");
	w->links = w->scope.links;
	trail_gate(c->s->trail, c->n, gate_name(GATE_TRUST),
	    w->scope.split                  ? "trusted in parts: split"
	        : w->scope.whole == TRUSTED ? "trusted by the map"
	                                    : "not trusted by the map");
	power_digest(c->tool, &w->g, power);
	trail_power(c->s->trail, c->n, power);
	trail_observed(c->s->trail, c->n, "file_read",
	    (struct label){w->scope.split ? UNTRUSTED : w->scope.whole, PRIVATE});
	if (!call_recorded(c))
		return;
	bool ok = true;

	for (size_t i = 0; i < 2 && ok; i++)
		if (w->scope.split ? w->scope.part[i].used : i == (size_t)w->scope.whole)
			ok = run(c, w, (enum integrity)i);
	if (!ok) {
		w->failed = true;
		if (c->child[0] != NULL)
			spawn_cancel(c->child[0]);
		call_error(c, "helper-failed", "%s could not be started",
		    c->tool->helper);
	} else if (w->waiting == 0) {
		answer(c, w);
	}
}

/* A change from its proposal to its effect: what is there is captured, what shall come is
 * measured against it, the person sees exactly that, and what they saw is put into place if
 * nothing moved meanwhile. bb reads the bytes to compare them, for the person's screen, and,
 * where they are trusted, for the excerpt. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/change_int.h"
#include "bin/bb/session/questions.h"
#include "bin/bb/session/state.h"
#include "libcommon/clock.h"
#include "libcommon/hash.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define DRAWN_MAX ((size_t)512 << 10) /* bytes of rows that are drawn */

static const char *
changes(const struct change *w)
{
	return w->edit ? "editing" : "writing";
}

static void
stale(struct call *c)
{
	call_error(c, "stale", "'%s' changed after it was read; read it again", c->shown);
}

/* --- what is there -------------------------------------------------------------------------- */

bool
change_capture(struct call *c, struct change *w)
{
	struct session *s = c->s;
	enum grant_fault f;
	int e;

	w->fresh = w->g.st.st_nlink == 0; /* nothing was found */
	w->was = trust_read(s->trust, w->g.spelled, w->g.landed);
	w->revision = trust_revision(s->trust, w->g.landed);
	w->revision_spelled = trust_revision(s->trust, w->g.spelled);
	trail_gate(s->trail, c->n, gate_name(GATE_TRUST),
	    w->was == TRUSTED ? "trusted by the map" : "not trusted by the map");
	if (w->fresh) {
		if (slot_of("old", "", 0, LABEL_T_PRIV, &w->old) == 0)
			return true;
		call_error(c, "helper-failed", "no memory file");
		return false;
	}
	if ((f = grant_open(s->reach, GRANT_FILE, &w->g)) != GRANT_FINE) {
		call_grant_fault(c, f, &w->g, w->through != NULL);
		return false;
	}
	/* A rename would succeed where writing into the file is forbidden: mode bits keep
	 * their meaning. */
	if (faccessat(w->g.fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) != 0) {
		call_error(c, "unreadable", "'%s' is read-only", c->shown);
		return false;
	}
	e = slot_copy("old", w->g.fd, CHANGE_BYTES, (struct label){w->was, PRIVATE},
	    &w->old);
	if (e == 0 || (e == E_TOO_LONG && !w->edit))
		return true;
	if (e == E_TOO_LONG)
		call_error(c, "too-large",
		    "'%s' is larger than the 16 MiB that can be edited", c->shown);
	else
		call_error(c, "unreadable", "'%s' could not be read", c->shown);
	return false;
}

bool
change_run(struct call *c, struct change *w, const int *fds, size_t n,
    const struct buf *body, spawn_done done)
{
	struct spawn_fd at[8];
	struct spawn_request q = {.tool = c->tool,
	    .call = c->n,
	    .done = done,
	    .arg = c,
	    .fds = at,
	    .n_fds = n,
	    .body = body->p,
	    .body_len = body->len};

	for (size_t i = 0; i < n; i++)
		at[i] = (struct spawn_fd){3 + (int)i, fds[i]};
	call_power(c, &w->g, NULL, w->was);
	trail_observed(c->s->trail, c->n, "file_read", (struct label){w->was, PRIVATE});
	if (!call_recorded(c))
		return false;
	c->spawns++;
	if (spawn_start(c->s->spawner, &q, &c->child[0]) == 0)
		return true;
	call_error(c, "helper-failed", "%s could not be started", c->tool->helper);
	return false;
}

/* --- what shall come, measured ---------------------------------------------------------------- */

struct both {
	struct buf old, new;
};

static void
both_release(struct both *b)
{
	buf_release(&b->old);
	buf_release(&b->new);
}
#define auto_both __attribute__((cleanup(both_release)))

static bool
read_both(const struct change *w, struct both *b)
{
	*b = (struct both){BUF_INIT, BUF_INIT};
	return (w->old == NULL || slot_display(w->old, &b->old) == 0) &&
	    slot_display(w->body, &b->new) == 0;
}

/* A passage as the helper read it: in a text whose lines all end in CR LF with those. */
static void
passage(const struct slot *slot, bool crlf, struct buf *out)
{
	auto_buf struct buf b = BUF_INIT;

	if (slot_display(slot, &b) != 0)
		bug("a passage of ours");
	for (size_t i = 0; i < b.len; i++) {
		if (crlf && b.p[i] == '\n' && (i == 0 || b.p[i - 1] != '\r'))
			(void)buf_byte(out, '\r');
		(void)buf_byte(out, b.p[i]);
	}
}

/* SAFE: a helper that lies about an edit, or about where two texts differ, is found here:
 * its numbers are held against the bytes before anybody is shown them. */
static bool
measured(const struct change *w, const struct both *b)
{
	bool crlf = w->old_ends != NULL && strcmp(w->old_ends, "crlf") == 0;
	auto_buf struct buf from = BUF_INIT, to = BUF_INIT;

	if (w->old == NULL)
		return true;
	if (!places_hold(&w->at, &b->old, &b->new))
		return false;
	if (!w->edit)
		return true;
	passage(w->from, crlf, &from);
	passage(w->to, crlf, &to);
	return !from.failed && !to.failed && from.len > 0 && w->count > 0 &&
	    passage_replaced(&b->old, &b->new, &from, &to, w->count);
}

/* Where other programs look (tools-files 3): at any depth. */
static bool
obeyed(const char *landed)
{
	static const char *const names[] = {".git", ".gitmodules", ".gitattributes",
	    ".envrc", ".mcp.json", ".vscode", ".idea", ".npmrc", ".bb", "AGENTS.md",
	    "SKILL.md"};
	static const char workflows[] = "/.github/workflows/";

	for (const char *p = landed; *p != '\0';) {
		size_t n = strcspn(p, "/");

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (strlen(names[i]) == n && strncasecmp(names[i], p, n) == 0)
				return true;
		p += n + (p[n] == '/');
	}
	return strstr(landed, workflows) != NULL;
}

static const char *
ends_words(const char *word)
{
	return word == NULL             ? NULL
	    : strcmp(word, "lf") == 0   ? "LF"
	    : strcmp(word, "crlf") == 0 ? "CRLF"
	    : strcmp(word, "none") == 0 ? "none"
	                                : "mixed";
}

/* Relative to the workspace where it lies in it. */
static const char *
short_name(const struct session *s, const char *key)
{
	const char *rest;

	return path_covers(reach_path(s->reach, 0), key, &rest) && *rest != '\0'
	    ? rest + strspn(rest, "/")
	    : key;
}

static void put_question(struct call *c, struct change *w, const struct both *b);
static void done(struct call *c, struct change *w, bool lost);

/* What is there already: the planner may learn that only where it may read both, or where
 * the bytes are those of that very file. */
static bool
nothing_to_do(struct call *c, const struct change *w, const struct both *b)
{
	if (w->fresh || w->old == NULL || w->at.count > 0 || b->old.len != b->new.len ||
	    !(w->verbatim || (w->was == TRUSTED && w->label.i == TRUSTED)))
		return false;
	if (w->source != NULL)
		(void)buf_fmt(&c->text,
		    "%s already holds what ref:%u holds; nothing to do", c->shown,
		    w->source->n);
	else
		(void)buf_fmt(&c->text, "%s already holds that; nothing to do", c->shown);
	(void)buf_str(&c->summary, "nothing to do");
	call_finish(c, STATUS_OK, NULL);
	return true;
}

void
change_propose(struct call *c, struct change *w)
{
	auto_both struct both b;

	if (!read_both(w, &b)) {
		call_error(c, "helper-failed", "the texts could not be compared");
		return;
	}
	if (!measured(w, &b)) {
		trail_block(c->s->trail, c->n, "helper", c->shown,
		    "what it said does not fit the bytes");
		call_error(c, "helper-failed",
		    "%s gave a change that does not fit the file", c->tool->helper);
		return;
	}
	if (nothing_to_do(c, w, &b))
		return;
	put_question(c, w, &b);
}

/* --- the question -------------------------------------------------------------------------------- */

/* SAFE: is everything as it was drawn? The same place by the same way, the same file,
 * untouched, byte for byte; or still none. */
static bool
as_shown(struct session *s, const struct change *w)
{
	struct grant now = GRANT_INIT;
	enum grant_fault f = grant_resolve_key(s->reach, w->g.spelled, GRANT_FILE, &now);
	auto_buf struct buf was = BUF_INIT;
	struct slot *copy = NULL;
	bool same = now.landed != NULL && strcmp(now.landed, w->g.landed) == 0;

	if (w->fresh)
		same = same && (f == GRANT_MISSING || f == GRANT_MISSING_FORM);
	else
		same = same && f == GRANT_FINE &&
		    grant_open(s->reach, GRANT_FILE, &now) == GRANT_FINE &&
		    now.st.st_ino == w->g.st.st_ino && now.st.st_dev == w->g.st.st_dev &&
		    now.st.st_size == w->g.st.st_size &&
		    now.st.st_ctim.tv_sec == w->g.st.st_ctim.tv_sec &&
		    now.st.st_ctim.tv_nsec == w->g.st.st_ctim.tv_nsec;
	if (same && !w->fresh && w->old != NULL) {
		auto_buf struct buf is = BUF_INIT;

		same = slot_copy("now", now.fd, CHANGE_BYTES, LABEL_U_PRIV, &copy) == 0 &&
		    slot_display(copy, &is) == 0 && slot_display(w->old, &was) == 0 &&
		    is.len == was.len &&
		    memcmp(buf_cstr(&is), buf_cstr(&was), is.len) == 0;
	}
	slot_free(copy);
	grant_release(&now);
	return same && trust_revision(s->trust, w->g.landed) == w->revision &&
	    trust_revision(s->trust, w->g.spelled) == w->revision_spelled;
}

/* A directory of notes on temporary files, made when it is first needed. */
static bool
notes(struct call *c, struct buf *dir)
{
	bool named = c->s->c.state != NULL && c->s->c.state[0] != '\0';

	/* --state DIR is the person's own; `bb` beneath XDG_STATE_HOME is ours. */
	if (c->s->state != NULL && state_notes_dir(c->s->state, dir) == 0 &&
	    path_private_dir(buf_cstr(dir), named ? 1 : 2, NULL) == 0)
		return true;
	call_error(c, "unreadable",
	    "no state directory to note the temporary file in, so nothing was written; "
	    "the "
	    "person can give --state DIR");
	return false;
}

/* What was agreed to is done: authority first, then the trail, then the file. */
static void
effect(struct call *c, struct change *w)
{
	struct session *s = c->s;
	struct put p = {.g = &w->g, .fresh = w->fresh, .from = -1, .old = w->g.fd};
	auto_buf struct buf dir = BUF_INIT;
	auto_fd int from = -1;
	enum put_end e;

	if (!notes(c, &dir))
		return;
	if (slot_reader(w->body, &from) != 0) {
		call_error(c, "helper-failed", "the new text is not there any more");
		return;
	}
	trail_gate(s->trail, c->n, gate_name(GATE_ENDORSED), c->shown);
	trail_field(s->trail, c->n, c->tool->name, w->edit ? "new_text" : "contents",
	    false, (struct label){w->label.i, PUBLIC}, true);
	if (!call_recorded(c))
		return;
	if (trust_begin(s->trust, w->g.landed) != 0 ||
	    (w->g.linked && trust_begin(s->trust, w->g.spelled) != 0)) {
		call_error(c, "contended", "another write to '%s' is in progress",
		    c->shown);
		return;
	}
	p.from = from;
	p.notes = buf_cstr(&dir);
	e = put_file(s->reach, &p);
	trust_complete(s->trust, w->g.landed, e == PUT_DONE ? w->label.i : UNTRUSTED);
	if (w->g.linked)
		trust_complete(s->trust, w->g.spelled,
		    e == PUT_DONE ? w->label.i : UNTRUSTED);
	trail_gate(s->trail, c->n, "write",
	    e == PUT_DONE          ? "done"
	        : e == PUT_CHANGED ? "nothing was written: the destination changed"
	        : e == PUT_FAILED  ? "nothing was written"
	                           : "written, and perhaps not for good");
	switch (e) {
	case PUT_DONE:
		done(c, w, p.lost);
		break;
	case PUT_CHANGED:
		stale(c);
		break;
	case PUT_FAILED:
		call_error(c, "unreadable", "'%s' could not be written: %s", c->shown,
		    err_errno(p.errnum));
		break;
	case PUT_UNSURE:
		call_error(c, "unreadable",
		    "'%s' was written, but may be lost if the machine stops now: %s",
		    c->shown, err_errno(p.errnum));
		break;
	}
}

static void
on_answer(void *arg, const struct answered *a)
{
	struct call *c = arg;
	struct change *w = c->work;
	struct session *s = c->s;
	char said[80];

	c->asking = false;
	c->asked_us += a->waited_us;
	drawing_free(w->drawing);
	w->drawing = NULL;
	(void)snprintf(said, sizeof(said), "%s", answer_word(a->answer));
	trail_asked(s->trail, c->n, w->edit ? "edit" : "write", c->shown, a->by, said);
	if (a->answer == ANSWER_YES)
		s->yes++;
	else if (a->answer == ANSWER_NO || a->answer == ANSWER_STOP)
		s->no++;
	if (a->answer == ANSWER_STOP)
		(void)session_stop(s);
	if (c->cancelled) {
		call_cancelled(c);
	} else if (a->answer == ANSWER_YES) {
		if (as_shown(s, w))
			effect(c, w);
		else
			stale(c);
	} else if (a->answer == ANSWER_NOBODY) {
		(void)buf_str(&c->text, "refused: " TEXT_NOBODY);
		c->gate = "approval";
		trail_block(s->trail, c->n, c->gate, c->shown, "nobody can be asked");
		call_finish(c, STATUS_UNASKED, "nobody-to-ask");
	} else {
		if (strcmp(a->by, "ask.maxDeclined") == 0)
			call_note(c, TEXT_DECLINED);
		call_refuse(c, GATE_APPROVAL, "declined",
		    "the user did not approve %s %s; do not retry the same %s",
		    changes(w), c->shown, w->edit ? "edit" : "write");
	}
}

/* Rows of what changes; of a new file its text. */
static void
draw_rows(const struct change *w, const struct both *b, struct buf *rows,
    struct write_facts *f)
{
	if (w->fresh)
		(void)buf_append(rows, buf_cstr(&b->new), b->new.len);
	else if (w->old != NULL)
		places_rows(&w->at, &b->old, &b->new, &f->signs, rows);
	f->rows_cut = rows->len > DRAWN_MAX;
	f->rows = buf_cstr(rows);
	f->rows_len = rows->len < DRAWN_MAX ? rows->len : DRAWN_MAX;
}

/* `ref:4: vendor/notes.md` */
static void
source_words(const struct change *w, struct buf *out)
{
	(void)buf_fmt(out, "ref:%u", w->source->n);
	if (w->source->origin != NULL)
		(void)buf_fmt(out, ": %s", w->source->origin);
}

static void
put_question(struct call *c, struct change *w, const struct both *b)
{
	struct session *s = c->s;
	auto_buf struct buf rows = BUF_INIT, from = BUF_INIT;
	int64_t age = (int64_t)(clock_wall_ms() / 1000) - w->g.st.st_mtim.tv_sec;
	struct write_facts f = {.path = short_name(s, w->g.spelled),
	    .edit = w->edit,
	    .fresh = w->fresh,
	    .bytes = slot_bytes(w->body),
	    .lines = w->lines,
	    .old_bytes = (uint64_t)w->g.st.st_size,
	    .places = w->edit ? w->count : w->at.count,
	    .added = w->at.added,
	    .removed = w->at.removed,
	    .large = w->large,
	    .uncompared = w->old == NULL,
	    .leads_to = w->g.linked ? short_name(s, w->g.landed) : NULL,
	    .age_s = age > 0 ? age : 0,
	    .names = w->g.st.st_nlink,
	    .mode = w->g.st.st_mode & 07777,
	    .owner_lost = !w->fresh && geteuid() != 0 && w->g.st.st_uid != geteuid(),
	    .ends_old = ends_words(w->old_ends),
	    .ends_new = ends_words(w->new_ends),
	    .unvouched = w->label.i != TRUSTED,
	    .obeyed = obeyed(w->g.landed) || obeyed(w->g.spelled),
	    .trust_lost = w->label.i != TRUSTED && w->was == TRUSTED,
	    .why = c->why};
	struct question q = {.kind = w->edit ? "edit" : "write",
	    .who = "turn",
	    .tool = c->tool->name,
	    .why = c->why,
	    .object = f.path,
	    .digest = w->digest,
	    .answers = "yn"};

	sha256_of(buf_cstr(&b->new), b->new.len, w->digest);
	draw_rows(w, b, &rows, &f);
	if (w->source != NULL) {
		source_words(w, &from);
		f.from = buf_cstr(&from);
	}
	if (rows.failed || from.failed || question_write(&f, &w->drawing) != 0)
		bug("out of memory");
	q.drawing = w->drawing;
	c->questions++;
	s->questions++;
	trail_gate(s->trail, c->n, "render", "the change, to the person");
	if (asker_ask(s->asker, &q, on_answer, c, &c->ask) != 0) {
		call_error(c, "helper-failed", "the question could not be put");
		return;
	}
	c->asking = true;
}

/* --- the answer ------------------------------------------------------------------------------------ */

static void
done(struct call *c, struct change *w, bool lost)
{
	auto_buf struct buf new = BUF_INIT;
	auto_buf struct buf source = BUF_INIT;

	c->labelled = true;
	c->label = LABEL_T_PRIV;
	if (w->source != NULL)
		(void)buf_fmt(&source, "ref:%u", w->source->n);
	else
		(void)buf_str(&source, "the contents given");
	if (w->edit) {
		/* Only trusted bytes go this way. */
		if (slot_present(w->body, &new) == 0) {
			places_excerpt(&w->at, &new, &c->text);
			if (c->text.len > 0)
				(void)buf_byte(&c->text, '\n');
		}
		(void)buf_fmt(&c->text, "edited %s: ", c->shown);
		answer_count(&c->text, w->count, "replacement", "replacements");
		json_object_set_new(c->data, "replacements",
		    json_integer((json_int_t)w->count));
		answer_count(&c->summary, w->count, "replacement", "replacements");
	} else {
		if (w->through != NULL)
			(void)buf_fmt(&c->text,
			    "%s the file %s names, from %s; it is written, do not write "
			    "it "
			    "again",
			    w->fresh ? "created" : "replaced", c->shown,
			    buf_cstr(&source));
		else
			(void)buf_fmt(&c->text,
			    w->fresh ? "created %s"
			             : "replaced %s, which was already there",
			    c->shown);
		json_object_set_new(c->data, "created", json_boolean(w->fresh));
		(void)buf_str(&c->summary, w->fresh ? "created" : "replaced");
	}
	if (lost)
		call_note(c,
		    "owner, access list or another attribute of the file could not be "
		    "kept");
	call_finish(c, STATUS_OK, NULL);
}

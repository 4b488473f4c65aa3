/* read_file: from a resolved place to a page, a reference, or a question. The label
 * is decided here from the map before anything is opened; bb-read gets the one
 * descriptor and can say nothing about it. Order: flow 8.1. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/questions.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/hash.h"
#include "libcommon/io.h"
#include "libcommon/path.h"

#define SIZELESS_S 5 /* seconds for a file that says it is empty */
#define RACES_MAX 100
#define PICTURE_MAX ((int64_t)8 << 20)
#define HEAD_MAX ((size_t)512 << 10) /* bytes of a file drawn at the vouch prompt */

struct read_work {
	struct grant g;
	struct ref *through;
	struct slot *slot;
	int64_t offset, limit;
	uint64_t revision; /* of the path when the preview was taken */
	char drawn[65];    /* SHA-256 of the bytes the prompt drew */
	char token[17];    /* of the opened file, before its first byte was read */
	bool preview;      /* this helper run is for the person's eyes */
	struct drawing *drawing;
};

static void
work_free(void *p)
{
	struct read_work *w = p;

	grant_release(&w->g);
	slot_free(w->slot);
	drawing_free(w->drawing);
	free(w);
}

/* How the trail names the file: as typed; a held-back entry of a listing by its place, never by its
 * name (the trail may be read by more than the person). Appends. */
static void
trail_name(const struct call *c, const struct read_work *w, struct buf *out)
{
	const struct ref *r = w->through;
	const char *dir = r != NULL ? r->listing_base : NULL;

	if (r == NULL || r->listing == NULL) {
		(void)buf_str(out, r != NULL && r->origin != NULL ? r->origin : c->shown);
		return;
	}
	if (path_covers(reach_path(c->s->reach, 0), dir, &dir))
		dir += *dir == '/';
	(void)buf_fmt(out, "entry %u of %s", r->entry + 1, *dir != '\0' ? dir : ".");
}

/* The planner gets a name, not a byte; the file stays unopened (READ-1). */
static void
hold_back(struct call *c, struct read_work *w, const char *media)
{
	auto_buf struct buf named = BUF_INIT;
	struct ref *r = w->through;
	char name[32];

	c->labelled = true;
	c->label = LABEL_U_PRIV;
	if (r != NULL && media == NULL) {
		(void)buf_fmt(&c->text, "%s already is that file, unread; ", c->shown);
		ref_advise(r, call_offered, &c->text);
		call_add_ref(c, r);
		(void)buf_fmt(&c->summary, "held back (%s)", c->shown);
		call_finish(c, STATUS_OK, NULL);
		return;
	}
	if (!call_room(c, 1))
		return;
	struct ref init = {
	    .kind = media != NULL ? REF_CONTENT : REF_FILE,
	    .label = LABEL_U_PRIV,
	    .origin = strdup(c->shown),
	    .lines = -1,
	    .bytes =
	        w->through == NULL || w->through->listing == NULL ? w->g.st.st_size : -1,
	    .media = media,
	    .path = strdup(w->g.spelled),
	};
	if (media != NULL)
		init.label = c->label =
		    (struct label){trust_read(c->s->trust, w->g.spelled, w->g.landed),
		        PRIVATE};
	if (init.origin == NULL || init.path == NULL ||
	    refs_mint(c->s->refs, &init, &r) != 0)
		bug("out of memory");
	(void)snprintf(name, sizeof(name), "ref:%u", r->n);
	trail_name(c, w, &named);
	trail_deferred(c->s->trail, c->n, name, buf_cstr(&named), r->label);
	ref_describe(r, &c->text);
	(void)buf_str(&c->text, "\n");
	ref_advise(r, call_offered, &c->text);
	call_add_ref(c, r);
	(void)buf_fmt(&c->summary, "held back (ref:%u)", r->n);
	call_finish(c, STATUS_OK, NULL);
}

/* READ-8: only a front that knows what the planner still has before it may say so. */
static bool
already_shown(struct call *c, const struct read_work *w, const char *token)
{
	if (!c->s->remembers)
		return false;
	for (const struct seen *p = c->s->seen; p != NULL; p = p->next)
		if (p->first == w->offset && p->limit == w->limit &&
		    strcmp(p->token, token) == 0 && strcmp(p->key, w->g.spelled) == 0)
			return true;
	return false;
}

static void
remember(struct call *c, const struct read_work *w)
{
	struct seen *p;

	if (!c->s->remembers || (p = calloc(1, sizeof(*p))) == NULL)
		return;
	if ((p->key = strdup(w->g.spelled)) == NULL) {
		free(p);
		return;
	}
	p->first = w->offset;
	p->limit = w->limit;
	memcpy(p->token, c->token, sizeof(p->token));
	p->next = c->s->seen;
	c->s->seen = p;
}

static void
footer(struct call *c, int64_t first, int64_t lines, int64_t total, int64_t cut)
{
	struct buf *b = &c->text;
	bool partial = lines > 0 && lines < total;

	(void)buf_str(b, "\n\n[");
	if (partial && lines == 1)
		(void)buf_fmt(b, "line %" PRId64 " of %" PRId64 "; ", first, total);
	else if (partial)
		(void)buf_fmt(b, "lines %" PRId64 "-%" PRId64 " of %" PRId64 "; ", first,
		    first + lines - 1, total);
	if (lines > 0 && first + lines - 1 < total) {
		(void)buf_fmt(b, "next offset %" PRId64 "; ", first + lines);
		json_object_set_new(c->data, "next", json_integer(first + lines));
	}
	if (cut > 0)
		(void)buf_fmt(b, "%" PRId64 " line%s cut at 2000 chars; ", cut,
		    cut == 1 ? "" : "s");
	(void)buf_fmt(b, "token %s]", c->token);
}

static void
present(struct call *c, struct read_work *w, const struct spawn_outcome *o)
{
	const struct tool *t = c->tool;
	const char *code = spawn_word(t, o, "code");
	int64_t lines = spawn_int(t, o, "lines"), total = spawn_int(t, o, "total"),
	        first = spawn_int(t, o, "first"), cut = spawn_int(t, o, "cut");

	if (strcmp(code, "binary") == 0) {
		call_error(c, "binary", "'%s' is binary, not text", c->shown);
	} else if (strcmp(code, "utf-16") == 0 || strcmp(code, "utf-32") == 0) {
		call_error(c, "binary", "'%s' is binary (%s)", c->shown,
		    strcmp(code, "utf-16") == 0 ? "UTF-16" : "UTF-32");
	} else if (strcmp(code, "too-large") == 0) {
		call_error(c, "too-large",
		    "'%s' is %" PRId64 " bytes; a text file above 64 MiB is not "
		    "read%s",
		    c->shown, (int64_t)w->g.st.st_size,
		    call_offered("search") ? ", search it instead" : "");
	} else if (strcmp(code, "ok") != 0) {
		call_error(c, "unreadable", "'%s' could not be read", c->shown);
	} else if ((uint64_t)spawn_int(t, o, "bytes") != slot_bytes(w->slot) ||
	    cut > lines ||
	    (lines > 0 && (first != w->offset || first + lines - 1 > total)) ||
	    slot_present(w->slot, &c->text) != 0) {
		/* A helper's number is a claim; this one does not fit what can be measured. */
		call_error(c, "helper-failed", "%s gave counts that do not fit its page",
		    t->helper);
	} else {
		if (total == 0)
			(void)buf_str(&c->text, "(empty file)");
		else if (lines == 0)
			(void)buf_fmt(&c->text,
			    "(no lines at offset %" PRId64 "; the file has %" PRId64 ")",
			    w->offset, total);
		else if (c->text.len > 0 && c->text.p[c->text.len - 1] == '\n')
			c->text.p[--c->text.len] =
			    '\0'; /* the last line's end; the footer brings its own */
		memcpy(c->token, w->token, sizeof(c->token));
		footer(c, first, lines, total, cut);
		c->labelled = true;
		c->label = LABEL_T_PRIV;
		json_object_set_new(c->data, "first",
		    json_integer(lines > 0 ? first : w->offset));
		json_object_set_new(c->data, "lines", json_integer(lines));
		json_object_set_new(c->data, "total", json_integer(total));
		json_object_set_new(c->data, "cut", json_integer(cut));
		answer_count(&c->summary, (uint64_t)lines, "line", "lines");
		if (lines < total)
			(void)buf_fmt(&c->summary, " of %" PRId64, total);
		trail_gate(c->s->trail, c->n, gate_name(GATE_PRESENT), c->shown);
		context_absorb(&c->s->context, TRUSTED);
		remember(c, w);
		call_finish(c, STATUS_OK, NULL);
	}
}

static void page(struct call *c, struct read_work *w);
static void offer(struct call *c, struct read_work *w, const struct spawn_outcome *o);

static void
on_page(void *arg, const struct spawn_outcome *o)
{
	struct call *c = arg;
	struct read_work *w = c->work;
	bool preview = w->preview;

	c->child[0] = NULL;
	/* What the helper put there is labelled before anybody asks what it is: a preview
	 * is a stranger's, a page is of a vouched file. The map is asked again (I19). */
	if (!preview && trust_read(c->s->trust, w->g.spelled, w->g.landed) != TRUSTED) {
		hold_back(c, w, NULL);
		return;
	}
	if (call_helper_failed(c, o))
		return;
	if (slot_seal(w->slot, preview ? LABEL_U_PRIV : LABEL_T_PRIV) != 0) {
		call_error(c, "helper-failed", "%s wrote more than its page allows",
		    c->tool->helper);
		return;
	}
	if (preview)
		offer(c, w, o);
	else
		present(c, w, o);
}

/* Start bb-read on the opened file. */
static void
run(struct call *c, struct read_work *w, int64_t offset, int64_t limit)
{
	auto_buf struct buf body = BUF_INIT;
	int writer = -1;
	struct spawn_request q = {
	    .tool = c->tool,
	    .call = c->n,
	    .done = on_page,
	    .arg = c,
	    .n_fds = 2,
	    /* What has no size may have no end either: /proc (tools-files 0.4). */
	    .wall_s = w->g.st.st_size == 0 ? SIZELESS_S : 0,
	};
	int r;

	slot_free(w->slot);
	w->slot = NULL;
	if (slot_new("page", c->tool->limits.slot, &w->slot) != 0 ||
	    slot_writer(w->slot, &writer) != 0) {
		call_error(c, "helper-failed", "no memory file for the page");
		return;
	}
	rec_put_int(&body, "offset", offset);
	rec_put_int(&body, "limit", limit);
	q.fds = (const struct spawn_fd[]){{3, w->g.fd}, {4, writer}};
	q.body = body.p;
	q.body_len = body.len;
	r = spawn_start(c->s->spawner, &q, &c->child[0]);
	close(writer);
	c->spawns++;
	if (r != 0)
		call_error(c, "helper-failed", "%s could not be started",
		    c->tool->helper);
}

/* Open what was resolved. Where the name was swapped in between, it is resolved again:
 * the place that holds still is judged anew, trust included. */
static bool
open_now(struct call *c, struct read_work *w)
{
	enum integrity before = trust_read(c->s->trust, w->g.spelled, w->g.landed);
	enum grant_fault f = grant_open(c->s->reach, GRANT_FILE, &w->g);

	for (int tries = 0; f == GRANT_CHANGED && tries < RACES_MAX; tries++) {
		char *key = strdup(w->g.spelled);

		if (key == NULL)
			bug("out of memory");
		grant_release(&w->g);
		w->g = GRANT_INIT;
		f = grant_resolve_key(c->s->reach, key, GRANT_FILE, &w->g);
		free(key);
		if (!call_rules_again(c, &w->g))
			return false;
		if (f != GRANT_FINE)
			break;
		if (trust_read(c->s->trust, w->g.spelled, w->g.landed) != before) {
			hold_back(c, w,
			    NULL); /* never shown under the label of another place */
			return false;
		}
		f = grant_open(c->s->reach, GRANT_FILE, &w->g);
	}
	if (f == GRANT_FINE)
		return true;
	call_grant_fault(c, f, &w->g, w->through != NULL);
	return false;
}

/* The map says T: serve the page. */
static void
page(struct call *c, struct read_work *w)
{
	w->preview = false;
	if (!open_now(c, w))
		return;
	token_of(c->s->token_key, &w->g.st, w->token);
	if (already_shown(c, w, w->token)) {
		memcpy(c->token, w->token, sizeof(c->token));
		(void)buf_fmt(&c->text, "%s from line %" PRId64, c->shown, w->offset);
		if (call_arg(c, "limit")->given)
			(void)buf_fmt(&c->text, ", at most %" PRId64 " line%s", w->limit,
			    w->limit == 1 ? "" : "s");
		(void)buf_fmt(&c->text,
		    ": unchanged since it was shown; see the earlier result\n\n"
		    "[token %s]",
		    c->token);
		(void)buf_str(&c->summary, "unchanged since it was shown");
		c->labelled = true;
		c->label = LABEL_T_PRIV;
		call_finish(c, STATUS_OK, NULL);
		return;
	}
	call_power(c, &w->g, NULL, TRUSTED);
	trail_observed(c->s->trail, c->n, "file_read", LABEL_T_PRIV);
	if (call_recorded(c))
		run(c, w, w->offset, w->limit);
}

/* --- the vouch offer (TRUST-8) ---------------------------------------------------- */

static bool
offered_before(struct call *c, const char *key)
{
	struct offered *p;

	for (p = c->s->offered; p != NULL; p = p->next)
		if (strcmp(p->key, key) == 0)
			return true;
	if ((p = calloc(1, sizeof(*p))) == NULL || (p->key = strdup(key)) == NULL)
		bug("out of memory");
	p->next = c->s->offered;
	c->s->offered = p;
	return false;
}

/* SHA-256 of what the prompt draws of an open file; "" when it cannot be read. */
static void
digest_of(int fd, struct buf *head, char out[65])
{
	buf_init(head, HEAD_MAX);
	out[0] = '\0';
	/* E_TOO_LONG: a longer file, of which this much is drawn. */
	switch (io_pread_all(fd, head)) {
	case 0:
	case E_TOO_LONG:
		sha256_of(buf_cstr(head), head->len, out);
		break;
	default:
		break;
	}
}

/* SAFE: a yes is for what was drawn. The same file (inode), untouched since: its change
 * time moves with every write and cannot be set back, unlike the modification time; and
 * because a time stamp has a tick, what was drawn has to be there still, byte for byte.
 * Nothing but "the same or not" is learnt from those bytes. */
static bool
as_shown(struct session *s, const struct read_work *w)
{
	struct grant now = GRANT_INIT;
	struct buf head;
	char token[17], digest[65];
	bool same =
	    grant_resolve_key(s->reach, w->g.spelled, GRANT_FILE, &now) == GRANT_FINE &&
	    strcmp(now.landed, w->g.landed) == 0 &&
	    grant_open(s->reach, GRANT_FILE, &now) == GRANT_FINE;

	if (same) {
		token_of(s->token_key, &now.st, token);
		digest_of(now.fd, &head, digest);
		buf_release(&head);
		same = now.st.st_ino == w->g.st.st_ino &&
		    now.st.st_dev == w->g.st.st_dev &&
		    now.st.st_ctim.tv_sec == w->g.st.st_ctim.tv_sec &&
		    now.st.st_ctim.tv_nsec == w->g.st.st_ctim.tv_nsec &&
		    strcmp(token, w->token) == 0 && digest[0] != '\0' &&
		    strcmp(digest, w->drawn) == 0;
	}
	grant_release(&now);
	return same;
}

static void
on_vouched(void *arg, const struct answered *a)
{
	struct call *c = arg;
	struct read_work *w = c->work;
	struct session *s = c->s;
	auto_buf struct buf named = BUF_INIT;

	c->asking = false;
	c->asked_us += a->waited_us;
	drawing_free(w->drawing);
	w->drawing = NULL;
	trail_name(c, w, &named);
	trail_asked(s->trail, c->n, "vouch", buf_cstr(&named), a->by,
	    answer_word(a->answer));
	if (a->answer == ANSWER_YES)
		s->yes++;
	else if (a->answer == ANSWER_NO || a->answer == ANSWER_STOP)
		s->no++;
	if (a->answer == ANSWER_STOP)
		(void)session_stop(s);
	if (c->cancelled) {
		call_cancelled(c);
		return;
	}
	if (a->answer != ANSWER_YES) {
		if (strcmp(a->by, "ask.maxDeclined") == 0)
			call_note(c, TEXT_DECLINED);
		hold_back(c, w, NULL);
		return;
	}
	if (!as_shown(s, w) || trust_revision(s->trust, w->g.landed) != w->revision ||
	    trust_vouch(s->trust, w->g.spelled, trust_revision(s->trust, w->g.spelled)) !=
	        0 ||
	    (w->g.linked && trust_vouch(s->trust, w->g.landed, w->revision) != 0)) {
		call_note(c,
		    "the file changed while the person was asked, so the answer was not "
		    "used; reading it again asks about the present content");
		hold_back(c, w, NULL);
		return;
	}
	page(c, w);
}

/* The folder of `path` when three files of it were asked about this turn, else NULL. */
static const char *
folder_hint(const struct session *s, const char *path, char *folder, size_t room)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash != NULL ? (size_t)(slash - path) : 0, asked = 0;

	if (n == 0 || n >= room || path[0] == '/')
		return NULL;
	memcpy(folder, path, n);
	folder[n] = '\0';
	for (const struct offered *p = s->offered; p != NULL; p = p->next) {
		const char *rest = NULL;

		if (path_covers(reach_path(s->reach, 0), p->key, &rest) && *rest == '/' &&
		    strncmp(rest + 1, folder, n) == 0 && rest[1 + n] == '/' &&
		    strchr(rest + 2 + n, '/') == NULL)
			asked++;
	}
	return asked >= 3 ? folder : NULL;
}

static void
offer(struct call *c, struct read_work *w, const struct spawn_outcome *o)
{
	struct buf head;
	const char *code = spawn_word(c->tool, o, "code");
	int64_t total = spawn_int(c->tool, o, "total");
	bool text = strcmp(code, "ok") == 0;
	struct vouch_facts f = {
	    .path = w->g.spelled,
	    .bytes = (uint64_t)w->g.st.st_size,
	    .lines = text ? total : -1,
	    .linked_to = w->g.linked ? w->g.landed : NULL,
	    .why = c->why,
	};
	char folder[PATH_ARG_MAX + 1];
	const char *ws = reach_path(c->s->reach, 0), *rest;
	struct question q = {
	    .kind = "vouch",
	    .who = "turn",
	    .tool = c->tool->name,
	    .why = c->why,
	    .answers = "yn",
	};

	if (path_covers(ws, w->g.spelled, &rest) && *rest != '\0')
		f.path = rest + strspn(rest, "/");
	/* The bytes as they are, to the person's screen only; a file longer than this says so
	 * there. Whether they are text was bb-read's to find out. */
	digest_of(w->g.fd, &head, w->drawn);
	f.binary = !text;
	f.head = buf_cstr(&head);
	f.head_len = head.len;
	f.hint_folder = folder_hint(c->s, f.path, folder, sizeof(folder));
	q.object = f.path;
	if (question_vouch(&f, &w->drawing) != 0)
		bug("out of memory");
	buf_release(&head);
	q.drawing = w->drawing;
	c->questions++;
	c->s->questions++;
	if (asker_ask(c->s->asker, &q, on_vouched, c, &c->ask) != 0) {
		hold_back(c, w, NULL);
		return;
	}
	c->asking = true;
}

/* May the person be asked, and was not yet this turn? Tested last: it consumes. */
static bool
may_offer(struct call *c, const struct read_work *w)
{
	return !c->typed && asker_reachable(c->s->asker) &&
	    !offered_before(c, w->g.spelled);
}

void
read_start(struct call *c)
{
	struct read_work *w = calloc(1, sizeof(*w));
	enum integrity i;
	const char *media;

	if (w == NULL)
		bug("out of memory");
	w->g = GRANT_INIT;
	c->work = w;
	c->work_free = work_free;
	w->offset = call_arg(c, "offset")->i;
	w->limit = call_arg(c, "limit")->i;
	if (!call_resolve_file(c, &w->g, &w->through))
		return;
	i = trust_read(c->s->trust, w->g.spelled, w->g.landed);
	trail_gate(c->s->trail, c->n, gate_name(GATE_TRUST),
	    i == TRUSTED ? "trusted by the map" : "not trusted by the map");
	if ((media = read_media(w->g.spelled)) != NULL) {
		/* The size of a held-back entry is not the planner's to learn (flow 4.1). */
		bool sayable = w->through == NULL || w->through->listing == NULL;

		if (sayable && w->g.st.st_size > PICTURE_MAX)
			call_error(c, "too-large",
			    "'%s' is larger than the 8 MiB an attachment may be",
			    c->shown);
		else
			hold_back(c, w, media);
		return;
	}
	if (i == TRUSTED) {
		page(c, w);
		return;
	}
	if (!may_offer(c, w)) {
		hold_back(c, w, NULL);
		return;
	}
	w->preview = true;
	w->revision = trust_revision(c->s->trust, w->g.landed);
	if (!open_now(c, w))
		return;
	token_of(c->s->token_key, &w->g.st, w->token);
	trail_gate(c->s->trail, c->n, "vetting", "not made: no model configured");
	trail_gate(c->s->trail, c->n, "display", "the head of the file, to the person");
	call_power(c, &w->g, NULL, UNTRUSTED);
	if (call_recorded(c))
		run(c, w, 1, 500);
}

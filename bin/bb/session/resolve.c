/* From an argument of a call to the place it names: argument or reference gate, rules,
 * confine, and for a read promote. Trusts nothing: it is a planner's. */
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/own.h"

static bool
parent_trusted(const struct session *s, const struct grant *g)
{
	auto_buf struct buf parent = BUF_INIT;
	const char *slash = g->landed != NULL ? strrchr(g->landed, '/') : NULL;

	if (slash == NULL)
		return false;
	(void)buf_append(&parent, g->landed,
	    slash == g->landed ? 1 : (size_t)(slash - g->landed));
	return trust_of(s->trust, buf_cstr(&parent)) == TRUST_T &&
	    trust_read(s->trust, g->spelled, g->landed) == TRUSTED;
}

void
call_grant_fault(struct call *c, enum grant_fault f, const struct grant *g, bool ref)
{
	auto_buf struct buf b = BUF_INIT;
	bool refused = f == GRANT_CLIMBS || f == GRANT_OUTSIDE;

	/* That a name differs in form only tells of another name there: only where the
	 * directory is trusted (tools-files 0.4). */
	if (f == GRANT_MISSING_FORM && !parent_trusted(c->s, g))
		f = GRANT_MISSING;
	if (f == GRANT_DIRECTORY && c->tool->effect) {
		call_error(c, "not-a-file", "'%s' is a directory, which cannot be %s",
		    c->shown, c->start == write_start ? "written as a file" : "edited");
		return;
	}
	const char *code = answer_fault(c->s->reach, c->shown, f, g, ref, &b);

	if (refused)
		call_refuse(c, GATE_CONFINE, code, "%s", buf_cstr(&b));
	else
		call_error(c, code, "%s", buf_cstr(&b));
}

static void
refuse_directory(struct call *c, const struct ref *r)
{
	call_refuse(c, GATE_REFERENCE, "not-a-file",
	    "ref:%u is a directory a listing stopped at; list %s with a greater depth",
	    r->n,
	    r->origin != NULL              ? r->origin
	        : r->listing_shown != NULL ? r->listing_shown
	                                   : "the same directory");
}

static char *
shown_of(const struct arg_value *v)
{
	char *p = malloc(v->n + 1);

	if (p == NULL)
		bug("out of memory");
	memcpy(p, v->s, v->n);
	p[v->n] = '\0';
	return p;
}

/* What is missing may be made by a write. */
static bool
makes(const struct call *c, enum grant_fault f)
{
	return c->start == write_start && (f == GRANT_MISSING || f == GRANT_MISSING_FORM);
}

/* A read changes nothing, so what a planner proposed may be looked at. A destination stays
 * its proposal until the person agreed to it. */
static void
promoted(struct call *c)
{
	if (!c->tool->effect)
		trail_gate(c->s->trail, c->n, gate_name(GATE_PROMOTE), c->shown);
	call_started(c);
}

static bool
resolve(struct call *c, const char *arg, enum grant_want want, struct grant *g)
{
	const struct arg_value *v = call_arg(c, arg);
	enum grant_fault f;
	struct ref *r;

	if (c->shown == NULL) {
		c->shown = shown_of(v);
		call_field(c, arg, true);
	}
	/* Nothing is opened here: rules come before that. */
	f = grant_resolve(c->s->reach, v->s, v->n, want, g);
	if (!call_rules(c, g))
		return false;
	if (f != GRANT_FINE && !makes(c, f)) {
		/* A reference where a path belongs, and nothing has that name. */
		if (f == GRANT_MISSING && strlen(v->s) == v->n &&
		    refs_find(c->s->refs, v->s, &r) == 0 && r->kind == REF_DIRECTORY)
			refuse_directory(c, r);
		else
			call_grant_fault(c, f, g, false);
		return false;
	}
	trail_gate(c->s->trail, c->n, gate_name(GATE_CONFINE), c->shown);
	promoted(c);
	return true;
}

struct ref *
call_ref(struct call *c, const char *arg)
{
	const struct arg_value *v = call_arg(c, arg);
	struct ref *r;
	int err;

	if (c->agreed == NULL) /* else the call began anew */
		call_field(c, arg, true);
	err = strlen(v->s) == v->n ? refs_find(c->s->refs, v->s, &r) : E_BAD;
	if (err != 0) {
		auto_free char *named = shown_of(v);

		call_refuse(c, GATE_REFERENCE, "not-found",
		    err == E_BAD
		        ? "'%s' is not a reference; one is written ref: and its number"
		        : "%s names nothing in this session",
		    named);
		return NULL;
	}
	if (r->kind == REF_DIRECTORY) {
		refuse_directory(c, r);
		return NULL;
	}
	return r;
}

bool
call_ref_key(struct call *c, const struct ref *r, struct buf *key)
{
	if (r->path != NULL)
		return buf_str(key, r->path) == 0;
	if (ref_entry_path(r, key) == 0)
		return true;
	call_error(c, "helper-failed",
	    "the listing behind ref:%u does not hold that entry", r->n);
	return false;
}

static bool
resolve_ref(struct call *c, struct grant *g, struct ref **through)
{
	auto_buf struct buf key = BUF_INIT;
	enum grant_fault f;
	struct ref *r;

	if (c->shown == NULL)
		c->shown = shown_of(call_arg(c, "path_ref"));
	if ((r = call_ref(c, "path_ref")) == NULL)
		return false;
	if (r->kind != REF_FILE) {
		call_refuse(c, GATE_REFERENCE, "not-a-file", "%s names no file",
		    c->shown);
		return false;
	}
	if (!call_ref_key(c, r, &key))
		return false;
	f = grant_resolve_key(c->s->reach, buf_cstr(&key), GRANT_FILE, g);
	if (!call_rules(c, g))
		return false;
	if (f != GRANT_FINE && !makes(c, f)) {
		call_grant_fault(c, f, g, true);
		return false;
	}
	trail_gate(c->s->trail, c->n, gate_name(GATE_REFERENCE), c->shown);
	trail_gate(c->s->trail, c->n, gate_name(GATE_CONFINE), c->shown);
	*through = r;
	promoted(c);
	return true;
}

bool
call_resolve_file(struct call *c, struct grant *g, struct ref **through)
{
	*through = NULL;
	if (call_arg(c, "path")->given)
		return resolve(c, "path", GRANT_FILE, g);
	return resolve_ref(c, g, through);
}

bool
call_resolve_dir(struct call *c, struct grant *g)
{
	return resolve(c, "directory", GRANT_DIR, g);
}

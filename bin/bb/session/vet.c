/* vet_content: one held-back slot shown to the person because the planner asks for it. What
 * it expects is drawn and decides nothing. Order: tools-files 6. */
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/promote.h"
#include "libcommon/path.h"
#include "libcommon/utf8.h"

#define EXPECTS_MAX 1000              /* bytes */
#define MEDIA_MAX ((size_t)700 << 10) /* base64 of it fits a line of 1 MiB */

/* What the planner says that it expects. False: the call is answered. */
static bool
expects(struct call *c)
{
	const struct arg_value *v = call_arg(c, "expects");

	call_field(c, "expects", true);
	if (v->s[strspn(v->s, " \t\n")] == '\0') {
		call_error(c, "bad-argument", "'expects' is required");
		return false;
	}
	if (v->n <= EXPECTS_MAX)
		return true;
	call_error(c, "bad-argument", "'expects' is longer than %d bytes", EXPECTS_MAX);
	return false;
}

/* The file behind it, for the person: relative where it lies in the workspace. */
static bool
name_file(struct call *c, struct promotion *p)
{
	auto_buf struct buf key = BUF_INIT;
	const char *rest;

	if (p->r->path == NULL && p->r->listing == NULL)
		return true;
	if (!call_ref_key(c, p->r, &key))
		return false;
	rest = buf_cstr(&key);
	if (path_covers(reach_path(c->s->reach, 0), rest, &rest) && *rest != '\0')
		rest += strspn(rest, "/");
	else
		rest = buf_cstr(&key);
	/* by its name alone, as when it is read (READ-5) */
	p->media = p->r->media != NULL ? p->r->media : read_media(rest);
	p->path = strdup(rest);
	if (p->path == NULL)
		bug("out of memory");
	return true;
}

static void
ask(struct call *c, struct promotion *p)
{
	struct promote_facts f = {
	    .file = p->path,
	    .origin = p->r->origin != NULL ? p->r->origin : "",
	    .command = p->r->from_command,
	    .bytes = p->bytes.len,
	    .lines = promotion_lines(&p->bytes),
	    .expects = call_arg(c, "expects")->s,
	    .why = c->why,
	    .media = p->media,
	    .copy = p->copy,
	    .content = buf_cstr(&p->bytes),
	    .content_len = p->bytes.len,
	};

	p->declined = call_offered("spawn_processor")
	    ? "; work without it, give it to spawn_processor, or say what you needed"
	    : "; work without it, or say what you needed";
	if (question_vet(&f, &p->drawing) != 0)
		bug("out of memory");
	promotion_ask(c, p, p->path != NULL ? p->path : f.origin);
}

void
vet_start(struct call *c)
{
	struct promotion *p = promotion_new(c, "vet");
	struct ref *r;

	if (!promotion_ref(c, p))
		return;
	r = p->r;
	if (r->kind == REF_KEPT && r->slot != NULL &&
	    slot_label(r->slot).i == TRUSTED) { /* nothing to decide */
		call_started(c);
		promotion_page(c, r, 0, PROMOTE_WHOLE);
		return;
	}
	if (!expects(c) || !name_file(c, p))
		return;
	if (r->slot == NULL && p->path == NULL) {
		call_error(c, "unreadable", "there is nothing behind ref:%u any more",
		    r->n);
		return;
	}
	if (r->slot == NULL &&
	    !call_fill(c, r, c->tool->limits.slot, "8 MiB that can be shown"))
		return;
	if (!promotion_bytes(c, p, p->media != NULL ? MEDIA_MAX : PROMOTE_TEXT_MAX))
		return;
	if (p->media == NULL &&
	    (memchr(buf_cstr(&p->bytes), '\0', p->bytes.len) != NULL ||
	        utf8_valid(buf_cstr(&p->bytes), p->bytes.len) != p->bytes.len)) {
		call_error(c, "binary",
		    "ref:%u is not text, which is all that can be shown", r->n);
		return;
	}
	/* SAFE: a picture nobody could open is not asked about */
	if (p->media != NULL && asker_reachable(c->s->asker) &&
	    copy_make(&p->bytes, p->media, &p->copy, &p->copy_fd) != 0) {
		call_error(c, "unsupported",
		    "there is nowhere to put a copy of ref:%u for the person to open: "
		    "the "
		    "cache directory cannot be used",
		    r->n);
		return;
	}
	ask(c, p);
}

/* read_output: what a command printed. What the planner may read comes a page at a time and
 * unasked; the rest is shown to the person, who decides once. Order: tools-files 5. */
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/promote.h"

/* Only the length kept it out. */
static bool
readable(const struct ref *r)
{
	return r->slot != NULL && slot_label(r->slot).i == TRUSTED &&
	    (r->kind == REF_KEPT || r->from_command != NULL);
}

static void
ask(struct call *c, struct promotion *p)
{
	struct promote_facts f = {
	    .command = p->r->from_command,
	    .bytes = p->bytes.len,
	    .lines = promotion_lines(&p->bytes),
	    .why = c->why,
	    .content = buf_cstr(&p->bytes),
	    .content_len = p->bytes.len,
	};

	if (question_output(&f, &p->drawing) != 0)
		bug("out of memory");
	promotion_ask(c, p, p->r->from_command);
}

void
output_start(struct call *c)
{
	struct promotion *p = promotion_new(c, "output");
	const struct arg_value *offset = call_arg(c, "offset");
	struct ref *r;

	if (!promotion_ref(c, p))
		return;
	r = p->r;
	call_field(c, "offset", true);
	if (readable(r)) {
		call_started(c);
		promotion_page(c, r, (uint64_t)offset->i, PROMOTE_PAGE);
		return;
	}
	if (r->from_command == NULL || r->slot == NULL) {
		call_refuse(c, GATE_REFERENCE, "gate",
		    "ref:%u is not something a program printed%s", r->n,
		    call_offered("vet_content")
		        ? "; vet_content asks the person to show it"
		        : "");
		return;
	}
	if (offset->given && offset->i > 0) {
		call_refuse(c, GATE_REFERENCE, "gate",
		    "ref:%u is held back, and an offset is for what you may read "
		    "already; "
		    "leave it out to have the person asked",
		    r->n);
		return;
	}
	if (promotion_bytes(c, p, PROMOTE_TEXT_MAX))
		ask(c, p);
}

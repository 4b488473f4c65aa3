/* A reference to a file nobody has read yet: its bytes as they are now, under the label of
 * then and now. Deny rules, reach and the map are asked again. */
#include <stdio.h>

#include "bin/bb/session/session_int.h"

bool
call_fill(struct call *c, struct ref *r, uint64_t most, const char *limit)
{
	auto_buf struct buf key = BUF_INIT;
	struct grant g = GRANT_INIT;
	enum grant_fault f;
	struct label l = r->label;
	const struct rule *stop;
	char name[32];
	int e;

	if (!call_ref_key(c, r, &key))
		return false;
	f = grant_resolve_key(c->s->reach, buf_cstr(&key), GRANT_FILE, &g);
	stop = rules_stop(c->s, RULE_READ, g.spelled, g.landed);
	if (stop != NULL && stop->list == RULE_DENY) {
		grant_release(&g);
		call_refuse(c, GATE_RULES, "deny-rule",
		    "a rule of the person denies reading what ref:%u names", r->n);
		return false;
	}
	if (f == GRANT_FINE)
		f = grant_open(c->s->reach, GRANT_FILE, &g);
	if (f != GRANT_FINE) {
		grant_release(&g);
		call_error(c, f == GRANT_MISSING ? "not-found" : "unreadable",
		    "ref:%u could not be opened", r->n);
		return false;
	}
	l.i = label_taint(l,
	    (struct label){trust_read(c->s->trust, g.spelled, g.landed), PRIVATE})
	          .i;
	e = slot_copy("reference", g.fd, most, l, &r->slot);
	grant_release(&g);
	if (e != 0) {
		if (e == E_TOO_LONG)
			call_error(c, "too-large", "ref:%u holds more than the %s", r->n,
			    limit);
		else
			call_error(c, "unreadable", "ref:%u could not be read", r->n);
		return false;
	}
	(void)snprintf(name, sizeof(name), "ref:%u", r->n);
	trail_slot(c->s->trail, c->n, name, l);
	return true;
}

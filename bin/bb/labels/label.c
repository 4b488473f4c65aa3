/* The lattice, its two orders, and the one bit of context. Nothing but arithmetic. */
#include <string.h>

#include "bin/bb/labels/labels.h"

struct label
label_taint(struct label a, struct label b)
{
	return (struct label){
	    a.i == UNTRUSTED || b.i == UNTRUSTED ? UNTRUSTED : TRUSTED,
	    a.c == PRIVATE || b.c == PRIVATE ? PRIVATE : PUBLIC,
	};
}

bool
label_degrades_to(struct label a, struct label b)
{
	return (a.i == TRUSTED || b.i == UNTRUSTED) && (a.c == PUBLIC || b.c == PRIVATE);
}

bool
label_flows_to(struct label a, struct label b)
{
	return (a.i == UNTRUSTED || b.i == TRUSTED) && (a.c == PUBLIC || b.c == PRIVATE);
}

bool
label_relabel(struct label *l, struct label to)
{
	if (!label_degrades_to(*l, to))
		return false;
	*l = to;
	return true;
}

bool
label_routing_ok(struct label l)
{
	return l.i == TRUSTED && l.c == PUBLIC;
}

bool
label_content_ok_at_release(struct label l)
{
	return l.c == PUBLIC;
}

const char *
label_text(struct label l)
{
	if (l.i == TRUSTED)
		return l.c == PUBLIC ? "(T,pub)" : "(T,priv)";
	return l.c == PUBLIC ? "(U,pub)" : "(U,priv)";
}

const char *
label_integrity(struct label l)
{
	return l.i == TRUSTED ? "trusted" : "untrusted";
}

const char *
label_secrecy(struct label l)
{
	return l.c == PUBLIC ? "public" : "private";
}

struct label
label_parse(const char *integrity, const char *secrecy)
{
	return (struct label){
	    integrity != NULL && strcmp(integrity, "trusted") == 0 ? TRUSTED : UNTRUSTED,
	    secrecy != NULL && strcmp(secrecy, "public") == 0 ? PUBLIC : PRIVATE,
	};
}

void
context_absorb(struct context *c, enum integrity i)
{
	if (i == UNTRUSTED)
		c->i = UNTRUSTED;
}

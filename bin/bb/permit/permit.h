/* DOOR of permit/: the order of decisions of one call. It asks nobody and opens
 * nothing; session/ does what it says. Gates that later work fills keep their place
 * here by name and let nothing through that they will stop. */
#ifndef BB_PERMIT_PERMIT_H
#define BB_PERMIT_PERMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "libcommon/tool.h"

/* The gates, in the order in which a call passes them (flow 8). */
enum gate {
	GATE_PRECOMMIT,
	GATE_CAPABILITY,
	GATE_ARGUMENT,
	GATE_REFERENCE,
	GATE_RULES, /* read and write rules: built with permissions */
	GATE_PROMOTE,
	GATE_TRUST,
	GATE_CONFINE,
	GATE_ACTION,
	GATE_APPROVAL, /* the person, for this one effect as drawn */
	GATE_ENDORSED,
	GATE_SCAN, /* credential scan: built with bb-scan */
	GATE_PRESENT,
	GATE_COUNT
};
const char *gate_name(enum gate g);
/* Is the gate built? The others pass every call of today's tools, because no tool
 * of today can do what they will stop, and `bb doctor` names them. */
bool gate_built(enum gate g);
/* What an unbuilt gate will stop, one sentence; "" for a built one. */
const char *gate_later(enum gate g);

/* Which tools a session offers: --tools and --read-only only narrow. */
struct offer {
	const char *only; /* comma list or NULL */
	bool read_only;
};
bool permit_offered(const struct offer *o, const struct tool *t);
/* E_UNKNOWN when `only` names a tool that is not in the table; *bad is it. */
int permit_check(const struct offer *o, const char **bad, size_t *bad_len);

#endif

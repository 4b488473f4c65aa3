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
	GATE_RULES, /* read and write rules of the settings */
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

/* ---- rules.c: permission rules of the settings (permissions 1-3) ----------- */

enum rule_list { RULE_DENY, RULE_ASK, RULE_ALLOW };
enum rule_family {
	RULE_READ,
	RULE_EDIT,
	RULE_BASH,
	RULE_CONFINED,
	RULE_WEBFETCH,
	RULE_MCP
};
extern const char *const rule_list_words[]; /* "deny", "ask", "allow" */
struct rule {
	enum rule_list list;
	enum rule_family family;
	const char *text; /* as written, trimmed */
	const char *from; /* the file it stands in */
};
struct rules;
/* No rules yet. `workspace`: canonical; `home`: what `~` is, or NULL; `folds`: letters
 * are compared without case. 0, E_NOMEM. */
must_use int rules_new(const char *workspace, const char *home, bool folds,
    struct rules **out);
void rules_free(struct rules *r);
/* One more rule, of file `from`; `dir` is what a single leading slash means. 0; E_BAD: it
 * cannot be read, *why says what is wrong; E_NOMEM. */
must_use int rules_add(struct rules *r, enum rule_list list, const char *text,
    const char *from, const char *dir, const char **why);
/* The workspace is another one now: patterns are read from there. 0; E_BAD, E_NOMEM: some
 * rule no longer holds, and nothing may go on. */
must_use int rules_move(struct rules *r, const char *workspace);
/* The rule that decides about a path, or NULL: deny before ask before allow, whatever the
 * order of the files; a path by its name and by the name it lands at (may be NULL), of
 * which the second never allows. A directory on the way restricts too. For RULE_EDIT what
 * denies reading denies as well. Borrowed. */
const struct rule *rules_decide(const struct rules *r, enum rule_family f,
    const char *spelled, const char *reached);
/* Is there any rule of this family that denies or asks? */
bool rules_restrict(const struct rules *r, enum rule_family f);
size_t rules_count(const struct rules *r);
const struct rule *rules_at(const struct rules *r, size_t i);

#endif

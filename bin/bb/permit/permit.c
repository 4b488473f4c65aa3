/* The order of decisions, as data. What a later gate will stop is named beside it;
 * nothing that it will stop can be asked for by a tool of today. */
#include "bin/bb/permit/permit.h"

#include <string.h>

#include "libcommon/err.h"

static const struct {
	const char *name, *later;
} gates[GATE_COUNT] = {
    [GATE_PRECOMMIT] = {"precommit", ""},
    [GATE_CAPABILITY] = {"capability", ""},
    [GATE_ARGUMENT] = {"argument", ""},
    [GATE_REFERENCE] = {"reference", ""},
    [GATE_RULES] = {"rules", ""},
    [GATE_PROMOTE] = {"promote", ""},
    [GATE_TRUST] = {"trust", ""},
    [GATE_CONFINE] = {"confine", ""},
    [GATE_ACTION] = {"action", ""},
    [GATE_APPROVAL] = {"approval", ""},
    [GATE_ENDORSED] = {"endorsed-destination", ""},
    [GATE_SCAN] = {"credential-scan",
        "credentials in what a trusted read would show or a write would carry"},
    [GATE_PRESENT] = {"present", ""},
};

const char *
gate_name(enum gate g)
{
	return gates[g].name;
}

bool
gate_built(enum gate g)
{
	return gates[g].later[0] == '\0';
}

const char *
gate_later(enum gate g)
{
	return gates[g].later;
}

static bool
listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p != '\0';) {
		size_t len = strcspn(p, ",");

		if (len == n && memcmp(p, name, n) == 0)
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

bool
permit_offered(const struct offer *o, const struct tool *t)
{
	if (o->read_only && t->effect)
		return false;
	return o->only == NULL || listed(o->only, t->name);
}

int
permit_check(const struct offer *o, const char **bad, size_t *bad_len)
{
	if (o->only == NULL)
		return 0;
	for (const char *p = o->only; *p != '\0';) {
		size_t len = strcspn(p, ",");
		bool known = false;

		for (size_t i = 0; i < tools_len; i++)
			known |= strlen(tools[i]->name) == len &&
			    memcmp(tools[i]->name, p, len) == 0;
		if (!known) {
			*bad = p;
			*bad_len = len;
			return E_UNKNOWN;
		}
		p += len + (p[len] == ',');
	}
	return 0;
}

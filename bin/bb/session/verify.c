/* bb log --verify: is the record whole? The sequence unbroken, nothing of a call before
 * the call, no effect before a gate, no refusal without the gate that refused, no torn
 * line, no end missing. It is no seal: who may write the file may write all of it anew.
 * It prints line numbers and fixed words, nothing that the trail holds. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb/session/log_int.h"

#define OPEN_MOST 4096
#define FAULTS_MOST 20

/* The gates that precede each kind of consequence (flow 8.1, 12.2): what a helper was
 * started for, a name held back, and text shown. */
enum {
	PASSED_PRECOMMIT = 1 << 0,
	PASSED_CAPABILITY = 1 << 1,
	PASSED_RULES = 1 << 2,
	PASSED_CONFINE = 1 << 3,
	PASSED_PROMOTE = 1 << 4,
	PASSED_TRUST = 1 << 5,
	PASSED_ACTION = 1 << 6,
	PASSED_PRESENT = 1 << 7,
	PASSED_FIELD = 1 << 8 /* an argument allowed */
};
static const struct {
	const char *gate;
	unsigned bit;
} gate_bits[] = {
    {"precommit", PASSED_PRECOMMIT},
    {"capability", PASSED_CAPABILITY},
    {"rules", PASSED_RULES},
    {"confine", PASSED_CONFINE},
    {"promote", PASSED_PROMOTE},
    {"trust", PASSED_TRUST},
    {"action", PASSED_ACTION},
    {"present", PASSED_PRESENT},
};
#define BEFORE_HELD \
	(PASSED_PRECOMMIT | PASSED_CAPABILITY | PASSED_FIELD | PASSED_RULES | \
	    PASSED_CONFINE | PASSED_PROMOTE | PASSED_TRUST)
#define BEFORE_OBSERVED (BEFORE_HELD | PASSED_ACTION)

struct open_call {
	int64_t n;
	unsigned passed;
	bool gated, blocked, observed;
};

struct verifier {
	uint64_t lines, faults, unended, calls;
	int64_t seq, last, begun; /* of the session being read */
	bool ended;               /* its end was read */
	struct open_call open[OPEN_MOST];
	size_t n_open;
	struct {
		uint64_t line;
		const char *what;
	} found[FAULTS_MOST];
};

struct verifier *
verifier_new(void)
{
	struct verifier *v = calloc(1, sizeof(*v));

	if (v == NULL)
		bug("out of memory");
	return v;
}

static void
fault(struct verifier *v, const char *what)
{
	if (v->faults < FAULTS_MOST) {
		v->found[v->faults].line = v->lines;
		v->found[v->faults].what = what;
	}
	v->faults++;
}

void
verifier_blank(struct verifier *v)
{
	v->lines++;
}

void
verifier_fault(struct verifier *v, const char *what)
{
	v->lines++;
	fault(v, what);
}

static struct open_call *
open_of(struct verifier *v, int64_t n)
{
	for (size_t i = v->n_open; i-- > 0;)
		if (v->open[i].n == n)
			return &v->open[i];
	return NULL;
}

static void
begins(struct verifier *v, int64_t n)
{
	if (n <= v->last)
		fault(v, "the number of this call was used before");
	else
		v->last = n;
	v->calls++;
	v->begun++;
	if (v->n_open == OPEN_MOST) {
		fault(v, "more than 4096 calls have no end");
		v->n_open = 0;
	}
	v->open[v->n_open++] = (struct open_call){.n = n};
}

static bool
trusted(const json_t *line)
{
	const char *i = json_string_value(json_at(line, ".label.integrity"));

	return i != NULL && strcmp(i, "trusted") == 0;
}

static unsigned
bit_of(const json_t *line)
{
	const char *gate = json_string_value(json_object_get(line, "gate"));

	for (size_t i = 0; gate != NULL && i < sizeof(gate_bits) / sizeof(*gate_bits);
	     i++)
		if (strcmp(gate_bits[i].gate, gate) == 0)
			return gate_bits[i].bit;
	return 0;
}

static void
ends(struct verifier *v, struct open_call *c, const json_t *line)
{
	const char *status = json_string_value(json_object_get(line, "status"));

	if (status == NULL)
		fault(v, "an end without a status");
	else if ((strcmp(status, "ok") == 0 || strcmp(status, "partial") == 0) &&
	    !c->gated)
		fault(v, "a call was done without passing a gate");
	else if (strcmp(status, "refused") == 0 && !c->blocked)
		fault(v, "a call was refused by no gate");
	if (status != NULL &&
	    (strcmp(status, "ok") == 0 || strcmp(status, "partial") == 0) &&
	    c->observed && trusted(line) && (c->passed & PASSED_PRESENT) == 0)
		fault(v, "text was shown without the gate that shows it");
	*c = v->open[--v->n_open];
}

void
verifier_line(struct verifier *v, const json_t *line, const char *kind)
{
	int64_t seq = json_integer_value(json_object_get(line, "seq")),
	        n = json_integer_value(json_object_get(line, "call"));
	struct open_call *c;

	v->lines++;
	if (strcmp(kind, "session") ==
	    0) { /* --trail FILE: one session after the other */
		if (v->lines > 1 && !v->ended)
			fault(v, "the session before has no end: cut, or killed");
		v->unended += v->n_open;
		v->n_open = 0;
		v->seq = v->last = v->begun = 0;
		v->ended = false;
	} else if (v->lines == 1) {
		fault(v, "the record does not begin with its session");
	} else if (v->ended) {
		fault(v, "it comes after the session's end");
	}
	if (seq <= 0 || v->seq == INT64_MAX || seq != v->seq + 1)
		fault(v, "the sequence is broken");
	v->seq = seq;
	if (!json_is_boolean(json_object_get(line, "refusal")))
		fault(v, "it does not say whether it is a refusal");
	if (strcmp(kind, "session_end") == 0) {
		v->ended = true;
		if (json_integer_value(json_object_get(line, "calls")) != v->begun)
			fault(v, "the session's end counts other calls than began");
	}
	if (n == 0)
		return;
	if (strcmp(kind, "call") == 0) {
		begins(v, n);
		return;
	}
	if ((c = open_of(v, n)) == NULL) {
		fault(v, "its call did not begin, or has ended");
		return;
	}
	if (strcmp(kind, "gate_passed") == 0) {
		c->gated = true;
		c->passed |= bit_of(line);
	} else if (strcmp(kind, "gate_blocked") == 0)
		c->blocked = true;
	else if (strcmp(kind, "action_field") == 0) {
		bool allowed = json_is_true(json_object_get(line, "allowed"));

		c->gated |= allowed;
		c->passed |= allowed ? PASSED_FIELD : 0;
		c->blocked |= !allowed;
	} else if ((strcmp(kind, "observed") == 0 || strncmp(kind, "slot_", 5) == 0 ||
	               strcmp(kind, "declassified") == 0) &&
	    !c->gated) {
		fault(v, "an effect with no gate before it");
	}
	if (strcmp(kind, "observed") == 0) {
		c->observed = true;
		if ((~c->passed & BEFORE_OBSERVED) != 0)
			fault(v, "a helper was started before all of its gates");
	} else if (strcmp(kind, "slot_deferred") == 0 &&
	    (~c->passed & BEFORE_HELD) != 0) {
		fault(v, "a name was held back before all of its gates");
	}
	if (strcmp(kind, "done") == 0)
		ends(v, c, line);
}

static void
as_json(const struct verifier *v, bool running)
{
	printf("{\"schema\":1,\"whole\":%s,\"lines\":%" PRIu64 ",\"calls\":%" PRIu64
	       ",\"unended\":%" PRIu64 ",\"ended\":%s,\"running\":%s,\"faults\":[",
	    v->faults == 0 ? "true" : "false", v->lines, v->calls, v->unended,
	    v->ended ? "true" : "false", running ? "true" : "false");
	for (size_t i = 0; i < v->faults && i < FAULTS_MOST; i++)
		printf("%s{\"line\":%" PRIu64 ",\"what\":\"%s\"}", i > 0 ? "," : "",
		    v->found[i].line, v->found[i].what);
	printf("],\"more\":%" PRIu64 "}\n",
	    v->faults > FAULTS_MOST ? v->faults - FAULTS_MOST : 0);
}

bool
verifier_end(struct verifier *v, bool json, bool running)
{
	bool whole;

	v->unended += v->n_open;
	running = running && !v->ended;
	if (v->lines == 0)
		fault(v, "the record is empty");
	else if (!v->ended && !running)
		fault(v,
		    "the record ends without the session's end: cut, or the session was "
		    "killed");
	whole = v->faults == 0;
	if (json) {
		as_json(v, running);
	} else {
		for (size_t i = 0; i < v->faults && i < FAULTS_MOST; i++)
			printf("line %" PRIu64 ": %s\n", v->found[i].line,
			    v->found[i].what);
		if (v->faults > FAULTS_MOST)
			printf("and %" PRIu64 " more\n", v->faults - FAULTS_MOST);
		printf("%" PRIu64 " line%s, %" PRIu64 " call%s, %s", v->lines,
		    v->lines == 1 ? "" : "s", v->calls, v->calls == 1 ? "" : "s",
		    !whole        ? "not whole"
		        : running ? "whole so far, still running"
		                  : "whole");
		if (v->unended > 0)
			printf("; %" PRIu64 " call%s without an end", v->unended,
			    v->unended == 1 ? "" : "s");
		putchar('\n');
	}
	free(v);
	return whole;
}

/* The probes of one helper: each outside as its control, in the helper's place, and made
 * by the real helper itself where it can be traced; then all again on a weaker host. The
 * witness says what happened whatever the answers were. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/clock.h"
#include "libcommon/confine.h"

static void
emit(struct run *r, struct verdict *v)
{
	uint64_t now = clock_mono_us();

	v->ms = (double)(now - r->since) / 1000;
	r->since = now;
	if (!v->applies || v->skipped != NULL)
		v->held = false;
	r->fn(r->arg, v);
}

const char *
value_words(long v, char *b, size_t n)
{
	if (v == PROBE_KILLED)
		(void)snprintf(b, n, "killed");
	else if (v == PROBE_GOOD)
		(void)snprintf(b, n, "works");
	else if (v >= PROBE_SIGNAL(1) && v <= PROBE_SIGNAL(64))
		(void)snprintf(b, n, "SIG%s", sigabbrev_np((int)(v - PROBE_SIGNAL(0))));
	else if (v < 0 && v > -4096)
		(void)snprintf(b, n, "%s",
		    strerrorname_np((int)-v) != NULL ? strerrorname_np((int)-v)
		                                     : "errno");
	else
		(void)snprintf(b, n, "answered %ld", v);
	return b;
}

void
check(struct run *r, int row, const char *name, const char *layer, bool held,
    bool control, const char *expected, const char *seen)
{
	struct verdict v = {.row = row,
	    .name = name,
	    .layer = layer,
	    .held = held,
	    .applies = control,
	    .control = control ? "succeeded" : "failed",
	    .missing = control ? NULL : "the same"};

	(void)snprintf(v.expected, sizeof(v.expected), "%s", expected);
	(void)snprintf(v.seen, sizeof(v.seen), "%s", seen);
	emit(r, &v);
}

void
check_skip(struct run *r, int row, const char *name, const char *layer, const char *why)
{
	struct verdict v = {.row = row,
	    .name = name,
	    .layer = layer,
	    .skipped = why,
	    .control = "failed",
	    .expected = "held",
	    .seen = "not tried"};

	emit(r, &v);
}

/* --- one probe ------------------------------------------------------------------------ */

/* Did the control do what it must for the row to mean anything? */
static bool
control_held(const struct probe *q, const struct end *e)
{
	if (e->status == -1)
		return false;
	switch (q->control) {
	case CONTROL_OK:
		return e->kind == END_VALUE && e->value >= 0;
	case CONTROL_REACHED:
		/* It left, or was stopped by a signal of its own: it got there. */
		return e->kind == END_OTHER ||
		    (e->kind == END_VALUE && e->value != -ENOSYS && e->value != -EPERM &&
		        e->value != -EACCES);
	case CONTROL_ALIVE:
		return e->kind != END_KILLED;
	}
	return false;
}

static long
seen_of(const struct end *e)
{
	if (e->kind == END_KILLED)
		return PROBE_KILLED;
	if (e->kind == END_VALUE)
		return e->value;
	return WIFSIGNALED(e->status) && !WCOREDUMP(e->status)
	    ? PROBE_SIGNAL(WTERMSIG(e->status))
	    : PROBE_NOTHING;
}

static bool
fits(const struct probe *q, const struct end *e)
{
	long seen = seen_of(e);

	if (seen == PROBE_NOTHING)
		return false;
	return seen == q->want || seen == q->or_want ||
	    (q->want == PROBE_GOOD && seen >= 0);
}

static void
end_words(const struct end *e, char *b, size_t n)
{
	if (seen_of(e) != PROBE_NOTHING)
		(void)value_words(seen_of(e), b, n);
	else if (e->status == -1)
		(void)snprintf(b, n, "nothing");
	else if (WIFSIGNALED(e->status))
		(void)snprintf(b, n, "SIG%s and a core",
		    sigabbrev_np(WTERMSIG(e->status)));
	else
		(void)snprintf(b, n, "status %d", WEXITSTATUS(e->status));
}

/* The call made by the real helper, behind its filter or before it. */
static struct end
by_helper(const struct run *r, const struct probe *q)
{
	static const long room_for_one[7] = {SYS_close, 2};
	struct end e = {.kind = END_OTHER, .status = -1};
	struct inside i;
	bool alone = q->stage == STAGE_ALONE;

	if (inside_start(r->p, r->helpers, 0, &i) == 0 &&
	    (alone || inside_filter(&i) == 0)) {
		/* Its table of descriptors may be full: that would answer first. */
		if (alone)
			(void)inside_call(&i, room_for_one);
		e = inside_call(&i, q->args);
	}
	inside_end(&i);
	return e;
}

static void
one_probe(struct run *r, size_t n)
{
	const struct probe *q = &r->probes.at[n];
	struct verdict v = {.row = q->row, .name = q->name, .layer = q->layer};
	struct end out, in, self;
	struct witness w;
	const char *done;
	char missing[48], a[48];
	bool alone = q->stage == STAGE_ALONE, twice;

	if (alone && !r->traceable) {
		check_skip(r, q->row, q->name, q->layer,
		    "the helper cannot be traced here");
		return;
	}
	out = place_outside(r->p, q);
	v.applies = control_held(q, &out);
	v.control = v.applies ? "succeeded" : "failed";
	place_before(r->p, &w);
	in = alone ? by_helper(r, q) : place_inside(r->p, n);
	twice = !alone && r->traceable && q->fn == probe_call;
	self = twice ? by_helper(r, q) : in;
	done = place_after(r->p, &w);
	v.held = fits(q, &in) && fits(q, &self) && done == NULL;
	(void)value_words(q->want, v.expected, sizeof(v.expected));
	end_words(&in, v.seen, sizeof(v.seen));
	if (done != NULL) {
		(void)snprintf(v.seen, sizeof(v.seen), "%s", done);
	} else if (fits(q, &in) && !fits(q, &self)) {
		end_words(&self, a, sizeof(a));
		(void)snprintf(v.seen, sizeof(v.seen), "%s by the helper itself", a);
	}
	if (!v.applies) {
		end_words(&out, missing, sizeof(missing));
		v.missing = missing;
		/* Where it must die, dying needs no control to be right; coming back is wrong
		 * with or without one. */
		if (!v.held && q->want == PROBE_KILLED)
			v.applies = true;
	}
	emit(r, &v);
}

/* --- a weaker host -------------------------------------------------------------------- */

static void
weaker_ready(struct run *r, int e, const char *name)
{
	unsigned need = confine_required(r->t, false);
	struct real h;
	bool started, claims, enough;
	char seen[64];

	started = real_start(r->p, r->helpers, (struct real_how){.mask = e}, &h) == 0;
	claims = started && (h.layers & LAYER_LANDLOCK) != 0;
	enough = started && (h.layers & need) == need;
	(void)snprintf(seen, sizeof(seen), "%s",
	    !started     ? "it does not start"
	        : claims ? "it claims Landlock"
	        : enough ? "ready without Landlock, which it does not need"
	                 : "not ready: bb refuses it");
	real_end(&h);
	check(r, 69, name, "READY",
	    !claims && (!started || enough == (r->t->n_landlock == 0)),
	    confine_landlock_abi() > 0, "no claim of Landlock", seen);
}

/* Landlock and openat2 answered as an older kernel or a container would. */
static void
weaker(struct run *r)
{
	static const struct {
		int e;
		const char *ready, *again;
	} rows[] = {{ENOSYS, "Landlock missing (ENOSYS): what READY says",
	                "Landlock and openat2 missing (ENOSYS): every probe again"},
	    {EPERM, "Landlock refused (EPERM): what READY says",
	        "Landlock and openat2 refused (EPERM): every probe again"},
	    {EOPNOTSUPP, "Landlock off at boot (EOPNOTSUPP): what READY says", NULL}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		size_t same = 0, other = 0;
		char seen[96] = "";

		weaker_ready(r, rows[k].e, rows[k].ready);
		for (size_t n = 0; rows[k].again != NULL && n < r->probes.n; n++) {
			const struct probe *q = &r->probes.at[n];
			struct end e;
			char a[40];

			/* What Landlock alone stops is not there: bb refuses to use it. */
			if (q->stage == STAGE_ALONE || strcmp(q->layer, "landlock") == 0)
				continue;
			e = place_forked(r->p, q->fn, q->args, rows[k].e);
			if (fits(q, &e)) {
				same++;
				continue;
			}
			end_words(&e, a, sizeof(a));
			if (other++ == 0)
				(void)snprintf(seen, sizeof(seen), "%.40s: %s", q->name,
				    a);
		}
		if (rows[k].again == NULL)
			continue;
		if (other == 0)
			(void)snprintf(seen, sizeof(seen), "the same verdict %zu times",
			    same);
		check(r, 69, rows[k].again, "seccomp", other == 0 && same > 0, true,
		    "the same verdicts", seen);
	}
}

/* SAFE: where the filter does not stop even this one, calls by the hundred that could do
 * harm are not made. */
static bool
filtered(struct run *r)
{
	static const long harmless[7] = {SYS_getppid};
	struct end e = place_forked(r->p, probe_call, harmless, 0);

	if (e.kind == END_KILLED)
		return true;
	check(r, 42, "getppid, which no page allows", "seccomp", false, true, "killed",
	    e.kind == END_VALUE ? "it came back: nothing more is tried" : "nothing");
	return false;
}

void
checks_run(const struct tool *t, const char *helpers, struct place *p, verdict_fn fn,
    void *arg)
{
	struct run r = {.t = t,
	    .helpers = helpers,
	    .p = p,
	    .fn = fn,
	    .arg = arg,
	    .since = clock_mono_us()};
	struct inside i;

	probes_list(p, &r.probes);
	checks_life(&r);
	if (!r.mute) {
		r.traceable = inside_start(p, helpers, 0, &i) == 0 && i.at != 0;
		inside_end(&i);
	}
	checks_layers(&r);
	if (filtered(&r)) {
		for (size_t n = 0; n < r.probes.n; n++)
			one_probe(&r, n);
		checks_numbers(&r);
		if (!r.mute)
			weaker(&r);
	}
	if (p->tool->fds[0].access == TOOL_DIR && !r.mute)
		checks_race(&r);
	free(r.probes.at);
}

/* The gate of the person's rules in one call: deny refuses before anything is opened, ask
 * asks before each call, and everything else goes on as if there were no rule. A rule is
 * asked about the name and about where it lands. */
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/questions.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define TEXT_STAY \
	"a setting of the person keeps reads within the workspace, and %s is outside it"
#define TEXT_DENIED \
	"a rule of the person denies this for %s; neither another name nor another try " \
	"changes it"

const struct rule *
rules_stop(const struct session *s, enum rule_family family, const char *spelled,
    const char *landed)
{
	const struct rule *r =
	    rules_decide(settings_rules(s->settings), family, spelled, landed);

	return r != NULL && r->list != RULE_ALLOW ? r : NULL;
}

void
call_rules_free(struct call *c)
{
	drawing_free(c->drawing);
	free(c->agreed);
}

/* For the trail: which rule, and whose. */
static void
named(const struct rule *r, struct buf *out)
{
	(void)buf_fmt(out, "%s %s, %s", rule_list_words[r->list], r->text, r->from);
}

static void
refuse(struct call *c, const char *code, const char *reason, const char *fmt)
{
	auto_buf struct buf quoted = BUF_INIT, says = BUF_INIT;

	(void)buf_fmt(&quoted, strncmp(c->shown, "ref:", 4) == 0 ? "%s" : "'%s'",
	    c->shown);
	if (strcmp(fmt, TEXT_STAY) == 0)
		(void)buf_fmt(&says, TEXT_STAY, buf_cstr(&quoted));
	else
		(void)buf_fmt(&says, TEXT_DENIED, buf_cstr(&quoted));
	buf_clear(&c->text);
	(void)buf_fmt(&c->text, "refused: %s", buf_cstr(&says));
	c->gate = gate_name(GATE_RULES);
	/* Which rule it was is the person's to know. */
	trail_block(c->s->trail, c->n, c->gate, c->shown, reason);
	call_finish(c, STATUS_REFUSED, code);
}

static bool
leaves(const struct session *s, const struct grant *g)
{
	const char *ws = reach_path(s->reach, 0);

	return settings_number(s->settings, SETTING_READS_STAY) != 0 &&
	    ((g->spelled != NULL && !path_covers(ws, g->spelled, NULL)) ||
	        (g->landed != NULL && !path_covers(ws, g->landed, NULL)));
}

/* What a yes is for: both names, and nothing else. */
static void
place_of(const struct grant *g, struct buf *out)
{
	(void)buf_fmt(out, "%s\n%s", g->spelled, g->landed != NULL ? g->landed : "");
}

static void
on_agreed(void *arg, const struct answered *a)
{
	struct call *c = arg;
	struct session *s = c->s;

	c->asking = false;
	c->asked_us += a->waited_us;
	drawing_free(c->drawing);
	c->drawing = NULL;
	trail_asked(s->trail, c->n, "rules", c->shown, a->by,
	    a->answer == ANSWER_YES             ? "yes"
	        : a->answer == ANSWER_STOP      ? "stop"
	        : a->answer == ANSWER_NO        ? "no"
	        : a->answer == ANSWER_WITHDRAWN ? "withdrawn"
	                                        : "nobody could be asked");
	if (a->answer == ANSWER_YES)
		s->yes++;
	else if (a->answer == ANSWER_NO || a->answer == ANSWER_STOP)
		s->no++;
	if (a->answer == ANSWER_STOP)
		(void)session_stop(s);
	if (c->cancelled) {
		call_cancelled(c);
		return;
	}
	if (a->answer == ANSWER_YES) {
		if (c->work != NULL && c->work_free != NULL)
			c->work_free(c->work);
		c->work = NULL;
		c->start(c); /* from its first gate on; the yes is for one place */
		return;
	}
	if (strcmp(a->by, "ask.maxDeclined") == 0)
		call_note(c, TEXT_DECLINED);
	if (a->answer == ANSWER_NO || a->answer == ANSWER_STOP) {
		call_refuse(c, GATE_RULES, "declined", "the person said no to '%s'",
		    c->shown);
		return;
	}
	(void)buf_str(&c->text, "refused: " TEXT_NOBODY);
	c->gate = gate_name(GATE_RULES);
	trail_block(s->trail, c->n, c->gate, c->shown, "nobody could be asked");
	call_finish(c, STATUS_UNASKED, "nobody-to-ask");
}

static void
ask(struct call *c, const struct grant *g, const struct rule *r)
{
	const char *ws = reach_path(c->s->reach, 0), *rest;
	auto_buf struct buf place = BUF_INIT;
	struct rule_facts f = {.verb = c->tool->verb,
	    .path = g->spelled,
	    .landed = g->linked ? g->landed : NULL,
	    .rule = r->text,
	    .from = r->from,
	    .why = c->why};
	struct question q = {.kind = "rules",
	    .who = "turn",
	    .tool = c->tool->name,
	    .why = c->why,
	    .answers = "yn"};
	const struct answered nobody = {.answer = ANSWER_NOBODY, .by = "nobody"};

	if (path_covers(ws, g->spelled, &rest) && *rest != '\0')
		f.path = rest + strspn(rest, "/");
	place_of(g, &place);
	if ((c->agreed = buf_take(&place)) == NULL || question_rule(&f, &c->drawing) != 0)
		bug("out of memory");
	q.object = f.path;
	q.drawing = c->drawing;
	if (!asker_reachable(c->s->asker)) {
		on_agreed(c, &nobody);
		return;
	}
	c->questions++;
	c->s->questions++;
	c->asking = true;
	if (asker_ask(c->s->asker, &q, on_agreed, c, &c->ask) != 0)
		on_agreed(c, &nobody);
}

static bool
judge(struct call *c, const struct grant *g, bool again)
{
	auto_buf struct buf b = BUF_INIT, place = BUF_INIT;
	const bool effect = c->tool->effect;
	const struct rule *r =
	    rules_stop(c->s, effect ? RULE_EDIT : RULE_READ, g->spelled, g->landed);

	if (leaves(c->s, g)) {
		refuse(c, "outside-workspace", "permissions.readsStayInWorkspace",
		    TEXT_STAY);
		return false;
	}
	if (r == NULL) {
		if (!again)
			trail_gate(c->s->trail, c->n, gate_name(GATE_RULES),
			    effect ? "edit rule: none stops it"
			           : "read rule: none stops it");
		return true;
	}
	named(r, &b);
	if (r->list == RULE_DENY) {
		refuse(c, "deny-rule", buf_cstr(&b), TEXT_DENIED);
		return false;
	}
	if (effect) { /* its own question is asked about each effect, with what is drawn */
		(void)buf_str(&b, ": the effect itself is asked about");
		if (!again)
			trail_gate(c->s->trail, c->n, gate_name(GATE_RULES),
			    buf_cstr(&b));
		return true;
	}
	(void)buf_str(&b,
	    c->typed ? ": the person typed this call" : ": the person agreed");
	if (c->agreed != NULL || c->typed) {
		place_of(g, &place);
		if (c->typed || strcmp(c->agreed, buf_cstr(&place)) == 0) {
			if (!again)
				trail_gate(c->s->trail, c->n, gate_name(GATE_RULES),
				    buf_cstr(&b));
			return true;
		}
	}
	/* SAFE: a yes is for the place that was drawn. */
	if (again || c->agreed != NULL) {
		call_refuse(c, GATE_RULES, "stale",
		    "'%s' leads elsewhere since the person was asked", c->shown);
		return false;
	}
	ask(c, g, r);
	return false;
}

bool
call_rules(struct call *c, const struct grant *g)
{
	return judge(c, g, false);
}

bool
call_rules_again(struct call *c, const struct grant *g)
{
	return judge(c, g, true);
}

/* The question that the agent asks (prompts 2.10). Its words are foreign; nothing they say
 * can approve anything. */
#include <stdio.h>

#include "bin/bb/session/questions.h"

#define CTRL_C '\003'

int
question_agent(const struct agent_facts *f, struct drawing **out)
{
	unsigned own = f->options + 1;
	char keys[48];
	struct drawing *d;
	int r;

	if ((r = drawing_new("the agent asks", out)) != 0)
		return r;
	d = *out;
	drawing_object(d, f->header, SHADE_BOLD);
	drawing_object(d, f->question, SHADE_PLAIN);
	drawing_why(d, f->why);
	drawing_say(d, "", SHADE_PLAIN);
	for (unsigned i = 0; i < f->options; i++)
		drawing_choice(d, i + 1, f->multiple, f->label[i], f->detail[i]);
	(void)snprintf(keys, sizeof(keys), "%u", own);
	drawing_fact(d, keys,
	    f->options > 0 ? "something else: type it" : "type your answer", false,
	    SHADE_PLAIN);
	if (f->multiple && f->options > 0) {
		(void)snprintf(keys, sizeof(keys), "1-%u choose or take back, %u type",
		    f->options, own);
		drawing_key(d, '\0', keys, false);
		drawing_key(d, 'd', "done", false);
		drawing_explain(d, 'd',
		    "the agent is told which ones you chose; none is an answer too");
	} else {
		(void)snprintf(keys, sizeof(keys), own > 1 ? "1-%u choose" : "%u type",
		    own);
		drawing_key(d, '\0', keys, false);
	}
	drawing_key(d, 's', "skip this one", false);
	drawing_explain(d, 's',
	    "the agent is told that you passed it over and goes on; it is not asked "
	    "again");
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, CTRL_C, "no answer, and the agent stops working");
	return 0;
}

/* What becomes of a question, in words: the row after its answer and the drawing that
 * takes its place when it is withdrawn. */
#include "bin/bb/ui/ask_int.h"

#include <string.h>

static const struct {
	const char *kind, *verb, *yes;
} kinds[] = {
    {"trust", "trust", "yes, this session"},
    {"vouch", "read", "yes, this session"},
    {"directory", "add", "yes, this session"},
    {"lsp", "start", "yes, this session"},
    {"rules", "rules", "yes, from now on"},
    {"mcp-server", "server", "yes, this session"},
    {"mcp-tools", "tools", "yes, this session"},
    {"write", "write", "yes, once"},
    {"credential", "write", "yes, once"},
    {"edit", "edit", "yes, once"},
    {"run", "run", "yes, once"},
    {"output", "output", "yes, once"},
    {"vet", "show", "yes, once"},
    {"fetch", "fetch", "yes, once"},
    {"mcp-call", "call", "yes, once"},
    {"question", "ask", "answered"},
};

const char *
asker_verb(const char *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].verb;
	return "question";
}

enum answer
asker_answer(char letter)
{
	switch (letter) {
	case 'y':
		return ANSWER_YES;
	case 'a':
		return ANSWER_ALWAYS;
	case 'r':
		return ANSWER_REMEMBER;
	case CTRL_C:
		return ANSWER_STOP;
	case CHOSEN:
		return ANSWER_CHOSEN;
	case SKIPPED:
		return ANSWER_SKIPPED;
	default:
		return ANSWER_NO;
	}
}

const char *
asker_outcome(const char *kind, char letter)
{
	switch (letter) {
	case 'a':
		return "yes, this session";
	case 'r':
		return "yes, from now on";
	case 'n':
		return "no";
	case CTRL_C:
		return "stopped";
	case SKIPPED:
		return "skipped";
	case 'y':
		break;
	default:
		return "answered";
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].yes;
	return "yes";
}

int
asker_instead(const char *kind, const char *object, const char *reason,
    struct drawing **out)
{
	bool cancelled = strcmp(reason, "cancelled") == 0;
	bool writes = strcmp(kind, "write") == 0 || strcmp(kind, "edit") == 0 ||
	    strcmp(kind, "credential") == 0;
	bool file = writes || strcmp(kind, "vouch") == 0;
	struct drawing *d;
	int r;

	r = drawing_new(cancelled ? "the question was withdrawn"
	                          : "it changed while you were asked",
	    out);
	if (r != 0)
		return r;
	d = *out;
	if (object != NULL && *object != '\0')
		drawing_fact(d, file ? "file" : asker_verb(kind), object, true,
		    SHADE_BOLD);
	/* a reason may hold a name */
	if (!cancelled && strcmp(reason, "stale") != 0 && file)
		drawing_also(d, 1, reason, true, SHADE_PLAIN);
	else if (!cancelled && strcmp(reason, "stale") != 0)
		drawing_fact(d, "", reason, true, SHADE_PLAIN);
	drawing_say(d,
	    cancelled    ? "the call was cancelled; nothing was done"
	        : writes ? "your answer was not used; nothing was written"
	                 : "your answer was not used; nothing was done",
	    SHADE_PLAIN);
	drawing_key(d, '\0', "any key goes on", false);
	return 0;
}

/* The questions that let a held-back slot through (prompts 2.6, 2.7). All of it is shown:
 * the yes waits until its end was drawn. */
#include <string.h>

#include "bin/bb/session/questions.h"

#define CTRL_C '\003'

static void
sizes(const struct promote_facts *f, struct buf *s)
{
	if (f->media == NULL) {
		words_many(f->lines, "line", s);
		(void)buf_str(s, ", ");
	}
	words_many(f->bytes, "byte", s);
}

static void
check(const struct promote_facts *f, struct drawing *d)
{
	drawing_fact(d, "check",
	    f->check != NULL ? f->check : "not made (no model configured)", false,
	    f->alarming ? SHADE_YELLOW : SHADE_PLAIN);
	if (f->check_says != NULL && *f->check_says != '\0')
		drawing_remark(d, f->check_says, strlen(f->check_says));
	drawing_why(d, f->why);
}

static void
content(const struct promote_facts *f, struct drawing *d)
{
	if (f->media != NULL) {
		drawing_say(d, "", SHADE_PLAIN);
		drawing_say(d,
		    f->media[0] == 'i' ? "a picture, copied to" : "a PDF, copied to",
		    SHADE_PLAIN);
		if (f->copy != NULL)
			drawing_also(d, 1, f->copy, true, SHADE_BOLD);
		drawing_also(d, 1, "for you to open", false, SHADE_PLAIN);
	} else if (f->bytes == 0) {
		drawing_no_content(d, "(empty)");
	} else {
		drawing_content(d, f->content, f->content_len, 0);
	}
}

static void
keys(struct drawing *d, const char *yes, const char *sentence)
{
	drawing_key(d, 'y', yes, true);
	drawing_key(d, 'n', "keep it back", false);
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y', sentence);
	drawing_explain(d, 'n',
	    "the agent is told that you kept it back, and not one word");
	drawing_explain(d, ' ', "the next rows of it");
	drawing_explain(d, CTRL_C, "no, and the agent stops working");
}

int
question_vet(const struct promote_facts *f, struct drawing **out)
{
	auto_buf struct buf s = BUF_INIT;
	struct drawing *d;
	int r;

	if ((r = drawing_new("let the agent read this?", out)) != 0)
		return r;
	d = *out;
	sizes(f, &s);
	if (f->file != NULL) {
		drawing_fact(d, "source", "the file", false, SHADE_PLAIN);
		drawing_also(d, 1, f->file, true, SHADE_BOLD);
	} else if (f->command != NULL) {
		drawing_fact(d, "source", "what", false, SHADE_PLAIN);
		drawing_also(d, 1, f->command, true, SHADE_BOLD);
		drawing_also(d, 1, "printed", false, SHADE_PLAIN);
	} else {
		drawing_fact(d, "source", f->origin != NULL ? f->origin : "", true,
		    SHADE_BOLD);
	}
	drawing_fact(d, "", buf_cstr(&s), false, SHADE_PLAIN);
	if (f->expects != NULL)
		drawing_fact(d, "expects", f->expects, true, SHADE_PLAIN);
	check(f, d);
	content(f, d);
	keys(d, "let it read this once",
	    "the agent reads what is drawn here, this once; no file is vouched for, and "
	    "reading it again holds it back again");
	return 0;
}

int
question_output(const struct promote_facts *f, struct drawing **out)
{
	auto_buf struct buf s = BUF_INIT;
	struct drawing *d;
	int r;

	if ((r = drawing_new("let the agent read what this printed?", out)) != 0)
		return r;
	d = *out;
	sizes(f, &s);
	drawing_fact(d, "printed by", f->command != NULL ? f->command : "", true,
	    SHADE_BOLD);
	drawing_fact(d, "", buf_cstr(&s), false, SHADE_PLAIN);
	check(f, d);
	content(f, d);
	keys(d, "this once",
	    "the agent reads what is drawn here; what the command prints another time is "
	    "asked about again");
	return 0;
}

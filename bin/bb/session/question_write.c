/* The questions of a write and of an edit (prompts 2.2, 2.3). */
#include <string.h>

#include "bin/bb/session/questions.h"

#define CTRL_C '\003'

static void
file_facts(const struct write_facts *f, struct drawing *d)
{
	auto_buf struct buf s = BUF_INIT;

	drawing_fact(d, "file", f->path, true, SHADE_BOLD);
	if (f->fresh) {
		(void)buf_str(&s, f->bytes == 0 ? "new, empty" : "new, ");
		if (f->bytes > 0) {
			words_many(f->lines, "line", &s);
			(void)buf_str(&s, ", ");
			words_many(f->bytes, "byte", &s);
		}
	} else {
		if (f->places > 0)
			words_many(f->places, "place", &s);
		else
			(void)buf_str(&s,
			    f->uncompared ? "not compared: " : "the same text");
		if (f->uncompared) {
			words_many(f->old_bytes, "byte", &s);
			(void)buf_str(&s, " go, ");
			words_many(f->bytes, "byte", &s);
			(void)buf_str(&s, " come");
		} else if (f->places > 0) {
			(void)buf_str(&s, ", +");
			words_count(f->added, &s);
			(void)buf_str(&s, " -");
			words_count(f->removed, &s);
		}
		if (f->ends_old != NULL && strcmp(f->ends_old, f->ends_new) == 0)
			(void)buf_str(&s, ", line endings kept");
	}
	drawing_fact(d, "", buf_cstr(&s), false, SHADE_PLAIN);
	if (f->large)
		drawing_fact(d, "", "too much of it differs to be compared line by line",
		    false, SHADE_PLAIN);
}

static void
replaced_facts(const struct write_facts *f, struct drawing *d)
{
	auto_buf struct buf s = BUF_INIT, e = BUF_INIT;

	if (f->fresh)
		return;
	(void)buf_str(&s, "written ");
	words_age(f->age_s, &s);
	if (f->names > 1) {
		(void)buf_str(&s, ", ");
		words_many(f->names - 1, "other name", &s);
		(void)buf_str(&s,
		    f->names > 2 ? " (hard links) keep the old text"
		                 : " (a hard link) keeps the old text");
	}
	if (!f->edit || f->names > 1)
		drawing_fact(d, "replaces", buf_cstr(&s), false, SHADE_PLAIN);
	if (f->ends_old != NULL && strcmp(f->ends_old, f->ends_new) != 0 &&
	    strcmp(f->ends_old, "none") != 0 && strcmp(f->ends_new, "none") != 0) {
		(void)buf_fmt(&e, "%s -> %s", f->ends_old, f->ends_new);
		drawing_fact(d, "endings", buf_cstr(&e), false, SHADE_YELLOW);
	}
	if ((f->mode & 0111) != 0) {
		buf_clear(&e);
		(void)buf_fmt(&e, "mode %04o kept", f->mode);
		drawing_fact(d, "executable", buf_cstr(&e), false, SHADE_PLAIN);
	}
	if (f->owner_lost)
		drawing_fact(d, "owner", "somebody else's file becomes yours", false,
		    SHADE_YELLOW);
}

int
question_write(const struct write_facts *f, struct drawing **out)
{
	auto_buf struct buf s = BUF_INIT;
	struct drawing *d;
	int r;

	if ((r = drawing_new(f->edit ? "edit"
	             : f->fresh      ? "write a new file"
	                             : "write over a file",
	         out)) != 0)
		return r;
	d = *out;
	file_facts(f, d);
	if (f->leads_to != NULL)
		drawing_fact(d, "leads to", f->leads_to, true, SHADE_BOLD);
	replaced_facts(f, d);
	if (f->from != NULL) {
		drawing_fact(d, "from", f->from, true, SHADE_PLAIN);
		if (f->unvouched)
			drawing_fact(d, "", "nobody vouched for it", false, SHADE_YELLOW);
	}
	if (f->obeyed)
		drawing_fact(d, "", "other programs act on this file", false,
		    SHADE_YELLOW);
	if (f->trust_lost)
		drawing_fact(d, "", "after this the agent may no longer read it", false,
		    SHADE_YELLOW);
	drawing_why(d, f->why);
	if (f->rows_len > 0) {
		drawing_content(d, f->rows, f->rows_len, 0);
		drawing_signs(d, f->signs);
	}
	if (f->rows_cut) {
		(void)buf_str(&s, "only the first ");
		words_many(f->rows_len, "byte", &s);
		(void)buf_str(&s, " can be shown here");
		drawing_say(d, buf_cstr(&s), SHADE_YELLOW);
	}
	drawing_key(d, 'y', "write it", true);
	drawing_key(d, 'n', "don't", false);
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y',
	    "the file becomes exactly this, now; the next write is asked about again");
	drawing_explain(d, 'n', "nothing is written; the agent is told so and goes on");
	drawing_explain(d, ' ', "the next rows");
	drawing_explain(d, CTRL_C, "no, and the agent stops working");
	return 0;
}

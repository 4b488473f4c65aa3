/* The words of each question. Facts come in as numbers, enums and marked foreign
 * strings; what is foreign never becomes part of a sentence of ours. */
#include "bin/bb/session/questions.h"

#include <string.h>

#define CTRL_C '\003'

/* The warning of a directory that is wider or less yours than a project is. */
static void
warn_row(bool yours, bool world_writable, const char *wide, struct drawing *d)
{
	auto_buf struct buf s = BUF_INIT;

	if (wide != NULL && strcmp(wide, "/") == 0)
		buf_str(&s, "it is the whole machine");
	else if (wide != NULL && strcmp(wide, "home") == 0)
		buf_str(&s, "it is your whole home directory");
	else if (wide != NULL)
		buf_str(&s,
		    "it is the temporary directory, where any program leaves files");
	if (!yours)
		buf_fmt(&s, "%sit belongs to somebody else", s.len > 0 ? "; " : "");
	if (world_writable)
		buf_fmt(&s, "%sanybody on this machine can write in it",
		    s.len > 0 ? "; " : "");
	if (s.len == 0)
		return;
	drawing_say(d, s.p, SHADE_YELLOW);
	drawing_say(d, "", SHADE_PLAIN);
}

int
question_opening(const struct opening_facts *f, struct drawing **out)
{
	auto_buf struct buf s = BUF_INIT;
	struct drawing *d;
	int r;

	if ((r = drawing_new("trust this directory?", out)) != 0)
		return r;
	d = *out;
	drawing_object(d, f->path, SHADE_BOLD);
	buf_fmt(&s, "%s, %s", f->git ? "git repository" : "directory",
	    f->yours ? "yours" : "somebody else's");
	if (f->age_s >= 0) {
		buf_str(&s, ", last change ");
		words_age(f->age_s, &s);
	}
	drawing_say(d, buf_cstr(&s), SHADE_PLAIN);
	drawing_say(d, "", SHADE_PLAIN);
	warn_row(f->yours, f->world_writable, f->wide, d);
	drawing_say(d,
	    "yes  the agent reads what is in it as if you had written it yourself",
	    SHADE_PLAIN);
	drawing_say(d,
	    "no   it is shown nothing out of it, neither names nor text; you are "
	    "asked about single files when it wants one",
	    SHADE_PLAIN);
	drawing_say(d, "", SHADE_PLAIN);
	drawing_say(d, "Lasts this session. Take part of it back with /distrust PATH.",
	    SHADE_PLAIN);
	drawing_key(d, 'y', "yes", true);
	drawing_key(d, 'n', "no", false);
	drawing_key(d, CTRL_C, "leave", false);
	drawing_explain(d, 'y',
	    "what is in this directory counts as written by you, until "
	    "the session ends or you take it back");
	drawing_explain(d, 'n',
	    "nothing in it is trusted; the session starts all the same");
	drawing_explain(d, CTRL_C, "ends bb; nothing was opened");
	return 0;
}

static void
vouch_content(const struct vouch_facts *f, struct drawing *d)
{
	auto_buf struct buf s = BUF_INIT;
	uint64_t lines = f->lines > 0 ? (uint64_t)f->lines : 0;

	if (f->bytes == 0) {
		drawing_no_content(d, "(empty file)");
		return;
	}
	if (f->binary) {
		buf_str(&s, "(not text; first bytes");
		for (size_t i = 0; i < f->head_len && i < 16; i++)
			buf_fmt(&s, " %02x", (unsigned char)f->head[i]);
		buf_byte(&s, ')');
		drawing_no_content(d, buf_cstr(&s));
		return;
	}
	drawing_content(d, f->head, f->head_len, lines);
	/* a missing newline at the end of the head hides nothing */
	if (f->head_len + (f->head_len == 0 || f->head[f->head_len - 1] != '\n') <
	    f->bytes) {
		buf_str(&s, "only the first ");
		words_many(f->head_len, "byte", &s);
		buf_str(&s, " can be shown here");
		drawing_say(d, buf_cstr(&s), SHADE_PLAIN);
	}
}

static void
vouch_facts_draw(const struct vouch_facts *f, struct drawing *d)
{
	auto_buf struct buf s = BUF_INIT;

	words_many(f->bytes, "byte", &s);
	if (f->lines >= 0 && !f->binary && f->bytes > 0) {
		buf_str(&s, ", ");
		words_many((uint64_t)f->lines, "line", &s);
	}
	drawing_fact(d, "file", f->path, true, SHADE_BOLD);
	drawing_also(d, 4, buf_cstr(&s), false, SHADE_PLAIN);
	drawing_fact(d, "", "nobody has vouched for it", false, SHADE_YELLOW);
	if (f->linked_to != NULL)
		drawing_fact(d, "leads to", f->linked_to, true, SHADE_BOLD);
	drawing_fact(d, "check",
	    f->check != NULL ? f->check : "not made (no model configured)", false,
	    f->alarming ? SHADE_YELLOW : SHADE_PLAIN);
	if (f->check_says != NULL && *f->check_says != '\0')
		drawing_remark(d, f->check_says, strlen(f->check_says));
	drawing_why(d, f->why);
}

int
question_vouch(const struct vouch_facts *f, struct drawing **out)
{
	struct drawing *d;
	int r;

	if ((r = drawing_new("let the agent read this file?", out)) != 0)
		return r;
	d = *out;
	vouch_facts_draw(f, d);
	vouch_content(f, d);
	if (f->hint_folder != NULL) {
		drawing_say(d, "/trust", SHADE_DIM);
		drawing_also(d, 1, f->hint_folder, true, SHADE_DIM);
		drawing_also(d, 1, "covers the folder", false, SHADE_DIM);
	}
	/* y stands for the file, not for the rows seen: it does not wait for the end */
	drawing_key(d, 'y', "this file, this session", false);
	drawing_key(d, 'n', "keep it back", false);
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y',
	    "the agent may read this file, also when it has changed, until the session "
	    "ends or you take it back with /distrust; other files of the folder stay as "
	    "they are");
	drawing_explain(d, 'n',
	    "the agent gets a reference to it and not one word; you are not "
	    "asked about it again in this turn");
	drawing_explain(d, ' ', "the next rows of the file");
	drawing_explain(d, CTRL_C, "no, and the agent stops working");
	return 0;
}

int
question_directory(const struct directory_facts *f, struct drawing **out)
{
	struct drawing *d;
	int r;

	if ((r = drawing_new("reach and trust another directory?", out)) != 0)
		return r;
	d = *out;
	drawing_fact(d, "directory", f->path, true, SHADE_BOLD);
	drawing_fact(d, "", "outside the workspace", false, SHADE_YELLOW);
	drawing_fact(d, "asked by", f->who, false, SHADE_PLAIN);
	if (f->typed != NULL && strcmp(f->typed, f->path) != 0)
		drawing_fact(d, "written", f->typed, true, SHADE_PLAIN);
	drawing_why(d, f->why);
	drawing_say(d, "", SHADE_PLAIN);
	warn_row(f->yours, f->world_writable, NULL, d);
	drawing_say(d,
	    "yes  the agent reads what is in it as if you had written it yourself, "
	    "and may ask to change it",
	    SHADE_PLAIN);
	drawing_say(d, "no   it stays out of reach", SHADE_PLAIN);
	drawing_key(d, 'y', "reach and trust, this session", true);
	drawing_key(d, 'n', "don't", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y',
	    "this directory is reached and trusted until the session ends");
	drawing_explain(d, 'n', "nothing changes");
	drawing_explain(d, CTRL_C, "no, and the agent stops working");
	return 0;
}

int
question_rule(const struct rule_facts *f, struct drawing **out)
{
	auto_buf struct buf title = BUF_INIT;
	struct drawing *d;
	int r;

	(void)buf_fmt(&title, "%s this? a rule of yours asks", f->verb);
	if ((r = drawing_new(buf_cstr(&title), out)) != 0)
		return r;
	d = *out;
	drawing_fact(d, "path", f->path, true, SHADE_BOLD);
	if (f->landed != NULL)
		drawing_fact(d, "leads to", f->landed, true, SHADE_YELLOW);
	drawing_fact(d, "rule", f->rule, true, SHADE_PLAIN);
	drawing_fact(d, "stands in", f->from, true, SHADE_PLAIN);
	drawing_why(d, f->why);
	drawing_key(d, 'y', "this once", true);
	drawing_key(d, 'n', "don't", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y',
	    "this one call goes on; what nobody vouched for stays held back");
	drawing_explain(d, 'n', "the agent is told that you said no");
	drawing_explain(d, CTRL_C, "no, and the agent stops working");
	return 0;
}

int
question_stale(const struct stale_facts *f, struct drawing **out)
{
	auto_buf struct buf s = BUF_INIT, t = BUF_INIT;
	struct drawing *d;
	int r;

	if ((r = drawing_new("it changed while you were asked", out)) != 0)
		return r;
	d = *out;
	if (f->what != NULL) {
		buf_str(&s, f->what);
	} else {
		buf_str(&s, "was written by something else");
		if (f->age_s >= 0) {
			buf_byte(&s, ' ');
			words_age(f->age_s, &s);
		}
	}
	buf_fmt(&t, "your answer was not used; %s",
	    f->nothing != NULL ? f->nothing : "nothing was written");
	drawing_fact(d, f->label != NULL ? f->label : "file", f->object, true,
	    SHADE_BOLD);
	drawing_also(d, 1, buf_cstr(&s), false, SHADE_PLAIN);
	drawing_say(d, buf_cstr(&t), SHADE_PLAIN);
	drawing_key(d, '\0', "any key goes on", false);
	return 0;
}

/* bb approve: the person's second terminal for a running session. Its questions
 * are drawn here, at this window's width, and answered by the same keys as
 * anywhere; the session's rows and what its commands answer are shown made
 * safe. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libcommon/log.h"
#include "libcommon/own.h"

#define HELD_MOST ((size_t)64 << 10)

struct console {
	struct loop *loop;
	struct chan *chan;
	struct prompt *prompt;
	struct line *line;
	enum colour_choice colour;
	bool pen, gone;
	int status;
	/* the question that is open, 0 = none */
	unsigned id;
	char *kind, *object;
	char answers[ANSWERS_MOST + 1];
	unsigned options; /* of a question of the agent */
	bool multiple;
	struct drawing *d;
	struct buf held; /* rows that came while a question stood here */
	unsigned lost;   /* of them, not kept */
};

static void
say_held(struct console *c)
{
	if (c->lost > 0) {
		buf_fmt(&c->held, "  %u more rows came while the question stood here\n",
		    c->lost);
		c->lost = 0;
	}
	if (c->held.len > 0)
		line_say(c->line, &c->held);
	buf_clear(&c->held);
}

/* SAFE: below a drawing nothing is printed: its next page is drawn over what stands
 * there, and what decides must stay where it was seen. */
static void
say(struct console *c, const struct buf *b)
{
	if (!prompt_active(c->prompt)) {
		say_held(c);
		line_say(c->line, b);
	} else if (c->held.len + b->len > HELD_MOST) {
		c->lost++;
	} else {
		buf_append(&c->held, b->p, b->len);
	}
}

static void
say_words(struct console *c, const char *words, enum shade shade)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;

	screen_say(&l, 0, words, shade, &b);
	say(c, &b);
}

/* Words of ours about somebody named by the session. */
static void
say_about(struct console *c, const char *who, const char *words)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;

	safe_put(who, strlen(who), SAFE_NAME, &l, &b);
	buf_fmt(&b, " %s\n", words);
	say(c, &b);
}

static void
send_line(struct console *c, json_t *v)
{
	if (!c->gone && chan_put(c->chan, v) != 0)
		say_words(c, "that could not be sent", SHADE_RED);
	else if (c->gone)
		json_decref(v);
}

static void
question_forget(struct console *c)
{
	if (c->id != 0 && prompt_active(c->prompt))
		prompt_drop(c->prompt);
	drawing_free(c->d);
	free(c->kind);
	free(c->object);
	c->d = NULL;
	c->kind = c->object = NULL;
	c->id = 0;
}

static void
question_show(struct console *c)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;
	size_t unseen;

	if (!prompt_active(c->prompt))
		say_held(c);
	line_hide(c->line);
	if (c->pen) {
		bool choose = strcmp(c->kind, KIND_QUESTION) == 0;

		if (!prompt_active(c->prompt) &&
		    (choose ? prompt_choose(c->prompt, c->d, c->options, c->multiple)
		            : prompt_show(c->prompt, c->d, c->answers)) != 0)
			say_words(c, "this terminal cannot be used", SHADE_RED);
		return;
	}
	drawing_render(c->d, &l, 0, &unseen, &b);
	buf_str(&b, "  you are watching; /pen takes the pen\n");
	say(c, &b);
}

static void
on_key(void *arg, int key)
{
	struct console *c = arg;
	char letter[2] = {(char)key};

	if (key == PROMPT_GONE) {
		c->gone = true;
		line_stop(c->line);
	} else if (key == PROMPT_SWALLOWED) {
		/* the next question may have come meanwhile */
		if (c->id != 0)
			question_show(c);
		else
			say_held(c);
	} else if (key == PROMPT_CHOSEN) {
		struct chosen chosen = prompt_chosen(c->prompt);

		send_line(c,
		    json_pack("{s:I,s:o}", "ask", (json_int_t)c->id, "answer",
		        chosen_json(&chosen)));
	} else {
		send_line(c,
		    json_pack("{s:I,s:s}", "ask", (json_int_t)c->id, "answer",
		        key == CTRL_C    ? "stop"
		            : key == 's' ? "skip"
		                         : letter));
	}
}

/* What a session too old or a question too large gives us: its own rows. */
static int
drawing_of_screen(const json_t *v, struct drawing **out)
{
	const char *screen;
	int r;

	if (json_get_str(v, ".screen", &screen) != 0)
		return E_BAD;
	if ((r = drawing_new("a question", out)) != 0)
		return r;
	drawing_content(*out, screen, strlen(screen), 0);
	return 0;
}

static void
offer(struct drawing *d, const char *answers)
{
	static const char *const words[] = {"y yes", "a always, this session",
	    "r from now on", "n no"};

	for (const char *s = answers; *s != '\0'; s++)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (words[i][0] == *s)
				drawing_key(d, *s, words[i] + 2, *s != 'n');
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
}

static void
on_ask(struct console *c, const json_t *v)
{
	const char *kind, *object, *s;
	int64_t id;
	size_t i, n = 0;
	json_t *e;

	if (json_get_int(v, ".ask", 1, UINT32_MAX, &id) != 0 ||
	    json_get_str(v, ".kind", &kind) != 0)
		return;
	if (json_get_str(v, ".object", &object) != 0)
		object = "";
	question_forget(c);
	memset(c->answers, 0, sizeof c->answers);
	json_array_foreach(json_at(v, ".answers"), i, e)
		if ((s = json_string_value(e)) != NULL && strlen(s) == 1 &&
		    n < ANSWERS_MOST)
			c->answers[n++] = *s;
	c->options = (unsigned)json_array_size(json_at(v, ".plan.options?"));
	c->multiple = json_is_true(json_at(v, ".plan.multiple?"));
	if (drawing_from_json(json_at(v, ".drawing"), &c->d) != 0) {
		if (drawing_of_screen(v, &c->d) != 0)
			return;
		offer(c->d, c->answers);
	}
	c->id = (unsigned)id;
	c->kind = strdup(kind);
	c->object = strdup(object);
	if (c->kind == NULL || c->object == NULL)
		bug("out of memory");
	if (!prompt_active(c->prompt))
		question_show(c);
}

static void
on_ended(struct console *c, const json_t *v)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT, words = BUF_INIT;
	const char *answer, *by;
	int64_t id;
	char letter;

	if (json_get_int(v, ".answered", 1, UINT32_MAX, &id) != 0 ||
	    (unsigned)id != c->id || json_get_str(v, ".answer", &answer) != 0)
		return;
	letter = strcmp(answer, "stop") == 0  ? CTRL_C
	    : strcmp(answer, "skip") == 0     ? SKIPPED
	    : strcmp(answer, "answered") == 0 ? CHOSEN
	                                      : answer[0];
	buf_str(&words, asker_outcome(c->kind, letter));
	screen_asked(&l, asker_verb(c->kind), c->object, buf_cstr(&words), &b);
	if (!c->pen && json_get_str(v, ".by", &by) == 0) {
		buf_str(&b, "  by ");
		safe_put(by, strlen(by), SAFE_NAME, &l, &b);
		buf_byte(&b, '\n');
	}
	question_forget(c);
	say(c, &b);
}

static void
on_withdrawn(struct console *c, const json_t *v, const char *reason)
{
	struct drawing *d = NULL;
	int64_t id;

	if (json_get_int(v, ".ask", 1, UINT32_MAX, &id) != 0 || (unsigned)id != c->id)
		return;
	if (prompt_active(c->prompt)) {
		if (asker_instead(c->kind, c->object, reason, &d) != 0)
			bug("out of memory");
		prompt_withdraw(c->prompt, d);
		c->id = 0;
	} else {
		say_words(c, "the question was withdrawn", SHADE_PLAIN);
	}
	question_forget(c);
}

static void
on_refused(struct console *c, const json_t *v, const char *why)
{
	if (json_object_get(v, "ask") != NULL) {
		say_about(c, why, ": your answer was not used");
		return;
	}
	say_about(c, why, ": refused");
	c->status = 3;
	c->gone = true;
	line_stop(c->line);
}

static void
on_row(struct console *c, const json_t *v, const char *row)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;
	time_t now = time(NULL);
	struct tm tm;
	char at[16] = "--:--";
	const char *verb, *object, *why;

	if (localtime_r(&now, &tm) != NULL)
		(void)snprintf(at, sizeof at, "%02u:%02u", (unsigned)tm.tm_hour % 24u,
		    (unsigned)tm.tm_min % 60u);
	if (json_get_str(v, ".verb", &verb) == 0 &&
	    json_get_str(v, ".object", &object) == 0 &&
	    json_get_str(v, ".why", &why) == 0) { /* a call */
		screen_call_at(&l, at, verb, object, why, &b);
		say(c, &b);
		return;
	}
	if (json_object_get(v, "failed") != NULL) { /* what came of one */
		screen_came(&l, row,
		    json_is_true(json_object_get(v, "failed")) ? SHADE_RED : SHADE_DIM,
		    &b);
		say(c, &b);
		return;
	}
	buf_fmt(&b, "  %s  ", at);
	while (*row == ' ')
		row++;
	safe_put(row, strlen(row), SAFE_TEXT, &l, &b);
	buf_byte(&b, '\n');
	say(c, &b);
}

static void
on_rows(struct console *c, const json_t *rows)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;
	size_t i;
	json_t *e;

	json_array_foreach((json_t *)(uintptr_t)rows, i, e) {
		const char *s = json_string_value(e);

		safe_put(s != NULL ? s : "", json_string_length(e), SAFE_TEXT, &l, &b);
		buf_byte(&b, '\n');
	}
	say(c, &b);
}

static void
on_pen(struct console *c, const json_t *v)
{
	const char *by = "somebody else";

	c->pen = json_integer_value(json_object_get(v, "pen")) == 1;
	if (c->pen) {
		say_words(c,
		    "you answer here; if this window closes, open questions wait 10 "
		    "minutes",
		    SHADE_DIM);
		if (c->id != 0)
			question_show(c);
		return;
	}
	if (prompt_active(c->prompt))
		prompt_drop(c->prompt);
	if (json_get_str(v, ".by", &by) != 0)
		by = "somebody else";
	say_about(c, by, "answers; you are watching, /pen takes the pen");
}

static void
on_hello(struct console *c, const json_t *v)
{
	struct look l = prompt_look(c->prompt);
	auto_buf struct buf b = BUF_INIT;
	const char *session = "", *workspace = "", *front = "";

	(void)!json_get_str(v, ".session", &session);
	(void)!json_get_str(v, ".workspace", &workspace);
	(void)!json_get_str(v, ".front", &front);
	const struct screen_item items[] = {{.words = "bb approve"}, {.words = "session"},
	    {.words = session != NULL ? session : "", .foreign = true},
	    {.words = workspace != NULL ? workspace : "",
	        .foreign = true,
	        .shade = SHADE_BOLD},
	    {.words = front != NULL ? front : "", .foreign = true}};

	screen_banner(&l, items, sizeof items / sizeof *items, &b);
	say(c, &b);
}

static void
on_line(void *arg, const char *p, size_t n)
{
	struct console *c = arg;
	auto_json json_t *v = NULL;
	const char *s;

	if (n == SIZE_MAX || json_parse(p, n, &v, NULL) != 0) {
		say_words(c, "the session sent a line that is not understood", SHADE_RED);
		return;
	}
	if (json_get_str(v, ".refused", &s) == 0)
		on_refused(c, v, s);
	else if (json_get_str(v, ".withdrawn", &s) == 0)
		on_withdrawn(c, v, s);
	else if (json_object_get(v, "ask") != NULL)
		on_ask(c, v);
	else if (json_object_get(v, "answered") != NULL)
		on_ended(c, v);
	else if (json_get_str(v, ".row", &s) == 0)
		on_row(c, v, s);
	else if (json_object_get(v, "rows") != NULL)
		on_rows(c, json_object_get(v, "rows"));
	else if (json_object_get(v, "pen") != NULL)
		on_pen(c, v);
	else if (json_object_get(v, "hello") != NULL)
		on_hello(c, v);
	else if (json_get_str(v, ".attached", &s) == 0)
		say_about(c, s, "is here too");
	else if (json_get_str(v, ".detached", &s) == 0)
		say_about(c, s, "left");
	else if (json_get_str(v, ".took_pen", &s) == 0 && !c->pen)
		say_about(c, s, "takes the pen");
	else if (json_get_str(v, ".error", &s) == 0)
		say_about(c, s, ": not understood");
}

static void
on_gone(void *arg)
{
	struct console *c = arg;

	if (c->gone)
		return;
	c->gone = true;
	question_forget(c);
	say_words(c, "the session ended", SHADE_PLAIN);
	line_stop(c->line);
}

static void
complete(void *arg, const char *text, size_t at, struct buf *out)
{
	static const char *const words[] = {"/status", "/trust", "/distrust", "/add-dir",
	    "/cd", "/show", "/log", "/help", "/stop", "/pen", "/quit"};

	(void)arg;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (at <= strlen(words[i]) && strncmp(words[i], text, at) == 0)
			buf_append(out, words[i], strlen(words[i]) + 1);
}

/* False: they leave. */
static bool
typed(struct console *c, char *text)
{
	size_t n = strlen(text);

	while (n > 0 && text[n - 1] == ' ')
		text[--n] = '\0';
	while (*text == ' ')
		text++;
	if (*text == '\0')
		return true;
	if (strcmp(text, "/quit") == 0)
		return false;
	if (*text != '/' && !c->pen)
		say_words(c, "you are watching: /pen takes the pen, then a key answers",
		    SHADE_YELLOW);
	else if (strcmp(text, "/help") == 0 || strncmp(text, "/help ", 6) == 0)
		say_words(c,
		    "/pen take the pen · /status · /trust PATH · /distrust PATH · "
		    "/add-dir DIR · /cd DIR · /show REF · /log [N] the last calls · "
		    "/stop the "
		    "open calls and the turn · /quit",
		    SHADE_PLAIN);
	else if (*text != '/')
		say_words(c,
		    "commands begin with /: /status /trust PATH /distrust PATH /log "
		    "/stop /pen /quit",
		    SHADE_PLAIN);
	else if (strcmp(text, "/pen") == 0)
		send_line(c, json_pack("{s:i}", "pen", 1));
	else
		send_line(c, json_pack("{s:o}", "command", msg_text(text)));
	return true;
}

static void
converse(struct console *c)
{
	while (!c->gone) {
		auto_free char *text = NULL;
		int r = line_read(c->line, "> ", &text);

		if (r == E_STATE) {
			say_words(c, "/quit leaves; open questions wait", SHADE_DIM);
			continue;
		}
		if (r != 0 || !typed(c, text))
			return;
	}
}

int
approve_main(const char *runtime, const char *which, bool list, bool json,
    enum colour_choice colour)
{
	struct console c = {.colour = colour, .held = BUF_INIT};
	int fd, r;

	if (list)
		return sessions_list(runtime, json);
	if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) {
		complain("bb: approve needs a terminal\n");
		return 2;
	}
	if ((r = sessions_open(runtime, which, &fd)) != 0)
		return r;
	r = 75;
	if (loop_new(&c.loop) != 0) {
		close(fd);
		return r;
	}
	if (chan_new(c.loop, fd, fd, on_line, on_gone, &c, &c.chan) == 0 &&
	    prompt_new(c.loop, false, colour, on_key, &c, &c.prompt) == 0 &&
	    line_new(c.loop, NULL, complete, NULL, &c, &c.line) == 0) {
		send_line(&c, json_pack("{s:i}", "hello", 1));
		converse(&c);
		r = c.status;
	} else {
		complain("bb: the terminal cannot be used: %s\n", err_errno(errno));
	}
	if (c.prompt != NULL)
		question_forget(&c);
	prompt_free(c.prompt);
	line_free(c.line);
	buf_release(&c.held);
	chan_free(c.chan);
	loop_free(c.loop);
	return r;
}

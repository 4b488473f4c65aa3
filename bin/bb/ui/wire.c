/* Messages of the approver protocol (design 3.2) and their JSON. What an approver wrote
 * is the person's or their program's: read strictly, answered with fixed words. */
#include "bin/bb/ui/ask_int.h"

#include <string.h>

#include "libcommon/utf8.h"

#define WHY_MOST 400 /* bytes of a call's `why` */

json_t *
msg_text(const char *s)
{
	auto_buf struct buf b = BUF_INIT;
	size_t n;

	if (s == NULL)
		return json_null();
	n = strlen(s);
	for (size_t at = 0; at < n;) {
		size_t good = utf8_valid(s + at, n - at);

		buf_append(&b, s + at, good);
		at += good;
		if (at < n) {
			buf_str(&b, "\xef\xbf\xbd");
			at++;
		}
	}
	return b.failed ? NULL : json_stringn(buf_cstr(&b), b.len);
}

static int
one_more(const json_t *v, const char *key, const char *only, const char **why)
{
	const char *k;
	json_t *unused;

	json_object_foreach((json_t *)(uintptr_t)v, k, unused)
		if (strcmp(k, key) != 0 && (only == NULL || strcmp(k, only) != 0)) {
			*why = "a member nobody reads";
			return E_BAD;
		}
	return 0;
}

static int
read_answer(struct msg *m, const char **why)
{
	json_t *a = json_object_get(m->v, "answer");
	int64_t id;

	m->kind = MSG_ANSWER;
	if (json_get_int(m->v, ".ask", 0, UINT32_MAX, &id) != 0) {
		*why = "'ask' must be the number of a question";
		return E_BAD;
	}
	m->id = (unsigned)id;
	m->letter = '\0';
	if (json_is_string(a)) {
		const char *s = json_string_value(a);

		if (strcmp(s, "stop") == 0)
			m->letter = CTRL_C;
		else if (strcmp(s, "skip") == 0)
			m->letter = SKIPPED;
		else if (json_string_length(a) == 1 && s[0] >= 'a' && s[0] <= 'z')
			m->letter = s[0]; /* nothing else: those are signs of ours */
	} else if (json_is_object(a) && chosen_read(a, &m->chosen) == 0) {
		m->letter = CHOSEN;
	}
	return one_more(m->v, "ask", "answer", why);
}

static int
read_kind(struct msg *m, const char **why)
{
	int64_t n;

	if (json_object_get(m->v, "ask") != NULL)
		return read_answer(m, why);
	if (json_object_get(m->v, "background") != NULL) {
		m->kind = MSG_BACKGROUND;
		return 0;
	}
	if (json_object_get(m->v, "pen") != NULL) {
		m->kind = MSG_PEN;
		return one_more(m->v, "pen", NULL, why);
	}
	if (json_get_str(m->v, ".command", &m->line) == 0) {
		m->kind = MSG_COMMAND;
		return one_more(m->v, "command", NULL, why);
	}
	if (json_get_int(m->v, ".hello", 0, 1, &n) == 0) {
		m->kind = n == 1 ? MSG_HELLO : MSG_LOOK;
		return 0;
	}
	*why = "not a message of an approver";
	return E_BAD;
}

int
msg_read(const char *p, size_t n, struct msg *m, const char **why)
{
	int r;

	*m = (struct msg){0};
	if (json_parse(p, n, &m->v, why) != 0)
		return E_BAD;
	if (!json_is_object(m->v)) {
		*why = "not an object";
		r = E_BAD;
	} else {
		r = read_kind(m, why);
	}
	if (r != 0) {
		json_decref(m->v);
		m->v = NULL;
	}
	return r;
}

json_t *
msg_hello(const char *session, const char *workspace, const char *front, size_t waiting)
{
	return json_pack("{s:i,s:o,s:o,s:o,s:I}", "hello", 1, "session",
	    msg_text(session), "workspace", msg_text(workspace), "front", msg_text(front),
	    "waiting", (json_int_t)waiting);
}

/* The agent's words decide nothing: what is cut of them is counted. */
static void
why_put(const char *why, struct buf *out)
{
	const struct look l = look_plain();
	size_t n = strlen(why), most = n;

	if (n > WHY_MOST)
		for (most = WHY_MOST;
		     most > 0 && ((unsigned char)why[most] & 0xc0) == 0x80;)
			most--;
	buf_append(out, why, most);
	if (most < n) {
		buf_byte(out, ' ');
		cut_words(&l, why + most, n - most, out);
	}
}

json_t *
msg_called(const char *verb, const char *object, const char *why)
{
	const struct look l = look_plain();
	auto_buf struct buf row = BUF_INIT, words = BUF_INIT;

	buf_fmt(&row, "%-8s ", verb);
	safe_put(object, strlen(object), SAFE_NAME, &l, &row);
	if (why != NULL)
		why_put(why, &words);
	return json_pack("{s:o,s:o,s:o,s:o}", "row", msg_text(buf_cstr(&row)), "verb",
	    msg_text(verb), "object", msg_text(object), "why",
	    msg_text(buf_cstr(&words)));
}

json_t *
msg_came(const char *words, bool failed)
{
	return json_pack("{s:o,s:b}", "row", msg_text(words), "failed", failed);
}

static json_t *
letters(const struct open_question *q)
{
	json_t *list = json_array();
	const char *s = q->answers;

	if (strcmp(q->kind, KIND_QUESTION) == 0) {
		json_decref(list);
		return q->options > 0 ? json_pack("[s,s,s]", "choices", "text", "skip")
		                      : json_pack("[s,s]", "text", "skip");
	}
	for (; *s != '\0'; s++)
		json_array_append_new(list, json_stringn(s, 1));
	return list;
}

json_t *
msg_ask(const struct open_question *q, bool with_drawing)
{
	struct look plain = look_plain();
	auto_buf struct buf screen = BUF_INIT;
	size_t unseen;
	json_t *v;

	drawing_render(q->drawing, &plain, 0, &unseen, &screen);
	if (screen.failed || unseen == SIZE_MAX)
		return NULL;
	v = json_pack("{s:I,s:o,s:o,s:[I,I],s:o,s:o,s:o,s:o,s:O?,s:o,s:n,s:o}", "ask",
	    (json_int_t)q->id, "kind", msg_text(q->kind), "who", msg_text(q->who), "of",
	    (json_int_t)q->nth, (json_int_t)q->of, "tool", msg_text(q->tool), "why",
	    msg_text(q->why), "object", msg_text(q->object), "screen",
	    json_stringn(buf_cstr(&screen), screen.len), "plan", q->plan, "digest",
	    msg_text(q->digest), "expires", "answers", letters(q));
	if (v != NULL && with_drawing)
		json_object_set_new(v, "drawing", drawing_json(q->drawing));
	return v;
}

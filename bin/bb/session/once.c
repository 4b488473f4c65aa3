/* bb call: one tool call as a planner would make it, and the words of a command line
 * as its arguments. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/log.h"
#include "libcommon/own.h"

json_t *
answer_json(const struct session *s, const struct answer_out *a)
{
	json_t *o = json_object();

	json_object_set_new(o, "status", json_string(status_text(a->status)));
	json_object_set_new(o, "code",
	    a->code != NULL ? json_string(a->code) : json_null());
	if (a->gate != NULL)
		json_object_set_new(o, "gate", json_string(a->gate));
	json_object_set_new(o, "text", json_text(a->text, a->text_len));
	json_object_set_new(o, "label",
	    a->labelled ? json_string(label_text(a->label)) : json_null());
	json_object_set(o, "refs", a->refs);
	json_object_set_new(o, "token",
	    a->token != NULL ? json_string(a->token) : json_null());
	json_object_set(o, "notes", a->notes);
	json_object_set(o, "data", a->data);
	if (s->c.stats)
		json_object_set_new(o, "stats",
		    json_pack("{s:I,s:I,s:i,s:i}", "wall_us", (json_int_t)a->wall_us,
		        "asked_us", (json_int_t)a->asked_us, "spawns", (int)a->spawns,
		        "questions", (int)a->questions));
	return o;
}

struct once {
	struct session *s;
	int status;
	bool done;
};

static void
on_done(void *arg, const struct answer_out *a)
{
	struct once *o = arg;
	const struct session_config *c = &o->s->c;
	auto_buf struct buf b = BUF_INIT;
	size_t i;
	json_t *n;

	o->done = true;
	o->status = status_exit(a);
	if (c->json) {
		auto_json json_t *v = json_pack("{s:i}", "schema", 1),
		                 *rest = answer_json(o->s, a), *at;

		json_object_update(v, rest);
		at = c->select != NULL ? json_incref(json_at(v, c->select))
		                       : json_incref(v);
		(void)json_print(at, &b);
		(void)buf_str(&b, "\n");
	} else {
		(void)buf_append(&b, a->text, a->text_len);
		(void)buf_byte(&b, '\n');
		json_array_foreach(a->notes, i, n)
			(void)buf_fmt(&b, "%s\n", json_string_value(n));
	}
	if (!print_page(buf_cstr(&b), b.len))
		o->status = 75;
}

int
front_call(const struct session_config *c, const char *tool, json_t *args)
{
	struct once o = {0};
	auto_buf struct buf why = BUF_INIT;
	struct call_request q = {.tool = tool, .args = args};
	struct call *call;
	int r = session_new(c, &o.s, &why);

	if (r != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	settings_complain(o.s->settings);
	if (session_call(o.s, &q, on_done, &o, &call) != 0)
		bug("out of memory");
	while (!o.done)
		if (loop_once(o.s->loop, -1) != 0) {
			o.status = 70;
			break;
		}
	session_free(o.s);
	return o.status;
}

static bool
whole_number(const char *s, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(s, &end, 10);
	return *s != '\0' && *end == '\0' && errno == 0 && strchr(" \t\n+", *s) == NULL;
}

int
args_from_words(const char *tool, char *const *words, size_t n, json_t **out,
    struct buf *why)
{
	const struct tool *t = tool_find(tool);
	auto_json json_t *o = json_object();

	*out = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *eq = strchr(words[i], '=');
		char key[64];
		const struct tool_arg *a = NULL;
		json_t *v;
		int64_t num;
		bool raw =
		    eq != NULL && eq > words[i] + 1 && eq[-1] == ':'; /* key:=JSON */
		size_t len = eq != NULL ? (size_t)(eq - words[i]) - raw : 0;

		if (eq == NULL || eq == words[i] || len >= sizeof(key)) {
			(void)buf_fmt(why, "'%s' is not key=value", words[i]);
			return E_BAD;
		}
		memcpy(key, words[i], len);
		key[len] = '\0';
		if (json_object_get(o, key) != NULL) {
			(void)buf_fmt(why, "'%s' is given twice", key);
			return E_DUP;
		}
		if (t != NULL)
			a = tool_arg(t, key);
		if (!raw && a != NULL && a->type == TOOL_INT &&
		    whole_number(eq + 1, &num))
			v = json_integer(num);
		else if (!raw && a != NULL && a->type == TOOL_INT &&
		    json_parse(eq + 1, strlen(eq + 1), &v, NULL) == 0 &&
		    json_is_number(v))
			; /* 2.0, or one beyond 64 bits: judged where a planner's is */
		else if (raw ||
		    (a != NULL && (a->type == TOOL_QUESTIONS || a->type == TOOL_TODOS))) {
			const char *says;

			if (json_parse(eq + 1, strlen(eq + 1), &v, &says) != 0) {
				(void)buf_fmt(why, "'%s:=' takes JSON: %s", key, says);
				return E_BAD;
			}
		} else if (a != NULL && a->type == TOOL_BOOL &&
		    (strcmp(eq + 1, "true") == 0 || strcmp(eq + 1, "false") == 0))
			v = json_boolean(strcmp(eq + 1, "true") == 0);
		else if ((v = json_string(eq + 1)) == NULL) {
			/* A name that is not UTF-8 cannot be said in the protocol: refused, not folded. */
			(void)buf_fmt(why, "'%s' is not valid UTF-8", key);
			return E_BAD;
		}
		json_object_set_new(o, key, v);
	}
	*out = o;
	o = NULL;
	return 0;
}

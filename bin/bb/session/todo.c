/* todo_write: the planner's task list. All content, no routing: it touches nothing, decides
 * nothing, and is drawn for the person. */
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "bin/bb/session/todo.h"

#define CONTENT_MAX 1000 /* bytes of one task */

static const struct {
	const char *sign, *says;
	enum shade shade;
} words[TODO_WORDS] = {
    [TODO_PENDING] = {"[ ]", "to do", SHADE_PLAIN},
    [TODO_IN_PROGRESS] = {"[>]", "in progress", SHADE_BOLD},
    [TODO_COMPLETED] = {"[x]", "completed", SHADE_GREEN},
    [TODO_CANCELLED] = {"[-]", "cancelled", SHADE_DIM},
};

/* A word nobody knows is work that is outstanding. */
static enum todo_word
status_of(const json_t *task)
{
	const char *s = json_string_value(json_object_get(task, "status"));

	for (size_t i = 0; s != NULL && i < TODO_WORDS; i++)
		if (strcmp(s, tool_todo_words[i]) == 0)
			return (enum todo_word)i;
	return TODO_PENDING;
}

static bool
check(struct call *c, const json_t *task, size_t nth)
{
	const json_t *content = json_object_get(task, "content");
	const char *key, *s = json_string_value(content);
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)task, key, v)
		if (strcmp(key, "content") != 0 && strcmp(key, "status") != 0) {
			call_error(c, "bad-argument",
			    "'todos' number %zu holds '%s'; a task has content and "
			    "status",
			    nth, key);
			return false;
		}
	if (s == NULL || s[strspn(s, " \t\n")] == '\0' ||
	    strlen(s) != json_string_length(content)) {
		call_error(c, "bad-argument",
		    "'todos' number %zu must have content, a string that says something",
		    nth);
		return false;
	}
	if (strlen(s) <= CONTENT_MAX)
		return true;
	call_error(c, "bad-argument",
	    "'todos' number %zu is longer than %d bytes; say it in fewer words", nth,
	    CONTENT_MAX);
	return false;
}

/* "4 tasks: 1 to do, 1 in progress, 2 completed": what was cancelled is not done. */
static void
counts(const size_t n[TODO_WORDS], size_t all, struct buf *out)
{
	const char *between = ": ";

	answer_count(out, all, "task", "tasks");
	for (size_t i = 0; i < TODO_WORDS; i++)
		if (n[i] > 0) {
			(void)buf_fmt(out, "%s%zu %s", between, n[i], words[i].says);
			between = ", ";
		}
}

void
todo_rows(const struct look *l, const json_t *list, struct buf *out)
{
	const json_t *task;
	size_t i;

	json_array_foreach(list, i, task) {
		enum todo_word w = status_of(task);

		screen_task(l, words[w].sign,
		    json_string_value(json_object_get(task, "content")), words[w].shade,
		    w == TODO_CANCELLED, out);
	}
}

/* Who watches at the session socket sees the list too. */
static void
tell(struct call *c)
{
	const json_t *task;
	size_t i;

	json_array_foreach(c->s->todos, i, task) {
		auto_buf struct buf row = BUF_INIT;

		(void)buf_fmt(&row, "%s %s", words[status_of(task)].sign,
		    json_string_value(json_object_get(task, "content")));
		asker_came(c->s->asker, buf_cstr(&row), false);
	}
}

void
todo_start(struct call *c)
{
	const json_t *task, *given = call_arg(c, "todos")->json;
	json_t *list = json_array(), *numbers = json_object();
	size_t n[TODO_WORDS] = {0}, i;

	call_field(c, "todos", true);
	json_array_foreach(given, i, task) {
		if (!check(c, task, i + 1)) {
			json_decref(list);
			json_decref(numbers);
			return;
		}
		n[status_of(task)]++;
		json_array_append_new(list,
		    json_pack("{s:O,s:s}", "content", json_object_get(task, "content"),
		        "status", tool_todo_words[status_of(task)]));
	}
	call_started(c);
	json_decref(c->s->todos);
	c->s->todos = list;
	tell(c);
	for (i = 0; i < TODO_WORDS; i++)
		json_object_set_new(numbers, tool_todo_words[i],
		    json_integer((json_int_t)n[i]));
	json_object_set_new(c->data, "counts", numbers);
	json_object_set(c->data, "todos", list);
	counts(n, json_array_size(list), &c->summary);
	(void)buf_fmt(&c->text, "recorded %s%s", buf_cstr(&c->summary),
	    json_array_size(list) == 0 ? "; the list is empty now" : "");
	c->labelled = true;
	c->label = (struct label){c->s->context.i, PUBLIC};
	call_finish(c, STATUS_OK, NULL);
}

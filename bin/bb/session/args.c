/* The arguments of a call by the table: types, ranges, defaults, what is required. Trusts
 * nothing: they are a planner's. */
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/own.h"

static bool
blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] != ' ' && s[i] != '\t' && s[i] != '\n')
			return false;
	return true;
}

/* One member onto out->own. False: the call is answered. */
static bool
pattern(struct call *c, const struct tool_arg *a, const json_t *v, struct buf *all)
{
	if (!json_is_string(v)) {
		call_error(c, "bad-argument",
		    "'%s' must be a string or a list of strings", a->name);
		return false;
	}
	/* It separates them on the way to the helper. */
	if (memchr(json_string_value(v), '\0', json_string_length(v)) != NULL) {
		call_error(c, "bad-argument",
		    "'%s' may not hold a NUL: no file that is searched holds one",
		    a->name);
		return false;
	}
	(void)buf_append(all, json_string_value(v), json_string_length(v));
	return true;
}

/* A string or a list of strings, joined by NUL. False: the call is answered. */
static bool
patterns(struct call *c, const struct tool_arg *a, const json_t *v, struct arg_value *out)
{
	auto_buf struct buf all = BUF_INIT;

	out->many = json_is_array(v) ? json_array_size(v) : 1;
	for (size_t i = 0; i < out->many; i++) {
		if (i > 0)
			(void)buf_byte(&all, '\0');
		if (!pattern(c, a, json_is_array(v) ? json_array_get(v, i) : v, &all))
			return false;
	}
	out->n = all.len;
	if (all.failed || (out->own = buf_take(&all)) == NULL)
		bug("out of memory");
	out->s = out->own;
	return true;
}

/* A list of objects, as many as the table allows; what they hold is the tool's to read.
 * False: the call is answered. */
static bool
list(struct call *c, const struct tool_arg *a, const json_t *v, struct arg_value *out)
{
	const json_t *one;
	size_t i;

	if (!json_is_array(v)) {
		call_error(c, "bad-argument", "'%s' must be a list of objects", a->name);
		return false;
	}
	json_array_foreach(v, i, one)
		if (!json_is_object(one)) {
			call_error(c, "bad-argument",
			    "'%s' must be a list of objects; number %zu is none", a->name,
			    i + 1);
			return false;
		}
	out->many = json_array_size(v);
	if ((int64_t)out->many < a->min || (int64_t)out->many > a->max) {
		call_error(c, "bad-argument",
		    "'%s' holds %zu, and %" PRId64 " to %" PRId64
		    " may stand there; none of them was taken",
		    a->name, out->many, a->min, a->max);
		return false;
	}
	out->json = v;
	out->given = true;
	return true;
}

/* One argument to its value; false: the call is answered. */
static bool
parse_one(struct call *c, const struct tool_arg *a, json_t *v, struct arg_value *out)
{
	*out = (struct arg_value){.i = a->def};
	if (v == NULL || json_is_null(v))
		goto absent;
	switch (a->type) {
	case TOOL_INT: {
		int64_t n;
		int r = json_whole(v, &n);

		if (r == E_TYPE) {
			call_error(c, "bad-argument", "'%s' must be a whole number",
			    a->name);
			return false;
		}
		if (r == 0 && n == 0 && !tool_omits(a))
			goto absent;
		if (r != 0 || tool_number(a, n, &out->i) != 0) {
			call_error(c, "bad-argument",
			    json_number_value(v) < 0 ? "'%s' must not be negative"
			                             : "'%s' is outside its range",
			    a->name);
			return false;
		}
		out->given = true;
		return true;
	}
	case TOOL_BOOL:
		if (!json_is_boolean(v)) {
			call_error(c, "bad-argument", "'%s' must be true or false",
			    a->name);
			return false;
		}
		out->given = true;
		out->i = json_is_true(v);
		return true;
	case TOOL_PATTERNS:
		if (!patterns(c, a, v, out))
			return false;
		out->given = true;
		return true;
	case TOOL_QUESTIONS:
	case TOOL_TODOS:
		return list(c, a, v, out);
	case TOOL_PATH_FILE:
	case TOOL_PATH_DIR:
	case TOOL_REF_FILE:
	case TOOL_REF_ANY:
	case TOOL_GLOB:
	case TOOL_LINE:
	case TOOL_TEXT:
		break;
	}
	if (!json_is_string(v)) {
		if (a->type == TOOL_LINE) /* `why` decides nothing, whatever it is */
			return true;
		call_error(c, "bad-argument", "'%s' must be a string", a->name);
		return false;
	}
	out->s = json_string_value(v);
	out->n = json_string_length(v);
	if (a->type != TOOL_TEXT && a->type != TOOL_GLOB && blank(out->s, out->n))
		goto absent;
	out->given = true;
	return true;
absent:
	out->given = false;
	out->s = a->def_str;
	out->n = a->def_str != NULL ? strlen(a->def_str) : 0;
	if (a->required && a->type != TOOL_LINE) {
		call_error(c, "bad-argument", "'%s' is required", a->name);
		return false;
	}
	return true;
}

static bool
one_of(struct call *c, const char *const *names)
{
	size_t given = 0;

	if (names == NULL)
		return true;
	for (size_t i = 0; names[i] != NULL; i++)
		given += call_arg(c, names[i])->given;
	if (given == 1)
		return true;
	if (given == 0)
		call_error(c, "bad-argument", "one of %s or %s is required", names[0],
		    names[1]);
	else
		call_error(c, "bad-argument", "give %s or %s, not both", names[0],
		    names[1]);
	return false;
}

bool
call_parse(struct call *c)
{
	const char *key;
	json_t *v;

	if (!json_is_object(c->args)) {
		call_error(c, "bad-argument", "'args' must be an object");
		return false;
	}
	json_object_foreach(c->args, key, v)
		if (tool_arg(c->tool, key) == NULL) {
			call_error(c, "bad-argument", "'%s' is not an argument of %s",
			    key, c->tool->name);
			return false;
		}
	for (size_t i = 0; i < c->tool->n_args; i++)
		if (!parse_one(c, &c->tool->args[i],
		        json_object_get(c->args, c->tool->args[i].name), &c->v[i]))
			return false;
	return one_of(c, c->tool->one_of[0]) && one_of(c, c->tool->one_of[1]);
}

void
call_args_free(struct call *c)
{
	for (size_t i = 0; i < CALL_ARGS_MAX; i++)
		free(c->v[i].own);
}

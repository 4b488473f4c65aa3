/* The tools a planner is offered, made of the table alone: names, descriptions,
 * schemas. The flags say what clients ask about (read-only and so on). */
#include <string.h>

#include "bin/bb/planner/planner.h"

/* A list of objects: how many, and the members of one. */
static json_t *
list_of(const struct tool_arg *a, json_t *members, json_t *required)
{
	return json_pack("{s:s,s:I,s:I,s:{s:s,s:b,s:o,s:o}}", "type", "array", "minItems",
	    (json_int_t)a->min, "maxItems", (json_int_t)a->max, "items", "type", "object",
	    "additionalProperties", 0, "properties", members, "required", required);
}

static json_t *
questions(const struct tool_arg *a)
{
	json_t *option = json_pack("{s:s,s:b,s:{s:{s:s},s:{s:s}},s:[s]}", "type",
	    "object", "additionalProperties", 0, "properties", "label", "type", "string",
	    "detail", "type", "string", "required", "label");

	return list_of(a,
	    json_pack("{s:{s:s,s:s},s:{s:s},s:{s:s,s:i,s:{s:[{s:s},o]},s:s},s:{s:s,s:s}}",
	        "header", "type", "string", "description",
	        "a few words naming the matter", "question", "type", "string", "options",
	        "type", "array", "maxItems", TOOL_OPTIONS_MAX, "items", "anyOf", "type",
	        "string", option, "description",
	        "answers to choose from; their own words are always one", "multiple",
	        "type", "boolean", "description", "several options may be chosen"),
	    json_pack("[s,s]", "header", "question"));
}

static json_t *
todos(const struct tool_arg *a)
{
	json_t *words = json_array();

	for (size_t i = 0; i < TODO_WORDS; i++)
		json_array_append_new(words, json_string(tool_todo_words[i]));
	return list_of(a,
	    json_pack("{s:{s:s},s:{s:s,s:o}}", "content", "type", "string", "status",
	        "type", "string", "enum", words),
	    json_pack("[s,s]", "content", "status"));
}

static json_t *
property(const struct tool_arg *a)
{
	json_t *p = json_object();

	switch (a->type) {
	case TOOL_INT:
		json_object_set_new(p, "type", json_string("integer"));
		json_object_set_new(p, "minimum", json_integer(a->min));
		if (a->max != INT64_MAX)
			json_object_set_new(p, "maximum", json_integer(a->max));
		if (a->has_default)
			json_object_set_new(p, "default", json_integer(a->def));
		break;
	case TOOL_BOOL:
		json_object_set_new(p, "type", json_string("boolean"));
		if (a->has_default)
			json_object_set_new(p, "default", json_boolean(a->def != 0));
		break;
	case TOOL_PATTERNS:
		json_object_set_new(p, "anyOf",
		    json_pack("[{s:s},{s:s,s:{s:s},s:i}]", "type", "string", "type",
		        "array", "items", "type", "string", "minItems", 1));
		break;
	case TOOL_QUESTIONS:
		json_object_update_missing_new(p, questions(a));
		break;
	case TOOL_TODOS:
		json_object_update_missing_new(p, todos(a));
		break;
	case TOOL_REF_FILE:
	case TOOL_REF_ANY:
		json_object_set_new(p, "type", json_string("string"));
		json_object_set_new(p, "pattern", json_string("^ref:[0-9]+$"));
		break;
	case TOOL_PATH_FILE:
	case TOOL_PATH_DIR:
	case TOOL_GLOB:
	case TOOL_LINE:
	case TOOL_TEXT:
		json_object_set_new(p, "type", json_string("string"));
		if (a->def_str != NULL)
			json_object_set_new(p, "default", json_string(a->def_str));
		break;
	}
	if (a->says != NULL && a->says[0] != '\0')
		json_object_set_new(p, "description", json_string(a->says));
	return p;
}

json_t *
surface_schema(const struct tool *t)
{
	json_t *props = json_object(), *required = json_array();

	for (size_t i = 0; i < t->n_args; i++) {
		json_object_set_new(props, t->args[i].name, property(&t->args[i]));
		/* `why` is listed as required everywhere; a call without it still runs. */
		if (t->args[i].required || strcmp(t->args[i].name, "why") == 0)
			json_array_append_new(required, json_string(t->args[i].name));
	}
	return json_pack("{s:s,s:b,s:o,s:o}", "type", "object", "additionalProperties", 0,
	    "properties", props, "required", required);
}

static json_t *
one(const char *form, const struct tool *t)
{
	if (form == NULL)
		return json_string(t->name);
	if (strcmp(form, "openai") == 0)
		return json_pack("{s:s,s:{s:s,s:s,s:o}}", "type", "function", "function",
		    "name", t->name, "description", t->says, "parameters",
		    surface_schema(t));
	if (strcmp(form, "anthropic") == 0)
		return json_pack("{s:s,s:s,s:o}", "name", t->name, "description", t->says,
		    "input_schema", surface_schema(t));
	return json_pack("{s:s,s:s,s:s,s:o,s:{s:b,s:b,s:b,s:b}}", "name", t->name,
	    "title", t->title, "description", t->says, "inputSchema", surface_schema(t),
	    "annotations", "readOnlyHint", !t->effect, "destructiveHint", t->effect,
	    "idempotentHint", !t->effect, "openWorldHint", 0);
}

json_t *
surface_tools(const char *form, bool (*offered)(const char *name))
{
	json_t *list;

	if (form != NULL && strcmp(form, "openai") != 0 &&
	    strcmp(form, "anthropic") != 0 && strcmp(form, "mcp") != 0)
		return NULL;
	list = json_array();
	for (size_t i = 0; i < tools_len; i++)
		if (offered(tools[i]->name))
			json_array_append_new(list, one(form, tools[i]));
	return list;
}

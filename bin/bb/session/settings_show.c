/* The table of settings as rows and as JSON, with who decided each. From the JSON the page
 * bb-settings(5) is made (scripts/settings.sh). */
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/settings.h"
#include "libcommon/own.h"

static const char *
type_words(const struct setting_row *row)
{
	return row->type == SETTING_NUMBER ? "number"
	    : row->type == SETTING_BOOL    ? "true or false"
	                                   : "list of rules";
}

static const char *
layer_words(const struct setting_row *row)
{
	switch (row->layers) {
	case LAYERS_NEAREST:
		return "any file, the nearest one says";
	case LAYERS_PERSON:
		return "your own files only";
	case LAYERS_UNITED:
		return "any file, all of them together";
	case LAYERS_NARROWS:
		return "any file, true in one is true";
	}
	return "";
}

static enum rule_list
list_of(enum setting k)
{
	return k == SETTING_DENY ? RULE_DENY : k == SETTING_ASK ? RULE_ASK : RULE_ALLOW;
}

static void
shown(const char *s, struct buf *out)
{
	safe_put(s, strlen(s), SAFE_NAME, &(struct look){.width = 80, .utf8 = true}, out);
}

void
settings_rows(const struct settings *s, unsigned columns, struct buf *out)
{
	const struct rules *r = settings_rules(s);

	(void)buf_str(out, " settings read: ");
	for (size_t i = 0; i < settings_files(s); i++) {
		(void)buf_str(out, i > 0 ? ", " : "");
		shown(settings_file(s, i), out);
	}
	(void)buf_str(out, settings_files(s) == 0 ? "no file\n" : "\n");
	for (enum setting k = 0; k < SETTING_COUNT; k++) {
		const struct setting_row *row = &setting_rows[k];
		auto_buf struct buf b = BUF_INIT;
		size_t n = 0;

		if (row->type == SETTING_RULES) {
			for (size_t i = 0; i < rules_count(r); i++)
				n += rules_at(r, i)->list == list_of(k);
			(void)buf_fmt(&b, "%zu rule%s", n, n == 1 ? "" : "s");
		} else {
			if (row->type == SETTING_BOOL)
				(void)buf_str(&b,
				    settings_number(s, k) != 0 ? "true" : "false");
			else
				(void)buf_fmt(&b, "%" PRId64, settings_number(s, k));
			(void)buf_str(&b, " (");
			shown(settings_from(s, k), &b);
			(void)buf_str(&b, ")");
		}
		(void)buf_fmt(out, " %-33s ", row->key);
		look_wrap(columns, 35, buf_cstr(&b), out);
		(void)buf_byte(out, '\n');
		for (size_t i = 0; row->type == SETTING_RULES && i < rules_count(r); i++)
			if (rules_at(r, i)->list == list_of(k)) {
				(void)buf_fmt(out, " %33s ", "");
				shown(rules_at(r, i)->text, out);
				(void)buf_str(out, "  ");
				shown(rules_at(r, i)->from, out);
				(void)buf_byte(out, '\n');
			}
	}
}

json_t *
settings_json(const struct settings *s)
{
	const struct rules *r = settings_rules(s);
	json_t *rows = json_array(), *files = json_array(), *bad = json_array();

	for (size_t i = 0; i < settings_files(s); i++)
		json_array_append_new(files, json_string(settings_file(s, i)));
	for (size_t i = 0; i < settings_problems(s); i++)
		json_array_append_new(bad, json_string(settings_problem(s, i)));
	for (enum setting k = 0; k < SETTING_COUNT; k++) {
		const struct setting_row *row = &setting_rows[k];
		json_t *o = json_pack("{s:s,s:s,s:s,s:s}", "key", row->key, "type",
		    type_words(row), "layers", layer_words(row), "says", row->says);

		if (row->type == SETTING_NUMBER) {
			json_object_set_new(o, "default",
			    json_integer(setting_default(k)));
			json_object_set_new(o, "min", json_integer(row->min));
			json_object_set_new(o, "max", json_integer(setting_most(k)));
			json_object_set_new(o, "value",
			    json_integer(settings_number(s, k)));
		} else if (row->type == SETTING_BOOL) {
			json_object_set_new(o, "default", json_false());
			json_object_set_new(o, "value",
			    json_boolean(settings_number(s, k)));
		} else {
			json_t *list = json_array();

			for (size_t i = 0; i < rules_count(r); i++)
				if (rules_at(r, i)->list == list_of(k))
					json_array_append_new(list,
					    json_pack("{s:s,s:s}", "rule",
					        rules_at(r, i)->text, "from",
					        rules_at(r, i)->from));
			json_object_set_new(o, "value", list);
		}
		if (row->type != SETTING_RULES)
			json_object_set_new(o, "from", json_string(settings_from(s, k)));
		json_array_append_new(rows, o);
	}
	return json_pack("{s:o,s:o,s:o}", "keys", rows, "files", files, "problems", bad);
}

/* Settings: every key that a part of bb uses, with its type, default and bounds, in one
 * table, and the layers from which a session's values come. Read once, when it begins. */
#ifndef BB_SESSION_SETTINGS_H
#define BB_SESSION_SETTINGS_H

#include "bin/bb/permit/permit.h"
#include "bin/bb/session/session.h"

enum setting {
	SETTING_ASK_MAX_DECLINED,
	SETTING_ALLOW,
	SETTING_ASK,
	SETTING_DENY,
	SETTING_READS_STAY,
	SETTING_SEARCH_FILES,
	SETTING_SEARCH_SECONDS,
	SETTING_COUNT
};
enum setting_type { SETTING_NUMBER, SETTING_BOOL, SETTING_RULES };
enum setting_layers {
	LAYERS_NEAREST, /* any file; the nearest one says */
	LAYERS_PERSON, /* the person's files and the administrator's; a checkout's is not read */
	LAYERS_UNITED, /* any file; all of them together */
	LAYERS_NARROWS /* any file; true in one of them is true */
};

struct setting_row {
	const char *key;
	enum setting_type type;
	enum setting_layers layers;
	int64_t def, min,
	    max; /* SETTING_NUMBER; def and max 0: see setting_default, _most */
	const char *says;
};
extern const struct setting_row setting_rows[SETTING_COUNT];
int64_t setting_default(enum setting k);
int64_t setting_most(enum setting k);

struct settings;
/* Read every layer. `c`: --settings; `workspace`: canonical. Gives *out. 0; E_BAD: the
 * file of --settings cannot be used, `why` says so; E_NOMEM. What is wrong with another
 * file or entry is kept (settings_problems), and takes nothing else with it. */
must_use int settings_load(const struct session_config *c, const char *workspace,
    bool folds, struct settings **out, struct buf *why);
void settings_free(struct settings *s);
int64_t settings_number(const struct settings *s, enum setting k);
/* The file that said so, or "default". */
const char *settings_from(const struct settings *s, enum setting k);
struct rules *settings_rules(const struct settings *s);
/* "FILE: permissions.deny[2]: what is wrong", in the file's own spelling. */
size_t settings_problems(const struct settings *s);
const char *settings_problem(const struct settings *s, size_t i);
/* Say each of them on standard error: a session begins. */
void settings_complain(const struct settings *s);
/* Files that were read, weakest first. */
size_t settings_files(const struct settings *s);
const char *settings_file(const struct settings *s, size_t i);

/* ---- settings_show.c ---- */

/* The table with who decided, as rows and as JSON (bb doctor --settings). */
void settings_rows(const struct settings *s, unsigned columns, struct buf *out);
json_t *settings_json(const struct settings *s);

#endif

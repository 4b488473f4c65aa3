/* The layers of settings, from the person's file to the administrator's. A file or an entry
 * that cannot be read is named and takes nothing else with it: what is left out leaves the
 * default, which is closed. A checkout's files may narrow; what widens is the person's. */
#include "bin/bb/session/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/io.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/tool.h"

#define FILE_MAX ((size_t)64 << 10)
#define MANAGED "/etc/bb/managed.json"

const struct setting_row setting_rows[SETTING_COUNT] = {
    [SETTING_ASK_MAX_DECLINED] = {"ask.maxDeclined", SETTING_NUMBER, LAYERS_PERSON, 5, 1,
        1000, "answers of no in a turn after which its other questions are not drawn"},
    [SETTING_ALLOW] = {"permissions.allow", SETTING_RULES, LAYERS_PERSON, 0, 0, 0,
        "rules that answer a question with yes"},
    [SETTING_ASK] = {"permissions.ask", SETTING_RULES, LAYERS_UNITED, 0, 0, 0,
        "rules under which each call asks you"},
    [SETTING_DENY] = {"permissions.deny", SETTING_RULES, LAYERS_UNITED, 0, 0, 0,
        "rules that refuse, in every mode"},
    [SETTING_READS_STAY] = {"permissions.readsStayInWorkspace", SETTING_BOOL,
        LAYERS_NARROWS, 0, 0, 1, "refuse every path outside the workspace"},
    [SETTING_SEARCH_FILES] = {"search.maxFiles", SETTING_NUMBER, LAYERS_NEAREST, 0, 1,
        10000000, "files a search may walk"},
    [SETTING_SEARCH_SECONDS] = {"search.maxSeconds", SETTING_NUMBER, LAYERS_NEAREST, 0, 1,
        0, "seconds a search may spend reading"},
};

struct settings {
	int64_t value[SETTING_COUNT];
	const char *from[SETTING_COUNT]; /* borrowed from `files`, or NULL */
	struct rules *rules;
	char **problem, **file;
	size_t n_problems, n_files;
	bool failed; /* out of memory */
};

struct layer {
	const char *path, *shown; /* as opened, as named to the person */
	const char *dir;          /* what a single leading slash means */
	bool checkout, must;      /* must: --settings */
};

/* The page of the helper has the number; nothing here repeats it. */
int64_t
setting_default(enum setting k)
{
	const struct tool *t = tool_find("search");

	if (k == SETTING_SEARCH_FILES)
		return tool_call_default(t, "files");
	if (k == SETTING_SEARCH_SECONDS)
		return tool_call_default(t, "ms") / 1000;
	return setting_rows[k].def;
}

/* A quarter of the helper's own time is left for walking and writing. */
int64_t
setting_most(enum setting k)
{
	if (k == SETTING_SEARCH_SECONDS)
		return tool_find("search")->limits.wall_s * 3 / 4;
	return setting_rows[k].max;
}

static char *
push(struct settings *s, char ***list, size_t *n, const char *text)
{
	char **p = reallocarray(*list, *n + 1, sizeof(char *)), *own = strdup(text);

	if (p != NULL)
		*list = p;
	if (p == NULL || own == NULL) {
		free(own);
		s->failed = true;
		return NULL;
	}
	return p[(*n)++] = own;
}

static void
problem(struct settings *s, const struct layer *l, const char *key, const char *says)
{
	auto_buf struct buf b = BUF_INIT;

	(void)buf_fmt(&b, "%s: %s%s%s", l->shown, key, *key != '\0' ? ": " : "", says);
	(void)push(s, &s->problem, &s->n_problems, buf_cstr(&b));
}

/* --- one layer ----------------------------------------------------------------------- */

/* NULL, or why it cannot be used; *missing: it is not there, which is no fault. */
static const char *
read_file(const char *path, json_t **out, bool *missing)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct buf b;
	struct stat st;
	const char *why = NULL;

	*out = NULL;
	*missing = fd < 0 && (errno == ENOENT || errno == ENOTDIR);
	if (fd < 0)
		return err_errno(errno);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return "not a regular file";
	buf_init(&b, FILE_MAX);
	switch (io_pread_all(fd, &b)) {
	case 0:
		if (json_parse(buf_cstr(&b), b.len, out, &why) == 0 &&
		    !json_is_object(*out))
			why = "not a JSON object";
		break;
	case E_TOO_LONG:
		why = "larger than 64 KiB";
		break;
	default:
		why = err_errno(errno);
		break;
	}
	buf_release(&b);
	return why;
}

static void
take_rules(struct settings *s, const struct layer *l, enum setting k, const json_t *v)
{
	enum rule_list list = k == SETTING_DENY ? RULE_DENY
	    : k == SETTING_ASK                  ? RULE_ASK
	                                        : RULE_ALLOW;
	const char *why = NULL;
	const json_t *one;
	size_t i;

	if (!json_is_array(v)) {
		problem(s, l, setting_rows[k].key, "not a list of rules");
		return;
	}
	json_array_foreach(v, i, one) {
		auto_buf struct buf key = BUF_INIT, says = BUF_INIT;
		int err = E_BAD;

		(void)buf_fmt(&key, "%s[%zu]", setting_rows[k].key, i);
		if (json_is_string(one))
			err = rules_add(s->rules, list, json_string_value(one), l->shown,
			    l->dir, &why);
		else
			why = "not a string";
		if (err == E_BAD) {
			if (json_is_string(one))
				(void)buf_fmt(&says, "'%s': ", json_string_value(one));
			(void)buf_str(&says, why);
			problem(s, l, buf_cstr(&key), buf_cstr(&says));
		}
		s->failed |= err != 0 && err != E_BAD;
	}
}

static void
take_scalar(struct settings *s, const struct layer *l, const char *from, enum setting k,
    const json_t *v)
{
	const struct setting_row *row = &setting_rows[k];
	auto_buf struct buf says = BUF_INIT;
	int64_t n = 0;

	if (row->type == SETTING_BOOL) {
		if (!json_is_boolean(v)) {
			problem(s, l, row->key, "not true or false");
			return;
		}
		n = json_is_true(v);
		if (row->layers == LAYERS_NARROWS && n <= s->value[k])
			return;
	} else if (json_whole(v, &n) != 0 || n < row->min || n > setting_most(k)) {
		(void)buf_fmt(&says, "not a whole number from %lld to %lld",
		    (long long)row->min, (long long)setting_most(k));
		problem(s, l, row->key, buf_cstr(&says));
		return;
	}
	s->value[k] = n;
	s->from[k] = from;
}

/* 0; E_BAD: it must be there and cannot be used. */
static int
take_layer(struct settings *s, const struct layer *l, struct buf *why)
{
	auto_json json_t *o = NULL;
	bool missing;
	const char *fault = read_file(l->path, &o, &missing), *from;

	if (fault != NULL && l->must) {
		(void)buf_fmt(why, "--settings '%s': %s", l->shown, fault);
		return E_BAD;
	}
	if (missing)
		return 0;
	if (fault != NULL) {
		problem(s, l, "", fault);
		return 0;
	}
	if ((from = push(s, &s->file, &s->n_files, l->shown)) == NULL)
		return E_NOMEM;
	for (enum setting k = 0; k < SETTING_COUNT; k++) {
		const struct setting_row *row = &setting_rows[k];
		auto_buf struct buf at = BUF_INIT;
		const json_t *v;

		if (buf_fmt(&at, ".%s", row->key) != 0)
			return E_NOMEM;
		if ((v = json_at(o, buf_cstr(&at))) == NULL)
			continue;
		if (l->checkout && row->layers == LAYERS_PERSON)
			problem(s, l, row->key,
			    "counts for nothing in a checkout; it is yours to say in "
			    "your own settings");
		else if (row->type == SETTING_RULES)
			take_rules(s, l, k, v);
		else
			take_scalar(s, l, from, k, v);
	}
	return 0;
}

/* --- all of them ---------------------------------------------------------------------- */

static int
take_own(struct settings *s, struct buf *why)
{
	auto_buf struct buf dir = BUF_INIT, file = BUF_INIT;

	if (path_config(&dir) != 0)
		return 0; /* no home, no file of one's own */
	if (buf_fmt(&file, "%s/settings.json", buf_cstr(&dir)) != 0)
		return E_NOMEM;
	return take_layer(s,
	    &(struct layer){buf_cstr(&file), buf_cstr(&file), buf_cstr(&dir), false,
	        false},
	    why);
}

static int
take_checkout(struct settings *s, const char *workspace, struct buf *why)
{
	static const char *const names[] = {".bb/settings.json",
	    ".bb/settings.local.json"};
	int r = 0;

	for (size_t i = 0; i < 2 && r == 0; i++) {
		auto_buf struct buf file = BUF_INIT;

		if (buf_fmt(&file, "%s/%s", workspace, names[i]) != 0)
			return E_NOMEM;
		r = take_layer(s,
		    &(struct layer){buf_cstr(&file), names[i], workspace, true, false},
		    why);
	}
	return r;
}

static int
take_named(struct settings *s, const char *name, const char *workspace, struct buf *why)
{
	auto_free char *real = realpath(name, NULL);
	auto_buf struct buf dir = BUF_INIT;
	char *slash;

	if (real == NULL) {
		(void)buf_fmt(why, "--settings '%s': %s", name, err_errno(errno));
		return E_BAD;
	}
	if (buf_str(&dir, real) != 0)
		return E_NOMEM;
	if ((slash = strrchr(dir.p, '/')) != NULL)
		slash[slash == dir.p] = '\0';
	/* SAFE: a file of the checkout stays one, whatever it is named by. */
	return take_layer(s,
	    &(struct layer){real, name, dir.p, path_covers(workspace, real, NULL), true},
	    why);
}

int
settings_load(const struct session_config *c, const char *workspace, bool folds,
    struct settings **out, struct buf *why)
{
	struct settings *s = calloc(1, sizeof(*s));
	int r;

	*out = NULL;
	if (s == NULL)
		return E_NOMEM;
	for (enum setting k = 0; k < SETTING_COUNT; k++)
		s->value[k] = setting_default(k);
	if ((r = rules_new(workspace, path_home(), folds, &s->rules)) == 0 &&
	    (r = take_own(s, why)) == 0 && (r = take_checkout(s, workspace, why)) == 0 &&
	    (c->settings == NULL ||
	        (r = take_named(s, c->settings, workspace, why)) == 0))
		r = take_layer(s,
		    &(struct layer){MANAGED, MANAGED, "/etc/bb", false, false}, why);
	if (r == 0 && s->failed)
		r = E_NOMEM;
	if (r != 0) {
		settings_free(s);
		return r;
	}
	*out = s;
	return 0;
}

void
settings_free(struct settings *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->n_problems; i++)
		free(s->problem[i]);
	for (size_t i = 0; i < s->n_files; i++)
		free(s->file[i]);
	free(s->problem);
	free(s->file);
	rules_free(s->rules);
	free(s);
}

int64_t
settings_number(const struct settings *s, enum setting k)
{
	return s->value[k];
}

const char *
settings_from(const struct settings *s, enum setting k)
{
	return s->from[k] != NULL ? s->from[k] : "default";
}

struct rules *
settings_rules(const struct settings *s)
{
	return s->rules;
}

size_t
settings_problems(const struct settings *s)
{
	return s->n_problems;
}

const char *
settings_problem(const struct settings *s, size_t i)
{
	return s->problem[i];
}

void
settings_complain(const struct settings *s)
{
	for (size_t i = 0; i < s->n_problems; i++) {
		complain("bb: settings: %s\n", s->problem[i]);
		complaint_answered(); /* a remark: the session goes on */
	}
}

size_t
settings_files(const struct settings *s)
{
	return s->n_files;
}

const char *
settings_file(const struct settings *s, size_t i)
{
	return s->file[i];
}

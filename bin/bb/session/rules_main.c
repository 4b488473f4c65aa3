/* bb rules: the rules that hold here, one more or one less in the person's own file, and
 * which of them would decide about a call. Only that file is ever written, whole and at
 * once. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/io.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define USAGE \
	"bb: bb rules [list | add allow|ask|deny RULE | remove N | test TOOL " \
	"key=value…]\n"

static void
shown(const char *s, struct buf *out)
{
	safe_put(s, strlen(s), SAFE_NAME, &(struct look){.width = 80, .utf8 = true}, out);
}

/* --- the person's own file --------------------------------------------------------- */

static int
own_file(struct buf *out)
{
	auto_buf struct buf dir = BUF_INIT;
	auto_free char *real = NULL;

	if (path_config(&dir) != 0) {
		complain("bb: no directory for settings: set HOME\n");
		return 75;
	}
	(void)buf_fmt(out, "%s/settings.json", buf_cstr(&dir));
	/* A file that is a link stays one: what it names is written. */
	if ((real = realpath(buf_cstr(out), NULL)) != NULL) {
		buf_clear(out);
		(void)buf_str(out, real);
	}
	return out->failed ? 75 : 0;
}

/* Its object; an empty one where there is no file. NULL: complained of. */
static json_t *
own_read(const char *path)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	auto_buf struct buf b = BUF_INIT;
	json_t *o = NULL;
	const char *why = "not a JSON object";

	if (fd < 0 && errno == ENOENT)
		return json_object();
	if (fd < 0 || io_pread_all(fd, &b) != 0)
		complain("bb: cannot read '%s': %s\n", path, err_errno(errno));
	else if (json_parse(buf_cstr(&b), b.len, &o, &why) != 0 || !json_is_object(o))
		complain("bb: '%s' is no settings file: %s; it is left as it is\n", path,
		    why);
	else
		return o;
	json_decref(o);
	return NULL;
}

/* The list of that name in it, made where there is none. NULL: complained of. */
static json_t *
own_list(json_t *o, const char *name)
{
	json_t *p = json_object_get(o, "permissions"), *list;

	if (p == NULL) {
		json_object_set_new(o, "permissions", json_object());
		p = json_object_get(o, "permissions");
	}
	if (json_is_object(p) && json_object_get(p, name) == NULL)
		json_object_set_new(p, name, json_array());
	list = json_is_object(p) ? json_object_get(p, name) : NULL;
	if (!json_is_array(list)) {
		complain("bb: permissions.%s of your settings is no list; it is left as "
		         "it is\n",
		    name);
		return NULL;
	}
	return list;
}

static int
put(const char *temp, const char *path, const char *text, mode_t mode)
{
	auto_fd int fd =
	    open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -1;
	if (io_write(fd, text, strlen(text)) == 0 && io_write(fd, "\n", 1) == 0 &&
	    fchmod(fd, mode) == 0 && fsync(fd) == 0 && rename(temp, path) == 0)
		return 0;
	(void)unlink(temp);
	return -1;
}

static int
own_write(const char *path, const json_t *o)
{
	auto_buf struct buf temp = BUF_INIT, dir = BUF_INIT, why = BUF_INIT;
	auto_free char *text = json_dumps(o, JSON_INDENT(2));
	struct stat st;
	int r = path_config(&dir);

	if (text == NULL || r != 0 ||
	    buf_fmt(&temp, "%s.%ld", path, (long)getpid()) != 0) {
		complain("bb: out of memory\n");
		return 75;
	}
	if (access(path, F_OK) != 0 && path_private_dir(buf_cstr(&dir), 1, &why) != 0) {
		complain("bb: cannot make '%s': %s\n", buf_cstr(&dir),
		    why.len > 0 ? buf_cstr(&why) : err_errno(errno));
		return 75;
	}
	if (put(temp.p, path, text, stat(path, &st) == 0 ? st.st_mode & 0777 : 0600) !=
	    0) {
		complain("bb: cannot write '%s': %s\n", path, err_errno(errno));
		return 75;
	}
	return 0;
}

/* --- add, remove ---------------------------------------------------------------------- */

static int
add(const char *list, const char *rule)
{
	auto_buf struct buf path = BUF_INIT;
	auto_json json_t *o = NULL;
	struct rules *trial = NULL;
	const char *why = NULL;
	json_t *v, *one;
	size_t l = 0, i;
	int r;

	while (l < 3 && strcmp(list, rule_list_words[l]) != 0)
		l++;
	if (l == 3) {
		complain(USAGE);
		return 2;
	}
	if (rules_new("/", path_home(), false, &trial) != 0)
		bug("out of memory");
	r = rules_add(trial, (enum rule_list)l, rule, "", "/", &why);
	rules_free(trial);
	if (r != 0) {
		complain("bb: '%s' is no rule: %s\n", rule,
		    why != NULL ? why : "out of memory");
		return 2;
	}
	if ((r = own_file(&path)) != 0)
		return r;
	if ((o = own_read(buf_cstr(&path))) == NULL || (v = own_list(o, list)) == NULL)
		return 1;
	json_array_foreach(v, i, one)
		if (json_is_string(one) && strcmp(json_string_value(one), rule) == 0) {
			printf("it stands there already\n");
			return 0;
		}
	if (json_array_append_new(v, json_string(rule)) != 0) {
		complain("bb: '%s' is not valid UTF-8\n", rule);
		return 2;
	}
	return own_write(buf_cstr(&path), o);
}

/* Take out the rule as it stands in the person's own file, blanks around it included. */
static bool
take_out(json_t *list, const char *text)
{
	size_t i, n = strlen(text);
	json_t *one;

	json_array_foreach(list, i, one) {
		const char *s = json_string_value(one);

		if (s == NULL)
			continue;
		s += strspn(s, " \t\n\r");
		if (strncmp(s, text, n) == 0 && strspn(s + n, " \t\n\r") == strlen(s + n))
			return json_array_remove(list, i) == 0;
	}
	return false;
}

static int
take_away(const struct settings *s, const char *number)
{
	const struct rules *rules = settings_rules(s);
	auto_buf struct buf path = BUF_INIT, named = BUF_INIT, dir = BUF_INIT;
	auto_json json_t *o = NULL;
	const struct rule *r;
	char *end;
	size_t n = strtoul(number, &end, 10);
	json_t *list;
	int err;

	if (*end != '\0' || *number < '1' || *number > '9' || n > rules_count(rules)) {
		complain("bb: there is no rule '%s'; bb rules numbers them\n", number);
		return 2;
	}
	r = rules_at(rules, n - 1);
	if ((err = own_file(&path)) != 0)
		return err;
	if (path_config(&dir) != 0 ||
	    buf_fmt(&named, "%s/settings.json", buf_cstr(&dir)) != 0)
		return 75;
	if (strcmp(r->from, buf_cstr(&named)) != 0) {
		complain("bb: it stands in '%s', which is not your own file\n", r->from);
		return 3;
	}
	if ((o = own_read(buf_cstr(&path))) == NULL ||
	    (list = own_list(o, rule_list_words[r->list])) == NULL)
		return 1;
	if (!take_out(list, r->text)) {
		complain("bb: the file changed meanwhile; nothing was removed\n");
		return 1;
	}
	return own_write(buf_cstr(&path), o);
}

/* --- list, test ------------------------------------------------------------------------- */

static void
show(const struct session_config *c, const struct settings *s)
{
	const struct rules *rules = settings_rules(s);
	auto_buf struct buf b = BUF_INIT;
	auto_json json_t *o = json_pack("{s:i,s:[]}", "schema", 1, "rules");

	for (size_t i = 0; i < rules_count(rules); i++) {
		const struct rule *r = rules_at(rules, i);

		json_array_append_new(json_object_get(o, "rules"),
		    json_pack("{s:i,s:s,s:s,s:s}", "n", (int)i + 1, "list",
		        rule_list_words[r->list], "rule", r->text, "from", r->from));
		(void)buf_fmt(&b, "%3zu  %-5s  ", i + 1, rule_list_words[r->list]);
		shown(r->text, &b);
		(void)buf_str(&b, "  ");
		shown(r->from, &b);
		(void)buf_byte(&b, '\n');
	}
	if (c->json) {
		buf_clear(&b);
		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &b);
		(void)buf_byte(&b, '\n');
	} else if (rules_count(rules) == 0) {
		(void)buf_str(&b, "no rules\n");
	}
	fputs(buf_cstr(&b), stdout);
}

static int
test(const struct session_config *c, const struct session *s, const struct tool *t,
    const json_t *args)
{
	bool dir = t->fds[0].access == TOOL_DIR;
	const char *path = json_string_value(json_object_get(args, t->fds[0].args[0]));
	const struct rule *r;
	struct grant g = GRANT_INIT;
	auto_buf struct buf b = BUF_INIT;
	const char *word;

	if (path == NULL && !dir) {
		complain("bb: a path is required: bb rules test %s path=README.md\n",
		    t->name);
		return 2;
	}
	path = path != NULL ? path : ".";
	/* A place that is not there or out of reach has a name all the same. */
	(void)grant_resolve(s->reach, path, strlen(path), dir ? GRANT_DIR : GRANT_FILE,
	    &g);
	r = rules_decide(settings_rules(s->settings), t->effect ? RULE_EDIT : RULE_READ,
	    g.spelled, g.landed);
	word = r != NULL ? rule_list_words[r->list] : "none";
	if (c->json) {
		auto_json json_t *o = json_pack("{s:i,s:s,s:s,s:s,s:s?,s:s?}", "schema",
		    1, "tool", t->name, "path", path, "decision", word, "rule",
		    r != NULL ? r->text : NULL, "from", r != NULL ? r->from : NULL);

		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &b);
	} else if (r == NULL) {
		(void)buf_str(&b, "no rule decides about ");
		shown(path, &b);
	} else {
		(void)buf_fmt(&b, "%s  ", word);
		shown(r->text, &b);
		(void)buf_str(&b, "  ");
		shown(r->from, &b);
	}
	puts(buf_cstr(&b));
	grant_release(&g);
	return r != NULL && r->list == RULE_DENY ? 3 : 0;
}

int
rules_main(const struct session_config *c, char **words, size_t n)
{
	struct session_config quiet = *c;
	struct session *s = NULL;
	auto_buf struct buf why = BUF_INIT;
	auto_json json_t *args = NULL;
	const struct tool *t = NULL;
	const char *what = n > 0 ? words[0] : "list";
	int status, r;

	if (strcmp(what, "add") == 0 && n == 3)
		return add(words[1], words[2]);
	if (strcmp(what, "test") == 0 && n >= 2) {
		if ((t = tool_find(words[1])) == NULL) {
			complain("bb: unknown tool '%s'; bb help lists the tools\n",
			    words[1]);
			return 2;
		}
		if (args_from_words(words[1], words + 2, n - 2, &args, &why) != 0) {
			complain("bb: %s\n", buf_cstr(&why));
			return 2;
		}
	} else if (!(strcmp(what, "list") == 0 && n <= 1) &&
	    !(strcmp(what, "remove") == 0 && n == 2)) {
		complain(USAGE);
		return 2;
	}
	quiet.private_session = true; /* nothing happens: nothing is recorded */
	quiet.trail = NULL;
	quiet.approver = "none";
	if ((r = session_new(&quiet, &s, &why)) != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	settings_complain(s->settings);
	if (t != NULL)
		status = test(c, s, t, args);
	else if (n == 2)
		status = take_away(s->settings, words[1]);
	else {
		show(c, s->settings);
		status = 0;
	}
	session_free(s);
	return status;
}

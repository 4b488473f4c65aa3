/* What a person may type beside tools: /trust, /distrust, /add-dir, /cd,
 * /status, /show, /log, /help. Each is their own act, recorded as theirs; none
 * is open to a planner. Used by the terminal and by bb approve. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/commands.h"
#include "bin/bb/session/log.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/clock.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define HELD_MOST 8 /* references named by /status; /show looks at any */

const struct command commands[] = {
    {"/help", "", "these commands and how to type a tool call"},
    {"/status", "",
        "everything that may happen unasked, and where each permission comes "
        "from"},
    {"/trust", "[PATH]", "the agent reads PATH (or all of it) as if you had written it"},
    {"/distrust", "PATH", "take PATH back: it is held back again"},
    {"/add-dir", "DIR", "open another directory, and trust it, this session"},
    {"/cd", "DIR", "go on in DIR, and trust it, this session"},
    {"/show", "REF", "look at what a reference holds, yourself"},
    {"/log", "[N]", "the last N calls and every gate they passed"},
    {"/quit", "", "leave"},
};
const size_t commands_len = sizeof(commands) / sizeof(*commands);

static void
shown(const char *s, struct buf *out)
{
	struct look look;

	look_of(STDOUT_FILENO, COLOUR_NEVER, &look);
	safe_put(s, strlen(s), SAFE_NAME, &look, out);
}

static void
add_dir(struct session *s, const char *dir, bool cd, struct buf *out)
{
	int r;
	const char *key;

	if (*dir == '\0') {
		(void)buf_fmt(out, "%s needs a directory\n", cd ? "/cd" : "/add-dir");
		return;
	}
	r = cd ? reach_cd(s->reach, dir) : reach_add(s->reach, dir);
	if (r == E_DUP || r == E_STATE || r == E_OUTSIDE) {
		(void)buf_str(out,
		    r == E_DUP ? "open already\n" : "it holds the workspace: refused\n");
		return;
	}
	if (r != 0) {
		(void)buf_fmt(out, "cannot open it: %s\n", err_errno(errno));
		return;
	}
	key = reach_path(s->reach, cd ? 0 : reach_count(s->reach) - 1);
	/* SAFE: a session whose rules do not hold makes no call. */
	if (cd && rules_move(settings_rules(s->settings), key) != 0)
		bug("the rules do not fit the new directory");
	trail_act(s->trail, cd ? "cd" : "add-dir", key, s->acting);
	if (trust_set(s->trust, key, TRUST_T, cd ? TRUST_BY_CD : TRUST_BY_ADD_DIR) != 0 ||
	    trail_flush(s->trail) != 0) {
		(void)buf_str(out, "not recorded: it stays as it was trusted before\n");
		return;
	}
	(void)buf_str(out,
	    trust_of(s->trust, key) != TRUST_T
	        ? "open, but held back, since it is so by another name: "
	        : cd ? "working in, and trusted: "
	             : "reach and trust, this session: ");
	shown(key, out);
	(void)buf_str(out, "\n");
}

static void
show(struct session *s, const char *name, struct buf *out)
{
	struct ref *r;
	auto_buf struct buf bytes = BUF_INIT, key = BUF_INIT;
	struct grant g = GRANT_INIT;
	struct look look;
	int err = refs_find(s->refs, name, &r);

	if (err != 0) {
		(void)buf_str(out,
		    err == E_BAD ? "a reference is written ref:3\n"
		                 : "that names nothing in this session\n");
		return;
	}
	look_of(1, s->c.colour, &look);
	trail_act(s->trail, "show", name, s->acting);
	if (r->label.i == UNTRUSTED)
		screen_mark(&look, out); /* the first row, whatever follows */
	if (r->slot != NULL) {
		err = slot_display(r->slot, &bytes);
	} else if ((r->path != NULL ? buf_str(&key, r->path) : ref_entry_path(r, &key)) ==
	    0) {
		(void)buf_str(out, "           ");
		shown(buf_cstr(&key), out);
		(void)buf_str(out, r->kind == REF_DIRECTORY ? "/\n" : "\n");
		if (r->kind == REF_DIRECTORY)
			return;
		if (grant_resolve_key(s->reach, buf_cstr(&key), GRANT_FILE, &g) !=
		        GRANT_FINE ||
		    grant_open(s->reach, GRANT_FILE, &g) != GRANT_FINE) {
			grant_release(&g);
			(void)buf_str(out, "it cannot be opened now\n");
			return;
		}
		err = commands_head(g.fd, &bytes);
		grant_release(&g);
	}
	if (err != 0) {
		(void)buf_str(out, "it cannot be read now\n");
		return;
	}
	if (r->media != NULL)
		(void)buf_fmt(out,
		    "a picture or PDF (%s): open it with a program of yours\n", r->media);
	else
		screen_content(&look, buf_cstr(&bytes), bytes.len, false, out);
}

/* For one who is not at our terminal: the record as rows. */
static void
log_rows(struct session *s, const char *arg, struct buf *out)
{
	const struct look look = look_plain();
	char *p = NULL;
	size_t n = 0;
	struct log_options lo = {.state = s->state,
	    .workspace = reach_path(s->reach, 0),
	    .file = trail_path(s->trail),
	    .look = &look};

	if (log_number(arg, &lo.n) != 0) {
		(void)buf_str(out, "/log takes a number of calls\n");
	} else if (lo.file == NULL) {
		(void)buf_str(out,
		    s->c.trail != NULL
		        ? "the record goes to --trail and cannot be read here\n"
		        : "this session keeps no record (--private)\n");
	} else if ((lo.to = open_memstream(&p, &n)) == NULL) {
		(void)buf_str(out, "the record cannot be read now\n");
	} else {
		int status = log_main(&lo);

		if (fclose(lo.to) == 0 && status == 0)
			(void)buf_append(out, p, n);
		else
			(void)buf_str(out, "the record cannot be read now\n");
		free(p);
	}
}

static void
stop(struct session *s, struct buf *out)
{
	unsigned n = 0;

	for (const struct call *c = s->open; c != NULL; c = c->next)
		n += !c->finished;
	if (n == 0) {
		(void)buf_str(out, "no call is open\n");
		return;
	}
	trail_act(s->trail, "stop", "", s->acting);
	(void)buf_fmt(out, "stopped %u call%s; no other is made until the turn ends\n", n,
	    n == 1 ? "" : "s");
	(void)session_stop(s);
}

static void
help(struct buf *out)
{
	for (size_t i = 0; i < commands_len; i++) {
		auto_buf struct buf left = BUF_INIT;

		(void)buf_fmt(&left, "%s %s", commands[i].name, commands[i].arg);
		(void)buf_fmt(out, "  %-18s %s\n", buf_cstr(&left), commands[i].says);
	}
	(void)buf_str(out,
	    "\n  ,TOOL key=value…   one tool call; the line you type "
	    "is the consent for "
	    "it:\n");
	for (size_t i = 0; i < tools_len; i++)
		if (call_offered(tools[i]->name)) {
			(void)buf_fmt(out, "    ,%s", tools[i]->name);
			for (size_t k = 0; k < tools[i]->n_args; k++)
				if (strcmp(tools[i]->args[k].name, "why") != 0)
					(void)buf_fmt(out,
					    " %s=", tools[i]->args[k].name);
			(void)buf_str(out, "\n");
		}
}

static bool
run(struct session *s, const char *line, struct buf *out)
{
	size_t n = strcspn(line, " ");
	const char *arg = line + n;
	char word[32];

	if (n >= sizeof(word))
		return false;
	memcpy(word, line, n);
	word[n] = '\0';
	while (*arg == ' ')
		arg++;
	if (strcmp(word, "/help") == 0) {
		help(out);
	} else if (strcmp(word, "/status") == 0) {
		status_rows(s, out);
	} else if (strcmp(word, "/trust") == 0) {
		command_trust_typed(s, *arg != '\0' ? arg : ".", true, out);
	} else if (strcmp(word, "/distrust") == 0) {
		if (*arg == '\0')
			(void)buf_str(out,
			    "/distrust needs a path; . is the whole directory\n");
		else
			command_trust_typed(s, arg, false, out);
	} else if (strcmp(word, "/add-dir") == 0) {
		add_dir(s, arg, false, out);
	} else if (strcmp(word, "/cd") == 0) {
		add_dir(s, arg, true, out);
	} else if (strcmp(word, "/show") == 0) {
		show(s, arg, out);
	} else if (strcmp(word, "/log") == 0) {
		log_rows(s, arg, out);
	} else if (strcmp(word, "/stop") == 0) {
		stop(s, out);
	} else {
		return false;
	}
	return true;
}

bool
command_run(struct session *s, const char *line, struct buf *out)
{
	const char *by = s->acting;
	bool known;

	if (by == NULL) /* told apart from an option's act, which nobody typed here */
		s->acting = "person at terminal";
	known = run(s, line, out);
	s->acting = by;
	return known;
}

/* --- /status and bb status
 * ---------------------------------------------------------- */

struct trust_rows {
	struct session *s;
	struct buf *trusted, *not ;
	json_t *list;
};

static const char *
by_words(enum trust_by by)
{
	switch (by) {
	case TRUST_BY_OPENING:
		return "opening question or --trust";
	case TRUST_BY_PERSON:
		return "/trust or /distrust";
	case TRUST_BY_VOUCH:
		return "yes at a held-back read";
	case TRUST_BY_ADD_DIR:
		return "added directory";
	case TRUST_BY_CD:
		return "/cd";
	case TRUST_BY_NAMED:
		return "named by you";
	case TRUST_BY_WRITE:
		return "written";
	}
	return "";
}

static bool
each_rule(void *arg, const char *key, enum trust_word w, enum trust_by by)
{
	struct trust_rows *r = arg;
	const char *ws = reach_path(r->s->reach, 0), *rest = key;
	struct buf *b = w == TRUST_T ? r->trusted : r->not ;

	if (path_covers(ws, key, &rest))
		while (*rest == '/')
			rest++;
	else
		rest = key;
	(void)buf_str(b, b->len > 0 ? ", " : "");
	shown(*rest == '\0' ? "." : rest, b);
	(void)buf_fmt(b, " (%s)", by_words(by));
	json_array_append_new(r->list,
	    json_pack("{s:s,s:s,s:s}", "path", key, "trust",
	        w == TRUST_T       ? "trusted"
	            : w == TRUST_U ? "untrusted"
	                           : "undecided",
	        "by", by_words(by)));
	return true;
}

/* What is held back, by its place; an entry's name is the person's to see. */
static void
held_rows(struct session *s, struct buf *out)
{
	size_t n = refs_count(s->refs), most = n > HELD_MOST ? HELD_MOST : n;

	(void)buf_str(out, n == 0 ? "held back  nothing" : "held back  ");
	for (size_t i = 0; i < most; i++) {
		const struct ref *r = refs_at(s->refs, n - most + i);
		auto_buf struct buf key = BUF_INIT;
		const char *ws = reach_path(s->reach, 0), *rest;

		(void)buf_fmt(out, "%sref:%u ", i > 0 ? " · " : "", r->n);
		if (r->origin != NULL)
			(void)buf_str(&key, r->origin);
		else if (r->path != NULL)
			(void)buf_str(&key, r->path);
		else if (ref_entry_path(r, &key) != 0)
			(void)buf_str(&key, "an entry that is gone");
		rest = buf_cstr(&key);
		if (path_covers(ws, buf_cstr(&key), &rest))
			while (*rest == '/')
				rest++;
		else
			rest = buf_cstr(&key);
		shown(rest, out);
	}
	if (n > most)
		(void)buf_fmt(out, " · and %zu older", n - most);
	(void)buf_str(out, "\n");
}

/* Each rule and the file it stands in. */
static void
rules_rows(struct session *s, struct buf *out)
{
	const struct rules *r = settings_rules(s->settings);

	for (size_t i = 0; i < rules_count(r); i++) {
		const struct rule *x = rules_at(r, i);

		(void)buf_fmt(out, "%s%s ", i == 0 ? "rules      " : "           ",
		    rule_list_words[x->list]);
		shown(x->text, out);
		(void)buf_str(out, "  ");
		shown(x->from, out);
		(void)buf_str(out, "\n");
	}
}

void
status_rows(struct session *s, struct buf *out)
{
	auto_buf struct buf yes = BUF_INIT, no = BUF_INIT;
	auto_json json_t *list = json_array();
	struct trust_rows r = {s, &yes, &no, list};
	uint64_t min = (clock_wall_ms() - s->started_ms) / 60000;

	trust_each(s->trust, each_rule, &r);
	(void)buf_fmt(out, "session    %s ", s->id);
	shown(path_base(reach_path(s->reach, 0)), out);
	(void)buf_fmt(out,
	    ", %" PRIu64 " min, %u call%s, %u question%s (%u yes, %u no)\n", min,
	    s->calls, s->calls == 1 ? "" : "s", s->questions,
	    s->questions == 1 ? "" : "s", s->yes, s->no);
	(void)buf_str(out, "workspace  ");
	shown(reach_path(s->reach, 0), out);
	for (size_t i = 1; i < reach_count(s->reach); i++) {
		(void)buf_str(out, i == 1 ? "        also " : ", ");
		shown(reach_path(s->reach, i), out);
		(void)buf_str(out, " (added)");
	}
	(void)buf_fmt(out, "\ntrusted    %s", yes.len > 0 ? buf_cstr(&yes) : "nothing");
	if (no.len > 0)
		(void)buf_fmt(out, "    but not: %s", buf_cstr(&no));
	(void)buf_fmt(out,
	    "\nmode       default       model none\nmay run    "
	    "nothing: no tool of this "
	    "session starts programs or changes files\n");
	rules_rows(s, out);
	if (s->c.weaker_landlock)
		(void)buf_str(out,
		    "weaker     landlock (option --weaker): helpers that list could open "
		    "any "
		    "directory\n");
	held_rows(s, out);
	(void)buf_str(out, "record     ");
	if (trail_path(s->trail) != NULL)
		shown(trail_path(s->trail), out);
	else
		(void)buf_str(out, s->c.trail != NULL ? s->c.trail : "none (--private)");
	(void)buf_str(out, "\n");
}

json_t *
status_json(struct session *s)
{
	auto_buf struct buf yes = BUF_INIT, no = BUF_INIT;
	json_t *list = json_array(), *also = json_array();
	struct trust_rows r = {s, &yes, &no, list};

	json_t *ruled = json_array();
	const struct rules *x = settings_rules(s->settings);

	for (size_t i = 0; i < rules_count(x); i++)
		json_array_append_new(ruled,
		    json_pack("{s:s,s:s,s:s}", "list",
		        rule_list_words[rules_at(x, i)->list], "rule",
		        rules_at(x, i)->text, "from", rules_at(x, i)->from));
	trust_each(s->trust, each_rule, &r);
	for (size_t i = 1; i < reach_count(s->reach); i++)
		json_array_append_new(also, json_string(reach_path(s->reach, i)));
	return json_pack("{s:i,s:s,s:s,s:o,s:o,s:s,s:s,s:i,s:i,s:i,s:s?,s:o}", "schema",
	    1, "session", s->id, "workspace", reach_path(s->reach, 0), "also", also,
	    "trust", list, "mode", "default", "model", "none", "calls", (int)s->calls,
	    "questions", (int)s->questions, "held_back", (int)refs_count(s->refs),
	    "record", trail_path(s->trail), "rules", ruled);
}

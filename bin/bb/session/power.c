/* bb power: what one call would be given, computed by the same table and the same
 * resolution as the call, without making it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/commands.h"
#include "bin/bb/session/power_int.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/hash.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/tool_words.h"
#include "libcommon/utf8.h"
#include "libcommon/visible.h"

/* The typed object in words a person can read, and as they would type it. */
struct power {
	const struct tool *t;
	struct grant g;
	struct split scope;
	const char *shown; /* as typed */
	const char *decision, *reason;
	enum integrity i;
	bool split;
	char digest[17];     /* of the call: of its process, or of both */
	char process[2][17]; /* of each process, by part */
	unsigned columns;
};

static bool
starts(const struct power *p, size_t i)
{
	return p->split ? split_has(&p->scope, (enum integrity)i) : i == 0;
}

static size_t
processes(const struct power *p)
{
	return (size_t)starts(p, 0) + starts(p, 1);
}

static void
digests(const struct session *s, struct power *p)
{
	char both[40], hex[65];

	for (size_t i = 0; i < 2; i++)
		if (starts(p, i))
			power_digest(s, p->t, &p->g, p->split ? &p->scope : NULL,
			    (enum integrity)i, p->process[i]);
	if (processes(p) == 1) {
		memcpy(p->digest, p->process[starts(p, 0) ? 0 : 1], 17);
		return;
	}
	(void)snprintf(both, sizeof(both), "%s %s", p->process[0], p->process[1]);
	sha256_of(both, strlen(both), hex);
	memcpy(p->digest, hex, 16);
}

static const char *
dir_reason(const struct power *p)
{
	bool files = tool_reads_files(p->t);

	if (p->scope.coarse)
		return files
		    ? "no; trusted in too many parts, so all lines would be held "
		      "back"
		    : "no; trusted in too many parts, so all names would be held "
		      "back";
	if (p->scope.ruled && p->i == TRUSTED && !split_has(&p->scope, UNTRUSTED))
		return "no; what a rule denies or asks about is left out";
	if (p->split)
		return files
		    ? "no; trusted in parts, so the other lines would be held back"
		    : "no; trusted in parts, so the other names would be held back";
	if (p->i == TRUSTED)
		return "no";
	return files ? "no; nobody has vouched for it, so the lines would be held back"
	             : "no; nobody has vouched for it, so the names would be held back";
}

static const char *
access_words(const struct tool_fd *f)
{
	return f->access == TOOL_WRITE ? "write only" : "read only";
}

static void
size_words(struct buf *b, uint64_t n)
{
	if (n >= 1 << 20 && n % (1 << 20) == 0)
		(void)buf_fmt(b, "%" PRIu64 " MiB", n >> 20);
	else
		(void)buf_fmt(b, "%" PRIu64 " bytes", n);
}

static void
fd_words(const struct power *p, const struct tool_fd *f, struct buf *what,
    struct buf *how)
{
	static const struct look plain = {.width = 80, .utf8 = true};

	switch (f->source) {
	case TOOL_FROM_ARG:
		safe_put(p->shown, strlen(p->shown), SAFE_NAME, &plain, what);
		if (f->access == TOOL_DIR)
			(void)buf_fmt(how, "directory, to %s beneath it",
			    tool_reads_files(p->t) ? "search files" : "list names");
		else {
			(void)buf_fmt(how, "%s, regular file, ", access_words(f));
			size_words(how, (uint64_t)p->g.st.st_size);
		}
		break;
	case TOOL_FROM_SLOT:
		(void)buf_str(what, "memory");
		(void)buf_fmt(how, "%s, at most ", access_words(f));
		size_words(how, p->t->limits.slot);
		break;
	case TOOL_FROM_SCOPE:
		(void)buf_str(what, "memory");
		(void)buf_fmt(how, "%s, which parts of the directory to walk",
		    access_words(f));
		break;
	case TOOL_FROM_CARRY:
		(void)buf_str(what, "memory");
		(void)buf_fmt(how, "%s, just %s", access_words(f), f->args[0]);
		break;
	}
}

static void
put_row(const struct power *p, const char *name, const char *words, struct buf *b)
{
	(void)buf_fmt(b, " %-10s", name);
	look_wrap(p->columns, 11, words, b);
	(void)buf_byte(b, '\n');
}

static void
files_words(const struct power *p, struct buf *b)
{
	const struct tool *t = p->t;

	if (t->n_landlock == 0)
		(void)buf_str(b, "none: it can open nothing and look up no name");
	else if (!p->split)
		(void)buf_fmt(b, "%s beneath descriptor %d, nothing else (Landlock)",
		    t->landlock[0].words, t->landlock[0].fd);
	else
		(void)buf_fmt(b,
		    "trusted in parts: one process for %zu trusted %s, one for %zu "
		    "others (Landlock)",
		    p->scope.part[TRUSTED].n,
		    tool_reads_files(t) ? "directories and files" : "directories",
		    p->scope.part[UNTRUSTED].n);
}

static void
print_text(const struct power *p, struct buf *b)
{
	const struct tool *t = p->t;
	auto_buf struct buf process = BUF_INIT, files = BUF_INIT, limits = BUF_INIT,
	                    decided = BUF_INIT, power = BUF_INIT;

	put_row(p, "asks", p->reason, b);
	(void)buf_fmt(&process,
	    "%s, environment empty, cwd /, no_new_privs, not dumpable", t->helper);
	put_row(p, "process", buf_cstr(&process), b);
	for (size_t i = 0; i < t->n_fds; i++) {
		auto_buf struct buf what = BUF_INIT, how = BUF_INIT;

		fd_words(p, &t->fds[i], &what, &how);
		(void)buf_fmt(b, " %-9s %d  %-17s %s\n", i == 0 ? "gets" : "",
		    t->fds[i].n, buf_cstr(&what), buf_cstr(&how));
	}
	files_words(p, &files);
	put_row(p, "files", buf_cstr(&files), b);
	put_row(p, "network", "none: it has no sockets", b);
	tool_calls_words(t, p->columns, b);
	(void)buf_fmt(&limits, "cpu %u s · wall %u s · memory %" PRIu64 " MiB",
	    t->limits.cpu_s, t->limits.wall_s, t->limits.memory >> 20);
	put_row(p, "limits", buf_cstr(&limits), b);
	(void)buf_fmt(&decided, "by the table (%s %.8s) and %s alone", t->page,
	    t->page_digest, t->fds[0].args[0] != NULL ? t->fds[0].args[0] : "nothing");
	put_row(p, "decided", buf_cstr(&decided), b);
	if (processes(p) == 2)
		(void)buf_fmt(&power, "%s the trusted part, %s the others",
		    p->process[TRUSTED], p->process[UNTRUSTED]);
	else
		(void)buf_str(&power, p->digest);
	put_row(p, "power", buf_cstr(&power), b);
}

/* What Landlock lets the process of part i open. The name of what nobody vouched for is
 * not said: this may be read by whom it is kept from. */
static json_t *
rules_json(const struct power *p, size_t i)
{
	const struct tool *t = p->t;
	const struct split_part *part = &p->scope.part[i];
	json_t *land = json_array();
	bool whole = strcmp(p->shown, ".") == 0;

	for (size_t k = 0; !p->split && k < t->n_landlock; k++)
		json_array_append_new(land,
		    json_pack("{s:s,s:s}", "path", p->shown, "rights",
		        t->landlock[k].words));
	for (size_t k = 0; p->split && k < part->n; k++) {
		const char *rel = part->rule[k].rel;
		auto_buf struct buf path = BUF_INIT;

		if (*rel == '\0')
			(void)buf_str(&path, p->shown);
		else if (!part->rule[k].sayable)
			(void)buf_fmt(&path, "entry %zu of %s", k + 1, p->shown);
		else
			(void)buf_fmt(&path, "%s%s%s", whole ? "" : p->shown,
			    whole ? "" : "/", rel);
		if (!utf8_plain(buf_cstr(&path), path.len)) {
			auto_buf struct buf shown = BUF_INIT;

			visible_put(buf_cstr(&path), path.len, VISIBLE_WORD, &shown);
			buf_clear(&path);
			(void)buf_append(&path, buf_cstr(&shown), shown.len);
		}
		json_array_append_new(land,
		    json_pack("{s:s,s:s}", "path", buf_cstr(&path), "rights",
		        part->allow[k].rights == t->landlock[0].rights
		            ? t->landlock[0].words
		            : "read_file"));
	}
	return land;
}

static json_t *
processes_json(const struct power *p)
{
	static const char *const parts[] = {"trusted", "others"};
	json_t *all = json_array();

	for (size_t i = 0; i < 2; i++)
		if (starts(p, i))
			json_array_append_new(all,
			    json_pack("{s:s,s:s,s:o,s:s}", "part",
			        p->split ? parts[i] : "whole", "label",
			        label_text(
			            (struct label){p->split ? (enum integrity)i : p->i,
			                PRIVATE}),
			        "landlock", rules_json(p, i), "power", p->process[i]));
	return all;
}

static json_t *
print_json(const struct power *p, json_t *args)
{
	const struct tool *t = p->t;
	json_t *fds = json_array(), *land = json_array(), *allow = json_array(), *o;

	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];
		auto_buf struct buf what = BUF_INIT, how = BUF_INIT;

		fd_words(p, f, &what, &how);
		o = json_pack("{s:i,s:s,s:s,s:s,s:I}", "n", f->n, "what",
		    f->source == TOOL_FROM_ARG ? "argument" : "memory", "path",
		    buf_cstr(&what), "access",
		    f->access == TOOL_WRITE     ? "write"
		        : f->access == TOOL_DIR ? "directory"
		                                : "read",
		    "size",
		    (json_int_t)(f->source == TOOL_FROM_ARG ? p->g.st.st_size : 0));
		json_object_set_new(o, "type",
		    json_string(f->access == TOOL_DIR    ? "directory"
		            : f->source == TOOL_FROM_ARG ? "regular"
		                                         : "memory"));
		json_array_append_new(fds, o);
	}
	for (size_t i = 0; i < 2; i++) { /* what its processes may open together */
		auto_json json_t *rules = starts(p, i) ? rules_json(p, i) : json_array();

		json_array_extend(land, rules);
	}
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].errnum == 0)
			json_array_append_new(allow,
			    json_pack("{s:s,s:s}", "call", t->calls[i].name, "args",
			        t->calls[i].cond));
	o = json_pack("{s:i,s:s,s:O,s:s,s:s,s:s}", "schema", 1, "tool", t->name, "args",
	    args, "decision", p->decision, "reason", p->reason, "label",
	    label_text((struct label){p->i, PRIVATE}));
	json_object_set_new(o, "process",
	    json_pack("{s:s,s:s,s:[],s:s}", "program", t->helper, "digest",
	        t->filter_digest, "env", "cwd", "/"));
	json_object_set_new(o, "fds", fds);
	json_object_set_new(o, "landlock", land);
	json_object_set_new(o, "seccomp",
	    json_pack("{s:s,s:o,s:s}", "default", "kill", "allow", allow, "digest",
	        t->filter_digest));
	json_object_set_new(o, "namespaces", json_array());
	json_object_set_new(o, "limits",
	    json_pack("{s:i,s:i,s:I,s:I}", "cpu_s", (int)t->limits.cpu_s, "wall_s",
	        (int)t->limits.wall_s, "memory", (json_int_t)t->limits.memory, "slot",
	        (json_int_t)t->limits.slot));
	json_object_set_new(o, "policy",
	    json_pack("{s:s,s:s}", "file", t->page, "digest", t->page_digest));
	json_object_set_new(o, "processes", processes_json(p));
	json_object_set_new(o, "power", json_string(p->digest));
	return o;
}

/* Typed words back as they were typed, for the first row. */
static void
typed(const char *tool, json_t *args, struct buf *b)
{
	static const struct look plain = {.width = 80, .utf8 = true};
	const char *key;
	json_t *v;

	(void)buf_str(b, tool);
	json_object_foreach(args, key, v) {
		(void)buf_fmt(b, " %s=", key);
		if (json_is_string(v))
			safe_put(json_string_value(v), json_string_length(v), SAFE_NAME,
			    &plain, b);
		else
			(void)json_print(v, b);
	}
}

static int
refuse(const struct session_config *c, const char *what, const char *code,
    const char *remedy)
{
	if (c->json) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *o = json_pack("{s:i,s:{s:s,s:s,s:s}}", "schema", 1,
		    "error", "code", code, "says", what, "remedy", remedy);

		(void)json_print(o, &b);
		puts(buf_cstr(&b));
	} else {
		auto_buf struct buf b = BUF_INIT;

		visible_put(what, strlen(what), VISIBLE_WORD, &b);
		puts(buf_cstr(&b));
	}
	return strcmp(code, "outside-workspace") == 0 || strcmp(code, "deny-rule") == 0
	    ? 3
	    : strcmp(code, "not-offered") == 0 || strcmp(code, "bad-argument") == 0 ? 2
	                                                                            : 1;
}

/* What would help where something does, or "". */
static const char *
remedy(const struct reach *reach, enum grant_fault f, const struct power *p)
{
	if (f == GRANT_DIRECTORY)
		return "list it: bb power list_files directory=DIR";
	if (f == GRANT_MISSING_FORM)
		return "list the directory";
	if (f == GRANT_OUTSIDE && p->shown[0] == '/')
		return p->g.spelled != NULL &&
		        path_covers(reach_path(reach, 0), p->g.spelled, NULL)
		    ? "give the name relative to the workspace"
		    : "open its directory with --add-dir";
	return "";
}

/* A glob, or patterns joined by NUL. */
static void
call_text(const struct tool_arg *a, const json_t *v, struct buf *b)
{
	auto_buf struct buf all = BUF_INIT;
	size_t i;
	json_t *one;

	if (json_is_string(v))
		(void)buf_append(&all, json_string_value(v), json_string_length(v));
	json_array_foreach(v, i, one) {
		if (i > 0)
			(void)buf_byte(&all, '\0');
		(void)buf_append(&all, json_string_value(one), json_string_length(one));
	}
	if (v != NULL)
		rec_put_text(b, a->name, buf_cstr(&all), all.len);
}

/* The body of CALL for --by-hand, by the table: sent arguments, then the members that
 * bb fills. */
static void
call_body(const struct session *s, const struct tool *t, json_t *args, const char *base,
    struct buf *b)
{
	for (size_t i = 0; i < t->n_args; i++) {
		const struct tool_arg *a = &t->args[i];
		json_t *v = json_object_get(args, a->name);

		if (!a->sent)
			continue;
		if (tool_sends_text(a)) {
			call_text(a, v, b);
		} else if (a->type == TOOL_BOOL) {
			rec_put_int(b, a->name,
			    json_is_boolean(v) ? json_is_true(v) : a->def);
		} else {
			int64_t n = 0;

			if (json_whole(v, &n) != 0 && tool_omits(a))
				continue;
			if (tool_number(a, n, &n) == 0)
				rec_put_int(b, a->name, n);
		}
	}
	for (size_t i = 0; i < t->n_call; i++) {
		if (strcmp(t->call[i].name, "prefix") == 0)
			rec_put_text(b, "prefix", base, strlen(base));
		else if (t->call[i].type == MEMBER_INT)
			rec_put_int(b, t->call[i].name,
			    search_cap(s, t, t->call[i].name));
	}
}

/* How deep the call would walk: as list_start has it. */
static int64_t
levels(const json_t *args)
{
	const json_t *depth = json_object_get(args, "depth");

	return json_is_integer(depth) && json_integer_value(depth) > 0
	    ? json_integer_value(depth)
	    : INT64_MAX;
}

int
report_power(const struct session_config *c, const char *tool, json_t *args, bool by_hand)
{
	struct session_config quiet = *c;
	struct power p = {.t = tool_find(tool),
	    .g = GRANT_INIT,
	    .columns = look_columns()};
	auto_buf struct buf why = BUF_INIT, out = BUF_INIT, says = BUF_INIT;
	struct session *s = NULL;
	enum grant_fault f;
	int r, status = 0;
	bool dir, makes;

	quiet.private_session = true; /* nothing happens: nothing is recorded */
	quiet.trail = NULL;
	quiet.approver = "none";
	if ((r = session_new(&quiet, &s, &why)) != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	if (p.t == NULL || !permit_offered(&s->offer, p.t)) {
		(void)buf_fmt(&says, "error: unknown tool '%s'", tool);
		status =
		    refuse(c, buf_cstr(&says), "not-offered", "bb help lists the tools");
		goto out;
	}
	if (p.t->helper == NULL) {
		if (by_hand)
			status = refuse(c,
			    "error: this tool has no helper that could be started by "
			    "hand",
			    "bad-argument", "leave out --by-hand");
		else
			power_none(c, p.t, args, &out);
		if (!by_hand && !print_page(buf_cstr(&out), out.len))
			status = 75;
		goto out;
	}
	dir = p.t->fds[0].access == TOOL_DIR;
	p.shown = json_string_value(json_object_get(args, p.t->fds[0].args[0]));
	if (p.shown == NULL)
		p.shown = dir ? "." : NULL;
	for (size_t i = 0; i < p.t->n_args; i++) {
		const struct tool_arg *a = &p.t->args[i];

		if (!a->required || json_object_get(args, a->name) != NULL)
			continue;
		(void)buf_fmt(&says, "error: '%s' is required", a->name);
		status = refuse(c, buf_cstr(&says), "bad-argument",
		    "bb help lists each tool's arguments");
		goto out;
	}
	if (p.shown == NULL) {
		status = refuse(c,
		    "error: a path is required: bb power read_file path=README.md",
		    "bad-argument", "bb power read_file path=README.md");
		goto out;
	}
	f = grant_resolve(s->reach, p.shown, strlen(p.shown),
	    dir ? GRANT_DIR : GRANT_FILE, &p.g);
	makes = strcmp(p.t->name, "write_file") == 0 &&
	    (f == GRANT_MISSING || f == GRANT_MISSING_FORM);
	const struct rule *stop =
	    rules_stop(s, p.t->effect ? RULE_EDIT : RULE_READ, p.g.spelled, p.g.landed);

	if (stop != NULL && stop->list == RULE_DENY) {
		(void)buf_fmt(&says, "refused: a rule denies '%s'", p.shown);
		status = refuse(c, buf_cstr(&says), "deny-rule",
		    "bb rules test shows which one");
		goto out;
	}
	if (f != GRANT_FINE && !makes) {
		bool refused = f == GRANT_CLIMBS || f == GRANT_OUTSIDE;
		const char *code;

		(void)buf_str(&says, refused ? "refused: " : "error: ");
		code = answer_fault(s->reach, p.shown, f, &p.g, false, &says);
		status = refuse(c, buf_cstr(&says), code, remedy(s->reach, f, &p));
		goto out;
	}
	p.i = trust_read(s->trust, p.g.spelled, p.g.landed);
	p.decision = stop != NULL && stop->list == RULE_ASK ? "asks" : "runs";
	if (dir) {
		f = grant_open(s->reach, GRANT_DIR, &p.g);
		if (f == GRANT_FINE &&
		    split_tree(s, p.g.fd, &p.g, p.t->landlock[0].rights, levels(args),
		        &p.scope) == 0)
			p.split = p.scope.in_parts;
		p.reason = dir_reason(&p);
	} else if (p.t->effect) {
		bool examines = strcmp(p.t->name, "edit_file") == 0;

		p.decision = examines && p.i != TRUSTED ? "refused" : "asks";
		p.reason = examines && p.i != TRUSTED
		    ? "no; nobody has vouched for it, so an edit is refused"
		    : "every time";
	} else if (read_media(p.g.spelled) != NULL) {
		p.reason = "no; a picture or PDF is always held back";
	} else {
		p.reason = p.i == TRUSTED
		    ? "no"
		    : "no; nobody has vouched for it, so the text would be held back";
	}
	if (!p.t->effect && strcmp(p.decision, "asks") == 0)
		p.reason = "yes; a rule asks about it each time";
	digests(s, &p);
	if (by_hand) {
		auto_buf struct buf body = BUF_INIT, base = BUF_INIT;

		if (dir && strcmp(p.shown, ".") != 0)
			(void)buf_fmt(&base, "%s/", p.shown);
		call_body(s, p.t, args, buf_cstr(&base), &body);
		if (p.split)
			(void)buf_fmt(&out,
			    "# this call starts %zu process%s, each kept to its part by "
			    "rules no shell can give;\n"
			    "# the line starts one over the whole directory\n",
			    processes(&p), processes(&p) == 1 ? "" : "es");
		if (spawn_by_hand(p.t, s->helpers, p.g.landed, buf_cstr(&body), body.len,
		        &out) != 0)
			bug("no shell line");
		(void)buf_str(&out, "\n");
	} else if (c->json) {
		auto_json json_t *o = print_json(&p, args);

		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &out);
		(void)buf_str(&out, "\n");
	} else {
		typed(tool, args, &out);
		(void)buf_fmt(&out, "%*s\n", out.len < 60 ? (int)(78 - out.len) : 20,
		    "nothing is called");
		print_text(&p, &out);
	}
	if (!print_page(buf_cstr(&out), out.len))
		status = 75;
out:
	split_release(&p.scope);
	grant_release(&p.g);
	session_free(s);
	return status;
}

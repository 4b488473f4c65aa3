/* bb power: what one call would be given, computed by the same table and the same
 * resolution as the call, without making it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/hash.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

void
power_digest(const struct tool *t, const struct grant *g, char out[17])
{
	struct sha256 h;
	char hex[65];
	auto_buf struct buf b = BUF_INIT;

	(void)buf_fmt(&b, "%s %s %s\n%s\n", t->name, t->page_digest, t->filter_digest,
	    g->landed != NULL ? g->landed : "");
	sha256_init(&h);
	sha256_add(&h, buf_cstr(&b), b.len);
	sha256_hex(&h, hex);
	memcpy(out, hex, 16);
	out[16] = '\0';
}

/* The typed object in words a person can read, and as they would type it. */
struct power {
	const struct tool *t;
	struct grant g;
	struct scope scope;
	const char *shown; /* as typed */
	const char *decision, *reason;
	enum integrity i;
	bool split;
	char digest[17];
};

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
			(void)buf_str(how, "directory, to list names beneath it");
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
calls_words(const struct tool *t, struct buf *b)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].errnum == 0)
			(void)buf_fmt(b, "%s%s%s%s", b->len > 0 ? " · " : "",
			    t->calls[i].name, t->calls[i].cond[0] != '\0' ? " " : "",
			    t->calls[i].cond);
}

static void
print_text(const struct power *p, const struct session *s, struct buf *b)
{
	const struct tool *t = p->t;
	auto_buf struct buf calls = BUF_INIT;
	size_t n_calls = 0;

	(void)buf_fmt(b, " asks      %s\n", p->reason);
	(void)buf_fmt(b,
	    " process   %s, environment empty, cwd /, no_new_privs, not dumpable\n",
	    t->helper);
	for (size_t i = 0; i < t->n_fds; i++) {
		auto_buf struct buf what = BUF_INIT, how = BUF_INIT;

		fd_words(p, &t->fds[i], &what, &how);
		(void)buf_fmt(b, " %-9s %d  %-17s %s\n", i == 0 ? "gets" : "",
		    t->fds[i].n, buf_cstr(&what), buf_cstr(&how));
	}
	if (t->n_landlock == 0)
		(void)buf_str(b,
		    " files     none: it can open nothing and look up no name\n");
	else if (!p->split)
		(void)buf_fmt(b,
		    " files     %s beneath descriptor %d, nothing else (Landlock)\n",
		    t->landlock[0].words, t->landlock[0].fd);
	else
		(void)buf_fmt(b,
		    " files     trusted in parts: one process for %zu trusted "
		    "directories, "
		    "one for %zu others (Landlock)\n",
		    p->scope.part[0].n, p->scope.part[1].n);
	(void)buf_str(b, " network   none: it has no sockets\n");
	calls_words(t, &calls);
	for (size_t i = 0; i < t->n_calls; i++)
		n_calls += t->calls[i].errnum == 0;
	(void)buf_fmt(b, " calls     %s\n           %zu in all; any other one kills it\n",
	    buf_cstr(&calls), n_calls);
	(void)buf_fmt(b, " limits    cpu %u s · wall %u s · memory %" PRIu64 " MiB\n",
	    t->limits.cpu_s, t->limits.wall_s, t->limits.memory >> 20);
	(void)buf_fmt(b, " decided   by the table (%s %.8s) and %s alone; power %s\n",
	    t->page, t->page_digest,
	    t->fds[0].args[0] != NULL ? t->fds[0].args[0] : "nothing", p->digest);
	(void)s;
}

static json_t *
print_json(const struct power *p, json_t *args, const char *helpers)
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
	for (size_t i = 0; i < t->n_landlock; i++)
		json_array_append_new(land,
		    json_pack("{s:s,s:s}", "path", p->shown, "rights",
		        t->landlock[i].words));
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].errnum == 0)
			json_array_append_new(allow,
			    json_pack("{s:s,s:s}", "call", t->calls[i].name, "args",
			        t->calls[i].cond));
	(void)helpers;
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
refuse(const struct session_config *c, const char *what, const char *code)
{
	if (c->json) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *o = json_pack("{s:i,s:{s:s,s:s,s:s}}", "schema", 1,
		    "error", "code", code, "says", what, "remedy", "");

		(void)json_print(o, &b);
		puts(buf_cstr(&b));
	} else {
		puts(what);
	}
	return strcmp(code, "outside-workspace") == 0                               ? 3
	    : strcmp(code, "not-offered") == 0 || strcmp(code, "bad-argument") == 0 ? 2
	                                                                            : 1;
}

/* The body of CALL for --by-hand, by the table: sent arguments, then the members that
 * bb fills. */
static void
call_body(const struct tool *t, json_t *args, const char *base, struct buf *b)
{
	for (size_t i = 0; i < t->n_args; i++) {
		const struct tool_arg *a = &t->args[i];
		json_t *v = json_object_get(args, a->name);

		if (!a->sent)
			continue;
		if (a->type == TOOL_GLOB) {
			if (json_is_string(v))
				rec_put_text(b, a->name, json_string_value(v),
				    json_string_length(v));
		} else {
			int64_t n = json_is_integer(v) ? json_integer_value(v) : 0;

			if (n == 0)
				n = a->def;
			rec_put_int(b, a->name, a->max < n ? a->max : n);
		}
	}
	for (size_t i = 0; i < t->n_call; i++) {
		if (strcmp(t->call[i].name, "prefix") == 0)
			rec_put_text(b, "prefix", base, strlen(base));
		else if (t->call[i].type == MEMBER_INT)
			rec_put_int(b, t->call[i].name, t->call[i].max);
	}
}

int
report_power(const struct session_config *c, const char *tool, json_t *args, bool by_hand)
{
	struct session_config quiet = *c;
	struct power p = {.t = tool_find(tool), .g = GRANT_INIT};
	auto_buf struct buf why = BUF_INIT, out = BUF_INIT, says = BUF_INIT;
	struct session *s = NULL;
	enum grant_fault f;
	int r, status = 0;
	bool dir;

	quiet.private_session = true; /* nothing happens: nothing is recorded */
	quiet.trail = NULL;
	quiet.approver = "none";
	if ((r = session_new(&quiet, &s, &why)) != 0) {
		fprintf(stderr, "bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	if (p.t == NULL || !permit_offered(&s->offer, p.t)) {
		(void)buf_fmt(&says, "error: unknown tool '%s'", tool);
		status = refuse(c, buf_cstr(&says), "not-offered");
		goto out;
	}
	dir = p.t->fds[0].access == TOOL_DIR;
	p.shown = json_string_value(json_object_get(args, p.t->fds[0].args[0]));
	if (p.shown == NULL)
		p.shown = dir ? "." : NULL;
	if (p.shown == NULL) {
		status = refuse(c,
		    "error: a path is required: bb power read_file path=README.md",
		    "bad-argument");
		goto out;
	}
	f = grant_resolve(s->reach, p.shown, strlen(p.shown),
	    dir ? GRANT_DIR : GRANT_FILE, &p.g);
	if (f != GRANT_FINE) {
		bool refused = f == GRANT_CLIMBS || f == GRANT_OUTSIDE;
		const char *code;

		(void)buf_str(&says, refused ? "refused: " : "error: ");
		code = answer_fault(s->reach, p.shown, f, &p.g, false, &says);
		status = refuse(c, buf_cstr(&says), code);
		goto out;
	}
	p.i = trust_read(s->trust, p.g.spelled, p.g.landed);
	power_digest(p.t, &p.g, p.digest);
	p.decision = "runs";
	if (dir) {
		f = grant_open(s->reach, GRANT_DIR, &p.g);
		if (f == GRANT_FINE &&
		    scope_split(s, p.g.fd, &p.g, INT64_MAX, &p.scope) == 0)
			p.split = p.scope.split;
		p.reason = p.split
		    ? "no; trusted in parts, so the other names would be held back"
		    : p.i == TRUSTED
		    ? "no"
		    : "no; nobody has vouched for it, so the names would be held back";
	} else if (read_media(p.g.spelled) != NULL) {
		p.reason = "no; a picture or PDF is always held back";
	} else {
		p.reason = p.i == TRUSTED
		    ? "no"
		    : "no; nobody has vouched for it, so the text would be held back";
	}
	if (by_hand) {
		auto_buf struct buf body = BUF_INIT, base = BUF_INIT;

		if (dir && strcmp(p.shown, ".") != 0)
			(void)buf_fmt(&base, "%s/", p.shown);
		call_body(p.t, args, buf_cstr(&base), &body);
		if (spawn_by_hand(p.t, s->helpers, p.g.landed, buf_cstr(&body), body.len,
		        &out) != 0)
			bug("no shell line");
		(void)buf_str(&out, "\n");
	} else if (c->json) {
		auto_json json_t *o = print_json(&p, args, s->helpers);

		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &out);
		(void)buf_str(&out, "\n");
	} else {
		typed(tool, args, &out);
		(void)buf_fmt(&out, "%*s\n", out.len < 60 ? (int)(78 - out.len) : 20,
		    "nothing is called");
		print_text(&p, s, &out);
	}
	fputs(buf_cstr(&out), stdout);
out:
	scope_release(&p.scope);
	grant_release(&p.g);
	session_free(s);
	return status;
}

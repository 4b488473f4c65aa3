/* bb power for a tool without a helper: bb does it itself, so there is no process whose
 * power could be shown, and that is what it says. */
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/power_int.h"
#include "libcommon/visible.h"

static const char *
reason(const struct tool *t)
{
	return strcmp(t->ask, "no") == 0   ? "no"
	    : strcmp(t->ask, "every") == 0 ? "every time"
	                                   : "unless the agent may read it already";
}

static json_t *
print_json(const struct tool *t, json_t *args)
{
	json_t *o = json_pack("{s:i,s:s,s:O,s:s,s:s,s:n,s:n,s:[],s:[],s:n,s:[]}",
	    "schema", 1, "tool", t->name, "args", args, "decision",
	    strcmp(t->ask, "no") == 0 ? "runs" : "asks", "reason", reason(t), "label",
	    "process", "fds", "landlock", "seccomp", "namespaces");

	json_object_set_new(o, "limits",
	    json_pack("{s:I}", "slot", (json_int_t)t->limits.slot));
	json_object_set_new(o, "policy",
	    json_pack("{s:s,s:s}", "file", t->page, "digest", t->page_digest));
	json_object_set_new(o, "processes", json_array());
	json_object_set_new(o, "power", json_null());
	return o;
}

static void
print_text(const struct tool *t, struct buf *b)
{
	(void)buf_fmt(b, " asks      %s\n", reason(t));
	(void)buf_str(b,
	    " process   none: bb does it itself and starts nothing\n"
	    " gets      nothing: no descriptor leaves bb\n"
	    " network   none: nobody has a socket\n");
	(void)buf_fmt(b, " decided   by the table (%s %.8s)\n", t->page, t->page_digest);
}

void
power_none(const struct session_config *c, const struct tool *t, json_t *args,
    struct buf *out)
{
	if (c->json) {
		auto_json json_t *o = print_json(t, args);

		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, out);
		(void)buf_str(out, "\n");
		return;
	}
	(void)buf_fmt(out, "%-59s nothing is called\n", t->name);
	print_text(t, out);
}

/* What a policy page grants, for any arguments. */
#include "bin/bb-audit/audit.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "libcommon/json.h"

static const char *
source(const struct tool_fd *f)
{
	switch (f->source) {
	case TOOL_FROM_ARG:
		return f->access == TOOL_DIR ? "<directory>" : "<path>";
	case TOOL_FROM_SLOT:
		return "memory for the result";
	case TOOL_FROM_SCOPE:
		return "memory naming parts of the directory";
	case TOOL_FROM_CARRY:
		return "memory holding an argument";
	}
	return "";
}

static const char *
access_of(const struct tool_fd *f)
{
	return f->access == TOOL_WRITE ? "write only"
	    : f->access == TOOL_DIR    ? "directory"
	                               : "read only";
}

static void
text(const struct tool *t, struct buf *b)
{
	size_t n = 0;

	(void)buf_fmt(b, "%s   what %s may do, whatever its arguments are\n", t->helper,
	    t->name);
	(void)buf_str(b,
	    " process   environment empty, cwd /, no_new_privs, not dumpable\n");
	for (size_t i = 0; i < t->n_fds; i++) {
		(void)buf_fmt(b, " %-9s %d  %-38s %s", i == 0 ? "gets" : "", t->fds[i].n,
		    source(&t->fds[i]), access_of(&t->fds[i]));
		if (t->fds[i].source == TOOL_FROM_SLOT)
			(void)buf_fmt(b, ", at most %" PRIu64 " MiB",
			    t->limits.slot >> 20);
		(void)buf_byte(b, '\n');
	}
	if (t->n_landlock == 0)
		(void)buf_str(b,
		    " files     none: it can open nothing and look up no name\n");
	for (size_t i = 0; i < t->n_landlock; i++)
		(void)buf_fmt(b, " files     %s beneath descriptor %d, nothing else\n",
		    t->landlock[i].words, t->landlock[i].fd);
	(void)buf_str(b, " network   none: it has no sockets\n");
	for (size_t i = 0; i < t->n_calls; i++) {
		const struct tool_call *c = &t->calls[i];

		n += c->errnum == 0;
		(void)buf_fmt(b, " %-9s %-12s %s%s%s\n", i == 0 ? "calls" : "", c->name,
		    c->cond, c->why[0] != '\0' ? "   why: " : "", c->why);
	}
	(void)buf_fmt(b, "           %zu in all; any other one kills it\n", n);
	(void)buf_fmt(b, " limits    cpu %u s · wall %u s · memory %" PRIu64 " MiB\n",
	    t->limits.cpu_s, t->limits.wall_s, t->limits.memory >> 20);
	(void)buf_fmt(b, " decided   by the table (%s %.8s, filter %.8s)\n", t->page,
	    t->page_digest, t->filter_digest);
}

void
show_helper(const struct tool *t, bool json, struct buf *out)
{
	json_t *fds, *calls, *land, *o;

	if (!json) {
		text(t, out);
		return;
	}
	fds = json_array();
	calls = json_array();
	land = json_array();
	for (size_t i = 0; i < t->n_fds; i++)
		json_array_append_new(fds,
		    json_pack("{s:i,s:s,s:s}", "n", t->fds[i].n, "what",
		        source(&t->fds[i]), "access", access_of(&t->fds[i])));
	for (size_t i = 0; i < t->n_calls; i++)
		json_array_append_new(calls,
		    json_pack("{s:s,s:s,s:s}", "call", t->calls[i].name, "args",
		        t->calls[i].cond, "why", t->calls[i].why));
	for (size_t i = 0; i < t->n_landlock; i++)
		json_array_append_new(land,
		    json_pack("{s:i,s:s}", "fd", t->landlock[i].fd, "rights",
		        t->landlock[i].words));
	o = json_pack(
	    "{s:i,s:s,s:s,s:o,s:o,s:{s:s,s:o,s:s},s:{s:i,s:i,s:I,s:I},s:{s:s,s:s}}",
	    "schema", 1, "helper", t->helper, "tool", t->name, "fds", fds, "landlock",
	    land, "seccomp", "default", "kill", "allow", calls, "digest",
	    t->filter_digest, "limits", "cpu_s", (int)t->limits.cpu_s, "wall_s",
	    (int)t->limits.wall_s, "memory", (json_int_t)t->limits.memory, "slot",
	    (json_int_t)t->limits.slot, "policy", "file", t->page, "digest",
	    t->page_digest);
	(void)json_print(o, out);
	(void)buf_byte(out, '\n');
	json_decref(o);
}

/* What a policy page grants, for any arguments: the words of `bb power`, with <path> where
 * that names the object of one call. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "bin/bb-audit/audit.h"
#include "libcommon/json.h"
#include "libcommon/own.h"
#include "libcommon/tool_words.h"

#define COLUMNS 80

static const char *
object(const struct tool *t)
{
	return t->fds[0].access == TOOL_DIR ? "<directory>" : "<path>";
}

static const char *
what(const struct tool *t, const struct tool_fd *f)
{
	return f->source == TOOL_FROM_ARG ? object(t) : "memory";
}

static const char *
kind(const struct tool_fd *f)
{
	return f->source != TOOL_FROM_ARG ? "memory"
	    : f->access == TOOL_DIR       ? "directory"
	                                  : "regular";
}

static const char *
asks(const struct tool *t)
{
	return strcmp(t->ask, "every") == 0 ? "at every call"
	    : strcmp(t->ask, "no") == 0     ? "no"
	                                    : "when the object is held back";
}

static bool
has_sockets(const struct tool *t)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if (strstr(t->calls[i].name, "socket") != NULL ||
		    strstr(t->calls[i].name, "connect") != NULL)
			return true;
	return false;
}

static void
text(const struct tool *t, struct buf *b)
{
	(void)buf_fmt(b, "%s %s=%-40s for any arguments\n", t->name,
	    t->fds[0].args[0] != NULL ? t->fds[0].args[0] : "-", object(t));
	(void)buf_fmt(b, " asks      %s\n", asks(t));
	(void)buf_fmt(b,
	    " process   %s, environment empty, cwd /, no_new_privs, not dumpable\n",
	    t->helper);
	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];

		(void)buf_fmt(b, " %-9s %d  %-17s %s", i == 0 ? "gets" : "", f->n,
		    what(t, f),
		    f->access == TOOL_WRITE     ? "write only"
		        : f->access == TOOL_DIR ? "directory, to list names beneath it"
		                                : "read only");
		if (f->source == TOOL_FROM_SLOT)
			(void)buf_fmt(b, ", at most %" PRIu64 " MiB",
			    t->limits.slot >> 20);
		else if (f->source == TOOL_FROM_SCOPE)
			(void)buf_str(b, ", which parts of the directory to walk");
		else if (f->source == TOOL_FROM_CARRY)
			(void)buf_fmt(b, ", just %s", f->args[0]);
		else if (f->access != TOOL_DIR)
			(void)buf_str(b, ", regular file");
		(void)buf_byte(b, '\n');
	}
	if (t->n_landlock == 0)
		(void)buf_str(b,
		    " files     none: it can open nothing and look up no name\n");
	for (size_t i = 0; i < t->n_landlock; i++)
		(void)buf_fmt(b,
		    " %-9s %s beneath descriptor %d, nothing else (Landlock)\n",
		    i == 0 ? "files" : "", t->landlock[i].words, t->landlock[i].fd);
	(void)buf_str(b,
	    has_sockets(t) ? " network   as its calls say\n"
	                   : " network   none: it has no sockets\n");
	tool_calls_words(t, COLUMNS, b);
	tool_why_words(t, b);
	(void)buf_fmt(b, " limits    cpu %u s · wall %u s · memory %" PRIu64 " MiB\n",
	    t->limits.cpu_s, t->limits.wall_s, t->limits.memory >> 20);
	(void)buf_fmt(b, " decided   by the table (%s %.8s) and %s alone\n", t->page,
	    t->page_digest, t->fds[0].args[0] != NULL ? t->fds[0].args[0] : "nothing");
}

static void
object_json(const struct tool *t, struct buf *out)
{
	json_t *fds = json_array(), *allow = json_array(), *land = json_array();
	auto_json json_t *o = NULL;

	for (size_t i = 0; i < t->n_fds; i++)
		json_array_append_new(fds,
		    json_pack("{s:i,s:s,s:s,s:s,s:s}", "n", t->fds[i].n, "what",
		        t->fds[i].source == TOOL_FROM_ARG ? "argument" : "memory", "path",
		        what(t, &t->fds[i]), "access",
		        t->fds[i].access == TOOL_WRITE     ? "write"
		            : t->fds[i].access == TOOL_DIR ? "directory"
		                                           : "read",
		        "type", kind(&t->fds[i])));
	for (size_t i = 0; i < t->n_calls; i++)
		json_array_append_new(allow,
		    json_pack("{s:s,s:s,s:s,s:i}", "call", t->calls[i].name, "args",
		        t->calls[i].cond, "why", t->calls[i].why, "errno",
		        t->calls[i].errnum));
	for (size_t i = 0; i < t->n_landlock; i++)
		json_array_append_new(land,
		    json_pack("{s:s,s:i,s:s}", "path", object(t), "fd", t->landlock[i].fd,
		        "rights", t->landlock[i].words));
	o = json_pack("{s:i,s:s,s:s,s:s,s:{s:s,s:[],s:s}}", "schema", 1, "helper",
	    t->helper, "tool", t->name, "asks", asks(t), "process", "program", t->helper,
	    "env", "cwd", "/");
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
	(void)json_print(o, out);
	(void)buf_byte(out, '\n');
}

void
show_helper(const struct tool *t, bool json, struct buf *out)
{
	if (json)
		object_json(t, out);
	else
		text(t, out);
}

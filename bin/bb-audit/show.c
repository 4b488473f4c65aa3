/* What a policy page grants, for any arguments: the words of `bb power`, with <path> where
 * that names the object of one call. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "bin/bb-audit/audit.h"
#include "libcommon/json.h"
#include "libcommon/own.h"

#define COLUMNS 80
#define INDENT "           "
#define COLUMN 11 /* of what follows it */

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

/* One word of the row of calls: `read on 0 3`. */
static void
call_words(const struct tool_call *c, struct buf *b)
{
	if (strcmp(c->name, "exit_group") == 0)
		(void)buf_str(b, "exit");
	else
		(void)buf_str(b, c->name);
	if (strncmp(c->cond, "arg0 in ", 8) == 0 && strchr(c->cond, ',') == NULL)
		(void)buf_fmt(b, " on %s", c->cond + 8);
	else if (strncmp(c->cond, "arg0 == ", 8) == 0 && strchr(c->cond, ',') == NULL)
		(void)buf_fmt(b, " on %s", c->cond + 8);
	else if (c->cond[0] != '\0')
		(void)buf_fmt(b, " with %s", c->cond);
	if (c->errnum != 0)
		(void)buf_str(b, " (answered with an error)");
}

/* Memory of its own that is never executable: said in one word. */
static bool
own_memory(const struct tool_call *c)
{
	static const char *const names[] = {"brk", "mmap", "mprotect", "munmap", "mremap",
	    "madvise"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

/* Append one word of the row, on a new row where it does not fit. */
static void
put_word(struct buf *b, size_t *column, const char *word, size_t n)
{
	if (*column > COLUMN && *column + 3 + n > COLUMNS) {
		(void)buf_str(b, " ·\n" INDENT);
		*column = COLUMN;
	} else if (*column > COLUMN) {
		(void)buf_str(b, " · ");
		*column += 3;
	}
	(void)buf_append(b, word, n);
	*column += n;
}

static void
calls(const struct tool *t, struct buf *b)
{
	static const char memory[] = "memory of its own, never executable";
	size_t n = 0, column = COLUMN;
	bool own = false;

	(void)buf_str(b, " calls     ");
	for (size_t i = 0; i < t->n_calls; i++) {
		auto_buf struct buf word = BUF_INIT;

		n += t->calls[i].errnum == 0;
		if (own_memory(&t->calls[i])) {
			own = true;
			continue;
		}
		call_words(&t->calls[i], &word);
		put_word(b, &column, buf_cstr(&word), word.len);
	}
	if (own)
		put_word(b, &column, memory, sizeof(memory) - 1);
	(void)buf_fmt(b, "\n" INDENT "%zu in all; any other one kills it (filter %.8s)\n",
	    n, t->filter_digest);
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].why[0] != '\0')
			(void)buf_fmt(b, " %-9s %s: %s\n", "why", t->calls[i].name,
			    t->calls[i].why);
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
	calls(t, b);
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

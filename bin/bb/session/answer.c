/* The home of every sentence the planner reads about a call (flow TOOL-4). */
#include "bin/bb/session/answer.h"

#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/path.h"

const char *
status_text(enum status s)
{
	static const char *const words[] = {"ok", "error", "refused", "partial",
	    "unasked"};

	return words[s];
}

int
status_exit(const struct answer_out *a)
{
	switch (a->status) {
	case STATUS_OK:
		return 0;
	case STATUS_PARTIAL:
		return 5;
	case STATUS_REFUSED:
		return 3;
	case STATUS_UNASKED:
		return 4;
	case STATUS_ERROR:
		break;
	}
	if (a->code != NULL &&
	    (strcmp(a->code, "bad-argument") == 0 || strcmp(a->code, "not-offered") == 0))
		return 2;
	if (a->code != NULL && strcmp(a->code, "busy") == 0)
		return 75;
	return a->code != NULL && strcmp(a->code, "helper-failed") == 0 ? 70 : 1;
}

const char *
answer_word(enum answer a)
{
	static const char *const words[] = {[ANSWER_NONE] = "none",
	    [ANSWER_YES] = "yes",
	    [ANSWER_ALWAYS] = "always",
	    [ANSWER_REMEMBER] = "remember",
	    [ANSWER_NO] = "no",
	    [ANSWER_STOP] = "stop",
	    [ANSWER_NOBODY] = "nobody could be asked",
	    [ANSWER_WITHDRAWN] = "withdrawn",
	    [ANSWER_CHOSEN] = "answered",
	    [ANSWER_SKIPPED] = "skipped"};

	return words[a];
}

void
answer_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
	(void)buf_fmt(out, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

/* "x", or "x" or "y": what a search looks for. */
static void
object_patterns(const json_t *v, struct buf *out)
{
	const json_t *one;
	size_t i;

	if (json_is_string(v))
		(void)buf_fmt(out, "\"%s\"", json_string_value(v));
	json_array_foreach(v, i, one)
		if (json_is_string(one))
			(void)buf_fmt(out, "%s\"%s\"", i > 0 ? " or " : "",
			    json_string_value(one));
}

void
answer_object(const struct tool *t, const json_t *args, struct buf *out)
{
	static const char *const keys[] = {"path", "path_ref", "directory"};

	/* A search is known by what it looks for, and where if that is said. */
	for (size_t i = 0; t != NULL && i < t->n_args; i++)
		if (t->args[i].type == TOOL_PATTERNS)
			object_patterns(json_object_get(args, t->args[i].name), out);
	for (size_t i = 0; i < 3; i++) {
		const char *s = json_string_value(json_object_get(args, keys[i]));

		if (s != NULL && s[0] != '\0') {
			(void)buf_fmt(out, "%s%s", out->len > 0 ? " in " : "", s);
			return;
		}
	}
}

const char *
answer_fault(const struct reach *reach, const char *shown, enum grant_fault f,
    const struct grant *g, bool ref, struct buf *out)
{
	bool relative = shown[0] != '/' && strncmp(shown, "~/", 2) != 0 && !ref;

	switch (f) {
	case GRANT_FINE:
	case GRANT_EMPTY:
		(void)buf_str(out, "a path is required");
		return "bad-argument";
	case GRANT_NUL:
		(void)buf_str(out, "invalid argument: a path may not hold a NUL");
		return "bad-argument";
	case GRANT_LONG:
		(void)buf_str(out, "a path may be 4,096 bytes and each part of it 255");
		return "bad-argument";
	case GRANT_TRAILING:
		(void)buf_fmt(out, "'%s' ends in a slash, and a file is meant", shown);
		return "bad-argument";
	case GRANT_NO_HOME:
		(void)buf_fmt(out, "'%s': there is no home directory", shown);
		return "bad-argument";
	case GRANT_CLIMBS:
		(void)buf_fmt(out,
		    "'%s' is outside the workspace: a path may not hold '..'", shown);
		return "outside-workspace";
	case GRANT_OUTSIDE:
		(void)buf_fmt(out, "'%s' is outside the workspace", shown);
		/* An absolute name of a place inside is no matter of reach: the relative one works. */
		if (!ref && shown[0] == '/' && g->spelled != NULL &&
		    path_covers(reach_path(reach, 0), g->spelled, NULL))
			(void)buf_str(out, ": give the name relative to the workspace");
		else if (!ref && shown[0] == '/')
			(void)buf_str(out,
			    "; the person can open its directory with /add-dir or "
			    "--add-dir");
		return "outside-workspace";
	case GRANT_MISSING:
		(void)buf_fmt(out, "'%s': not found", shown);
		if (relative)
			(void)buf_str(out,
			    "; it is looked up under the working directory");
		return "not-found";
	case GRANT_MISSING_FORM:
		(void)buf_fmt(out, "'%s': not found; ", shown);
		(void)buf_str(out,
		    "one name there differs only in its Unicode form, list the "
		    "directory");
		return "not-found";
	case GRANT_DIRECTORY:
		(void)buf_fmt(out, "'%s' is a directory; list it", shown);
		return "not-a-file";
	case GRANT_NOT_DIRECTORY:
		(void)buf_fmt(out, "'%s' is not a directory", shown);
		return "unreadable";
	case GRANT_NOT_REGULAR:
		(void)buf_fmt(out, "'%s' is not a regular file", shown);
		return "not-a-file";
	case GRANT_DENIED:
		(void)buf_fmt(out, "'%s': permission denied", shown);
		return "unreadable";
	case GRANT_CHANGED:
		(void)buf_fmt(out, "'%s' changed while it was being opened", shown);
		return "stale";
	case GRANT_SYSTEM:
		break;
	}
	(void)buf_fmt(out, "'%s': %s", shown, err_errno(g->errnum));
	return "unreadable";
}

void
answer_helper_end(const struct tool *t, const struct spawn_outcome *o, struct buf *out)
{
	static const char *const layers[] = {"descriptors", "dumpable", "limits",
	    "no_new_privs", "landlock", "capabilities", "seccomp"};

	(void)buf_fmt(out, "%s ", t->helper);
	switch (o->end) {
	case SPAWN_FILTER:
		(void)buf_str(out,
		    "made a system call its filter forbids and was killed");
		return;
	case SPAWN_LIMIT:
		(void)buf_str(out, "passed one of its limits and was killed");
		return;
	case SPAWN_SIGNAL:
		(void)buf_fmt(out, "was killed by signal %d", o->number);
		return;
	case SPAWN_EXIT:
		(void)buf_fmt(out, "ended with status %d and without an answer",
		    o->number);
		return;
	case SPAWN_PROTOCOL:
		(void)buf_str(out, "answered against the protocol and was killed");
		return;
	case SPAWN_NO_START:
		(void)buf_fmt(out, "could not be started: %s", err_errno(o->number));
		return;
	case SPAWN_UNCONFINED:
		(void)buf_str(out,
		    "was not confined as its page says, so it was given no request");
		for (size_t i = 0, said = 0; i < 7; i++)
			if (o->missing & (1u << i))
				(void)buf_fmt(out, "%s%s",
				    said++ == 0 ? "; missing: " : ", ", layers[i]);
		if ((o->missing & LAYER_SECCOMP) != 0)
			(void)buf_str(out,
			    "; this kernel or what runs bb refuses seccomp filters");
		if ((o->missing & LAYER_LANDLOCK) != 0)
			(void)buf_fmt(out,
			    "; Landlock is not enabled (lsm= at boot): without it this "
			    "tool could open any %s; --weaker=landlock allows that",
			    tool_reads_files(t) ? "file" : "directory");
		return;
	case SPAWN_ANSWERED:
	case SPAWN_CANCELLED:
	case SPAWN_TIMEOUT:
		break;
	}
	(void)buf_str(out, "failed");
}

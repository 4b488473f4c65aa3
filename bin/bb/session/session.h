/* DOOR of session/: one session over one workspace, the calls made in it, and the
 * fronts through which they come (one call, drive, a terminal). */
#ifndef BB_SESSION_SESSION_H
#define BB_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bin/bb/labels/labels.h"
#include "bin/bb/session/commands.h"
#include "bin/bb/session/log.h"
#include "bin/bb/ui/ui.h"
#include "libcommon/json.h"
#include "libcommon/loop.h"

/* What the command line says; strings are borrowed for the session's life. */
struct session_config {
	const char *workspace;    /* -C, or "." */
	const char *state;        /* --state DIR or NULL */
	const char *settings;     /* --settings FILE or NULL */
	const char *const *trust; /* --trust[=PATH]: "" is the workspace */
	size_t n_trust;
	const char *const *add_dirs; /* --add-dir DIR */
	size_t n_add_dirs;
	const char *const *files; /* --file PATH: vouched for by being named */
	size_t n_files;
	const char *only;       /* --tools LIST */
	bool read_only;         /* --read-only */
	const char *approver;   /* --approver */
	const char *trail;      /* --trail fd:N|FILE */
	const char *seed;       /* --seed N or a name */
	bool private_session;   /* --private */
	bool context_untrusted; /* --context=untrusted */
	bool weaker_landlock;   /* --weaker=landlock */
	bool stats;             /* --stats */
	bool trace_frames;      /* --trace frames */
	bool json;              /* --json */
	const char *select;     /* --select PATH */
	enum colour_choice colour;
	const char *front; /* "call", "drive", "terminal" */
};

struct session;
/* Open workspace, state, trail, approver. Gives *out; on failure one line of why is
 * appended to `why`. 0, E_BAD (wrong use: exit 2), E_SYS (exit 75). */
must_use int session_new(const struct session_config *c, struct session **out,
    struct buf *why);
/* Ends it: open questions answered no, children killed, trail closed. */
void session_free(struct session *s);
struct loop *session_loop(struct session *s);

enum status { STATUS_OK, STATUS_ERROR, STATUS_REFUSED, STATUS_PARTIAL, STATUS_UNASKED };
const char *status_text(enum status s);

/* What a planner gets for one call. Borrowed by `done`. */
struct answer_out {
	enum status status;
	const char *code; /* word of the closed list, or NULL when ok */
	const char *gate; /* of a refusal, or NULL */
	const char
	    *text; /* exactly what a planner may read; may hold a NUL past a sniff */
	size_t text_len;
	bool labelled;
	struct label label;
	json_t *refs;        /* array */
	json_t *notes;       /* array of sentences */
	json_t *data;        /* object */
	const char *token;   /* change token, or NULL */
	const char *summary; /* for the person's second row; numbers in our words */
	uint64_t wall_us, asked_us;
	unsigned spawns, questions;
};

struct call;
typedef void (*call_done)(void *arg, const struct answer_out *a);
struct call_request {
	const char *tool; /* as the planner wrote it */
	json_t *args;     /* object, borrowed until `done` */
	bool typed;       /* the person typed it: the line is the consent for this call */
};
/* Start one call; `done` is called exactly once, from the loop. Gives *out, valid
 * until then. 0 or E_NOMEM. */
must_use int session_call(struct session *s, const struct call_request *q, call_done done,
    void *arg, struct call **out);
void session_cancel(struct call *c);
void session_turn_end(struct session *s);
/* Exit status of a call: design table. */
int status_exit(const struct answer_out *a);
/* The planner protocol's answer object without `id`; new reference. */
json_t *answer_json(const struct session *s, const struct answer_out *a);

/* Fronts. Each returns the program's exit status. */
int front_call(const struct session_config *c, const char *tool, json_t *args);
int front_drive(const struct session_config *c);
int front_terminal(const struct session_config *c);
/* Reports. `power`: by_hand prints the shell line. */
int report_power(const struct session_config *c, const char *tool, json_t *args,
    bool by_hand);
int report_doctor(const struct session_config *c, bool settings, const char *require);
/* bb rules: `words` follow the command. */
int rules_main(const struct session_config *c, char **words, size_t n);
int report_status(const struct session_config *c, const char *session);

/* key=value words of the command line to an object, each converted by the
 * parameter's type in the table. Gives *out. 0; E_BAD with one line in `why`. */
must_use int args_from_words(const char *tool, char *const *words, size_t n, json_t **out,
    struct buf *why);

#endif

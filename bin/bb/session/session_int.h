/* Inside session/: the session, a call, and what the files of this room share. */
#ifndef BB_SESSION_INT_H
#define BB_SESSION_INT_H

#include "bin/bb/permit/permit.h"
#include "bin/bb/session/session.h"
#include "bin/bb/spawn/spawn.h"
#include "libcommon/tool.h"

#define CALL_ARGS_MAX 16

struct seen { /* a window already shown (READ-8) */
	char *key;
	int64_t first, limit;
	char token[17];
	struct seen *next;
};
struct offered { /* a path whose vouch offer was made this turn */
	char *key;
	struct offered *next;
};

struct session {
	struct session_config c;
	struct loop *loop;
	struct reach *reach;
	struct trust *trust;
	struct refs *refs;
	struct trail *trail;
	struct spawner *spawner;
	struct asker *asker;
	struct context context;
	struct offer offer;
	char id[17];
	char *state, *runtime, *helpers;
	unsigned char token_key[16];
	bool remembers; /* the front knows the planner's context */
	struct seen *seen;
	struct offered *offered;
	unsigned calls, in_flight, questions, yes, no;
	uint64_t started_ms;
	struct call *open; /* calls in flight */
	/* Draw for the person (terminal front) that a call passed its gates, or NULL. */
	void (*on_start)(void *arg, const struct call *c);
	void *on_arg;
	/* The person's own acts at the front that /status lists. */
	json_t *acts;
};

struct arg_value {
	bool given;
	const char *s; /* string */
	size_t n;
	int64_t i; /* int, bool */
};

struct call {
	struct session *s;
	unsigned n; /* number in the trail */
	const struct tool *tool;
	char *tool_name; /* as the planner wrote it */
	json_t *args;    /* own reference */
	bool typed;
	struct arg_value v[CALL_ARGS_MAX];
	const char *why;
	char *shown; /* how a result names the object: as typed, or ref:N */
	call_done done;
	void *arg;
	struct call *next;
	/* answer under construction */
	enum status status;
	const char *code, *gate;
	struct buf text, summary;
	bool labelled;
	struct label label;
	json_t *refs, *notes, *data;
	char token[17];
	uint64_t begun_us, asked_us;
	unsigned spawns, questions;
	/* what it waits for */
	struct child *child[2];
	unsigned ask; /* id of an open question; 0 none */
	bool asking, cancelled, finished;
	void *work; /* the tool's own state */
	void (*work_free)(void *work);
	void (*start)(struct call *c);
};

/* call.c */
const struct arg_value *call_arg(const struct call *c, const char *name);
/* A routing argument passed its gates: recorded. */
void call_field(struct call *c, const char *field, bool allowed);
/* Flush the trail before an effect or before a result leaves; on failure the call is
 * answered and false returned. */
bool call_recorded(struct call *c);
/* Answers. Each may be called once; the call is gone afterwards. */
void call_finish(struct call *c, enum status st, const char *code);
void call_error(struct call *c, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void call_refuse(struct call *c, enum gate g, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Tool's helper ended otherwise than by an answer: words it. True when it was so. */
bool call_helper_failed(struct call *c, const struct spawn_outcome *o);
/* A path fault in words, recorded; the call is answered. `ref`: it came through one. */
void call_grant_fault(struct call *c, enum grant_fault f, const struct grant *g,
    bool ref);
/* Is a tool offered in this session? (for advice) */
bool call_offered(const char *tool);
/* From now on call_offered answers for this session (a process has one). */
void call_offer(const struct session *s);
void call_note(struct call *c, const char *note);
void call_add_ref(struct call *c, const struct ref *r);
/* The `path`/`path_ref` (or directory) argument to a grant: argument or reference
 * gate, rules, confine, promote. False: the call is answered. */
bool call_resolve_file(struct call *c, struct grant *g, struct ref **through);
bool call_resolve_dir(struct call *c, struct grant *g);

/* read.c, list.c: from passed common gates to the answer */
void read_start(struct call *c);
void list_start(struct call *c);
/* "image/png" for a name by its extension, or NULL (READ-5). */
const char *read_media(const char *name);

/* scope.c: a tree split by trust (design 2.4) */
struct scope_part {
	struct buf records; /* scope of the process; empty = the whole directory */
	int *fds;           /* directories to allow, O_PATH, owned */
	size_t n, room;
	bool used; /* anything to look at */
};
struct scope {
	struct scope_part part[2]; /* [TRUSTED], [UNTRUSTED] */
	bool split;                /* false: one process over the whole directory */
	enum integrity whole;      /* when not split */
	bool coarse;               /* too many rules: everything is held back */
	bool missing;              /* some directory along the way could not be read */
	uint64_t links;            /* links left out along the way */
};
#define SCOPE_RULES_MAX 256
must_use int scope_split(const struct session *s, int dir, const struct grant *g,
    int64_t depth, struct scope *out);
void scope_release(struct scope *sc);

/* power.c: 16 hex of tool, page, filter, objects and limits */
void power_digest(const struct tool *t, const struct grant *g, char out[17]);

/* commands.c: a person's /command; rows are appended. False: not a command. */
bool command_run(struct session *s, const char *line, struct buf *out);
/* trust of `path` as the person typed it: rule for both names. Appends one row. */
int command_trust(struct session *s, const char *path, bool trust, struct buf *out);
/* status rows of a running session (prompts 3.1) */
void status_rows(struct session *s, struct buf *out);
json_t *status_json(struct session *s);

#endif

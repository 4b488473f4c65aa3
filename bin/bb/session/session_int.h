/* Inside session/: the session, a call, and what the files of this room share. */
#ifndef BB_SESSION_INT_H
#define BB_SESSION_INT_H

#include "bin/bb/permit/permit.h"
#include "bin/bb/session/session.h"
#include "bin/bb/session/settings.h"
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
	struct settings *settings;
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
	bool stopped; /* the person stopped this turn: no call is made until it ends */
	/* The planner's task list, replaced as a whole, and what the person answered to its
	 * questions. */
	json_t *todos, *answered;
	const char *acting; /* whose command is run; NULL: the person's at our terminal */
};

struct arg_value {
	bool given;
	const char *s; /* string */
	size_t n;
	int64_t i;          /* int, bool */
	char *own;          /* patterns: what s points to, the members joined by NUL */
	size_t many;        /* patterns, lists: how many */
	const json_t *json; /* lists: as it came, objects all */
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
	bool stopped;            /* cancelled because the person stopped the turn */
	bool announced;          /* who watches has seen that it runs */
	struct drawing *drawing; /* of a question that a rule asks */
	char *agreed; /* the place the person agreed to where a rule asks, or NULL */
	bool waits;   /* an effect before it is not over */
	void *work;   /* the tool's own state */
	void (*work_free)(void *work);
	void (*start)(struct call *c);
};

/* args.c: the arguments by the table into c->v. False: the call is answered. */
bool call_parse(struct call *c);
void call_args_free(struct call *c);

/* call.c; from an argument to a place: resolve.c */
const struct arg_value *call_arg(const struct call *c, const char *name);
/* A routing argument passed its gates: recorded. */
void call_field(struct call *c, const char *field, bool allowed);
/* Answer a call that was cancelled, and why. */
void call_cancelled(struct call *c);
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
/* Can the session hold n references more? False: the call is answered. */
must_use bool call_room(struct call *c, size_t n);
/* The `path`/`path_ref` (or directory) argument to a grant: argument or reference
 * gate, rules, confine, promote. False: the call is answered. */
bool call_resolve_file(struct call *c, struct grant *g, struct ref **through);
bool call_resolve_dir(struct call *c, struct grant *g);

/* The reference that argument `arg` names, no directory's; NULL: the call is answered. */
struct ref *call_ref(struct call *c, const char *arg);
/* The key of the file it is the address of. False: the call is answered. */
bool call_ref_key(struct call *c, const struct ref *r, struct buf *key);
/* Fill an unread reference to a file with its bytes, at most `most`; `limit` says so in
 * words ("16 MiB that can be written"). False: the call is answered. (fill.c) */
must_use bool call_fill(struct call *c, struct ref *r, uint64_t most, const char *limit);
/* It passed its gates: the person sees that it runs. A refused call is one row. */
void call_started(struct call *c);

/* read.c, list.c, search.c, write.c: from passed common gates to the answer */
void read_start(struct call *c);
void list_start(struct call *c);
void search_start(struct call *c);
void write_start(struct call *c);
void edit_start(struct call *c);
/* todo.c, asking.c, vet.c, output.c: tools without a helper */
void todo_start(struct call *c);
void ask_start(struct call *c);
void vet_start(struct call *c);
void output_start(struct call *c);

/* rules.c: may the place that was resolved (or, with a fault, what is known of it) be
 * touched by this call? False: the call is answered, or begins anew when the person has
 * agreed. */
must_use bool call_rules(struct call *c, const struct grant *g);
/* The same for a place that a name was swapped to meanwhile: nobody is asked again. */
must_use bool call_rules_again(struct call *c, const struct grant *g);
void call_rules_free(struct call *c);
/* The rule of `family` that refuses, or asks about, a key and where it lands; NULL when
 * none does. */
const struct rule *rules_stop(const struct session *s, enum rule_family family,
    const char *spelled, const char *landed);

/* What bb fills into number `name` of a tool's CALL: by the settings what a search may
 * cost, of the rest what the page says. */
int64_t search_cap(const struct session *s, const struct tool *t, const char *name);

/* media.c: "image/png" for a name by its extension, or NULL (READ-5). */
const char *read_media(const char *name);

/* split.c: a tree split by trust (design 2.4) */
struct split_rule {
	char *rel; /* what the rule is on, from the directory; "" the directory itself */
	bool
	    sayable; /* trusted, or on the way to what the person named; else held back */
};
struct split_part {
	struct buf records; /* scope of the process; empty = the whole directory */
	struct spawn_landlock *allow; /* what it may open, O_PATH, owned */
	struct split_rule *rule;      /* and what that is called, one for each */
	size_t n, room;
	bool used; /* anything to look at */
};
struct split {
	struct split_part part[2]; /* [TRUSTED], [UNTRUSTED] */
	bool in_parts;             /* false: one process over the whole directory */
	enum integrity whole;      /* when not in parts */
	bool coarse;               /* too many rules: everything is held back */
	bool too_many;             /* even so: what is bb's own could not be kept out */
	uint64_t missing;          /* directories along the way that could not be read */
	uint64_t links, others;    /* left out along the way */
	bool ruled;                /* something beneath is left out by a rule */
};
#define SPLIT_RULES_MAX 256
/* `rights`: what the tool may do beneath a directory; with READ_FILE each file along the
 * way to a boundary is granted too. */
must_use int split_tree(const struct session *s, int dir, const struct grant *g,
    uint64_t rights, int64_t depth, struct split *out);
void split_release(struct split *sp);
/* Is there anything for the process of integrity i? */
bool split_has(const struct split *sp, enum integrity i);
/* Does the map still trust everything the trusted process was given? */
bool split_still_trusted(const struct session *s, const struct grant *g,
    const struct split *sp);

/* tree.c: a directory opened, split, and walked by one process a part */
struct tree {
	struct grant g;
	struct split split;
	char *base;  /* printed in front of a name: "", "src/" or an absolute directory */
	int waiting; /* processes that run */
	bool failed; /* the call is answered, what still comes is dropped */
};
#define TREE_INIT ((struct tree){.g = GRANT_INIT})
void tree_release(struct tree *t);
/* Open what t->g was resolved to, split it, record what will be read. False: the call is
 * answered. */
must_use bool tree_open(struct call *c, struct tree *t, int64_t depth);
/* `run` a process over each part there is; `answer` at once when there is none. */
void tree_start(struct call *c, struct tree *t,
    bool (*run)(struct call *c, enum integrity i), void (*answer)(struct call *c));
/* Start the helper over part i: descriptors 3 directory, 4 slot, 5 scope. False: it could
 * not be started. */
must_use bool tree_run(struct call *c, struct tree *t, enum integrity i,
    struct slot *slot, const struct buf *body, spawn_done done);
/* A process ended. False: there is nothing of it to look at. */
must_use bool tree_ended(struct call *c, struct tree *t, enum integrity i,
    const struct spawn_outcome *o);
/* Its numbers do not fit its slot: answers the call, ends the other process. */
void tree_misfit(struct call *c, struct tree *t);

/* digest.c: 16 hex of the confinement of one process: tool, page, filter, object and, for
 * the part i of a split tree, its Landlock rules and scope. sp NULL: there is no tree. */
void power_digest(const struct session *s, const struct tool *t, const struct grant *g,
    const struct split *sp, enum integrity i, char out[17]);
/* A process of this power is about to be started: recorded. */
void call_power(struct call *c, const struct grant *g, const struct split *sp,
    enum integrity i);

/* call.c: the person stops the turn: every open call is cancelled and none is begun until
 * session_turn_end. Returns how many were open. */
unsigned session_stop(struct session *s);

/* commands.c: a person's /command; rows are appended. False: not a command. */
bool command_run(struct session *s, const char *line, struct buf *out);
/* trusting.c: trust of `path`: rules for both names of a link. Appends one row that says
 * what was done or why nothing was. 0, E_OUTSIDE, E_NOMEM. */
int command_trust(struct session *s, const char *path, bool trust, struct buf *out);
/* The same for what follows /trust or /distrust on a typed line: paths as words, all of
 * them or none. */
void command_trust_typed(struct session *s, const char *text, bool trust,
    struct buf *out);
/* status rows of a running session (prompts 3.1) */
void status_rows(struct session *s, struct buf *out);
json_t *status_json(struct session *s);

#endif

/* Inside ui/ only: who asks (ask.c), who answers at a terminal (raw.c, key.c,
 * prompt.c) and who answers by lines (chan.c, peer.c, hub.c, wire.c). */
#ifndef BB_UI_ASK_INT_H
#define BB_UI_ASK_INT_H

#include <sys/types.h>

#include "bin/bb/ui/ui_int.h"

#define CTRL_C '\003'
#define ANSWERS_MOST 8
#define KIND_QUESTION "question"
#define CHOSEN '=' /* the two of QUESTION_ANSWERS */
#define SKIPPED '~'

/* One question that waits or is drawn; strings are copies, the drawing is borrowed. */
struct open_question {
	unsigned id;
	char *kind, *who, *tool, *why, *object, *digest;
	char answers[ANSWERS_MOST + 1];
	json_t *plan;
	unsigned options;
	bool multiple;
	char *text; /* own words of the answer */
	struct drawing *drawing;
	unsigned nth, of; /* set when it is drawn */
	ask_done done;
	void *arg;
	uint64_t asked_us;
	struct answered answered; /* by is owned */
	char *by;
	struct open_question *next;
};

/* ---- raw.c: the terminal while a question is on it --------------------------- */

enum raw_event { RAW_RESIZED = 1, RAW_CONTINUED = 2 };
/* Save the settings of terminal `in`, make it raw, paste marked, title set (on `out`,
 * unless dumb). One terminal a process. Restored by raw_leave, by exit() and by every
 * signal that ends or stops us. 0, E_STATE, E_SYS. */
must_use int raw_enter(int in, int out, bool dumb);
void raw_leave(void);
bool raw_active(void);
/* Readable when something happened; raw_take tells what, as enum raw_event bits. */
int raw_events(void);
unsigned raw_take(void);
/* While the line editor has terminal fd: its settings as they are now are put back by
 * every signal that ends us. Nothing when a question is on the terminal. */
void raw_guard(int fd);
void raw_unguard(void);
/* ctrl-z: stop our process group with the terminal as it was; returns continued. */
void raw_suspend(void);

/* ---- key.c: which bytes are an answer ---------------------------------------- */

#define KEY_GONE (-1) /* the terminal closed */
struct keys;
typedef void (*key_fn)(void *arg, int key);
/* Watch terminal fd (borrowed). fn gets single keys only: never a byte of a paste, of
 * an escape sequence, or with another behind it within 20 ms. All keys start dead. */
must_use int keys_new(struct loop *l, int fd, key_fn fn, void *arg, struct keys **out);
void keys_free(struct keys *k);
/* Something was drawn: what was typed before is thrown away and so is what comes in
 * the next 250 ms, and after it until 250 ms were silent. `paging`: space and b are
 * spared and the time is not drawn out. */
void keys_dead(struct keys *k, bool paging);
/* While fn is not NULL all that is typed goes to it as words: bytes as they came, pasted
 * ones too, without escape sequences. `alone`: it is one byte with nothing beside it, and
 * no paste. */
typedef void (*words_fn)(void *arg, const char *p, size_t n, bool alone);
void keys_words(struct keys *k, words_fn fn);

/* ---- choose.c: an answer to a question of the agent ---------------------------- */

/* What a person chose: a set of options, or own words. */
struct chosen {
	uint32_t choices;
	const char *text; /* NULL: choices */
};
/* Does it answer such a question? NULL, or fixed words why not. */
const char *chosen_fits(const struct chosen *c, unsigned options, bool multiple);
/* {"choices":[1]} or {"text":"..."} and back; *c borrows from v. 0 or E_BAD. */
json_t *chosen_json(const struct chosen *c);
must_use int chosen_read(const json_t *v, struct chosen *c);

struct choosing {
	unsigned options;
	bool multiple, typing;
	uint32_t ticked;
	struct buf text;
};
enum choose {
	CHOOSE_NOTHING,
	CHOOSE_DONE,
	CHOOSE_TICK,
	CHOOSE_TYPE,
	CHOOSE_BACK,
	CHOOSE_STOP
};
/* What a key does; not while typing. */
enum choose choosing_key(struct choosing *c, int key);
/* Bytes of own words. */
enum choose choosing_words(struct choosing *c, const char *p, size_t n, bool alone);
/* The row in which they are typed, for one row of the screen. */
void choosing_row(const struct choosing *c, const struct look *l, struct buf *out);

/* ---- prompt.c: one drawing on a terminal ------------------------------------- */

#define PROMPT_GONE (-1)      /* the terminal closed */
#define PROMPT_SWALLOWED (-2) /* a key went on from a withdrawn question */
#define PROMPT_CHOSEN (-3)    /* see prompt_chosen */
struct prompt;
/* key: an offered letter, CTRL_C, or one of the above. The prompt has ended, what is
 * drawn stays. */
typedef void (*prompt_fn)(void *arg, int key);
/* Is there a terminal of the person's? Opens /dev/tty, else takes stdin and stderr.
 * `forced`: also when neither is a terminal. 0 or E_SYS. */
must_use int prompt_new(struct loop *l, bool forced, enum colour_choice colour,
    prompt_fn fn, void *arg, struct prompt **out);
void prompt_free(struct prompt *p);
bool prompt_active(const struct prompt *p);
/* Draw and wait for a key. Borrows d until the key or prompt_drop. 0 or E_SYS. */
must_use int prompt_show(struct prompt *p, const struct drawing *d, const char *answers);
/* The same for a question of the agent: digits choose, s skips (the key given to fn). */
must_use int prompt_choose(struct prompt *p, struct drawing *d, unsigned options,
    bool multiple);
/* What was chosen; borrowed, until the next question. */
struct chosen prompt_chosen(const struct prompt *p);
/* The question is no more: draw `instead` (taken; may be NULL) below, any key goes on. */
void prompt_withdraw(struct prompt *p, struct drawing *instead);
/* End without an answer. */
void prompt_drop(struct prompt *p);
struct look prompt_look(const struct prompt *p);
/* Print rows (already safe). */
void prompt_say(struct prompt *p, const struct buf *rows);

/* ---- wire.c: messages of the approver protocol (design 3.2) ------------------- */

enum msg_kind {
	MSG_ANSWER,
	MSG_BACKGROUND,
	MSG_PEN,
	MSG_COMMAND,
	MSG_HELLO, /* attach now */
	MSG_LOOK   /* only tell who you are */
};
struct msg {
	enum msg_kind kind;
	unsigned id;
	char letter; /* MSG_ANSWER; CTRL_C for "stop", '\0' for what is no letter,
	                     CHOSEN for an object, SKIPPED for "skip" */
	struct chosen chosen;
	json_t *v;        /* owned; the others borrow from it */
	const char *line; /* MSG_COMMAND */
};
/* Read what an approver wrote. *why: fixed words. Gives m->v. 0 or E_BAD. */
must_use int msg_read(const char *p, size_t n, struct msg *m, const char **why);
/* Ours; all give a reference, NULL when memory ran out. */
json_t *msg_hello(const char *session, const char *workspace, const char *front,
    size_t waiting);
json_t *msg_ask(const struct open_question *q, bool with_drawing);
/* A call of the session, and what came of one: a row as text, and what draws it. */
json_t *msg_called(const char *verb, const char *object, const char *why);
json_t *msg_came(const char *words, bool failed);
/* A string of whatever bytes: what is not UTF-8 becomes U+FFFD. NULL gives null. */
json_t *msg_text(const char *s);

/* ---- drawjson.c ----------------------------------------------------------------- */

/* A drawing as an object, for another process to draw at its own width. */
json_t *drawing_json(const struct drawing *d);
/* The way back. What only we write (labels) must be plain. 0, E_BAD, E_NOMEM. */
must_use int drawing_from_json(const json_t *v, struct drawing **out);

/* ---- chan.c: lines over descriptors ---------------------------------------------- */

#define CHAN_LINE_MOST ((size_t)1 << 20)
struct chan;
/* One line without its newline; n is SIZE_MAX for one that was too long. */
typedef void (*chan_line)(void *arg, const char *p, size_t n);
typedef void (*chan_gone)(void *arg);
/* Takes in and out (may be equal); owned even on failure. */
must_use int chan_new(struct loop *l, int in, int out, chan_line line, chan_gone gone,
    void *arg, struct chan **c);
/* Safe within its own callbacks. What is not yet written is tried once more. */
void chan_free(struct chan *c);
/* Send v as one line; takes v. E_TOO_LONG (not sent), E_FULL, E_NOMEM. A reader who
 * leaves 8 MiB unread is gone. */
must_use int chan_put(struct chan *c, json_t *v);
/* Unix socket dir/name, whatever the length of dir: bind+listen or connect. */
must_use int chan_listen(const char *dir, const char *name, int *out);
/* E_OUTSIDE: neither we nor root listen there; *whose is who does. */
must_use int chan_connect(const char *path, int *out, uid_t *whose);

/* ---- way.c: the values of --approver --------------------------------------------- */

/* fd:N, unix:PATH, exec:PROG. Gives *in, *out (may be equal) and *child (0 = none).
 * planner_speaks: standard input and output are a planner's. 0; E_BAD; E_SYS; E_DUP: fd:N
 * is the planner's own; E_OUTSIDE: another user listens at PATH. */
must_use int way_open(const char *how, bool planner_speaks, int *in, int *out,
    pid_t *child);
/* Wait for the program, which lost its channel; then end it. */
void way_end(pid_t child);

/* ---- peer.c: who is at the other end of the session socket ------------------------ */

struct peer_who {
	pid_t pid;
	bool same_uid, has_tty, ours; /* ours: it descends from our own parent */
	char says[96];                /* "bb approve (pid 12, pts/3)" */
	char since[32];               /* start time */
};
/* parent: ours at start, 0 = that rule is off. */
void peer_look(int fd, pid_t parent, struct peer_who *out);
/* Our parent, or 0 where every orphan becomes its child (init, a subreaper). */
pid_t peer_parent(void);

/* ---- hub.c: everybody who is connected by lines -------------------------------------- */

struct hub;
must_use int hub_new(struct asker *a, const struct asker_config *c, struct hub **out);
void hub_free(struct hub *h);
/* The one approver named by --approver. Fails as way_open does. */
must_use int hub_open(struct hub *h, const char *how);
/* The session socket. `tty`: the pen is the terminal's until somebody takes it. 0 or
 * E_SYS. */
must_use int hub_listen(struct hub *h, bool tty);
bool hub_pen(const struct hub *h); /* does somebody connected hold the pen? */
const char *hub_pen_by(const struct hub *h);
/* To everybody. E_TOO_LONG: it cannot be asked by a line. */
must_use int hub_ask(struct hub *h, const struct open_question *q);
/* It was answered, or withdrawn for that reason. */
void hub_ended(struct hub *h, const struct open_question *q, const char *withdrawn);
/* A row for everybody; `--approver` is told too when `all`. */
void hub_row(struct hub *h, const char *row, bool all);
/* The same with members to draw it from; takes v. Not for --approver. */
void hub_put(struct hub *h, json_t *v);

/* ---- ask.c, for hub.c --------------------------------------------------------------- */

/* An answer from a line. NULL, or fixed words why it does not count. */
const char *asker_take(struct asker *a, unsigned id, char letter,
    const struct chosen *chosen, const char *by);
void asker_note(struct asker *a, const char *what, const char *detail);
/* A row at the session's own terminal, if it has one: somebody else typed a command. */
void asker_typed(struct asker *a, const char *by, const char *line);
/* Somebody took or left the pen; `gone`: the only approver there can be closed. */
void asker_pen(struct asker *a, bool gone);
const struct open_question *asker_shown(const struct asker *a);
/* What stands in the place of a question that is no more (prompts 2.13). */
must_use int asker_instead(const char *kind, const char *object, const char *reason,
    struct drawing **out);
/* What a letter answers: no, unless it is one that is known. */
enum answer asker_answer(char letter);
/* "yes, once": what an answer to a question of that kind means, for people. */
const char *asker_outcome(const char *kind, char letter);
/* "write": the word before the object in the line after the answer. */
const char *asker_verb(const char *kind);
void asker_command(struct asker *a, const char *line, const char *by, struct buf *rows);
/* For tests: how long questions wait for an approver who left. */
void asker_patience(struct asker *a, uint64_t ms);

/* ---- sessions.c, for approve.c -------------------------------------------------------- */

/* Connect to the session meant by `which` (its id, its socket, NULL = the only one of
 * this directory). Gives *fd. 0, or an exit code after saying why on stderr. */
must_use int sessions_open(const char *runtime, const char *which, int *fd);
int sessions_list(const char *runtime, bool json);

/* ---- line.c, for approve.c ------------------------------------------------------------ */

/* Print rows above the line that is being edited. */
void line_say(struct line *l, const struct buf *rows);
/* Clear the row for something else to be drawn there. */
void line_hide(struct line *l);
/* Make line_read return E_EOF. */
void line_stop(struct line *l);

#endif

/* DOOR of ui/: shows and asks; knows nothing of tools, labels or processes.
 * What a person sees, and how: foreign strings made visible (safe.c), drawings of
 * questions (draw.c), the terminal (term.c), a question at the terminal
 * (prompt.c), channels and the approver protocol (ask.c, wire.c), the editor line
 * (line.c), transcript rows (screen.c). */
#ifndef BB_UI_UI_H
#define BB_UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"
#include "libcommon/json.h"
#include "libcommon/loop.h"

/* ---- term.c: what the terminal can do -------------------------------------- */

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
struct look {
	unsigned width;  /* columns of the terminal; drawings use at most 100 */
	unsigned height; /* rows */
	bool colour;     /* SGR sequences may be written */
	bool
	    utf8; /* the locale is UTF-8 and TERM is not dumb: rules, margins, pictures */
	bool dumb; /* TERM unset or dumb: no cursor movement, no redrawn row */
};
/* Of descriptor fd: size by TIOCGWINSZ (else COLUMNS/LINES, else 80x24); colour when
 * fd is a terminal, TERM set and not dumb, NO_COLOR unset or empty; CLICOLOR_FORCE
 * and the choice override. */
void look_of(int fd, enum colour_choice choice, struct look *out);
/* 80 columns, endless height, UTF-8, no colour: what `screen` of the approver
 * protocol is drawn with. */
struct look look_plain(void);

/* ---- safe.c: foreign strings (prompts 1.3) --------------------------------- */

enum safe_kind {
	SAFE_NAME, /* a path, an argument, `why`: one row, TAB is a picture, wide runs of blanks visible */
	SAFE_TEXT /* a row of file text or output: TAB goes to the next multiple of 8 */
};
/* Append <p, n> with everything that could steer a terminal or deceive an eye made
 * visible. Newline in SAFE_NAME is a picture; SAFE_TEXT must be given row by row.
 * Without l->utf8 pictures and every non-ASCII scalar are <U+XXXX>. */
void safe_put(const char *p, size_t n, enum safe_kind kind, const struct look *l,
    struct buf *out);
/* Display columns of one scalar value: 0, 1, 2, or -1 when unknown (table with its
 * Unicode version: utf8proc). */
int safe_width(uint32_t cp);

/* ---- draw.c: drawings of questions and reports (prompts 1.2, 2) ------------- */

enum shade { SHADE_PLAIN, SHADE_BOLD, SHADE_DIM, SHADE_YELLOW, SHADE_RED, SHADE_GREEN };

struct drawing;
must_use int drawing_new(const char *title, struct drawing **out);
void drawing_free(struct drawing *d);
/* Right part of row 1 ("1 of 4", "delegate 2 (worker) asks"); our own words. */
void drawing_right(struct drawing *d, const char *right);
/* A fact: label column and value. `foreign`: value goes through safe_put
 * (SAFE_NAME); otherwise it is our own words. Never shortened: it wraps.
 * An empty label continues the value column of the fact above. */
void drawing_fact(struct drawing *d, const char *label, const char *value, bool foreign,
    enum shade shade);
/* Append to the row added last, separated by `gap` blanks. */
void drawing_also(struct drawing *d, unsigned gap, const char *value, bool foreign,
    enum shade shade);
/* A row of our own words at column 2; "" is an empty row. */
void drawing_say(struct drawing *d, const char *words, enum shade shade);
/* The agent's `why`: a fact "why" whose value is foreign, three rows of it and how much
 * more there is. Nothing when NULL or "". */
void drawing_why(struct drawing *d, const char *why);
/* Foreign content behind the margin; copied. Cut only with a count. `lines` is the
 * total when the caller holds only a head of it, else 0. */
void drawing_content(struct drawing *d, const char *p, size_t n, uint64_t lines);
/* The content is a diff: byte `column` of each line is its sign. */
void drawing_signs(struct drawing *d, unsigned column);
/* Our own words standing where content would ("(empty file)"). */
void drawing_no_content(struct drawing *d, const char *words);
/* An offered key, in the order drawn: 'y' "this file, this session". `approves`
 * keys stay dim and dead while content is unseen; so does every key that stands for a
 * yes when a row of the content is longer than 2,000 characters. */
void drawing_key(struct drawing *d, char key, const char *words, bool approves);
/* One sentence for `?`. */
void drawing_explain(struct drawing *d, char key, const char *sentence);
/* ---- additions to draw.c ---- */
/* A foreign value standing alone at column 2 (the path of the opening question);
 * its continuations stand at column 4, where no row of ours begins. */
void drawing_object(struct drawing *d, const char *value, enum shade shade);
/* Foreign words shown whole behind the margin, at once below the row before: the
 * sentence of a check. */
void drawing_remark(struct drawing *d, const char *p, size_t n);
/* Another waiting question: `kind` our words, `object` foreign; at most three are
 * drawn (`then  edit a.c · run make`). NULL kind forgets all of them. */
void drawing_then(struct drawing *d, const char *kind, const char *object);
/* A row to choose by digit n, 1 to 9: label and detail (NULL: none) are foreign; of
 * several, `several`, each has a box in front, which drawing_tick fills. */
void drawing_choice(struct drawing *d, unsigned n, bool several, const char *label,
    const char *detail);
void drawing_tick(struct drawing *d, unsigned n, bool on);
/* Is that key offered? *approves (may be NULL) tells whether it needs the end seen.
 * Keys that are no letters: ' ' is drawn "space" and only while content is unseen,
 * '\003' is drawn "ctrl-c", '\0' draws the words alone. A key given a second time
 * replaces its words ("stop, and no to all 4"); drawing_right likewise. */
bool drawing_offers(const struct drawing *d, char key, bool *approves);
/* The rows `?` shows: one sentence a key. */
void drawing_explained(const struct drawing *d, const struct look *l, struct buf *out);
/* Rows that are paged at this look: those of the content, and the facts above and below
 * it too where the window cannot hold them. The next page starts at this less *unseen. */
size_t drawing_rows(const struct drawing *d, const struct look *l);
/* How many of them must have been drawn before any answer but n counts: those of the
 * facts. 0 where the facts stand on every page. */
size_t drawing_deciding(const struct drawing *d, const struct look *l);
/* The whole content, made safe, for the pager (`e`); the facts with it when the drawing
 * pages them or cuts the agent's words. */
void drawing_whole(const struct drawing *d, const struct look *l, struct buf *out);
/* Is the window large enough to ask in it? */
bool drawing_fits(const struct look *l);
/* Render from row `first` (0 = top) of those that are paged, with the rows of l->height.
 * *unseen gets the number of them after what was drawn (0 = the end is drawn). A
 * window below 40x10 gives the one row of prompts 1.2 and *unseen SIZE_MAX. What is
 * drawn ends with a newline and takes at most l->height - 1 rows if it can. */
void drawing_render(const struct drawing *d, const struct look *l, size_t first,
    size_t *unseen, struct buf *out);

/* ---- ask.c: one question, whoever answers ----------------------------------- */

enum answer {
	ANSWER_NONE, /* not answered yet */
	ANSWER_YES,
	ANSWER_ALWAYS,
	ANSWER_REMEMBER, /* y a r */
	ANSWER_NO,
	ANSWER_STOP,   /* no, and stop the turn */
	ANSWER_NOBODY, /* nobody could be asked */
	ANSWER_WITHDRAWN,
	ANSWER_CHOSEN, /* of the kind "question" alone: options, or own words */
	ANSWER_SKIPPED /* and passed over, which is an answer too */
};
struct question {
	const char *kind;   /* "trust", "vouch", "directory", ... of the protocol */
	const char *who;    /* "turn" */
	const char *tool;   /* tool name or "" */
	const char *why;    /* the planner's words or NULL */
	const char *object; /* what it is about, for the line after the answer; foreign */
	const char *digest; /* of what is approved, or NULL */
	json_t *plan;       /* borrowed; structure of what is asked, or NULL */
	struct drawing *drawing; /* borrowed until answered */
	const char *answers;     /* offered letters in order: "yn", "yarn"; of the kind
	                            "question" QUESTION_ANSWERS */
	unsigned options;        /* "question": how many may be chosen from, at most 8 */
	bool multiple;           /* "question": several of them */
};
#define QUESTION_ANSWERS "=~"  /* chosen, skipped: no letters, so no key gives them */
#define QUESTION_TEXT_MAX 4096 /* bytes of own words */
struct answered {
	enum answer answer;
	const char *by; /* "person at terminal", "approver", "bb approve (pid 12, pts/3)",
	                   "nobody", "ask.maxDeclined" */
	uint64_t waited_us;
	/* ANSWER_CHOSEN: option n is bit n - 1 of choices, or text (not NULL): own words,
	 * UTF-8 without a control character but line feed and TAB. */
	uint32_t choices;
	const char *text;
};
typedef void (*ask_done)(void *arg, const struct answered *a);

struct asker;
struct asker_config {
	struct loop *loop;
	const char *
	    how; /* --approver value: tty, none, fd:N, unix:PATH, exec:PROG; NULL = default */
	bool
	    listen; /* drive and mcp: a planner speaks on standard input and output; without
	                --approver they own the session socket */
	const char *runtime;                     /* directory of the session socket */
	const char *session, *workspace, *front; /* for hello and for the socket's name */
	enum colour_choice colour;
	unsigned
	    max_declined; /* ask.maxDeclined: later questions of the turn are "no" undrawn */
	/* An attach, detach, refused or late answer of an approver: for the trail. */
	void (*event)(void *arg, const char *what, const char *detail);
	/* A command line typed at `bb approve` (/status, /trust P, ...) by `by`: answer with
	 * rows of text appended to out. */
	void (*command)(void *arg, const char *line, const char *by, struct buf *out);
	void *arg;
};
must_use int asker_new(const struct asker_config *c,
    struct asker **out); /* E_BAD: `how`; E_DUP: fd:N is the planner's own; E_OUTSIDE:
                            another user listens at unix:PATH; E_SYS */
void asker_free(struct asker *a); /* open questions are answered no */
/* Could anybody be asked now? */
bool asker_reachable(const struct asker *a);
/* Put a question; one is drawn at a time, the others wait in order. `done` is
 * called exactly once, from the loop, also for ANSWER_NOBODY. Gives *id. */
must_use int asker_ask(struct asker *a, const struct question *q, ask_done done,
    void *arg, unsigned *id);
/* Withdraw: the drawing is replaced by prompts 2.13 with `words` when drawn already. */
void asker_withdraw(struct asker *a, unsigned id, const char *reason);
/* A turn ended: the count of declined questions starts again. */
void asker_turn(struct asker *a);
size_t asker_waiting(const struct asker *a);
/* The transcript for who is at the session socket, drawn there as screen_call_at and
 * screen_came: a call, and what came of it. All foreign but `verb`; why may be NULL. */
void asker_called(struct asker *a, const char *verb, const char *object, const char *why);
void asker_came(struct asker *a, const char *words, bool failed);

/* The client side: `bb approve [SESSION|SOCKET] [--list]`. Returns the exit code. */
int approve_main(const char *runtime, const char *which, bool list, bool json,
    enum colour_choice colour);

/* Send one command line ("/status") to a running session without attaching as its
 * approver, print the rows it answers, return the exit code (75: no such session). */
int approve_command(const char *runtime, const char *which, const char *line);

/* ---- line.c: the person's line --------------------------------------------- */

struct line;
/* Complete the word that ends at `at`: append candidates, NUL-separated. */
typedef void (*line_complete)(void *arg, const char *text, size_t at, struct buf *out);
/* `trail` draws the trail of the last call when ctrl-t is typed; it or `complete` may
 * be NULL. 0, E_NOMEM, or E_SYS with errno (ELIBACC: there is no libedit). */
must_use int line_new(struct loop *l, const char *history_file, line_complete complete,
    void (*trail)(void *arg), void *arg, struct line **out);
void line_free(struct line *l);
/* Read one line with editing, history and completion while the loop runs. 0 with
 * *text given (heap, no newline); E_EOF at ctrl-d on an empty line; E_STATE at
 * ctrl-c (*text NULL). */
must_use int line_read(struct line *l, const char *prompt, char **text);

/* ---- screen.c: transcript rows (prompts 3) ---------------------------------- */

/* One call: `read     src/list.c                 where the rows are printed`.
 * object and why are foreign. Refused ones: verb "refused", red. */
void screen_call(const struct look *l, const char *verb, const char *object,
    const char *why, struct buf *out);
/* The same behind a time of day ("14:02"), and what came of such a call: foreign, it may
 * hold what the agent typed. */
void screen_call_at(const struct look *l, const char *time, const char *verb,
    const char *object, const char *why, struct buf *out);
void screen_came(const struct look *l, const char *words, enum shade shade,
    struct buf *out);
/* Second row, indented 11: what came of it; our own words. */
void screen_result(const struct look *l, const char *words, enum shade shade,
    struct buf *out);
/* A task behind its sign ("[x]", ours); `struck`: with a line through it where the
 * terminal has colours. */
void screen_task(const struct look *l, const char *sign, const char *content,
    enum shade shade, bool struck, struct buf *out);
/* Text shown to the person: every row behind the margin, through safe_put. `marked`
 * prints screen_mark first. */
void screen_content(const struct look *l, const char *p, size_t n, bool marked,
    struct buf *out);
/* `held back from the agent; you are looking at it yourself`: the first row of what is. */
void screen_mark(const struct look *l, struct buf *out);
/* Prompts 1.6: `  asked    write src/a.c    yes, once`; `what` and `outcome` ours. */
void screen_asked(const struct look *l, const char *what, const char *object,
    const char *outcome, struct buf *out);
/* One word or phrase of the banner or of the status row. */
struct screen_item {
	const char *words;
	bool foreign; /* through safe_put */
	enum shade shade;
	bool keep; /* never dropped from a narrow status row (bypass) */
};
/* The first row of a session: items two blanks apart; wraps. */
void screen_banner(const struct look *l, const struct screen_item *items, size_t n,
    struct buf *out);
/* The status row: items in order, joined by ` · `, dropped from the right until it
 * fits. One row without newline. */
void screen_status(const struct look *l, const struct screen_item *items, size_t n,
    struct buf *out);
/* A row of our own words, wrapped, `indent` blanks in front of every row. */
void screen_say(const struct look *l, unsigned indent, const char *words,
    enum shade shade, struct buf *out);
/* Page through $PAGER when longer than the screen and at a terminal; the text is
 * already safe. */
void screen_page(const struct look *l, const char *p, size_t n);

/* ---- words.c: numbers in our own words --------------------------------------- */

void words_count(uint64_t n, struct buf *out); /* 1,284 */
/* "1,284 bytes", "1 line": the plural is `one` + "s". */
void words_many(uint64_t n, const char *one, struct buf *out);
void words_age(int64_t seconds,
    struct buf *out); /* "1 s ago", "3 minutes ago", "2 days ago" */

#endif

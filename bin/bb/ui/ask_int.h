/* Inside ui/: between the queue of questions (ask.c) and the ways to a person: the
 * terminal (prompt.c), lines over descriptors (wire.c), the session socket (socket.c). */
#ifndef BB_UI_ASK_INT_H
#define BB_UI_ASK_INT_H

#include "bin/bb/ui/ui_int.h"

struct open_question {
	unsigned id;
	struct question q;    /* strings are copies of ours */
	ask_done done;
	void *arg;
	uint64_t since_us;
	bool drawn;
	unsigned of[2];       /* k of n when it was drawn */
	struct open_question *next;
};

/* A way to the person. Every call is made from the loop's thread. */
struct channel {
	void *self;
	bool (*reachable)(void *self);
	void (*put)(void *self, const struct open_question *q);
	/* The question was put and is no longer open. */
	void (*withdraw)(void *self, const struct open_question *q, const char *reason);
	void (*transcript)(void *self, const char *row);
	void (*free)(void *self);
};

struct asker;
/* From a channel: an answer to question id. False: refused (not open, not offered);
 * *why says so. */
bool ask_answer(struct asker *a, unsigned id, enum answer answer, const char *by,
    const char **why);
/* The channel's other side is gone: what is open is answered no. */
void ask_gone(struct asker *a, const char *by);
/* Somebody can be asked again (a peer attached): the current question is put anew. */
void ask_again(struct asker *a);
const struct asker_config *ask_config(const struct asker *a);
const struct open_question *ask_current(const struct asker *a);

enum answer answer_of(char letter); /* 'y' 'a' 'r' 'n'; ANSWER_NONE otherwise */
const char *answer_words(enum answer a);

/* 0, E_SYS, E_BAD. */
must_use int channel_terminal(struct asker *a, int in, int out, bool owned, struct channel *c);
must_use int channel_wire(struct asker *a, int in, int out, int pid, struct channel *c);
must_use int channel_socket(struct asker *a, struct channel *c);

/* The ask message of the approver protocol (design 3.2); new reference. */
json_t *wire_ask(const struct open_question *q);
json_t *wire_hello(const struct asker_config *c);

/* Prompt at a terminal, used by the channel and by bb approve. One at a time. */
struct prompt;
typedef void (*prompt_done)(void *arg, enum answer a);
must_use int prompt_new(struct loop *l, int in, int out, enum colour_choice colour,
    struct prompt **out_p);
void prompt_free(struct prompt *p);
/* Draw d (borrowed until done) and wait for one of `answers`. `what` and `object` are
 * for the row that stands after the answer. */
void prompt_put(struct prompt *p, const struct drawing *d, const char *answers, const char *what,
    const char *object, prompt_done done, void *arg);
/* Replace it by the drawing of prompts 2.13; the next key is swallowed. */
void prompt_withdraw(struct prompt *p, const char *reason);
bool prompt_busy(const struct prompt *p);

/* Drawings over the wire, so that an approver draws at its own width. */
json_t *drawing_json(const struct drawing *d);
must_use int drawing_from_json(const json_t *v, struct drawing **out);

#endif

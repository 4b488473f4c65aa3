/* What the questions of a session say: each builder makes one drawing of
 * prompts.md 2 from facts. Everything marked foreign is shown through safe_put. The
 * caller owns *out (drawing_free). 0 or E_NOMEM. */
#ifndef BB_SESSION_QUESTIONS_H
#define BB_SESSION_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bin/bb/ui/ui.h"

/* 2.1, answers "yn". */
struct opening_facts {
	const char *path; /* foreign */
	bool git;         /* a git repository */
	bool yours;       /* owned by this user */
	bool world_writable;
	const char *wide; /* "/", "home", "tmp" or NULL: it is that directory itself */
	int64_t age_s;    /* seconds since the last change; below 0 unknown */
};
must_use int question_opening(const struct opening_facts *f, struct drawing **out);

/* 2.5, answers "yn". */
struct vouch_facts {
	const char *path; /* foreign */
	uint64_t bytes;
	int64_t lines;         /* below 0: not counted */
	const char *linked_to; /* foreign; NULL when no link leads there */
	const char *head;      /* first bytes of it, or all of it; foreign */
	size_t head_len;
	bool binary;            /* not text: the first bytes of head are drawn as hex */
	const char *check;      /* ours; NULL = "not made (no model configured)" */
	bool alarming;          /* the check says that it reads like an instruction */
	const char *check_says; /* its sentence, foreign, or NULL */
	const char *why;        /* foreign or NULL */
	const char
	    *hint_folder; /* foreign: "/trust FOLDER covers the folder"; NULL none */
};
must_use int question_vouch(const struct vouch_facts *f, struct drawing **out);

/* 2.2 and 2.3 (question_write.c), answers "yn". */
struct write_facts {
	const char *path; /* foreign */
	bool edit, fresh; /* fresh: there is no such file yet */
	uint64_t lines, bytes, old_bytes;
	uint64_t places, added, removed;
	bool large;           /* one place, since a table would have been too large */
	bool uncompared;      /* too large to be read */
	const char *leads_to; /* foreign; NULL when no link leads there */
	int64_t age_s;
	uint64_t names; /* hard links of what is replaced */
	unsigned mode;
	bool owner_lost;
	const char *ends_old,
	    *ends_new; /* "LF", "CRLF", "mixed", "none"; NULL: not known */
	const char
	    *from;      /* the reference and its origin; foreign; NULL: the call itself */
	bool unvouched; /* and nobody vouched for what it holds */
	bool obeyed;    /* a name that other programs act on */
	bool trust_lost;
	const char *why;  /* foreign or NULL */
	const char *rows; /* the text of a new file, or the rows of a diff; foreign */
	size_t rows_len;
	bool rows_cut;
	unsigned signs; /* column of the sign of a row; 0: no diff */
};
must_use int question_write(const struct write_facts *f, struct drawing **out);

/* 2.14, answers "yn". */
struct directory_facts {
	const char *path;  /* resolved; foreign */
	const char *typed; /* as it was asked for when that differs; foreign or NULL */
	const char *who;   /* ours: "you, by /add-dir", "the agent" */
	bool yours, world_writable;
	const char *why; /* foreign or NULL */
};
must_use int question_directory(const struct directory_facts *f, struct drawing **out);

/* A rule asks before a call, answers "yn". */
struct rule_facts {
	const char *verb;   /* ours: "read", "list", "search" */
	const char *path;   /* foreign */
	const char *landed; /* foreign; NULL when no link leads there */
	const char *rule;   /* as written; foreign */
	const char *from;   /* its file; foreign */
	const char *why;    /* foreign or NULL */
};
must_use int question_rule(const struct rule_facts *f, struct drawing **out);

/* 2.10 (question_agent.c), answers QUESTION_ANSWERS. */
struct agent_facts {
	const char *header, *question;    /* foreign */
	const char *label[8], *detail[8]; /* foreign; detail may be NULL */
	unsigned options;
	bool multiple;
	const char *why; /* foreign or NULL */
};
must_use int question_agent(const struct agent_facts *f, struct drawing **out);

/* 2.6 and 2.7 (question_promote.c), answers "yn": whole, or nothing is asked. */
struct promote_facts {
	const char *file;    /* foreign: it is that file; NULL: see command, origin */
	const char *command; /* foreign: it is what that command printed, or NULL */
	const char *origin;  /* foreign: where else it came from; NULL */
	uint64_t bytes, lines;
	const char *check;      /* ours; NULL = "not made (no model configured)" */
	bool alarming;          /* the check says that it reads like an instruction */
	const char *check_says; /* its sentence, foreign, or NULL */
	const char *expects;    /* foreign; NULL for an output */
	const char *why;        /* foreign or NULL */
	const char *media;      /* "image/png": no rows of it, but a copy to open */
	const char *copy;       /* foreign: the path of that copy */
	const char *content;    /* foreign */
	size_t content_len;
};
must_use int question_vet(const struct promote_facts *f, struct drawing **out);
must_use int question_output(const struct promote_facts *f, struct drawing **out);

/* 2.13: any key goes on. */
struct stale_facts {
	const char *label;   /* ours: "file", "program"; NULL = "file" */
	const char *object;  /* foreign */
	const char *what;    /* ours: "now leads elsewhere"; NULL = "was written by
	                        something else", with the age behind it */
	int64_t age_s;       /* below 0 unknown; only with what == NULL */
	const char *nothing; /* ours: what did not happen; NULL = "nothing was written" */
};
must_use int question_stale(const struct stale_facts *f, struct drawing **out);

#endif

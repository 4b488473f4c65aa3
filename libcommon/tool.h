/* Shape of a tool's whole power, compiled from policy/NAME.tool by
 * scripts/mkpolicy into build/gen/tool_NAME.c. The grammar of the page is
 * tool(5). One const struct per tool, linked by bb and by the tool's helper;
 * limits, defaults and bounds are read from here and written nowhere else. */
#ifndef BB_LIBCOMMON_TOOL_H
#define BB_LIBCOMMON_TOOL_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libcommon/err.h"

enum tool_role { TOOL_ROUTING, TOOL_CONTENT };

enum tool_type {
	TOOL_PATH_FILE, /* path:file  a path meaning a file */
	TOOL_PATH_DIR,  /* path:dir   a path meaning a directory */
	TOOL_REF_FILE,  /* ref:file   a reference that names a file */
	TOOL_REF_ANY,   /* ref:any    any reference but a directory's */
	TOOL_INT,       /* int MIN..MAX, MAX absent = no bound; see tool_number */
	TOOL_BOOL,      /* bool */
	TOOL_GLOB,      /* glob       a pattern, sent as text */
	TOOL_PATTERNS, /* patterns   one regular expression or a list; sent as one text, the
	                   members joined by NUL */
	TOOL_LINE,     /* line       one line of words (why) */
	TOOL_TEXT,     /* text       carried bytes */
	TOOL_QUESTIONS, /* questions MIN..MAX  a list of questions to the person */
	TOOL_TODOS      /* todos MIN..MAX      a list of tasks */
};

/* What a list of questions or tasks is made of. */
#define TOOL_OPTIONS_MAX 8 /* of one question: a digit each, and one for own words */
enum todo_word { TODO_PENDING, TODO_IN_PROGRESS, TODO_COMPLETED, TODO_CANCELLED };
#define TODO_WORDS ((size_t)4)
extern const char *const tool_todo_words[TODO_WORDS]; /* by enum todo_word */

struct tool_arg {
	const char *name;
	const char *says; /* one sentence for the planner's schema */
	enum tool_role role;
	enum tool_type type;
	int64_t min, max;    /* TOOL_INT; max INT64_MAX = no bound. Of a list: how many */
	int64_t def;         /* TOOL_INT, TOOL_BOOL: value when absent */
	const char *def_str; /* path: value when absent, or NULL */
	bool has_default;
	bool clamp;    /* TOOL_INT: above max counts as max, not as an error */
	bool required; /* absent is an error (why is required in the schema only) */
	bool sent;     /* goes into CALL, in table order (int, bool, glob, patterns) */
};

enum tool_access { TOOL_READ, TOOL_WRITE, TOOL_DIR };
enum tool_source {
	TOOL_FROM_ARG, /* opened by the supervisor from routing argument args[0] or args[1] */
	TOOL_FROM_SLOT,  /* an empty write-only memory file */
	TOOL_FROM_SCOPE, /* a memory file of bb's naming the granted parts of fd 3 */
	TOOL_FROM_CARRY /* a memory file holding content argument args[0], or what reference
	                   args[1] holds */
};

struct tool_fd {
	int n; /* descriptor number in the helper, 3 and up */
	enum tool_access access;
	enum tool_source source;
	const char *args[2]; /* argument names or NULL */
};

enum tool_member_type { MEMBER_INT, MEMBER_WORD, MEMBER_TEXT };
/* Member of CALL (besides the sent arguments, after them) or of RESULT. */
struct tool_member {
	const char *name;
	enum tool_member_type type;
	int64_t min, max;         /* MEMBER_INT */
	const char *const *words; /* MEMBER_WORD, NULL-terminated */
	bool optional;            /* MEMBER_TEXT: may be absent */
	bool has_default;         /* MEMBER_INT of CALL: what it is unless settings say */
	int64_t def;
};

/* One condition of a call: (argument & mask) equals one of the values, in 64 bits. */
struct tool_cond {
	unsigned arg;
	uint64_t mask;
	const uint64_t *value;
	size_t n;
};

/* One allowed system call, as written on the page. */
struct tool_call {
	int nr; /* number on this architecture */
	const char *name;
	const char *cond;              /* "arg0 in 0 3", "" when unconditional */
	const char *why;               /* text after `# why:`, or "" */
	int errnum;                    /* 0: allowed; else answered with this errno */
	const struct tool_cond *conds; /* all of them must hold */
	size_t n_conds;
};

struct tool_landlock {
	int fd;            /* rule on this descriptor */
	uint64_t rights;   /* LANDLOCK_ACCESS_FS_* */
	const char *words; /* "read_dir" */
};

struct tool_limits {
	unsigned cpu_s, wall_s;
	uint64_t memory, slot; /* bytes */
};

struct tool {
	const char *name;   /* "read_file" */
	const char *helper; /* "bb-read"; NULL: a tool without a process */
	const char *title;  /* "Read a file" */
	const char *says;   /* description for the planner */
	const char *verb;   /* "read": transcript word, <= 8 columns */
	bool effect;        /* changes something or leaves the machine */
	const char *ask;    /* "no", "quarantined", "every" */
	const struct tool_arg *args;
	size_t n_args;
	/* Lists of argument names, each NULL-terminated: exactly one of each is given. */
	const char *const *one_of[2];
	const struct tool_fd *fds;
	size_t n_fds;
	const struct tool_member *call; /* members of CALL after the sent arguments */
	size_t n_call;
	const struct tool_member
	    *result; /* members of RESULT, in order; first is `code` */
	size_t n_result;
	const struct tool_landlock *landlock;
	size_t n_landlock;             /* 0: everything handled, nothing allowed */
	const struct tool_call *calls; /* sorted by name; for people and bb-audit */
	size_t n_calls;
	const struct sock_filter *filter;
	unsigned short n_filter;
	const char *filter_digest; /* SHA-256 of the filter bytes, 64 hex */
	const char *page_digest;   /* SHA-256 of the .tool text, 64 hex */
	const char *page;          /* "policy/read_file.tool" */
	struct tool_limits limits;
	unsigned
	    threads; /* the helper works in, made before its filter is on; 0: its own */
};

/* The closed table, in the order of policy/tools.list (bb and bb-audit only). */
extern const struct tool *const tools[];
extern const size_t tools_len;
/* NULL when there is no such tool. */
const struct tool *tool_find(const char *name);
/* The name of its helper under this page: "bb-read"; of a later tool with the same helper
 * "bb-write:edit_file". Into out. */
const char *tool_part(const struct tool *t, char out[64]);
/* NULL when the tool has no such argument. */
const struct tool_arg *tool_arg(const struct tool *t, const char *name);
/* Is this argument sent as text (glob, patterns)? Numbers and booleans are sent as one. */
bool tool_sends_text(const struct tool_arg *a);
/* What number n, given for argument a, counts as. 0: the default, or where the range
 * begins above it the least; above a clamped range: the greatest. 0, or E_RANGE. */
must_use int tool_number(const struct tool_arg *a, int64_t n, int64_t *out);
/* Absent, a is left out of CALL: a number whose range begins above 0, without a default. */
bool tool_omits(const struct tool_arg *a);
/* Does the page's Landlock let the helper open files beneath a directory, and not only
 * directories? */
bool tool_reads_files(const struct tool *t);
/* What member `name` of CALL is unless somebody says otherwise: its default, else its
 * greatest value. -1 when there is no such number. */
int64_t tool_call_default(const struct tool *t, const char *name);

/* SHA-256 of each helper as built, for bb doctor (build/gen/helpers.c). */
struct helper_digest {
	const char *name, *sha256;
};
extern const struct helper_digest helper_digests[];
extern const size_t helper_digests_len;

#endif

/* Inside mkpolicy: a page as read (mkpolicy_page.c, mkpolicy_calls.c), its filter
 * (mkpolicy_bpf.c), and what is printed of it (mkpolicy.c). Build-time only: it stops at the first thing it
 * does not know. */
#ifndef BB_MKPOLICY_H
#define BB_MKPOLICY_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_ROWS 64
#define MAX_ARGS 16
#define MAX_FDS 8
#define MAX_MEMBERS 32
#define MAX_CONDS 4
#define MAX_VALUES 16

struct cond {
	unsigned arg;
	uint64_t mask; /* all ones: plain equality */
	uint64_t value[MAX_VALUES];
	size_t n;
};
struct call_row {
	char name[32], text[160], why[160];
	struct cond cond[MAX_CONDS];
	size_t n;
	int nr, errnum;
};
struct arg_row {
	char name[32], role[16], type[16], def[64], says[200];
	int64_t min, max, def_int;
	bool has_def, clamp, required;
};
struct fd_row {
	int n;
	char access[8], source[80], args[2][32];
	size_t n_args;
};
struct member_row {
	char name[32], type[8], words[200];
	int64_t min, max, def;
	bool has_def;
};
struct page {
	char name[64], helper[64], title[80], verb[9], ask[24], says[2048];
	bool effect;
	struct arg_row arg[MAX_ARGS];
	size_t n_arg;
	struct {
		char name[4][32];
		size_t n;
	} one_of[2];
	size_t n_one_of;
	struct fd_row fd[MAX_FDS];
	size_t n_fd;
	struct member_row call[MAX_MEMBERS], result[MAX_MEMBERS];
	size_t n_call, n_result;
	int landlock_fd[4];
	char landlock_words[4][64];
	size_t n_landlock;
	bool landlock_said, landlock_none;
	struct call_row calls[MAX_ROWS];
	size_t n_calls;
	uint64_t cpu, wall, memory, slot;
	unsigned threads;
	char digest[65];
};

/* --- mkpolicy_page.c: words and pages --- */
_Noreturn void die(const char *file, size_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Copy, or die when it does not fit. */
void take(char *to, size_t room, const char *from, const char *file, size_t line);
char *trim(char *s);
/* The next word of *s, which moves past it; "" at the end. */
char *word(char **s);
/* [a-z][a-z0-9_]* */
bool is_name(const char *s);
/* Cut off a comment; the text of `# why:`, or "". */
char *comment(char *text);
void page_read(const char *dir, const char *name, const char *helper, struct page *p);

/* --- mkpolicy_calls.c --- */
/* `NAME [COND {, COND}] [= ENOSYS]`, the text after `# why:` apart; onto p. Rules of
 * Landlock stand above: what they open may be read. */
void calls_line(char *text, const char *why, bool group, struct page *p, const char *file,
    size_t line);
/* The calls of group `want` of groups.seccomp, asked for at page:at; onto p. */
void calls_group(const char *dir, const char *want, struct page *p, const char *page,
    size_t at);

/* --- mkpolicy_bpf.c --- */
/* Compile; gives a malloc'ed program. */
struct sock_filter *page_filter(const struct page *p, size_t *n, char digest[65]);

#endif

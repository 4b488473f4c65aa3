/* Inside mkpolicy: a page as read (mkpolicy_page.c), its filter (mkpolicy_bpf.c), and
 * what is printed of it (mkpolicy.c). Build-time only: it stops at the first thing it
 * does not know. */
#ifndef BB_MKPOLICY_H
#define BB_MKPOLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/filter.h>

#define MAX_ROWS 64
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
	bool group;
};
struct arg_row {
	char name[32], role[16], type[16], def[64], says[200];
	char min[24], max[24];
	bool has_def, clamp, required;
};
struct fd_row {
	int n;
	char access[8], source[80];
};
struct member_row {
	char name[32], type[8], min[24], max[24], words[200];
};
struct page {
	char name[64], helper[64], title[80], verb[16], ask[24], says[2048];
	bool effect;
	struct arg_row arg[16];
	size_t n_arg;
	char one_of[8][32];
	size_t n_one_of;
	struct fd_row fd[8];
	size_t n_fd;
	struct member_row call[8], result[16];
	size_t n_call, n_result;
	int landlock_fd[4];
	char landlock_words[4][64];
	size_t n_landlock;
	bool landlock_said;
	struct call_row calls[MAX_ROWS];
	size_t n_calls;
	unsigned long cpu, wall;
	uint64_t memory, slot;
	char digest[65];
};

_Noreturn void die(const char *file, size_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The helper of a tool by tools.list ("-" for none). */
void page_read(const char *dir, const char *name, const char *helper, struct page *p);
/* All names of tools.list with their helpers. */
size_t list_read(const char *dir, char names[][2][64], size_t most);
/* Compile; gives a malloc'ed program. */
struct sock_filter *page_filter(const struct page *p, size_t *n, char digest[65]);

#endif

/* What a page grants, in words: one wording for `bb power` and `bb-audit --show`. */
#include "libcommon/tool_words.h"

#include <stdio.h>
#include <string.h>

#include "libcommon/own.h"

#define INDENT "           "
#define COLUMN 11 /* of what follows it */

/* One word of the row of calls: `read on 0 3`. */
static void
call_words(const struct tool_call *c, struct buf *b)
{
	if (strcmp(c->name, "exit_group") == 0)
		(void)buf_str(b, "exit");
	else
		(void)buf_str(b, c->name);
	if (strncmp(c->cond, "arg0 in ", 8) == 0 && strchr(c->cond, ',') == NULL)
		(void)buf_fmt(b, " on %s", c->cond + 8);
	else if (strncmp(c->cond, "arg0 == ", 8) == 0 && strchr(c->cond, ',') == NULL)
		(void)buf_fmt(b, " on %s", c->cond + 8);
	else if (c->cond[0] != '\0')
		(void)buf_fmt(b, " with %s", c->cond);
	if (c->errnum != 0)
		(void)buf_str(b, " (answered with an error)");
}

/* Memory of its own that is never executable: said in one word. */
static bool
own_memory(const struct tool_call *c)
{
	static const char *const names[] = {"brk", "mmap", "mprotect", "munmap", "mremap",
	    "madvise"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

/* Append one call of the row, on a new row where it does not fit, and one that no row
 * holds broken at its blanks. Room is left for the sign that another follows. */
static void
put_word(struct buf *b, unsigned columns, size_t *column, const char *word, size_t n)
{
	if (*column > COLUMN && *column + 3 + n + 2 > columns) {
		(void)buf_str(b, " ·\n" INDENT);
		*column = COLUMN;
	} else if (*column > COLUMN) {
		(void)buf_str(b, " · ");
		*column += 3;
	}
	for (size_t at = 0; at < n;) {
		const char *blank = memchr(word + at, ' ', n - at);
		size_t part = blank != NULL ? (size_t)(blank - word) - at : n - at;

		if (at > 0 && *column + 1 + part + 2 > columns) {
			(void)buf_str(b, "\n" INDENT "  ");
			*column = COLUMN + 2;
		} else if (at > 0) {
			(void)buf_byte(b, ' ');
			*column += 1;
		}
		(void)buf_append(b, word + at, part);
		*column += part;
		at += part + 1;
	}
}

void
tool_calls_words(const struct tool *t, unsigned columns, struct buf *b)
{
	static const char memory[] = "memory of its own, never executable";
	size_t n = 0, column = COLUMN;
	bool own = false;

	(void)buf_str(b, " calls     ");
	for (size_t i = 0; i < t->n_calls; i++) {
		auto_buf struct buf word = BUF_INIT;

		n += t->calls[i].errnum == 0;
		if (own_memory(&t->calls[i])) {
			own = true;
			continue;
		}
		call_words(&t->calls[i], &word);
		put_word(b, columns, &column, buf_cstr(&word), word.len);
	}
	if (own)
		put_word(b, columns, &column, memory, sizeof(memory) - 1);
	(void)buf_fmt(b, "\n" INDENT "%zu in all; any other one kills it (filter %.8s)\n",
	    n, t->filter_digest);
}

void
tool_why_words(const struct tool *t, struct buf *b)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].why[0] != '\0' && !own_memory(&t->calls[i]) &&
		    strcmp(t->calls[i].name, "exit_group") != 0)
			(void)buf_fmt(b, " %-9s %s: %s\n", "why", t->calls[i].name,
			    t->calls[i].why);
}

const char *
tool_part(const struct tool *t, char out[64])
{
	bool first = true;

	for (size_t i = 0; i < tools_len && tools[i] != t; i++)
		first &=
		    tools[i]->helper == NULL || strcmp(tools[i]->helper, t->helper) != 0;
	(void)snprintf(out, 64, "%s%s%s", t->helper, first ? "" : ":",
	    first ? "" : t->name);
	return out;
}

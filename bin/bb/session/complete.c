/* Completion of the person's line: commands, tools and their keys, references,
 * and names in the workspace. */
#include <stdio.h>
#include <string.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/path.h"
#include "libcommon/utf8.h"
#include "libcommon/walk.h"

#define NAMES_MAX 4096

/* Entries of the directory open at fd that continue typed[dir, n); each
 * candidate is <before, n_before> + typed[0, dir) + name, with a slash on
 * directories. */
static void
names(int fd, const char *before, size_t n_before, const char *typed, size_t dir,
    size_t n, struct buf *out)
{
	struct walk_dir d;

	if (walk_read(fd, NAMES_MAX, &d) != 0)
		return;
	for (size_t i = 0; i < d.n; i++) {
		const char *name = d.e[i].name;

		if (strncmp(name, typed + dir, n - dir) != 0 ||
		    !utf8_plain(name, strlen(name)) || strpbrk(name, " '\"\\") != NULL)
			continue;
		(void)buf_append(out, before, n_before);
		(void)buf_append(out, typed, dir);
		(void)buf_str(out, name);
		(void)buf_append(out, d.e[i].kind == WALK_DIR ? "/" : "",
		    d.e[i].kind == WALK_DIR);
		(void)buf_append(out, "", 1);
	}
	walk_release(&d);
}

static void
candidate(struct buf *b, const char *prefix, size_t n, const char *word)
{
	if (strncmp(word, prefix, n) == 0)
		(void)buf_append(b, word, strlen(word) + 1);
}

/* Names beneath the workspace that continue `typed`; the directory is opened as
 * a tool would, so completion reaches no further. */
static void
in_directory(const struct session *s, const char *before, size_t n_before,
    const char *typed, size_t n, struct buf *b)
{
	const char *slash = memrchr(typed, '/', n);
	size_t dir_len = slash != NULL ? (size_t)(slash - typed) : 0;
	struct grant g = GRANT_INIT;
	char dir[PATH_ARG_MAX + 1];

	if (dir_len >= sizeof(dir))
		return;
	memcpy(dir, typed, dir_len);
	dir[dir_len] = '\0';
	if (dir_len == 0)
		memcpy(dir, ".", 2);
	if (grant_resolve(s->reach, dir, strlen(dir), GRANT_DIR, &g) == GRANT_FINE &&
	    grant_open(s->reach, GRANT_DIR, &g) == GRANT_FINE)
		names(g.fd, before, n_before, typed, slash != NULL ? dir_len + 1 : 0, n,
		    b);
	grant_release(&g);
}

void
commands_complete(const struct session *s, const char *text, size_t at, struct buf *b)
{
	size_t start = at, n;
	const char *word, *eq;

	while (start > 0 && text[start - 1] != ' ')
		start--;
	word = text + start;
	n = at - start;
	if (start == 0 && n > 0 && word[0] == '/') {
		for (size_t i = 0; i < commands_len; i++)
			candidate(b, word, n, commands[i].name);
	} else if (start == 0 && n > 0 && word[0] == ',') {
		for (size_t i = 0; i < tools_len; i++) {
			char name[64];

			(void)snprintf(name, sizeof(name), ",%s", tools[i]->name);
			if (call_offered(tools[i]->name))
				candidate(b, word, n, name);
		}
	} else if (text[0] == ',') {
		const struct tool *t;
		char tool[64] = "";

		(void)sscanf(text + 1, "%63[^ ]", tool);
		if ((t = tool_find(tool)) == NULL)
			return;
		if ((eq = memchr(word, '=', n)) != NULL) {
			size_t k = (size_t)(eq - word) + 1;

			if (strncmp(word, "path_ref=", 9) == 0) {
				for (size_t i = 0; i < refs_count(s->refs); i++) {
					char name[48];

					(void)snprintf(name, sizeof(name),
					    "path_ref=ref:%u", refs_at(s->refs, i)->n);
					candidate(b, word, n, name);
				}
			} else {
				in_directory(s, word, k, word + k, n - k, b);
			}
			return;
		}
		for (size_t i = 0; i < t->n_args; i++) {
			char name[64];

			(void)snprintf(name, sizeof(name), "%s=", t->args[i].name);
			candidate(b, word, n, name);
		}
	} else if (strncmp(text, "/show ", 6) == 0) {
		for (size_t i = 0; i < refs_count(s->refs); i++) {
			char name[32];

			(void)snprintf(name, sizeof(name), "ref:%u",
			    refs_at(s->refs, i)->n);
			candidate(b, word, n, name);
		}
	} else if (text[0] == '/') {
		in_directory(s, "", 0, word, n, b);
	}
}

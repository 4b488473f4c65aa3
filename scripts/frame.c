/* frame: drive a helper by hand.
 *   frame call [TOOL] [NAME=VALUE…]   writes a CALL frame; defaults come from the table
 *   frame show [TOOL]                 prints the frames on standard input as text
 * Without TOOL: the first tool that is sent all these names, and the tool whose filter
 * READY names.
 * It judges nothing: what is malformed is shown as such, status 1. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/frame.h"
#include "libcommon/log.h"
#include "libcommon/tool.h"

static int
usage(void)
{
	fputs("usage: frame call [TOOL] [NAME=VALUE…] | frame show [TOOL]\n", stderr);
	return 2;
}

static const char *
given(char *const *words, int n, const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; i < n; i++)
		if (strncmp(words[i], name, len) == 0 && words[i][len] == '=')
			return words[i] + len + 1;
	return NULL;
}

static int
put_int(struct buf *b, const char *name, const char *text, int64_t def)
{
	char *end = NULL;
	int64_t v = def;

	errno = 0;
	if (text != NULL)
		v = strtoll(text, &end, 10);
	if (text != NULL && (*text == '\0' || *end != '\0' || errno != 0)) {
		complain("frame: '%s' takes a whole number\n", name);
		return E_BAD;
	}
	rec_put_int(b, name, v);
	return 0;
}

/* The value of a glob; of patterns every value given, joined by NUL. */
static int
put_texts(struct buf *b, const struct tool_arg *a, char *const *words, int n)
{
	struct buf all = BUF_INIT;
	size_t many = 0;
	int r;

	for (int i = 0; i < n && (many == 0 || a->type == TOOL_PATTERNS); i++) {
		const char *v = given(words + i, 1, a->name);

		if (v == NULL)
			continue;
		if (many++ > 0)
			(void)buf_byte(&all, '\0');
		(void)buf_str(&all, v);
	}
	rec_put_text(b, a->name, buf_cstr(&all), all.len);
	r = all.failed ? E_NOMEM : 0;
	buf_release(&all);
	return r;
}

/* Is `word` NAME=VALUE for a member of t's CALL? */
static bool
sent_to(const struct tool *t, const char *word)
{
	size_t n = strcspn(word, "=");

	if (word[n] != '=')
		return false;
	for (size_t i = 0; i < t->n_args; i++)
		if (t->args[i].sent && strlen(t->args[i].name) == n &&
		    memcmp(t->args[i].name, word, n) == 0)
			return true;
	for (size_t i = 0; i < t->n_call; i++)
		if (strlen(t->call[i].name) == n && memcmp(t->call[i].name, word, n) == 0)
			return true;
	return false;
}

/* The first tool that is sent all these names, or NULL. */
static const struct tool *
meant(char *const *words, int n)
{
	for (size_t i = 0; i < tools_len; i++) {
		int fits = 0;

		while (fits < n && sent_to(tools[i], words[fits]))
			fits++;
		if (fits == n && tools[i]->helper != NULL)
			return tools[i];
	}
	return NULL;
}

static int
call(const struct tool *t, char *const *words, int n)
{
	struct buf b = BUF_INIT;
	int r = 0;

	for (int i = 0; i < n; i++)
		if (!sent_to(t, words[i])) {
			complain("frame: '%s' is not sent to %s\n", words[i], t->helper);
			return 2;
		}
	for (size_t i = 0; i < t->n_args && r == 0; i++) {
		const struct tool_arg *a = &t->args[i];
		const char *v = given(words, n, a->name);

		if (!a->sent)
			continue;
		if (v == NULL && tool_omits(a))
			continue;
		if (!tool_sends_text(a))
			r = put_int(&b, a->name, v, a->def);
		else if (v != NULL)
			r = put_texts(&b, a, words, n);
	}
	for (size_t i = 0; i < t->n_call && r == 0; i++) {
		const struct tool_member *m = &t->call[i];
		const char *v = given(words, n, m->name);

		if (m->type == MEMBER_INT)
			r = put_int(&b, m->name, v, tool_call_default(t, m->name));
		else
			rec_put_text(&b, m->name, v != NULL ? v : "",
			    v != NULL ? strlen(v) : 0);
	}
	if (r == 0 &&
	    frame_send(STDOUT_FILENO, FRAME_CALL, 1, buf_cstr(&b), b.len) != 0) {
		complain("frame: cannot write: %s\n", err_errno(errno));
		r = E_SYS;
	}
	buf_release(&b);
	return r == 0 ? 0 : r == E_SYS ? 75 : 2;
}

/* Print READY; the tool whose filter it names, or NULL. */
static const struct tool *
ready(struct rec *r)
{
	static const char *const layers[] = {"fds", "dumpable", "limits", "no_new_privs",
	    "landlock", "capabilities", "seccomp"};
	int64_t bits, abi;
	char filter[65];

	if (rec_get_int(r, "layers", 0, 127, &bits) != 0 ||
	    rec_get_int(r, "abi", 0, 1000, &abi) != 0 ||
	    rec_get_hex(r, "filter", filter, 64) != 0 || rec_end(r) != 0) {
		puts("READY  malformed");
		return NULL;
	}
	printf("READY  layers");
	for (size_t i = 0; i < 7; i++)
		if (bits & (1 << i))
			printf(" %s", layers[i]);
	printf("\n       landlock ABI %" PRId64 "\n       filter %s\n", abi, filter);
	for (size_t i = 0; i < tools_len; i++)
		if (tools[i]->filter_digest != NULL &&
		    strcmp(tools[i]->filter_digest, filter) == 0)
			return tools[i];
	return NULL;
}

static int
result(const struct tool *t, struct rec *r)
{
	printf("RESULT");
	for (size_t i = 0; i < t->n_result; i++) {
		const struct tool_member *m = &t->result[i];
		int64_t v = 0;
		int w = -1, bad;

		bad = m->type == MEMBER_WORD
		    ? rec_get_word(r, m->name, m->words, &w)
		    : rec_get_int(r, m->name, m->min, m->max, &v);
		if (bad != 0) {
			printf(" %s: malformed\n", m->name);
			return 1;
		}
		if (w >= 0)
			printf(" %s %s", m->name, m->words[w]);
		else
			printf(" %s %" PRId64, m->name, v);
	}
	putchar('\n');
	return rec_end(r) == 0 ? 0 : 1;
}

static int
show(const struct tool *t)
{
	static unsigned char body[FRAME_BODY_MAX];
	struct frame f;
	struct rec r;
	int e, status = 1;

	while ((e = frame_receive(STDIN_FILENO, &f, body)) == 0) {
		rec_init(&r, body, f.length);
		if (f.type == FRAME_READY) {
			const struct tool *said = ready(&r);

			if (t == NULL)
				t = said;
		} else if (f.type == FRAME_RESULT && t != NULL) {
			status = result(t, &r);
		} else {
			printf("frame of type %u, %u bytes\n", f.type, f.length);
		}
		(void)fflush(stdout);
	}
	if (e != E_EOF)
		printf("not a frame: %s\n", err_text(e));
	return e == E_EOF ? status : 1;
}

/* What was shown to nobody is not shown. */
static int
written(int status)
{
	bool lost = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !lost)
		return status;
	complain("frame: cannot write%s%s\n", errno != 0 ? ": " : "",
	    errno != 0 ? err_errno(errno) : "");
	return 75;
}

int
main(int argc, char **argv)
{
	const struct tool *t = NULL;
	int at = 2;

	if (argc < 2)
		return usage();
	if (argc > 2 && (t = tool_find(argv[2])) != NULL)
		at = 3;
	if (strcmp(argv[1], "show") == 0 && at == argc)
		return written(show(t));
	if (strcmp(argv[1], "call") != 0)
		return usage();
	if (t == NULL && (t = meant(argv + at, argc - at)) == NULL)
		t = tools[0];
	if (t->helper == NULL) {
		complain("frame: '%s' has no helper\n", t->name);
		return 2;
	}
	return call(t, argv + at, argc - at);
}

/* search (spec search 5 to 9): the call, the patterns, the numbers of the answer. */
#include "bin/bb-search/search.h"

#include <stdlib.h>
#include <string.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/helper.h"
#include "libcommon/tool.h"

#define PATTERNS_MAX (RX_LIST_MAX + 1) /* one too many says so */

extern const struct tool tool_search;
bool search_unwritten;

/* Compile the patterns of <p, n>, which NULs separate. */
static int
compile(struct search *s, const char *p, size_t n, bool nocase, struct rx_error *e)
{
	static struct rx_text list[PATTERNS_MAX];
	size_t many = 0;

	for (size_t at = 0; many < PATTERNS_MAX; many++) {
		const char *end = memchr(p + at, '\0', n - at);
		size_t len = end != NULL ? (size_t)(end - p) - at : n - at;

		list[many] = (struct rx_text){p + at, len};
		at += len + 1;
		if (end == NULL) {
			many++;
			break;
		}
	}
	return rx_compile(list, many, RX_CRLF | (nocase ? RX_NOCASE : 0), &s->rx, e);
}

static int64_t
at_most(uint64_t n, uint64_t most)
{
	return (int64_t)(n < most ? n : most);
}

static void
answer(const struct search *s, const char *code, const struct rx_error *e, struct buf *b)
{
	static const struct page nothing;
	const struct page *p = strcmp(code, "ok") == 0 ? &s->page : &nothing;
	bool all = p != &nothing && !p->full;

	rec_put_word(b, "code", code);
	rec_put_word(b, "fault", rx_fault_words[e->fault]);
	rec_put_int(b, "which", at_most(e->which, RX_LIST_MAX - 1));
	rec_put_int(b, "at", at_most(e->at, RX_PATTERN_MAX));
	rec_put_int(b, "a", at_most(e->a, 0x10ffff));
	rec_put_int(b, "b", at_most(e->b, 0x10ffff));
	rec_put_int(b, "selected", (int64_t)p->selected);
	rec_put_int(b, "read", (int64_t)p->read);
	rec_put_int(b, "binary", (int64_t)p->binary);
	rec_put_int(b, "badtext", (int64_t)p->badtext);
	rec_put_int(b, "unopened", (int64_t)p->unopened);
	/* Of a page that is full, as far as it goes: the walk may have been anywhere. */
	rec_put_int(b, "dirs", (int64_t)(all ? s->seen.dirs : p->seen.dirs));
	rec_put_int(b, "links", (int64_t)(all ? s->seen.links : p->seen.links));
	rec_put_int(b, "others", (int64_t)(all ? s->seen.others : p->seen.others));
	rec_put_int(b, "matches", (int64_t)p->matches);
	rec_put_int(b, "total", (int64_t)p->total);
	rec_put_int(b, "next", (int64_t)p->next);
	rec_put_int(b, "files_cap", all && s->files_cap);
	rec_put_int(b, "timed_out", p->timed_out);
	rec_put_int(b, "context_cap", p->context_cap);
	rec_put_int(b, "long", (int64_t)p->cut);
	rec_put_int(b, "bytes", (int64_t)p->bytes);
}

static int
ask(struct rec *call, struct search *s, struct rx_error *e, int *fault)
{
	const struct tool_arg *offset = tool_arg(&tool_search, "offset"),
	                      *context = tool_arg(&tool_search, "context");
	const struct tool_member *m = tool_search.call;
	const char *pattern = "", *include;
	size_t n = 0, n_include;
	int64_t v, sensitive;

	if (rec_has(call, "pattern") &&
	    rec_get_text(call, "pattern", FRAME_BODY_MAX, &pattern, &n) != 0)
		return E_BAD;
	if (rec_has(call, "include")) {
		if (rec_get_text(call, "include", GLOB_MAX, &include, &n_include) != 0 ||
		    glob_compile(include, n_include, &s->include) != 0)
			return E_BAD;
		s->filtered = true;
	}
	if (rec_get_int(call, "offset", offset->min, offset->max, &v) != 0)
		return E_BAD;
	s->page.offset = (uint64_t)v;
	if (rec_get_int(call, "case_sensitive", 0, 1, &sensitive) != 0 ||
	    rec_get_int(call, "context", context->min, context->max, &v) != 0)
		return E_BAD;
	s->page.context = (uint64_t)v;
	if (rec_get_text(call, "prefix", SCOPE_PATH + 1, &s->prefix, &s->prefix_len) != 0)
		return E_BAD;
	if (rec_get_int(call, "files", m[1].min, m[1].max, &v) != 0)
		return E_BAD;
	s->files = (uint64_t)v;
	if (rec_get_int(call, "ms", m[2].min, m[2].max, &v) != 0)
		return E_BAD;
	s->ms = (uint64_t)v;
	if (rec_get_int(call, "most", m[3].min, m[3].max, &v) != 0 || rec_end(call) != 0)
		return E_BAD;
	s->page.most = (uint64_t)v;
	*fault = compile(s, pattern, n, sensitive == 0, e);
	return 0;
}

int
search_files(struct rec *call, struct buf *result)
{
	static struct search s;
	struct rx_error e = {0};
	const char *code;
	int r, fault = 0;

	order_init(&s);
	if ((r = ask(call, &s, &e, &fault)) != 0)
		return r;
	if (fault == E_BAD) {
		answer(&s, "bad-pattern", &e, result);
		return 0;
	}
	if (fault != 0)
		return fault;
	s.terminal = helper_on_terminal();
	code = tree_walk(&s);
	order_finish(&s);
	if (s.order.failed)
		return E_NOMEM;
	page_flush(&s.page);
	search_unwritten = s.page.unwritten;
	answer(&s, search_unwritten ? "unreadable" : code, &e, result);
	/* What is left is left: the crew may still hold it, and the process ends. */
	return 0;
}

/* Facts that a window cannot hold: the agent's words never push one away, and what still
 * does not fit is paged, counted, and to be seen before an answer (prompts 1.2, 1.5). */
#include "tests/tap.h"

#include "bin/bb/session/questions.h"
#include "bin/bb/ui/ask_int.h"

static void
repeated(struct buf *b, const char *s, unsigned n)
{
	while (n-- > 0)
		buf_str(b, s);
}

static size_t
rows_in(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

static bool
has(const struct buf *b, const char *s)
{
	return b->p != NULL && strstr(b->p, s) != NULL;
}

static struct drawing *
vouch(const char *path, const char *why, const char *text)
{
	struct vouch_facts f = {.path = path,
	    .why = why,
	    .bytes = strlen(text),
	    .lines = 1,
	    .head = text,
	    .head_len = strlen(text)};
	struct drawing *d = NULL;

	if (question_vouch(&f, &d) != 0)
		exit(9);
	return d;
}

TEST(why_takes_three_rows)
{
	static const char *const whys[] = {"W", "It is needed to build. ", "\u8cc7",
	    "a\n", "\u05d0 "};
	static const struct {
		unsigned width, height;
	} sizes[] = {{80, 24}, {80, 14}, {40, 24}, {100, 60}, {200, 60}};

	for (size_t i = 0; i < sizeof whys / sizeof *whys; i++) {
		auto_buf struct buf why = BUF_INIT, out = BUF_INIT;
		struct drawing *d;
		size_t unseen, w, none;

		repeated(&why, whys[i], 4000);
		d = vouch("s.txt", buf_cstr(&why), "one\n");
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct look l = {.width = sizes[k].width,
			    .height = sizes[k].height,
			    .utf8 = true};

			buf_clear(&out);
			drawing_render(d, &l, 0, &unseen, &out);
			ok(rows_in(&out) < l.height,
			    "why %zu: all of it stands in %u x %u", i, l.width, l.height);
			ok(has(&out, "let the agent read this file?") &&
			        has(&out, "s.txt") &&
			        has(&out, "nobody has vouched for it") &&
			        has(&out, "y this file, this session"),
			    "with what decides");
			ok(has(&out, "\u2026[cut, ") && has(&out, "e shows all"),
			    "and says that more was said");
		}
		buf_clear(&out);
		drawing_whole(d, &(struct look){.width = 80, .height = 24, .utf8 = true},
		    &out);
		w = 0;
		for (const char *s = buf_cstr(&out); i == 0 && *s != '\0'; s++)
			w += *s == 'W';
		none = has(&out, "[cut");
		ok((i > 0 || w == 4000) && none == 0, "e shows all of it");
		drawing_free(d);
	}
}

TEST(a_short_why_is_whole)
{
	auto_buf struct buf why = BUF_INIT, out = BUF_INIT;
	struct look l = {.width = 80, .height = 24, .utf8 = true};
	struct drawing *d;
	size_t unseen;

	repeated(&why, "W", 3 * 67);
	d = vouch("s.txt", buf_cstr(&why), "one\n");
	drawing_render(d, &l, 0, &unseen, &out);
	ok(!has(&out, "[cut"), "three full rows are not cut");
	buf_clear(&out);
	drawing_whole(d, &l, &out);
	ok_str(buf_cstr(&out), "\u2502 one\n", "and e shows the content alone");
	drawing_free(d);
	buf_byte(&why, 'W');
	d = vouch("s.txt", buf_cstr(&why), "one\n");
	buf_clear(&out);
	drawing_render(d, &l, 0, &unseen, &out);
	ok(has(&out, "             \u2026[cut, 1 more character] e shows all\n"),
	    "one more is");
	buf_clear(&out);
	l.utf8 = false;
	drawing_render(d, &l, 0, &unseen, &out);
	ok(has(&out, "             ...[cut, 1 more character] e shows all\n"),
	    "in ASCII too");
	buf_clear(&out);
	l = look_plain();
	drawing_render(d, &l, 0, &unseen, &out);
	ok(has(&out, "\u2026[cut, 1 more character]\n"),
	    "where there is no key none is named");
	drawing_free(d);
}

/* Go from page to page; all that was drawn, less titles and keys, is in `all`. */
static unsigned
pages(const struct drawing *d, const struct look *l, struct buf *all, size_t *facts_on)
{
	size_t first = 0, unseen, rows = drawing_rows(d, l);
	unsigned n = 0;

	*facts_on = 0;
	do {
		auto_buf struct buf out = BUF_INIT;

		drawing_render(d, l, first, &unseen, &out);
		if (rows_in(&out) >= l->height)
			ok(false, "page %u takes %zu rows of %u", n, rows_in(&out),
			    l->height);
		if (unseen >= rows - first && n > 0)
			ok(false, "page %u goes on", n);
		if (*facts_on == 0 && rows - unseen >= drawing_deciding(d, l))
			*facts_on = n + 1;
		buf_append(all, buf_cstr(&out), out.len);
		first = rows - unseen;
		n++;
	} while (unseen > 0 && n < 1000);
	return n;
}

TEST(facts_are_paged)
{
	auto_buf struct buf path = BUF_INIT, out = BUF_INIT, all = BUF_INIT;
	struct look l = {.width = 80, .height = 24, .utf8 = true};
	struct drawing *d;
	size_t unseen, facts_on, q = 0;
	unsigned n;

	repeated(&path, "Q", 4000);
	d = vouch(buf_cstr(&path), "look", "one\ntwo\nthree\nfour\nfive\n");
	drawing_render(d, &l, 0, &unseen, &out);
	ok(rows_in(&out) < 24, "a page fits the window");
	ok(has(&out, "let the agent read this file?"), "with the question");
	ok(!has(&out, "nobody has vouched"), "not yet all facts");
	ok(has(&out, "more rows \u00b7 space shows them\n"), "the rest is counted");
	ok(has(&out, "y this file, this session (space to the last fact first)"),
	    "and to be seen first");
	ok(has(&out, "space more"), "by space");
	ok(drawing_rows(d, &l) - unseen < drawing_deciding(d, &l), "facts are unseen");
	n = pages(d, &l, &all, &facts_on);
	ok(n == 4, "%u pages", n);
	for (const char *s = buf_cstr(&all); *s != '\0'; s++)
		q += *s == 'Q';
	ok_int(q, 4000, "every sign of the name is shown once");
	ok(has(&all, "nobody has vouched for it") && has(&all, "\u2502 five\n"),
	    "and all facts and content");
	ok(has(&all, "b back"), "with a way back");
	ok(facts_on > 1 && facts_on <= n, "the last fact stands on page %zu", facts_on);
	buf_clear(&out);
	drawing_whole(d, &l, &out);
	q = 0;
	for (const char *s = buf_cstr(&out); *s != '\0'; s++)
		q += *s == 'Q';
	ok(q == 4000 && has(&out, "\u2502 five\n"), "e shows the facts with the content");
	drawing_free(d);
}

TEST(facts_that_fit_stand_on_every_page)
{
	auto_buf struct buf text = BUF_INIT;
	struct look l = {.width = 80, .height = 14, .utf8 = true};
	struct drawing *d;

	for (unsigned i = 0; i < 100; i++)
		buf_fmt(&text, "row %u\n", i);
	d = vouch("s.txt", "look", buf_cstr(&text));
	ok_int(drawing_deciding(d, &l), 0, "no page is needed to see them");
	ok_int(drawing_rows(d, &l), 100, "pages are of content only");
	drawing_free(d);
}

/* A question without content, and what waits behind it, in every window. */
TEST(a_row_that_is_cut_holds_the_key)
{
	static const char waits[] = "y this file, this session (space to the end first)";
	auto_buf struct buf text = BUF_INIT, out = BUF_INIT;
	struct look l = {.width = 80, .height = 24, .utf8 = true};
	struct drawing *d;
	size_t unseen = 1, first = 0;
	bool approves;

	repeated(&text, "one\n", 60);
	d = vouch("s.txt", "w", buf_cstr(&text));
	drawing_render(d, &l, 0, &unseen, &out);
	ok(unseen > 0 && !has(&out, "to the end first"), "rows of any number do not");
	drawing_free(d);
	buf_clear(&text);
	repeated(&text, "x", 2000);
	d = vouch("s.txt", "w", buf_cstr(&text));
	ok(drawing_offers(d, 'y', &approves) && !approves, "2,000 characters are no cut");
	drawing_free(d);
	buf_clear(&text);
	repeated(&text, "\u8cc7", 1999);
	d = vouch("s.txt", "w", buf_cstr(&text));
	ok(drawing_offers(d, 'y', &approves) && !approves, "nor are 6,000 bytes");
	drawing_free(d);
	buf_clear(&text);
	repeated(&text, "one\n", 20);
	repeated(&text, "x", 2001);
	buf_str(&text, "\nend\n");
	d = vouch("s.txt", "w", buf_cstr(&text));
	ok(drawing_offers(d, 'y', &approves) && approves, "one longer row does");
	ok(drawing_offers(d, 'n', &approves) && !approves, "n does not wait");
	ok(drawing_offers(d, '\003', &approves) && !approves, "nor does ctrl-c");
	for (int i = 0; i < 20; i++) {
		buf_clear(&out);
		drawing_render(d, &l, first, &unseen, &out);
		if (unseen == 0)
			break;
		ok(has(&out, waits), "page %d: the key is dim", i + 1);
		first = drawing_rows(d, &l) - unseen;
	}
	ok(unseen == 0 && !has(&out, "to the end first"), "until the end was drawn");
	drawing_free(d);
}

TEST(questions_without_content)
{
	static const unsigned heights[] = {10, 12, 18, 24, 40};
	auto_buf struct buf path = BUF_INIT, typed = BUF_INIT;
	struct directory_facts f = {.who = "the agent",
	    .world_writable = true,
	    .why = "look"};
	struct opening_facts open = {.age_s = 1};
	struct look l = {.utf8 = true};
	struct drawing *d;
	size_t facts_on;

	repeated(&path, "/directory", 400);
	repeated(&typed, "../x/", 300);
	f.path = open.path = buf_cstr(&path);
	f.typed = buf_cstr(&typed);
	for (size_t i = 0; i < 2 * sizeof heights / sizeof *heights; i++) {
		auto_buf struct buf all = BUF_INIT;
		unsigned n;

		l.width = i & 1 ? 40 : 80;
		l.height = heights[i / 2];
		if (question_directory(&f, &d) != 0)
			exit(9);
		drawing_then(d, "read", buf_cstr(&path));
		n = pages(d, &l, &all, &facts_on);
		ok(n > 1 && has(&all, "it belongs to somebody else;") &&
		        has(&all, "it stays out of reach") && has(&all, "(space"),
		    "directory in %u x %u: %u pages show all", l.width, l.height, n);
		drawing_free(d);
		buf_clear(&all);
		if (question_opening(&open, &d) != 0)
			exit(9);
		n = pages(d, &l, &all, &facts_on);
		ok(n > 1 && has(&all, "it belongs to somebody else") &&
		        has(&all, "space more"),
		    "opening in %u x %u: %u pages show all", l.width, l.height, n);
		drawing_free(d);
	}
}

/* At `bb approve` it is the same drawing. */
TEST(sent_to_a_second_terminal)
{
	auto_buf struct buf path = BUF_INIT, why = BUF_INIT;
	struct look l = {.width = 80, .height = 24, .utf8 = true};

	repeated(&path, "Q", 4000);
	repeated(&why, "W", 4000);
	for (int i = 0; i < 2; i++) {
		auto_buf struct buf here = BUF_INIT, there = BUF_INIT;
		auto_json json_t *v = NULL;
		struct drawing *d = vouch(i ? buf_cstr(&path) : "s.txt", buf_cstr(&why),
		                   "one\n"),
		               *e;
		size_t unseen, unseen_there;

		v = drawing_json(d);
		if (drawing_from_json(v, &e) != 0)
			exit(9);
		drawing_render(d, &l, 0, &unseen, &here);
		drawing_render(e, &l, 0, &unseen_there, &there);
		ok(unseen == unseen_there &&
		        drawing_deciding(d, &l) == drawing_deciding(e, &l),
		    "the same rows wait");
		ok_str(buf_cstr(&there), buf_cstr(&here), "the same are drawn");
		drawing_free(d);
		drawing_free(e);
	}
}

TEST(an_endless_window_has_no_pages)
{
	auto_buf struct buf path = BUF_INIT, out = BUF_INIT;
	struct look l = look_plain();
	struct drawing *d;
	size_t unseen;

	repeated(&path, "Q", 4000);
	d = vouch(buf_cstr(&path), "look", "one\n");
	drawing_render(d, &l, 0, &unseen, &out);
	ok(unseen == 0 && has(&out, "\u2502 one\n") && !has(&out, "space"), "all of it");
	drawing_free(d);
}

TAP_MAIN

/* bb-search: the lines that match beneath the one directory it is given, or in the parts
 * of it that its scope names. It can open directories and files there, for reading, and
 * nothing else. */
#include <string.h>

#include "bin/bb-search/search.h"
#include "libcommon/helper.h"
#include "libcommon/rx.h"

extern const struct tool tool_search;

/* The numbers of a RESULT, by name. */
static int64_t
number(const struct rec *result, const char *name)
{
	const struct tool *t = &tool_search;
	struct rec r = *result;
	int64_t v = -1;
	int w;

	for (size_t i = 0; i < t->n_result; i++) {
		const struct tool_member *m = &t->result[i];
		int e = m->type == MEMBER_WORD
		    ? rec_get_word(&r, m->name, m->words, &w)
		    : rec_get_int(&r, m->name, m->min, m->max, &v);

		if (e != 0)
			return -1;
		if (strcmp(m->name, name) == 0)
			return m->type == MEMBER_WORD ? w : v;
	}
	return -1;
}

/* `BEFORE n BEHIND` */
static void
say_number(const char *before, int64_t n, const char *behind)
{
	auto_buf struct buf b = BUF_INIT;

	(void)buf_str(&b, before);
	(void)buf_int(&b, n);
	(void)buf_str(&b, behind);
	helper_say(buf_cstr(&b));
}

static void
bad_pattern(const struct rec *r)
{
	static const char *const says[] = {
	    [RX_FINE] = "it is not taken",
	    [RX_EMPTY] = "it is empty",
	    [RX_LONG] = "it has more than 1,000 characters",
	    [RX_LIST_LONG] = "more than 128 patterns, or 16,000 characters in all",
	    [RX_DEEP] = "groups are nested more than 50 deep",
	    [RX_UNCLOSED_GROUP] = "a '(' is not closed",
	    [RX_UNMATCHED_PAREN] = "a ')' without its '('",
	    [RX_UNCLOSED_CLASS] = "a '[' is not closed",
	    [RX_NOTHING_TO_REPEAT] = "there is nothing to repeat",
	    [RX_DANGLING_ESCAPE] = "a '\\' ends it",
	    [RX_UNKNOWN_ESCAPE] = "an escape that is not known",
	    [RX_UNSUPPORTED_GROUP] = "a kind of group that is not supported",
	    [RX_REVERSED_RANGE] = "a range from a greater to a lesser character",
	    [RX_NOT_UTF8] = "it is not UTF-8",
	};
	auto_buf struct buf b = BUF_INIT;
	int64_t fault = number(r, "fault"), which = number(r, "which");

	(void)buf_str(&b, "pattern ");
	if (which > 0) {
		(void)buf_int(&b, which + 1);
		(void)buf_str(&b, " ");
	}
	(void)buf_str(&b, "refused: ");
	if (fault >= 0 && (size_t)fault < sizeof(says) / sizeof(*says))
		(void)buf_str(&b, says[fault]);
	if (fault == RX_UNKNOWN_ESCAPE) {
		char c[] = ": \\?";

		c[3] = (char)number(r, "a"); /* a letter or a digit */
		(void)buf_str(&b, c);
	}
	if (fault >= RX_DEEP && fault <= RX_REVERSED_RANGE) {
		(void)buf_str(&b, ", at character ");
		(void)buf_int(&b, number(r, "at") + 1);
	}
	helper_say(buf_cstr(&b));
}

/* What is missing, and what was left out of the search. */
static void
missing(const struct rec *r)
{
	static const struct {
		const char *name, *says;
	} rows[] = {
	    {"unopened", " files could not be read"},
	    {"dirs", " directories could not be read"},
	    {"binary", " binary files were left out"},
	    {"links", " links were not followed"},
	    {"others", " FIFOs, sockets or devices were left out"},
	    {"badtext", " files are not UTF-8 throughout"},
	    {"long", " lines are cut at 500 bytes"},
	};
	int64_t next = number(r, "next");

	if (next > 0)
		say_number("incomplete: there are more matches; go on with --offset ",
		    next, ", or give --no-cap");
	if (number(r, "files_cap") > 0)
		say_number("incomplete: stopped after ", number(r, "selected"),
		    " files; give --no-cap, or a directory of it");
	if (number(r, "timed_out") > 0)
		helper_say(
		    "incomplete: out of time; give --no-cap, or a directory of it");
	if (number(r, "context_cap") > 0)
		helper_say("incomplete: context lines were left out");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (number(r, rows[i].name) > 0)
			say_number("", number(r, rows[i].name), rows[i].says);
}

static int
report(struct rec *r)
{
	const struct tool_member *code = &tool_search.result[0];
	int64_t w = number(r, "code");

	if (w < 0)
		return 70;
	if (strcmp(code->words[w], "bad-pattern") == 0)
		bad_pattern(r);
	else if (search_unwritten)
		helper_say("standard output cannot be written");
	else if (strcmp(code->words[w], "ok") != 0)
		helper_say_of("cannot be read");
	if (strcmp(code->words[w], "ok") != 0)
		return 2;
	missing(r);
	if (number(r, "matches") > 0)
		return 0;
	if (number(r, "total") > 0)
		say_number("no match there: ", number(r, "total"), " in all");
	else if (number(r, "selected") == 0)
		helper_say("no file to search was found");
	return 1;
}

int
main(int argc, char **argv)
{
	static const struct helper_word words[] = {{"-i", "case_sensitive", "false"},
	    {"-e", "pattern", NULL}, {"--no-cap", NULL, NULL}, {NULL, NULL, NULL}};
	static const struct helper_by_hand hand =
	    {.usage = "[-i] [-e PATTERN]... [--include GLOB] [--context N] [--offset N] "
	              "[--no-cap] [--] [PATTERN] [DIRECTORY|FILE]",
	        .report = report,
	        .words = words,
	        .first = "pattern",
	        .file = true,
	        .cannot_open = 2};

	return helper_main(argc, argv, &tool_search, search_files, &hand);
}

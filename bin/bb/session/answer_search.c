/* The sentences about a search: what is wrong with a pattern, which kind of nothing was
 * found, what an answer lacks. They quote the planner's own pattern and glob, released by
 * the gates, and numbers; nothing that was read. */
#include <inttypes.h>
#include <string.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/glob.h"
#include "libcommon/own.h"
#include "libcommon/rx.h"
#include "libcommon/utf8.h"

/* --- patterns --------------------------------------------------------------------------- */

/* Member `which` of a list joined by NUL. */
static const char *
member(const struct arg_value *v, size_t which)
{
	const char *p = v->s;

	while (which-- > 0)
		p += strlen(p) + 1;
	return p;
}

/* Where scalar `at` of p stands; its end when there are fewer. */
static const char *
scalar(const char *p, size_t at)
{
	while (at-- > 0 && *p != '\0') {
		uint32_t c;
		int n = utf8_next((const unsigned char *)p, strnlen(p, 4), &c);

		p += n > 0 ? n : 1;
	}
	return p;
}

size_t
answer_scalars(const char *p)
{
	size_t n = 0;

	for (; *p != '\0'; n++)
		p = scalar(p, 1);
	return n;
}

static bool
holds(const char *p, uint32_t want)
{
	char c[5] = "";

	c[utf8_put(want, c)] = '\0';
	return want != 0 && strstr(p, c) != NULL;
}

bool
answer_pattern_fits(const struct arg_value *v, const struct rx_error *e)
{
	const char *p, *at;

	if (e->fault == RX_FINE || e->which >= v->many)
		return false;
	p = member(v, e->which);
	if (e->at > answer_scalars(p))
		return false;
	at = scalar(p, e->at);
	switch (e->fault) {
	case RX_UNCLOSED_GROUP:
	case RX_DEEP:
		return *at == '(';
	case RX_UNSUPPORTED_GROUP:
		return at[0] == '(' && at[1] == '?';
	case RX_UNMATCHED_PAREN:
		return *at == ')';
	case RX_UNCLOSED_CLASS:
		return *at == '[';
	case RX_DANGLING_ESCAPE:
		return at[0] == '\\' && at[1] == '\0';
	case RX_UNKNOWN_ESCAPE:
		return at[0] == '\\' && at[1] != '\0';
	case RX_NOTHING_TO_REPEAT:
		return *at != '\0';
	case RX_REVERSED_RANGE:
		return *at == '[' && e->a > e->b && holds(p, e->a) && holds(p, e->b);
	case RX_EMPTY:
	case RX_LONG:
	case RX_LIST_LONG:
		return false; /* bb looks itself, before it starts anything */
	case RX_NOT_UTF8:     /* JSON holds none */
	case RX_FINE:
		break;
	}
	return false;
}

/* What stands behind a `(?` that is not of the dialect, and the way out. */
static const char *
construct(const char *at)
{
	static const struct {
		const char *head, *says;
	} rows[] = {
	    {"(?=",
	        "lookahead (?=...) at character %zu is not supported: match what is "
	        "looked "
	        "for as "
	        "part of the line"},
	    {"(?!",
	        "negative lookahead (?!...) at character %zu is not supported: match "
	        "without "
	        "it and "
	        "leave lines out yourself"},
	    {"(?<=",
	        "lookbehind (?<=...) at character %zu is not supported: match what "
	        "stands "
	        "before as "
	        "part of the line"},
	    {"(?<!",
	        "negative lookbehind (?<!...) at character %zu is not supported: match "
	        "without it "
	        "and leave lines out yourself"},
	    {"(?P<",
	        "a named group (?P<...) at character %zu is not supported: write (...)"},
	    {"(?P=",
	        "a backreference (?P=...) at character %zu is not supported: write the "
	        "text "
	        "itself"},
	    {"(?P>",
	        "a call of a group (?P>...) at character %zu is not supported: write "
	        "the group again"},
	    {"(?<",
	        "a named group (?<...>...) at character %zu is not supported: write "
	        "(...)"},
	    {"(?'",
	        "a named group (?'...'...) at character %zu is not supported: write "
	        "(...)"},
	    {"(?>",
	        "an atomic group (?>...) at character %zu is not supported: write "
	        "(?:...), nothing here backtracks"},
	    {"(?|",
	        "a branch reset (?|...) at character %zu is not supported: write "
	        "(?:...)"},
	    {"(?#", "a comment (?#...) at character %zu is not supported: leave it out"},
	    {"(?(",
	        "a condition (?(...) at character %zu is not supported: write two "
	        "patterns as a list"},
	    {"(?R",
	        "recursion (?R) at character %zu is not supported: write out the levels "
	        "you need"},
	    {"(?&",
	        "a call of a group (?&...) at character %zu is not supported: write "
	        "the group again"},
	    {"(?)",
	        "(?) at character %zu is not supported: it sets no flag, leave it out"},
	};
	static const struct {
		char flag;
		const char *says;
	} flags[] = {
	    {'m',
	        "flag m at character %zu is not supported: ^ and $ mean the line "
	        "already"},
	    {'s',
	        "flag s at character %zu is not supported: a match never passes the end "
	        "of "
	        "a line"},
	    {'x',
	        "flag x at character %zu is not supported: write the pattern without "
	        "blanks and comments"},
	    {'u',
	        "flag u at character %zu is not supported: patterns are Unicode already"},
	    {'U',
	        "flag U at character %zu is not supported: greedy or not finds the same "
	        "lines"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strncmp(at, rows[i].head, strlen(rows[i].head)) == 0)
			return rows[i].says;
	for (at += 2; *at == 'i' || *at == '-'; at++)
		;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (*at == flags[i].flag)
			return flags[i].says;
	return "a (? form at character %zu is not supported: only (?:...), (?i), (?-i) "
	       "and "
	       "(?i:...) are";
}

static const char *
escape(char c)
{
	if (c >= '0' && c <= '9')
		return "backreference \\%c at character %zu is not supported: write the "
		       "text "
		       "itself";
	switch (c) {
	case 'x':
	case 'u':
	case 'U':
	case 'o':
	case 'c':
	case 'N':
		return "character code \\%c at character %zu is not supported: write the "
		       "character itself";
	case 'p':
	case 'P':
		return "property \\%c at character %zu is not supported: use \\w, \\d, "
		       "\\s or "
		       "a class such as [a-z]";
	case 'A':
		return "\\%c at character %zu is not supported: ^ is the beginning of a "
		       "line";
	case 'z':
	case 'Z':
		return "\\%c at character %zu is not supported: $ is the end of a line";
	case 'k':
	case 'g':
		return "reference \\%c at character %zu is not supported: write the text "
		       "itself";
	case 'Q':
	case 'E':
		return "quotation \\%c at character %zu is not supported: put a "
		       "backslash "
		       "before each metacharacter";
	case 'h':
	case 'v':
	case 'f':
	case 'R':
		return "\\%c at character %zu is not supported: use \\s, \\t, or the "
		       "character itself";
	default:
		return "\\%c at character %zu means nothing here: a letter is written "
		       "without its backslash";
	}
}

/* The text of constant formats above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void
say_group(const char *at, size_t n, struct buf *out)
{
	(void)buf_fmt(out, construct(at), n);
}

static void
say_escape(char c, size_t n, struct buf *out)
{
	(void)buf_fmt(out, escape(c), c, n);
}
#pragma GCC diagnostic pop

static void
nothing_to_repeat(const char *at, size_t n, struct buf *out)
{
	char c[5] = "";

	if (*at == '*' || *at == '+' || *at == '?')
		(void)buf_fmt(out,
		    "nothing stands before the %c at character %zu that it could repeat: "
		    "write \\%c for the character itself",
		    *at, n, *at);
	else if (*at == '(')
		(void)buf_fmt(out,
		    "the flags at character %zu cannot be repeated: leave the repeat out",
		    n);
	else {
		memcpy(c, at, *at == '\\' ? 2 : 1);
		(void)buf_fmt(out,
		    "%s at character %zu is a place and cannot be repeated: leave the "
		    "repeat out, or write (%s)",
		    c, n, c);
	}
}

/* a-b of a range, as text. */
static void
range(uint32_t a, uint32_t b, struct buf *out)
{
	char c[4];

	(void)buf_append(out, c, (size_t)utf8_put(a, c));
	(void)buf_byte(out, '-');
	(void)buf_append(out, c, (size_t)utf8_put(b, c));
}

void
answer_pattern(const struct arg_value *v, const struct rx_error *e, struct buf *out)
{
	const char *p = v->many > 0 ? member(v, e->which) : "";
	const char *at = scalar(p, e->at);
	size_t n = e->at + 1;

	(void)buf_str(out, "'pattern'");
	if (v->many > 1 && e->fault != RX_LIST_LONG)
		(void)buf_fmt(out, " %zu of %zu", e->which + 1, v->many);
	(void)buf_str(out, ": ");
	switch (e->fault) {
	case RX_FINE:
	case RX_NOT_UTF8:
		(void)buf_str(out, "it is not valid UTF-8");
		return;
	case RX_EMPTY:
		(void)buf_str(out,
		    v->many == 0 ? "an empty list: give one regular expression or more"
		                 : "it is empty: give a regular expression");
		return;
	case RX_LONG:
		(void)buf_fmt(out,
		    "it has %zu characters and %d are the most: split it into a list",
		    answer_scalars(p), RX_PATTERN_MAX);
		return;
	case RX_LIST_LONG:
		if (v->many > RX_LIST_MAX)
			(void)buf_fmt(out,
			    "the list has %zu members and %d are the most: search more "
			    "than once",
			    v->many, RX_LIST_MAX);
		else
			(void)buf_fmt(out,
			    "the list is longer than %d characters together: search more "
			    "than once",
			    RX_TOTAL_MAX);
		return;
	case RX_DEEP:
		(void)buf_fmt(out,
		    "the group at character %zu is nested deeper than %d: write it "
		    "flatter",
		    n, RX_DEPTH_MAX);
		return;
	case RX_UNCLOSED_GROUP:
		(void)buf_fmt(out,
		    "the ( at character %zu is not closed: add its ), or write \\( for "
		    "the character itself",
		    n);
		return;
	case RX_UNMATCHED_PAREN:
		(void)buf_fmt(out,
		    "the ) at character %zu closes no group: write \\) for the character "
		    "itself",
		    n);
		return;
	case RX_UNCLOSED_CLASS:
		(void)buf_fmt(out,
		    "the [ at character %zu is not closed: add its ] (one right behind "
		    "it "
		    "is a member), or write \\[ for the character itself",
		    n);
		return;
	case RX_NOTHING_TO_REPEAT:
		nothing_to_repeat(at, n, out);
		return;
	case RX_DANGLING_ESCAPE:
		(void)buf_fmt(out,
		    "the backslash at character %zu ends it: write \\\\ for the "
		    "character "
		    "itself",
		    n);
		return;
	case RX_UNKNOWN_ESCAPE:
		say_escape(at[1], n, out);
		return;
	case RX_UNSUPPORTED_GROUP:
		say_group(at, n, out);
		return;
	case RX_REVERSED_RANGE:
		(void)buf_str(out, "the range ");
		range(e->a, e->b, out);
		(void)buf_fmt(out,
		    " in the class at character %zu runs backwards: write ", n);
		range(e->b, e->a, out);
		return;
	}
}

/* --- globs ------------------------------------------------------------------------------ */

/* `{1..9}` somewhere? */
static bool
number_range(const char *g)
{
	for (const char *p = strchr(g, '{'); p != NULL; p = strchr(p + 1, '{')) {
		size_t n = strcspn(p, "}");

		if (p[n] == '}' && memmem(p, n, "..", 2) != NULL &&
		    memchr(p, ',', n) == NULL)
			return true;
	}
	return false;
}

/* A comma that no brace encloses. */
static bool
bare_comma(const char *g)
{
	size_t depth = 0;

	for (; *g != '\0'; g++)
		if (*g == '{')
			depth++;
		else if (*g == '}')
			depth -= depth > 0;
		else if (*g == ',' && depth == 0)
			return true;
	return false;
}

/* `**` with something else in its segment. */
static bool
glued(const char *g)
{
	for (const char *p = strstr(g, "**"); p != NULL; p = strstr(p + 2, "**"))
		if ((p > g && strchr("/{,", p[-1]) == NULL) ||
		    (p[2] != '\0' && strchr("/},", p[2]) == NULL))
			return true;
	return false;
}

const char *
answer_glob_lacks(const char *g)
{
	struct glob c;
	const char *open = strchr(g, '[');
	size_t n = strlen(g);
	bool literal = false;

	if (glob_compile(g, n, &c) == 0) {
		literal = c.literal;
		glob_release(&c);
	}
	if (n == 0)
		return "an empty glob selects nothing, leave it out to search every file";
	if (strncmp(g, "./", 2) == 0 || g[0] == '/')
		return "a glob begins without ./ and without /";
	if (g[n - 1] == '/')
		return "a glob names files, so it does not end in /; write /** behind a "
		       "directory";
	if (g[0] == '!')
		return "a glob has no negation, so ! is an ordinary character";
	if (strchr(g, '\\') != NULL)
		return "a glob has no escapes, so \\ is an ordinary character";
	if (number_range(g))
		return "a glob has no {1..9} ranges; write each as in {1,2,3}";
	if (literal)
		return "its braces do not close or make more than 64 globs, so they are "
		       "ordinary characters";
	if (open != NULL && strchr(open, ']') != NULL)
		return "a glob has no [...] classes; write each as in {a,b}";
	if (strstr(g, "@(") != NULL || strstr(g, "+(") != NULL ||
	    strstr(g, "!(") != NULL || strstr(g, "?(") != NULL || strstr(g, "*(") != NULL)
		return "a glob has no (...) groups; write alternatives as {a,b}";
	if (bare_comma(g) || strchr(g, '|') != NULL || strchr(g, ';') != NULL)
		return "only a comma between braces separates, as in *.{c,h}";
	if (glued(g))
		return "** stands alone between slashes, elsewhere it is a plain *";
	return NULL;
}

/* --- nothing ----------------------------------------------------------------------------- */

void
answer_nothing(const struct search_facts *f, const char *shown, const char *include,
    struct buf *out)
{
	const char *lacks;

	/* The third kind, a permission rule that kept back what was selected, is said here
	 * once rules can be written (gate `rules`): that one did, that respelling cannot
	 * help, and never which path. */
	if (f->total > 0) {
		(void)buf_fmt(out, "(no match at offset %" PRId64 ": ", f->offset);
		answer_count(out, (uint64_t)(f->total - f->total_held), "match",
		    "matches");
		if (f->total_held > 0)
			(void)buf_fmt(out,
			    " here and %" PRId64 " in files you may not read",
			    f->total_held);
		(void)buf_str(out,
		    f->files_cap || f->timed_out ? " as far as it was searched)"
		        : f->total_held > 0      ? ")"
		                                 : " in all)");
	} else if (f->selected == 0 && include != NULL && !f->timed_out) {
		(void)buf_fmt(out, "(include '%s' selected no file, so nothing was read",
		    include);
		if ((lacks = answer_glob_lacks(include)) != NULL)
			(void)buf_fmt(out, ": %s", lacks);
		(void)buf_byte(out, ')');
	} else if (f->selected == 0) {
		(void)buf_fmt(out, "(there is no file to search in '%s')", shown);
	} else if (f->read == 0) {
		(void)buf_str(out, "(nothing was searched: of ");
		answer_count(out, (uint64_t)f->selected, "file", "files");
		(void)buf_str(out, " chosen none was read as text)");
	} else {
		(void)buf_str(out, "(no matching lines in the ");
		answer_count(out, (uint64_t)f->read, "file", "files");
		(void)buf_str(out, " read)");
	}
}

void
answer_nothing_here(const struct search_facts *f, int64_t offset, struct buf *out)
{
	if (f->total > 0) {
		(void)buf_fmt(out,
		    "(no match at offset %" PRId64 " in the files you may read: ",
		    offset);
		answer_count(out, (uint64_t)f->total, "match", "matches");
		(void)buf_str(out, " there)");
		return;
	}
	(void)buf_str(out, "(no matching lines in the ");
	answer_count(out, (uint64_t)f->read, "file", "files");
	(void)buf_str(out, " you may read)");
}

/* --- what an answer lacks ------------------------------------------------------------------ */

/* `[WORDS: 2 files, 1 directory]`, left out when all are 0. */
struct counted {
	int64_t n;
	const char *one, *many;
};
static void
list_counts(const char *words, const struct counted *v, size_t n, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (v[i].n > 0) {
			(void)buf_fmt(out, "%s", any ? ", " : words);
			answer_count(out, (uint64_t)v[i].n, v[i].one, v[i].many);
			any = true;
		}
	if (any)
		(void)buf_byte(out, ']');
}

void
answer_search_notices(const struct search_facts *f, struct buf *out)
{
	bool page = f->next > 0;

	if (page && !f->files_cap && !f->timed_out)
		(void)buf_fmt(out,
		    "\n\n[stopped at %" PRId64
		    " matches, incomplete; next offset %" PRId64 "]",
		    f->most, f->next);
	else if (page)
		(void)buf_fmt(out, "\n\n[stopped at %" PRId64 " matches, incomplete]",
		    f->most);
	if (f->files_cap)
		(void)buf_fmt(out,
		    "\n\n[stopped before every file was opened, at %" PRId64
		    " files, incomplete; narrow the include or search a subdirectory]",
		    f->files);
	if (f->timed_out)
		(void)buf_fmt(out,
		    "\n\n[ran out of time after %" PRId64 " s with %" PRId64
		    " of %" PRId64 " files read, incomplete; narrow the pattern or "
		    "search a subdirectory]",
		    f->seconds, f->read + f->binary + f->unopened, f->selected);
	if (f->context_cap)
		(void)buf_str(out,
		    "\n\n[context lines were left out, incomplete; ask for less "
		    "context]");
	list_counts("\n\n[could not be read and missing here: ",
	    (const struct counted[]){{f->unopened, "file", "files"},
	        {f->dirs, "directory", "directories"}},
	    2, out);
	list_counts("\n\n[not searched: ",
	    (const struct counted[]){{f->binary, "binary file", "binary files"},
	        {f->links, "link (not followed)", "links (not followed)"},
	        {f->others, "FIFO, socket or device", "FIFOs, sockets or devices"}},
	    3, out);
	if (f->badtext > 0) {
		(void)buf_str(out, "\n\n[");
		answer_count(out, (uint64_t)f->badtext, "file is", "files are");
		(void)buf_str(out, " not UTF-8 throughout: what is not shows as U+FFFD]");
	}
	if (f->cut > 0) {
		(void)buf_str(out, "\n\n[");
		answer_count(out, (uint64_t)f->cut, "line", "lines");
		(void)buf_str(out, " cut at 500 bytes]");
	}
}

void
answer_search_held(int64_t lines, bool beside, unsigned ref, struct buf *out)
{
	(void)buf_str(out, beside ? "and " : "");
	(void)buf_fmt(out, "%" PRId64 " %s%s in files you may not read: ref:%u\n", lines,
	    beside ? "more " : "", lines == 1 ? "line" : "lines", ref);
}

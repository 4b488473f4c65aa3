/* The regular expressions of search: the tables of search.md 10 to 12, and the scanner
 * against the set simulation over texts that exercise its four pieces, its filters, its
 * line ends and the end of its cache. */
#include "libcommon/rx.h"

#include <jansson.h>

#include "libcommon/bytes.h"
#include "libcommon/bytes_int.h"
#include "libcommon/glob.h"
#include "libcommon/utf8.h"
#include "tests/tap.h"

static struct rx *
compiled(const char *pattern, size_t n, unsigned flags, struct rx_error *err)
{
	struct rx_text t = {pattern, n};
	struct rx *rx;

	return rx_compile(&t, 1, flags, &rx, err) == 0 ? rx : NULL;
}

/* Does the line match: by simulation, by the scanner, and both alike? 2: they differ. */
static int
matches(const char *pattern, size_t n, unsigned flags, const char *line, size_t len)
{
	struct rx_error err;
	struct rx *rx = compiled(pattern, n, flags, &err);
	struct rx_scan *s;
	const struct rx_hit *hits;
	size_t n_hits;
	char *text = malloc(len + 1);
	int by_sim, by_scan;

	if (rx == NULL || (s = rx_scan_new(rx)) == NULL || text == NULL) {
		rx_free(rx);
		free(text);
		return -1;
	}
	if (len > 0)
		memcpy(text, line, len);
	text[len] = '\n';
	by_sim = rx_line(s, line, len);
	by_scan = rx_lines(s, text, len + 1, 9, &hits, &n_hits) != 0 ? -1 : (int)n_hits;
	if (by_scan == 1 && (hits[0].begin != 0 || hits[0].end != len))
		by_scan = 3;
	free(text);
	rx_scan_free(s);
	rx_free(rx);
	return by_sim == by_scan ? by_sim : 2;
}

static json_t *
table(const char *name)
{
	char path[4096];
	json_t *all, *rows;

	(void)snprintf(path, sizeof(path), "%s/tests/data/search-cases.json",
	    getenv("BB_TOP") != NULL ? getenv("BB_TOP") : ".");
	all = json_load_file(path, 0, NULL);
	rows = json_incref(json_object_get(all, name));
	json_decref(all);
	return rows;
}

TEST(match_table)
{
	json_t *rows = table("match"), *v;
	size_t i;

	ok_int(json_array_size(rows), 130, "the table is there");
	json_array_foreach(rows, i, v) {
		json_t *p = json_object_get(v, "pattern"),
		       *l = json_object_get(v, "line");
		bool cs = json_is_true(json_object_get(v, "case_sensitive"));

		ok_int(matches(json_string_value(p), json_string_length(p),
		           cs ? 0 : RX_NOCASE, json_string_value(l),
		           json_string_length(l)),
		    json_is_true(json_object_get(v, "match")),
		    json_string_value(json_object_get(v, "id")));
	}
	json_decref(rows);
}

static const struct {
	const char *word;
	enum rx_fault fault;
} words[] = {{"NothingToRepeat", RX_NOTHING_TO_REPEAT},
    {"UnclosedGroup", RX_UNCLOSED_GROUP}, {"UnmatchedParen", RX_UNMATCHED_PAREN},
    {"UnclosedClass", RX_UNCLOSED_CLASS}, {"ReversedRange", RX_REVERSED_RANGE},
    {"DanglingEscape", RX_DANGLING_ESCAPE}, {"UnsupportedGroup", RX_UNSUPPORTED_GROUP},
    {"EmptyPattern", RX_EMPTY}, {"TooLong", RX_LONG}, {"TooDeep", RX_DEEP}};

TEST(refused_table)
{
	json_t *rows = table("refused"), *v;
	size_t i;

	ok_int(json_array_size(rows), 35, "the table is there");
	json_array_foreach(rows, i, v) {
		const char *error = json_string_value(json_object_get(v, "error"));
		const char *id = json_string_value(json_object_get(v, "id"));
		json_t *p = json_object_get(v, "pattern"), *at = json_object_get(v, "at");
		enum rx_fault want = RX_FINE;
		struct rx_error err;

		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			if (strcmp(words[k].word, error) == 0)
				want = words[k].fault;
		ok(compiled(json_string_value(p), json_string_length(p), 0, &err) == NULL,
		    "%s is refused", id);
		ok_int(err.fault, want, id);
		if (json_is_integer(at))
			ok_int(err.at, json_integer_value(at), id);
	}
	json_decref(rows);
}

TEST(glob_table)
{
	json_t *rows = table("glob"), *v;
	size_t i;

	ok_int(json_array_size(rows), 46, "the table is there");
	json_array_foreach(rows, i, v) {
		const char *path = json_string_value(json_object_get(v, "path"));
		json_t *p = json_object_get(v, "glob");
		const char *slash = strrchr(path, '/');
		struct glob g;

		if (!ok(glob_compile(json_string_value(p), json_string_length(p), &g) ==
		            0,
		        "compiles"))
			continue;
		ok_int(glob_keeps(&g, slash != NULL ? slash + 1 : path, path, path),
		    json_is_true(json_object_get(v, "match")),
		    json_string_value(json_object_get(v, "id")));
		glob_release(&g);
	}
	json_decref(rows);
}

TEST(unknown_escapes_are_refused)
{
	static const char *const rows[] = {"\\1", "\\x41", "\\p{L}", "\\A", "\\z",
	    "\\u0041", "ab\\e", "[\\x]", "\\G", "\\0"};
	struct rx_error err;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ok(compiled(rows[i], strlen(rows[i]), 0, &err) == NULL, "%s", rows[i]);
		ok_int(err.fault, RX_UNKNOWN_ESCAPE, rows[i]);
		ok_int(err.at, strchr(rows[i], '\\') - rows[i], "where");
		ok_int(err.a, strchr(rows[i], '\\')[1], "which");
	}
	ok_int(matches("[\\b]", 4, 0, "b", 1), 1, "b in a class is a letter");
	ok_int(matches("\\-\\\xc3\xa9\\.", 7, 0, "-\xc3\xa9.", 4), 1,
	    "punctuation and others stand for themselves");
}

TEST(limits)
{
	static char many[2000], words_of[RX_LIST_MAX + 1][8];
	struct rx_text list[RX_LIST_MAX + 1];
	struct rx_error err;
	struct rx *rx;

	memset(many, 'a', sizeof(many));
	ok((rx = compiled(many, 1000, 0, &err)) != NULL, "1,000 scalar values");
	rx_free(rx);
	ok(compiled(many, 1001, 0, &err) == NULL && err.fault == RX_LONG, "1,001");
	for (size_t i = 0; i <= RX_LIST_MAX; i++) {
		(void)snprintf(words_of[i], sizeof(words_of[i]), "w%zu", i);
		list[i] = (struct rx_text){words_of[i], strlen(words_of[i])};
	}
	ok(rx_compile(list, RX_LIST_MAX, 0, &rx, &err) == 0, "128 patterns");
	rx_free(rx);
	ok(rx_compile(list, RX_LIST_MAX + 1, 0, &rx, &err) == E_BAD &&
	        err.fault == RX_LIST_LONG,
	    "129 patterns");
	for (size_t i = 0; i < 17; i++)
		list[i] = (struct rx_text){many, 1000};
	ok(rx_compile(list, 17, 0, &rx, &err) == E_BAD && err.fault == RX_LIST_LONG &&
	        err.which == 16,
	    "17,000 scalar values in all");
	ok(rx_compile(list, 16, 0, &rx, &err) == 0, "16,000");
	rx_free(rx);
	ok(compiled("\xff", 1, 0, &err) == NULL && err.fault == RX_NOT_UTF8, "not UTF-8");
	list[1] = (struct rx_text){"a(", 2};
	ok(rx_compile(list, 3, 0, &rx, &err) == E_BAD && err.which == 1,
	    "which of a list");
}

/* --- texts -------------------------------------------------------------------------------- */

static uint64_t seed = 88172645463325252u;
static uint32_t
chance(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 11) % n;
}

/* What rx_lines should say, line by line. */
static bool
agrees(struct rx_scan *s, const char *p, size_t n, bool crlf, size_t most)
{
	const struct rx_hit *hits;
	size_t n_hits, k = 0;

	if (rx_lines(s, p, n, most, &hits, &n_hits) != 0)
		return false;
	for (size_t at = 0; at < n && k < most;) {
		const char *lf = memchr(p + at, '\n', n - at);
		size_t end = lf != NULL ? (size_t)(lf - p) : n, text = end;

		if (crlf && lf != NULL && text > at && p[text - 1] == '\r')
			text--;
		if (rx_line(s, p + at, text - at)) {
			if (k >= n_hits || hits[k].begin != at || hits[k].end != text) {
				printf("# line at %zu..%zu; hit %zu of %zu\n", at, text,
				    k, n_hits);
				return false;
			}
			k++;
		}
		at = end + 1;
	}
	if (k != n_hits)
		printf("# %zu hits, want %zu\n", n_hits, k);
	return k == n_hits;
}

/* The bytes of s without its end. */
static size_t
put(char *p, const char *s)
{
	size_t n = 0;

	for (; s[n] != '\0'; n++)
		p[n] = s[n];
	return n;
}

static size_t
make_text(char *p, size_t room)
{
	static const char *const bits[] = {"a", "b", "ab", "foo", "bar", "Foo", " ", "  ",
	    "\n", "\n", "\n\n", "\r\n", "\r", "\t", "_", "1", "-", "\xc3\xa9", "\xc3\x89",
	    "\xe2\x84\xaa", "k", "K", "\xff", "\xe6\x97\xa5", "\xed\xa0\x80", "x",
	    "Handler", ";", "\xc5\xbf", "s", "\xf0\x9f\x98\x80", "\xe2\x80\xa8",
	    "\xcf\x82", "q"};
	size_t n = 0, want = 1 + chance((uint32_t)room - 16);
	uint32_t kinds = 4 + chance(sizeof(bits) / sizeof(*bits) - 4),
	         lines = 1 + chance(40);

	while (n < want) {
		const char *b = chance(lines) == 0 ? "\n" : bits[chance(kinds)];

		if (chance(50) == 0)
			b = bits[chance(sizeof(bits) / sizeof(*bits))];
		n += put(p + n, b);
	}
	return n;
}

static size_t
make_pattern(char *p, unsigned depth)
{
	static const char *const atoms[] = {"a", "b", "f", "o", "foo", "bar", ".", "\\w",
	    "\\d", "\\s", "\\W", "\\D", "\\S", "[ab]", "[^a]", "[a-f]", "\xc3\xa9", "k",
	    "s", "x", "\\b", "\\B", "^", "$", "Handler", "[^\\w]", "(?i:k)", "(?i)",
	    "\\.", "\xe6\x97\xa5", "[\xc3\xa0-\xc3\xbf]", "\\r", "_", "(?-i:F)"};
	size_t n = 0;
	unsigned pieces = 1 + chance(5);

	for (unsigned i = 0; i < pieces; i++) {
		uint32_t kind = chance(12);

		if (kind == 0 && depth < 4) {
			p[n++] = '(';
			n += make_pattern(p + n, depth + 1);
			p[n++] = ')';
		} else if (kind == 1 && depth < 4) {
			n += make_pattern(p + n, depth + 1);
			p[n++] = '|';
			n += make_pattern(p + n, depth + 1);
		} else {
			const char *a = atoms[chance(sizeof(atoms) / sizeof(*atoms))];

			n += put(p + n, a);
		}
		if (chance(4) == 0)
			p[n++] = "*+?"[chance(3)];
	}
	return n;
}

static void
round_of(unsigned patterns, size_t room, const char *what)
{
	char *text = malloc(room), pattern[4096];
	unsigned tried = 0, differ = 0;

	for (unsigned i = 0; text != NULL && i < patterns; i++) {
		unsigned flags = chance(4) == 0 ? RX_NOCASE : 0;
		struct rx_error err;
		size_t n = make_pattern(pattern, 0);
		struct rx *rx;
		struct rx_scan *s;

		flags |= chance(2) == 0 ? RX_CRLF : 0;
		if ((rx = compiled(pattern, n, flags, &err)) == NULL)
			continue;
		s = rx_scan_new(rx);
		for (unsigned k = 0; k < 3; k++) {
			size_t len = make_text(text, room);

			tried++;
			if (!agrees(s, text, len, (flags & RX_CRLF) != 0,
			        chance(3) == 0 ? 1 + chance(5) : SIZE_MAX)) {
				differ++;
				printf("# pattern %.*s flags %u text %zu bytes\n", (int)n,
				    pattern, flags, len);
			}
		}
		rx_scan_free(s);
		rx_free(rx);
	}
	free(text);
	ok(tried > patterns && differ == 0, "%s: scanner and simulation agree, %u texts",
	    what, tried);
}

TEST(scanner_against_simulation)
{
	round_of(3000, 60, "short texts");
	round_of(600, 1500, "texts of a page");
	round_of(300, 12000, "texts in four pieces");
	for (int level = 0; level < 2; level++) {
		bytes_limit(level);
		round_of(600, 3000,
		    level == 0 ? "scalar kernels" : "the smaller vectors");
	}
	bytes_limit(9);
}

TEST(lists_of_words)
{
	static const char *const words_in[] = {"alpha", "beta", "gamma", "delta",
	    "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
	    "xi", "omikron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
	    "omega", "Alpha2", "x1y2"};
	struct rx_text list[26];
	char text[20000];
	unsigned differ = 0;

	for (unsigned round = 0; round < 400; round++) {
		unsigned n = 2 + chance(25), flags = chance(3) == 0 ? RX_NOCASE : 0;
		struct rx_error err;
		struct rx *rx;
		struct rx_scan *s;
		size_t len = 0;

		bytes_limit((int)chance(3));
		for (unsigned i = 0; i < n; i++) {
			const char *w = words_in[chance(26)];

			list[i] = (struct rx_text){w, strlen(w)};
		}
		while (len < 200 + chance(15000)) {
			const char *w = words_in[chance(26)];
			size_t part = 1 + chance((uint32_t)strlen(w));

			memcpy(text + len, w, part);
			len += part;
			text[len++] = " \n_K"[chance(4)];
		}
		if (rx_compile(list, n, flags, &rx, &err) != 0)
			continue;
		s = rx_scan_new(rx);
		differ += !agrees(s, text, len, false, SIZE_MAX);
		rx_scan_free(s);
		rx_free(rx);
	}
	bytes_limit(9);
	ok_int(differ, 0, "400 lists");
}

TEST(line_ends)
{
	struct rx_error err;
	struct rx *rx = compiled("^$", 2, RX_CRLF, &err);
	struct rx_scan *s = rx_scan_new(rx);
	const struct rx_hit *h;
	size_t n;

	ok(rx_lines(s, "\n", 1, 9, &h, &n) == 0 && n == 1, "one empty line");
	ok(rx_lines(s, "a\n", 2, 9, &h, &n) == 0 && n == 0, "no line after the last LF");
	ok(rx_lines(s, "\r\n", 2, 9, &h, &n) == 0 && n == 1, "CRLF alone");
	ok(rx_lines(s, "\r", 1, 9, &h, &n) == 0 && n == 0, "a lone CR is a character");
	ok(rx_lines(s, "\r\r\n", 3, 9, &h, &n) == 0 && n == 0,
	    "one CR belongs to the end");
	ok(rx_lines(s, "", 0, 9, &h, &n) == 0 && n == 0, "nothing");
	rx_scan_free(s);
	rx_free(rx);
	rx = compiled(";$", 2, RX_CRLF, &err);
	s = rx_scan_new(rx);
	ok(rx_lines(s, "x;\r\ny;\r\nz;", 10, 9, &h, &n) == 0 && n == 3, "; before CRLF");
	ok(n == 3 && h[0].begin == 0 && h[0].end == 2 && h[1].begin == 4 &&
	        h[2].end == 10,
	    "the line is without its end");
	ok(rx_lines(s, "x;\r", 3, 9, &h, &n) == 0 && n == 0,
	    "at the end of the text too");
	rx_scan_free(s);
	rx_free(rx);
}

TEST(bytes)
{
	static char p[700];
	unsigned differ = 0;

	for (unsigned round = 0; round < 2000; round++) {
		size_t at = chance(100), n = chance(600), first, last = 0, count = 0;

		for (size_t i = 0; i < sizeof(p); i++)
			p[i] = (char)(chance(200) == 0 ? 'x'
			        : chance(150) == 0     ? 0x90
			                               : 'a');
		first = n;
		for (size_t i = 0; i < n; i++)
			if (p[at + i] == 'x') {
				first = first == n ? i : first;
				last = i + 1;
				count++;
			}
		bytes_limit((int)(round % 3));
		differ += bytes_find(p + at, n, 'x') != first;
		differ += bytes_past_last(p + at, n, 'x') != last;
		differ += bytes_count(p + at, n, 'x') != count;
		char *high = memchr(p + at, 0x90, n);
		bool seen = false;

		differ += bytes_ascii(p + at, n) !=
		    (high != NULL ? (size_t)(high - p) - at : n);
		if (first < n)
			p[at + first] = '\0';
		differ += bytes_text(p + at, n, &seen) != first;
		differ += seen != (high != NULL && (size_t)(high - p) - at < first);
	}
	for (size_t n = 0; n <= 300; n++) {
		char to[302];

		memset(to, 'y', sizeof(to));
		for (size_t i = 0; i < n; i++)
			p[i] = (char)(i * 7 + n);
		bytes_copy(to + 1, p, n);
		differ += memcmp(to + 1, p, n) != 0 || to[0] != 'y' || to[n + 1] != 'y';
	}
	bytes_limit(9);
	ok_int(differ, 0, "every kernel finds and counts the same");
	memset(p, 'x', sizeof(p));
	ok_int(bytes_count(p, sizeof(p), 'x'), sizeof(p), "a count above 255");
}

TAP_MAIN

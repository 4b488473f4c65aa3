/* The glob dialect (tools-files 2, LIST-3). */
#include "libcommon/glob.h"

#include "tests/tap.h"

static bool
keeps(const char *pattern, const char *path)
{
	struct glob g;
	const char *slash = strrchr(path, '/');
	bool yes;

	if (glob_compile(pattern, strlen(pattern), &g) != 0)
		return false;
	yes = glob_keeps(&g, slash != NULL ? slash + 1 : path, path, path);
	glob_release(&g);
	return yes;
}

TEST(table)
{
	static const struct {
		const char *pattern, *path;
		bool want;
	} rows[] = {
	    {"*.c", "a.c", true},
	    {"*.c", "src/deep/a.c", true},
	    {"*.c", "a.h", false},
	    {"?.c", "a.c", true},
	    {"?.c", "ab.c", false},
	    {"?.c", "\xc3\xa9.c", true},
	    {"src/*.c", "src/a.c", true},
	    {"src/*.c", "src/x/a.c", false},
	    {"src/**", "src/x/a.c", true},
	    {"**/*.c", "a.c", true},
	    {"**/*.c", "x/y/a.c", true},
	    {"src/**/a.c", "src/a.c", true},
	    {"src/**/a.c", "src/x/y/a.c", true},
	    {"src/**/a.c", "lib/a.c", false},
	    {"a**b/c", "axxb/c", true},
	    {"a**b/c", "ax/xb/c", false},
	    {"**", "x/y", true},
	    {"*.{c,h}", "a.h", true},
	    {"*.{c,h}", "a.o", false},
	    {"{a,b{c,d}}.x", "bd.x", true},
	    {"{a,b{c,d}}.x", "b.x", false},
	    {"a{,b}.c", "a.c", true},
	    {"a{,b}.c", "ab.c", true},
	    {"{a", "{a", true},
	    {"{a", "a", false},
	    {"a}", "a}", true},
	    {"[a]", "a", false},
	    {"[a]", "[a]", true},
	    {"a.C", "a.c", false},
	    {"*", ".hidden", true},
	    {"*/x", "a/x", true},
	    {"*/x", "a/b/x", false},
	    {"**/x/**/y", "a/x/b/c/y", true},
	    {"**/x/**/y", "x/y", true},
	    {"x/*/*/y", "x/a/b/y", true},
	    {"*a*b*", "xaybz", true},
	    {"*a*b*", "xbya", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok(keeps(rows[i].pattern, rows[i].path) == rows[i].want, "%s on %s: %d",
		    rows[i].pattern, rows[i].path, rows[i].want);
}

TEST(one_alternative_against_one_path)
{
	static const struct {
		const char *pattern, *path;
		bool want;
	} rows[] = {{"", "", true}, {"", "a", false}, {"a", "", false}, {"*", "", true},
	    {"*", "a/b", false}, {"?", "/", false}, {"a?b", "a/b", false},
	    {"**", "", true}, {"**", "a", true}, {"***", "ab", true},
	    {"***", "a/b", false}, {"**a", "xa", true}, {"**a", "x/a", false},
	    {"a**", "a/b", false}, {"a**", "abc", true}, {"a/**", "a/b", true},
	    {"a/**", "a/b/c", true}, {"a/**", "a", false}, {"a/**", "ab/c", false},
	    {"**/a/**", "a/b", true}, {"**/a/**", "x/a/b", true}, {"**/a/**", "a", false},
	    {"**/**/a", "a", true}, {"**/**", "a/b", true}, {"**/*/a", "a", false},
	    {"**/*/a", "x/a", true}, {"a/*", "a/", true}, {"*/", "a/", true},
	    {"a/*/b", "a//b", true}, {"/**", "/a/b", true}, {"**/b/c", "b/b/c", true},
	    {"**/a*b/c", "ab/x/axb/c", true}, {"a/**/b/**/c", "a/b/b/c", true},
	    {"a/**/b/**/c", "a/c", false}, {"**/a/**/b", "a/x/a/b", true},
	    {"{a,b}", "a", false}, {"{a,b}", "{a,b}", true},
	    /* one character each, a bad byte counting as one */
	    {"??", "\xc3\xa9", false}, {"?", "\xe2\x82\xac", true},
	    {"*??", "\xe2\x82\xac", false}, {"*?", "\xe2\x82\xac", true},
	    {"?", "\xff", true}, {"??", "\xe2\x82", true}, {"?", "\xc3\xa9\xa9", false},
	    {"??", "\xc3\xa9\xa9", true}, {"*\xac", "\xe2\x82\xac", false},
	    {"*\xc3\xa9", "x\xc3\xa9", true}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok(glob_match_one(rows[i].pattern, rows[i].path) == rows[i].want,
		    "%s on %s: %d", rows[i].pattern, rows[i].path, rows[i].want);
}

TEST(expansions)
{
	static const struct {
		const char *pattern;
		size_t n;
		bool literal, slash;
		const char *all; /* joined by blanks */
	} rows[] = {{"a", 1, false, false, "a"}, {"{a,b}", 2, false, false, "a b"},
	    {"x{a,b}y", 2, false, false, "xay xby"}, {"{a}", 1, false, false, "a"},
	    {"{}", 1, false, false, ""}, {"{,}", 2, false, false, " "},
	    {"{a,{b,c}}", 3, false, false, "a b c"},
	    {"{a,b}{c,d}", 4, false, false, "ac ad bc bd"},
	    {"{a,b/c}", 2, false, true, "a b/c"}, {"a,b", 1, false, false, "a,b"},
	    {"{a,b", 1, true, false, "{a,b"}, {"a}", 1, true, false, "a}"},
	    {"}{", 1, true, false, "}{"}, {"{a}{", 1, true, false, "{a}{"},
	    {"{/", 1, true, true, "{/"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char all[64] = "";
		struct glob g;

		ok(glob_compile(rows[i].pattern, strlen(rows[i].pattern), &g) == 0, "%s",
		    rows[i].pattern);
		for (size_t k = 0; k < g.n; k++)
			(void)snprintf(all + strlen(all), sizeof(all) - strlen(all),
			    "%s%s", k > 0 ? " " : "", g.alt[k]);
		ok_str(all, rows[i].all, "its alternatives");
		ok(g.n == rows[i].n && g.literal == rows[i].literal &&
		        g.has_slash == rows[i].slash,
		    "their number and kind");
		glob_release(&g);
	}
}

TEST(both_readings_of_a_pattern_with_a_slash)
{
	struct glob g;

	ok_int(glob_compile("x/*.c", 5, &g), 0, "compiled");
	ok(glob_keeps(&g, "a.c", "src/x/a.c", "x/a.c"), "from the directory");
	ok(glob_keeps(&g, "a.c", "x/a.c", "a.c"), "from the root");
	ok(!glob_keeps(&g, "a.c", "src/y/a.c", "y/a.c"), "neither");
	glob_release(&g);
}

TEST(braces_are_bounded)
{
	static char big[GLOB_MAX + 1];
	struct glob g;

	ok_int(glob_compile("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 30, &g), 0, "64 results");
	ok(g.n == 64 && !g.literal, "are expanded");
	glob_release(&g);
	ok_int(glob_compile("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 35, &g), 0,
	    "128 results");
	ok(g.n == 1 && g.literal, "are taken literally");
	ok(glob_keeps(&g, "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "", ""),
	    "and match themselves");
	glob_release(&g);
	ok_int(glob_compile("", 0, &g), 0, "an empty pattern");
	ok(g.n == 0 && !glob_keeps(&g, "", "", "") && !glob_keeps(&g, "a", "a", "a"),
	    "matches nothing");
	glob_release(&g);
	ok_int(glob_compile("a\0b", 3, &g), E_TOO_LONG, "a NUL is refused");
	memset(big, 'a', sizeof(big));
	ok_int(glob_compile(big, GLOB_MAX, &g), 0, "4,096 bytes");
	glob_release(&g);
	ok_int(glob_compile(big, GLOB_MAX + 1, &g), E_TOO_LONG, "4,097");
	ok(g.n == 0 && g.alt == NULL, "give nothing");
	memset(big, '{', GLOB_MAX / 2);
	memset(big + GLOB_MAX / 2, '}', GLOB_MAX / 2);
	ok_int(glob_compile(big, GLOB_MAX, &g), 0, "2,048 deep");
	ok(g.n == 1 && g.alt[0][0] == '\0', "is the empty alternative");
	glob_release(&g);
	for (size_t i = 0; i < GLOB_MAX; i++)
		big[i] = "{,}"[i % 3];
	ok_int(glob_compile(big, GLOB_MAX / 3 * 3, &g), 0, "2 to the 1,365th");
	ok(g.n == 1 && g.literal, "is taken literally");
	glob_release(&g);
}

TEST(no_pattern_is_slow)
{
	static char path[8192];

	memset(path, 'a', sizeof(path) - 1);
	for (size_t i = 100; i < sizeof(path) - 1; i += 100)
		path[i] = '/';
	/* Exponential matchers never come back from these. */
	ok(!glob_match_one("**/*a*a*a*a*a*a*a*a*b", path), "stars");
	ok(!glob_match_one("**/**/**/**/**/**/**/**/b", path), "deep stars");
	ok(!glob_match_one("**/a*/**/a*/**/a*/**/a*/**/b", path), "both");
	ok(glob_match_one("**/*a*a*a*a*a*a*a*a*", path), "and one that matches");
	memset(path, 'a', sizeof(path) - 1);
	ok(!glob_match_one("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", path), "in one segment");
}

TAP_MAIN

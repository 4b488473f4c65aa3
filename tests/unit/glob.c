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
		{"*.c", "a.c", true}, {"*.c", "src/deep/a.c", true}, {"*.c", "a.h", false},
		{"?.c", "a.c", true}, {"?.c", "ab.c", false}, {"?.c", "\xc3\xa9.c", true},
		{"src/*.c", "src/a.c", true}, {"src/*.c", "src/x/a.c", false}, {"src/**", "src/x/a.c", true},
		{"**/*.c", "a.c", true}, {"**/*.c", "x/y/a.c", true}, {"src/**/a.c", "src/a.c", true},
		{"src/**/a.c", "src/x/y/a.c", true}, {"src/**/a.c", "lib/a.c", false},
		{"a**b/c", "axxb/c", true}, {"a**b/c", "ax/xb/c", false}, {"**", "x/y", true},
		{"*.{c,h}", "a.h", true}, {"*.{c,h}", "a.o", false}, {"{a,b{c,d}}.x", "bd.x", true},
		{"{a,b{c,d}}.x", "b.x", false}, {"a{,b}.c", "a.c", true}, {"a{,b}.c", "ab.c", true},
		{"{a", "{a", true}, {"{a", "a", false}, {"a}", "a}", true}, {"[a]", "a", false},
		{"[a]", "[a]", true}, {"a.C", "a.c", false}, {"*", ".hidden", true}, {"*/x", "a/x", true},
		{"*/x", "a/b/x", false}, {"**/x/**/y", "a/x/b/c/y", true}, {"**/x/**/y", "x/y", true},
		{"x/*/*/y", "x/a/b/y", true}, {"*a*b*", "xaybz", true}, {"*a*b*", "xbya", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok(keeps(rows[i].pattern, rows[i].path) == rows[i].want, "%s on %s: %d", rows[i].pattern,
		    rows[i].path, rows[i].want);
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
	struct glob g;

	ok_int(glob_compile("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 30, &g), 0, "64 results");
	ok(g.n == 64 && !g.literal, "are expanded");
	glob_release(&g);
	ok_int(glob_compile("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 35, &g), 0, "128 results");
	ok(g.n == 1 && g.literal, "are taken literally");
	ok(glob_keeps(&g, "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "", ""), "and match themselves");
	glob_release(&g);
	ok_int(glob_compile("", 0, &g), 0, "an empty pattern");
	ok(g.n == 0 && !glob_keeps(&g, "", "", "") && !glob_keeps(&g, "a", "a", "a"), "matches nothing");
	glob_release(&g);
	ok_int(glob_compile("a\0b", 3, &g), E_TOO_LONG, "a NUL is refused");
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
}

TAP_MAIN

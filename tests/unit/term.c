/* What a terminal is taken to be able to do, from its environment; and the numbers our
 * own words use. */
#include "tests/tap.h"

#include <fcntl.h>
#include <limits.h>

#include "bin/bb/ui/ui.h"

static struct look
look(const char *lang, const char *term, enum colour_choice choice)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct look l;

	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	if (lang != NULL)
		setenv("LANG", lang, 1);
	else
		unsetenv("LANG");
	if (term != NULL)
		setenv("TERM", term, 1);
	else
		unsetenv("TERM");
	look_of(fd, choice, &l);
	close(fd);
	return l;
}

TEST(size)
{
	unsetenv("COLUMNS");
	unsetenv("LINES");
	ok_int(look("C", "xterm", COLOUR_AUTO).width, 80, "80 columns by default");
	ok_int(look("C", "xterm", COLOUR_AUTO).height, 24, "24 rows by default");
	setenv("COLUMNS", "133", 1);
	setenv("LINES", "50", 1);
	ok_int(look("C", "xterm", COLOUR_AUTO).width, 133, "COLUMNS");
	ok_int(look("C", "xterm", COLOUR_AUTO).height, 50, "LINES");
	setenv("COLUMNS", "12x", 1);
	setenv("LINES", "-3", 1);
	ok_int(look("C", "xterm", COLOUR_AUTO).width, 80, "a COLUMNS that is no number");
	ok_int(look("C", "xterm", COLOUR_AUTO).height, 24, "a LINES that is none");
	unsetenv("COLUMNS");
	unsetenv("LINES");
}

TEST(signs)
{
	ok(look("en_US.UTF-8", "xterm", COLOUR_AUTO).utf8, "a UTF-8 locale");
	ok(look("C.utf8", "xterm", COLOUR_AUTO).utf8, "written as glibc does");
	ok(!look("C", "xterm", COLOUR_AUTO).utf8, "another locale");
	ok(!look(NULL, "xterm", COLOUR_AUTO).utf8, "no locale");
	ok(!look("C.UTF-8", "dumb", COLOUR_AUTO).utf8, "a dumb terminal");
	ok(!look("C.UTF-8", NULL, COLOUR_AUTO).utf8, "no terminal named");
	ok(look("C", "dumb", COLOUR_AUTO).dumb, "dumb is dumb");
	ok(look("C", "", COLOUR_AUTO).dumb, "so is an empty TERM");
	ok(!look("C", "vt100", COLOUR_AUTO).dumb, "vt100 is not");
	look("C.UTF-8", "xterm", COLOUR_AUTO);
	setenv("LC_ALL", "C", 1);
	{
		struct look l;

		look_of(0, COLOUR_AUTO, &l);
		ok(!l.utf8, "LC_ALL decides before LANG");
	}
	unsetenv("LC_ALL");
}

TEST(colour)
{
	unsetenv("NO_COLOR");
	unsetenv("CLICOLOR_FORCE");
	ok(!look("C", "xterm", COLOUR_AUTO).colour, "no terminal, no colour");
	ok(look("C", "xterm", COLOUR_ALWAYS).colour, "always");
	setenv("CLICOLOR_FORCE", "1", 1);
	ok(look("C", "xterm", COLOUR_AUTO).colour, "forced by the environment");
	ok(!look("C", "xterm", COLOUR_NEVER).colour, "never is stronger");
	setenv("NO_COLOR", "1", 1);
	ok(look("C", "xterm", COLOUR_AUTO).colour, "CLICOLOR_FORCE overrides NO_COLOR");
	setenv("CLICOLOR_FORCE", "0", 1);
	ok(!look("C", "xterm", COLOUR_AUTO).colour, "0 forces nothing");
	ok(look("C", "xterm", COLOUR_ALWAYS).colour, "always overrides NO_COLOR");
	unsetenv("NO_COLOR");
	unsetenv("CLICOLOR_FORCE");
}

TEST(at_a_terminal)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;
	struct look l;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    (slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
		skip("no pseudo-terminal here");
		return;
	}
	setenv("TERM", "xterm", 1);
	look_of(slave, COLOUR_AUTO, &l);
	ok(l.colour, "colour at a terminal");
	setenv("NO_COLOR", "1", 1);
	look_of(slave, COLOUR_AUTO, &l);
	ok(!l.colour, "NO_COLOR");
	setenv("NO_COLOR", "", 1);
	look_of(slave, COLOUR_AUTO, &l);
	ok(l.colour, "an empty NO_COLOR says nothing");
	setenv("TERM", "dumb", 1);
	look_of(slave, COLOUR_AUTO, &l);
	ok(!l.colour, "a dumb terminal has no colour");
	unsetenv("NO_COLOR");
	close(slave);
	close(master);
}

TEST(plain)
{
	struct look l = look_plain();

	ok(l.width == 80 && l.height == UINT_MAX && l.utf8 && !l.colour,
	    "what is drawn for the protocol");
}

static void
says(struct buf *b, const char *want)
{
	ok_str(buf_cstr(b), want, want);
	buf_clear(b);
}

TEST(words)
{
	auto_buf struct buf b = BUF_INIT;
	static const struct {
		int64_t s;
		const char *want;
	} ages[] = {{-5, "0 s ago"}, {1, "1 s ago"}, {59, "59 s ago"},
	    {60, "1 minute ago"}, {185, "3 minutes ago"}, {3600, "1 hour ago"},
	    {86399, "23 hours ago"}, {86400, "1 day ago"},
	    {2 * 86400 + 3600, "2 days ago"}, {59 * 86400, "59 days ago"},
	    {90 * 86400, "3 months ago"}, {800 * 86400LL, "2 years ago"}};

	words_count(0, &b);
	says(&b, "0");
	words_count(999, &b);
	says(&b, "999");
	words_count(1284, &b);
	says(&b, "1,284");
	words_count(UINT64_MAX, &b);
	says(&b, "18,446,744,073,709,551,615");
	words_many(1, "line", &b);
	says(&b, "1 line");
	words_many(0, "byte", &b);
	says(&b, "0 bytes");
	words_many(31000, "line", &b);
	says(&b, "31,000 lines");
	for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++) {
		words_age(ages[i].s, &b);
		says(&b, ages[i].want);
	}
}

TAP_MAIN

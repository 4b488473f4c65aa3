/* What a terminal can do, from its descriptor and the environment of the person. Asks
 * the terminal itself nothing: an answer would arrive as typed keys. */
#include "bin/bb/ui/ui.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *
env(const char *name)
{
	const char *v = getenv(name);

	return v != NULL ? v : "";
}

static unsigned
env_number(const char *name, unsigned otherwise)
{
	const char *v = env(name);
	char *end;
	unsigned long n;

	if (*v < '0' || *v > '9')
		return otherwise;
	n = strtoul(v, &end, 10);
	return *end == '\0' && n > 0 && n <= 10000 ? (unsigned)n : otherwise;
}

static bool
locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *v = env(names[i]);

		if (*v != '\0')
			return strcasestr(v, "utf-8") != NULL ||
			    strcasestr(v, "utf8") != NULL;
	}
	return false;
}

static bool
wants_colour(int fd, enum colour_choice choice, bool dumb)
{
	const char *force = env("CLICOLOR_FORCE");

	if (choice != COLOUR_AUTO)
		return choice == COLOUR_ALWAYS;
	if (*force != '\0' && strcmp(force, "0") != 0)
		return true;
	return *env("NO_COLOR") == '\0' && !dumb && isatty(fd) == 1;
}

void
look_of(int fd, enum colour_choice choice, struct look *out)
{
	const char *term = env("TERM");
	struct winsize ws;

	*out = (struct look){0};
	if (ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 && ws.ws_row > 0) {
		out->width = ws.ws_col;
		out->height = ws.ws_row;
	} else {
		out->width = env_number("COLUMNS", 80);
		out->height = env_number("LINES", 24);
	}
	out->dumb = *term == '\0' || strcmp(term, "dumb") == 0;
	out->utf8 = !out->dumb && locale_is_utf8();
	out->colour = wants_colour(fd, choice, out->dumb);
}

struct look
look_plain(void)
{
	return (struct look){.width = 80, .height = UINT_MAX, .utf8 = true};
}

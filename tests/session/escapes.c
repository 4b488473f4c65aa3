/* Escapes in names and in files never reach a terminal as they are; a pipe gets the bytes
 * of a page, and of a message never more than one line. */
#include "tests/session/pty.h"

#include <limits.h>
#include <sys/stat.h>

#include "libcommon/json.h"
#include "libcommon/utf8.h"

#define ESC_NAME "n\033[31m\302\233m\342\200\256x\177\nq"

static char bin[PATH_MAX], dir[] = "/tmp/bbesc.XXXXXX";

static void
run(void *arg)
{
	alarm(20);
	execl("/bin/sh", "sh", "-c", (const char *)arg, (char *)NULL);
	_exit(127);
}

/* Nothing that steers but ends of rows and TABs. */
static bool
calm(const char *p, size_t n, bool terminal)
{
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		int len = utf8_next((const unsigned char *)p + i, n - i, &cp);

		if (len == 0)
			return false;
		if (utf8_steers(cp) && cp != '\n' && cp != '\t' &&
		    !(terminal && cp == '\r' && i + 1 < n && p[i + 1] == '\n'))
			return false;
		i += (size_t)len;
	}
	return n > 0;
}

static struct pty pt;

static void
shown(const char *line, const char *holds)
{
	pty_start(&pt, "xterm", 80, 24, run, (void *)(uintptr_t)line);
	(void)pty_end(&pt);
	ok(calm(pt.seen, pt.nseen, true) && strstr(pt.seen, holds) != NULL,
	    "on a terminal: %s", line);
	if (!calm(pt.seen, pt.nseen, true) || strstr(pt.seen, holds) == NULL)
		for (size_t i = 0; i < pt.nseen; i++)
			printf(i == 0                            ? "# %c"
			        : pt.seen[i] == '\n'             ? "\n# "
			        : (unsigned char)pt.seen[i] < 32 ? "?"
			                                         : "%c",
			    pt.seen[i]);
	printf("\n");
}

static size_t
piped(const char *line, char *out, size_t room)
{
	FILE *p = popen(line, "r");
	size_t n = p != NULL ? fread(out, 1, room - 1, p) : 0;

	out[n] = '\0';
	if (p != NULL)
		(void)pclose(p);
	return n;
}

static const char *const errors[] = {
    "bb -C \"$M\" call list_files",
    "bb --add-dir \"$M\" call list_files",
    "bb --tools \"$M\" call list_files",
    "bb --approver \"exec:$M\" call list_files",
    "bb --approver \"unix:/$M\" call list_files",
    "bb \"$M\"",
    "bb \"--$M\"",
    "bb log \"$M\"",
    "bb log --since \"$M\"",
    "bb approve \"$M\"",
    "bb status \"$M\"",
    "bb sessions prune --older \"$M\"",
    "bb call read_file \"$M\"",
    "bb power \"$M\"",
    "bb power read_file path=\"$M\"",
    "bb-read \"$M\"",
    "bb-read \"--$M\"",
    "bb-read a \"$M\"",
    "bb-list \"$M\"",
    "frame call \"$M\"",
    "frame call read_file \"$M=1\"",
    "frame call read_file offset=\"$M\"",
};

TEST(setting_up)
{
	ssize_t n = readlink("/proc/self/exe", bin, sizeof bin - 1);
	char path[2 * PATH_MAX];
	FILE *f;

	bin[n < 0 ? 0 : n] = '\0';
	for (int up = 0; up < 3; up++) /* tests/session/escapes.t */
		*strrchr(bin, '/') = '\0';
	(void)strcat(bin, "/bin");
	snprintf(path, sizeof path, "%s:%s", bin, getenv("PATH"));
	setenv("PATH", path, 1);
	setenv("N", ESC_NAME, 1);
	setenv("M", "m" ESC_NAME, 1); /* is not there */
	ok(mkdtemp(dir) != NULL && chdir(dir) == 0, "a directory");
	setenv("XDG_STATE_HOME", dir, 1);
	unsetenv("XDG_RUNTIME_DIR");
	ok(mkdir("ws", 0700) == 0 && mkdir("ws/" ESC_NAME, 0700) == 0 && chdir("ws") == 0,
	    "with a workspace");
	f = fopen("esc.txt", "w");
	ok(f != NULL &&
	        fputs("a\033[31mb\302\233m\342\200\256c\td\nlast\rx\177\n", f) >= 0 &&
	        fclose(f) == 0,
	    "and a file");
	ok(mkdir("\033[2Jplace", 0700) == 0, "and another");
	f = fopen("\033[2Jplace/a\302\205b\342\200\250c", "w");
	ok(f != NULL && fclose(f) == 0, "that holds an odd name");
}

TEST(pages_on_a_terminal)
{
	char raw[1024], file[1024];
	size_t n, m;

	shown("bb call read_file path=esc.txt --trust",
	    "a<U+001B>[31mb<U+009B>m<U+202E>c");
	shown("bb-read esc.txt", "last<U+000D>x<U+007F>");
	shown("bb-list .", "esc.txt");
	shown("bb-list \"$(printf '\\033[2Jplace')\"", "a?b?c");
	shown("bb-search last", "last?x?");
	shown("bb call search pattern=last --trust", "esc.txt");
	shown("bb call list_files depth=2 --trust", "esc.txt");
	shown("bb -C \"$N\" call list_files --trust", "");
	shown("cd \"$(printf '\\033[2Jplace')\" && bb call list_files --trust",
	    "cannot be printed");
	shown("bb call list_files directory=\"$N\" --trust", "");
	shown("bb call read_file path=\"$N\" --trust", "");
	shown("bb power list_files directory=\"$N\" --trust", "");
	shown("bb power list_files directory=\"$N\" --by-hand --trust", "$(printf '");
	shown("bb -C \"$N\" power list_files --by-hand --trust", "$(printf '");
	n = piped("bb-read esc.txt", raw, sizeof raw);
	m = piped("cat esc.txt", file, sizeof file);
	ok(n == m && memcmp(raw, file, n) == 0, "bb-read is cat in a pipe");
}

TEST(messages)
{
	size_t visible = 0;

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		char line[256], out[8192];
		size_t n, rows = 0;

		shown(errors[i], "");
		visible += strstr(pt.seen,
		               "<U+001B>[31m<U+009B>m<U+202E>x<U+007F><U+000A>q") != NULL;
		snprintf(line, sizeof line, "%s 2>&1 </dev/null", errors[i]);
		n = piped(line, out, sizeof out);
		for (size_t k = 0; k < n; k++)
			rows += out[k] == '\n';
		ok(calm(out, n, false) && strstr(out, "\nq") == NULL,
		    "in a pipe: %s (%zu rows)", errors[i], rows);
	}
	ok(visible >= 12, "%zu of them say the name", visible);
}

TEST(json)
{
	static const char *const lines[] = {
	    "bb call read_file path=esc.txt --trust --json",
	    "bb call list_files directory=\"$N\" --trust --json",
	    "bb power list_files directory=\"$N\" --trust --json",
	    "bb -C \"$N\" status --json",
	    "bb -C \"$N\" call list_files --trust --json",
	    "bb sessions --json",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char out[65536];
		size_t n = piped(lines[i], out, sizeof out);
		const char *nl = memchr(out, '\n', n);
		auto_json json_t *v = NULL;

		ok(calm(out, n, false) && nl != NULL &&
		        json_parse(out, (size_t)(nl - out), &v, NULL) == 0,
		    "%s", lines[i]);
		if (i == 0)
			ok(strstr(out, "\\u001B[31mb\\u009Bm\\u202Ec") != NULL &&
			        strstr(out, "x\\u007F") != NULL,
			    "the text is the same value");
	}
}

/* The line of --by-hand, pasted. */
TEST(by_hand)
{
	char out[8192];

	(void)piped("cp esc.txt \"$N/$N\"; eval \"$(bb power read_file path=\"$N/$N\" "
	            "--by-hand --trust)\"",
	    out, sizeof out);
	ok(strstr(out, "a\033[31mb") != NULL, "a file is read");
	(void)piped("eval \"$(bb power list_files directory=\"$N\" --by-hand --trust)\"",
	    out, sizeof out);
	ok(strstr(out, "n\033[31m") != NULL, "a directory is listed");
}

TEST(cleaning_up)
{
	ok(chdir("/") == 0, "out");
	char line[64];

	snprintf(line, sizeof line, "rm -rf %s", dir);
	ok_int(system(line), 0, "removed");
}

TAP_MAIN

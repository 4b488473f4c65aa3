/* The line of `bb power --by-hand`: its text, and what it prints when pasted into
 * a POSIX shell, with names that a shell would like to read otherwise. */
#include "bin/bb/spawn/spawn.h"

#include <limits.h>

#include "tests/tap.h"

static char bin[PATH_MAX], dir[] = "/tmp/bbhand.XXXXXX";

/* What `sh -c line` prints. */
static void
shell(const char *line, struct buf *out)
{
	char piece[4096];
	FILE *p = popen(line, "r");
	size_t n;

	while (p != NULL && (n = fread(piece, 1, sizeof(piece), p)) > 0)
		buf_append(out, piece, n);
	ok(p != NULL && pclose(p) == 0, "the shell ends well");
	for (size_t i = 0; i < out->len; i++)
		if (out->p[i] == '\0') /* records of a list */
			out->p[i] = '\n';
}

static void
line(const char *tool, const char *file, const char *body, size_t n, struct buf *out)
{
	buf_clear(out);
	ok_int(spawn_by_hand(tool_find(tool), bin, file, body, n, out), 0, "a line");
}

static bool
has(const struct buf *b, const char *what)
{
	return strstr(buf_cstr(b), what) != NULL;
}

TEST(setting_up)
{
	ssize_t n = readlink("/proc/self/exe", bin, sizeof(bin) - 1);

	bin[n < 0 ? 0 : n] = '\0';
	for (int up = 0; up < 3; up++) /* tests/tool/byhand.t */
		*strrchr(bin, '/') = '\0';
	(void)strcat(bin, "/bin");
	ok(mkdtemp(dir) != NULL && chdir(dir) == 0, "a directory");
	ok_int(system("printf 'one\\ntwo\\nthree\\n' >\"it's \\$HOME;\n*\"; mkdir tree "
	              "tree/sub; "
	              "touch tree/a.c tree/sub/12"),
	    0, "with files");
}

TEST(text_of_the_line)
{
	auto_buf struct buf out = BUF_INIT;
	const char *body = "offset 2\nlimit 500\n";

	ok_int(spawn_by_hand(tool_find("read_file"), "/opt/bb", "README.md", body,
	           strlen(body), &out),
	    0, "a line");
	ok_str(buf_cstr(&out),
	    "s=$(mktemp) && /opt/bb/frame call offset=2 limit=500 | "
	    "env -i /opt/bb/bb-read 3<README.md 4>\"$s\" | /opt/bb/frame show; "
	    "cat \"$s\"; rm -f \"$s\"",
	    "plain names stay plain");
	buf_clear(&out);
	body = "pattern 4:*.'c\ndepth 1\nprefix 4:a b/\nmost 2000\n";
	ok_int(spawn_by_hand(tool_find("list_files"), "/opt/b b", ".", body, strlen(body),
	           &out),
	    0, "a line");
	ok_str(buf_cstr(&out),
	    "s=$(mktemp) && '/opt/b b'/frame call pattern='*.'\\''c' depth=1 "
	    "prefix='a b/' most=2000 | env -i '/opt/b b'/bb-list 3<. 4>\"$s\" "
	    "5</dev/null | "
	    "'/opt/b b'/frame show; tr '\\0' '\\n' <\"$s\"; rm -f \"$s\"",
	    "the others are quoted");
	buf_clear(&out);
	body = "pattern 2:12\n";
	ok_int(spawn_by_hand(tool_find("list_files"), "/opt/bb", ".", body, strlen(body),
	           &out),
	    0, "a line");
	ok(has(&out, "printf %b '\\0273\\0001\\0000\\0002"),
	    "text like a number goes as bytes");
}

TEST(pasted)
{
	auto_buf struct buf l = BUF_INIT, out = BUF_INIT;
	char frame[PATH_MAX + 8];
	const char *body = "offset 2\nlimit 500\n";

	(void)snprintf(frame, sizeof(frame), "%s/frame", bin);
	if (access(frame, X_OK) != 0) {
		skip("frame is not built");
		return;
	}
	line("read_file", "it's $HOME;\n*", body, strlen(body), &l);
	shell(buf_cstr(&l), &out);
	ok(has(&out, "two\nthree\n") && !has(&out, "one"), "the page is shown");
	ok(has(&out, "code ok") && has(&out, "first 2") && has(&out, "total 3"),
	    "and the answer before it");
	buf_clear(&out);
	body = "depth 2\nprefix 0:\nmost 2000\n";
	line("list_files", "tree", body, strlen(body), &l);
	shell(buf_cstr(&l), &out);
	ok(has(&out, "a.c") && has(&out, "sub/12") && has(&out, "files 2"),
	    "a directory is listed");
	buf_clear(&out);
	body = "pattern 2:12\ndepth 2\nprefix 0:\nmost 2000\n";
	line("list_files", "tree", body, strlen(body), &l);
	shell(buf_cstr(&l), &out);
	ok(!has(&out, "a.c") && has(&out, "sub/12"),
	    "with a pattern that looks like a number");
}

TEST(end)
{
	char cmd[100];

	(void)snprintf(cmd, sizeof(cmd), "cd / && rm -rf %s", dir);
	ok_int(system(cmd), 0, "cleaned up");
}

TAP_MAIN

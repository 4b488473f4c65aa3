/* Paths: what an argument may be, how keys are spelled, and where bb keeps things. */
#include "libcommon/path.h"

#include <sys/stat.h>

#include "tests/tap.h"

#define S(s) (s), sizeof(s) - 1

TEST(arguments)
{
	static const struct {
		const char *p;
		size_t n;
		bool file;
		enum path_fault want;
	} rows[] = {{S("a/b.c"), true, PATH_FINE}, {S("/etc/passwd"), true, PATH_FINE},
	    {S(""), true, PATH_EMPTY}, {S("  "), true, PATH_EMPTY},
	    {S("\t\n "), false, PATH_EMPTY}, {S(" a "), true, PATH_FINE},
	    {S("a\0b"), true, PATH_NUL}, {S("\0"), true, PATH_NUL},
	    {S("a/../b"), true, PATH_CLIMBS}, {S(".."), true, PATH_CLIMBS},
	    {S("../x"), false, PATH_CLIMBS}, {S("x/.."), false, PATH_CLIMBS},
	    {S("x/../"), false, PATH_CLIMBS}, {S("a..b/..."), true, PATH_FINE},
	    {S("..a"), true, PATH_FINE}, {S("a/"), true, PATH_TRAILING},
	    {S("/"), true, PATH_TRAILING}, {S("a/"), false, PATH_FINE},
	    {S("/"), false, PATH_FINE}, {S("."), false, PATH_FINE},
	    {S("a//b"), true, PATH_FINE}};
	char longest[PATH_ARG_MAX + 2], part[600];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok(path_check(rows[i].p, rows[i].n, rows[i].file) == rows[i].want,
		    "row %zu is judged %d", i, rows[i].want);
	memset(part, 'x', sizeof(part));
	ok_int(path_check(part, 255, true), PATH_FINE, "255 bytes in a component");
	ok_int(path_check(part, 256, true), PATH_LONG, "256");
	part[255] = '/';
	ok_int(path_check(part, 511, true), PATH_FINE, "255 twice");
	ok_int(path_check(part, 512, true), PATH_LONG, "255 and 256");
	for (size_t i = 0; i < sizeof(longest); i++)
		longest[i] = i % 2 != 0 ? '/' : 'a';
	ok_int(path_check(longest, PATH_ARG_MAX, false), PATH_FINE, "4,096 bytes");
	ok_int(path_check(longest, PATH_ARG_MAX + 1, true), PATH_LONG, "4,097");
}

TEST(spelling_of_keys)
{
	static const char *const rows[][2] = {{"./src/", "src"}, {"src//", "src"},
	    {"src/.", "src"}, {"/a//b/./c/", "/a/b/c"}, {".", ""}, {"./.", ""}, {"", ""},
	    {"/", "/"}, {"//", "/"}, {"/.", "/"}, {"a/../b", "a/../b"}, {"..", ".."},
	    {" a ", " a "}, {".a/..b", ".a/..b"}};
	auto_buf struct buf more = BUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_buf struct buf b = BUF_INIT, again = BUF_INIT;

		ok(path_normal(rows[i][0], &b) == 0, "'%s'", rows[i][0]);
		ok_str(buf_cstr(&b), rows[i][1], "is spelled so");
		ok(path_normal(buf_cstr(&b), &again) == 0, "again");
		ok_str(buf_cstr(&again), rows[i][1], "and stays so");
	}
	ok(buf_str(&more, "key ") == 0 && path_normal("a//b", &more) == 0, "appended");
	ok_str(buf_cstr(&more), "key a/b", "what stood before is left alone");
}

TEST(joining)
{
	static const char *const rows[][3] = {{"/a", "b", "/a/b"},
	    {"/a/", "./b/", "/a/b"}, {"/a", "/b", "/b"}, {"", "b", "/b"},
	    {"/", "b", "/b"}, {"a", "", "a"}, {"a", ".", "a"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_buf struct buf b = BUF_INIT;

		ok(path_join(rows[i][0], rows[i][1], &b) == 0, "'%s' and '%s'",
		    rows[i][0], rows[i][1]);
		ok_str(buf_cstr(&b), rows[i][2], "joined");
	}
}

TEST(covering)
{
	static const struct {
		const char *dir, *path, *rest; /* NULL: not covered */
	} rows[] = {{"/a", "/a/b", "/b"}, {"/a", "/a", ""}, {"/a", "/ab", NULL},
	    {"/proj", "/proj-x", NULL}, {"/a/b", "/a", NULL}, {"/", "/x", "/x"},
	    {"/", "x", NULL}, {"", "x/y", "x/y"}, {"", "", ""}, {"", "/x", NULL},
	    {"a", "a/b", "/b"}, {"a", "/a/b", NULL}, {"a", "b", NULL}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *rest = NULL;
		bool yes = path_covers(rows[i].dir, rows[i].path, &rest);

		ok(yes == (rows[i].rest != NULL), "'%s' and '%s'", rows[i].dir,
		    rows[i].path);
		if (yes && rows[i].rest != NULL)
			ok_str(rest, rows[i].rest, "what follows");
		ok(path_covers(rows[i].dir, rows[i].path, NULL) == yes,
		    "without asking for it");
	}
	ok_str(path_base("/a/b"), "b", "the last component");
	ok_str(path_base("b"), "b", "alone");
	ok_str(path_base("/"), "/", "of the root");
}

TEST(where_state_is)
{
	static const struct {
		const char *home, *xdg, *override, *want; /* NULL: none */
	} rows[] = {{"/h", NULL, NULL, "/h/.local/state/bb"}, {"/h", "/s", NULL, "/s/bb"},
	    {"/h", "relative", NULL, "/h/.local/state/bb"},
	    {"/h", "", "", "/h/.local/state/bb"}, {"/h", "/s", "/mine", "/mine"},
	    {"h", NULL, NULL, NULL}, {NULL, NULL, NULL, NULL},
	    {NULL, "/s", NULL, "/s/bb"}};
	auto_buf struct buf run = BUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_buf struct buf b = BUF_INIT;
		int r;

		unsetenv("HOME");
		unsetenv("XDG_STATE_HOME");
		if (rows[i].home != NULL)
			setenv("HOME", rows[i].home, 1);
		if (rows[i].xdg != NULL)
			setenv("XDG_STATE_HOME", rows[i].xdg, 1);
		r = path_state(rows[i].override, &b);
		ok_int(r, rows[i].want != NULL ? 0 : E_MISSING, "state");
		if (rows[i].want != NULL)
			ok_str(buf_cstr(&b), rows[i].want, "is there");
	}
	unsetenv("XDG_RUNTIME_DIR");
	ok(path_runtime("/s/bb", &run) == 0, "the runtime directory");
	ok_str(buf_cstr(&run), "/s/bb/run", "is beneath the state");
	buf_clear(&run);
	setenv("XDG_RUNTIME_DIR", "/run/user/1", 1);
	ok(path_runtime("/s/bb", &run) == 0, "or the session's");
	ok_str(buf_cstr(&run), "/run/user/1/bb", "is bb's own there");
}

static unsigned
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

TEST(private_directories)
{
	char top[] = "/tmp/bbpath.XXXXXX", name[64], deep[64], file[64];
	FILE *f;

	if (mkdtemp(top) == NULL)
		bug("no temporary directory");
	(void)snprintf(name, sizeof(name), "%s/a", top);
	(void)snprintf(deep, sizeof(deep), "%s/a/b/c", top);
	(void)snprintf(file, sizeof(file), "%s/f", top);
	(void)umask(0);
	ok_int(path_private_dir(deep, 1, NULL), 0, "made with what leads to it");
	ok_int(mode_of(deep), 0700, "for its owner alone");
	ok_int(mode_of(name), 0700, "on the way too");
	ok(chmod(deep, 0755) == 0 && chmod(name, 0755) == 0, "widened");
	ok_int(path_private_dir(deep, 1, NULL), 0, "found");
	ok_int(mode_of(deep), 0700, "narrowed");
	ok_int(mode_of(name), 0755, "the way is left as it was");
	if ((f = fopen(file, "w")) != NULL)
		(void)fclose(f);
	ok_int(path_private_dir(file, 1, NULL), E_SYS, "a file is no directory");
	(void)snprintf(deep, sizeof(deep), "%s/f/x", top);
	ok_int(path_private_dir(deep, 1, NULL), E_SYS, "nor leads anywhere");
	(void)snprintf(deep, sizeof(deep), "%s/a/b/c", top);
	(void)rmdir(deep);
	(void)snprintf(deep, sizeof(deep), "%s/a/b", top);
	(void)rmdir(deep);
	(void)rmdir(name);
	(void)unlink(file);
	(void)rmdir(top);
}

/* What another user put in the way: a directory, a link, one's own taken over. */
TEST(directories_of_others)
{
	char top[] = "/tmp/bbpath.XXXXXX", a[64], b[64], c[96];
	auto_buf struct buf why = BUF_INIT;
	uid_t other = 12345;

	if (mkdtemp(top) == NULL)
		bug("no temporary directory");
	(void)snprintf(a, sizeof(a), "%s/victim", top);
	(void)snprintf(b, sizeof(b), "%s/bb", top);
	(void)snprintf(c, sizeof(c), "%s/bb/run", top);
	ok(mkdir(a, 0755) == 0 && chmod(a, 0755) == 0 && symlink(a, b) == 0, "a link");
	ok_int(path_private_dir(b, 1, &why), E_OUTSIDE, "a link is not taken for ours");
	ok(strstr(buf_cstr(&why), b) != NULL && strstr(buf_cstr(&why), "link") != NULL,
	    "it is named: %s", buf_cstr(&why));
	ok_int(path_private_dir(c, 2, NULL), E_OUTSIDE, "nor on the way");
	ok_int(mode_of(a), 0755, "what it leads to is left alone");
	ok_int(path_private_dir(c, 1, NULL), 0, "a link of ours may lead there");
	(void)unlink(b);
	(void)snprintf(c, sizeof(c), "%s/run", a);
	(void)rmdir(c);
	ok(chmod(a, 0777) == 0, "a directory anybody may change");
	buf_clear(&why);
	ok_int(path_private_dir(c, 1, &why), E_OUTSIDE, "holds nothing of ours");
	ok(strstr(buf_cstr(&why), a) != NULL, "it is named: %s", buf_cstr(&why));
	ok(chmod(a, 01777) == 0, "sticky");
	ok_int(path_private_dir(c, 1, NULL), 0, "does");
	if (geteuid() == 0) {
		(void)chmod(top, 01777);
		ok(chown(c, other, other) == 0 && chmod(c, 0755) == 0, "another's");
		buf_clear(&why);
		ok_int(path_private_dir(c, 1, &why), E_OUTSIDE, "is refused");
		ok(strstr(buf_cstr(&why), c) != NULL &&
		        strstr(buf_cstr(&why), "12345") != NULL,
		    "with its owner: %s", buf_cstr(&why));
		ok_int(mode_of(c), 0755, "and not changed");
		(void)rmdir(c);
		ok(chown(a, other, other) == 0, "one that leads there");
		ok_int(path_private_dir(c, 1, NULL), E_OUTSIDE, "too");
		(void)snprintf(c, sizeof(c), "%s/x/bb", a);
		ok_int(path_private_dir(c, 1, NULL), E_OUTSIDE, "however far up");
		ok(symlink("/tmp", b) == 0 && lchown(b, other, other) == 0, "and a link");
		(void)snprintf(c, sizeof(c), "%s/bb/y/z", top);
		ok_int(path_private_dir(c, 1, NULL), E_OUTSIDE,
		    "of theirs is not followed");
		(void)unlink(b);
	}
	(void)rmdir(c);
	(void)rmdir(a);
	(void)rmdir(top);
}

/* This program lies in a directory without helpers: only what is installed is found. */
TEST(helpers_that_are_not_there)
{
	auto_buf struct buf b = BUF_INIT;
	int r = path_helpers(&b);

	if (r == 0)
		ok_str(buf_cstr(&b), BB_PREFIX "/libexec/bb", "the installed ones");
	else
		ok_int(r, E_MISSING, "none installed: said, not guessed");
}

TAP_MAIN

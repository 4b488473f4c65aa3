/* grant.c, land.c, reach.c: rows of tools-files 0.3 and 0.4. A scratch tree:
 *   $T/ws (workspace)  $T/added (opened)  $T/out (not opened)  $T/ln -> ws */
#include "bin/bb/spawn/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/tap.h"

static char T[4096];
static struct reach *reach;

static const char *
at(const char *rest)
{
	static char b[8][8192];
	static unsigned k;

	k = (k + 1) % 8;
	(void)snprintf(b[k], sizeof(b[k]), "%s/%s", T, rest);
	return b[k];
}

static void
put(const char *rest, const char *text)
{
	FILE *f = fopen(at(rest), "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		printf("# cannot write %s\n", rest);
}

static void
ln(const char *target, const char *rest)
{
	if (symlink(target, at(rest)) < 0)
		printf("# cannot link %s\n", rest);
}

static enum grant_fault
look(const char *name, enum grant_want want, struct grant *g)
{
	return grant_resolve(reach, name, strlen(name), want, g);
}

static void
ends(const char *name, enum grant_want want, enum grant_fault fault, const char *what)
{
	struct grant g;

	ok_int(look(name, want, &g), fault, what);
	ok(g.fd == -1, "%s: nothing opened", what);
	grant_release(&g);
}

/* Resolves and opens, spelled and landed as said (relative to T). */
static void
reaches(const char *name, enum grant_want want, const char *spelled, const char *landed)
{
	struct grant g;
	struct stat st;
	char shown[128];

	(void)snprintf(shown, sizeof(shown), "%s", name);
	for (char *p = shown; *p != '\0'; p++)
		if (*p == '\n')
			*p = '?'; /* a line of TAP */
	if (ok(look(name, want, &g) == GRANT_FINE, "%s resolves", shown)) {
		ok_str(g.spelled, at(spelled), "spelled key");
		ok_str(g.landed, at(landed), "landed key");
		ok_int(g.linked, strcmp(spelled, landed) != 0, "linked");
		ok_int(grant_open(reach, want, &g), GRANT_FINE, "opens");
		ok(stat(at(landed), &st) == 0 && st.st_ino == g.st.st_ino &&
		        st.st_dev == g.st.st_dev,
		    "the very inode");
		ok_int(fcntl(g.fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDONLY,
		    "read only, blocking");
		ok_int(fcntl(g.fd, F_GETFD), FD_CLOEXEC, "closes on exec");
	}
	grant_release(&g);
}

static int
gone(const char *p, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type, (void)f;
	return remove(p);
}

static void
clean(void)
{
	if (T[0] != '\0')
		(void)nftw(T, gone, 16, FTW_DEPTH | FTW_PHYS);
}

TEST(opening_the_reach)
{
	char made[] = "/tmp/bbgrant.XXXXXX";
	const char *dirs[] = {"ws", "ws/sub", "ws/sub/deep", "added", "added/sub", "out",
	    "outer", "outer/in", "home"};

	if (mkdtemp(made) == NULL || realpath(made, T) == NULL)
		exit(1);
	atexit(clean);
	(void)chmod(T, 0755);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		(void)mkdir(at(dirs[i]), 0755);
	ln("ws", "ln");
	put("ws/a.txt", "a\n");
	put("ws/sub/b.txt", "b\n");
	put("added/c.txt", "c\n");
	put("out/secret", "s\n");
	ok_int(reach_new(at("nowhere"), &reach), E_SYS, "a missing workspace");
	ok(reach == NULL, "gives nothing");
	ok_int(reach_new(at("ws/a.txt"), &reach), E_SYS, "a file as a workspace");
	ok_int(reach_new(at("ln"), &reach), 0, "a workspace through a link");
	ok_str(reach_path(reach, 0), at("ws"), "has its canonical path");
	ok_int(reach_add(reach, at("added")), 0, "one more directory");
	ok_int(reach_add(reach, at("added")), E_DUP, "twice");
	ok_int(reach_add(reach, at("added/sub")), E_DUP, "inside an open one");
	ok_int(reach_add(reach, at("ws/sub")), E_DUP, "inside the workspace");
	ok_int(reach_add(reach, "sub"), E_DUP, "a relative name lies in the workspace");
	ok_int(reach_add(reach, T), E_STATE, "an ancestor of the workspace");
	ok_int(reach_add(reach, "/"), E_STATE, "the root");
	ok_int(reach_add(reach, at("nowhere")), E_SYS, "a missing one");
	ok_int(reach_add(reach, ""), E_SYS, "an empty name");
	ok_int(reach_add(reach, "../outer"), 0, "a person's name may climb");
	ok_str(reach_path(reach, 2), at("outer"), "and is canonical");
	ok_int(reach_count(reach), 3, "three are open");
	ok(fcntl(reach_fd(reach, 0), F_GETFL) & O_PATH, "an anchor, not for reading");
}

TEST(plain_names)
{
	reaches("a.txt", GRANT_FILE, "ws/a.txt", "ws/a.txt");
	reaches("./sub//./b.txt", GRANT_FILE, "ws/sub/b.txt", "ws/sub/b.txt");
	reaches(".", GRANT_DIR, "ws", "ws");
	reaches("sub/", GRANT_DIR, "ws/sub", "ws/sub");
	reaches(at("added/c.txt"), GRANT_FILE, "added/c.txt", "added/c.txt");
	reaches(at("added"), GRANT_DIR, "added", "added");
	put("ws/ blank ", "x\n");
	reaches(" blank ", GRANT_FILE, "ws/ blank ", "ws/ blank ");
	put("ws/~x", "x\n");
	reaches("~x", GRANT_FILE, "ws/~x", "ws/~x");
	put("ws/line\nbreak\x1b", "x\n");
	reaches("line\nbreak\x1b", GRANT_FILE, "ws/line\nbreak\x1b",
	    "ws/line\nbreak\x1b");
	put("ws/..x", "x\n");
	reaches("..x", GRANT_FILE, "ws/..x", "ws/..x");
	if (link(at("ws/a.txt"), at("ws/hard")) == 0)
		reaches("hard", GRANT_FILE, "ws/hard", "ws/hard");
}

TEST(refused_as_written)
{
	static char component[300], whole[5000];
	struct grant g;

	memset(component, 'x', 256);
	memset(whole, '/', 4097);
	for (size_t i = 0; i < 4097; i += 2)
		whole[i] = 'd';
	ends("", GRANT_FILE, GRANT_EMPTY, "empty");
	ends(" \t ", GRANT_FILE, GRANT_EMPTY, "blanks");
	ok_int(grant_resolve(reach, "a\0b", 3, GRANT_FILE, &g), GRANT_NUL, "a NUL byte");
	grant_release(&g);
	ends("..", GRANT_DIR, GRANT_CLIMBS, "..");
	ends("sub/../a.txt", GRANT_FILE, GRANT_CLIMBS, "`..` that stays inside");
	ends("../ws/a.txt", GRANT_FILE, GRANT_CLIMBS, "`..` out and back");
	ends(component, GRANT_FILE, GRANT_LONG, "a component of 256 bytes");
	ends(whole, GRANT_FILE, GRANT_LONG, "more than 4096 bytes");
	ends("a.txt/", GRANT_FILE, GRANT_TRAILING, "a slash behind a file");
	ends("nothing/", GRANT_FILE, GRANT_TRAILING, "a slash behind nothing");
	ok_int(look("sub/../a.txt", GRANT_FILE, &g), GRANT_CLIMBS, "climbs");
	ok_str(g.spelled, at("ws/sub/../a.txt"), "key kept as written, for the rules");
	grant_release(&g);
	ok_int(look("a.txt/", GRANT_FILE, &g), GRANT_TRAILING, "trailing");
	ok_str(g.landed, at("ws/a.txt"), "landed known, for the rules");
	grant_release(&g);
}

TEST(home)
{
	(void)setenv("HOME", at("added"), 1);
	reaches("~/c.txt", GRANT_FILE, "added/c.txt", "added/c.txt");
	reaches("~", GRANT_DIR, "added", "added");
	(void)setenv("HOME", at("home"), 1);
	ends("~/x", GRANT_FILE, GRANT_OUTSIDE, "a home that is not open");
	(void)setenv("HOME", at("ws"), 1);
	ends("~/a.txt", GRANT_FILE, GRANT_OUTSIDE, "the workspace by way of home");
	(void)unsetenv("HOME");
	ends("~/x", GRANT_FILE, GRANT_NO_HOME, "no home");
	(void)setenv("HOME", "relative", 1);
	ends("~", GRANT_DIR, GRANT_NO_HOME, "a home that is not absolute");
}

TEST(absolute_names)
{
	struct grant g;

	ends(at("ws/a.txt"), GRANT_FILE, GRANT_OUTSIDE,
	    "the workspace by its canonical name");
	ends(at("ln/a.txt"), GRANT_FILE, GRANT_OUTSIDE, "by the name it was given");
	ends(at("ws"), GRANT_DIR, GRANT_OUTSIDE, "the workspace itself");
	ends(at("out/secret"), GRANT_FILE, GRANT_OUTSIDE, "elsewhere");
	ends(at("out/nothing"), GRANT_FILE, GRANT_OUTSIDE,
	    "elsewhere and missing: no difference");
	ends("/etc/passwd/x", GRANT_FILE, GRANT_OUTSIDE, "beneath a file elsewhere");
	ends("/", GRANT_DIR, GRANT_OUTSIDE, "the root");
	ends(at("added2"), GRANT_FILE, GRANT_OUTSIDE, "a name that only begins alike");
	ln(at("added"), "alias");
	reaches(at("alias/c.txt"), GRANT_FILE, "added/c.txt", "added/c.txt");
	ln(at("added/sub"), "middle");
	put("added/sub/d", "d\n");
	/* Into the middle of an open directory: asked about as written. */
	reaches(at("middle/d"), GRANT_FILE, "middle/d", "added/sub/d");
	ln(at("ws/sub"), "midws");
	ends(at("midws/b.txt"), GRANT_FILE, GRANT_OUTSIDE,
	    "into the middle of the workspace");
	/* Keys are there for a deny rule. */
	ok_int(look(at("ln/a.txt"), GRANT_FILE, &g), GRANT_OUTSIDE, "outside");
	ok_str(g.spelled, at("ws/a.txt"), "spelled by the open directory's name");
	ok_str(g.landed, at("ws/a.txt"), "landed");
	grant_release(&g);
	/* An added directory may be named absolutely even when links lead on. */
	ln(at("ws/a.txt"), "added/to-ws");
	reaches(at("added/to-ws"), GRANT_FILE, "added/to-ws", "ws/a.txt");
}

TEST(links)
{
	ln("a.txt", "ws/l");
	ln("sub", "ws/d");
	ln("../a.txt", "ws/sub/back");
	ln("../out/secret", "ws/leak");
	ln(at("out/secret"), "ws/leak2");
	ln("../out", "ws/leakdir");
	ln("../out/later", "ws/leak3");
	ln(at("added/c.txt"), "ws/toadded");
	ln("loop", "ws/loop");
	ln("two", "ws/one");
	ln("one", "ws/two");
	ln("nothing-yet", "ws/dangling");
	ln("sub/new/er", "ws/deeper");
	ln("/proc/self/fd/0", "ws/magic");
	ln("/proc/self/cwd", "ws/magic2");
	ln("nothing/../a.txt", "ws/odd");
	reaches("l", GRANT_FILE, "ws/l", "ws/a.txt");
	reaches("d/b.txt", GRANT_FILE, "ws/d/b.txt", "ws/sub/b.txt");
	reaches("d", GRANT_DIR, "ws/d", "ws/sub");
	reaches("sub/back", GRANT_FILE, "ws/sub/back", "ws/a.txt");
	reaches("d/back", GRANT_FILE, "ws/d/back", "ws/a.txt");
	reaches("toadded", GRANT_FILE, "ws/toadded", "added/c.txt");
	ends("leak", GRANT_FILE, GRANT_OUTSIDE, "a relative link out");
	ends("leak2", GRANT_FILE, GRANT_OUTSIDE, "an absolute link out");
	ends("leakdir/secret", GRANT_FILE, GRANT_OUTSIDE,
	    "through a directory's link out");
	ends("leakdir", GRANT_DIR, GRANT_OUTSIDE, "a directory's link out");
	ends("leak3", GRANT_FILE, GRANT_OUTSIDE, "a link out to something missing");
	ends("loop", GRANT_FILE, GRANT_OUTSIDE, "a link to itself");
	ends("one", GRANT_FILE, GRANT_OUTSIDE, "two links in a ring");
	ends("one/x", GRANT_FILE, GRANT_OUTSIDE, "through a ring");
	ends("magic", GRANT_FILE, GRANT_OUTSIDE, "a magic link");
	ends("magic2/x", GRANT_FILE, GRANT_OUTSIDE, "through a magic link");
	ends("odd", GRANT_FILE, GRANT_OUTSIDE,
	    "a link climbing out of something missing");
}

static void
missing_at(const char *name, const char *landed)
{
	struct grant g;

	ok_int(look(name, GRANT_FILE, &g), GRANT_MISSING, name);
	ok_str(g.landed, at(landed), "would land at");
	grant_release(&g);
}

TEST(missing)
{
	char name[32], target[32];
	struct grant g;

	missing_at("nothing", "ws/nothing");
	missing_at("no/thing", "ws/no/thing");
	missing_at("a.txt/x", "ws/a.txt/x");
	missing_at("dangling", "ws/nothing-yet");
	missing_at("deeper", "ws/sub/new/er");
	missing_at("d/none", "ws/sub/none");
	missing_at(at("added/none"), "added/none");
	ends("nothing", GRANT_DIR, GRANT_MISSING, "a missing directory");
	for (int i = 1; i <= 9; i++) {
		(void)snprintf(name, sizeof(name), "ws/chain%d", i);
		(void)snprintf(target, sizeof(target), i == 1 ? "end" : "chain%d", i - 1);
		ln(target, name);
	}
	for (int i = 1; i <= 8; i++) {
		(void)snprintf(name, sizeof(name), "chain%d", i);
		missing_at(name, "ws/end");
	}
	ends("chain9", GRANT_FILE, GRANT_OUTSIDE, "nine dangling links");
	put("ws/end", "end\n");
	reaches("chain9", GRANT_FILE, "ws/chain9", "ws/end");
	ok_int(look("nothing", GRANT_FILE, &g), GRANT_MISSING, "missing");
	ok_str(g.spelled, at("ws/nothing"), "both keys are set");
	grant_release(&g);
}

TEST(healthy_links_before_a_missing_name_do_not_count)
{
	char name[64] = "", dir[32];

	for (int i = 0; i < 10; i++) {
		(void)snprintf(dir, sizeof(dir), "ws/h%d", i);
		ln(".", dir);
		(void)snprintf(name + strlen(name), sizeof(name) - strlen(name), "h%d/",
		    i);
	}
	(void)snprintf(name + strlen(name), sizeof(name) - strlen(name), "x");
	missing_at(name, "ws/x");
}

TEST(types)
{
	struct sockaddr_un sa = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ends("sub", GRANT_FILE, GRANT_DIRECTORY, "a directory where a file is meant");
	ends("d", GRANT_FILE, GRANT_DIRECTORY, "a link to one");
	ends("a.txt", GRANT_DIR, GRANT_NOT_DIRECTORY,
	    "a file where a directory is meant");
	ok(mkfifo(at("ws/fifo"), 0600) == 0, "a FIFO");
	ends("fifo", GRANT_FILE, GRANT_NOT_REGULAR, "never opened, never waited for");
	(void)snprintf(sa.sun_path, sizeof(sa.sun_path), "%s", at("ws/sock"));
	ok(bind(s, (struct sockaddr *)&sa, sizeof(sa)) == 0, "a socket");
	ends("sock", GRANT_FILE, GRANT_NOT_REGULAR, "a socket");
	close(s);
	if (mknod(at("ws/null"), S_IFCHR | 0600, 0x103) == 0)
		ends("null", GRANT_FILE, GRANT_NOT_REGULAR, "a device");
	else
		skip("no right to make a device");
}

TEST(permissions)
{
	bool root = geteuid() == 0;
	struct grant g;

	put("ws/dark", "x\n");
	(void)chmod(at("ws/dark"), 0);
	(void)mkdir(at("ws/shut"), 0755);
	put("ws/shut/x", "x\n");
	ln("shut/x", "ws/into-shut");
	(void)chmod(at("ws/shut"), 0);
	if (root && seteuid(65534) < 0) {
		skip("cannot be an ordinary user");
		return;
	}
	ok_int(look("dark", GRANT_FILE, &g), GRANT_FINE,
	    "a file that cannot be read resolves");
	ok_int(grant_open(reach, GRANT_FILE, &g), GRANT_DENIED,
	    "and is denied when opened");
	ok(g.fd == -1, "nothing opened");
	grant_release(&g);
	ok_int(look("shut/x", GRANT_FILE, &g), GRANT_DENIED, "beneath a shut directory");
	ok_str(g.landed, at("ws/shut/x"), "both keys are set");
	grant_release(&g);
	ends("into-shut", GRANT_FILE, GRANT_OUTSIDE, "a link into a shut directory");
	ok_int(look("shut", GRANT_DIR, &g), GRANT_FINE, "a shut directory resolves");
	ok_int(grant_open(reach, GRANT_DIR, &g), GRANT_DENIED,
	    "and is denied when opened");
	grant_release(&g);
	if (root && seteuid(0) < 0)
		exit(1);
	(void)chmod(at("ws/shut"), 0755);
}

TEST(unicode_forms)
{
	put("ws/caf\xc3\xa9", "x\n"); /* composed */
	ends("cafe\xcc\x81", GRANT_FILE, GRANT_MISSING_FORM,
	    "decomposed, composed is there");
	ends("caf\xc3\xa8", GRANT_FILE, GRANT_MISSING, "another letter");
	put("ws/sub/A\xcc\x8a", "x\n");
	ends("sub/\xc3\x85", GRANT_FILE, GRANT_MISSING_FORM,
	    "composed, decomposed is there");
	ends("d/\xc3\x85", GRANT_FILE, GRANT_MISSING_FORM, "through a link");
	put("ws/sub/\xe2\x84\xab", "x\n"); /* the ångström sign */
	ends("sub/\xc3\x85", GRANT_FILE, GRANT_MISSING, "two names differ so: no hint");
	ends("none/cafe\xcc\x81", GRANT_FILE, GRANT_MISSING,
	    "not in a missing directory");
	put("ws/\xe2\x84\xaa", "x\n"); /* the kelvin sign */
	ends("K", GRANT_FILE, GRANT_MISSING_FORM, "a letter of ASCII");
	ends("\xff\xfe", GRANT_FILE, GRANT_MISSING, "not UTF-8");
}

TEST(keys)
{
	struct grant g;

	ok_int(grant_resolve_key(reach, at("ws/a.txt"), GRANT_FILE, &g), GRANT_FINE,
	    "an absolute key in the workspace");
	ok_int(grant_open(reach, GRANT_FILE, &g), GRANT_FINE, "opens");
	grant_release(&g);
	ok_int(grant_resolve_key(reach, at("ws/l"), GRANT_FILE, &g), GRANT_FINE,
	    "a link");
	ok_str(g.landed, at("ws/a.txt"), "lands");
	grant_release(&g);
	ok_int(grant_resolve_key(reach, at("out/secret"), GRANT_FILE, &g), GRANT_OUTSIDE,
	    "outside");
	ok_str(g.spelled, at("out/secret"), "with its key");
	grant_release(&g);
	ok_int(grant_resolve_key(reach, at("ws/leak"), GRANT_FILE, &g), GRANT_OUTSIDE,
	    "leads out");
	grant_release(&g);
}

/* What is swapped between looking and opening. */
static void
swap(const char *what, enum grant_fault fault, enum grant_want want, void (*change)(void))
{
	struct grant g;

	(void)remove(at("ws/race"));
	if (want == GRANT_DIR)
		(void)mkdir(at("ws/race"), 0755);
	else
		put("ws/race", "1\n");
	ok_int(look("race", want, &g), GRANT_FINE, what);
	(void)remove(at("ws/race"));
	change();
	ok_int(grant_open(reach, want, &g), fault, "opened after that");
	ok_int(g.fd >= 0, fault == GRANT_FINE, "a descriptor or none");
	grant_release(&g);
}

static void
to_link(void)
{
	ln("a.txt", "ws/race");
}
static void
to_link_out(void)
{
	ln("../out/secret", "ws/race");
}
static void
to_fifo(void)
{
	(void)mkfifo(at("ws/race"), 0600);
}
static void
to_dir(void)
{
	(void)mkdir(at("ws/race"), 0755);
}
static void
to_file(void)
{
	put("ws/race", "2\n");
}
static void
to_nothing(void)
{
}

TEST(changed_before_opening)
{
	swap("a file becomes a link inside", GRANT_CHANGED, GRANT_FILE, to_link);
	swap("a file becomes a link out", GRANT_CHANGED, GRANT_FILE, to_link_out);
	swap("a file becomes a FIFO", GRANT_CHANGED, GRANT_FILE, to_fifo);
	swap("a file becomes a directory", GRANT_CHANGED, GRANT_FILE, to_dir);
	swap("a file becomes another file", GRANT_FINE, GRANT_FILE, to_file);
	swap("a file goes", GRANT_MISSING, GRANT_FILE, to_nothing);
	swap("a directory becomes a file", GRANT_CHANGED, GRANT_DIR, to_file);
	swap("a directory becomes a link out", GRANT_CHANGED, GRANT_DIR, to_link_out);
}

TEST(a_parent_swapped_for_a_link_out)
{
	struct grant g;

	(void)mkdir(at("ws/p"), 0755);
	put("ws/p/secret", "mine\n");
	ok_int(look("p/secret", GRANT_FILE, &g), GRANT_FINE, "resolved");
	ok(rename(at("ws/p"), at("ws/p-old")) == 0, "moved away");
	ln("../out", "ws/p");
	ok_int(grant_open(reach, GRANT_FILE, &g), GRANT_CHANGED, "not opened");
	grant_release(&g);
}

TEST(race)
{
	unsigned opened = 0, refused = 0, wrong = 0;
	struct stat outside;
	pid_t pid;

	(void)stat(at("out/secret"), &outside);
	put("ws/r-file", "mine\n");
	ln("../out/secret", "ws/r-link");
	put("ws/r", "mine\n");
	if ((pid = fork()) == 0) {
		/* The file and the link out change places, 10^5 times. */
		for (int i = 0; i < 100000; i++)
			(void)renameat2(AT_FDCWD, at("ws/r"), AT_FDCWD, at("ws/r-link"),
			    1U << 1);
		_exit(0);
	}
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		struct grant g;
		enum grant_fault f = look("r", GRANT_FILE, &g);

		if (f == GRANT_FINE)
			f = grant_open(reach, GRANT_FILE, &g);
		if (f == GRANT_FINE) {
			struct stat st;

			opened++;
			(void)fstat(g.fd, &st);
			wrong +=
			    st.st_ino == outside.st_ino && st.st_dev == outside.st_dev;
		} else {
			refused++;
			wrong += f != GRANT_OUTSIDE && f != GRANT_CHANGED;
		}
		grant_release(&g);
	}
	printf("# %u opened, %u refused\n", opened, refused);
	ok_int(wrong, 0, "never an outside inode, never another answer");
	ok(opened + refused > 0, "it ran");
}

TEST(changing_directory)
{
	ok_int(reach_cd(reach, at("nowhere")), E_SYS, "to nowhere");
	ok_str(reach_path(reach, 0), at("ws"), "stays");
	ok_int(reach_cd(reach, at("outer/in")), 0, "into an added one");
	ok_str(reach_path(reach, 0), at("outer/in"), "is the workspace");
	ok_int(reach_count(reach), 2, "and the one around it is closed");
	ok_str(reach_path(reach, 1), at("added"), "another stays open");
	ends("a.txt", GRANT_FILE, GRANT_MISSING, "the old workspace is not searched");
	ends(at("ws/a.txt"), GRANT_FILE, GRANT_OUTSIDE, "nor open");
	ok_int(reach_cd(reach, T), 0, "above an added one");
	ok_int(reach_count(reach), 1, "which is closed");
	reaches("ws/a.txt", GRANT_FILE, "ws/a.txt", "ws/a.txt");
	reach_free(reach);
	reach = NULL;
}

TAP_MAIN

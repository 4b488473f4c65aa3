/* A tree split by trust (session/split.c): what each process is granted, and what the map
 * says of it afterwards. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/landlock_abi.h"
#include "tests/tap.h"

#define LIST LANDLOCK_ACCESS_FS_READ_DIR
#define READ (LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_READ_FILE)

static char root[] = "/tmp/bb-split.XXXXXX";
static struct session s;
static struct grant g = {.fd = -1};
static struct split sp;

static const char *
at(const char *rel)
{
	static char path[200];

	(void)snprintf(path, sizeof(path), "%s%s%s", root, *rel != '\0' ? "/" : "", rel);
	return path;
}

static void
file(const char *rel)
{
	int fd = open(at(rel), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	if (fd >= 0)
		close(fd);
}

static void
rule(const char *rel, enum trust_word w)
{
	if (trust_set(s.trust, at(rel), w, TRUST_BY_PERSON) != 0)
		ok(false, "a rule");
}

/* A fresh map with these rules: a path that begins with `-` is distrusted. */
static void
map(const char *const *rules)
{
	trust_free(s.trust);
	if (trust_new(false, &s.trust) != 0)
		ok(false, "a map");
	for (; *rules != NULL; rules++)
		rule(*rules + (**rules == '-'), **rules == '-' ? TRUST_U : TRUST_T);
}
#define MAP(...) map((const char *const[]){__VA_ARGS__, NULL})

static void
split(uint64_t rights)
{
	split_release(&sp);
	ok_int(split_tree(&s, g.fd, &g, rights, INT64_MAX, &sp), 0, "it is split");
}

/* Is there this record in part i? */
static bool
holds(enum integrity i, char letter, const char *rel)
{
	const struct buf *b = &sp.part[i].records;

	for (size_t k = 0; k < b->len; k += strlen(b->p + k) + 1)
		if (b->p[k] == letter && strcmp(b->p + k + 1, rel) == 0)
			return true;
	return false;
}

TEST(setting_up)
{
	auto_buf struct buf why = BUF_INIT;

	ok(mkdtemp(root) != NULL, "a directory");
	ok(mkdir(at("a"), 0755) == 0 && mkdir(at("b"), 0755) == 0 &&
	        mkdir(at("b/c"), 0755) == 0,
	    "directories");
	file("top");
	file("b/f");
	ok(symlink("top", at("link")) == 0 && mkfifo(at("fifo"), 0644) == 0, "no files");
	ok_int(reach_new(root, &s.reach), 0, "a reach");
	(void)setenv("XDG_CONFIG_HOME", "/nowhere", 1);
	ok_int(settings_load(&s.c, reach_path(s.reach, 0), false, &s.settings, &why), 0,
	    "settings");
	g.spelled = strdup(reach_path(s.reach, 0));
	g.landed = strdup(g.spelled);
	g.fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(g.fd >= 0, "open");
}

TEST(whole)
{
	MAP("");
	split(READ);
	ok(!sp.in_parts && sp.whole == TRUSTED, "trusted: one process");
	ok(split_has(&sp, TRUSTED) && !split_has(&sp, UNTRUSTED), "the trusted one");
	ok(split_still_trusted(&s, &g, &sp), "still trusted");
	rule("b/c", TRUST_U);
	ok(!split_still_trusted(&s, &g, &sp), "until something beneath is not");
	MAP("");
	rule("", TRUST_U);
	ok(!split_still_trusted(&s, &g, &sp), "or the whole");
	MAP("nothing");
	split(READ);
	ok(split_has(&sp, UNTRUSTED), "not trusted: the other one");
}

TEST(parts)
{
	MAP("", "-b/c");
	split(READ);
	ok(sp.in_parts && split_has(&sp, TRUSTED) && split_has(&sp, UNTRUSTED), "both");
	ok_int((int)sp.part[TRUSTED].n, 3, "granted: a, top and b/f");
	ok_int((int)sp.part[UNTRUSTED].n, 1, "and b/c");
	ok(holds(TRUSTED, 'W', "a") && holds(TRUSTED, 'F', "top") &&
	        holds(TRUSTED, 'F', "b/f") && holds(TRUSTED, 'S', "b"),
	    "the trusted records");
	ok(holds(UNTRUSTED, 'W', "b/c") && holds(UNTRUSTED, 's', "b") &&
	        !holds(UNTRUSTED, 'F', "top"),
	    "the others");
	ok_int((int)sp.links, 1, "a link");
	ok_int((int)sp.others, 1, "a FIFO");
	for (size_t k = 0; k < sp.part[TRUSTED].n; k++) {
		const struct spawn_landlock *l = &sp.part[TRUSTED].allow[k];
		struct stat st;

		ok(fstat(l->fd, &st) == 0 &&
		        l->rights ==
		            (S_ISREG(st.st_mode) ? LANDLOCK_ACCESS_FS_READ_FILE : READ),
		    "a rule by its kind");
	}
	split(LIST);
	ok_int((int)sp.part[TRUSTED].n, 1, "names alone: files need no rule");
	ok(holds(TRUSTED, 'F', "top"), "but their record");
}

TEST(left_out_by_a_rule)
{
	struct settings *none = s.settings;
	auto_buf struct buf why = BUF_INIT;
	const char *wrong;

	MAP("");
	ok(settings_load(&s.c, reach_path(s.reach, 0), false, &s.settings, &why) == 0 &&
	        rules_add(settings_rules(s.settings), RULE_DENY, "Read(f)", "", "/",
	            &wrong) == 0,
	    "a rule");
	split(READ);
	ok(sp.in_parts && sp.ruled && !split_has(&sp, UNTRUSTED),
	    "one process, in parts");
	ok(holds(TRUSTED, 'W', "a") && holds(TRUSTED, 'W', "b/c") &&
	        holds(TRUSTED, 'F', "top") && holds(TRUSTED, 'S', "b"),
	    "what lies beside it");
	ok(!holds(TRUSTED, 'F', "b/f") && !holds(UNTRUSTED, 'F', "b/f"), "and not it");
	for (size_t k = 0; k < sp.part[TRUSTED].n; k++)
		ok(strcmp(sp.part[TRUSTED].rule[k].rel, "b/f") != 0 &&
		        strcmp(sp.part[TRUSTED].rule[k].rel, "b") != 0,
		    "no Landlock rule reaches it");
	settings_free(s.settings);
	s.settings = none;
}

TEST(changed_meanwhile)
{
	static const char *const worse[] = {"top", "b/f", "a", "a/x", "b", ""};

	for (size_t k = 0; k < sizeof(worse) / sizeof(*worse); k++) {
		MAP("", "-b/c");
		split(READ);
		ok(split_still_trusted(&s, &g, &sp), "as it was");
		rule(worse[k], TRUST_U);
		ok(!split_still_trusted(&s, &g, &sp), "'%s' is trusted no longer",
		    worse[k]);
	}
	MAP("", "-b/c");
	split(READ);
	rule("b/c", TRUST_T);
	ok(split_still_trusted(&s, &g, &sp), "more trust takes nothing away");
}

TEST(too_many)
{
	char name[40];

	for (int i = 0; i < 256; i++) {
		(void)snprintf(name, sizeof(name), "b/n%d", i);
		file(name);
	}
	MAP("", "-b/c");
	split(READ);
	ok(sp.coarse && !sp.in_parts && sp.whole == UNTRUSTED,
	    "258 files and directories: one process, not trusted");
	ok(!split_has(&sp, TRUSTED), "no trusted one");
	ok_int((int)sp.part[TRUSTED].n, 0, "nothing granted to it");
	split(LIST);
	ok(sp.in_parts && !sp.coarse, "names alone: 2 rules do");
	ok_int(reach_hide(s.reach, at("b/c")), 0, "bb's own in it");
	split(READ);
	ok(sp.too_many, "which cannot be kept out then: nothing is searched");
	MAP("a");
	split(READ);
	ok(sp.coarse, "nor where little is trusted");
	for (int i = 0; i < 256; i++) {
		(void)snprintf(name, sizeof(name), "b/n%d", i);
		(void)unlink(at(name));
	}
	split(READ);
	ok(!sp.coarse && !holds(UNTRUSTED, 'W', "b/c") && !holds(TRUSTED, 'W', "b/c"),
	    "where it can, it is in no part");
	/* Many elsewhere: bb's own lies in another branch. */
	for (int i = 0; i < 300; i++) {
		(void)snprintf(name, sizeof(name), "a/n%d", i);
		file(name);
	}
	MAP("", "-a/n7");
	split(READ);
	ok(sp.coarse && !sp.too_many && sp.in_parts, "held back, without bb's own");
	ok(holds(UNTRUSTED, 'W', "a") && holds(UNTRUSTED, 'F', "top") &&
	        !holds(UNTRUSTED, 'W', "b/c"),
	    "everything but that");
	ok(!split_has(&sp, TRUSTED), "and nothing is trusted");
	for (int i = 0; i < 300; i++) {
		(void)snprintf(name, sizeof(name), "a/n%d", i);
		(void)unlink(at(name));
	}
}

TEST(cleaning_up)
{
	static const char *const names[] = {"b/f", "top", "link", "fifo"};

	split_release(&sp);
	grant_release(&g);
	settings_free(s.settings);
	reach_free(s.reach);
	trust_free(s.trust);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)unlink(at(names[i]));
	ok(rmdir(at("b/c")) == 0 && rmdir(at("b")) == 0 && rmdir(at("a")) == 0 &&
	        rmdir(root) == 0,
	    "nothing is left");
}

TAP_MAIN

/* libcommon/same.c: one object by several names, and the trust map that holds for all of
 * them. Hard links need no rights; mounts are tried where they can be made. */
#include "libcommon/same.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/labels/labels.h"
#include "bin/bb/spawn/spawn.h"
#include "tests/tap.h"

static char root[] = "/tmp/bb-same.XXXXXX";
static struct reach *reach;
static int no_mounts; /* errno where none can be made */
static struct trust *map;

static const char *
at(const char *rel)
{
	static char path[8][200];
	static unsigned k;

	k = (k + 1) % 8;
	(void)snprintf(path[k], sizeof(path[k]), "%s%s%s", root, *rel != '\0' ? "/" : "",
	    rel);
	return path[k];
}

static void
rule(const char *rel, enum trust_word w)
{
	if (trust_set(map, at(rel), w, TRUST_BY_PERSON) != 0)
		ok(false, "a rule");
}

static int
walk(void *arg, const char *key, struct same_way *w)
{
	return reach_walk(arg, key, w);
}

static int
blind(void *arg, const char *key, struct same_way *w)
{
	(void)arg;
	(void)key;
	(void)w;
	return E_SYS;
}

static void
fresh(void)
{
	trust_free(map);
	if (trust_new(false, &map) != 0)
		ok(false, "a map");
	trust_identify(map, walk, reach);
	rule("", TRUST_T);
}

TEST(setting_up)
{
	int fd;

	/* First of all: a descriptor stays with the mounts that it was opened among. */
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		no_mounts = errno;
	ok(mkdtemp(root) != NULL && mkdir(at("mail"), 0755) == 0 &&
	        mkdir(at("mail/sub"), 0755) == 0 && mkdir(at("docs"), 0755) == 0,
	    "directories");
	fd = open(at("mail/m"), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	ok(fd >= 0 && close(fd) == 0 && link(at("mail/m"), at("docs/m")) == 0, "a file");
	ok(symlink("../mail", at("docs/link")) == 0, "a link");
	ok_int(reach_new(root, &reach), 0, "a reach");
}

TEST(a_way)
{
	struct same_way w = SAME_WAY_INIT, k;
	struct stat st;

	ok_int(same_walk(-1, at("mail/sub"), 0, &w), 0, "walked from the root directory");
	ok(w.whole && stat(at("mail/sub"), &st) == 0 && w.v[w.n - 1].ino == st.st_ino,
	    "to the end");
	ok_int((int)w.v[w.n - 1].end, (int)strlen(at("mail/sub")), "where its name ends");
	ok_int((int)w.v[0].end, 0, "from the root directory");
	ok(same_copy(&w, &k) == 0 && k.n == w.n, "a copy");
	same_release(&w);
	same_release(&k);
	ok_int(same_walk(-1, at("mail/none/x"), 0, &w), 0, "something is missing");
	ok(!w.whole, "not to the end");
	same_release(&w);
	ok_int(same_walk(-1, at("docs/link/m"), 0, &w), 0, "a link");
	ok(!w.whole && w.v[w.n - 1].end == strlen(at("docs")), "is not followed");
	same_release(&w);
	ok_int(same_walk(-1, at("docs/../mail"), 0, &w), 0, "nor is anything climbed");
	ok(!w.whole, "not to the end");
	same_release(&w);
}

TEST(hard_link)
{
	auto_buf struct buf name = BUF_INIT;

	fresh();
	ok_int(trust_of(map, at("docs/m")), TRUST_T, "trusted with its directory");
	rule("mail/m", TRUST_U);
	ok_int(trust_of(map, at("docs/m")), TRUST_U, "distrusted by its other name");
	ok(trust_distrusted_as(map, at("docs/m"), &name), "which is said");
	ok_str(buf_cstr(&name), at("mail/m"), "and is this");
	ok(!trust_distrusted_as(map, at("mail/m"), NULL), "its own name is no other");
	ok_int(trust_of(map, at("docs")), TRUST_T, "not its directory");
	ok_int(trust_of(map, at("docs/none")), TRUST_T, "nor what is not there");
	ok_int(trust_vouch(map, at("docs/m"), trust_revision(map, at("docs/m"))), 0,
	    "vouched for by one name");
	ok_int(trust_of(map, at("docs/m")), TRUST_T, "it is trusted by that");
	ok_int(trust_of(map, at("mail/m")), TRUST_T, "and by the other");
}

TEST(revisions)
{
	uint64_t v;

	fresh();
	rule("mail/m", TRUST_U);
	v = trust_revision(map, at("docs/m"));
	rule("mail/m", TRUST_U);
	ok(trust_revision(map, at("docs/m")) != v,
	    "a decision by one name is one by all");
	ok_int(trust_vouch(map, at("docs/m"), v), E_CHANGED,
	    "an approval before it is void");
}

TEST(held)
{
	fresh();
	rule("mail/m", TRUST_U);
	trust_hold(map, true);
	ok_int(trust_of(map, at("docs/m")), TRUST_U, "while held");
	rule("mail/m", TRUST_T);
	ok_int(trust_of(map, at("docs/m")), TRUST_T, "a new rule counts at once");
	rule("mail/m", TRUST_U);
	ok_int(trust_of(map, at("docs/m")), TRUST_U, "in both directions");
	trust_hold(map, false);
}

TEST(in_doubt)
{
	fresh();
	trust_identify(map, blind, NULL);
	ok_int(trust_of(map, at("docs/m")), TRUST_T,
	    "no rule distrusts: nothing is asked");
	rule("mail", TRUST_U);
	ok_int(trust_of(map, at("docs/m")), TRUST_U, "one does, and nothing can be told");
	ok_int(trust_beneath(map, at("docs")), TRUST_U, "nor of a tree");
}

TEST(mounts)
{
	auto_buf struct buf name = BUF_INIT;

	if (no_mounts != 0) {
		skip(strerror(no_mounts));
		return;
	}
	ok(mkdir(at("all"), 0755) == 0 && mkdir(at("part"), 0755) == 0 &&
	        mkdir(at("docs/up"), 0755) == 0 &&
	        mount(at("mail"), at("all"), NULL, MS_BIND, NULL) == 0,
	    "other names");
	fresh();
	ok_int(trust_beneath(map, root), TRUST_T, "nothing is distrusted");
	rule("mail", TRUST_U);
	ok_int(trust_of(map, at("all/m")), TRUST_U, "a mount of it");
	ok_int(trust_of(map, at("docs")), TRUST_T, "not its neighbour");
	ok_int(trust_beneath(map, at("docs")), TRUST_T, "nor what lies beneath that");
	ok(mount(at("mail/sub"), at("part"), NULL, MS_BIND, NULL) == 0, "mounted later");
	ok_int(trust_of(map, at("part/x")), TRUST_U, "a mount of a part of it");
	ok(trust_distrusted_as(map, at("part"), &name), "which is said");
	ok_str(buf_cstr(&name), at("mail/sub"), "by its place there");
	ok(mount(root, at("docs/up"), NULL, MS_BIND, NULL) == 0,
	    "what holds it, mounted");
	ok_int(trust_of(map, at("docs/up/mail/m")), TRUST_U, "it is met there");
	ok_int(trust_of(map, at("docs/up/docs")), TRUST_T, "and only it");
	ok_int(trust_beneath(map, at("docs")), TRUST_U,
	    "a tree above the mount holds it");
	ok_int(trust_beneath(map, at("docs/up")), TRUST_U, "and the mount");
	rule("mail/sub", TRUST_T);
	ok_int(trust_of(map, at("part/x")), TRUST_T,
	    "trusted in it again: by every name");
	ok_int(trust_of(map, at("all/sub/x")), TRUST_T, "here too");
	ok_int(trust_of(map, at("all/m")), TRUST_U, "and nothing beside it");

	ok(!reach_hidden(reach, at("all/m")), "nothing is hidden");
	ok_int(reach_hide(reach, at("mail")), 0, "it is bb's own");
	ok(reach_hidden(reach, at("mail/m")), "hidden by its name");
	ok(reach_hidden(reach, at("all/m")), "by a mount of it");
	ok(reach_hidden(reach, at("part")), "by a mount of a part of it");
	ok(reach_hidden(reach, at("docs/up/mail/m")), "by a mount of what holds it");
	ok(!reach_hidden(reach, at("docs/m")), "not what lies elsewhere");
	ok(reach_hides_beneath(reach, at("docs")), "a tree above it is told");
	ok(!reach_hides_beneath(reach, at("none")), "one that is not there is none");
	ok(umount(at("docs/up")) == 0 && umount(at("part")) == 0 &&
	        umount(at("all")) == 0,
	    "unmounted");
	ok(!reach_hides_beneath(reach, at("docs")), "which is seen");
	ok(rmdir(at("all")) == 0 && rmdir(at("part")) == 0 && rmdir(at("docs/up")) == 0,
	    "cleared");
}

TEST(cleaning_up)
{
	trust_free(map);
	reach_free(reach);
	ok(unlink(at("docs/m")) == 0 && unlink(at("docs/link")) == 0 &&
	        unlink(at("mail/m")) == 0 && rmdir(at("mail/sub")) == 0 &&
	        rmdir(at("mail")) == 0 && rmdir(at("docs")) == 0 && rmdir(root) == 0,
	    "nothing is left");
}

TAP_MAIN

/* The trust map: its rules against a naive oracle over a small alphabet (T7), folding, and
 * the order of effects, decisions and approvals over one path. */
#include "bin/bb/labels/labels.h"

#include <fcntl.h>

#include "tests/tap.h"

static struct trust *
map(bool folds)
{
	struct trust *t;

	if (trust_new(folds, &t) != 0)
		abort();
	return t;
}

static void
set(struct trust *t, const char *key, enum trust_word w)
{
	if (trust_set(t, key, w, TRUST_BY_PERSON) != 0)
		abort();
}

TEST(empty)
{
	struct trust *t = map(false);

	ok_int(trust_of(t, "/"), TRUST_NONE, "an empty map answers nothing, of the root");
	ok_int(trust_of(t, "/a/b"), TRUST_NONE, "and of anything");
	ok_int(trust_read(t, "/a", NULL), UNTRUSTED, "a read without a rule is U");
	ok_int(trust_beneath(t, "/"), TRUST_NONE, "beneath nothing is nothing");
	ok_int(trust_count(t), 0, "it has no rule");
	ok_int(trust_revision(t, "/a"), 0, "and no revision");
	trust_free(t);
	trust_free(NULL);
}

TEST(prefixes)
{
	struct trust *t = map(false);

	set(t, "/ws/src", TRUST_T);
	ok_int(trust_of(t, "/ws/src"), TRUST_T, "itself");
	ok_int(trust_of(t, "/ws/src/a/b.c"), TRUST_T, "beneath");
	ok_int(trust_of(t, "/ws/srcfoo"), TRUST_NONE, "not a name that begins like it");
	ok_int(trust_of(t, "/ws/src.c"), TRUST_NONE, "nor with a dot");
	ok_int(trust_of(t, "/ws/src!"), TRUST_NONE, "nor with a byte below the slash");
	ok_int(trust_of(t, "/ws"), TRUST_NONE, "not its parent");
	ok_int(trust_of(t, "/ws/sr"), TRUST_NONE, "nor a shorter name");
	ok_int(trust_of(t, "/ws/src/../src"), TRUST_T,
	    "`..` is a name here; reaching refuses it");
	set(t, "/ws/src/gen", TRUST_U);
	set(t, "/ws/src/gen/ours", TRUST_T);
	ok_int(trust_of(t, "/ws/src/gen/x"), TRUST_U, "the longer rule wins");
	ok_int(trust_of(t, "/ws/src/gen/ours/x"), TRUST_T, "to any depth");
	ok_int(trust_of(t, "/ws/src/x"), TRUST_T, "siblings keep theirs");
	set(t, "/ws/src/who", TRUST_UNDECIDED);
	ok_int(trust_of(t, "/ws/src/who/x"), TRUST_NONE,
	    "an undecided boundary answers nothing");
	set(t, "/ws/src", TRUST_U);
	ok_int(trust_of(t, "/ws/src/x"), TRUST_U,
	    "a later decision replaces the earlier");
	ok_int(trust_count(t), 4, "for the same key");
	set(t, "/", TRUST_T);
	ok_int(trust_of(t, "/etc/passwd"), TRUST_T, "the root covers all");
	ok_int(trust_of(t, "/ws/src/x"), TRUST_U, "but the longest answers");
	trust_free(t);
}

TEST(both_names_of_a_link)
{
	struct trust *t = map(false);

	set(t, "/ws", TRUST_T);
	set(t, "/ws/vendor", TRUST_U);
	ok_int(trust_read(t, "/ws/a", "/ws/b"), TRUSTED, "both trusted");
	ok_int(trust_read(t, "/ws/a", "/ws/vendor/b"), UNTRUSTED,
	    "it lands in a distrusted place");
	ok_int(trust_read(t, "/ws/vendor/a", "/ws/b"), UNTRUSTED,
	    "its own name is distrusted");
	ok_int(trust_read(t, "/ws/a", "/other"), UNTRUSTED, "it lands where no rule is");
	ok_int(trust_read(t, "/ws/a", "/ws/a"), TRUSTED, "no link");
	ok_int(trust_read(t, "/ws/a", NULL), TRUSTED, "not asked");
	trust_free(t);
}

struct seen {
	char text[400];
	size_t n, stop;
};

static bool
note(void *arg, const char *key, enum trust_word w, enum trust_by by)
{
	struct seen *s = arg;
	size_t at = strlen(s->text);

	(void)snprintf(s->text + at, sizeof(s->text) - at, "%s%s=%d/%d", at ? " " : "",
	    key, (int)w, (int)by);
	return ++s->n != s->stop;
}

TEST(walks)
{
	struct trust *t = map(false);
	struct seen s = {{0}, 0, 0};

	set(t, "/a!x", TRUST_T);
	set(t, "/a/b/c", TRUST_T);
	set(t, "/a", TRUST_T);
	set(t, "/a.b", TRUST_U);
	set(t, "/a/b", TRUST_U);
	if (trust_set(t, "/a/a", TRUST_T, TRUST_BY_VOUCH) != 0)
		abort();
	trust_each_beneath(t, "/a", note, &s);
	ok_str(s.text, "/a/a=1/2 /a/b=2/1 /a/b/c=1/1",
	    "strictly beneath, in order, with who said it");
	s = (struct seen){{0}, 0, 0};
	trust_each(t, note, &s);
	ok_str(s.text, "/a=1/1 /a/a=1/2 /a/b=2/1 /a/b/c=1/1 /a!x=1/1 /a.b=2/1",
	    "all: a directory right before what is beneath it");
	s = (struct seen){{0}, 0, 2};
	trust_each(t, note, &s);
	ok_int(s.n, 2, "it stops when it is told to");
	s = (struct seen){{0}, 0, 1};
	trust_each_beneath(t, "/", note, &s);
	ok_int(s.n, 1, "beneath the root too");
	ok_int(trust_beneath(t, "/a"), TRUST_U,
	    "a distrusted place beneath weakens the whole");
	ok_int(trust_beneath(t, "/a/a"), TRUST_T, "none beneath this one");
	ok_int(trust_beneath(t, "/a/b"), TRUST_U, "trust beneath does not raise");
	ok_int(trust_beneath(t, "/zzz"), TRUST_NONE, "not covered");
	set(t, "/a/a/u", TRUST_UNDECIDED);
	ok_int(trust_beneath(t, "/a/a"), TRUST_U, "an undecided place weakens as well");
	trust_free(t);
}

/* --- T7: every map of up to three rules over all paths of up to three components from a
 * small alphabet of names chosen to be confused, against the definition written plainly. */

static const char *const names[] = {"a", "ab", "a!"};
#define N_PATHS (1 + 3 + 9 + 27)
static char paths[N_PATHS][16];

static void
make_paths(void)
{
	size_t n = 0;

	(void)snprintf(paths[n++], 16, "/");
	for (size_t i = 0; i < 3; i++)
		(void)snprintf(paths[n++], 16, "/%s", names[i]);
	for (size_t i = 0; i < 9; i++)
		(void)snprintf(paths[n++], 16, "/%s/%s", names[i / 3], names[i % 3]);
	for (size_t i = 0; i < 27; i++)
		(void)snprintf(paths[n++], 16, "/%s/%s/%s", names[i / 9],
		    names[i / 3 % 3], names[i % 3]);
}

static bool
covers(const char *dir, const char *path)
{
	size_t n = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return true;
	return strncmp(dir, path, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

struct naive {
	size_t key[3];
	enum trust_word w[3];
	size_t n;
};

static enum trust_word
naive_of(const struct naive *m, const char *path)
{
	enum trust_word w = TRUST_NONE;
	size_t longest = 0;

	for (size_t i = 0; i < m->n; i++)
		if (covers(paths[m->key[i]], path) &&
		    strlen(paths[m->key[i]]) >= longest) {
			longest = strlen(paths[m->key[i]]);
			w = m->w[i];
		}
	return w == TRUST_UNDECIDED ? TRUST_NONE : w;
}

static enum trust_word
naive_beneath(const struct naive *m, const char *path)
{
	enum trust_word w = naive_of(m, path);

	for (size_t i = 0; i < m->n && w != TRUST_NONE; i++) {
		bool replaced = false;

		for (size_t k = i + 1; k < m->n; k++)
			replaced |= m->key[k] == m->key[i];
		if (!replaced && covers(path, paths[m->key[i]]) && m->w[i] != TRUST_T)
			w = TRUST_U;
	}
	return w;
}

static bool
agree(const struct naive *m, bool folds)
{
	struct trust *t = map(folds);
	bool same = true;

	for (size_t i = 0; i < m->n; i++)
		set(t, paths[m->key[i]], m->w[i]);
	for (size_t p = 0; p < N_PATHS && same; p++)
		same = trust_of(t, paths[p]) == naive_of(m, paths[p]) &&
		    trust_beneath(t, paths[p]) == naive_beneath(m, paths[p]);
	trust_free(t);
	return same;
}

TEST(against_the_oracle)
{
	static const enum trust_word words[3] = {TRUST_T, TRUST_U, TRUST_UNDECIDED};
	size_t wrong = 0, maps = 0;

	make_paths();
	for (size_t a = 0; a < N_PATHS * 3; a++)
		for (size_t b = 0; b < N_PATHS * 3; b++) {
			struct naive m = {{a / 3, b / 3}, {words[a % 3], words[b % 3]},
			    2};

			wrong += !agree(&m, false);
			maps++;
		}
	/* Three rules: keys of up to two components, T and U. */
	for (size_t a = 0; a < 26; a++)
		for (size_t b = 0; b < 26; b++)
			for (size_t c = 0; c < 26; c++) {
				struct naive m = {{a / 2, b / 2, c / 2},
				    {words[a % 2], words[b % 2], words[c % 2]}, 3};

				wrong += !agree(&m, c % 5 == 0);
				maps++;
			}
	ok(wrong == 0, "%zu maps over %d paths agree", maps, N_PATHS);
}

/* --- folding ---------------------------------------------------------------------------- */

TEST(folding)
{
	struct trust *t = map(true), *plain = map(false);

	set(t, "/WS/Src", TRUST_T);
	set(plain, "/WS/Src", TRUST_T);
	ok_int(trust_of(t, "/ws/sRC/x"), TRUST_T, "ASCII folds");
	ok_int(trust_of(plain, "/ws/sRC/x"), TRUST_NONE,
	    "and does not where the volume does not");
	set(t,
	    "/ws/STRA\xc3\x9f"
	    "E",
	    TRUST_U);
	ok_int(trust_of(t, "/WS/strasse/x"), TRUST_U, "sharp s folds to ss");
	set(t, "/ws/\xc3\x84", TRUST_U);
	ok_int(trust_of(t, "/ws/\xc3\xa4"), TRUST_U, "beyond ASCII");
	set(t, "/ws/\xce\xa3", TRUST_U);
	ok_int(trust_of(t, "/ws/\xcf\x82"), TRUST_U, "final sigma");
	ok_int(trust_of(t, "/ws/srcfoo"), TRUST_NONE, "still by whole components");
	set(t, "/x", TRUST_T);
	set(t, "/x/\xc3\x84", TRUST_U);
	ok_int(trust_of(t, "/x/\xc3\xa4/\xff"), TRUST_U,
	    "a name that is not UTF-8 lifts nothing from under its directory's rule");
	ok_int(trust_of(t, "/X/\xc3\x84/A\xff/B"), TRUST_U, "in the middle neither");
	set(t, "/x/q\xff", TRUST_U);
	ok_int(trust_of(t, "/x/Q\xff"), TRUST_U, "of such a name ASCII folds");
	ok_int(trust_of(t, "/x/Q\xfe"), TRUST_T, "and nothing else");
	set(t, "/ws/SRC", TRUST_U);
	ok_int(trust_of(t, "/WS/Src"), TRUST_U, "another spelling replaces the rule");
	ok_int(trust_count(t), 7, "and makes no second one");
	trust_free(t);
	trust_free(plain);
}

TEST(probe)
{
	char dir[] = "/tmp/bbtrustXXXXXX", upper[sizeof(dir)];

	if (mkdtemp(dir) == NULL) {
		skip("no temporary directory");
		return;
	}
	for (size_t i = 0; i < sizeof(dir); i++)
		upper[i] = i > 4 && dir[i] >= 'a' && dir[i] <= 'z' ? (char)(dir[i] - 32)
		                                                   : dir[i];
	if (access(upper, F_OK) == 0)
		ok(trust_probe(dir), "a volume that folds");
	else
		ok(!trust_probe(dir), "a volume that does not fold");
	rmdir(dir);
	ok(!trust_probe(dir), "what is not there does not fold");
	ok(!trust_probe("/"), "a name without letters: in doubt, no");
}

/* --- effects, decisions, approvals ------------------------------------------------------- */

TEST(effects)
{
	struct trust *t = map(false);

	set(t, "/ws", TRUST_T);
	ok_int(trust_begin(t, "/ws/f"), 0, "an effect begins");
	ok_int(trust_of(t, "/ws/f"), TRUST_U, "what is read meanwhile is U");
	ok_int(trust_begin(t, "/ws/f"), E_STATE, "a second one is contended");
	ok_int(trust_begin(t, "/ws/g"), 0, "one on a sibling is not");
	trust_complete(t, "/ws/f", TRUSTED);
	ok_int(trust_of(t, "/ws/f"), TRUST_T, "a completed trusted write publishes T");
	trust_complete(t, "/ws/g", UNTRUSTED);
	ok_int(trust_of(t, "/ws/g"), TRUST_U, "an untrusted or failed one leaves U");
	ok_int(trust_of(t, "/ws/h"), TRUST_T, "never the parent");
	ok_int(trust_begin(t, "/ws/f"), 0, "it may begin again");
	trust_complete(t, "/ws/f", UNTRUSTED);
	ok_int(trust_of(t, "/ws/f"), TRUST_U, "and lowers");
	trust_complete(t, "/ws/f", TRUSTED);
	ok_int(trust_of(t, "/ws/f"), TRUST_U, "an end without a begin raises nothing");
	trust_complete(t, "/ws/nothing", TRUSTED);
	ok_int(trust_of(t, "/ws/nothing"), TRUST_T, "nor does it make a rule");
	ok_int(trust_count(t), 3, "three rules");
	ok_int(trust_begin(t, "/new/f"), 0, "where no rule covers");
	trust_complete(t, "/new/f", TRUSTED);
	ok_int(trust_of(t, "/new/f"), TRUST_T, "the path gets the data's integrity");
	ok_int(trust_of(t, "/new/g"), TRUST_NONE, "and only the path");
	trust_free(t);
}

static enum trust_word
with_decision(const char *key, enum trust_word w, enum integrity data)
{
	struct trust *t = map(false);
	enum trust_word during, end;

	set(t, "/ws", TRUST_T);
	if (trust_begin(t, "/ws/d/f") != 0)
		abort();
	set(t, key, w);
	during = trust_of(t, "/ws/d/f");
	trust_complete(t, "/ws/d/f", data);
	end = trust_of(t, "/ws/d/f");
	trust_free(t);
	return during == TRUST_U ? end : TRUST_NONE; /* NONE: not U during the write */
}

TEST(decisions_during_an_effect)
{
	ok_int(with_decision("/ws/d/f", TRUST_U, TRUSTED), TRUST_U,
	    "distrusted meanwhile: U");
	ok_int(with_decision("/ws/d", TRUST_U, TRUSTED), TRUST_U, "its directory: U");
	ok_int(with_decision("/ws", TRUST_T, TRUSTED), TRUST_U,
	    "any covering decision: U");
	ok_int(with_decision("/ws/d/f", TRUST_T, UNTRUSTED), TRUST_U,
	    "vouched for meanwhile, and untrusted bytes came: U");
	ok_int(with_decision("/ws/d/f", TRUST_T, TRUSTED), TRUST_U,
	    "vouched for meanwhile: U");
	ok_int(with_decision("/ws/e", TRUST_U, TRUSTED), TRUST_T,
	    "a sibling does not matter");
	ok_int(with_decision("/ws/d/f/x", TRUST_U, TRUSTED), TRUST_T,
	    "nor what is beneath");
}

TEST(approvals)
{
	struct trust *t = map(false);
	uint64_t r;

	set(t, "/ws", TRUST_U);
	r = trust_revision(t, "/ws/d/f");
	ok_int(trust_vouch(t, "/ws/d/f", r), 0, "an unchanged revision is vouched for");
	ok_int(trust_of(t, "/ws/d/f"), TRUST_T, "and trusted");
	ok_int(trust_vouch(t, "/ws/d/f", r), E_CHANGED, "an approval is spent once");

	r = trust_revision(t, "/ws/d/g");
	set(t, "/ws/d", TRUST_U);
	ok_int(trust_vouch(t, "/ws/d/g", r), E_CHANGED,
	    "a decision about an ancestor came between");
	ok_int(trust_of(t, "/ws/d/g"), TRUST_U, "nothing is written then");

	r = trust_revision(t, "/ws/d/g");
	if (trust_begin(t, "/ws/d/g") != 0)
		abort();
	ok_int(trust_vouch(t, "/ws/d/g", r), E_CHANGED, "a write began");
	r = trust_revision(t, "/ws/d/g");
	ok_int(trust_vouch(t, "/ws/d/g", r), E_CHANGED,
	    "nobody vouches for half a write");
	trust_complete(t, "/ws/d/g", UNTRUSTED);
	ok_int(trust_vouch(t, "/ws/d/g", r), E_CHANGED,
	    "what was previewed meanwhile is stale");
	ok_int(trust_vouch(t, "/ws/d/g", trust_revision(t, "/ws/d/g")), 0,
	    "the whole file may be");

	r = trust_revision(t, "/ws/d/h");
	set(t, "/ws/d/sibling", TRUST_U);
	set(t, "/ws/d/h/beneath", TRUST_U);
	ok_int(trust_vouch(t, "/ws/d/h", r), 0,
	    "siblings and what is beneath do not matter");
	trust_free(t);
}

TEST(poison)
{
	struct trust *t = map(false);

	set(t, "/", TRUST_T);
	trust_poison(t);
	ok_int(trust_of(t, "/x"), TRUST_NONE, "a poisoned map answers nothing");
	ok_int(trust_beneath(t, "/"), TRUST_NONE, "beneath neither");
	ok_int(trust_read(t, "/x", NULL), UNTRUSTED, "reads are U");
	set(t, "/x", TRUST_T);
	ok_int(trust_of(t, "/x"), TRUST_NONE, "for good");
	trust_free(t);
}

TAP_MAIN

/* The trust map against its definition written plainly: a script of decisions, effects and
 * questions over few paths. Each byte pair is one step: what, and which path. */
#include <stdlib.h>
#include <string.h>

#include "bin/bb/labels/labels.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

static const char *const paths[] = {"/", "/a", "/A", "/a!", "/a/a", "/a/b", "/a/B",
    "/a!/a", "/ab", "/a/a/a", "/a/a/b", "/a/a!/b", "/b", "/b/a", "/\xc3\xa4/a",
    "/\xc3\x84/a", "/\xc3\xa4", "/\xff/a", "/\xc3\xa4/\xff", "/\xc3\x84/\xff"};
#define N (sizeof(paths) / sizeof(*paths))

/* One entry a path: the oracle knows keys only by their class under folding. */
struct entry {
	enum trust_word w;
	uint64_t version, began;
	bool rule, active;
	/* when the effect in progress began */
	enum trust_word was;
	bool was_rule, was_trusted;
};
static struct entry entries[N];
static uint64_t now;
static bool folds;

static size_t
class_of(size_t k)
{
	static const size_t same[][2] = {{2, 1}, {6, 5}, {15, 14}, {19, 18}};

	for (size_t i = 0; folds && i < sizeof(same) / sizeof(*same); i++)
		if (same[i][0] == k)
			return same[i][1];
	return k;
}

/* The text of a path as compared: only the names above occur. */
static const char *
text_of(size_t k)
{
	return paths[class_of(k)];
}

static bool
covers(const char *dir, const char *path)
{
	size_t len = strlen(dir);
	char folded[32];

	/* A directory spelled otherwise above: /Ä of "/Ä/\xff" is /ä. */
	if (folds && strncmp(path, "/\xc3\x84", 3) == 0) {
		memcpy(folded, path, strlen(path) + 1);
		folded[2] = '\xa4';
		path = folded;
	}
	if (strcmp(dir, "/") == 0)
		return true;
	return strncmp(dir, path, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static enum trust_word
says(const struct entry *e)
{
	return e->active ? TRUST_U : e->w;
}

static enum trust_word
naive_of(size_t k)
{
	enum trust_word w = TRUST_NONE;
	size_t longest = 0;

	for (size_t i = 0; i < N; i++)
		if (class_of(i) == i && entries[i].rule && covers(paths[i], text_of(k)) &&
		    strlen(paths[i]) >= longest) {
			longest = strlen(paths[i]);
			w = says(&entries[i]);
		}
	return w == TRUST_UNDECIDED ? TRUST_NONE : w;
}

static enum trust_word
naive_beneath(size_t k)
{
	enum trust_word w = naive_of(k);

	for (size_t i = 0; i < N && w != TRUST_NONE; i++)
		if (class_of(i) == i && entries[i].rule && covers(text_of(k), paths[i]) &&
		    class_of(k) != i && says(&entries[i]) != TRUST_T)
			w = TRUST_U;
	return w;
}

static uint64_t
naive_revision(size_t k)
{
	uint64_t v = 0;

	for (size_t i = 0; i < N; i++)
		if (class_of(i) == i && covers(paths[i], text_of(k)) &&
		    entries[i].version > v)
			v = entries[i].version;
	return v;
}

static void
must(bool fine)
{
	if (!fine)
		abort();
}

static bool
count(void *arg, const char *key, enum trust_word w, enum trust_by by)
{
	(void)key, (void)w, (void)by;
	++*(size_t *)arg;
	return true;
}

static void
step(struct trust *t, unsigned what, size_t k, unsigned extra)
{
	struct entry *e = &entries[class_of(k)];
	enum trust_word w = (enum trust_word)(1 + extra % 3);
	uint64_t r;
	bool newer, trusted;

	switch (what) {
	case 0:
		must(trust_set(t, paths[k], w, TRUST_BY_PERSON) == 0);
		e->w = w;
		e->version = ++now;
		e->rule = true;
		break;
	case 1:
		trusted = naive_of(k) == TRUST_T;
		must(trust_begin(t, paths[k]) == (e->active ? E_STATE : 0));
		if (!e->active) {
			now++;
			*e = (struct entry){TRUST_U, now, now, true, true, e->w, e->rule,
			    trusted};
		}
		break;
	case 2:
		trust_complete(t, paths[k], extra & 1 ? TRUSTED : UNTRUSTED);
		if (e->active) {
			newer = naive_revision(k) != e->began;
			e->active = false;
			e->w = (extra & 1) && !newer ? TRUST_T : TRUST_U;
			if (e->w == TRUST_T && e->was_trusted) {
				e->w = e->was;
				e->rule = e->was_rule;
			}
			e->version = ++now;
		}
		break;
	case 3:
		r = trust_revision(t, paths[k]) - (extra & 1);
		newer = r != naive_revision(k) || e->active;
		must(trust_vouch(t, paths[k], r) == (newer ? E_CHANGED : 0));
		if (!newer)
			*e = (struct entry){.w = TRUST_T,
			    .version = ++now,
			    .began = e->began,
			    .rule = true};
		break;
	default:
		must(trust_of(t, paths[k]) == naive_of(k));
		must(trust_beneath(t, paths[k]) == naive_beneath(k));
		must(trust_revision(t, paths[k]) == naive_revision(k));
		must((trust_read(t, paths[k], paths[extra % N]) == TRUSTED) ==
		    (naive_of(k) == TRUST_T && naive_of(extra % N) == TRUST_T));
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	struct trust *t;
	size_t rules = 0, seen = 0;

	if (n < 1)
		return 0;
	folds = p[0] & 1;
	now = 0;
	memset(entries, 0, sizeof(entries));
	must(trust_new(folds, &t) == 0);
	for (size_t i = 1; i + 1 < n; i += 2)
		step(t, p[i] % 5, p[i + 1] % N, p[i] / 5);
	for (size_t k = 0; k < N; k++) {
		step(t, 4, k, (unsigned)k / 2);
		rules += class_of(k) == k && entries[k].rule;
	}
	trust_each(t, count, &seen);
	must(seen == rules && trust_count(t) == rules);
	trust_free(t);
	return 0;
}

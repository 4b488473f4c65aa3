/* The trust map and the order of effects over it. Keys are absolute normal paths; the
 * longest whole-component prefix answers; nothing is inferred. Rules are kept sorted by
 * components, so what lies beneath a key lies together. */
#include <stdlib.h>
#include <string.h>

#include "bin/bb/labels/labels_int.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

struct rule {
	char *key;    /* as given, normal */
	char *folded; /* what is compared; key itself where the volume does not fold */
	enum trust_word w;
	enum trust_by by;
	uint64_t version;
	uint64_t began; /* version at which the effect in progress began */
	bool active;    /* an effect on it is in progress: it answers U */
	bool rule;      /* false: made, and nothing decided yet */
	struct {        /* before the effect in progress */
		enum trust_word w;
		enum trust_by by;
		bool rule, trusted;
	} was;
};

/* What a rule that distrusts says of, found by its key. */
struct object {
	const char *key; /* the rule's: rules are never removed */
	struct same_way way;
};

/* Objects looked up: a memory, no part of what the map says. */
struct known {
	struct object *v;
	size_t n;
	uint64_t at; /* the map's clock then */
	bool read;
	unsigned holds; /* trust_hold: what was read stays */
};

struct trust {
	struct rule *at;
	size_t n, room;
	uint64_t clock; /* last version given */
	bool folds, poisoned;
	trust_walk_fn walk; /* NULL: names are all there is */
	void *walk_arg;
	struct known *known;
};

int
trust_new(bool folds, struct trust **out)
{
	if ((*out = calloc(1, sizeof(**out))) == NULL ||
	    ((*out)->known = calloc(1, sizeof(struct known))) == NULL) {
		free(*out);
		*out = NULL;
		return E_NOMEM;
	}
	(*out)->folds = folds;
	return 0;
}

static void
objects_forget(struct known *k)
{
	for (size_t i = 0; i < k->n; i++)
		same_release(&k->v[i].way);
	free(k->v);
	k->v = NULL;
	k->n = 0;
	k->read = false;
}

void
trust_free(struct trust *t)
{
	if (t == NULL)
		return;
	objects_forget(t->known);
	free(t->known);
	for (size_t i = 0; i < t->n; i++) {
		if (t->at[i].folded != t->at[i].key)
			free(t->at[i].folded);
		free(t->at[i].key);
	}
	free(t->at);
	free(t);
}

/* The form that is compared; NULL when memory ran out. */
static char *
fold(const struct trust *t, const char *key)
{
	return t->folds ? fold_key(key) : strdup(key);
}

/* '/' sorts before every other byte, so a directory is followed by what is beneath. */
static int
compare(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	if (*a == *b)
		return 0;
	if (*a == '\0' || *b == '\0')
		return *a == '\0' ? -1 : 1;
	if (*a == '/' || *b == '/')
		return *a == '/' ? -1 : 1;
	return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

/* Whatever is decided while bytes are being replaced, what is read meanwhile is U. */
static enum trust_word
says(const struct rule *r)
{
	return r->active ? TRUST_U : r->w;
}

/* First rule not below `key`. */
static size_t
lower(const struct trust *t, const char *key)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(t->at[mid].folded, key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct rule *
exact(const struct trust *t, const char *key)
{
	size_t i = lower(t, key);

	return i < t->n && strcmp(t->at[i].folded, key) == 0 ? &t->at[i] : NULL;
}

/* The entry for key, made when it is not there. NULL when memory ran out. */
static struct rule *
entry(struct trust *t, const char *key)
{
	char *folded = fold(t, key), *copy;
	struct rule *r;
	size_t i;

	if (folded == NULL)
		return NULL;
	if ((r = exact(t, folded)) != NULL) {
		free(folded);
		return r;
	}
	if (t->n == t->room) {
		size_t room = t->room == 0 ? 16 : 2 * t->room;
		struct rule *at = reallocarray(t->at, room, sizeof(*at));

		if (at == NULL) {
			free(folded);
			return NULL;
		}
		t->at = at;
		t->room = room;
	}
	if ((copy = strdup(key)) == NULL) {
		free(folded);
		return NULL;
	}
	i = lower(t, folded);
	memmove(t->at + i + 1, t->at + i, (t->n - i) * sizeof(*t->at));
	t->n++;
	t->at[i] = (struct rule){.key = copy, .folded = folded};
	return &t->at[i];
}

int
trust_set(struct trust *t, const char *key, enum trust_word w, enum trust_by by)
{
	struct rule *r = entry(t, key);

	if (r == NULL)
		return E_NOMEM;
	r->w = w;
	r->by = by;
	r->rule = true;
	r->version = ++t->clock;
	return 0;
}

/* The longest rule that covers the folded key. */
static const struct rule *
covering(const struct trust *t, const char *folded)
{
	char *key = strdup(folded);
	const struct rule *r = NULL;

	while (key != NULL) {
		char *slash;

		r = exact(t, key);
		if (r != NULL && r->rule)
			break;
		r = NULL;
		slash = strrchr(key, '/');
		if (slash == NULL || strcmp(key, "/") == 0)
			break;
		slash[slash == key ? 1 : 0] = '\0'; /* the root keeps its slash */
	}
	free(key);
	return r;
}

/* What the rules say of this name alone. */
static enum trust_word
by_name(const struct trust *t, const char *key)
{
	char *folded = fold(t, key);
	const struct rule *r =
	    folded != NULL && !t->poisoned ? covering(t, folded) : NULL;

	free(folded);
	return r == NULL || says(r) == TRUST_UNDECIDED ? TRUST_NONE : says(r);
}

/* --- by identity ------------------------------------------------------------------------ */

void
trust_identify(struct trust *t, trust_walk_fn walk, void *arg)
{
	t->walk = walk;
	t->walk_arg = arg;
}

/* The objects of all rules that do not trust. False: they cannot be told. */
static bool
objects(const struct trust *t)
{
	struct known *k = t->known;

	if (k->holds > 0 && k->read && k->at == t->clock)
		return true;
	objects_forget(k);
	for (size_t i = 0; i < t->n; i++) {
		struct object *more;

		if (!t->at[i].rule || says(&t->at[i]) == TRUST_T)
			continue;
		more = reallocarray(k->v, k->n + 1, sizeof(*more));
		if (more == NULL)
			return false;
		k->v = more;
		more += k->n++;
		*more = (struct object){t->at[i].key, SAME_WAY_INIT};
		if (same_walk(-1, more->key, 0, &more->way) != 0)
			return false;
	}
	k->at = t->clock;
	k->read = true;
	return true;
}

static bool
distrusts(const struct trust *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].rule && says(&t->at[i]) != TRUST_T)
			return true;
	return false;
}

/* Every other name that the key's object has by an object of a rule. False: it cannot be
 * told, or fn ended it. */
static bool
other_names(const struct trust *t, const char *key,
    bool (*fn)(void *arg, const char *name), void *arg)
{
	struct same_way way = SAME_WAY_INIT;
	bool fine;

	if (t->walk == NULL || !distrusts(t))
		return true;
	fine = objects(t) && t->walk(t->walk_arg, key, &way) == 0;
	for (size_t i = 0; fine && i < t->known->n; i++) {
		auto_buf struct buf name = BUF_INIT;
		enum same_answer a = same_within(&way, key, &t->known->v[i].way,
		    t->known->v[i].key, &name);

		fine = a == SAME_NO || (a == SAME_YES && fn(arg, buf_cstr(&name)));
	}
	same_release(&way);
	return fine;
}

struct other {
	const struct trust *t;
	struct buf *name; /* the first that is not trusted; may be NULL */
};

static bool
trusted_too(void *arg, const char *name)
{
	struct other *o = arg;

	if (by_name(o->t, name) == TRUST_T)
		return true;
	if (o->name != NULL)
		(void)buf_str(o->name, name);
	return false;
}

enum trust_word
trust_of(const struct trust *t, const char *key)
{
	enum trust_word w = by_name(t, key);
	struct other o = {t, NULL};

	/* SAFE: what was distrusted by one name is so by all. */
	if (w == TRUST_T && !other_names(t, key, trusted_too, &o))
		return TRUST_U;
	return w;
}

bool
trust_distrusted_as(const struct trust *t, const char *key, struct buf *name)
{
	struct other o = {t, name};

	return !other_names(t, key, trusted_too, &o);
}

/* Does what a rule distrusts lie beneath the directory, by any name? */
static bool
holds_distrusted(const struct trust *t, const char *key)
{
	struct same_way way = SAME_WAY_INIT;
	bool yes;

	if (t->walk == NULL || !distrusts(t))
		return false;
	yes = !objects(t) || t->walk(t->walk_arg, key, &way) != 0;
	for (size_t i = 0; !yes && i < t->known->n; i++)
		yes = same_holds(&way, key, &t->known->v[i].way, t->known->v[i].key) !=
		    SAME_NO;
	same_release(&way);
	return yes;
}

void
trust_hold(const struct trust *t, bool on)
{
	if (!on)
		t->known->holds--;
	else if (t->known->holds++ == 0)
		objects_forget(t->known);
}

enum integrity
trust_read(const struct trust *t, const char *spelled, const char *landed)
{
	if (trust_of(t, spelled) != TRUST_T)
		return UNTRUSTED;
	if (landed != NULL && strcmp(spelled, landed) != 0 &&
	    trust_of(t, landed) != TRUST_T)
		return UNTRUSTED;
	return TRUSTED;
}

/* Rules strictly beneath key: [first, end). */
static size_t
beneath(const struct trust *t, const char *folded, size_t *end)
{
	size_t i = lower(t, folded), k;

	if (i < t->n && strcmp(t->at[i].folded, folded) == 0)
		i++;
	for (k = i; k < t->n && path_covers(folded, t->at[k].folded, NULL); k++)
		;
	*end = k;
	return i;
}

enum trust_word
trust_beneath(const struct trust *t, const char *key)
{
	enum trust_word w = trust_of(t, key);
	char *folded;
	size_t end;

	if (w == TRUST_NONE || (folded = fold(t, key)) == NULL)
		return TRUST_NONE;
	for (size_t i = beneath(t, folded, &end); i < end; i++)
		if (t->at[i].rule && says(&t->at[i]) != TRUST_T)
			w = TRUST_U; /* an undecided boundary weakens as a distrusted one does */
	free(folded);
	if (w == TRUST_T && holds_distrusted(t, key))
		w = TRUST_U;
	return w;
}

void
trust_each_beneath(const struct trust *t, const char *key, trust_fn fn, void *arg)
{
	char *folded = fold(t, key);
	size_t end;

	if (folded == NULL)
		return;
	for (size_t i = beneath(t, folded, &end); i < end; i++)
		if (t->at[i].rule && !fn(arg, t->at[i].key, says(&t->at[i]), t->at[i].by))
			break;
	free(folded);
}

void
trust_each(const struct trust *t, trust_fn fn, void *arg)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].rule && !fn(arg, t->at[i].key, says(&t->at[i]), t->at[i].by))
			break;
}

size_t
trust_count(const struct trust *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->at[i].rule;
	return n;
}

/* --- file authority --------------------------------------------------------------------- */

static uint64_t
revision_by_name(const struct trust *t, const char *key)
{
	char *folded = fold(t, key), *slash;
	uint64_t v = 0;

	while (folded != NULL) {
		const struct rule *r = exact(t, folded);

		if (r != NULL && r->version > v)
			v = r->version;
		slash = strrchr(folded, '/');
		if (slash == NULL || strcmp(folded, "/") == 0)
			break;
		slash[slash == folded ? 1 : 0] = '\0';
	}
	free(folded);
	return v;
}

struct revision {
	const struct trust *t;
	uint64_t v;
};

static bool
later(void *arg, const char *name)
{
	struct revision *r = arg;
	uint64_t v = revision_by_name(r->t, name);

	if (v > r->v)
		r->v = v;
	return true;
}

uint64_t
trust_revision(const struct trust *t, const char *key)
{
	struct revision r = {t, revision_by_name(t, key)};

	/* SAFE: where the other names cannot be told, no approval is spent on it. */
	if (!other_names(t, key, later, &r))
		return t->clock + 1;
	return r.v;
}

int
trust_begin(struct trust *t, const char *key)
{
	struct rule *r = entry(t, key);
	bool trusted;

	if (r == NULL)
		return E_NOMEM;
	if (r->active)
		return E_STATE;
	trusted = trust_of(t, key) == TRUST_T;
	r->was.trusted = trusted;
	r->was.w = r->w;
	r->was.by = r->by;
	r->was.rule = r->rule;
	r->active = true;
	r->w = TRUST_U;
	r->by = TRUST_BY_WRITE;
	r->rule = true;
	r->version = r->began = ++t->clock;
	return 0;
}

void
trust_complete(struct trust *t, const char *key, enum integrity i)
{
	char *folded = fold(t, key);
	struct rule *r = folded != NULL ? exact(t, folded) : NULL;
	bool newer;

	free(folded);
	if (r == NULL || !r->active)
		return;
	/* A covering decision since the effect began was not made about these bytes. */
	newer = revision_by_name(t, key) != r->began;
	r->active = false;
	r->w = i == TRUSTED && !newer ? TRUST_T : TRUST_U;
	r->by = TRUST_BY_WRITE;
	/* Trusted bytes in place of trusted ones change nothing: a rule of its own would
	 * outlive what is decided about the directory later. */
	if (r->w == TRUST_T && r->was.trusted) {
		r->w = r->was.w;
		r->by = r->was.by;
		r->rule = r->was.rule;
	}
	/* The end counts as well: what was previewed during the write is stale. */
	r->version = ++t->clock;
}

/* May it be vouched for by this name: no effect on it in progress? */
static bool
at_rest(const struct trust *t, const char *key)
{
	char *folded = fold(t, key);
	const struct rule *r = folded != NULL ? exact(t, folded) : NULL;
	bool yes = folded != NULL && (r == NULL || !r->active);

	free(folded);
	return yes;
}

/* Names, NUL-separated. */
static bool
keep_name(void *arg, const char *name)
{
	return buf_append(arg, name, strlen(name) + 1) == 0;
}

int
trust_vouch(struct trust *t, const char *key, uint64_t revision)
{
	auto_buf struct buf names = BUF_INIT;
	int r;

	if (!at_rest(t, key) || trust_revision(t, key) != revision ||
	    !other_names(t, key, keep_name, &names))
		return E_CHANGED;
	for (size_t i = 0; i < names.len; i += strlen(names.p + i) + 1)
		if (!at_rest(t, names.p + i))
			return E_CHANGED;
	r = trust_set(t, key, TRUST_T, TRUST_BY_VOUCH);
	/* It was this object that was looked at: what distrusts it by another name yields. */
	for (size_t i = 0; r == 0 && i < names.len; i += strlen(names.p + i) + 1)
		if (by_name(t, names.p + i) != TRUST_T)
			r = trust_set(t, names.p + i, TRUST_T, TRUST_BY_VOUCH);
	return r;
}

void
trust_poison(struct trust *t)
{
	t->poisoned = true;
}

/* The trust map and the order of effects over it. Keys are absolute normal paths; the
 * longest whole-component prefix answers; nothing is inferred. Rules are kept sorted by
 * components, so what lies beneath a key lies together. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utf8proc.h>

#include "bin/bb/labels/labels.h"
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
};

struct trust {
	struct rule *at;
	size_t n, room;
	uint64_t clock; /* last version given */
	bool folds, poisoned;
};

int
trust_new(bool folds, struct trust **out)
{
	if ((*out = calloc(1, sizeof(**out))) == NULL)
		return E_NOMEM;
	(*out)->folds = folds;
	return 0;
}

void
trust_free(struct trust *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->n; i++) {
		if (t->at[i].folded != t->at[i].key)
			free(t->at[i].folded);
		free(t->at[i].key);
	}
	free(t->at);
	free(t);
}

bool
trust_probe(const char *directory)
{
	struct stat a, b;
	struct buf other = BUF_INIT;
	const char *base = path_base(directory);
	bool swapped = false, folds;

	(void)buf_append(&other, directory, (size_t)(base - directory));
	for (const char *p = base; *p != '\0'; p++) {
		bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');

		swapped |= letter;
		(void)buf_byte(&other, letter ? (char)(*p ^ 0x20) : *p);
	}
	folds = swapped && !other.failed && stat(directory, &a) == 0 &&
	    stat(buf_cstr(&other), &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino;
	buf_release(&other);
	return folds;
}

/* Append one component as it is compared. What is not UTF-8 folds its ASCII letters only. */
static int
fold_component(const char *p, size_t n, struct buf *out)
{
	utf8proc_uint8_t *folded = NULL;
	utf8proc_ssize_t k = utf8proc_map((const utf8proc_uint8_t *)p,
	    (utf8proc_ssize_t)n, &folded, UTF8PROC_STABLE | UTF8PROC_CASEFOLD);
	int r = 0;

	if (k >= 0)
		r = buf_append(out, folded, (size_t)k);
	else if (k == UTF8PROC_ERROR_NOMEM)
		r = E_NOMEM;
	else
		for (size_t i = 0; i < n && r == 0; i++)
			r = buf_byte(out,
			    p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] | 0x20) : p[i]);
	free(folded);
	return r;
}

/* The form that is compared; NULL when memory ran out. By component: a file name that is
 * not UTF-8 must not lift a path out from under the rule of its directory. */
static char *
fold(const struct trust *t, const char *key)
{
	struct buf b = BUF_INIT;
	char *folded;
	int r = 0;

	if (!t->folds)
		return strdup(key);
	while (r == 0) {
		size_t n = strcspn(key, "/");

		r = fold_component(key, n, &b);
		if (key[n] == '\0')
			break;
		if (r == 0)
			r = buf_byte(&b, '/');
		key += n + 1;
	}
	folded = r == 0 ? buf_take(&b) : NULL;
	buf_release(&b);
	return folded;
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

enum trust_word
trust_of(const struct trust *t, const char *key)
{
	char *folded = fold(t, key);
	const struct rule *r =
	    folded != NULL && !t->poisoned ? covering(t, folded) : NULL;

	free(folded);
	return r == NULL || says(r) == TRUST_UNDECIDED ? TRUST_NONE : says(r);
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

uint64_t
trust_revision(const struct trust *t, const char *key)
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

int
trust_begin(struct trust *t, const char *key)
{
	struct rule *r = entry(t, key);

	if (r == NULL)
		return E_NOMEM;
	if (r->active)
		return E_STATE;
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
	newer = trust_revision(t, key) != r->began;
	r->active = false;
	r->w = i == TRUSTED && !newer ? TRUST_T : TRUST_U;
	r->by = TRUST_BY_WRITE;
	/* The end counts as well: what was previewed during the write is stale. */
	r->version = ++t->clock;
}

int
trust_vouch(struct trust *t, const char *key, uint64_t revision)
{
	char *folded = fold(t, key);
	const struct rule *r = folded != NULL ? exact(t, folded) : NULL;
	bool active = folded == NULL || (r != NULL && r->active);

	free(folded);
	if (active || trust_revision(t, key) != revision)
		return E_CHANGED;
	return trust_set(t, key, TRUST_T, TRUST_BY_VOUCH);
}

void
trust_poison(struct trust *t)
{
	t->poisoned = true;
}

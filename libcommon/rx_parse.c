/* The dialect of search.md 2, as a tree. Trusts nothing: a pattern is a planner's or a
 * person's text. Depth of recursion is bounded by RX_DEPTH_MAX; alternations and
 * sequences are flat. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx_int.h"
#include "libcommon/utf8.h"

const char *const rx_fault_words[] = {"fine", "empty", "long", "list-long", "deep",
    "unclosed-group", "unmatched-paren", "unclosed-class", "nothing-to-repeat",
    "dangling-escape", "unknown-escape", "unsupported-group", "reversed-range",
    "not-utf8", NULL};

struct parser {
	struct arena *a;
	const uint32_t *c; /* the pattern's scalar values */
	size_t n, i;
	bool fold;
	unsigned depth;
	struct rx_error *err;
	/* \d \w \s and their complements, made once */
	const struct rx_set *named[6];
};

/* Items of a branch or an alternation while it is read. */
struct items {
	struct rx_node **v;
	size_t n, room;
};

static struct rx_node *
fail(struct parser *p, enum rx_fault fault, size_t at)
{
	if (p->err->fault == RX_FINE) {
		p->err->fault = fault;
		p->err->at = at;
	}
	return NULL;
}

static struct rx_node *
node(struct parser *p, enum rx_kind kind)
{
	struct rx_node *n = arena_get(p->a, sizeof(*n));

	if (n != NULL)
		n->kind = kind;
	return n;
}

static struct rx_node *
set_node(struct parser *p, const struct rx_set *set)
{
	struct rx_node *n = set != NULL ? node(p, NODE_SET) : NULL;

	if (n != NULL)
		n->set = set;
	return n;
}

static void
push(struct parser *p, struct items *l, struct rx_node *n)
{
	if (l->n == l->room) {
		size_t room = l->room == 0 ? 8 : 2 * l->room;
		struct rx_node **v = arena_get(p->a, room * sizeof(struct rx_node *));

		if (v == NULL)
			return;
		if (l->n > 0)
			memcpy(v, l->v, l->n * sizeof(struct rx_node *));
		l->v = v;
		l->room = room;
	}
	l->v[l->n++] = n;
}

static struct rx_node *
gathered(struct parser *p, enum rx_kind kind, const struct items *l)
{
	struct rx_node *n;

	if (l->n == 1)
		return l->v[0];
	if ((n = node(p, l->n == 0 ? NODE_NULL : kind)) != NULL) {
		n->kid = l->v;
		n->n = l->n;
	}
	return n;
}

/* --- atoms ------------------------------------------------------------------------------- */

static void
add_named(struct rx_ranges *b, uint32_t letter)
{
	struct rx_ranges r = {0};

	switch (letter | 0x20) {
	case 'd':
		ranges_add(&r, '0', '9');
		break;
	case 'w':
		for (size_t i = 0; i < unicode_word_ranges_len; i++)
			ranges_add(&r, unicode_word_ranges[i].first,
			    unicode_word_ranges[i].last);
		break;
	default:
		for (size_t i = 0; i < unicode_space_ranges_len; i++)
			ranges_add(&r, unicode_space_ranges[i].first,
			    unicode_space_ranges[i].last);
		break;
	}
	ranges_settle(&r, letter < 'a');
	for (size_t i = 0; i < r.n; i++)
		ranges_add(b, r.r[i].first, r.r[i].last);
	b->failed |= r.failed;
	free(r.r);
}

static bool
is_named(uint32_t c)
{
	return c == 'd' || c == 'D' || c == 'w' || c == 'W' || c == 's' || c == 'S';
}

static const struct rx_set *
finish(struct parser *p, struct rx_ranges *b, bool negate)
{
	const struct rx_set *s;

	ranges_settle(b, negate);
	s = ranges_set(b, p->a);
	free(b->r);
	return s;
}

static const struct rx_set *
named(struct parser *p, uint32_t letter)
{
	static const char letters[] = "dDwWsS";
	size_t k = (size_t)(strchr(letters, (int)letter) - letters);
	struct rx_ranges b = {0};

	if (p->named[k] == NULL) {
		add_named(&b, letter);
		p->named[k] = finish(p, &b, false);
	}
	return p->named[k];
}

static struct rx_node *
literal(struct parser *p, uint32_t c)
{
	struct rx_ranges b = {0};

	ranges_add(&b, c, c);
	if (p->fold) {
		uint32_t low = unicode_lower(c);

		/* a == c or lower(a) == lower(c) */
		ranges_add(&b, low, low);
		if (low >= 'a' && low <= 'z')
			ranges_add(&b, low - 32, low - 32);
		for (size_t i = 0; i < unicode_lower_pairs_len; i++)
			if (unicode_lower_pairs[i].to == low)
				ranges_add(&b, unicode_lower_pairs[i].from,
				    unicode_lower_pairs[i].from);
	}
	return set_node(p, finish(p, &b, false));
}

/* What `\` and the next character mean as one scalar; i is behind both. False: failed. */
static bool
escaped(struct parser *p, uint32_t *out)
{
	size_t at = p->i - 1;
	uint32_t c;

	if (p->i == p->n) {
		(void)fail(p, RX_DANGLING_ESCAPE, at);
		return false;
	}
	c = p->c[p->i++];
	if (c == 'n' || c == 't' || c == 'r') {
		*out = c == 'n' ? '\n' : c == 't' ? '\t' : '\r';
		return true;
	}
	if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) {
		if (c != 'b' && c != 'B') { /* in a class they are themselves */
			p->err->a = p->err->fault == RX_FINE ? c : p->err->a;
			(void)fail(p, RX_UNKNOWN_ESCAPE, at);
			return false;
		}
	}
	*out = c;
	return true;
}

/* i is behind `[`. */
static struct rx_node *class(struct parser *p)
{
	struct rx_ranges b = {0};
	size_t at = p->i - 1;
	bool negate = p->i < p->n && p->c[p->i] == '^', first = true;

	p->i += negate;
	for (;; first = false) {
		uint32_t c, last;

		if (p->i == p->n)
			goto unclosed;
		c = p->c[p->i++];
		if (c == ']' && !first)
			break;
		if (c == '\\' && p->i < p->n && is_named(p->c[p->i])) {
			add_named(&b, p->c[p->i++]);
			continue;
		}
		if (c == '\\' && !escaped(p, &c))
			goto failed;
		last = c;
		/* A range, unless the `-` is last or stands next to a set. */
		if (p->i + 1 < p->n && p->c[p->i] == '-' && p->c[p->i + 1] != ']' &&
		    !(p->c[p->i + 1] == '\\' && p->i + 2 < p->n &&
		        is_named(p->c[p->i + 2]))) {
			p->i++;
			last = p->c[p->i++];
			if (last == '\\' && !escaped(p, &last))
				goto failed;
			if (last < c) {
				if (p->err->fault == RX_FINE) {
					p->err->a = c;
					p->err->b = last;
				}
				(void)fail(p, RX_REVERSED_RANGE, at);
				goto failed;
			}
		}
		ranges_add(&b, c, last);
	}
	if (p->fold)
		ranges_fold(&b);
	return set_node(p, finish(p, &b, negate));
unclosed:
	(void)fail(p, RX_UNCLOSED_CLASS, at);
failed:
	free(b.r);
	return NULL;
}

static struct rx_node *
any(struct parser *p)
{
	struct rx_ranges b = {0};

	return set_node(p, finish(p, &b, true));
}

/* --- groups and sequences ------------------------------------------------------------------ */

static struct rx_node *alternation(struct parser *p, bool inside);

/* `(?`: 1 flags alone, 2 the head of a group, 0 failed; i is behind it. */
static int
group_head(struct parser *p, size_t at, bool *fold)
{
	bool on = false, off = false, minus = false;

	for (p->i++; p->i < p->n; p->i++) {
		uint32_t c = p->c[p->i];

		if (c == 'i') {
			*fold = !minus;
			on |= !minus;
			off |= minus;
		} else if (c == '-' && !minus) {
			minus = true;
		} else if (c == ')' && (minus ? off : on)) {
			p->i++;
			return 1;
		} else if (c == ':' && (minus ? off : true)) {
			p->i++;
			return 2;
		} else {
			(void)fail(p, RX_UNSUPPORTED_GROUP, at);
			return 0;
		}
	}
	(void)fail(p, RX_UNCLOSED_GROUP, at);
	return 0;
}

/* i is behind `(`. *repeatable is false for flags alone. */
static struct rx_node *
group(struct parser *p, bool *repeatable)
{
	size_t at = p->i - 1;
	bool outer = p->fold, inner = p->fold;
	struct rx_node *n;

	if (p->i < p->n && p->c[p->i] == '?') {
		int head = group_head(p, at, &inner);

		if (head == 0)
			return NULL;
		if (head == 1) {
			p->fold = inner;
			*repeatable = false;
			return node(p, NODE_NULL);
		}
	}
	if (++p->depth > RX_DEPTH_MAX)
		return fail(p, RX_DEEP, at);
	p->fold = inner;
	if ((n = alternation(p, true)) == NULL)
		return NULL;
	if (p->i == p->n)
		return fail(p, RX_UNCLOSED_GROUP, at);
	p->i++; /* ) */
	p->fold = outer;
	p->depth--;
	return n;
}

static struct rx_node *
atom(struct parser *p, bool *repeatable)
{
	size_t at = p->i;
	uint32_t c = p->c[p->i++];

	*repeatable = true;
	switch (c) {
	case '(':
		return group(p, repeatable);
	case '[':
		return class(p);
	case '.':
		return any(p);
	case '^':
	case '$':
		*repeatable = false;
		return node(p, c == '^' ? NODE_BOL : NODE_EOL);
	case '*':
	case '+':
	case '?':
		return fail(p, RX_NOTHING_TO_REPEAT, at);
	case '\\':
		if (p->i < p->n && is_named(p->c[p->i]))
			return set_node(p, named(p, p->c[p->i++]));
		if (p->i < p->n && (p->c[p->i] == 'b' || p->c[p->i] == 'B')) {
			*repeatable = false;
			return node(p, p->c[p->i++] == 'b' ? NODE_WORDB : NODE_NWORDB);
		}
		return escaped(p, &c) ? literal(p, c) : NULL;
	default:
		return literal(p, c);
	}
}

/* Repeats of repeats are one: (x+)+ is x+, everything else of two is x*, x?? is x?. */
static struct rx_node *
repeated(struct parser *p, struct rx_node *n, uint32_t c)
{
	enum rx_kind kind = c == '*' ? NODE_STAR : c == '+' ? NODE_PLUS : NODE_OPT;
	struct rx_node *out;

	if (n->kind == NODE_NULL)
		return n;
	if ((out = node(p, kind)) == NULL)
		return NULL;
	if (n->kind == NODE_STAR || n->kind == NODE_PLUS || n->kind == NODE_OPT) {
		if (n->kind != kind)
			out->kind = NODE_STAR;
		out->kid = n->kid;
		out->n = 1;
		return out;
	}
	if ((out->kid = arena_get(p->a, sizeof(struct rx_node *))) != NULL)
		out->kid[0] = n;
	out->n = 1;
	return out;
}

static struct rx_node *
branch(struct parser *p)
{
	struct items l = {0};

	while (p->i < p->n && p->c[p->i] != '|' && p->c[p->i] != ')') {
		bool repeatable;
		size_t at = p->i;
		struct rx_node *n = atom(p, &repeatable);

		if (n == NULL || p->a->failed)
			return NULL;
		for (; p->i < p->n; p->i++) {
			uint32_t c = p->c[p->i];

			if (c != '*' && c != '+' && c != '?')
				break;
			if (!repeatable)
				return fail(p, RX_NOTHING_TO_REPEAT, at);
			if ((n = repeated(p, n, c)) == NULL)
				return NULL;
		}
		if (n->kind == NODE_CAT)
			for (size_t k = 0; k < n->n; k++)
				push(p, &l, n->kid[k]);
		else if (n->kind != NODE_NULL)
			push(p, &l, n);
	}
	return gathered(p, NODE_CAT, &l);
}

static struct rx_node *
alternation(struct parser *p, bool inside)
{
	struct items l = {0};

	for (;;) {
		struct rx_node *n = branch(p);

		if (n == NULL)
			return NULL;
		if (n->kind == NODE_ALT)
			for (size_t k = 0; k < n->n; k++)
				push(p, &l, n->kid[k]);
		else
			push(p, &l, n);
		if (p->i == p->n || p->c[p->i] == ')')
			break;
		p->i++; /* | */
	}
	if (p->i < p->n && !inside)
		return fail(p, RX_UNMATCHED_PAREN, p->i);
	return p->a->failed ? NULL : gathered(p, NODE_ALT, &l);
}

/* --- a boolean answer needs less ------------------------------------------------------------- */

/* At the left end of an unanchored search x*Y is Y and x+Y is xY; at the right end the
 * same mirrored. */
static struct rx_node *
trim(struct parser *p, struct rx_node *n)
{
	for (;;) {
		struct rx_node *out;

		if (n->kid == NULL)
			return n;
		switch (n->kind) {
		case NODE_STAR:
		case NODE_OPT:
			return node(p, NODE_NULL);
		case NODE_PLUS:
			n = n->kid[0];
			continue;
		case NODE_ALT:
			for (size_t k = 0; k < n->n; k++)
				if ((n->kid[k] = trim(p, n->kid[k])) == NULL)
					return NULL;
			return n;
		case NODE_CAT: {
			size_t first = 0, end = n->n;
			struct rx_node *left, *right;

			while (first < end &&
			    (n->kid[first]->kind == NODE_STAR ||
			        n->kid[first]->kind == NODE_OPT))
				first++;
			while (end > first &&
			    (n->kid[end - 1]->kind == NODE_STAR ||
			        n->kid[end - 1]->kind == NODE_OPT))
				end--;
			if (first == end)
				return node(p, NODE_NULL);
			left = n->kid[first];
			right = n->kid[end - 1];
			if (left->kind != NODE_PLUS && right->kind != NODE_PLUS) {
				n->kid += first;
				n->n = end - first;
				if (n->n == 1) {
					n = n->kid[0];
					continue;
				}
				return n;
			}
			/* x+ at an end is x there, and x may itself be a sequence. */
			struct items l = {0};

			for (size_t k = first; k < end; k++) {
				struct rx_node *kid = n->kid[k];

				if ((k == first || k == end - 1) &&
				    kid->kind == NODE_PLUS)
					kid = kid->kid[0];
				if (kid->kind == NODE_CAT)
					for (size_t m = 0; m < kid->n; m++)
						push(p, &l, kid->kid[m]);
				else
					push(p, &l, kid);
			}
			if ((out = gathered(p, NODE_CAT, &l)) == NULL)
				return NULL;
			n = out;
			continue;
		}
		case NODE_NULL:
		case NODE_SET:
		case NODE_BOL:
		case NODE_EOL:
		case NODE_WORDB:
		case NODE_NWORDB:
			return n;
		}
	}
}

/* --- the list ----------------------------------------------------------------------------------- */

static int
one(struct parser *p, const struct rx_text *t, uint32_t *scalars, size_t *total,
    struct rx_node **out)
{
	const unsigned char *s = (const unsigned char *)t->p;
	size_t n = 0;

	for (size_t at = 0; at < t->n;) {
		int len = utf8_next(s + at, t->n - at, &scalars[n]);

		if (len == 0) {
			(void)fail(p, RX_NOT_UTF8, n);
			return E_BAD;
		}
		at += (size_t)len;
		if (++n > RX_PATTERN_MAX) {
			(void)fail(p, RX_LONG, 0);
			return E_BAD;
		}
	}
	*total += n;
	if (n == 0 || *total > RX_TOTAL_MAX) {
		(void)fail(p, n == 0 ? RX_EMPTY : RX_LIST_LONG, 0);
		return E_BAD;
	}
	p->c = scalars;
	p->n = n;
	p->i = 0;
	p->depth = 0;
	*out = alternation(p, false);
	return *out != NULL ? 0 : p->a->failed ? E_NOMEM : E_BAD;
}

int
rx_parse(const struct rx_text *pattern, size_t n, unsigned flags, struct arena *a,
    struct rx_node **out, struct rx_error *err)
{
	struct parser p = {.a = a, .err = err};
	struct items l = {0};
	uint32_t *scalars = arena_get(a, (RX_PATTERN_MAX + 1) * sizeof(*scalars));
	size_t total = 0;
	int r;

	memset(err, 0, sizeof(*err));
	if (scalars == NULL)
		return E_NOMEM;
	if (n == 0 || n > RX_LIST_MAX) {
		err->fault = n == 0 ? RX_EMPTY : RX_LIST_LONG;
		return E_BAD;
	}
	for (size_t i = 0; i < n; i++) {
		struct rx_node *one_node;

		err->which = i;
		p.fold = (flags & RX_NOCASE) != 0;
		if ((r = one(&p, &pattern[i], scalars, &total, &one_node)) != 0)
			return r;
		if (one_node->kind == NODE_ALT)
			for (size_t k = 0; k < one_node->n; k++)
				push(&p, &l, one_node->kid[k]);
		else
			push(&p, &l, one_node);
	}
	if (a->failed || (*out = gathered(&p, NODE_ALT, &l)) == NULL ||
	    (*out = trim(&p, *out)) == NULL)
		return E_NOMEM;
	return a->failed ? E_NOMEM : 0;
}

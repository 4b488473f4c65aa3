/* Foreign bytes made visible. Trusts nobody: what comes out holds no byte that moves
 * a cursor, no sign that reorders, hides or pads, and no sign this table of Unicode
 * does not know. A name printed here can be told from every other name: what an
 * escape looks like is itself escaped. */
#include "bin/bb/ui/ui_int.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "libcommon/utf8.h"

/* More marks than this on one letter climb over the rows above and below. */
#define MARKS_MOST 4
/* A run of this many ASCII blanks in a name is drawn, as are those at its ends. Our own
 * words stand four blanks behind a name, so a name cannot imitate them. */
#define BLANK_RUN 3

struct range {
	uint32_t lo, hi;
};

static bool
in_ranges(uint32_t cp, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= r[i].lo && cp <= r[i].hi)
			return true;
	return false;
}
#define IN(cp, table) in_ranges((cp), (table), sizeof(table) / sizeof(table)[0])

/* Default_Ignorable_Code_Point of every plane, in whole blocks where Unicode keeps the
 * block for such signs. Stated here as well as in utf8proc: a gap in one of the two
 * must not be a hole. */
static const struct range ignorable[] = {{0x00ad, 0x00ad}, {0x034f, 0x034f},
    {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

/* Drawn differently from terminal to terminal: syllables joined of parts, flags made of
 * two letters, skin tones. */
static const struct range unsure[] = {{0x1161, 0x11ff}, {0xd7b0, 0xd7ff},
    {0x1f1e6, 0x1f1ff}, {0x1f3fb, 0x1f3ff}};

static bool
is_emoji(uint32_t cp)
{
	return cp >= 0x80 &&
	    utf8proc_get_property((utf8proc_int32_t)cp)->boundclass ==
	    UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

static bool
is_mark(uint32_t cp)
{
	utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);

	return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME;
}

static bool
is_letterlike(uint32_t cp)
{
	utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);

	return c != UTF8PROC_CATEGORY_CN && c != UTF8PROC_CATEGORY_CC &&
	    c != UTF8PROC_CATEGORY_CF && c != UTF8PROC_CATEGORY_CS &&
	    c != UTF8PROC_CATEGORY_CO && c != UTF8PROC_CATEGORY_ZS &&
	    c != UTF8PROC_CATEGORY_ZL && c != UTF8PROC_CATEGORY_ZP;
}

/* May cp be printed as itself at all, whatever stands around it? Non-ASCII only. */
static bool
printable(uint32_t cp)
{
	const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);

	if ((cp & 0xfffe) == 0xfffe || (cp >= 0xfdd0 && cp <= 0xfdef))
		return false;
	if (!is_letterlike(cp) || p->ignorable || IN(cp, ignorable))
		return false;
	return is_mark(cp) || utf8proc_charwidth((utf8proc_int32_t)cp) > 0 ||
	    IN(cp, unsure);
}

int
safe_width(uint32_t cp)
{
	if (cp >= 0x20 && cp < 0x7f)
		return 1;
	if (cp < 0xa0 || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return -1;
	if (IN(cp, unsure))
		return -1;
	if (IN(cp, ignorable))
		return cp == 0xad ? 1 : 0;
	if (!is_letterlike(cp))
		return utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_ZS
		    ? (cp == 0x3000 ? 2 : 1)
		    : -1;
	return utf8proc_charwidth((utf8proc_int32_t)cp);
}

struct scan
scan_of(const char *p, size_t n, enum scan_kind kind, bool utf8)
{
	return (struct scan){.p = p, .n = n, .kind = kind, .utf8 = utf8};
}

static void
atom_bytes(struct atom *a, const char *p, size_t n, unsigned width)
{
	memcpy(a->s, p, n);
	a->len = (unsigned char)n;
	a->width = (unsigned char)width;
}

static void
atom_text(struct atom *a, const char *s, int n)
{
	atom_bytes(a, s, (size_t)n, (unsigned)n);
	a->escape = true;
}

/* <U+202E> */
static void
atom_code(struct atom *a, uint32_t cp)
{
	char s[16];

	atom_text(a, s, snprintf(s, sizeof s, "<U+%04X>", cp));
}

/* <FF>: a byte that is no UTF-8 */
static void
atom_octet(struct atom *a, uint32_t byte)
{
	char s[8];

	atom_text(a, s, snprintf(s, sizeof s, "<%02X>", byte & 0xff));
}

static void
atom_picture(struct scan *s, struct atom *a, uint32_t cp)
{
	char u[4];

	if (!s->utf8) {
		atom_code(a, cp);
		return;
	}
	atom_bytes(a, u, (size_t)utf8_put(cp == 0x7f ? 0x2421 : 0x2400 + cp, u), 1);
	a->escape = true;
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* Does a name spell out what an escape would look like here? */
static bool
spells_escape(const char *p, size_t n)
{
	size_t digits = 0, from = 1;

	if (n > 3 && p[1] == 'U' && p[2] == '+')
		from = 3;
	while (from + digits < n && digits < 7 && is_hex(p[from + digits]))
		digits++;
	if (from + digits >= n || p[from + digits] != '>')
		return false;
	return from == 3 ? digits >= 4 : digits == 2;
}

static bool
blank_shows(const struct scan *s)
{
	size_t from = s->at, to = s->at + 1;

	while (from > 0 && s->p[from - 1] == ' ' && s->at - from < BLANK_RUN)
		from--;
	while (to < s->n && s->p[to] == ' ' && to - s->at < BLANK_RUN)
		to++;
	return from == 0 || to == s->n || to - from >= BLANK_RUN;
}

static void
ascii_atom(struct scan *s, struct atom *a, unsigned char c)
{
	static const char blanks[] = "        ";

	if (c == '\t' && s->kind == SCAN_TEXT) {
		unsigned w = 8 - (unsigned)(s->column % 8);

		atom_bytes(a, blanks, w, w);
	} else if (c < 0x20 || c == 0x7f) {
		atom_picture(s, a, c);
	} else if (s->kind == SCAN_NAME && c == ' ' && blank_shows(s)) {
		atom_picture(s, a, c);
	} else if (s->kind == SCAN_NAME && c == '<' &&
	    spells_escape(s->p + s->at, s->n - s->at)) {
		atom_code(a, c);
	} else {
		atom_bytes(a, (const char *)&c, 1, 1);
		a->blank = c == ' ';
	}
}

/* Is there a blank of any kind beside the scalar of `len` bytes at s->at? */
static bool
beside_blank(const struct scan *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s->p + s->at + len;
	uint32_t cp;

	if (s->at > 0 && s->base == 0)
		return true;
	if (s->at > 0 &&
	    (s->base == ' ' || s->base == 0xa0 || s->base == 0x202f || s->base == 0x3000))
		return true;
	if (s->at + len >= s->n)
		return true;
	if (*p == ' ' || *p == '\t')
		return true;
	return utf8_next(p, s->n - s->at - len, &cp) > 1 &&
	    utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_ZS;
}

static bool
shown_as_is(const struct scan *s, uint32_t cp, size_t len)
{
	if ((cp == 0xfe0e || cp == 0xfe0f) && s->marks == 0 && is_emoji(s->base))
		return true;
	/* Single ones are ordinary in French and Japanese text; a name has no use for
	 * them, and wider ones pad. */
	if (cp == 0xa0 || cp == 0x202f || cp == 0x3000)
		return s->kind != SCAN_NAME && !beside_blank(s, len);
	if (!printable(cp))
		return false;
	if (is_mark(cp))
		return s->base > ' ' && s->marks < MARKS_MOST;
	/* Pictures of control characters would pass for escapes. */
	return s->kind != SCAN_NAME || cp < 0x2400 || cp > 0x2426;
}

/* Signs our own words use, in a terminal that has ASCII only. */
static const char *
plain_sign(uint32_t cp)
{
	switch (cp) {
	case 0xb7:
		return "-";
	case 0x2026:
		return "...";
	case 0x2192:
		return "->";
	case 0x2500:
		return "-";
	case 0x2502:
		return "|";
	case 0x250a:
		return ":";
	case 0x25b8:
		return ">";
	case 0x23ce:
		return "newline";
	default:
		return NULL;
	}
}

static void
wide_atom(struct scan *s, struct atom *a, uint32_t cp, size_t len)
{
	const char *sign;
	utf8proc_propval_t dir;
	int w;

	if (!s->utf8 && s->kind == SCAN_OURS && (sign = plain_sign(cp)) != NULL) {
		atom_bytes(a, sign, strlen(sign), (unsigned)strlen(sign));
		return;
	}
	if (!s->utf8 || !shown_as_is(s, cp, len)) {
		atom_code(a, cp);
		return;
	}
	w = safe_width(cp);
	if (cp == 0xfe0f)
		/* asks for the wide picture: counted as granted */
		w = safe_width(s->base) == 1 ? 1 : 0;
	dir = utf8proc_get_property((utf8proc_int32_t)cp)->bidi_class;
	a->unknown = w < 0 || cp == 0xfe0f || dir == UTF8PROC_BIDI_CLASS_R ||
	    dir == UTF8PROC_BIDI_CLASS_AL || dir == UTF8PROC_BIDI_CLASS_AN;
	atom_bytes(a, s->p + s->at, len, w < 0 ? 2 : (unsigned)w);
}

bool
scan_next(struct scan *s, struct atom *a)
{
	const unsigned char *p = (const unsigned char *)s->p + s->at;
	uint32_t cp;
	int len;

	*a = (struct atom){0};
	if (s->at >= s->n)
		return false;
	len = utf8_next(p, s->n - s->at, &cp);
	if (len == 0)
		atom_octet(a, cp);
	else if (cp < 0x80)
		ascii_atom(s, a, (unsigned char)cp);
	else
		wide_atom(s, a, cp, (size_t)len);
	s->at += len == 0 ? 1 : (size_t)len;
	s->column += a->width;
	if (a->escape) {
		s->base = 0;
		s->marks = 0;
	} else if (cp >= 0x80 && (is_mark(cp) || cp == 0xfe0e || cp == 0xfe0f)) {
		s->marks++;
	} else {
		s->base = cp == '\t' ? ' ' : cp;
		s->marks = 0;
	}
	return true;
}

void
safe_put(const char *p, size_t n, enum safe_kind kind, const struct look *l,
    struct buf *out)
{
	struct scan s = scan_of(p, n, (enum scan_kind)kind, l->utf8);
	struct atom a;

	while (scan_next(&s, &a))
		put_atom(l, &a, out);
}

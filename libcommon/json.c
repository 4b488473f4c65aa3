/* The one strict JSON reader, over jansson, and jq-style access by path. A scan of our
 * own first refuses what jansson would take or fold: depth, NUL, lone surrogates. */
#include "libcommon/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/utf8.h"

static const char too_deep[] = "nested deeper than 32", has_nul[] = "holds a NUL",
                  not_utf8[] = "not valid UTF-8", lone[] = "a lone surrogate",
                  not_json[] = "not valid JSON", twice[] = "duplicate member";

static int
hex4(const char *p, size_t n, unsigned *out)
{
	*out = 0;
	if (n < 4)
		return 0;
	for (size_t i = 0; i < 4; i++) {
		char c = p[i];
		unsigned v = c >= '0' && c <= '9' ? (unsigned)(c - '0')
		    : c >= 'a' && c <= 'f'        ? (unsigned)(c - 'a') + 10
		    : c >= 'A' && c <= 'F'        ? (unsigned)(c - 'A') + 10
		                                  : 16;

		if (v == 16)
			return 0;
		*out = *out << 4 | v;
	}
	return 1;
}

/* Escapes of one string body beginning at *at (after the quote); moves past its end. */
static const char *
scan_string(const char *p, size_t n, size_t *at)
{
	size_t i = *at;

	while (i < n && p[i] != '"') {
		unsigned u, low;

		if (p[i] != '\\') {
			i++;
			continue;
		}
		if (i + 1 < n && p[i + 1] == 'u' && hex4(p + i + 2, n - i - 2, &u)) {
			if (u == 0)
				return has_nul;
			if (u >= 0xdc00 && u <= 0xdfff)
				return lone;
			if (u >= 0xd800 && u <= 0xdbff) {
				if (i + 11 >= n || p[i + 6] != '\\' || p[i + 7] != 'u' ||
				    !hex4(p + i + 8, n - i - 8, &low) || low < 0xdc00 ||
				    low > 0xdfff)
					return lone;
				i += 6;
			}
			i += 6;
		} else {
			i += 2;
		}
	}
	*at = i < n ? i + 1 : n;
	return NULL;
}

static const char *
scan(const char *p, size_t n)
{
	size_t depth = 0;

	if (memchr(p, '\0', n) != NULL)
		return has_nul;
	if (utf8_valid(p, n) != n)
		return not_utf8;
	for (size_t i = 0; i < n;) {
		char c = p[i++];

		if (c == '"') {
			const char *bad = scan_string(p, n, &i);

			if (bad != NULL)
				return bad;
		} else if (c == '{' || c == '[') {
			if (++depth > JSON_DEPTH)
				return too_deep;
		} else if ((c == '}' || c == ']') && depth > 0) {
			depth--;
		}
	}
	return NULL;
}

#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)

static size_t
digits(const char *p)
{
	return strspn(p, "0123456789");
}

/* Is <p, n> a number by the grammar, and one that jansson has no room for? */
static bool
too_wide(const char *p, size_t n)
{
	size_t at = p[0] == '-', len = digits(p + at);
	bool real = p[at + len] == '.' || p[at + len] == 'e' || p[at + len] == 'E';
	double d = 0;

	if (len == 0 || (len > 1 && p[at] == '0'))
		return false;
	at += len;
	if (p[at] == '.') {
		if ((len = digits(p + at + 1)) == 0)
			return false;
		at += 1 + len;
	}
	if (p[at] == 'e' || p[at] == 'E') {
		at += 1 + (p[at + 1] == '-' || p[at + 1] == '+');
		if ((len = digits(p + at)) == 0)
			return false;
		at += len;
	}
	if (at != n)
		return false;
	errno = 0;
	if (real)
		d = strtod(p, NULL);
	else
		(void)strtoll(p, NULL, 10);
	/* Too small for a double is not too wide. */
	return errno == ERANGE && (!real || d > 1 || d < -1);
}

/* Once more, with each number that was too wide as one that is out of every range. */
static json_t *
load_wide(const char *p, size_t n, json_error_t *e)
{
	auto_buf struct buf in = BUF_INIT, out = BUF_INIT;
	size_t from = 0;

	if (buf_append(&in, p, n) != 0) /* for its NUL at the end */
		return NULL;
	for (size_t i = 0; i < n;) {
		size_t len = strspn(in.p + i, "+-.0123456789eE");

		if (in.p[i] == '"') {
			i++;
			(void)scan_string(in.p, n, &i);
		} else if (in.p[i] != '-' && (in.p[i] < '0' || in.p[i] > '9')) {
			i++;
		} else {
			if (too_wide(in.p + i, len)) {
				(void)buf_append(&out, in.p + from, i - from);
				(void)buf_str(&out, in.p[i] == '-' ? "-1e308" : "1e308");
				from = i + len;
			}
			i += len;
		}
	}
	if (buf_append(&out, in.p + from, n - from) != 0)
		return NULL;
	return json_loadb(out.p, out.len, FLAGS, e);
}

int
json_whole(const json_t *v, int64_t *out)
{
	double d = json_number_value(v);

	*out = 0;
	if (!json_is_number(v))
		return E_TYPE;
	if (json_is_integer(v)) {
		*out = json_integer_value(v);
		return 0;
	}
	if (d < -0x1p63 || d >= 0x1p63)
		return E_RANGE;
	if ((double)(int64_t)d != d)
		return E_TYPE;
	*out = (int64_t)d;
	return 0;
}

int
json_parse(const char *p, size_t n, json_t **out, const char **why)
{
	json_error_t e;
	const char *bad = n > 0 ? scan(p, n) : not_json, *unused;

	if (why == NULL)
		why = &unused;
	*out = NULL;
	*why = NULL;
	if (bad == NULL) {
		*out = json_loadb(p, n, FLAGS, &e);
		if (*out == NULL && json_error_code(&e) == json_error_numeric_overflow)
			*out = load_wide(p, n, &e);
		if (*out != NULL)
			return 0;
		if (json_error_code(&e) == json_error_duplicate_key) {
			*why = twice;
			return E_DUP;
		}
		if (json_error_code(&e) == json_error_out_of_memory) {
			*why = err_text(E_NOMEM);
			return E_NOMEM;
		}
		bad = not_json;
	}
	*why = bad;
	return E_BAD;
}

/* One step of a path from v; *p moves past it. NULL with *p NULL: malformed. */
static json_t *
step(const json_t *v, const char **p)
{
	const char *s = *p;
	char key[256];
	size_t n = 0;
	json_t *next = NULL;

	if (*s == '[') {
		char *end;
		unsigned long i = strtoul(s + 1, &end, 10);

		if (end == s + 1 || *end != ']' || s[1] < '0' || s[1] > '9') {
			*p = NULL;
			return NULL;
		}
		next = json_array_get(v, i);
		s = end + 1;
	} else if (*s == '.' && s[1] == '"') {
		for (s += 2; *s != '\0' && *s != '"' && n + 1 < sizeof(key); s++) {
			if (*s == '\\' && s[1] != '\0')
				s++;
			key[n++] = *s;
		}
		if (*s != '"') {
			*p = NULL;
			return NULL;
		}
		key[n] = '\0';
		next = json_object_get(v, key);
		s++;
	} else if (*s == '.') {
		n = strcspn(s + 1, ".[?");
		if (n == 0 || n >= sizeof(key)) {
			*p = NULL;
			return NULL;
		}
		memcpy(key, s + 1, n);
		key[n] = '\0';
		next = json_object_get(v, key);
		s += 1 + n;
	} else {
		*p = NULL;
		return NULL;
	}
	*p = s + (*s == '?');
	return next;
}

json_t *
json_at(const json_t *v, const char *path)
{
	const char *p = path;

	if (strcmp(path, ".") == 0)
		return (json_t *)(uintptr_t)v;
	if (*p == '\0')
		return NULL;
	if (*p == '.' && p[1] == '[') /* .[0] is jq's way of writing [0] */
		p++;
	while (v != NULL && *p != '\0') {
		v = step(v, &p);
		if (p == NULL)
			return NULL;
	}
	return (json_t *)(uintptr_t)v;
}

int
json_get_str(const json_t *v, const char *path, const char **out)
{
	json_t *x = json_at(v, path);

	*out = NULL;
	if (x == NULL || json_is_null(x))
		return E_MISSING;
	if (!json_is_string(x))
		return E_TYPE;
	*out = json_string_value(x);
	return 0;
}

int
json_get_int(const json_t *v, const char *path, int64_t min, int64_t max, int64_t *out)
{
	json_t *x = json_at(v, path);

	*out = 0;
	if (x == NULL || json_is_null(x))
		return E_MISSING;
	if (!json_is_integer(x))
		return E_TYPE;
	if (json_integer_value(x) < min || json_integer_value(x) > max)
		return E_RANGE;
	*out = json_integer_value(x);
	return 0;
}

int
json_get_bool(const json_t *v, const char *path, bool *out)
{
	json_t *x = json_at(v, path);

	*out = false;
	if (x == NULL || json_is_null(x))
		return E_MISSING;
	if (!json_is_boolean(x))
		return E_TYPE;
	*out = json_is_true(x);
	return 0;
}

static void
escape(uint32_t cp, struct buf *out)
{
	static const char digits[] = "0123456789ABCDEF";
	char esc[6] = {'\\', 'u', digits[cp >> 12], digits[cp >> 8 & 15],
	    digits[cp >> 4 & 15], digits[cp & 15]};

	(void)buf_append(out, esc, sizeof(esc));
}

static uint64_t
each(uint64_t byte)
{
	return UINT64_C(0x0101010101010101) * byte;
}

/* The top bit of each byte that is zero; a byte above such a one may show its own too. */
static uint64_t
zeros(uint64_t w)
{
	return (w - each(1)) & ~w;
}

/* How far <p, n> is printable ASCII without quote and backslash, in eights: long texts
 * are mostly that. */
static size_t
plain_run(const char *p, size_t n)
{
	size_t at = 0;
	uint64_t w;

	for (; at + sizeof(w) <= n; at += sizeof(w)) {
		memcpy(&w, p + at, sizeof(w));
		if (((w | ((w - each(0x20)) & ~w) | zeros(w ^ each('"')) |
		         zeros(w ^ each('\\')) | zeros(w ^ each(0x7f))) &
		        each(0x80)) != 0)
			break;
	}
	return at;
}

int
json_quote(const char *p, size_t n, struct buf *out)
{
	static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	size_t from = 0, at = 0;

	(void)buf_byte(out, '"');
	while ((at += plain_run(p + at, n - at)) < n) {
		uint32_t cp;
		int len = utf8_next((const unsigned char *)p + at, n - at, &cp);
		const char *as = cp != 0 && cp < 0x80 ? strchr(named, (int)cp) : NULL;

		if (len > 0 && as == NULL && !utf8_steers(cp)) {
			at += (size_t)len;
			continue;
		}
		(void)buf_append(out, p + from, at - from);
		if (len == 0) {
			(void)buf_str(out, "\xef\xbf\xbd");
		} else if (as != NULL) {
			(void)buf_byte(out, '\\');
			(void)buf_byte(out, names[as - named]);
		} else {
			escape(cp, out);
		}
		from = at += len > 0 ? (size_t)len : 1;
	}
	(void)buf_append(out, p + from, n - from);
	return buf_byte(out, '"') == 0 ? 0 : E_NOMEM;
}

static void print(const json_t *v, struct buf *out);

static void
members(json_t *v, struct buf *out)
{
	bool first = true;

	(void)buf_byte(out, '{');
	for (void *i = json_object_iter(v); i != NULL; i = json_object_iter_next(v, i)) {
		if (!first)
			(void)buf_byte(out, ',');
		first = false;
		(void)json_quote(json_object_iter_key(i), json_object_iter_key_len(i),
		    out);
		(void)buf_byte(out, ':');
		print(json_object_iter_value(i), out);
	}
	(void)buf_byte(out, '}');
}

static void
print(const json_t *v, struct buf *out)
{
	char number[64];
	size_t n;

	switch (json_typeof(v)) {
	case JSON_OBJECT:
		members((json_t *)(uintptr_t)v, out);
		break;
	case JSON_ARRAY:
		(void)buf_byte(out, '[');
		for (size_t i = 0; i < json_array_size(v); i++) {
			if (i > 0)
				(void)buf_byte(out, ',');
			print(json_array_get(v, i), out);
		}
		(void)buf_byte(out, ']');
		break;
	case JSON_STRING:
		(void)json_quote(json_string_value(v), json_string_length(v), out);
		break;
	case JSON_INTEGER:
	case JSON_REAL: /* jansson knows how many digits bring the same number back */
		n = json_dumpb(v, number, sizeof(number), JSON_ENCODE_ANY);
		(void)buf_append(out, number, n < sizeof(number) ? n : 0);
		break;
	case JSON_TRUE:
		(void)buf_str(out, "true");
		break;
	case JSON_FALSE:
		(void)buf_str(out, "false");
		break;
	case JSON_NULL:
		(void)buf_str(out, "null");
		break;
	}
}

int
json_print(const json_t *v, struct buf *out)
{
	if (v == NULL)
		return buf_str(out, "null");
	print(v, out);
	return out->failed ? E_NOMEM : 0;
}

json_t *
json_text(const char *p, size_t n)
{
	return utf8_valid(p, n) == n ? json_stringn_nocheck(p, n) : NULL;
}

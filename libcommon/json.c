/* The one strict JSON reader, over jansson, and jq-style access by path. A scan of our
 * own first refuses what jansson would take or fold: depth, NUL, lone surrogates. */
#include "libcommon/json.h"

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
		*out = json_loadb(p, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
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

static int
put(const char *p, size_t n, void *arg)
{
	return buf_append(arg, p, n) == 0 ? 0 : -1;
}

int
json_print(const json_t *v, struct buf *out)
{
	if (v == NULL)
		return buf_str(out, "null");
	return json_dump_callback(v, put, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0
	    ? 0
	    : E_NOMEM;
}

int
json_quote(const char *p, size_t n, struct buf *out)
{
	static const char digits[] = "0123456789abcdef";

	(void)buf_byte(out, '"');
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)p[i];
		uint32_t cp;
		int len;

		if (c == '"' || c == '\\') {
			(void)buf_byte(out, '\\');
			(void)buf_byte(out, (char)c);
			i++;
		} else if (c < 0x20 || c == 0x7f) {
			char esc[6] = {'\\', 'u', '0', '0', digits[c >> 4],
			    digits[c & 15]};

			(void)buf_append(out, esc, sizeof(esc));
			i++;
		} else if ((len = utf8_next((const unsigned char *)p + i, n - i, &cp)) >
		    0) {
			(void)buf_append(out, p + i, (size_t)len);
			i += (size_t)len;
		} else {
			(void)buf_str(out, "\xef\xbf\xbd");
			i++;
		}
	}
	return buf_byte(out, '"') == 0 ? 0 : E_NOMEM;
}

/* A drawing to JSON and back, so that `bb approve` draws a question at its own width.
 * Read back, a drawing is another process's word: what we would print as it stands is
 * checked here, the rest is made safe when it is rendered. */
#include "bin/bb/ui/ask_int.h"

#include <string.h>

#include "bin/bb/ui/draw_int.h"
#include "libcommon/own.h"
#include "libcommon/text.h"
#include "libcommon/utf8.h"

#define PARTS_MOST 20000

static const char *const kind_words[] = {"fact", "object", "say", "also", "remark",
    "content"};
static const char *const shade_words[] = {"plain", "bold", "dim", "yellow", "red",
    "green"};
static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static json_t *
in_base64(const char *s, size_t n)
{
	auto_buf struct buf b = BUF_INIT;

	text_base64(s, n, &b);
	return b.failed ? NULL : json_pack("{s:s}", "base64", buf_cstr(&b));
}

static int
of_base64(const char *s, struct buf *out)
{
	size_t n = strlen(s);

	if (n % 4 != 0)
		return E_BAD;
	for (size_t i = 0; i < n; i += 4) {
		unsigned v = 0, pad = 0;
		char three[3];

		for (size_t k = 0; k < 4; k++) {
			const char *d = s[i + k] == '=' ? NULL : strchr(digits, s[i + k]);

			if (d == NULL && (s[i + k] != '=' || i + 4 != n || k < 2))
				return E_BAD;
			if (d != NULL && pad > 0)
				return E_BAD;
			pad += d == NULL;
			v = v << 6 | (d == NULL ? 0 : (unsigned)(d - digits));
		}
		three[0] = (char)(v >> 16);
		three[1] = (char)(v >> 8);
		three[2] = (char)v;
		buf_append(out, three, 3 - pad);
	}
	return out->failed ? E_NOMEM : 0;
}

/* Bytes as a string where they are text, else by base64. */
static json_t *
bytes_json(const char *p, size_t n)
{
	if (n == 0)
		return json_string("");
	if (memchr(p, '\0', n) == NULL && utf8_valid(p, n) == n)
		return json_stringn(p, n);
	return in_base64(p, n);
}

static int
json_bytes(const json_t *v, struct buf *out)
{
	const char *s;

	if (json_is_string(v))
		return buf_append(out, json_string_value(v), json_string_length(v));
	if (json_get_str(v, ".base64", &s) != 0)
		return E_BAD;
	return of_base64(s, out);
}

static json_t *
part_json(const struct drawing *d, const struct part *p)
{
	json_t *v = json_pack("{s:s,s:o,s:s}", "part", kind_words[p->kind], "text",
	    bytes_json(d->text.p + p->at, p->n), "shade", shade_words[p->shade]);

	if (p->kind == PART_FACT)
		json_object_set_new(v, "label", msg_text(d->text.p + p->label));
	if (p->kind == PART_ALSO)
		json_object_set_new(v, "gap", json_integer(p->gap));
	if (p->foreign)
		json_object_set_new(v, "foreign", json_true());
	return v;
}

json_t *
drawing_json(const struct drawing *d)
{
	const char *t = d->text.p;
	json_t *v, *parts = json_array(), *keys = json_array(), *thens = json_array();

	for (size_t i = 0; i < d->nparts; i++)
		json_array_append_new(parts, part_json(d, &d->parts[i]));
	for (size_t i = 0; i < d->nkeys; i++) {
		const struct key *k = &d->keys[i];

		json_array_append_new(keys,
		    json_pack("{s:i,s:o,s:o,s:b}", "key", k->key, "words",
		        msg_text(t + k->words), "says", msg_text(t + k->sentence),
		        "approves", k->approves));
	}
	for (size_t i = 0; i < d->nthens; i++) {
		const char *object = t + d->thens[i].object;

		json_array_append_new(thens,
		    json_pack("{s:o,s:o}", "kind", msg_text(t + d->thens[i].kind),
		        "object", bytes_json(object, strlen(object))));
	}
	v = json_pack("{s:o,s:o,s:o,s:I,s:o,s:o}", "title", msg_text(t + d->title),
	    "right", msg_text(t + d->right), "parts", parts, "lines",
	    (json_int_t)d->lines, "keys", keys, "then", thens);
	if (v != NULL && d->signs > 0)
		json_object_set_new(v, "signs", json_integer(d->signs));
	if (v != NULL && d->has_content)
		json_object_set_new(v, "content",
		    bytes_json(d->content.p, d->content.len));
	return v;
}

static int
word_of(const json_t *v, const char *path, const char *const *words, size_t n,
    size_t *out)
{
	const char *s;

	if (json_get_str(v, path, &s) != 0)
		return E_BAD;
	for (*out = 0; *out < n; (*out)++)
		if (strcmp(words[*out], s) == 0)
			return 0;
	return E_BAD;
}

/* A label is printed as it stands. */
static bool
is_label(const char *s)
{
	size_t n = strlen(s);

	return n <= 40 && utf8_plain(s, n) && utf8_valid(s, n) == n &&
	    strspn(s, "│┊─|:-") == 0;
}

static int
read_part(struct drawing *d, const json_t *v, const json_t *content, int64_t lines)
{
	auto_buf struct buf b = BUF_INIT, body = BUF_INIT;
	size_t kind, shade;
	const char *label = "";
	bool foreign = json_is_true(json_object_get(v, "foreign"));
	int64_t gap;
	int r;

	if (word_of(v, ".part", kind_words, sizeof kind_words / sizeof *kind_words,
	        &kind) != 0 ||
	    word_of(v, ".shade", shade_words, sizeof shade_words / sizeof *shade_words,
	        &shade) != 0)
		return E_BAD;
	if ((r = json_bytes(json_object_get(v, "text"), &b)) != 0)
		return r;
	switch ((enum part_kind)kind) {
	case PART_FACT:
		if (json_get_str(v, ".label", &label) != 0 || !is_label(label))
			return E_BAD;
		if (foreign && strcmp(label, "why") == 0)
			drawing_why(d, buf_cstr(&b));
		else
			drawing_fact(d, label, buf_cstr(&b), foreign, (enum shade)shade);
		break;
	case PART_OBJECT:
		drawing_object(d, buf_cstr(&b), (enum shade)shade);
		break;
	case PART_SAY:
		drawing_say(d, buf_cstr(&b), (enum shade)shade);
		break;
	case PART_ALSO:
		if (json_get_int(v, ".gap", 0, 40, &gap) != 0)
			return E_BAD;
		drawing_also(d, (unsigned)gap, buf_cstr(&b), foreign, (enum shade)shade);
		break;
	case PART_REMARK:
		drawing_remark(d, buf_cstr(&b), b.len);
		break;
	case PART_CONTENT:
		if (d->has_content || json_bytes(content, &body) != 0)
			return E_BAD;
		drawing_content(d, buf_cstr(&body), body.len, (uint64_t)lines);
		break;
	}
	return 0;
}

static int
read_key(struct drawing *d, const json_t *v)
{
	const char *words, *says;
	int64_t key;

	if (json_get_int(v, ".key", 0, 126, &key) != 0 ||
	    json_get_str(v, ".words", &words) != 0 ||
	    json_get_str(v, ".says", &says) != 0)
		return E_BAD;
	if (key != 0 && key != CTRL_C && key < ' ')
		return E_BAD;
	drawing_key(d, (char)key, words, json_is_true(json_object_get(v, "approves")));
	if (*says != '\0')
		drawing_explain(d, (char)key, says);
	return 0;
}

static int
read_then(struct drawing *d, const json_t *v)
{
	auto_buf struct buf b = BUF_INIT;
	const char *kind;

	if (json_get_str(v, ".kind", &kind) != 0 ||
	    json_bytes(json_object_get(v, "object"), &b) != 0)
		return E_BAD;
	drawing_then(d, kind, buf_cstr(&b));
	return 0;
}

static int
read_all(struct drawing *d, const json_t *v)
{
	const json_t *parts = json_at(v, ".parts"), *content = json_at(v, ".content");
	const char *right;
	int64_t lines, signs;
	size_t i;
	json_t *e;

	if (json_get_str(v, ".right", &right) != 0 || !json_is_array(parts) ||
	    json_array_size(parts) > PARTS_MOST ||
	    json_get_int(v, ".lines", 0, INT64_MAX, &lines) != 0)
		return E_BAD;
	drawing_right(d, right);
	if (json_object_get(v, "signs") != NULL) {
		if (json_get_int(v, ".signs", 0, 40, &signs) != 0)
			return E_BAD;
		drawing_signs(d, (unsigned)signs);
	}
	json_array_foreach((json_t *)(uintptr_t)parts, i, e)
		if (read_part(d, e, content, lines) != 0)
			return E_BAD;
	json_array_foreach(json_at(v, ".keys"), i, e)
		if (read_key(d, e) != 0)
			return E_BAD;
	json_array_foreach(json_at(v, ".then"), i, e)
		if (read_then(d, e) != 0)
			return E_BAD;
	/* SAFE: content that no part shows would never be seen and never block a key */
	return (content != NULL) == d->has_content ? 0 : E_BAD;
}

int
drawing_from_json(const json_t *v, struct drawing **out)
{
	const char *title;
	int r;

	*out = NULL;
	if (json_get_str(v, ".title", &title) != 0)
		return E_BAD;
	if ((r = drawing_new(title, out)) != 0)
		return r;
	if ((r = read_all(*out, v)) != 0 || (*out)->failed || (*out)->text.failed) {
		drawing_free(*out);
		*out = NULL;
		return r != 0 ? r : E_NOMEM;
	}
	return 0;
}

/* Answers to a question of the agent: which options, or words of the person's own. Believes
 * neither the keys nor a line of an approver further than the question reaches. */
#include <string.h>

#include "bin/bb/ui/ask_int.h"
#include "libcommon/utf8.h"

#define CTRL_U '\025'
#define ESCAPE '\033'

const char *
chosen_fits(const struct chosen *c, unsigned options, bool multiple)
{
	unsigned n = 0;

	if (c->text != NULL)
		return NULL;
	for (unsigned i = 0; i < 32; i++)
		if ((c->choices >> i & 1) != 0) {
			if (i >= options)
				return "no such choice";
			n++;
		}
	if (options == 0)
		return "there is nothing to choose from; answer with text";
	if (!multiple && n != 1)
		return "one choice is to be made";
	return NULL;
}

json_t *
chosen_json(const struct chosen *c)
{
	json_t *list;

	if (c->text != NULL)
		return json_pack("{s:s}", "text", c->text);
	list = json_array();
	for (unsigned i = 0; i < 32; i++)
		if ((c->choices >> i & 1) != 0)
			json_array_append_new(list, json_integer((json_int_t)i + 1));
	return json_pack("{s:o}", "choices", list);
}

/* Something to say, of at most so many bytes, and nothing that steers. */
static bool
is_words(const char *s, size_t n)
{
	bool any = false;

	if (n == 0 || n > QUESTION_TEXT_MAX)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			return false;
		any |= c > ' ';
	}
	return any;
}

int
chosen_read(const json_t *v, struct chosen *c)
{
	const json_t *list = json_object_get(v, "choices"),
	             *text = json_object_get(v, "text"), *one;
	size_t i;

	*c = (struct chosen){0};
	if (!json_is_object(v) || json_object_size(v) != 1)
		return E_BAD;
	if (json_is_string(text)) {
		c->text = json_string_value(text);
		return is_words(c->text, json_string_length(text)) ? 0 : E_BAD;
	}
	if (!json_is_array(list))
		return E_BAD;
	json_array_foreach(list, i, one) {
		json_int_t n = json_integer_value(one);

		if (!json_is_integer(one) || n < 1 || n > 32 ||
		    (c->choices >> (n - 1) & 1) != 0)
			return E_BAD;
		c->choices |= (uint32_t)1 << (n - 1);
	}
	return 0;
}

enum choose
choosing_key(struct choosing *c, int key)
{
	unsigned n = key >= '1' && key <= '9' ? (unsigned)(key - '0') : 0;

	if (c->multiple && key == 'd')
		return CHOOSE_DONE;
	if (n == c->options + 1) {
		c->typing = true;
		buf_clear(&c->text);
		return CHOOSE_TYPE;
	}
	if (n == 0 || n > c->options)
		return CHOOSE_NOTHING;
	c->ticked ^= (uint32_t)1 << (n - 1);
	return c->multiple ? CHOOSE_TICK : CHOOSE_DONE;
}

static void
drop_last(struct buf *b)
{
	while (b->len > 0 && ((unsigned char)b->p[b->len - 1] & 0xc0) == 0x80)
		b->p[--b->len] = '\0';
	if (b->len > 0)
		b->p[--b->len] = '\0';
}

/* Only what is whole and valid is kept of what was typed. */
static bool
whole(struct buf *text)
{
	struct buf good = BUF_INIT;

	for (size_t at = 0; at < text->len; at++) {
		size_t n = utf8_valid(text->p + at, text->len - at);

		(void)buf_append(&good, text->p + at, n);
		at += n;
	}
	buf_release(text);
	*text = good;
	return !good.failed && is_words(buf_cstr(text), text->len);
}

enum choose
choosing_words(struct choosing *c, const char *p, size_t n, bool alone)
{
	if (alone && *p == CTRL_C)
		return CHOOSE_STOP;
	if (alone && *p == ESCAPE) {
		c->typing = false;
		return CHOOSE_BACK;
	}
	/* SAFE: the end of a pasted line ends nothing; Enter is a key of its own. */
	if (alone && (*p == '\r' || *p == '\n'))
		return whole(&c->text) ? CHOOSE_DONE : CHOOSE_TYPE;
	for (size_t i = 0; i < n; i++) {
		unsigned char b = (unsigned char)p[i];

		if (b == 0x7f || b == '\b')
			drop_last(&c->text);
		else if (b == CTRL_U)
			buf_clear(&c->text);
		else if ((b >= ' ' || b == '\r' || b == '\n' || b == '\t') &&
		    c->text.len < QUESTION_TEXT_MAX)
			(void)buf_byte(&c->text,
			    b == '\r' || b == '\n' || b == '\t' ? ' ' : (char)b);
	}
	return CHOOSE_TYPE;
}

void
choosing_row(const struct choosing *c, const struct look *l, struct buf *out)
{
	size_t at = c->text.len, columns = 0,
	       room = row_width(l) > 12 ? row_width(l) - 6 : 6;
	bool unknown;

	/* the end of it, as much as one row holds */
	while (at > 0) {
		size_t from = at - 1;

		while (from > 0 && ((unsigned char)c->text.p[from] & 0xc0) == 0x80)
			from--;
		columns = wrap_columns(l, c->text.p + from, c->text.len - from, SCAN_NAME,
		    &unknown);
		if (columns > room)
			break;
		at = from;
	}
	(void)buf_str(out, "  > ");
	safe_put(buf_cstr(&c->text) + at, c->text.len - at, SAFE_NAME, l, out);
}

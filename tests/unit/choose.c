/* An answer to a question of the agent: which choices fit, what a key does, what typed
 * bytes become. */
#include "tests/tap.h"

#include "bin/bb/ui/ask_int.h"

#define ALONE 1
#define PASTED 0

TEST(what_fits)
{
	static const struct {
		uint32_t choices;
		const char *text;
		unsigned options;
		bool multiple, fits;
	} rows[] = {
	    {1, NULL, 2, false, true},
	    {2, NULL, 2, false, true},
	    {4, NULL, 2, false, false}, /* there is no third */
	    {3, NULL, 2, false, false}, /* one is to be chosen */
	    {0, NULL, 2, false, false},
	    {0, NULL, 2, true, true},
	    {3, NULL, 2, true, true},
	    {7, NULL, 2, true, false},
	    {0, NULL, 0, false, false},
	    {1, NULL, 0, false, false},
	    {0, NULL, 0, true, false},
	    {0, "so", 0, false, true},
	    {0, "so", 2, false, true},
	    {1u << 31, NULL, 8, true, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct chosen c = {rows[i].choices, rows[i].text};

		ok((chosen_fits(&c, rows[i].options, rows[i].multiple) == NULL) ==
		        rows[i].fits,
		    "row %zu %s", i + 1, rows[i].fits ? "fits" : "does not fit");
	}
}

TEST(to_a_line_and_back)
{
	static const struct chosen all[] = {{1, NULL}, {0x85, NULL}, {0, NULL},
	    {0, "two\nlines"}};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		auto_json json_t *v = chosen_json(&all[i]);
		struct chosen c;

		ok(chosen_read(v, &c) == 0 && c.choices == all[i].choices &&
		        (c.text == NULL) == (all[i].text == NULL) &&
		        (c.text == NULL || strcmp(c.text, all[i].text) == 0),
		    "answer %zu", i + 1);
	}
}

TEST(too_long_words)
{
	static char long_text[QUESTION_TEXT_MAX + 2];
	auto_json json_t *v = NULL;
	struct chosen c;

	memset(long_text, 'x', QUESTION_TEXT_MAX + 1);
	v = json_pack("{s:s}", "text", long_text);
	ok_int(chosen_read(v, &c), E_BAD, "4,097 bytes");
	long_text[QUESTION_TEXT_MAX] = '\0';
	json_object_set_new(v, "text", json_string(long_text));
	ok_int(chosen_read(v, &c), 0, "4,096 bytes");
}

TEST(keys)
{
	struct choosing c = {.options = 2, .text = BUF_INIT};

	ok_int(choosing_key(&c, '0'), CHOOSE_NOTHING, "0 is no choice");
	ok_int(choosing_key(&c, '4'), CHOOSE_NOTHING, "nor what is not drawn");
	ok_int(choosing_key(&c, 'y'), CHOOSE_NOTHING, "nor a letter");
	ok_int(choosing_key(&c, 'd'), CHOOSE_NOTHING, "nor d where one is chosen");
	ok_int(choosing_key(&c, '\r'), CHOOSE_NOTHING, "nor Enter");
	ok_int(choosing_key(&c, '2'), CHOOSE_DONE, "a digit chooses");
	ok(c.ticked == 2 && !c.typing, "that one");
	c = (struct choosing){.options = 2, .multiple = true, .text = BUF_INIT};
	ok_int(choosing_key(&c, '1'), CHOOSE_TICK, "a digit ticks");
	ok_int(choosing_key(&c, '2'), CHOOSE_TICK, "another");
	ok_int(choosing_key(&c, '1'), CHOOSE_TICK, "and takes back");
	ok(c.ticked == 2, "one is left");
	ok_int(choosing_key(&c, 'd'), CHOOSE_DONE, "d ends it");
	ok_int(choosing_key(&c, '3'), CHOOSE_TYPE, "the last digit types");
	ok(c.typing, "words follow");
	c = (struct choosing){.text = BUF_INIT};
	ok_int(choosing_key(&c, '1'), CHOOSE_TYPE, "without options 1 types");
}

static enum choose
type(struct choosing *c, const char *s, bool alone)
{
	return choosing_words(c, s, strlen(s), alone);
}

TEST(words)
{
	struct choosing c = {.typing = true, .text = BUF_INIT};
	static char much[QUESTION_TEXT_MAX + 1];

	ok_int(type(&c, "\r", ALONE), CHOOSE_TYPE, "Enter on nothing answers nothing");
	(void)type(&c, "h", ALONE);
	(void)type(&c, "\xc3\xa9", PASTED);
	(void)type(&c, "\x7f", ALONE);
	ok_str(buf_cstr(&c.text), "h", "delete takes one character, not one byte");
	(void)type(&c, "i\rthere\n\x1b\x01", PASTED);
	ok_str(buf_cstr(&c.text), "hi there ", "a pasted line end is a blank");
	ok_int(type(&c, "\x1b", ALONE), CHOOSE_BACK, "escape goes back");
	ok(!c.typing, "and approves nothing");
	c.typing = true;
	ok_int(type(&c, "\x03", ALONE), CHOOSE_STOP, "ctrl-c stops");
	ok_int(type(&c, "\r", ALONE), CHOOSE_DONE, "Enter alone ends it");
	ok_str(buf_cstr(&c.text), "hi there ", "with what was typed");
	(void)type(&c, "\x15", ALONE);
	ok_int((int)c.text.len, 0, "ctrl-u begins anew");
	(void)type(&c, "a\xff\xfe z", PASTED);
	ok_int(type(&c, "\r", ALONE), CHOOSE_DONE, "what is not UTF-8");
	ok_str(buf_cstr(&c.text), "a z", "is left out");
	memset(much, 'm', QUESTION_TEXT_MAX);
	(void)type(&c, much, PASTED);
	ok_int((int)c.text.len, QUESTION_TEXT_MAX, "bounded");
	ok_int(type(&c, "\r", ALONE), CHOOSE_DONE, "and still an answer");
	buf_release(&c.text);
}

TEST(the_row_of_words)
{
	struct choosing c = {.typing = true, .text = BUF_INIT};
	struct look l = look_plain();
	auto_buf struct buf out = BUF_INIT;

	(void)type(&c, "so", PASTED);
	choosing_row(&c, &l, &out);
	ok_str(buf_cstr(&out), "  > so", "what was typed");
	buf_clear(&out);
	(void)buf_str(&c.text, "\xe2\x80\xae");
	choosing_row(&c, &l, &out);
	ok(strstr(buf_cstr(&out), "<U+202E>") != NULL, "made safe");
	for (int i = 0; i < 200; i++)
		(void)buf_str(&c.text, "w");
	buf_clear(&out);
	choosing_row(&c, &l, &out);
	ok(out.len <= 80, "its end, on one row");
	buf_release(&c.text);
}

TAP_MAIN

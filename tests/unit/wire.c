/* Messages of the approver protocol, and a drawing's way through JSON: what comes out
 * draws exactly as what went in. */
#include "tests/tap.h"

#include "bin/bb/ui/ask_int.h"

#include "libcommon/utf8.h"

static const struct {
	const char *line;
	int kind; /* -1: refused */
	unsigned id;
	char letter;
} table[] = {
    {"{\"ask\":7,\"answer\":\"y\"}", MSG_ANSWER, 7, 'y'},
    {"{\"ask\":7,\"answer\":\"stop\"}", MSG_ANSWER, 7, CTRL_C},
    {"{\"ask\":7,\"answer\":\"yes\"}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":\"\"}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":true}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":\"skip\"}", MSG_ANSWER, 7, SKIPPED},
    {"{\"ask\":7,\"answer\":{\"choices\":[1]}}", MSG_ANSWER, 7, CHOSEN},
    {"{\"ask\":7,\"answer\":{\"choices\":[]}}", MSG_ANSWER, 7, CHOSEN},
    {"{\"ask\":7,\"answer\":{\"text\":\"so\"}}", MSG_ANSWER, 7, CHOSEN},
    {"{\"ask\":7,\"answer\":\"=\"}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":\"~\"}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"choices\":[0]}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"choices\":[33]}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"choices\":[1,1]}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"choices\":[\"1\"]}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"choices\":1}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"text\":\" \"}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"text\":\"a\\u001bb\"}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{\"text\":\"a\",\"choices\":[1]}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":{}}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":[1]}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7}", MSG_ANSWER, 7, 0},
    {"{\"ask\":7,\"answer\":\"y\",\"always\":1}", -1, 0, 0},
    {"{\"ask\":\"7\",\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":-1,\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":7.0,\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":99999999999,\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":7,\"ask\":8,\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":7,\"answer\":\"n\",\"answer\":\"y\"}", -1, 0, 0},
    {"{\"ask\":7,\"answer\":\"y\"} x", -1, 0, 0},
    {"{\"ask\":7,\"answer\":\"y", -1, 0, 0},
    {"[7,\"y\"]", -1, 0, 0},
    {"\"y\"", -1, 0, 0},
    {"y", -1, 0, 0},
    {"", -1, 0, 0},
    {"{}", -1, 0, 0},
    {"{\"background\":3}", MSG_BACKGROUND, 0, 0},
    {"{\"pen\":1}", MSG_PEN, 0, 0},
    {"{\"pen\":1,\"answer\":\"y\"}", -1, 0, 0},
    {"{\"command\":\"/status\"}", MSG_COMMAND, 0, 0},
    {"{\"command\":7}", -1, 0, 0},
    {"{\"hello\":1}", MSG_HELLO, 0, 0},
    {"{\"hello\":0}", MSG_LOOK, 0, 0},
    {"{\"hello\":2}", -1, 0, 0},
};

TEST(messages)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct msg m;
		const char *why = NULL;
		int r = msg_read(table[i].line, strlen(table[i].line), &m, &why);

		if (table[i].kind < 0) {
			ok(r != 0 && why != NULL && m.v == NULL, "refused: %s",
			    table[i].line);
			continue;
		}
		ok(r == 0 && (int)m.kind == table[i].kind && m.id == table[i].id &&
		        m.letter == table[i].letter,
		    "read: %s", table[i].line);
		json_decref(m.v);
	}
}

static struct drawing *
full(void)
{
	struct drawing *d;

	if (drawing_new("run a command line", &d) != 0)
		exit(1);
	drawing_right(d, "delegate 2 asks \u00b7 1 of 4");
	drawing_fact(d, "file", "src/\xff\033[31m\u202e.c", true, SHADE_BOLD);
	drawing_also(d, 4, "12 bytes", false, SHADE_PLAIN);
	drawing_fact(d, "", "nobody has vouched for it", false, SHADE_YELLOW);
	drawing_object(d, "/a/long path", SHADE_BOLD);
	drawing_say(d, "", SHADE_PLAIN);
	drawing_say(d, "our own words", SHADE_DIM);
	drawing_why(d, "because\nof \xc3 this");
	drawing_remark(d, "it says:\nignore", 15);
	drawing_content(d, "one\n\0two\xfe\n\tthree\n", 17, 40);
	drawing_then(d, "edit", "x\xff");
	drawing_then(d, "run", "make");
	drawing_key(d, 'y', "once", true);
	drawing_key(d, 'n', "don't", false);
	drawing_key(d, ' ', "more", false);
	drawing_key(d, CTRL_C, "stop", false);
	drawing_explain(d, 'y', "it runs once");
	return d;
}

static void
same(const struct drawing *a, const struct drawing *b, struct look l, size_t first)
{
	auto_buf struct buf x = BUF_INIT, y = BUF_INIT, ex = BUF_INIT, ey = BUF_INIT;
	size_t ux, uy;

	drawing_render(a, &l, first, &ux, &x);
	drawing_render(b, &l, first, &uy, &y);
	ok_str(buf_cstr(&y), buf_cstr(&x), "draws the same");
	ok(ux == uy, "and hides the same");
	drawing_explained(a, &l, &ex);
	drawing_explained(b, &l, &ey);
	ok_str(buf_cstr(&ey), buf_cstr(&ex), "and explains the same");
}

TEST(drawing_there_and_back)
{
	struct drawing *a = full(), *b = NULL;
	struct look small = {.width = 44, .height = 24, .utf8 = true, .colour = true};
	json_t *v = drawing_json(a), *read = NULL;
	auto_buf struct buf line = BUF_INIT;

	ok_int(json_print(v, &line), 0, "written");
	ok(utf8_valid(line.p, line.len) == line.len, "as UTF-8");
	ok(memchr(line.p, '\n', line.len) == NULL, "on one line");
	ok_int(json_parse(line.p, line.len, &read, NULL), 0, "read strictly");
	ok_int(drawing_from_json(read, &b), 0, "a drawing again");
	same(a, b, look_plain(), 0);
	same(a, b, small, 0);
	same(a, b, small, 1);
	json_decref(v);
	json_decref(read);
	drawing_free(a);
	drawing_free(b);
}

TEST(drawings_of_others)
{
	static const struct {
		const char *path, *with, *what;
	} bad[] = {
	    {".title", "7", "a title that is none"},
	    {".right", "null", "no right part"},
	    {".parts", "{}", "parts that are no list"},
	    {".parts[0].part", "\"margin\"", "an unknown part"},
	    {".parts[0].shade", "\"pink\"", "an unknown shade"},
	    {".parts[0].label", "\"\\u001b[2J\"", "a label that steers the terminal"},
	    {".parts[0].label", "\"a\\nb\"", "a label of two rows"},
	    {".parts[0].text", "{\"base64\":\"A\"}", "base64 cut short"},
	    {".parts[0].text", "{\"base64\":\"A=AA\"}", "base64 filled within"},
	    {".parts[0].text", "{\"base64\":\"A*AA\"}", "a letter that is none"},
	    {".parts[0].text", "null", "a part without text"},
	    {".parts[1].gap", "1000", "a wide gap"},
	    {".lines", "-1", "a negative count"},
	    {".keys[0].key", "13", "Enter as a key"},
	    {".keys[0].words", "1", "a key without words"},
	    {".content", "null", "a place for content and none"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct drawing *a = full(), *b = NULL;
		json_t *v = drawing_json(a), *with = NULL, *parent;
		char path[64];
		const char *dot = strrchr(bad[i].path, '.');

		snprintf(path, sizeof path, "%.*s", (int)(dot - bad[i].path),
		    bad[i].path);
		parent = path[0] == '\0' ? v : json_at(v, path);
		if (json_parse(bad[i].with, strlen(bad[i].with), &with, NULL) != 0 ||
		    parent == NULL)
			exit(1);
		json_object_set_new(parent, dot + 1, with);
		ok(drawing_from_json(v, &b) != 0 && b == NULL, "refused: %s",
		    bad[i].what);
		json_decref(v);
		drawing_free(a);
		drawing_free(b);
	}
}

TEST(content_without_a_place)
{
	json_t *v = json_pack("{s:s,s:s,s:[],s:i,s:[],s:[],s:s}", "title", "t", "right",
	    "", "parts", "lines", 0, "keys", "then", "content", "never drawn");
	struct drawing *d;

	ok(drawing_from_json(v, &d) != 0, "content that no part draws is refused");
	json_decref(v);
}

TAP_MAIN

/* The strict reader and access by path. */
#include "libcommon/json.h"

#include "libcommon/utf8.h"
#include "tests/tap.h"

static int
parse(const char *s, const char **why)
{
	json_t *v;
	int r = json_parse(s, strlen(s), &v, why);

	json_decref(v);
	return r;
}

TEST(what_is_refused)
{
	static const struct {
		const char *in, *why;
	} rows[] = {
	    {"{\"a\":1,\"a\":2}", "duplicate member"},
	    {"{\"x\":{\"a\":1,\"b\":2,\"a\":1}}", "duplicate member"},
	    {"{\"a\":\"\\u0000\"}", "holds a NUL"},
	    {"[\"\\ud800\"]", "a lone surrogate"},
	    {"[\"\\udc00\\ud800\"]", "a lone surrogate"},
	    {"[\"\\ud800\\u0041\"]", "a lone surrogate"},
	    {"[\"\xc0\xaf\"]", "not valid UTF-8"},
	    {"[\"\xed\xa0\x80\"]", "not valid UTF-8"},
	    {"[1] x", "not valid JSON"},
	    {"{\"a\":1}{\"b\":2}", "not valid JSON"},
	    {"{a:1}", "not valid JSON"},
	    {"{'a':1}", "not valid JSON"},
	    {"[1,]", "not valid JSON"},
	    {"", "not valid JSON"},
	    {"[01]", "not valid JSON"},
	    {"[099999999999999999999]", "not valid JSON"},
	    {"[99999999999999999999.]", "not valid JSON"},
	    {"[1e999e]", "not valid JSON"},
	    {"[NaN]", "not valid JSON"},
	    {"[\"\t\"]", "not valid JSON"},
	    {"[\"\\x41\"]", "not valid JSON"},
	    {"[+1]", "not valid JSON"},
	    {"[1.]", "not valid JSON"},
	    {"[.5]", "not valid JSON"},
	    {"[1 2]", "not valid JSON"},
	    {"{\"a\"}", "not valid JSON"},
	    {"{\"a\":1,}", "not valid JSON"},
	    {"{1:2}", "not valid JSON"},
	    {"/**/1", "not valid JSON"},
	    {"[\"\\u12\"]", "not valid JSON"},
	    {"\"abc", "not valid JSON"},
	    {"\"abc\\", "not valid JSON"},
	    {"nul", "not valid JSON"},
	    {"TRUE", "not valid JSON"},
	    {"[1]]", "not valid JSON"},
	    {"{\"\\u0000\":1}", "holds a NUL"},
	    {"[\"\\ud800\\ud800\"]", "a lone surrogate"},
	    {"[\"\\uD83D\"]", "a lone surrogate"},
	    {"[\"\\ud83d\\u\"]", "a lone surrogate"},
	    {"{\"\\udead\":1}", "a lone surrogate"},
	    {"[\"\xf4\x90\x80\x80\"]", "not valid UTF-8"},
	    {"[\"\xe0\x80\x80\"]", "not valid UTF-8"},
	    {"\xff", "not valid UTF-8"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *why = NULL;

		ok(parse(rows[i].in, &why) != 0, "refused: %s", rows[i].in);
		ok_str(why, rows[i].why, "the reason is a fixed sentence");
	}
}

TEST(depth_is_bounded)
{
	char s[2 * JSON_DEPTH + 3];
	const char *why;
	size_t big = 1 << 20;
	char *many = malloc(big + 1);

	memset(s, '[', JSON_DEPTH);
	memset(s + JSON_DEPTH, ']', JSON_DEPTH);
	s[2 * JSON_DEPTH] = '\0';
	ok_int(parse(s, &why), 0, "32 levels are read");
	memset(s, '[', JSON_DEPTH + 1);
	memset(s + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	s[2 * JSON_DEPTH + 2] = '\0';
	ok_int(parse(s, &why), E_BAD, "33 are not");
	ok_str(why, "nested deeper than 32", "and that is said");
	memset(many, '[', big);
	many[big] = '\0';
	ok_int(parse(many, &why), E_BAD, "a MiB of brackets is refused");
	ok_str(why, "nested deeper than 32", "by the depth");
	free(many);
}

TEST(a_duplicate_is_found_wherever_it_is)
{
	const char *why;
	char s[4096] = "";
	size_t n = 0;

	for (int i = 0; i < JSON_DEPTH - 1; i++)
		n += (size_t)snprintf(s + n, sizeof(s) - n, "{\"a\":");
	n += (size_t)snprintf(s + n, sizeof(s) - n, "{\"x\":1,\"y\":2,\"x\":3}");
	for (int i = 0; i < JSON_DEPTH - 1; i++)
		s[n++] = '}';
	s[n] = '\0';
	ok_int(parse(s, &why), E_DUP, "32 levels down");
	ok_str(why, "duplicate member", "by name");
	ok_int(parse("[{\"a\":1},{\"a\":1}]", &why), 0, "two objects may share a name");
	ok_int(parse("{\"a\":1,\"\\u0061\":2}", &why), E_DUP, "however it is spelled");
	ok_int(parse("{\"\":1,\"\":2}", &why), E_DUP, "the empty name too");
}

TEST(no_single_byte_is_more_than_it_seems)
{
	const char *why;
	int taken = 0;
	json_t *v;

	for (int c = 0; c < 256; c++) {
		char one = (char)c;

		if (json_parse(&one, 1, &v, &why) == 0) {
			taken++;
			json_decref(v);
		} else if (v != NULL || why == NULL) {
			ok(false, "byte %d", c);
		}
	}
	ok_int(taken, 10, "only the ten digits are values of one byte");
	ok_int(json_parse(NULL, 0, &v, &why), E_BAD, "nothing at all");
	ok_str(why, "not valid JSON", "is said");
	ok_int(json_parse("\xef\xbb\xbf{}", 5, &v, &why), E_BAD, "a byte order mark");
}

TEST(every_cut_is_refused)
{
	static const char text[] =
	    "{\"a\":[1,-2.5e3,\"x\\u00e9\\ud83d\\ude00\",true,null]}";
	const char *why;
	bool good = true;
	json_t *v;

	for (size_t n = 0; n < sizeof(text) - 1; n++)
		good &= json_parse(text, n, &v, &why) != 0 && v == NULL && why != NULL;
	ok(good, "each beginning of a text");
	ok_int(json_parse(text, sizeof(text) - 1, &v, &why), 0, "the whole is read");
	json_decref(v);
}

TEST(printing)
{
	static const char *const rows[][2] = {{" { \"b\" : 1 , \"a\" : [ ] } ",
	                                          "{\"b\":1,\"a\":[]}"},
	    {"[true,false,null]", "[true,false,null]"},
	    {"-9223372036854775808", "-9223372036854775808"},
	    {"\"\\u00e9\\/\\n\"", "\"\xc3\xa9/\\n\""}, {"0.5", "0.5"}, {"[1.0]", "[1.0]"},
	    /* beyond 64 bits and beyond a double: out of every range, and the rest is read */
	    {"[9223372036854775807,9223372036854775808]", "[9223372036854775807,1e308]"},
	    {"{\"a\":-9223372036854775809,\"b\":\"99999999999999999999\"}",
	        "{\"a\":-1e308,\"b\":\"99999999999999999999\"}"},
	    {"[1e999 , -1e999, \"\\\"1e999\"]", "[1e308,-1e308,\"\\\"1e999\"]"},
	    {"99999999999999999999", "1e308"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *v = NULL;

		ok(json_parse(rows[i][0], strlen(rows[i][0]), &v, NULL) == 0 &&
		        json_print(v, &b) == 0,
		    "%s", rows[i][0]);
		ok_str(buf_cstr(&b), rows[i][1], "is printed, members in their order");
	}
	for (uint32_t cp = 1; cp < 0x3000; cp++) {
		auto_buf struct buf b = BUF_INIT, q = BUF_INIT;
		auto_json json_t *v = NULL, *back = NULL, *quoted = NULL;
		char one[8] = "xx";
		size_t n = 2 + (size_t)utf8_put(cp, one + 2);
		bool raw = false;
		uint32_t seen;

		v = json_pack("{s%:s%}", one, n, one, n);
		(void)json_print(v, &b);
		(void)json_quote(one, n, &q);
		for (size_t i = 0; i < b.len; i += (size_t)utf8_put(seen, one)) {
			(void)utf8_next((unsigned char *)b.p + i, b.len - i, &seen);
			raw = raw || utf8_steers(seen);
		}
		raw = raw || !utf8_plain(q.p, q.len);
		if (raw || json_parse(b.p, b.len, &back, NULL) != 0 ||
		    !json_equal(v, back) || json_parse(q.p, q.len, &quoted, NULL) != 0 ||
		    json_string_length(quoted) != n)
			ok(false, "U+%04X is printed as it is, or as another", cp);
	}
	ok(true, "what steers is escaped, and is the same value");
	auto_buf struct buf none = BUF_INIT;
	auto_buf struct buf small = {.cap = 2};
	auto_json json_t *v = json_pack("[i,i]", 1, 2);

	ok(json_print(NULL, &none) == 0, "no value");
	ok_str(buf_cstr(&none), "null", "is null");
	ok_int(json_print(v, &small), E_NOMEM, "what does not fit is said");
}

TEST(what_is_read)
{
	const char *const rows[] = {"{}", "[]", "1", "\"x\"", "null", "true",
	    "[-9223372036854775808]", "[9223372036854775807]", "[\"\\ud83d\\ude00\"]",
	    "{\"a\":{\"a\":1}}", " [1 , 2] ",
	    "[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"]", "[\"a\\\\\",\"b\"]"};
	const char *why;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok_int(parse(rows[i], &why), 0, rows[i]);
}

TEST(a_nul_byte_in_the_text_is_refused)
{
	json_t *v;
	const char *why;

	ok_int(json_parse("[1]\0", 4, &v, &why), E_BAD, "after the value");
	ok_str(why, "holds a NUL", "by name");
	ok(v == NULL, "nothing is given");
}

TEST(paths)
{
	auto_json json_t *v = NULL;
	const char *s,
	    *text = "{\"args\":{\"path\":\"x\",\"n\":7,\"list\":[10,{\"k\":true}],\"odd "
	            "key\":1,"
	            "\"none\":null}}";
	int64_t n;
	bool b;

	ok_int(json_parse(text, strlen(text), &v, NULL), 0, "read");
	ok(json_at(v, ".") == v, ". is the value itself");
	ok_int(json_get_str(v, ".args.path", &s), 0, ".args.path");
	ok_str(s, "x", "its value");
	ok_int(json_get_int(v, ".args.list[0]", 0, 100, &n), 0, "an index");
	ok_int(n, 10, "its value");
	ok_int(json_get_bool(v, ".args.list[1].k", &b), 0, "beyond an index");
	ok(b, "true");
	ok_int(json_get_int(v, ".args.\"odd key\"", 0, 9, &n), 0, "a quoted key");
	ok(json_at(v, ".args.nothing?") == NULL, "absent with ?");
	ok_int(json_get_str(v, ".args.n", &s), E_TYPE, "another type");
	ok(s == NULL, "and the out-parameter is zeroed");
	ok_int(json_get_int(v, ".args.n", 0, 6, &n), E_RANGE, "outside the range");
	ok_int(n, 0, "zeroed");
	ok_int(json_get_str(v, ".args.none", &s), E_MISSING, "null counts as absent");
	ok(json_at(v, ".args.list[2]") == NULL, "past the end of a list");
	ok(json_at(v, ".args.list[99999999999999999999]") == NULL, "far past it");
	ok(json_at(v, ".args.n.x") == NULL && json_at(v, ".args.n[0]") == NULL,
	    "into a number");
	ok(json_at(NULL, ".x") == NULL && json_at(NULL, ".") == NULL, "into nothing");
	ok_int(json_get_int(v, ".args.path", 0, 1, &n), E_TYPE, "a string is no number");
	ok_int(json_get_bool(v, ".args.n", &b), E_TYPE, "nor is a number a truth");
	ok_int(json_get_int(v, ".args.list[0]", 10, 10, &n), 0, "a range of one");
	for (const char *const *p = (const char *const[]){"", "x", ".args.", "..",
	         ".args.list[", ".args.list[x]", ".args.list[-1]", ".args.\"odd", NULL};
	     *p != NULL; p++)
		ok(json_at(v, *p) == NULL, "malformed path '%s'", *p);
}

TEST(whole_numbers)
{
	static const struct {
		const char *text;
		int r;
		int64_t v;
	} rows[] = {{"2", 0, 2}, {"2.0", 0, 2}, {"2e0", 0, 2}, {"-0.0", 0, 0},
	    {"1e18", 0, 1000000000000000000}, {"9223372036854775807", 0, INT64_MAX},
	    {"-9223372036854775808", 0, INT64_MIN},
	    {"-9223372036854775808.0", 0, INT64_MIN}, {"9223372036854775808", E_RANGE, 0},
	    {"9223372036854775808.0", E_RANGE, 0}, {"1e30", E_RANGE, 0},
	    {"-1e999", E_RANGE, 0}, {"2.5", E_TYPE, 0}, {"-1e-5", E_TYPE, 0},
	    {"\"2\"", E_TYPE, 0}, {"true", E_TYPE, 0}, {"null", E_TYPE, 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		auto_json json_t *v = NULL;
		int64_t n = 7;

		ok_int(json_parse(rows[i].text, strlen(rows[i].text), &v, NULL), 0,
		    rows[i].text);
		ok_int(json_whole(v, &n), rows[i].r, "whole or not");
		ok(n == rows[i].v, "its value");
	}
	int64_t n = 7;

	ok_int(json_whole(NULL, &n), E_TYPE, "absent");
}

TEST(quoting)
{
	auto_buf struct buf b = BUF_INIT;

	ok_int(json_quote("a\"\\\n\x7f\xff\xc3\xa9", 8, &b), 0, "quoted");
	ok_str(buf_cstr(&b), "\"a\\\"\\\\\\n\\u007F\xef\xbf\xbd\xc3\xa9\"",
	    "escaped, bad bytes as U+FFFD");
}

/* The eights of a long text against each byte by itself: at every place, with every
 * ASCII byte and the ends of longer characters. */
TEST(quoting_long_text)
{
	unsigned wrong = 0;

	for (unsigned at = 0; at < 24; at++)
		for (unsigned c = 0; c < 256; c++) {
			auto_buf struct buf all = BUF_INIT, parts = BUF_INIT;
			char text[24];

			memset(text, 'a' + (int)(at % 3), sizeof(text));
			text[at] = (char)c;
			(void)json_quote(text, sizeof(text), &all);
			(void)buf_byte(&parts, '"');
			for (size_t i = 0; i < sizeof(text); i++) {
				auto_buf struct buf one = BUF_INIT;

				(void)json_quote(text + i, 1, &one);
				(void)buf_append(&parts, one.p + 1, one.len - 2);
			}
			(void)buf_byte(&parts, '"');
			wrong +=
			    all.len != parts.len || memcmp(all.p, parts.p, all.len) != 0;
		}
	ok_int(wrong, 0, "strings of 24 bytes are quoted as their bytes are");
}

TEST(text_as_a_value)
{
	auto_json json_t *v = json_text("a\xc3\xa9", 3);

	ok(v != NULL && json_string_length(v) == 3, "UTF-8 is taken");
	ok(json_text("a\xc3", 2) == NULL, "half a character is not");
}

TAP_MAIN

/* The strict reader and access by path. */
#include "libcommon/json.h"

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
		{"{\"a\":1,\"a\":2}", "duplicate member"}, {"{\"x\":{\"a\":1,\"b\":2,\"a\":1}}", "duplicate member"},
		{"{\"a\":\"\\u0000\"}", "holds a NUL"}, {"[\"\\ud800\"]", "a lone surrogate"},
		{"[\"\\udc00\\ud800\"]", "a lone surrogate"}, {"[\"\\ud800\\u0041\"]", "a lone surrogate"},
		{"[\"\xc0\xaf\"]", "not valid UTF-8"}, {"[\"\xed\xa0\x80\"]", "not valid UTF-8"},
		{"[1] x", "not valid JSON"}, {"{\"a\":1}{\"b\":2}", "not valid JSON"}, {"{a:1}", "not valid JSON"},
		{"{'a':1}", "not valid JSON"}, {"[1,]", "not valid JSON"}, {"", "not valid JSON"},
		{"[01]", "not valid JSON"}, {"[1e999]", "not valid JSON"},
		{"[99999999999999999999]", "not valid JSON"}, {"[NaN]", "not valid JSON"},
		{"[\"\t\"]", "not valid JSON"},
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

TEST(what_is_read)
{
	const char *const rows[] = {"{}", "[]", "1", "\"x\"", "null", "true", "[-9223372036854775808]",
	    "[9223372036854775807]", "[\"\\ud83d\\ude00\"]", "{\"a\":{\"a\":1}}", " [1 , 2] ",
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
	const char *s, *text = "{\"args\":{\"path\":\"x\",\"n\":7,\"list\":[10,{\"k\":true}],\"odd key\":1,"
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
	for (const char *const *p = (const char *const[]){"", "x", ".args.", "..", ".args.list[", ".args.list[x]",
	         ".args.list[-1]", ".args.\"odd", NULL}; *p != NULL; p++)
		ok(json_at(v, *p) == NULL, "malformed path '%s'", *p);
}

TEST(quoting)
{
	auto_buf struct buf b = BUF_INIT;

	ok_int(json_quote("a\"\\\n\x7f\xff\xc3\xa9", 8, &b), 0, "quoted");
	ok_str(buf_cstr(&b), "\"a\\\"\\\\\\u000a\\u007f\xef\xbf\xbd\xc3\xa9\"", "escaped, bad bytes as U+FFFD");
}

TAP_MAIN

/* Permission rules by the tables of the specification: what can be read, what a path
 * pattern covers in each list, and which list decides. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/permit/permit.h"
#include "libcommon/err.h"
#include "tests/tap.h"

#define WS "/w/shop"
#define HOME "/h/ana"
#define SETTINGS "/h/ana/.config/bb"

static struct rules *
some(const char *workspace, bool folds)
{
	struct rules *r = NULL;

	if (rules_new(workspace, HOME, folds, &r) != 0)
		abort();
	return r;
}

TEST(what_can_be_read)
{
	static const struct {
		const char *text, *why; /* why: a piece of it; NULL: it is a rule */
	} rows[] = {
	    {"Read", NULL},
	    {"  Read  ", NULL},
	    {"Read(*)", NULL},
	    {"Edit(src/**)", NULL},
	    {"Bash(git log *)", NULL},
	    {"Exec(ls:*)", NULL},
	    {"WebFetch(domain:example.com)", NULL},
	    {"WebFetch(domain:.example.com)", NULL},
	    {"WebFetch", NULL},
	    {"Mcp(files)", NULL},
	    {"Mcp(files:read)", NULL},
	    {"Mcp(files:*)", NULL},
	    {"Read(~/x)", NULL},
	    {"", "empty"},
	    {"   ", "empty"},
	    {"Read(x", "not closed"},
	    {"Read(x) y", "not closed"},
	    {"Reed(x)", "no such family"},
	    {"read(x)", "no such family"},
	    {"Read (x)", "no such family"},
	    {"read_file(x)", "no such family"},
	    {"(x)", "no such family"},
	    {"Read()", "nothing stands"},
	    {"Read(  )", "nothing stands"},
	    {"Read(../x)", "'..'"},
	    {"WebFetch(example.com)", "domain:"},
	    {"WebFetch(domain:)", "domain:"},
	    {"WebFetch(domain:..)", "domain:"},
	    {"WebFetch(domain:https://x)", "domain:"},
	    {"Mcp(a b)", "SERVER:TOOL"},
	    {"Mcp(a:)", "SERVER:TOOL"},
	    {"Mcp(:b)", "SERVER:TOOL"},
	    {"Confined(make)", "allow list"},
	};
	struct rules *r = some(WS, false);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *why = NULL;
		size_t before = rules_count(r);
		int err = rules_add(r, RULE_DENY, rows[i].text, "f", SETTINGS, &why);

		ok(rows[i].why == NULL ? err == 0 && rules_count(r) == before + 1
		                       : err == E_BAD && why != NULL &&
		            strstr(why, rows[i].why) != NULL && rules_count(r) == before,
		    "%s", rows[i].text);
	}
	rules_free(r);
	if (rules_new(WS, NULL, false, &r) == 0) {
		const char *why = NULL;

		ok(rules_add(r, RULE_DENY, "Read(~/x)", "f", SETTINGS, &why) == E_BAD,
		    "~ without a home is named");
		rules_free(r);
	}
}

TEST(what_a_path_pattern_covers)
{
	static const struct {
		const char *pattern, *key;
		bool deny, allow;
	} rows[] = {
	    {"*", WS "/a", true, true},
	    {"*", "/elsewhere/a", true, true},
	    {".env", WS "/.env", true, true},
	    {".env", WS "/a/b/.env", true, true},
	    {".env", WS "/.env.local", false, false},
	    {".env", WS "/.env/key", true, false},
	    {".env", "/other/.env", false, false},
	    {"*.pem", WS "/a/k.pem", true, true},
	    {"*.pem", WS "/k.pem.txt", false, false},
	    {"k?y", WS "/key", true, true},
	    {"k?y", WS "/ky", false, false},
	    {"./.env", WS "/.env", true, true},
	    {"./.env", WS "/a/.env", false, false},
	    {"src/secret", WS "/src/secret", true, true},
	    {"src/secret", WS "/x/src/secret", true, false},
	    {"src/secret", WS "/src/secrets", false, false},
	    {"src//./secret/", WS "/src/secret", true, true},
	    {"*/secret", WS "/src/secret", true, true},
	    {"*/secret", WS "/x/src/secret", false, false},
	    {"src/**", WS "/src", true, true},
	    {"src/**", WS "/src/a/b", true, true},
	    {"src/**", WS "/srcfoo", false, false},
	    {"src/**/x", WS "/src/x", true, true},
	    {"src/**/x", WS "/src/a/b/x", true, true},
	    {"src/*/x", WS "/src/a/b/x", false, false},
	    {"src/*", WS "/src/a/b", true, false},
	    {"**", WS "/a/b", true, true},
	    {"**", WS, true, true},
	    {"./", WS "/a", true, false},
	    {"/x", SETTINGS "/x", true, true},
	    {"/x", WS "/x", false, false},
	    {"/x", "/x", false, false},
	    {"//etc/passwd", "/etc/passwd", true, true},
	    {"//etc/**", "/etc/a/b", true, true},
	    {"//w/shop/x", WS "/x", true, true},
	    {"//**/x", WS "/x", true, false},
	    {"//**/x", "/a/x", true, true},
	    {"~/x", HOME "/x", true, true},
	    {"~/x", WS "/x", false, false},
	    {"~", HOME "/x", true, false},
	    {"~ana/x", WS "/~ana/x", true, true},
	    {"a\x01"
	     "b",
	        WS "/a\x01"
	           "b",
	        true, true},
	    {"\xff", WS "/\xff", true, true},
	    {"X", WS "/x", false, false},
	    {"{a,b}", WS "/a", false, false},
	    {"{a,b}", WS "/{a,b}", true, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (int k = 0; k < 2; k++) {
			struct rules *r = some(WS, false);
			enum rule_list list = k == 0 ? RULE_DENY : RULE_ALLOW;
			const char *why;
			char text[64], name[128];

			(void)snprintf(text, sizeof(text), "Read(%s)", rows[i].pattern);
			(void)snprintf(name, sizeof(name), "%s %s %s",
			    rule_list_words[list], text, rows[i].key);
			ok(rules_add(r, list, text, "f", SETTINGS, &why) == 0 &&
			        (rules_decide(r, RULE_READ, rows[i].key, NULL) != NULL) ==
			            (k == 0 ? rows[i].deny : rows[i].allow),
			    "%s", name);
			rules_free(r);
		}
}

TEST(case_is_folded_where_the_volume_folds_it)
{
	struct rules *r = some(WS, true);
	const char *why;

	ok(rules_add(r, RULE_DENY, "Read(SeCret)", "f", SETTINGS, &why) == 0 &&
	        rules_decide(r, RULE_READ, WS "/sECRET", NULL) != NULL,
	    "secret, however it is written");
	rules_free(r);
}

static bool
says(const struct rules *r, enum rule_family f, const char *a, const char *b,
    const char *want)
{
	const struct rule *x = rules_decide(r, f, a, b);

	return strcmp(x != NULL ? rule_list_words[x->list] : "none", want) == 0;
}

TEST(deny_before_ask_before_allow)
{
	struct rules *r = some(WS, false);
	const char *why;

	ok(rules_add(r, RULE_ALLOW, "Read(docs/one/deep.txt)", "a", SETTINGS, &why) ==
	            0 &&
	        rules_add(r, RULE_ALLOW, "Read", "a", SETTINGS, &why) == 0 &&
	        rules_add(r, RULE_ASK, "Read(docs/**)", "b", SETTINGS, &why) == 0 &&
	        rules_add(r, RULE_DENY, "Read(one)", "c", SETTINGS, &why) == 0 &&
	        rules_add(r, RULE_ASK, "Edit(x)", "c", SETTINGS, &why) == 0,
	    "rules");
	ok(says(r, RULE_READ, WS "/docs/one/deep.txt", NULL, "deny"),
	    "a longer pattern does not count");
	ok(says(r, RULE_READ, WS "/docs/two", NULL, "ask"), "ask before allow");
	ok(says(r, RULE_READ, WS "/x", NULL, "allow"),
	    "allow; another family's ask is not");
	ok(says(r, RULE_READ, WS "/x", WS "/one", "deny"), "where it lands denies");
	ok(says(r, RULE_READ, WS "/x", WS "/docs/a", "ask"), "where it lands asks");
	ok(says(r, RULE_EDIT, WS "/one", NULL, "deny"),
	    "what may not be read is not written");
	ok(says(r, RULE_EDIT, WS "/docs/two", NULL, "none"),
	    "an ask about reading is no ask");
	ok(rules_restrict(r, RULE_READ) && !rules_restrict(r, RULE_BASH),
	    "which restrict");
	rules_free(r);
	r = some(WS, false);
	ok(rules_add(r, RULE_ALLOW, "Read(docs/**)", "a", SETTINGS, &why) == 0 &&
	        says(r, RULE_READ, "/out/x", WS "/docs/a", "none"),
	    "where it lands does not allow");
	ok(rules_move(r, "/other") == 0 &&
	        says(r, RULE_READ, "/other/docs/a", NULL, "allow") &&
	        says(r, RULE_READ, WS "/docs/a", NULL, "none"),
	    "another workspace");
	rules_free(r);
}

TEST(a_pattern_through_a_link_covers_where_it_leads)
{
	char dir[] = "/tmp/bbrules.XXXXXX", link[64], key[64], text[64];
	struct rules *r;
	const char *why;
	char *real;

	if (mkdtemp(dir) == NULL || (real = realpath(dir, NULL)) == NULL)
		abort();
	(void)snprintf(link, sizeof(link), "%s/door", real);
	ok(symlink("/usr", link) == 0, "a link");
	r = some(real, false);
	(void)snprintf(text, sizeof(text), "Read(door/share)");
	ok(rules_add(r, RULE_DENY, text, "f", SETTINGS, &why) == 0 &&
	        says(r, RULE_READ, "/usr/share/x", NULL, "deny"),
	    "deny: the place reached");
	(void)snprintf(key, sizeof(key), "%s/door/share", real);
	ok(says(r, RULE_READ, key, NULL, "deny"), "and the name itself");
	rules_free(r);
	r = some(real, false);
	ok(rules_add(r, RULE_ALLOW, text, "f", SETTINGS, &why) == 0 &&
	        says(r, RULE_READ, "/usr/share", NULL, "none"),
	    "allow: as written");
	rules_free(r);
	(void)unlink(link);
	(void)rmdir(real);
	free(real);
}

TAP_MAIN

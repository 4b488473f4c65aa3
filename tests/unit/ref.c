/* References: names that are refused, the layouts of flow 4.2, advice that names only what
 * is offered, and an entry's name that a lying helper wrote. */
#include "bin/bb/labels/labels.h"

#include "tests/tap.h"

static struct refs *
store(size_t n)
{
	struct ref init = {.lines = -1, .bytes = -1}, *out;
	struct refs *r;

	if (refs_new(&r) != 0)
		abort();
	for (size_t i = 0; i < n; i++)
		if (refs_mint(r, &init, &out) != 0 || out->n != i)
			abort();
	return r;
}

TEST(finding)
{
	static const struct {
		const char *name;
		int want;
	} rows[] = {
	    {"ref:0", 0},
	    {"ref:1", 0},
	    {"ref:11", 0},
	    {"ref:12", E_MISSING},
	    {"ref:999", E_MISSING},
	    {"ref:4294967295", E_MISSING},
	    {"ref:4294967296", E_MISSING},
	    {"ref:4294967297", E_MISSING},
	    {"ref:18446744073709551616", E_MISSING},
	    {"ref:18446744073709551617", E_MISSING},
	    {"ref:99999999999999999999999999999999999999999", E_MISSING},
	    {"", E_BAD},
	    {"ref", E_BAD},
	    {"ref:", E_BAD},
	    {"ref:01", E_BAD},
	    {"ref:00", E_BAD},
	    {"ref:-1", E_BAD},
	    {"ref:+1", E_BAD},
	    {"ref:1\n", E_BAD},
	    {"ref:1 ", E_BAD},
	    {" ref:1", E_BAD},
	    {"ref: 1", E_BAD},
	    {"\nref:1", E_BAD},
	    {"Ref:1", E_BAD},
	    {"REF:1", E_BAD},
	    {"ref:1.0", E_BAD},
	    {"ref:0x1", E_BAD},
	    {"ref:1e0", E_BAD},
	    {"ref:1/x", E_BAD},
	    {"ref:ref:1", E_BAD},
	    {"[ref:1]", E_BAD},
	    {"ref:\xd9\xa1", E_BAD},
	    {"1", E_BAD},
	};
	struct refs *r = store(12);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ref *p = (void *)1;
		int e = refs_find(r, rows[i].name, &p);

		ok(e == rows[i].want && (e == 0) == (p != NULL), "row %zu: %d", i,
		    rows[i].want);
	}
	ok_int(refs_count(r), 12, "finding mints nothing");
	ok(refs_at(r, 11)->n == 11 && refs_at(r, 12) == NULL, "by place");
	refs_free(r);
	r = store(0);
	ok_int(refs_find(r, "ref:0", &(struct ref *){NULL}), E_MISSING,
	    "an empty store names nothing");
	refs_free(r);
	refs_free(NULL);
}

TEST(numbers)
{
	struct refs *a = store(1000), *b = store(1);
	struct ref *p;

	ok(refs_find(a, "ref:999", &p) == 0 && p == refs_at(a, 999),
	    "a thousand, none twice");
	ok_int(refs_find(b, "ref:1", &p), E_MISSING, "a store knows only its own");
	refs_free(a);
	refs_free(b);
}

static const char *offered_names;

static bool
offered(const char *tool)
{
	return strstr(offered_names, tool) != NULL;
}

static const char *
described(struct ref r)
{
	static struct buf b = BUF_INIT;

	buf_clear(&b);
	ref_describe(&r, &b);
	return buf_cstr(&b);
}

static const char *
advice(enum ref_kind kind, const char *media, const char *tools)
{
	static struct buf b = BUF_INIT;
	struct ref r = {.kind = kind, .media = media, .lines = -1, .bytes = -1};

	buf_clear(&b);
	offered_names = tools;
	ref_advise(&r, offered, &b);
	return buf_cstr(&b);
}

TEST(layouts)
{
	struct slot *listing;

	if (slot_new("test", 10, &listing) != 0)
		abort();
	ok_str(described((struct ref){.n = 3,
	           .origin = (char *)"a b/c.md",
	           .lines = 12,
	           .bytes = 345,
	           .label = LABEL_U_PRIV}),
	    "[ref:3] a b/c.md (12 lines, 345 bytes, (U,priv))", "lines and bytes");
	ok_str(described((struct ref){.n = 0,
	           .origin = (char *)"f",
	           .lines = -1,
	           .bytes = 345,
	           .label = LABEL_U_PRIV}),
	    "[ref:0] f (345 bytes, (U,priv))", "an unread file that the planner named");
	ok_str(described((struct ref){.n = 1,
	           .origin = (char *)"f",
	           .lines = 1,
	           .bytes = 1,
	           .label = LABEL_U_PUB}),
	    "[ref:1] f (1 line, 1 byte, (U,pub))", "one of each");
	ok_str(described((struct ref){.n = 1,
	           .origin = (char *)"f",
	           .lines = 0,
	           .bytes = 0,
	           .label = LABEL_T_PRIV}),
	    "[ref:1] f (0 lines, 0 bytes, (T,priv))", "an empty one");
	ok_str(described((struct ref){.n = 7,
	           .kind = REF_FILE,
	           .listing = listing,
	           .lines = -1,
	           .bytes = -1,
	           .label = LABEL_U_PRIV}),
	    "[ref:7] file (U,priv)", "an entry");
	ok_str(described((struct ref){.n = 8,
	           .kind = REF_DIRECTORY,
	           .listing = listing,
	           .lines = 5,
	           .bytes = 5,
	           .origin = (char *)"hostile",
	           .label = LABEL_U_PRIV}),
	    "[ref:8] directory (U,priv)",
	    "a directory: no size, no name, whatever is there");
	ok_str(described((struct ref){.n = 9,
	           .kind = REF_CONTENT,
	           .origin = (char *)"p.png",
	           .media = "image/png",
	           .lines = -1,
	           .bytes = 70,
	           .label = LABEL_T_PRIV}),
	    "[ref:9] p.png (image/png, 70 bytes, (T,priv))", "a picture");
	slot_free(listing);
}

TEST(advice_names_only_what_is_offered)
{
	static const char *const tools[] = {"read_file", "list_files", "write_file",
	    "edit_file", "spawn_processor", "vet_content", "read_output", "schedule_next",
	    "watch_file"};
	const char *s = advice(REF_FILE, NULL, "read_file list_files");

	ok(strstr(s, "path_ref") && strstr(s, "vouch"),
	    "a file: path_ref, and the person can vouch");
	ok(!strstr(s, "spawn_processor") && !strstr(s, "vet_content") &&
	        !strstr(s, "contents_ref"),
	    "nothing that nobody offers");
	ok(!strstr(advice(REF_FILE, NULL, "list_files"), "path_ref"),
	    "without a tool that takes path_ref it is not named");
	ok(strstr(advice(REF_CONTENT, NULL,
	              "read_file write_file vet_content spawn_processor"),
	       "path_ref") == NULL,
	    "content is never offered as a destination");
	ok(strstr(advice(REF_KEPT, NULL, "read_output vet_content"), "vet_content") ==
	        NULL,
	    "what is kept may be read; no check");
	ok(strstr(advice(REF_KEPT, NULL, "read_output"), "read_output") != NULL,
	    "by read_output");
	ok(strstr(advice(REF_KEPT, NULL, "read_output"), "held back") == NULL,
	    "it is not held back");
	ok(strstr(advice(REF_DIRECTORY, NULL, "list_files"), "nothing to read") != NULL,
	    "a directory");
	for (int k = REF_FILE; k <= REF_KEPT; k++)
		for (unsigned set = 0; set < 512; set++) {
			char names[200] = "";
			size_t at = 0;
			bool fine = true;

			for (size_t i = 0; i < 9; i++)
				if (set & 1u << i)
					at += (size_t)snprintf(names + at,
					    sizeof(names) - at, "%s ", tools[i]);
			s = advice(k, NULL, names);
			for (size_t i = 0; i < 9; i++)
				fine &= strstr(s, tools[i]) == NULL || (set & 1u << i);
			fine &= strchr(s, '\n') == NULL && *s != '\0' &&
			    s[strlen(s) - 1] != ' ';
			if (!fine)
				ok(false, "kind %d, tools %x: %s", k, set, s);
		}
	ok(true, "every set of tools: no other is named, one line");
	ok(strstr(advice(REF_CONTENT, "image/png", ""), "a picture") != NULL,
	    "a picture is said");
	ok(strstr(advice(REF_CONTENT, "application/pdf", ""), "a PDF") != NULL,
	    "a PDF is said");
}

static const char *
json_of(struct ref r)
{
	static struct buf b = BUF_INIT;
	json_t *v = ref_json(&r);

	buf_clear(&b);
	(void)json_print(v, &b);
	json_decref(v);
	return buf_cstr(&b);
}

TEST(json)
{
	ok_str(json_of((struct ref){.n = 0,
	           .origin = (char *)"a\"b",
	           .lines = 2,
	           .bytes = 9,
	           .label = LABEL_U_PRIV}),
	    "{\"ref\":\"ref:0\",\"origin\":\"a\\\"b\",\"lines\":2,\"bytes\":9,"
	    "\"label\":\"(U,priv)\",\"kind\":\"file\"}",
	    "all of it");
	ok_str(json_of((struct ref){.n = 4,
	           .kind = REF_DIRECTORY,
	           .lines = -1,
	           .bytes = -1,
	           .label = LABEL_U_PRIV}),
	    "{\"ref\":\"ref:4\",\"label\":\"(U,priv)\",\"kind\":\"directory\"}",
	    "an entry: nothing but that it is one");
	ok_str(json_of((struct ref){.n = 5,
	           .kind = REF_CONTENT,
	           .origin = (char *)"p.png",
	           .media = "image/png",
	           .lines = -1,
	           .bytes = 70,
	           .label = LABEL_T_PRIV}),
	    "{\"ref\":\"ref:5\",\"origin\":\"p.png\",\"bytes\":70,\"media\":\"image/"
	    "png\","
	    "\"label\":\"(T,priv)\",\"kind\":\"content\"}",
	    "a picture");
}

/* --- entries ------------------------------------------------------------------------------ */

static const char *
entry(const char *records, size_t n, unsigned k, enum ref_kind kind, bool sealed)
{
	static struct buf b = BUF_INIT;
	struct ref r = {.kind = kind, .entry = k, .listing_base = (char *)"/ws/d"};
	int fd, e;

	if (slot_new("test", 10000, &r.listing) != 0 ||
	    slot_writer(r.listing, &fd) != 0 || write(fd, records, n) != (ssize_t)n ||
	    close(fd) != 0 || (sealed && slot_seal(r.listing, LABEL_U_PRIV) != 0))
		abort();
	buf_clear(&b);
	e = ref_entry_path(&r, &b);
	slot_free(r.listing);
	return e == 0 ? buf_cstr(&b) : e == E_BAD && b.len == 0 ? "refused" : "?";
}
#define ENTRY(records, k, kind) entry(records, sizeof(records) - 1, k, kind, true)

TEST(entries)
{
	char deep[400] = "f";

	ok_str(ENTRY("fa.c\0fsub/b\0dx\0", 0, REF_FILE), "/ws/d/a.c", "the first");
	ok_str(ENTRY("fa.c\0fsub/b\0dx\0", 1, REF_FILE), "/ws/d/sub/b", "beneath");
	ok_str(ENTRY("fa.c\0fsub/b\0dx\0", 2, REF_DIRECTORY), "/ws/d/x", "a directory");
	ok_str(ENTRY("fa\n\x1b[31m\xff\0", 0, REF_FILE), "/ws/d/a\n\x1b[31m\xff",
	    "a hostile name as it is");
	ok_str(ENTRY("fa.c\0", 1, REF_FILE), "refused", "none of that number");
	ok_str(ENTRY("fa.c\0", 4294967295u, REF_FILE), "refused", "nor of a great one");
	ok_str(ENTRY("", 0, REF_FILE), "refused", "an empty listing");
	ok_str(ENTRY("fa.c", 0, REF_FILE), "refused", "a record without its end");
	ok_str(ENTRY("fa.c\0dx", 1, REF_DIRECTORY), "refused", "the last one without it");
	ok_str(ENTRY("f\0", 0, REF_FILE), "refused", "no name");
	ok_str(ENTRY("\0", 0, REF_FILE), "refused", "an empty record");
	ok_str(ENTRY("f..\0", 0, REF_FILE), "refused", "..");
	ok_str(ENTRY("f../x\0", 0, REF_FILE), "refused", "it climbs");
	ok_str(ENTRY("fa/../../x\0", 0, REF_FILE), "refused", "it climbs later");
	ok_str(ENTRY("fa/..\0", 0, REF_FILE), "refused", "it climbs at the end");
	ok_str(ENTRY("f/etc/passwd\0", 0, REF_FILE), "refused", "absolute");
	ok_str(ENTRY("fa/\0", 0, REF_FILE), "refused", "a trailing slash");
	ok_str(ENTRY("dx\0", 0, REF_FILE), "refused", "a directory for a file");
	ok_str(ENTRY("fx\0", 0, REF_DIRECTORY), "refused", "a file for a directory");
	ok_str(ENTRY("f.\0", 0, REF_FILE), "refused", "the directory itself");
	ok_str(ENTRY("f././\0", 0, REF_FILE), "refused", "the directory itself, longer");
	ok_str(ENTRY("f./a//b\0", 0, REF_FILE), "/ws/d/a/b", "a name that is not normal");
	memset(deep + 1, 'x', 300);
	deep[301] = '\0';
	ok_str(entry(deep, 302, 0, REF_FILE, true), "refused",
	    "a component that is too long");
	ok_str(entry("fa\0", 3, 0, REF_FILE, false), "refused",
	    "a listing that is not sealed");
	{
		struct ref r = {.kind = REF_FILE};
		struct buf b = BUF_INIT;

		ok_int(ref_entry_path(&r, &b), E_BAD, "no entry at all");
		buf_release(&b);
	}
}

TEST(ownership)
{
	struct slot *listing;
	struct ref init = {.kind = REF_FILE, .lines = -1, .bytes = -1}, *out;
	struct refs *r = store(0);
	int fd;

	if (slot_new("test", 100, &listing) != 0 || slot_writer(listing, &fd) != 0 ||
	    write(fd, "fa\0fb\0", 6) != 6 || close(fd) != 0 ||
	    slot_seal(listing, LABEL_U_PRIV) != 0)
		abort();
	for (unsigned k = 0; k < 2; k++) {
		init.entry = k;
		init.listing = k == 0 ? listing : slot_share(listing);
		init.listing_base = strdup("/ws");
		init.path = NULL;
		if (refs_mint(r, &init, &out) != 0)
			abort();
	}
	init = (struct ref){.origin = strdup("o"),
	    .path = strdup("/p"),
	    .lines = -1,
	    .bytes = -1};
	ok_int(refs_mint(r, &init, &out), 0, "a third one");
	ok(out->n == 2 && out->origin == init.origin && strcmp(out->path, "/p") == 0,
	    "its strings are taken, not copied");
	{
		struct buf b = BUF_INIT;

		ok(ref_entry_path(refs_at(r, 1), &b) == 0 &&
		        strcmp(buf_cstr(&b), "/ws/b") == 0,
		    "entries share their listing");
		buf_release(&b);
	}
	refs_free(r); /* the sanitizer build says whether all of it went */
}

TEST(the_store_has_a_bound)
{
	struct refs *r;
	struct ref *out = NULL;
	struct ref init = {.lines = -1, .bytes = -1};
	int e = 0;
	size_t n = 0;

	if (refs_new(&r) != 0)
		abort();
	ok(refs_room(r) == REFS_MAX, "all of it is room");
	while (n <= REFS_MAX && (e = refs_mint(r, &init, &out)) == 0)
		n++;
	ok_int(e, E_FULL, "one too many");
	ok(n == REFS_MAX && out == NULL, "after 50,000");
	ok(refs_room(r) == 0 && refs_count(r) == REFS_MAX, "nothing changes by it");
	ok_int(refs_find(r, "ref:49999", &out), 0, "the last one");
	refs_free(r);
}

TAP_MAIN

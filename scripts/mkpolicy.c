/* mkpolicy: the policy pages as C tables with their BPF programs, as the power map of
 * README.md, and the digests of the helpers as built. Runs at build time only.
 *   mkpolicy tool DIR NAME | table DIR | map DIR | check DIR | digests FILE… */
#include "scripts/mkpolicy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/hash.h"

#define TOOLS_MAX 64
/* A 64-bit number as C reads it; INT64_MIN cannot stand on a page. */
#define WIDE "INT64_C(%" PRId64 ")"

static void
str(const char *s)
{
	putchar('"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('"');
}

static const char *
type_of(const char *t)
{
	static const char *const rows[][2] = {{"path:file", "TOOL_PATH_FILE"},
	    {"path:dir", "TOOL_PATH_DIR"}, {"ref:file", "TOOL_REF_FILE"},
	    {"ref:any", "TOOL_REF_ANY"}, {"int", "TOOL_INT"}, {"bool", "TOOL_BOOL"},
	    {"glob", "TOOL_GLOB"}, {"patterns", "TOOL_PATTERNS"}, {"line", "TOOL_LINE"},
	    {"text", "TOOL_TEXT"}, {"questions", "TOOL_QUESTIONS"},
	    {"todos", "TOOL_TODOS"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(rows[i][0], t) == 0)
			return rows[i][1];
	return "?";
}

static bool
sent(const char *type)
{
	return strcmp(type, "int") == 0 || strcmp(type, "bool") == 0 ||
	    strcmp(type, "glob") == 0 || strcmp(type, "patterns") == 0;
}

static void
args(const struct page *p)
{
	printf("static const struct tool_arg args[] = {\n");
	for (size_t i = 0; i < p->n_arg; i++) {
		const struct arg_row *a = &p->arg[i];
		bool num = strcmp(a->type, "int") == 0;

		printf("\t{.name = \"%s\", .role = %s, .type = %s, .says = ", a->name,
		    strcmp(a->role, "routing") == 0 ? "TOOL_ROUTING" : "TOOL_CONTENT",
		    type_of(a->type));
		str(a->says);
		if (num || strcmp(a->type, "questions") == 0 ||
		    strcmp(a->type, "todos") == 0)
			printf(", .min = " WIDE ", .max = " WIDE, a->min, a->max);
		if (strcmp(a->type, "bool") == 0) {
			printf(", .max = 1");
			num = true;
		}
		if (a->has_def && num)
			printf(", .has_default = true, .def = " WIDE, a->def_int);
		if (a->has_def && !num)
			printf(", .def_str = \"%s\"", a->def);
		printf(", .clamp = %d, .required = %d, .sent = %d},\n", a->clamp,
		    a->required, sent(a->type));
	}
	printf("};\n");
}

static void
fds(const struct page *p)
{
	printf("static const struct tool_fd fds[] = {\n");
	for (size_t i = 0; i < p->n_fd; i++) {
		const struct fd_row *f = &p->fd[i];
		const char *source = "TOOL_FROM_ARG";

		if (strcmp(f->source, "slot") == 0)
			source = "TOOL_FROM_SLOT";
		else if (strcmp(f->source, "scope") == 0)
			source = "TOOL_FROM_SCOPE";
		else if (strncmp(f->source, "carry:", 6) == 0)
			source = "TOOL_FROM_CARRY";
		printf("\t{.n = %d, .access = %s, .source = %s", f->n,
		    strcmp(f->access, "read") == 0        ? "TOOL_READ"
		        : strcmp(f->access, "write") == 0 ? "TOOL_WRITE"
		                                          : "TOOL_DIR",
		    source);
		if (f->n_args > 0)
			printf(", .args = {\"%s\"", f->args[0]);
		if (f->n_args > 1)
			printf(", \"%s\"", f->args[1]);
		if (f->n_args > 0)
			printf("}");
		printf("},\n");
	}
	printf("};\n");
}

static void
members(const char *what, const struct member_row *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].words[0] != '\0') {
			char copy[200], *save = NULL;

			(void)snprintf(copy, sizeof(copy), "%s", m[i].words);
			printf("static const char *const %s_%s[] = {", what, m[i].name);
			for (char *w = strtok_r(copy, " ", &save); w != NULL;
			     w = strtok_r(NULL, " ", &save))
				printf("\"%s\", ", w);
			printf("NULL};\n");
		}
	printf("static const struct tool_member %s[] = {\n", what);
	for (size_t i = 0; i < n; i++) {
		printf("\t{.name = \"%s\", .type = %s", m[i].name,
		    strcmp(m[i].type, "int") == 0        ? "MEMBER_INT"
		        : strcmp(m[i].type, "word") == 0 ? "MEMBER_WORD"
		                                         : "MEMBER_TEXT");
		if (strcmp(m[i].type, "int") == 0)
			printf(", .min = " WIDE ", .max = " WIDE, m[i].min, m[i].max);
		if (m[i].has_def)
			printf(", .has_default = true, .def = " WIDE, m[i].def);
		if (m[i].words[0] != '\0')
			printf(", .words = %s_%s", what, m[i].name);
		printf("},\n");
	}
	printf("\t{.name = NULL},\n};\n");
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct call_row *)a)->name,
	    ((const struct call_row *)b)->name);
}

/* The conditions of call i as constants. */
static void
conditions(const struct call_row *r, size_t i)
{
	for (size_t k = 0; k < r->n; k++) {
		printf("static const uint64_t values_%zu_%zu[] = {", i, k);
		for (size_t v = 0; v < r->cond[k].n; v++)
			printf("UINT64_C(0x%llx), ",
			    (unsigned long long)r->cond[k].value[v]);
		printf("};\n");
	}
	if (r->n == 0)
		return;
	printf("static const struct tool_cond conds_%zu[] = {\n", i);
	for (size_t k = 0; k < r->n; k++)
		printf("\t{%u, UINT64_C(0x%llx), values_%zu_%zu, %zu},\n", r->cond[k].arg,
		    (unsigned long long)r->cond[k].mask, i, k, r->cond[k].n);
	printf("};\n");
}

static void
emit(struct page *p)
{
	bool alone = strcmp(p->helper, "-") == 0;
	char digest[65] = "";
	size_t n = 0;
	struct sock_filter *prog = alone ? NULL : page_filter(p, &n, digest);

	qsort(p->calls, p->n_calls, sizeof(*p->calls), by_name);
	printf("/* Made by mkpolicy from policy/%s.tool; not to be edited. */\n",
	    p->name);
	printf(
	    "#include \"libcommon/tool.h\"\n\n#include \"libcommon/landlock_abi.h\"\n\n");
	args(p);
	fds(p);
	members("call", p->call, p->n_call);
	members("result", p->result, p->n_result);
	for (size_t k = 0; k < p->n_one_of; k++) {
		printf("static const char *const one_of_%zu[] = {", k);
		for (size_t i = 0; i < p->one_of[k].n; i++)
			printf("\"%s\", ", p->one_of[k].name[i]);
		printf("NULL};\n");
	}
	if (p->n_landlock > 0) {
		printf("static const struct tool_landlock landlock[] = {\n");
		for (size_t i = 0; i < p->n_landlock; i++)
			printf("\t{%d, LANDLOCK_ACCESS_FS_READ_DIR%s, \"%s\"},\n",
			    p->landlock_fd[i],
			    strstr(p->landlock_words[i], "read_file") != NULL
			        ? " | LANDLOCK_ACCESS_FS_READ_FILE"
			        : "",
			    p->landlock_words[i]);
		printf("};\n");
	}
	for (size_t i = 0; i < p->n_calls; i++)
		conditions(&p->calls[i], i);
	printf("static const struct tool_call calls[] = {\n");
	for (size_t i = 0; i < p->n_calls; i++) {
		const struct call_row *r = &p->calls[i];

		printf("\t{%d, \"%s\", ", r->nr, r->name);
		str(r->text);
		printf(", ");
		str(r->why);
		printf(", %d, ", r->errnum);
		if (r->n > 0)
			printf("conds_%zu, %zu},\n", i, r->n);
		else
			printf("NULL, 0},\n");
	}
	printf("};\nstatic const struct sock_filter filter[] = {\n");
	for (size_t i = 0; i < n; i++)
		printf("\t{0x%04x, %u, %u, 0x%08x},\n", prog[i].code, prog[i].jt,
		    prog[i].jf, prog[i].k);
	printf("};\n\nextern const struct tool tool_%s;\nconst struct tool tool_%s = {\n",
	    p->name, p->name);
	printf("\t.name = \"%s\",\n", p->name);
	if (!alone)
		printf("\t.helper = \"%s\",\n", p->helper);
	printf("\t.title = ");
	str(p->title);
	printf(",\n\t.says = ");
	str(p->says);
	printf(",\n\t.verb = \"%s\",\n\t.effect = %d,\n\t.ask = \"%s\",\n", p->verb,
	    p->effect, p->ask);
	printf("\t.args = args,\n\t.n_args = %zu,\n\t.fds = fds,\n\t.n_fds = %zu,\n",
	    p->n_arg, p->n_fd);
	for (size_t k = 0; k < p->n_one_of; k++)
		printf("\t.one_of[%zu] = one_of_%zu,\n", k, k);
	printf("\t.call = call,\n\t.n_call = %zu,\n\t.result = result,\n\t.n_result = "
	       "%zu,\n",
	    p->n_call, p->n_result);
	if (p->n_landlock > 0)
		printf("\t.landlock = landlock,\n\t.n_landlock = %zu,\n", p->n_landlock);
	printf("\t.calls = calls,\n\t.n_calls = %zu,\n\t.filter = filter,\n\t.n_filter = "
	       "%zu,\n",
	    p->n_calls, n);
	printf("\t.filter_digest = \"%s\",\n\t.page_digest = \"%s\",\n\t.page = "
	       "\"policy/%s.tool\",\n",
	    digest, p->digest, p->name);
	printf("\t.limits = {%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "},\n",
	    p->cpu, p->wall, p->memory, p->slot);
	printf("\t.threads = %u,\n};\n", p->threads);
	free(prog);
}

static void
table(char names[][2][64], size_t n)
{
	printf("/* Made by mkpolicy from policy/tools.list; not to be edited. */\n");
	printf("#include \"libcommon/tool.h\"\n\n#include <string.h>\n\n");
	for (size_t i = 0; i < n; i++)
		printf("extern const struct tool tool_%s;\n", names[i][0]);
	printf("\nconst struct tool *const tools[] = {\n");
	for (size_t i = 0; i < n; i++)
		printf("\t&tool_%s,\n", names[i][0]);
	printf("};\nconst size_t tools_len = %zu;\n\n", n);
	printf("const struct tool *\ntool_find(const char *name)\n{\n\tfor (size_t i = "
	       "0; i < tools_len; "
	       "i++)\n\t\tif (strcmp(tools[i]->name, name) == 0)\n\t\t\treturn "
	       "tools[i];\n\treturn NULL;\n}\n");
}

static void
roles(const struct page *p, const char *role)
{
	bool any = false;

	for (size_t i = 0; i < p->n_arg; i++)
		if (strcmp(p->arg[i].role, role) == 0) {
			printf("%s%s", any ? ", " : "", p->arg[i].name);
			any = true;
		}
	printf("%s", any ? " | " : "– | ");
}

/* One row a tool: what README.md shows as the power map. */
static void
map_row(const struct page *p)
{
	size_t allowed = 0;

	if (strcmp(p->helper, "-") == 0) { /* no process: no power */
		printf("| `%s` | none | ", p->name);
		roles(p, "routing");
		roles(p, "content");
		printf("– | – | – | – | %s |\n", p->ask);
		return;
	}
	printf("| `%s` | `%s` | ", p->name, p->helper);
	roles(p, "routing");
	roles(p, "content");
	for (size_t i = 0; i < p->n_fd; i++) {
		char copy[80], *bar;

		(void)snprintf(copy, sizeof(copy), "%s", p->fd[i].source);
		while ((bar = strchr(copy, '|')) != NULL)
			*bar = '/';
		printf("%s%d %s %s", i > 0 ? "; " : "", p->fd[i].n, p->fd[i].access,
		    copy);
	}
	printf(" | ");
	for (size_t i = 0; i < p->n_landlock; i++)
		printf("%sfd %d %s", i > 0 ? "; " : "", p->landlock_fd[i],
		    p->landlock_words[i]);
	for (size_t i = 0; i < p->n_calls; i++)
		allowed += p->calls[i].errnum == 0;
	printf("%s | %zu | %" PRIu64 " s, %" PRIu64 " s, %" PRIu64 " MiB | %s |\n",
	    p->n_landlock == 0 ? "nothing" : "", allowed, p->cpu, p->wall,
	    p->memory >> 20, p->ask);
}

static void
digests(int n, char **files)
{
	printf("/* Made by mkpolicy; SHA-256 of the helpers as built. */\n#include "
	       "\"libcommon/tool.h\"\n\n"
	       "const struct helper_digest helper_digests[] = {\n");
	for (int i = 0; i < n; i++) {
		int fd = open(files[i], O_RDONLY | O_CLOEXEC);
		char hex[65], part[65536];
		const char *base = strrchr(files[i], '/');
		struct sha256 h;
		ssize_t got;

		if (fd < 0)
			die(files[i], 0, "%s", strerror(errno));
		sha256_init(&h);
		while ((got = read(fd, part, sizeof(part))) > 0)
			sha256_add(&h, part, (size_t)got);
		if (got < 0)
			die(files[i], 0, "%s", strerror(errno));
		close(fd);
		sha256_hex(&h, hex);
		printf("\t{\"%s\", \"%s\"},\n", base != NULL ? base + 1 : files[i], hex);
	}
	printf("};\nconst size_t helper_digests_len = %d;\n", n);
}

/* All names of tools.list with their helpers ("-" for none). */
static size_t
list_read(const char *dir, char names[][2][64], size_t most)
{
	char file[512], *text = NULL;
	size_t room = 0, line = 0, n = 0;
	FILE *f;

	(void)snprintf(file, sizeof(file), "%s/tools.list", dir);
	if ((f = fopen(file, "r")) == NULL)
		die(file, 0, "%s", strerror(errno));
	while (getline(&text, &room, f) >= 0) {
		char *s;

		line++;
		(void)comment(text);
		s = trim(text);
		if (*s == '\0')
			continue;
		if (n == most)
			die(file, line, "too many tools");
		take(names[n][0], 64, word(&s), file, line);
		take(names[n][1], 64, word(&s), file, line);
		if (*(s = trim(s)) != '\0')
			die(file, line, "'%s' is not known here", s);
		s = names[n][1];
		if (!is_name(names[n][0]))
			die(file, line, "'%s' is not a name", names[n][0]);
		if (strcmp(s, "-") != 0 && (strncmp(s, "bb-", 3) != 0 || !is_name(s + 3)))
			die(file, line,
			    "'%s' is no helper: a line is TOOL HELPER, or TOOL -", s);
		for (size_t i = 0; i < n; i++)
			if (strcmp(names[i][0], names[n][0]) == 0)
				die(file, line, "%s stands twice", names[n][0]);
		n++;
	}
	free(text);
	fclose(f);
	return n;
}

int
main(int argc, char **argv)
{
	char names[TOOLS_MAX][2][64];
	static struct page p;
	size_t n;

	if (argc > 2 && strcmp(argv[1], "digests") == 0) {
		digests(argc - 2, argv + 2);
		return 0;
	}
	if (argc < 3) {
		fprintf(stderr,
		    "usage: mkpolicy tool DIR NAME | table DIR | map DIR | check DIR | "
		    "digests FILE…\n");
		return 2;
	}
	n = list_read(argv[2], names, TOOLS_MAX);
	if (strcmp(argv[1], "table") == 0) {
		table(names, n);
		return 0;
	}
	if (strcmp(argv[1], "map") == 0)
		printf("| tool | helper | routing | content | descriptors | Landlock | "
		       "calls | cpu, wall, "
		       "memory | asks |\n|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < n; i++) {
		if (strcmp(argv[1], "tool") == 0 &&
		    (argc != 4 || strcmp(names[i][0], argv[3]) != 0))
			continue;
		page_read(argv[2], names[i][0], names[i][1], &p);
		if (strcmp(argv[1], "map") == 0) {
			map_row(&p);
		} else if (strcmp(argv[1], "tool") == 0) {
			emit(&p);
			return 0;
		} else if (strcmp(argv[1], "check") == 0) {
			size_t len;
			char digest[65];

			if (strcmp(p.helper, "-") != 0)
				free(page_filter(&p, &len, digest));
		} else {
			die(argv[1], 0, "no such mode");
		}
	}
	if (strcmp(argv[1], "tool") == 0)
		die(argv[2], 0, "no tool %s in tools.list", argc == 4 ? argv[3] : "");
	return 0;
}

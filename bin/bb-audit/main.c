/* bb-audit: shows, traces and attacks the confinement of the helpers. It trusts the policy
 * table it was built with and nothing else: each row is tried outside as well, and what
 * cannot be tried there proves nothing here. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bin/bb-audit/audit.h"
#include "libcommon/clock.h"
#include "libcommon/confine.h"
#include "libcommon/json.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define WORDS_MAX 64
#define COLUMNS 80
#define NOT_HERE_MAX 512

static const char usage_text[] =
    "usage: bb-audit [--json] [--strict] [--compare OLD.json] [HELPER...]\n"
    "       bb-audit --show HELPER [--json]\n"
    "       bb-audit --oci HELPER\n"
    "       bb-audit --trace TOOL [KEY=VALUE...] [--json]\n"
    "       bb-audit --help [--json] | --version\n";

struct options {
	bool json, strict, help, version;
	const char *show, *oci, *trace, *compare;
	char *words[WORDS_MAX]; /* helpers, or KEY=VALUE */
	size_t n;
};

/* Every option: the parser, --help and the completions read this. */
static const struct option {
	const char *name, *arg, *says;
	size_t at; /* in struct options: a bool, or a string if it has an arg */
} option_table[] = {
    {"--json", NULL, "one JSON object a line", offsetof(struct options, json)},
    {"--strict", NULL, "end with 1 if a probe was skipped",
        offsetof(struct options, strict)},
    {"--compare", "FILE", "name what differs from an earlier --json output",
        offsetof(struct options, compare)},
    {"--show", "HELPER", "print what the helper's page grants",
        offsetof(struct options, show)},
    {"--oci", "HELPER", "print its filter as an OCI seccomp profile",
        offsetof(struct options, oci)},
    {"--trace", "TOOL", "run one call; calls used against calls allowed",
        offsetof(struct options, trace)},
    {"--help", NULL, "print how it is used", offsetof(struct options, help)},
    {"--version", NULL, "print the version", offsetof(struct options, version)},
};
#define OPTIONS (sizeof(option_table) / sizeof(*option_table))
static const struct {
	int code;
	const char *says;
} exit_table[] = {
    {0, "every probe held; what was asked for was printed"},
    {1,
        "one did not hold, the traced helper was killed, or --strict and one was "
        "skipped"},
    {2, "wrong use"},
    {75, "it could not run; what is missing is said"},
};
#define EXITS (sizeof(exit_table) / sizeof(*exit_table))

struct counts {
	unsigned probes, held, not_held, not_here, skipped, controls;
};
struct tally {
	char helper[64]; /* tool_part */
	const struct tool *tool;
	bool json;
	struct counts c;
	struct place *place;
	struct buf rows; /* what did not hold, why something was skipped, what differs */
	struct {
		char reason[32];
		const char *name;
	} not_here[NOT_HERE_MAX];
	size_t n_not_here;
	json_t *old; /* --compare: an object by helper and name, or NULL */
};

/* Asked to stop: at the next verdict, so that the place outside is cleared away. */
static volatile sig_atomic_t stopped;

static void
on_stop(int sig)
{
	stopped = sig;
}

int
audit_fail(bool json, int status, const char *code, const char *says, const char *remedy)
{
	complain("bb-audit: %s\n", says);
	if (remedy[0] != '\0')
		complain("  %s\n", remedy);
	if (json) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *o = json_pack("{s:i,s:{s:s,s:s,s:s}}", "schema", 1,
		    "error", "code", code, "says", says, "remedy", remedy);

		if (o != NULL && json_print(o, &b) == 0)
			puts(buf_cstr(&b));
	}
	return status;
}

/* --- --compare -------------------------------------------------------------------------- */

/* "#14 name"; a check of no row of the notes has no number. */
static void
row_words(long long probe, const char *name, struct buf *b)
{
	if (probe > 0)
		(void)buf_fmt(b, "#%lld ", probe);
	(void)buf_str(b, name);
}

/* "bb-read #14 name": one row of a report. */
static void
row_key(const char *helper, long long probe, const char *name, struct buf *b)
{
	(void)buf_fmt(b, "%s ", helper);
	row_words(probe, name, b);
}

static json_t *
old_report(const char *file)
{
	FILE *f = fopen(file, "re");
	char *line = NULL;
	size_t room_for = 0;
	ssize_t n;
	json_t *all = json_object();

	if (f == NULL) {
		json_decref(all);
		return NULL;
	}
	while ((n = getline(&line, &room_for, f)) > 0) {
		auto_json json_t *v = NULL;
		auto_buf struct buf key = BUF_INIT;
		const char *helper, *name;
		int64_t probe;
		int r;

		if (json_parse(line, (size_t)n, &v, NULL) != 0 ||
		    json_get_str(v, ".helper", &helper) != 0 ||
		    json_get_str(v, ".name", &name) != 0 ||
		    ((r = json_get_int(v, ".probe", 0, 1000, &probe)) != 0 &&
		        r != E_MISSING))
			continue;
		row_key(helper, probe, name, &key);
		json_object_set(all, buf_cstr(&key), v);
	}
	free(line);
	fclose(f);
	return all;
}

/* What the older report saw in this row, or NULL: the same, or it had no such row. */
static const char *
before(struct tally *t, const struct verdict *v)
{
	auto_buf struct buf key = BUF_INIT;
	const char *seen = NULL;
	json_t *o;
	bool held;

	row_key(t->helper, v->row, v->name, &key);
	o = t->old != NULL ? json_object_get(t->old, buf_cstr(&key)) : NULL;
	if (o == NULL)
		return NULL;
	if (json_get_str(o, ".seen", &seen) != 0)
		seen = "nothing";
	held = json_is_true(json_object_get(o, "held"));
	/* what is left at the end is no longer tried */
	json_object_set_new(o, "again", json_true());
	return held == v->held && strcmp(seen, v->seen) == 0 ? NULL : seen;
}

/* --- one verdict ---------------------------------------------------------------------------- */

static void
print_json(const struct tally *t, const struct verdict *v, const char *was)
{
	auto_buf struct buf b = BUF_INIT;
	auto_json json_t *o =
	    json_pack("{s:i,s:s,s:s,s:o*,s:s,s:s,s:s,s:s,s:s,s:b,s:b,s:s?}", "schema", 1,
	        "helper", t->helper, "digest", t->tool->filter_digest, "probe",
	        v->row > 0 ? json_integer(v->row) : NULL, "name", v->name, "expected",
	        v->expected, "seen", v->seen, "layer", v->layer, "control", v->control,
	        "held", v->held, "applies", v->applies, "skipped", v->skipped);
	char ms[32];

	if (was != NULL)
		json_object_set_new(o, "before", json_string(was));
	(void)json_print(o, &b);
	buf_drop(&b, 1); /* the number with three digits, last */
	(void)snprintf(ms, sizeof(ms), "%.3f", v->ms);
	printf("{%.*s,\"ms\":%s}\n", (int)b.len - 1, buf_cstr(&b), ms);
	(void)fflush(stdout);
}

static void
on_verdict(void *arg, const struct verdict *v)
{
	struct tally *t = arg;
	const char *was = before(t, v);
	auto_buf struct buf row = BUF_INIT;

	row_words(v->row, v->name, &row);
	if (stopped != 0) {
		place_free(t->place);
		_exit(128 + stopped);
	}
	if (v->skipped != NULL) {
		t->c.skipped++;
		(void)buf_fmt(&t->rows, "  %s\n      skipped: %s\n", buf_cstr(&row),
		    v->skipped);
	} else if (!v->applies) {
		t->c.not_here++;
		if (t->n_not_here < NOT_HERE_MAX) {
			t->not_here[t->n_not_here].name = v->name;
			(void)snprintf(t->not_here[t->n_not_here++].reason,
			    sizeof(t->not_here->reason), "%s",
			    v->missing != NULL ? v->missing : "");
		}
	} else {
		t->c.probes++;
		t->c.held += v->held;
		t->c.not_held += !v->held;
		t->c.controls += strcmp(v->control, "succeeded") == 0;
		if (!v->held)
			(void)buf_fmt(&t->rows,
			    "  %s\n      expected %s, seen %s (layer %s)\n",
			    buf_cstr(&row), v->expected, v->seen, v->layer);
		else if (was != NULL)
			(void)buf_fmt(&t->rows, "  %s\n      held, seen %s\n",
			    buf_cstr(&row), v->seen);
	}
	if (was != NULL && (v->applies || v->skipped != NULL))
		(void)buf_fmt(&t->rows, "      the older report saw: %s\n", was);
	if (t->json)
		print_json(t, v, was);
}

/* Each reason once, with the names of its rows. */
static void
put_not_here(const struct tally *t)
{
	for (size_t i = 0; i < t->n_not_here; i++) {
		const char *reason = t->not_here[i].reason, *comma = "";
		size_t column;
		bool told = false;

		for (size_t k = 0; k < i; k++)
			told |= strcmp(t->not_here[k].reason, reason) == 0;
		if (told)
			continue;
		column = (size_t)printf("      not here, outside %s:", reason);
		for (size_t k = i; k < t->n_not_here; k++) {
			const char *name = t->not_here[k].name;

			if (strcmp(t->not_here[k].reason, reason) != 0)
				continue;
			if (column + strlen(comma) + 1 + strlen(name) > COLUMNS) {
				printf("%s\n       ", comma);
				comma = "";
				column = 7;
			}
			column += (size_t)printf("%s %s", comma, name);
			comma = ",";
		}
		putchar('\n');
	}
}

static void
put_row(const struct tally *t)
{
	printf("%-11s %u probes: %u held", t->helper, t->c.probes, t->c.held);
	if (t->c.not_held > 0)
		printf(", %u NOT HELD", t->c.not_held);
	if (t->c.not_here > 0)
		printf(", %u not applicable here", t->c.not_here);
	if (t->c.skipped > 0)
		printf(", %u skipped", t->c.skipped);
	printf("      each also tried outside: %u succeeded there\n%s", t->c.controls,
	    buf_cstr(&t->rows));
	put_not_here(t);
	(void)fflush(stdout);
}

/* --- the whole audit -------------------------------------------------------------------------- */

static const struct tool *
of_helper(const char *name)
{
	char part[64];

	for (size_t i = 0; i < tools_len; i++)
		if (tools[i]->helper != NULL &&
		    strcmp(tool_part(tools[i], part), name) == 0)
			return tools[i];
	return NULL;
}

static bool
wanted(const struct options *o, const char *helper)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->words[i], helper) == 0 ||
		    (strncmp(o->words[i], helper, strcspn(helper, ":")) == 0 &&
		        o->words[i][strcspn(helper, ":")] == '\0'))
			return true;
	return o->n == 0;
}

static int
unknown(const struct options *o, const char *name)
{
	auto_buf struct buf says = BUF_INIT;

	(void)buf_fmt(&says, "no helper '%s'; bb-audit without a name does all", name);
	return audit_fail(o->json, 2, "unknown-helper", buf_cstr(&says), "");
}

static void
put_summary(const struct options *o, const struct counts *all, unsigned helpers,
    uint64_t us)
{
	if (o->json)
		printf("{\"summary\":{\"helpers\":%u,\"probes\":%u,\"held\":%u,\"not_"
		       "held\":%u,"
		       "\"not_applicable\":%u,\"skipped\":%u,\"ms\":%llu}}\n",
		    helpers, all->probes, all->held, all->not_held, all->not_here,
		    all->skipped, (unsigned long long)us / 1000);
	else
		printf(
		    "\n%u probes, %u not held, %u not applicable, %u skipped · %.1f s\n",
		    all->probes, all->not_held, all->not_here, all->skipped,
		    (double)us / 1e6);
}

static void
put_gone(const json_t *old, const struct options *o)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)old, key, v) {
		const char *helper = json_string_value(json_object_get(v, "helper"));

		if (!json_is_true(json_object_get(v, "again")) && helper != NULL &&
		    wanted(o, helper) && !o->json)
			printf("  %s: in the older report only\n", key);
	}
}

static int
audit(const struct options *o, const char *helpers)
{
	struct utsname u;
	struct counts all = {0};
	unsigned done = 0;
	uint64_t t0 = clock_mono_us();
	auto_json json_t *old = NULL;

#ifdef BB_UNCONFINED
	return audit_fail(o->json, 75, "unconfined",
	    "this is a build without confinement: there is nothing to audit",
	    "build without SAN=1");
#endif
	for (size_t i = 0; i < o->n; i++)
		if (of_helper(o->words[i]) == NULL)
			return unknown(o, o->words[i]);
	if (o->compare != NULL && (old = old_report(o->compare)) == NULL) {
		auto_buf struct buf says = BUF_INIT;

		(void)buf_fmt(&says, "cannot open '%s': %s", o->compare,
		    err_errno(errno));
		return audit_fail(o->json, 2, "cannot-open", buf_cstr(&says), "");
	}
	(void)uname(&u);
	if (!o->json)
		printf("bb-audit " BB_VERSION
		       "   %s %s, uid %u, Landlock ABI %d   helpers %s\n\n",
		    u.sysname, u.release, (unsigned)getuid(), confine_landlock_abi(),
		    helpers);
	(void)fflush(stdout);
	for (size_t i = 0; i < tools_len; i++) {
		struct place p;
		struct tally t = {.tool = tools[i],
		    .place = &p,
		    .json = o->json,
		    .rows = BUF_INIT,
		    .old = old};

		if (tools[i]->helper == NULL || !wanted(o, tool_part(tools[i], t.helper)))
			continue;
		if (place_make(tools[i], &p) != 0) {
			auto_buf struct buf says = BUF_INIT;

			(void)buf_fmt(&says, "cannot prepare in '%s': %s",
			    p.dir[0] != '\0' ? p.dir : "/proc", err_errno(errno));
			place_free(&p);
			return audit_fail(o->json, 75, "cannot-prepare", buf_cstr(&says),
			    "set TMPDIR to a short path that can be written");
		}
		checks_run(tools[i], helpers, &p, on_verdict, &t);
		place_free(&p);
		if (!o->json)
			put_row(&t);
		all.probes += t.c.probes;
		all.held += t.c.held;
		all.not_held += t.c.not_held;
		all.not_here += t.c.not_here;
		all.skipped += t.c.skipped;
		done++;
		buf_release(&t.rows);
	}
	if (old != NULL)
		put_gone(old, o);
	put_summary(o, &all, done, clock_mono_us() - t0);
	return all.not_held > 0 || (o->strict && all.skipped > 0) ? 1 : 0;
}

static void
put_help(bool json)
{
	char part[64];
	auto_json json_t *all = json_pack("{s:i,s:s,s:[],s:[],s:[],s:[]}", "schema", 1,
	    "program", "bb-audit", "options", "helpers", "tools", "exit");
	auto_buf struct buf b = BUF_INIT;

	if (!json) {
		fputs(usage_text, stdout);
		puts("\noptions:");
		for (size_t i = 0; i < OPTIONS; i++)
			printf("  %-9s %-7s %s\n", option_table[i].name,
			    option_table[i].arg != NULL ? option_table[i].arg : "",
			    option_table[i].says);
		puts("\nexit status:");
		for (size_t i = 0; i < EXITS; i++)
			printf("  %2d  %s\n", exit_table[i].code, exit_table[i].says);
		return;
	}
	for (size_t i = 0; i < OPTIONS; i++)
		json_array_append_new(json_object_get(all, "options"),
		    json_pack("{s:s,s:s?,s:s}", "name", option_table[i].name, "arg",
		        option_table[i].arg, "says", option_table[i].says));
	for (size_t i = 0; i < tools_len; i++) {
		if (tools[i]->helper == NULL)
			continue;
		json_array_append_new(json_object_get(all, "tools"),
		    json_string(tools[i]->name));
		if (strchr(tool_part(tools[i], part), ':') == NULL)
			json_array_append_new(json_object_get(all, "helpers"),
			    json_string(part));
	}
	for (size_t i = 0; i < EXITS; i++)
		json_array_append_new(json_object_get(all, "exit"),
		    json_pack("{s:i,s:s}", "code", exit_table[i].code, "says",
		        exit_table[i].says));
	if (json_print(all, &b) == 0)
		puts(buf_cstr(&b));
}

/* 0, or the status to end with. */
static int
parse(int argc, char **argv, struct options *o)
{
	for (int i = 1; i < argc; i++) {
		const struct option *row = NULL;
		const char **value;

		if (argv[i][0] != '-') {
			if (o->n == WORDS_MAX)
				return 2;
			o->words[o->n++] = argv[i];
			continue;
		}
		for (size_t k = 0; k < OPTIONS; k++)
			if (strcmp(argv[i], option_table[k].name) == 0)
				row = &option_table[k];
		if (row == NULL)
			return 2;
		if (row->arg == NULL) {
			*(bool *)((char *)o + row->at) = true;
			continue;
		}
		value = (const char **)(void *)((char *)o + row->at);
		if (*value != NULL || i + 1 == argc || argv[i + 1][0] == '\0')
			return 2;
		*value = argv[++i];
	}
	/* One thing at a time, and nothing that would go unheard. */
	if ((o->show != NULL) + (o->oci != NULL) + (o->trace != NULL) > 1)
		return 2;
	if ((o->show != NULL || o->oci != NULL) && o->n > 0)
		return 2;
	if ((o->show != NULL || o->oci != NULL || o->trace != NULL) &&
	    (o->strict || o->compare != NULL))
		return 2;
	return 0;
}

/* A report that went nowhere held nothing. */
static int
written(int status)
{
	bool lost = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !lost)
		return status;
	fprintf(stderr, "bb-audit: cannot write to standard output%s%s\n",
	    errno != 0 ? ": " : "", errno != 0 ? err_errno(errno) : "");
	return 75;
}

int
main(int argc, char **argv)
{
	struct options o = {0};
	auto_buf struct buf helpers = BUF_INIT, out = BUF_INIT;
	const struct tool *t;
	int status = 0;

	if (argc == 9 && strcmp(argv[1], "--in-place") == 0)
		place_main(argv + 2);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGINT, on_stop);
	(void)signal(SIGTERM, on_stop);
	(void)signal(SIGHUP, on_stop);
	if (parse(argc, argv, &o) != 0) {
		fputs(usage_text, stderr);
		for (int i = 1; i < argc; i++)
			if (strcmp(argv[i], "--json") == 0) {
				puts("{\"schema\":1,\"error\":{\"code\":\"usage\","
				     "\"says\":\"wrong use\","
				     "\"remedy\":\"bb-audit --help\"}}");
				break;
			}
		return written(2);
	}
	if (o.help) {
		put_help(o.json);
		return written(0);
	}
	if (o.version) {
		puts("bb-audit " BB_VERSION);
		return written(0);
	}
	if (o.show != NULL || o.oci != NULL) {
		if ((t = of_helper(o.show != NULL ? o.show : o.oci)) == NULL)
			return unknown(&o, o.show != NULL ? o.show : o.oci);
		if (o.show != NULL)
			show_helper(t, o.json, &out);
		else
			oci_profile(t, &out);
	} else if (path_helpers(&helpers) != 0) {
		return audit_fail(o.json, 75, "no-helpers",
		    "the helpers are not found beside it or in libexec/bb",
		    "install bb again");
	} else if (o.trace != NULL) {
		if ((t = tool_find(o.trace)) == NULL || t->helper == NULL) {
			(void)buf_fmt(&out, "no tool '%s' with a helper", o.trace);
			return audit_fail(o.json, 2, "unknown-tool", buf_cstr(&out), "");
		}
		status = trace_tool(t, buf_cstr(&helpers), o.words, o.n, o.json, &out);
	} else {
		status = audit(&o, buf_cstr(&helpers));
	}
	fputs(buf_cstr(&out), stdout);
	return written(status);
}

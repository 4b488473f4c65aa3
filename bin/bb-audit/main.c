/* bb-audit: shows, traces and attacks the confinement of the helpers. It trusts the policy
 * table it was built with and nothing else: each row is tried outside as well, and what
 * cannot be tried there proves nothing here. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libcommon/clock.h"
#include "libcommon/confine.h"
#include "libcommon/json.h"
#include "libcommon/path.h"

struct tally {
	const char *helper;
	const struct tool *tool;
	bool json;
	unsigned probes, held, not_held, not_here, skipped, controls;
	struct buf rows; /* of what did not hold, and why something was skipped */
	json_t *old;     /* --compare */
	unsigned worse;
};

static int
usage(void)
{
	fputs("usage: bb-audit [--json] [--strict] [--compare OLD.json] [HELPER…]\n"
	      "       bb-audit --show HELPER [--json]\n"
	      "       bb-audit --oci HELPER\n"
	      "       bb-audit --trace TOOL [KEY=VALUE…] [--json]\n",
	    stderr);
	return 2;
}

/* A row of an older report that held then. */
static bool
held_before(const json_t *old, const char *helper, const struct verdict *v)
{
	size_t i;
	json_t *o;

	json_array_foreach((json_t *)(uintptr_t)old, i, o) {
		const char *h = json_string_value(json_object_get(o, "helper")),
		           *n = json_string_value(json_object_get(o, "name"));

		if (h != NULL && n != NULL && strcmp(h, helper) == 0 &&
		    strcmp(n, v->name) == 0)
			return json_is_true(json_object_get(o, "held"));
	}
	return false;
}

static void
on_verdict(void *arg, const struct verdict *v)
{
	struct tally *t = arg;

	t->probes++;
	if (v->skipped != NULL) {
		t->skipped++;
		(void)buf_fmt(&t->rows, "  #%d %s\n      skipped: %s\n", v->row, v->name,
		    v->skipped);
	} else if (!v->applies) {
		t->not_here++;
	} else if (v->held) {
		t->held++;
		t->controls += strcmp(v->control, "succeeded") == 0;
	} else {
		t->not_held++;
		(void)buf_fmt(&t->rows,
		    "  #%d %s\n      expected %s, seen %s (layer %s)\n", v->row, v->name,
		    v->expected, v->seen, v->layer);
	}
	/* A verdict on a row that does not apply must still not be an escape. */
	if (!v->applies && v->skipped == NULL && !v->held) {
		t->not_here--;
		t->not_held++;
		(void)buf_fmt(&t->rows,
		    "  #%d %s\n      expected %s, seen %s (layer %s; the control "
		    "failed)\n",
		    v->row, v->name, v->expected, v->seen, v->layer);
	}
	if (t->old != NULL && !v->held && held_before(t->old, t->helper, v)) {
		t->worse++;
		(void)buf_fmt(&t->rows, "      it held in the older report\n");
	}
	if (t->json) {
		struct buf b = BUF_INIT;
		json_t *o =
		    json_pack("{s:i,s:s,s:s,s:i,s:s,s:s,s:s,s:s,s:s,s:b,s:b,s:s?,s:f}",
		        "schema", 1, "helper", t->helper, "digest",
		        t->tool->filter_digest, "probe", v->row, "name", v->name,
		        "expected", v->expected, "seen", v->seen, "layer", v->layer,
		        "control", v->control, "held", v->held, "applies", v->applies,
		        "skipped", v->skipped, "ms", v->ms);

		(void)json_print(o, &b);
		puts(buf_cstr(&b));
		(void)fflush(stdout);
		json_decref(o);
		buf_release(&b);
	}
}

static bool
wanted(char *const *names, size_t n, const char *helper)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], helper) == 0)
			return true;
	return n == 0;
}

static json_t *
old_report(const char *file)
{
	FILE *f = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	json_t *list = json_array(), *v;

	if (f == NULL) {
		fprintf(stderr, "bb-audit: cannot open '%s': %s\n", file,
		    err_errno(errno));
		json_decref(list);
		return NULL;
	}
	while ((n = getline(&line, &room, f)) > 0)
		if (json_parse(line, (size_t)n, &v, NULL) == 0)
			json_array_append_new(list, v);
	free(line);
	fclose(f);
	return list;
}

static void
row(const struct tally *t)
{
	printf("%-11s %u probes: %u held", t->helper, t->probes, t->held);
	if (t->not_held > 0)
		printf(", %u NOT HELD", t->not_held);
	if (t->not_here > 0)
		printf(", %u not applicable here", t->not_here);
	if (t->skipped > 0)
		printf(", %u skipped", t->skipped);
	printf("      each also tried outside: %u succeeded there\n%s", t->controls,
	    buf_cstr(&t->rows));
	(void)fflush(stdout);
}

static int
audit(const char *helpers, char *const *names, size_t n, bool json, bool strict,
    json_t *old)
{
	struct utsname u;
	unsigned probes = 0, not_held = 0, not_here = 0, skipped = 0, done = 0;
	uint64_t t0 = clock_mono_us();

	for (size_t i = 0; i < n; i++) {
		bool known = false;

		for (size_t k = 0; k < tools_len; k++)
			known |= tools[k]->helper != NULL &&
			    strcmp(tools[k]->helper, names[i]) == 0;
		if (!known) {
			fprintf(stderr,
			    "bb-audit: no helper '%s'; bb-audit without a name does "
			    "all\n",
			    names[i]);
			return 2;
		}
	}
	(void)uname(&u);
	if (!json)
		printf("bb-audit " BB_VERSION
		       "   %s %s, uid %u, Landlock ABI %d   helpers %s\n\n",
		    u.sysname, u.release, (unsigned)getuid(), confine_landlock_abi(),
		    helpers);
	for (size_t i = 0; i < tools_len; i++) {
		struct tally t = {.helper = tools[i]->helper,
		    .tool = tools[i],
		    .json = json,
		    .rows = BUF_INIT,
		    .old = old};
		struct place p;

		if (tools[i]->helper == NULL || !wanted(names, n, tools[i]->helper))
			continue;
		if (place_make(tools[i], &p) != 0) {
			fprintf(stderr, "bb-audit: cannot prepare: %s\n",
			    err_errno(errno));
			return 75;
		}
		checks_run(tools[i], helpers, &p, on_verdict, &t);
		place_free(&p);
		if (!json)
			row(&t);
		probes += t.probes;
		not_held += t.not_held;
		not_here += t.not_here;
		skipped += t.skipped;
		done++;
		buf_release(&t.rows);
	}
	if (json)
		printf("{\"summary\":{\"helpers\":%u,\"probes\":%u,\"not_held\":%u,\"not_"
		       "applicable\":%u,"
		       "\"skipped\":%u,\"ms\":%llu}}\n",
		    done, probes, not_held, not_here, skipped,
		    (unsigned long long)(clock_mono_us() - t0) / 1000);
	else
		printf(
		    "\n%u probes, %u not held, %u not applicable, %u skipped · %.1f s\n",
		    probes, not_held, not_here, skipped,
		    (double)(clock_mono_us() - t0) / 1e6);
	return not_held > 0 || (strict && skipped > 0) ? 1 : 0;
}

static const struct tool *
of_helper(const char *name)
{
	for (size_t i = 0; i < tools_len; i++)
		if (tools[i]->helper != NULL && strcmp(tools[i]->helper, name) == 0)
			return tools[i];
	fprintf(stderr, "bb-audit: no helper '%s'\n", name);
	return NULL;
}

int
main(int argc, char **argv)
{
	bool json = false, strict = false;
	const char *show = NULL, *oci = NULL, *trace = NULL, *compare = NULL;
	char *words[64];
	size_t n = 0;
	struct buf helpers = BUF_INIT, out = BUF_INIT;
	const struct tool *t;
	json_t *old = NULL;
	int status;

	(void)signal(SIGPIPE, SIG_IGN);
	for (int i = 1; i < argc; i++) {
		const char **value = NULL;

		if (strcmp(argv[i], "--json") == 0)
			json = true;
		else if (strcmp(argv[i], "--strict") == 0)
			strict = true;
		else if (strcmp(argv[i], "--show") == 0)
			value = &show;
		else if (strcmp(argv[i], "--oci") == 0)
			value = &oci;
		else if (strcmp(argv[i], "--trace") == 0)
			value = &trace;
		else if (strcmp(argv[i], "--compare") == 0)
			value = &compare;
		else if (strcmp(argv[i], "--help") == 0) {
			(void)usage();
			return 0;
		} else if (strcmp(argv[i], "--version") == 0) {
			puts("bb-audit " BB_VERSION);
			return 0;
		} else if (argv[i][0] == '-' || n == 64)
			return usage();
		else
			words[n++] = argv[i];
		if (value != NULL && (i + 1 == argc || (*value = argv[++i])[0] == '\0'))
			return usage();
	}
	if (path_helpers(&helpers) != 0) {
		fprintf(stderr,
		    "bb-audit: the helpers are not found beside it or in libexec/bb\n");
		return 75;
	}
	if (compare != NULL && (old = old_report(compare)) == NULL)
		return 2;
	if (show != NULL || oci != NULL) {
		if ((t = of_helper(show != NULL ? show : oci)) == NULL)
			return 2;
		if (show != NULL)
			show_helper(t, json, &out);
		else
			oci_profile(t, &out);
		fputs(buf_cstr(&out), stdout);
		status = 0;
	} else if (trace != NULL) {
		if ((t = tool_find(trace)) == NULL || t->helper == NULL) {
			fprintf(stderr, "bb-audit: no tool '%s'\n", trace);
			return 2;
		}
		status = trace_tool(t, buf_cstr(&helpers), words, n, json, &out);
		fputs(buf_cstr(&out), stdout);
	} else {
		status = audit(buf_cstr(&helpers), words, n, json, strict, old);
	}
	json_decref(old);
	buf_release(&helpers);
	buf_release(&out);
	return status;
}

/* A page's filter as an OCI runtime seccomp profile (runtime-spec, config-linux): the same
 * allow-list for a scheduler that takes that form. Values of one condition are
 * alternatives, so each combination is an entry of its own. */
#include "bin/bb-audit/audit.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "libcommon/json.h"

static void
entries(json_t *list, const struct tool_call *c, size_t i, json_t *args)
{
	if (i < c->n_conds) {
		const struct tool_cond *d = &c->conds[i];

		for (size_t k = 0; k < d->n; k++) {
			json_t *more = json_deep_copy(args);

			/* MASKED_EQ: (argument & value) == valueTwo */
			if (d->mask == UINT64_MAX)
				json_array_append_new(more,
				    json_pack("{s:i,s:I,s:s}", "index", (int)d->arg,
				        "value", (json_int_t)d->value[k], "op",
				        "SCMP_CMP_EQ"));
			else
				json_array_append_new(more,
				    json_pack("{s:i,s:I,s:I,s:s}", "index", (int)d->arg,
				        "value", (json_int_t)d->mask, "valueTwo",
				        (json_int_t)d->value[k], "op",
				        "SCMP_CMP_MASKED_EQ"));
			entries(list, c, i + 1, more);
			json_decref(more);
		}
		return;
	}
	json_t *e = json_pack("{s:[s],s:s}", "names", c->name, "action",
	    c->errnum != 0 ? "SCMP_ACT_ERRNO" : "SCMP_ACT_ALLOW");

	if (c->errnum != 0)
		json_object_set_new(e, "errnoRet", json_integer(c->errnum));
	if (json_array_size(args) > 0)
		json_object_set(e, "args", args);
	json_array_append_new(list, e);
}

/* 64-bit masks are unsigned in the OCI form; jansson writes signed numbers. */
static void
unsign(struct buf *in, struct buf *out)
{
	const char *p = buf_cstr(in), *minus;

	while ((minus = strstr(p, ":-")) != NULL) {
		long long v = strtoll(minus + 1, NULL, 10);

		(void)buf_append(out, p, (size_t)(minus + 1 - p));
		(void)buf_fmt(out, "%llu", (unsigned long long)v);
		p = minus + 2 + strspn(minus + 2, "0123456789");
	}
	(void)buf_str(out, p);
}

void
oci_profile(const struct tool *t, struct buf *out)
{
	json_t *list = json_array(), *none = json_array();
	struct buf b = BUF_INIT;
	json_t *o;

	for (size_t i = 0; i < t->n_calls; i++)
		entries(list, &t->calls[i], 0, none);
	json_decref(none);
#ifdef __x86_64__
	o = json_pack("{s:s,s:[s],s:o}", "defaultAction", "SCMP_ACT_KILL_PROCESS",
	    "architectures", "SCMP_ARCH_X86_64", "syscalls", list);
#else
	o = json_pack("{s:s,s:[s],s:o}", "defaultAction", "SCMP_ACT_KILL_PROCESS",
	    "architectures", "SCMP_ARCH_AARCH64", "syscalls", list);
#endif
	(void)json_print(o, &b);
	json_decref(o);
	unsign(&b, out);
	(void)buf_byte(out, '\n');
	buf_release(&b);
}

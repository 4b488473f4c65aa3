/* The power of one process as 16 digits: two of the same power are the same confinement
 * (prompts 5.2). Of a tree split by trust each process has its own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/hash.h"
#include "libcommon/own.h"

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(const struct split_rule *const *)a)->rel,
	    (*(const struct split_rule *const *)b)->rel);
}

/* What a part of a split tree is granted, and the parts it is to walk. */
static void
part_bytes(const struct split_part *p, struct buf *b)
{
	const struct split_rule **at = calloc(p->n + 1, sizeof(*at));

	if (at == NULL)
		bug("out of memory");
	for (size_t i = 0; i < p->n; i++)
		at[i] = &p->rule[i];
	qsort(at, p->n, sizeof(*at), by_name);
	for (size_t i = 0; i < p->n; i++) {
		(void)buf_fmt(b, "%" PRIx64 " %s", p->allow[at[i] - p->rule].rights,
		    at[i]->rel);
		(void)buf_byte(b, '\0'); /* a name may hold anything else */
	}
	(void)buf_fmt(b, "scope %zu\n", p->records.len);
	(void)buf_append(b, buf_cstr(&p->records), p->records.len);
	free(at);
}

void
power_digest(const struct session *s, const struct tool *t, const struct grant *g,
    const struct split *sp, enum integrity i, char out[17])
{
	struct sha256 h;
	char hex[65];
	auto_buf struct buf b = BUF_INIT;

	(void)buf_fmt(&b, "%s %s %s\n%s\n", t->name, t->page_digest, t->filter_digest,
	    g->landed != NULL ? g->landed : "");
	if (spawner_abi(s->spawner) == 0)
		(void)buf_str(&b, "no Landlock\n");
	if (sp != NULL && sp->in_parts)
		part_bytes(&sp->part[i], &b);
	if (b.failed)
		bug("out of memory");
	sha256_init(&h);
	sha256_add(&h, buf_cstr(&b), b.len);
	sha256_hex(&h, hex);
	memcpy(out, hex, 16);
	out[16] = '\0';
}

void
call_power(struct call *c, const struct grant *g, const struct split *sp,
    enum integrity i)
{
	char power[17];

	power_digest(c->s, c->tool, g, sp, i, power);
	trail_power(c->s->trail, c->n, power);
}

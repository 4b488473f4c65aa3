/* What list_files and search share: a named directory opened, split by trust, one process
 * over each part, and how they end. The label of a part is fixed before its process
 * starts, by what Landlock lets it open. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/fd.h"
#include "libcommon/io.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

void
tree_release(struct tree *t)
{
	split_release(&t->split);
	grant_release(&t->g);
	free(t->base);
	t->base = NULL;
}

/* What stands before a path in an answer so that a later call can use it: "", "src/" or
 * an absolute directory. */
static char *
base_of(const struct session *s, const struct grant *g)
{
	const char *rest = NULL;
	auto_buf struct buf b = BUF_INIT;

	if (!path_covers(reach_path(s->reach, 0), g->spelled, &rest))
		rest = g->spelled;
	else
		while (*rest == '/')
			rest++;
	(void)buf_fmt(&b, "%s%s", rest, *rest != '\0' ? "/" : "");
	return buf_take(&b);
}

bool
tree_open(struct call *c, struct tree *t, int64_t depth)
{
	struct session *s = c->s;
	enum grant_fault f;

	if ((f = grant_open(s->reach, GRANT_DIR, &t->g)) != GRANT_FINE) {
		call_grant_fault(c, f, &t->g, false);
		return false;
	}
	if ((t->base = base_of(s, &t->g)) == NULL ||
	    split_tree(s, t->g.fd, &t->g, c->tool->landlock[0].rights, depth,
	        &t->split) != 0)
		bug("out of memory");
	trail_gate(s->trail, c->n, gate_name(GATE_TRUST),
	    t->split.in_parts && t->split.ruled ? "split by trust and by rules"
	        : t->split.in_parts             ? "trusted in parts: split"
	        : t->split.whole == TRUSTED     ? "trusted by the map"
	                                        : "not trusted by the map");
	for (size_t i = 0; i < 2; i++)
		if (split_has(&t->split, (enum integrity)i))
			call_power(c, &t->g, &t->split, (enum integrity)i);
	if (!split_has(&t->split, TRUSTED) && !split_has(&t->split, UNTRUSTED))
		trail_gate(s->trail, c->n, gate_name(GATE_ACTION),
		    "no process: there is nothing to look at");
	trail_observed(s->trail, c->n, "file_read",
	    (struct label){t->split.in_parts ? UNTRUSTED : t->split.whole, PRIVATE});
	return call_recorded(c);
}

static void
cancel_all(struct call *c, struct tree *t)
{
	t->failed = true;
	for (size_t i = 0; i < 2; i++)
		if (c->child[i] != NULL)
			spawn_cancel(c->child[i]);
}

void
tree_start(struct call *c, struct tree *t, bool (*run)(struct call *c, enum integrity i),
    void (*answer)(struct call *c))
{
	bool ok = true;

	for (size_t i = 0; i < 2 && ok; i++)
		if (split_has(&t->split, (enum integrity)i))
			ok = run(c, (enum integrity)i);
	if (!ok) {
		cancel_all(c, t);
		call_error(c, "helper-failed", "%s could not be started",
		    c->tool->helper);
	} else if (t->waiting == 0) {
		answer(c);
	}
}

bool
tree_run(struct call *c, struct tree *t, enum integrity i, struct slot *slot,
    const struct buf *body, spawn_done done)
{
	const struct split_part *p = &t->split.part[i];
	const struct spawn_landlock whole = {t->g.fd, c->tool->landlock[0].rights};
	auto_fd int reader = -1, top = -1, writer = -1, scope = -1;

	if (body->failed || slot_writer(slot, &writer) != 0 ||
	    fd_memory("scope", &scope) != 0)
		return false;
	if (t->split.in_parts && io_write(scope, p->records.p, p->records.len) != 0)
		return false;
	/* SAFE: a name to open beneath, not an open directory: getdents on a readable one
	 * would list its entries, whatever Landlock allows to be opened. */
	if (fd_reopen(scope, O_RDONLY, &reader) != 0 ||
	    fd_beneath(t->g.fd, ".", O_PATH | O_DIRECTORY, &top) != 0)
		return false;
	const struct spawn_fd fds[] = {{3, top}, {4, writer}, {5, reader}};
	const struct spawn_request q = {
	    .tool = c->tool,
	    .call = c->n,
	    .fds = fds,
	    .n_fds = 3,
	    .allow = t->split.in_parts ? p->allow : &whole,
	    .n_allow = t->split.in_parts ? p->n : 1,
	    .body = body->p,
	    .body_len = body->len,
	    .done = done,
	    .arg = c,
	};

	if (spawn_start(c->s->spawner, &q, &c->child[i]) != 0)
		return false;
	t->waiting++;
	c->spawns++;
	return true;
}

bool
tree_ended(struct call *c, struct tree *t, enum integrity i,
    const struct spawn_outcome *o)
{
	c->child[i] = NULL;
	t->waiting--;
	if (!t->failed && (o->end != SPAWN_ANSWERED || c->cancelled)) {
		cancel_all(c, t);
		(void)call_helper_failed(c, o);
		if (!c->finished) /* it answered, but the call was cancelled meanwhile */
			call_cancelled(c);
	}
	return !t->failed;
}

void
tree_misfit(struct call *c, struct tree *t)
{
	cancel_all(c, t);
	call_error(c, "helper-failed", "%s gave counts that do not fit what it wrote",
	    c->tool->helper);
}

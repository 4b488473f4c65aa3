/* A tree split by trust (design 2.4): which parts the trusted process is given, and
 * which the other. Directories on the way to a rule (the spine) are read by bb; each
 * sibling along them is granted on its own, so that Landlock, not a request, keeps
 * the trusted process out of the rest. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/fd.h"
#include "libcommon/landlock_abi.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/walk.h"

#define BOUNDS_MAX 4096 /* directories that hold what a rule leaves out */
#define SPLIT_NONE \
	((struct split){.part = {{.records = BUF_INIT}, {.records = BUF_INIT}}})

struct splitter {
	const struct session *s;
	const struct grant *g;
	int dir;
	uint64_t rights; /* of a directory granted whole */
	int64_t
	    depth; /* levels walked, 1 being the directory itself; INT64_MAX: unbounded */
	bool held; /* everything counts as untrusted: the tree is too finely trusted */
	struct split *out;
	const struct rule *agreed; /* asks about the directory itself, and was answered */
	char **bounds;             /* paths of rules beneath, relative to dir */
	size_t n_bounds, room;
	int error;
};

static bool
push_bound(struct splitter *sp, const char *rest)
{
	if (sp->n_bounds == sp->room) {
		size_t room = sp->room == 0 ? 16 : 2 * sp->room;
		char **p = reallocarray(sp->bounds, room, sizeof(*p));

		if (p == NULL) {
			sp->error = E_NOMEM;
			return false;
		}
		sp->bounds = p;
		sp->room = room;
	}
	if ((sp->bounds[sp->n_bounds] = strdup(rest)) == NULL) {
		sp->error = E_NOMEM;
		return false;
	}
	sp->n_bounds++;
	return true;
}

static bool
add_bound(void *arg, const char *key, enum trust_word w, enum trust_by by)
{
	struct splitter *sp = arg;
	const char *rest = NULL;

	(void)w;
	(void)by;
	if (!path_covers(sp->g->spelled, key, &rest) &&
	    !path_covers(sp->g->landed, key, &rest))
		return true;
	while (rest != NULL && *rest == '/')
		rest++;
	return rest == NULL || *rest == '\0' || push_bound(sp, rest);
}

/* rel is bb's own: neither entered nor named. */
static bool
hidden(struct splitter *sp, const char *rel)
{
	auto_buf struct buf b = BUF_INIT;

	if (path_join(sp->g->landed, rel, &b) != 0) {
		sp->error = E_NOMEM;
		return true;
	}
	return reach_hidden(sp->s->reach, buf_cstr(&b));
}

/* Does a rule of the settings leave rel out? What is asked about is left out too, unless the
 * same rule was answered for the directory. */
static bool
ruled_out(struct splitter *sp, const char *rel)
{
	auto_buf struct buf a = BUF_INIT, b = BUF_INIT;
	const struct rule *r;

	if (path_join(sp->g->spelled, rel, &a) != 0 ||
	    path_join(sp->g->landed, rel, &b) != 0) {
		sp->error = E_NOMEM;
		return true;
	}
	r = rules_stop(sp->s, RULE_READ, buf_cstr(&a), buf_cstr(&b));
	return r != NULL && (r->list == RULE_DENY || r != sp->agreed);
}

/* Directories that hold something a rule leaves out become part of the spine: one bound in
 * each. bb reads names here and nothing else. */
static void
seek_ruled(struct splitter *sp, const char *rel, int64_t level)
{
	struct walk_dir d = {0};
	bool found = false;
	int fd = -1;

	if (level >= sp->depth || sp->error != 0 || sp->out->too_many)
		return;
	if (fd_beneath(sp->dir, *rel == '\0' ? "." : rel, O_RDONLY | O_DIRECTORY, &fd) !=
	        0 ||
	    walk_read(fd, 0, &d) != 0) {
		/* Who cannot look cannot tell: on the spine it is read again, and missed. */
		if (fd >= 0)
			close(fd);
		if (errno != EACCES && *rel == '\0') {
			sp->out->too_many = true;
		} else if (errno != EACCES) {
			auto_buf struct buf in = BUF_INIT;

			if (buf_fmt(&in, "%s/?", rel) != 0 || !push_bound(sp, in.p))
				sp->error = E_NOMEM;
		}
		return;
	}
	close(fd);
	for (size_t k = 0; k < d.n && sp->error == 0 && !sp->out->too_many; k++) {
		auto_buf struct buf child = BUF_INIT;

		if (*rel != '\0')
			(void)buf_fmt(&child, "%s/", rel);
		if (buf_str(&child, d.e[k].name) != 0) {
			sp->error = E_NOMEM;
		} else if (ruled_out(sp, child.p)) {
			sp->out->ruled = true;
			if (!found && sp->n_bounds >= BOUNDS_MAX)
				sp->out->too_many = true;
			else if (!found)
				found = push_bound(sp, child.p);
		} else if (d.e[k].kind != WALK_FILE && !walk_skips(d.e[k].name)) {
			seek_ruled(sp, child.p, level + 1);
		}
	}
	walk_release(&d);
}

static void
rule_bounds(struct splitter *sp)
{
	if (!rules_restrict(settings_rules(sp->s->settings), RULE_READ))
		return;
	sp->agreed = rules_stop(sp->s, RULE_READ, sp->g->spelled, sp->g->landed);
	seek_ruled(sp, "", 0);
}

/* Is there a rule at rel (at=true) or strictly beneath it? */
static bool
bounded(const struct splitter *sp, const char *rel, bool at)
{
	size_t n = strlen(rel);

	for (size_t i = 0; i < sp->n_bounds; i++) {
		const char *b = sp->bounds[i];

		if (at && strcmp(b, rel) == 0)
			return true;
		if (!at && (n == 0 || (strncmp(b, rel, n) == 0 && b[n] == '/')))
			return true;
	}
	return false;
}

static enum integrity
integrity_of(struct splitter *sp, const char *rel)
{
	auto_buf struct buf a = BUF_INIT, b = BUF_INIT;

	if (sp->held)
		return UNTRUSTED;
	if (path_join(sp->g->spelled, rel, &a) != 0 ||
	    path_join(sp->g->landed, rel, &b) != 0) {
		sp->error = E_NOMEM;
		return UNTRUSTED;
	}
	return trust_read(sp->s->trust, buf_cstr(&a), buf_cstr(&b));
}

static void
record(struct splitter *sp, enum integrity i, char letter, const char *rel)
{
	struct buf *b = &sp->out->part[i].records;

	if (buf_byte(b, letter) != 0 || buf_append(b, rel, strlen(rel) + 1) != 0)
		sp->error = E_NOMEM;
	if (letter != 's' && !(letter == 'S' && *rel == '\0'))
		sp->out->part[i].used = true;
}

/* Does what may not be in a part of this integrity lie beneath rel by a name that no
 * boundary has: on a folding volume, at a mount? */
static bool
crossed(struct splitter *sp, enum integrity own, const char *rel)
{
	auto_buf struct buf b = BUF_INIT;

	if (path_join(sp->g->landed, rel, &b) != 0) {
		sp->error = E_NOMEM;
		return false;
	}
	/* SAFE: a directory is granted whole only where neither does. */
	return reach_hides_beneath(sp->s->reach, buf_cstr(&b)) ||
	    (own == TRUSTED && trust_beneath(sp->s->trust, buf_cstr(&b)) != TRUST_T);
}

/* Grant what is open at fd, called rel, to the process of integrity i. False: no room for
 * it. */
static bool
allow(struct splitter *sp, enum integrity i, int *fd, uint64_t rights, const char *rel)
{
	struct split_part *p = &sp->out->part[i];

	if (p->n == SPLIT_RULES_MAX) {
		sp->out->coarse = true;
		return false;
	}
	if (p->n == p->room) {
		size_t room = p->room == 0 ? 8 : 2 * p->room;
		struct spawn_landlock *v = reallocarray(p->allow, room, sizeof(*v));
		struct split_rule *w = reallocarray(p->rule, room, sizeof(*w));

		p->allow = v != NULL ? v : p->allow;
		p->rule = w != NULL ? w : p->rule;
		if (v == NULL || w == NULL) {
			sp->error = E_NOMEM;
			return false;
		}
		p->room = room;
	}
	p->rule[p->n] =
	    (struct split_rule){strdup(rel), i == TRUSTED || bounded(sp, rel, true)};
	if (p->rule[p->n].rel == NULL) {
		sp->error = E_NOMEM;
		return false;
	}
	p->allow[p->n++] = (struct spawn_landlock){take_fd(fd), rights};
	return true;
}

/* One directory granted whole to the process of its integrity. */
static void
grant_whole(struct splitter *sp, enum integrity i, const char *rel)
{
	auto_fd int fd = -1;

	if (fd_beneath(sp->dir, *rel == '\0' ? "." : rel, O_PATH | O_DIRECTORY, &fd) != 0)
		sp->out->missing++;
	else if (allow(sp, i, &fd, sp->rights, rel))
		record(sp, i, 'W', rel);
}

/* One file beside the spine; a tool that reads files needs a rule for it. */
static void
grant_file(struct splitter *sp, enum integrity i, const char *rel)
{
	auto_fd int fd = -1;
	struct stat st;

	/* SAFE: a rule on what became a directory meanwhile would open all beneath it.
	 * Without a rule the helper finds it closed, and counts it. */
	if ((sp->rights & LANDLOCK_ACCESS_FS_READ_FILE) != 0 &&
	    fd_beneath(sp->dir, rel, O_PATH, &fd) == 0 && fstat(fd, &st) == 0 &&
	    S_ISREG(st.st_mode) && !allow(sp, i, &fd, LANDLOCK_ACCESS_FS_READ_FILE, rel))
		return;
	record(sp, i, 'F', rel);
}

/* `level`: how many directory levels below the listed one `rel` lies. */
static void
visit(struct splitter *sp, const char *rel, int64_t level)
{
	enum integrity own = integrity_of(sp, rel);
	struct walk_dir d = {0};
	auto_fd int fd = -1;

	if (sp->error != 0 || sp->out->coarse)
		return;
	if (!bounded(sp, rel, false) && !crossed(sp, own, rel)) {
		grant_whole(sp, own, rel);
		return;
	}
	record(sp, own, 'S', rel);
	record(sp, own == TRUSTED ? UNTRUSTED : TRUSTED, 's', rel);
	if (level >= sp->depth)
		return;
	if (fd_beneath(sp->dir, *rel == '\0' ? "." : rel, O_RDONLY | O_DIRECTORY, &fd) !=
	        0 ||
	    walk_read(fd, 0, &d) != 0) {
		sp->out->missing++;
		return;
	}
	sp->out->links += d.links;
	sp->out->others += d.others;
	for (size_t k = 0; k < d.n && sp->error == 0 && !sp->out->coarse; k++) {
		auto_buf struct buf child = BUF_INIT;

		if (*rel != '\0')
			(void)buf_fmt(&child, "%s/", rel);
		if (buf_str(&child, d.e[k].name) != 0) {
			sp->error = E_NOMEM;
			break;
		}
		if (hidden(sp, child.p) || ruled_out(sp, child.p))
			continue;
		if (d.e[k].kind == WALK_FILE)
			grant_file(sp, integrity_of(sp, child.p), child.p);
		else if (!walk_skips(d.e[k].name))
			visit(sp, child.p, level + 1);
	}
	walk_release(&d);
}

static void
hidden_bounds(struct splitter *sp)
{
	const struct reach *r = sp->s->reach;

	for (size_t i = 0; i < reach_hidden_count(r); i++)
		if (path_covers(sp->g->landed, reach_hidden_path(r, i), NULL))
			(void)add_bound(sp, reach_hidden_path(r, i), TRUST_U,
			    TRUST_BY_PERSON);
}

static void
bounds_free(struct splitter *sp)
{
	for (size_t i = 0; i < sp->n_bounds; i++)
		free(sp->bounds[i]);
	free(sp->bounds);
	sp->bounds = NULL;
	sp->n_bounds = sp->room = 0;
}

/* Too many parts: one answer, held back as a whole. What is bb's own stays out of it. */
static void
coarse(struct splitter *sp)
{
	struct split *out = sp->out;

	bool ruled = out->ruled;

	split_release(out);
	*out = SPLIT_NONE;
	out->whole = UNTRUSTED;
	out->coarse = true;
	/* Where only names can be read there is nothing of bb's to guard beneath. */
	if ((sp->rights & LANDLOCK_ACCESS_FS_READ_FILE) == 0 && !ruled)
		return;
	bounds_free(sp);
	hidden_bounds(sp);
	if (ruled)
		rule_bounds(sp);
	if (sp->n_bounds == 0 && !reach_hides_beneath(sp->s->reach, sp->g->landed))
		return;
	out->coarse = false;
	sp->held = true;
	out->in_parts = true;
	visit(sp, "", 0);
	if (out->coarse)
		out->too_many = true;
	out->coarse = true;
}

int
split_tree(const struct session *s, int dir, const struct grant *g, uint64_t rights,
    int64_t depth, struct split *out)
{
	struct splitter sp =
	    {.s = s, .g = g, .dir = dir, .rights = rights, .depth = depth, .out = out};

	*out = SPLIT_NONE;
	out->whole = trust_read(s->trust, g->spelled, g->landed);
	trust_each_beneath(s->trust, g->spelled, add_bound, &sp);
	if (g->linked)
		trust_each_beneath(s->trust, g->landed, add_bound, &sp);
	hidden_bounds(&sp);
	rule_bounds(&sp);
	trust_hold(s->trust, true);
	out->in_parts = sp.n_bounds > 0 || crossed(&sp, out->whole, "");
	if (out->in_parts && sp.error == 0 && !out->too_many)
		visit(&sp, "", 0);
	if (out->coarse && sp.error == 0)
		coarse(&sp);
	trust_hold(s->trust, false);
	bounds_free(&sp);
	if (sp.error != 0)
		split_release(out);
	return sp.error;
}

void
split_release(struct split *sp)
{
	for (size_t i = 0; i < 2; i++) {
		struct split_part *p = &sp->part[i];

		for (size_t k = 0; k < p->n; k++) {
			close(p->allow[k].fd);
			free(p->rule[k].rel);
		}
		free(p->allow);
		free(p->rule);
		buf_release(&p->records);
		*p = (struct split_part){.records = BUF_INIT};
	}
}

bool
split_has(const struct split *sp, enum integrity i)
{
	return sp->in_parts ? sp->part[i].used : i == sp->whole;
}

/* Is all beneath this key trusted, by both names? */
static bool
still(const struct session *s, const struct grant *g, const char *rel, bool file)
{
	auto_buf struct buf a = BUF_INIT, b = BUF_INIT;

	if (path_join(g->spelled, rel, &a) != 0 || path_join(g->landed, rel, &b) != 0)
		return false;
	if (file)
		return trust_read(s->trust, buf_cstr(&a), buf_cstr(&b)) == TRUSTED;
	return trust_beneath(s->trust, buf_cstr(&a)) == TRUST_T &&
	    trust_beneath(s->trust, buf_cstr(&b)) == TRUST_T;
}

bool
split_still_trusted(const struct session *s, const struct grant *g,
    const struct split *sp)
{
	const struct buf *rec = &sp->part[TRUSTED].records;
	bool yes = true;

	if (!sp->in_parts)
		return still(s, g, "", false);
	trust_hold(s->trust, true);
	for (size_t at = 0; yes && at < rec->len; at += strlen(rec->p + at) + 1)
		if (rec->p[at] == 'W' || rec->p[at] == 'F')
			yes = still(s, g, rec->p + at + 1, rec->p[at] == 'F');
	trust_hold(s->trust, false);
	return yes;
}

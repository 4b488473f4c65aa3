/* A tree split by trust (design 2.4): which parts the trusted process is given, and
 * which the other. Directories on the way to a rule (the spine) are read by bb; each
 * sibling along them is granted on its own, so that Landlock, not a request, keeps
 * the trusted process out of the rest. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/fd.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/walk.h"

struct splitter {
	const struct session *s;
	const struct grant *g;
	int dir;
	int64_t
	    depth; /* levels walked, 1 being the directory itself; INT64_MAX: unbounded */
	struct scope *out;
	char **bounds; /* paths of rules beneath, relative to dir */
	size_t n_bounds, room;
	int error;
};

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
	if (rest == NULL || *rest == '\0')
		return true;
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

/* One directory granted whole to the process of its integrity. */
static void
grant_whole(struct splitter *sp, enum integrity i, const char *rel)
{
	struct scope_part *p = &sp->out->part[i];
	auto_fd int fd = -1;

	if (p->n == SCOPE_RULES_MAX) {
		sp->out->coarse = true;
		return;
	}
	if (fd_beneath(sp->dir, *rel == '\0' ? "." : rel, O_PATH | O_DIRECTORY, &fd) !=
	    0) {
		sp->out->missing = true;
		return;
	}
	if (p->n == p->room) {
		size_t room = p->room == 0 ? 8 : 2 * p->room;
		int *fds = reallocarray(p->fds, room, sizeof(*fds));

		if (fds == NULL) {
			sp->error = E_NOMEM;
			return;
		}
		p->fds = fds;
		p->room = room;
	}
	p->fds[p->n++] = take_fd(&fd);
	record(sp, i, 'W', rel);
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
	if (!bounded(sp, rel, false)) {
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
		sp->out->missing = true;
		return;
	}
	sp->out->links += d.links;
	for (size_t k = 0; k < d.n && sp->error == 0 && !sp->out->coarse; k++) {
		auto_buf struct buf child = BUF_INIT;

		if (*rel != '\0')
			(void)buf_fmt(&child, "%s/", rel);
		if (buf_str(&child, d.e[k].name) != 0) {
			sp->error = E_NOMEM;
			break;
		}
		if (hidden(sp, child.p))
			continue;
		if (d.e[k].kind == WALK_FILE)
			record(sp, integrity_of(sp, child.p), 'F', child.p);
		else if (!walk_skips(d.e[k].name))
			visit(sp, child.p, level + 1);
	}
	walk_release(&d);
}

int
scope_split(const struct session *s, int dir, const struct grant *g, int64_t depth,
    struct scope *out)
{
	struct splitter sp = {.s = s, .g = g, .dir = dir, .depth = depth, .out = out};

	memset(out, 0, sizeof(*out));
	out->part[0].records = out->part[1].records = BUF_INIT;
	out->whole = trust_read(s->trust, g->spelled, g->landed);
	trust_each_beneath(s->trust, g->spelled, add_bound, &sp);
	if (g->linked)
		trust_each_beneath(s->trust, g->landed, add_bound, &sp);
	for (size_t i = 0; i < reach_hidden_count(s->reach); i++)
		if (path_covers(g->landed, reach_hidden_path(s->reach, i), NULL))
			(void)add_bound(&sp, reach_hidden_path(s->reach, i), TRUST_U,
			    TRUST_BY_PERSON);
	out->split = sp.n_bounds > 0;
	if (out->split && sp.error == 0)
		visit(&sp, "", 0);
	for (size_t i = 0; i < sp.n_bounds; i++)
		free(sp.bounds[i]);
	free(sp.bounds);
	if (out->coarse) { /* too many siblings: one answer, held back as a whole */
		out->split = false;
		out->whole = UNTRUSTED;
	}
	if (sp.error != 0)
		scope_release(out);
	return sp.error;
}

void
scope_release(struct scope *sc)
{
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < sc->part[i].n; k++)
			close(sc->part[i].fds[k]);
		free(sc->part[i].fds);
		buf_release(&sc->part[i].records);
		sc->part[i].fds = NULL;
		sc->part[i].n = 0;
	}
}

/* Units of files, between the walk that hands them out, the workers that take them in
 * order and finish as they can, and the page that gets them in order again. Whoever
 * finishes the unit that is next in order emits it and those behind it that are done. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/clock.h"
#include "libcommon/confine.h"
#include "libcommon/crew.h"
#include "libcommon/tool.h"

#define SPARES 32
#define SPARE_BYTES ((size_t)64 << 10) /* of names; more goes back */
#define STORE_KEPT ((size_t)16 << 10)  /* of a unit that is gone */

extern const struct tool tool_search;

static struct unit *
unit_of(struct order *o, uint64_t seq)
{
	return &o->unit[seq % UNITS];
}

void
order_init(struct search *s)
{
	struct order *o = &s->order;

	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->work, NULL);
	pthread_cond_init(&o->room, NULL);
	pthread_cond_init(&o->front, NULL);
	o->deadline = UINT64_MAX;
}

bool
order_stopped(const struct search *s)
{
	return __atomic_load_n(&s->order.stop, __ATOMIC_RELAXED);
}

/* With the lock. */
static void
stop(struct order *o)
{
	__atomic_store_n(&o->stop, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&o->work);
	pthread_cond_broadcast(&o->room);
	pthread_cond_broadcast(&o->front);
}

void
order_fail(struct search *s)
{
	struct order *o = &s->order;

	pthread_mutex_lock(&o->lock);
	o->failed = true;
	stop(o);
	pthread_mutex_unlock(&o->lock);
}

/* The walk waits for enough of something, not for the next bit of it: with the lock. */
static bool
enough(const struct order *o)
{
	return o->open <= o->low_open && o->made - o->emitted <= o->low_units;
}

static void
wake_walk(struct order *o)
{
	if (enough(o))
		pthread_cond_signal(&o->room);
}

/* --- directories ----------------------------------------------------------------------- */

struct dir *
order_dir(struct search *s)
{
	struct order *o = &s->order;
	struct dir *d;

	pthread_mutex_lock(&o->lock);
	if ((d = o->spare) != NULL) {
		o->spare = d->next;
		o->spares--;
	}
	pthread_mutex_unlock(&o->lock);
	if (d == NULL)
		return calloc(1, sizeof(*d));
	*d = (struct dir){.entries = d->entries};
	return d;
}

/* Drop references; with the lock, which is let go of while it is closed and freed. */
static void
release(struct order *o, struct dir *d, bool fd, bool all)
{
	bool close_it, free_it;
	int open = d->fd;

	d->readers -= fd;
	d->users -= all;
	close_it = fd && d->readers == 0 && d->own;
	free_it = d->users == 0;
	if (!close_it && !free_it)
		return;
	/* SAFE: from here on d is only whose it is to free: another may free it while this
	 * one closes. */
	pthread_mutex_unlock(&o->lock);
	if (close_it)
		close(open);
	if (free_it) {
		free(d->path);
		if (d->entries.names_room > SPARE_BYTES)
			walk_release(&d->entries);
	}
	pthread_mutex_lock(&o->lock);
	if (free_it && o->spares < SPARES) {
		d->next = o->spare;
		o->spare = d;
		o->spares++;
	} else if (free_it) {
		walk_release(&d->entries);
		free(d);
	}
	o->open -= close_it;
	wake_walk(o);
}

void
order_release(struct search *s, struct dir *d, bool fd, bool all)
{
	struct order *o = &s->order;

	pthread_mutex_lock(&o->lock);
	release(o, d, fd, all);
	pthread_mutex_unlock(&o->lock);
}

void
order_closed(struct search *s)
{
	struct order *o = &s->order;

	pthread_mutex_lock(&o->lock);
	o->open--;
	pthread_mutex_unlock(&o->lock);
}

/* --- what is found ------------------------------------------------------------------------ */

bool
order_grow(struct search *s, struct store *st, size_t more)
{
	size_t room = st->room > 0 ? st->room : 4096;
	char *p;

	while (room - st->len < more)
		room *= 2;
	if (room == st->room)
		return true;
	if ((p = realloc(st->p, room)) == NULL)
		return false;
	__atomic_add_fetch(&s->order.pending, room - st->room, __ATOMIC_RELAXED);
	st->p = p;
	st->room = room;
	return true;
}

bool
order_heavy(struct search *s)
{
	return __atomic_load_n(&s->order.pending, __ATOMIC_RELAXED) > PENDING_MAX;
}

void
order_empty(struct search *s, struct store *st)
{
	st->len = 0;
	if (st->room <= STORE_KEPT)
		return;
	__atomic_sub_fetch(&s->order.pending, st->room, __ATOMIC_RELAXED);
	free(st->p);
	st->p = NULL;
	st->room = 0;
}

void
order_emit(struct search *s, struct unit *u, unsigned n)
{
	struct page *p = &s->page;

	for (; u->emitted < n && !p->full; u->emitted++)
		page_file(p, u, u->emitted);
	if (p->full || p->unwritten) {
		pthread_mutex_lock(&s->order.lock);
		stop(&s->order);
		pthread_mutex_unlock(&s->order.lock);
	}
}

bool
order_front(struct search *s, const struct unit *u, uint64_t *known)
{
	struct order *o = &s->order;
	bool front;

	pthread_mutex_lock(&o->lock);
	front = o->emitted == u->seq;
	*known = front ? s->page.total : o->known;
	pthread_mutex_unlock(&o->lock);
	return front;
}

void
order_wait_front(struct search *s, const struct unit *u)
{
	struct order *o = &s->order;

	pthread_mutex_lock(&o->lock);
	while (o->emitted != u->seq && !o->stop)
		pthread_cond_wait(&o->front, &o->lock);
	pthread_mutex_unlock(&o->lock);
}

/* --- units -------------------------------------------------------------------------------- */

/* With the lock. */
static void
emit_done(struct search *s)
{
	struct order *o = &s->order;

	if (o->emitting)
		return; /* it will see what is done by then */
	o->emitting = true;
	while (!o->stop && o->emitted < o->made && unit_of(o, o->emitted)->done) {
		struct unit *u = unit_of(o, o->emitted);

		pthread_mutex_unlock(&o->lock);
		order_emit(s, u, u->n);
		order_empty(s, &u->store);
		pthread_mutex_lock(&o->lock);
		o->known = s->page.total;
		o->emitted++;
		wake_walk(o);
		pthread_cond_broadcast(&o->front);
	}
	o->emitting = false;
}

/* Work on the next unit that nobody has taken. With the lock. */
static void
work_one(struct search *s, struct worker *w)
{
	struct order *o = &s->order;
	struct unit *u = unit_of(o, o->taken++);

	if (o->deadline == UINT64_MAX && s->ms < UINT64_MAX / 2000)
		o->deadline = clock_mono_us() + s->ms * 1000;
	pthread_mutex_unlock(&o->lock);
	worker_unit(w, u);
	pthread_mutex_lock(&o->lock);
	for (unsigned i = 0; i < u->n_runs; i++)
		release(o, u->run[i].dir, true, true);
	u->done = true;
	emit_done(s);
}

/* One of the crew. */
static void
work(void *arg)
{
	struct search *s = arg;
	struct order *o = &s->order;
	struct worker *w = worker_new(s);

	if (w == NULL) {
		order_fail(s);
		return;
	}
	pthread_mutex_lock(&o->lock);
	o->worker[o->workers++] = w;
	while (!o->stop) {
		if (o->taken < o->made)
			work_one(s, w);
		else if (o->closed)
			break;
		else
			pthread_cond_wait(&o->work, &o->lock);
	}
	pthread_mutex_unlock(&o->lock);
	/* SAFE: what it holds is not freed: it may be the one whose end of work is waited
	 * for, and the process ends with that. */
}

/* Nobody else works: do what is to be done here and now. With the lock. */
static void
work_here(struct search *s)
{
	struct order *o = &s->order;
	static struct worker *w;

	if (w == NULL && (w = worker_new(s)) == NULL) {
		o->failed = true;
		stop(o);
	}
	while (!o->stop && o->taken < o->made)
		work_one(s, w);
}

static void
start(struct search *s)
{
	if (s->order.started || crew_size() == 0)
		return;
	s->order.started = true;
	crew_run(work, s);
}

/* The unit being filled goes to the workers. With the lock. */
static void
hand_out(struct order *o)
{
	if (o->filling == NULL || o->filling->n == 0)
		return;
	o->filling = NULL;
	o->made++;
	pthread_cond_signal(&o->work);
}

/* Wait until no more than so many directories are open and units not emitted. With the
 * lock. */
static void
wait_room(struct search *s, unsigned open, uint64_t units)
{
	struct order *o = &s->order;

	o->low_open = open;
	o->low_units = units;
	start(s);
	while (!enough(o) && !o->stop)
		if (o->started)
			pthread_cond_wait(&o->room, &o->lock);
		else
			work_here(s);
}

void
order_room(struct search *s)
{
	struct order *o = &s->order;
	const unsigned most = confine_files(&tool_search) - 3 -
	    (unsigned)tool_search.n_fds - tool_search.threads - 2;

	pthread_mutex_lock(&o->lock);
	if (o->open >= most && !o->stop) {
		hand_out(o); /* it holds some of them */
		wait_room(s, most - most / 4, UNITS);
	}
	o->open++;
	pthread_mutex_unlock(&o->lock);
}

/* The next unit to be filled, or NULL when nobody wants it. With the lock. */
static struct unit *
fresh(struct search *s)
{
	struct order *o = &s->order;
	struct unit *u;

	if (o->made >= UNITS_ALONE)
		start(s);
	if (o->made - o->emitted == UNITS)
		wait_room(s, UINT_MAX, UNITS / 2);
	if (o->stop)
		return NULL;
	u = unit_of(o, o->made);
	u->seq = o->made;
	u->n = u->n_runs = u->emitted = u->at_run = 0;
	u->done = false;
	memset(u->found, 0, sizeof(u->found));
	return u;
}

void
order_add(struct search *s, struct dir *d, const char *name)
{
	struct order *o = &s->order;
	struct unit *u = o->filling;

	if (u == NULL || u->n == UNIT_FILES) {
		pthread_mutex_lock(&o->lock);
		hand_out(o);
		u = o->filling = fresh(s);
		pthread_mutex_unlock(&o->lock);
		if (u == NULL)
			return;
	}
	if (u->n_runs == 0 || u->run[u->n_runs - 1].dir != d) {
		u->run[u->n_runs++] =
		    (struct run){.dir = d, .seen = s->seen, .first = u->n};
		pthread_mutex_lock(&o->lock);
		d->readers++;
		d->users++;
		pthread_mutex_unlock(&o->lock);
	}
	u->name[u->n++] = name;
}

void
order_finish(struct search *s)
{
	struct order *o = &s->order;

	pthread_mutex_lock(&o->lock);
	hand_out(o);
	o->closed = true;
	pthread_cond_broadcast(&o->work);
	o->low_open = UINT_MAX;
	o->low_units = 0;
	while (o->emitted < o->made && !o->stop)
		if (o->started)
			pthread_cond_wait(&o->room, &o->lock);
		else
			work_here(s);
	pthread_mutex_unlock(&o->lock);
}

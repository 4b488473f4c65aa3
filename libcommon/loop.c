/* bb's one poll loop. Sources removed while callbacks run are only marked and freed
 * after the outermost round, so that a callback may remove any source. */
#include "libcommon/loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "libcommon/clock.h"

struct loop_source {
	struct loop *l;
	struct loop_source *next;
	loop_fn fn;
	void *arg;
	uint64_t due; /* microseconds; timers */
	int fd;       /* -1: a timer */
	short events;
	short ready; /* what poll said of it and nobody was told yet */
	bool gone;
};

struct loop {
	struct loop_source *first;
	struct pollfd *pf;
	struct loop_source **of; /* source of each pf */
	size_t room;
	bool sweep; /* something is marked gone */
	unsigned deep;
};

int
loop_new(struct loop **out)
{
	return (*out = calloc(1, sizeof(**out))) != NULL ? 0 : E_NOMEM;
}

static void
sweep(struct loop *l)
{
	for (struct loop_source **p = &l->first; *p != NULL;) {
		struct loop_source *s = *p;

		if (s->gone) {
			*p = s->next;
			free(s);
		} else {
			p = &s->next;
		}
	}
	l->sweep = false;
}

void
loop_free(struct loop *l)
{
	if (l == NULL)
		return;
	for (struct loop_source *s = l->first; s != NULL; s = s->next)
		s->gone = true;
	sweep(l);
	free(l->pf);
	free(l->of);
	free(l);
}

static struct loop_source *
add(struct loop *l, loop_fn fn, void *arg)
{
	struct loop_source *s = calloc(1, sizeof(*s)), **p = &l->first;

	if (s == NULL)
		return NULL;
	s->l = l;
	s->fn = fn;
	s->arg = arg;
	s->fd = -1;
	while (*p != NULL) /* timers of equal time fire in the order they were set */
		p = &(*p)->next;
	*p = s;
	return s;
}

struct loop_source *
loop_fd(struct loop *l, int fd, short events, loop_fn fn, void *arg)
{
	struct loop_source *s = add(l, fn, arg);

	if (s != NULL) {
		s->fd = fd;
		s->events = events;
	}
	return s;
}

void
loop_events(struct loop_source *s, short events)
{
	s->events = events;
}

struct loop_source *
loop_timer(struct loop *l, uint64_t ms, loop_fn fn, void *arg)
{
	struct loop_source *s = add(l, fn, arg);

	if (s != NULL)
		s->due = clock_mono_us() + ms * 1000;
	return s;
}

void
loop_remove(struct loop_source *s)
{
	if (s == NULL)
		return;
	s->gone = true;
	s->l->sweep = true;
	if (s->l->deep == 0)
		sweep(s->l);
}

/* Make room for one pollfd a source. */
static int
make_room(struct loop *l)
{
	size_t count = 0;
	struct pollfd *pf;
	struct loop_source **of;

	for (struct loop_source *s = l->first; s != NULL; s = s->next)
		count += s->fd >= 0;
	if (count <= l->room)
		return 0;
	if ((pf = reallocarray(l->pf, 2 * count, sizeof(*pf))) == NULL)
		return E_NOMEM;
	l->pf = pf;
	if ((of = reallocarray(l->of, 2 * count, sizeof(*of))) == NULL)
		return E_NOMEM;
	l->of = of;
	l->room = 2 * count;
	return 0;
}

/* Fill pf with *n entries and shorten *ms to the next timer. E_STATE: nothing watched. */
static int
gather(struct loop *l, size_t *n, int *ms)
{
	uint64_t next = UINT64_MAX, now, left;
	bool any = false;
	int r = make_room(l);

	*n = 0;
	if (r != 0)
		return r;
	for (struct loop_source *s = l->first; s != NULL; s = s->next) {
		s->ready = 0;
		if (s->gone) /* its descriptor may be another's by now */
			continue;
		any = true;
		if (s->fd < 0) {
			if (s->due < next)
				next = s->due;
		} else if (s->events != 0) {
			l->pf[*n] = (struct pollfd){.fd = s->fd, .events = s->events};
			l->of[(*n)++] = s;
		}
	}
	if (!any)
		return E_STATE;
	if (next != UINT64_MAX) {
		now = clock_mono_us();
		left = next <= now ? 0 : (next - now + 999) / 1000;
		if (*ms < 0 || left < (uint64_t)*ms)
			*ms = left > 1 << 30 ? 1 << 30 : (int)left;
	}
	return 0;
}

/* The timer due first, of equal ones the one set first. NULL: none is due. */
static struct loop_source *
due(const struct loop *l, uint64_t now)
{
	struct loop_source *first = NULL;

	for (struct loop_source *s = l->first; s != NULL; s = s->next)
		if (s->fd < 0 && !s->gone && s->due <= now &&
		    (first == NULL || s->due < first->due))
			first = s;
	return first;
}

/* A callback may run a round of its own: what it tells nobody is told twice, because
 * what is ready stands in the sources, and gathering anew forgets it. */
int
loop_once(struct loop *l, int ms)
{
	struct loop_source *s;
	uint64_t now;
	size_t n;
	int r;

	if ((r = gather(l, &n, &ms)) != 0)
		return r;
	if ((r = poll(l->pf, n, ms)) < 0 && errno != EINTR)
		return E_SYS;
	for (size_t i = 0; r > 0 && i < n; i++)
		l->of[i]->ready = l->pf[i].revents;
	l->deep++;
	for (s = l->first; s != NULL; s = s->next) {
		short ready = s->ready;

		s->ready = 0;
		if (ready != 0 && !s->gone && s->events != 0)
			s->fn(s->arg, ready);
	}
	now = clock_mono_us();
	while ((s = due(l, now)) != NULL) {
		s->gone = true;
		l->sweep = true;
		s->fn(s->arg, 0);
	}
	if (--l->deep == 0 && l->sweep)
		sweep(l);
	return 0;
}

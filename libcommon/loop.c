/* bb's one poll loop. Sources removed while callbacks run are only marked and freed
 * after the round, so that a callback may remove any source. */
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

/* Fill pf; the wait in ms, shortened to the next timer. */
static int
gather(struct loop *l, size_t *n, int ms, bool *any)
{
	uint64_t next = UINT64_MAX, now;
	size_t count = 0;

	*n = 0;
	for (struct loop_source *s = l->first; s != NULL; s = s->next)
		count += s->fd >= 0;
	if (count > l->room) {
		struct pollfd *pf = reallocarray(l->pf, 2 * count, sizeof(*pf));
		struct loop_source **of;

		if (pf == NULL)
			return -2;
		l->pf = pf;
		if ((of = reallocarray(l->of, 2 * count, sizeof(*of))) == NULL)
			return -2;
		l->of = of;
		l->room = 2 * count;
	}
	*any = l->first != NULL;
	for (struct loop_source *s = l->first; s != NULL; s = s->next) {
		if (s->fd < 0) {
			if (s->due < next)
				next = s->due;
		} else if (s->events != 0) {
			l->pf[*n] = (struct pollfd){.fd = s->fd, .events = s->events};
			l->of[(*n)++] = s;
		}
	}
	if (next != UINT64_MAX) {
		uint64_t left;

		now = clock_mono_us();
		left = next <= now ? 0 : (next - now + 999) / 1000;
		if (ms < 0 || left < (uint64_t)ms)
			ms = left > 1 << 30 ? 1 << 30 : (int)left;
	}
	return ms;
}

int
loop_once(struct loop *l, int ms)
{
	size_t n;
	uint64_t now;
	bool any;
	int wait, r;

	if ((wait = gather(l, &n, ms, &any)) == -2)
		return E_NOMEM;
	if (!any)
		return E_STATE;
	r = poll(l->pf, n, wait);
	if (r < 0 && errno != EINTR)
		return E_SYS;
	l->deep++;
	if (r > 0) {
		/* The arrays may be replaced by a nested round: what is due is copied first. */
		struct {
			struct loop_source *s;
			short revents;
		} due[64];
		size_t k = 0;

		for (size_t i = 0; i < n && k < 64; i++)
			if (l->pf[i].revents != 0) {
				due[k].s = l->of[i];
				due[k++].revents = l->pf[i].revents;
			}
		for (size_t i = 0; i < k; i++)
			if (!due[i].s->gone && due[i].s->events != 0)
				due[i].s->fn(due[i].s->arg, due[i].revents);
	}
	now = clock_mono_us();
	for (struct loop_source *s = l->first; s != NULL; s = s->next) {
		if (s->fd >= 0 || s->gone || s->due > now)
			continue;
		s->gone = true;
		l->sweep = true;
		s->fn(s->arg, 0);
	}
	if (--l->deep == 0 && l->sweep)
		sweep(l);
	return 0;
}

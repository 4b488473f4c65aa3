/* bb's one poll loop: descriptors and timers with callbacks, no threads.
 * Callbacks may add and remove sources, their own included. Single loop per
 * process; not used by helpers. */
#ifndef BB_LIBCOMMON_LOOP_H
#define BB_LIBCOMMON_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "libcommon/err.h"

struct loop;
struct loop_source; /* one watched descriptor or timer; owned by the loop */

typedef void (*loop_fn)(void *arg, short revents); /* revents 0 for a timer */

must_use int loop_new(struct loop **out);
void loop_free(struct loop *l);
/* Watch fd (borrowed) for poll(2) `events`. NULL when memory ran out. */
struct loop_source *loop_fd(struct loop *l, int fd, short events, loop_fn fn, void *arg);
/* Change what is watched for; 0 pauses. */
void loop_events(struct loop_source *s, short events);
/* Call fn once after ms milliseconds. */
struct loop_source *loop_timer(struct loop *l, uint64_t ms, loop_fn fn, void *arg);
/* Forget a source; safe within callbacks and on NULL. A timer that has fired is
 * forgotten by itself: do not remove it again. */
void loop_remove(struct loop_source *s);
/* Wait for and dispatch one round; `ms` -1 waits for ever. 0, E_SYS; E_STATE
 * when nothing at all is watched. */
must_use int loop_once(struct loop *l, int ms);

#endif

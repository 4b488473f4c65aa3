/* One other side of the approver protocol: JSON lines in and out, bounded. */
#ifndef BB_UI_PEER_H
#define BB_UI_PEER_H

#include "bin/bb/ui/ask_int.h"

#define PEER_LINE_MAX ((size_t)1 << 20)

struct peer;
typedef void (*peer_line)(void *arg, struct peer *p, const json_t *v);
typedef void (*peer_end)(void *arg, struct peer *p); /* must peer_free(p) */
/* Takes in and out (one descriptor or two). */
must_use int peer_new(struct loop *l, int in, int out, peer_line line, peer_end end, void *arg,
    struct peer **p);
void peer_free(struct peer *p);
/* Queue one value as a line; the loop writes it. A peer that does not read 8 MiB is ended. */
void peer_put(struct peer *p, const json_t *v);
/* What every approver may send: {"ask":N,"answer":…}, {"background":ID}. `by` is how the
 * answerer is recorded. */
void peer_take(struct asker *a, struct peer *p, const json_t *v, const char *by);

#endif

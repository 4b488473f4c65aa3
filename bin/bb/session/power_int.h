/* Between power.c and power_none.c. */
#ifndef BB_SESSION_POWER_INT_H
#define BB_SESSION_POWER_INT_H

#include "bin/bb/session/session_int.h"

/* What bb power prints of a tool that has no helper. Appends. */
void power_none(const struct session_config *c, const struct tool *t, json_t *args,
    struct buf *out);

#endif

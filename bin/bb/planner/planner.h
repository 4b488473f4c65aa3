/* DOOR of planner/: what comes in from a planner and what is offered to it. It knows
 * lines, JSON and the tool table; no session, no label, no person. */
#ifndef BB_PLANNER_PLANNER_H
#define BB_PLANNER_PLANNER_H

#include <stdbool.h>
#include <stddef.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"
#include "libcommon/json.h"
#include "libcommon/tool.h"

#define WIRE_LINE_MAX ((size_t)1 << 20) /* bytes of one line, either way */

/* ---- wire.c: lines over descriptors ----------------------------------------- */

struct wire;
must_use int wire_new(int in, int out,
    struct wire *
        *w); /* borrows both; sets O_NONBLOCK on pipes and sockets of its own only */
void wire_free(struct wire *w);
/* Take what can be read now without blocking. 0 more may come; E_EOF the other side
 * closed (complete lines may remain); E_SYS. Call when `in` is readable. */
must_use int wire_fill(struct wire *w);
/* Next complete line, without its newline; borrowed until the next call. false: none
 * yet. *too_long: it passed WIRE_LINE_MAX (its bytes are gone, up to its end). */
bool wire_next(struct wire *w, const char **p, size_t *n, bool *too_long);
/* Queue one value as a line and write what the other side takes. 0; E_FULL when more
 * than 8 MiB wait (stop reading until wire_pending falls); E_TOO_LONG: it would pass
 * WIRE_LINE_MAX and is not queued; E_SYS. */
must_use int wire_put(struct wire *w, const json_t *v);
/* Write on; call when `out` is writable. 0 or E_SYS. */
must_use int wire_flush(struct wire *w);
size_t wire_pending(const struct wire *w);

/* ---- surface.c: the tools offered, from the table ----------------------------- */

/* Input schema of a tool (JSON Schema, no combinator at the root). New reference. */
json_t *surface_schema(const struct tool *t);
/* The array of a hello's `tools` or of {"tools":FORM}: form NULL names only, "openai",
 * "anthropic", "mcp". `offered` says which. NULL for an unknown form. */
json_t *surface_tools(const char *form, bool (*offered)(const char *name));

#endif

/* The list of probes: the room they point into, and how one is added. Each process that
 * builds it gets the same order, so that a number names a probe across an exec. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"

struct room room __attribute__((aligned(4096)));

long
probe_call(const struct place *p, const long *args)
{
	(void)p;
	return raw_call(args);
}

bool
probe_grants(const struct tool *t, const char *call)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if (strcmp(t->calls[i].name, call) == 0)
			return true;
	return false;
}

long
probe_text(const char *s)
{
	size_t n = strlen(s) + 1;
	char *at = room.text + room.used;

	for (size_t i = 0; i < room.used; i += strlen(room.text + i) + 1)
		if (strcmp(room.text + i, s) == 0)
			return (long)(room.text + i);
	if (room.used + n > sizeof(room.text))
		bug("the room for texts is full");
	memcpy(at, s, n);
	room.used += n;
	return (long)at;
}

struct probe *
probe_add(struct list *l, int row, const char *name, enum control control,
    const long args[7])
{
	struct probe *p;

	if (args[0] == NR_NONE)
		return NULL;
	if (l->n == l->have) {
		l->have = l->have == 0 ? 256 : 2 * l->have;
		if ((l->at = reallocarray(l->at, l->have, sizeof(*l->at))) == NULL)
			bug("out of memory");
	}
	p = &l->at[l->n++];
	*p = (struct probe){.row = row,
	    .name = name,
	    .layer = "seccomp",
	    .fn = probe_call,
	    .control = control,
	    .want = PROBE_KILLED,
	    .or_want = PROBE_NOTHING};
	memcpy(p->args, args, sizeof(p->args));
	return p;
}

static void
furnish(const struct place *p)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	const int queued = -1; /* si_code of a signal sent by hand */

	memset(&room, 0, sizeof(room));
	room.in[0] = AF_INET;
	room.in[2] = (unsigned char)(p->port >> 8);
	room.in[3] = (unsigned char)p->port;
	room.in[4] = 127;
	room.in[7] = 1;
	memcpy(un.sun_path, p->unix_path, strlen(p->unix_path));
	memcpy(room.un, &un, sizeof(un));
	memcpy(room.buf + 2048 + 8, &queued, sizeof(queued));
}

void
probes_list(const struct place *p, struct list *l)
{
	*l = (struct list){.p = p};
	furnish(p);
	probes_files(l);
	probes_net(l);
	probes_kernel(l);
	probes_steps(l);
	probes_alone(l);
}

/* The belt: what bb puts on a helper before it is exec'd, so that a helper which
 * ignores its own duties reaches its own program file and the objects granted to
 * it, and nothing else by name. Made by the parent; the child only puts it on.
 * Trusts the directory of the helpers. */
#include "bin/bb/spawn/spawn_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/landlock_abi.h"
#include "libcommon/own.h"

/* execve(2) opens the file for reading too. */
#define OWN_FILE (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)

int
belt_program(struct spawner *s, const char *helper, struct program **out)
{
	struct program *p, *more;
	auto_buf struct buf path = BUF_INIT;

	*out = NULL;
	for (size_t i = 0; i < s->n_programs; i++)
		if (strcmp(s->programs[i].name, helper) == 0) {
			p = &s->programs[i];
			goto found;
		}
	more = realloc(s->programs, (s->n_programs + 1) * sizeof(*more));
	if (more == NULL)
		return E_NOMEM;
	s->programs = more;
	p = &more[s->n_programs];
	*p = (struct program){.fd = -1, .ruleset = -1};
	if (buf_fmt(&path, "%s/%s", s->helpers, helper) != 0 ||
	    (p->name = strdup(helper)) == NULL)
		return E_NOMEM;
	if ((p->path = buf_take(&path)) == NULL) {
		free(p->name);
		return E_NOMEM;
	}
	s->n_programs++;
found:
	if (p->fd < 0 && (p->fd = open(p->path, O_PATH | O_CLOEXEC)) < 0)
		return E_SYS;
	*out = p;
	return 0;
}

void
belt_forget(struct program *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->ruleset >= 0)
		close(p->ruleset);
	p->fd = p->ruleset = -1;
}

#ifndef BB_UNCONFINED
static int
ruleset_for(const struct program *p, const struct spawn_landlock *allow, size_t n,
    int *out)
{
	auto_fd int fd = -1;
	int r;

	*out = -1;
	if ((r = confine_ruleset(&fd)) != 0 ||
	    (r = confine_allow(fd, p->fd, OWN_FILE)) != 0)
		return r;
	for (size_t i = 0; i < n; i++)
		if ((r = confine_allow(fd, allow[i].fd, allow[i].rights)) != 0)
			return r;
	*out = take_fd(&fd);
	return 0;
}
#endif

int
belt_ruleset(const struct spawner *s, struct program *p,
    const struct spawn_landlock *allow, size_t n, int *ruleset, bool *owned)
{
	*ruleset = -1;
	*owned = false;
#ifdef BB_UNCONFINED
	/* A sanitizer build's helpers are dynamic and need their loader. */
	(void)s, (void)p, (void)allow, (void)n;
	return 0;
#else
	int r;

	if (s->abi == 0)
		return 0;
	if (n > 0) {
		*owned = true;
		return ruleset_for(p, allow, n, ruleset);
	}
	/* Putting a ruleset on does not use it up. */
	if (p->ruleset < 0 && (r = ruleset_for(p, NULL, 0, &p->ruleset)) != 0)
		return r;
	*ruleset = p->ruleset;
	return 0;
#endif
}

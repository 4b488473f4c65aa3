/* libedit, found by the name its packages give it. It is the person's system's own
 * library, as trusted as those the loader brings. */
#include "bin/bb/ui/libedit_int.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool
load(struct libedit *e)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = {
	    {"el_init", offsetof(struct libedit, init)},
	    {"el_end", offsetof(struct libedit, end)},
	    {"el_reset", offsetof(struct libedit, reset)},
	    {"el_gets", offsetof(struct libedit, gets)},
	    {"el_set", offsetof(struct libedit, set)},
	    {"el_get", offsetof(struct libedit, get)},
	    {"el_line", offsetof(struct libedit, line)},
	    {"el_insertstr", offsetof(struct libedit, insertstr)},
	    {"el_resize", offsetof(struct libedit, resize)},
	    {"history_init", offsetof(struct libedit, history_init)},
	    {"history_end", offsetof(struct libedit, history_end)},
	    {"history", offsetof(struct libedit, history)},
	};
	void *lib = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);

	if (lib == NULL) /* the name elsewhere than on Debian */
		lib = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
	if (lib == NULL)
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *f = dlsym(lib, functions[i].name);

		if (f == NULL)
			return false;
		memcpy((char *)e + functions[i].at, &f, sizeof(f));
	}
	return true;
}

const struct libedit *
libedit_get(void)
{
	static struct libedit e;
	static bool tried, loaded;

	if (!tried) {
		tried = true;
		loaded = load(&e);
	}
	return loaded ? &e : NULL;
}

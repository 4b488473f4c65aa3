/* What the real helper is just before its filter goes on, asked by calls of its own: its
 * descriptors, what it was started with, and each layer's own mark. Row 69: the same helper
 * told that Landlock is older than it is. */
#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/confine.h"

#define NUMBERS 512 /* above the leaks of real.c */

#define ASK(i, ...) ask((i), (const long[7]){__VA_ARGS__})
static long
ask(struct inside *i, const long args[7])
{
	struct end e = inside_call(i, args);

	return e.kind == END_VALUE ? e.value : LONG_MAX;
}

static void
is(struct run *r, int row, const char *name, const char *layer, long got, long want,
    bool control)
{
	char a[48], b[96];

	check(r, row, name, layer, got == want, control, value_words(want, a, sizeof(a)),
	    value_words(got, b, sizeof(b)));
}

/* --- row 51: what it was started with --------------------------------------------------- */

static void
started(struct run *r, const struct inside *i)
{
	char want[4200], seen[32];
	bool own;

	(void)snprintf(want, sizeof(want), "%s/%s", r->helpers, r->t->helper);
	own = strncmp(i->path, want, sizeof(i->path) - 9) == 0;
	(void)snprintf(seen, sizeof(seen), "%zu strings", i->env);
	check(r, 51, "its environment", "start", i->env == 0, environ[0] != NULL, "empty",
	    i->env == 0 ? "empty" : seen);
	(void)snprintf(seen, sizeof(seen), "%lu words", i->words);
	check(r, 51, "its command line", "start", i->words == 1, true, "1 words", seen);
	check(r, 51, "the program is the one of the installation", "start", own, true,
	    "the installed one", own ? "the installed one" : "another");
}

/* --- row 5: exactly the page's descriptors ---------------------------------------------- */

static bool
as_listed(struct inside *i, const struct tool_fd *f)
{
	long flags = ASK(i, SYS_fcntl, f->n, F_GETFL), mode = flags & O_ACCMODE,
	     seals = ASK(i, SYS_fcntl, f->n, F_GET_SEALS),
	     list = ASK(i, SYS_getdents64, f->n, 0, 0);

	if (flags < 0 || (flags & O_PATH) != 0)
		return false;
	if ((f->access == TOOL_DIR) != (list != -ENOTDIR))
		return false;
	if (f->source != TOOL_FROM_ARG && seals < 0)
		return false; /* not a memory file */
	return mode == (f->access == TOOL_WRITE ? O_WRONLY : O_RDONLY);
}

static bool
is_pipe(struct inside *i, int n, int mode)
{
	return ASK(i, SYS_fcntl, n, F_GETPIPE_SZ) > 0 &&
	    (ASK(i, SYS_fcntl, n, F_GETFL) & O_ACCMODE) == mode;
}

static void
descriptors(struct run *r, struct inside *i)
{
	const struct tool *t = r->t;
	const int last = 2 + (int)t->n_fds;
	int missing = 0, more = 0, first = -1;
	char seen[96] = "those";

	for (int n = 0; n < NUMBERS; n++) {
		bool open = ASK(i, SYS_fcntl, n, F_GETFD) >= 0;

		missing += n <= last && !open;
		if (n > last && open && more++ == 0)
			first = n;
	}
	if (more > 0)
		(void)snprintf(seen, sizeof(seen), "%d more, the first is %d", more,
		    first);
	else if (missing > 0)
		(void)snprintf(seen, sizeof(seen), "%d missing", missing);
	check(r, 5, "its descriptors: the page's and no more", "fds",
	    missing == 0 && more == 0, r->p->leak[0] > 0, "those", seen);
	(void)snprintf(seen, sizeof(seen), "as listed");
	if (!is_pipe(i, 0, O_RDONLY) || !is_pipe(i, 1, O_WRONLY) ||
	    !is_pipe(i, 2, O_WRONLY))
		(void)snprintf(seen, sizeof(seen),
		    "0, 1 and 2 are not pipes of one direction");
	for (size_t k = 0; k < t->n_fds; k++)
		if (!as_listed(i, &t->fds[k]))
			(void)snprintf(seen, sizeof(seen), "%d is something else",
			    t->fds[k].n);
	check(r, 5, "their kinds and ways of access", "fds",
	    strcmp(seen, "as listed") == 0, true, "as listed", seen);
}

/* --- each layer's own mark ------------------------------------------------------------------ */

static void
marks(struct run *r, struct inside *i)
{
	const bool root = geteuid() == 0;
	const long most = (long)confine_files(r->t);
	const long locked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED |
	    SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
	    SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
	    SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
	bool kept = false;
	long got;

	is(r, 44, "no_new_privs is on", "no_new_privs",
	    ASK(i, SYS_prctl, PR_GET_NO_NEW_PRIVS), 1,
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
	is(r, 67, "it is not dumpable", "dumpable", ASK(i, SYS_prctl, PR_GET_DUMPABLE), 0,
	    prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1);
	is(r, 61, "the signal at its parent's death", "dumpable", i->dies, SIGKILL, true);
	is(r, 53, "a descriptor past its limit", "limits",
	    ASK(i, SYS_fcntl, 0, F_DUPFD, most), -EINVAL, true);
	if (root) {
		is(r, 46, "root means nothing", "capabilities",
		    ASK(i, SYS_prctl, PR_GET_SECUREBITS), locked,
		    prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) != locked);
		for (long c = 0; c < 64 && !kept; c++)
			kept = ASK(i, SYS_prctl, PR_CAPBSET_READ, c) == 1;
		check(r, 46, "its bounding set", "capabilities", !kept,
		    prctl(PR_CAPBSET_READ, 0, 0, 0, 0) == 1, "empty",
		    kept ? "not empty" : "empty");
	} else {
		got = ASK(i, SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (got > 0)
			(void)kill((pid_t)got, SIGKILL);
		is(r, 37, "before the filter: fork", "limits alone", got, -EAGAIN, true);
	}
}

/* --- the network, by Landlock alone ----------------------------------------------------------- */

static void
network(struct run *r)
{
	static const char *const name = "before the filter: connect to 127.0.0.1";
	struct inside i;
	struct witness w;
	const char *done;
	long fd, got = LONG_MAX;
	char a[48];

	if (confine_landlock_abi() < 4) {
		check_skip(r, 14, name, "landlock alone, ABI 4",
		    "this kernel's Landlock knows no network");
		return;
	}
	place_before(r->p, &w);
	if (inside_start(r->p, r->helpers, 0, &i) == 0) {
		(void)ASK(&i, SYS_close, 2);
		fd = ASK(&i, SYS_socket, AF_INET, SOCK_STREAM, 0);
		got = fd < 0 ? fd
		             : ASK(&i, SYS_connect, fd, (long)room.in, sizeof(room.in));
	}
	inside_end(&i);
	done = place_after(r->p, &w);
	check(r, 14, name, "landlock alone, ABI 4", got == -EACCES && done == NULL,
	    r->p->port > 0, "EACCES",
	    done != NULL ? done : value_words(got, a, sizeof(a)));
}

/* --- row 69: an older Landlock ------------------------------------------------------------------ */

static void
older(struct run *r)
{
	static const char *const names[] = {"told of Landlock ABI 1",
	    "told of Landlock ABI 2", "told of Landlock ABI 3", "told of Landlock ABI 4",
	    "told of Landlock ABI 5", "told of Landlock ABI 6"};
	const long etc = probe_text("/etc/passwd");

	for (int abi = 1; abi <= 6 && abi < confine_landlock_abi(); abi++) {
		struct inside i;
		long opened = LONG_MAX;
		bool ready = false;
		char a[48], seen[96];

		if (inside_start(r->p, r->helpers, abi, &i) == 0) {
			(void)ASK(&i, SYS_close, 2);
			opened = ASK(&i, SYS_openat, AT_FDCWD, etc, O_RDONLY);
			inside_release(&i);
			ready = real_ready(&i.h) == 0 && i.h.abi == abi &&
			    (i.h.layers & LAYER_LANDLOCK) != 0;
		}
		inside_end(&i);
		(void)snprintf(seen, sizeof(seen), "open: %s, %s",
		    value_words(opened, a, sizeof(a)),
		    ready ? "ready" : "READY says something else");
		check(r, 69, names[abi - 1], "landlock", opened == -EACCES && ready, true,
		    "open: EACCES, ready", seen);
	}
}

void
checks_layers(struct run *r)
{
	struct inside i;

	if (!r->traceable) {
		check_skip(r, 5, "its descriptors, each layer's mark, an older Landlock",
		    "all", "the helper cannot be traced here");
		return;
	}
	for (int k = 0; k < 8; k++)
		r->p->leak[k] = r->p->tcp;
	if (inside_start(r->p, r->helpers, 0, &i) == 0) {
		started(r, &i);
		descriptors(r, &i);
		marks(r, &i);
	} else {
		check(r, 0, "it gets to its filter", "start", false, true, "it does",
		    "it ends before");
	}
	inside_end(&i);
	memset(r->p->leak, 0, sizeof(r->p->leak));
	network(r);
	older(r);
}

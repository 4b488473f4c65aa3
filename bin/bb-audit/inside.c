/* Acts of the real helper itself: it is traced from its first instruction, stopped before
 * its filter goes on, and made to do calls of ours there or behind the filter. Nothing of
 * the helper is changed but the call it stands before. Its memory is closed once it is not
 * dumpable, even to its tracer: what calls point to is put into its stack before. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"

/* Far below what a helper uses of its stack, within what the kernel maps at exec. */
#define BELOW (96UL << 10)
#define BOUND_S 3

#define ENTRY 1
#define LEAVE 0

static volatile sig_atomic_t late;

static void
on_alarm(int sig)
{
	(void)sig;
	late = 1;
}

/* A call that was let through may wait for ever: waitpid() ends by the signal. */
static void
bound(void)
{
	struct sigaction a = {.sa_handler = on_alarm};
	struct itimerval t = {{0, 100000}, {BOUND_S, 0}};

	late = 0;
	(void)sigaction(SIGALRM, &a, NULL);
	(void)setitimer(ITIMER_REAL, &t, NULL);
}

static void
unbound(void)
{
	struct itimerval t = {{0, 0}, {0, 0}};

	(void)setitimer(ITIMER_REAL, &t, NULL);
}

/* Next stop at a call. 0; 1: it ended, *st says how; -1. */
static int
next_stop(int pid, int *st)
{
	int sig = 0;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, sig) != 0)
			return -1;
		while (waitpid(pid, st, 0) != pid) {
			if (errno != EINTR)
				return -1;
			if (late)
				(void)kill(pid, SIGKILL);
		}
		if (!WIFSTOPPED(*st))
			return 1;
		if (WSTOPSIG(*st) == (SIGTRAP | 0x80))
			return 0;
		sig = WSTOPSIG(*st) == SIGTRAP ? 0 : WSTOPSIG(*st);
	}
}

static unsigned long
peek(int pid, unsigned long at, bool *good)
{
	long v;

	errno = 0;
	v = ptrace(PTRACE_PEEKDATA, pid, at, 0);
	if (errno != 0)
		*good = false;
	return (unsigned long)v;
}

/* argc, environment and auxiliary vector, as the kernel laid them out. */
static void
read_start(struct inside *i, unsigned long sp)
{
	bool good = true;
	unsigned long at = sp + 8, word, n;

	i->words = peek(i->h.pid, sp, &good);
	at += 8 * (i->words + 1);
	for (i->env = 0; good && i->env < 10000 && peek(i->h.pid, at, &good) != 0;
	     i->env++)
		at += 8;
	for (at += 8; good && (n = peek(i->h.pid, at, &good)) != AT_NULL; at += 16)
		if (n == AT_EXECFN)
			i->execfn = peek(i->h.pid, at + 8, &good);
	for (size_t k = 0; good && i->execfn != 0 && k + 8 < sizeof(i->path); k += 8) {
		word = peek(i->h.pid, i->execfn + k, &good);
		memcpy(i->path + k, &word, 8);
		if (memchr(i->path + k, 0, 8) != NULL)
			break;
	}
}

static void
furnish(struct inside *i, unsigned long sp)
{
	unsigned long at = (sp - BELOW) & ~4095UL, word;

	for (size_t k = 0; k < sizeof(room); k += 8) {
		memcpy(&word, (const char *)&room + k, 8);
		if (word != 0 && ptrace(PTRACE_POKEDATA, i->h.pid, at + k, word) != 0)
			return;
	}
	i->at = at;
}

/* The call it stands before is over, with this value. */
static int
finish(struct inside *i, long *value)
{
	struct user_regs_struct r;
	int st, e = next_stop(i->h.pid, &st);

	if (e != 0) {
		if (e == 1)
			i->h.pid = 0;
		return -1;
	}
	if (regs_get(i->h.pid, &r) != 0)
		return -1;
	*value = (long)REGS_VALUE(&r);
	return 0;
}

/* Pass its calls until it stands before `nr`. */
static int
forward(struct inside *i, long nr, int abi)
{
	for (;;) {
		int st, e = next_stop(i->h.pid, &st);
		bool version, death;
		long value;

		if (e != 0) {
			if (e == 1)
				i->h.pid = 0;
			return -1;
		}
		if (regs_get(i->h.pid, &i->saved) != 0)
			return -1;
		if (nr < 0 || REGS_CALL(&i->saved) == nr)
			return 0;
#ifdef __x86_64__
		version = i->saved.rdx == 1;
		death = i->saved.rdi == PR_SET_PDEATHSIG;
#else
		version = i->saved.regs[2] == 1;
		death = i->saved.regs[0] == PR_SET_PDEATHSIG;
#endif
		version = version && REGS_CALL(&i->saved) == NR_LANDLOCK_CREATE;
		death = death && REGS_CALL(&i->saved) == SYS_prctl;
		if (finish(i, &value) != 0)
			return -1;
		if (death && value == 0)
#ifdef __x86_64__
			i->dies = (long)i->saved.rsi;
#else
			i->dies = (long)i->saved.regs[1];
#endif
		if (version && abi > 0 && value > abi) {
			struct user_regs_struct r;

			if (regs_get(i->h.pid, &r) != 0)
				return -1;
			REGS_VALUE(&r) = (unsigned long)abi;
			if (regs_set(i->h.pid, &r) != 0)
				return -1;
		}
	}
}

int
inside_start(const struct place *p, const char *helpers, int abi, struct inside *i)
{
	struct user_regs_struct r;
	int st;

	memset(i, 0, sizeof(*i));
	if (real_start(p, helpers, (struct real_how){.traced = true}, &i->h) != 0)
		return -1;
	bound();
	while (waitpid(i->h.pid, &st, 0) != i->h.pid)
		if (errno != EINTR || late)
			return -1;
	if (!WIFSTOPPED(st)) {
		i->h.pid = 0;
		return -1;
	}
	if (ptrace(PTRACE_SETOPTIONS, i->h.pid, 0,
	        PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0 ||
	    regs_get(i->h.pid, &r) != 0)
		return -1;
	read_start(i, REGS_STACK(&r));
	furnish(i, REGS_STACK(&r));
	return forward(i, SYS_seccomp, abi);
}

int
inside_filter(struct inside *i)
{
	long value;

	if (finish(i, &value) != 0 || value != 0)
		return -1;
	return forward(i, -1, 0);
}

struct end
inside_call(struct inside *i, const long args[7])
{
	struct end e = {.kind = END_OTHER, .status = -1};
	struct user_regs_struct r = i->saved;
	long a[7];
	int s;

	for (int k = 0; k < 7; k++) {
		uintptr_t v = (uintptr_t)args[k], lo = (uintptr_t)&room;

		a[k] = args[k];
		if (k > 0 && v >= lo && v < lo + sizeof(room)) {
			if (i->at == 0)
				return e;
			a[k] = (long)(i->at + (v - lo));
		}
	}
	bound();
	regs_put(&r, a);
	if (i->h.pid <= 0 || regs_set(i->h.pid, &r) != 0)
		return e;
	s = next_stop(i->h.pid, &e.status);
	if (s == 1) {
		i->h.pid = 0;
		if (WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGSYS)
			e.kind = END_KILLED;
		return e;
	}
	if (s != 0 || regs_get(i->h.pid, &r) != 0)
		return e;
	e.kind = END_VALUE;
	e.value = (long)REGS_VALUE(&r);
	/* Back to where it stood. */
	r = i->saved;
	REGS_AGAIN(&r);
	if (regs_set(i->h.pid, &r) == 0 && next_stop(i->h.pid, &e.status) == 1) {
		/* A call that the filter kills for is left first, then the process ends. */
		i->h.pid = 0;
		if (WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGSYS)
			e.kind = END_KILLED;
	}
	return e;
}

void
inside_release(struct inside *i)
{
	if (i->h.pid > 0)
		(void)ptrace(PTRACE_DETACH, i->h.pid, 0, 0);
	unbound();
}

void
inside_end(struct inside *i)
{
	unbound();
	real_end(&i->h);
}

/* Threads that wait for work. What a thread needs to come to life (its stack, its signal
 * mask) is done before crew_start returns, so that a filter put on all of them afterwards
 * meets none of it. They wait by the raw call: every C library's own condition waits in
 * another way, and the filter knows one. */
#include "libcommon/crew.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK ((size_t)512 << 10)

static struct {
	uint32_t here; /* members at their wait */
	uint32_t go;   /* 1: there is work */
	uint32_t end;  /* stays 0: nobody is woken here */
	unsigned size;
	void (*work)(void *);
	void *arg;
} crew;

/* Until *word is not `seen`. */
static void
wait_on(uint32_t *word, uint32_t seen)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == seen)
		(void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, (long)seen, NULL, NULL,
		    0L);
}

static void
wake(uint32_t *word)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, (long)INT_MAX, NULL, NULL, 0L);
}

static void *
member(void *unused)
{
	(void)__atomic_add_fetch(&crew.here, 1, __ATOMIC_ACQ_REL);
	wake(&crew.here);
	wait_on(&crew.go, 0);
	crew.work(crew.arg);
	/* SAFE: returning would end the thread by calls that no page allows. */
	for (;;)
		wait_on(&crew.end, 0);
	return unused;
}

unsigned
crew_start(unsigned n)
{
	pthread_attr_t a;
	pthread_t t;
	uint32_t here;

	if (n == 0 || crew.size > 0 || pthread_attr_init(&a) != 0)
		return crew.size;
	(void)pthread_attr_setstacksize(&a, STACK);
	while (crew.size < n && crew.size < CREW_MAX &&
	    pthread_create(&t, &a, member, NULL) == 0)
		crew.size++;
	(void)pthread_attr_destroy(&a);
	while ((here = __atomic_load_n(&crew.here, __ATOMIC_ACQUIRE)) < crew.size)
		wait_on(&crew.here, here);
	return crew.size;
}

unsigned
crew_size(void)
{
	return crew.size;
}

void
crew_run(void (*work)(void *), void *arg)
{
	crew.work = work;
	crew.arg = arg;
	__atomic_store_n(&crew.go, 1, __ATOMIC_RELEASE);
	wake(&crew.go);
}

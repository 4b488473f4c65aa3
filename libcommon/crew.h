/* The threads of a helper: made before its filter is on, put to work behind it. They are
 * never ended; the end of the process ends them. */
#ifndef BB_LIBCOMMON_CREW_H
#define BB_LIBCOMMON_CREW_H

#define CREW_MAX 8

/* Make n threads (at most CREW_MAX), which wait. Returns how many there are, which is
 * fewer where the system refuses. Each has come to its wait when this returns: from there
 * on it needs futex(2) and nothing else. Once in a process. */
unsigned crew_start(unsigned n);

/* How many there are. */
unsigned crew_size(void);

/* Let each of them call work(arg), once. Whoever returns from it waits for ever. */
void crew_run(void (*work)(void *), void *arg);

#endif

/* One helper for one call: queue, deadline, end. Trusts nothing a helper does: it
 * is waited for by pidfd, never by the end of a pipe, and every wait is bounded. */
#include "bin/bb/spawn/spawn_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/own.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* ---- one child --------------------------------------------------------------- */

static void
unwatch(struct loop_source **src)
{
	loop_remove(*src);
	*src = NULL;
}

static void
shut(int *fd)
{
	if (*fd >= 0)
		close(take_fd(fd));
}

/* Close what was dup'ed for the queue. */
static void
drop_queued(struct child *c)
{
	for (size_t i = 0; c->fds != NULL && i < c->n_fds; i++)
		shut(&c->fds[i].fd);
	for (size_t i = 0; c->allow != NULL && i < c->n_allow; i++)
		shut(&c->allow[i].fd);
	free(c->fds);
	free(c->allow);
	c->fds = NULL;
	c->allow = NULL;
	c->n_fds = c->n_allow = 0;
}

/* Everything but the wait for its exit. */
static void
drop_talk(struct child *c)
{
	unwatch(&c->on_request);
	unwatch(&c->on_answer);
	unwatch(&c->on_log);
	unwatch(&c->timer);
	shut(&c->request);
	shut(&c->answer);
	shut(&c->log);
}

static void
child_free(struct child *c)
{
	struct child **p;

	for (p = &c->s->running; *p != NULL; p = &(*p)->next)
		if (*p == c) {
			*p = c->next;
			break;
		}
	drop_talk(c);
	unwatch(&c->on_exit);
	shut(&c->pidfd);
	drop_queued(c);
	free(c->out);
	free(c);
}

static void next_queued(struct spawner *s);

/* The one report. */
static void
tell(struct child *c)
{
	struct spawner *s = c->s;

	c->told = true;
	if (c->pid > 0) {
		s->n_running--;
		next_queued(s);
	}
	c->text[c->text_len] = '\0';
	c->o.log = c->text;
	if (c->o.end != SPAWN_ANSWERED) {
		c->o.result = NULL;
		c->o.result_len = 0;
	}
	c->done(c->arg, &c->o);
}

static void
on_stuck(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	c->timer = NULL;
	drop_talk(c);
	/* In a system call that cannot be killed. on_exit takes it away later. */
	tell(c);
}

static void
on_deferred(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	c->timer = NULL;
	tell(c);
	child_free(c);
}

/* `done` comes from the loop. */
static bool
defer(struct child *c)
{
	if ((c->timer = loop_timer(c->s->loop, 0, on_deferred, c)) == NULL)
		return false;
	c->next = c->s->running;
	c->s->running = c;
	return true;
}

void
child_fail(struct child *c, enum spawn_end end)
{
	if (c->decided)
		return;
	c->decided = true;
	c->o.end = end;
	if (c->pidfd < 0)
		return;
	(void)syscall(SYS_pidfd_send_signal, c->pidfd, SIGKILL, NULL, 0);
	unwatch(&c->on_request);
	unwatch(&c->on_answer);
	unwatch(&c->timer);
	c->timer = loop_timer(c->s->loop, SPAWN_STUCK_MS, on_stuck, c);
}

static void
on_deadline(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	c->timer = NULL;
	child_fail(c, SPAWN_TIMEOUT);
}

/* It closed its answer and does not end. */
static void
on_silent(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	c->timer = NULL;
	child_fail(c, SPAWN_PROTOCOL);
}

static void
on_request(void *arg, short revents)
{
	struct child *c = arg;
	ssize_t n;

	(void)revents;
	do
		n = write(c->request, c->out + c->out_sent, c->out_len - c->out_sent);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		c->out_sent += (size_t)n;
	/* EPIPE: it does not listen. Its exit, or the deadline, says what that was. */
	if (c->out_sent == c->out_len || (n < 0 && errno != EAGAIN))
		unwatch(&c->on_request);
	else if (c->on_request == NULL) {
		c->on_request = loop_fd(c->s->loop, c->request, POLLOUT, on_request, c);
		if (c->on_request == NULL)
			child_fail(c, SPAWN_PROTOCOL);
	}
}

void
child_send_call(struct child *c)
{
	if (c->s->trace)
		dprintf(2, "frame: %s[%d] <- type %u call %u length %zu\n",
		    c->tool->helper, (int)c->pid, FRAME_CALL, c->call,
		    c->out_len - FRAME_HEADER);
	on_request(c, 0);
}

static void
on_answer(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	if (dispatch_read(c) && !c->decided) {
		/* Its exit is all that is waited for now; what it leaves in its pipes until
		 * then is looked at when it is gone. */
		if (c->phase == PHASE_EXIT) {
			unwatch(&c->on_answer);
			unwatch(&c->on_log);
		}
		return;
	}
	if (c->decided)
		return;
	unwatch(&c->on_answer);
	if (c->phase != PHASE_EXIT) {
		unwatch(&c->timer);
		c->timer = loop_timer(c->s->loop, SPAWN_SILENT_MS, on_silent, c);
	}
}

/* Read once what is there; false when nothing is. */
static bool
log_read(struct child *c)
{
	char piece[8192];
	size_t room;
	ssize_t n;

	do
		n = read(c->log, piece, sizeof(piece));
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	c->log_bytes += (uint64_t)n;
	room = SPAWN_LOG_KEPT - c->text_len;
	for (size_t i = 0; i < (size_t)n && room > 0; i++, room--) {
		if (piece[i] == '\0')
			piece[i] = ' ';
		c->text[c->text_len++] = piece[i];
	}
	if (c->log_bytes > SPAWN_LOG_FLOOD)
		child_fail(c, SPAWN_PROTOCOL);
	return true;
}

static void
on_log(void *arg, short revents)
{
	struct child *c = arg;

	(void)revents;
	if (!log_read(c))
		unwatch(&c->on_log);
}

/* What its status says, where nothing was decided before. */
static void
judge(struct child *c, const siginfo_t *si, const struct rusage *used)
{
	int64_t us = (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * (int64_t)1000000 +
	    used->ru_utime.tv_usec + used->ru_stime.tv_usec;

	c->decided = true;
	c->o.number = si->si_status;
	if (si->si_code == CLD_EXITED) {
		if (si->si_status != 0)
			c->o.end = SPAWN_EXIT;
		else if (c->phase == PHASE_EXIT)
			c->o.end = SPAWN_ANSWERED;
		else
			c->o.end = c->in_len > 0 ? SPAWN_PROTOCOL : SPAWN_EXIT;
		return;
	}
	switch (si->si_status) {
	case SIGSYS:
		c->o.end = SPAWN_FILTER;
		break;
	case SIGXCPU:
	case SIGXFSZ:
		c->o.end = SPAWN_LIMIT;
		break;
	case SIGKILL:
		/* The hard CPU limit kills so; anybody else may as well. The kernel counts
		 * it in ticks and reports what really ran: on a machine that is stolen
		 * from, the second may be well below the first. */
		c->o.end = 2 * us >= c->tool->limits.cpu_s * (int64_t)1000000
		    ? SPAWN_LIMIT
		    : SPAWN_SIGNAL;
		break;
	default:
		c->o.end = SPAWN_SIGNAL;
	}
}

static void
on_gone(void *arg, short revents)
{
	struct child *c = arg;
	struct rusage used = {0};
	siginfo_t si = {0};

	(void)revents;
	/* What it left in the pipes, and not to their end: a child of its own may
	 * hold them. */
	while (!c->told && !c->decided && dispatch_read(c))
		;
	for (int i = 0; !c->told && i < 16 && log_read(c); i++)
		;
	/* SAFE: before it is reaped, while its number is its own. It led a session;
	 * whatever it managed to leave there ends with it. */
	(void)kill(-c->pid, SIGKILL);
	/* The raw call: libc's has no rusage. */
	if (syscall(SYS_waitid, P_PIDFD, c->pidfd, &si, WEXITED, &used) < 0) {
		si.si_code = CLD_KILLED;
		si.si_status = SIGKILL;
	}
	if (!c->decided)
		judge(c, &si, &used);
	if (!c->told)
		tell(c);
	child_free(c);
}

/* ---- starting ---------------------------------------------------------------- */

/* Put a started child under watch. */
static int
watch(struct child *c)
{
	struct loop *l = c->s->loop;

	if ((c->on_exit = loop_fd(l, c->pidfd, POLLIN, on_gone, c)) != NULL &&
	    (c->on_answer = loop_fd(l, c->answer, POLLIN, on_answer, c)) != NULL &&
	    (c->on_log = loop_fd(l, c->log, POLLIN, on_log, c)) != NULL &&
	    (c->timer = loop_timer(l, c->o.wall_s * (uint64_t)1000, on_deadline, c)) !=
	        NULL)
		return 0;
	(void)kill(c->pid, SIGKILL);
	(void)waitpid(c->pid, NULL, 0);
	c->pid = 0;
	errno = ENOMEM;
	return E_SYS;
}

/* Start c. When that fails, c->o says so. */
static bool
begin(struct child *c, const struct spawn_fd *fds, const struct spawn_landlock *allow,
    size_t n_allow)
{
	int r;

	if ((r = start_launch(c, fds, allow, n_allow)) == 0 && (r = watch(c)) == 0) {
		c->next = c->s->running;
		c->s->running = c;
		c->s->n_running++;
		return true;
	}
	c->o.end = SPAWN_NO_START;
	c->o.number = r == E_SYS ? errno : r == E_UNSUPPORTED ? ENOSYS : ENOMEM;
	c->decided = true;
	drop_talk(c);
	unwatch(&c->on_exit);
	shut(&c->pidfd);
	return false;
}

/* From the loop only. */
static void
next_queued(struct spawner *s)
{
	struct child *c;

	while ((c = s->queued) != NULL && s->n_running < SPAWN_AT_ONCE) {
		if ((s->queued = c->next) == NULL)
			s->queued_tail = &s->queued;
		c->next = NULL;
		c->queued = false;
		if (!c->decided && begin(c, c->fds, c->allow, c->n_allow)) {
			drop_queued(c);
			continue;
		}
		tell(c);
		child_free(c);
	}
}

static int
dup_queued(struct child *c, const struct spawn_request *q)
{
	if ((c->fds = calloc(q->n_fds + 1, sizeof(*c->fds))) == NULL ||
	    (c->allow = calloc(q->n_allow + 1, sizeof(*c->allow))) == NULL)
		return E_NOMEM;
	for (; c->n_fds < q->n_fds; c->n_fds++) {
		struct spawn_fd *f = &c->fds[c->n_fds];

		*f = q->fds[c->n_fds];
		if ((f->fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 11)) < 0)
			return E_SYS;
	}
	for (; c->n_allow < q->n_allow; c->n_allow++) {
		struct spawn_landlock *a = &c->allow[c->n_allow];

		*a = q->allow[c->n_allow];
		if ((a->fd = fcntl(a->fd, F_DUPFD_CLOEXEC, 11)) < 0)
			return E_SYS;
	}
	return 0;
}

static bool
as_the_page_says(const struct spawn_request *q)
{
	const struct tool *t = q->tool;

	if (t->helper == NULL || q->n_fds != t->n_fds || t->n_fds > SPAWN_FDS_MAX ||
	    q->body_len > FRAME_BODY_MAX)
		return false;
	for (size_t i = 0; i < q->n_fds; i++)
		if (q->fds[i].n != t->fds[i].n || q->fds[i].n < 3 || q->fds[i].fd < 0)
			return false;
	return true;
}

int
spawn_start(struct spawner *s, const struct spawn_request *q, struct child **out)
{
	const struct frame f = {.type = FRAME_CALL,
	    .call = q->call,
	    .length = (uint32_t)q->body_len};
	struct child *c;

	*out = NULL;
	if (!as_the_page_says(q))
		return E_BAD;
	if ((c = malloc(sizeof(*c))) == NULL)
		return E_NOMEM;
	memset(c, 0, offsetof(struct child, in));
	c->s = s;
	c->tool = q->tool;
	c->call = q->call;
	c->o.wall_s = q->wall_s != 0 && q->wall_s < q->tool->limits.wall_s
	    ? q->wall_s
	    : q->tool->limits.wall_s;
	c->done = q->done;
	c->arg = q->arg;
	c->pidfd = c->request = c->answer = c->log = -1;
	c->out_len = FRAME_HEADER + q->body_len;
	if ((c->out = malloc(c->out_len)) == NULL) {
		free(c);
		return E_NOMEM;
	}
	frame_pack(&f, c->out);
	if (q->body_len > 0)
		memcpy(c->out + FRAME_HEADER, q->body, q->body_len);
	if (s->n_running >= SPAWN_AT_ONCE) {
		int r = dup_queued(c, q);

		if (r == 0) {
			c->queued = true;
			*s->queued_tail = c;
			s->queued_tail = &c->next;
			*out = c;
			return 0;
		}
		c->o.end = SPAWN_NO_START;
		c->o.number = r == E_SYS ? errno : ENOMEM;
		c->decided = true;
	} else if (begin(c, q->fds, q->allow, q->n_allow)) {
		*out = c;
		return 0;
	}
	if (!defer(c)) {
		child_free(c);
		return E_NOMEM;
	}
	*out = c;
	return 0;
}

void
spawn_cancel(struct child *c)
{
	struct child **p, *next;

	if (c == NULL || c->decided)
		return;
	child_fail(c, SPAWN_CANCELLED);
	if (!c->queued)
		return;
	for (p = &c->s->queued; *p != c; p = &(*p)->next)
		;
	/* Without memory for the timer it is told when its turn comes. */
	next = c->next;
	if (!defer(c))
		return;
	if ((*p = next) == NULL)
		c->s->queued_tail = p;
	c->queued = false;
}

/* ---- the spawner --------------------------------------------------------------- */

int
spawner_new(const struct spawn_config *c, struct spawner **out)
{
	struct sigaction sa;
	struct spawner *s;

	*out = NULL;
	if ((s = calloc(1, sizeof(*s))) == NULL)
		return E_NOMEM;
	s->loop = c->loop;
	s->weaker_landlock = c->weaker_landlock;
	s->trace = c->trace;
	s->queued_tail = &s->queued;
	s->stack = mmap(NULL, SPAWN_STACK, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (s->stack == MAP_FAILED || (s->helpers = strdup(c->helpers)) == NULL) {
		if (s->stack != MAP_FAILED)
			munmap(s->stack, SPAWN_STACK);
		free(s);
		return E_NOMEM;
	}
	s->abi = confine_landlock_abi();
	/* A parent that ignores SIGCHLD leaves that to its children: then ours are
	 * reaped before we can ask what became of them. */
	if (sigaction(SIGCHLD, NULL, &sa) == 0 &&
	    (sa.sa_handler == SIG_IGN || (sa.sa_flags & SA_NOCLDWAIT) != 0))
		(void)signal(SIGCHLD, SIG_DFL);
	/* Writing to a helper that is gone is EPIPE, not our end. */
	if (sigaction(SIGPIPE, NULL, &sa) == 0 && sa.sa_handler == SIG_DFL)
		(void)signal(SIGPIPE, SIG_IGN);
	*out = s;
	return 0;
}

void
spawner_free(struct spawner *s)
{
	struct child *c;

	if (s == NULL)
		return;
	while ((c = s->queued) != NULL) {
		s->queued = c->next;
		child_free(c);
	}
	for (c = s->running; c != NULL; c = c->next)
		if (c->pid > 0)
			(void)syscall(SYS_pidfd_send_signal, c->pidfd, SIGKILL, NULL, 0);
	while ((c = s->running) != NULL) {
		struct pollfd p = {.fd = c->pidfd, .events = POLLIN};

		s->running = c->next;
		/* One that cannot be killed is left to init. */
		if (c->pid > 0 && poll(&p, 1, SPAWN_STUCK_MS) == 1) {
			(void)kill(-c->pid, SIGKILL);
			(void)waitpid(c->pid, NULL, 0);
		}
		child_free(c);
	}
	for (size_t i = 0; i < s->n_programs; i++) {
		belt_forget(&s->programs[i]);
		free(s->programs[i].name);
		free(s->programs[i].path);
	}
	free(s->programs);
	munmap(s->stack, SPAWN_STACK);
	free(s->helpers);
	free(s);
}

uint64_t
spawner_spawns(const struct spawner *s)
{
	return s->spawns;
}

int
spawner_abi(const struct spawner *s)
{
	return s->abi;
}

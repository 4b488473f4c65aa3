/* Questions in the order they came, one put at a time, answered by whoever the channel
 * leads to. Nobody reachable, a closed channel, five times no: every way that is not a
 * yes is a no. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/ui/ask_int.h"
#include "libcommon/clock.h"
#include "libcommon/fd.h"

struct asker {
	struct asker_config c;
	struct channel ch;      /* self NULL: nobody can be asked */
	struct open_question *first;
	unsigned next_id;
	unsigned shown;         /* questions answered since the queue was last empty */
	unsigned declined;      /* answers no in this turn */
	bool declined_said;
	struct loop_source *later;
};

enum answer
answer_of(char letter)
{
	switch (letter) {
	case 'y':
		return ANSWER_YES;
	case 'a':
		return ANSWER_ALWAYS;
	case 'r':
		return ANSWER_REMEMBER;
	case 'n':
		return ANSWER_NO;
	default:
		return ANSWER_NONE;
	}
}

const char *
answer_words(enum answer a)
{
	static const char *const words[] = {
		[ANSWER_NONE] = "none", [ANSWER_YES] = "yes, once", [ANSWER_ALWAYS] = "yes, this session",
		[ANSWER_REMEMBER] = "yes, from now on here", [ANSWER_NO] = "no", [ANSWER_STOP] = "stopped",
		[ANSWER_NOBODY] = "nobody could be asked", [ANSWER_WITHDRAWN] = "withdrawn: it changed",
	};

	return words[a];
}

const struct asker_config *
ask_config(const struct asker *a)
{
	return &a->c;
}

const struct open_question *
ask_current(const struct asker *a)
{
	return a->first != NULL && a->first->drawn ? a->first : NULL;
}

static char *
copy(const char *s)
{
	return s != NULL ? strdup(s) : NULL;
}

static void
question_free(struct open_question *q)
{
	free((char *)(uintptr_t)q->q.kind);
	free((char *)(uintptr_t)q->q.who);
	free((char *)(uintptr_t)q->q.tool);
	free((char *)(uintptr_t)q->q.why);
	free((char *)(uintptr_t)q->q.object);
	free((char *)(uintptr_t)q->q.digest);
	free((char *)(uintptr_t)q->q.answers);
	json_decref(q->q.plan);
	free(q);
}

/* Take q out and tell whoever asked. */
static void
settle(struct asker *a, struct open_question *q, enum answer answer, const char *by)
{
	struct answered out = {.answer = answer, .by = by,
	    .waited_us = clock_mono_us() - q->since_us};

	for (struct open_question **p = &a->first; *p != NULL; p = &(*p)->next)
		if (*p == q) {
			*p = q->next;
			break;
		}
	a->shown = a->first == NULL ? 0 : a->shown + q->drawn;
	if (answer == ANSWER_NO && q->drawn)
		a->declined++;
	q->done(q->arg, &out);
	question_free(q);
}

bool
asker_reachable(const struct asker *a)
{
	return a->ch.self != NULL && a->ch.reachable(a->ch.self);
}

size_t
asker_waiting(const struct asker *a)
{
	size_t n = 0;

	for (const struct open_question *q = a->first; q != NULL; q = q->next)
		n++;
	return n;
}

/* Put the first question when it is not, or settle what cannot be put. */
static void
pump(void *arg, short revents)
{
	struct asker *a = arg;
	struct open_question *q;
	char right[48];
	unsigned n;

	(void)revents;
	a->later = NULL;
	while ((q = a->first) != NULL && !q->drawn) {
		if (!asker_reachable(a)) {
			settle(a, q, ANSWER_NOBODY, "nobody");
			continue;
		}
		if (a->c.max_declined > 0 && a->declined >= a->c.max_declined) {
			if (!a->declined_said && a->ch.transcript != NULL)
				a->ch.transcript(a->ch.self, "  the rest of this turn's questions are answered no "
				                             "(ask.maxDeclined)");
			a->declined_said = true;
			settle(a, q, ANSWER_NO, "ask.maxDeclined");
			continue;
		}
		n = (unsigned)asker_waiting(a);
		q->of[0] = a->shown + 1;
		q->of[1] = a->shown + n;
		q->drawn = true;
		if (q->of[1] > 1) {
			(void)snprintf(right, sizeof(right), "%u of %u", q->of[0], q->of[1]);
			drawing_right(q->q.drawing, right);
		}
		drawing_then(q->q.drawing, NULL, NULL);
		for (struct open_question *w = q->next; w != NULL; w = w->next)
			drawing_then(q->q.drawing, w->q.kind, w->q.object != NULL ? w->q.object : "");
		if (n > 1) {
			(void)snprintf(right, sizeof(right), "stop, and no to all %u", n);
			drawing_key(q->q.drawing, '\003', right, false);
		}
		a->ch.put(a->ch.self, q);
		return;
	}
}

static void
pump_later(struct asker *a)
{
	if (a->later == NULL)
		a->later = loop_timer(a->c.loop, 0, pump, a);
}

int
asker_ask(struct asker *a, const struct question *q, ask_done done, void *arg, unsigned *id)
{
	struct open_question *o = calloc(1, sizeof(*o)), **p = &a->first;

	*id = 0;
	if (o == NULL)
		return E_NOMEM;
	o->id = *id = ++a->next_id;
	o->q = *q;
	o->q.kind = copy(q->kind);
	o->q.who = copy(q->who);
	o->q.tool = copy(q->tool);
	o->q.why = copy(q->why);
	o->q.object = copy(q->object);
	o->q.digest = copy(q->digest);
	o->q.answers = copy(q->answers);
	o->q.plan = json_incref(q->plan);
	o->done = done;
	o->arg = arg;
	o->since_us = clock_mono_us();
	while (*p != NULL)
		p = &(*p)->next;
	*p = o;
	pump_later(a);
	return 0;
}

static struct open_question *
find(const struct asker *a, unsigned id)
{
	for (struct open_question *q = a->first; q != NULL; q = q->next)
		if (q->id == id)
			return q;
	return NULL;
}

bool
ask_answer(struct asker *a, unsigned id, enum answer answer, const char *by, const char **why)
{
	struct open_question *q = find(a, id);
	static const char letters[] = {[ANSWER_YES] = 'y', [ANSWER_ALWAYS] = 'a',
	    [ANSWER_REMEMBER] = 'r', [ANSWER_NO] = 'n'};

	*why = NULL;
	if (q == NULL || !q->drawn) {
		*why = "this question is not open";
		return false;
	}
	if (answer == ANSWER_STOP) {
		/* no to all of the turn, in the order they came */
		settle(a, q, ANSWER_STOP, by);
		while (a->first != NULL)
			settle(a, a->first, ANSWER_NO, by);
		return true;
	}
	if (answer < ANSWER_YES || answer > ANSWER_NO ||
	    strchr(q->q.answers, letters[answer]) == NULL) {
		*why = "this answer was not offered";
		return false;
	}
	settle(a, q, answer, by);
	pump_later(a);
	return true;
}

void
ask_gone(struct asker *a, const char *by)
{
	while (a->first != NULL)
		settle(a, a->first, ANSWER_NO, by);
}

void
ask_again(struct asker *a)
{
	if (a->first != NULL)
		a->first->drawn = false;
	pump_later(a);
}

void
asker_withdraw(struct asker *a, unsigned id, const char *reason)
{
	struct open_question *q = find(a, id);

	if (q == NULL)
		return;
	if (q->drawn && a->ch.self != NULL)
		a->ch.withdraw(a->ch.self, q, reason);
	settle(a, q, ANSWER_WITHDRAWN, "bb");
	pump_later(a);
}

void
asker_turn(struct asker *a)
{
	a->declined = 0;
	a->declined_said = false;
}

void
asker_transcript(struct asker *a, const char *row)
{
	if (a->ch.self != NULL && a->ch.transcript != NULL)
		a->ch.transcript(a->ch.self, row);
}

/* --- which channel ------------------------------------------------------------------------ */

static int
over_fd(struct asker *a, const char *number)
{
	char *end;
	long n = strtol(number, &end, 10);
	struct stat st;
	int fd = (int)n;

	if (*number == '\0' || *end != '\0' || n < 0 || n > 1 << 20 || fstat(fd, &st) != 0)
		return E_BAD;
	if (S_ISSOCK(st.st_mode)) {
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		return channel_wire(a, fd, fd, 0, &a->ch);
	}
	if (!S_ISFIFO(st.st_mode) || fstat(fd + 1, &st) != 0 || !S_ISFIFO(st.st_mode))
		return E_BAD;
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd + 1, F_SETFD, FD_CLOEXEC);
	return channel_wire(a, fd, fd + 1, 0, &a->ch);
}

static int
over_unix(struct asker *a, const char *path)
{
	struct sockaddr_storage room = {.ss_family = AF_UNIX};
	size_t n = strlen(path);
	int fd;

	/* sockaddr_un: the family, then 108 bytes of path */
	if (n == 0 || n >= 108)
		return E_BAD;
	memcpy((char *)&room + sizeof(sa_family_t), path, n + 1);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return E_SYS;
	if (connect(fd, (const struct sockaddr *)&room, (socklen_t)(sizeof(sa_family_t) + n + 1)) != 0) {
		int keep = errno;

		close(fd);
		errno = keep;
		return E_SYS;
	}
	return channel_wire(a, fd, fd, 0, &a->ch);
}

/* The person's own program, with their environment; it speaks on its standard streams. */
static int
over_program(struct asker *a, const char *program)
{
	int to[2], from[2];
	pid_t pid;

	if (*program == '\0')
		return E_BAD;
	if (access(program, X_OK) != 0)
		return E_SYS;
	if (fd_pipe(to) != 0)
		return E_SYS;
	if (fd_pipe(from) != 0) {
		close(to[0]);
		close(to[1]);
		return E_SYS;
	}
	if ((pid = fork()) == 0) {
		(void)signal(SIGPIPE, SIG_DFL);
		(void)setsid();
		if (dup2(to[0], 0) < 0 || dup2(from[1], 1) < 0)
			_exit(127);
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	if (pid < 0) {
		close(to[1]);
		close(from[0]);
		return E_SYS;
	}
	return channel_wire(a, from[0], to[1], (int)pid, &a->ch);
}

static int
over_terminal(struct asker *a)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0)
		return channel_terminal(a, fd, fd, true, &a->ch);
	if (isatty(0) && isatty(2))
		return channel_terminal(a, 0, 2, false, &a->ch);
	return E_SYS;
}

int
asker_new(const struct asker_config *c, struct asker **out)
{
	struct asker *a = calloc(1, sizeof(*a));
	const char *how = c->how;
	int r = 0;

	*out = NULL;
	if (a == NULL)
		return E_NOMEM;
	a->c = *c;
	if (how == NULL) {
		if (isatty(0) || isatty(2))
			(void)!over_terminal(a); /* none there: nobody can be asked */
		else if (c->listen && c->runtime != NULL)
			r = channel_socket(a, &a->ch);
		if (r != 0)
			r = 0; /* no socket: nobody can be asked, and each question says so */
	} else if (strcmp(how, "none") == 0) {
		r = 0;
	} else if (strcmp(how, "tty") == 0) {
		r = over_terminal(a);
	} else if (strncmp(how, "fd:", 3) == 0) {
		r = over_fd(a, how + 3);
	} else if (strncmp(how, "unix:", 5) == 0) {
		r = over_unix(a, how + 5);
	} else if (strncmp(how, "exec:", 5) == 0) {
		r = over_program(a, how + 5);
	} else {
		r = E_BAD;
	}
	if (r != 0) {
		free(a);
		return r;
	}
	*out = a;
	return 0;
}

void
asker_free(struct asker *a)
{
	if (a == NULL)
		return;
	ask_gone(a, "session ended");
	if (a->ch.self != NULL)
		a->ch.free(a->ch.self);
	loop_remove(a->later);
	free(a);
}

/* The loop: what is told, in which order, and removal from wherever. */
#include "libcommon/loop.h"

#include <poll.h>

#include "tests/tap.h"

enum { MANY = 200 };

/* What was called, as letters in order. */
static char called[4 * MANY];
static size_t calls;

static void
note(char c)
{
	if (calls + 1 < sizeof(called))
		called[calls++] = c;
	called[calls] = '\0';
}

static void
forget(void)
{
	calls = 0;
	called[0] = '\0';
}

#define LETTER(c) ((void *)(uintptr_t)(c))

static void
letter(void *arg, short revents)
{
	(void)revents;
	note((char)(uintptr_t)arg);
}

static struct loop *
loop(void)
{
	struct loop *l;

	forget();
	if (loop_new(&l) != 0)
		bug("no loop");
	return l;
}

static void
full_pipe(int p[2])
{
	if (pipe(p) != 0 || write(p[1], "xy", 2) != 2)
		bug("no pipe");
}

TEST(nothing_to_wait_for)
{
	struct loop *l = loop();

	ok_int(loop_once(l, -1), E_STATE, "is said, not waited for");
	loop_remove(NULL);
	loop_free(l);
	loop_free(NULL);
}

TEST(timers_fire_by_their_time)
{
	struct loop *l = loop();

	(void)loop_timer(l, 2, letter, LETTER('c'));
	(void)loop_timer(l, 0, letter, LETTER('a'));
	(void)loop_timer(l, 1, letter, LETTER('b'));
	(void)loop_timer(l, 3600000, letter, LETTER('z'));
	(void)usleep(4000);
	ok_int(loop_once(l, -1), 0, "a round with three due");
	ok_str(called, "abc", "the earliest first");
	ok_int(loop_once(l, 0), 0, "another");
	ok_str(called, "abc", "each once");
	loop_free(l);
}

TEST(a_wait_ends_with_the_next_timer)
{
	struct loop *l = loop();

	(void)loop_timer(l, 5, letter, LETTER('a'));
	for (int i = 0; i < 1000 && calls == 0; i++)
		if (loop_once(l, -1) != 0)
			break;
	ok_str(called, "a", "it fires");
	ok_int(loop_once(l, -1), E_STATE, "then there is nothing");
	loop_free(l);
}

TEST(descriptors)
{
	struct loop *l = loop();
	struct loop_source *s;
	int p[2];

	full_pipe(p);
	s = loop_fd(l, p[0], POLLIN, letter, LETTER('r'));
	ok(s != NULL && loop_once(l, -1) == 0, "a round");
	ok_str(called, "r", "told");
	loop_events(s, 0);
	ok_int(loop_once(l, 0), 0, "paused");
	ok_str(called, "r", "not told");
	loop_events(s, POLLIN);
	ok_int(loop_once(l, -1), 0, "resumed");
	ok_str(called, "rr", "told again");
	loop_remove(s);
	ok_int(loop_once(l, -1), E_STATE, "removed");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

static short last_events;

static void
events(void *arg, short revents)
{
	(void)arg;
	last_events = revents;
}

TEST(the_end_is_told)
{
	struct loop *l = loop();
	int p[2];

	if (pipe(p) != 0)
		bug("no pipe");
	(void)loop_fd(l, p[0], POLLIN, events, NULL);
	close(p[1]);
	ok_int(loop_once(l, -1), 0, "a round");
	ok((last_events & POLLHUP) != 0, "POLLHUP");
	close(p[0]);
	ok_int(loop_once(l, -1), 0, "another");
	ok((last_events & POLLNVAL) != 0, "a closed descriptor is said, not skipped");
	loop_free(l);
}

/* --- removal and adding within callbacks --------------------------------------------- */

struct act {
	struct loop *l;
	struct loop_source *self, *other;
	char c;
};

static void
remove_self(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note(a->c);
	loop_remove(a->self);
}

static void
remove_other(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note(a->c);
	loop_remove(a->other);
	a->other = NULL;
}

TEST(removing_oneself)
{
	struct act a = {.c = 's'};
	struct loop *l = loop();
	int p[2];

	full_pipe(p);
	a.self = loop_fd(l, p[0], POLLIN, remove_self, &a);
	ok_int(loop_once(l, -1), 0, "a round");
	ok_str(called, "s", "told once");
	ok_int(loop_once(l, -1), E_STATE, "gone");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

TEST(removing_one_that_is_ready_too)
{
	struct act a = {.c = 'a'}, b = {.c = 'b'};
	struct loop *l = loop();
	struct loop_source *sa, *sb;
	int p[2];

	full_pipe(p);
	sa = loop_fd(l, p[0], POLLIN, remove_other, &a);
	sb = loop_fd(l, p[0], POLLIN, remove_other, &b);
	a.other = sb;
	b.other = sa;
	ok_int(loop_once(l, -1), 0, "a round with both ready");
	ok_str(called, "a", "the removed one is not told");
	loop_free(l);

	l = loop();
	a.other = loop_timer(l, 0, letter, LETTER('t'));
	(void)loop_fd(l, p[0], POLLIN, remove_other, &a);
	(void)usleep(1000);
	ok_int(loop_once(l, -1), 0, "a descriptor removes a timer that is due");
	ok_str(called, "a", "it does not fire");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

static void
pause_other(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note(a->c);
	loop_events(a->other, 0);
}

TEST(pausing_one_that_is_ready_too)
{
	struct act a = {.c = 'a'};
	struct loop *l = loop();
	int p[2];

	full_pipe(p);
	(void)loop_fd(l, p[0], POLLIN, pause_other, &a);
	a.other = loop_fd(l, p[0], POLLIN, letter, LETTER('b'));
	ok_int(loop_once(l, -1), 0, "a round");
	ok_str(called, "a", "the paused one is not told");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

static void
add_more(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note(a->c);
	(void)loop_timer(a->l, 0, letter, LETTER('n'));
	loop_remove(a->self);
}

TEST(adding)
{
	struct act a = {.c = 'a'};
	struct loop *l = loop();
	int p[2];

	full_pipe(p);
	a.l = l;
	a.self = loop_fd(l, p[0], POLLIN, add_more, &a);
	for (int i = 0; i < 100 && calls < 2; i++)
		if (loop_once(l, -1) != 0)
			break;
	ok_str(called, "an", "what a callback adds is watched");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

static void
again(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note(a->c);
	if (calls < 3)
		(void)loop_timer(a->l, 0, again, a);
}

TEST(a_timer_that_sets_itself_anew)
{
	struct act a = {.c = 'a'};

	a.l = loop();
	(void)loop_timer(a.l, 0, again, &a);
	for (int i = 0; i < 1000 && calls < 3; i++)
		if (loop_once(a.l, -1) != 0)
			break;
	ok_str(called, "aaa", "fires each time");
	loop_free(a.l);
}

/* --- a round within a round ----------------------------------------------------------- */

static void
nested(void *arg, short revents)
{
	struct act *a = arg;
	struct loop_source *other = a->other;

	(void)revents;
	note('(');
	loop_remove(a->self);
	a->self = NULL;
	(void)!loop_once(a->l, 0);
	loop_remove(other);
	(void)!loop_once(a->l, 0);
	note(')');
}

TEST(a_round_within_a_round)
{
	struct act a = {0};
	struct loop *l = loop();
	int p[2];

	full_pipe(p);
	a.l = l;
	a.self = loop_fd(l, p[0], POLLIN, nested, &a);
	a.other = loop_fd(l, p[0], POLLIN, letter, LETTER('b'));
	ok_int(loop_once(l, -1), 0, "a round");
	/* b is told by the first inner round, is then removed, and the outer round, which
	 * saw it ready too, does not tell it again. */
	ok_str(called, "(b)", "nobody is told twice, the removed not at all");
	ok_int(loop_once(l, -1), E_STATE, "both are gone");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

static void
waits_within(void *arg, short revents)
{
	struct act *a = arg;

	(void)revents;
	note('(');
	/* This timer has fired: it must neither fire again nor keep the wait from waiting. */
	ok_int(loop_once(a->l, 0), E_STATE, "a fired timer is nothing to wait for");
	note(')');
}

TEST(a_fired_timer_is_gone_for_rounds_within)
{
	struct act a = {0};

	a.l = loop();
	(void)loop_timer(a.l, 0, waits_within, &a);
	(void)usleep(1000);
	ok_int(loop_once(a.l, -1), 0, "a round");
	ok_str(called, "()", "once");
	loop_free(a.l);
}

TEST(many_ready_at_once)
{
	static struct loop_source *s[MANY];
	struct loop *l = loop();
	int p[2];

	full_pipe(p);
	for (int i = 0; i < MANY; i++)
		s[i] = loop_fd(l, p[0], POLLIN, letter, LETTER('m'));
	ok_int(loop_once(l, -1), 0, "a round");
	ok_int(calls, MANY, "each is told");
	for (int i = 0; i < MANY; i += 2)
		loop_remove(s[i]);
	forget();
	ok_int(loop_once(l, -1), 0, "another");
	ok_int(calls, MANY / 2, "those that are left");
	loop_free(l);
	close(p[0]);
	close(p[1]);
}

TAP_MAIN

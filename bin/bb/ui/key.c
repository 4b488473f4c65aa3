/* Which bytes of a terminal are an answer: one alone, typed after the drawing stood.
 * Believes nothing that was typed ahead, pasted, or sent by a key of several bytes. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#define DEAD_MS 250
#define ALONE_MS 20
#define PASTE_MS 2000 /* a paste whose end mark never comes */

enum dead { LIVE, DEAD_PAGING, DEAD };

struct keys {
	struct loop *loop;
	int fd;
	key_fn fn;
	void *arg;
	struct loop_source *in, *dead_timer, *alone_timer;
	enum dead dead;
	unsigned got; /* bytes of this burst; 2 stands for more */
	bool spoiled; /* the burst began or went on while keys were dead */
	unsigned char key;
	bool pasting;
	unsigned mark;  /* bytes of a paste mark matched */
	words_fn words; /* what is typed are words, or NULL */
};

static void
on_live(void *arg, short revents)
{
	struct keys *k = arg;

	(void)revents;
	k->dead_timer = NULL;
	k->dead = LIVE;
}

static void
die(struct keys *k, enum dead how)
{
	loop_remove(k->dead_timer);
	k->dead = how;
	/* SAFE: without the timer they stay dead */
	k->dead_timer = loop_timer(k->loop, DEAD_MS, on_live, k);
}

static bool
is_paging(unsigned char c)
{
	return c == ' ' || c == 'b';
}

static void
on_alone(void *arg, short revents)
{
	struct keys *k = arg;
	bool one = k->got == 1 && !k->spoiled && !k->pasting;

	(void)revents;
	k->alone_timer = NULL;
	if (k->pasting && k->got == 0)
		k->pasting = false;
	else if (k->pasting)
		k->alone_timer = loop_timer(k->loop, PASTE_MS, on_alone, k);
	k->got = 0;
	k->spoiled = false;
	if (one)
		k->fn(k->arg, k->key); /* may free k */
}

/* Follow `ESC [ 200 ~` and, within a paste, `ESC [ 201 ~`. */
static void
follow(struct keys *k, unsigned char c)
{
	static const char begin[] = "\033[200~", end[] = "\033[201~";
	const char *mark = k->pasting ? end : begin;

	if (c != (unsigned char)mark[k->mark])
		k->mark = 0;
	if (c == (unsigned char)mark[k->mark] && mark[++k->mark] == '\0') {
		k->mark = 0;
		k->pasting = !k->pasting;
	}
}

/* Words: an escape sequence of a key says nothing, the marks of a paste what is in it. A
 * lone escape is one byte. True: they were taken. */
static bool
take_words(struct keys *k, const unsigned char *b, size_t n)
{
	static const size_t mark = 6; /* ESC [ 200 ~ */
	bool was = k->pasting;
	struct buf plain = BUF_INIT;

	if (k->words == NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		follow(k, b[i]);
		if (k->pasting != was && plain.len >= mark - 1) /* its mark goes */
			plain.len -= mark - 1;
		else if (k->pasting == was)
			(void)buf_byte(&plain, (char)b[i]);
		was = k->pasting;
	}
	if (!k->pasting && n > 1 && b[0] == '\033' && plain.len > 0 &&
	    plain.p[0] == '\033')
		buf_clear(&plain);
	if (plain.len > 0 && !plain.failed)
		k->words(k->arg, plain.p, plain.len, n == 1 && !k->pasting);
	buf_release(&plain); /* k may be gone */
	return true;
}

void
keys_words(struct keys *k, words_fn fn)
{
	k->words = fn;
	k->pasting = false;
	k->mark = 0;
}

static void
on_bytes(void *arg, short revents)
{
	struct keys *k = arg;
	unsigned char b[256];
	ssize_t n = read(k->fd, b, sizeof b);

	(void)revents;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		loop_remove(k->in);
		k->in = NULL;
		k->fn(k->arg, KEY_GONE);
		return;
	}
	if (take_words(k, b, (size_t)n))
		return;
	if (k->got == 0)
		k->key = b[0];
	k->got = k->got + (size_t)n > 1 ? 2 : 1;
	for (ssize_t i = 0; i < n; i++)
		follow(k, b[i]);
	if (k->dead == DEAD) {
		k->spoiled = true;
		die(k, DEAD);
	} else if (k->dead == DEAD_PAGING && !is_paging(b[0])) {
		k->spoiled = true;
	}
	loop_remove(k->alone_timer);
	k->alone_timer = loop_timer(k->loop, ALONE_MS, on_alone, k);
}

int
keys_new(struct loop *l, int fd, key_fn fn, void *arg, struct keys **out)
{
	struct keys *k = calloc(1, sizeof *k);

	*out = NULL;
	if (k == NULL)
		return E_NOMEM;
	k->loop = l;
	k->fd = fd;
	k->fn = fn;
	k->arg = arg;
	k->dead = DEAD;
	if ((k->in = loop_fd(l, fd, POLLIN, on_bytes, k)) == NULL) {
		free(k);
		return E_NOMEM;
	}
	*out = k;
	return 0;
}

void
keys_free(struct keys *k)
{
	if (k == NULL)
		return;
	loop_remove(k->in);
	loop_remove(k->dead_timer);
	loop_remove(k->alone_timer);
	free(k);
}

void
keys_dead(struct keys *k, bool paging)
{
	if (!paging || k->dead == DEAD_PAGING || k->dead == LIVE)
		die(k, paging ? DEAD_PAGING : DEAD);
	if (!paging)
		(void)tcflush(k->fd, TCIFLUSH);
	loop_remove(k->alone_timer);
	k->alone_timer = NULL;
	k->got = 0;
	k->spoiled = false;
}

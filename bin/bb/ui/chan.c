/* Lines over a socket or a pair of pipes, without ever waiting, and unix sockets by
 * name. Knows nothing of what the lines say. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "libcommon/own.h"

#define UNSENT_MOST ((size_t)8 << 20)
/* What a pipe that polls writable takes without waiting. */
#define CHUNK ((size_t)4096)

struct chan {
	struct loop *loop;
	int in, out;
	bool in_socket, out_socket;
	struct loop_source *reading, *writing, *broken;
	struct buf got, unsent;
	bool skipping; /* within a line that was too long */
	bool dead, busy;
	chan_line line;
	chan_gone gone;
	void *arg;
};

static bool
is_socket(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

static void
discard(struct chan *c)
{
	loop_remove(c->reading);
	loop_remove(c->writing);
	loop_remove(c->broken);
	if (c->out != c->in)
		close(c->out);
	close(c->in);
	buf_release(&c->got);
	buf_release(&c->unsent);
	free(c);
}

/* Write what can be written now. 0, E_SYS when nobody reads any more. */
static int
flush(struct chan *c)
{
	while (c->unsent.len > 0) {
		struct pollfd pf = {.fd = c->out, .events = POLLOUT};
		size_t n = c->unsent.len < CHUNK ? c->unsent.len : CHUNK;
		ssize_t w;

		if (poll(&pf, 1, 0) <= 0 || (pf.revents & POLLOUT) == 0)
			return (pf.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0 ? E_SYS
			                                                          : 0;
		w = c->out_socket
		    ? send(c->out, c->unsent.p, n, MSG_DONTWAIT | MSG_NOSIGNAL)
		    : write(c->out, c->unsent.p, n);
		if (w < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		if (w < 0)
			return E_SYS;
		buf_drop(&c->unsent, (size_t)w);
	}
	return 0;
}

static void
lose(struct chan *c)
{
	loop_remove(c->reading);
	loop_remove(c->writing);
	c->reading = c->writing = NULL;
	buf_clear(&c->unsent);
	if (!c->dead)
		c->gone(c->arg);
}

static void
on_writable(void *arg, short revents)
{
	struct chan *c = arg;

	(void)revents;
	c->busy = true;
	if (flush(c) != 0) {
		lose(c);
	} else if (c->unsent.len == 0) {
		loop_remove(c->writing);
		c->writing = NULL;
	}
	c->busy = false;
	if (c->dead)
		discard(c);
}

static void
lines(struct chan *c)
{
	char *nl;

	while (!c->dead && c->got.len > 0 &&
	    (nl = memchr(c->got.p, '\n', c->got.len)) != NULL) {
		size_t n = (size_t)(nl - c->got.p);

		if (c->skipping)
			c->skipping = false;
		else if (n > CHAN_LINE_MOST)
			c->line(c->arg, NULL, SIZE_MAX);
		else
			c->line(c->arg, c->got.p, n);
		buf_drop(&c->got, n + 1);
	}
	if (!c->dead && c->got.len > CHAN_LINE_MOST) {
		if (!c->skipping)
			c->line(c->arg, NULL, SIZE_MAX);
		c->skipping = true;
		buf_clear(&c->got);
	}
}

static void
on_readable(void *arg, short revents)
{
	struct chan *c = arg;
	char b[16384];
	ssize_t n = c->in_socket ? recv(c->in, b, sizeof b, MSG_DONTWAIT)
	                         : read(c->in, b, sizeof b);

	(void)revents;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	c->busy = true;
	if (n <= 0) {
		lose(c);
	} else {
		buf_append(&c->got, b, (size_t)n);
		lines(c);
	}
	c->busy = false;
	if (c->dead)
		discard(c);
}

int
chan_new(struct loop *l, int in, int out, chan_line line, chan_gone gone, void *arg,
    struct chan **out_c)
{
	struct chan *c = calloc(1, sizeof *c);

	*out_c = NULL;
	if (c == NULL) {
		close(in);
		if (out != in)
			close(out);
		return E_NOMEM;
	}
	c->loop = l;
	c->in = in;
	c->out = out;
	c->in_socket = is_socket(in);
	c->out_socket = is_socket(out);
	c->line = line;
	c->gone = gone;
	c->arg = arg;
	buf_init(&c->got, 2 * CHAN_LINE_MOST);
	buf_init(&c->unsent, UNSENT_MOST);
	if ((c->reading = loop_fd(l, in, POLLIN, on_readable, c)) == NULL) {
		discard(c);
		return E_NOMEM;
	}
	*out_c = c;
	return 0;
}

void
chan_free(struct chan *c)
{
	if (c == NULL || c->dead)
		return;
	if (c->reading != NULL)
		(void)flush(c);
	c->dead = true;
	if (!c->busy)
		discard(c);
}

static void
on_broken(void *arg, short revents)
{
	struct chan *c = arg;

	(void)revents;
	c->broken = NULL;
	c->busy = true;
	if (c->reading != NULL)
		lose(c);
	c->busy = false;
	if (c->dead)
		discard(c);
}

int
chan_put(struct chan *c, json_t *v)
{
	auto_json json_t *owned = v;
	auto_buf struct buf b = BUF_INIT;

	if (owned == NULL || json_print(owned, &b) != 0)
		return E_NOMEM;
	if (b.len > CHAN_LINE_MOST)
		return E_TOO_LONG;
	buf_byte(&b, '\n');
	if (c->reading == NULL ||
	    c->broken != NULL) /* its owner hears or has heard of it */
		return E_FULL;
	if (buf_append(&c->unsent, b.p, b.len) != 0 || flush(c) != 0) {
		/* told by the loop: the caller is in the middle of something */
		c->broken = loop_timer(c->loop, 0, on_broken, c);
		buf_clear(&c->unsent);
		return E_FULL;
	}
	if (c->unsent.len > 0 && c->writing == NULL)
		c->writing = loop_fd(c->loop, c->out, POLLOUT, on_writable, c);
	return 0;
}

/* SAFE: a socket's name holds 107 bytes, a runtime directory may be longer: it is
 * reached by descriptor. */
static int
address(const char *dir, const char *name, struct sockaddr_un *a, int *fd)
{
	int n;

	*a = (struct sockaddr_un){.sun_family = AF_UNIX};
	*fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*fd < 0)
		return E_SYS;
	n = snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", *fd, name);
	if (n < 0 || (size_t)n >= sizeof a->sun_path) {
		errno = ENAMETOOLONG;
		return E_SYS;
	}
	return 0;
}

int
chan_connect(const char *path, int *out, uid_t *whose)
{
	const char *slash = strrchr(path, '/');
	auto_buf struct buf dir = BUF_INIT;
	auto_fd int at = -1, s = -1;
	struct sockaddr_un a;
	struct ucred u;
	socklen_t n = sizeof u;

	*out = -1;
	*whose = geteuid();
	if (slash == NULL)
		buf_str(&dir, ".");
	else
		buf_append(&dir, path, slash == path ? 1 : (size_t)(slash - path));
	if (address(buf_cstr(&dir), slash == NULL ? path : slash + 1, &a, &at) != 0)
		return E_SYS;
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof a) != 0 ||
	    getsockopt(s, SOL_SOCKET, SO_PEERCRED, &u, &n) != 0)
		return E_SYS;
	/* SAFE: by the kernel, not by the file: a name can be somebody else's trap. */
	if (u.uid != geteuid() && u.uid != 0) {
		*whose = u.uid;
		errno = EPERM;
		return E_OUTSIDE;
	}
	*out = take_fd(&s);
	return 0;
}

int
chan_listen(const char *dir, const char *name, int *out)
{
	auto_fd int at = -1, s = -1;
	struct sockaddr_un a;
	mode_t mask;
	int r;

	*out = -1;
	if (address(dir, name, &a, &at) != 0)
		return E_SYS;
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s < 0)
		return E_SYS;
	mask = umask(0177);
	r = bind(s, (struct sockaddr *)&a, sizeof a);
	if (r != 0 && errno == EADDRINUSE) {
		auto_fd int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		/* left behind by a session that was killed: nobody listens */
		if (probe >= 0 && connect(probe, (struct sockaddr *)&a, sizeof a) != 0 &&
		    errno == ECONNREFUSED && unlinkat(at, name, 0) == 0)
			r = bind(s, (struct sockaddr *)&a, sizeof a);
		else
			errno = EADDRINUSE;
	}
	(void)umask(mask);
	if (r != 0 || listen(s, 8) != 0)
		return E_SYS;
	*out = take_fd(&s);
	return 0;
}

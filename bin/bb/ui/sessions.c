/* The live sessions of this person, found by their sockets: what they are, and which
 * one is meant. Believes a session about its name only to print it, made safe. */
#include "bin/bb/ui/ask_int.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libcommon/clock.h"
#include "libcommon/log.h"
#include "libcommon/own.h"

#define ANSWER_MS 10000
#define PEEK_MS 2000

struct found {
	char *path;
	json_t *hello;
};

static const char *
str(const struct found *f, const char *path)
{
	const char *s;

	return json_get_str(f->hello, path, &s) == 0 ? s : "";
}

/* Send one line and read lines until one has the member `want`, or "refused". Gives
 * *v. 0, E_TIME, E_EOF, E_BAD, E_SYS. */
static int
talk(int fd, json_t *line, const char *want, uint64_t ms, json_t **v)
{
	auto_json json_t *owned = line;
	auto_buf struct buf b = BUF_INIT, got = BUF_INIT;
	uint64_t until = clock_mono_us() + ms * 1000, now;

	*v = NULL;
	if (owned == NULL || json_print(owned, &b) != 0 || buf_byte(&b, '\n') != 0)
		return E_NOMEM;
	if (send(fd, b.p, b.len, MSG_NOSIGNAL) != (ssize_t)b.len)
		return E_SYS;
	while ((now = clock_mono_us()) < until) {
		struct pollfd pf = {.fd = fd, .events = POLLIN};
		char chunk[16384], *nl;
		ssize_t n;

		while (got.len > 0 && (nl = memchr(got.p, '\n', got.len)) != NULL) {
			size_t len = (size_t)(nl - got.p);
			auto_json json_t *one = NULL;

			if (json_parse(got.p, len, &one, NULL) != 0)
				return E_BAD;
			if (json_object_get(one, want) != NULL ||
			    json_object_get(one, "refused") != NULL) {
				*v = json_incref(one);
				return 0;
			}
			buf_drop(&got, len + 1);
		}
		if (got.len > CHAN_LINE_MOST)
			return E_BAD;
		if (poll(&pf, 1, (int)((until - now) / 1000) + 1) <= 0)
			continue;
		n = recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return E_EOF;
		if (n > 0)
			buf_append(&got, chunk, (size_t)n);
	}
	return E_TIME;
}

/* Why there is no connection. Returns the exit code. */
static int
no_connection(const char *path, int r, uid_t whose)
{
	auto_buf struct buf b = BUF_INIT;
	struct look l;

	look_of(STDERR_FILENO, COLOUR_NEVER, &l);
	safe_put(path, strlen(path), SAFE_NAME, &l, &b);
	if (r == E_OUTSIDE)
		complain("bb: another user (uid %u) listens at '%s': it is no session of "
		         "yours\n",
		    (unsigned)whose, buf_cstr(&b));
	else
		complain("bb: cannot connect to '%s': %s\n", buf_cstr(&b),
		    r == E_SYS ? err_errno(errno) : err_text(r));
	return 75;
}

static int
peek(const char *path, struct found *f)
{
	auto_fd int fd = -1;
	uid_t whose;
	int r = chan_connect(path, &fd, &whose);

	if (r == E_OUTSIDE)
		(void)no_connection(path, r, whose);
	if (r != 0)
		return r;
	if (talk(fd, json_pack("{s:i}", "hello", 0), "hello", PEEK_MS, &f->hello) != 0)
		return E_TIME;
	f->path = strdup(path);
	return f->path != NULL ? 0 : E_NOMEM;
}

static int
by_session(const void *a, const void *b)
{
	return strcmp(str(a, ".session"), str(b, ".session"));
}

static struct found *
find_all(const char *runtime, size_t *n)
{
	DIR *d = opendir(runtime);
	struct found *all = NULL;
	struct dirent *e;

	*n = 0;
	while (d != NULL && (e = readdir(d)) != NULL) {
		size_t len = strlen(e->d_name);
		auto_buf struct buf path = BUF_INIT;
		struct found *more, f = {0};

		if (len <= 5 || strcmp(e->d_name + len - 5, ".sock") != 0)
			continue;
		buf_fmt(&path, "%s/%s", runtime, e->d_name);
		if (peek(buf_cstr(&path), &f) != 0) {
			json_decref(f.hello);
			continue;
		}
		if ((more = reallocarray(all, *n + 1, sizeof *all)) == NULL) {
			free(f.path);
			json_decref(f.hello);
			break;
		}
		all = more;
		all[(*n)++] = f;
	}
	if (d != NULL)
		closedir(d);
	if (*n > 1)
		qsort(all, *n, sizeof *all, by_session);
	return all;
}

static void
forget_all(struct found *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(all[i].path);
		json_decref(all[i].hello);
	}
	free(all);
}

static void
print_one(FILE *to, const struct found *f)
{
	struct look l;
	auto_buf struct buf b = BUF_INIT;
	const char *members[] = {".session", ".workspace", ".front"};
	int64_t waiting;

	look_of(fileno(to), COLOUR_NEVER, &l);
	for (size_t i = 0; i < 3; i++) {
		const char *s = str(f, members[i]);

		buf_str(&b, i == 0 ? "" : "  ");
		safe_put(s, strlen(s), SAFE_NAME, &l, &b);
	}
	if (json_get_int(f->hello, ".waiting", 0, INT64_MAX, &waiting) == 0)
		buf_fmt(&b, "  %lld waiting", (long long)waiting);
	fprintf(to, "%s\n", buf_cstr(&b));
}

int
sessions_list(const char *runtime, bool json)
{
	size_t n;
	struct found *all = find_all(runtime, &n);

	if (json) {
		auto_json json_t *v = json_pack("{s:i,s:[]}", "schema", 1, "sessions");
		auto_buf struct buf b = BUF_INIT;

		for (size_t i = 0; i < n; i++)
			json_array_append_new(json_object_get(v, "sessions"),
			    json_pack("{s:O?,s:O?,s:O?,s:O?,s:s}", "session",
			        json_at(all[i].hello, ".session"), "workspace",
			        json_at(all[i].hello, ".workspace"), "front",
			        json_at(all[i].hello, ".front"), "waiting",
			        json_at(all[i].hello, ".waiting"), "socket",
			        all[i].path));
		if (json_print(v, &b) == 0)
			puts(buf_cstr(&b));
	} else {
		for (size_t i = 0; i < n; i++)
			print_one(stdout, &all[i]);
		if (n == 0)
			puts("no session is running");
	}
	forget_all(all, n);
	return 0;
}

/* The session's directory, or one beneath it. */
static bool
is_here(const struct found *f, const char *here)
{
	const char *ws = str(f, ".workspace");
	size_t n = strlen(ws);

	while (n > 1 && ws[n - 1] == '/')
		n--;
	return n > 0 && strncmp(ws, here, n) == 0 &&
	    (here[n] == '\0' || here[n] == '/' || n == 1);
}

static int
choose(const struct found *all, size_t n, const char *which, const struct found **out)
{
	auto_free char *here = getcwd(NULL, 0);
	size_t hits = 0;

	*out = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *id = str(&all[i], ".session");

		if (which != NULL && strcmp(id, which) == 0) {
			*out = &all[i];
			return 0;
		}
		if (which != NULL ? strncmp(id, which, strlen(which)) == 0
		                  : here != NULL && is_here(&all[i], here)) {
			*out = &all[i];
			hits++;
		}
	}
	if (hits == 1)
		return 0;
	complain("bb: %s%s\n",
	    hits > 1            ? "several sessions: name one"
	        : which != NULL ? "no such session is running"
	                        : "no session is running in this directory",
	    n > 0 ? ":" : "");
	for (size_t i = 0; i < n; i++)
		print_one(stderr, &all[i]);
	/* A name that is none is wrong use; a session may begin here later. */
	return hits > 1 || which != NULL ? 2 : 75;
}

int
sessions_open(const char *runtime, const char *which, int *fd)
{
	const struct found *f;
	size_t n = 0;
	struct found *all;
	uid_t whose;
	int r;

	*fd = -1;
	if (which != NULL && strchr(which, '/') != NULL) {
		r = chan_connect(which, fd, &whose);
		return r == 0 ? 0 : no_connection(which, r, whose);
	}
	all = find_all(runtime, &n);
	if ((r = choose(all, n, which, &f)) == 0 &&
	    (r = chan_connect(f->path, fd, &whose)) != 0)
		r = no_connection(f->path, r, whose);
	forget_all(all, n);
	return r;
}

int
approve_command(const char *runtime, const char *which, const char *line)
{
	auto_fd int fd = -1;
	auto_json json_t *v = NULL;
	auto_buf struct buf b = BUF_INIT;
	struct look l;
	size_t i;
	json_t *row;
	int r;

	if ((r = sessions_open(runtime, which, &fd)) != 0)
		return r;
	r = talk(fd, json_pack("{s:o}", "command", msg_text(line)), "rows", ANSWER_MS,
	    &v);
	if (r != 0) {
		complain("bb: the session does not answer: %s\n", err_text(r));
		return 75;
	}
	if (!json_is_array(json_at(v, ".rows"))) {
		complain("bb: the session refused\n");
		return 3;
	}
	look_of(STDOUT_FILENO, COLOUR_NEVER, &l);
	l.utf8 = l.utf8 || isatty(STDOUT_FILENO) != 1;
	json_array_foreach(json_at(v, ".rows"), i, row) {
		safe_put(json_string_value(row) != NULL ? json_string_value(row) : "",
		    json_string_length(row), SAFE_TEXT, &l, &b);
		buf_byte(&b, '\n');
	}
	fputs(buf_cstr(&b), stdout);
	return 0;
}

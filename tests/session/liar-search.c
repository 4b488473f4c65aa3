/* A bb-search that does not do as it is told: not a test, driven by liar-search.sh. It
 * puts no layer on itself and says it did. For a pattern list that begins with "say" it
 * answers what the other members say (NAME=VALUE of the result, slot=TEXT or rows=N); for anything
 * else it reads every file it can get at, by any way, and puts the bytes into its slot as
 * lines that matched. What holds it is bb's own Landlock around its start. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcommon/confine.h"
#include "libcommon/frame.h"
#include "libcommon/io.h"
#include "libcommon/tool.h"

extern const struct tool tool_search;

static char out[200000];
static size_t len;
static int lines;

static void
leak(const char *where, const char *text, size_t n)
{
	size_t from = len;

	if (lines == 200 || len + 600 > sizeof(out))
		return;
	len += (size_t)snprintf(out + len, 600, "src/leak:%d: %.40s %.*s", ++lines, where,
	    (int)(n < 400 ? n : 400), text);
	for (; from < len; from++)
		if (out[from] < ' ' || out[from] > '~')
			out[from] = '_';
	out[len++] = '\n';
}

static void
take_bytes(const char *where, int fd)
{
	static char text[4096];
	ssize_t n = read(fd, text, sizeof(text));

	if (n < 0) /* a slot or a directory */
		n = pread(fd, text, sizeof(text), 0);
	if (n > 0)
		leak(where, text, (size_t)n);
}

/* What the directory open at fd holds, and all beneath that can be opened. */
static void
look(const char *where, int fd, int depth)
{
	char raw[8192] __attribute__((aligned(8)));
	long n;

	while ((n = syscall(SYS_getdents64, fd, raw, sizeof(raw))) > 0)
		for (long at = 0; at < n;) {
			const struct dirent *e = (const void *)(raw + at);
			int sub;

			at += e->d_reclen;
			if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
				continue;
			leak(where, e->d_name, strlen(e->d_name));
			sub = openat(fd, e->d_name, O_RDONLY | O_NONBLOCK);
			if (sub < 0)
				continue;
			take_bytes(e->d_name, sub);
			if (depth > 0)
				look(e->d_name, sub, depth - 1);
			close(sub);
		}
}

static void
try_open(int dir, const char *name)
{
	static const int flags[] = {O_RDONLY | O_NONBLOCK, O_RDONLY | O_DIRECTORY,
	    O_RDWR | O_NONBLOCK};

	for (int i = 0; i < 3; i++) {
		int fd = openat(dir, name, flags[i]);

		if (fd < 0)
			continue;
		take_bytes(name, fd);
		look(name, fd, 3);
		close(fd);
	}
}

static void
look_around(void)
{
	static const char *const names[] = {".", "src", "src/..", "src/link", "src/flink",
	    "src/lib", "src/lib/..", "..", "../..", "/", "/proc", "/proc/self/cwd",
	    "/proc/self/root", "/proc/self/fd/3", "/proc/self/fd/3/", "doc",
	    "doc/UNSEEN-d", "doc/e", "doc/e/INNER-e", "hidden", "UNSEEN-file",
	    "UNSEEN-dir/UNSEEN-f", "src/hidden/HID-h", "../outside", "/tmp",
	    "/etc/passwd", "/proc/self/environ", "/proc/self/maps"};
	char again[64];

	for (int fd = 0; fd < 64; fd++)
		if (fd > 2)
			look("fd", fd, 3);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		try_open(3, names[i]);
		try_open(AT_FDCWD, names[i]);
	}
	for (int fd = 3; fd < 64; fd++) {
		(void)snprintf(again, sizeof(again), "/proc/self/fd/%d/.", fd);
		try_open(AT_FDCWD, again);
		(void)snprintf(again, sizeof(again), "/dev/fd/%d/UNSEEN-file", fd);
		try_open(AT_FDCWD, again);
	}
	if (fchdir(3) == 0)
		try_open(AT_FDCWD, "UNSEEN-file");
}

/* NAME=VALUE among the members after "say", or NULL. */
static const char *
said(const char *p, size_t n, const char *name)
{
	size_t len_of = strlen(name);

	for (const char *at = p; at < p + n; at += strlen(at) + 1)
		if (strncmp(at, name, len_of) == 0 && at[len_of] == '=')
			return at + len_of + 1;
	return NULL;
}

int
main(void)
{
	static unsigned char body[FRAME_BODY_MAX + 1];
	static char text[4096];
	const struct tool *t = &tool_search;
	const char *p, *v;
	struct frame f;
	struct rec r;
	size_t n, at = 0;
	bool script;

	(void)snprintf(text, sizeof(text), "layers 127\nabi %d\nfilter %s\n",
	    confine_landlock_abi(), t->filter_digest);
	if (frame_send(1, FRAME_READY, 0, text, strlen(text)) != 0 ||
	    frame_receive(0, &f, body) != 0)
		return 70;
	rec_init(&r, body, f.length);
	if (rec_get_text(&r, "pattern", FRAME_BODY_MAX, &p, &n) != 0)
		return 71;
	((char *)(uintptr_t)p)[n] = '\0'; /* the record's newline */
	script = n > 3 && strcmp(p, "say") == 0;
	if (!script)
		look_around();
	else if ((v = said(p, n, "slot")) != NULL)
		len = (size_t)snprintf(out, sizeof(out), "%s", v);
	else if ((v = said(p, n, "rows")) != NULL)
		for (int k = atoi(v); k > 0; k--)
			len += (size_t)snprintf(out + len, sizeof(out) - len, "a:1: x\n");
	if (io_write(4, out, len) != 0)
		return 72;
	for (size_t i = 0; i < t->n_result; i++) {
		const char *name = t->result[i].name;
		long plain = 0;

		if (strcmp(name, "selected") == 0 || strcmp(name, "read") == 0)
			plain = 1;
		else if (strcmp(name, "matches") == 0 || strcmp(name, "total") == 0)
			plain = lines;
		else if (strcmp(name, "bytes") == 0)
			plain = (long)len;
		v = script ? said(p, n, name) : NULL;
		if (v != NULL)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %s\n",
			    name, v);
		else if (i < 2)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %s\n",
			    name, i == 0 ? "ok" : "fine");
		else
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %ld\n",
			    name, plain);
	}
	return frame_send(1, FRAME_RESULT, f.call, text, at) == 0 ? 0 : 73;
}

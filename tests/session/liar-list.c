/* A bb-list that ignores its request: not a test, driven by liar-list.sh. It puts no
 * layer on itself, looks at whatever it can reach, and names all of it beneath the one
 * directory whose names a planner is shown (src/), each as a file `leak.PATH`. What holds
 * it is what bb put on before it was started. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libcommon/buf.h"
#include "libcommon/confine.h"
#include "libcommon/frame.h"
#include "libcommon/io.h"

extern const struct tool tool_list_files;

static char out[4 << 20];
static size_t len;
static int files;

static void
leak(const char *where, const char *name)
{
	int n;

	if (files == 2000 || len + 600 > sizeof(out))
		return;
	n = snprintf(out + len, 600, "fsrc/leak.%.40s.%.240s", where, name);
	for (size_t i = len + strlen("fsrc/leak."); i < len + (size_t)n; i++)
		if (out[i] == '/')
			out[i] = '_';
	len += (size_t)n + 1;
	files++;
}

/* Entries of the directory open at fd, and of all beneath that can be opened. */
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
			leak(where, e->d_name);
			if (depth == 0)
				continue;
			sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
			if (sub >= 0) {
				look(e->d_name, sub, depth - 1);
				close(sub);
			}
		}
}

static void
try_open(int dir, const char *name)
{
	static const int flags[] = {O_RDONLY | O_DIRECTORY, O_RDONLY | O_NONBLOCK};

	for (int i = 0; i < 2; i++) {
		int fd = openat(dir, name, flags[i]);

		if (fd >= 0) {
			look(name, fd, 3);
			close(fd);
		}
	}
}

static void
look_around(void)
{
	static const char *const names[] = {".", "src", "src/", "src/..", "src/link",
	    "src/lib", "src/lib/..", "..", "../..", "/", "/proc", "/proc/self/cwd",
	    "/proc/self/root", "/proc/self/fd/3", "/proc/self/fd/3/", "doc", "doc/e",
	    "hidden", "/tmp", "/etc"};
	char dots[64], again[64];

	for (int fd = 0; fd < 64; fd++)
		look("fd", fd, 3);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		try_open(3, names[i]);
		try_open(AT_FDCWD, names[i]);
	}
	for (int fd = 0; fd < 64; fd++) {
		(void)snprintf(dots, sizeof(dots), "/proc/self/fd/%d/.", fd);
		try_open(AT_FDCWD, dots);
		(void)snprintf(again, sizeof(again), "/dev/fd/%d", fd);
		try_open(AT_FDCWD, again);
	}
	if (fchdir(3) == 0) {
		try_open(AT_FDCWD, ".");
		try_open(AT_FDCWD, "..");
	}
	if (chdir("/") == 0)
		try_open(AT_FDCWD, ".");
}

int
main(void)
{
	static unsigned char body[FRAME_BODY_MAX];
	static char text[300];
	struct frame f;

	(void)snprintf(text, sizeof(text), "layers 127\nabi %d\nfilter %s\n",
	    confine_landlock_abi(), tool_list_files.filter_digest);
	if (frame_send(1, FRAME_READY, 0, text, strlen(text)) != 0 ||
	    frame_receive(0, &f, body) != 0)
		return 70;
	leak("i-was", "here");
	look_around();
	if (io_write(4, out, len) != 0)
		return 71;
	(void)snprintf(text, sizeof(text),
	    "code ok\nfiles %d\ndirs 0\nlinks 0\ntruncated 0\nmissing 0\nbytes %zu\n",
	    files, len);
	return frame_send(1, FRAME_RESULT, f.call, text, strlen(text)) == 0 ? 0 : 72;
}

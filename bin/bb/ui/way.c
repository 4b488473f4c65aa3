/* The ways that --approver names to somebody who answers by lines: a descriptor, a
 * socket, a program. The person chose them; what comes over them is read by wire.c. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcommon/fd.h"

extern char **environ;

static int
start_program(const char *prog, int *in, int *out, pid_t *child)
{
	char *argv[] = {(char *)(uintptr_t)prog, NULL};
	int to[2] = {-1, -1}, from[2] = {-1, -1}, r;
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	sigset_t dfl;

	if (fd_pipe(to) != 0)
		return E_SYS;
	if (fd_pipe(from) != 0) {
		close(to[0]);
		close(to[1]);
		return E_SYS;
	}
	sigemptyset(&dfl);
	sigaddset(&dfl, SIGPIPE);
	posix_spawn_file_actions_init(&acts);
	posix_spawn_file_actions_adddup2(&acts, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&acts, from[1], STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, &dfl);
	r = posix_spawnp(child, prog, &acts, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&acts);
	close(to[0]);
	close(from[1]);
	if (r != 0) {
		*child = 0;
		close(to[1]);
		close(from[0]);
		errno = r;
		return E_SYS;
	}
	*in = from[0];
	*out = to[1];
	return 0;
}

static bool
is_open_for(int fd, int way)
{
	int fl = fcntl(fd, F_GETFL);

	return fl >= 0 && ((fl & O_ACCMODE) == O_RDWR || (fl & O_ACCMODE) == way);
}

/* SAFE: on standard input the planner speaks and on standard output it is answered. Who
 * could answer a question there, or by another descriptor of the same pipe or socket,
 * would vouch for itself. */
static bool
is_planners(int fd)
{
	struct stat st, std;

	if (fd <= STDERR_FILENO)
		return true;
	for (int i = STDIN_FILENO; i <= STDOUT_FILENO; i++)
		if (fstat(fd, &st) == 0 && fstat(i, &std) == 0 &&
		    st.st_dev == std.st_dev && st.st_ino == std.st_ino)
			return true;
	return false;
}

/* A socket, or a pipe to read and the next descriptor to write. Both are ours from now
 * on: no child gets them. */
static int
named_fd(const char *s, bool planner_speaks, int *in, int *out)
{
	unsigned long n;
	struct stat st;
	char *end;

	if (*s < '0' || *s > '9')
		return E_BAD;
	n = strtoul(s, &end, 10);
	if (*end != '\0' || n > 1 << 20)
		return E_BAD;
	*in = *out = (int)n;
	if (planner_speaks && is_planners(*in))
		return E_DUP;
	if (fstat(*in, &st) != 0)
		return E_SYS;
	if (!S_ISSOCK(st.st_mode))
		*out = *in + 1;
	if (planner_speaks && is_planners(*out))
		return E_DUP;
	if ((!S_ISSOCK(st.st_mode) && !S_ISFIFO(st.st_mode)) ||
	    !is_open_for(*in, O_RDONLY) || !is_open_for(*out, O_WRONLY))
		return E_BAD;
	if (fcntl(*in, F_SETFD, FD_CLOEXEC) != 0 || fcntl(*out, F_SETFD, FD_CLOEXEC) != 0)
		return E_SYS;
	return 0;
}

int
way_open(const char *how, bool planner_speaks, int *in, int *out, pid_t *child)
{
	uid_t whose;
	int r;

	*child = 0;
	if (strncmp(how, "fd:", 3) == 0) {
		r = named_fd(how + 3, planner_speaks, in, out);
	} else if (strncmp(how, "unix:", 5) == 0 && how[5] != '\0') {
		r = chan_connect(how + 5, in, &whose);
		*out = *in;
	} else if (strncmp(how, "exec:", 5) == 0 && how[5] != '\0') {
		r = start_program(how + 5, in, out, child);
	} else {
		r = E_BAD;
	}
	return r;
}

/* The program saw the end of its input; it gets a second, and another. */
void
way_end(pid_t pid)
{
	for (int i = 0; i < 200; i++) {
		struct timespec ten = {.tv_nsec = 10000000};
		pid_t r = waitpid(pid, NULL, WNOHANG);

		if (r == pid || (r < 0 && errno != EINTR))
			return;
		if (i == 100)
			(void)kill(pid, SIGTERM);
		(void)nanosleep(&ten, NULL);
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

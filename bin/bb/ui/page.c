/* The person's own pager. It is their program with their environment; the text it gets
 * is already safe, so the pager is told to pass colours and nothing else. */
#include "bin/bb/ui/ui_int.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/own.h"

extern char **environ;

static size_t
rows_of(const char *p, size_t n)
{
	size_t rows = 0;

	for (size_t i = 0; i < n; i++)
		rows += p[i] == '\n';
	return rows;
}

static void
write_out(int out, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(out, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;
		p += w;
		n -= (size_t)w;
	}
}

/* A file, not a pipe: a pager left early cannot kill us by SIGPIPE. */
static int
text_file(const char *p, size_t n)
{
	auto_fd int fd = memfd_create("bb-page", MFD_CLOEXEC);

	while (fd >= 0 && n > 0) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
		return -1;
	return take_fd(&fd);
}

static int
run_pager(const char *pager, int fd, int out)
{
	auto_buf struct buf line = BUF_INIT;
	char *argv[] = {(char *)"sh", (char *)"-c", NULL, NULL};
	posix_spawn_file_actions_t acts;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	posix_spawnattr_t attr;
	sigset_t dfl, none;
	int st = 0, r;
	pid_t pid;

	/* by the shell: our own environment is what steps get */
	buf_fmt(&line, "export LESS=\"${LESS:--R}\" LESSSECURE=1; %s", pager);
	if (line.failed)
		return E_NOMEM;
	argv[2] = line.p;
	sigemptyset(&none);
	sigemptyset(&dfl);
	sigaddset(&dfl, SIGINT);
	sigaddset(&dfl, SIGPIPE);
	sigaddset(&dfl, SIGTERM);
	sigaddset(&dfl, SIGCHLD);
	posix_spawn_file_actions_init(&acts);
	posix_spawn_file_actions_adddup2(&acts, fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&acts, out, STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attr, &dfl);
	posix_spawnattr_setsigmask(&attr, &none);
	/* ctrl-c in the pager is the pager's */
	sigaction(SIGINT, &ignore, &old);
	r = posix_spawn(&pid, "/bin/sh", &acts, &attr, argv, environ);
	while (r == 0 && waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &old, NULL);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&acts);
	/* 126, 127: there is no such program */
	return r == 0 && !(WIFEXITED(st) && WEXITSTATUS(st) >= 126) ? 0 : E_SYS;
}

void
page_to(int out, const char *p, size_t n)
{
	const char *pager = getenv("PAGER");
	auto_fd int fd = text_file(p, n);

	if (pager == NULL || *pager == '\0')
		pager = "less";
	if (fd < 0 || run_pager(pager, fd, out) != 0)
		write_out(out, p, n);
}

void
screen_page(const struct look *l, const char *p, size_t n)
{
	if (!l->dumb && rows_of(p, n) >= l->height && isatty(STDOUT_FILENO) == 1)
		page_to(STDOUT_FILENO, p, n);
	else
		write_out(STDOUT_FILENO, p, n);
}

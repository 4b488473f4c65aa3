/* A child on a terminal of its own, and the person who sits there: sees what is
 * written, presses keys, reads what the child reports through a pipe. */
#ifndef BB_TESTS_PTY_H
#define BB_TESTS_PTY_H

#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <utmp.h>

struct pty {
	pid_t pid;
	int fd;     /* the master */
	int report; /* read end */
	char seen[1 << 20];
	size_t nseen, mark; /* mark: where look() begins */
	char said[65536];
	size_t nsaid;
	struct termios before;
};
/* In the child: where to report. */
static int pty_report = -1;

__attribute__((unused)) static void
nap(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000l};

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}

__attribute__((unused, format(printf, 1, 2))) static void
report(const char *fmt, ...)
{
	char b[4096];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(b, sizeof b, fmt, ap);
	va_end(ap);
	if (write(pty_report, b, (size_t)n) < 0)
		_exit(9);
}

__attribute__((unused)) static void
pty_start(struct pty *p, const char *term, unsigned short cols, unsigned short rows,
    void (*fn)(void *), void *arg)
{
	struct winsize ws = {.ws_col = cols, .ws_row = rows};
	int pipefd[2], slave;

	memset(p, 0, sizeof *p);
	fflush(stdout);
	if (pipe2(pipefd, O_CLOEXEC) != 0 ||
	    openpty(&p->fd, &slave, NULL, NULL, &ws) != 0) {
		printf("Bail out! no pseudo terminal\n");
		exit(1);
	}
	tcgetattr(slave, &p->before);
	if ((p->pid = fork()) == 0) {
		close(p->fd);
		close(pipefd[0]);
		pty_report = pipefd[1];
		if (login_tty(slave) != 0)
			_exit(8);
		setenv("TERM", term, 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("NO_COLOR", "1", 1);
		fn(arg);
		_exit(0);
	}
	close(slave);
	close(pipefd[1]);
	fcntl(p->fd, F_SETFD, FD_CLOEXEC);
	p->report = pipefd[0];
}

/* Take what comes within ms; false when nothing did. */
__attribute__((unused)) static bool
pty_take(struct pty *p, int ms)
{
	struct pollfd pf[2] = {{p->fd, POLLIN, 0}, {p->report, POLLIN, 0}};
	bool any = false;
	ssize_t n;

	if (poll(pf, 2, ms) <= 0)
		return false;
	if ((pf[0].revents & POLLIN) != 0 &&
	    (n = read(p->fd, p->seen + p->nseen, sizeof p->seen - p->nseen - 1)) > 0) {
		p->nseen += (size_t)n;
		any = true;
	}
	if ((pf[1].revents & POLLIN) != 0 &&
	    (n = read(p->report, p->said + p->nsaid, sizeof p->said - p->nsaid - 1)) >
	        0) {
		p->nsaid += (size_t)n;
		any = true;
	}
	if (!any)
		nap(ms < 5 ? ms : 5);
	p->seen[p->nseen] = p->said[p->nsaid] = '\0';
	return any;
}

/* Wait until `text` is on the screen after the mark, and set the mark behind it. */
__attribute__((unused)) static bool
sees(struct pty *p, const char *text)
{
	for (int i = 0; i < 400; i++) {
		char *at = strstr(p->seen + p->mark, text);

		if (at != NULL) {
			p->mark = (size_t)(at - p->seen) + strlen(text);
			return true;
		}
		(void)pty_take(p, 25);
	}
	printf("# not seen: %s\n", text);
	for (const char *s = p->seen + p->mark; *s != '\0'; s++)
		if (*s == '\n')
			fputs("\n# | ", stdout);
		else if ((unsigned char)*s >= 32)
			putchar(*s);
	putchar('\n');
	return false;
}

/* Wait until the child reported `text`. */
__attribute__((unused)) static bool
says(struct pty *p, const char *text)
{
	for (int i = 0; i < 400 && strstr(p->said, text) == NULL; i++)
		(void)pty_take(p, 25);
	if (strstr(p->said, text) == NULL)
		printf("# reported: %s\n", p->said);
	return strstr(p->said, text) != NULL;
}

__attribute__((unused)) static void
drain(struct pty *p, int ms)
{
	for (int i = 0; i < ms / 10; i++)
		(void)pty_take(p, 10);
}

__attribute__((unused)) static void
keys_in(struct pty *p, const char *s)
{
	if (write(p->fd, s, strlen(s)) < 0)
		printf("# cannot type\n");
}

/* Keys are alive after 250 ms of silence. */
__attribute__((unused)) static void
press(struct pty *p, const char *s)
{
	drain(p, 300);
	keys_in(p, s);
}

__attribute__((unused)) static bool
restored(const struct pty *p)
{
	struct termios now;

	if (tcgetattr(p->fd, &now) != 0)
		return false;
	return now.c_lflag == p->before.c_lflag && now.c_iflag == p->before.c_iflag &&
	    now.c_oflag == p->before.c_oflag &&
	    memcmp(now.c_cc, p->before.c_cc, sizeof now.c_cc) == 0;
}

__attribute__((unused)) static int
pty_end(struct pty *p)
{
	int st = -1;

	for (int i = 0; i < 400 && waitpid(p->pid, &st, WNOHANG) == 0; i++)
		(void)pty_take(p, 25);
	if (st == -1) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, &st, 0);
		printf("# the child did not end\n");
	}
	drain(p, 20);
	close(p->fd);
	close(p->report);
	return st;
}

#endif

/* Who is at the other end of the session socket, by the kernel and /proc. Hygiene
 * against a client's shell that runs `bb approve`, not a wall (mcp 6.5). */
#include "bin/bb/ui/ask_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libcommon/clock.h"
#include "libcommon/own.h"

struct stat_of {
	pid_t ppid;
	unsigned tty;
	unsigned long long start; /* ticks since boot */
	char name[32];
};

static int
read_stat(pid_t pid, struct stat_of *out)
{
	char path[48], b[1024], state;
	auto_fd int fd = -1;
	const char *from, *end;
	int ppid, tty;
	ssize_t n;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || (n = read(fd, b, sizeof b - 1)) <= 0)
		return E_SYS;
	b[n] = '\0';
	/* the name may hold blanks and parentheses */
	if ((from = strchr(b, '(')) == NULL || (end = strrchr(b, ')')) == NULL ||
	    sscanf(end + 1,
	        " %c %d %*d %*d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
	        "%*d %llu",
	        &state, &ppid, &tty, &out->start) != 4)
		return E_BAD;
	(void)snprintf(out->name, sizeof out->name, "%.*s", (int)(end - from - 1),
	    from + 1);
	out->ppid = ppid;
	out->tty = (unsigned)tty;
	return 0;
}

static void
tty_name(unsigned tty, char *out, size_t room)
{
	unsigned major = tty >> 8 & 0xfff, minor = (tty & 0xff) | (tty >> 12 & 0xfff00);

	if (tty == 0)
		(void)snprintf(out, room, "no terminal");
	else if (major >= 136 && major <= 143)
		(void)snprintf(out, room, "pts/%u", (major - 136) * 256 + minor);
	else
		(void)snprintf(out, room, "tty%s%u", major == 4 ? "" : "-",
		    major == 4 ? minor : tty);
}

static void
started(unsigned long long ticks, char out[32])
{
	long hz = sysconf(_SC_CLK_TCK);
	uint64_t age_us = clock_mono_us(),
	         at_us = hz > 0 ? ticks * 1000000ull / (unsigned)hz : 0;
	uint64_t ago = age_us > at_us ? (age_us - at_us) / 1000 : 0;

	clock_rfc3339(clock_wall_ms() - ago, out);
}

static bool
descends(pid_t pid, pid_t from)
{
	struct stat_of s;

	for (int deep = 0; pid > 1 && deep < 1000; deep++) {
		if (pid == from)
			return true;
		if (read_stat(pid, &s) != 0)
			return false;
		pid = s.ppid;
	}
	return false;
}

void
peer_look(int fd, pid_t parent, struct peer_who *out)
{
	struct ucred u = {.pid = -1};
	socklen_t n = sizeof u;
	struct stat_of s = {0};
	char tty[32];

	*out = (struct peer_who){0};
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &u, &n) != 0 || u.pid <= 0)
		return;
	out->pid = u.pid;
	if (read_stat(u.pid, &s) != 0)
		return;
	out->same_uid = u.uid == getuid();
	out->has_tty = s.tty != 0;
	out->ours = parent > 0 && descends(u.pid, parent);
	tty_name(s.tty, tty, sizeof tty);
	(void)snprintf(out->says, sizeof out->says, "bb approve (pid %d, %s)", (int)u.pid,
	    tty);
	started(s.start, out->since);
}

pid_t
peer_parent(void)
{
	/* The kernel does not tell who is a subreaper: these are known to be. */
	static const char *const reapers[] = {"systemd", "init", "tini", "dumb-init",
	    "docker-init", "containerd-shim", "conmon", "s6-svscan", "runit", "runsv"};
	pid_t parent = getppid();
	struct stat_of s;

	if (parent <= 1 || read_stat(parent, &s) != 0)
		return 0;
	for (size_t i = 0; i < sizeof reapers / sizeof *reapers; i++)
		if (strncmp(s.name, reapers[i], strlen(reapers[i])) == 0)
			return 0;
	return parent;
}

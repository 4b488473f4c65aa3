/* Watch a program append to its audit trail, and stop it at one append (ptrace(2)); or watch
 * it put a file into place, and kill it at one system call of that.
 *
 *     at-append REPORT N kill|full|put FD PROGRAM WORD...
 *
 * put: the program dies as it is about to make its Nth call from the one on that locks the
 * notes on temporary files (FD counts for nothing). kill: the program dies as it is about to make its Nth append. full: from then on no
 * file may grow (RLIMIT_FSIZE), so that append and later ones fail. N 0: none. An
 * append is a write to FD, the trail, or to a copy of it. REPORT gets `appends A
 * helpers H`, H the processes that were started before it ended. The exit status is
 * the program's, 137 when it was killed, 99 when it cannot be watched. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 99
#define FDS 1024

static unsigned long at;
static int full, put, locks;
static unsigned long appends, helpers;
static unsigned char trail[FDS];        /* descriptors of the trail */
static struct __ptrace_syscall_info in; /* the call that was entered last */

/* The program's memory is closed to a tracer without rights once it is not dumpable;
 * numbers of calls and descriptors are not. */
static int
is_append(pid_t pid)
{
	struct __ptrace_syscall_info si;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof si, &si) <= 0)
		return 0;
	if (si.op == PTRACE_SYSCALL_INFO_ENTRY) {
		in = si;
		locks += si.entry.nr == SYS_flock && si.entry.args[1] == LOCK_SH;
		if (put)
			return locks > 0;
		return (si.entry.nr == SYS_write || si.entry.nr == SYS_writev) &&
		    si.entry.args[0] < FDS && trail[si.entry.args[0]];
	}
	if (si.op == PTRACE_SYSCALL_INFO_EXIT && !si.exit.is_error &&
	    in.entry.args[0] < FDS && trail[in.entry.args[0]]) {
		unsigned long nr = in.entry.nr, fd = (unsigned long)si.exit.rval;

		if (nr == SYS_close)
			trail[in.entry.args[0]] = 0;
		else if (fd < FDS &&
		    (nr == SYS_dup || nr == SYS_dup3 ||
		        (nr == SYS_fcntl &&
		            (in.entry.args[1] == F_DUPFD ||
		                in.entry.args[1] == F_DUPFD_CLOEXEC))))
			trail[fd] = 1;
	}
	return 0;
}

static void
stopped(pid_t pid, int st)
{
	int event = st >> 16, sig = WSTOPSIG(st);

	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE) {
		unsigned long child = 0;

		/* the helper goes its way unwatched */
		helpers++;
		ptrace(PTRACE_GETEVENTMSG, pid, 0, &child);
		if (waitpid((pid_t)child, NULL, __WALL) == (pid_t)child)
			ptrace(PTRACE_DETACH, (pid_t)child, 0, 0);
		sig = 0;
	} else if (sig == (SIGTRAP | 0x80)) {
		sig = 0;
		if (is_append(pid) && ++appends == at) {
			struct rlimit none = {0, 0};

			if (!full)
				kill(pid, SIGKILL);
			else if (prlimit(pid, RLIMIT_FSIZE, &none, NULL) != 0)
				exit(CANNOT);
		}
	} else if (sig == SIGTRAP) {
		sig = 0;
	}
	ptrace(PTRACE_SYSCALL, pid, 0, (void *)(intptr_t)sig);
}

int
main(int argc, char **argv)
{
	int st = 0, status = CANNOT;
	FILE *report;
	pid_t pid;

	if (argc < 6 || strtoul(argv[4], NULL, 10) >= FDS ||
	    (report = fopen(argv[1], "we")) == NULL)
		return CANNOT;
	at = strtoul(argv[2], NULL, 10);
	full = strcmp(argv[3], "full") == 0;
	put = strcmp(argv[3], "put") == 0;
	trail[strtoul(argv[4], NULL, 10)] = 1;
	if ((pid = fork()) == 0) {
		/* a leak checker is a tracer too, and there can be one only */
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
			_exit(CANNOT);
		raise(SIGSTOP);
		execv(argv[5], argv + 5);
		_exit(CANNOT);
	}
	if (pid < 0 || waitpid(pid, &st, 0) != pid || !WIFSTOPPED(st) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0,
	        PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	            PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0 ||
	    ptrace(PTRACE_SYSCALL, pid, 0, 0) != 0)
		return CANNOT;
	while (waitpid(pid, &st, 0) == pid) {
		if (WIFSTOPPED(st)) {
			stopped(pid, st);
			continue;
		}
		status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
		break;
	}
	fprintf(report, "appends %lu helpers %lu\n", appends, helpers);
	return fclose(report) == 0 ? status : CANNOT;
}

/* An older kernel, played: answers some system calls with an error and becomes another
 * program. Not a test, used by degrade.sh:
 *	degrade-mask CALL[/ARG&MASK]=ERRNO... -- PROGRAM [WORD...]
 * With /ARG&MASK only where that argument has a bit of MASK. Numbers, no names, but for
 * the calls listed here. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	long nr;
} calls[] = {
    {"landlock_create_ruleset", SYS_landlock_create_ruleset},
    {"seccomp", SYS_seccomp},
    {"prctl", SYS_prctl},
    {"close_range", SYS_close_range},
    {"openat2", SYS_openat2},
    {"memfd_create", SYS_memfd_create},
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
    {"clone3", SYS_clone3},
    {"capset", SYS_capset},
    {"prlimit64", SYS_prlimit64},
    {"setrlimit", SYS_setrlimit},
    {"statx", SYS_statx},
};

static const struct {
	const char *name;
	int number;
} errors[] = {
    {"ENOSYS", ENOSYS},
    {"EPERM", EPERM},
    {"EINVAL", EINVAL},
    {"EOPNOTSUPP", EOPNOTSUPP},
};

static struct sock_filter f[128];
static unsigned short n;

static void
usage(const char *word)
{
	(void)fprintf(stderr, "degrade-mask: %s\n", word);
	exit(2);
}

static void
stmt(unsigned short code, unsigned k)
{
	f[n++] = (struct sock_filter)BPF_STMT(code, k);
}

static void
rule(char *word)
{
	char *eq = strchr(word, '='), *slash, *amp = NULL;
	long nr = -1;
	int error = -1;

	if (eq == NULL || n > 110)
		usage(word);
	*eq = '\0';
	if ((slash = strchr(word, '/')) != NULL) {
		*slash = '\0';
		if ((amp = strchr(slash + 1, '&')) == NULL)
			usage(slash + 1);
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strcmp(calls[i].name, word) == 0)
			nr = calls[i].nr;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (strcmp(errors[i].name, eq + 1) == 0)
			error = errors[i].number;
	if (nr < 0 || error < 0)
		usage(word);
	stmt(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)nr, 0,
	    slash != NULL ? 3 : 1);
	if (slash != NULL) {
		stmt(BPF_LD | BPF_W | BPF_ABS,
		    (unsigned)(offsetof(struct seccomp_data, args) +
		        8 * strtoul(slash + 1, NULL, 10)));
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
		    (unsigned)strtoul(amp + 1, NULL, 0), 0, 1);
	}
	stmt(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
}

int
main(int argc, char **argv)
{
	struct sock_fprog prog = {.filter = f};
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		rule(argv[i]);
	if (i + 1 >= argc)
		usage("CALL[/ARG&MASK]=ERRNO... -- PROGRAM");
	stmt(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prog.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) != 0)
		return 77;
	execv(argv[i + 1], argv + i + 1);
	return 127;
}

/* Time two commands turn about: bench-pair TURNS DIR OUT-A OUT-B --: A... --: B...
 * Prints a line a turn: microseconds of A and of B, start to wait, and the peak KiB of A.
 * Small itself, so that what it starts is not measured with its memory. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
run(char **argv, const char *out, long *kib)
{
	posix_spawn_file_actions_t fa;
	struct rusage usage;
	double t = now_us();
	pid_t pid;
	int status;

	if (argv[0] == NULL)
		exit(2);
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ) != 0 ||
	    wait4(pid, &status, 0, &usage) != pid) {
		fprintf(stderr, "bench-pair: cannot start '%s'\n", argv[0]);
		exit(1);
	}
	t = now_us() - t;
	posix_spawn_file_actions_destroy(&fa);
	/* 1: nothing was found */
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
		fprintf(stderr, "bench-pair: '%s' ended with 0x%x\n", argv[0],
		    (unsigned)status);
		exit(1);
	}
	*kib = usage.ru_maxrss;
	return t;
}

int
main(int argc, char **argv)
{
	int second = 6;
	long kib, other;

	while (second < argc && strcmp(argv[second], "--:") != 0)
		second++;
	if (argc < 8 || second + 1 >= argc || chdir(argv[2]) != 0) {
		fputs("usage: bench-pair TURNS DIR OUT-A OUT-B --: A... --: B...\n",
		    stderr);
		return 2;
	}
	argv[second] = NULL;
	(void)run(argv + 6, argv[3], &kib); /* warm */
	for (long i = strtol(argv[1], NULL, 10); i > 0; i--) {
		double a = run(argv + 6, argv[3], &kib);
		double b = run(argv + second + 1, argv[4], &other);

		printf("%.1f %.1f %ld\n", a, b, kib);
	}
	return 0;
}

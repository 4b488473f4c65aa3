/* Measure the speed bars: each row against posix_spawn of /bin/true in the same run, turn
 * about (A B A B), so that a machine that is busy is busy for both. Prints a table and
 * writes bench.json. Trusts the build directory it is given. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libcommon/buf.h"
#include "libcommon/fd.h"
#include "libcommon/frame.h"
#include "libcommon/io.h"
#include "libcommon/tool.h"
#include "scripts/bench_rows.h"

#define CALLS_PER_SESSION 20
#define AT_ONCE 4
#define FIRST 100

static char bb[4096], helper[4096], empty[4096], workspace[4096];
static const char *work; /* temporary directory: workspace, state, runtime */
static char env_home[4096], env_state[4096], env_run[4096], env_config[4096];
static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
    env_home, env_state, env_run, env_config, NULL};
static const char *const no_environment[] = {NULL};

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* --- processes ---------------------------------------------------------------- */

/* fds[i] becomes descriptor i of the child; -1 is /dev/null. */
static pid_t
start(const char *path, const char *const *argv, const char *const *envp, const int *fds,
    int n)
{
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int r;

	posix_spawn_file_actions_init(&fa);
	for (int i = 0; i < n; i++) {
		if (fds[i] < 0)
			posix_spawn_file_actions_addopen(&fa, i, "/dev/null", O_RDWR, 0);
		else
			posix_spawn_file_actions_adddup2(&fa, fds[i], i);
	}
	r = posix_spawn(&pid, path, &fa, NULL, (char *const *)argv, (char *const *)envp);
	posix_spawn_file_actions_destroy(&fa);
	if (r != 0)
		die("cannot start '%s': %s", path, strerror(r));
	return pid;
}

static void
ended(pid_t pid, const char *what, int wanted)
{
	int st;

	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			die("wait: %s", strerror(errno));
	if (wanted >= 0 && (!WIFEXITED(st) || WEXITSTATUS(st) != wanted))
		die("%s ended with status 0x%x", what, (unsigned)st);
}

static double
time_plain(const char *path)
{
	const char *argv[] = {path, NULL};
	double t = now_us();

	ended(start(path, argv, no_environment, NULL, 0), path, 0);
	return now_us() - t;
}

/* Above 10, so that adddup2 never meets its own target. */
static int
high(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (moved < 0)
		die("descriptors: %s", strerror(errno));
	close(fd);
	return moved;
}

static void
high_pipe(int p[2])
{
	if (pipe2(p, O_CLOEXEC) != 0)
		die("pipe: %s", strerror(errno));
	p[0] = high(p[0]);
	p[1] = high(p[1]);
}

/* --- a helper by hand --------------------------------------------------------- */

struct by_hand {
	int in[2], out[2], fds[5];
};

/* Everything a helper needs, made before the clock runs. */
static void
by_hand_new(struct by_hand *h, const char *file)
{
	int memory = -1, slot = -1;

	high_pipe(h->in);
	high_pipe(h->out);
	if (fd_memory("bench", &memory) != 0 || fd_reopen(memory, O_WRONLY, &slot) != 0)
		die("memory file: %s", strerror(errno));
	close(memory);
	h->fds[0] = h->in[0];
	h->fds[1] = h->out[1];
	h->fds[2] = -1;
	h->fds[3] = high(open(file, O_RDONLY | O_CLOEXEC));
	h->fds[4] = high(slot);
}

static void
by_hand_call(const struct by_hand *h)
{
	const struct tool *t = tool_find("read_file");
	auto_buf struct buf b = BUF_INIT;

	for (size_t i = 0; i < t->n_args; i++)
		if (t->args[i].sent)
			rec_put_int(&b, t->args[i].name, t->args[i].def);
	if (frame_send(h->in[1], FRAME_CALL, 1, buf_cstr(&b), b.len) != 0)
		die("cannot send CALL");
}

static void
by_hand_release(struct by_hand *h)
{
	close(h->in[0]);
	if (h->in[1] >= 0)
		close(h->in[1]);
	close(h->out[0]);
	close(h->out[1]);
	close(h->fds[3]);
	close(h->fds[4]);
}

static double
time_helper(const char *file)
{
	const char *argv[] = {helper, NULL};
	struct by_hand h;
	double t;

	by_hand_new(&h, file);
	by_hand_call(&h);
	t = now_us();
	ended(start(helper, argv, no_environment, h.fds, 5), "bb-read", 0);
	t = now_us() - t;
	by_hand_release(&h);
	return t;
}

/* Resident KiB of a process. */
static double
resident(pid_t pid)
{
	char name[64], line[256];
	double kib = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	if ((f = fopen(name, "re")) == NULL)
		die("cannot open '%s'", name);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmRSS:", 6) == 0)
			kib = strtod(line + 6, NULL);
	fclose(f);
	return kib;
}

static double
helper_resident(const char *file)
{
	const char *argv[] = {helper, NULL};
	unsigned char body[FRAME_BODY_MAX];
	struct by_hand h;
	struct frame f;
	double kib;
	pid_t pid;

	by_hand_new(&h, file);
	pid = start(helper, argv, no_environment, h.fds, 5);
	if (frame_receive(h.out[0], &f, body) != 0 || f.type != FRAME_READY)
		die("bb-read does not say READY");
	kib = resident(pid);
	by_hand_call(&h);
	ended(pid, "bb-read", 0);
	by_hand_release(&h);
	return kib;
}

/* --- drive -------------------------------------------------------------------- */

struct drive {
	pid_t pid;
	int to, from;
	char line[1 << 17];
	size_t have;
};

static void
drive_start(struct drive *d)
{
	const char *argv[] = {bb, "--workspace", workspace, "--trust", "--stats",
	    "--approver", "none", "drive", NULL};
	int to[2], from[2];

	high_pipe(to);
	high_pipe(from);
	d->pid = start(bb, argv, environment, (int[]){to[0], from[1], -1}, 3);
	close(to[0]);
	close(from[1]);
	d->to = to[1];
	d->from = from[0];
	d->have = 0;
}

static void
drive_end(struct drive *d)
{
	close(d->to);
	ended(d->pid, "bb drive", 0);
	close(d->from);
}

/* One line there, one line back; `needs` stands in the answer. */
static void
drive_ask(struct drive *d, const char *line, const char *needs)
{
	char *nl;

	if (io_write(d->to, line, strlen(line)) != 0)
		die("bb drive does not read");
	while ((nl = memchr(d->line, '\n', d->have)) == NULL) {
		ssize_t n = read(d->from, d->line + d->have, sizeof(d->line) - d->have);

		if (n <= 0)
			die("bb drive does not answer");
		d->have += (size_t)n;
	}
	*nl = '\0';
	if (strstr(d->line, "\"status\":\"ok\"") == NULL ||
	    strstr(d->line, needs) == NULL)
		die("bb drive answers %.300s", d->line);
	d->have -= (size_t)(nl + 1 - d->line);
	memmove(d->line, nl + 1, d->have);
}

#define HELLO "{\"id\":0,\"hello\":1}\n"
#define READ_10K \
	"{\"id\":1,\"tool\":\"read_file\",\"args\":{\"path\":\"ten.txt\",\"why\":" \
	"\"bench\"}}\n"
#define ONE_SPAWN "\"spawns\":1"

static double
time_first_answer(void)
{
	static struct drive d;
	double t = now_us();

	drive_start(&d);
	drive_ask(&d, HELLO, "\"protocol\":1");
	t = now_us() - t;
	drive_end(&d);
	return t;
}

static double
time_call(void)
{
	const char *argv[] = {bb, "--workspace", workspace, "--trust", "--approver",
	    "none", "call", "read_file", "path=one.txt", NULL};
	double t = now_us();

	ended(start(bb, argv, environment, (int[]){-1, -1, -1}, 3), "bb call", 0);
	return now_us() - t;
}

/* One whole session, as a process of its own so that four can run at once; the time is
 * sent back on `out`. */
static void
session_process(int out)
{
	static struct drive d;
	double t = now_us();

	drive_start(&d);
	for (int i = 0; i < CALLS_PER_SESSION; i++)
		drive_ask(&d, READ_10K, ONE_SPAWN);
	drive_end(&d);
	t = now_us() - t;
	_exit(write(out, &t, sizeof(t)) == (ssize_t)sizeof(t) ? 0 : 1);
}

/* base gets a plain spawn beside each session: the machine as it was then. */
static void
sessions(size_t n, struct samples *s, struct samples *base)
{
	size_t started = 0, done = 0;
	int p[2], st;

	high_pipe(p);
	while (done < n) {
		double t;

		while (started < n && started - done < AT_ONCE) {
			pid_t pid = fork();

			if (pid < 0)
				die("fork: %s", strerror(errno));
			if (pid == 0)
				session_process(p[1]);
			started++;
		}
		if (wait(&st) < 0 || st != 0)
			die("a session failed");
		if (read(p[0], &t, sizeof(t)) != (ssize_t)sizeof(t))
			die("a session sent no time");
		sample(s, t);
		sample(base, time_plain("/bin/true"));
		if (++done % 1000 == 0)
			fprintf(stderr, "  %zu sessions\n", done);
	}
	close(p[0]);
	close(p[1]);
}

static void
make_file(const char *name, size_t bytes)
{
	FILE *f = fopen(name, "we");

	if (f == NULL)
		die("cannot make '%s': %s", name, strerror(errno));
	for (size_t i = 0; i < bytes; i++)
		fputc(i % 64 == 63 ? '\n' : 'a' + (int)(i % 26), f);
	if (fclose(f) != 0)
		die("cannot write '%s'", name);
}

static void
measure(size_t turns, size_t calls, size_t n_sessions)
{
	struct samples spawn = {0}, least = {0}, s = {0}, late, late_base;
	double then;
	size_t first;
	static struct drive d;
	char ten[4200], one[4200];

	snprintf(ten, sizeof(ten), "%s/ten.txt", workspace);
	snprintf(one, sizeof(one), "%s/one.txt", workspace);
	make_file(ten, 10240);
	make_file(one, 64);

	for (size_t i = 0; i < turns; i++) {
		sample(&spawn, time_plain("/bin/true"));
		sample(&s, time_helper(ten));
		sample(&least, time_plain(empty));
	}
	row_over("spawn", "posix_spawn of /bin/true to wait (the anchor)", &spawn, &spawn,
	    0, 0);
	row_over("empty", "posix_spawn of an empty static program", &least, &spawn, 0, 0);
	row_over("helper", "bb-read by hand, all layers on, spawn to wait", &s, &spawn,
	    0.6, 0.35);
	row("helper-empty", "  the same over the empty static program", "ratio", &s,
	    quantile(&s, s.n, 0.5) / quantile(&least, least.n, 0.5), 0, 0);

	drive_start(&d);
	drive_ask(&d, HELLO, "\"protocol\":1");
	s.n = spawn.n = 0;
	for (size_t i = 0; i < turns; i++) {
		double t;

		sample(&spawn, time_plain("/bin/true"));
		t = now_us();
		drive_ask(&d, READ_10K, ONE_SPAWN);
		sample(&s, now_us() - t);
	}
	row_over("drive", "bb drive, read_file of 10 KiB, per call", &s, &spawn, 0.8,
	    0.5);
	for (size_t i = turns; i < calls; i++)
		drive_ask(&d, READ_10K, ONE_SPAWN);
	s.n = 0;
	sample(&s, resident(d.pid) / 1024);
	row("bb-memory", "resident memory of bb after its calls", "MiB", &s, s.v[0], 12,
	    6);
	drive_end(&d);
	s.n = 0;
	for (int i = 0; i < 20; i++)
		sample(&s, helper_resident(ten) / 1024);
	row("helper-memory", "resident memory of bb-read, ready", "MiB", &s,
	    quantile(&s, s.n, 0.5), 2, 1);

	s.n = spawn.n = 0;
	for (size_t i = 0; i < turns; i++) {
		sample(&spawn, time_plain("/bin/true"));
		sample(&s, time_call());
	}
	row_over("call", "bb call read_file, start to exit", &s, &spawn, 3, 1.8);

	s.n = spawn.n = 0;
	for (size_t i = 0; i < turns; i++) {
		sample(&spawn, time_plain("/bin/true"));
		sample(&s, time_first_answer());
	}
	row_over("first", "bb drive, start to the first answer", &s, &spawn, 4, 3);

	if (n_sessions == 0)
		return;
	s.n = spawn.n = 0;
	sessions(n_sessions, &s, &spawn);
	first = s.n < FIRST ? s.n : FIRST;
	then = quantile(&s, first, 0.5) / quantile(&spawn, first, 0.5);
	row("sessions", "sessions of 20 calls, 4 at once: median over the first 100",
	    "ratio", &s, quantile(&s, s.n, 0.5) / quantile(&spawn, spawn.n, 0.5) / then,
	    1.1, 1.0);
	late = (struct samples){.v = s.v + s.n - first, .n = first};
	late_base = (struct samples){.v = spawn.v + spawn.n - first, .n = first};
	row("sessions-last", "  the last 100 over the first 100", "ratio", &late,
	    quantile(&late, first, 0.5) / quantile(&late_base, first, 0.5) / then, 0, 0);
}

static size_t
number(const char *s)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);

	if (*s < '0' || *s > '9' || *end != '\0' || v > 1000000)
		die("'%s' is not a number", s);
	return v;
}

int
main(int argc, char **argv)
{
	size_t turns, calls, n_sessions;

	if (argc != 7) {
		fputs("usage: bench BUILD WORK TURNS CALLS SESSIONS JSON (see "
		      "scripts/bench)\n",
		    stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	work = argv[2];
	turns = number(argv[3]);
	calls = number(argv[4]);
	n_sessions = number(argv[5]);
	if (turns == 0)
		die("TURNS is at least 1");
	snprintf(bb, sizeof(bb), "%s/bin/bb", argv[1]);
	snprintf(helper, sizeof(helper), "%s/bin/bb-read", argv[1]);
	snprintf(empty, sizeof(empty), "%s/host/empty", argv[1]);
	snprintf(workspace, sizeof(workspace), "%s/ws", work);
	snprintf(env_home, sizeof(env_home), "HOME=%s/home", work);
	snprintf(env_state, sizeof(env_state), "XDG_STATE_HOME=%s/state", work);
	snprintf(env_run, sizeof(env_run), "XDG_RUNTIME_DIR=%s/run", work);
	snprintf(env_config, sizeof(env_config), "XDG_CONFIG_HOME=%s/config", work);
	measure(turns, calls, n_sessions);
	print_table();
	print_json(argv[6]);
	return 0;
}

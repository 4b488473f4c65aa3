/* A helper that lies: not a test, driven by liars.c and belt.c. What it does is
 * chosen by its own name (liar-MODE), for that is all a helper is told. It puts
 * no layer on itself; what still holds it is bb's belt. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libcommon/buf.h"
#include "libcommon/confine.h"
#include "libcommon/frame.h"
#include "libcommon/io.h"

extern const struct tool tool_read_file, tool_list_files;
extern char **environ;

#define ALL 127U
#define GOOD "code ok\nfirst 1\nlines 0\ntotal 0\ncut 0\nbytes 0\n"

static uint32_t call;
static unsigned char body[FRAME_BODY_MAX];

static void
put(int fd, const void *p, size_t n)
{
	if (io_write(fd, p, n) != 0)
		_exit(91);
}

static void
send_frame(uint16_t type, uint32_t number, const char *text)
{
	if (frame_send(1, type, number, text, strlen(text)) != 0)
		_exit(90);
}

/* A header that frame_send would not write, and some bytes. */
static void
raw(uint16_t magic, uint16_t type, uint32_t number, uint32_t length, uint32_t zero,
    const char *text)
{
	unsigned char h[16];
	const uint32_t w[4] = {(uint32_t)magic << 16 | type, number, length, zero};

	for (int i = 0; i < 16; i++)
		h[i] = (unsigned char)(w[i / 4] >> (24 - 8 * (i % 4)));
	put(1, h, 16);
	put(1, text, strlen(text));
}

static void
ready_text(char *out, size_t n, const struct tool *t, unsigned layers, int abi)
{
	(void)snprintf(out, n, "layers %u\nabi %d\nfilter %s\n", layers, abi,
	    t->filter_digest);
}

static void
ready_as(const struct tool *t, unsigned layers, int abi)
{
	char text[256];

	ready_text(text, sizeof(text), t, layers, abi);
	send_frame(FRAME_READY, 0, text);
}

static void
ready(void)
{
	ready_as(&tool_read_file, ALL, confine_landlock_abi());
}

static void
receive(void)
{
	struct frame f;

	if (frame_receive(0, &f, body) != 0)
		_exit(92);
	call = f.call;
}

static void
sleep_on(void)
{
	for (;;)
		pause();
}

static void
die(int sig)
{
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
	sleep_on();
}

/* ---- what a helper finds and reaches, as bits -------------------------------- */

/* Run fn in a child; did it end with 0? */
static int
in_child(void (*fn)(void))
{
	int st = 1;
	pid_t pid = fork();

	if (pid == 0) {
		fn();
		_exit(1);
	}
	return pid > 0 && waitpid(pid, &st, 0) == pid && st == 0;
}

static void
exec_true(void)
{
	char name[] = "true", *argv[] = {name, NULL};

	(void)execv("/bin/true", argv);
	(void)execv("/usr/bin/true", argv);
}

static int
opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int
connects(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)};
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), r;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	r = connect(s, (struct sockaddr *)&a, sizeof(a));
	return r == 0 || (errno != EACCES && errno != EPERM);
}

static uint64_t
reached(void)
{
	char path[64];
	uint64_t bits = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
	bits |= (uint64_t)opens("/etc/passwd", O_RDONLY) << 0;
	bits |= (uint64_t)opens("/", O_RDONLY | O_DIRECTORY) << 1;
	bits |= (uint64_t)opens("/tmp/bb-liar-was-here", O_WRONLY | O_CREAT | O_EXCL)
	    << 2;
	bits |= (uint64_t)opens("/proc/self/fd/3", O_RDWR) << 3;
	bits |= (uint64_t)opens(path, O_RDONLY) << 4;
	bits |= (uint64_t)in_child(exec_true) << 5;
	bits |= (uint64_t)(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0) << 6;
	bits |= (uint64_t)(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) << 7;
	if (confine_landlock_abi() >= 4)
		bits |= (uint64_t)connects() << 8;
	if (confine_landlock_abi() >= 6)
		bits |= (uint64_t)(kill(getppid(), 0) == 0) << 9;
	return bits;
}

static uint64_t
found(int argc, char **argv)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} sa;
	uint64_t bits = 0, mask = 0;
	char cwd[8] = "";

	bits |= (uint64_t)(environ[0] != NULL) << 0;
	bits |= (uint64_t)(argc != 1 || strchr(argv[0], '/') != NULL) << 1;
	bits |= (uint64_t)(getcwd(cwd, sizeof(cwd)) == NULL || strcmp(cwd, "/") != 0)
	    << 2;
	bits |= (uint64_t)(umask(077) != 077) << 3;
	bits |= (uint64_t)(getsid(0) != getpid() || getpgrp() != getpid()) << 4;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, 8);
	bits |= (uint64_t)(mask != 0) << 5;
	for (long n = 1; n <= 64; n++)
		if (syscall(SYS_rt_sigaction, n, NULL, &sa, 8) != 0 || sa.handler != NULL)
			bits |= 1 << 6;
	for (int fd = 0; fd < 2048; fd++)
		if ((fcntl(fd, F_GETFD) >= 0) != (fd <= 4))
			bits |= 1 << 7;
	for (int fd = 0; fd <= 4; fd++)
		if (fcntl(fd, F_GETFD) != 0)
			bits |= 1 << 8;
	/* Its ends of the pipes wait, and go one way. */
	if ((fcntl(0, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) != O_RDONLY ||
	    (fcntl(1, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) != O_WRONLY ||
	    (fcntl(2, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) != O_WRONLY)
		bits |= 1 << 9;
	return bits;
}

static void
probe(int argc, char **argv)
{
	char text[200];
	uint64_t facts = found(argc, argv);

	ready();
	receive();
	(void)snprintf(text, sizeof(text),
	    "code ok\nfirst %llu\nlines 0\ntotal %llu\ncut 0\n"
	    "bytes 0\n",
	    (unsigned long long)facts, (unsigned long long)reached());
	send_frame(FRAME_RESULT, call, text);
	_exit(0);
}

/* A list helper that looks around: 1 its directory opens, 2 a subdirectory, 4 a
 * file in it, 8 the directory above, 16 the root. */
static void
probe_dir(void)
{
	char text[200];
	unsigned bits = 0;
	const char *names[] = {".", "sub", "file", "..", "/"};

	ready_as(&tool_list_files, ALL, confine_landlock_abi());
	receive();
	for (int i = 0; i < 5; i++)
		if (openat(3, names[i], O_RDONLY) >= 0)
			bits |= 1U << i;
	(void)snprintf(text, sizeof(text),
	    "code ok\nfiles 0\ndirs 0\nlinks %u\ntruncated 0\n"
	    "missing 0\nbytes 0\n",
	    bits);
	send_frame(FRAME_RESULT, call, text);
	_exit(0);
}

/* ---- lies ---------------------------------------------------------------------- */

static const struct {
	const char *mode, *result;
} wrong_results[] = {
    {"negative", "code ok\nfirst 1\nlines -1\ntotal 0\ncut 0\nbytes 0\n"},
    {"huge", "code ok\nfirst 1\nlines 0\ntotal 99999999999999999999\ncut 0\nbytes 0\n"},
    {"wrap", "code ok\nfirst 1\nlines 0\ntotal 18446744073709551615\ncut 0\nbytes 0\n"},
    {"nan", "code ok\nfirst NaN\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"fraction", "code ok\nfirst 1.5\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"zeros", "code ok\nfirst 007\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"plus", "code ok\nfirst +1\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"range", "code ok\nfirst 1\nlines 501\ntotal 0\ncut 0\nbytes 0\n"},
    {"text", "code ok\nfirst 5:hello\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"order", "first 1\ncode ok\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"missing", "code ok\nfirst 1\nlines 0\ntotal 0\ncut 0\n"},
    {"extra", GOOD "more 1\n"},
    {"twice", "code ok\nfirst 1\nfirst 1\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"word", "code splendid\nfirst 1\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"escape", "code \033[2Jok\nfirst 1\nlines 0\ntotal 0\ncut 0\nbytes 0\n"},
    {"crlf", "code ok\r\nfirst 1\r\nlines 0\r\ntotal 0\r\ncut 0\r\nbytes 0\r\n"},
    {"unended", "code ok\nfirst 1\nlines 0\ntotal 0\ncut 0\nbytes 0"},
    {"empty", ""},
    {"noise", "\377\376\001\002 \n\n"},
};

static void
before_ready(const char *m)
{
	char text[300];

	ready_text(text, sizeof(text), &tool_read_file, ALL, confine_landlock_abi());
	if (strcmp(m, "early") == 0)
		send_frame(FRAME_RESULT, 1, GOOD);
	else if (strcmp(m, "fewer") == 0)
		ready_as(&tool_read_file, ALL & ~LAYER_SECCOMP, confine_landlock_abi());
	else if (strcmp(m, "none") == 0)
		ready_as(&tool_read_file, 0, 0);
	else if (strcmp(m, "layers") == 0)
		ready_as(&tool_read_file, 255, confine_landlock_abi());
	else if (strcmp(m, "newer") == 0)
		ready_as(&tool_read_file, ALL, confine_landlock_abi() + 1);
	else if (strcmp(m, "digest") == 0) {
		char *last = text + strlen(text) - 2;

		*last = *last == '0' ? '1' : '0';
		send_frame(FRAME_READY, 0, text);
	} else if (strcmp(m, "short") == 0) {
		strcpy(text + strlen(text) - 2, "\n");
		send_frame(FRAME_READY, 0, text);
	} else if (strcmp(m, "more") == 0) {
		strcat(text, "and 1\n");
		send_frame(FRAME_READY, 0, text);
	} else if (strcmp(m, "number") == 0)
		send_frame(FRAME_READY, 5, text);
	else if (strcmp(m, "bulky") == 0)
		raw(0xBB01, 1, 0, 257, 0, text);
	else if (strcmp(m, "even") == 0)
		raw(0xBB01, 2, 0, 0, 0, "");
	else if (strcmp(m, "unknown") == 0)
		raw(0xBB01, 5, 0, 0, 0, "");
	else if (strcmp(m, "zero") == 0)
		raw(0xBB01, 0, 0, 0, 0, "");
	else if (strcmp(m, "magic") == 0)
		raw(0xBB02, 1, 0, 0, 0, "");
	else if (strcmp(m, "reserved") == 0)
		raw(0xBB01, 1, 0, (uint32_t)strlen(text), 1, text);
	else if (strcmp(m, "half") == 0) {
		put(1, "\xbb\x01\0\1\0\0\0", 7);
		_exit(0);
	} else if (strcmp(m, "both") == 0) {
		char two[700];
		struct frame f = {FRAME_READY, 0, (uint32_t)strlen(text)};
		size_t n = strlen(text), k = strlen(GOOD);

		frame_pack(&f, (unsigned char *)two);
		memcpy(two + 16, text, n);
		f = (struct frame){FRAME_RESULT, 1, (uint32_t)k};
		frame_pack(&f, (unsigned char *)two + 16 + n);
		memcpy(two + 32 + n, GOOD, k);
		put(1, two, 32 + n + k);
	} else if (strcmp(m, "exit") == 0)
		_exit(0);
	else if (strcmp(m, "status") == 0)
		_exit(3);
	else if (strcmp(m, "asleep") == 0)
		sleep_on();
	else if (strcmp(m, "closed") == 0) {
		close(1);
		sleep_on();
	} else
		return;
	sleep_on();
}

static void
before_call(const char *m)
{
	ready();
	if (strcmp(m, "again") == 0)
		ready();
	else if (strcmp(m, "deaf") == 0)
		;
	else if (strcmp(m, "shut") == 0)
		close(0);
	else
		return;
	sleep_on();
}

static void
log_bytes(size_t n)
{
	static char line[1024];

	memset(line, 'x', sizeof(line));
	line[1] = '\0';
	for (; n >= sizeof(line); n -= sizeof(line))
		put(2, line, sizeof(line));
}

static void
spin(void)
{
	const struct rlimit one = {1, 1};

	(void)setrlimit(RLIMIT_CPU, &one);
	for (volatile unsigned i = 0;; i++)
		;
}

/* A child of its own that keeps the pipes. */
static void
leave_child(int own_session)
{
	if (fork() == 0) {
		if (own_session)
			(void)setsid();
		(void)alarm(20);
		sleep_on();
	}
}

static void
after_call(const char *m)
{
	for (size_t i = 0; i < sizeof(wrong_results) / sizeof(wrong_results[0]); i++)
		if (strcmp(m, wrong_results[i].mode) == 0) {
			send_frame(FRAME_RESULT, call, wrong_results[i].result);
			_exit(0);
		}
	if (strcmp(m, "long") == 0)
		raw(0xBB01, 3, call, 65537, 0, GOOD);
	else if (strcmp(m, "longest") == 0)
		raw(0xBB01, 3, call, 0xffffffff, 0, GOOD);
	else if (strcmp(m, "call") == 0)
		send_frame(FRAME_RESULT, call + 1, GOOD);
	else if (strcmp(m, "nul") == 0) {
		if (frame_send(1, FRAME_RESULT, call, GOOD, sizeof(GOOD)) != 0)
			_exit(90);
	} else if (strcmp(m, "cut") == 0)
		raw(0xBB01, 3, call, 100, 0, GOOD);
	else if (strcmp(m, "cutexit") == 0) {
		raw(0xBB01, 3, call, 100, 0, GOOD);
		_exit(0);
	} else if (strcmp(m, "second") == 0) {
		send_frame(FRAME_RESULT, call, GOOD);
		send_frame(FRAME_RESULT, call, GOOD);
		_exit(0);
	} else if (strcmp(m, "onemore") == 0) {
		send_frame(FRAME_RESULT, call, GOOD);
		put(1, "\n", 1);
		_exit(0);
	} else if (strcmp(m, "stream") == 0)
		for (;;)
			send_frame(FRAME_RESULT, call, GOOD);
	else if (strcmp(m, "flood") == 0)
		for (;;)
			log_bytes(65536);
	else if (strcmp(m, "bytes") == 0)
		for (;;)
			put(1, "\xbb", 1);
	else if (strcmp(m, "abort") == 0)
		die(SIGABRT);
	else if (strcmp(m, "segv") == 0)
		die(SIGSEGV);
	else if (strcmp(m, "sys") == 0)
		die(SIGSYS);
	else if (strcmp(m, "xcpu") == 0)
		die(SIGXCPU);
	else if (strcmp(m, "xfsz") == 0)
		die(SIGXFSZ);
	else if (strcmp(m, "kill") == 0)
		die(SIGKILL);
	else if (strcmp(m, "stop") == 0)
		die(SIGSTOP);
	else if (strcmp(m, "spin") == 0)
		spin();
	else if (strcmp(m, "late") == 0) {
		send_frame(FRAME_RESULT, call, GOOD);
		sleep_on();
	} else if (strcmp(m, "deafterm") == 0)
		(void)signal(SIGTERM, SIG_IGN);
	else {
		if (strcmp(m, "talk") == 0)
			log_bytes(1 << 20);
		if (strcmp(m, "child") == 0 || strcmp(m, "session") == 0)
			leave_child(m[0] == 's');
		send_frame(FRAME_RESULT, call, GOOD);
		_exit(strcmp(m, "sorry") == 0 ? 70 : 0);
	}
	sleep_on();
}

int
main(int argc, char **argv)
{
	const char *m =
	    argc > 0 && strncmp(argv[0], "liar-", 5) == 0 ? argv[0] + 5 : "honest";

	(void)signal(SIGPIPE, SIG_IGN);
	if (strcmp(m, "probe") == 0) {
		(void)signal(SIGPIPE, SIG_DFL);
		probe(argc, argv);
	}
	if (strcmp(m, "dir") == 0)
		probe_dir();
	if (strcmp(m, "weak") == 0) {
		ready_as(&tool_list_files, ALL & ~LAYER_LANDLOCK, 0);
		receive();
		send_frame(FRAME_RESULT, call,
		    "code ok\nfiles 0\ndirs 0\nlinks 0\ntruncated 0\n"
		    "missing 0\nbytes 0\n");
		return 0;
	}
	before_ready(m);
	before_call(m);
	receive();
	after_call(m);
	return 0;
}

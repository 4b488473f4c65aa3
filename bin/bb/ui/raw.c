/* The person's terminal while a question is on it: raw, pastes marked, title set. Its
 * settings are put back on every way out: leaving, exit(), and each signal that ends
 * or stops the process; the line editor's terminal likewise on each that ends it. State is static because signal handlers need it. */
#include "bin/bb/ui/ask_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define SIGNALS 65 /* 1..64, those of real time too */

/* The actions that stood before ours. */
struct taken {
	struct sigaction old[SIGNALS];
	bool caught[SIGNALS];
};
static struct {
	volatile sig_atomic_t on; /* the terminal is raw now */
	bool taken;               /* between enter and leave */
	bool dumb, titled;
	int in, out;
	int pipe[2];
	struct termios was, raw;
	struct taken signals;
} t = {.pipe = {-1, -1}};

/* A terminal that somebody else makes raw: the line editor. */
static struct {
	volatile sig_atomic_t on;
	int fd;
	struct termios was;
	struct taken signals;
} guard;

static void
put(const char *s)
{
	size_t n = strlen(s);

	while (n > 0) {
		ssize_t w = write(t.out, s, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;
		s += w;
		n -= (size_t)w;
	}
}

/* Also called by handlers: nothing here may allocate or lock. SIGTTOU is held off so
 * that putting things back works from the background. */
static void
set(bool raw)
{
	sigset_t block, before;
	int keep = errno;

	sigemptyset(&block);
	sigaddset(&block, SIGTTOU);
	sigprocmask(SIG_BLOCK, &block, &before);
	if (raw) {
		tcsetattr(t.in, TCSANOW, &t.raw);
		if (!t.dumb)
			put("\033[?2004h");
		if (t.titled && !t.on)
			put("\033[22;0t\033]0;bb: asks\a");
		t.on = 1;
	} else if (t.on) {
		t.on = 0;
		if (t.titled)
			put("\033[23;0t");
		if (!t.dumb)
			put("\033[?2004l");
		tcsetattr(t.in, TCSANOW, &t.was);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = keep;
}

static void
tell(char c)
{
	int keep = errno;

	if (write(t.pipe[1], &c, 1) < 0) {
		/* full: what it tells is already there */
	}
	errno = keep;
}

static void
on_news(int sig)
{
	tell(sig == SIGWINCH ? 'w' : 'c');
}

static void
die(const struct taken *by, int sig)
{
	sigaction(sig, &by->old[sig], NULL);
	raise(sig); /* delivered when the handler returns */
}

static void
on_end(int sig)
{
	set(false);
	die(&t.signals, sig);
}

static void
on_guarded(int sig)
{
	sigset_t block, before;

	sigemptyset(&block);
	sigaddset(&block, SIGTTOU);
	sigprocmask(SIG_BLOCK, &block, &before);
	if (guard.on)
		tcsetattr(guard.fd, TCSANOW, &guard.was);
	sigprocmask(SIG_SETMASK, &before, NULL);
	die(&guard.signals, sig);
}

static void
on_stop(int sig)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL}, mine;
	sigset_t one, before;
	int keep = errno;

	set(false);
	sigemptyset(&one);
	sigaddset(&one, sig);
	sigaction(sig, &dfl, &mine);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &one, &before); /* stopped here */
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(sig, &mine, NULL);
	if (t.taken)
		set(true);
	tell('c');
	errno = keep;
}

static void
at_exit(void)
{
	set(false);
}

/* Is ending us what it does where nobody catches it? */
static bool
is_deadly(int sig)
{
	switch (sig) {
	case SIGKILL:
	case SIGSTOP: /* nobody can */
	case SIGCHLD:
	case SIGURG:
	case SIGWINCH:
	case SIGCONT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		return false;
	default:
		return true;
	}
}

static void catch (struct taken *by, int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&sa.sa_mask);
	by->caught[sig] = false;
	if (sigaction(sig, NULL, &by->old[sig]) != 0)
		return;
	if (handler != on_news && by->old[sig].sa_handler == SIG_IGN)
		return;
	by->caught[sig] = sigaction(sig, &sa, NULL) == 0;
}

static void
catch_deadly(struct taken *by, void (*handler)(int))
{
	for (int sig = 1; sig < SIGNALS; sig++)
		if (is_deadly(sig))
			catch (by, sig, handler, 0);
}

static void
give_back(struct taken *by)
{
	for (int sig = 1; sig < SIGNALS; sig++) {
		if (by->caught[sig])
			sigaction(sig, &by->old[sig], NULL);
		by->caught[sig] = false;
	}
}

int
raw_enter(int in, int out, bool dumb)
{
	static bool registered;
	const char *term = getenv("TERM");

	if (t.taken)
		return E_STATE;
	if (t.pipe[0] < 0 && pipe2(t.pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return E_SYS;
	if (tcgetattr(in, &t.was) != 0)
		return E_SYS;
	t.raw = t.was;
	t.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
	t.raw.c_iflag &=
	    ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT | PARMRK);
	t.raw.c_oflag |= OPOST | ONLCR;
	t.raw.c_cc[VMIN] = 1;
	t.raw.c_cc[VTIME] = 0;
	t.in = in;
	t.out = out;
	t.dumb = dumb;
	t.titled = !dumb && (term == NULL || strcmp(term, "linux") != 0);
	if (!registered && atexit(at_exit) == 0)
		registered = true;
	(void)raw_take();
	t.taken = true;
	catch_deadly(&t.signals, on_end);
	catch (&t.signals, SIGTSTP, on_stop, SA_RESTART);
	catch (&t.signals, SIGWINCH, on_news, SA_RESTART);
	catch (&t.signals, SIGCONT, on_news, SA_RESTART);
	set(true);
	return 0;
}

void
raw_leave(void)
{
	if (!t.taken)
		return;
	t.taken = false;
	set(false);
	give_back(&t.signals);
}

void
raw_guard(int fd)
{
	if (guard.on || t.taken || tcgetattr(fd, &guard.was) != 0)
		return;
	guard.fd = fd;
	guard.on = 1;
	catch_deadly(&guard.signals, on_guarded);
}

void
raw_unguard(void)
{
	if (!guard.on)
		return;
	guard.on = 0;
	give_back(&guard.signals);
}

bool
raw_active(void)
{
	return t.taken;
}

int
raw_events(void)
{
	return t.pipe[0];
}

unsigned
raw_take(void)
{
	unsigned what = 0;
	char b[64];
	ssize_t n;

	while ((n = read(t.pipe[0], b, sizeof b)) > 0)
		for (ssize_t i = 0; i < n; i++)
			what |= b[i] == 'w' ? RAW_RESIZED : RAW_CONTINUED;
	/* whoever ran meanwhile may have left the terminal otherwise */
	if ((what & RAW_CONTINUED) != 0 && t.taken)
		set(true);
	return what;
}

void
raw_suspend(void)
{
	/* the group, as the terminal's own ctrl-z does; we stop by on_stop */
	(void)kill(0, SIGTSTP);
}

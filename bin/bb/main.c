/* bb: options, hardening of the one process with authority, and the front that the
 * command names. Only this file exits. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bin/bb/options.h"
#include "bin/bb/session/session.h"
#include "libcommon/json.h"
#include "libcommon/log.h"
#include "libcommon/path.h"

/* No other process of this user may look into bb; nothing bb starts can gain by a
 * set-id program; as many descriptors as the person allows. */
static void
harden(void)
{
	struct rlimit l;

	/* A closed standard descriptor is filled with one that cannot carry anything: an
	 * answer written to it fails, and that is said by the status. */
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(75);
#ifndef BB_UNCONFINED
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		complain("bb: this kernel refuses to harden bb: %s\n", err_errno(errno));
		_exit(75);
	}
#endif
	if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur < l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &l);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	/* A file size limit met by the trail must be a failed append, not our end. */
	(void)signal(SIGXFSZ, SIG_IGN);
}

static int
tool_call(struct parsed *o,
    int (*go)(const struct session_config *, const char *, json_t *, bool))
{
	auto_buf struct buf why = BUF_INIT;
	auto_json json_t *args = NULL;
	const char *says = NULL;

	if (o->n_words == 0) {
		complain("bb: which tool? bb %s read_file path=README.md\n", o->command);
		return 2;
	}
	if (o->own.args != NULL) {
		if (o->n_words > 1) {
			complain("bb: give --args or key=value words, not both\n");
			return 2;
		}
		if (json_parse(o->own.args, strlen(o->own.args), &args, &says) != 0) {
			complain("bb: --args: %s\n", says);
			return 2;
		}
	} else if (args_from_words(o->words[0], o->words + 1, o->n_words - 1, &args,
	               &why) != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return 2;
	}
	return go(&o->c, o->words[0], args, o->own.by_hand);
}

static int
go_call(const struct session_config *c, const char *tool, json_t *args, bool by_hand)
{
	(void)by_hand;
	return front_call(c, tool, args);
}

static int
approve(const struct parsed *o)
{
	auto_buf struct buf state = BUF_INIT, run = BUF_INIT;

	if (path_state(o->c.state, &state) != 0)
		buf_clear(&state);
	if (path_runtime(state.len > 0 ? buf_cstr(&state) : NULL, &run) != 0) {
		complain("bb: no runtime directory: set XDG_RUNTIME_DIR or HOME\n");
		return 75;
	}
	return approve_main(buf_cstr(&run), o->n_words > 0 ? o->words[0] : NULL,
	    o->own.list, o->c.json, o->c.colour);
}

static int
log_command(const struct parsed *o)
{
	auto_buf struct buf state = BUF_INIT;
	struct log_options lo = {.workspace = o->c.workspace,
	    .follow = o->own.follow,
	    .refused = o->own.refused,
	    .tool = o->own.tool,
	    .since = o->own.since,
	    .json = o->c.json,
	    .verify = o->own.verify,
	    .colour = o->c.colour,
	    .session = o->n_words > 0 ? o->words[0] : NULL};

	if (o->own.n != NULL) {
		char *end;

		errno = 0;
		lo.n = strtoul(o->own.n, &end, 10);
		if (*end != '\0' || lo.n == 0 || errno != 0 || *o->own.n < '0' ||
		    *o->own.n > '9') {
			complain("bb: -n takes a whole number above 0\n");
			return 2;
		}
	}
	if (path_state(o->c.state, &state) != 0) {
		complain("bb: no state directory: set HOME or give --state\n");
		return 75;
	}
	lo.state = buf_cstr(&state);
	return log_main(&lo);
}

static int
sessions(const struct parsed *o)
{
	auto_buf struct buf state = BUF_INIT;
	bool prune = o->n_words > 0 && strcmp(o->words[0], "prune") == 0;
	struct sessions_options so = {.json = o->c.json,
	    .prune = prune,
	    .older = o->own.older,
	    .dry_run = o->own.dry_run};

	if (o->n_words > 0 && !prune) {
		complain("bb: bb sessions [prune --older AGE [--dry-run]]\n");
		return 2;
	}
	if (path_state(o->c.state, &state) != 0) {
		complain("bb: no state directory: set HOME or give --state\n");
		return 75;
	}
	so.state = buf_cstr(&state);
	return sessions_main(&so);
}

static int
run(struct parsed *p)
{
	const char *cmd = p->command;

	if (p->version) {
		puts("bb " BB_VERSION);
		return 0;
	}
	if (p->help || (cmd != NULL && strcmp(cmd, "help") == 0)) {
		options_help(p->c.json);
		return 0;
	}
	if (cmd == NULL) {
		p->c.front = "terminal";
		return front_terminal(&p->c);
	}
	p->c.front = cmd;
	if (strcmp(cmd, "call") == 0)
		return tool_call(p, go_call);
	if (strcmp(cmd, "power") == 0)
		return tool_call(p, report_power);
	if (strcmp(cmd, "drive") == 0 && p->n_words == 0)
		return front_drive(&p->c);
	if (strcmp(cmd, "approve") == 0)
		return approve(p);
	if (strcmp(cmd, "log") == 0)
		return log_command(p);
	if (strcmp(cmd, "sessions") == 0)
		return sessions(p);
	if (strcmp(cmd, "status") == 0)
		return report_status(&p->c, p->n_words > 0 ? p->words[0] : NULL);
	if (strcmp(cmd, "rules") == 0)
		return rules_main(&p->c, p->words, p->n_words);
	if (strcmp(cmd, "doctor") == 0)
		return report_doctor(&p->c, p->own.settings, p->own.require);
	complain("bb: unknown command '%s'; bb help lists commands and options\n", cmd);
	return 2;
}

/* An answer that went nowhere is not done, whichever command gave it. A reader who left
 * wants no sentence about it. */
static int
written(int status)
{
	struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};
	bool lost = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !lost)
		return status;
	if (errno != EPIPE &&
	    (poll(&reader, 1, 0) <= 0 || (reader.revents & POLLERR) == 0))
		complain("bb: cannot write to standard output%s%s\n",
		    errno != 0 ? ": " : "", errno != 0 ? err_errno(errno) : "");
	return 75;
}

/* Is --json among the options, whether or not they can be understood? */
static bool
asks_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}

/* What was complained of, for a program: once, and only where no answer of its own said it
 * (prompts 5). */
static void
error_object(int status)
{
	auto_buf struct buf b = BUF_INIT;
	const char *remedy, *says = complaint(&remedy);
	auto_json json_t *o = NULL;

	if (status == 0 || says == NULL)
		return;
	o = json_pack("{s:i,s:{s:s,s:s,s:s}}", "schema", 1, "error", "code",
	    status == 2       ? "usage"
	        : status == 1 ? "not-found"
	        : status == 3 ? "refused"
	                      : "system",
	    "says", says, "remedy", remedy);
	if (o != NULL && json_print(o, &b) == 0)
		puts(buf_cstr(&b));
}

int
main(int argc, char **argv)
{
	static struct parsed o; /* its lists live as long as bb */

	int status;

	harden();
	if ((status = options_parse(argc, argv, &o)) == 0) {
		log_level = o.verbose;
		status = run(&o);
	}
	if (asks_json(argc, argv))
		error_object(status);
	return written(status);
}

/* bb doctor: what this machine can hold, proven by trying, and what is missing with
 * its remedy. Changes nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bin/bb/session/commands.h"
#include "bin/bb/session/session_int.h"
#include "libcommon/fd.h"
#include "libcommon/hash.h"
#include "libcommon/io.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define HANG 24 /* column of what a check says */

enum state { FINE, NOTE, WARN, FAIL };

struct doctor {
	const struct session_config *c;
	json_t *checks;
	struct buf text;
	unsigned count[4];
	unsigned present, expected;
	bool digest_ok, seccomp, landlock;
	int abi;
	char dir[PATH_ARG_MAX];
};

static void
say(struct doctor *d, enum state st, const char *id, const char *says, const char *remedy)
{
	static const char *const words[] = {"ok", "note", "warn", "fail"};

	d->count[st]++;
	(void)buf_fmt(&d->text, " %-5s %-16s ", words[st], id);
	look_wrap(look_columns(), HANG, says, &d->text);
	if (remedy != NULL) {
		(void)buf_fmt(&d->text, "\n%*s", HANG, "");
		look_wrap(look_columns(), HANG, remedy, &d->text);
	}
	(void)buf_byte(&d->text, '\n');
	json_array_append_new(d->checks,
	    json_pack("{s:s,s:s,s:s,s:s?}", "id", id, "state", words[st], "says", says,
	        "remedy", remedy));
}

static void
helpers(struct doctor *d)
{
	auto_buf struct buf dir = BUF_INIT, bad = BUF_INIT;

	d->digest_ok = true;
	if (path_helpers(&dir) != 0) {
		d->digest_ok = false;
		say(d, FAIL, "helpers", "not found", "build with make, or install");
		return;
	}
	(void)snprintf(d->dir, sizeof(d->dir), "%s", buf_cstr(&dir));
	for (size_t i = 0; i < helper_digests_len; i++) {
		auto_buf struct buf path = BUF_INIT, bytes = BUF_INIT;
		auto_fd int fd = -1;
		char hex[65] = "";

		d->expected++;
		(void)buf_fmt(&path, "%s/%s", buf_cstr(&dir), helper_digests[i].name);
		fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC);
		if (fd < 0 || io_pread_all(fd, &bytes) != 0) {
			(void)buf_fmt(&bad, "%s%s missing", bad.len > 0 ? ", " : "",
			    helper_digests[i].name);
			continue;
		}
		d->present++;
		sha256_of(buf_cstr(&bytes), bytes.len, hex);
		if (strcmp(hex, helper_digests[i].sha256) != 0) {
			d->digest_ok = false;
			(void)buf_fmt(&bad, "%s%s differs from what was built",
			    bad.len > 0 ? ", " : "", helper_digests[i].name);
		}
	}
	if (bad.len > 0)
		say(d, FAIL, "helpers", buf_cstr(&bad), "build again, or install again");
}

/* Is this process's filter call answered as a kernel with seccomp answers it? */
static void
seccomp(struct doctor *d)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	d->seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
	if (d->seccomp)
		say(d, FINE, "seccomp", "filters, kill the process", NULL);
	else
		say(d, FAIL, "seccomp",
		    "this kernel has no seccomp filters; bb cannot confine its tools",
		    "use a kernel with CONFIG_SECCOMP_FILTER, or a container that allows "
		    "seccomp");
}

static void
landlock(struct doctor *d)
{
	static const char *const upto[] = {"", "files", "files, moves",
	    "files, moves, truncation", "files, tcp", "files, tcp, ioctl",
	    "files, tcp, ioctl, signals, abstract sockets"};
	auto_buf struct buf open = BUF_INIT;
	char words[96];

	for (size_t i = 0; i < tools_len; i++)
		if (tools[i]->n_landlock > 0)
			(void)buf_fmt(&open, "%s%s", open.len > 0 ? " and " : "",
			    tools[i]->name);
	d->abi = confine_landlock_abi();
	d->landlock = d->abi > 0;
	if (!d->landlock) {
		auto_buf struct buf says = BUF_INIT;

		(void)buf_fmt(&says, "not enabled: %s would be able to open anything",
		    buf_cstr(&open));
		say(d, d->c->weaker_landlock ? WARN : FAIL, "landlock", buf_cstr(&says),
		    "boot with lsm=landlock,…; or --weaker=landlock");
		return;
	}
	(void)snprintf(words, sizeof(words), "ABI %d: %s", d->abi,
	    upto[d->abi < 6 ? d->abi : 6]);
	say(d, FINE, "landlock", words, NULL);
}

static void
openat2_there(struct doctor *d)
{
	auto_fd int fd = -1;
	struct {
		uint64_t flags, mode, resolve;
	} how = {O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0};

	fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));
	if (fd >= 0)
		say(d, FINE, "openat2", "beneath a directory, no links", NULL);
	else
		say(d, NOTE, "openat2", "missing: paths are walked part by part instead",
		    NULL);
}

/* One real helper, one real page: everything at once. */
struct trial {
	bool done, fine;
	struct buf says;
};

static void
on_trial(void *arg, const struct answer_out *a)
{
	struct trial *t = arg;

	t->done = true;
	t->fine = a->status == STATUS_OK && !(a->labelled && a->label.i == UNTRUSTED);
	(void)buf_str(&t->says, a->status == STATUS_OK ? "" : a->text);
}

static void
trial(struct doctor *d)
{
	struct session_config c = *d->c;
	struct session *s = NULL;
	struct trial t = {.says = BUF_INIT};
	auto_buf struct buf why = BUF_INIT;
	auto_json json_t *args = json_pack("{s:s,s:i}", "directory", ".", "depth", 1);
	struct call_request q = {.tool = "list_files", .args = args};
	struct call *call;
	static const char *const whole[] = {""};

	c.private_session = true;
	c.trail = NULL;
	c.approver = "none";
	c.front = "call";
	c.trust = whole;
	c.n_trust = 1;
	c.only = NULL;
	if (session_new(&c, &s, &why) != 0) {
		say(d, FAIL, "trial", buf_cstr(&why), NULL);
		return;
	}
	if (session_call(s, &q, on_trial, &t, &call) == 0)
		while (!t.done && loop_once(s->loop, 5000) == 0)
			;
	if (t.fine || (t.done && t.says.len == 0))
		say(d, FINE, "trial", "a confined helper listed this directory", NULL);
	else
		say(d, FAIL, "trial", t.says.len > 0 ? buf_cstr(&t.says) : "no answer",
		    NULL);
	buf_release(&t.says);
	session_free(s);
}

static void
state_dir(struct doctor *d)
{
	auto_buf struct buf state = BUF_INIT, says = BUF_INIT;
	struct stat st;

	if (path_state(d->c->state, &state) != 0) {
		say(d, WARN, "record", "no home directory: no trail can be kept",
		    "give --state DIR, --trail FILE, or --private");
		return;
	}
	safe_put(buf_cstr(&state), state.len, SAFE_NAME,
	    &(struct look){.width = 80, .utf8 = true}, &says);
	if (stat(buf_cstr(&state), &st) == 0 && access(buf_cstr(&state), W_OK) != 0) {
		(void)buf_str(&says, " cannot be written");
		say(d, FAIL, "record", buf_cstr(&says), "give --state DIR");
	} else if (lstat(buf_cstr(&state), &st) == 0 && st.st_uid != geteuid() &&
	    st.st_uid != 0) {
		(void)buf_fmt(&says, " belongs to another user (uid %u)",
		    (unsigned)st.st_uid);
		say(d, FAIL, "record", buf_cstr(&says), "give --state DIR");
	} else {
		say(d, FINE, "record", buf_cstr(&says), NULL);
	}
}

static void
gates(struct doctor *d)
{
	for (int g = 0; g < GATE_COUNT; g++)
		if (!gate_built((enum gate)g)) {
			auto_buf struct buf b = BUF_INIT;

			(void)buf_fmt(&b, "gate %s is not built yet; it will stop %s",
			    gate_name((enum gate)g), gate_later((enum gate)g));
			say(d, NOTE, "gates", buf_cstr(&b), NULL);
		}
}

/* What the files say that bb can use, and each entry that it cannot. */
static struct settings *
settings_check(struct doctor *d)
{
	auto_free char *ws = realpath(d->c->workspace, NULL);
	auto_buf struct buf why = BUF_INIT, says = BUF_INIT;
	struct settings *s = NULL;

	if (ws == NULL)
		return NULL; /* the trial says so */
	if (settings_load(d->c, ws, false, &s, &why) != 0) {
		say(d, FAIL, "settings", buf_cstr(&why), NULL);
		return NULL;
	}
	for (size_t i = 0; i < settings_problems(s); i++) {
		auto_buf struct buf one = BUF_INIT;

		safe_put(settings_problem(s, i), strlen(settings_problem(s, i)),
		    SAFE_NAME, &(struct look){.width = 80, .utf8 = true}, &one);
		say(d, WARN, "settings", buf_cstr(&one), NULL);
	}
	(void)buf_fmt(&says, "%zu file%s read, %zu rule%s", settings_files(s),
	    settings_files(s) == 1 ? "" : "s", rules_count(settings_rules(s)),
	    rules_count(settings_rules(s)) == 1 ? "" : "s");
	say(d, FINE, "settings", buf_cstr(&says), NULL);
	return s;
}

int
report_doctor(const struct session_config *c, bool settings, const char *require)
{
	struct doctor d = {.c = c, .checks = json_array(), .text = BUF_INIT};
	struct utsname u;
	struct settings *sets;
	const char *files;
	int status;

	if (require != NULL && strcmp(require, "full") != 0 &&
	    strcmp(require, "run") != 0 && strcmp(require, "pure") != 0) {
		complain("bb: --require takes full, run or pure\n");
		json_decref(d.checks);
		return 2;
	}
	(void)uname(&u);
	helpers(&d);
	seccomp(&d);
	landlock(&d);
	openat2_there(&d);
	state_dir(&d);
	if (d.count[FAIL] == 0)
		trial(&d);
	gates(&d);
	sets = settings_check(&d);
	say(&d, NOTE, "model", "none configured; the person is the planner", NULL);
	files = d.count[FAIL] > 0 ? "none" : d.landlock ? "full" : "weaker";
	/* run is not built: any level above pure cannot be met, and that is said. */
	status = d.count[FAIL] > 0 ||
	    (require != NULL &&
	        (strcmp(files, "full") != 0 || strcmp(require, "pure") != 0));
	if (c->json) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *o = json_pack("{s:i,s:s,s:s,s:{s:s,s:i,s:i,s:b},s:o,"
		                                "s:{s:s,s:s,s:s,s:s},s:i,s:i}",
		    "schema", 1, "version", BB_VERSION, "kernel", u.release, "helpers",
		    "dir", d.dir, "present", (int)d.present, "expected", (int)d.expected,
		    "digest_ok", (int)d.digest_ok, "checks", d.checks, "guarantee",
		    "files", files, "run", "none", "fetch", "none", "lsp", "none",
		    "failures", (int)d.count[FAIL], "warnings", (int)d.count[WARN]);

		if (settings && sets != NULL)
			json_object_set_new(o, "settings", settings_json(sets));
		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &b);
		puts(buf_cstr(&b));
	} else {
		auto_buf struct buf b = BUF_INIT;

		(void)buf_fmt(&b, "bb %s   helpers %s: %u present, digests %s\n%s",
		    BB_VERSION, d.dir, d.present,
		    d.digest_ok && d.present == d.expected ? "as built" : "NOT as built",
		    buf_cstr(&d.text));
		(void)print_page(buf_cstr(&b), b.len);
		if (settings && sets != NULL) {
			auto_buf struct buf rows = BUF_INIT;

			settings_rows(sets, look_columns(), &rows);
			(void)print_page(buf_cstr(&rows), rows.len);
		}
		printf(" files %s · run not built yet\n %u failure%s, %u warning%s, %u "
		       "note%s\n",
		    files, d.count[FAIL], d.count[FAIL] == 1 ? "" : "s", d.count[WARN],
		    d.count[WARN] == 1 ? "" : "s", d.count[NOTE],
		    d.count[NOTE] == 1 ? "" : "s");
		json_decref(d.checks);
	}
	buf_release(&d.text);
	settings_free(sets);
	return status;
}

int
report_status(const struct session_config *c, const char *session)
{
	struct session_config quiet = *c;
	struct session *s = NULL;
	auto_buf struct buf why = BUF_INIT, b = BUF_INIT;
	int r;

	if (session != NULL) {
		auto_buf struct buf state = BUF_INIT, run = BUF_INIT;

		if (path_state(c->state, &state) != 0 ||
		    path_runtime(buf_cstr(&state), &run) != 0) {
			complain(
			    "bb: no runtime directory: set XDG_RUNTIME_DIR or HOME\n");
			return 75;
		}
		return approve_command(buf_cstr(&run), session,
		    c->json ? "/status --json" : "/status");
	}
	quiet.private_session = c->trail == NULL;
	quiet.approver = "none";
	if ((r = session_new(&quiet, &s, &why)) != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	if (c->json) {
		auto_json json_t *o = status_json(s);

		(void)json_print(c->select != NULL ? json_at(o, c->select) : o, &b);
		(void)buf_str(&b, "\n");
	} else {
		struct look look;
		auto_buf struct buf rows = BUF_INIT;

		look_of(STDOUT_FILENO, COLOUR_NEVER, &look);
		(void)buf_str(&b,
		    "no session was named; a new one here would begin so:\n");
		status_rows(s, &rows);
		look_rows(&look, buf_cstr(&rows), &b);
	}
	fputs(buf_cstr(&b), stdout);
	session_free(s);
	return 0;
}

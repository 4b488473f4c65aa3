/* The interactive session: a line at a time. With no model configured the
 * person is the planner: `,read_file path=README.md` makes one call, and is its
 * consent. Without a terminal the lines come from standard input and are
 * echoed. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>

#include "bin/bb/session/answer.h"
#include "bin/bb/session/commands.h"
#include "bin/bb/session/log.h"
#include "bin/bb/session/questions.h"
#include "bin/bb/session/session_int.h"
#include "bin/bb/session/todo.h"
#include "libcommon/clock.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"
#include "libcommon/utf8.h"

struct front {
	struct session *s;
	struct line *line; /* NULL without a terminal */
	struct look look;
	bool done, quit;
	int status;
	enum answer opening;
	bool answered;
	struct call *call;
	struct buf object; /* of the call that runs, as typed */
	int interrupt;     /* signalfd of SIGINT, or -1: ctrl-c stops the call, not bb */
	struct loop_source *tick;
	uint64_t begun_us;
	bool ticking;     /* a progress row stands on the last row */
	struct buf shown; /* the status row as it was last said */
};

static void
out(const struct buf *b)
{
	(void)fwrite(buf_cstr(b), 1, b->len, stdout);
	(void)fflush(stdout);
}

/* --- the opening question
 * -------------------------------------------------------------- */

static void
on_opening(void *arg, const struct answered *a)
{
	struct front *f = arg;

	f->opening = a->answer;
	f->answered = true;
	trail_asked(f->s->trail, 0, "trust", reach_path(f->s->reach, 0), a->by,
	    a->answer == ANSWER_YES        ? "yes"
	        : a->answer == ANSWER_STOP ? "leave"
	                                   : "no");
}

/* Is it a directory of temporary files, whatever it is called? */
static bool
is_temporary(const char *ws, const struct stat *st)
{
	const char *named = getenv("TMPDIR");
	struct stat tmp;

	if (strcmp(ws, "/tmp") == 0 || strcmp(ws, "/var/tmp") == 0)
		return true;
	return named != NULL && named[0] == '/' && stat(named, &tmp) == 0 &&
	    tmp.st_dev == st->st_dev && tmp.st_ino == st->st_ino;
}

/* True: the session goes on. */
static bool
opening(struct front *f)
{
	struct session *s = f->s;
	const char *ws = reach_path(s->reach, 0);
	struct drawing *d = NULL;
	struct opening_facts facts = {.path = ws};
	struct question q = {.kind = "trust",
	    .who = "turn",
	    .tool = "",
	    .answers = "yn",
	    .object = ws};
	struct stat st = {0}, git;
	unsigned id;

	if (trust_of(s->trust, ws) != TRUST_NONE || !asker_reachable(s->asker))
		return true;
	if (fstat(reach_fd(s->reach, 0), &st) == 0) {
		facts.yours = st.st_uid == getuid();
		facts.world_writable =
		    (st.st_mode & S_IWOTH) != 0 && (st.st_mode & S_ISVTX) == 0;
		facts.age_s = (int64_t)(clock_wall_ms() / 1000) - (int64_t)st.st_mtime;
	}
	facts.git =
	    fstatat(reach_fd(s->reach, 0), ".git", &git, AT_SYMLINK_NOFOLLOW) == 0;
	facts.wide = strcmp(ws, "/") == 0                         ? "/"
	    : path_home() != NULL && strcmp(ws, path_home()) == 0 ? "home"
	    : is_temporary(ws, &st)                               ? "tmp"
	                                                          : NULL;
	if (question_opening(&facts, &d) != 0)
		bug("out of memory");
	q.drawing = d;
	if (asker_ask(s->asker, &q, on_opening, f, &id) != 0) {
		drawing_free(d);
		return true;
	}
	while (!f->answered)
		if (loop_once(s->loop, -1) != 0)
			break;
	drawing_free(d);
	s->questions++;
	if (f->opening == ANSWER_YES) {
		s->yes++;
		if (trust_set(s->trust, ws, TRUST_T, TRUST_BY_OPENING) != 0)
			bug("out of memory");
	} else if (f->opening == ANSWER_STOP) {
		return false;
	} else {
		s->no++;
	}
	return trail_flush(s->trail) == 0;
}

/* --- one typed call
 * --------------------------------------------------------------------- */

static void
on_done(void *arg, const struct answer_out *a)
{
	struct front *f = arg;
	auto_buf struct buf b = BUF_INIT;
	size_t i;
	json_t *v;
	bool refused = a->status == STATUS_REFUSED;
	const char *says = strchr(a->text, ' '); /* after `refused: ` or `error: ` */

	f->done = true;
	f->call = NULL;
	if (f->ticking)
		(void)buf_str(&b, "\r\033[K");
	f->ticking = false;
	f->status = status_exit(a);
	if (refused) {
		screen_call(&f->look, "refused", buf_cstr(&f->object),
		    says != NULL ? says + 1 : a->text, &b);
	} else if (a->status == STATUS_ERROR) {
		screen_result(&f->look, a->text, SHADE_RED, &b);
	} else {
		screen_content(&f->look, a->text, a->text_len, false, &b);
		todo_rows(&f->look, json_object_get(a->data, "todos"), &b);
		if (a->summary[0] != '\0')
			screen_result(&f->look, a->summary, SHADE_DIM, &b);
	}
	json_array_foreach(a->notes, i, v)
		screen_result(&f->look, json_string_value(v), SHADE_PLAIN, &b);
	json_array_foreach(a->refs, i, v) {
		auto_buf struct buf row = BUF_INIT;

		if (i == 3) {
			screen_result(&f->look, "…", SHADE_DIM, &b);
			break;
		}
		(void)buf_fmt(&row, "to look at it yourself: /show %s",
		    json_string_value(json_object_get(v, "ref")));
		screen_result(&f->look, buf_cstr(&row), SHADE_DIM, &b);
	}
	out(&b);
}

static void
on_start(void *arg, const struct call *c)
{
	struct front *f = arg;
	auto_buf struct buf b = BUF_INIT, object = BUF_INIT;

	answer_object(c->tool, c->args, &object);
	screen_call(&f->look, c->tool->verb, buf_cstr(&object), c->why, &b);
	out(&b);
}

/* --- while a call runs
 * --------------------------------------------------------------------- */

static void
on_interrupt(void *arg, short revents)
{
	struct front *f = arg;
	struct signalfd_siginfo si;

	(void)revents;
	while (read(f->interrupt, &si, sizeof(si)) == (ssize_t)sizeof(si))
		if (f->call != NULL)
			session_cancel(f->call);
}

/* From one second on: what runs, and for how long; redrawn on the last row. */
static void
on_tick(void *arg, short revents)
{
	static const char *const wheel[] = {"⠋", "⠙", "⠹", "⠸", "⠴", "⠦"};
	struct front *f = arg;
	auto_buf struct buf b = BUF_INIT;
	uint64_t us = clock_mono_us() - f->begun_us;

	(void)revents;
	f->tick = loop_timer(f->s->loop, 250, on_tick, f);
	if (asker_waiting(f->s->asker) > 0)
		return; /* a question stands there */
	(void)buf_fmt(&b, "\r           %s %u s, ctrl-c stops it\033[K",
	    f->look.utf8 ? wheel[us / 250000 % 6] : "...", (unsigned)(us / 1000000));
	f->ticking = true;
	out(&b);
}

static void
run_call(struct front *f, const struct call_request *q)
{
	struct loop_source *stop = NULL;

	f->done = false;
	f->begun_us = clock_mono_us();
	if (session_call(f->s, q, on_done, f, &f->call) != 0)
		bug("out of memory");
	if (f->interrupt >= 0)
		stop = loop_fd(f->s->loop, f->interrupt, POLLIN, on_interrupt, f);
	if (f->line != NULL && !f->look.dumb)
		f->tick = loop_timer(f->s->loop, 1000, on_tick, f);
	while (!f->done)
		if (loop_once(f->s->loop, -1) != 0)
			break;
	loop_remove(stop);
	loop_remove(f->tick);
	f->tick = NULL;
}

static void
typed_call(struct front *f, char *line)
{
	char *words[64];
	size_t n;
	auto_json json_t *args = NULL;
	auto_buf struct buf why = BUF_INIT;
	struct call_request q = {.typed = true};
	int r = words_split(line + 1, words, 64, &n);

	if (r != 0 || n == 0) {
		puts(r == E_BAD  ? "a quote is not closed"
		        : r != 0 ? "too many words"
		                 : "a call is written ,read_file path=README.md");
		return;
	}
	if (args_from_words(words[0], words + 1, n - 1, &args, &why) != 0) {
		auto_buf struct buf b = BUF_INIT;

		screen_result(&f->look, buf_cstr(&why), SHADE_RED, &b);
		out(&b);
		return;
	}
	q.tool = words[0];
	q.args = args;
	buf_clear(&f->object);
	answer_object(tool_find(words[0]), args, &f->object);
	run_call(f, &q);
	session_turn_end(f->s); /* a typed line is a turn of its own */
}

/* The last n calls and their gates. */
static void
log_rows(struct front *f, size_t n)
{
	struct log_options lo = {.state = f->s->state,
	    .workspace = reach_path(f->s->reach, 0),
	    .file = trail_path(f->s->trail),
	    .n = n,
	    .colour = f->s->c.colour};

	if (lo.file == NULL)
		puts("this session keeps no record (--private)");
	else
		(void)log_main(&lo);
}

static void
take(struct front *f, char *text)
{
	auto_buf struct buf b = BUF_INIT;
	size_t n = strlen(text);

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		text[--n] = '\0';
	while (*text == ' ' || *text == '\t')
		text++;
	if (*text == '\0')
		return;
	if (utf8_valid(text, strlen(text)) != strlen(text)) {
		puts("that line is not valid UTF-8");
	} else if (*text == ',') {
		typed_call(f, text);
	} else if (strcmp(text, "/quit") == 0) {
		f->quit = true;
	} else if (strncmp(text, "/log", 4) == 0 && (text[4] == '\0' || text[4] == ' ')) {
		if (log_number(text + 4, &n) != 0)
			puts("/log takes a number of calls");
		else
			log_rows(f, n);
	} else if (*text == '/') {
		auto_buf struct buf fit = BUF_INIT;
		bool laid_out = strncmp(text, "/show", 5) == 0; /* has its margin */

		if (!command_run(f->s, text, &b)) {
			puts("no such command; /help lists them");
			return;
		}
		if (!laid_out)
			look_rows(&f->look, buf_cstr(&b), &fit);
		if (f->line != NULL)
			screen_page(&f->look, buf_cstr(laid_out ? &b : &fit),
			    laid_out ? b.len : fit.len);
		else
			out(laid_out ? &b : &fit);
	} else {
		puts("no model is configured, so nobody reads that; type a call such as "
		     ",read_file path=README.md, or /help");
	}
	(void)fflush(stdout);
}

/* --- the front
 * --------------------------------------------------------------------------------
 */

static void
banner(struct front *f)
{
	const char *ws = reach_path(f->s->reach, 0);
	bool trusted = trust_of(f->s->trust, ws) == TRUST_T;
	const struct screen_item items[] = {{.words = "bb " BB_VERSION},
	    {.words = ws, .foreign = true},
	    {.words = trusted ? "trusted" : "not trusted",
	        .shade = trusted ? SHADE_PLAIN : SHADE_YELLOW},
	    {.words = "default mode"},
	    {.words = f->s->c.weaker_landlock ? "sandbox weaker" : "",
	        .shade = SHADE_YELLOW}};
	auto_buf struct buf b = BUF_INIT;

	screen_banner(&f->look, items, sizeof(items) / sizeof(*items), &b);
	screen_say(&f->look, 0,
	    "no model configured: type ,read_file path=README.md or see /help",
	    SHADE_PLAIN, &b);
	(void)buf_byte(&b, '\n');
	out(&b);
}

/* The status row stands above the prompt; while nothing in it changes it is not
 * said again (prompts 3). What no tool of this session has, jobs and tokens, is
 * not named. */
static void
status_row(struct front *f)
{
	auto_buf struct buf asking = BUF_INIT, held = BUF_INIT, b = BUF_INIT;
	struct screen_item items[3];

	(void)buf_fmt(&asking, "asking %zu", asker_waiting(f->s->asker));
	(void)buf_fmt(&held, "held back %zu", refs_count(f->s->refs));
	items[0] = (struct screen_item){.words = buf_cstr(&asking), .shade = SHADE_DIM};
	items[1] = (struct screen_item){.words = buf_cstr(&held), .shade = SHADE_DIM};
	items[2] = (struct screen_item){.words = "sandbox weaker",
	    .shade = SHADE_YELLOW,
	    .keep = true};
	look_of(1, f->s->c.colour, &f->look); /* the window may have another width now */
	screen_status(&f->look, items, f->s->c.weaker_landlock ? 3 : 2, &b);
	if (b.len == f->shown.len &&
	    memcmp(buf_cstr(&b), buf_cstr(&f->shown), b.len) == 0)
		return;
	buf_clear(&f->shown);
	(void)buf_append(&f->shown, buf_cstr(&b), b.len);
	(void)buf_byte(&b, '\n');
	out(&b);
}

static void
on_tab(void *arg, const char *text, size_t at, struct buf *b)
{
	commands_complete(((struct front *)arg)->s, text, at, b);
}

/* ctrl-t */
static void
on_trail(void *arg)
{
	log_rows(arg, 1);
}

static int
from_input(struct front *f)
{
	auto_free char *text = NULL;
	size_t room = 0;
	ssize_t n;

	while (!f->quit && (n = getline(&text, &room, stdin)) >= 0) {
		auto_buf struct buf b = BUF_INIT;

		if (n > 0 && text[n - 1] == '\n')
			text[--n] = '\0';
		(void)buf_str(&b, "> ");
		safe_put(text, (size_t)n, SAFE_NAME, &f->look, &b);
		(void)buf_byte(&b, '\n');
		out(&b);
		if (memchr(text, '\0', (size_t)n) != NULL)
			puts("that line holds a NUL");
		else
			take(f, text);
	}
	return f->status;
}

static int
from_terminal(struct front *f)
{
	auto_buf struct buf history = BUF_INIT;
	uint64_t last_c = 0;

	if (f->s->state != NULL && !f->s->c.private_session)
		(void)buf_fmt(&history, "%s/history", f->s->state);
	if (line_new(f->s->loop, history.len > 0 ? buf_cstr(&history) : NULL, on_tab,
	        on_trail, f, &f->line) != 0) {
		complain("bb: the terminal cannot be used: %s\n", err_errno(errno));
		return 75;
	}
	while (!f->quit) {
		auto_free char *text = NULL;
		int r;

		status_row(f);
		r = line_read(f->line, "> ", &text);

		if (r ==
		    E_STATE) { /* ctrl-c: once clears the line, twice within 1 s leaves */
			uint64_t now = clock_mono_us();

			if (last_c != 0 && now - last_c < 1000000)
				break;
			last_c = now;
			puts("ctrl-c again within a second leaves");
			continue;
		}
		if (r != 0)
			break;
		last_c = 0;
		take(f, text);
	}
	line_free(f->line);
	return 0;
}

int
front_terminal(const struct session_config *c)
{
	struct front f = {.object = BUF_INIT, .shown = BUF_INIT};
	auto_buf struct buf why = BUF_INIT;
	int r = session_new(c, &f.s, &why), status;
	bool tty = isatty(0) && isatty(1);

	if (r != 0) {
		complain("bb: %s\n", buf_cstr(&why));
		return r == E_BAD ? 2 : 75;
	}
	settings_complain(f.s->settings);
	look_of(1, c->colour, &f.look);
	f.interrupt = -1;
	if (tty) {
		sigset_t set;

		(void)sigemptyset(&set);
		(void)sigaddset(&set, SIGINT);
		if (sigprocmask(SIG_BLOCK, &set, NULL) == 0)
			f.interrupt = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	}
	f.s->on_start = on_start;
	f.s->on_arg = &f;
	if (!opening(&f)) {
		session_free(f.s);
		return 0;
	}
	banner(&f);
	status = tty ? from_terminal(&f) : from_input(&f);
	buf_release(&f.shown);
	buf_release(&f.object);
	session_free(f.s);
	return status;
}

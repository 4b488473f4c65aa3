/* bb log: which trail is meant, and its lines for people or as they are stored. It is read
 * line by line, however long it is. A line that cannot be read counts as a refusal. */
#include "bin/bb/session/log.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/session/log_int.h"
#include "bin/bb/session/state.h"
#include "libcommon/log.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

#define OPEN_MOST 4096

/* A call whose end was not read yet. */
struct open_call {
	int64_t n;
	bool wanted, refused;
	struct buf held; /* its rows, where they are printed at its end */
};

struct reader {
	const struct log_options *o;
	struct look look;
	FILE *f, *to;
	uint64_t lines;
	uint64_t calls, skip; /* call lines read; with -n, how many are left out */
	int64_t since;        /* ms, or INT64_MIN */
	bool filtered;        /* not everything is printed */
	int64_t printing;     /* the call whose rows were printed last */
	struct buf head;      /* of this session, while nothing of it was printed */
	struct open_call open[OPEN_MOST];
	size_t n_open;
	struct verifier *verifier;
};

/* --- which file ------------------------------------------------------------------------- */

static bool
ends_as_trail(const char *name)
{
	size_t n = strlen(name), k = strlen(STATE_SUFFIX);

	return n > k && strcmp(name + n - k, STATE_SUFFIX) == 0;
}

static bool
is_exactly(const char *name, const char *id)
{
	size_t n = strlen(id);

	return strncmp(name, id, n) == 0 && strcmp(name + n, STATE_SUFFIX) == 0;
}

/* Newest trail in dir, or the one whose name begins with `id`; *matches counts them. One
 * that is called just so wins over those that only begin so: *exact. */
static void
search(const char *dir, const char *id, struct buf *best, struct timespec *newest,
    size_t *matches, bool *exact)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		auto_buf struct buf path = BUF_INIT;
		struct stat st;

		if (!ends_as_trail(e->d_name) ||
		    (id != NULL && strncmp(e->d_name, id, strlen(id)) != 0))
			continue;
		(void)buf_fmt(&path, "%s/%s", dir, e->d_name);
		if (stat(buf_cstr(&path), &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		if (id != NULL && is_exactly(e->d_name, id) != *exact) {
			if (*exact)
				continue;
			*exact = true;
			*matches = 0;
			*newest = (struct timespec){-1, 0};
		}
		++*matches;
		if (st.st_mtim.tv_sec > newest->tv_sec ||
		    (st.st_mtim.tv_sec == newest->tv_sec &&
		        st.st_mtim.tv_nsec >= newest->tv_nsec)) {
			*newest = st.st_mtim;
			buf_clear(best);
			(void)buf_str(best, buf_cstr(&path));
		}
	}
	if (d != NULL)
		closedir(d);
}

static int
find(const struct log_options *o, struct buf *path)
{
	auto_buf struct buf dir = BUF_INIT;
	struct timespec newest = {-1, 0};
	auto_free char *ws = NULL;
	size_t matches = 0;
	bool exact = false;

	if (o->file != NULL)
		return buf_str(path, o->file);
	ws = realpath(o->workspace != NULL ? o->workspace : ".", NULL);
	if (ws == NULL && o->session == NULL)
		return E_SYS;
	if (ws != NULL) {
		if (state_session_dir(o->state, ws, &dir) != 0)
			return E_NOMEM;
		search(buf_cstr(&dir), o->session, path, &newest, &matches, &exact);
		if (o->session == NULL)
			return path->len > 0 ? 0 : E_MISSING;
		/* One seed makes the same id everywhere: the one of this directory is meant. */
		if (exact)
			return 0;
		buf_clear(path);
		buf_clear(&dir);
		newest = (struct timespec){-1, 0};
		matches = 0;
	}
	(void)buf_fmt(&dir, "%s/sessions", o->state);
	DIR *d = opendir(buf_cstr(&dir));
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		auto_buf struct buf sub = BUF_INIT;

		if (e->d_name[0] == '.')
			continue;
		(void)buf_fmt(&sub, "%s/%s", buf_cstr(&dir), e->d_name);
		search(buf_cstr(&sub), o->session, path, &newest, &matches, &exact);
	}
	if (d != NULL)
		closedir(d);
	if (matches > 1)
		return E_DUP;
	return path->len > 0 ? 0 : E_MISSING;
}

/* --- printing ---------------------------------------------------------------------------- */

static void
print(struct reader *r, struct buf *b)
{
	if (r->head.len > 0)
		(void)fwrite(r->head.p, 1, r->head.len, r->to);
	buf_clear(&r->head);
	if (b->len > 0)
		(void)fwrite(b->p, 1, b->len, r->to);
	buf_clear(b);
	if (r->o->follow)
		(void)fflush(r->to);
}

/* The rows of a call stand together, and with --refused only its end tells whether they
 * are wanted. Who follows wants each row at once. */
static bool
holds(const struct reader *r)
{
	return r->o->refused || (!r->o->json && !r->o->follow);
}

static void
drop(struct reader *r, size_t i)
{
	struct open_call *c = &r->open[i];

	if (c->wanted && (c->refused || !r->o->refused))
		print(r, &c->held);
	buf_release(&c->held);
	memmove(c, c + 1, (--r->n_open - i) * sizeof(*c));
}

static void
drop_all(struct reader *r)
{
	while (r->n_open > 0)
		drop(r, 0);
}

static void
line_out(const struct reader *r, const json_t *v, const char *kind, const char *line,
    size_t n, struct buf *b)
{
	if (r->o->json) {
		(void)buf_append(b, line, n);
		(void)buf_byte(b, '\n');
	} else {
		log_row(v, kind, &r->look, b);
	}
}

static bool
late_enough(const struct reader *r, const json_t *v)
{
	const char *at = json_string_value(json_object_get(v, "at"));
	int64_t ms;

	return r->since == INT64_MIN ||
	    (at != NULL && log_instant(at, &ms) == 0 && ms >= r->since);
}

/* --- one line after the other --------------------------------------------------------------- */

/* Here begins a session: its head tells how much follows. */
static void
head(struct reader *r, const json_t *v, const char *line, size_t n)
{
	int64_t calls = -1, entries = -1;
	struct log_counts counts;
	off_t here;

	drop_all(r);
	r->printing = -1;
	buf_clear(&r->head);
	if (r->o->json) {
		if (!r->filtered)
			line_out(r, v, "session", line, n, &r->head);
	} else {
		if (!r->o->follow && (here = ftello(r->f)) >= 0) {
			log_count(r->f, &counts);
			if (fseeko(r->f, here, SEEK_SET) == 0) {
				calls = (int64_t)counts.calls;
				entries = (int64_t)counts.entries + 1;
			}
		}
		log_head(v, calls, entries, &r->look, &r->head);
	}
	if (!r->filtered) {
		auto_buf struct buf nothing = BUF_INIT;

		print(r, &nothing);
	}
}

/* A line that belongs to no call. */
static void
between(struct reader *r, const json_t *v, const char *kind, const char *line, size_t n)
{
	auto_buf struct buf b = BUF_INIT;

	if (r->o->tool != NULL || r->calls < r->skip || !late_enough(r, v) ||
	    (r->filtered && strcmp(kind, "session_end") == 0) ||
	    (r->o->refused && json_is_false(json_object_get(v, "refusal"))))
		return;
	line_out(r, v, kind, line, n, &b);
	r->printing = 0;
	print(r, &b);
}

static struct open_call *
call_of(struct reader *r, int64_t n, const char *kind, const json_t *v)
{
	bool begins = strcmp(kind, "call") == 0;
	const char *tool = json_string_value(json_object_get(v, "tool"));
	struct open_call *c;

	for (size_t i = r->n_open; i-- > 0 && !begins;)
		if (r->open[i].n == n)
			return &r->open[i];
	if (r->n_open == OPEN_MOST)
		drop(r, 0);
	r->calls += begins;
	c = &r->open[r->n_open++];
	*c = (struct open_call){.n = n, .held = BUF_INIT};
	c->wanted = r->calls > r->skip && late_enough(r, v) &&
	    (r->o->tool == NULL ||
	        (begins && tool != NULL && strcmp(tool, r->o->tool) == 0));
	return c;
}

static void
of_call(struct reader *r, int64_t n, const json_t *v, const char *kind, const char *line,
    size_t len)
{
	struct open_call *c = call_of(r, n, kind, v);

	c->refused |= !json_is_false(json_object_get(v, "refusal"));
	if (!c->wanted)
		goto end;
	if (!holds(r) && !r->o->json && r->printing != n && strcmp(kind, "call") != 0)
		(void)buf_fmt(&c->held, "%12s %3" PRId64 "\n", "", n);
	line_out(r, v, kind, line, len, &c->held);
	if (!holds(r)) {
		r->printing = n;
		print(r, &c->held);
	}
end:
	if (strcmp(kind, "done") == 0)
		drop(r, (size_t)(c - r->open));
}

static void
unreadable(struct reader *r)
{
	auto_buf struct buf b = BUF_INIT;

	if (r->verifier != NULL) {
		verifier_fault(r->verifier,
		    "it cannot be read: torn, or written by somebody else");
		return;
	}
	if (r->o->json) {
		complain("bb: line %" PRIu64 " of the trail cannot be read\n", r->lines);
		return;
	}
	r->printing = -1;
	(void)buf_fmt(&b, "%15s%-7s line %" PRIu64 " cannot be read\n", "", "TORN",
	    r->lines);
	print(r, &b);
}

static void
take(struct reader *r, const char *line, size_t n)
{
	auto_json json_t *v = NULL;
	const char *kind;
	int64_t call;

	r->lines++;
	if (n == 0) {
		if (r->verifier != NULL)
			verifier_blank(r->verifier);
		return;
	}
	if (json_parse(line, n, &v, NULL) != 0 ||
	    (kind = json_string_value(json_object_get(v, "kind"))) == NULL) {
		unreadable(r);
		return;
	}
	if (r->verifier != NULL) {
		verifier_line(r->verifier, v, kind);
		return;
	}
	call = json_integer_value(json_object_get(v, "call"));
	if (strcmp(kind, "session") == 0)
		head(r, v, line, n);
	else if (call == 0)
		between(r, v, kind, line, n);
	else
		of_call(r, call, v, kind, line, n);
}

/* With -n: how many calls come before the last n. */
static void
skip_to_last(struct reader *r)
{
	struct log_counts counts;
	uint64_t calls = 0;

	do {
		log_count(r->f, &counts);
		calls += counts.calls;
	} while (!feof(r->f) && !ferror(r->f));
	rewind(r->f);
	r->skip = calls > r->o->n ? calls - r->o->n : 0;
}

static void
read_all(struct reader *r)
{
	auto_free char *line = NULL;
	size_t room = 0;
	ssize_t n;

	for (;;) {
		while ((n = getline(&line, &room, r->f)) > 0 && !ferror(r->to)) {
			bool torn = line[n - 1] != '\n';

			if (torn && r->o->follow && r->verifier == NULL) {
				/* Not whole yet: it is read again from its beginning. */
				(void)fseeko(r->f, -(off_t)n, SEEK_CUR);
				break;
			}
			if (torn && r->verifier != NULL)
				verifier_fault(r->verifier, "the last line is torn");
			else
				take(r, line, (size_t)n - (torn ? 0 : 1));
		}
		if (!r->o->follow || r->verifier != NULL || ferror(r->to))
			break;
		clearerr(r->f);
		(void)usleep(100000);
	}
	drop_all(r);
}

/* The options as far as they can be wrong. */
static int
options(struct reader *r)
{
	const struct log_options *o = r->o;

	r->since = INT64_MIN;
	if (o->since != NULL && log_instant(o->since, &r->since) != 0) {
		complain(
		    "bb: --since takes a time such as 2026-11-30T14:02:11Z, 2026-11-30 "
		    "or 14:02\n");
		return 2;
	}
	r->filtered = o->n > 0 || o->refused || o->tool != NULL || o->since != NULL;
	return 0;
}

static int
not_found(const struct log_options *o, int e)
{
	if (e == E_DUP)
		complain(
		    "bb: more than one session begins like that; bb sessions lists "
		    "them: give the whole id, with its .2, .3 where one seed was used "
		    "again, and -C DIR for one of another directory\n");
	else if (o->session != NULL)
		complain("bb: no session '%s'; bb sessions lists them\n", o->session);
	else if (e == E_MISSING)
		complain("bb: no session of this directory is recorded\n");
	else
		complain("bb: cannot look for the record: %s\n",
		    e == E_SYS ? err_errno(errno) : err_text(e));
	return o->session != NULL ? 2 : e == E_MISSING ? 1 : 75;
}

/* One seed used again: its later sessions are named by a number behind the id. */
static void
say_siblings(const struct log_options *o, struct buf *path)
{
	auto_buf struct buf second = BUF_INIT;
	size_t n = path->len, k = strlen(STATE_SUFFIX);

	if (o->session == NULL || n <= k ||
	    !is_exactly(path_base(buf_cstr(path)), o->session))
		return;
	(void)buf_fmt(&second, "%.*s.2" STATE_SUFFIX, (int)(n - k), buf_cstr(path));
	if (access(buf_cstr(&second), F_OK) == 0)
		complain(
		    "bb: this seed was used again: bb log %s.2 is its second session, bb "
		    "sessions lists all\n",
		    o->session);
	complaint_answered(); /* a remark */
}

/* A session keeps its record locked as long as it runs. */
static bool
is_held(FILE *f)
{
	if (flock(fileno(f), LOCK_EX | LOCK_NB) == 0) {
		(void)flock(fileno(f), LOCK_UN);
		return false;
	}
	return errno == EWOULDBLOCK;
}

int
log_number(const char *arg, size_t *n)
{
	char *end;

	*n = 5;
	while (*arg == ' ')
		arg++;
	if (*arg == '\0')
		return 0;
	errno = 0;
	*n = strtoul(arg, &end, 10);
	return *arg >= '0' && *arg <= '9' && *end == '\0' && errno == 0 && *n > 0 ? 0
	                                                                          : E_BAD;
}

int
log_main(const struct log_options *o)
{
	struct reader *r = calloc(1, sizeof(*r));
	auto_buf struct buf path = BUF_INIT;
	int e, status = 75;

	if (r == NULL)
		bug("out of memory");
	*r = (struct reader){.o = o,
	    .to = o->to != NULL ? o->to : stdout,
	    .printing = -1,
	    .head = BUF_INIT};
	if ((e = options(r)) != 0) {
		status = e;
	} else if ((e = find(o, &path)) != 0) {
		status = not_found(o, e);
	} else if ((r->f = fopen(buf_cstr(&path), "re")) == NULL) {
		complain("bb: cannot open the trail: %s\n", err_errno(errno));
	} else {
		r->look = o->look != NULL ? *o->look : r->look;
		if (o->look == NULL)
			look_of(1, o->colour, &r->look);
		say_siblings(o, &path);
		if (o->verify)
			r->verifier = verifier_new();
		else if (o->n > 0)
			skip_to_last(r);
		read_all(r);
		status = ferror(r->f) ? 75 : 0;
		if (r->verifier != NULL &&
		    !verifier_end(r->verifier, o->json, is_held(r->f)) && status == 0)
			status = 1;
		if (fflush(r->to) != 0)
			status = 75;
		fclose(r->f);
	}
	buf_release(&r->head);
	free(r);
	return status;
}

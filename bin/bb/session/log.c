/* bb log: a trail, line by line, for people, for programs, and checked. What it holds may
 * be hostile names: all of it goes to the screen through safe_put. A line that cannot be
 * read counts as a refusal. */
#include "bin/bb/session/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bin/bb/session/state.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

struct reader {
	const struct log_options *o;
	struct look look;
	uint64_t lines, seq,
	    first_call;   /* first_call: with -n, calls below are left out */
	int64_t call;     /* of the block being printed */
	struct buf block; /* lines of the open call, printed when it is wanted */
	bool refused, wanted;
	bool headed;
	/* --verify */
	uint64_t open_calls[128];
	size_t n_open;
	bool whole;
	struct buf faults;
};

/* --- which file ------------------------------------------------------------------------- */

static bool
ends_as_trail(const char *name)
{
	size_t n = strlen(name), k = strlen(STATE_SUFFIX);

	return n > k && strcmp(name + n - k, STATE_SUFFIX) == 0;
}

/* Newest trail in dir, or the one whose name begins with `id`; *matches counts them. */
static void
search(const char *dir, const char *id, struct buf *best, struct timespec *newest,
    size_t *matches)
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

	if (o->file != NULL)
		return buf_str(path, o->file);
	if (o->session == NULL) {
		if ((ws = realpath(o->workspace != NULL ? o->workspace : ".", NULL)) ==
		    NULL)
			return E_SYS;
		if (state_session_dir(o->state, ws, &dir) != 0)
			return E_NOMEM;
		search(buf_cstr(&dir), NULL, path, &newest, &matches);
		return path->len > 0 ? 0 : E_MISSING;
	}
	(void)buf_fmt(&dir, "%s/sessions", o->state);
	DIR *d = opendir(buf_cstr(&dir));
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		auto_buf struct buf sub = BUF_INIT;

		if (e->d_name[0] == '.')
			continue;
		(void)buf_fmt(&sub, "%s/%s", buf_cstr(&dir), e->d_name);
		search(buf_cstr(&sub), o->session, path, &newest, &matches);
	}
	if (d != NULL)
		closedir(d);
	if (matches > 1)
		return E_DUP;
	return path->len > 0 ? 0 : E_MISSING;
}

/* --- a line for people ------------------------------------------------------------------- */

static void
foreign(const struct reader *r, const json_t *v, const char *key, struct buf *b)
{
	const json_t *s = json_object_get(v, key);

	if (json_is_string(s))
		safe_put(json_string_value(s), json_string_length(s), SAFE_NAME, &r->look,
		    b);
}

static void
label(const struct reader *r, const json_t *v, const char *key, struct buf *b)
{
	const json_t *l = json_object_get(v, key);

	foreign(r, l, "integrity", b);
	(void)buf_str(b, ", ");
	foreign(r, l, "confidentiality", b);
}

static void
clock_of(const char *at, char out[16])
{
	struct tm tm = {0};
	int ms = 0;
	time_t t;

	(void)snprintf(out, 16, "%s", "??:??:??.???");
	if (at == NULL ||
	    sscanf(at, "%d-%d-%dT%d:%d:%d.%dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
	        &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms) != 7)
		return;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	t = timegm(&tm);
	(void)localtime_r(&t, &tm);
	(void)snprintf(out, 16, "%02u:%02u:%02u.%03u", (unsigned)tm.tm_hour % 100,
	    (unsigned)tm.tm_min % 100, (unsigned)tm.tm_sec % 100, (unsigned)ms % 1000);
}

static void
row(struct buf *b, const char *word)
{
	(void)buf_fmt(b, "               %-7s ", word);
}

static void
show(const struct reader *r, const json_t *v, const char *kind, struct buf *b)
{
	char at[16];
	bool refusal = !json_is_false(json_object_get(v, "refusal"));

	if (strcmp(kind, "call") == 0) {
		clock_of(json_string_value(json_object_get(v, "at")), at);
		(void)buf_fmt(b, "%s %3" JSON_INTEGER_FORMAT "  ", at,
		    json_integer_value(json_object_get(v, "call")));
		foreign(r, v, "tool", b);
		(void)buf_str(b, "   ");
		foreign(r, v, "object", b);
	} else if (strcmp(kind, "gate_passed") == 0) {
		row(b, "ok");
		foreign(r, v, "gate", b);
		(void)buf_str(b, ": ");
		foreign(r, v, "detail", b);
	} else if (strcmp(kind, "gate_blocked") == 0) {
		row(b, "BLOCK");
		foreign(r, v, "gate", b);
		(void)buf_str(b, ": ");
		foreign(r, v, "reason", b);
	} else if (strcmp(kind, "action_field") == 0) {
		row(b, refusal ? "BLOCK" : "ok");
		foreign(r, v, "tool", b);
		(void)buf_str(b, ".");
		foreign(r, v, "field", b);
		(void)buf_str(b, " [");
		foreign(r, v, "role", b);
		(void)buf_str(b, "] ");
		label(r, v, "label", b);
	} else if (strcmp(kind, "observed") == 0) {
		row(b, "observe");
		foreign(r, v, "capability", b);
		(void)buf_str(b, " produced ");
		label(r, v, "label", b);
	} else if (strcmp(kind, "slot_written") == 0 ||
	    strcmp(kind, "slot_deferred") == 0) {
		row(b, "slot");
		foreign(r, v, "slot", b);
		if (json_object_get(v, "origin") != NULL) {
			(void)buf_str(b, " holds ");
			foreign(r, v, "origin", b);
			(void)buf_str(b, ", unread");
		}
		(void)buf_str(b, ", ");
		label(r, v, "label", b);
	} else if (strcmp(kind, "declassified") == 0) {
		row(b, "release");
		foreign(r, v, "slot", b);
		(void)buf_str(b, " ");
		label(r, v, "from", b);
		(void)buf_str(b, " -> ");
		label(r, v, "to", b);
		(void)buf_str(b, ": ");
		foreign(r, v, "reason", b);
	} else if (strcmp(kind, "asked") == 0) {
		row(b, "asked");
		foreign(r, v, "who", b);
		(void)buf_str(b, ": ");
		foreign(r, v, "answer", b);
		(void)buf_str(b, " (");
		foreign(r, v, "question", b);
		(void)buf_str(b, " ");
		foreign(r, v, "object", b);
		(void)buf_str(b, ")");
	} else if (strcmp(kind, "done") == 0) {
		row(b, "done");
		foreign(r, v, "status", b);
		if (json_is_string(json_object_get(v, "code"))) {
			(void)buf_str(b, ", ");
			foreign(r, v, "code", b);
		}
		(void)buf_str(b, ", ");
		label(r, v, "label", b);
	} else if (strcmp(kind, "act") == 0) {
		row(b, "person");
		foreign(r, v, "what", b);
		(void)buf_str(b, " ");
		foreign(r, v, "object", b);
	} else {
		return; /* a kind of a later version */
	}
	(void)buf_byte(b, '\n');
}

/* --- one pass over the lines ---------------------------------------------------------------- */

static void
fault(struct reader *r, const char *what)
{
	r->whole = false;
	(void)buf_fmt(&r->faults, "line %" PRIu64 ": %s\n", r->lines, what);
}

static bool
is_open(struct reader *r, uint64_t call)
{
	for (size_t i = 0; i < r->n_open; i++)
		if (r->open_calls[i] == call)
			return true;
	return false;
}

static void
verify(struct reader *r, const json_t *v, const char *kind)
{
	int64_t seq = json_integer_value(json_object_get(v, "seq"));
	uint64_t call = (uint64_t)json_integer_value(json_object_get(v, "call"));

	if (strcmp(kind, "session") ==
	    0) { /* a file may be opened again by a seeded session */
		r->seq = 0;
		r->n_open = 0;
	}
	if (seq != (int64_t)r->seq + 1)
		fault(r, "the sequence is broken");
	r->seq = (uint64_t)seq;
	if (call == 0)
		return;
	if (strcmp(kind, "call") == 0) {
		if (r->n_open < sizeof(r->open_calls) / sizeof(*r->open_calls))
			r->open_calls[r->n_open++] = call;
		return;
	}
	if (!is_open(r, call))
		fault(r, "it belongs to no open call");
	if (strcmp(kind, "done") == 0)
		for (size_t i = 0; i < r->n_open; i++)
			if (r->open_calls[i] == call)
				r->open_calls[i] = r->open_calls[--r->n_open];
}

static void
flush_block(struct reader *r)
{
	if (r->wanted && r->block.len > 0 && (!r->o->refused || r->refused)) {
		(void)fwrite(buf_cstr(&r->block), 1, r->block.len, stdout);
		(void)fflush(stdout);
	}
	buf_clear(&r->block);
	r->refused = false;
	r->wanted = true;
}

static bool
wanted_call(const struct reader *r, const json_t *v)
{
	const char *tool = json_string_value(json_object_get(v, "tool")),
	           *at = json_string_value(json_object_get(v, "at"));

	if (r->o->tool != NULL && (tool == NULL || strcmp(tool, r->o->tool) != 0))
		return false;
	if (r->o->since != NULL && (at == NULL || strcmp(at, r->o->since) < 0))
		return false;
	return (uint64_t)json_integer_value(json_object_get(v, "call")) >= r->first_call;
}

static void
take(struct reader *r, const char *line, size_t n)
{
	auto_json json_t *v = NULL;
	const char *kind;
	int64_t call;

	r->lines++;
	if (n == 0)
		return;
	if (json_parse(line, n, &v, NULL) != 0 ||
	    (kind = json_string_value(json_object_get(v, "kind"))) == NULL) {
		if (r->o->verify)
			fault(r, "it cannot be read (torn?)");
		else if (!r->o->json) {
			row(&r->block, "TORN");
			(void)buf_fmt(&r->block, "line %" PRIu64 " cannot be read\n",
			    r->lines);
		}
		r->refused = true;
		return;
	}
	if (r->o->verify) {
		verify(r, v, kind);
		return;
	}
	call = json_integer_value(json_object_get(v, "call"));
	/* Lines of one call stand together unless calls ran side by side; a block ends where
	 * another call's line begins. */
	if (call != r->call || strcmp(kind, "call") == 0) {
		flush_block(r);
		r->call = call;
		if (call == 0)
			r->wanted = r->first_call == 0 && r->o->tool == NULL &&
			    r->o->since == NULL;
		else if (strcmp(kind, "call") == 0)
			r->wanted = wanted_call(r, v);
		else
			r->wanted = (uint64_t)call >= r->first_call && r->o->tool == NULL;
	}
	r->refused |= !json_is_false(json_object_get(v, "refusal"));
	if (r->o->json) {
		(void)buf_append(&r->block, line, n);
		(void)buf_byte(&r->block, '\n');
	} else if (strcmp(kind, "session") == 0) {
		(void)buf_str(&r->block, "");
		foreign(r, v, "session", &r->block);
		(void)buf_fmt(&r->block, "  %.10s  ",
		    json_string_value(json_object_get(v, "at")) != NULL
		        ? json_string_value(json_object_get(v, "at"))
		        : "");
		foreign(r, v, "workspace", &r->block);
		(void)buf_str(&r->block, "   ");
		foreign(r, v, "front", &r->block);
		(void)buf_byte(&r->block, '\n');
	} else {
		show(r, v, kind, &r->block);
	}
}

/* Number of the last call in the file, by a light look at each line. */
static uint64_t
last_call(FILE *f)
{
	auto_free char *line = NULL;
	size_t room = 0;
	uint64_t last = 0;

	while (getline(&line, &room, f) >= 0) {
		const char *p = strstr(line, "\"kind\":\"call\"") != NULL
		    ? strstr(line, "\"call\":")
		    : NULL;

		if (p != NULL)
			last = strtoull(p + 7, NULL, 10);
	}
	rewind(f);
	return last;
}

int
log_main(const struct log_options *o)
{
	struct reader r = {.o = o,
	    .whole = true,
	    .wanted = true,
	    .call = -1,
	    .block = BUF_INIT,
	    .faults = BUF_INIT};
	auto_buf struct buf path = BUF_INIT;
	auto_free char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int e = find(o, &path);
	FILE *f;

	if (e != 0) {
		fprintf(stderr,
		    e == E_DUP ? "bb: more than one session begins like that\n"
		        : o->session != NULL
		        ? "bb: no session '%s'\n"
		        : "bb: no session of this directory is recorded\n",
		    o->session);
		return e == E_DUP || o->session != NULL ? 2 : 1;
	}
	if ((f = fopen(buf_cstr(&path), "re")) == NULL) {
		fprintf(stderr, "bb: cannot open the trail: %s\n", err_errno(errno));
		return 75;
	}
	look_of(1, o->colour, &r.look);
	if (o->n > 0) {
		uint64_t last = last_call(f);

		r.first_call = last > o->n ? last - o->n + 1 : 1;
	}
	for (;;) {
		while ((n = getline(&line, &room, f)) > 0) {
			bool torn = line[n - 1] != '\n';

			if (torn &&
			    o->follow) { /* not complete yet: read again from its beginning */
				(void)fseek(f, -(long)n, SEEK_CUR);
				break;
			}
			if (!torn)
				n--;
			else if (o->verify)
				fault(&r, "the last line is torn");
			take(&r, line, (size_t)n);
		}
		if (!o->follow)
			break;
		flush_block(&r);
		clearerr(f);
		(void)usleep(100000);
	}
	flush_block(&r);
	fclose(f);
	if (o->verify && r.whole)
		printf("%s%" PRIu64 " lines, whole%s\n",
		    o->json ? "{\"schema\":1,\"whole\":true,\"lines\":" : "", r.lines,
		    o->json ? "}" : "");
	else if (o->verify)
		printf("%s", buf_cstr(&r.faults));
	buf_release(&r.block);
	buf_release(&r.faults);
	return r.whole ? 0 : 1;
}

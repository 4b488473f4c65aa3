/* bb sessions: what is recorded, and how old records are removed. Removes trail files and
 * the directories they leave empty, nothing else. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bin/bb/session/log_int.h"
#include "bin/bb/session/state.h"
#include "libcommon/log.h"
#include "libcommon/own.h"

struct listing {
	const struct sessions_options *o;
	int64_t before; /* prune: last written before this second */
	json_t *rows;
	unsigned removed, running;
	uint64_t bytes;
};

/* "30d", "12h", "90m" to seconds, or -1. */
static int64_t
age(const char *s)
{
	char *end;
	int64_t n = strtoll(s, &end, 10);

	if (end == s || n < 0 || n > 1000000 || end[0] == '\0' || end[1] != '\0')
		return -1;
	return *end == 'd' ? n * 86400
	    : *end == 'h'  ? n * 3600
	    : *end == 'm'  ? n * 60
	                   : -1;
}

static void
look_at(struct listing *l, int dir, const char *name, const struct stat *st)
{
	auto_free char *line = NULL;
	auto_json json_t *first = NULL;
	struct log_counts all = {0}, part;
	size_t room = 0;
	ssize_t n;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (f == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	if ((n = getline(&line, &room, f)) > 0)
		(void)!json_parse(line, (size_t)n, &first, NULL);
	do {
		log_count(f, &part);
		all.calls += part.calls;
		all.refused += part.refused;
	} while (!feof(f) && !ferror(f));
	fclose(f);
	/* By the file's name, which is what bb log takes: a seed used again makes the same
	 * session id, and the file's has a number behind it. */
	json_array_append_new(l->rows,
	    json_pack("{s:o?,s:s?,s:n,s:s?,s:I,s:I,s:s?,s:I}", "id",
	        json_stringn(name, strlen(name) - strlen(STATE_SUFFIX)), "directory",
	        json_string_value(json_object_get(first, "workspace")), "title", "start",
	        json_string_value(json_object_get(first, "at")), "calls",
	        (json_int_t)all.calls, "refused", (json_int_t)all.refused, "front",
	        json_string_value(json_object_get(first, "front")), "size",
	        (json_int_t)st->st_size));
}

/* A session that still runs holds its trail locked; it must not lose it. */
static void
prune(struct listing *l, int dir, const char *name, const struct stat *st)
{
	auto_fd int fd = -1;

	if (st->st_mtime >= l->before ||
	    (fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)) < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		l->running++;
	} else if (l->o->dry_run || unlinkat(dir, name, 0) == 0) {
		l->removed++;
		l->bytes += (uint64_t)st->st_size;
	}
}

static void
each(struct listing *l, int root, const char *dir)
{
	/* SAFE: records are removed here; a link would lead the removal elsewhere. */
	int fd = openat(root, dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (d == NULL && fd >= 0)
		close(fd);
	while (d != NULL && (e = readdir(d)) != NULL) {
		size_t n = strlen(e->d_name), k = strlen(STATE_SUFFIX);
		struct stat st;

		if (n <= k || strcmp(e->d_name + n - k, STATE_SUFFIX) != 0)
			continue;
		if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		if (l->o->prune)
			prune(l, fd, e->d_name, &st);
		else
			look_at(l, fd, e->d_name, &st);
	}
	if (d != NULL)
		closedir(d);
	if (d != NULL && l->o->prune && !l->o->dry_run)
		(void)unlinkat(root, dir, AT_REMOVEDIR); /* only if it is empty now */
}

static void
print(const struct listing *l)
{
	struct look look;
	size_t i;
	json_t *v;

	look_of(1, COLOUR_NEVER, &look);
	json_array_foreach(l->rows, i, v) {
		auto_buf struct buf b = BUF_INIT;
		char date[11], at[13];
		json_int_t calls = json_integer_value(json_object_get(v, "calls"));

		log_date(json_object_get(v, "start"), date);
		log_clock(json_object_get(v, "start"), at);
		log_name(v, "id", 13, &look, &b);
		(void)buf_fmt(&b,
		    " %s %.5s  %5" JSON_INTEGER_FORMAT " call%s %4" JSON_INTEGER_FORMAT
		    " refused %9" JSON_INTEGER_FORMAT " bytes  ",
		    date, at, calls, calls == 1 ? " " : "s",
		    json_integer_value(json_object_get(v, "refused")),
		    json_integer_value(json_object_get(v, "size")));
		log_name(v, "front", 8, &look, &b);
		(void)buf_byte(&b, ' ');
		log_name(v, "directory", 0, &look, &b);
		puts(buf_cstr(&b));
	}
}

static int
by_start(const void *a, const void *b)
{
	const char *x = json_string_value(json_object_get(*(json_t *const *)a, "start")),
	           *y = json_string_value(json_object_get(*(json_t *const *)b, "start"));

	return strcmp(x != NULL ? x : "", y != NULL ? y : "");
}

static void
sort(struct listing *l)
{
	size_t n = json_array_size(l->rows);
	json_t **at = calloc(n + 1, sizeof(*at)), *sorted = json_array();

	for (size_t i = 0; at != NULL && i < n; i++)
		at[i] = json_array_get(l->rows, i);
	if (at != NULL)
		qsort(at, n, sizeof(*at), by_start);
	for (size_t i = 0; at != NULL && i < n; i++)
		json_array_append(sorted, at[i]);
	free(at);
	json_decref(l->rows);
	l->rows = sorted;
}

int
sessions_main(const struct sessions_options *o)
{
	struct listing l = {.o = o, .rows = json_array()};
	auto_buf struct buf root = BUF_INIT;
	struct dirent *e;
	struct stat st;
	DIR *d;
	int fd;

	if (o->prune) {
		int64_t s = o->older != NULL ? age(o->older) : -1;

		if (s < 0) {
			complain(
			    "bb: sessions prune needs --older AGE, such as 30d or 12h\n");
			json_decref(l.rows);
			return 2;
		}
		l.before = (int64_t)time(NULL) - s;
	}
	(void)buf_fmt(&root, "%s/sessions", o->state);
	fd = open(buf_cstr(&root), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (o->prune && fd >= 0 && (fstat(fd, &st) != 0 || st.st_uid != geteuid())) {
		complain(
		    "bb: '%s' belongs to another user (uid %u): nothing is removed\n",
		    buf_cstr(&root), (unsigned)st.st_uid);
		close(fd);
		json_decref(l.rows);
		return 75;
	}
	if ((d = fd >= 0 ? fdopendir(fd) : NULL) == NULL && fd >= 0)
		close(fd);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			each(&l, dirfd(d), e->d_name);
	if (d != NULL)
		closedir(d);
	sort(&l);
	if (o->json) {
		auto_buf struct buf b = BUF_INIT;
		auto_json json_t *v = o->prune
		    ? json_pack("{s:i,s:i,s:i,s:I,s:b}", "schema", 1, "removed",
		          (int)l.removed, "running", (int)l.running, "bytes",
		          (json_int_t)l.bytes, "dry_run", o->dry_run)
		    : json_pack("{s:i,s:O}", "schema", 1, "sessions", l.rows);

		(void)json_print(v, &b);
		puts(buf_cstr(&b));
	} else if (o->prune) {
		printf("%u record%s%s removed, %" PRIu64 " bytes\n", l.removed,
		    l.removed == 1 ? "" : "s", o->dry_run ? " would be" : "", l.bytes);
		if (l.running > 0)
			printf("%u left: %s still running\n", l.running,
			    l.running == 1 ? "its session is" : "their sessions are");
	} else {
		print(&l);
	}
	json_decref(l.rows);
	return 0;
}

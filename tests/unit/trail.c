/* The trail: the shape of every line, hostile names, a full device, a torn end, a kill. */
#include "bin/bb/labels/labels.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "libcommon/io.h"
#include "tests/tap.h"

static char dir[] = "/tmp/bbtrailXXXXXX", path[64];

static struct trail *
begin(const char *file, int fd)
{
	struct trail_start how = {.path = file,
	    .fd = fd,
	    .session = "7f3a",
	    .workspace = "/w s",
	    .front = "drive",
	    .mode = "default",
	    .seed = "5"};
	struct trail *t;

	if (trail_open(&how, &t) != 0)
		return NULL;
	return t;
}

static struct trail *
fresh(void)
{
	if (path[0] == '\0') {
		if (mkdtemp(dir) == NULL)
			abort();
		(void)snprintf(path, sizeof(path), "%s/t", dir);
	}
	(void)unlink(path);
	return begin(path, -1);
}

static struct buf got = BUF_INIT;

/* The file without its times, which no test looks at. */
static const char *
lines(void)
{
	struct buf raw = BUF_INIT;
	int fd = open(path, O_RDONLY);

	buf_clear(&got);
	if (fd < 0 || io_read_all(fd, &raw) != 0)
		abort();
	close(fd);
	for (size_t i = 0; i < raw.len;) {
		if (strncmp(raw.p + i, "\"at\":\"", 6) == 0) {
			i += 6 + strlen("2026-11-30T14:02:11.204Z") + 2;
			continue;
		}
		(void)buf_byte(&got, raw.p[i++]);
	}
	buf_release(&raw);
	return buf_cstr(&got);
}

#define HEAD \
	"{\"seq\":1,\"kind\":\"session\",\"session\":\"7f3a\",\"workspace\":\"/w " \
	"s\",\"front\":\"drive\"," \
	"\"mode\":\"default\",\"seed\":\"5\",\"version\":\"" BB_VERSION \
	"\",\"refusal\":false}\n" \
	"{\"seq\":2,\"kind\":\"gate_passed\",\"gate\":\"mode\",\"detail\":\"default\"," \
	"\"refusal\":false}\n"
/* What closing appends: the session's end. */
#define END TAIL(3, 0)
#define TAIL(seq, calls) \
	"{\"seq\":" #seq ",\"kind\":\"session_end\",\"calls\":" #calls \
	",\"refusal\":false}\n"

TEST(every_line)
{
	struct trail *t = fresh();

	ok_str(lines(), "", "nothing is written before a flush");
	trail_call(t, 1, "read_file", "a b", "9be1d377");
	trail_call(t, 2, "list_files", NULL, NULL);
	trail_gate(t, 1, "precommit", NULL);
	trail_block(t, 1, "confine", "../x", "outside");
	trail_field(t, 1, "read_file", "path", true, LABEL_T_PUB, true);
	trail_field(t, 1, "write_file", "contents", false, LABEL_U_PRIV, false);
	trail_observed(t, 1, "file_read", LABEL_U_PRIV);
	trail_slot(t, 1, "ref:0", LABEL_U_PUB);
	trail_deferred(t, 1, "ref:1", "v/n.md", LABEL_T_PRIV);
	trail_declassified(t, 1, "ref:0", LABEL_U_PRIV, LABEL_T_PRIV, "person");
	trail_asked(t, 1, "vouch", "v/n.md", "person at terminal", "yes");
	trail_done(t, 1, "ok", NULL, LABEL_T_PRIV);
	trail_done(t, 2, "refused", "outside-workspace", LABEL_T_PUB);
	trail_act(t, "vouch", "v", "person at terminal");
	ok_int(trail_entries(t), 16, "sixteen entries");
	ok_str(lines(), "", "still nothing");
	ok_int(trail_flush(t), 0, "flushed");
	ok_str(lines(),
	    HEAD "{\"seq\":3,\"call\":1,\"kind\":\"call\",\"tool\":\"read_file\","
	         "\"object\":\"a b\",\"power\":\"9be1d377\",\"refusal\":false}\n"
	         "{\"seq\":4,\"call\":2,\"kind\":\"call\",\"tool\":\"list_files\","
	         "\"refusal\":false}\n"
	         "{\"seq\":5,\"call\":1,\"kind\":\"gate_passed\",\"gate\":\"precommit\","
	         "\"refusal\":false}\n"
	         "{\"seq\":6,\"call\":1,\"kind\":\"gate_blocked\",\"gate\":\"confine\","
	         "\"detail\":\"../x\",\"reason\":\"outside\",\"refusal\":true}\n"
	         "{\"seq\":7,\"call\":1,\"kind\":\"action_field\",\"tool\":\"read_file\","
	         "\"field\":\"path\",\"role\":\"routing\",\"label\":{\"integrity\":"
	         "\"trusted\",\"confidentiality\":\"public\"},\"allowed\":true,"
	         "\"refusal\":false}\n"
	         "{\"seq\":8,\"call\":1,\"kind\":\"action_field\",\"tool\":\"write_"
	         "file\",\"field\":\"contents\",\"role\":\"content\",\"label\":{"
	         "\"integrity\":\"untrusted\",\"confidentiality\":\"private\"},"
	         "\"allowed\":false,\"refusal\":true}\n"
	         "{\"seq\":9,\"call\":1,\"kind\":\"observed\",\"capability\":\"file_"
	         "read\",\"label\":{\"integrity\":\"untrusted\",\"confidentiality\":"
	         "\"private\"},\"refusal\":false}\n"
	         "{\"seq\":10,\"call\":1,\"kind\":\"slot_written\",\"slot\":\"ref:0\","
	         "\"label\":{\"integrity\":\"untrusted\",\"confidentiality\":\"public\"},"
	         "\"refusal\":false}\n"
	         "{\"seq\":11,\"call\":1,\"kind\":\"slot_deferred\",\"slot\":\"ref:1\","
	         "\"origin\":\"v/"
	         "n.md\",\"label\":{\"integrity\":\"trusted\",\"confidentiality\":"
	         "\"private\"},\"refusal\":false}\n"
	         "{\"seq\":12,\"call\":1,\"kind\":\"declassified\",\"slot\":\"ref:0\","
	         "\"from\":{\"integrity\":\"untrusted\",\"confidentiality\":\"private\"},"
	         "\"to\":{\"integrity\":\"trusted\",\"confidentiality\":\"private\"},"
	         "\"reason\":\"person\",\"refusal\":false}\n"
	         "{\"seq\":13,\"call\":1,\"kind\":\"asked\",\"question\":\"vouch\","
	         "\"object\":\"v/n.md\",\"who\":\"person at "
	         "terminal\",\"answer\":\"yes\",\"refusal\":false}\n"
	         "{\"seq\":14,\"call\":1,\"kind\":\"done\",\"status\":\"ok\",\"label\":{"
	         "\"integrity\":\"trusted\",\"confidentiality\":\"private\"},\"refusal\":"
	         "false}\n"
	         "{\"seq\":15,\"call\":2,\"kind\":\"done\",\"status\":\"refused\","
	         "\"code\":\"outside-workspace\",\"label\":{\"integrity\":\"trusted\","
	         "\"confidentiality\":\"public\"},\"refusal\":true}\n"
	         "{\"seq\":16,\"kind\":\"act\",\"what\":\"vouch\",\"object\":\"v\","
	         "\"by\":\"person at terminal\",\"refusal\":false}\n",
	    "each kind as it is stored");
	ok_int(trail_flush(t), 0, "a second flush");
	ok(strcmp(trail_path(t), path) == 0 && !trail_broken(t),
	    "its path; it is not broken");
	trail_close(t);
	ok(strstr(lines(), TAIL(17, 2)) != NULL && strstr(lines(), "\"seq\":18") == NULL,
	    "the end counts the calls, and nothing is written twice");
}

TEST(closing_writes_what_is_queued)
{
	struct stat st;

	trail_close(fresh());
	ok_str(lines(), HEAD END, "the head and the end");
	ok(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600, "mode 0600");
}

TEST(hostile_names)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
	    {"a\nb", "a\\u000ab"},
	    {"\x1b[31m", "\\u001b[31m"},
	    {"a\"b\\c", "a\\\"b\\\\c"},
	    {"\x7f", "\\u007f"},
	    {"\xc2\x9b", "\\u009b"},
	    {"\xe2\x80\xae", "\\u202e"},
	    {"\xe2\x80\xa8", "\\u2028"},
	    {"\xe2\x81\xa6", "\\u2066"},
	    {"\xef\xbb\xbf", "\\ufeff"},
	    {"\xe2\x80\x8b", "\\u200b"},
	    {"\xff", "<FF>"},
	    {"a\xc3", "a<C3>"},
	    {"\xc0\xaf", "<C0><AF>"},
	    {"\xed\xa0\x80", "<ED><A0><80>"},
	    {"\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80"},
	    {"\",\"kind\":\"done", "\\\",\\\"kind\\\":\\\"done"},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct trail *t = fresh();
		struct buf want = BUF_INIT;

		trail_act(t, "vouch", rows[i].in, NULL);
		trail_close(t);
		(void)buf_fmt(&want,
		    HEAD
		    "{\"seq\":3,\"kind\":\"act\",\"what\":\"vouch\",\"object\":\"%s\","
		    "\"refusal\":false}\n" TAIL(4, 0),
		    rows[i].out);
		ok(strcmp(lines(), buf_cstr(&want)) == 0, "row %zu: %s", i, rows[i].out);
		buf_release(&want);
	}
	for (unsigned c = 1; c < 256; c++) {
		struct trail *t = fresh();
		const char name[] = {'x', (char)c, 'y', '\0'};
		json_t *v = NULL;
		const char *last;
		size_t n;

		trail_act(t, "vouch", name, NULL);
		trail_close(t);
		last = strstr(lines(), "{\"seq\":3");
		n = last != NULL ? strcspn(last, "\n") : 0;
		if (last == NULL || json_parse(last, n, &v, NULL) != 0 ||
		    strcmp(last + n + 1, TAIL(4, 0)) != 0)
			ok(false, "byte %u breaks the line", c);
		json_decref(v);
	}
	ok(true, "no single byte breaks a line");
}

/* --- where nothing can be written ------------------------------------------------------- */

TEST(full_device)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct trail *t;

	if (fd < 0) {
		skip("no /dev/full here");
		return;
	}
	t = begin(NULL, fd);
	ok(t != NULL, "it opens");
	errno = 0;
	ok_int(trail_flush(t), E_SYS, "the flush fails");
	ok_int(errno, ENOSPC, "and says why");
	ok(trail_broken(t), "it is broken");
	ok(trail_path(t) == NULL, "a descriptor has no path");
	/* Room comes back: a record with a hole is no record. */
	if (dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), fd) < 0)
		abort();
	errno = 0;
	ok_int(trail_flush(t), E_SYS, "for good");
	ok_int(errno, ENOSPC, "with the same reason");
	trail_gate(t, 1, "precommit", NULL);
	ok_int(trail_flush(t), E_SYS, "later lines too");
	trail_close(t);
	ok(fcntl(fd, F_GETFD) >= 0, "a borrowed descriptor stays open");
	close(fd);
	t = begin("/dev/full", -1);
	ok(t == NULL, "by name a device is refused from the start: it keeps nothing");
}

TEST(nobody_reads)
{
	struct trail *t;
	int p[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(p) != 0)
		abort();
	t = begin(NULL, p[1]);
	ok_int(trail_flush(t), 0, "while somebody reads");
	close(p[0]);
	trail_gate(t, 1, "precommit", NULL);
	errno = 0;
	ok_int(trail_flush(t), E_SYS, "nobody reads any more");
	ok_int(errno, EPIPE, "it says so");
	ok(trail_broken(t), "broken");
	trail_close(t);
	close(p[1]);
}

TEST(where_it_may_lie)
{
	char link[80];
	struct trail *t = fresh();

	trail_close(t);
	(void)snprintf(link, sizeof(link), "%s/link", dir);
	ok(symlink(path, link) == 0 && begin(link, -1) == NULL, "never through a link");
	unlink(link);
	(void)snprintf(link, sizeof(link), "%s/no/t", dir);
	errno = 0;
	ok(begin(link, -1) == NULL && errno == ENOENT,
	    "no directory: an error with its reason");
	ok(begin(dir, -1) == NULL, "a directory is no file");
	t = begin(NULL, -1);
	trail_gate(t, 1, "precommit", NULL);
	ok(t != NULL && trail_flush(t) == 0 && !trail_broken(t) && trail_path(t) == NULL,
	    "a private session: each flush succeeds");
	ok_int(trail_entries(t), 3, "and entries are counted");
	trail_close(t);
	trail_close(NULL);
}

/* --- what is there already ---------------------------------------------------------------- */

static void
append(const char *s)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, s, strlen(s)) != (ssize_t)strlen(s) || close(fd) != 0)
		abort();
}

TEST(a_torn_end)
{
	trail_close(fresh());
	append("{\"at\":\"2026-11-30T14:02:11.204Z\",\"seq\":3,\"ki");
	trail_close(begin(path, -1));
	ok_str(lines(), HEAD END "{\"seq\":3,\"ki\n" HEAD END,
	    "it stays on a line of its own");
	trail_close(begin(path, -1));
	ok_str(lines(), HEAD END "{\"seq\":3,\"ki\n" HEAD END HEAD END,
	    "a whole end gets no empty line");
	if (truncate(path, 0) != 0)
		abort();
	trail_close(begin(path, -1));
	ok_str(lines(), HEAD END, "nor an empty file");
}

/* Killed at any moment, each line but the last is whole. */
TEST(killed)
{
	size_t bad = 0, seen = 0;

	for (unsigned round = 0; round < 20; round++) {
		struct trail *t = fresh();
		const char *p;
		pid_t pid;

		if (trail_flush(t) != 0 || (pid = fork()) < 0)
			abort();
		if (pid == 0) {
			for (unsigned k = 1;; k++) {
				trail_call(t, k, "read_file", "some/name\n", NULL);
				trail_gate(t, k, "precommit", "x");
				if (trail_flush(t) != 0)
					_exit(1);
			}
		}
		(void)nanosleep(&(struct timespec){0, 500000L * (round + 1)}, NULL);
		kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		p = lines();
		while (*p != '\0') {
			const char *nl = strchr(p, '\n');
			json_t *v = NULL;

			if (nl == NULL)
				break;
			seen++;
			bad += json_parse(p, (size_t)(nl - p), &v, NULL) != 0;
			json_decref(v);
			p = nl + 1;
		}
		trail_close(t);
	}
	ok(bad == 0, "%zu lines, all whole", seen);
	buf_release(&got);
	unlink(path);
	rmdir(dir);
}

TAP_MAIN

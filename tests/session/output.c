/* read_output of what a command printed (tools-files 5). No tool makes such a reference yet
 * but the test: a session, a slot with the line that filled it, an approver on a socket. */
#include "tests/tap.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bin/bb/session/session_int.h"

static char dir[64], ws[96], state[96], trail[96];
static struct session *s;
static int person; /* the approver's end */
static struct {
	bool over;
	enum status status;
	char code[32], gate[32], label[16], data[4096];
	char *text;
	size_t refs;
} got;
static char heard[2 << 20];
static const char *say; /* what is answered to a question, as JSON; NULL: nothing */
static unsigned asked;

/* A session looks for its helpers beside the program: the test goes where one can lie. */
__attribute__((constructor)) static void
move(void)
{
	char self[PATH_MAX], made[] = "/tmp/bboutput.XXXXXX", cmd[2 * PATH_MAX + 128];
	const char *at = getenv("BB_OUTPUT_DIR");
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (at != NULL) {
		(void)snprintf(dir, sizeof dir, "%s", at);
		return;
	}
	if (n < 0 || mkdtemp(made) == NULL)
		_exit(1);
	self[n] = '\0';
	(void)snprintf(cmd, sizeof cmd, "cp '%s' %s/test && ln -s /bin/false %s/bb-read",
	    self, made, made);
	setenv("BB_OUTPUT_DIR", made, 1);
	if (system(cmd) != 0)
		_exit(1);
	(void)snprintf(cmd, sizeof cmd, "%s/test", made);
	execl(cmd, cmd, (char *)NULL);
	_exit(1);
}

static void
begin(bool with_person)
{
	static char how[16];
	struct session_config c = {.workspace = ws,
	    .state = state,
	    .trail = trail,
	    .approver = "none",
	    .front = "drive"};
	auto_buf struct buf why = BUF_INIT;
	int pair[2];

	person = -1;
	asked = 0;
	if (with_person) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
			exit(1);
		person = pair[1];
		(void)snprintf(how, sizeof how, "fd:%d", pair[0]);
		c.approver = how;
	}
	if (!ok(session_new(&c, &s, &why) == 0, "a session")) {
		printf("# %s\n", buf_cstr(&why));
		fflush(stdout);
		exit(1);
	}
	heard[0] = '\0';
}

static void
end(void)
{
	session_free(s);
	if (person >= 0)
		close(person);
}

static void
mint(const char *command, const char *p, size_t n, struct label l, enum ref_kind kind)
{
	struct ref init = {.kind = kind, .label = l, .lines = -1, .bytes = (int64_t)n},
	           *r;

	init.origin = strdup("the command");
	init.from_command = command != NULL ? strdup(command) : NULL;
	if (slot_of("output", p, n, l, &init.slot) != 0 ||
	    refs_mint(s->refs, &init, &r) != 0)
		exit(1);
}

static void
on_done(void *arg, const struct answer_out *a)
{
	auto_buf struct buf data = BUF_INIT;

	(void)arg;
	free(got.text);
	memset(&got, 0, sizeof got);
	got.over = true;
	got.status = a->status;
	(void)snprintf(got.code, sizeof got.code, "%s", a->code != NULL ? a->code : "-");
	(void)snprintf(got.gate, sizeof got.gate, "%s", a->gate != NULL ? a->gate : "-");
	(void)snprintf(got.label, sizeof got.label, "%s",
	    a->labelled ? label_text(a->label) : "-");
	(void)json_print(a->data, &data);
	(void)snprintf(got.data, sizeof got.data, "%s", buf_cstr(&data));
	got.text = strndup(a->text, a->text_len);
	got.refs = json_array_size(a->refs);
}

/* The person reads what is asked, and answers. */
static void
listen_to(void)
{
	size_t at = strlen(heard);
	ssize_t n = recv(person, heard + at, sizeof heard - at - 1, MSG_DONTWAIT);
	char *ask, line[128];

	if (n <= 0)
		return;
	heard[at + (size_t)n] = '\0';
	if ((ask = strstr(heard + (asked == 0 ? 0 : at), "{\"ask\":")) == NULL ||
	    strchr(ask, '\n') == NULL || say == NULL)
		return;
	asked++;
	(void)snprintf(line, sizeof line, "{\"ask\":%d,\"answer\":%s}\n", atoi(ask + 7),
	    say);
	if (send(person, line, strlen(line), 0) < 0)
		printf("# cannot answer\n");
}

static void
call(const char *tool, const char *args)
{
	auto_json json_t *v = NULL;
	struct call *c;
	struct call_request q = {.tool = tool};

	if (json_parse(args, strlen(args), &v, NULL) != 0)
		exit(1);
	q.args = v;
	got.over = false;
	if (session_call(s, &q, on_done, NULL, &c) != 0)
		exit(1);
	while (!got.over && loop_once(session_loop(s), 20) == 0)
		if (person >= 0)
			listen_to();
}

#define HELD(p) mint("make -j2 check", p, sizeof(p) - 1, LABEL_U_PRIV, REF_CONTENT)

TEST(a_yes_gives_it_whole_and_once)
{
	(void)snprintf(ws, sizeof ws, "%s/ws", dir);
	(void)snprintf(state, sizeof state, "%s/state", dir);
	(void)snprintf(trail, sizeof trail, "%s/trail", dir);
	if (mkdir(ws, 0700) != 0)
		exit(1);
	setenv("HOME", dir, 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	begin(true);
	HELD("error: c4n4ry\nline 2\n");
	say = "\"y\"";
	call("read_output", "{\"ref\":\"ref:0\",\"why\":\"find it\"}");
	ok(got.status == STATUS_OK && strcmp(got.text, "error: c4n4ry\nline 2\n") == 0,
	    "the whole of it");
	ok_str(got.label, "(T,priv)", "as a new value");
	ok_int((int)got.refs, 0, "and no reference");
	ok(strstr(heard, "\"kind\":\"output\"") != NULL, "the kind of question");
	ok(strstr(heard, "printed by make -j2 check") != NULL, "the command");
	ok(strstr(heard, "2 lines, 21 bytes") != NULL, "how much");
	ok(strstr(heard, "not made (no model configured)") != NULL, "no check was made");
	ok(strstr(heard, "error: c4n4ry") != NULL, "and the bytes");
	ok(slot_label(refs_at(s->refs, 0)->slot).i == UNTRUSTED,
	    "the slot keeps its label (I9)");
	ok_int((int)trust_count(s->trust), 0, "no rule is written");
	say = "\"n\"";
	call("read_output", "{\"ref\":\"ref:0\"}");
	ok(got.status == STATUS_REFUSED && strcmp(got.code, "declined") == 0,
	    "the next time is asked about anew");
	ok_int((int)asked, 2, "indeed");
	ok_str(got.text, "refused: ref:0 was kept back from you; do not ask again",
	    "the words of a no");
	end();
}

TEST(an_offset_is_for_what_may_be_read)
{
	begin(true);
	HELD("held back\n");
	say = "\"y\"";
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":3}");
	ok(got.status == STATUS_REFUSED && strcmp(got.gate, "reference") == 0,
	    "refused before anybody is asked");
	ok_int((int)asked, 0, "nobody was");
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":0}");
	ok(got.status == STATUS_OK, "0 counts as left out");
	end();
}

TEST(one_tool_s_yes_is_not_the_other_s)
{
	begin(true);
	HELD("held back\n");
	say = "\"y\"";
	call("read_output", "{\"ref\":\"ref:0\"}");
	say = "\"n\"";
	call("vet_content", "{\"ref\":\"ref:0\",\"expects\":\"x\"}");
	ok(got.status == STATUS_REFUSED && asked == 2, "vet_content asks for itself");
	ok(strstr(heard, "what make -j2 check printed") != NULL, "and names the command");
	end();
}

TEST(pages_of_what_may_be_read)
{
	static char much[40000];
	size_t n = 0;

	while (
	    n + 3 < sizeof much) { /* three bytes a character: no page ends on 16,384 */
		memcpy(much + n, "\xe2\x82\xac", 3);
		n += 3;
	}
	begin(true);
	mint("cat big", much, n, LABEL_T_PRIV, REF_KEPT);
	mint(NULL, "kept", 4, LABEL_T_PRIV, REF_KEPT);
	mint("true", "readable\n", 9, LABEL_T_PRIV, REF_CONTENT);
	say = "\"n\"";
	call("read_output", "{\"ref\":\"ref:0\"}");
	ok(got.status == STATUS_OK &&
	        strstr(got.text,
	            "\n\n[bytes 0-16383 of 39999 in ref:0; next offset 16383]") != NULL,
	    "the first page ends on a character");
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":16384}");
	ok(strstr(got.text, "[bytes 16383-32766 of 39999 in ref:0; next offset 32766]") !=
	        NULL,
	    "an offset within a character begins at it");
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":32766}");
	ok(strstr(got.text, "[bytes 32766-39999 of 39999 in ref:0; end]") != NULL,
	    "the last");
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":39999}");
	ok_str(got.text, "(ref:0 holds 39999 bytes; nothing at offset 39999)", "past it");
	call("read_output", "{\"ref\":\"ref:0\",\"offset\":9223372036854775807}");
	ok(got.status == STATUS_OK, "far past it");
	call("read_output", "{\"ref\":\"ref:1\"}");
	ok(strncmp(got.text, "kept\n\n[bytes 0-4 of 4", 21) == 0, "a kept value");
	call("read_output", "{\"ref\":\"ref:2\"}");
	ok(strncmp(got.text, "readable\n", 9) == 0, "output that may be read");
	ok_int((int)asked, 0, "all of it unasked");
	end();
}

TEST(bytes_that_are_no_text)
{
	begin(true);
	HELD("a\xff"
	     "b\0c\n");
	say = "\"y\"";
	call("read_output", "{\"ref\":\"ref:0\"}");
	ok_str(got.text,
	    "a\xef\xbf\xbd"
	    "b\xef\xbf\xbd"
	    "c\n",
	    "are given as U+FFFD");
	end();
}

TEST(too_much_to_show)
{
	static char much[(384 << 10) + 1];

	begin(true);
	memset(much, 'x', sizeof much);
	mint("yes", much, sizeof much, LABEL_U_PRIV, REF_CONTENT);
	say = "\"y\"";
	call("read_output", "{\"ref\":\"ref:0\"}");
	ok(got.status == STATUS_ERROR && strcmp(got.code, "too-large") == 0 && asked == 0,
	    "is not asked about");
	end();
}

TEST(nobody)
{
	begin(false);
	HELD("held back\n");
	call("read_output", "{\"ref\":\"ref:0\"}");
	ok(got.status == STATUS_UNASKED && strcmp(got.code, "nobody-to-ask") == 0,
	    "nobody can be asked");
	end();
}

TEST(the_trail)
{
	static char all[1 << 20];
	FILE *f = fopen(trail, "r");
	size_t n = f != NULL ? fread(all, 1, sizeof all - 1, f) : 0;
	const char *gate, *grant, *let;
	char cmd[128];

	if (f != NULL)
		fclose(f);
	all[n] = '\0';
	gate = strstr(all, "\"gate\":\"vetting\"");
	grant = gate != NULL ? strstr(gate, "\"gate\":\"grant\"") : NULL;
	let = grant != NULL ? strstr(grant, "\"gate\":\"read_output\"") : NULL;
	ok(let != NULL && strstr(let, "\"kind\":\"declassified\"") != NULL,
	    "vetting, grant, read_output, declassified: in this order");
	ok(strstr(all, "c4n4ry") == NULL, "and not a byte of it");
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok(system(cmd) == 0, "removed");
}

TAP_MAIN

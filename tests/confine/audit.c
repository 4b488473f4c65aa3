/* bb-audit's reports by machine: every row of its JSON, its OCI profiles against the
 * filters they stand for, and what it says where ptrace is refused. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "libcommon/buf.h"
#include "libcommon/json.h"
#include "libcommon/own.h"
#include "libcommon/tool.h"
#include "tests/tap.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#define ARCH_NAME "SCMP_ARCH_X86_64"
#else
#define OWN_ARCH AUDIT_ARCH_AARCH64
#define ARCH_NAME "SCMP_ARCH_AARCH64"
#endif
#define HIGH ((uint64_t)1 << 32)
#define W(s) ((char *)(uintptr_t)(s))
#define RUN(no_ptrace, out, ...) \
	run((char *[]){W("bb-audit"), __VA_ARGS__, NULL}, no_ptrace, out)

static char program[PATH_MAX];

static void
refuse_ptrace(void)
{
	struct sock_filter f[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = 4, .filter = f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) != 0)
		_exit(99);
}

/* Its standard output goes into out. Its exit status. */
static int
run(char *const *words, bool no_ptrace, struct buf *out)
{
	int pair[2], st;
	char block[65536];
	ssize_t n;
	pid_t pid;

	fflush(stdout);
	if (pipe(pair) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		(void)dup2(pair[1], 1);
		close(pair[0]);
		close(pair[1]);
		if (no_ptrace)
			refuse_ptrace();
		execv(program, words);
		_exit(127);
	}
	close(pair[1]);
	while ((n = read(pair[0], block, sizeof(block))) > 0)
		(void)buf_append(out, block, (size_t)n);
	close(pair[0]);
	return waitpid(pid, &st, 0) == pid && WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

TEST(setting_up)
{
	char here[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);

	here[n > 0 ? n : 0] = '\0';
	for (int up = 0; up < 3; up++)
		if (strrchr(here, '/') != NULL)
			*strrchr(here, '/') = '\0';
	ok(snprintf(program, sizeof(program), "%s/bin/bb-audit", here) < PATH_MAX &&
	        access(program, X_OK) == 0,
	    "it is built");
}

/* --- every row -------------------------------------------------------------------------- */

/* Rows of the confinement notes that concern a helper that reads or lists. */
static bool
owed(int row, bool walks)
{
	static const int others[] = {12, 22, 57, 59, 60, 62, 64};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i] == row)
			return false;
	return row != 63 || walks;
}

static json_t *
lines(const struct buf *b)
{
	json_t *list = json_array(), *v;
	const char *p = buf_cstr(b), *end;

	for (; (end = strchr(p, '\n')) != NULL; p = end + 1) {
		if (json_parse(p, (size_t)(end - p), &v, NULL) != 0) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, v);
	}
	return list;
}

static const char *
word(const json_t *v, const char *key)
{
	const char *s = json_string_value(json_object_get(v, key));

	return s != NULL ? s : "";
}

static void
one_helper(const json_t *list, const struct tool *t)
{
	bool seen[100] = {false}, walks = t->fds[0].access == TOOL_DIR;
	size_t i, wrong = 0, lied = 0, twice = 0, n = 0;
	char part[64];
	json_t *v;
	auto_json json_t *names = json_object();

	json_array_foreach((json_t *)(uintptr_t)list, i, v) {
		int row = (int)json_integer_value(json_object_get(v, "probe"));
		bool held = json_is_true(json_object_get(v, "held")),
		     applies = json_is_true(json_object_get(v, "applies"));

		if (strcmp(word(v, "helper"), tool_part(t, part)) != 0)
			continue;
		n++;
		if (row >= 0 && row < 100)
			seen[row] = true;
		wrong += strcmp(word(v, "digest"), t->filter_digest) != 0 ||
		    word(v, "name")[0] == '\0' || word(v, "layer")[0] == '\0' ||
		    word(v, "expected")[0] == '\0' || word(v, "seen")[0] == '\0' ||
		    json_object_get(v, "ms") == NULL;
		lied +=
		    held && (strcmp(word(v, "control"), "succeeded") != 0 || !applies);
		if (applies && !held)
			printf("# %s #%d %s: expected %s, seen %s\n", t->helper, row,
			    word(v, "name"), word(v, "expected"), word(v, "seen"));
		twice += json_object_get(names, word(v, "name")) != NULL;
		json_object_set_new(names, word(v, "name"), json_true());
	}
	ok(n > 300, "%s: %zu rows", t->helper, n);
	ok_int(wrong, 0, "each has its members");
	ok_int(lied, 0, "none is held whose control failed");
	ok_int(twice, 0, "no name stands twice");
	for (int row = 1; row <= 69; row++)
		if (owed(row, walks))
			ok(seen[row], "%s: row %d is tried", t->helper, row);
}

TEST(json)
{
	auto_buf struct buf out = BUF_INIT;
	auto_json json_t *list = NULL;
	json_t *sum;
	size_t n;

	ok_int(RUN(false, &out, W("--json")), 0, "all hold");
	list = lines(&out);
	ok(list != NULL, "every line is an object");
	for (size_t i = 0; i < tools_len; i++)
		if (tools[i]->helper != NULL && list != NULL)
			one_helper(list, tools[i]);
	n = json_array_size(list);
	sum = n > 0 ? json_object_get(json_array_get(list, n - 1), "summary") : NULL;
	ok(sum != NULL, "the last is the summary");
	ok_int(json_integer_value(json_object_get(sum, "probes")) +
	        json_integer_value(json_object_get(sum, "not_applicable")) +
	        json_integer_value(json_object_get(sum, "skipped")),
	    n - 1, "its numbers are those of the rows");
	ok_int(json_integer_value(json_object_get(sum, "not_held")), 0, "none not held");
}

TEST(without_ptrace)
{
	auto_buf struct buf out = BUF_INIT, strict = BUF_INIT, traced = BUF_INIT;
	const char *why = "skipped: the helper cannot be traced here";

	ok_int(RUN(true, &out, W("bb-read")), 0, "what can be tried holds");
	ok(strstr(buf_cstr(&out), why) != NULL, "what cannot is named with its reason");
	ok(strstr(buf_cstr(&out), " 0 skipped") == NULL, "and counted");
	ok_int(RUN(true, &strict, W("--strict"), W("bb-read")), 1, "--strict wants all");
	ok_int(RUN(true, &traced, W("--trace"), W("list_files")), 75,
	    "no trace, said so");
}

/* --- the OCI profile ---------------------------------------------------------------------- */

static uint32_t
filter(const struct tool *t, const struct seccomp_data *d)
{
	uint32_t a = 0, mem[BPF_MEMWORDS] = {0};

	for (unsigned pc = 0; pc < t->n_filter; pc++) {
		const struct sock_filter *f = &t->filter[pc];
		bool jump = false;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)d + f->k, 4);
			continue;
		case BPF_LD | BPF_MEM:
			a = mem[f->k % BPF_MEMWORDS];
			continue;
		case BPF_ST:
			mem[f->k % BPF_MEMWORDS] = a;
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= f->k;
			continue;
		case BPF_RET | BPF_K:
			return f->k;
		case BPF_JMP | BPF_JA:
			pc += f->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			jump = a == f->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			jump = a > f->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			jump = a >= f->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			jump = (a & f->k) != 0;
			break;
		default:
			return 1;
		}
		pc += jump ? f->jt : f->jf;
	}
	return 1;
}

struct entry {
	int nr, errnum;
	size_t n;
	struct {
		unsigned index;
		uint64_t value, two;
		bool masked;
	} arg[6];
};
static struct entry entries[256];
static size_t n_entries;

/* What follows `key` between p and end, or NULL. */
static const char *
after(const char *p, const char *end, const char *key)
{
	const char *at =
	    p != NULL ? memmem(p, (size_t)(end - p), key, strlen(key)) : NULL;

	return at != NULL ? at + strlen(key) : NULL;
}

/* OCI's words are unsigned and 64 bits wide, which jansson does not read: the profile is
 * flat, one entry from `{"names":` to the next, and read as text. */
static bool
read_profile(const struct tool *t, const char *text)
{
	static const char begin[] = "{\"names\":[\"";
	const char *p = strstr(text, begin);

	for (n_entries = 0; p != NULL && n_entries < 256; n_entries++) {
		struct entry *e = &entries[n_entries];
		const char *next = strstr(p + 1, begin),
		           *end = next != NULL ? next : p + strlen(p), *a = p, *q;
		char name[32] = "";

		*e = (struct entry){.nr = -1000};
		(void)sscanf(p, "{\"names\":[\"%31[^\"]", name);
		for (size_t i = 0; i < t->n_calls; i++)
			if (strcmp(t->calls[i].name, name) == 0)
				e->nr = t->calls[i].nr;
		if ((q = after(p, end, "\"errnoRet\":")) != NULL)
			e->errnum = atoi(q);
		else if (after(p, end, "\"SCMP_ACT_ALLOW\"") == NULL)
			return false;
		while ((a = after(a, end, "{\"index\":")) != NULL && e->n < 6) {
			const char *close = memchr(a, '}', (size_t)(end - a));

			e->arg[e->n].index = (unsigned)strtoul(a, NULL, 10);
			if (close == NULL ||
			    (q = after(a, close, "\"value\":")) == NULL || *q == '-')
				return false;
			e->arg[e->n].value = strtoull(q, NULL, 10);
			e->arg[e->n].masked =
			    after(a, close, "\"SCMP_CMP_MASKED_EQ\"") != NULL;
			if (e->arg[e->n].masked) {
				if ((q = after(a, close, "\"valueTwo\":")) == NULL ||
				    *q == '-')
					return false;
				e->arg[e->n].two = strtoull(q, NULL, 10);
			} else if (after(a, close, "\"SCMP_CMP_EQ\"") == NULL) {
				return false;
			}
			e->n++;
		}
		p = next;
	}
	return n_entries > 0;
}

static uint32_t
profile(const struct seccomp_data *d)
{
	for (size_t i = 0; i < n_entries; i++) {
		const struct entry *e = &entries[i];
		bool all = e->nr == d->nr;

		for (size_t k = 0; all && k < e->n; k++) {
			uint64_t v = d->args[e->arg[k].index];

			all = e->arg[k].masked ? (v & e->arg[k].value) == e->arg[k].two
			                       : v == e->arg[k].value;
		}
		if (all)
			return e->errnum != 0 ? SECCOMP_RET_ERRNO | (uint32_t)e->errnum
			                      : SECCOMP_RET_ALLOW;
	}
	return SECCOMP_RET_KILL_PROCESS;
}

TEST(oci)
{
	static const uint64_t v[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x22, 0x20, 0x2, 0x90800,
	    0xb0000, 0x10000, 0x80000, 0xb0800, UINT32_MAX, HIGH, HIGH | 3, HIGH | 1,
	    HIGH | 0x22, HIGH | 0xb0000, UINT64_MAX, (uint64_t)1 << 63};
	const size_t n = sizeof(v) / sizeof(*v);

	for (size_t i = 0; i < tools_len; i++) {
		const struct tool *t = tools[i];
		auto_buf struct buf out = BUF_INIT;
		size_t differs = 0, allowed = 0, refused = 0;
		char part[64];

		if (t->helper == NULL)
			continue;
		ok_int(RUN(false, &out, W("--oci"), W(tool_part(t, part))), 0,
		    "it is printed");
		ok(strstr(buf_cstr(&out),
		       "\"defaultAction\":\"SCMP_ACT_KILL_PROCESS\"") != NULL,
		    "default: kill");
		ok(strstr(buf_cstr(&out), ARCH_NAME) != NULL, "this architecture");
		ok(read_profile(t, buf_cstr(&out)), "%s: the form of a profile",
		    t->helper);
		for (int nr = -1; nr < 600; nr++)
			for (size_t k = 0; k < n * n * n; k++) {
				struct seccomp_data d = {.nr = nr,
				    .arch = OWN_ARCH,
				    .args = {v[k % n], 9, v[k / n % n], v[k / n / n], 9,
				        9}};
				uint32_t got = profile(&d);

				differs += got != filter(t, &d);
				allowed += got == SECCOMP_RET_ALLOW;
				refused += got == SECCOMP_RET_KILL_PROCESS;
			}
		ok(differs == 0 && allowed > 0 && refused > 0,
		    "%s: the same answer to all, %zu yes, %zu no", t->helper, allowed,
		    refused);
	}
}

TAP_MAIN

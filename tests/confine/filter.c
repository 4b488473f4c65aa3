/* Each tool's filter against its page, by an interpreter of our own: every number, every
 * listed condition at its edges, other architectures. The kernel's view is in layers.c. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "libcommon/hash.h"
#include "libcommon/tool.h"
#include "tests/tap.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#define OTHER_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#define OTHER_ARCH AUDIT_ARCH_ARM
#else
#error "which architecture?"
#endif
#define X32 0x40000000
#define FAULT 0xdeadbeef

/* What the program answers; FAULT when it is not a program the kernel would take. */
static uint32_t
verdict(const struct tool *t, const struct seccomp_data *d)
{
	uint32_t a = 0, x = 0, mem[BPF_MEMWORDS] = {0};

	for (unsigned pc = 0; pc < t->n_filter; pc++) {
		const struct sock_filter *f = &t->filter[pc];
		bool jump;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (f->k > sizeof(*d) - 4 || f->k % 4 != 0)
				return FAULT;
			memcpy(&a, (const char *)d + f->k, 4);
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= f->k;
			continue;
		case BPF_ST:
			if (f->k >= BPF_MEMWORDS)
				return FAULT;
			mem[f->k] = a;
			continue;
		case BPF_LD | BPF_MEM:
			if (f->k >= BPF_MEMWORDS)
				return FAULT;
			a = mem[f->k];
			continue;
		case BPF_MISC | BPF_TAX:
			x = a;
			continue;
		case BPF_MISC | BPF_TXA:
			a = x;
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
			return FAULT;
		}
		pc += jump ? f->jt : f->jf;
	}
	return FAULT; /* ran past its end */
}

static uint32_t
ask(const struct tool *t, uint32_t arch, uint32_t nr, const uint64_t args[6])
{
	struct seccomp_data d = {.nr = (int)nr, .arch = arch};

	memcpy(d.args, args, sizeof(d.args));
	return verdict(t, &d);
}

/* --- what the page says, from its own words ------------------------------------------ */

static uint64_t
value(const char *s, size_t n)
{
	static const struct {
		const char *name;
		uint64_t v;
	} names[] = {{"O_DIRECTORY", O_DIRECTORY}, {"O_NOFOLLOW", O_NOFOLLOW},
	    {"O_CLOEXEC", O_CLOEXEC}, {"O_RDONLY", O_RDONLY}, {"O_NOCTTY", O_NOCTTY},
	    {"O_NONBLOCK", O_NONBLOCK}, {"PROT_READ", PROT_READ},
	    {"PROT_WRITE", PROT_WRITE}, {"PROT_EXEC", PROT_EXEC},
	    {"PROT_NONE", PROT_NONE}, {"MAP_PRIVATE", MAP_PRIVATE},
	    {"MAP_ANONYMOUS", MAP_ANONYMOUS}, {"MAP_SHARED", MAP_SHARED},
	    {"FUTEX_WAIT_PRIVATE", FUTEX_WAIT_PRIVATE},
	    {"FUTEX_WAKE_PRIVATE", FUTEX_WAKE_PRIVATE},
	    {"FUTEX_REQUEUE_PRIVATE", FUTEX_REQUEUE_PRIVATE},
	    {"CLOCK_MONOTONIC", CLOCK_MONOTONIC}};
	uint64_t v = 0;
	bool invert = n > 0 && *s == '~';

	for (size_t i = 0; i < n;) {
		size_t len = strcspn(s + i, "~()| ");
		bool known = false;

		if (len == 0) {
			i++;
			continue;
		}
		if (i + len > n)
			len = n - i;
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (strlen(names[k].name) == len &&
			    memcmp(names[k].name, s + i, len) == 0) {
				v |= names[k].v;
				known = true;
			}
		if (!known)
			v |= strtoull(s + i, NULL, 0);
		i += len;
	}
	return invert ? ~v : v;
}

/* Does the condition text of a page allow these arguments? */
static bool
allows(const char *cond, const uint64_t args[6])
{
	while (*cond != '\0') {
		size_t len = strcspn(cond, ",");
		const char *end = cond + len, *p = cond + strspn(cond, " ");
		uint64_t a = args[p[3] - '0'];
		bool fits = false;

		p += 4;
		p += strspn(p, " ");
		if (*p == '&') {
			const char *eq = strstr(p, "==");

			a &= value(p + 2, (size_t)(eq - p) - 3);
			p = eq;
		}
		p += 2; /* == or in */
		while (p < end) {
			size_t n;

			p += strspn(p, " ");
			n = strcspn(p, " ,");
			if (n > 0 && a == value(p, n))
				fits = true;
			p += n;
			if (n == 0)
				break;
		}
		if (!fits)
			return false;
		cond = *end == ',' ? end + 1 : end;
	}
	return true;
}

static const struct tool_call *
on_page(const struct tool *t, uint32_t nr)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if ((uint32_t)t->calls[i].nr == nr)
			return &t->calls[i];
	return NULL;
}

static uint32_t
expected(const struct tool *t, uint32_t nr, const uint64_t args[6])
{
	const struct tool_call *c = on_page(t, nr);

	if (c == NULL || !allows(c->cond, args))
		return SECCOMP_RET_KILL_PROCESS;
	return c->errnum != 0 ? SECCOMP_RET_ERRNO | (uint32_t)c->errnum
	                      : SECCOMP_RET_ALLOW;
}

TEST(every_number)
{
	static const uint64_t words[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0x22, 0x20, 0x02,
	    O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, O_DIRECTORY, O_CLOEXEC,
	    O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_CREAT, UINT32_MAX, (uint64_t)1 << 32,
	    ((uint64_t)1 << 32) | 3, ((uint64_t)1 << 63) | 1,
	    ((uint64_t)1 << 32) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, UINT64_MAX};
	const size_t n = sizeof(words) / sizeof(*words);

	for (size_t i = 0; i < tools_len; i++) {
		const struct tool *t = tools[i];
		size_t wrong = 0, allowed = 0, asked = 0;

		if (t->helper == NULL)
			continue;
		for (uint32_t nr = 0; nr <= 600; nr++)
			for (size_t k = 0; k < n * n * n; k++) {
				/* arguments 0, 2 and 3 at every pair of edges */
				const uint64_t args[6] = {words[k % n], 7,
				    words[k / n % n], words[k / n / n], UINT64_MAX, 0};
				uint32_t got = ask(t, OWN_ARCH, nr, args);

				asked++;
				wrong += got != expected(t, nr, args);
				allowed += got == SECCOMP_RET_ALLOW;
				if (on_page(t, nr) == NULL && k == n)
					break; /* no condition to try */
			}
		ok(wrong == 0 && allowed > 0,
		    "%s: %zu of %zu questions answered as on its page", t->name,
		    asked - wrong, asked);
	}
}

TEST(other_architectures)
{
	static const uint64_t args[6];

	for (size_t i = 0; i < tools_len; i++) {
		const struct tool *t = tools[i];
		size_t let = 0, x32 = 0;

		if (t->helper == NULL)
			continue;
		for (uint32_t nr = 0; nr <= 600; nr++) {
			for (uint64_t fd = 0; fd < 6; fd++) {
				const uint64_t with[6] = {fd, 0, fd, 0x22};

				let += ask(t, OTHER_ARCH, nr, with) !=
				    SECCOMP_RET_KILL_PROCESS;
				let += ask(t, 0, nr, with) != SECCOMP_RET_KILL_PROCESS;
				let += ask(t, OWN_ARCH ^ __AUDIT_ARCH_LE, nr, with) !=
				    SECCOMP_RET_KILL_PROCESS;
				x32 += ask(t, OWN_ARCH, nr | X32, with) !=
				    SECCOMP_RET_KILL_PROCESS;
			}
		}
		ok_int(let, 0, "nothing by another architecture");
		ok_int(x32, 0, "nothing with the x32 bit");
		ok_int(ask(t, OWN_ARCH, UINT32_MAX, args), SECCOMP_RET_KILL_PROCESS,
		    "nothing as -1");
		ok_int(ask(t, OWN_ARCH, 0x80000000, args), SECCOMP_RET_KILL_PROCESS,
		    "nor as -2^31");
	}
}

/* Said once more without reading the page: what no pure helper may ever do. */
TEST(never)
{
	static const struct {
		const char *what;
		long nr;
		uint64_t args[6];
	} rows[] = {
	    {"read from 4, the slot", SYS_read, {4}},
	    {"read from 6", SYS_read, {6}},
	    {"read from 3 with a high half", SYS_read, {((uint64_t)1 << 32) | 3}},
	    {"write to 0", SYS_write, {0}},
	    {"write to 3, the object", SYS_write, {3}},
	    {"write to 5", SYS_write, {5}},
	    {"write to -1", SYS_write, {UINT64_MAX}},
	    {"writev", SYS_writev, {1}},
	    {"sendfile", SYS_sendfile, {4, 3}},
	    {"mmap, executable", SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, 0x22}},
	    {"mmap of a file", SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE, 3}},
	    {"mmap, shared", SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS}},
	    {"mmap with a high half", SYS_mmap, {0, 4096, (uint64_t)1 << 32, 0x22}},
	    {"mprotect to executable", SYS_mprotect, {0, 4096, PROT_EXEC}},
	    {"openat to read a file", SYS_openat, {3, 0, O_RDONLY}},
	    {"openat O_PATH", SYS_openat, {3, 0, O_PATH}},
	    {"openat following links", SYS_openat, {3, 0, O_DIRECTORY | O_CLOEXEC}},
	    {"openat O_TMPFILE", SYS_openat, {3, 0, O_TMPFILE | O_RDWR}},
	    {"openat2", 437, {3}},
	    {"execve", SYS_execve, {0}},
	    {"execveat", SYS_execveat, {3}},
	    {"clone", SYS_clone, {0}},
	    {"clone3", 435, {0}},
	    {"socket", SYS_socket, {2, 1}},
	    {"connect", SYS_connect, {3}},
	    {"sendmsg", SYS_sendmsg, {1}},
	    {"recvmsg", SYS_recvmsg, {0}},
	    {"ioctl", SYS_ioctl, {1, 0x5412}},
	    {"fcntl", SYS_fcntl, {3, F_SETFL}},
	    {"dup", SYS_dup, {3}},
	    {"dup3", SYS_dup3, {3, 9}},
	    {"kill", SYS_kill, {1, 9}},
	    {"prctl", SYS_prctl, {4}},
	    {"ptrace", SYS_ptrace, {0}},
	    {"process_vm_readv", SYS_process_vm_readv, {1}},
	    {"memfd_create", SYS_memfd_create, {0}},
	    {"newfstatat", SYS_newfstatat, {3}},
	    {"statx", SYS_statx, {3}},
	    {"readlinkat", SYS_readlinkat, {3}},
	    {"unlinkat", SYS_unlinkat, {3}},
	    {"renameat2", SYS_renameat2, {3}},
	    {"linkat", SYS_linkat, {3}},
	    {"fchmodat", SYS_fchmodat, {3}},
	    {"ftruncate", SYS_ftruncate, {4}},
	    {"seccomp", SYS_seccomp, {1}},
	    {"landlock_restrict_self", 446, {3}},
	    {"io_uring_setup", 425, {1}},
	    {"bpf", SYS_bpf, {0}},
	    {"userfaultfd", SYS_userfaultfd, {0}},
	    {"keyctl", SYS_keyctl, {0}},
	    {"unshare", SYS_unshare, {0x10000000}},
	    {"setns", SYS_setns, {3}},
	    {"mount", SYS_mount, {0}},
	    {"chroot", SYS_chroot, {0}},
	    {"setrlimit", SYS_prlimit64, {0}},
	    {"name_to_handle_at", SYS_name_to_handle_at, {3}},
	    {"perf_event_open", SYS_perf_event_open, {0}},
	    {"personality", SYS_personality, {0}},
	};

	for (size_t i = 0; i < tools_len; i++)
		for (size_t k = 0;
		     tools[i]->helper != NULL && k < sizeof(rows) / sizeof(*rows); k++)
			/* What opens files on its way reads them by whatever number. */
			ok(ask(tools[i], OWN_ARCH, (uint32_t)rows[k].nr, rows[k].args) ==
			            SECCOMP_RET_KILL_PROCESS ||
			        (rows[k].nr == SYS_read && tool_reads_files(tools[i])),
			    "%s may not %s", tools[i]->name, rows[k].what);
}

static uint32_t
may(const char *tool, long nr, uint64_t a0, uint64_t a2)
{
	const uint64_t args[6] = {a0, 0, a2, 0x22};

	return ask(tool_find(tool), OWN_ARCH, (uint32_t)nr, args);
}

TEST(each_apart)
{
	const uint64_t down = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
	               wait[6] = {0, FUTEX_WAIT_PRIVATE}, shared[6] = {0, FUTEX_WAIT},
	               file = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	ok_int(may("read_file", SYS_read, 3, 0), SECCOMP_RET_ALLOW, "bb-read reads 3");
	ok_int(may("read_file", SYS_read, 5, 0), SECCOMP_RET_KILL_PROCESS, "and not 5");
	ok_int(may("read_file", SYS_openat, 3, down), SECCOMP_RET_KILL_PROCESS,
	    "it opens no directory either");
	ok_int(may("read_file", SYS_getdents64, 3, 0), SECCOMP_RET_KILL_PROCESS,
	    "and lists none");
	ok_int(may("read_file", SYS_fstat, 3, 0), SECCOMP_RET_ALLOW, "fstat of 3");
	ok_int(may("read_file", SYS_fstat, 4, 0), SECCOMP_RET_KILL_PROCESS, "not of 4");
	ok_int(may("read_file", SYS_close, 3, 0), SECCOMP_RET_KILL_PROCESS, "no close");
	ok_int(may("list_files", SYS_read, 5, 0), SECCOMP_RET_ALLOW, "bb-list reads 5");
	ok_int(may("list_files", SYS_read, 3, 0), SECCOMP_RET_KILL_PROCESS, "and not 3");
	ok_int(may("list_files", SYS_openat, 3, down), SECCOMP_RET_ALLOW,
	    "opens directories");
	ok_int(may("list_files", SYS_openat, 3, down | 0100000), SECCOMP_RET_KILL_PROCESS,
	    "by exactly these flags");
	ok_int(may("list_files", SYS_openat, 3, down | (uint64_t)1 << 32),
	    SECCOMP_RET_KILL_PROCESS, "without a high half");
	ok_int(may("list_files", SYS_pread64, 3, 0), SECCOMP_RET_KILL_PROCESS,
	    "no pread64");
	ok_int(may("search", SYS_openat, 3, down), SECCOMP_RET_ALLOW,
	    "bb-search opens directories");
	ok_int(may("search", SYS_openat, 3, file), SECCOMP_RET_ALLOW, "and files");
	ok_int(may("search", SYS_openat, 3, file | O_WRONLY), SECCOMP_RET_KILL_PROCESS,
	    "not for writing");
	ok_int(may("search", SYS_openat, 3, file | O_TRUNC), SECCOMP_RET_KILL_PROCESS,
	    "nor emptying them");
	ok_int(may("search", SYS_openat, 3, file & ~(uint64_t)O_NOFOLLOW),
	    SECCOMP_RET_KILL_PROCESS, "nor through a link");
	ok_int(may("search", SYS_openat, 3, file & ~(uint64_t)O_NONBLOCK),
	    SECCOMP_RET_KILL_PROCESS, "nor so that it could block");
	ok_int(may("search", SYS_openat, 3, file | (uint64_t)1 << 32),
	    SECCOMP_RET_KILL_PROCESS, "nor with a high half");
	ok_int(may("search", SYS_read, 39, 0), SECCOMP_RET_ALLOW,
	    "it reads what it opened");
	ok_int(may("search", SYS_write, 39, 0), SECCOMP_RET_KILL_PROCESS,
	    "and writes none of it");
	ok_int(may("search", SYS_clone, 0x3d0f00, 0), SECCOMP_RET_KILL_PROCESS,
	    "its threads are made before");
	ok_int(ask(tool_find("search"), OWN_ARCH, SYS_futex, wait), SECCOMP_RET_ALLOW,
	    "they wait for each other");
	ok_int(ask(tool_find("search"), OWN_ARCH, SYS_futex, shared),
	    SECCOMP_RET_KILL_PROCESS, "and for nobody else");
	ok_int(may("search", SYS_fstat, 6, 0), SECCOMP_RET_KILL_PROCESS, "no fstat");
}

TEST(digests)
{
	for (size_t i = 0; i < tools_len; i++) {
		const struct tool *t = tools[i];
		char hex[65];

		if (t->helper == NULL) {
			ok(t->n_filter == 0 && t->filter_digest[0] == '\0',
			    "%s: no helper, no filter", t->name);
			continue;
		}
		sha256_of(t->filter, t->n_filter * sizeof(*t->filter), hex);
		ok_str(hex, t->filter_digest, "the digest is the filter's");
		ok(strlen(t->page_digest) == 64, "the page has one");
	}
}

TAP_MAIN

/* Rows 42 and 43: every number against the page's table. The filter's program is
 * evaluated here for all of them and for arguments at the edges of each condition; the
 * kernel is asked about every number, every allowed form and each form's neighbours. */
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "bin/bb-audit/arch.h"
#include "bin/bb-audit/audit.h"
#include "libcommon/hash.h"

#define NUMBERS 1024
#define HIGH (1L << 32)

static uint32_t
evaluate(const struct tool *t, const struct seccomp_data *d)
{
	uint32_t a = 0, x = 0, mem[BPF_MEMWORDS] = {0};

	for (unsigned pc = 0; pc < t->n_filter; pc++) {
		const struct sock_filter *f = &t->filter[pc];
		bool jump;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (f->k > sizeof(*d) - 4)
				return 1;
			memcpy(&a, (const char *)d + f->k, 4);
			continue;
		case BPF_LD | BPF_MEM:
			a = mem[f->k % BPF_MEMWORDS];
			continue;
		case BPF_ST:
			mem[f->k % BPF_MEMWORDS] = a;
			continue;
		case BPF_MISC | BPF_TAX:
			x = a;
			continue;
		case BPF_MISC | BPF_TXA:
			a = x;
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
			return 1; /* nothing the table could have said */
		}
		pc += jump ? f->jt : f->jf;
	}
	return 1;
}

static const struct tool_call *
listed(const struct tool *t, long nr)
{
	for (size_t i = 0; i < t->n_calls; i++)
		if (t->calls[i].nr == nr)
			return &t->calls[i];
	return NULL;
}

/* What the table says. */
static uint32_t
table(const struct tool *t, uint32_t arch, const long args[7])
{
	const struct tool_call *c = arch == OWN_ARCH ? listed(t, args[0]) : NULL;

	for (size_t i = 0; c != NULL && i < c->n_conds; i++) {
		const struct tool_cond *d = &c->conds[i];
		bool one = false;

		for (size_t k = 0; k < d->n; k++)
			one |= ((uint64_t)args[1 + d->arg] & d->mask) == d->value[k];
		if (!one)
			c = NULL;
		if (c == NULL)
			break;
	}
	if (c == NULL)
		return SECCOMP_RET_KILL_PROCESS;
	return c->errnum != 0 ? SECCOMP_RET_ERRNO | (uint32_t)c->errnum
	                      : SECCOMP_RET_ALLOW;
}

struct tally {
	size_t asked, wrong;
	char first[96];
};

static void
ask(struct tally *y, const struct tool *t, uint32_t arch, const long args[7])
{
	struct seccomp_data d = {.nr = (int)args[0], .arch = arch};

	for (int i = 0; i < 6; i++)
		d.args[i] = (uint64_t)args[1 + i];
	y->asked++;
	if (evaluate(t, &d) != table(t, arch, args) && y->wrong++ == 0)
		(void)snprintf(y->first, sizeof(y->first), "number %ld is not as listed",
		    args[0]);
}

/* Arguments that matter to a call: what its conditions name, and their neighbours. */
static size_t
edges(const struct tool_call *c, unsigned arg, long out[48])
{
	size_t n = 0;

	out[n++] = 0;
	out[n++] = -1;
	out[n++] = 0x5a5a5a5a00007ff0L;
	for (size_t i = 0; c != NULL && i < c->n_conds; i++)
		for (size_t k = 0;
		     c->conds[i].arg == arg && k < c->conds[i].n && n + 8 < 48; k++) {
			long v = (long)c->conds[i].value[k];

			out[n++] = v;
			out[n++] = v + 1;
			out[n++] = v - 1;
			out[n++] = v | HIGH;
			out[n++] = v | LONG_MIN;
			out[n++] = v | ~(long)c->conds[i].mask;
			out[n++] = v ^ 4;
			out[n++] = v ^ (1 << 20);
		}
	return n;
}

static void
on_paper(struct run *r)
{
	struct tally y = {0};
	long args[7] = {0}, v[6][48];
	size_t n[6], k[6];
	char hex[65], seen[112];

	for (long nr = -2; nr < NUMBERS; nr++) {
		const struct tool_call *c = listed(r->t, nr);
		size_t all = 1;

		args[0] = nr;
		for (unsigned a = 0; a < 6; a++) {
			n[a] = edges(c, a, v[a]);
			/* unnamed arguments move together: their product says no more */
			if (n[a] == 3 && a > 0)
				n[a] = 1 + (size_t)(c == NULL && a == 1);
			all *= n[a];
		}
		for (size_t i = 0; i < all; i++) {
			size_t rest = i;

			for (unsigned a = 0; a < 6; a++) {
				k[a] = rest % n[a];
				rest /= n[a];
				args[1 + a] = v[a][k[a]];
			}
			ask(&y, r->t, OWN_ARCH, args);
			if (i == 0) {
				ask(&y, r->t, OTHER_ARCH, args);
				ask(&y, r->t, OWN_ARCH ^ __AUDIT_ARCH_LE, args);
				args[0] = nr | 0x40000000L;
				ask(&y, r->t, OWN_ARCH, args);
				args[0] = nr | (long)0xffffffff80000000L;
				ask(&y, r->t, OWN_ARCH, args);
				args[0] = nr;
			}
		}
	}
	(void)snprintf(seen, sizeof(seen), "%s", y.wrong > 0 ? y.first : "as listed");
	check(r, 42,
	    "the filter's program, every number and every edge, against its page",
	    "seccomp", y.wrong == 0 && y.asked > NUMBERS, true, "as listed", seen);
	sha256_of(r->t->filter, r->t->n_filter * sizeof(*r->t->filter), hex);
	check(r, 42, "the filter's digest", "seccomp",
	    strcmp(hex, r->t->filter_digest) == 0, true, "the table's",
	    strcmp(hex, r->t->filter_digest) == 0 ? "the table's" : "another");
}

/* uretprobe and uprobe (x86, Linux 6.11 and later) are taken past every filter by the
 * kernel itself. Called from anywhere but its own trampoline they only end the caller or
 * answer ENXIO. */
static bool
past_filters(long nr, const struct end *e)
{
#ifdef __x86_64__
	if (nr == 335 || nr == 336)
		return (e->kind == END_OTHER && WIFSIGNALED(e->status) &&
		           (WTERMSIG(e->status) == 4 || WTERMSIG(e->status) == 11)) ||
		    (e->kind == END_VALUE && (e->value == -6 || e->value == -38));
#endif
	(void)nr;
	(void)e;
	return false;
}

/* Every number that is not listed dies, with nothing in its arguments and with garbage in
 * both halves of all. */
static void
unlisted(struct run *r)
{
	static const long more[] = {-1, -7, 0x80000000L, 0xffffffffL, NUMBERS, 4096,
	    1L << 20};
	long none[7] = {0}, garbage[7] = {0};
	char seen[96] = "killed";
	unsigned wrong = 0;

	for (long i = 1; i < 7; i++)
		garbage[i] = 0x5a5a5a5a00000000L | (0x7ff0 + i);
	for (long k = 0; k < NUMBERS + (long)(sizeof(more) / sizeof(*more)); k++) {
		long nr = k < NUMBERS ? k : more[k - NUMBERS];
		const struct tool_call *c = listed(r->t, nr);
		struct end e;

		/* Allowed without a condition: its own checks answer. */
		if (c != NULL && c->n_conds == 0)
			continue;
		none[0] = garbage[0] = nr;
		e = place_forked(r->p, probe_call,
		    c == NULL && k % 2 == 0 ? none : garbage, 0);
		if (e.kind != END_KILLED && !past_filters(nr, &e) && wrong++ == 0)
			(void)snprintf(seen, sizeof(seen), "number %ld came back", nr);
	}
	check(r, 42, "every number that is not listed, asked of the kernel", "seccomp",
	    wrong == 0, true, "killed", seen);
}

/* Each allowed form comes back, and its neighbours die. Arguments without a condition are
 * 0, so that a call stops at its own checks. */
static void
forms(struct run *r)
{
	size_t came = 0, lost = 0, died = 0, lived = 0;
	char seen[96];
	const char *name = NULL;

	for (size_t i = 0; i < r->t->n_calls; i++) {
		const struct tool_call *c = &r->t->calls[i];
		long args[7] = {c->nr};

		for (size_t k = 0; k < c->n_conds; k++)
			args[1 + c->conds[k].arg] = (long)c->conds[k].value[0];
		for (size_t k = 0; k < (c->n_conds > 0 ? c->n_conds : 1); k++) {
			unsigned a = c->n_conds > 0 ? c->conds[k].arg : 0;
			long v[48], was = args[1 + a];
			size_t n = c->n_conds > 0 ? edges(c, a, v) : 1;

			for (size_t m = 0; m < n; m++) {
				uint32_t want;
				struct end e;

				args[1 + a] = c->n_conds > 0 ? v[m] : 0;
				want = table(r->t, OWN_ARCH, args);
				e = place_forked(r->p, probe_call, args, 0);
				if (want == SECCOMP_RET_KILL_PROCESS) {
					if (e.kind == END_KILLED)
						died++;
					else if (lived++ == 0)
						name = c->name;
				} else if (e.kind != END_KILLED && e.status != -1)
					came++;
				else if (lost++ == 0)
					name = c->name;
			}
			args[1 + a] = was;
		}
	}
	(void)snprintf(seen, sizeof(seen), "%s%s", lost > 0 ? "killed: " : "works",
	    lost > 0 ? name : "");
	check(r, 42, "every allowed form, asked of the kernel", "seccomp",
	    lost == 0 && came > 0, true, "works", seen);
	(void)snprintf(seen, sizeof(seen), "%s%s", lived > 0 ? "came back: " : "killed",
	    lived > 0 ? name : "");
	check(r, 43, "what stands beside each allowed form, high halves too", "seccomp",
	    lived == 0 && died > 0, true, "killed", seen);
}

void
checks_numbers(struct run *r)
{
	on_paper(r);
	unlisted(r);
	forms(r);
}

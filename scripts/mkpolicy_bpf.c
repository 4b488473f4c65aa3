/* A page's calls to a BPF program, by libseccomp at build time. Default: kill the
 * process; a foreign architecture: kill. Comparisons are of all 64 bits: under an
 * allow-list that is the strict form, garbage in a high half matches nothing. */
#include "scripts/mkpolicy.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libcommon/hash.h"

static void
add(scmp_filter_ctx ctx, const struct page *p, const struct call_row *r, size_t i,
    struct scmp_arg_cmp *cmp)
{
	int e;

	if (i < r->n) { /* every combination of the listed values */
		for (size_t k = 0; k < r->cond[i].n; k++) {
			cmp[i] = r->cond[i].mask == UINT64_MAX
			    ? SCMP_CMP64(r->cond[i].arg, SCMP_CMP_EQ, r->cond[i].value[k],
			          0)
			    : SCMP_CMP64(r->cond[i].arg, SCMP_CMP_MASKED_EQ,
			          r->cond[i].mask, r->cond[i].value[k]);
			add(ctx, p, r, i + 1, cmp);
		}
		return;
	}
	e = seccomp_rule_add_exact_array(ctx,
	    r->errnum != 0 ? SCMP_ACT_ERRNO((uint32_t)r->errnum) : SCMP_ACT_ALLOW, r->nr,
	    (unsigned)r->n, cmp);
	if (e != 0)
		die(p->name, 0, "%s: %s", r->name, strerror(-e));
}

struct sock_filter *
page_filter(const struct page *p, size_t *n, char digest[65])
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
	struct scmp_arg_cmp cmp[MAX_CONDS];
	int fd = memfd_create("bpf", 0);
	struct sock_filter *prog;
	off_t size;

	if (ctx == NULL || fd < 0)
		die(p->name, 0, "libseccomp cannot start");
	if (seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0 ||
	    seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2) != 0)
		die(p->name, 0, "libseccomp is too old");
	for (size_t i = 0; i < p->n_calls; i++)
		add(ctx, p, &p->calls[i], 0, cmp);
	if (seccomp_export_bpf(ctx, fd) != 0 || (size = lseek(fd, 0, SEEK_END)) <= 0 ||
	    size % (off_t)sizeof(*prog) != 0)
		die(p->name, 0, "no program");
	if ((prog = malloc((size_t)size)) == NULL ||
	    pread(fd, prog, (size_t)size, 0) != size)
		die(p->name, 0, "no program");
	close(fd);
	seccomp_release(ctx);
	*n = (size_t)size / sizeof(*prog);
	if (*n > BPF_MAXINSNS)
		die(p->name, 0, "the program is too long");
	sha256_of(prog, (size_t)size, digest);
	return prog;
}

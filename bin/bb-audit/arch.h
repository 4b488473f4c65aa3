/* What differs between processors: how a call is made without the C library, where a
 * stopped process keeps its call, and which numbers there are. */
#ifndef BB_AUDIT_ARCH_H
#define BB_AUDIT_ARCH_H

#include <elf.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

#define NR_NONE (-1000L) /* not a call of this processor: the probe is left out */

#ifdef __aarch64__

#define OWN_ARCH AUDIT_ARCH_AARCH64
#define OTHER_ARCH AUDIT_ARCH_ARM

static inline long
raw_call(const long a[7])
{
	register long x8 __asm__("x8") = a[0];
	register long x0 __asm__("x0") = a[1];
	register long x1 __asm__("x1") = a[2];
	register long x2 __asm__("x2") = a[3];
	register long x3 __asm__("x3") = a[4];
	register long x4 __asm__("x4") = a[5];
	register long x5 __asm__("x5") = a[6];

	__asm__ volatile("svc #0"
	                 : "+r"(x0)
	                 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
	                 : "memory");
	return x0;
}

static inline void
regs_put(struct user_regs_struct *r, const long a[7])
{
	r->regs[8] = (unsigned long)a[0];
	for (int i = 0; i < 6; i++)
		r->regs[i] = (unsigned long)a[1 + i];
}
#define REGS_CALL(r) ((long)(r)->regs[8])
#define REGS_VALUE(r) ((r)->regs[0])
#define REGS_STACK(r) ((unsigned long)(r)->sp)
#define REGS_AGAIN(r) ((r)->pc -= 4)

#else /* x86-64 */

#define OWN_ARCH AUDIT_ARCH_X86_64
#define OTHER_ARCH AUDIT_ARCH_I386

static inline long
raw_call(const long a[7])
{
	long r;
	register long r10 __asm__("r10") = a[4];
	register long r8 __asm__("r8") = a[5];
	register long r9 __asm__("r9") = a[6];

	__asm__ volatile("syscall"
	                 : "=a"(r)
	                 : "a"(a[0]), "D"(a[1]), "S"(a[2]), "d"(a[3]), "r"(r10), "r"(r8),
	                 "r"(r9)
	                 : "rcx", "r11", "memory");
	return r;
}

static inline void
regs_put(struct user_regs_struct *r, const long a[7])
{
	r->orig_rax = (unsigned long)a[0];
	r->rdi = (unsigned long)a[1];
	r->rsi = (unsigned long)a[2];
	r->rdx = (unsigned long)a[3];
	r->r10 = (unsigned long)a[4];
	r->r8 = (unsigned long)a[5];
	r->r9 = (unsigned long)a[6];
}
#define REGS_CALL(r) ((long)(r)->orig_rax)
#define REGS_VALUE(r) ((r)->rax)
#define REGS_STACK(r) ((unsigned long)(r)->rsp)
/* Back to the instruction that made the call. */
#define REGS_AGAIN(r) ((r)->rax = (r)->orig_rax, (r)->rip -= 2)

#endif

static inline int
regs_get(int pid, struct user_regs_struct *r)
{
	struct iovec v = {r, sizeof(*r)};

	return (int)ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &v);
}

static inline int
regs_set(int pid, struct user_regs_struct *r)
{
	struct iovec v = {r, sizeof(*r)};
#ifdef __aarch64__
	int nr = (int)r->regs[8];
	struct iovec n = {&nr, sizeof(nr)};

	(void)ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &n);
#endif
	return (int)ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &v);
}

/* Newer than the packaged header; the same everywhere. */
#define NR_OPEN_TREE 428
#define NR_MOVE_MOUNT 429
#define NR_FSOPEN 430
#define NR_FSCONFIG 431
#define NR_FSMOUNT 432
#define NR_PIDFD_OPEN 434
#define NR_OPENAT2 437
#define NR_PIDFD_GETFD 438
#define NR_MOUNT_SETATTR 442
#define NR_QUOTACTL_FD 443
#define NR_LANDLOCK_CREATE 444
#define NR_LANDLOCK_ADD 445
#define NR_LANDLOCK_RESTRICT 446
#define NR_MEMFD_SECRET 447
#define NR_FCHMODAT2 452
#define NR_STATMOUNT 457
#define NR_LISTMOUNT 458
#define NR_OPEN_TREE_ATTR 467
#define NR_FILE_SETATTR 469

/* The older forms, which newer processors never had. */
#ifndef SYS_open
#define SYS_open NR_NONE
#define SYS_stat NR_NONE
#define SYS_lstat NR_NONE
#define SYS_readlink NR_NONE
#define SYS_access NR_NONE
#define SYS_chmod NR_NONE
#define SYS_chown NR_NONE
#define SYS_lchown NR_NONE
#define SYS_mkdir NR_NONE
#define SYS_mknod NR_NONE
#define SYS_symlink NR_NONE
#define SYS_link NR_NONE
#define SYS_rename NR_NONE
#define SYS_unlink NR_NONE
#define SYS_rmdir NR_NONE
#define SYS_fork NR_NONE
#define SYS_vfork NR_NONE
#define SYS_pipe NR_NONE
#define SYS_dup2 NR_NONE
#define SYS_poll NR_NONE
#endif
#ifndef SYS_iopl
#define SYS_iopl NR_NONE
#define SYS_ioperm NR_NONE
#define SYS_modify_ldt NR_NONE
#define SYS_arch_prctl NR_NONE
#endif
#ifndef SYS_newfstatat
#define SYS_newfstatat NR_NONE
#endif

#endif

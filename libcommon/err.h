/* Error codes and their words: the one home of error text.
 *
 * A function that can fail returns 0 or one of these negative codes. Where a
 * code is E_SYS, errno holds the kernel's reason and is kept until the caller
 * has looked. err_text() and err_errno() give fixed words: never a path, never
 * text from outside, so that every sentence built from them may be shown to a
 * planner. */
#ifndef BB_LIBCOMMON_ERR_H
#define BB_LIBCOMMON_ERR_H

enum err {
	E_OK = 0,
	E_SYS = -1,          /* the kernel refused; see errno */
	E_NOMEM = -2,        /* out of memory */
	E_TOO_LONG = -3,     /* longer than a stated bound */
	E_BAD = -4,          /* not of the stated form */
	E_MISSING = -5,      /* a required member or argument is absent */
	E_RANGE = -6,        /* outside the stated range */
	E_TYPE = -7,         /* of another type */
	E_DUP = -8,          /* given twice */
	E_UNKNOWN = -9,      /* a name nobody reads */
	E_STATE = -10,       /* not allowed in this state */
	E_EOF = -11,         /* the other side closed */
	E_TIME = -12,        /* the deadline passed */
	E_OUTSIDE = -13,     /* leads outside what is open */
	E_CHANGED = -14,     /* changed while being looked at */
	E_UNSUPPORTED = -15, /* this kernel or build cannot */
	E_FULL = -16         /* a stated bound is used up */
};

#define must_use __attribute__((warn_unused_result))

/* Fixed words for a code ("not of the stated form"). Never NULL. */
const char *err_text(int code);

/* Fixed words for an errno value ("permission denied"), lower case, without a
 * path; "system error N" is never produced: unknown values read "system error".
 * Never NULL. */
const char *err_errno(int errnum);

/* Print `file:line: what` on descriptor 2 and abort. For broken invariants of
 * our own only; nothing from outside may lead here. */
_Noreturn void bug_at(const char *file, int line, const char *what);
#define bug(what) bug_at(__FILE__, __LINE__, (what))

#endif

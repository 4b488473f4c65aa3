/* The one home of error words. Fixed text only: nothing from outside stands in it. */
#include "libcommon/err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
err_text(int code)
{
	static const char *const words[] = {"done", "the system refused", "out of memory",
	    "too long", "not of the stated form", "missing", "outside its range",
	    "of another type", "given twice", "unknown", "not allowed in this state",
	    "the other side closed", "the deadline passed", "leads outside",
	    "changed meanwhile", "not supported here", "full"};

	if (code > 0 || code < E_FULL)
		return "unknown error";
	return words[-code];
}

const char *
err_errno(int e)
{
	static const struct {
		int e;
		const char *words;
	} table[] = {{EPERM, "not permitted"}, {ENOENT, "not found"},
	    {EIO, "input/output error"}, {E2BIG, "too many arguments"},
	    {EBADF, "bad descriptor"}, {EAGAIN, "busy, try again"},
	    {ENOMEM, "out of memory"}, {EACCES, "permission denied"}, {EBUSY, "busy"},
	    {EEXIST, "exists already"}, {EXDEV, "on another file system"},
	    {ENODEV, "no such device"}, {ENOTDIR, "not a directory"},
	    {EISDIR, "is a directory"}, {EINVAL, "invalid argument"},
	    {ENFILE, "too many open files on this machine"},
	    {EMFILE, "too many open files"}, {ETXTBSY, "being executed"},
	    {EFBIG, "too large"}, {ENOSPC, "no space left"},
	    {EROFS, "read-only file system"}, {EMLINK, "too many links"},
	    {EPIPE, "the other side closed"}, {ENAMETOOLONG, "name too long"},
	    {ENOSYS, "not supported by this kernel"}, {ENOTEMPTY, "not empty"},
	    {ELOOP, "too many links in a path"}, {EOVERFLOW, "value too large"},
	    {EOPNOTSUPP, "not supported"}, {ECONNREFUSED, "connection refused"},
	    {ECONNRESET, "connection reset"}, {ETIMEDOUT, "timed out"},
	    {EDQUOT, "quota used up"}, {ESTALE, "stale file handle"},
	    {ENXIO, "no such device or address"}, {ENOTCONN, "not connected"},
	    {ENOEXEC, "not an executable of this machine"},
	    {ELIBACC, "libedit is not installed"}};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].e == e)
			return table[i].words;
	return "system error";
}

static void
put(const char *s)
{
	ssize_t n = write(2, s, strlen(s));

	(void)n;
}

_Noreturn void
bug_at(const char *file, int line, const char *what)
{
	char digits[12];
	size_t i = sizeof(digits);

	digits[--i] = '\0';
	do
		digits[--i] = (char)('0' + line % 10);
	while ((line /= 10) > 0 && i > 0);
	put(file);
	put(":");
	put(digits + i);
	put(": ");
	put(what);
	put("\n");
	abort();
}

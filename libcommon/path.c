/* Paths as text, and the places where bb keeps things. */
#include "libcommon/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum path_fault
path_check(const char *p, size_t n, bool file)
{
	bool blank = true;

	for (size_t i = 0; i < n; i++)
		blank &= p[i] == ' ' || p[i] == '\t' || p[i] == '\n';
	if (blank)
		return PATH_EMPTY;
	if (memchr(p, '\0', n) != NULL)
		return PATH_NUL;
	if (n > PATH_ARG_MAX)
		return PATH_LONG;
	for (size_t at = 0; at < n;) {
		const char *slash = memchr(p + at, '/', n - at);
		size_t len = slash != NULL ? (size_t)(slash - p) - at : n - at;

		if (len == 2 && p[at] == '.' && p[at + 1] == '.')
			return PATH_CLIMBS;
		if (len > PATH_COMPONENT_MAX)
			return PATH_LONG;
		at += len + 1;
	}
	if (file && p[n - 1] == '/')
		return PATH_TRAILING;
	return PATH_FINE;
}

int
path_normal(const char *p, struct buf *out)
{
	size_t start = out->len;
	int r = 0;

	if (p[0] == '/')
		r = buf_byte(out, '/');
	while (*p != '\0' && r == 0) {
		size_t n = strcspn(p, "/");

		if (n > 0 && !(n == 1 && p[0] == '.')) {
			if (out->len > start && out->p[out->len - 1] != '/')
				r = buf_byte(out, '/');
			if (r == 0)
				r = buf_append(out, p, n);
		}
		p += n + (p[n] == '/');
	}
	return r != 0 ? r : buf_append(out, "", 0);
}

int
path_join(const char *dir, const char *name, struct buf *out)
{
	struct buf b = BUF_INIT;
	int r = 0;

	if (name[0] != '/') {
		r = buf_str(&b, dir);
		if (r == 0)
			r = buf_byte(&b, '/');
	}
	if (r == 0)
		r = buf_str(&b, name);
	if (r == 0)
		r = path_normal(buf_cstr(&b), out);
	buf_release(&b);
	return r;
}

bool
path_covers(const char *dir, const char *path, const char **rest)
{
	size_t n = strlen(dir);

	if (n == 1 && dir[0] == '/')
		n = 0; /* the root covers every absolute path */
	else if (n == 0 && path[0] == '/')
		return false;
	if (strncmp(dir, path, n) != 0 || (path[n] != '\0' && path[n] != '/' && n > 0))
		return false;
	if (n == 0 && dir[0] == '/' && path[0] != '/')
		return false;
	if (rest != NULL)
		*rest = path + n;
	return true;
}

const char *
path_base(const char *p)
{
	const char *slash = strrchr(p, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : p;
}

const char *
path_home(void)
{
	const char *home = getenv("HOME");

	return home != NULL && home[0] == '/' ? home : NULL;
}

int
path_state(const char *override, struct buf *out)
{
	const char *xdg = getenv("XDG_STATE_HOME");

	if (override != NULL && override[0] != '\0')
		return buf_str(out, override);
	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return path_home() != NULL ? path_join(path_home(), ".local/state/bb", out)
	                           : E_MISSING;
}

int
path_config(struct buf *out)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");

	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return path_home() != NULL ? path_join(path_home(), ".config/bb", out)
	                           : E_MISSING;
}

int
path_runtime(const char *state, struct buf *out)
{
	const char *xdg = getenv("XDG_RUNTIME_DIR");

	if (xdg != NULL && xdg[0] == '/')
		return path_join(xdg, "bb", out);
	return state != NULL ? path_join(state, "run", out) : E_MISSING;
}

/* One directory on the way: made 0700; one that is there already is left as it is. */
static int
own_dir(const char *path)
{
	struct stat st;

	if (mkdir(path, 0700) == 0)
		return 0;
	if (errno != EEXIST)
		return E_SYS;
	if (stat(path, &st) != 0)
		return E_SYS;
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return E_SYS;
	}
	return 0;
}

int
path_private_dir(const char *path)
{
	char *copy = strdup(path);
	struct stat st;
	int r = 0;

	if (copy == NULL)
		return E_NOMEM;
	for (char *p = copy + 1; r == 0 && *p != '\0'; p++)
		if (*p == '/') {
			*p = '\0';
			r = own_dir(copy);
			*p = '/';
		}
	if (r == 0)
		r = own_dir(copy);
	if (r == 0 && stat(path, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 077) != 0 && chmod(path, 0700) != 0)
		r = E_SYS;
	free(copy);
	return r;
}

int
path_helpers(struct buf *out)
{
	static const char installed[] = BB_PREFIX "/libexec/bb";
	char exe[PATH_ARG_MAX + 1], *slash;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct buf b = BUF_INIT;
	int r;

	if (n > 0) {
		exe[n] = '\0';
		if ((slash = strrchr(exe, '/')) != NULL) {
			*slash = '\0';
			if ((r = path_join(exe, "bb-read", &b)) != 0)
				goto out;
			if (access(buf_cstr(&b), X_OK) == 0) {
				r = buf_str(out, exe);
				goto out;
			}
			/* installed elsewhere than it was built for: PREFIX/bin/bb, PREFIX/libexec/bb */
			buf_clear(&b);
			if ((slash = strrchr(exe, '/')) != NULL) {
				*slash = '\0';
				if ((r = path_join(exe, "libexec/bb/bb-read", &b)) != 0)
					goto out;
				if (access(buf_cstr(&b), X_OK) == 0) {
					r = path_join(exe, "libexec/bb", out);
					goto out;
				}
			}
		}
	}
	r = access(installed, X_OK) == 0 ? buf_str(out, installed) : E_MISSING;
out:
	buf_release(&b);
	return r;
}

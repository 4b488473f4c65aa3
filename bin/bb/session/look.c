/* What the person's own looking needs: the head of a file for their screen, and names
 * for completion. bb carries these bytes to the screen and decides nothing by them. */
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/commands.h"
#include "libcommon/io.h"
#include "libcommon/utf8.h"
#include "libcommon/walk.h"

#define HEAD_MAX ((size_t)1 << 20)
#define NAMES_MAX 4096

int
commands_head(int fd, struct buf *out)
{
	struct buf head;
	int r;

	buf_init(&head, HEAD_MAX);
	r = io_pread_all(fd, &head);
	if (r == 0 || r == E_TOO_LONG) {
		int put = buf_append(out, buf_cstr(&head), head.len);

		if (put == 0 && r == E_TOO_LONG)
			put = buf_str(out, "\n[cut at 1 MiB]\n");
		r = put;
	}
	buf_release(&head);
	return r;
}

void
commands_names(int fd, const char *before, size_t n_before, const char *typed, size_t dir,
    size_t n, struct buf *out)
{
	struct walk_dir d;

	if (walk_read(fd, NAMES_MAX, &d) != 0)
		return;
	for (size_t i = 0; i < d.n; i++) {
		const char *name = d.e[i].name;

		if (strncmp(name, typed + dir, n - dir) != 0 ||
		    !utf8_plain(name, strlen(name)) || strpbrk(name, " '\"\\") != NULL)
			continue;
		(void)buf_append(out, before, n_before);
		(void)buf_append(out, typed, dir);
		(void)buf_str(out, name);
		(void)buf_append(out, d.e[i].kind == WALK_DIR ? "/" : "",
		    d.e[i].kind == WALK_DIR);
		(void)buf_append(out, "", 1);
	}
	walk_release(&d);
}

/* What the person's own looking needs: the head of a file for their screen, and
 * rows of reports laid out for a window. bb carries these bytes and decides
 * nothing by them. */
#include <string.h>
#include <unistd.h>

#include "bin/bb/session/commands.h"
#include "libcommon/io.h"

#define HEAD_MAX ((size_t)1 << 20)
#define COLUMN_MOST \
	22 /* a second column further right is text, not a column  \
                        */
#define NARROW \
	60 /* prompts 1.2: below it labels stand on a row of their own  \
                   */

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

/* Where the second column of a row begins: after the last of two or more blanks
 * that follow its first word; 0 when it has one column only. */
static size_t
column(const char *row, size_t n)
{
	size_t i = strspn(row, " ");

	while (i < n && !(row[i] == ' ' && i + 1 < n && row[i + 1] == ' '))
		i++;
	while (i < n && row[i] == ' ')
		i++;
	return i < n && i <= COLUMN_MOST ? i : 0;
}

void
look_wrap(unsigned columns, unsigned hang, const char *words, struct buf *out)
{
	size_t at = hang, n;

	for (const char *w = words; *w != '\0'; w += n + (w[n] == ' ')) {
		size_t cells = 0;

		n = strcspn(w, " ");
		for (size_t i = 0; i < n; i++)
			cells += ((unsigned char)w[i] & 0xc0) != 0x80;
		if (at > hang && at + 1 + cells > columns) {
			(void)buf_fmt(out, "\n%*s", (int)hang, "");
			at = hang;
		} else if (at > hang) {
			(void)buf_byte(out, ' ');
			at++;
		}
		(void)buf_append(out, w, n);
		at += cells;
	}
}

unsigned
look_columns(void)
{
	struct look l;

	if (isatty(STDOUT_FILENO) != 1)
		return 80;
	look_of(STDOUT_FILENO, COLOUR_NEVER, &l);
	return l.width;
}

static void
look_row(const struct look *l, const char *row, size_t n, struct buf *out)
{
	size_t hang = column(row, n), at = out->len;
	auto_buf struct buf words = BUF_INIT;

	if (hang == 0)
		hang = strspn(row, " ") < n ? strspn(row, " ") : 0;
	if (l->width < NARROW && hang > 2) { /* the first column on a row of its own */
		(void)buf_append(out, row, hang);
		while (out->len > at && out->p[out->len - 1] == ' ')
			out->p[--out->len] = '\0';
		(void)buf_byte(out, '\n');
		(void)buf_append(&words, row + hang, n - hang);
		screen_say(l, 4, buf_cstr(&words), SHADE_PLAIN, out);
		return;
	}
	(void)buf_append(&words, row + hang, n - hang);
	screen_say(l, (unsigned)hang, buf_cstr(&words), SHADE_PLAIN, out);
	/* The first column stands where its blanks were put: it is ASCII of ours. */
	if (n > 0 && out->len >= at + hang && !out->failed)
		memcpy(out->p + at, row, hang);
}

void
look_rows(const struct look *l, const char *rows, struct buf *out)
{
	while (*rows != '\0') {
		size_t n = strcspn(rows, "\n");

		look_row(l, rows, n, out);
		rows += n + (rows[n] == '\n');
	}
}

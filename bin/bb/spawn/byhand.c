/* The shell line that starts a tool's helper with the descriptors bb would give
 * it, to be pasted into any POSIX shell: the slot is a temporary file that is
 * shown and removed. Trusts nothing it quotes. */
#include "bin/bb/spawn/spawn_int.h"

#include <string.h>

/* One word of the shell, whatever it holds. */
static void
quote(const char *p, size_t n, struct buf *out)
{
	buf_byte(out, '\'');
	for (size_t i = 0; i < n; i++)
		if (p[i] == '\'')
			buf_str(out, "'\\''");
		else
			buf_byte(out, p[i]);
	buf_byte(out, '\'');
}

static bool
plain(const char *p, size_t n)
{
	static const char *const safe =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789_./:,+@%-";

	for (size_t i = 0; i < n; i++)
		if (p[i] == '\0' || strchr(safe, p[i]) == NULL)
			return false;
	return n > 0;
}

static void
word(const char *p, size_t n, struct buf *out)
{
	if (plain(p, n))
		buf_append(out, p, n);
	else
		quote(p, n, out);
}

/* frame(8) takes what looks like an integer for one. */
static bool
like_integer(const char *p, size_t n)
{
	if (n > 0 && p[0] == '-')
		p++, n--;
	for (size_t i = 0; i < n; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return n > 0;
}

/* One member after the other as NAME=VALUE. False when frame(8) cannot write the
 * record: then its bytes are. */
static bool
members(const unsigned char *body, size_t len, struct buf *out)
{
	size_t at = 0;

	while (at < len) {
		const char *name = (const char *)body + at;
		const char *blank = memchr(name, ' ', len - at);
		const char *end, *value;
		size_t n = 0, room;

		if (blank == NULL)
			return false;
		value = blank + 1;
		room = len - (size_t)(value - (const char *)body);
		for (size_t i = 0; i < room && value[i] >= '0' && value[i] <= '9'; i++)
			if (i + 1 < room && value[i + 1] == ':') {
				const char *text = value + i + 2;

				for (size_t k = 0; k <= i; k++)
					if (__builtin_mul_overflow(n, (size_t)10, &n) ||
					    __builtin_add_overflow(n,
					        (size_t)(value[k] - '0'), &n))
						return false;
				if (n >= room - i - 2 || like_integer(text, n) ||
				    memchr(text, '\0', n) != NULL)
					return false;
				value = text;
				end = text + n;
				goto have;
			}
		if ((end = memchr(value, '\n', room)) == NULL)
			return false;
		n = (size_t)(end - value);
		if (!like_integer(value, n))
			return false;
	have:
		buf_byte(out, ' ');
		buf_append(out, name, (size_t)(blank - name));
		buf_byte(out, '=');
		if (n > 0)
			word(value, n, out);
		at = (size_t)(end - (const char *)body) + 1;
	}
	return true;
}

static void
octal(const unsigned char *p, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_fmt(out, "\\0%03o", p[i]);
}

int
spawn_by_hand(const struct tool *t, const char *helpers, const char *file,
    const void *body, size_t body_len, struct buf *out)
{
	auto_buf struct buf call = BUF_INIT, dir = BUF_INIT;
	bool slot = false;

	if (t->helper == NULL)
		return E_BAD;
	for (size_t i = 0; i < t->n_fds; i++)
		slot |= t->fds[i].source == TOOL_FROM_SLOT;
	word(helpers, strlen(helpers), &dir);
	if (slot)
		buf_str(out, "s=$(mktemp) && ");
	if (members(body, body_len, &call)) {
		buf_fmt(out, "%s/frame call%s", buf_cstr(&dir), buf_cstr(&call));
	} else {
		const struct frame f = {FRAME_CALL, 1, (uint32_t)body_len};
		unsigned char header[FRAME_HEADER];

		frame_pack(&f, header);
		buf_str(out, "printf %b '");
		octal(header, sizeof(header), out);
		octal(body, body_len, out);
		buf_byte(out, '\'');
	}
	buf_fmt(out, " | env -i %s/%s", buf_cstr(&dir), t->helper);
	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];

		buf_fmt(out, " %d", f->n);
		switch (f->source) {
		case TOOL_FROM_ARG:
			buf_byte(out, f->access == TOOL_WRITE ? '>' : '<');
			word(file, strlen(file), out);
			break;
		case TOOL_FROM_SLOT:
			buf_str(out, ">\"$s\"");
			break;
		case TOOL_FROM_SCOPE: /* empty: all of fd 3 */
		case TOOL_FROM_CARRY:
			buf_str(out, "</dev/null");
			break;
		}
	}
	buf_fmt(out, " | %s/frame show", buf_cstr(&dir));
	if (slot)
		buf_str(out,
		    t->fds[0].access == TOOL_DIR
		        ? "; tr '\\0' '\\n' <\"$s\"; rm -f \"$s\""
		        : "; cat \"$s\"; rm -f \"$s\"");
	return out->failed || call.failed || dir.failed ? E_NOMEM : 0;
}

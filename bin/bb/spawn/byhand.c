/* The shell line that starts a tool's helper with the descriptors bb would give
 * it, to be pasted into any POSIX shell: the slot is a temporary file that is
 * shown and removed. Trusts nothing it quotes. */
#include "bin/bb/spawn/spawn_int.h"

#include <string.h>

#include "libcommon/utf8.h"

/* The line is pasted at a terminal and shown on one: what steers is spelled for printf(1)
 * and kept in variables, in front of the rest. */
struct line {
	struct buf vars, out;
	unsigned n;
};

static void
release(struct line *l)
{
	buf_release(&l->vars);
	buf_release(&l->out);
}
#define auto_line __attribute__((cleanup(release)))

static void
spelled(const char *p, size_t n, struct line *l)
{
	struct buf *v = &l->vars;

	/* the sign behind it keeps $( ) from taking newlines off its end */
	buf_fmt(v, "n%u=$(printf '", ++l->n);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c == '%' || c == '\\')
			buf_fmt(v, "%c%c", c, c);
		else if (c < 0x20 || c >= 0x7f || c == '\'' || (i == 0 && c == '-'))
			buf_fmt(v, "\\%03o", c);
		else
			buf_byte(v, (char)c);
	}
	buf_str(v, "_') && ");
	buf_fmt(&l->out, "\"${n%u%%_}\"", l->n);
}

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
word(const char *p, size_t n, struct line *l)
{
	if (plain(p, n))
		buf_append(&l->out, p, n);
	else if (utf8_plain(p, n))
		quote(p, n, &l->out);
	else
		spelled(p, n, l);
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
members(const unsigned char *body, size_t len, struct line *l)
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
		buf_byte(&l->out, ' ');
		buf_append(&l->out, name, (size_t)(blank - name));
		buf_byte(&l->out, '=');
		if (n > 0)
			word(value, n, l);
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
	auto_line struct line l = {BUF_INIT, BUF_INIT, 0};
	auto_buf struct buf dir = BUF_INIT;
	bool slot = false, shown = false;

	if (t->helper == NULL)
		return E_BAD;
	for (size_t i = 0; i < t->n_fds; i++)
		slot |= t->fds[i].source == TOOL_FROM_SLOT;
	word(helpers, strlen(helpers), &l);
	buf_append(&dir, l.out.p, l.out.len);
	buf_str(&l.out, "/frame call");
	if (!members(body, body_len, &l)) {
		const struct frame f = {FRAME_CALL, 1, (uint32_t)body_len};
		unsigned char header[FRAME_HEADER];

		frame_pack(&f, header);
		buf_clear(&l.out);
		buf_str(&l.out, "printf %b '");
		octal(header, sizeof(header), &l.out);
		octal(body, body_len, &l.out);
		buf_byte(&l.out, '\'');
	}
	buf_fmt(&l.out, " | env -i %s/%s", buf_cstr(&dir), t->helper);
	for (size_t i = 0; i < t->n_fds; i++) {
		const struct tool_fd *f = &t->fds[i];

		buf_fmt(&l.out, " %d", f->n);
		switch (f->source) {
		case TOOL_FROM_ARG:
			buf_byte(&l.out, f->access == TOOL_WRITE ? '>' : '<');
			word(file, strlen(file), &l);
			break;
		case TOOL_FROM_SLOT:
			/* The first is shown. */
			buf_str(&l.out, shown ? ">/dev/null" : ">\"$s\"");
			shown = true;
			break;
		case TOOL_FROM_SCOPE: /* empty: all of fd 3 */
		case TOOL_FROM_CARRY:
			buf_str(&l.out, "</dev/null");
			break;
		}
	}
	buf_fmt(&l.out, " | %s/frame show", buf_cstr(&dir));
	if (slot)
		buf_str(&l.out,
		    t->fds[0].access == TOOL_DIR
		        ? "; tr '\\0' '\\n' <\"$s\"; rm -f \"$s\""
		        : "; cat \"$s\"; rm -f \"$s\"");
	if (slot)
		buf_str(out, "s=$(mktemp) && ");
	buf_append(out, l.vars.p, l.vars.len);
	buf_append(out, l.out.p, l.out.len);
	return out->failed || l.vars.failed || l.out.failed || dir.failed ? E_NOMEM : 0;
}

/* Paging (tools-files 0.5 and 1). The whole file is read once: is it text, how many
 * lines has it, and the lines of the page on the way. What is text is decided by the
 * first 8,192 bytes and by all of it being UTF-8. */
#include "bin/bb-read/lines.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcommon/helper.h"
#include "libcommon/text.h"
#include "libcommon/tool.h"
#include "libcommon/utf8.h"

extern const struct tool tool_read_file;

static const char cut_mark[] = " \xe2\x80\xa6[cut]";

static unsigned char in[65536];
static char page[PAGE_BYTES];

struct pager {
	int64_t offset, limit; /* asked */
	int64_t line;          /* number of the line being read, from 1 */
	bool open;             /* bytes were seen since the last LF */
	bool done;             /* the page is full or complete */
	/* the line being put on the page */
	size_t start; /* where it begins on the page */
	size_t len;   /* bytes of the page in all */
	unsigned chars;
	bool cr; /* a CR that may belong to the line's end */
	bool cut;
	int64_t first, lines, cuts;
};

/* One byte of the line onto the page; the page may be full. */
static bool
put(struct pager *p, char c)
{
	if (p->len == PAGE_BYTES)
		return false;
	page[p->len++] = c;
	return true;
}

static bool
put_char(struct pager *p, unsigned char c)
{
	if (p->cut)
		return true;
	if ((c & 0xc0) != 0x80) { /* a new scalar value begins */
		if (p->chars == LINE_CHARS) {
			p->cut = true;
			for (const char *m = cut_mark; *m != '\0'; m++)
				if (!put(p, *m))
					return false;
			return true;
		}
		p->chars++;
	}
	return put(p, (char)c);
}

static void
begin_line(struct pager *p)
{
	p->start = p->len;
	p->chars = 0;
	p->cr = p->cut = false;
}

/* The line is complete: it stays, or, when the page has no room for it, goes. A page
 * holds one line at least: the longest has 8,010 bytes. */
static void
end_line(struct pager *p, bool fits)
{
	if (fits)
		fits = put(p, '\n');
	if (!fits) {
		p->len = p->start;
		p->done = true;
		return;
	}
	if (p->lines++ == 0)
		p->first = p->line;
	p->cuts += p->cut;
	p->done = p->lines == p->limit;
	begin_line(p);
}

/* A whole line that cannot be too long for its row, as most are; false: it is another. */
static bool
plain(struct pager *p, const unsigned char *b, size_t n)
{
	if (p->open || n > LINE_CHARS)
		return false;
	if (n > 0 && b[n - 1] == '\r')
		n--;
	if (n > PAGE_BYTES - p->len)
		return false;
	memcpy(page + p->len, b, n);
	p->len += n;
	return true;
}

/* Bytes of the wanted lines, up to the page's end; returns what was used. */
static size_t
wanted(struct pager *p, const unsigned char *b, size_t n)
{
	size_t i = 0;

	while (i < n && !p->done) {
		unsigned char c = b[i];
		bool fits = true;

		if (!p->open || p->cut) { /* by whole lines, or to the end of a cut one */
			const unsigned char *lf = memchr(b + i, '\n', n - i);
			size_t len = lf != NULL ? (size_t)(lf - (b + i)) : n - i;

			if (p->cut || (lf != NULL && plain(p, b + i, len))) {
				i += len;
				p->open = true;
				if (i == n)
					break;
				c = '\n';
			}
		}
		i++;
		if (c == '\n') { /* a CR right before it is part of the end */
			end_line(p, true);
			p->line++;
			p->open = false;
			continue;
		}
		p->open = true;
		if (p->cr) {
			p->cr = false;
			fits = put_char(p, '\r');
		}
		if (c == '\r')
			p->cr = true;
		else
			fits = fits && put_char(p, c);
		if (!fits)
			end_line(p, false);
	}
	return i;
}

static void
count(struct pager *p, const unsigned char *b, size_t n)
{
	while (n > 0) {
		const unsigned char *lf;

		if (p->line >= p->offset && !p->done && p->lines < p->limit) {
			size_t used = wanted(p, b, n);

			b += used;
			n -= used;
			continue;
		}
		if ((lf = memchr(b, '\n', n)) == NULL) {
			p->open = true;
			return;
		}
		p->line++;
		p->open = false;
		n -= (size_t)(lf + 1 - b);
		b = lf + 1;
	}
}

static void
finish(struct pager *p)
{
	if (!p->open)
		return;
	if (p->line >= p->offset && !p->done && p->lines < p->limit) {
		bool fits =
		    !p->cr || put_char(p, '\r'); /* no LF came: it is a character */

		end_line(p, fits);
	}
	p->line++; /* a last line without its LF counts */
}

/* Fill the buffer from `have` on; returns bytes in it, or -1. */
static ssize_t
fill(size_t have)
{
	while (have < sizeof(in)) {
		ssize_t n = read(3, in + have, sizeof(in) - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

static const char *
scan(struct pager *p)
{
	uint64_t seen = 0;
	size_t carry = 0; /* bytes of an unfinished sequence kept from the last block */
	bool start = true;
	struct stat st;

	if (fstat(3, &st) != 0)
		return "unreadable";
	if (st.st_size > (off_t)FILE_BYTES)
		return "too-large";
	for (;;) {
		ssize_t have = fill(carry);
		const char *odd;
		size_t valid;

		if (have < 0)
			return "unreadable";
		if ((size_t)have == carry)
			break;
		seen += (size_t)have - carry;
		if (seen > FILE_BYTES) /* endless, whatever its size says */
			return "too-large";
		if (start && (odd = text_odd(in, (size_t)have)) != NULL)
			return odd;
		start = false;
		valid = utf8_valid(in, (size_t)have);
		/* Up to three bytes at the end may be a sequence that goes on in the next block;
		 * a full buffer means that there can be one. */
		if (valid != (size_t)have &&
		    ((size_t)have != sizeof(in) || (size_t)have - valid > 3))
			return "binary";
		count(p, in, valid);
		carry = (size_t)have - valid;
		memmove(in, in + valid, carry);
		if ((size_t)have != sizeof(in))
			break;
	}
	if (carry > 0)
		return "binary";
	finish(p);
	return "ok";
}

int
read_lines(struct rec *call, struct buf *result)
{
	const struct tool_arg *offset = tool_arg(&tool_read_file, "offset"),
	                      *limit = tool_arg(&tool_read_file, "limit");
	struct pager p = {.line = 1};
	const char *code;

	if (rec_get_int(call, "offset", offset->min, offset->max, &p.offset) != 0 ||
	    rec_get_int(call, "limit", limit->min, limit->max, &p.limit) != 0 ||
	    rec_end(call) != 0)
		return E_BAD;
	if (p.offset == 0) /* counts as absent, as for a planner */
		p.offset = offset->def;
	if (p.limit == 0)
		p.limit = limit->def;
	code = scan(&p);
	if (strcmp(code, "ok") != 0)
		p = (struct pager){.line = 1};
	else if (helper_page(4, page, p.len) != 0) {
		code = "unreadable";
		p = (struct pager){.line = 1};
	}
	rec_put_word(result, "code", code);
	rec_put_int(result, "first", p.first);
	rec_put_int(result, "lines", p.lines);
	rec_put_int(result, "total", p.line - 1);
	rec_put_int(result, "cut", p.cuts);
	rec_put_int(result, "bytes", (int64_t)p.len);
	return 0;
}

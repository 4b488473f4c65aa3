/* Parse, compile and match: a byte of flags, patterns each ended by a line feed up to an
 * empty one, then the text. The scanner must say what the set simulation says of every
 * line. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

static void
compare(const struct rx *rx, const unsigned char *p, size_t n, unsigned flags)
{
	struct rx_scan *s = rx_scan_new(rx);
	const struct rx_hit *hits;
	size_t n_hits, k = 0;

	if (s == NULL || rx_lines(s, p, n, SIZE_MAX, &hits, &n_hits) != 0)
		abort();
	for (size_t at = 0; at < n;) {
		const unsigned char *lf = memchr(p + at, '\n', n - at);
		size_t end = lf != NULL ? (size_t)(lf - p) : n, text = end;

		if ((flags & RX_CRLF) != 0 && lf != NULL && text > at &&
		    p[text - 1] == '\r')
			text--;
		if (rx_line(s, p + at, text - at)) {
			if (k == n_hits || hits[k].begin != at || hits[k].end != text)
				abort();
			k++;
		}
		at = end + 1;
	}
	if (k != n_hits)
		abort();
	rx_scan_free(s);
}

int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	struct rx_text list[8];
	struct rx_error err;
	struct rx *rx;
	unsigned flags;
	size_t many = 0;
	unsigned char *text;

	if (n < 2)
		return 0;
	flags = p[0] & (RX_NOCASE | RX_CRLF);
	p++;
	n--;
	while (many < 8) {
		const unsigned char *lf = memchr(p, '\n', n);
		size_t len = lf != NULL ? (size_t)(lf - p) : n;

		if (len > 0)
			list[many++] = (struct rx_text){(const char *)p, len};
		n -= len + (lf != NULL);
		p += len + (lf != NULL);
		if (len == 0 || n == 0)
			break;
	}
	if (rx_compile(list, many, flags, &rx, &err) != 0) {
		if (err.fault == RX_FINE || rx_fault_words[err.fault] == NULL)
			abort();
		return 0;
	}
	if (err.fault != RX_FINE)
		abort();
	/* A block of its own: a byte read behind it is found. Repeated, so that long texts,
	 * which are read in four pieces, come up too. */
	for (unsigned times = 1; times <= 64 && n > 0 && n * times < 8192; times *= 64) {
		if ((text = malloc(n * times)) == NULL)
			abort();
		for (unsigned i = 0; i < times; i++)
			memcpy(text + i * n, p, n);
		compare(rx, text, n * times, flags);
		free(text);
	}
	rx_free(rx);
	return 0;
}

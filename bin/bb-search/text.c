/* What may be shown of bytes out of files: valid UTF-8 on one line. */
#include <string.h>

#include "bin/bb-search/search_int.h"
#include "libcommon/bytes.h"
#include "libcommon/utf8.h"

static const char replaced[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The character at p as shown: its bytes at *as, its length there; *used bytes of p. What
 * steers stays where `keep` says so. */
static size_t
shown(const uint8_t *p, size_t n, bool keep, bool terminal, const char **as, size_t *used)
{
	uint32_t c;
	int len = utf8_next(p, n, &c);

	*used = len > 0 ? (size_t)len : 1;
	*as = (const char *)p;
	if (len > 0 && (!utf8_steers(c) || (keep && (!terminal || c == '\t'))))
		return *used;
	*as = terminal ? "?" : replaced;
	return terminal ? 1 : sizeof(replaced) - 1;
}

size_t
text_line(const uint8_t *p, size_t n, bool terminal, char *out, bool *cut)
{
	size_t len = 0, used;

	*cut = false;
	if (!terminal && n <= SHOWN_MAX && bytes_ascii(p, n) == n) {
		bytes_copy(out, p, n);
		return n;
	}
	for (size_t i = 0; i < n; i += used) {
		const char *as;
		size_t k = shown(p + i, n - i, true, terminal, &as, &used);

		if (len + k > SHOWN_MAX) {
			*cut = true;
			break;
		}
		bytes_copy(out + len, as, k);
		len += k;
	}
	return len;
}

size_t
text_path(const char *p, size_t n, bool terminal, char *out)
{
	size_t len = 0, used;

	for (size_t i = 0; i < n; i += used) {
		const char *as;
		size_t k =
		    shown((const uint8_t *)p + i, n - i, false, terminal, &as, &used);

		bytes_copy(out + len, as, k);
		len += k;
	}
	return len;
}

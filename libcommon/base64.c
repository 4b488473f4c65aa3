/* Bytes as base64 (RFC 4648, with padding), for JSON. */
#include "libcommon/text.h"

void
text_base64(const void *bytes, size_t n, struct buf *out)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)p[i] << 16 |
		    (i + 1 < n ? (unsigned)p[i + 1] << 8 : 0) |
		    (i + 2 < n ? p[i + 2] : 0);

		(void)buf_byte(out, digits[v >> 18]);
		(void)buf_byte(out, digits[v >> 12 & 63]);
		(void)buf_byte(out, i + 1 < n ? digits[v >> 6 & 63] : '=');
		(void)buf_byte(out, i + 2 < n ? digits[v & 63] : '=');
	}
}

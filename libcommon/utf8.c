/* UTF-8, strictly (RFC 3629). */
#include "libcommon/utf8.h"

#include <string.h>

int
utf8_next(const unsigned char *p, size_t n, uint32_t *cp)
{
	uint32_t c = p[0];
	int len;

	*cp = c;
	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	len = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (n < (size_t)len)
		return 0;
	c &= 0xffu >> (len + 1);
	for (int i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if ((len == 3 && (c < 0x800 || (c >= 0xd800 && c <= 0xdfff))) ||
	    (len == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	*cp = c;
	return len;
}

int
utf8_put(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

size_t
utf8_valid(const void *p, size_t n)
{
	const unsigned char *at = p;
	size_t i = 0;
	uint32_t cp;

	while (i < n) {
		uint64_t w;
		int len;

		/* Eight ASCII bytes at a time. */
		while (i + 8 <= n) {
			memcpy(&w, at + i, 8);
			if ((w & 0x8080808080808080ull) != 0)
				break;
			i += 8;
		}
		if (i == n)
			break;
		if ((len = utf8_next(at + i, n - i, &cp)) == 0)
			break;
		i += (size_t)len;
	}
	return i;
}

bool
utf8_steers(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x61c || cp == 0x200e ||
	    cp == 0x200f || (cp >= 0x2028 && cp <= 0x202e) ||
	    (cp >= 0x2066 && cp <= 0x2069);
}

bool
utf8_plain(const char *p, size_t n)
{
	uint32_t cp;
	int len;

	for (size_t i = 0; i < n; i += (size_t)len) {
		len = utf8_next((const unsigned char *)p + i, n - i, &cp);
		if (len == 0 || utf8_steers(cp))
			return false;
	}
	return true;
}

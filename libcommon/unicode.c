/* Word characters, white space and case of Unicode, by binary search in tables. Regular
 * expressions ask mostly about ASCII, which is answered here by arithmetic. */
#include "libcommon/unicode.h"

bool
unicode_within(const struct unicode_range *r, size_t n, uint32_t c)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (c < r[mid].first)
			n = mid;
		else if (c > r[mid].last)
			low = mid + 1;
		else
			return true;
	}
	return false;
}

static uint32_t
mapped(const struct unicode_pair *p, size_t n, uint32_t c)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (c < p[mid].from)
			n = mid;
		else if (c > p[mid].from)
			low = mid + 1;
		else
			return p[mid].to;
	}
	return c;
}

bool
unicode_word(uint32_t c)
{
	if (c < 0x80)
		return (c >= '0' && c <= '9') ||
		    ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
	return unicode_within(unicode_word_ranges, unicode_word_ranges_len, c);
}

bool
unicode_space(uint32_t c)
{
	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r');
	return unicode_within(unicode_space_ranges, unicode_space_ranges_len, c);
}

uint32_t
unicode_lower(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	return mapped(unicode_lower_pairs, unicode_lower_pairs_len, c);
}

uint32_t
unicode_upper(uint32_t c)
{
	if (c < 0x80)
		return c >= 'a' && c <= 'z' ? c - 32 : c;
	return mapped(unicode_upper_pairs, unicode_upper_pairs_len, c);
}

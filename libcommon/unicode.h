/* What regular expressions ask about a Unicode scalar value: word character, white
 * space, case by one-scalar mappings. Any uint32_t may be asked about; what is no scalar
 * value is in no set and its own lower and upper case.
 *
 * The tables (unicode_tables.c) are printed by scripts/unicode.pl. They are complete,
 * ASCII included, although the functions answer ASCII without them. */
#ifndef BB_LIBCOMMON_UNICODE_H
#define BB_LIBCOMMON_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Alphabetic, a number (Nd, Nl, No), or '_'. */
bool unicode_word(uint32_t c);
/* White_Space. */
bool unicode_space(uint32_t c);

/* The lower or upper case of c; c itself where it has none, or where its full mapping
 * (SpecialCasing without a condition) is more than one scalar value: the lower case of
 * U+0130 and the upper case of U+00DF are themselves. */
uint32_t unicode_lower(uint32_t c);
uint32_t unicode_upper(uint32_t c);

struct unicode_range {
	uint32_t first, last;
};
/* Is c in one of n ranges that are sorted and apart? */
bool unicode_within(const struct unicode_range *r, size_t n, uint32_t c);
/* In order, neither overlapping nor touching. */
extern const struct unicode_range unicode_word_ranges[], unicode_space_ranges[];
extern const size_t unicode_word_ranges_len, unicode_space_ranges_len;

struct unicode_pair {
	uint32_t from, to;
};
/* In order of `from`; to != from. Several may have the same `to`. */
extern const struct unicode_pair unicode_lower_pairs[], unicode_upper_pairs[];
extern const size_t unicode_lower_pairs_len, unicode_upper_pairs_len;

extern const char unicode_version[]; /* of the tables: "15.0.0" */

#endif

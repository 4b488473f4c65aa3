/* Finding one literal by its two rarest bytes, or one of many by a fingerprint of their
 * first bytes (nibble tables, as vectors of shuffles); each with a scalar twin. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/bytes_int.h"
#include "libcommon/rx_int.h"

static bool
fits(const struct rx_lit *l, const uint8_t *p)
{
	for (size_t i = 0; i < l->len; i++)
		if ((p[i] | l->mask[i]) != l->b[i])
			return false;
	return true;
}

/* --- one ------------------------------------------------------------------------------- */

static void
rarest(struct rx_finder *f)
{
	const struct rx_lit *l = &f->lits->l[0];

	f->one[0] = f->one[1] = 0;
	for (unsigned i = 1; i < l->len; i++)
		if (rx_rarity[l->b[i]] > rx_rarity[l->b[f->one[0]]])
			f->one[0] = i;
	if (f->one[0] == 0 && l->len > 1)
		f->one[1] = 1;
	for (unsigned i = 0; i < l->len; i++)
		if (i != f->one[0] && l->b[i] != l->b[f->one[0]] &&
		    (f->one[1] == f->one[0] ||
		        rx_rarity[l->b[i]] > rx_rarity[l->b[f->one[1]]]))
			f->one[1] = i;
}

static size_t
one_scalar(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	const struct rx_lit *l = &f->lits->l[0];
	uint8_t b = l->b[f->one[0]], mask = l->mask[f->one[0]];

	for (size_t i = from; i + l->len <= n; i++)
		if ((p[i + f->one[0]] | mask) == b && fits(l, p + i))
			return i;
	return n;
}

#ifdef BYTES_X86

struct pair_avx2 {
	const uint8_t *a, *b; /* where the two bytes of a match at 0 stand */
	__m256i want_a, want_b, mask_a, mask_b;
};

/* All ones in the lanes where a match may begin. */
AVX2 static inline __m256i
pair_avx2(const struct pair_avx2 *w, size_t i)
{
	__m256i x = _mm256_loadu_si256((const __m256i *)(w->a + i)),
	        y = _mm256_loadu_si256((const __m256i *)(w->b + i));

	return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_or_si256(x, w->mask_a),
	                            w->want_a),
	    _mm256_cmpeq_epi8(_mm256_or_si256(y, w->mask_b), w->want_b));
}

AVX2 static size_t
one_avx2(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	const struct rx_lit *l = &f->lits->l[0];
	const unsigned a = f->one[0], b = f->one[1], far = a > b ? a : b;
	const struct pair_avx2 w = {p + a, p + b, _mm256_set1_epi8((char)l->b[a]),
	    _mm256_set1_epi8((char)l->b[b]), _mm256_set1_epi8((char)l->mask[a]),
	    _mm256_set1_epi8((char)l->mask[b])};
	size_t i = from, last;

	if (n < from + far + 32)
		return one_scalar(f, p, n, from);
	last = n - far - 32;
	for (;;) {
		__m256i v, u;
		unsigned m;

		/* Two blocks at a time, as long as there is nothing. */
		while (i + 32 <= last) {
			v = pair_avx2(&w, i);
			u = pair_avx2(&w, i + 32);
			if (!_mm256_testz_si256(_mm256_or_si256(v, u),
			        _mm256_or_si256(v, u)))
				break;
			i += 64;
		}
		/* The last block overlaps the one before: all ends are seen. */
		if (i > last) {
			if (i >= last + 32)
				return n;
			i = last;
		}
		m = (unsigned)_mm256_movemask_epi8(pair_avx2(&w, i));
		for (; m != 0; m &= m - 1) {
			size_t at = i + (unsigned)__builtin_ctz(m);

			if (at + l->len <= n && fits(l, p + at))
				return at;
		}
		i += 32;
	}
}

static size_t
one_sse2(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	const struct rx_lit *l = &f->lits->l[0];
	const unsigned a = f->one[0], b = f->one[1], far = a > b ? a : b;
	const __m128i want_a = _mm_set1_epi8((char)l->b[a]),
	              want_b = _mm_set1_epi8((char)l->b[b]),
	              mask_a = _mm_set1_epi8((char)l->mask[a]),
	              mask_b = _mm_set1_epi8((char)l->mask[b]);
	size_t i = from;

	if (n < from + far + 16)
		return one_scalar(f, p, n, from);
	for (;;) {
		__m128i x = _mm_loadu_si128((const __m128i *)(p + i + a)),
		        y = _mm_loadu_si128((const __m128i *)(p + i + b));
		unsigned m;

		x = _mm_cmpeq_epi8(_mm_or_si128(x, mask_a), want_a);
		y = _mm_cmpeq_epi8(_mm_or_si128(y, mask_b), want_b);
		m = (unsigned)_mm_movemask_epi8(_mm_and_si128(x, y));
		for (; m != 0; m &= m - 1) {
			size_t at = i + (unsigned)__builtin_ctz(m);

			if (at + l->len <= n && fits(l, p + at))
				return at;
		}
		if (i + far + 16 == n)
			return n;
		i = i + far + 32 <= n ? i + 16 : n - far - 16;
	}
}

#elif defined(BYTES_NEON)

static size_t
one_neon(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	const struct rx_lit *l = &f->lits->l[0];
	const unsigned a = f->one[0], b = f->one[1], far = a > b ? a : b;
	const uint8x16_t want_a = vdupq_n_u8(l->b[a]), want_b = vdupq_n_u8(l->b[b]),
	                 mask_a = vdupq_n_u8(l->mask[a]), mask_b = vdupq_n_u8(l->mask[b]);
	size_t i = from;

	if (n < from + far + 16)
		return one_scalar(f, p, n, from);
	for (;;) {
		uint8x16_t x = vceqq_u8(vorrq_u8(vld1q_u8(p + i + a), mask_a), want_a),
		           y = vceqq_u8(vorrq_u8(vld1q_u8(p + i + b), mask_b), want_b);
		uint64_t m = neon_bits(vandq_u8(x, y));

		for (; m != 0; m &= ~(15ULL << __builtin_ctzll(m) / 4 * 4)) {
			size_t at = i + (size_t)__builtin_ctzll(m) / 4;

			if (at + l->len <= n && fits(l, p + at))
				return at;
		}
		if (i + far + 16 == n)
			return n;
		i = i + far + 32 <= n ? i + 16 : n - far - 16;
	}
}

#endif

/* --- many -------------------------------------------------------------------------------- */

static int
by_bytes(const void *pa, const void *pb)
{
	const struct rx_lit *a = pa, *b = pb;
	int r = memcmp(a->b, b->b, a->len < b->len ? a->len : b->len);

	return r != 0 ? r : (int)a->len - (int)b->len;
}

static void
print_byte(struct rx_finder *f, unsigned k, uint8_t b, unsigned bucket)
{
	unsigned lane = bucket / 8 * 16;
	uint8_t bit = (uint8_t)(1u << bucket % 8);

	f->print[k][b] |= (uint16_t)(1u << bucket);
	f->low[k][lane + b % 16] |= bit;
	f->high[k][lane + b / 16] |= bit;
	if (!f->wide) { /* both lanes the same */
		f->low[k][16 + b % 16] |= bit;
		f->high[k][16 + b / 16] |= bit;
	}
}

/* Sorted, so that a bucket's literals share their beginnings. */
static void
buckets(struct rx_finder *f)
{
	struct rx_lit *l = f->lits->l;
	size_t n = f->lits->n, of;

	qsort(l, n, sizeof(*l), by_bytes);
	f->wide = n > 16;
	of = f->wide ? 16 : 8;
	f->prints = f->shortest < 4 ? (unsigned)f->shortest : 4;
	for (size_t b = 0; b < of; b++) {
		size_t first = b * n / of, end = (b + 1) * n / of;

		f->first[b] = (uint8_t)first;
		f->count[b] = (uint8_t)(end - first);
		for (size_t i = first; i < end; i++)
			for (unsigned k = 0; k < f->prints; k++) {
				print_byte(f, k, l[i].b[k], (unsigned)b);
				if (l[i].mask[k] != 0)
					print_byte(f, k, l[i].b[k] ^ 0x20, (unsigned)b);
			}
	}
}

/* Does a literal of these buckets stand at p, with n bytes left? */
static bool
any_fits(const struct rx_finder *f, uint32_t set, const uint8_t *p, size_t n)
{
	for (; set != 0; set &= set - 1) {
		unsigned b = (unsigned)__builtin_ctz(set);
		const struct rx_lit *l = &f->lits->l[f->first[b]];

		for (unsigned i = 0; i < f->count[b]; i++)
			if (l[i].len <= n && fits(&l[i], p))
				return true;
	}
	return false;
}

static uint32_t
printed(const struct rx_finder *f, const uint8_t *p)
{
	uint32_t set = f->print[0][p[0]];

	for (unsigned k = 1; k < f->prints; k++)
		set &= f->print[k][p[k]];
	return set;
}

static size_t
many_scalar(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	for (size_t i = from; i + f->shortest <= n; i++) {
		uint32_t set = printed(f, p + i);

		if (set != 0 && any_fits(f, set, p + i, n - i))
			return i;
	}
	return n;
}

#ifdef BYTES_X86

struct prints_avx2 {
	__m256i low[4], high[4];
};

/* One fingerprint byte of 32 lanes: bits of the buckets that it fits. */
AVX2 static inline __attribute__((always_inline)) __m256i
print_avx2(const struct prints_avx2 *t, unsigned k, const uint8_t *p, const bool wide)
{
	const __m256i nibble = _mm256_set1_epi8(15);
	__m256i v = wide
	    ? _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p + k)))
	    : _mm256_loadu_si256((const __m256i *)(p + k));

	return _mm256_and_si256(_mm256_shuffle_epi8(t->low[k],
	                            _mm256_and_si256(v, nibble)),
	    _mm256_shuffle_epi8(t->high[k],
	        _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
}

/* All of the fingerprint. Written out: a loop over its bytes would be one at run time,
 * with the tables in memory. */
AVX2 static inline __attribute__((always_inline)) __m256i
set_avx2(const struct prints_avx2 *t, const uint8_t *p, const unsigned prints,
    const bool wide)
{
	__m256i set =
	    _mm256_and_si256(print_avx2(t, 0, p, wide), print_avx2(t, 1, p, wide));

	if (prints > 2)
		set = _mm256_and_si256(set, print_avx2(t, 2, p, wide));
	if (prints > 3)
		set = _mm256_and_si256(set, print_avx2(t, 3, p, wide));
	return set;
}

/* `step` positions at once: 32, or 16 in both lanes where there are 16 buckets. */
AVX2 static inline __attribute__((always_inline)) size_t
many_avx2(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from,
    const unsigned prints, const bool wide)
{
	const size_t step = wide ? 16 : 32, reach = step + prints - 1;
	struct prints_avx2 t;
	size_t i = from, last;

	if (n < from + reach)
		return many_scalar(f, p, n, from);
	last = n - reach;
	for (unsigned k = 0; k < prints; k++) {
		t.low[k] = _mm256_loadu_si256((const __m256i *)f->low[k]);
		t.high[k] = _mm256_loadu_si256((const __m256i *)f->high[k]);
	}
	for (;;) {
		unsigned m;
		__m256i set;

		for (; i <= last; i += step) { /* as long as there is nothing */
			set = set_avx2(&t, p + i, prints, wide);
			if (!_mm256_testz_si256(set, set))
				break;
		}
		/* The last block overlaps the one before: all ends are seen. */
		if (i > last) {
			if (i >= last + step)
				return n;
			i = last;
			set = set_avx2(&t, p + i, prints, wide);
		}
		m = ~(unsigned)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(set, _mm256_setzero_si256()));
		if (wide)
			m = (m | m >> 16) & 0xffff;
		for (; m != 0; m &= m - 1) {
			size_t at = i + (unsigned)__builtin_ctz(m);
			uint32_t buckets_here = printed(f, p + at);

			if (buckets_here != 0 &&
			    any_fits(f, buckets_here, p + at, n - at))
				return at;
		}
		i += step;
	}
}

/* The number of fingerprint bytes is a constant in each: no loop is left inside. */
AVX2 static size_t
many_vector(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	if (f->wide)
		return f->prints == 2 ? many_avx2(f, p, n, from, 2, true)
		    : f->prints == 3  ? many_avx2(f, p, n, from, 3, true)
		                      : many_avx2(f, p, n, from, 4, true);
	return f->prints == 2 ? many_avx2(f, p, n, from, 2, false)
	    : f->prints == 3  ? many_avx2(f, p, n, from, 3, false)
	                      : many_avx2(f, p, n, from, 4, false);
}

#elif defined(BYTES_NEON)

/* 16 positions at once; the upper eight buckets are a second pair of tables. */
static size_t
many_neon(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	const uint8x16_t nibble = vdupq_n_u8(15);
	const size_t reach = 16 + f->prints - 1;
	size_t i = from;

	if (n < from + reach)
		return many_scalar(f, p, n, from);
	for (;;) {
		uint8x16_t set = vdupq_n_u8(255), upper = vdupq_n_u8(f->wide ? 255 : 0);
		uint64_t m;

		for (unsigned k = 0; k < f->prints; k++) {
			uint8x16_t v = vld1q_u8(p + i + k), lo = vandq_u8(v, nibble),
			           hi = vshrq_n_u8(v, 4);

			set = vandq_u8(set,
			    vandq_u8(vqtbl1q_u8(vld1q_u8(f->low[k]), lo),
			        vqtbl1q_u8(vld1q_u8(f->high[k]), hi)));
			if (f->wide)
				upper = vandq_u8(upper,
				    vandq_u8(vqtbl1q_u8(vld1q_u8(f->low[k] + 16), lo),
				        vqtbl1q_u8(vld1q_u8(f->high[k] + 16), hi)));
		}
		m = neon_bits(vcgtq_u8(vorrq_u8(set, upper), vdupq_n_u8(0)));
		for (; m != 0; m &= ~(15ULL << __builtin_ctzll(m) / 4 * 4)) {
			size_t at = i + (size_t)__builtin_ctzll(m) / 4;
			uint32_t buckets_here = printed(f, p + at);

			if (buckets_here != 0 &&
			    any_fits(f, buckets_here, p + at, n - at))
				return at;
		}
		if (i + reach == n)
			return n;
		i = i + reach + 16 <= n ? i + 16 : n - reach;
	}
}

#endif

void
finder_init(struct rx_finder *f, const struct rx_lits *lits, int level)
{
	memset(f, 0, sizeof(*f));
	f->lits = lits;
	f->level = level;
	f->shortest = LIT_MAX;
	for (size_t i = 0; i < lits->n; i++)
		if (lits->l[i].len < f->shortest)
			f->shortest = lits->l[i].len;
	if (lits->n == 1)
		rarest(f);
	else if (lits->n > 1)
		buckets(f);
}

size_t
finder_next(const struct rx_finder *f, const uint8_t *p, size_t n, size_t from)
{
	bool one = f->lits->n == 1;

#ifdef BYTES_X86
	if (f->level == 2)
		return one ? one_avx2(f, p, n, from) : many_vector(f, p, n, from);
	if (f->level == 1 && one)
		return one_sse2(f, p, n, from);
#elif defined(BYTES_NEON)
	if (f->level == 1)
		return one ? one_neon(f, p, n, from) : many_neon(f, p, n, from);
#endif
	return one ? one_scalar(f, p, n, from) : many_scalar(f, p, n, from);
}

/* Searches over bytes, in vectors where the processor has them. */
#include "libcommon/bytes.h"

#include <stdint.h>
#include <string.h>

#include "libcommon/bytes_int.h"
#include "libcommon/utf8.h"

static int level = -1;

#ifdef BYTES_X86
/* Two CPUID instructions, no more: each one traps in a virtual machine. */
static int
detect(void)
{
	unsigned a = 1, b, c = 0, d, low, high;

	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if ((c & (1u << 27 | 1u << 28)) != (1u << 27 | 1u << 28)) /* OSXSAVE, AVX */
		return 1;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	a = 7;
	c = 0;
	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return (low & 6) == 6 && (b & 1u << 5) != 0 ? 2 : 1;
}
#else
static int
detect(void)
{
#ifdef BYTES_NEON
	return 1;
#else
	return 0;
#endif
}
#endif

int
bytes_level(void)
{
	if (level < 0)
		level = detect();
	return level;
}

void
bytes_limit(int most)
{
	level = detect();
	if (level > most)
		level = most;
}

#ifdef BYTES_X86

AVX2 static size_t
find_avx2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m256i want = _mm256_set1_epi8((char)c);
	size_t i = 0;

	for (; i + 32 <= n; i += 32) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(p + i));
		unsigned m = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, want));

		if (m != 0)
			return i + (unsigned)__builtin_ctz(m);
	}
	for (; i < n; i++)
		if (p[i] == c)
			return i;
	return n;
}

AVX2 static size_t
past_last_avx2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m256i want = _mm256_set1_epi8((char)c);

	for (; n >= 32; n -= 32) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(p + n - 32));
		unsigned m = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, want));

		if (m != 0)
			return n - (unsigned)__builtin_clz(m);
	}
	while (n > 0 && p[n - 1] != c)
		n--;
	return n;
}

AVX2 static size_t
count_avx2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m256i want = _mm256_set1_epi8((char)c), zero = _mm256_setzero_si256();
	__m256i sum = zero;
	uint64_t part[4];
	size_t i = 0, total = 0;

	while (i + 32 <= n) {
		__m256i lanes = zero;

		/* A lane counts to 255 before it would wrap. */
		for (unsigned k = 0; k < 255 && i + 32 <= n; k++, i += 32)
			lanes = _mm256_sub_epi8(lanes,
			    _mm256_cmpeq_epi8(_mm256_loadu_si256(
			                          (const __m256i *)(p + i)),
			        want));
		sum = _mm256_add_epi64(sum, _mm256_sad_epu8(lanes, zero));
	}
	memcpy(part, &sum, sizeof(part));
	total = part[0] + part[1] + part[2] + part[3];
	for (; i < n; i++)
		total += p[i] == c;
	return total;
}

AVX2 static size_t
ascii_avx2(const uint8_t *p, size_t n)
{
	size_t i = 0;

	for (; i + 32 <= n; i += 32) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(p + i));
		unsigned m = (unsigned)_mm256_movemask_epi8(v);

		if (m != 0)
			return i + (unsigned)__builtin_ctz(m);
	}
	while (i < n && p[i] < 0x80)
		i++;
	return i;
}

/* How many bytes, in whole blocks, hold no NUL; *high as bytes_text() has it. */
AVX2 static size_t
text_avx2(const uint8_t *p, size_t n, bool *high)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i seen = zero;
	size_t i = 0;

	for (; i + 128 <= n; i += 128) {
		const __m256i *v = (const __m256i *)(p + i);
		__m256i a = _mm256_loadu_si256(v), b = _mm256_loadu_si256(v + 1),
		        c = _mm256_loadu_si256(v + 2), d = _mm256_loadu_si256(v + 3),
		        least =
		            _mm256_min_epu8(_mm256_min_epu8(a, b), _mm256_min_epu8(c, d));

		if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(least, zero)) != 0)
			break;
		seen = _mm256_or_si256(seen,
		    _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d)));
	}
	*high |= _mm256_movemask_epi8(seen) != 0;
	return i;
}

static size_t
find_sse2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m128i want = _mm_set1_epi8((char)c);
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(p + i));
		unsigned m = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, want));

		if (m != 0)
			return i + (unsigned)__builtin_ctz(m);
	}
	for (; i < n; i++)
		if (p[i] == c)
			return i;
	return n;
}

static size_t
past_last_sse2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m128i want = _mm_set1_epi8((char)c);

	for (; n >= 16; n -= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(p + n - 16));
		unsigned m = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, want));

		if (m != 0)
			return n - (unsigned)(__builtin_clz(m) - 16);
	}
	while (n > 0 && p[n - 1] != c)
		n--;
	return n;
}

static size_t
count_sse2(const uint8_t *p, size_t n, uint8_t c)
{
	const __m128i want = _mm_set1_epi8((char)c);
	size_t i = 0, total = 0;

	for (; i + 16 <= n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(p + i));

		total += (unsigned)__builtin_popcount(
		    (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, want)));
	}
	for (; i < n; i++)
		total += p[i] == c;
	return total;
}

#endif

#ifdef BYTES_NEON

static size_t
find_neon(const uint8_t *p, size_t n, uint8_t c)
{
	const uint8x16_t want = vdupq_n_u8(c);
	size_t i = 0;

	for (; i + 16 <= n; i += 16) {
		uint64_t m = neon_bits(vceqq_u8(vld1q_u8(p + i), want));

		if (m != 0)
			return i + (size_t)__builtin_ctzll(m) / 4;
	}
	for (; i < n; i++)
		if (p[i] == c)
			return i;
	return n;
}

static size_t
past_last_neon(const uint8_t *p, size_t n, uint8_t c)
{
	const uint8x16_t want = vdupq_n_u8(c);

	for (; n >= 16; n -= 16) {
		uint64_t m = neon_bits(vceqq_u8(vld1q_u8(p + n - 16), want));

		if (m != 0)
			return n - (size_t)__builtin_clzll(m) / 4;
	}
	while (n > 0 && p[n - 1] != c)
		n--;
	return n;
}

static size_t
count_neon(const uint8_t *p, size_t n, uint8_t c)
{
	const uint8x16_t want = vdupq_n_u8(c), one = vdupq_n_u8(1);
	size_t i = 0, total = 0;

	for (; i + 16 <= n; i += 16)
		total += vaddvq_u8(vandq_u8(vceqq_u8(vld1q_u8(p + i), want), one));
	for (; i < n; i++)
		total += p[i] == c;
	return total;
}

#endif

size_t
bytes_find(const void *v, size_t n, unsigned char c)
{
	const uint8_t *p = v;

#ifdef BYTES_X86
	if (bytes_level() == 2)
		return find_avx2(p, n, c);
	if (bytes_level() == 1)
		return find_sse2(p, n, c);
#endif
#ifdef BYTES_NEON
	if (bytes_level() == 1)
		return find_neon(p, n, c);
#endif
	for (size_t i = 0; i < n; i++)
		if (p[i] == c)
			return i;
	return n;
}

size_t
bytes_past_last(const void *v, size_t n, unsigned char c)
{
	const uint8_t *p = v;

#ifdef BYTES_X86
	if (bytes_level() == 2)
		return past_last_avx2(p, n, c);
	if (bytes_level() == 1)
		return past_last_sse2(p, n, c);
#endif
#ifdef BYTES_NEON
	if (bytes_level() == 1)
		return past_last_neon(p, n, c);
#endif
	while (n > 0 && p[n - 1] != c)
		n--;
	return n;
}

size_t
bytes_count(const void *v, size_t n, unsigned char c)
{
	const uint8_t *p = v;
	size_t total = 0;

#ifdef BYTES_X86
	if (bytes_level() == 2)
		return count_avx2(p, n, c);
	if (bytes_level() == 1)
		return count_sse2(p, n, c);
#endif
#ifdef BYTES_NEON
	if (bytes_level() == 1)
		return count_neon(p, n, c);
#endif
	for (size_t i = 0; i < n; i++)
		total += p[i] == c;
	return total;
}

size_t
bytes_ascii(const void *v, size_t n)
{
	const uint8_t *p = v;
	uint64_t word;
	size_t i = 0;

#ifdef BYTES_X86
	if (bytes_level() == 2)
		return ascii_avx2(p, n);
#endif
	for (; i + 8 <= n; i += 8) {
		memcpy(&word, p + i, 8);
		if ((word & 0x8080808080808080u) != 0)
			break;
	}
	while (i < n && p[i] < 0x80)
		i++;
	return i;
}

size_t
bytes_text(const void *v, size_t n, bool *high)
{
	const uint8_t *p = v;
	size_t i = 0, end;

#ifdef BYTES_X86
	if (bytes_level() == 2)
		i = text_avx2(p, n, high);
#endif
	end = i + bytes_find(p + i, n - i, '\0');
	*high |= bytes_ascii(p + i, end - i) < end - i;
	return end;
}

static bool
more(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}

size_t
bytes_utf8(const void *v, size_t n)
{
	const uint8_t *p = v;
	size_t i = 0;
	uint32_t c;
	int len;

	/* Long stretches of ASCII in vectors; among other signs, sign by sign. */
	while ((i += bytes_ascii(p + i, n - i)) < n)
		for (size_t near = 0; i < n && near < 16; i += (size_t)len) {
			near++;
			if (p[i] < 0x80) {
				len = 1;
				continue;
			}
			near = 0;
			/* Most signs of most scripts, without the cases that need care. */
			if (p[i] >= 0xc2 && p[i] < 0xe0 && n - i > 1 && more(p[i + 1]))
				len = 2;
			else if (p[i] > 0xe0 && p[i] < 0xed && n - i > 2 &&
			    more(p[i + 1]) && more(p[i + 2]))
				len = 3;
			else if ((len = utf8_next(p + i, n - i, &c)) == 0)
				return i;
		}
	return n;
}

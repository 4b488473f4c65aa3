/* SHA-256 (FIPS 180-4) and SipHash-2-4 (Aumasson and Bernstein, 2012). */
#include "libcommon/hash.h"

#include <string.h>

static const uint32_t K[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
    0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
    0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
    0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
    0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t
ror(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void
block(struct sha256 *s, const unsigned char *p)
{
	uint32_t w[64], v[8];

	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
		    (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[i - 7] +
		    (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
	}
	memcpy(v, s->h, sizeof(v));
	for (size_t i = 0; i < 64; i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t t1 = v[7] + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) +
		    ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
		uint32_t t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) +
		    ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (size_t i = 0; i < 8; i++)
		s->h[i] += v[i];
}

void
sha256_init(struct sha256 *s)
{
	static const uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memset(s, 0, sizeof(*s));
	memcpy(s->h, h, sizeof(h));
}

void
sha256_add(struct sha256 *s, const void *p, size_t n)
{
	const unsigned char *at = p;

	s->len += n;
	while (n > 0) {
		size_t take = 64 - s->used < n ? 64 - s->used : n;

		memcpy(s->block + s->used, at, take);
		s->used += take;
		at += take;
		n -= take;
		if (s->used == 64) {
			block(s, s->block);
			s->used = 0;
		}
	}
}

void
sha256_hex(struct sha256 *s, char out[65])
{
	static const char digits[] = "0123456789abcdef";
	uint64_t bits = s->len * 8;
	unsigned char one = 0x80, zero = 0, len[8];

	sha256_add(s, &one, 1);
	while (s->used != 56)
		sha256_add(s, &zero, 1);
	for (size_t i = 0; i < 8; i++)
		len[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(s, len, 8);
	for (size_t i = 0; i < 64; i++)
		out[i] = digits[s->h[i / 8] >> (28 - 4 * (i % 8)) & 15];
	out[64] = '\0';
}

void
sha256_of(const void *p, size_t n, char out[65])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_add(&s, p, n);
	sha256_hex(&s, out);
}

static uint64_t
rol64(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static void
sip_rounds(uint64_t v[4], int n)
{
	while (n-- > 0) {
		v[0] += v[1];
		v[1] = rol64(v[1], 13) ^ v[0];
		v[0] = rol64(v[0], 32);
		v[2] += v[3];
		v[3] = rol64(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rol64(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rol64(v[1], 17) ^ v[2];
		v[2] = rol64(v[2], 32);
	}
}

static uint64_t
le64(const unsigned char *p, size_t n)
{
	uint64_t w = 0;

	for (size_t i = 0; i < n; i++)
		w |= (uint64_t)p[i] << (8 * i);
	return w;
}

uint64_t
siphash24(const unsigned char key[16], const void *p, size_t n)
{
	const unsigned char *at = p;
	uint64_t k0 = le64(key, 8), k1 = le64(key + 8, 8), m;
	uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
	    k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};

	for (size_t i = 0; i + 8 <= n; i += 8) {
		m = le64(at + i, 8);
		v[3] ^= m;
		sip_rounds(v, 2);
		v[0] ^= m;
	}
	m = (uint64_t)n << 56;
	if ((n & 7) != 0) /* nothing may come as a null pointer */
		m |= le64(at + (n & ~(size_t)7), n & 7);
	v[3] ^= m;
	sip_rounds(v, 2);
	v[0] ^= m;
	v[2] ^= 0xff;
	sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

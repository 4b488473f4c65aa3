/* SHA-256 (FIPS 180-4) for digests of pages, filters, programs and powers;
 * SipHash-2-4 (Aumasson, Bernstein 2012) for keyed change tokens. */
#ifndef BB_LIBCOMMON_HASH_H
#define BB_LIBCOMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t h[8];
	uint64_t len;
	unsigned char block[64];
	size_t used;
};
void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *p, size_t n);
void sha256_hex(struct sha256 *s, char out[65]); /* finishes s */
void sha256_of(const void *p, size_t n, char out[65]);

uint64_t siphash24(const unsigned char key[16], const void *p, size_t n);

#endif

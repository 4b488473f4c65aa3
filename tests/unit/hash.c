/* SHA-256 and SipHash against published vectors; and time as it is written. */
#include "libcommon/hash.h"

#include <time.h>

#include "libcommon/clock.h"
#include "tests/tap.h"

TEST(sha256_vectors)
{
	static const struct {
		const char *in, *hex;
	} rows[] = {
	    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	     "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
	char hex[65];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sha256_of(rows[i].in, strlen(rows[i].in), hex);
		ok_str(hex, rows[i].hex, "FIPS 180-4");
	}
}

TEST(sha256_in_pieces)
{
	char hex[65], whole[65], big[1000];
	struct sha256 s;
	bool same = true;

	memset(big, 'a', sizeof(big));
	sha256_init(&s);
	for (int i = 0; i < 1000; i++)
		sha256_add(&s, big, sizeof(big));
	sha256_hex(&s, hex);
	ok_str(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	    "a million times a");
	for (size_t n = 0; n < 200; n++) {
		sha256_of(big, n, whole);
		for (size_t cut = 0; cut <= n; cut++) {
			sha256_init(&s);
			sha256_add(&s, big, cut);
			sha256_add(&s, big + cut, n - cut);
			sha256_hex(&s, hex);
			same &= strcmp(hex, whole) == 0;
		}
	}
	ok(same, "cut anywhere, the same");
	sha256_of(NULL, 0, hex);
	ok(strncmp(hex, "e3b0c442", 8) == 0, "nothing at all");
}

/* Of the paper's reference table: input 00 01 02 …, key 00 … 0f. */
TEST(siphash_vectors)
{
	static const struct {
		size_t n;
		uint64_t want;
	} rows[] = {{0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd},
	    {2, 0x0d6c8009d9a94f5a}, {3, 0x85676696d7fb7e2d}, {4, 0xcf2794e0277187b7},
	    {5, 0x18765564cd99a68d}, {6, 0xcbc9466e58fee3ce}, {7, 0xab0200f58b01d137},
	    {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5}};
	unsigned char key[16], in[16];

	for (size_t i = 0; i < 16; i++)
		key[i] = in[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok(siphash24(key, in, rows[i].n) == rows[i].want, "%zu bytes", rows[i].n);
	key[15] ^= 1;
	ok(siphash24(key, in, 15) != 0xa129ca6149be45e5, "another key, another value");
}

TEST(dates)
{
	static const struct {
		uint64_t ms;
		const char *want;
	} rows[] = {{0, "1970-01-01T00:00:00.000Z"},
	    {951782399999, "2000-02-28T23:59:59.999Z"},
	    {951782400000, "2000-02-29T00:00:00.000Z"},
	    {951868800000, "2000-03-01T00:00:00.000Z"},
	    {1709164800000, "2024-02-29T00:00:00.000Z"},
	    {1796047331204, "2026-11-30T14:02:11.204Z"},
	    {4107542399000, "2100-02-28T23:59:59.000Z"},
	    {4107542400000, "2100-03-01T00:00:00.000Z"},
	    {13569465600000, "2400-01-01T00:00:00.000Z"},
	    {253402300799999, "9999-12-31T23:59:59.999Z"},
	    {253402300800000, "9999-12-31T23:59:59.999Z"},
	    {UINT64_MAX, "9999-12-31T23:59:59.999Z"}};
	char out[25];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		clock_rfc3339(rows[i].ms, out);
		ok_str(out, rows[i].want, "a date");
	}
	for (time_t day = 0; day < 400 * 366; day++) {
		time_t t = day * 86400 + 86399;
		struct tm tm;
		char want[25];

		(void)strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S.000Z",
		    gmtime_r(&t, &tm));
		clock_rfc3339((uint64_t)t * 1000, out);
		if (strcmp(out, want) != 0) {
			ok_str(out, want, "the C library's date");
			break;
		}
	}
	ok(true, "400 years of days are the C library's");
}

TEST(clocks)
{
	uint64_t a = clock_mono_us(), b = clock_mono_us();
	unsigned char x[32] = {0}, y[32] = {0};

	ok(b >= a, "the monotonic clock does not go back");
	ok(clock_wall_ms() > 1600000000000, "the wall clock is of this century");
	ok(clock_random(x, sizeof(x)) == 0 && clock_random(y, sizeof(y)) == 0, "chance");
	ok(memcmp(x, y, sizeof(x)) != 0, "twice is not the same");
}

TAP_MAIN

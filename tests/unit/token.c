/* Change tokens: vectors made by another program, and what moves one and what does not. */
#include "bin/bb/labels/labels.h"

#include <limits.h>

#include "tests/tap.h"

static unsigned char key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static const char *
token(int64_t size, int64_t sec, long ns)
{
	static char out[4][17];
	static size_t at;
	struct stat st = {.st_size = size, .st_mtim = {sec, ns}};
	char *p = out[at++ % 4];

	token_of(key, &st, p);
	return p;
}

TEST(vectors)
{
	static const struct {
		int64_t size, sec;
		long ns;
		const char *hex;
	} rows[] = {
	    {0, 0, 0, "b458245f2bd45c27"},
	    {12, 1764000000, 123456789, "f8185b315f86a513"},
	    {12, 1764000000, 123456790, "4677e062cdf328d6"},
	    {13, 1764000000, 123456789, "fa406dbcc16da671"},
	    {12, 1, 0, "00ce9426d53a958e"},
	    {12, -1, 0, "4246c9eb8970e69b"},
	    {12, -2, 500000000, "13b889b928d46eb1"},
	    {12, 1, 500000000, "99d1d4d3ac2aba9a"},
	    {12, 0, 1, "c89b3b6d24989d46"},
	    {12, -1, 999999999, "4a56977bed892de3"},
	    {INT64_MAX, INT64_C(1) << 62, 999999999, "080d1d3cffb7fe23"},
	    {12, INT64_MIN, 0, "7c555d04e6bddc67"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ok_str(token(rows[i].size, rows[i].sec, rows[i].ns), rows[i].hex,
		    "size, sign, time in nanoseconds");
}

TEST(what_counts)
{
	struct stat a = {.st_size = 5, .st_mtim = {100, 7}}, b = a;
	char x[17], y[17];

	b.st_ino = 99;
	b.st_dev = 3;
	b.st_mode = S_IFREG | 0777;
	b.st_ctim.tv_sec = 12345;
	b.st_atim.tv_sec = 54321;
	b.st_uid = 1;
	b.st_nlink = 4;
	token_of(key, &a, x);
	token_of(key, &b, y);
	ok_str(y, x, "nothing but size and mtime: not inode, ctime, mode, owner");
	b.st_mtim.tv_nsec++;
	token_of(key, &b, y);
	ok(strcmp(x, y) != 0, "one nanosecond moves it");
	key[15] ^= 1;
	token_of(key, &a, y);
	ok(strcmp(x, y) != 0, "so does another key");
	key[15] ^= 1;
	ok_int(strlen(x), 16, "16 digits");
	ok_int(strspn(x, "0123456789abcdef"), 16, "lower case hex");
}

TAP_MAIN

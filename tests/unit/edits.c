/* Edits: what bb-write makes of a text, and what bb finds out about a helper that makes
 * something else of it. 10,000 random edits keep every byte outside the passage, and the
 * list of places turns the old lines into the new ones. */
#include "bin/bb-write/diff.h"
#include "bin/bb-write/replace.h"
#include "bin/bb/session/places.h"

#include "tests/tap.h"

static uint64_t seed = 88172645463325252u;

static unsigned
chance(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed % n);
}

/* Few signs, so that passages recur and overlap. */
static void
any(struct buf *b, unsigned most, const char *signs)
{
	for (unsigned n = chance(most + 1); n > 0; n--)
		(void)buf_byte(b, signs[chance((unsigned)strlen(signs))]);
}

static uint64_t
overlapping(const struct buf *t, const struct buf *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i + p->len <= t->len; i++)
		n += memcmp(t->p + i, p->p, p->len) == 0;
	return n;
}

/* Left to right, none overlapping. */
static uint64_t
plainly(const struct buf *t, const struct buf *p, const struct buf *by, struct buf *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->len;) {
		if (i + p->len <= t->len && memcmp(t->p + i, p->p, p->len) == 0) {
			(void)buf_append(out, buf_cstr(by), by->len);
			i += p->len;
			n++;
		} else
			(void)buf_byte(out, t->p[i++]);
	}
	return n;
}

static void
list(const struct diff *d, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < d->count; i++)
		(void)buf_fmt(out, "%llu,%llu %llu,%llu\n",
		    (unsigned long long)d->at[i].a, (unsigned long long)d->at[i].n,
		    (unsigned long long)d->at[i].b, (unsigned long long)d->at[i].m);
}

static bool
holds(const char *text, const struct buf *old, const struct buf *new)
{
	struct places p;
	bool yes = places_read(text, strlen(text), &p) == 0 && places_hold(&p, old, new);

	places_release(&p);
	return yes;
}

TEST(random_edits)
{
	unsigned wrong = 0, done = 0, many = 0, absent = 0, drawn = 0;

	for (unsigned i = 0; i < 10000; i++) {
		auto_buf struct buf t = BUF_INIT, p = BUF_INIT, by = BUF_INIT,
		                    out = BUF_INIT, want = BUF_INIT, text = BUF_INIT;
		struct replacing r = {.all = chance(2) == 0};
		struct replaced said;
		struct diff d;
		uint64_t n, all;
		enum replace_end e;

		any(&t, 60, i % 3 == 0 ? "ab\n" : "abcde \n\t");
		any(&p, 4, "ab\n");
		any(&by, 6, "abx\n");
		r.text = buf_cstr(&t);
		r.n = t.len;
		r.old = buf_cstr(&p);
		r.n_old = p.len;
		r.new = buf_cstr(&by);
		r.n_new = by.len;
		e = replace_passage(&r, &said, &out);
		if (p.len == 0) {
			wrong += e != REPLACE_EMPTY;
			continue;
		}
		if (p.len == by.len && memcmp(p.p, by.p, p.len) == 0) {
			wrong += e != REPLACE_SAME;
			continue;
		}
		n = overlapping(&t, &p);
		all = plainly(&t, &p, &by, &want);
		if (n == 0) {
			wrong += e != REPLACE_ABSENT;
			absent++;
		} else if (n > 1 && !r.all) {
			wrong += e != REPLACE_MANY || said.found != n || out.len != 0;
			many++;
		} else {
			wrong += e != REPLACE_DONE || said.count != all ||
			    said.found != n || out.len != want.len ||
			    memcmp(buf_cstr(&out), buf_cstr(&want), want.len) != 0 ||
			    !passage_replaced(&t, &out, &p, &by, all) ||
			    passage_replaced(&t, &out, &p, &by, all + 1);
			done++;
			wrong += diff_lines(buf_cstr(&t), t.len, buf_cstr(&out), out.len,
			             &d) != 0;
			list(&d, &text);
			wrong += !holds(buf_cstr(&text), &t, &out);
			drawn += d.count > 0;
			diff_release(&d);
			/* One byte more, anywhere outside, is found. */
			if (t.len > 0) {
				out.p[chance((unsigned)out.len + (out.len == 0))] ^= 0x40;
				wrong += out.len > 0 &&
				    passage_replaced(&t, &out, &p, &by, all);
			}
		}
	}
	ok_int((int)wrong, 0, "10,000 random edits");
	ok(done > 1000 && many > 500 && absent > 500 && drawn > 1000, "of every kind");
}

TEST(random_texts)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < 5000; i++) {
		auto_buf struct buf a = BUF_INIT, b = BUF_INIT, text = BUF_INIT;
		struct diff d;

		any(&a, 40, "ab\n\n");
		any(&b, 40, "ab\n\n");
		wrong += diff_lines(buf_cstr(&a), a.len, buf_cstr(&b), b.len, &d) != 0;
		list(&d, &text);
		wrong += !holds(buf_cstr(&text), &a, &b);
		wrong += (d.count == 0) !=
		    (a.len == b.len && memcmp(buf_cstr(&a), buf_cstr(&b), a.len) == 0);
		diff_release(&d);
	}
	ok_int((int)wrong, 0, "any two texts");
}

static void
text(struct buf *b, const char *s)
{
	buf_clear(b);
	(void)buf_str(b, s);
}

TEST(lists_that_do_not_hold)
{
	auto_buf struct buf old = BUF_INIT, new = BUF_INIT;

	text(&old, "a\nb\nc\nd\n");
	text(&new, "a\nB\nc\nD\n");
	ok(holds("2,1 2,1\n4,1 4,1\n", &old, &new), "what differs");
	ok(holds("2,3 2,3\n", &old, &new), "more than what differs");
	ok(!holds("", &old, &new), "nothing said");
	ok(!holds("2,1 2,1\n", &old, &new), "one place kept back");
	ok(!holds("4,1 4,1\n", &old, &new), "the first kept back");
	ok(!holds("2,1 2,1\n4,1 4,2\n", &old, &new), "a line that is not there");
	ok(!holds("2,1 2,1\n4,9 4,9\n", &old, &new), "past the end");
	ok(!holds("4,1 4,1\n2,1 2,1\n", &old, &new), "out of order");
	ok(!holds("2,1 2,1\n3,2 3,2\n", &old, &new), "without a line between");
	ok(!holds("0,1 0,1\n", &old, &new), "line 0");
	ok(!holds("2,0 2,0\n", &old, &new), "an empty place");
	ok(!holds("2,1 2,1", &old, &new), "no end");
	ok(!holds("2,1 2,1\nx", &old, &new), "something else");
	ok(!holds("2,1 3,1\n", &old, &new), "lines that do not meet");
	ok(!holds("99999999999999999999,1 2,1\n", &old, &new), "a number too long");
}

TEST(passages_that_do_not_hold)
{
	auto_buf struct buf old = BUF_INIT, new = BUF_INIT, from = BUF_INIT,
	                    to = BUF_INIT;

	text(&old, "one two one\n");
	text(&from, "one");
	text(&to, "1");
	text(&new, "1 two 1\n");
	ok(passage_replaced(&old, &new, &from, &to, 2), "both");
	ok(!passage_replaced(&old, &new, &from, &to, 1), "a wrong count");
	text(&new, "1 two one\n");
	ok(!passage_replaced(&old, &new, &from, &to, 1), "one left out");
	text(&new, "1 twO 1\n");
	ok(!passage_replaced(&old, &new, &from, &to, 2), "a byte outside");
	text(&new, "1 two 1\nx");
	ok(!passage_replaced(&old, &new, &from, &to, 2), "a byte at the end");
	text(&new, "1 two 1");
	ok(!passage_replaced(&old, &new, &from, &to, 2), "a byte missing");
	text(&new, "1 two 2\n");
	ok(!passage_replaced(&old, &new, &from, &to, 2), "something else in its place");
}

TEST(line_ends)
{
	static const struct {
		const char *text, *old, *new, *want;
		enum replace_end e;
	} t[] = {
	    {"a\r\nb\r\n", "a\nb", "a\nc", "a\r\nc\r\n", REPLACE_DONE},
	    {"a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n", REPLACE_DONE},
	    {"a\r\nb\r\n", "a\n", "a\r\n", NULL, REPLACE_SAME},
	    {"a\r\nb\nc\r\n", "b\n", "B\n", "a\r\nB\nc\r\n", REPLACE_DONE},
	    {"a\r\nb\nc\r\n", "a\nb", "x", NULL, REPLACE_ABSENT},
	    {"a\nb\n", "a\r\n", "x", NULL, REPLACE_ABSENT},
	    {"a\nb", "b", "c", "a\nc", REPLACE_DONE},
	    {"a\nb", "a\n", "", "b", REPLACE_DONE},
	    {"a\n", "a\n", "a", "a", REPLACE_DONE},
	    {"\xef\xbb\xbf"
	     "a\n",
	        "a", "b",
	        "\xef\xbb\xbf"
	        "b\n",
	        REPLACE_DONE},
	    {"aaa\n", "aa", "b", NULL, REPLACE_MANY},
	    {"a.c[1]*\nabc[1]*\n", "a.c[1]*", "Z", "Z\nabc[1]*\n", REPLACE_DONE},
	    {"", "a", "b", NULL, REPLACE_ABSENT},
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		auto_buf struct buf out = BUF_INIT;
		struct replacing p = {t[i].text, t[i].old, t[i].new, strlen(t[i].text),
		    strlen(t[i].old), strlen(t[i].new), false};
		struct replaced r;

		ok_int((int)replace_passage(&p, &r, &out), (int)t[i].e,
		    "what came of it");
		if (t[i].want != NULL)
			ok_str(buf_cstr(&out), t[i].want, "the bytes");
	}
	ok_str(replace_ends("a\r\nb", 4), "crlf", "CR LF");
	ok_str(replace_ends("a\rb", 3), "none", "a lone CR ends nothing");
	ok_str(replace_ends("a\nb\r\n", 5), "mixed", "mixed");
}

TEST(nearest)
{
	auto_buf struct buf out = BUF_INIT;
	const char *s = "x\n\tint c = read(f);\n  int c = read(f);\nint d = read(g);\n";
	struct replacing p = {.text = s,
	    .n = strlen(s),
	    .old = "int c = read(f);\nfoo",
	    .n_old = 20,
	    .new = "",
	    .n_new = 0};
	struct replaced r;

	ok_int((int)replace_passage(&p, &r, &out), (int)REPLACE_ABSENT, "not there");
	ok(r.where[0] == 2 && r.where[1] == 3 && r.where[2] == 0, "blanks apart");
	p.old = "int d = reed(g);";
	p.n_old = strlen(p.old);
	ok_int((int)replace_passage(&p, &r, &out), (int)REPLACE_ABSENT, "not there");
	ok(r.where[0] == 4 && r.where[1] == 0, "what begins most alike");
	p.old = "zzz";
	p.n_old = 3;
	ok_int((int)replace_passage(&p, &r, &out), (int)REPLACE_ABSENT, "not there");
	ok(r.where[0] == 0, "nothing near");
}

TEST(large)
{
	auto_buf struct buf a = BUF_INIT, b = BUF_INIT;
	struct diff d;

	for (unsigned i = 0; i < 1001; i++) {
		(void)buf_fmt(&a, "a%u\n", i);
		(void)buf_fmt(&b, "b%u\n", i);
	}
	ok_int(diff_lines(buf_cstr(&a), a.len, buf_cstr(&b), b.len, &d), 0,
	    "1001 by 1001");
	ok(d.large && d.count == 1 && d.removed == 1001 && d.added == 1001, "one place");
	diff_release(&d);
	ok_int(diff_lines(buf_cstr(&a) + 3, a.len - 3, buf_cstr(&b) + 3, b.len - 3, &d),
	    0, "1000 by 1000");
	ok(!d.large && d.removed == 1000, "compared");
	diff_release(&d);
}

TEST(excerpt)
{
	auto_buf struct buf old = BUF_INIT, new = BUF_INIT, out = BUF_INIT,
	                    many = BUF_INIT;
	struct places p;
	unsigned rows = 0;

	text(&old, "1\n2\n3\n4\n5\n6\n7\n8\n");
	text(&new, "1\n2\n3\n4\nFIVE\r\n6\n7\n8\n");
	ok_int(places_read("5,1 5,1\n", 8, &p), 0, "a list");
	places_excerpt(&p, &new, &out);
	ok_str(buf_cstr(&out),
	    "     2  2\n     3  3\n     4  4\n     5  FIVE\n     6  6\n     7  7\n     8 "
	    " 8\n",
	    "three lines around, ends not shown");
	places_release(&p);
	for (unsigned i = 1; i <= 60; i++)
		(void)buf_fmt(&many, "%u\n", i);
	ok_int(places_read("1,0 1,60\n", 9, &p), 0, "a list");
	buf_clear(&out);
	places_excerpt(&p, &many, &out);
	for (size_t i = 0; i < out.len; i++)
		rows += out.p[i] == '\n';
	ok(rows == 41 && strstr(out.p, "\u2026 20 more lines \u2026") != NULL,
	    "the middle of a long one is left out");
	places_release(&p);
}

TAP_MAIN

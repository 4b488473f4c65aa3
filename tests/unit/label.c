/* The lattice: every law over every label, both orders apart, and the bit of context. */
#include "bin/bb/labels/labels.h"
#include "tests/tap.h"

static const struct label all[4] = {{TRUSTED, PUBLIC}, {TRUSTED, PRIVATE},
    {UNTRUSTED, PUBLIC}, {UNTRUSTED, PRIVATE}};

static bool
same(struct label a, struct label b)
{
	return a.i == b.i && a.c == b.c;
}

TEST(taint)
{
	for (size_t a = 0; a < 4; a++) {
		bool idempotent = same(label_taint(all[a], all[a]), all[a]),
		     neutral = same(label_taint(all[a], LABEL_T_PUB), all[a]),
		     worst = same(label_taint(all[a], LABEL_U_PRIV), LABEL_U_PRIV);

		ok(idempotent && neutral && worst, "%s: idempotent, (T,pub) neutral",
		    label_text(all[a]));
		for (size_t b = 0; b < 4; b++) {
			struct label ab = label_taint(all[a], all[b]);

			ok(same(ab, label_taint(all[b], all[a])), "%s with %s commutes",
			    label_text(all[a]), label_text(all[b]));
			ok(label_degrades_to(all[a], ab) && label_degrades_to(all[b], ab),
			    "%s with %s degrades both", label_text(all[a]),
			    label_text(all[b]));
			for (size_t c = 0; c < 4; c++)
				ok(same(label_taint(ab, all[c]),
				       label_taint(all[a], label_taint(all[b], all[c]))),
				    "%s %s %s associate", label_text(all[a]),
				    label_text(all[b]), label_text(all[c]));
		}
	}
}

/* Rows and columns in the order of `all`; by hand from flow 2. */
TEST(degradation)
{
	static const bool may[4][4] = {
	    {1, 1, 1, 1}, /* (T,pub) to anything */
	    {0, 1, 0, 1}, /* (T,priv) */
	    {0, 0, 1, 1}, /* (U,pub) */
	    {0, 0, 0, 1}, /* (U,priv) only to itself */
	};

	for (size_t a = 0; a < 4; a++)
		for (size_t b = 0; b < 4; b++) {
			struct label l = all[a];
			bool did = label_relabel(&l, all[b]);

			ok(label_degrades_to(all[a], all[b]) == may[a][b] &&
			        did == may[a][b] && same(l, may[a][b] ? all[b] : all[a]),
			    "%s to %s: %s", label_text(all[a]), label_text(all[b]),
			    may[a][b] ? "allowed" : "refused, and unchanged");
		}
}

TEST(flow)
{
	static const bool flows[4][4] = {
	    {1, 1, 0, 0},
	    {0, 1, 0, 0}, /* (T,priv), the top: nowhere else */
	    {1, 1, 1, 1}, /* (U,pub), the bottom: everywhere */
	    {0, 1, 0, 1},
	};

	for (size_t a = 0; a < 4; a++)
		for (size_t b = 0; b < 4; b++)
			ok_int(label_flows_to(all[a], all[b]), flows[a][b], "flow order");
	ok(!label_flows_to(LABEL_U_PRIV, LABEL_T_PUB) &&
	        !label_flows_to(LABEL_T_PUB, LABEL_U_PRIV),
	    "(U,priv) and (T,pub) cannot be compared");
	ok(label_flows_to(LABEL_U_PUB, LABEL_T_PUB) &&
	        !label_degrades_to(LABEL_U_PUB, LABEL_T_PUB),
	    "what may flow may still not be relabelled");
}

/* Both are partial orders: reflexive, antisymmetric, transitive. */
TEST(orders)
{
	bool (*const order[2])(struct label, struct label) = {label_degrades_to,
	    label_flows_to};

	for (size_t k = 0; k < 2; k++)
		for (size_t a = 0; a < 4; a++)
			for (size_t b = 0; b < 4; b++)
				for (size_t c = 0; c < 4; c++) {
					bool r = order[k](all[a], all[a]),
					     s = !(order[k](all[a], all[b]) &&
					             order[k](all[b], all[a])) ||
					    a == b,
					     t = !(order[k](all[a], all[b]) &&
					             order[k](all[b], all[c])) ||
					    order[k](all[a], all[c]);

					ok(r && s && t, "%s: %zu %zu %zu",
					    k ? "flow" : "degradation", a, b, c);
				}
}

TEST(predicates)
{
	for (size_t a = 0; a < 4; a++) {
		ok_int(label_routing_ok(all[a]), a == 0, "only (T,pub) routes");
		ok_int(label_content_ok_at_release(all[a]), all[a].c == PUBLIC,
		    "only public content is released");
	}
}

TEST(words)
{
	ok_str(label_text(LABEL_T_PUB), "(T,pub)", "(T,pub)");
	ok_str(label_text(LABEL_T_PRIV), "(T,priv)", "(T,priv)");
	ok_str(label_text(LABEL_U_PUB), "(U,pub)", "(U,pub)");
	ok_str(label_text(LABEL_U_PRIV), "(U,priv)", "(U,priv)");
	for (size_t a = 0; a < 4; a++)
		ok(same(label_parse(label_integrity(all[a]), label_secrecy(all[a])),
		       all[a]),
		    "%s is read back", label_text(all[a]));
	ok(same(label_parse("Trusted", "PUBLIC"), LABEL_U_PRIV),
	    "another spelling is the worse");
	ok(same(label_parse("", ""), LABEL_U_PRIV), "so is none");
	ok(same(label_parse(NULL, NULL), LABEL_U_PRIV), "and an absent one");
	ok(same(label_parse("trusted", "?"), LABEL_T_PRIV), "each word by itself");
	ok(same(label_parse("?", "public"), LABEL_U_PUB), "the other one too");
}

TEST(context)
{
	struct context c = {TRUSTED};

	context_absorb(&c, TRUSTED);
	ok_int(c.i, TRUSTED, "what is trusted changes nothing");
	context_absorb(&c, UNTRUSTED);
	ok_int(c.i, UNTRUSTED, "it falls");
	context_absorb(&c, TRUSTED);
	ok_int(c.i, UNTRUSTED, "and never rises");
}

TAP_MAIN

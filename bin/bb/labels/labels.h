/* DOOR of labels/: the flow kernel. Labels and their two orders, the trust map,
 * sealed slots, references, and the audit trail. It knows nothing of tools,
 * prompts or processes. Rules: flow specification clauses LABEL, TRUST, ROUTE. */
#ifndef BB_LABELS_LABELS_H
#define BB_LABELS_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libcommon/buf.h"
#include "libcommon/err.h"
#include "libcommon/json.h"
#include "libcommon/same.h"

/* ---- label.c: L = I x C -------------------------------------------------- */

enum integrity { TRUSTED, UNTRUSTED };
enum secrecy { PUBLIC, PRIVATE };
struct label {
	enum integrity i;
	enum secrecy c;
};
#define LABEL_T_PUB ((struct label){TRUSTED, PUBLIC})
#define LABEL_T_PRIV ((struct label){TRUSTED, PRIVATE})
#define LABEL_U_PUB ((struct label){UNTRUSTED, PUBLIC})
#define LABEL_U_PRIV ((struct label){UNTRUSTED, PRIVATE})

/* U if either is U; private if either is private. Commutative, associative,
 * idempotent; neutral element (T,pub). */
struct label label_taint(struct label a, struct label b);
/* May a value labelled a be relabelled b? Integrity may only fall, secrecy only
 * rise. The one order every safety check uses. */
bool label_degrades_to(struct label a, struct label b);
/* The lattice (flow) order: (a.I=U or b.I=T) and (a.C=pub or b.C=priv). For the
 * tests of lattice laws only: it permits what no relabel may do. */
bool label_flows_to(struct label a, struct label b);
/* *l becomes `to` and true is returned only if l degrades to it. */
bool label_relabel(struct label *l, struct label to);
bool label_routing_ok(struct label l);            /* (T,pub) */
bool label_content_ok_at_release(struct label l); /* public */
const char *label_text(struct label l);           /* "(T,priv)" */
const char *label_integrity(struct label l);      /* "trusted" */
const char *label_secrecy(struct label l);        /* "private" */
/* A word of the trail; an unknown one reads as the worse value. */
struct label label_parse(const char *integrity, const char *secrecy);

/* Context integrity of one planner (LABEL-9): starts T, only ever falls. */
struct context {
	enum integrity i;
};
void context_absorb(struct context *c, enum integrity i);

/* ---- trust.c: the trust map (TRUST-1 ...) --------------------------------- */

enum trust_word {
	TRUST_NONE, /* no rule covers the path */
	TRUST_T,
	TRUST_U,
	TRUST_UNDECIDED /* an explicit boundary that answers "nobody said" */
};
/* Which act wrote a rule; shown by /status. */
enum trust_by {
	TRUST_BY_OPENING, /* yes at the opening question, --trust */
	TRUST_BY_PERSON,  /* /trust, /distrust */
	TRUST_BY_VOUCH,   /* yes at a held-back read */
	TRUST_BY_ADD_DIR, /* /add-dir, --add-dir */
	TRUST_BY_CD,      /* /cd */
	TRUST_BY_NAMED,   /* @path, --file */
	TRUST_BY_WRITE    /* a completed or failed write */
};

struct trust;
/* `folds`: compare case-folded (ASCII and utf8proc casefold); see trust_probe. */
must_use int trust_new(bool folds, struct trust **out);
void trust_free(struct trust *t);
/* Does the volume of this directory fold case? Stats the directory's own name
 * with case swapped (same dev and ino = folds); in doubt false. */
bool trust_probe(const char *directory);

/* A rule that distrusts holds for its object by every name, not by spelling alone: `walk`
 * appends the objects along a key (same_walk from the open directory it lies in; 0, E_SYS,
 * E_NOMEM), which are compared with those of the rules. Where that cannot be told the
 * answer is U. Costs nothing while no rule distrusts. Without it names are all there is. */
typedef int (*trust_walk_fn)(void *arg, const char *key, struct same_way *w);
void trust_identify(struct trust *t, trust_walk_fn walk, void *arg);
/* Between on and off the objects of the rules are looked up once and not for each
 * question: for many questions without a wait between them. Nests. */
void trust_hold(const struct trust *t, bool on);
/* Is the key's object distrusted by another name? That name is appended (may be NULL);
 * nothing is where it cannot be told. */
bool trust_distrusted_as(const struct trust *t, const char *key, struct buf *name);

/* Keys are absolute normal paths (path_normal). A later decision replaces an
 * earlier one for the same key; the longest whole-component prefix answers. */
must_use int trust_set(struct trust *t, const char *key, enum trust_word w,
    enum trust_by by);
/* What the longest covering rule says; TRUST_UNDECIDED answers NONE. T only if every other
 * name of the object says so too. */
enum trust_word trust_of(const struct trust *t, const char *key);
/* Integrity for a read: meet over both names of a link (landed may be NULL or
 * equal); no rule = U. */
enum integrity trust_read(const struct trust *t, const char *spelled, const char *landed);
/* trust_of(key) met with every rule at or under it (flow 6.3). */
enum trust_word trust_beneath(const struct trust *t, const char *key);
/* Rules strictly beneath `key`, sorted by components: a directory stands right before
 * what lies beneath it. fn returns false to stop. */
typedef bool (*trust_fn)(void *arg, const char *key, enum trust_word w, enum trust_by by);
void trust_each_beneath(const struct trust *t, const char *key, trust_fn fn, void *arg);
/* Every rule, sorted by key. */
void trust_each(const struct trust *t, trust_fn fn, void *arg);
size_t trust_count(const struct trust *t);

/* File authority (flow 6.9). Revision of a path: the highest version over itself
 * and its ancestors; a write or any decision about one of them raises it. */
uint64_t trust_revision(const struct trust *t, const char *key);
/* An effect on `key` begins: marks it active and U, bumps its version. 0,
 * E_STATE when another effect on it is active (Contended), E_NOMEM. */
must_use int trust_begin(struct trust *t, const char *key);
/* It ended; publishes T only if `i` is TRUSTED and no covering decision happened
 * since, else U; where the key was T before, the rules are then as they were. Raises the
 * version again: a preview taken meanwhile is stale. */
void trust_complete(struct trust *t, const char *key, enum integrity i);
/* Write T for key, and for the other names by which its object is distrusted, only if its
 * revision still is `revision` and no effect on any of them is active. 0, E_CHANGED, E_NOMEM. */
must_use int trust_vouch(struct trust *t, const char *key, uint64_t revision);
/* An inconsistency was seen: every rule answers NONE from now on. */
void trust_poison(struct trust *t);

/* ---- slot.c: write-once quarantined storage ------------------------------- */

struct slot;
/* A new empty slot; `most` bytes bound what may be written (checked at seal). */
must_use int slot_new(const char *name, uint64_t most, struct slot **out);
void slot_free(struct slot *s);
/* Give a write-only descriptor onto the slot's memory, for a helper. E_STATE
 * after sealing. */
must_use int slot_writer(struct slot *s, int *fd);
/* No more writing: seals WRITE|SHRINK|GROW|SEAL. `label` is what bb chose beforehand.
 * 0; E_STATE when sealed already; E_TOO_LONG above `most`; E_SYS. */
must_use int slot_seal(struct slot *s, struct label label);
/* Give a read-only descriptor of its own offset. E_STATE before sealing. */
must_use int slot_reader(const struct slot *s, int *fd);
/* A sealed slot of at most `most` bytes that holds a copy of what descriptor fd has now,
 * from its beginning; bb does not look at it. 0; E_TOO_LONG; E_SYS; E_NOMEM. */
must_use int slot_copy(const char *name, int fd, uint64_t most, struct label label,
    struct slot **out);
/* The same of bytes that bb has. */
must_use int slot_of(const char *name, const void *p, size_t n, struct label label,
    struct slot **out);
uint64_t slot_bytes(const struct slot *s); /* 0 before sealing */
struct label slot_label(const struct slot *s);
/* The two legal ways by which bb itself reads a slot (flow 2.3): a result whose
 * label is T, and the person's screen. present refuses (E_STATE) an untrusted
 * slot. Each appends all bytes to out. */
must_use int slot_present(const struct slot *s, struct buf *out);
must_use int slot_display(const struct slot *s, struct buf *out);

/* ---- ref.c: references ---------------------------------------------------- */

enum ref_kind { REF_FILE, REF_CONTENT, REF_DIRECTORY, REF_KEPT };

struct ref {
	unsigned n; /* ref:N */
	enum ref_kind kind;
	struct label label; /* promised at mint */
	char *origin; /* driver's words, sayable to the planner; NULL for an entry */
	int64_t lines, bytes; /* -1: not known or not sayable */
	const char *media;    /* "image/png" from the driver's table, or NULL */
	char *path; /* absolute key of the file it is the address of; kernel only */
	char *
	    from_command; /* the line that printed it, as the person endorsed it, or NULL */
	struct slot *slot; /* filled content, or NULL while unread; owned */
	/* An entry of a held-back listing: its name lies in `listing` (shared), record
	 * number `entry`; read only when the reference is used as an address. */
	struct slot *listing;
	unsigned entry;
	char *listing_base;  /* absolute key of the listed directory */
	char *listing_shown; /* of a directory's entry: the listed directory as typed */
};

struct refs; /* one store per planner; numbers from 0, never reused */
/* Most references of a store: each holds memory, and each listing a descriptor. */
#define REFS_MAX 50000
must_use int refs_new(struct refs **out);
void refs_free(struct refs *r);
/* Mint; *out is borrowed from the store. `init` is copied; pointers in it are
 * taken (path, from_command, origin, slot, listing_base, listing_shown: heap). For entries of one
 * listing the first mint takes `listing`, later ones share it (slot_share). 0; E_FULL at
 * REFS_MAX, E_NOMEM: nothing is taken. */
must_use int refs_mint(struct refs *r, const struct ref *init, struct ref **out);
size_t refs_count(const struct refs *r);
size_t refs_room(const struct refs *r); /* how many more can be minted */
struct ref *refs_at(struct refs *r, size_t n);
/* Parse exactly `ref:` + decimal without leading zeros and find it. 0; E_BAD (not
 * a reference's form); E_MISSING (names nothing). */
must_use int refs_find(struct refs *r, const char *name, struct ref **out);
/* One more owner of a slot; slot_free gives one up. */
struct slot *slot_share(struct slot *s);
/* Description line and advice line of flow 4.2, without a final newline.
 * `offered(name)` says whether a tool may be named in the advice. */
void ref_describe(const struct ref *r, struct buf *out);
void ref_advise(const struct ref *r, bool (*offered)(const char *tool), struct buf *out);
/* The refs[] object of the planner protocol. New reference. */
json_t *ref_json(const struct ref *r);
/* Absolute path of an entry reference: reads record `entry` of the listing now.
 * Appends to out. 0; E_BAD when the record is not there or not a relative path
 * without `..`. */
must_use int ref_entry_path(const struct ref *r, struct buf *out);

/* ---- token.c: change tokens (READ-7) -------------------------------------- */

/* 16 lowercase hex digits of SipHash-2-4 over (size, sign, |mtime| in ns). */
void token_of(const unsigned char key[16], const struct stat *st, char out[17]);

/* ---- trail.c: the audit trail (flow 12) ----------------------------------- */

struct trail;
struct trail_start {
	const char *path; /* file to append to, or NULL */
	int fd;           /* else a descriptor (borrowed), or -1 */
	const char *session, *workspace, *front, *mode; /* recorded first */
	const char *seed;                               /* --seed, or NULL */
};
/* Open (O_APPEND|O_CREAT|O_NOFOLLOW, 0600). path NULL and fd -1: a private
 * session, nothing is written and every flush succeeds. 0, E_SYS. */
must_use int trail_open(const struct trail_start *how, struct trail **out);
/* Appends the session's end, with the number of calls that began. Without it a record
 * was cut, or its session killed, or it still runs. */
void trail_close(struct trail *t);

/* Queue one line. `at` and `seq` are taken now. Text arguments are escaped;
 * bytes that are not UTF-8 are written as \ufffd pictures of their hex <FF>.
 * call 0 = the session itself. delegate 0 = the turn's own. */
void trail_gate(struct trail *t, unsigned call, const char *gate, const char *detail);
/* The gate `action`, with the digest of the power it grants (16 hex). */
void trail_power(struct trail *t, unsigned call, const char *power);
void trail_block(struct trail *t, unsigned call, const char *gate, const char *detail,
    const char *reason);
void trail_field(struct trail *t, unsigned call, const char *tool, const char *field,
    bool routing, struct label l, bool allowed);
void trail_observed(struct trail *t, unsigned call, const char *capability,
    struct label l);
void trail_slot(struct trail *t, unsigned call, const char *slot, struct label l);
void trail_deferred(struct trail *t, unsigned call, const char *slot, const char *origin,
    struct label l);
void trail_declassified(struct trail *t, unsigned call, const char *slot,
    struct label from, struct label to, const char *reason);
/* Begin of a call: `tool`, the sayable object and the power digest (16 hex or
 * NULL). Kind "call". */
void trail_call(struct trail *t, unsigned call, const char *tool, const char *object,
    const char *power);
/* A question and who answered what: who = "person at terminal", "approver",
 * "nobody", "option --trust". Kind "asked". */
void trail_asked(struct trail *t, unsigned call, const char *kind, const char *object,
    const char *who, const char *answer);
/* End of a call: status and code words. Kind "done". */
void trail_done(struct trail *t, unsigned call, const char *status, const char *code,
    struct label l);
/* A person's act outside a call (vouch, add-dir, typed command), and whose it was: "person
 * at terminal", "bb approve (pid 12, pts/3)", or NULL where `what` says it. Kind "act". */
void trail_act(struct trail *t, const char *what, const char *object, const char *by);

/* Write everything queued, in order, before the effect it precedes. 0, or E_SYS
 * (errno kept): then the trail is broken, every later flush fails the same way,
 * and no effect may happen. */
must_use int trail_flush(struct trail *t);
bool trail_broken(const struct trail *t);
const char *trail_path(const struct trail *t); /* NULL when there is none */
int trail_fd(const struct trail *t);           /* borrowed; -1 when there is none */
uint64_t trail_entries(const struct trail *t);

#endif

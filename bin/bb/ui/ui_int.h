/* Inside ui/ only: one scan that turns foreign bytes into atoms that are safe to
 * print, and the wrapping that every row is made with. */
#ifndef BB_UI_UI_INT_H
#define BB_UI_UI_INT_H

#include "bin/bb/ui/ui.h"

/* ---- safe.c ------------------------------------------------------------------ */

enum scan_kind {
	SCAN_NAME = SAFE_NAME,
	SCAN_TEXT = SAFE_TEXT,
	SCAN_OURS /* our own words: blanks stay; without UTF-8 signs become ASCII */
};
struct scan {
	const char *p;
	size_t n, at;
	enum scan_kind kind;
	bool utf8;
	size_t column;  /* display columns so far, for TAB */
	uint32_t base;  /* the scalar printed before, 0 after an escape */
	unsigned marks; /* combining marks printed on it */
};
struct atom {
	char s[16]; /* what is printed */
	unsigned char len;
	unsigned char width; /* display columns; 2 when unknown */
	bool escape;         /* stands for a byte or scalar that is not printed as such */
	bool blank;          /* one ASCII blank: a row may end before it */
	bool
	    unknown; /* how wide it is drawn, or in which direction, is the terminal's affair */
};
struct scan scan_of(const char *p, size_t n, enum scan_kind kind, bool utf8);
/* The next atom; false at the end. */
bool scan_next(struct scan *s, struct atom *a);

/* ---- wrap.c ------------------------------------------------------------------ */

#define UI_WIDEST 100
/* Columns a row may take. */
unsigned row_width(const struct look *l);
/* Signs of the frame: in UTF-8 or ASCII. */
const char *sign_rule(const struct look *l);         /* one column */
const char *sign_margin(const struct look *l);       /* two columns, first row */
const char *sign_continuation(const struct look *l); /* two columns, later rows */
void shade_on(const struct look *l, enum shade s, struct buf *out);
void shade_off(const struct look *l, enum shade s, struct buf *out);
void put_blanks(unsigned n, struct buf *out);
/* Append an atom, reversed when it is an escape and colour is on. */
void put_atom(const struct look *l, const struct atom *a, struct buf *out);

/* A row being written: words are set piece by piece and wrap below `hang`. Nothing
 * is written in front of the first row: the caller did, up to `column`. */
struct wrap {
	const struct look *l;
	struct buf *out;
	unsigned width;
	unsigned column; /* where the next atom goes */
	unsigned hang;   /* column of continuation rows */
	bool loose;      /* what stands on this row has an unknown width */
	bool begun;      /* something of a piece stands on this row */
};
struct wrap wrap_of(const struct look *l, unsigned column, unsigned hang,
    struct buf *out);
/* Set <p, n>, `gap` blanks after what is there; it moves to a row of its own when
 * it does not fit on the rest of this one or this one is loose. Ends without a
 * newline. */
void wrap_piece(struct wrap *w, unsigned gap, const char *p, size_t n,
    enum scan_kind kind, enum shade shade);
/* The same, but at most `most` rows of it; returns how many bytes were set. */
size_t wrap_rows(struct wrap *w, unsigned gap, const char *p, size_t n,
    enum scan_kind kind, enum shade shade, unsigned most);
void wrap_newline(struct wrap *w);
/* Columns of <p, n> on one row; *unknown when not certain. */
size_t wrap_columns(const struct look *l, const char *p, size_t n, enum scan_kind kind,
    bool *unknown);

/* ---- page.c -------------------------------------------------------------------- */

/* The person's pager on terminal `out`; plainly written when there is none. The text
 * is already safe. */
void page_to(int out, const char *p, size_t n);

/* ---- margin.c ------------------------------------------------------------------ */

/* Foreign content row by row. Rows first .. first+most-1 are appended to out. */
struct margin {
	unsigned signs; /* byte of a line that is its sign, + green and - red; 0: none */
	size_t cut;     /* characters after which a row is cut; 0 never */
	bool
	    whole; /* a cut row goes on after the cut (on the next page); else it is dropped */
	size_t first, most;
	/* results */
	size_t rows; /* in all */
	size_t drawn;
	size_t lines_left; /* lines whose end was not drawn */
	size_t dropped;    /* rows cut and not continued */
};
void margin_draw(const struct look *l, const char *p, size_t n, struct margin *m,
    struct buf *out);
/* Is any line of <p, n> longer than `cut` characters? */
bool margin_cuts(const char *p, size_t n, size_t cut);
/* `…[cut, 3,000 more characters]`: how many <p, n> are that are not drawn. */
void cut_words(const struct look *l, const char *p, size_t n, struct buf *out);

#endif

/* frame_receive and the record getters on any bytes: what bb reads from a helper that may
 * have been taken over, and a helper from its pipe. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcommon/fd.h"
#include "libcommon/frame.h"

static void
members(const unsigned char *p, size_t n)
{
	static const char *const words[] = {"ok", "binary", NULL},
	                         *const names[] = {"code", "first", "lines", "total",
	                             "pattern", "prefix", "filter", "layers"};
	const size_t n_names = sizeof(names) / sizeof(*names);
	struct rec r;

	rec_init(&r, p, n);
	for (size_t i = 0; i < 64 && r.fault == 0 && r.pos < r.len; i++) {
		const char *name = NULL, *text;
		size_t len, at;
		int64_t v;
		char hex[65];
		int w, e = 0;

		for (size_t k = 0; k < n_names; k++)
			if (rec_has(&r, names[k]))
				name = names[k];
		if (name == NULL)
			break;
		at = r.pos + strlen(name) + 1;
		switch (at < r.len ? r.p[at] & 3 : 0) { /* any getter on any value */
		case 0:
			e = rec_get_int(&r, name, -5, 1 << 20, &v);
			if (e == 0 && (v < -5 || v > 1 << 20))
				abort();
			break;
		case 1:
			e = rec_get_word(&r, name, words, &w);
			if ((e == 0) != (w >= 0))
				abort();
			break;
		case 2:
			e = rec_get_text(&r, name, 4096, &text, &len);
			if (e == 0 &&
			    (len > 4096 || (const unsigned char *)text < p ||
			        (const unsigned char *)text + len > p + n))
				abort();
			break;
		default:
			e = rec_get_hex(&r, name, hex, 64);
			if (e == 0 && strlen(hex) != 64)
				abort();
			break;
		}
		if ((e != 0) != (r.fault != 0))
			abort();
	}
	if (rec_end(&r) == 0 && (r.pos != r.len || r.fault != 0))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	static unsigned char body[FRAME_BODY_MAX];
	struct frame f;
	int pair[2], r;

	members(p, n);
	if (n >= FRAME_HEADER && frame_unpack(p, &f) == 0) {
		unsigned char again[FRAME_HEADER];

		frame_pack(&f, again);
		if (memcmp(again, p, FRAME_HEADER) != 0)
			abort();
	}
	if (n > 32768 || fd_pipe(pair) != 0)
		return 0;
	r = write(pair[1], p, n) == (ssize_t)n ? 0 : 1;
	close(pair[1]);
	while (r == 0 && (r = frame_receive(pair[0], &f, body)) == 0)
		members(body, f.length);
	close(pair[0]);
	return 0;
}

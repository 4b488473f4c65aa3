/* The JSON reader: what it takes it prints and takes again, equal; what it refuses has
 * a fixed reason; paths over it never leave it. */
#include <stdlib.h>
#include <string.h>

#include "libcommon/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	json_t *v, *again;
	const char *why;
	struct buf b = BUF_INIT, q = BUF_INIT;
	char path[64];

	if (json_parse((const char *)p, n, &v, &why) != 0) {
		if (v != NULL || why == NULL)
			abort();
	} else {
		if (json_print(v, &b) != 0 || json_parse(b.p, b.len, &again, &why) != 0 ||
		    !json_equal(v, again))
			abort();
		json_decref(again);
		(void)snprintf(path, sizeof(path), "%.*s", (int)(n < 60 ? n : 60),
		    (const char *)p);
		(void)json_at(v, path);
		json_decref(v);
	}
	/* Whatever the bytes, a quoted string is JSON. A NUL is written as \u0000, which the
	 * strict reader refuses by name. */
	if (json_quote((const char *)p, n, &q) != 0)
		abort();
	if (json_parse(q.p, q.len, &again, &why) == 0)
		json_decref(again);
	else if (memchr(p, '\0', n) == NULL)
		abort();
	buf_release(&b);
	buf_release(&q);
	return 0;
}

/* The reader of permission rules: any text is a rule or is named, and what a deny list
 * covers is no less than what an allow list of the same text covers. Text, newline, path. */
#include <stdlib.h>
#include <string.h>

#include "bin/bb/permit/permit.h"
#include "libcommon/buf.h"
#include "libcommon/err.h"
#include "libcommon/path.h"

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);

int
LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
	char *text = strndup((const char *)p, n), *path;
	auto_buf struct buf key = BUF_INIT;
	bool covers[2] = {false, false};

	if (text == NULL || (path = strchr(text, '\n')) == NULL) {
		free(text);
		return 0;
	}
	*path++ = '\0';
	if (path_normal(path, &key) != 0)
		abort();
	for (int k = 0; k < 2; k++) {
		struct rules *r = NULL;
		const char *why = NULL;
		int err;

		if (rules_new("/w/shop", k == 0 ? "/h/ana" : NULL, n % 2 == 0, &r) != 0)
			abort();
		err =
		    rules_add(r, k == 0 ? RULE_DENY : RULE_ALLOW, text, "f", "/s", &why);
		if ((err != 0 && err != E_BAD) || (err == E_BAD) != (why != NULL) ||
		    rules_count(r) != (err == 0))
			abort();
		covers[k] = rules_decide(r, RULE_READ, buf_cstr(&key), NULL) != NULL;
		rules_free(r);
	}
	if (covers[1] && !covers[0])
		abort();
	free(text);
	return 0;
}

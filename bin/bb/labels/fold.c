/* Names on a volume that folds case: does it, and how a key is compared there. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utf8proc.h>

#include "bin/bb/labels/labels_int.h"
#include "libcommon/path.h"

bool
trust_probe(const char *directory)
{
	struct stat a, b;
	struct buf other = BUF_INIT;
	const char *base = path_base(directory);
	bool swapped = false, folds;

	(void)buf_append(&other, directory, (size_t)(base - directory));
	for (const char *p = base; *p != '\0'; p++) {
		bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');

		swapped |= letter;
		(void)buf_byte(&other, letter ? (char)(*p ^ 0x20) : *p);
	}
	folds = swapped && !other.failed && stat(directory, &a) == 0 &&
	    stat(buf_cstr(&other), &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino;
	buf_release(&other);
	return folds;
}

/* Append one component as it is compared. What is not UTF-8 folds its ASCII letters only. */
static int
fold_component(const char *p, size_t n, struct buf *out)
{
	utf8proc_uint8_t *folded = NULL;
	utf8proc_ssize_t k = utf8proc_map((const utf8proc_uint8_t *)p,
	    (utf8proc_ssize_t)n, &folded, UTF8PROC_STABLE | UTF8PROC_CASEFOLD);
	int r = 0;

	if (k >= 0)
		r = buf_append(out, folded, (size_t)k);
	else if (k == UTF8PROC_ERROR_NOMEM)
		r = E_NOMEM;
	else
		for (size_t i = 0; i < n && r == 0; i++)
			r = buf_byte(out,
			    p[i] >= 'A' && p[i] <= 'Z' ? (char)(p[i] | 0x20) : p[i]);
	free(folded);
	return r;
}

/* By component: a file name that is not UTF-8 must not lift a path out from under the rule
 * of its directory. */
char *
fold_key(const char *key)
{
	struct buf b = BUF_INIT;
	char *folded;
	int r = 0;

	while (r == 0) {
		size_t n = strcspn(key, "/");

		r = fold_component(key, n, &b);
		if (key[n] == '\0')
			break;
		if (r == 0)
			r = buf_byte(&b, '/');
		key += n + 1;
	}
	folded = r == 0 ? buf_take(&b) : NULL;
	buf_release(&b);
	return folded;
}

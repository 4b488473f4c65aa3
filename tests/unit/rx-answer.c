/* For rx-oracle.sh: answers records on standard input, `FLAGS PATTERN-BYTES TEXT-BYTES\n`
 * and then the bytes, with a line of the numbers of the lines that match, or `-` and the
 * word of the fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/rx.h"

static void
answer(unsigned flags, const char *pattern, size_t np, const char *text, size_t nt)
{
	struct rx_text t = {pattern, np};
	const struct rx_hit *hits;
	struct rx_error err;
	struct rx *rx;
	struct rx_scan *s;
	size_t n_hits, line = 1, at = 0;

	if (rx_compile(&t, 1, flags, &rx, &err) != 0) {
		printf("- %s\n", rx_fault_words[err.fault]);
		return;
	}
	if ((s = rx_scan_new(rx)) == NULL ||
	    rx_lines(s, text, nt, SIZE_MAX, &hits, &n_hits) != 0)
		abort();
	for (size_t i = 0; i < n_hits; i++) {
		for (; at < hits[i].begin; at++)
			line += text[at] == '\n';
		printf("%zu ", line);
	}
	putchar('\n');
	rx_scan_free(s);
	rx_free(rx);
}

int
main(void)
{
	char head[100];

	while (fgets(head, sizeof(head), stdin) != NULL) {
		char *end;
		unsigned long flags = strtoul(head, &end, 10),
		              np = strtoul(end, &end, 10), nt = strtoul(end, &end, 10);
		static char pattern[1 << 16], text[1 << 20];

		if (np > sizeof(pattern) || nt > sizeof(text) ||
		    fread(pattern, 1, np, stdin) != np || fread(text, 1, nt, stdin) != nt)
			return 2;
		answer((unsigned)flags, pattern, np, text, nt);
		(void)fflush(stdout);
	}
	return 0;
}

/* A typed line into words. The person's own text: nothing is expanded, nothing else means
 * anything. */
#include "bin/bb/session/commands.h"
#include "libcommon/err.h"

int
words_split(char *line, char **words, size_t most, size_t *n)
{
	char *to = line;

	*n = 0;
	for (char *p = line; *p != '\0';) {
		char quote = 0;

		while (*p == ' ' || *p == '\t')
			p++;
		if (*p == '\0')
			break;
		if (*n == most)
			return E_FULL;
		words[(*n)++] = to;
		for (; *p != '\0' && (quote != 0 || (*p != ' ' && *p != '\t')); p++) {
			if (quote == 0 && (*p == '\'' || *p == '"')) {
				quote = *p;
			} else if (quote != 0 && *p == quote) {
				quote = 0;
			} else if (*p == '\\' && quote != '\'' && p[1] != '\0') {
				*to++ = *++p;
			} else {
				*to++ = *p;
			}
		}
		if (quote != 0)
			return E_BAD;
		if (*p != '\0')
			p++;
		*to++ = '\0';
	}
	return 0;
}

/* What is text: by its first bytes (tools-files 0.5). That all of it is UTF-8 is the
 * caller's to find. */
#include "libcommon/text.h"

#include <stdbool.h>
#include <string.h>

const char *
text_odd(const unsigned char *b, size_t n)
{
	size_t control = 0, look = n < SNIFF_BYTES ? n : SNIFF_BYTES;
	bool binary = false;

	if (n >= 4 &&
	    ((memcmp(b, "\xff\xfe\0\0", 4) == 0) || memcmp(b, "\0\0\xfe\xff", 4) == 0))
		return "utf-32";
	if (n >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0))
		return "utf-16";
	for (size_t i = 0; i < look; i++) {
		binary |= b[i] == '\0';
		control += b[i] < 0x20 && b[i] != '\t' && b[i] != '\n' && b[i] != '\f' &&
		    b[i] != '\r';
	}
	return binary || (look > 0 && control * 100 / look > CONTROL_PERCENT) ? "binary"
	                                                                      : NULL;
}

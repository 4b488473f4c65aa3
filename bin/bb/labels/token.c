/* Change tokens: a keyed hash of what stat says, so that no clock can be read out. */
#include <stdio.h>
#include <string.h>

#include "bin/bb/labels/labels.h"
#include "libcommon/hash.h"

void
token_of(const unsigned char key[16], const struct stat *st, char out[17])
{
	unsigned char in[8 + 1 + 16] = {0};
	uint64_t size = (uint64_t)st->st_size, s = 0, ns = (uint64_t)st->st_mtim.tv_nsec;
	int64_t sec = st->st_mtim.tv_sec;
	bool before = sec < 0;

	/* |mtime| in nanoseconds; its seconds and rest apart, so that nothing overflows. A
	 * time before 1970 is -(sec * 1e9 + ns) with ns counting upwards from sec. */
	if (before) {
		s = 0 - (uint64_t)sec;
		if (ns > 0) {
			s--;
			ns = 1000000000 - ns;
		}
	} else {
		s = (uint64_t)sec;
	}
	for (size_t i = 0; i < 8; i++) {
		in[i] = (unsigned char)(size >> (8 * i));
		in[9 + i] = (unsigned char)(s >> (8 * i));
		in[17 + i] = (unsigned char)(ns >> (8 * i));
	}
	in[8] = before;
	(void)snprintf(out, 17, "%016llx",
	    (unsigned long long)siphash24(key, in, sizeof(in)));
}

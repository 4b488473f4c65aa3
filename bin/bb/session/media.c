/* What kind of thing a name says it is, by its extension: nothing is opened (READ-5). */
#include <string.h>
#include <strings.h>

#include "bin/bb/session/session_int.h"
#include "libcommon/path.h"

const char *
read_media(const char *name)
{
	static const char *const table[][2] = {
	    {"png", "image/png"},
	    {"jpg", "image/jpeg"},
	    {"jpeg", "image/jpeg"},
	    {"gif", "image/gif"},
	    {"webp", "image/webp"},
	    {"pdf", "application/pdf"},
	};
	const char *base = path_base(name), *dot = strrchr(base, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(table) / sizeof(*table); i++)
		if (strcasecmp(dot + 1, table[i][0]) == 0)
			return table[i][1];
	return NULL;
}

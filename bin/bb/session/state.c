/* Names beneath the state directory. */
#include "bin/bb/session/state.h"

#include <stdbool.h>
#include <string.h>

#include "libcommon/hash.h"
#include "libcommon/path.h"

int
state_session_dir(const char *state, const char *workspace, struct buf *out)
{
	const char *base = path_base(workspace);
	char hex[65];

	sha256_of(workspace, strlen(workspace), hex);
	(void)buf_fmt(out, "%s/sessions/", state);
	for (size_t i = 0; base[i] != '\0' && i < 32; i++) {
		char c = base[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || c == '_' || (c == '.' && i > 0);

		(void)buf_byte(out, plain ? c : '-');
	}
	return buf_fmt(out, "-%.16s", hex);
}

int
state_notes_dir(const char *state, struct buf *out)
{
	return buf_fmt(out, "%s/notes", state);
}

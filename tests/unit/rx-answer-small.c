/* rx-answer.c with a DFA cache of sixteen states. */
#define RX_STATES 16
/* NOLINTBEGIN(bugprone-suspicious-include): this definition goes before the library's */
#include "libcommon/rx_dfa.c"
#include "tests/unit/rx-answer.c"
/* NOLINTEND(bugprone-suspicious-include) */

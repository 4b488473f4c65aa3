/* tests/unit/rx.c again, with a DFA cache of sixteen states: it is cleared all the time,
 * in the middle of lines and under all four pieces. */
#define RX_STATES 16
/* NOLINTBEGIN(bugprone-suspicious-include): this definition goes before the library's */
#include "libcommon/rx_dfa.c"
#include "tests/unit/rx.c"
/* NOLINTEND(bugprone-suspicious-include) */

#include "CCountedPart.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void counted_part_begins(void) { CALLGRIND_START_INSTRUMENTATION; }
void counted_part_ends(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
void counted_part_begins(void) {}
void counted_part_ends(void) {}
#endif

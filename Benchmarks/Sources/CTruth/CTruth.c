#include "CTruth.h"

static _Thread_local volatile uint64_t truth;
static _Thread_local uint64_t pieces;

void truth_set(uint16_t user) { truth = user ? ++pieces << 16 | user : 0; }

int64_t truth_offset(void) {
#if defined(__linux__)
    return (char *)&truth - (char *)__builtin_thread_pointer();
#else
    return 0;
#endif
}

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>

#include "Entries.h"

// Globals that are made when they are first used: a thread that waits inside would keep all others waiting for good.

MI_ENTRY swift_once(void *predicate, mi_function function, void *context);

MI_ENTRY swift_once(void *predicate, mi_function function, void *context) {
    REAL(swift_once);
    void (*once)(void *, mi_function, void *) = (void (*)(void *, mi_function, void *))real;
    if (!mi_scheduled_is_here()) return once(predicate, function, context);
    HOOK(once_begin)(predicate);
    once(predicate, function, context);
    HOOK(once_end)(predicate);
}
#endif

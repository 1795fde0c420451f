#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>

#include "Entries.h"

// Globals that are made when they are first used: a thread that waits inside would keep all others waiting for good.

MI_ENTRY swift_once(void *predicate, mi_function function, void *context);

MI_ENTRY swift_once(void *predicate, mi_function function, void *context) {
    static _Atomic(void *) next;
    void *real = atomic_load_explicit(&next, memory_order_acquire);
    if (!real) atomic_store_explicit(&next, real = dlsym(RTLD_NEXT, "swift_once"), memory_order_release);
    void (*once)(void *, mi_function, void *) = (void (*)(void *, mi_function, void *))real;
    if (!mi_scheduled_is_here()) return once(predicate, function, context);
    HOOK(once_begin)(predicate);
    once(predicate, function, context);
    HOOK(once_end)(predicate);
}
#endif

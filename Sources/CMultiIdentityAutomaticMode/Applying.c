#include "Handing.h"

#if defined(__linux__)
// Iterations, captured when dispatched: each runs as the caller, on every helping thread.

typedef void (^mi_iteration)(size_t index);
typedef void (*mi_iteration_function)(void *context, size_t index);

MI_ENTRY dispatch_apply_f(size_t count, void *queue, void *context, mi_iteration_function iteration);

struct applied {
    struct mi_waited waited;
    mi_iteration_function iteration;
    size_t count;
    _Atomic(size_t) next;
};

// A helping thread takes the identity on once, not for each iteration.
static void take_iterations(void *context) {
    struct applied *applied = context;
    size_t index;
    while ((index = atomic_fetch_add_explicit(&applied->next, 1, memory_order_relaxed)) < applied->count)
        applied->iteration(applied->waited.context, index);
}

static void run_share(void *context, size_t share) {
    struct applied *applied = context;
    if (mi_thread_current() == applied->waited.thread) return take_iterations(applied);
    mi_run_elsewhere(&applied->waited, mi_automatic_apply, take_iterations, applied);
}

// One share for each processor, the largest number of threads that libdispatch lets help.
static void apply(size_t count, void *queue, void *context, mi_iteration_function function, const void *caller) {
    bool hides_main = mi_hides_main();
    mi_begin_for_main(hides_main);
    if (mi_goes_as_it_is(caller)) {
        NEXT(apply_f)(count, queue, context, function);
    } else {
        size_t processors = mi_processor_count();
        struct applied applied = {mi_wait_for(mi_automatic_apply, queue, NULL, context, caller), function, count, 0};
        NEXT(apply_f)(count < processors ? count : processors, queue, &applied, run_share);
        mi_end_wait(&applied.waited);
    }
    mi_end_for_main(hides_main);
}

MI_ENTRY dispatch_apply(size_t count, void *queue, mi_iteration iteration) {
    NOTE_IF_TRIED(apply);
    mi_iteration_function function = (mi_iteration_function)((struct mi_block_layout *)iteration)->invoke;
    apply(count, queue, iteration, function, __builtin_return_address(0));
}

MI_ENTRY dispatch_apply_f(size_t count, void *queue, void *context, mi_iteration_function iteration) {
    NOTE_IF_TRIED(apply_f);
    apply(count, queue, context, iteration, __builtin_return_address(0));
}
#endif

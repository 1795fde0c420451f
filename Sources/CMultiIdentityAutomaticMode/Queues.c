#include "Handing.h"

#if defined(__linux__)
// Work for a queue, captured when it is dispatched.

MI_HANDING(async, mi_automatic_async, , )
MI_HANDING(barrier_async, mi_automatic_async, , )

// Work that a caller waits for usually runs on the calling thread, and only needs to know that it was called from main. An item
// is passed on unchanged: it has its own identity, or none, which nothing that is bound here may hide.
#define WAITING(name, stays_here) \
    MI_ENTRY dispatch_##name(void *queue, mi_block work); \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work); \
    /* For a block, which is the context as well, or for a function. */ \
    static MI_RARE void wait_for_##name( \
        void *queue, mi_block block, void *context, mi_function work, const void *caller \
    ) { \
        if (!MI_USUALLY(!mi_is_trying)) mi_automatic_note(block ? mi_entry_##name : mi_entry_##name##_f); \
        bool hides_main = mi_hides_main(); \
        mi_begin_for_main(hides_main); \
        if (stays_here(queue) || (block ? BLOCK_GOES_AS_IT_IS(block) : mi_goes_as_it_is(caller))) { \
            block ? NEXT(name)(queue, block) : NEXT(name##_f)(queue, context, work); \
        } else { \
            struct mi_waited waited = mi_wait_for(mi_automatic_sync, queue, work, context, caller); \
            NEXT(name##_f)(queue, &waited, mi_run_waited); \
            mi_end_wait(&waited); \
        } \
        mi_end_for_main(hides_main); \
    } \
    MI_ENTRY dispatch_##name(void *queue, mi_block work) { \
        if (stays_here(queue) && mi_thread_current()->main_thread == 1) return NEXT(name)(queue, work); \
        wait_for_##name(queue, work, work, mi_call_block, __builtin_return_address(0)); \
    } \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work) { \
        if (stays_here(queue) && mi_thread_current()->main_thread == 1) return NEXT(name##_f)(queue, context, work); \
        wait_for_##name(queue, NULL, context, work, __builtin_return_address(0)); \
    }

#define may_go_elsewhere(queue) false

WAITING(sync, mi_sync_stays_here)
WAITING(barrier_sync, mi_sync_stays_here)
WAITING(async_and_wait, may_go_elsewhere)
WAITING(barrier_async_and_wait, may_go_elsewhere)

// MARK: Later

static const uint64_t end_of_time = ~0ull;

MI_ENTRY dispatch_after_f(uint64_t when, void *queue, void *context, mi_function work);

// At the end of time libdispatch drops its work, and what was captured for it would leak.
MI_ENTRY dispatch_after(uint64_t when, void *queue, mi_block work) {
    RETURN_IF_TRIED(after);
    const void *caller = __builtin_return_address(0);
    void *handed = when == end_of_time ? NULL : mi_take_block(mi_automatic_async_after, queue, work, caller);
    if (!handed) return NEXT(after)(when, queue, work);
    NEXT(after_f)(when, queue, handed, mi_run_handed_block);
}

MI_ENTRY dispatch_after_f(uint64_t when, void *queue, void *context, mi_function work) {
    RETURN_IF_TRIED(after_f);
    const void *caller = __builtin_return_address(0);
    void *handed =
        when == end_of_time ? NULL : mi_take_function(mi_automatic_async_after, queue, work, context, caller);
    if (!handed) return NEXT(after_f)(when, queue, context, work);
    NEXT(after_f)(when, queue, handed, mi_run_handed_function);
}
#endif

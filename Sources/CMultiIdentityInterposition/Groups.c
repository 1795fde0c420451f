#include "Entries.h"

#if defined(__linux__)
// Work that a group counts, captured when dispatched, and work that it has done when it is empty, when registered.

#define GROUPED(name, boundary) \
    MI_ENTRY dispatch_group_##name(void *group, void *queue, mi_block work); \
    MI_ENTRY dispatch_group_##name##_f(void *group, void *queue, void *context, mi_function work); \
    MI_ENTRY dispatch_group_##name(void *group, void *queue, mi_block work) { \
        RETURN_IF_TRIED(group_##name); \
        if (BLOCK_GOES_AS_IT_IS(work)) return NEXT(group_##name)(group, queue, work); \
        NEXT(group_##name##_f)(group, queue, mi_hand_over_block(boundary, queue, work), mi_run_handed); \
    } \
    MI_ENTRY dispatch_group_##name##_f(void *group, void *queue, void *context, mi_function work) { \
        RETURN_IF_TRIED(group_##name##_f); \
        if (FUNCTION_GOES_AS_IT_IS(work)) return NEXT(group_##name##_f)(group, queue, context, work); \
        NEXT(group_##name##_f)(group, queue, mi_hand_over_function(boundary, queue, work, context), mi_run_handed); \
    }

GROUPED(async, mi_automatic_async)
GROUPED(notify, mi_automatic_notify)
#endif

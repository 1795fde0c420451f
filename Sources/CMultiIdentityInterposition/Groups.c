#include "Handing.h"

#if defined(__linux__)
// Work that a group counts, captured when dispatched, and work that it has done when it is empty, when registered.

#define GROUPED(name, boundary) \
    MI_ENTRY dispatch_group_##name(void *group, void *queue, mi_block work); \
    MI_ENTRY dispatch_group_##name##_f(void *group, void *queue, void *context, mi_function work); \
    static MI_RARE void name##_slowly(void *group, void *queue, mi_block work) { \
        RETURN_IF_TRIED(group_##name); \
        void *handed = mi_take_block(boundary, queue, work); \
        if (!handed) return NEXT(group_##name)(group, queue, work); \
        NEXT(group_##name##_f)(group, queue, handed, mi_run_handed_block); \
    } \
    static inline void name##_as(void *group, void *queue, mi_block work, uintptr_t bound) { \
        if (!mi_is_handed_quickly(work)) return name##_slowly(group, queue, work); \
        struct mi_handed *handed = mi_hand_over_block(boundary, queue, bound, work); \
        FOUND_NEXT(group_##name##_f)(group, handed->queue, handed, mi_run_handed_block); \
    } \
    static MI_RARE void name##_in_task(void *group, void *queue, mi_block work) { \
        if (mi_thread_current()->task == &mi_unknown_task) return name##_slowly(group, queue, work); \
        const uintptr_t *bound = mi_bound_get(); \
        if (!bound || *bound == mi_automatic_nothing) return FOUND_NEXT(group_##name)(group, queue, work); \
        name##_as(group, queue, work, *bound); \
    } \
    MI_ENTRY dispatch_group_##name(void *group, void *queue, mi_block work) { \
        if (!mi_is_plain()) return name##_slowly(group, queue, work); \
        if (mi_seems_to_run_task()) return name##_in_task(group, queue, work); \
        uintptr_t mirror = mi_thread_current()->mirror; \
        if (mirror == 0) return FOUND_NEXT(group_##name)(group, queue, work); \
        name##_as(group, queue, work, mirror ^ mi_automatic_nothing); \
    } \
    MI_ENTRY dispatch_group_##name##_f(void *group, void *queue, void *context, mi_function work) { \
        RETURN_IF_TRIED(group_##name##_f); \
        void *handed = mi_take_function(boundary, queue, work, context, __builtin_return_address(0)); \
        if (!handed) return NEXT(group_##name##_f)(group, queue, context, work); \
        NEXT(group_##name##_f)(group, queue, handed, mi_run_handed_function); \
    }

GROUPED(async, mi_automatic_async)
GROUPED(notify, mi_automatic_notify)
#endif

#include "Entries.h"

#if defined(__linux__)
// Work for a queue: a step of the schedule if the calling thread is controlled.

void mi_scheduled_run_block(void *block) {
    ((struct mi_block_layout *)block)->invoke(block);
    _Block_release(block);
}

static void run_waited_block(void *block) { ((struct mi_block_layout *)block)->invoke(block); }

#define ASYNC(name, is_barrier) \
    MI_ENTRY dispatch_##name(void *queue, mi_block work); \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work); \
    MI_ENTRY dispatch_##name(void *queue, mi_block work) { \
        if (!IS_HERE()) return NEXT(name)(queue, work); \
        HOOK(async)(queue, mi_work_of_block((const void *)work, is_barrier), NULL); \
    } \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work) { \
        if (!IS_HERE()) return NEXT(name##_f)(queue, context, work); \
        HOOK(async)(queue, mi_work_of(work, context, is_barrier), NULL); \
    }
ASYNC(async, false)
ASYNC(barrier_async, true)

// Its caller retains the block.
#define SYNC(name, barrier) \
    MI_ENTRY dispatch_##name(void *queue, mi_block work); \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work); \
    MI_ENTRY dispatch_##name(void *queue, mi_block work) { \
        if (!IS_HERE()) return NEXT(name)(queue, work); \
        struct mi_scheduled_item *item = mi_item_of((const void *)work); \
        HOOK(sync)(queue, (struct mi_scheduled_work){ \
            run_waited_block, (void *)work, item, barrier || (item && item->is_barrier)}); \
    } \
    MI_ENTRY dispatch_##name##_f(void *queue, void *context, mi_function work) { \
        if (!IS_HERE()) return NEXT(name##_f)(queue, context, work); \
        HOOK(sync)(queue, mi_work_of(work, context, barrier)); \
    }
SYNC(sync, false)
SYNC(barrier_sync, true)
SYNC(async_and_wait, false)
SYNC(barrier_async_and_wait, true)

MI_ENTRY dispatch_after(uint64_t when, void *queue, mi_block work);
MI_ENTRY dispatch_after_f(uint64_t when, void *queue, void *context, mi_function work);

// At the end of time libdispatch drops its work.
MI_ENTRY dispatch_after(uint64_t when, void *queue, mi_block work) {
    if (!IS_HERE()) return NEXT(after)(when, queue, work);
    if (when != ~0ull) HOOK(after)(when, queue, mi_work_of_block((const void *)work, false));
}

MI_ENTRY dispatch_after_f(uint64_t when, void *queue, void *context, mi_function work) {
    if (!IS_HERE()) return NEXT(after_f)(when, queue, context, work);
    if (when != ~0ull) HOOK(after)(when, queue, mi_work_of(work, context, false));
}

// MARK: Iterations

typedef void (^mi_iteration)(uintptr_t index);
typedef void (*mi_iteration_function)(void *context, uintptr_t index);
MI_ENTRY dispatch_apply(uintptr_t count, void *queue, mi_iteration iteration);
MI_ENTRY dispatch_apply_f(uintptr_t count, void *queue, void *context, mi_iteration_function iteration);

MI_ENTRY dispatch_apply(uintptr_t count, void *queue, mi_iteration iteration) {
    if (!IS_HERE()) return NEXT(apply)(count, queue, iteration);
    struct mi_block_layout *layout = (struct mi_block_layout *)iteration;
    HOOK(apply)(count, queue, (mi_iteration_function)(void *)layout->invoke, layout);
}

MI_ENTRY dispatch_apply_f(uintptr_t count, void *queue, void *context, mi_iteration_function iteration) {
    if (!IS_HERE()) return NEXT(apply_f)(count, queue, context, iteration);
    HOOK(apply)(count, queue, iteration, context);
}

// MARK: Groups

MI_ENTRY_OF(void *) dispatch_group_create(void);
MI_ENTRY dispatch_group_async(void *group, void *queue, mi_block work);
MI_ENTRY dispatch_group_async_f(void *group, void *queue, void *context, mi_function work);
MI_ENTRY dispatch_group_notify(void *group, void *queue, mi_block work);
MI_ENTRY dispatch_group_notify_f(void *group, void *queue, void *context, mi_function work);
MI_ENTRY dispatch_group_enter(void *group);
MI_ENTRY dispatch_group_leave(void *group);
MI_ENTRY_OF(intptr_t) dispatch_group_wait(void *group, uint64_t timeout);

MI_ENTRY_OF(void *) dispatch_group_create(void) {
    void *group = NEXT(group_create)();
    if (group) mi_scheduled_note(group, 0, NULL);
    return group;
}
MI_ENTRY dispatch_group_async(void *group, void *queue, mi_block work) {
    if (!IS_HERE()) return NEXT(group_async)(group, queue, work);
    HOOK(async)(queue, mi_work_of_block((const void *)work, false), group);
}
MI_ENTRY dispatch_group_async_f(void *group, void *queue, void *context, mi_function work) {
    if (!IS_HERE()) return NEXT(group_async_f)(group, queue, context, work);
    HOOK(async)(queue, mi_work_of(work, context, false), group);
}
MI_ENTRY dispatch_group_notify(void *group, void *queue, mi_block work) {
    if (!IS_HERE()) return NEXT(group_notify)(group, queue, work);
    HOOK(group_notify)(group, queue, mi_work_of_block((const void *)work, false));
}
MI_ENTRY dispatch_group_notify_f(void *group, void *queue, void *context, mi_function work) {
    if (!IS_HERE()) return NEXT(group_notify_f)(group, queue, context, work);
    HOOK(group_notify)(group, queue, mi_work_of(work, context, false));
}
MI_ENTRY dispatch_group_enter(void *group) {
    if (!IS_HERE()) return NEXT(group_enter)(group);
    HOOK(group_enter)(group);
}
MI_ENTRY dispatch_group_leave(void *group) {
    // Items have their own libdispatch group, which is left from inside libdispatch.
    if (!IS_HERE() || !HOOK(group_leave)(group)) return NEXT(group_leave)(group);
}
MI_ENTRY_OF(intptr_t) dispatch_group_wait(void *group, uint64_t timeout) {
    if (!IS_HERE()) return NEXT(group_wait)(group, timeout);
    return HOOK(group_wait)(group, timeout) ? 0 : 1;
}

// MARK: Semaphores

MI_ENTRY_OF(void *) dispatch_semaphore_create(intptr_t value);
MI_ENTRY_OF(intptr_t) dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
MI_ENTRY_OF(intptr_t) dispatch_semaphore_signal(void *semaphore);

MI_ENTRY_OF(void *) dispatch_semaphore_create(intptr_t value) {
    void *semaphore = NEXT(semaphore_create)(value);
    if (semaphore) mi_scheduled_note(semaphore, value, NULL);
    return semaphore;
}
MI_ENTRY_OF(intptr_t) dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
    if (!IS_HERE()) return NEXT(semaphore_wait)(semaphore, timeout);
    return HOOK(semaphore_wait)(semaphore, timeout) ? 0 : 1;
}
MI_ENTRY_OF(intptr_t) dispatch_semaphore_signal(void *semaphore) {
    if (!IS_HERE()) return NEXT(semaphore_signal)(semaphore);
    HOOK(semaphore_signal)(semaphore);
    return 0;
}
#endif

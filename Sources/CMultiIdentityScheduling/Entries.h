#ifndef MI_SCHEDULED_ENTRIES_H
#define MI_SCHEDULED_ENTRIES_H

#include "CMultiIdentityScheduling.h"
#include "DispatchEntries.h"

MI_HIDDEN extern struct mi_scheduling_hooks mi_scheduling_hooks;
#define HOOK(name) mi_scheduling_hooks.name
/// libdispatch's own code, which calls some of its entry points as others do.
MI_HIDDEN extern struct mi_code mi_libdispatch;
static inline bool mi_is_controlled(const void *caller) {
    return mi_scheduled_is_here() && !mi_is_in(&mi_libdispatch, caller);
}
#define IS_HERE() __builtin_expect(mi_is_controlled(__builtin_return_address(0)), false)

/// The C library's own definition as `real`, and one that comes before it.
#define REAL(name) \
    static _Atomic(void *) next; \
    void *real = atomic_load_explicit(&next, memory_order_acquire); \
    if (!real) atomic_store_explicit(&next, real = dlsym(RTLD_NEXT, #name), memory_order_release)
#define EXPORTED MI_ENTRY_OF(int)

/// Has items put into blocks that know when their work has run; their entry points are another library's, which shares them.
MI_HIDDEN void mi_scheduling_take_items(void);

// MARK: Blocks

/// Returns the record of an item, for the block that its creation returned; null for any other block.
MI_HIDDEN struct mi_scheduled_item *mi_item_of(const void *block);

static inline struct mi_scheduled_work mi_work_of_block(const void *block, bool is_barrier) {
    struct mi_scheduled_item *item = mi_item_of(block);
    return (struct mi_scheduled_work){
        mi_scheduled_run_block, _Block_copy(block), item, is_barrier || (item && item->is_barrier),
    };
}
static inline struct mi_scheduled_work mi_work_of(mi_function function, void *context, bool is_barrier) {
    return (struct mi_scheduled_work){function, context, NULL, is_barrier};
}

// MARK: Time

struct timespec;
/// Returns libdispatch's time for one of the C library's, by whichever clock.
MI_HIDDEN uint64_t mi_scheduled_time_of(const struct timespec *time);

// MARK: Objects

/// Notes what an object at this address is, whatever was there before.
MI_HIDDEN void mi_scheduled_note(const void *object, int64_t known, void *target);

#endif

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

/// The C library's own definition as `real`, and a definition that comes before it.
#define REAL(name) REAL_OF(name, #name)
#define REAL_OF(name, symbol) \
    static _Atomic(void *) next; \
    void *real = atomic_load_explicit(&next, memory_order_acquire); \
    if (!real) atomic_store_explicit(&next, real = dlsym(RTLD_NEXT, symbol), memory_order_release)
#define SWIFTCALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
#define EXPORTED MI_ENTRY_OF(int)

/// Wraps items in blocks that know when their work has run; another library defines their entry points and shares them.
MI_HIDDEN void mi_scheduling_take_items(void);
/// Prints the schedule before a signal on a controlled thread ends the program.
MI_HIDDEN void mi_scheduling_take_signals(void);

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

// MARK: Locks

/// Returns whether a call comes from the program's own code: by its return address or, if that is in one of Foundation's lock
/// classes, by its caller's, for which the frame of the asking function is needed.
MI_HIDDEN bool mi_is_program(const void *caller, void *const *frame);
MI_HIDDEN bool mi_is_foundation(const void *caller);

MI_HIDDEN void mi_lock_taken(const void *lock, uint32_t how);
MI_HIDDEN void mi_lock_given(const void *lock);
/// Lets others run, if a call on a lock comes from the program.
MI_HIDDEN void mi_lock_step(enum mi_scheduled_step step, const void *lock, const void *caller, void *const *frame);
/// Lets them run, and waits until the lock is free; returns whether it is in time.
MI_HIDDEN bool mi_lock_wait(
    enum mi_scheduled_step step, const void *lock, uint32_t how, uint64_t timeout, const void *caller, void *const *frame
);

// MARK: Tasks

/// Returns whether a job is a task whose body never ends: it must not run again.
MI_HIDDEN bool mi_is_left(const void *job);

// MARK: Time

struct timespec;
/// Returns libdispatch's time for a time of the C library, by whichever clock.
MI_HIDDEN uint64_t mi_scheduled_time_of(const struct timespec *time);

// MARK: Objects

/// Records what the object at this address is, replacing any earlier record.
MI_HIDDEN void mi_scheduled_note(const void *object, int64_t known, void *target);

#endif

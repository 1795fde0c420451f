#ifndef MI_SCHEDULED_ENTRIES_H
#define MI_SCHEDULED_ENTRIES_H

#include <stdatomic.h>
#include <stddef.h>

#include "CMultiIdentityScheduling.h"

// libdispatch's types as far as an entry point needs them: its objects are passed on and never looked into.
typedef void (^mi_block)(void);
typedef mi_scheduled_function mi_function;

/// Weak, so that a program that is linked with libdispatch's archive links, and is refused when a schedule begins.
#define MI_ENTRY_OF(type) __attribute__((weak, visibility("default"))) type
#define MI_ENTRY MI_ENTRY_OF(void)
#define MI_HIDDEN __attribute__((visibility("hidden")))

#define MI_ENTRIES(ENTRY) \
    ENTRY(async) ENTRY(async_f) ENTRY(barrier_async) ENTRY(barrier_async_f) \
    ENTRY(sync) ENTRY(sync_f) ENTRY(barrier_sync) ENTRY(barrier_sync_f) \
    ENTRY(async_and_wait) ENTRY(async_and_wait_f) ENTRY(barrier_async_and_wait) ENTRY(barrier_async_and_wait_f) \
    ENTRY(after) ENTRY(after_f) ENTRY(apply) ENTRY(apply_f) \
    ENTRY(group_create) ENTRY(group_async) ENTRY(group_async_f) ENTRY(group_notify) ENTRY(group_notify_f) \
    ENTRY(group_enter) ENTRY(group_leave) ENTRY(group_wait) \
    ENTRY(semaphore_create) ENTRY(semaphore_wait) ENTRY(semaphore_signal) \
    ENTRY(block_create) ENTRY(block_create_with_qos_class) ENTRY(block_wait) ENTRY(block_notify) \
    ENTRY(block_cancel) ENTRY(block_testcancel) \
    ENTRY(queue_create) ENTRY(queue_create_with_target) ENTRY(set_target_queue) \
    ENTRY(queue_attr_make_with_qos_class) ENTRY(queue_attr_make_initially_inactive) \
    ENTRY(queue_attr_make_with_autorelease_frequency) \
    ENTRY(suspend) ENTRY(resume) ENTRY(activate) \
    ENTRY(get_specific) ENTRY(queue_get_label) ENTRY(queue_get_specific) \
    ENTRY(assert_queue) ENTRY(assert_queue_not) ENTRY(assert_queue_barrier) \
    ENTRY(source_create) ENTRY(source_set_timer) ENTRY(source_set_event_handler) ENTRY(source_set_cancel_handler) \
    ENTRY(source_set_registration_handler) ENTRY(source_cancel) ENTRY(source_merge_data) ENTRY(source_get_data) \
    ENTRY(retain) ENTRY(release) \
    ENTRY(read) ENTRY(write) ENTRY(io_create) ENTRY(io_create_with_path) ENTRY(io_create_with_io)

#define MI_INDEX(name) mi_entry_##name,
enum mi_entry { MI_ENTRIES(MI_INDEX) mi_entry_count };
#undef MI_INDEX

MI_HIDDEN void *mi_scheduling_next(enum mi_entry entry);
/// libdispatch's own definition.
#define NEXT(name) ((__typeof__(&dispatch_##name))mi_scheduling_next(mi_entry_##name))

MI_HIDDEN extern struct mi_scheduling_hooks mi_scheduling_hooks;
#define HOOK(name) mi_scheduling_hooks.name
/// libdispatch's own code, which calls some of its entry points as others do.
MI_HIDDEN extern uintptr_t mi_libdispatch_begin, mi_libdispatch_size;
static inline bool mi_is_controlled(const void *caller) {
    return mi_scheduled_is_here() && (uintptr_t)caller - mi_libdispatch_begin >= mi_libdispatch_size;
}
#define IS_HERE() __builtin_expect(mi_is_controlled(__builtin_return_address(0)), false)

/// The C library's own definition as `real`, and one that comes before it.
#define REAL(name) \
    static _Atomic(void *) next; \
    void *real = atomic_load_explicit(&next, memory_order_acquire); \
    if (!real) atomic_store_explicit(&next, real = dlsym(RTLD_NEXT, #name), memory_order_release)
#define EXPORTED __attribute__((weak, visibility("default"))) int

/// Has items put into blocks that know when their work has run; their entry points are another library's, which shares them.
MI_HIDDEN void mi_scheduling_take_items(void);

// MARK: Blocks

struct mi_block_descriptor {
    uintptr_t reserved, size;
    void (*copy)(void *, const void *);
    void (*dispose)(void *);
};
struct mi_block_layout {
    void *isa;
    int32_t flags, reserved;
    void (*invoke)(void *);
    const struct mi_block_descriptor *descriptor;
};
void *_Block_copy(const void *block);
void _Block_release(const void *block);
extern void *_NSConcreteStackBlock[];
enum { mi_block_has_copy_and_dispose = 1 << 25 };

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

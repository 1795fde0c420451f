// libdispatch's entry points: one table of those that a library here replaces, and of where libdispatch's own are.
//
// A program has one definition of a name, so each entry point is defined by one of the libraries that a program links:
// - this one defines the two that make a work item. Programs with Foundation's operations link it, and need no other;
// - CMultiIdentityAutomaticMode defines the others for automatic mode, and CMultiIdentityScheduling those for the scheduler. A
//   program links at most one of these two.
// It is for C only, and not part of the module (module.modulemap): Swift sees no sanitizer in a header.
#ifndef DISPATCH_ENTRIES_H
#define DISPATCH_ENTRIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "BlockLayout.h"

// libdispatch's types as far as an entry point needs them: its objects are passed on and never inspected. Its headers
// are not included: the definitions here would have to repeat their annotations.
typedef void (^mi_block)(void);
typedef void (*mi_function)(void *context);

#define MI_USUALLY(condition) __builtin_expect(condition, true)
/// Reached without a table of addresses: all these libraries are linked into one program or library.
#define MI_HIDDEN __attribute__((visibility("hidden")))

/// Weak, so that a program that links libdispatch's archive can be linked: the archive's own definitions win.
///
/// Under the thread sanitizer, its definitions are weak too, and would win over these. Definitions that have to come first
/// define `MI_BEFORE_SANITIZER`.
#if __has_feature(thread_sanitizer) && defined(MI_BEFORE_SANITIZER)
#define MI_ENTRY_OF(type) __attribute__((visibility("default"))) type
#else
#define MI_ENTRY_OF(type) __attribute__((weak, visibility("default"))) type
#endif
#define MI_ENTRY MI_ENTRY_OF(void)

// MARK: The table

/// What a library does with an entry point.
enum mi_part {
    mi_left,
    mi_taken,
    /// Replaced, and Swift's Dispatch calls it, so that automatic mode's trial must have seen it.
    mi_tried,
};

/// All entry points: the name, what automatic mode does with it, and what the scheduler does.
#define MI_ENTRIES(ENTRY) \
    ENTRY(async, mi_tried, mi_taken) \
    ENTRY(async_f, mi_taken, mi_taken) \
    ENTRY(barrier_async, mi_tried, mi_taken) \
    ENTRY(barrier_async_f, mi_taken, mi_taken) \
    ENTRY(sync, mi_tried, mi_taken) \
    ENTRY(sync_f, mi_taken, mi_taken) \
    ENTRY(barrier_sync, mi_tried, mi_taken) \
    ENTRY(barrier_sync_f, mi_taken, mi_taken) \
    ENTRY(async_and_wait, mi_taken, mi_taken) \
    ENTRY(async_and_wait_f, mi_taken, mi_taken) \
    ENTRY(barrier_async_and_wait, mi_taken, mi_taken) \
    ENTRY(barrier_async_and_wait_f, mi_taken, mi_taken) \
    ENTRY(after, mi_tried, mi_taken) \
    ENTRY(after_f, mi_taken, mi_taken) \
    ENTRY(apply, mi_tried, mi_taken) \
    ENTRY(apply_f, mi_taken, mi_taken) \
    ENTRY(group_create, mi_left, mi_taken) \
    ENTRY(group_async, mi_tried, mi_taken) \
    ENTRY(group_async_f, mi_taken, mi_taken) \
    ENTRY(group_notify, mi_tried, mi_taken) \
    ENTRY(group_notify_f, mi_taken, mi_taken) \
    ENTRY(group_enter, mi_left, mi_taken) \
    ENTRY(group_leave, mi_left, mi_taken) \
    ENTRY(group_wait, mi_left, mi_taken) \
    ENTRY(semaphore_create, mi_left, mi_taken) \
    ENTRY(semaphore_wait, mi_left, mi_taken) \
    ENTRY(semaphore_signal, mi_left, mi_taken) \
    ENTRY(block_create, mi_taken, mi_taken) \
    ENTRY(block_create_with_qos_class, mi_tried, mi_taken) \
    ENTRY(block_wait, mi_left, mi_taken) \
    ENTRY(block_notify, mi_left, mi_taken) \
    ENTRY(block_cancel, mi_left, mi_taken) \
    ENTRY(block_testcancel, mi_left, mi_taken) \
    ENTRY(queue_create, mi_left, mi_taken) \
    ENTRY(queue_create_with_target, mi_tried, mi_taken) \
    ENTRY(set_target_queue, mi_taken, mi_taken) \
    ENTRY(queue_attr_make_with_qos_class, mi_left, mi_taken) \
    ENTRY(queue_attr_make_initially_inactive, mi_left, mi_taken) \
    ENTRY(queue_attr_make_with_autorelease_frequency, mi_left, mi_taken) \
    ENTRY(suspend, mi_left, mi_taken) \
    ENTRY(resume, mi_left, mi_taken) \
    ENTRY(activate, mi_left, mi_taken) \
    ENTRY(get_specific, mi_left, mi_taken) \
    ENTRY(queue_get_label, mi_left, mi_taken) \
    ENTRY(queue_get_specific, mi_left, mi_taken) \
    ENTRY(assert_queue, mi_left, mi_taken) \
    ENTRY(assert_queue_not, mi_left, mi_taken) \
    ENTRY(assert_queue_barrier, mi_left, mi_taken) \
    ENTRY(source_create, mi_left, mi_taken) \
    ENTRY(source_set_timer, mi_left, mi_taken) \
    ENTRY(source_set_event_handler, mi_tried, mi_taken) \
    ENTRY(source_set_cancel_handler, mi_tried, mi_taken) \
    ENTRY(source_set_registration_handler, mi_tried, mi_taken) \
    ENTRY(source_set_event_handler_f, mi_taken, mi_left) \
    ENTRY(source_set_cancel_handler_f, mi_taken, mi_left) \
    ENTRY(source_set_registration_handler_f, mi_taken, mi_left) \
    ENTRY(source_cancel, mi_left, mi_taken) \
    ENTRY(source_merge_data, mi_left, mi_taken) \
    ENTRY(source_get_data, mi_left, mi_taken) \
    ENTRY(retain, mi_left, mi_taken) \
    ENTRY(release, mi_left, mi_taken) \
    ENTRY(read, mi_tried, mi_taken) \
    ENTRY(write, mi_tried, mi_taken) \
    ENTRY(io_create, mi_taken, mi_taken) \
    ENTRY(io_create_with_path, mi_taken, mi_taken) \
    ENTRY(io_create_with_io, mi_taken, mi_taken) \
    ENTRY(io_read, mi_taken, mi_left) \
    ENTRY(io_write, mi_taken, mi_left) \
    ENTRY(io_barrier, mi_taken, mi_left) \
    ENTRY(data_create, mi_taken, mi_left)

#define MI_INDEX(name, automatic, scheduling) mi_entry_##name,
enum mi_entry {
    MI_ENTRIES(MI_INDEX)
    /// `_dispatch_main_queue_callback_4CF`, with which a run loop drains the main queue: for automatic mode.
    mi_entry_main_queue_callback,
    mi_entry_count
};
#undef MI_INDEX

struct mi_entry_parts {
    const char *name;
    uint8_t automatic, scheduling;
};
MI_HIDDEN extern const struct mi_entry_parts mi_entries[mi_entry_count];

// MARK: The loader

MI_HIDDEN extern _Atomic(void *) mi_nexts[mi_entry_count];

/// Finds libdispatch's own definition of an entry point, and stores it; null if there is none.
MI_HIDDEN void *mi_find_next(enum mi_entry entry);

/// Finds it as well, or ends the program with a message: the program links libdispatch's archive, so that some calls would end
/// in the archive and others here, without a definition to call.
MI_HIDDEN void *mi_require_next(enum mi_entry entry);

/// libdispatch's own definition of an entry point. It also works before this library is initialized, such as in another's
/// constructor, and while it is torn down.
static inline void *mi_next(enum mi_entry entry) {
    void *next = atomic_load_explicit(&mi_nexts[entry], memory_order_acquire);
    return MI_USUALLY(next != NULL) ? next : mi_require_next(entry);
}
#define NEXT(name) ((__typeof__(&dispatch_##name))mi_next(mi_entry_##name))

/// The same, once all of them have been found.
#define FOUND_NEXT(name) \
    ((__typeof__(&dispatch_##name))atomic_load_explicit(&mi_nexts[mi_entry_##name], memory_order_relaxed))

// MARK: Libraries' code

/// A range of code.
struct mi_code {
    uintptr_t begin, size;
};
static inline bool mi_is_in(const struct mi_code *part, const void *code) {
    return (uintptr_t)code - part->begin < part->size;
}

/// Finds the code of the library that contains an address or, if that is null, of the first library with that name; returns
/// false if there is none.
MI_HIDDEN bool mi_find_code(const void *address, const char *name, struct mi_code *code);

#endif

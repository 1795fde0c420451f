#ifndef MI_ENTRIES_H
#define MI_ENTRIES_H

#include <stdatomic.h>
#include <stddef.h>

// Thread-locals are found here by an offset and not by a call, for which every entry would have to save its arguments.
#define MI_BY_OFFSET __attribute__((tls_model("initial-exec")))
#include "CMultiIdentity.h"
#include "CMultiIdentityInterposition.h"

// libdispatch's types as far as an entry point needs them: its objects are passed on and never looked into. Its headers
// are not included: these definitions would have to repeat their annotations.
#define MI_USUALLY(condition) __builtin_expect(condition, true)
/// Apart from what most calls need, which so needs no place on the stack.
#define MI_RARE __attribute__((noinline))
/// Reached without a table of addresses.
#define MI_HIDDEN __attribute__((visibility("hidden")))

typedef void (^mi_block)(void);
typedef void (*mi_function)(void *context);

/// Under the thread sanitizer its own definitions are weak, and would win; in all other programs ours are, so that a
/// program that is linked with libdispatch's archive links, and is refused at the start.
#if __has_feature(thread_sanitizer)
#define MI_ENTRY __attribute__((visibility("default"))) void
#define MI_ENTRY_OF(type) __attribute__((visibility("default"))) type
#else
#define MI_ENTRY __attribute__((weak, visibility("default"))) void
#define MI_ENTRY_OF(type) __attribute__((weak, visibility("default"))) type
#endif

/// All entry points; the second column says whether Swift's Dispatch calls it, so that the trial must have seen it.
#define MI_ENTRIES(ENTRY) \
    ENTRY(async, true) \
    ENTRY(async_f, false) \
    ENTRY(barrier_async, true) \
    ENTRY(barrier_async_f, false) \
    ENTRY(sync, true) \
    ENTRY(sync_f, false) \
    ENTRY(barrier_sync, true) \
    ENTRY(barrier_sync_f, false) \
    ENTRY(async_and_wait, false) \
    ENTRY(async_and_wait_f, false) \
    ENTRY(barrier_async_and_wait, false) \
    ENTRY(barrier_async_and_wait_f, false) \
    ENTRY(after, true) \
    ENTRY(after_f, false) \
    ENTRY(apply, true) \
    ENTRY(apply_f, false) \
    ENTRY(group_async, true) \
    ENTRY(group_async_f, false) \
    ENTRY(group_notify, true) \
    ENTRY(group_notify_f, false) \
    ENTRY(block_create, false) \
    ENTRY(block_create_with_qos_class, true) \
    ENTRY(source_set_event_handler, true) \
    ENTRY(source_set_cancel_handler, true) \
    ENTRY(source_set_registration_handler, true) \
    ENTRY(source_set_event_handler_f, false) \
    ENTRY(source_set_cancel_handler_f, false) \
    ENTRY(source_set_registration_handler_f, false) \
    ENTRY(read, true) \
    ENTRY(write, true) \
    ENTRY(io_create, false) \
    ENTRY(io_create_with_path, false) \
    ENTRY(io_create_with_io, false) \
    ENTRY(io_read, false) \
    ENTRY(io_write, false) \
    ENTRY(io_barrier, false) \
    ENTRY(data_create, false) \
    ENTRY(queue_create_with_target, true) \
    ENTRY(set_target_queue, false)

#define MI_INDEX(name, is_tried) mi_entry_##name,
enum mi_entry { MI_ENTRIES(MI_INDEX) mi_entry_main_queue_callback, mi_entry_count };
#undef MI_INDEX

MI_HIDDEN extern _Atomic(void *) mi_nexts[mi_entry_count];
void *mi_find_next(enum mi_entry entry);

/// libdispatch's own definition of an entry point; a call before this library has begun, as from another's constructor,
/// or while it ends, gets there all the same.
static inline void *mi_next(enum mi_entry entry) {
    void *next = atomic_load_explicit(&mi_nexts[entry], memory_order_acquire);
    return MI_USUALLY(next != NULL) ? next : mi_find_next(entry);
}
#define NEXT(name) ((__typeof__(&dispatch_##name))mi_next(mi_entry_##name))

/// The same while automatic mode captures, which it does where all of them were found.
#define FOUND_NEXT(name) \
    ((__typeof__(&dispatch_##name))atomic_load_explicit(&mi_nexts[mi_entry_##name], memory_order_relaxed))

// MARK: Whether to capture

enum mi_automatic_state { mi_automatic_off, mi_automatic_trying, mi_automatic_capturing };
MI_HIDDEN extern _Atomic(uint32_t) mi_automatic_state;
MI_HIDDEN extern struct mi_automatic_hooks mi_automatic_hooks;
MI_HIDDEN extern uintptr_t mi_automatic_nothing;
MI_HIDDEN extern uint32_t mi_automatic_features, mi_automatic_features_of_somebody;
/// The bits of a captured word that are the address of what it keeps, if it keeps anything.
MI_HIDDEN extern uintptr_t mi_automatic_address_bits;

/// Notes the call if this thread tries the entry points out; says whether it is one of those that come to nothing.
bool mi_automatic_note(enum mi_entry entry);

/// A range of code; calls from those of Swift's concurrency, libdispatch and FoundationNetworking are left alone.
struct mi_code {
    uintptr_t begin, size;
};
enum { mi_internal_count = 3 };
MI_HIDDEN extern struct mi_code mi_internal[mi_internal_count];
/// From the first of these to the last: a program's own code mostly lies elsewhere.
MI_HIDDEN extern struct mi_code mi_internal_span;
static inline bool mi_automatic_is_in(const struct mi_code *part, const void *code) {
    return (uintptr_t)code - part->begin < part->size;
}
bool mi_automatic_is_internal_in_span(const void *code);
static inline bool mi_automatic_is_internal(const void *code) {
    return !MI_USUALLY(!mi_automatic_is_in(&mi_internal_span, code)) && mi_automatic_is_internal_in_span(code);
}

/// The range of Foundation's code, which makes a work item of each operation.
MI_HIDDEN extern struct mi_code mi_foundation;

/// Returns whether the main queue's work runs here, once that queue is marked.
bool mi_is_on_main_queue(void);
void mi_mark_main_queue(void *queue);

/// The main queue, and whether any other targets it: what is waited for on those may run on another thread.
MI_HIDDEN extern void *mi_main_queue;
MI_HIDDEN extern _Atomic(bool) mi_main_queue_is_target;

/// Asks the runtime, where a look has said that a task runs; learns where to look, if that was not known.
bool mi_ask_whether_task_runs(void);
static inline bool mi_seems_to_run_task(void) { return *mi_thread_current()->task != NULL; }
static inline bool mi_automatic_task_runs(void) {
    return !MI_USUALLY(!mi_seems_to_run_task()) && mi_ask_whether_task_runs();
}

/// Returns what is bound here, with no reference: from the mirror, or where a task runs from what that has bound.
static inline uintptr_t mi_bound_word(void) {
    if (MI_USUALLY(!mi_automatic_task_runs())) return mi_thread_current()->mirror ^ mi_automatic_nothing;
    const uintptr_t *bound = mi_bound_get();
    return bound ? *bound : mi_automatic_nothing;
}

/// Returns whether nothing is bound here, so that work can go as it is: what runs it has nothing bound either.
static inline bool mi_nothing_is_bound(void) {
    return !(mi_frame_features_load() & mi_automatic_features) && mi_bound_word() == mi_automatic_nothing;
}

static inline bool mi_is_capturing(void) {
    return atomic_load_explicit(&mi_automatic_state, memory_order_acquire) == mi_automatic_capturing;
}

/// Runs what was handed over, and lets go of it: a function with its context, or a block.
void mi_run_handed_function(void *handed);
void mi_run_handed_block(void *handed);

/// Tells whether a function is what the wrappers hand over, or what is handed over here, which libdispatch may pass on by
/// another entry point (`dispatch_after`). Both let go of what they own outside their scope: inside a second one it would
/// go as somebody.
static inline bool mi_carries_already(mi_function work) {
    return work == mi_run_handed_block || work == mi_run_handed_function || work == mi_automatic_hooks.run_carried;
}

/// True if a call is to go on as it is.
#define GOES_AS_IT_IS() mi_goes_as_it_is(__builtin_return_address(0))
static inline bool mi_goes_as_it_is(const void *caller) {
    return !mi_is_capturing() || mi_nothing_is_bound() || mi_automatic_is_internal(caller) ||
        mi_thread_current()->dispatches_for_itself;
}

/// The same for the forms that take a function, which Swift's concurrency calls: who calls is cheaper to tell than who is
/// bound.
#define FUNCTION_GOES_AS_IT_IS(work) mi_function_goes_as_it_is(__builtin_return_address(0), work)
static inline bool mi_function_goes_as_it_is(const void *caller, mi_function work) {
    return mi_automatic_is_internal(caller) || mi_goes_as_it_is(NULL) || mi_carries_already(work) ||
        mi_automatic_is_internal((const void *)work);
}

static inline bool mi_is_trying(void) {
    return atomic_load_explicit(&mi_automatic_state, memory_order_relaxed) == mi_automatic_trying;
}

/// The same of a call that hands over a block: Swift's Dispatch stands between the call and the block's writer, but
/// what the block begins with is compiled into its writer. An item, which libdispatch makes, goes as it is too.
#define BLOCK_GOES_AS_IT_IS(block) mi_block_goes_as_it_is(block)

/// For entry points that come to nothing in the trial.
#define RETURN_IF_TRIED(name) \
    if (__builtin_expect(mi_is_trying(), false) && mi_automatic_note(mi_entry_##name)) return

/// For entry points that go on in the trial.
#define NOTE_IF_TRIED(name) \
    if (__builtin_expect(mi_is_trying(), false)) (void)mi_automatic_note(mi_entry_##name)

// MARK: Blocks

/// Calls a block without arguments.
static inline void mi_call_block(void *block) { ((struct mi_block_layout *)block)->invoke(block); }

/// Returns the code that a block begins with.
static inline const void *mi_block_code(const void *block) {
    return (const void *)((const struct mi_block_layout *)block)->invoke;
}

/// Returns whether a block goes as it is, whoever is bound.
static inline bool mi_block_is_left_alone(const void *block) {
    return mi_automatic_is_internal(mi_block_code(block)) || mi_thread_current()->dispatches_for_itself;
}

static inline bool mi_block_goes_as_it_is(const void *block) {
    return !mi_is_capturing() || mi_nothing_is_bound() || mi_block_is_left_alone(block);
}

/// Returns whether automatic mode captures, and nobody wants to know more than who is bound.
static inline bool mi_is_plain(void) {
    if (!MI_USUALLY(mi_is_capturing())) return false;
    return MI_USUALLY(!(mi_frame_features_load() & mi_automatic_features_of_somebody));
}
/// Has items captured; their entry points are another library's, which shares them.
void mi_take_items(void);

#endif

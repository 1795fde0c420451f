#ifndef MI_ENTRIES_H
#define MI_ENTRIES_H

// Thread-locals are found by an offset and not by a call, for which every entry would have to save its arguments.
#define MI_BY_OFFSET __attribute__((tls_model("initial-exec")))
// These definitions come before those that the sanitizer puts before libdispatch.
#define MI_BEFORE_SANITIZER
#include "CMultiIdentity.h"
#include "CMultiIdentityAutomaticMode.h"
#include "DispatchEntries.h"

/// Separate from what most calls need, which then needs no place on the stack.
#define MI_RARE __attribute__((noinline))

// MARK: Whether to capture

MI_HIDDEN extern _Atomic(bool) mi_automatic_captures;
MI_HIDDEN extern struct mi_automatic_hooks mi_automatic_hooks;
MI_HIDDEN extern uintptr_t mi_automatic_nothing;
MI_HIDDEN extern uint32_t mi_automatic_features, mi_automatic_features_of_somebody, mi_automatic_features_of_tasks;
/// The bits of a captured word that are the address of the retained object, if there is one.
MI_HIDDEN extern uintptr_t mi_automatic_address_bits;

/// True while this thread tries the entry points, with automatic mode off; other threads' calls continue.
MI_HIDDEN extern MI_BY_OFFSET _Thread_local bool mi_is_trying;
void mi_automatic_note(enum mi_entry entry);

/// The code of Swift's concurrency, libdispatch and FoundationNetworking, whose calls are not captured.
enum { mi_internal_count = 3 };
MI_HIDDEN extern struct mi_code mi_internal[mi_internal_count];
#define mi_concurrency mi_internal[1]
/// From the first of these to the last: a program's own code usually lies elsewhere.
MI_HIDDEN extern struct mi_code mi_internal_span;
bool mi_automatic_is_internal_in_span(const void *code);
static inline bool mi_automatic_is_internal(const void *code) {
    return !MI_USUALLY(!mi_is_in(&mi_internal_span, code)) && mi_automatic_is_internal_in_span(code);
}

/// The range of Foundation's code, which is in that span too.
MI_HIDDEN extern struct mi_code mi_foundation;
/// The code of Swift's Dispatch, which calls libdispatch for the program.
MI_HIDDEN extern struct mi_code mi_overlay;

/// Returns whether Foundation dispatches this block of its own code for itself, rather than a block that the program just gave it.
bool mi_is_foundations_own(const void *block);

/// Returns whether Foundation makes this item of an operation that it adds for itself, such as for an observer with a queue, or
/// whether that cannot be known.
bool mi_adds_operation_for_itself(const void *work);

/// The item of the operation that runs on this thread, if it was captured.
MI_HIDDEN extern MI_BY_OFFSET _Thread_local const struct mi_kept_block *mi_running_operation;

/// Returns that item if this block is the completion of its operation; otherwise null.
const struct mi_kept_block *mi_completed_item(const void *block);

/// Finds Foundation's `BlockOperation`, if it is there.
void mi_find_block_operation(void);

/// Returns whether the main queue's work runs here, once that queue is marked.
bool mi_is_on_main_queue(void);
void mi_mark_main_queue(void *queue);

/// The main queue, and whether any other targets it: work on those that a caller waits for may run on another thread.
MI_HIDDEN extern void *mi_main_queue;
MI_HIDDEN extern _Atomic(bool) mi_main_queue_is_target;

/// Asks the runtime, if a task seems to run; learns the task's address, if that was not known.
bool mi_ask_whether_task_runs(void);
static inline bool mi_seems_to_run_task(void) { return *mi_thread_current()->task != NULL; }
static inline bool mi_automatic_task_runs(void) {
    return !MI_USUALLY(!mi_seems_to_run_task()) && mi_ask_whether_task_runs();
}

/// Returns what is bound here, without a reference: from the mirror or, in a task, from the task-local.
static inline uintptr_t mi_bound_word(void) {
    if (MI_USUALLY(!mi_automatic_task_runs())) return mi_thread_current()->mirror ^ mi_automatic_nothing;
    const uintptr_t *bound = mi_bound_get();
    return bound ? *bound : mi_automatic_nothing;
}

/// Returns whether nothing is bound here, so that work can be passed on unchanged: what runs it has nothing bound either.
static inline bool mi_nothing_is_bound(void) {
    return !(mi_frame_features_load() & mi_automatic_features) && mi_bound_word() == mi_automatic_nothing;
}

static inline bool mi_is_capturing(void) {
    return atomic_load_explicit(&mi_automatic_captures, memory_order_acquire);
}

/// Runs and releases what was handed over: a function with its context, or a block.
void mi_run_handed_function(void *handed);
void mi_run_handed_block(void *handed);

/// Returns whether a function belongs to the wrappers or was handed over here; libdispatch may pass it on through another
/// entry point (`dispatch_after`). Both release what they own outside their scope: inside a second one it would be
/// released as some identity.
static inline bool mi_carries_already(mi_function work) {
    return work == mi_run_handed_block || work == mi_run_handed_function || work == mi_automatic_hooks.run_carried;
}

/// True if a call is passed on unchanged.
#define GOES_AS_IT_IS() mi_goes_as_it_is(__builtin_return_address(0))
static inline bool mi_goes_as_it_is(const void *caller) {
    return !mi_is_capturing() || mi_nothing_is_bound() || mi_automatic_is_internal(caller) ||
        mi_thread_current()->dispatches_for_itself;
}

/// The same for the forms with a function, which Swift's concurrency calls: checking the caller is cheaper than checking
/// what is bound.
#define FUNCTION_GOES_AS_IT_IS(work) mi_function_goes_as_it_is(__builtin_return_address(0), work)
static inline bool mi_function_goes_as_it_is(const void *caller, mi_function work) {
    return mi_automatic_is_internal(caller) || mi_goes_as_it_is(NULL) || mi_carries_already(work) ||
        mi_automatic_is_internal((const void *)work);
}

/// The same for a call with a block: Swift's Dispatch is between the call and the block's author, but the code at the
/// block's beginning is compiled into the author's code. An item, which libdispatch makes, is passed on unchanged too.
#define BLOCK_GOES_AS_IT_IS(block) mi_block_goes_as_it_is(block)

/// For entry points that do nothing in the trial.
#define RETURN_IF_TRIED(name) \
    if (!MI_USUALLY(!mi_is_trying)) return mi_automatic_note(mi_entry_##name)

/// For entry points that continue in the trial.
#define NOTE_IF_TRIED(name) \
    if (!MI_USUALLY(!mi_is_trying)) mi_automatic_note(mi_entry_##name)

// MARK: Blocks

/// Calls a block without arguments.
static inline void mi_call_block(void *block) { ((struct mi_block_layout *)block)->invoke(block); }

/// Returns the code at a block's beginning.
static inline const void *mi_block_code(const void *block) {
    return (const void *)((const struct mi_block_layout *)block)->invoke;
}

static inline bool mi_block_in_span_is_left_alone(const void *block) {
    const void *code = mi_block_code(block);
    return mi_automatic_is_internal_in_span(code) || (mi_is_in(&mi_foundation, code) && mi_is_foundations_own(block));
}

/// Returns whether a block is passed on unchanged, whatever is bound.
static inline bool mi_block_is_left_alone(const void *block) {
    return (!MI_USUALLY(!mi_is_in(&mi_internal_span, mi_block_code(block))) && mi_block_in_span_is_left_alone(block)) ||
        mi_thread_current()->dispatches_for_itself;
}

static inline bool mi_block_goes_as_it_is(const void *block) {
    return !mi_is_capturing() || mi_nothing_is_bound() || mi_block_is_left_alone(block);
}

/// Returns whether automatic mode captures, and no feature needs more than the bound identity.
static inline bool mi_is_plain(void) {
    if (!MI_USUALLY(mi_is_capturing())) return false;
    return MI_USUALLY(!(mi_frame_features_load() & mi_automatic_features_of_somebody));
}

/// Captures items; another library defines their entry points and shares them.
void mi_take_items(void);

#endif

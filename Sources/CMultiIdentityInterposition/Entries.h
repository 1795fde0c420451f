#ifndef MI_ENTRIES_H
#define MI_ENTRIES_H

// Thread-locals are found here by an offset and not by a call, for which every entry would have to save its arguments.
#define MI_BY_OFFSET __attribute__((tls_model("initial-exec")))
// Whatever the sanitizer puts before libdispatch, these come before that.
#define MI_BEFORE_SANITIZER
#include "CMultiIdentity.h"
#include "CMultiIdentityInterposition.h"
#include "DispatchEntries.h"

/// Apart from what most calls need, which so needs no place on the stack.
#define MI_RARE __attribute__((noinline))

// MARK: Whether to capture

MI_HIDDEN extern _Atomic(bool) mi_automatic_captures;
MI_HIDDEN extern struct mi_automatic_hooks mi_automatic_hooks;
MI_HIDDEN extern uintptr_t mi_automatic_nothing;
MI_HIDDEN extern uint32_t mi_automatic_features, mi_automatic_features_of_somebody;
/// The bits of a captured word that are the address of what it keeps, if it keeps anything.
MI_HIDDEN extern uintptr_t mi_automatic_address_bits;

/// True while this thread tries the entry points out, where automatic mode is off; other threads' calls go on.
MI_HIDDEN extern MI_BY_OFFSET _Thread_local bool mi_is_trying;
void mi_automatic_note(enum mi_entry entry);

/// The code of Swift's concurrency, libdispatch and FoundationNetworking, whose calls are left alone.
enum { mi_internal_count = 3 };
MI_HIDDEN extern struct mi_code mi_internal[mi_internal_count];
/// From the first of these to the last: a program's own code mostly lies elsewhere.
MI_HIDDEN extern struct mi_code mi_internal_span;
bool mi_automatic_is_internal_in_span(const void *code);
static inline bool mi_automatic_is_internal(const void *code) {
    return !MI_USUALLY(!mi_is_in(&mi_internal_span, code)) && mi_automatic_is_internal_in_span(code);
}

/// The range of Foundation's code, which is in that span too.
MI_HIDDEN extern struct mi_code mi_foundation;

/// Returns whether Foundation dispatches this block of its own code for itself, and not what the program just gave it.
bool mi_is_foundations_own(const void *block);

/// Returns whether Foundation makes this item of an operation that it adds for itself, as for an observer with a queue, or of what
/// cannot be known.
bool mi_adds_operation_for_itself(const void *work);

/// The item of the operation that runs on this thread, where that was captured.
MI_HIDDEN extern MI_BY_OFFSET _Thread_local const struct mi_kept_block *mi_running_operation;

/// Returns that item where this block is the completion of its operation; else null.
const struct mi_kept_block *mi_completed_item(const void *block);

/// Makes known Foundation's `BlockOperation`, if it is there.
void mi_find_block_operation(void);

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
    return atomic_load_explicit(&mi_automatic_captures, memory_order_acquire);
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

/// The same of a call that hands over a block: Swift's Dispatch stands between the call and the block's writer, but
/// what the block begins with is compiled into its writer. An item, which libdispatch makes, goes as it is too.
#define BLOCK_GOES_AS_IT_IS(block) mi_block_goes_as_it_is(block)

/// For entry points that come to nothing in the trial.
#define RETURN_IF_TRIED(name) \
    if (!MI_USUALLY(!mi_is_trying)) return mi_automatic_note(mi_entry_##name)

/// For entry points that go on in the trial.
#define NOTE_IF_TRIED(name) \
    if (!MI_USUALLY(!mi_is_trying)) mi_automatic_note(mi_entry_##name)

// MARK: Blocks

/// Calls a block without arguments.
static inline void mi_call_block(void *block) { ((struct mi_block_layout *)block)->invoke(block); }

/// Returns the code that a block begins with.
static inline const void *mi_block_code(const void *block) {
    return (const void *)((const struct mi_block_layout *)block)->invoke;
}

static inline bool mi_block_in_span_is_left_alone(const void *block) {
    const void *code = mi_block_code(block);
    return mi_automatic_is_internal_in_span(code) || (mi_is_in(&mi_foundation, code) && mi_is_foundations_own(block));
}

/// Returns whether a block goes as it is, whoever is bound.
static inline bool mi_block_is_left_alone(const void *block) {
    return (!MI_USUALLY(!mi_is_in(&mi_internal_span, mi_block_code(block))) && mi_block_in_span_is_left_alone(block)) ||
        mi_thread_current()->dispatches_for_itself;
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

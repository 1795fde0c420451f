#include "Handing.h"

#if defined(__linux__)
// Work on its way, with what was captured for it.

// MARK: Work that runs once

/// Returns whether the mirror shows what is bound, as it does outside tasks, and no feature needs more.
static inline bool is_mirrored(void) {
    return MI_USUALLY(!(mi_frame_features_load() & mi_automatic_features_of_somebody) && !mi_automatic_task_runs());
}

static uintptr_t capture(enum mi_automatic_boundary boundary, void *queue, const void *caller) {
    if (mi_frame_features_load() & mi_automatic_features_of_somebody)
        return mi_automatic_hooks.capture(boundary, queue, caller);
    uintptr_t captured = mi_bound_word();
    mi_captured_retain(captured);
    return captured;
}

/// Captures as well, unless nothing is bound and no feature needs more: then returns false. It asks once, since a task is slow.
static inline bool
capture_if_bound(enum mi_automatic_boundary boundary, void *queue, const void *caller, uintptr_t *captured) {
    if (mi_frame_features_load() & mi_automatic_features_of_somebody) {
        if (mi_nothing_is_bound()) return false;
        *captured = mi_automatic_hooks.capture(boundary, queue, caller);
        return true;
    }
    *captured = mi_bound_word();
    if (*captured == mi_automatic_nothing) return false;
    mi_captured_retain(*captured);
    return true;
}

/// Work for a later time may wait for long.
static inline struct mi_handed *take(enum mi_automatic_boundary boundary) {
    if (boundary == mi_automatic_async_after) return mi_handed_take_alone();
    struct mi_handed *box = mi_handed_take();
    if (boundary == mi_automatic_async && mi_frame_features_load() & mi_automatic_features_of_tasks)
        box->handed_over = mi_account_stamp();
    return box;
}

void *mi_take_block(enum mi_automatic_boundary boundary, void *queue, const void *block, const void *caller) {
    uintptr_t captured;
    if (!mi_is_capturing()) return NULL;
    if (mi_block_is_left_alone(block)) {
        // What an operation does as it ends belongs to its adder, in whatever scope it ends.
        const struct mi_kept_block *item = mi_running_operation ? mi_completed_item(block) : NULL;
        if (!item) return NULL;
        captured = item->captured;
        mi_captured_retain(captured);
    } else if (!capture_if_bound(boundary, queue, caller, &captured)) {
        return NULL;
    }
    return mi_hand_over(take(boundary), boundary, captured, _Block_copy(block));
}

// Checking the caller is cheaper than checking what is bound.
void *mi_take_function(
    enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context, const void *caller
) {
    uintptr_t captured;
    if (mi_automatic_is_internal(caller) || !mi_is_capturing() || mi_thread_current()->dispatches_for_itself ||
        mi_carries_already(work) || mi_automatic_is_internal((const void *)work) ||
        !capture_if_bound(boundary, queue, caller, &captured))
        return NULL;
    struct mi_handed *box = take(boundary);
    box->work = work;
    return mi_hand_over(box, boundary, captured, context);
}

static void run_handed_job(void *memory) {
    struct mi_handed *box = memory;
    mi_function work = box->work;
    void *job = box->context;
    mi_handed_give(box, 1);
    mi_automatic_hooks.run_job(work, job);
}

void mi_take_job(mi_function *work, void **context) {
    if (!mi_is_capturing() || !mi_is_in(&mi_concurrency, (const void *)*work)) return;
    struct mi_handed *box = mi_handed_take();
    box->work = *work;
    *context = mi_hand_over(box, mi_automatic_async, mi_automatic_nothing, *context);
    *work = run_handed_job;
}

// Separate, so that most hops have little to save.
static MI_RARE void run_slowly(const struct mi_handed *box, mi_function work) {
    mi_automatic_hooks.run(box->captured, box->boundary, box->handed_over, work, box->context);
}

static inline void run(const struct mi_handed *box, mi_function work) {
    if (!is_mirrored() || !mi_lasting_enter(box->captured, mi_automatic_nothing)) return run_slowly(box, work);
    work(box->context);
    mi_captured_release(mi_lasting_leave(mi_automatic_nothing));
}

void mi_run_handed_function(void *memory) {
    struct mi_handed *box = memory;
    run(box, box->work);
    mi_handed_give(box, 1);
}

void mi_run_handed_block(void *memory) {
    struct mi_handed *box = memory;
    run(box, mi_call_block);
    void *block = box->context;
    mi_handed_give(box, 1);
    // Outside its scope, as the release of its captures may run any code.
    _Block_release(block);
}

// MARK: Work that its caller waits for

/// Returns whether what the mirror shows is bound, which is not the case in an `isolated deinit`.
static inline bool is_seen(uintptr_t bits) {
    if (bits == mi_automatic_nothing) return true;
    const uintptr_t *bound = mi_bound_get();
    return bound && *bound == bits;
}

void mi_run_kept(uintptr_t captured, enum mi_automatic_boundary boundary, mi_function work, void *context) {
    if (!is_mirrored()) return mi_automatic_hooks.run_kept(captured, boundary, work, context);
    if (mi_thread_current()->mirror == (captured ^ mi_automatic_nothing) && is_seen(captured)) return work(context);
    if (!mi_lasting_enter_if_seen(captured, mi_automatic_nothing))
        return mi_automatic_hooks.run_kept(captured, boundary, work, context);
    work(context);
    mi_lasting_leave(mi_automatic_nothing);
}

struct mi_waited
mi_wait_for(enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context, const void *caller) {
    // If the mirror shows what is bound, no reference is needed: the scope that it shows waits too, and so retains it.
    bool is_enough = is_mirrored();
    struct mi_thread *thread = mi_thread_current();
    uintptr_t captured =
        is_enough ? thread->mirror ^ mi_automatic_nothing : mi_automatic_hooks.capture(mi_automatic_sync, queue, NULL);
    // Now, as another thread does not see who calls.
    bool is_listed = mi_frame_features_load() & MI_HOPS_ARE_LISTED;
    struct mi_plain_hop *hop = is_listed ? mi_plain_hop_find(boundary, queue, caller) : NULL;
    return (struct mi_waited){thread, captured, work, context, hop, !is_enough};
}

void mi_run_waited(void *memory) {
    struct mi_waited *waited = memory;
    // On its own thread everything is as in its caller, in the same task if there is one.
    if (mi_thread_current() == waited->thread) {
        waited->work(waited->context);
    } else {
        mi_run_elsewhere(waited, mi_automatic_sync, waited->work, waited->context);
    }
}

void mi_run_elsewhere(
    const struct mi_waited *waited, enum mi_automatic_boundary boundary, mi_function work, void *context
) {
    if (!waited->hop) return mi_run_kept(waited->captured, boundary, work, context);
    uintptr_t captured = mi_automatic_hooks.capture_again(waited->captured, waited->hop);
    mi_run_kept(captured, boundary, work, context);
    mi_captured_release(captured);
}

// MARK: Work that can run again

// The thread sanitizer does not see the reference count of the blocks' runtime, which orders the last use before destruction.
#if __has_feature(thread_sanitizer)
#define ACQUIRE(address) mi_tsan_acquire(address)
#define RELEASE(address) mi_tsan_release(address)
#else
#define ACQUIRE(address)
#define RELEASE(address)
#endif

static void dispose_kept(void *memory) {
    struct mi_kept_block *kept = memory;
    ACQUIRE(kept);
    _Block_release(kept->block);
    mi_captured_release(kept->captured);
}

/// A call of a kept block, with its arguments.
struct call {
    struct mi_block_layout *block;
    void *data;
    int error;
    bool is_done;
};

static void run_kept(struct mi_kept_block *kept, struct call *call, mi_function work) {
    // Retained until it has returned, even if the block is released meanwhile: a source that is cancelled in its handler.
    ACQUIRE(kept);
    kept = _Block_copy(kept);
    call->block = kept->block;
    mi_run_kept(kept->captured, kept->boundary, work, call);
    RELEASE(kept);
    _Block_release(kept);
}

// libdispatch retains an item while it runs, and so what it was captured from.
static void invoke_item(struct mi_kept_block *kept) {
    ACQUIRE(kept);
    const struct mi_kept_block *outer = mi_running_operation;
    if (mi_is_in(&mi_foundation, mi_block_code(kept->block))) mi_running_operation = kept;
    mi_run_kept(kept->captured, kept->boundary, mi_call_block, kept->block);
    mi_running_operation = outer;
    RELEASE(kept);
}

static void call_plain(void *context) { ((struct call *)context)->block->invoke(((struct call *)context)->block); }

static void call_error(void *context) {
    struct call *call = context;
    ((void (*)(void *, int))call->block->invoke)(call->block, call->error);
}

static void call_read(void *context) {
    struct call *call = context;
    ((void (*)(void *, void *, int))call->block->invoke)(call->block, call->data, call->error);
}

static void call_io(void *context) {
    struct call *call = context;
    ((void (*)(void *, bool, void *, int))call->block->invoke)(call->block, call->is_done, call->data, call->error);
}

static void invoke_plain(struct mi_kept_block *kept) { run_kept(kept, &(struct call){0}, call_plain); }

static void invoke_error(struct mi_kept_block *kept, int error) {
    run_kept(kept, &(struct call){.error = error}, call_error);
}

static void invoke_read(struct mi_kept_block *kept, void *data, int error) {
    run_kept(kept, &(struct call){.data = data, .error = error}, call_read);
}

static void invoke_io(struct mi_kept_block *kept, bool is_done, void *data, int error) {
    run_kept(kept, &(struct call){.is_done = is_done, .data = data, .error = error}, call_io);
}

void *mi_keep_for(
    enum mi_automatic_boundary boundary, void *queue, const void *block, enum mi_signature signature, const void *caller
) {
    static void (*const invokes[])(void *) = {
        (void (*)(void *))invoke_plain, (void (*)(void *))invoke_error, (void (*)(void *))invoke_read,
        (void (*)(void *))invoke_io,
    };
    static const struct mi_block_descriptor descriptor = {
        0, sizeof(struct mi_kept_block), mi_block_copy_nothing, dispose_kept,
    };
    struct mi_kept_block kept = {
        mi_block_begin(invokes[signature], &descriptor), capture(boundary, queue, caller), _Block_copy(block), boundary,
    };
    return _Block_copy(&kept);
}

// A second copy is unknown; if libdispatch makes one, it has the two as well.
static void copy_item(void *memory, const void *block) {
    struct mi_kept_block *copy = memory, *item = (struct mi_kept_block *)block;
    if (item->is_copied) {
        mi_captured_retain(copy->captured);
        copy->block = _Block_copy(copy->block);
    }
    item->is_copied = true;
}

void mi_item_begin(struct mi_kept_block *item, const void *block, const void *caller) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct mi_kept_block), copy_item, dispose_kept};
    *item = (struct mi_kept_block){
        mi_block_begin((void (*)(void *))invoke_item, &descriptor), capture(mi_automatic_item, NULL, caller),
        _Block_copy(block), mi_automatic_item, false,
    };
}

void mi_item_end(struct mi_kept_block *item) {
    if (!item->is_copied) dispose_kept(item);
}
#endif

#include <stdlib.h>

#include "Entries.h"

#if defined(__linux__)
// Work on its way, with what was captured for it.

// MARK: That runs once

/// Returns whether the mirror tells what is bound, as it does outside tasks, and nobody wants to know more.
static inline bool is_mirrored(void) {
    return MI_USUALLY(!(mi_frame_features_load() & mi_automatic_features_of_somebody) && !mi_task_runs());
}

/// Returns what the task or the thread that runs this has bound, and keeps meanwhile.
static uintptr_t bound_in_store(void) {
    const uintptr_t *bound = mi_bound_get();
    return bound ? *bound : mi_automatic_nothing;
}

static uintptr_t capture(enum mi_automatic_boundary boundary, void *queue) {
    if (mi_frame_features_load() & mi_automatic_features_of_somebody) return mi_automatic_hooks.capture(boundary, queue);
    uintptr_t captured = mi_task_runs() ? bound_in_store() : mi_thread_current()->mirror ^ mi_automatic_nothing;
    mi_automatic_hooks.retain(captured);
    return captured;
}

static void *hand_over(
    enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context, bool is_block
) {
    struct mi_handed *box = mi_handed_take();
    *box = (struct mi_handed){capture(boundary, queue), work, context, boundary, is_block};
    return box;
}

void *mi_hand_over_block(enum mi_automatic_boundary boundary, void *queue, const void *block) {
    return hand_over(boundary, queue, mi_call_block, _Block_copy(block), true);
}

void *mi_hand_over_function(enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context) {
    return hand_over(boundary, queue, work, context, false);
}

void mi_run_handed(void *memory) {
    struct mi_handed handed = *(struct mi_handed *)memory;
    mi_handed_give(memory);
    if (is_mirrored() && mi_lasting_enter(handed.captured, mi_automatic_nothing)) {
        handed.work(handed.context);
        uintptr_t bound = mi_lasting_leave(mi_automatic_nothing);
        if (bound != mi_automatic_nothing) mi_automatic_hooks.release(bound);
    } else {
        mi_automatic_hooks.run(handed.captured, handed.boundary, handed.work, handed.context);
    }
    // Outside its scope, as what it captured may run code of its own when it goes.
    if (handed.is_block) _Block_release(handed.context);
}

// MARK: That its caller waits for

/// Returns whether what the mirror shows is bound, as it is not in an `isolated deinit`.
static inline bool is_seen(uintptr_t bits) { return bits == mi_automatic_nothing || bound_in_store() == bits; }

void mi_run_kept(uintptr_t captured, enum mi_automatic_boundary boundary, mi_function work, void *context) {
    if (!is_mirrored()) return mi_automatic_hooks.run_kept(captured, boundary, work, context);
    if (mi_thread_current()->mirror == (captured ^ mi_automatic_nothing) && is_seen(captured)) return work(context);
    if (!mi_lasting_enter_if_seen(captured, mi_automatic_nothing))
        return mi_automatic_hooks.run_kept(captured, boundary, work, context);
    work(context);
    mi_lasting_leave(mi_automatic_nothing);
}

struct mi_waited mi_wait_for(void *queue, mi_function work, void *context) {
    // Where the mirror tells, it is enough: the scope that it shows waits too, and so keeps what is bound.
    bool is_enough = is_mirrored();
    struct mi_thread *thread = mi_thread_current();
    uintptr_t captured =
        is_enough ? thread->mirror ^ mi_automatic_nothing : mi_automatic_hooks.capture(mi_automatic_sync, queue);
    return (struct mi_waited){thread, captured, work, context, !is_enough};
}

void mi_run_waited(void *memory) {
    struct mi_waited *waited = memory;
    // On its own thread everything is as its caller has it, in the same task if there is one.
    if (mi_thread_current() == waited->thread) {
        waited->work(waited->context);
    } else {
        mi_run_kept(waited->captured, mi_automatic_sync, waited->work, waited->context);
    }
}

// MARK: That can run again

/// A block that holds what was captured and what it runs.
struct kept_block {
    struct mi_block_layout layout;
    uintptr_t captured;
    struct mi_block_layout *block;
    uint32_t boundary;
};

// The thread sanitizer does not see what orders the last use of a block before its end: the count of the blocks' runtime.
static void dispose_kept(void *memory) {
    struct kept_block *kept = memory;
    mi_tsan_acquire(kept);
    _Block_release(kept->block);
    if (kept->captured != mi_automatic_nothing) mi_automatic_hooks.release(kept->captured);
}

/// A call of a kept block, with its arguments.
struct call {
    struct mi_block_layout *block;
    void *data;
    int error;
    bool is_done;
};

// Its reference is the block's, which outlives the work.
static void run_as(struct kept_block *kept, mi_function work, void *context) {
    mi_run_kept(kept->captured, kept->boundary, work, context);
}

static void run_kept(struct kept_block *kept, struct call *call, mi_function work) {
    // Kept until it has returned, even if the block is released meanwhile: a source that is cancelled in its handler.
    mi_tsan_acquire(kept);
    kept = _Block_copy(kept);
    call->block = kept->block;
    run_as(kept, work, call);
    mi_tsan_release(kept);
    _Block_release(kept);
}

// libdispatch keeps an item while it runs.
static void invoke_item(struct kept_block *kept) {
    mi_tsan_acquire(kept);
    run_as(kept, mi_call_block, kept->block);
    mi_tsan_release(kept);
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

static void invoke_plain(struct kept_block *kept) { run_kept(kept, &(struct call){0}, call_plain); }

static void invoke_error(struct kept_block *kept, int error) {
    run_kept(kept, &(struct call){.error = error}, call_error);
}

static void invoke_read(struct kept_block *kept, void *data, int error) {
    run_kept(kept, &(struct call){.data = data, .error = error}, call_read);
}

static void invoke_io(struct kept_block *kept, bool is_done, void *data, int error) {
    run_kept(kept, &(struct call){.is_done = is_done, .data = data, .error = error}, call_io);
}

void *mi_keep(enum mi_automatic_boundary boundary, void *queue, const void *block, enum mi_signature signature) {
    static void (*const invokes[])(void *) = {
        (void (*)(void *))invoke_plain, (void (*)(void *))invoke_error, (void (*)(void *))invoke_read,
        (void (*)(void *))invoke_io, (void (*)(void *))invoke_item,
    };
    static const struct mi_block_descriptor descriptor = {
        0, sizeof(struct kept_block), mi_block_copy_nothing, dispose_kept,
    };
    struct kept_block kept = {
        mi_block_begin(invokes[signature], &descriptor), capture(boundary, queue), _Block_copy(block), boundary,
    };
    return _Block_copy(&kept);
}
#endif

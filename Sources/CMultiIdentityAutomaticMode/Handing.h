#ifndef MI_HANDING_H
#define MI_HANDING_H

#include <stdlib.h>

#include "Entries.h"

// MARK: Work that runs once

struct mi_handed {
    uintptr_t captured;
    union {
        mi_function work;
        /// Of a block, while it is handed over.
        void *queue;
    };
    void *context;
    uint16_t boundary;
    /// The number of bytes from its slab's beginning.
    uint16_t offset;
    /// The time of the hand-over, for accounts; 0: it is not noted.
    uint32_t handed_over;
};

/// Boxes in one piece of memory, which the thread that returns the last of them frees.
struct mi_slab {
    /// Boxes that were not returned, including those not taken yet.
    _Atomic(uint32_t) pending;
    struct mi_handed boxes[];
};

/// Makes a slab for this thread, or one for a single box; returns the first box.
struct mi_handed *mi_handed_take_slowly(void);
struct mi_handed *mi_handed_take_alone(void);

/// The boxes that this thread may take.
struct mi_own_boxes {
    struct mi_handed *next, *end;
};
MI_HIDDEN extern MI_BY_OFFSET _Thread_local struct mi_own_boxes mi_own_boxes;
static inline struct mi_handed *mi_handed_take(void) {
    struct mi_handed *box = mi_own_boxes.next;
    if (!MI_USUALLY(box != mi_own_boxes.end)) return mi_handed_take_slowly();
    mi_own_boxes.next = box + 1;
    return box;
}

static inline void mi_handed_give(struct mi_handed *box, uint32_t count) {
    struct mi_slab *slab = (struct mi_slab *)((char *)box - box->offset);
    if (atomic_fetch_sub_explicit(&slab->pending, count, memory_order_acq_rel) == count) free(slab);
}

/// Retains what is captured. Its references are Swift's own, counted by Swift.
void *swift_retain(void *object);
void swift_release(void *object);
static inline void mi_captured_retain(uintptr_t captured) {
    swift_retain((void *)(captured & mi_automatic_address_bits));
}
static inline void mi_captured_release(uintptr_t captured) {
    swift_release((void *)(captured & mi_automatic_address_bits));
}

/// Puts into a box what was captured, which the box owns from now on, and the context of the work.
static inline void *
mi_hand_over(struct mi_handed *box, enum mi_automatic_boundary boundary, uintptr_t captured, void *context) {
    box->captured = captured;
    box->context = context;
    box->boundary = (uint16_t)boundary;
    return box;
}

/// Returns whether a block can be handed over with only `mi_hand_over_block`: the block is not one that is left alone, and
/// there is a box for it. What this library dispatches for itself does not get here: a task seems to run there.
static inline bool mi_is_handed_quickly(const void *block) {
    return MI_USUALLY(
        !mi_is_in(&mi_internal_span, mi_block_code(block)) && mi_own_boxes.next != mi_own_boxes.end
    );
}

/// Hands over a block and what is bound, and retains both. All else is in the box meanwhile, and not on the stack.
static inline struct mi_handed *
mi_hand_over_block(enum mi_automatic_boundary boundary, void *queue, uintptr_t bound, const void *block) {
    struct mi_handed *box = mi_own_boxes.next++;
    box->queue = queue;
    mi_hand_over(box, boundary, bound, (void *)block);
    mi_captured_retain(bound);
    box->context = _Block_copy(box->context);
    return box;
}

/// Takes a block over, which `caller` passes, in a box for `mi_run_handed_block`; null: it is passed on unchanged.
void *mi_take_block(enum mi_automatic_boundary boundary, void *queue, const void *block, const void *caller);

/// Takes over a function and its context, which `caller` passes.
void *mi_take_function(
    enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context, const void *caller
);

/// Takes over a function that runs a job of Swift's concurrency, so that the run is reported; leaves any other as it is.
void mi_take_job(mi_function *work, void **context);

/// Defines an entry point that hands a block over, and the one for a function; `taking` and `passing` are the parameters and
/// arguments before the queue, each with a comma at its end.
#define MI_HANDING(name, boundary, taking, passing) \
    MI_ENTRY dispatch_##name(taking void *queue, mi_block work); \
    MI_ENTRY dispatch_##name##_f(taking void *queue, void *context, mi_function work); \
    static MI_RARE void name##_slowly(taking void *queue, mi_block work) { \
        RETURN_IF_TRIED(name); \
        void *handed = mi_take_block(boundary, queue, work, __builtin_return_address(0)); \
        if (!handed) return NEXT(name)(passing queue, work); \
        NEXT(name##_f)(passing queue, handed, mi_run_handed_block); \
    } \
    static inline void name##_as(taking void *queue, mi_block work, uintptr_t bound) { \
        if (!mi_is_handed_quickly(work)) return name##_slowly(passing queue, work); \
        struct mi_handed *handed = mi_hand_over_block(boundary, queue, bound, work); \
        FOUND_NEXT(name##_f)(passing handed->queue, handed, mi_run_handed_block); \
    } \
    static MI_RARE void name##_in_task(taking void *queue, mi_block work) { \
        if (mi_thread_current()->task == &mi_unknown_task) return name##_slowly(passing queue, work); \
        const uintptr_t *bound = mi_bound_get(); \
        if (!bound || *bound == mi_automatic_nothing) return FOUND_NEXT(name)(passing queue, work); \
        name##_as(passing queue, work, *bound); \
    } \
    MI_ENTRY dispatch_##name(taking void *queue, mi_block work) { \
        /* The caller's return address is then its own. */ \
        if (!mi_is_plain()) __attribute__((musttail)) return name##_slowly(passing queue, work); \
        if (mi_seems_to_run_task()) return name##_in_task(passing queue, work); \
        uintptr_t mirror = mi_thread_current()->mirror; \
        if (mirror == 0) return FOUND_NEXT(name)(passing queue, work); \
        name##_as(passing queue, work, mirror ^ mi_automatic_nothing); \
    } \
    MI_ENTRY dispatch_##name##_f(taking void *queue, void *context, mi_function work) { \
        RETURN_IF_TRIED(name##_f); \
        void *handed = mi_take_function(boundary, queue, work, context, __builtin_return_address(0)); \
        if (!handed && mi_frame_features_load() & mi_automatic_features_of_tasks) mi_take_job(&work, &context); \
        if (!handed) return NEXT(name##_f)(passing queue, context, work); \
        NEXT(name##_f)(passing queue, handed, mi_run_handed_function); \
    }

/// Runs work as the captured identity, which is retained meanwhile.
void mi_run_kept(uintptr_t captured, enum mi_automatic_boundary boundary, mi_function work, void *context);

/// Work that its caller waits for, on the caller's stack.
struct mi_waited {
    struct mi_thread *thread;
    uintptr_t captured;
    mi_function work;
    void *context;
    /// The hop to list if the work runs on another thread; null: none.
    struct mi_plain_hop *hop;
    /// True if what was captured is retained by its own reference, and not by the scope that waits.
    bool is_retained;
};

struct mi_waited
mi_wait_for(enum mi_automatic_boundary boundary, void *queue, mi_function work, void *context, const void *caller);
void mi_run_waited(void *waited);

/// Runs work that a caller waits for on another thread, where a plain hop loses the identity.
void mi_run_elsewhere(
    const struct mi_waited *waited, enum mi_automatic_boundary boundary, mi_function work, void *context
);
static inline void mi_end_wait(struct mi_waited *waited) {
    if (waited->is_retained) mi_captured_release(waited->captured);
}

/// Returns whether work that this thread waits for would not see that its caller is on main: if a worker drains the
/// main queue, only the current queue shows it, and the work has another one.
static inline bool mi_hides_main(void) {
    return !mi_thread_is_main() && mi_thread_current()->main_bodies == 0 && mi_is_capturing() && mi_is_on_main_queue();
}

/// Returns whether work that `dispatch_sync` waits for runs on this thread, where it finds everything unchanged: unless
/// it finally targets the main queue.
static inline bool mi_sync_stays_here(const void *queue) {
    return mi_is_capturing() && !(mi_frame_features_load() & mi_automatic_features) && queue != mi_main_queue &&
        !atomic_load_explicit(&mi_main_queue_is_target, memory_order_relaxed);
}

/// For the duration of the following call, work on this thread counts as called from main.
static inline void mi_begin_for_main(bool is_hidden) { mi_thread_current()->main_bodies += is_hidden; }
static inline void mi_end_for_main(bool was_hidden) { mi_thread_current()->main_bodies -= was_hidden; }

// MARK: Work that can run again

/// The signature with which a block is called.
enum mi_signature { mi_signature_plain, mi_signature_error, mi_signature_read, mi_signature_io };

/// Returns a block that runs `block` as the identity bound here, for an entry point, which releases it.
void *mi_keep_for(
    enum mi_automatic_boundary boundary, void *queue, const void *block, enum mi_signature signature, const void *caller
);
#define mi_keep(boundary, queue, block, signature) \
    mi_keep_for(boundary, queue, block, signature, __builtin_return_address(0))

/// A block with what was captured and what it runs.
struct mi_kept_block {
    struct mi_block_layout layout;
    uintptr_t captured;
    struct mi_block_layout *block;
    uint32_t boundary;
    /// True for one on the stack once a copy of it has the two.
    uint32_t is_copied;
};

/// Begins a block on the stack that runs `block` as the identity bound here, for `dispatch_block_create`, which copies it.
void mi_item_begin(struct mi_kept_block *item, const void *block, const void *caller);

/// Releases what no copy has.
void mi_item_end(struct mi_kept_block *item);

#endif

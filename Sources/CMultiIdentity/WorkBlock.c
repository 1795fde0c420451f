#include "WorkBlock.h"

#include "CMultiIdentity.h"

struct work_block {
    struct mi_block_layout layout;
    struct mi_work work;
    uintptr_t nothing;
    void (*run)(void *contents);
    void (*end)(void *contents);
    uint32_t features;
};
_Static_assert(offsetof(struct work_block, work) == sizeof(struct mi_block_layout), "the contents come first");

// A Swift closure is called in place in the block, which retains it meanwhile: Swift would take a reference for the call.
#if __has_feature(ptrauth_calls)
// Its function is signed there, in a form that only Swift knows.
static inline bool run_here(const struct work_block *block) { return false; }
#else
typedef __attribute__((swiftcall)) void (*closure)(__attribute__((swift_context)) void *context);
static inline void call(const struct mi_work *work) { ((closure)work->function)(work->context); }

/// Runs the work if that requires at most setting the thread's lasting binding; otherwise returns false.
static inline bool run_here(const struct work_block *block) {
    if (mi_frame_features_load() & block->features || mi_task_runs()) return false;
    const struct mi_work *work = &block->work;
    if (work->captured == block->nothing && mi_thread_current()->mirror == 0) {
        call(work);
        return true;
    }
    if (!mi_lasting_enter_if_seen(work->captured, block->nothing)) return false;
    call(work);
    mi_lasting_leave(block->nothing);
    return true;
}
#endif

// The thread sanitizer does not see the reference count of the blocks' runtime, which orders the last use before destruction.
#if __has_feature(thread_sanitizer)
#define ACQUIRE(address) mi_tsan_acquire(address)
#define RELEASE(address) mi_tsan_release(address)
#else
#define ACQUIRE(address)
#define RELEASE(address)
#endif

// libdispatch retains an item while it runs, and so retains this.
static void invoke(void *memory) {
    struct work_block *block = memory;
    ACQUIRE(block);
    if (!run_here(block)) block->run(&block->work);
    RELEASE(block);
}

static void dispose(void *memory) {
    struct work_block *block = memory;
    ACQUIRE(block);
    block->end(&block->work);
}

void *mi_work_block_make(uintptr_t nothing, uint32_t features, void (*run)(void *), void (*end)(void *)) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct work_block), mi_block_copy_nothing, dispose};
    struct work_block block = {mi_block_begin(invoke, &descriptor), {0}, nothing, run, end, features};
    return _Block_copy(&block);
}

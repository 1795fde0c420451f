#include "CDispatchEntries.h"
#include "CMultiIdentity.h"
#include "DispatchEntries.h"

static _Atomic(const struct mi_item_user *) user_of_items;
static mi_item_run run_owned;
static _Thread_local struct mi_item_owners here;

void mi_items_use(const struct mi_item_user *user) { atomic_store_explicit(&user_of_items, user, memory_order_release); }

void mi_item_run_set(mi_item_run run) { run_owned = run; }

struct mi_item_owners mi_item_owners_begin(const void *const *owners, uint32_t count) {
    struct mi_item_owners outer = here;
    here = (struct mi_item_owners){owners, count, 0};
    return outer;
}

struct mi_item_owners mi_item_owners_end(struct mi_item_owners outer) {
    struct mi_item_owners last = here;
    here = outer;
    return last;
}

void mi_item_work_run(void *work) { ((struct mi_block_layout *)work)->invoke(work); }

#if defined(__linux__)
// MARK: A block that holds an owner and what it runs

void *swift_retain(void *object);
void swift_release(void *object);

struct owned_block {
    struct mi_block_layout layout;
    const void *owner;
    void *work;
};

// libdispatch keeps an item while it runs. The thread sanitizer does not see what orders the last use of a block before its
// end: the count of the blocks' runtime.
static void invoke(void *memory) {
    struct owned_block *block = memory;
    mi_tsan_acquire(block);
    run_owned(block->owner, block->work);
    mi_tsan_release(block);
}

static void dispose(void *memory) {
    struct owned_block *block = memory;
    mi_tsan_acquire(block);
    _Block_release(block->work);
    swift_release((void *)block->owner);
}

/// Returns the work for the next of this thread's owners, or null.
static void *owned(const void *work) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct owned_block), mi_block_copy_nothing, dispose};
    if (here.count == 0) return NULL;
    uint32_t index = here.made < here.count ? here.made : here.count - 1;
    here.made += 1;
    const void *owner = here.owners[index];
    if (!owner) return NULL;
    swift_retain((void *)owner);
    struct owned_block block = {mi_block_begin(invoke, &descriptor), owner, _Block_copy(work)};
    return _Block_copy(&block);
}

// MARK: libdispatch's entry points

/// Something around an item's work, until the item is made.
struct around {
    void *owned;
    const struct mi_item_user *user;
    void *outer;
    struct mi_item_room room;
};

static mi_block begin(struct around *blocks, struct mi_item_call call) {
    blocks->owned = owned(call.work);
    blocks->outer = NULL;
    if (blocks->owned) call.work = blocks->owned;
    blocks->user = atomic_load_explicit(&user_of_items, memory_order_acquire);
    if (blocks->user) {
        call.is_captured = blocks->owned != NULL;
        blocks->outer = blocks->user->around(&call, &blocks->room);
    }
    return (mi_block)(blocks->outer ? blocks->outer : (void *)call.work);
}

static void end(const struct around *blocks) {
    if (blocks->outer) blocks->user->end(blocks->outer);
    if (blocks->owned) _Block_release(blocks->owned);
}

MI_ENTRY_OF(void *) dispatch_block_create(unsigned long flags, mi_block work) {
    struct around blocks;
    struct mi_item_call call = {(const void *)work, flags, __builtin_return_address(0), false, false};
    void *item = NEXT(block_create)(flags, begin(&blocks, call));
    end(&blocks);
    return item;
}

MI_ENTRY_OF(void *)
dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, mi_block work) {
    struct around blocks;
    struct mi_item_call call = {(const void *)work, flags, __builtin_return_address(0), true, false};
    void *item = NEXT(block_create_with_qos_class)(flags, qos, priority, begin(&blocks, call));
    end(&blocks);
    return item;
}
#endif

#include "CDispatchEntries.h"
#include "CMultiIdentity.h"
#include "DispatchEntries.h"

static _Atomic(const struct mi_item_user *) user_of_items;
static mi_item_run run_owned;
static _Thread_local struct mi_item_owners here;

void mi_items_use(const struct mi_item_user *user) { atomic_store_explicit(&user_of_items, user, memory_order_release); }

void mi_item_run_set(mi_item_run run) { run_owned = run; }

struct mi_item_owners mi_item_owners_begin(const struct mi_item_owner *owners, uint32_t count, bool is_trial) {
    struct mi_item_owners outer = here;
    here = (struct mi_item_owners){owners, count, 0, 0, is_trial};
    return outer;
}

struct mi_item_owners mi_item_owners_end(struct mi_item_owners outer) {
    struct mi_item_owners last = here;
    here = outer;
    return last;
}

/// Returns the index of an operation among those that this thread has yet to add, or their number.
static uint32_t place_of(const void *operation) {
    for (uint32_t looked = 0, i = here.next; looked < here.count; looked++, i++) {
        if (i >= here.count) i = 0;  // they are mostly added in order
        if (here.owners[i].operation == operation) return i;
    }
    return here.count;
}

bool mi_item_is_added(const void *operation) { return place_of(operation) < here.count; }

void mi_item_work_run(void *work) { ((struct mi_block_layout *)work)->invoke(work); }

void *mi_item_work_retain(void *work) { return _Block_copy(work); }
void mi_item_work_release(void *work) { _Block_release(work); }

#if defined(__linux__)
// MARK: A block with an owner and its work

void *swift_retain(void *object);
void swift_release(void *object);

struct owned_block {
    struct mi_block_layout layout;
    const void *owner;
    void *work;
};

// libdispatch retains an item while it runs. The thread sanitizer does not see the reference count of the blocks' runtime, which
// orders the last use of a block before its destruction.
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

/// A block around a Swift closure: its code, and the object with its captures.
struct closure_block {
    struct mi_block_layout layout;
    const void *code;
    const void *const *held;
};

/// The closures from which Foundation makes the items of operations. What one captures follows from its code, and is found by trial.
static struct shape {
    const void *code;
    uint32_t operation;
} shapes[4];
static uint32_t shape_count;

// The closure captures the operation and the queue, which follow the header of two words.
__attribute__((no_sanitize("address"))) static void learn(const struct closure_block *block) {
    for (uint32_t i = 0; i < here.count && shape_count < 4; i++) {
        for (uint32_t word = 2; word < 4; word++) {
            if (block->held[word] != here.owners[i].operation) continue;
            shapes[shape_count++] = (struct shape){block->code, word};
            here.found++;
            return;
        }
    }
}

/// Returns the operation that an item is made from, or null if there is none.
static const void *operation_of(const struct closure_block *block) {
    for (uint32_t i = 0; i < shape_count; i++)
        if (block->code == shapes[i].code) return block->held[shapes[i].operation];
    return NULL;
}

/// Returns the work for the owner of the operation that the item is made from, or null.
static void *owned(const void *work) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct owned_block), mi_block_copy_nothing, dispose};
    const struct closure_block *closure = work;
    if (here.count == 0 || closure->layout.descriptor->size != sizeof *closure || !closure->held) return NULL;
    if (here.is_trial) return learn(closure), NULL;
    const void *operation = operation_of(closure);
    uint32_t place = operation ? place_of(operation) : here.count;
    if (place == here.count) return NULL;
    here.next = place + 1;
    const void *owner = here.owners[place].owner;
    if (!owner) return NULL;
    here.found++;
    swift_retain((void *)owner);
    struct owned_block block = {mi_block_begin(invoke, &descriptor), owner, _Block_copy(work)};
    return _Block_copy(&block);
}

// MARK: libdispatch's entry points

/// A block around an item's work, until the item is made.
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
        call.is_captured = blocks->owned != NULL || here.is_trial;  // a trial belongs to nobody
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

#include <stdlib.h>

#include "CDispatchEntries.h"
#include "Entries.h"

#if defined(__linux__)
// Work items: libdispatch's own, around a block of this library that knows when the work has run.

typedef unsigned long mi_flags;
enum { mi_flag_barrier = 1 };

MI_ENTRY_OF(intptr_t) dispatch_block_wait(mi_block item, uint64_t timeout);
MI_ENTRY dispatch_block_notify(mi_block item, void *queue, mi_block work);
MI_ENTRY dispatch_block_cancel(mi_block item);
MI_ENTRY_OF(intptr_t) dispatch_block_testcancel(mi_block item);

/// The program's block, and the item's record.
struct inner_block {
    struct mi_block_layout layout;
    struct mi_block_layout *work;
    struct mi_scheduled_item *item;
};

void mi_scheduled_item_retain(struct mi_scheduled_item *item) {
    __atomic_fetch_add(&item->references, 1, __ATOMIC_RELAXED);
}
void mi_scheduled_item_release(struct mi_scheduled_item *item) {
    if (__atomic_fetch_sub(&item->references, 1, __ATOMIC_ACQ_REL) == 1) free(item);
}

static void invoke(void *memory) {
    struct inner_block *block = memory;
    struct mi_scheduled_item *item = block->item;
    mi_scheduled_item_retain(item);
    block->work->invoke(block->work);
    item->has_run = true;
    // Not a separate work item if it was called directly.
    if (mi_scheduled_is_here()) HOOK(item_ended)(item);
    mi_scheduled_item_release(item);
}

static void dispose(void *memory) {
    struct inner_block *block = memory;
    _Block_release(block->work);
    mi_scheduled_item_release(block->item);
}
static const struct mi_block_descriptor descriptor = {0, sizeof(struct inner_block), mi_block_copy_nothing, dispose};

static void *around(const void *work, mi_flags flags) {
    struct mi_scheduled_item *item = calloc(1, sizeof *item);
    if (!item) abort();
    item->is_barrier = flags & mi_flag_barrier;
    item->references = 1;
    item->made = mi_scheduled_made_here();
    struct inner_block block = {mi_block_begin(invoke, &descriptor), _Block_copy(work), item};
    return _Block_copy(&block);
}

static void *put_around(const struct mi_item_call *call, struct mi_item_room *room) {
    (void)room;
    if (__builtin_expect(!mi_is_controlled(call->caller), true)) return NULL;
    return around(call->work, call->flags);
}
static void end(void *block) { _Block_release(block); }
void mi_scheduling_take_items(void) {
    static const struct mi_item_user user = {put_around, end};
    mi_items_use(&user);
}

/// The beginning of the data that libdispatch stores in an item's block; it has not changed since 2014.
struct private_data {
    unsigned long magic;
    mi_flags flags;
    unsigned int atomic_flags;
    int performed;
    unsigned long priority;
    void *voucher;
    struct inner_block *work;
};
static const unsigned long magic = 0xD159B10C;

struct mi_scheduled_item *mi_item_of(const void *block) {
    const struct mi_block_layout *layout = block;
    if (!(layout->flags & mi_block_has_copy_and_dispose) ||
        layout->descriptor->size < sizeof *layout + sizeof(struct private_data))
        return NULL;
    const struct private_data *data = (const struct private_data *)(layout + 1);
    if (data->magic != magic || !data->work || data->work->layout.invoke != invoke) return NULL;
    return data->work->item;
}

MI_ENTRY_OF(intptr_t) dispatch_block_wait(mi_block block, uint64_t timeout) {
    if (!IS_HERE()) return NEXT(block_wait)(block, timeout);
    struct mi_scheduled_item *item = mi_item_of((const void *)block);
    if (item) return HOOK(item_wait)(item, timeout) ? 0 : 1;
    HOOK(refuse)("dispatch_block_wait of an item made outside the schedule");
    return 1;
}

MI_ENTRY dispatch_block_notify(mi_block block, void *queue, mi_block work) {
    if (!IS_HERE()) return NEXT(block_notify)(block, queue, work);
    struct mi_scheduled_item *item = mi_item_of((const void *)block);
    if (item) return HOOK(item_notify)(item, queue, mi_work_of_block((const void *)work, false));
    HOOK(refuse)("dispatch_block_notify of an item made outside the schedule");
}

static void tell(const void *block, bool is_asked) {
    struct mi_scheduled_item *item = mi_item_of(block);
    if (item) HOOK(item_cancelled)(item, is_asked);
}
MI_ENTRY dispatch_block_cancel(mi_block block) {
    if (IS_HERE()) tell((const void *)block, false);
    NEXT(block_cancel)(block);
}
MI_ENTRY_OF(intptr_t) dispatch_block_testcancel(mi_block block) {
    if (IS_HERE()) tell((const void *)block, true);
    return NEXT(block_testcancel)(block);
}
#endif

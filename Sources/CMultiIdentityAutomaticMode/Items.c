#include "CDispatchEntries.h"
#include "Handing.h"

#if defined(__linux__)
// Work items, captured when created, whatever runs them and however often. Foundation makes one for each operation when
// it is added to a queue.

// Also with nothing bound, since an item can be performed inside any scope; but only queues, where nothing is bound, run
// Foundation's, one for each operation.
static bool is_left_alone(const void *work) {
    const void *code = mi_block_code(work);
    if (!mi_is_capturing() || mi_automatic_is_internal(code)) return true;
    return mi_is_in(&mi_foundation, code) && (mi_nothing_is_bound() || mi_adds_operation_for_itself(work));
}

static void *around(const struct mi_item_call *call, struct mi_item_room *room) {
    _Static_assert(sizeof(struct mi_kept_block) <= sizeof *room, "the block fits");
    if (!MI_USUALLY(!mi_is_trying))
        mi_automatic_note(call->has_qos_class ? mi_entry_block_create_with_qos_class : mi_entry_block_create);
    if (call->is_captured || is_left_alone(call->work)) return NULL;
    mi_item_begin((struct mi_kept_block *)room, call->work, call->caller);
    return room;
}

static void end(void *block) { mi_item_end(block); }

void mi_take_items(void) {
    static const struct mi_item_user user = {around, end};
    mi_items_use(&user);
}
#endif

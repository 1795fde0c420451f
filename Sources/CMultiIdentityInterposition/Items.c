#include "CMultiIdentityItems.h"
#include "Entries.h"

#if defined(__linux__)
// Work items, captured when created, whatever runs them and however often. Foundation makes one of each operation when
// it is added to a queue.

// With nothing bound too, since an item can be performed inside anybody's scope; but Foundation's, one for each operation,
// are run by queues alone, where nothing is bound.
static bool is_left_alone(const void *work) {
    const void *code = (const void *)((const struct mi_block_layout *)work)->invoke;
    return !mi_is_capturing() || mi_automatic_is_internal(code) ||
        (mi_automatic_is_in(&mi_foundation, code) && mi_nothing_is_bound());
}

static void *put_around(const struct mi_item_call *call) {
    if (__builtin_expect(mi_is_trying(), false))
        (void)mi_automatic_note(call->has_qos_class ? mi_entry_block_create_with_qos_class : mi_entry_block_create);
    if (call->is_captured || is_left_alone(call->work)) return NULL;
    return mi_keep(mi_automatic_item, NULL, call->work, mi_signature_item);
}

void mi_take_items(void) { mi_items_put_around(put_around); }
#endif

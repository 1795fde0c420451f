#include "Entries.h"

#if defined(__linux__)
// Work items, captured when created, whatever runs them and however often. Foundation makes one of each operation when
// it is added to a queue.

MI_ENTRY_OF(void *) dispatch_block_create(unsigned long flags, mi_block work);
MI_ENTRY_OF(void *)
dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, mi_block work);

// With nothing bound too, since an item can be performed inside anybody's scope; but Foundation's, one for each operation,
// are run by queues alone, where nothing is bound.
static bool is_left_alone(mi_block work) {
    const void *code = (const void *)((const struct mi_block_layout *)(const void *)work)->invoke;
    return !mi_is_capturing() || mi_automatic_is_internal(code) ||
        (mi_automatic_is_in(&mi_foundation, code) && mi_nothing_is_bound());
}

MI_ENTRY_OF(void *) dispatch_block_create(unsigned long flags, mi_block work) {
    NOTE_IF_TRIED(block_create);
    if (is_left_alone(work)) return NEXT(block_create)(flags, work);
    void *kept = mi_keep(mi_automatic_item, NULL, work, mi_signature_item);
    void *item = NEXT(block_create)(flags, kept);
    _Block_release(kept);
    return item;
}

MI_ENTRY_OF(void *)
dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, mi_block work) {
    NOTE_IF_TRIED(block_create_with_qos_class);
    if (is_left_alone(work))
        return NEXT(block_create_with_qos_class)(flags, qos, priority, work);
    void *kept = mi_keep(mi_automatic_item, NULL, work, mi_signature_item);
    void *item = NEXT(block_create_with_qos_class)(flags, qos, priority, kept);
    _Block_release(kept);
    return item;
}
#endif

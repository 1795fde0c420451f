#include "Entries.h"

#if defined(__linux__)
// Handlers of a source, captured when set.

#define HANDLER(name, boundary) \
    MI_ENTRY dispatch_source_set_##name##_handler(void *source, mi_block handler); \
    MI_ENTRY dispatch_source_set_##name##_handler(void *source, mi_block handler) { \
        NOTE_IF_TRIED(source_set_##name##_handler); \
        if (!handler || BLOCK_GOES_AS_IT_IS(handler)) \
            return NEXT(source_set_##name##_handler)(source, handler); \
        void *kept = mi_keep(boundary, NULL, handler, mi_signature_plain); \
        NEXT(source_set_##name##_handler)(source, kept); \
        _Block_release(kept); \
    }

HANDLER(event, mi_automatic_source_event)
HANDLER(cancel, mi_automatic_source_cancel)
HANDLER(registration, mi_automatic_source_registration)
#endif

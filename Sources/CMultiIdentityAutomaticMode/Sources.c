#include "Handing.h"

#if defined(__linux__)
// Handlers of a source, captured when set; also by Foundation, which sets them for the caller that gives them to a file handle.

void *dispatch_get_context(void *object);

#define HANDLER(name, boundary) \
    MI_ENTRY dispatch_source_set_##name##_handler(void *source, mi_block handler) { \
        NOTE_IF_TRIED(source_set_##name##_handler); \
        if (!handler || mi_goes_as_it_is(mi_block_code(handler))) \
            return NEXT(source_set_##name##_handler)(source, handler); \
        void *kept = mi_keep(boundary, NULL, handler, mi_signature_plain); \
        NEXT(source_set_##name##_handler)(source, kept); \
        _Block_release(kept); \
    } \
    MI_ENTRY dispatch_source_set_##name##_handler_f(void *source, mi_function handler) { \
        NOTE_IF_TRIED(source_set_##name##_handler_f); \
        if (!handler || FUNCTION_GOES_AS_IT_IS(handler)) return NEXT(source_set_##name##_handler_f)(source, handler); \
        /* Called with the context that the source has then; the source outlives its handlers, and is not retained by them. */ \
        mi_block call = ^{ handler(dispatch_get_context(source)); }; \
        void *kept = mi_keep(boundary, NULL, (const void *)call, mi_signature_plain); \
        NEXT(source_set_##name##_handler)(source, kept); \
        _Block_release(kept); \
    }

HANDLER(event, mi_automatic_source_event)
HANDLER(cancel, mi_automatic_source_cancel)
HANDLER(registration, mi_automatic_source_registration)
#endif

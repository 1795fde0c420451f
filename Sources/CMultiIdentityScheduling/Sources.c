#include "Entries.h"

#if defined(__linux__)
// Sources that a test can fire: timers, on virtual time, and those for the program's own data. libdispatch's own object is
// made and released as usual, and never fires.

struct mi_source_type;
extern const struct mi_source_type _dispatch_source_type_timer, _dispatch_source_type_data_add, _dispatch_source_type_data_or,
    _dispatch_source_type_data_replace;

typedef void (^mi_handler)(void);
MI_ENTRY_OF(void *) dispatch_source_create(const struct mi_source_type *type, uintptr_t handle, uintptr_t mask, void *queue);
MI_ENTRY dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);
MI_ENTRY dispatch_source_set_event_handler(void *source, mi_handler handler);
MI_ENTRY dispatch_source_set_cancel_handler(void *source, mi_handler handler);
MI_ENTRY dispatch_source_set_registration_handler(void *source, mi_handler handler);
MI_ENTRY dispatch_source_cancel(void *source);
MI_ENTRY dispatch_source_merge_data(void *source, uintptr_t value);
MI_ENTRY_OF(uintptr_t) dispatch_source_get_data(void *source);
MI_ENTRY dispatch_retain(void *object);
MI_ENTRY dispatch_release(void *object);

static enum mi_scheduled_source_kind kind_of(const struct mi_source_type *type) {
    if (type == &_dispatch_source_type_timer) return mi_scheduled_source_timer;
    if (type == &_dispatch_source_type_data_add) return mi_scheduled_source_add;
    if (type == &_dispatch_source_type_data_or) return mi_scheduled_source_or;
    if (type == &_dispatch_source_type_data_replace) return mi_scheduled_source_replace;
    return mi_scheduled_source_other;
}

MI_ENTRY_OF(void *) dispatch_source_create(const struct mi_source_type *type, uintptr_t handle, uintptr_t mask, void *queue) {
    void *source = NEXT(source_create)(type, handle, mask, queue);
    if (!IS_HERE() || !source) return source;
    enum mi_scheduled_source_kind kind = kind_of(type);
    // It never fires either: work that it started would continue after the schedule.
    if (kind == mi_scheduled_source_other) HOOK(refuse)("dispatch_source_create for events of the system");
    mi_scheduled_note(source, 0, NULL);
    HOOK(source_created)(source, kind, queue);
    return source;
}

MI_ENTRY dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    if (!IS_HERE() || !HOOK(source_set_timer)(source, start, interval)) NEXT(source_set_timer)(source, start, interval, leeway);
}

#define HANDLER(name, which) \
    MI_ENTRY dispatch_source_set_##name##_handler(void *source, mi_handler handler) { \
        if (!IS_HERE()) return NEXT(source_set_##name##_handler)(source, handler); \
        void *copy = handler ? _Block_copy((const void *)handler) : NULL; \
        if (HOOK(source_set_handler)(source, which, copy)) return; \
        if (copy) _Block_release(copy); \
        NEXT(source_set_##name##_handler)(source, handler); \
    }
HANDLER(event, mi_scheduled_handler_event)
HANDLER(cancel, mi_scheduled_handler_cancel)
HANDLER(registration, mi_scheduled_handler_registration)

MI_ENTRY dispatch_source_cancel(void *source) {
    NEXT(source_cancel)(source);
    if (IS_HERE()) HOOK(source_cancel)(source);
}

MI_ENTRY dispatch_source_merge_data(void *source, uintptr_t value) {
    if (!IS_HERE() || !HOOK(source_merge)(source, value)) NEXT(source_merge_data)(source, value);
}

MI_ENTRY_OF(uintptr_t) dispatch_source_get_data(void *source) {
    uintptr_t data = 0;
    return IS_HERE() && HOOK(source_data)(source, &data) ? data : NEXT(source_get_data)(source);
}

MI_ENTRY dispatch_retain(void *object) {
    if (IS_HERE()) HOOK(retained)(object);
    NEXT(retain)(object);
}
MI_ENTRY dispatch_release(void *object) {
    if (IS_HERE()) HOOK(released)(object);
    NEXT(release)(object);
}
void mi_scheduled_retain(void *object) { NEXT(retain)(object); }
void mi_scheduled_release(void *object) { NEXT(release)(object); }

// Retained meanwhile: a handler may cancel its source, which releases it.
void mi_scheduled_call_block(void *block) { mi_scheduled_run_block(_Block_copy(block)); }
void mi_scheduled_release_block(void *block) { _Block_release(block); }
#endif

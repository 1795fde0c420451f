#include "Entries.h"

#if defined(__linux__)
// A run loop drains the main queue wherever it runs, which can be inside a scope: work that was handed over with nothing
// bound, and so was passed on unchanged, must find nothing bound there.

void *dispatch_get_specific(const void *key);
void dispatch_queue_set_specific(void *queue, const void *key, void *value, mi_function destroy);

static const char key;

bool mi_is_on_main_queue(void) { return dispatch_get_specific(&key) != NULL; }

void *mi_main_queue;
_Atomic(bool) mi_main_queue_is_target;

void mi_mark_main_queue(void *queue) {
    mi_main_queue = queue;
    dispatch_queue_set_specific(queue, &key, (void *)&key, NULL);
}

// MARK: Queues that finally target the main queue

// Also before the main queue is known: a queue that targets it then looks like one that targets another.
static void note_target(const void *target) {
    if (target && (target == mi_main_queue || !mi_main_queue)) atomic_store(&mi_main_queue_is_target, true);
}

MI_ENTRY_OF(void *) dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
    NOTE_IF_TRIED(queue_create_with_target);
    note_target(target);
    return NEXT(queue_create_with_target)(label, attributes, target);
}

MI_ENTRY dispatch_set_target_queue(void *object, void *target) {
    NOTE_IF_TRIED(set_target_queue);
    note_target(target);
    NEXT(set_target_queue)(object, target);
}

// MARK: Run loops

typedef void (*callback)(void *message);

static void drain(void *message) { ((callback)mi_next(mi_entry_main_queue_callback))(message); }

MI_ENTRY _dispatch_main_queue_callback_4CF(void *message) {
    if (!mi_is_capturing() || mi_nothing_is_bound()) return drain(message);
    mi_automatic_hooks.run_bare(drain, message);
}
#endif

#include <stdio.h>
#include <stdlib.h>

#include "Entries.h"

#if defined(__linux__)
// Queues: how they are made, what they target, whether they are suspended, and whose work runs here.

MI_ENTRY_OF(void *) dispatch_queue_create(const char *label, void *attributes);
MI_ENTRY_OF(void *) dispatch_queue_create_with_target(const char *label, void *attributes, void *target)
    __asm__("dispatch_queue_create_with_target");
MI_ENTRY_OF(void *) dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos, int priority);
MI_ENTRY_OF(void *) dispatch_queue_attr_make_initially_inactive(void *attributes);
MI_ENTRY_OF(void *) dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency);
MI_ENTRY dispatch_set_target_queue(void *object, void *target);
MI_ENTRY dispatch_suspend(void *object);
MI_ENTRY dispatch_resume(void *object);
MI_ENTRY dispatch_activate(void *object);
MI_ENTRY_OF(void *) dispatch_get_specific(const void *key);
MI_ENTRY_OF(void *) dispatch_queue_get_specific(void *queue, const void *key);
MI_ENTRY_OF(const char *) dispatch_queue_get_label(void *queue);
MI_ENTRY dispatch_assert_queue(void *queue);
MI_ENTRY dispatch_assert_queue_not(void *queue);
MI_ENTRY dispatch_assert_queue_barrier(void *queue);

// MARK: Making

enum { concurrent = 1, inactive = 2 };
extern struct mi_opaque_attributes _dispatch_queue_attr_concurrent;

static int64_t kind_of(const void *attributes) {
    if (!attributes) return 0;
    if (attributes == (const void *)&_dispatch_queue_attr_concurrent) return concurrent;
    return mi_scheduled_known(attributes);
}

// libdispatch has one set of attributes of each kind, for ever.
static void *derived(void *attributes, int64_t kind) {
    if (attributes && attributes != (void *)&_dispatch_queue_attr_concurrent) mi_scheduled_note(attributes, kind, NULL);
    return attributes;
}

MI_ENTRY_OF(void *) dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos, int priority) {
    return derived(NEXT(queue_attr_make_with_qos_class)(attributes, qos, priority), kind_of(attributes));
}
MI_ENTRY_OF(void *) dispatch_queue_attr_make_initially_inactive(void *attributes) {
    return derived(NEXT(queue_attr_make_initially_inactive)(attributes), kind_of(attributes) | inactive);
}
MI_ENTRY_OF(void *) dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency) {
    return derived(NEXT(queue_attr_make_with_autorelease_frequency)(attributes, frequency), kind_of(attributes));
}

MI_ENTRY_OF(void *) dispatch_queue_create(const char *label, void *attributes) {
    void *queue = NEXT(queue_create)(label, attributes);
    mi_scheduled_note(queue, kind_of(attributes), NULL);
    return queue;
}
MI_ENTRY_OF(void *) dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
    void *queue = NEXT(queue_create_with_target)(label, attributes, target);
    mi_scheduled_note(queue, kind_of(attributes), target);
    return queue;
}

MI_ENTRY dispatch_set_target_queue(void *object, void *target) {
    NEXT(set_target_queue)(object, target);
    if (IS_HERE()) HOOK(set_target)(object, target);
}

// In both: libdispatch refuses to release a suspended object.
MI_ENTRY dispatch_suspend(void *object) {
    NEXT(suspend)(object);
    if (IS_HERE()) HOOK(suspend)(object);
}
MI_ENTRY dispatch_resume(void *object) {
    NEXT(resume)(object);
    if (IS_HERE()) HOOK(resume)(object);
}
MI_ENTRY dispatch_activate(void *object) {
    NEXT(activate)(object);
    if (IS_HERE()) HOOK(activate)(object);
}

// MARK: The queue whose work runs here

const char *mi_scheduled_label(void *queue) { return NEXT(queue_get_label)(queue); }

MI_ENTRY_OF(const char *) dispatch_queue_get_label(void *queue) {
    if (queue || !IS_HERE()) return NEXT(queue_get_label)(queue);
    void *current = HOOK(current_queue)(0);
    return current ? NEXT(queue_get_label)(current) : "";
}

MI_ENTRY_OF(void *) dispatch_queue_get_specific(void *queue, const void *key) {
    return NEXT(queue_get_specific)(queue, key);
}

MI_ENTRY_OF(void *) dispatch_get_specific(const void *key) {
    if (!IS_HERE()) return NEXT(get_specific)(key);
    void *queue, *value = NULL;
    for (int32_t depth = 0; !value && (queue = HOOK(current_queue)(depth)); depth++)
        value = NEXT(queue_get_specific)(queue, key);
    return value;
}

static bool runs_here(void *queue) {
    void *current;
    for (int32_t depth = 0; (current = HOOK(current_queue)(depth)); depth++)
        if (current == queue) return true;
    return false;
}

static void require(bool holds, const char *what, void *queue) {
    if (holds) return;
    fprintf(stderr, "BUG IN CLIENT: %s of the queue %s\n", what, NEXT(queue_get_label)(queue));
    abort();
}

MI_ENTRY dispatch_assert_queue(void *queue) {
    if (!IS_HERE()) return NEXT(assert_queue)(queue);
    require(runs_here(queue), "dispatch_assert_queue: this is not the work", queue);
}
MI_ENTRY dispatch_assert_queue_barrier(void *queue) {
    if (!IS_HERE()) return NEXT(assert_queue_barrier)(queue);
    require(runs_here(queue), "dispatch_assert_queue_barrier: this is not the work", queue);
}
MI_ENTRY dispatch_assert_queue_not(void *queue) {
    if (!IS_HERE()) return NEXT(assert_queue_not)(queue);
    require(!runs_here(queue), "dispatch_assert_queue_not: this is the work", queue);
}

// MARK: What is not controlled

#define REFUSED(type, name, ...) MI_ENTRY_OF(type) dispatch_##name(__VA_ARGS__); MI_ENTRY_OF(type) dispatch_##name(__VA_ARGS__)
#define SAY(name) if (IS_HERE()) HOOK(refuse)("dispatch_" #name)

typedef void (^mi_handler)(void);
REFUSED(void, read, int descriptor, size_t length, void *queue, mi_handler handler) {
    SAY(read);
    NEXT(read)(descriptor, length, queue, handler);
}
REFUSED(void, write, int descriptor, void *data, void *queue, mi_handler handler) {
    SAY(write);
    NEXT(write)(descriptor, data, queue, handler);
}
REFUSED(void *, io_create, unsigned long type, int descriptor, void *queue, mi_handler cleanup) {
    SAY(io_create);
    return NEXT(io_create)(type, descriptor, queue, cleanup);
}
REFUSED(void *, io_create_with_path, unsigned long type, const char *path, int flags, unsigned mode, void *queue, mi_handler cleanup) {
    SAY(io_create_with_path);
    return NEXT(io_create_with_path)(type, path, flags, mode, queue, cleanup);
}
REFUSED(void *, io_create_with_io, unsigned long type, void *io, void *queue, mi_handler cleanup) {
    SAY(io_create_with_io);
    return NEXT(io_create_with_io)(type, io, queue, cleanup);
}
#endif

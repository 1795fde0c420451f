#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>

#include "Entries.h"

// Finds what automatic mode needs to know of libdispatch and of other libraries, before it captures.

/// A library whose calls are not captured: identified by one of its functions, or by its name.
struct library {
    const char *name;
    bool may_be_missing;
    const char *function;
};

static const struct library libraries[mi_internal_count] = {
    {"libdispatch", false, "dispatch_async"},
    {"libswift_Concurrency", false, "swift_task_getCurrent"},
    // Its sessions serve all callers' requests from handlers and timers that one of them set.
    {"libFoundationNetworking", true, NULL},
};
struct mi_code mi_internal[mi_internal_count], mi_internal_span;
struct mi_code mi_foundation, mi_overlay;

static bool find_code(const struct library *library, struct mi_code *code) {
    const void *function = library->function ? dlsym(RTLD_NEXT, library->function) : NULL;
    if (library->function && !function) return false;
    return mi_find_code(function, library->name, code) || library->may_be_missing;
}

// libdispatch's first: most are items.
bool mi_automatic_is_internal_in_span(const void *code) {
    for (int i = 0; i < mi_internal_count; i++)
        if (mi_is_in(&mi_internal[i], code)) return true;
    return false;
}

static void span_internal(void) {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i <= mi_internal_count; i++) {
        const struct mi_code *part = i < mi_internal_count ? &mi_internal[i] : &mi_foundation;
        if (part->size == 0) continue;
        if (part->begin < begin) begin = part->begin;
        if (part->begin + part->size > end) end = part->begin + part->size;
    }
    mi_internal_span = (struct mi_code){begin, end - begin};
}

const char *mi_automatic_prepare(void) {
    // Without libdispatch's definitions it cannot continue; if libdispatch lacks some, the others are called unchanged.
    (void)mi_require_next(mi_entry_async);
    for (int entry = 0; entry < mi_entry_count; entry++)
        if (mi_entries[entry].automatic != mi_left && !mi_find_next(entry)) return mi_entries[entry].name;
    for (int i = 0; i < mi_internal_count; i++)
        if (!find_code(&libraries[i], &mi_internal[i])) return libraries[i].name;
    (void)mi_find_code(NULL, "libFoundation.so", &mi_foundation);
    (void)mi_find_code(NULL, "libswiftDispatch", &mi_overlay);
    span_internal();
    mi_find_block_operation();
    void *main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
    if (!main_queue) return "_dispatch_main_q";
    mi_mark_main_queue(main_queue);
    mi_take_items();
    return NULL;
}
#endif

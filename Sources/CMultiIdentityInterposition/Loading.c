#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Entries.h"

// Finding what libdispatch defines itself, and where its code lies.

#define MI_NAME(name, is_tried) "dispatch_" #name,
static const char *const names[mi_entry_count] = {MI_ENTRIES(MI_NAME) "_dispatch_main_queue_callback_4CF"};

// The thread sanitizer knows Dispatch by its own definitions, which go before libdispatch's.
#if __has_feature(thread_sanitizer)
#define MI_DECLARE(name, is_tried) __attribute__((weak)) extern void __interceptor_dispatch_##name(void);
MI_ENTRIES(MI_DECLARE)
#define MI_SANITIZERS(name, is_tried) (void *)__interceptor_dispatch_##name,
static void *const sanitizers[mi_entry_count] = {MI_ENTRIES(MI_SANITIZERS) NULL};
#else
static void *const sanitizers[mi_entry_count];
#endif

_Atomic(void *) mi_nexts[mi_entry_count];

static void *find(enum mi_entry entry) {
    void *next = sanitizers[entry] ? sanitizers[entry] : dlsym(RTLD_NEXT, names[entry]);
    if (next) atomic_store_explicit(&mi_nexts[entry], next, memory_order_release);
    return next;
}

// Linked with libdispatch's archive, some calls would end in the archive and others here, and lead nowhere.
static _Noreturn void refuse(enum mi_entry entry) {
    fprintf(
        stderr,
        "MultiIdentityInterposition cannot be part of this program: no library but the program itself defines %s. "
        "Link it dynamically with the Swift runtime (without --static-swift-stdlib), or leave that product out.\n",
        names[entry]
    );
    _exit(78);  // EX_CONFIG
}

void *mi_find_next(enum mi_entry entry) {
    void *next = find(entry);
    if (!next) refuse(entry);
    return next;
}

const char *mi_automatic_entry_name(int32_t entry) { return names[entry]; }

// MARK: Other libraries' code

/// A library with calls that are left alone: known by a function of its own, or by its name.
struct library {
    const char *name;
    bool may_be_missing;
    const char *function;
};

static const struct library libraries[mi_internal_count] = {
    {"libdispatch", false, "dispatch_async"},
    {"libswift_Concurrency", false, "swift_task_getCurrent"},
    // Its sessions serve everybody's requests from handlers and timers that one of them set.
    {"libFoundationNetworking", true, NULL},
};
struct mi_code mi_internal[mi_internal_count], mi_internal_span;
struct mi_code mi_foundation;

struct search {
    const struct library *library;
    uintptr_t address;
    struct mi_code found;
};

static bool is_named(const struct dl_phdr_info *object, const char *name) {
    const char *slash = strrchr(object->dlpi_name, '/');
    return strncmp(slash ? slash + 1 : object->dlpi_name, name, strlen(name)) == 0;
}

static int look(struct dl_phdr_info *object, size_t size, void *context) {
    struct search *search = context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        bool is_it = search->address ? search->address - begin < segment->p_memsz : is_named(object, search->library->name);
        if (!is_it) continue;
        search->found = (struct mi_code){begin, segment->p_memsz};
        return 1;
    }
    return 0;
}

static bool find_code(const struct library *library, struct mi_code *code) {
    struct search search = {.library = library};
    if (library->function && !(search.address = (uintptr_t)dlsym(RTLD_NEXT, library->function))) return false;
    if (!dl_iterate_phdr(look, &search)) return library->may_be_missing;
    *code = search.found;
    return true;
}

// libdispatch's first: most are items.
bool mi_automatic_is_internal_in_span(const void *code) {
    for (int i = 0; i < mi_internal_count; i++)
        if (mi_automatic_is_in(&mi_internal[i], code)) return true;
    return false;
}

static void span_internal(void) {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < mi_internal_count; i++) {
        const struct mi_code *part = &mi_internal[i];
        if (part->size == 0) continue;
        if (part->begin < begin) begin = part->begin;
        if (part->begin + part->size > end) end = part->begin + part->size;
    }
    mi_internal_span = (struct mi_code){begin, end - begin};
}

const char *mi_automatic_prepare(void) {
    // Where nothing leads to libdispatch there is no going on; where it lacks something, what it has is called as it is.
    if (!find(mi_entry_async)) refuse(mi_entry_async);
    for (int entry = 0; entry < mi_entry_count; entry++)
        if (!find(entry)) return names[entry];
    for (int i = 0; i < mi_internal_count; i++)
        if (!find_code(&libraries[i], &mi_internal[i])) return libraries[i].name;
    span_internal();
    (void)find_code(&(struct library){"libFoundation.so", true, NULL}, &mi_foundation);
    void *main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
    if (!main_queue) return "_dispatch_main_q";
    mi_mark_main_queue(main_queue);
    mi_take_items();
    return NULL;
}
#endif

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "DispatchEntries.h"

// Finds libdispatch's own definitions, and the address ranges of libraries' code.

#define MI_PARTS(name, automatic, scheduling) {"dispatch_" #name, automatic, scheduling},
const struct mi_entry_parts mi_entries[mi_entry_count] = {
    MI_ENTRIES(MI_PARTS){"_dispatch_main_queue_callback_4CF", mi_taken, mi_left},
};

// The thread sanitizer knows Dispatch by its own definitions, which come before libdispatch's.
#if __has_feature(thread_sanitizer)
#define MI_DECLARE(name, automatic, scheduling) __attribute__((weak)) extern void __interceptor_dispatch_##name(void);
MI_ENTRIES(MI_DECLARE)
#define MI_SANITIZERS(name, automatic, scheduling) (void *)__interceptor_dispatch_##name,
static void *const sanitizers[mi_entry_count] = {MI_ENTRIES(MI_SANITIZERS) NULL};
#else
static void *const sanitizers[mi_entry_count];
#endif

_Atomic(void *) mi_nexts[mi_entry_count];

void *mi_find_next(enum mi_entry entry) {
    void *next = sanitizers[entry] ? sanitizers[entry] : dlsym(RTLD_NEXT, mi_entries[entry].name);
    if (next) atomic_store_explicit(&mi_nexts[entry], next, memory_order_release);
    return next;
}

void *mi_require_next(enum mi_entry entry) {
    void *next = mi_find_next(entry);
    if (next) return next;
    fprintf(
        stderr,
        "MultiIdentityScheduling or MultiIdentityAutomaticMode cannot be part of this program: no library but the program "
        "itself defines %s. Link it dynamically with the Swift runtime (without --static-swift-stdlib), or leave that "
        "product out.\n",
        mi_entries[entry].name
    );
    _exit(78);  // EX_CONFIG
}

// MARK: Libraries' code

struct search {
    const void *address;
    const char *name;
    struct mi_code found;
};

static bool is_named(const struct dl_phdr_info *object, const char *name) {
    const char *slash = strrchr(object->dlpi_name, '/');
    return strncmp(slash ? slash + 1 : object->dlpi_name, name, strlen(name)) == 0;
}

static int look(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        struct mi_code code = {object->dlpi_addr + segment->p_vaddr, segment->p_memsz};
        if (search->address ? !mi_is_in(&code, search->address) : !is_named(object, search->name)) continue;
        search->found = code;
        return 1;
    }
    return 0;
}

bool mi_find_code(const void *address, const char *name, struct mi_code *code) {
    struct search search = {.address = address, .name = name};
    if (!dl_iterate_phdr(look, &search)) return false;
    *code = search.found;
    return true;
}
#endif

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "Entries.h"

// Decides whether a call comes from the program's own code, or from the system: the C library, libdispatch, Swift's libraries.
//
// The object that contains the return address decides. Used by the thread that holds the token.

struct object {
    uintptr_t begin, end;
    bool is_system, is_foundation;
};
static struct object *objects;
static size_t count, capacity;
static char swift_folder[4096];

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

static int add(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    const char *name = info->dlpi_name;
    bool is_system = has_prefix(name, "/lib") || has_prefix(name, "/usr/lib") || has_prefix(name, "linux-vdso") ||
        (swift_folder[0] && has_prefix(name, swift_folder));
    const char *slash = strrchr(name, '/');
    bool is_foundation = slash && has_prefix(slash, "/libFoundation");
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            objects = realloc(objects, capacity * sizeof *objects);
            if (!objects) abort();
        }
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        objects[count++] = (struct object){begin, begin + segment->p_memsz, is_system, is_foundation};
    }
    return 0;
}

static const struct object *find(uintptr_t address) {
    for (size_t i = 0; i < count; i++)
        if (address - objects[i].begin < objects[i].end - objects[i].begin) return &objects[i];
    return NULL;
}

// Foundation's lock classes lock for their callers. They are one file of it, and so are contiguous: between the functions whose
// names are known.
static struct object lock_classes;

static void add_lock_class(const void *code) {
    uintptr_t address = (uintptr_t)code;
    if (!address) return;
    if (!lock_classes.begin || address < lock_classes.begin) lock_classes.begin = address;
    // The last of them is shorter.
    if (address + 256 > lock_classes.end) lock_classes.end = address + 256;
}

static void find_lock_classes(void) {
    static const char *const conformances[] = {
        "$s10Foundation6NSLockCAA9NSLockingAAWP", "$s10Foundation15NSRecursiveLockCAA9NSLockingAAWP",
        "$s10Foundation11NSConditionCAA9NSLockingAAWP", "$s10Foundation15NSConditionLockCAA9NSLockingAAWP",
    };
    static const char *const methods[] = {
        "$s10Foundation6NSLockC4lock6beforeSb0A10Essentials4DateV_tF",
        "$s10Foundation15NSRecursiveLockC4lock6beforeSb0A10Essentials4DateV_tF",
        "$s10Foundation11NSConditionC4wait5untilSb0A10Essentials4DateV_tF",
        "$s10Foundation15NSConditionLockC4lock13whenCondition6beforeSbSi_0A10Essentials4DateVtF",
    };
    for (int i = 0; i < 4; i++) {
        // What it conforms to, then how it locks and unlocks.
        void *const *table = dlsym(RTLD_DEFAULT, conformances[i]);
        if (table) add_lock_class(table[1]), add_lock_class(table[2]);
        add_lock_class(dlsym(RTLD_DEFAULT, methods[i]));
    }
    // An unknown version of Foundation.
    if (lock_classes.end - lock_classes.begin > 0x8000) lock_classes.end = lock_classes.begin;
}

static const struct object *object_of(uintptr_t address) {
    const struct object *found = find(address);
    if (found) return found;
    // The first call, or a library that was loaded since.
    Dl_info swift;
    if (!swift_folder[0] && dladdr(dlsym(RTLD_DEFAULT, "swift_retain"), &swift) && swift.dli_fname) {
        const char *end = strrchr(swift.dli_fname, '/');
        size_t length = end ? (size_t)(end + 1 - swift.dli_fname) : 0;
        if (length && length < sizeof swift_folder) memcpy(swift_folder, swift.dli_fname, length);
    }
    count = 0;
    dl_iterate_phdr(add, NULL);
    if (!lock_classes.begin) find_lock_classes();
    return find(address);
}

bool mi_is_foundation(const void *caller) {
    const struct object *object = object_of((uintptr_t)caller);
    return object && object->is_foundation;
}

bool mi_is_program(const void *caller, void *const *frame) {
    // Swift's libraries keep frame pointers: the caller of Foundation's method is one frame up.
    for (int depth = 0; depth < 4; depth++) {
        const struct object *object = object_of((uintptr_t)caller);
        if (!object || !object->is_system) return true;
        if ((uintptr_t)caller - lock_classes.begin >= lock_classes.end - lock_classes.begin) return false;
        frame = frame[0];
        if (!frame) return false;
        caller = frame[1];
    }
    return false;
}
#endif

#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "CMultiIdentity.h"

void *const mi_unknown_task = (void *)&mi_unknown_task;
_Thread_local struct mi_thread mi_this_thread = {.task = &mi_unknown_task};
_Atomic(uint32_t) mi_frame_features;

bool mi_has_entry(const char *name) { return dlsym(RTLD_DEFAULT, name) != NULL; }

// The Swift runtime's entry that binds a copy of all that was bound elsewhere; 6.3 does not have it.
#if defined(__linux__)
// Weak, for programs that the runtime is linked into, which may not export its entries.
__attribute__((weak)) void swift_task_localsSnapshotPush(void);
static bool copies_bindings(void) {
    return swift_task_localsSnapshotPush || mi_has_entry("swift_task_localsSnapshotPush");
}
#else
static bool copies_bindings(void) { return mi_has_entry("swift_task_localsSnapshotPush"); }
#endif

// The thread that forks is the main thread of the child, and has another number there.
static void ask_again(void) { mi_this_thread.main_thread = 0, mi_this_thread.number = 0; }

// Before anything is bound, since what is bound in one form cannot be looked up in another.
__attribute__((constructor)) static void look_around(void) {
    pthread_atfork(NULL, NULL, ask_again);
    const char *asked = getenv("MULTI_IDENTITY_FAST_PATHS");
    if (asked && strcmp(asked, "off") == 0) mi_frame_features_insert(MI_FAST_PATHS_OFF);
    if (asked && strcmp(asked, "untried") == 0) mi_frame_features_insert(MI_TRIALS_FAIL);
    if (copies_bindings()) mi_frame_features_insert(MI_BINDINGS_ARE_COPIED);
}

_Atomic(const void *) mi_bound_key;
const void *mi_bound_type;
uintptr_t mi_bound_nothing;
_Atomic(bool) mi_bound_is_settable;

void mi_bound_make_known(const void *key, const void *type, uintptr_t nothing) {
    mi_bound_type = type;  // before the key: code that sees the key sees these
    mi_bound_nothing = nothing;
    __c11_atomic_store(&mi_bound_key, key, __ATOMIC_RELEASE);
}

bool mi_thread_ask_main(void) {
#if defined(__APPLE__)
    bool is_main = pthread_main_np() != 0;
#else
    // The first thread of a process has the process's number as its own (gettid(2)).
    bool is_main = (pid_t)syscall(SYS_gettid) == getpid();
#endif
    mi_this_thread.main_thread = is_main ? 1 : 2;
    return is_main;
}

void mi_write_error(const unsigned char *text, intptr_t count) {
    while (count > 0) {
        ssize_t written = write(STDERR_FILENO, text, (size_t)count);
        if (written <= 0) return;
        text += written;
        count -= written;
    }
}

void mi_bound_push(uintptr_t bits) {
    swift_task_localValuePush(__c11_atomic_load(&mi_bound_key, __ATOMIC_ACQUIRE), &bits, mi_bound_type);
}

uint32_t mi_processor_count(void) {
    static _Atomic(uint32_t) known;  // the system reads a file for each call
    uint32_t count = __c11_atomic_load(&known, __ATOMIC_RELAXED);
    if (count == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (uint32_t)online : 1;
        __c11_atomic_store(&known, count, __ATOMIC_RELAXED);
    }
    return count;
}

uint64_t mi_thread_number(void) {
    uint64_t *number = &mi_this_thread.number;
    if (*number) return *number;
#if defined(__APPLE__)
    pthread_threadid_np(NULL, number);
#else
    *number = (uint64_t)syscall(SYS_gettid);
#endif
    return *number;
}

#if defined(__linux__)
// Entries of the Swift runtime that reflection is built on. Weak: if a runtime lacks them, the caller gets 0.
struct mi_field {
    const char *name;
    void (*free_name)(const char *);
    _Bool is_strong;
    _Bool is_var;
};
__attribute__((swiftcall, weak)) intptr_t swift_reflectionMirror_recursiveCount(const void *type);
__attribute__((swiftcall, weak)) intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index);
__attribute__((swiftcall, weak)) const void *
swift_reflectionMirror_recursiveChildMetadata(const void *type, intptr_t index, struct mi_field *field);

uintptr_t mi_offset_of_only_field(const void *type, const char *name) {
    if (!swift_reflectionMirror_recursiveCount || !swift_reflectionMirror_recursiveChildOffset ||
        !swift_reflectionMirror_recursiveChildMetadata)
        return 0;
    if (swift_reflectionMirror_recursiveCount(type) != 1) return 0;
    struct mi_field field = {0};
    swift_reflectionMirror_recursiveChildMetadata(type, 0, &field);
    bool is_named = field.name && strcmp(field.name, name) == 0;
    if (field.name && field.free_name) field.free_name(field.name);
    return is_named ? (uintptr_t)swift_reflectionMirror_recursiveChildOffset(type, 0) : 0;
}
#else
uintptr_t mi_offset_of_only_field(const void *type, const char *name) { return 0; }
#endif

// Here and not in the header: a header that Swift imports is never compiled for the sanitizer.
#if __has_feature(thread_sanitizer)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void mi_tsan_acquire(void *address) { __tsan_acquire(address); }
void mi_tsan_release(void *address) { __tsan_release(address); }
#else
void mi_tsan_acquire(void *address) {}
void mi_tsan_release(void *address) {}
#endif

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#include "Entries.h"

// Where Swift's runtime stores the task that runs on a thread: a word of its library's thread-local storage. Reading it takes a
// few instructions; asking the runtime takes twenty, at both ends of each hop.
//
// A trial without a task, in one, and in a nested one finds the word. Unless exactly one word of the library agreed
// with the runtime each time, the runtime is asked.

/// As the linker's own code addresses a thread-local: by the library's number, and an offset in its storage.
struct place {
    size_t library, offset;
};
__attribute__((weak)) void *__tls_get_addr(const struct place *place);

static _Atomic(bool) is_known;
static struct place known;

bool mi_ask_whether_task_runs(void) {
    struct mi_thread *thread = mi_thread_current();
    if (thread->task == &mi_unknown_task && atomic_load_explicit(&is_known, memory_order_acquire))
        thread->task = __tls_get_addr(&known);
    return mi_task_runs();
}

// MARK: The trial

enum { most_words = 64 };
static struct storage {
    size_t library, count;
    /// A bit for each word that has agreed so far.
    uint64_t agreeing;
} tried;

static int find_storage(struct dl_phdr_info *object, size_t size, void *context) {
    bool is_it = false;
    size_t bytes = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (uintptr_t)context - begin < segment->p_memsz) is_it = true;
        if (segment->p_type == PT_TLS) bytes = segment->p_memsz;
    }
    if (!is_it) return 0;
    size_t count = bytes / sizeof(void *);
    if (count > 0 && count <= most_words && object->dlpi_tls_modid != 0)
        tried = (struct storage){object->dlpi_tls_modid, count, ~(uint64_t)0 >> (most_words - count)};
    return 1;
}

void mi_automatic_seek_task(void) {
    tried = (struct storage){0};
    // On a thread that runs a task, the word's value without one would be unknown.
    void *ask = dlsym(RTLD_NEXT, "swift_task_getCurrent");
    if (__tls_get_addr && ask && !mi_task_runs()) dl_iterate_phdr(find_storage, ask);
}

void mi_automatic_compare_task(void) {
    if (tried.agreeing == 0) return;
    void *task = swift_task_getCurrent();
    for (size_t i = 0; i < tried.count; i++)
        if (*(void **)__tls_get_addr(&(struct place){tried.library, i * sizeof(void *)}) != task)
            tried.agreeing &= ~((uint64_t)1 << i);
}

void mi_automatic_settle_task(void) {
    if (mi_trials_fail() || __builtin_popcountll(tried.agreeing) != 1) return;
    known = (struct place){tried.library, (size_t)__builtin_ctzll(tried.agreeing) * sizeof(void *)};
    atomic_store_explicit(&is_known, true, memory_order_release);
}
#endif

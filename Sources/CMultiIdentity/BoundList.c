#if defined(__linux__)
#define _GNU_SOURCE
#include <link.h>
#endif
#include <pthread.h>
#include <string.h>

#include "LastingBinding.h"

struct mi_bound_list mi_bound_list;

void mi_bound_list_make_known(struct mi_bound_list list, intptr_t on_thread) {
    mi_bound_list.value = list.value;
    mi_bound_list.in_group = list.in_group;
    mi_bound_list.parent = list.parent;
    mi_bound_list.in_task = list.in_task;
    mi_bound_list.type_of_task = list.type_of_task;
    mi_bound_list.on_thread = on_thread;
    __c11_atomic_store(&mi_bound_list.is_known, true, __ATOMIC_RELEASE);
}

static inline const struct mi_bound_item *own_item(void) {
    const uintptr_t *place = mi_bound_get();
    return place ? (const struct mi_bound_item *)(place - 3) : NULL;
}

bool mi_bound_is_own_item(const struct mi_bound_item *item) {
    return item == own_item() && item->key == mi_bound_key_known() && item->type == mi_bound_type;
}

static inline const struct mi_bound_item *list_on_thread(void) {
    const struct mi_bound_item **list =
        *(const struct mi_bound_item ***)((char *)__builtin_thread_pointer() + mi_bound_list.on_thread);
    return list ? *list : NULL;
}

const struct mi_bound_item *mi_bound_innermost(void) {
    void *task = swift_task_getCurrent();
    if (task) return *(const struct mi_bound_item **)((char *)task + mi_bound_list.in_task);
    if (mi_bound_list.on_thread) return list_on_thread();
    // A binding tells what is beneath it.
    mi_bound_push(mi_bound_nothing);
    const struct mi_bound_item *beneath = mi_bound_next(own_item());
    mi_bound_pop();
    return beneath;
}

bool mi_bound_in_job(const void *job, uintptr_t *bits) {
    if (*(const uintptr_t *)job != mi_bound_list.type_of_task) return false;
    const struct mi_bound_item *item = *(const struct mi_bound_item **)((char *)job + mi_bound_list.in_task);
    while ((item = mi_bound_with_value(item)) && item->key != mi_bound_key_known()) item = mi_bound_next(item);
    *bits = item ? *(const uintptr_t *)(item + 1) : mi_bound_nothing;
    return true;
}

/// The words of a task that the runtime itself declares: its object is at least as large.
enum { words_of_task = 24 };

uint32_t mi_bound_seek_in_task(void) {
    void **task = swift_task_getCurrent();
    if (!task) return 0;
    void *before[words_of_task];
    memcpy(before, task, sizeof before);
    mi_bound_push(mi_bound_nothing);
    const void *item = own_item();
    uint32_t found = 0, count = 0;
    for (uint32_t index = 0; index < words_of_task; index++)
        if (task[index] == item && before[index] != item) found = index, count++;
    mi_bound_pop();
    return count == 1 && task[found] == before[found] ? found * (uint32_t)sizeof(void *) : 0;
}

#if defined(__linux__)
// Other threads write to variables meanwhile, and the address sanitizer has gaps between them.
__attribute__((no_sanitize("address", "thread")))
static int seek_variable(struct dl_phdr_info *file, size_t size, void *key) {
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
        uintptr_t begin = file->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if ((uintptr_t)key >= begin && (uintptr_t)key < end) return 1;  // an object that the compiler laid out
        void *const volatile *word = (void *const volatile *)((begin + sizeof key - 1) & -sizeof key);
        for (; (uintptr_t)(word + 1) <= end; word++)
            if (*word == key) return 1;
    }
    return 0;
}

// Most keys are asked about once. To seek takes up to milliseconds: one that does not last is sought again now and then, since
// its address can become another's. Here it has another form, in which it is not found itself.
bool mi_bound_key_lasts(const void *key) {
    static _Atomic(uintptr_t) passing[64];
    static _Atomic(uint32_t) asked;
    _Atomic(uintptr_t) *same = &passing[mi_known_slot(key) % 64];
    if (__c11_atomic_load(same, __ATOMIC_RELAXED) == ~(uintptr_t)key &&
        __c11_atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) % 65536)
        return false;
    if (dl_iterate_phdr(seek_variable, (void *)key)) return true;
    __c11_atomic_store(same, ~(uintptr_t)key, __ATOMIC_RELAXED);
    return false;
}

/// The thread-local words of the file that Swift's concurrency runtime is in, on this thread.
struct words {
    void **begin;
    size_t count;
};

static int find_words(struct dl_phdr_info *file, size_t size, void *context) {
    struct words *words = context;
    const char *entry = (const char *)&swift_task_localValuePop;
    bool contains = false;
    size_t memory = 0;
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        const char *begin = (const char *)file->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && entry >= begin && entry < begin + part->p_memsz) contains = true;
        if (part->p_type == PT_TLS) memory = part->p_memsz;
    }
    if (!contains) return 0;
    words->begin = file->dlpi_tls_data;
    words->count = words->begin ? memory / sizeof(void *) : 0;
    return 1;
}

/// Returns the offset of the one word that a binding sets to the address of the list; 0 if there is none.
static intptr_t seek_here(void) {
    struct words words = {0};
    mi_bound_push(mi_bound_nothing);  // makes the words exist
    mi_bound_pop();
    if (!dl_iterate_phdr(find_words, &words) || !words.count) return 0;
    void **before = malloc(words.count * sizeof(void *));
    if (!before) return 0;
    memcpy(before, words.begin, words.count * sizeof(void *));
    mi_bound_push(mi_bound_nothing);
    const void *item = own_item();
    void **found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < words.count; i++)
        if (!before[i] && words.begin[i]) found = words.begin + i, count++;
    bool is_list = count == 1 && *(const void **)*found == item;
    mi_bound_pop();
    free(before);
    return is_list && !*found ? (char *)found - (char *)__builtin_thread_pointer() : 0;
}

// While the first of the two lives, so that they share no memory.
static void *seek(void *context) {
    intptr_t *found = context;
    pthread_t other;
    *found = seek_here();
    if (!found[1]) return NULL;
    found[1] = 0;
    if (pthread_create(&other, NULL, seek, found + 1) == 0) pthread_join(other, NULL);
    return NULL;
}

/// A thread's own block is next to its thread pointer. What the loader allocates later is at another distance on each thread.
enum { size_of_block = 1 << 16 };

intptr_t mi_bound_seek_on_threads(void) {
    intptr_t found[3] = {0, 1, 0};  // the second thread's result is 1 until it is started
    pthread_t thread;
    if (pthread_create(&thread, NULL, seek, found) != 0) return 0;
    pthread_join(thread, NULL);
    return found[0] == found[1] && found[0] > -size_of_block && found[0] < size_of_block ? found[0] : 0;
}
#else
bool mi_bound_key_lasts(const void *key) { return false; }
intptr_t mi_bound_seek_on_threads(void) { return 0; }
#endif

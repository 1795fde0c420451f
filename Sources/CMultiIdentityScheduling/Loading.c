#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "Entries.h"

// Finds what a schedule needs to know of libdispatch, and stores what is known of its objects.

struct mi_scheduling_hooks mi_scheduling_hooks;
struct mi_code mi_libdispatch;

const char *mi_scheduling_prepare(const struct mi_scheduling_hooks *hooks) {
    for (int entry = 0; entry < mi_entry_count; entry++)
        if (mi_entries[entry].scheduling != mi_left && !mi_find_next(entry)) return mi_entries[entry].name;
    const void *async = dlsym(RTLD_NEXT, mi_entries[mi_entry_async].name);
    if (!mi_find_code(async, NULL, &mi_libdispatch)) return "libdispatch's code";
    mi_scheduling_hooks = *hooks;
    mi_scheduling_take_items();
    mi_scheduling_take_signals();
    return NULL;
}

MI_ENTRY dispatch_async(void *queue, mi_block work);
// The thread sanitizer's interceptors of these entry points come first, and bypass them.
extern void __tsan_init(void) __attribute__((weak));
bool mi_scheduling_is_sanitized(void) { return __tsan_init != NULL; }

bool mi_scheduling_is_linked(void) { return dlsym(RTLD_DEFAULT, "dispatch_async") == (void *)&dispatch_async; }

// MARK: Objects

// Used by the thread that holds the token.
static uint32_t schedules, made_so_far;

void mi_scheduled_count_anew(void) {
    schedules++;
    made_so_far = 0;
}
uint64_t mi_scheduled_made_here(void) { return mi_scheduled_is_here() ? (uint64_t)schedules << 32 | ++made_so_far : 0; }
uint32_t mi_scheduled_made_so_far(void) { return made_so_far; }
uint64_t mi_scheduled_identity(uint64_t made, const void *object) {
    return made >> 32 == schedules && made ? (uint32_t)made : (uintptr_t)object;
}

struct known {
    const void *object;
    int64_t known;
    void *target;
    uint64_t made;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// No schedule sees this lock: it is not the program's.
static uint32_t lock(void) {
    uint32_t here = mi_scheduled_here;
    mi_scheduled_here = 0;
    pthread_mutex_lock(&mutex);
    return here;
}
static void unlock(uint32_t here) {
    pthread_mutex_unlock(&mutex);
    mi_scheduled_here = here;
}
static struct known *table;
static size_t capacity, count;

static struct known *place(struct known *table, size_t capacity, const void *object) {
    size_t index = ((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15ull >> 20 & (capacity - 1);
    while (table[index].object && table[index].object != object) index = (index + 1) & (capacity - 1);
    return &table[index];
}

static void grow(void) {
    size_t larger = capacity ? capacity * 2 : 1024;
    struct known *next = calloc(larger, sizeof *next);
    if (!next) abort();
    for (size_t i = 0; i < capacity; i++)
        if (table[i].object) *place(next, larger, table[i].object) = table[i];
    free(table);
    table = next;
    capacity = larger;
}

void mi_scheduled_note(const void *object, int64_t known, void *target) {
    uint64_t made = mi_scheduled_made_here();
    uint32_t thread = lock();
    if (2 * (count + 1) > capacity) grow();
    struct known *here = place(table, capacity, object);
    if (!here->object) count++;
    *here = (struct known){object, known, target, made};
    unlock(thread);
}

static struct known look_up(const void *object) {
    uint32_t thread = lock();
    struct known found = capacity ? *place(table, capacity, object) : (struct known){0};
    unlock(thread);
    return found;
}

int64_t mi_scheduled_known(const void *object) { return look_up(object).known; }
uint64_t mi_scheduled_identity_of(const void *object) { return mi_scheduled_identity(look_up(object).made, object); }
void *mi_scheduled_made_with_target(const void *queue) { return look_up(queue).target; }

extern struct mi_opaque_queue _dispatch_main_q;
void *mi_scheduled_main_queue(void) { return (void *)&_dispatch_main_q; }
#endif

#if defined(__linux__)
#include <stdlib.h>

#include "Entries.h"

// Records which thread has which lock without calling Swift, whose runtime takes locks itself.
//
// Used by the thread that holds the token.

struct held {
    const void *lock;
    uint32_t thread, depth;
    bool is_shared;
};
static struct held *held;
static size_t count, capacity;
static bool accessed;

bool mi_scheduled_touched_locks(void) {
    bool answer = accessed;
    accessed = false;
    return answer;
}

// The locks that work items wait for.
static const void **awaited;
static size_t awaited_count, awaited_capacity;

void mi_scheduled_forget_locks(void) { count = awaited_count = 0; }

/// Swift's `Mutex`: the number of the thread that has it, and a bit that is set if others wait in the kernel.
static uint32_t thread_of_word(const void *lock) {
    return __atomic_load_n((const uint32_t *)lock, __ATOMIC_ACQUIRE) & 0x3FFFFFFF;
}

uint32_t mi_scheduled_holder(const void *lock, uint32_t thread, uint32_t how) {
    if (how & mi_lock_of_swift) return mi_scheduled_thread_of(thread_of_word(lock));
    for (size_t i = count; i-- > 0;) {
        if (held[i].lock != lock || (how & mi_lock_shared && held[i].is_shared)) continue;
        if (held[i].thread != thread || how & mi_lock_once) return held[i].thread;
    }
    return 0;
}
bool mi_scheduled_is_free(const void *lock, uint32_t thread, uint32_t how) {
    if (how & mi_lock_of_swift) return thread_of_word(lock) == 0;
    return mi_scheduled_holder(lock, thread, how) == 0;
}

static struct held *find(const void *lock, uint32_t thread) {
    for (size_t i = count; i-- > 0;)
        if (held[i].lock == lock && held[i].thread == thread) return &held[i];
    return NULL;
}

void mi_lock_taken(const void *lock, uint32_t how) {
    accessed = true;
    struct held *found = find(lock, mi_scheduled_here);
    if (found) {
        found->depth++;
        return;
    }
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 64;
        held = realloc(held, capacity * sizeof *held);
        if (!held) abort();
    }
    held[count++] = (struct held){lock, mi_scheduled_here, 1, how & mi_lock_shared};
}

void mi_lock_given(const void *lock) {
    accessed = true;
    struct held *found = find(lock, mi_scheduled_here);
    // Some locks can be released by another thread than the one that took them.
    for (size_t i = count; !found && i-- > 0;)
        if (held[i].lock == lock) found = &held[i];
    if (found && --found->depth == 0) *found = held[--count];
}

// The package's own locks are no steps: they are marked by their section.
extern const char __start_mi_locks[] __attribute__((weak, visibility("hidden")));
extern const char __stop_mi_locks[] __attribute__((weak, visibility("hidden")));
static bool is_own(const void *lock) {
    return __start_mi_locks && (const char *)lock >= __start_mi_locks && (const char *)lock < __stop_mi_locks;
}

static bool is_awaited(const void *lock) {
    for (size_t i = 0; i < awaited_count; i++)
        if (awaited[i] == lock) return true;
    return false;
}
static void await(const void *lock) {
    if (awaited_count == awaited_capacity) {
        awaited_capacity = awaited_capacity ? awaited_capacity * 2 : 64;
        awaited = realloc(awaited, awaited_capacity * sizeof *awaited);
        if (!awaited) abort();
    }
    awaited[awaited_count++] = lock;
}
static void await_no_more(const void *lock) {
    for (size_t i = awaited_count; i-- > 0;)
        if (awaited[i] == lock) {
            awaited[i] = awaited[--awaited_count];
            return;
        }
}

// Foundation hands operations over while it has a lock that those operations need immediately. So they can run where the
// lock is released.
void mi_lock_step(enum mi_scheduled_step step, const void *lock, const void *caller, void *const *frame) {
    if (is_own(lock)) return;
    bool is_due = step == mi_step_unlock && is_awaited(lock) && mi_is_foundation(caller);
    if (is_due || mi_is_program(caller, frame)) HOOK(step)(step, (void *)lock);
}

bool mi_lock_wait(enum mi_scheduled_step step, const void *lock, uint32_t how, uint64_t timeout, const void *caller, void *const *frame) {
    mi_lock_step(step, lock, caller, frame);
    if (mi_scheduled_is_free(lock, mi_scheduled_here, how)) return true;
    await(lock);
    bool is_in_time = HOOK(wait_for_lock)((void *)lock, how, timeout);
    await_no_more(lock);
    return is_in_time;
}
#endif

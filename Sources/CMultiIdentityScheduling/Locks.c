#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "Entries.h"

// Locks and conditions: a piece that waits for one lets others go on, since one of them holds it.
//
// Which thread holds which lock is noted here without asking Swift, whose runtime takes locks itself.

struct held {
    pthread_mutex_t *mutex;
    uint32_t thread, depth;
};
// Touched by the thread that has the turn.
static struct held *held;
static size_t held_count, held_capacity;
static bool touched;
bool mi_scheduled_yields_at_locks;

bool mi_scheduled_touched_locks(void) {
    bool answer = touched;
    touched = false;
    return answer;
}

static struct held *find(pthread_mutex_t *mutex) {
    for (size_t i = held_count; i-- > 0;)
        if (held[i].mutex == mutex) return &held[i];
    return NULL;
}

bool mi_scheduled_is_free(void *mutex, uint32_t thread) {
    struct held *found = find(mutex);
    return !found || found->thread == thread;
}

void mi_scheduled_forget_locks(void) { held_count = 0; }

static void take(pthread_mutex_t *mutex) {
    touched = true;
    struct held *found = find(mutex);
    if (found) {
        found->depth++;
        return;
    }
    if (held_count == held_capacity) {
        held_capacity = held_capacity ? held_capacity * 2 : 64;
        held = realloc(held, held_capacity * sizeof *held);
        if (!held) abort();
    }
    held[held_count++] = (struct held){mutex, mi_scheduled_here, 1};
}

static void give(pthread_mutex_t *mutex) {
    touched = true;
    struct held *found = find(mutex);
    if (found && --found->depth == 0) *found = held[--held_count];
}

EXPORTED pthread_mutex_lock(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_lock);
    int (*lock)(pthread_mutex_t *) = (int (*)(pthread_mutex_t *))real;
    if (!mi_scheduled_is_here()) return lock(mutex);
    if (mi_scheduled_yields_at_locks || !mi_scheduled_is_free(mutex, mi_scheduled_here)) HOOK(wait_for_lock)(mutex);
    int error = lock(mutex);
    if (error == 0) take(mutex);
    return error;
}

EXPORTED pthread_mutex_trylock(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_trylock);
    int error = ((int (*)(pthread_mutex_t *))real)(mutex);
    if (error == 0 && mi_scheduled_is_here()) take(mutex);
    return error;
}

EXPORTED pthread_mutex_unlock(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_unlock);
    if (mi_scheduled_is_here()) give(mutex);
    return ((int (*)(pthread_mutex_t *))real)(mutex);
}

static bool wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t timeout) {
    pthread_mutex_unlock(mutex);
    bool is_signalled = HOOK(wait_for_condition)(condition, timeout);
    pthread_mutex_lock(mutex);
    return is_signalled;
}

EXPORTED pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    REAL(pthread_cond_wait);
    if (!mi_scheduled_is_here()) return ((int (*)(pthread_cond_t *, pthread_mutex_t *))real)(condition, mutex);
    wait_on(condition, mutex, ~0ull);
    return 0;
}

EXPORTED pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    REAL(pthread_cond_timedwait);
    if (!mi_scheduled_is_here())
        return ((int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))real)(condition, mutex, until);
    return wait_on(condition, mutex, mi_scheduled_time_of(until)) ? 0 : 110;  // ETIMEDOUT
}

EXPORTED pthread_cond_signal(pthread_cond_t *condition) {
    REAL(pthread_cond_signal);
    if (mi_scheduled_is_here()) HOOK(signal_condition)(condition, false);
    return ((int (*)(pthread_cond_t *))real)(condition);
}

EXPORTED pthread_cond_broadcast(pthread_cond_t *condition) {
    REAL(pthread_cond_broadcast);
    if (mi_scheduled_is_here()) HOOK(signal_condition)(condition, true);
    return ((int (*)(pthread_cond_t *))real)(condition);
}

// MARK: Globals

// Globals that are made when they are first used: a thread that waits inside would keep all others waiting for good.

MI_ENTRY swift_once(void *predicate, mi_function function, void *context);

MI_ENTRY swift_once(void *predicate, mi_function function, void *context) {
    REAL(swift_once);
    void (*once)(void *, mi_function, void *) = (void (*)(void *, mi_function, void *))real;
    if (!mi_scheduled_is_here()) return once(predicate, function, context);
    HOOK(once_begin)(predicate);
    once(predicate, function, context);
    HOOK(once_end)(predicate);
}
#endif

#include "InFlight.h"

#include <pthread.h>
#include <stdlib.h>

#include "CMultiIdentity.h"

// As large as a cache line, so that no two threads share one.
struct mi_in_flight {
    _Atomic(uintptr_t) owner;
    struct mi_in_flight *next;
} __attribute__((aligned(128)));

// The living threads' entries; the lock guards the list.
#if defined(__linux__)
__attribute__((section("mi_locks")))  // distinguishes it from the program's locks for MultiIdentityScheduling
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mi_in_flight *living;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static void (*_Atomic end_work)(void);

void mi_in_flight_end(void) {
    void (*end)(void) = __c11_atomic_load(&end_work, __ATOMIC_RELAXED);
    if (mi_this_thread.in_flight) end();
}

static void leave(void *context) {
    mi_in_flight_end();
    struct mi_in_flight *here = context;
    pthread_mutex_lock(&lock);
    struct mi_in_flight **place = &living;
    while (*place && *place != here) place = &(*place)->next;
    if (*place) *place = here->next;
    pthread_mutex_unlock(&lock);
    mi_this_thread.in_flight = NULL;
    free(here);
}

static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

// So that it is unlocked in the child of a fork. What the other threads ran counts there for good, as their scopes do: a task of
// theirs may continue in the child, so that nothing can be known to have ended.
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }

void mi_in_flight_make(void (*end)(void)) {
    __c11_atomic_store(&end_work, end, __ATOMIC_RELAXED);
    pthread_once(&once, make_key);
    struct mi_in_flight *here = has_key ? aligned_alloc(_Alignof(struct mi_in_flight), sizeof *here) : NULL;
    if (!here) return;
    // If an entry was made again after `leave`, such as by another key's destructor, this and `leave` run once more.
    if (pthread_setspecific(key, here) != 0) return free(here);
    __c11_atomic_init(&here->owner, 0);
    pthread_mutex_lock(&lock);
    here->next = living;
    living = here;
    pthread_mutex_unlock(&lock);
    mi_this_thread.in_flight = here;
}

uint64_t mi_in_flight_count(uintptr_t owner) {
    uint64_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct mi_in_flight *each = living; each; each = each->next)
        if (__c11_atomic_load(&each->owner, __ATOMIC_SEQ_CST) == owner) count++;
    pthread_mutex_unlock(&lock);
    return count;
}

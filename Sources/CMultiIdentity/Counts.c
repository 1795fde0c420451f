#include <pthread.h>
#include <stdlib.h>

#include "CMultiIdentity.h"

_Thread_local struct mi_counts *mi_this_threads_counts;

// The counts of the living threads and of ended ones; the lock guards the list, and a thread's removal from it.
#if defined(__linux__)
__attribute__((section("mi_locks")))  // distinguishes it from the program's locks for MultiIdentityScheduling
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mi_counts *living;
static uint64_t left[mi_count_boundaries][mi_count_events];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void leave(void *context) {
    struct mi_counts *counts = context;
    pthread_mutex_lock(&lock);
    for (int boundary = 0; boundary < mi_count_boundaries; boundary++)
        for (int event = 0; event < mi_count_events; event++)
            left[boundary][event] += __c11_atomic_load(&counts->of[boundary][event], __ATOMIC_RELAXED);
    struct mi_counts **place = &living;
    while (*place && *place != counts) place = &(*place)->next;
    if (*place) *place = counts->next;
    pthread_mutex_unlock(&lock);
    mi_this_threads_counts = NULL;
    free(counts);
}

// So that it is unlocked in the child of a fork.
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }

static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

struct mi_counts *mi_counts_make(void) {
    pthread_once(&once, make_key);
    if (!has_key) return NULL;
    struct mi_counts *counts = calloc(1, sizeof *counts);
    if (!counts) return NULL;
    // If counts were made again after `leave`, such as by another key's destructor, this and `leave` run once more.
    if (pthread_setspecific(key, counts) != 0) {
        free(counts);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    counts->next = living;
    living = counts;
    pthread_mutex_unlock(&lock);
    mi_this_threads_counts = counts;
    return counts;
}

static _Atomic(mi_read_note) read_note;
void mi_unbound_reads_note(mi_read_note note) { __c11_atomic_store(&read_note, note, __ATOMIC_RELEASE); }
void mi_unbound_read(void) {
    mi_read_note note = __c11_atomic_load(&read_note, __ATOMIC_ACQUIRE);
    if (note) note();
}

uint64_t mi_counts_total(uint8_t boundary, uint8_t event) {
    if (event >= mi_count_events) return 0;
    pthread_mutex_lock(&lock);
    uint64_t total = left[boundary][event];
    for (struct mi_counts *counts = living; counts; counts = counts->next)
        total += __c11_atomic_load(&counts->of[boundary][event], __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return total;
}

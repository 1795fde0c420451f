#if defined(__linux__)
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Entries.h"

// Threads that take turns: one runs, all others wait, each at its own place.

_Thread_local uint32_t mi_scheduled_here;

// Not with the C library's semaphores: those are steps of the program.
struct mi_scheduled_thread {
    _Atomic(uint32_t) token;
    void (*body)(void *);
    void *context;
};

struct mi_scheduled_thread *mi_scheduled_place_make(void) {
    struct mi_scheduled_thread *place = calloc(1, sizeof *place);
    if (!place) abort();
    return place;
}

void mi_scheduled_place_free(struct mi_scheduled_thread *place) { free(place); }

void mi_scheduled_thread_go(struct mi_scheduled_thread *thread) {
    atomic_store_explicit(&thread->token, 1, memory_order_release);
    syscall(SYS_futex, &thread->token, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/// Waits in the kernel, until a time of its clock for intervals; returns whether it holds the token.
static bool wait_until(struct mi_scheduled_thread *thread, const struct timespec *end) {
    for (;;) {
        if (atomic_exchange_explicit(&thread->token, 0, memory_order_acquire)) return true;
        const int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
        long error = syscall(SYS_futex, &thread->token, operation, 0, end, NULL, FUTEX_BITSET_MATCH_ANY);
        if (error != 0 && errno == ETIMEDOUT) return false;
    }
}

void mi_scheduled_thread_wait(struct mi_scheduled_thread *thread) {
    int number = errno;
    wait_until(thread, NULL);
    errno = number;
}

// By the real clock: this thread is not controlled.
bool mi_scheduled_place_wait(struct mi_scheduled_thread *place, uint32_t milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
    return wait_until(place, &end);
}

// MARK: The system's numbers

struct number {
    uint32_t number, here;
};
// Used by the thread that holds the token.
static struct number *numbers;
static size_t count, capacity;

static struct number *find(uint32_t number) {
    for (size_t i = 0; i < count; i++)
        if (numbers[i].number == number) return &numbers[i];
    return NULL;
}
uint32_t mi_scheduled_thread_of(uint32_t number) {
    struct number *found = find(number);
    return found ? found->here : 0;
}
void mi_scheduled_thread_known(void) {
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 64;
        numbers = realloc(numbers, capacity * sizeof *numbers);
        if (!numbers) abort();
    }
    numbers[count++] = (struct number){(uint32_t)syscall(SYS_gettid), mi_scheduled_here};
}
void mi_scheduled_thread_forgotten(void) {
    struct number *found = find((uint32_t)syscall(SYS_gettid));
    if (found) *found = numbers[--count];
}

static void *begin(void *memory) {
    struct mi_scheduled_thread *thread = memory;
    mi_scheduled_thread_wait(thread);
    thread->body(thread->context);
    return NULL;
}

struct mi_scheduled_thread *mi_scheduled_thread_start(void (*body)(void *), void *context) {
    struct mi_scheduled_thread *thread = mi_scheduled_place_make();
    thread->body = body;
    thread->context = context;
    pthread_t id;
    // Not a thread of the program.
    uint32_t here = mi_scheduled_here;
    mi_scheduled_here = 0;
    int error = pthread_create(&id, NULL, begin, thread);
    mi_scheduled_here = here;
    if (error != 0) {
        mi_scheduled_place_free(thread);
        return NULL;
    }
    pthread_detach(id);
    return thread;
}
#endif

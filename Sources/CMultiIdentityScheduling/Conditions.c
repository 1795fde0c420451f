#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "Entries.h"

// What threads of the C library wait for besides locks: conditions, semaphores, barriers, and globals that another thread makes.

#define HERE __builtin_return_address(0), (void *const *)__builtin_frame_address(0)
#define FOREVER (~0ull)

// MARK: Conditions

// They are not steps themselves: the wait is one, and so is the signal that ends it.
static bool wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t timeout) {
    uint32_t here = mi_scheduled_here;
    mi_lock_given(mutex);
    mi_scheduled_here = 0;
    pthread_mutex_unlock(mutex);
    mi_scheduled_here = here;
    bool is_signalled = HOOK(wait_for_condition)(condition, timeout);
    if (!mi_scheduled_is_free(mutex, here, 0)) HOOK(wait_for_lock)(mutex, 0, FOREVER);
    mi_scheduled_here = 0;
    pthread_mutex_lock(mutex);
    mi_scheduled_here = here;
    mi_lock_taken(mutex, 0);
    return is_signalled;
}

EXPORTED pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    REAL(pthread_cond_wait);
    if (!mi_scheduled_is_here()) return ((int (*)(pthread_cond_t *, pthread_mutex_t *))real)(condition, mutex);
    wait_on(condition, mutex, FOREVER);
    return 0;
}

EXPORTED pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    REAL(pthread_cond_timedwait);
    if (!mi_scheduled_is_here())
        return ((int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))real)(condition, mutex, until);
    return wait_on(condition, mutex, mi_scheduled_time_of(until)) ? 0 : ETIMEDOUT;
}

EXPORTED pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    REAL(pthread_cond_clockwait);
    if (!mi_scheduled_is_here())
        return ((int (*)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))real)(condition, mutex, clock, until);
    return wait_on(condition, mutex, mi_scheduled_time_of(until)) ? 0 : ETIMEDOUT;
}

#define SIGNALS(name, all) \
    EXPORTED name(pthread_cond_t *condition) { \
        REAL(name); \
        if (mi_scheduled_is_here()) { \
            HOOK(signal_condition)(condition, all); \
            mi_lock_step(mi_step_signal, condition, HERE); \
        } \
        return ((int (*)(pthread_cond_t *))real)(condition); \
    }
SIGNALS(pthread_cond_signal, false)
SIGNALS(pthread_cond_broadcast, true)

// MARK: Semaphores

int32_t mi_scheduled_semaphore_value(void *semaphore) {
    int value = 0;
    sem_getvalue(semaphore, &value);
    return value;
}

/// Decrements it as soon as possible, and returns whether that was in time. For the runtime's own, uses what is available.
static bool take(sem_t *semaphore, uint64_t timeout, const void *caller, void *const *frame) {
    REAL(sem_trywait);
    mi_lock_step(mi_step_lock, semaphore, caller, frame);
    if (mi_scheduled_semaphore_value(semaphore) <= 0 && !HOOK(wait_for_semaphore)(semaphore, timeout)) return false;
    return ((int (*)(sem_t *))real)(semaphore) == 0;
}
static int timed_out(void) {
    errno = ETIMEDOUT;
    return -1;
}

EXPORTED sem_wait(sem_t *semaphore) {
    REAL(sem_wait);
    if (!mi_is_controlled(__builtin_return_address(0))) return ((int (*)(sem_t *))real)(semaphore);
    while (!take(semaphore, FOREVER, HERE)) {}
    return 0;
}
EXPORTED sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    REAL(sem_timedwait);
    if (!mi_is_controlled(__builtin_return_address(0)))
        return ((int (*)(sem_t *, const struct timespec *))real)(semaphore, until);
    return take(semaphore, mi_scheduled_time_of(until), HERE) ? 0 : timed_out();
}
EXPORTED sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    REAL(sem_clockwait);
    if (!mi_is_controlled(__builtin_return_address(0)))
        return ((int (*)(sem_t *, clockid_t, const struct timespec *))real)(semaphore, clock, until);
    return take(semaphore, mi_scheduled_time_of(until), HERE) ? 0 : timed_out();
}
EXPORTED sem_trywait(sem_t *semaphore) {
    REAL(sem_trywait);
    bool is_here = mi_is_controlled(__builtin_return_address(0));
    if (is_here) mi_lock_step(mi_step_try, semaphore, HERE);
    int error = ((int (*)(sem_t *))real)(semaphore), number = errno;
    if (is_here && error != 0) mi_lock_step(mi_step_poll, semaphore, HERE);
    errno = number;
    return error;
}
EXPORTED sem_post(sem_t *semaphore) {
    REAL(sem_post);
    int error = ((int (*)(sem_t *))real)(semaphore);
    if (mi_is_controlled(__builtin_return_address(0))) mi_lock_step(mi_step_signal, semaphore, HERE);
    return error;
}

// MARK: Barriers

EXPORTED pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
    REAL(pthread_barrier_init);
    mi_scheduled_note(barrier, count, NULL);
    return ((int (*)(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))real)(barrier, attributes, count);
}
EXPORTED pthread_barrier_wait(pthread_barrier_t *barrier) {
    REAL(pthread_barrier_wait);
    if (!mi_scheduled_is_here()) return ((int (*)(pthread_barrier_t *))real)(barrier);
    return HOOK(wait_at_barrier)(barrier) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// MARK: Globals

// Globals that are made on first use: a thread that waits inside would keep all others waiting for ever.

MI_ENTRY swift_once(void *predicate, mi_function function, void *context);

MI_ENTRY swift_once(void *predicate, mi_function function, void *context) {
    REAL(swift_once);
    void (*once)(void *, mi_function, void *) = (void (*)(void *, mi_function, void *))real;
    if (!mi_scheduled_is_here()) return once(predicate, function, context);
    HOOK(once_begin)(predicate);
    once(predicate, function, context);
    HOOK(once_end)(predicate);
}

EXPORTED pthread_once(pthread_once_t *control, void (*function)(void)) {
    REAL(pthread_once);
    int (*once)(pthread_once_t *, void (*)(void)) = (int (*)(pthread_once_t *, void (*)(void)))real;
    if (!mi_scheduled_is_here()) return once(control, function);
    HOOK(once_begin)(control);
    int error = once(control, function);
    HOOK(once_end)(control);
    return error;
}
#endif

#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "Entries.h"

// Locks: taking and releasing one of the program's is a step, and a work item that waits for one lets others run, since one of
// them has it. The runtime's own locks are no steps.

#define FOREVER (~0ull)
#define HERE __builtin_return_address(0), (void *const *)__builtin_frame_address(0)

#define TAKES(name, type, how) \
    EXPORTED name(type *lock) { \
        REAL(name); \
        if (!mi_scheduled_is_here()) return ((int (*)(type *))real)(lock); \
        mi_lock_wait(mi_step_lock, (const void *)lock, how, FOREVER, HERE); \
        int error = ((int (*)(type *))real)(lock); \
        if (error == 0) mi_lock_taken((const void *)lock, how); \
        return error; \
    }
#define TRIES(name, type, how) \
    EXPORTED name(type *lock) { \
        REAL(name); \
        if (mi_scheduled_is_here()) mi_lock_step(mi_step_try, (const void *)lock, HERE); \
        int error = ((int (*)(type *))real)(lock); \
        if (!mi_scheduled_is_here()) return error; \
        if (error == 0) mi_lock_taken((const void *)lock, how); \
        else mi_lock_step(mi_step_poll, (const void *)lock, HERE); \
        return error; \
    }
#define GIVES(name, type) \
    EXPORTED name(type *lock) { \
        REAL(name); \
        if (!mi_scheduled_is_here()) return ((int (*)(type *))real)(lock); \
        mi_lock_given((const void *)lock); \
        int error = ((int (*)(type *))real)(lock); \
        mi_lock_step(mi_step_unlock, (const void *)lock, HERE); \
        return error; \
    }
// It is free once the wait is over: the C library's own call never reads its clock.
#define TAKES_IN_TIME(name, type, how) \
    EXPORTED name(type *lock, const struct timespec *until) { \
        REAL(name); \
        if (!mi_scheduled_is_here()) return ((int (*)(type *, const struct timespec *))real)(lock, until); \
        if (!mi_lock_wait(mi_step_lock, (const void *)lock, how, mi_scheduled_time_of(until), HERE)) return ETIMEDOUT; \
        int error = ((int (*)(type *, const struct timespec *))real)(lock, until); \
        if (error == 0) mi_lock_taken((const void *)lock, how); \
        return error; \
    }
#define TAKES_IN_TIME_OF(name, type, how) \
    EXPORTED name(type *lock, clockid_t clock, const struct timespec *until) { \
        REAL(name); \
        if (!mi_scheduled_is_here()) return ((int (*)(type *, clockid_t, const struct timespec *))real)(lock, clock, until); \
        if (!mi_lock_wait(mi_step_lock, (const void *)lock, how, mi_scheduled_time_of(until), HERE)) return ETIMEDOUT; \
        int error = ((int (*)(type *, clockid_t, const struct timespec *))real)(lock, clock, until); \
        if (error == 0) mi_lock_taken((const void *)lock, how); \
        return error; \
    }

/// A plain mutex that its own thread takes again stays locked for ever; other kinds in the C library return at once.
static uint32_t how_of(const pthread_mutex_t *mutex) {
#if defined(__GLIBC__)
    int kind = mutex->__data.__kind & 3;
    return kind == PTHREAD_MUTEX_TIMED_NP || kind == PTHREAD_MUTEX_ADAPTIVE_NP ? mi_lock_once : 0;
#else
    (void)mutex;
    return 0;
#endif
}

TAKES(pthread_mutex_lock, pthread_mutex_t, how_of(lock))
TRIES(pthread_mutex_trylock, pthread_mutex_t, 0)
TAKES_IN_TIME(pthread_mutex_timedlock, pthread_mutex_t, how_of(lock))
TAKES_IN_TIME_OF(pthread_mutex_clocklock, pthread_mutex_t, how_of(lock))
GIVES(pthread_mutex_unlock, pthread_mutex_t)

TAKES(pthread_rwlock_rdlock, pthread_rwlock_t, mi_lock_shared)
TRIES(pthread_rwlock_tryrdlock, pthread_rwlock_t, mi_lock_shared)
TAKES_IN_TIME(pthread_rwlock_timedrdlock, pthread_rwlock_t, mi_lock_shared)
TAKES_IN_TIME_OF(pthread_rwlock_clockrdlock, pthread_rwlock_t, mi_lock_shared)
TAKES(pthread_rwlock_wrlock, pthread_rwlock_t, mi_lock_once)
TRIES(pthread_rwlock_trywrlock, pthread_rwlock_t, 0)
TAKES_IN_TIME(pthread_rwlock_timedwrlock, pthread_rwlock_t, mi_lock_once)
TAKES_IN_TIME_OF(pthread_rwlock_clockwrlock, pthread_rwlock_t, mi_lock_once)
GIVES(pthread_rwlock_unlock, pthread_rwlock_t)

TAKES(pthread_spin_lock, pthread_spinlock_t, mi_lock_once)
TRIES(pthread_spin_trylock, pthread_spinlock_t, 0)
GIVES(pthread_spin_unlock, pthread_spinlock_t)

// MARK: Swift's Mutex

// Code that is compiled into the caller takes a free one. Only a caller that finds it taken comes here.

SWIFTCALL MI_ENTRY mutex_lock(uint32_t thread, SWIFT_SELF _Atomic(uint32_t) *word)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFTCALL MI_ENTRY_OF(bool) mutex_try(SWIFT_SELF _Atomic(uint32_t) *word)
    __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");

SWIFTCALL MI_ENTRY mutex_lock(uint32_t thread, SWIFT_SELF _Atomic(uint32_t) *word) {
    REAL_OF(mutex_lock, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    while (mi_scheduled_is_here()) {
        uint32_t holder = 0;
        if (atomic_compare_exchange_strong(word, &holder, thread)) return;
        holder &= 0x3FFFFFFF;
        // Taking one's own is an error; threads outside the schedule are waited for in the kernel.
        if (holder == thread || !mi_scheduled_thread_of(holder)) break;
        HOOK(wait_for_lock)((void *)word, mi_lock_of_swift, FOREVER);
    }
    ((SWIFTCALL void (*)(uint32_t, SWIFT_SELF void *))real)(thread, (void *)word);
}

SWIFTCALL MI_ENTRY_OF(bool) mutex_try(SWIFT_SELF _Atomic(uint32_t) *word) {
    REAL_OF(mutex_try, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool is_taken = ((SWIFTCALL bool (*)(SWIFT_SELF void *))real)((void *)word);
    if (!is_taken && mi_scheduled_is_here()) mi_lock_step(mi_step_poll, (const void *)word, HERE);
    return is_taken;
}
#endif

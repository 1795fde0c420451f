#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "Entries.h"

// Virtual time: on a controlled thread all clocks show the time of the schedule.

static _Atomic(uint64_t) mi_scheduled_now;
uint64_t mi_scheduled_time(void) { return atomic_load_explicit(&mi_scheduled_now, memory_order_relaxed); }
void mi_scheduled_set_time(uint64_t time) { atomic_store_explicit(&mi_scheduled_now, time, memory_order_relaxed); }

#define second 1000000000ull
/// The time at which every schedule begins, for clocks that count from the system's start, and the time of day.
static const uint64_t uptime_at_begin = 1000 * second, day_at_begin = 1700000000 * second;

static uint64_t shown(bool is_time_of_day) {
    return (is_time_of_day ? day_at_begin : uptime_at_begin) + atomic_load_explicit(&mi_scheduled_now, memory_order_relaxed);
}

EXPORTED clock_gettime(clockid_t clock, struct timespec *time) {
    REAL(clock_gettime);
    bool is_time_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    bool is_uptime = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME ||
        clock == CLOCK_MONOTONIC_COARSE;
    bool is_processor_time = clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_PROCESS_CPUTIME_ID;
    // libdispatch's own clocks too. No work uses processor time.
    if (mi_scheduled_is_here() && (is_time_of_day || is_uptime || is_processor_time)) {
        uint64_t now = is_processor_time ? 0 : shown(is_time_of_day);
        *time = (struct timespec){(time_t)(now / second), (long)(now % second)};
        return 0;
    }
    return ((int (*)(clockid_t, struct timespec *))real)(clock, time);
}

MI_ENTRY_OF(time_t) time(time_t *result) {
    REAL(time);
    if (!mi_scheduled_is_here()) return ((time_t (*)(time_t *))real)(result);
    time_t now = (time_t)(shown(true) / second);
    if (result) *result = now;
    return now;
}

EXPORTED gettimeofday(struct timeval *time, void *zone) {
    REAL(gettimeofday);
    if (!mi_scheduled_is_here()) return ((int (*)(struct timeval *, void *))real)(time, zone);
    uint64_t now = shown(true);
    *time = (struct timeval){(time_t)(now / second), (suseconds_t)(now % second / 1000)};
    return 0;
}

// MARK: Sleeping

// libdispatch's own sleeps are short, and end when an uncontrolled thread acts.
static bool sleep_for(uint64_t duration, const void *caller) {
    if (!mi_is_controlled(caller)) return false;
    HOOK(sleep)(duration);
    return true;
}
#define SLEEPS_FOR(duration) sleep_for(duration, __builtin_return_address(0))
static uint64_t duration_of(const struct timespec *time) {
    return time->tv_sec >= 1ll << 33 ? ~0ull : (uint64_t)time->tv_sec * second + (uint64_t)time->tv_nsec;
}

EXPORTED nanosleep(const struct timespec *duration, struct timespec *left) {
    REAL(nanosleep);
    if (!SLEEPS_FOR(duration_of(duration))) return ((int (*)(const struct timespec *, struct timespec *))real)(duration, left);
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

EXPORTED clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    REAL(clock_nanosleep);
    bool is_here = mi_scheduled_is_here();
    uint64_t duration = !is_here ? 0 : flags & TIMER_ABSTIME ? mi_scheduled_until(mi_scheduled_time_of(time)) : duration_of(time);
    if (!SLEEPS_FOR(duration))
        return ((int (*)(clockid_t, int, const struct timespec *, struct timespec *))real)(clock, flags, time, left);
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

EXPORTED usleep(useconds_t duration) {
    REAL(usleep);
    return SLEEPS_FOR(duration * 1000ull) ? 0 : ((int (*)(useconds_t))real)(duration);
}

MI_ENTRY_OF(unsigned) sleep(unsigned duration) {
    REAL(sleep);
    return SLEEPS_FOR(duration * second) ? 0 : ((unsigned (*)(unsigned))real)(duration);
}

EXPORTED sched_yield(void) {
    REAL(sched_yield);
    if (!IS_HERE()) return ((int (*)(void))real)();
    HOOK(step)(mi_step_poll, __builtin_return_address(0));
    return 0;
}

// MARK: Times of others

// A time of libdispatch: positive since the system's start; otherwise, by the next bit, the negated time of day, or the time
// since the system's start including sleep.
uint64_t mi_scheduled_until(uint64_t when) {
    if (when == ~0ull) return ~0ull;
    const uint64_t not_uptime = 1ull << 63, time_of_day = 1ull << 62;
    uint64_t then = when, now = shown(false);
    if (when & not_uptime && when & time_of_day) then = 0 - when, now = shown(true);
    else if (when & not_uptime) then = when & ~not_uptime;
    return then > now ? then - now : 0;
}

// A time of day is so much larger that it cannot be mistaken for a time since the system's start.
uint64_t mi_scheduled_time_of(const struct timespec *time) {
    if (time->tv_sec >= 1ll << 32) return ~0ull;
    uint64_t nanoseconds = (uint64_t)time->tv_sec * second + (uint64_t)time->tv_nsec;
    return nanoseconds >= day_at_begin / 2 ? 0 - nanoseconds : nanoseconds;
}
#endif

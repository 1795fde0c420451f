#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

#include "Entries.h"

// Virtual time: on a controlled thread all clocks show the time of the schedule.

static _Atomic(uint64_t) mi_scheduled_now;
uint64_t mi_scheduled_time(void) { return atomic_load_explicit(&mi_scheduled_now, memory_order_relaxed); }
void mi_scheduled_set_time(uint64_t time) { atomic_store_explicit(&mi_scheduled_now, time, memory_order_relaxed); }

#define second 1000000000ull
/// The moment at which every schedule begins, for clocks that count from the system's start, and the time of day.
static const uint64_t uptime_at_begin = 1000 * second, day_at_begin = 1700000000 * second;

static uint64_t shown(bool is_time_of_day) {
    return (is_time_of_day ? day_at_begin : uptime_at_begin) + atomic_load_explicit(&mi_scheduled_now, memory_order_relaxed);
}

EXPORTED clock_gettime(clockid_t clock, struct timespec *time) {
    REAL(clock_gettime);
    bool is_time_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    bool is_uptime = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME ||
        clock == CLOCK_MONOTONIC_COARSE;
    // libdispatch's own clocks too.
    if (mi_scheduled_is_here() && (is_time_of_day || is_uptime)) {
        uint64_t now = shown(is_time_of_day);
        *time = (struct timespec){(time_t)(now / second), (long)(now % second)};
        return 0;
    }
    return ((int (*)(clockid_t, struct timespec *))real)(clock, time);
}

// A time of libdispatch's: positive since the system's start; else, by the next bit, the time of day negated, or since the
// system's start, time asleep included.
uint64_t mi_scheduled_until(uint64_t when) {
    if (when == ~0ull) return ~0ull;
    const uint64_t not_uptime = 1ull << 63, time_of_day = 1ull << 62;
    uint64_t then = when, now = shown(false);
    if (when & not_uptime && when & time_of_day) then = 0 - when, now = shown(true);
    else if (when & not_uptime) then = when & ~not_uptime;
    return then > now ? then - now : 0;
}

// A time of day is so much later that it cannot be taken for a time since the system's start.
uint64_t mi_scheduled_time_of(const struct timespec *time) {
    uint64_t nanoseconds = (uint64_t)time->tv_sec * second + (uint64_t)time->tv_nsec;
    return nanoseconds >= day_at_begin / 2 ? 0 - nanoseconds : nanoseconds;
}
#endif

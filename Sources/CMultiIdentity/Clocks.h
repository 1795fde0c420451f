// The processor's counter, and the system's clocks.
#ifndef MI_CLOCKS_H
#define MI_CLOCKS_H

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// The time of a clock in nanoseconds; 0 if there is no such clock.
uint64_t mi_clock_time(clockid_t clock);

/// Constant once the counter was looked for.
struct mi_tick {
    bool is_of_processor;
    double nanoseconds;
    /// The ticks of a millisecond, and of a second.
    uint64_t in_millisecond, in_second;
    /// The binary logarithm of the ticks of one to two microseconds.
    uint32_t logarithm;
};
extern struct mi_tick mi_tick __attribute__((visibility("hidden")));

/// Measures the counter, if it is constant on this processor.
void mi_find_counter(void);

static inline uint64_t mi_counter(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

/// The counter, or the nanoseconds of a clock instead.
static inline uint64_t mi_ticks(void) {
    return mi_tick.is_of_processor ? mi_counter() : mi_clock_time(CLOCK_MONOTONIC);
}

#endif

#include "Clocks.h"
#include "CMultiIdentity.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t mi_clock_time(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int64_t mi_seconds_since_1970(void) { return (int64_t)time(NULL); }

int64_t mi_continuous_nanoseconds(void) {
#if defined(__linux__)
    return (int64_t)mi_clock_time(CLOCK_BOOTTIME);
#else
    return (int64_t)mi_clock_time(CLOCK_MONOTONIC);
#endif
}

uint64_t mi_thread_cpu_nanoseconds(void) { return mi_clock_time(CLOCK_THREAD_CPUTIME_ID); }

struct mi_tick mi_tick = {false, 1, 1000000, 1000000000, 10};

void mi_find_counter(void) {
    double nanoseconds = 0;
#if defined(__x86_64__)
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1 << 8)) return;  // it may stand still, or change its speed
    uint64_t began = mi_clock_time(CLOCK_MONOTONIC), count = mi_counter(), now = began;
    // Not for ever: under a schedule the clock stands still.
    for (int reads = 0; now - began < 1000000 && reads < 1000000; reads++) now = mi_clock_time(CLOCK_MONOTONIC);
    uint64_t counted = mi_counter() - count;
    if (counted < 1000 || now - began < 1000000) return;
    nanoseconds = (double)(now - began) / (double)counted;
#elif defined(__aarch64__)
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    if (frequency >= 1000000) nanoseconds = 1e9 / (double)frequency;
#endif
    if (nanoseconds == 0) return;
    uint32_t logarithm = 0;
    while (nanoseconds * (double)(2ull << logarithm) < 2000) logarithm++;
    mi_tick = (struct mi_tick){true, nanoseconds, (uint64_t)(1e6 / nanoseconds), (uint64_t)(1e9 / nanoseconds), logarithm};
}

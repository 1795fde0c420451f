#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Entries.h"

// The random values of a process, which differ between two runs of one schedule: the seed of hashes, and random numbers.

static const char deterministic[] = "SWIFT_DETERMINISTIC_HASHING";
bool mi_scheduling_hashes_alike(void) { return getenv(deterministic) != NULL; }

// If this is part of a library, it must not restart the program.
static bool is_in_program(void) {
    Dl_info info;
    return dladdr(deterministic, &info) && (uintptr_t)info.dli_fbase == (getauxval(AT_PHDR) & ~4095ul);
}

// The runtime reads the variable before this runs, and an existing set cannot be read with another seed: so the program
// restarts before its main has begun.
__attribute__((constructor)) static void start_again(int count, char **arguments) {
    char path[PATH_MAX];
    (void)count;
    if (mi_scheduling_hashes_alike() || !is_in_program()) return;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || setenv(deterministic, "1", 1) != 0) return;
    path[length] = 0;
    execv(path, arguments);
    unsetenv(deterministic);
}

// Used by the thread that holds the token.
static uint64_t drawn;
void mi_scheduled_draw_anew(void) { drawn = 0; }

// SplitMix64 (Steele, Lea and Flood, 2014): each schedule draws the same numbers.
static long draw(void *buffer, size_t count) {
    for (size_t done = 0, length; done < count; done += length) {
        uint64_t mixed = drawn += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        mixed ^= mixed >> 31;
        length = count - done < sizeof mixed ? count - done : sizeof mixed;
        memcpy((char *)buffer + done, &mixed, length);
    }
    return (long)count;
}

MI_ENTRY_OF(ssize_t) getrandom(void *buffer, size_t count, unsigned flags) {
    REAL(getrandom);
    if (mi_scheduled_is_here()) return draw(buffer, count);
    return ((ssize_t (*)(void *, size_t, unsigned))real)(buffer, count, flags);
}

// Swift's SystemRandomNumberGenerator calls the kernel itself. No call has more than six arguments; missing ones are
// read from registers anyway, as the C library does.
MI_ENTRY_OF(long) syscall(long number, ...) {
    REAL(syscall);
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom && mi_scheduled_is_here()) return draw((void *)a, (size_t)b);
    return ((long (*)(long, ...))real)(number, a, b, c, d, e, f);
}
#endif

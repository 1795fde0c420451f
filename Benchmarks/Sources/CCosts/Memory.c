#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "CCosts.h"

// glibc lets a program define these for all its libraries, and keeps its own under these names. A sanitizer has taken
// them already.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_bool counts;
static atomic_long allocations;

// Threads that are timed share no line of the cache because of this: nothing is counted until somebody asks.
static void count_one(void) {
    if (atomic_load_explicit(&counts, memory_order_relaxed))
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    count_one();
    return __libc_realloc(memory, size);
}

long allocation_count(void) {
    atomic_store_explicit(&counts, true, memory_order_relaxed);
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}

long bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
#else
long allocation_count(void) { return -1; }
long bytes_in_use(void) { return -1; }
#endif

int64_t peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return usage.ru_maxrss;
#else
    return (int64_t)usage.ru_maxrss * 1024;
#endif
}

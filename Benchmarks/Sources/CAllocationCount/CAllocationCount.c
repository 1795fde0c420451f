#include "CAllocationCount.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

// glibc lets a program define these for all its libraries, and keeps its own under these names. A sanitizer has taken
// them already.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_long allocations;

static void count_one(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

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

long allocation_count(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }
#else
long allocation_count(void) { return -1; }
#endif

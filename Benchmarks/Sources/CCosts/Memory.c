#include <sys/resource.h>

#include "CCosts.h"

#ifdef __GLIBC__
#include <malloc.h>

long bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
#else
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

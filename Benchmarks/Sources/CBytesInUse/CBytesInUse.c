#include "CBytesInUse.h"

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

long bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
#else
long bytes_in_use(void) { return -1; }
#endif

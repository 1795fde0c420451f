#define _GNU_SOURCE

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CCosts.h"

// The program's own definitions come before the C library's.

static atomic_bool pauses, holds, skips;

void wipe_pause_set(bool wanted) { atomic_store(&pauses, wanted); }

bool wipe_pause_holds(void) { return atomic_load(&holds); }

void sync_skip_set(bool wanted) { atomic_store(&skips, wanted); }

static void rest(long microseconds) {
    struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (nanosleep(&left, &left) != 0) {}
}

// Here only a wipe that yields calls it.
int usleep(useconds_t microseconds) {
    rest(microseconds);
    while (atomic_load(&pauses)) {
        atomic_store(&holds, true);
        rest(1000);
    }
    atomic_store(&holds, false);
    return 0;
}

#ifdef __linux__
int fsync(int file) { return atomic_load(&skips) ? 0 : (int)syscall(SYS_fsync, file); }

int fdatasync(int file) { return atomic_load(&skips) ? 0 : (int)syscall(SYS_fdatasync, file); }
#endif

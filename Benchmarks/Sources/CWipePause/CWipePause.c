#include "CWipePause.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_bool pauses, holds;

void wipe_pause_set(bool wanted) { atomic_store(&pauses, wanted); }

bool wipe_pause_holds(void) { return atomic_load(&holds); }

static void rest(long microseconds) {
    struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (nanosleep(&left, &left) != 0) {}
}

// The program's own definition comes before the C library's. A wipe that yields is the only one here that calls it.
int usleep(useconds_t microseconds) {
    rest(microseconds);
    while (atomic_load(&pauses)) {
        atomic_store(&holds, true);
        rest(1000);
    }
    atomic_store(&holds, false);
    return 0;
}

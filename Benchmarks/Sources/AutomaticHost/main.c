// Opens a library with automatic mode while threads run, and counts the identities of the work that they hand over in it.
//
// Usage: automatic-host LIBRARY [dispatch] [close]
// `dispatch` loads Swift's Dispatch first, as in a program that is linked with it; `close` closes the library before the
// threads and the workers of its queues end.
// Exit status: 0 if no work ran as another, and none was lost.
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { thread_count = 8, pieces_each = 2000 };

static int32_t (*hand_over)(const char *name);
static _Atomic(int) begun, done;
static _Atomic(bool) is_opened, may_end;
static _Atomic(long) found[4];

static void *work(void *number) {
    char name[32];
    snprintf(name, sizeof name, "user-%ld", (long)number);
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&is_opened)) sched_yield();
    for (int piece = 0; piece < pieces_each; piece++) atomic_fetch_add(&found[hand_over(name) & 3], 1);
    atomic_fetch_add(&done, 1);
    while (!atomic_load(&may_end)) sched_yield();
    return NULL;
}

static void *or_exit(void *found) {
    if (found) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
}

int main(int argc, char **argv) {
    bool closes = false;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "dispatch") == 0) or_exit(dlopen("libswiftDispatch.so", RTLD_NOW | RTLD_LOCAL));
        closes |= strcmp(argv[i], "close") == 0;
    }
    if (argc < 2) return 2;
    pthread_t threads[thread_count];
    for (long i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i)) return 2;
    while (atomic_load(&begun) < thread_count) sched_yield();

    void *library = or_exit(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
    int32_t (*status)(void) = (__typeof__(status))or_exit(dlsym(library, "plugin_status"));
    hand_over = (__typeof__(hand_over))or_exit(dlsym(library, "plugin_hand_over"));
    static const char *const statuses[] = {"active", "off", "refused"};
    printf("status: %s\n", statuses[status()]);
    atomic_store(&is_opened, true);

    while (atomic_load(&done) < thread_count) sched_yield();
    if (closes) printf("closed: %s\n", dlclose(library) == 0 ? "yes" : dlerror());
    atomic_store(&may_end, true);
    for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
    printf("own: %ld, none: %ld, another: %ld, lost: %ld\n", found[0], found[1], found[2], found[3]);
    return found[2] == 0 && found[3] == 0 ? 0 : 1;
}

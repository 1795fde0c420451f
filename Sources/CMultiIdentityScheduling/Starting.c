#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "Entries.h"

// Threads that the program starts itself: each is a work item on its own thread, and begins when the schedule says so.

typedef void *(*thread_body)(void *);
struct started {
    struct mi_scheduled_thread *place;
    thread_body body;
    void *context;
    int rounds_left;
};

static pthread_key_t end;
static pthread_once_t is_prepared = PTHREAD_ONCE_INIT;

// A thread has ended once its thread-local data are gone, which may hand work over too: so this runs in the last round but
// one. Data that others set again in the last round belong to users of the C library.
static void end_of_thread(void *memory) {
    struct started *started = memory;
    if (--started->rounds_left > 0 && pthread_setspecific(end, started) == 0) return;
    struct mi_scheduled_thread *place = started->place;
    free(started);
    mi_scheduled_thread_forgotten();
    HOOK(thread_ended)();
    mi_scheduled_set_here(0);
    mi_scheduled_place_free(place);
}
static void prepare(void) {
    if (pthread_key_create(&end, end_of_thread) != 0) abort();
}

static void *begin(void *memory) {
    struct started *started = memory;
    mi_scheduled_thread_wait(started->place);
    pthread_setspecific(end, started);
    mi_scheduled_set_here(HOOK(thread_begun)());
    mi_scheduled_thread_known();
    return started->body(started->context);
}

typedef int (*create)(pthread_t *, const pthread_attr_t *, thread_body, void *);
EXPORTED pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_body body, void *context) {
    REAL(pthread_create);
    // libdispatch's own threads are not work items of the program.
    if (!IS_HERE()) return ((create)real)(thread, attributes, body, context);
    pthread_once(&is_prepared, prepare);
    struct started *started = malloc(sizeof *started);
    if (!started) return EAGAIN;
    *started = (struct started){mi_scheduled_place_make(), body, context, PTHREAD_DESTRUCTOR_ITERATIONS - 1};
    int error = ((create)real)(thread, attributes, begin, started);
    if (error != 0) {
        mi_scheduled_place_free(started->place);
        free(started);
        return error;
    }
    HOOK(thread_started)(started->place, (uintptr_t)*thread);
    return 0;
}

EXPORTED pthread_join(pthread_t thread, void **result) {
    REAL(pthread_join);
    if (IS_HERE()) HOOK(thread_join)((uintptr_t)thread);
    return ((int (*)(pthread_t, void **))real)(thread, result);
}
#endif

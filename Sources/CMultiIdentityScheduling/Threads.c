#if defined(__linux__)
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "Entries.h"

// Threads that take turns: one goes on, all others wait, each at a place of its own.

_Thread_local uint32_t mi_scheduled_here;

struct mi_scheduled_thread {
    sem_t turn;
    void (*body)(void *);
    void *context;
};

struct mi_scheduled_thread *mi_scheduled_place_make(void) {
    struct mi_scheduled_thread *place = calloc(1, sizeof *place);
    if (!place || sem_init(&place->turn, 0, 0) != 0) abort();
    return place;
}

void mi_scheduled_place_free(struct mi_scheduled_thread *place) {
    sem_destroy(&place->turn);
    free(place);
}

void mi_scheduled_thread_go(struct mi_scheduled_thread *thread) { sem_post(&thread->turn); }

void mi_scheduled_thread_wait(struct mi_scheduled_thread *thread) {
    while (sem_wait(&thread->turn) != 0) {}
}

// By the real clock: this thread is not controlled.
bool mi_scheduled_place_wait(struct mi_scheduled_thread *place, uint32_t milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
    for (;;) {
        if (sem_timedwait(&place->turn, &end) == 0) return true;
        if (errno == ETIMEDOUT) return false;
    }
}

static void *begin(void *memory) {
    struct mi_scheduled_thread *thread = memory;
    mi_scheduled_thread_wait(thread);
    thread->body(thread->context);
    return NULL;
}

struct mi_scheduled_thread *mi_scheduled_thread_start(void (*body)(void *), void *context) {
    struct mi_scheduled_thread *thread = mi_scheduled_place_make();
    thread->body = body;
    thread->context = context;
    pthread_t id;
    // No thread of the program's.
    uint32_t here = mi_scheduled_here;
    mi_scheduled_here = 0;
    int error = pthread_create(&id, NULL, begin, thread);
    mi_scheduled_here = here;
    if (error != 0) {
        mi_scheduled_place_free(thread);
        return NULL;
    }
    pthread_detach(id);
    return thread;
}
#endif

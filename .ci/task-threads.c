// Replaces Swift's default executor by TASK_THREADS threads without Dispatch, in any program that this library is preloaded
// into. As the program ends, it appends the number of jobs that ran on these threads to the file TASK_THREADS_COUNT.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SWIFTCALL __attribute__((swiftcall))
#define HOOK extern SWIFTCALL __attribute__((weak)) void

struct executor {
    void *identity;
    uintptr_t implementation;
};
HOOK swift_job_run(void *job, struct executor executor);
HOOK (*swift_task_enqueueGlobal_hook)(void *job, void *original);
HOOK (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, void *original);
HOOK (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance, long long tolerance_nanoseconds, int clock, void *job, void *original
);

// A heap: each job runs no later than the two below it, those that are due at once in the order of their arrival.
struct waiting {
    long long due, number;
    void *job;
};
static struct waiting *heap;
static size_t count, capacity;
static long long arrived, ran;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static bool is_before(struct waiting one, struct waiting other) {
    return one.due != other.due ? one.due < other.due : one.number < other.number;
}

static void enqueue_at(long long due, void *job) {
    pthread_mutex_lock(&mutex);
    if (count == capacity && !(heap = realloc(heap, (capacity = capacity * 2 + 64) * sizeof *heap))) abort();
    struct waiting added = {due, arrived++, job};
    size_t place = count++;
    for (; place > 0 && is_before(added, heap[(place - 1) / 2]); place = (place - 1) / 2) heap[place] = heap[(place - 1) / 2];
    heap[place] = added;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *first(void) {
    struct waiting last = heap[--count];
    void *job = heap[0].job;
    size_t place = 0;
    for (size_t next; (next = 2 * place + 1) < count; place = next) {
        if (next + 1 < count && is_before(heap[next + 1], heap[next])) next++;
        if (!is_before(heap[next], last)) break;
        heap[place] = heap[next];
    }
    heap[place] = last;
    return job;
}

static void *run_for_ever(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;) {
        if (count == 0) {
            pthread_cond_wait(&changed, &mutex);
        } else if (heap[0].due > now(CLOCK_MONOTONIC)) {
            struct timespec until = {heap[0].due / 1000000000, heap[0].due % 1000000000};
            pthread_cond_timedwait(&changed, &mutex, &until);
        } else {
            void *job = first();
            ran++;
            if (count > 0) pthread_cond_signal(&changed);
            pthread_mutex_unlock(&mutex);
            swift_job_run(job, (struct executor){0, 0});
            pthread_mutex_lock(&mutex);
        }
    }
    return unused;
}

static SWIFTCALL void enqueue(void *job, void *original) { enqueue_at(0, job); }

static SWIFTCALL void enqueue_later(unsigned long long delay, void *job, void *original) {
    enqueue_at(now(CLOCK_MONOTONIC) + (long long)delay, job);
}

static SWIFTCALL void enqueue_until(
    long long seconds, long long nanoseconds, long long tolerance, long long tolerance_nanoseconds, int clock, void *job, void *original
) {
    // Swift's continuous clock counts while the system sleeps.
    long long left = seconds * 1000000000 + nanoseconds - now(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC);
    enqueue_at(left > 0 ? now(CLOCK_MONOTONIC) + left : 0, job);
}

// A program without tasks, such as one that a test starts, has no hook.
static bool is_here(void) { return &swift_task_enqueueGlobal_hook != NULL && getenv("TASK_THREADS"); }

__attribute__((constructor)) static void begin(void) {
    if (!is_here()) return;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_later;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_until;
    for (int left = atoi(getenv("TASK_THREADS")); left > 0; left--) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_for_ever, NULL) != 0) abort();
    }
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("TASK_THREADS_COUNT");
    FILE *file = is_here() && path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%lld\n", ran);
    fclose(file);
}

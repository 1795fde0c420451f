#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CAutomaticProcess.h"

// Dispatch calls where no Swift code runs: before `main`, and between `fork` and `exec`.

void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
void *dispatch_queue_create(const char *label, void *attributes);
void dispatch_async_f(void *queue, void *context, void (*work)(void *context));
void dispatch_sync_f(void *queue, void *context, void (*work)(void *context));

static _Atomic(int32_t) ran_early;
static void *early_queue;

static void count(void *context) { atomic_fetch_add(&ran_early, 1); }

// Constructors without a priority, such as the product's, run after this one.
__attribute__((constructor(101))) static void dispatch_early(void) {
    early_queue = dispatch_queue_create("early", NULL);
    dispatch_async_f(early_queue, NULL, count);
    dispatch_sync_f(early_queue, NULL, count);
}

int32_t lifetime_ran_early(void) {
    dispatch_sync_f(early_queue, NULL, count);
    return atomic_load(&ran_early) - 1;
}

int32_t hops_fork(void (*hop)(void)) {
    pid_t child = fork();
    if (child == 0) {
        hop();
        exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int32_t lifetime_fork_and_run(const char *program, char *const *arguments) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        // Its other threads are gone, so only work on the current thread runs.
        dispatch_sync_f(dispatch_queue_create("child", NULL), NULL, count);
        execv(program, arguments);
        _exit(126);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

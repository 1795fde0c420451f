#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "Entries.h"

#if defined(__linux__)
// Jobs of Swift's concurrency: if they are enqueued on a controlled thread, they are steps of its schedule.

struct executor {
    void *identity;
    uintptr_t implementation;
};
SWIFTCALL void swift_job_run(void *job, struct executor executor);

typedef SWIFTCALL void (*enqueue)(void *job);
typedef SWIFTCALL void (*enqueue_later)(unsigned long long delay, void *job);
typedef SWIFTCALL void (*enqueue_at)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job
);
extern SWIFTCALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);
extern SWIFTCALL void (*swift_task_enqueueMainExecutor_hook)(void *job, enqueue original);
extern SWIFTCALL void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, enqueue_later original);
extern SWIFTCALL void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job,
    enqueue_at original
);

SWIFTCALL struct executor swift_task_getMainExecutor(void);

const char *mi_scheduling_environment(void) { return getenv("MULTI_IDENTITY_SCHEDULING"); }

static void run_main_job(void *job) { swift_job_run(job, swift_task_getMainExecutor()); }
static void run_job(void *job) { swift_job_run(job, (struct executor){0, 0}); }
struct mi_scheduled_work mi_scheduled_work_of_job(void *job, bool is_for_main) {
    return (struct mi_scheduled_work){is_for_main ? run_main_job : run_job, job, NULL, false};
}

static SWIFTCALL void global(void *job, enqueue original) {
    if (mi_is_left(job)) return;
    if (IS_HERE()) HOOK(enqueue)(job, 0, false);
    else original(job);
}

static SWIFTCALL void main_executor(void *job, enqueue original) {
    if (mi_is_left(job)) return;
    if (IS_HERE()) HOOK(enqueue)(job, 0, true);
    else original(job);
}

static SWIFTCALL void later(unsigned long long delay, void *job, enqueue_later original) {
    if (mi_is_left(job)) return;
    if (IS_HERE()) HOOK(enqueue)(job, delay, false);
    else original(delay, job);
}

static SWIFTCALL void at(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job,
    enqueue_at original
) {
    if (mi_is_left(job)) return;
    // Both Swift clocks count from the system's start.
    const long long second = 1000000000, latest = ~0ull >> 1;
    long long when = seconds > latest / second - 1 ? latest : seconds * second + nanoseconds;
    if (IS_HERE()) HOOK(enqueue)(job, mi_scheduled_until((uint64_t)(when < 0 ? 0 : when)), false);
    else original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
}

// A hook that has another owner is left to it: no schedule runs then.
#define TAKE(hook, own) if (!hook) hook = own
__attribute__((constructor)) static void take_hooks(void) {
    TAKE(swift_task_enqueueGlobal_hook, global);
    TAKE(swift_task_enqueueMainExecutor_hook, main_executor);
    TAKE(swift_task_enqueueGlobalWithDelay_hook, later);
    TAKE(swift_task_enqueueGlobalWithDeadline_hook, at);
}

static const char *file_of(const void *code) {
    Dl_info found;
    return dladdr(code, &found) && found.dli_fname ? found.dli_fname : "code without a file";
}
#define OWNER(hook, own) if (hook != own) return file_of((const void *)hook)
const char *mi_scheduling_other_owner(void) {
    OWNER(swift_task_enqueueGlobal_hook, global);
    OWNER(swift_task_enqueueMainExecutor_hook, main_executor);
    OWNER(swift_task_enqueueGlobalWithDelay_hook, later);
    OWNER(swift_task_enqueueGlobalWithDeadline_hook, at);
    return NULL;
}
#endif

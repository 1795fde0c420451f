#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>

#include "Entries.h"

// What a Swift task does without handing over a job: it hops to a free actor, makes a continuation, resumes one that is
// not awaited yet, or cancels. Each is a step before it happens; checking for cancellation is one afterwards.
//
// The runtime's own calls do not get here; calls that Swift compiles into a program do, and so do those that programs
// call in Swift's libraries.

/// The arguments of a Swift function that are passed on unchanged: all registers that can contain them.
#define ARGUMENTS void *a, void *b, void *c, void *d, void *e, void *f, SWIFT_SELF void *self
#define PASSED a, b, c, d, e, f, self
#define STEP(type, name, symbol, step) \
    SWIFTCALL MI_ENTRY_OF(type) name(ARGUMENTS) __asm__(symbol); \
    SWIFTCALL MI_ENTRY_OF(type) name(ARGUMENTS) { \
        REAL_OF(name, symbol); \
        if (IS_HERE()) HOOK(task_step)(step, NULL); \
        __attribute__((musttail)) return ((SWIFTCALL type (*)(ARGUMENTS))real)(PASSED); \
    }
STEP(void *, continuation_init, "swift_continuation_init", mi_step_continuation)
STEP(void, continuation_resume, "swift_continuation_resume", mi_step_resume)
STEP(void, continuation_throwing_resume, "swift_continuation_throwingResume", mi_step_resume)
STEP(void, continuation_throw, "swift_continuation_throwingResumeWithError", mi_step_resume)
STEP(void, checked_resume, "$sScC6resume9returningyxn_tF", mi_step_resume)
STEP(void, checked_throw, "$sScC6resume8throwingyq_n_tF", mi_step_resume)
STEP(void, cancel, "swift_task_cancel", mi_step_cancel)
STEP(void, task_cancel, "$sScT6cancelyyF", mi_step_cancel)

#define LOOK(name, symbol) \
    SWIFTCALL MI_ENTRY_OF(bool) name(ARGUMENTS) __asm__(symbol); \
    SWIFTCALL MI_ENTRY_OF(bool) name(ARGUMENTS) { \
        REAL_OF(name, symbol); \
        bool answer = ((SWIFTCALL bool (*)(ARGUMENTS))real)(PASSED); \
        if (IS_HERE()) HOOK(task_step)(mi_step_is_cancelled, NULL); \
        return answer; \
    }
LOOK(is_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")
LOOK(task_is_cancelled, "$sScT11isCancelledSbvg")

#define SWIFT_ERROR __attribute__((swift_error_result))
SWIFTCALL MI_ENTRY check_cancellation(SWIFT_SELF void *self, SWIFT_ERROR void **error)
    __asm__("$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
SWIFTCALL MI_ENTRY check_cancellation(SWIFT_SELF void *self, SWIFT_ERROR void **error) {
    REAL_OF(check_cancellation, "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
    ((SWIFTCALL void (*)(SWIFT_SELF void *, SWIFT_ERROR void **))real)(self, error);
    if (IS_HERE()) HOOK(task_step)(mi_step_is_cancelled, NULL);
}

#define SWIFTASYNCCALL __attribute__((swiftasynccall))
struct mi_executor {
    void *identity;
    uintptr_t implementation;
};
SWIFTCALL struct mi_executor swift_task_getCurrentExecutor(void);
typedef SWIFTASYNCCALL void (*task_switch)(
    __attribute__((swift_async_context)) void *context, void *resume, void *identity, uintptr_t implementation
);
SWIFTASYNCCALL MI_ENTRY swift_task_switch(
    __attribute__((swift_async_context)) void *context, void *resume, void *identity, uintptr_t implementation
);
SWIFTASYNCCALL MI_ENTRY swift_task_switch(
    __attribute__((swift_async_context)) void *context, void *resume, void *identity, uintptr_t implementation
) {
    REAL(swift_task_switch);
    // A hop to the current executor is no step.
    if (IS_HERE() && swift_task_getCurrentExecutor().identity != identity) HOOK(task_step)(mi_step_hop, NULL);
    __attribute__((musttail)) return ((task_switch)real)(context, resume, identity, implementation);
}

// With `Task.yield` a task polls: it hands over a job that resumes it.
SWIFTCALL void *swift_task_getCurrent(void);
SWIFTCALL uint64_t swift_task_getJobTaskId(void *task);
typedef SWIFTASYNCCALL void (*task_yield)(__attribute__((swift_async_context)) void *context);
SWIFTASYNCCALL MI_ENTRY yield_task(__attribute__((swift_async_context)) void *context)
    __asm__("$sScTss5NeverORszABRs_rlE5yieldyyYaFZ");
SWIFTASYNCCALL MI_ENTRY yield_task(__attribute__((swift_async_context)) void *context) {
    REAL_OF(yield_task, "$sScTss5NeverORszABRs_rlE5yieldyyYaFZ");
    // By its number: another task can get its address.
    if (IS_HERE()) HOOK(task_step)(mi_step_poll, (void *)(uintptr_t)swift_task_getJobTaskId(swift_task_getCurrent()));
    __attribute__((musttail)) return ((task_yield)real)(context);
}
#endif

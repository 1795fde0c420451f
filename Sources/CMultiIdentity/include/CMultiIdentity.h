// What Swift cannot express itself: thread-local storage, the runtime's own check for a running task,
// and annotations for the thread sanitizer.
#ifndef C_MULTI_IDENTITY_H
#define C_MULTI_IDENTITY_H

#include "Accounts.h"
#include "BoundList.h"
#include "Callers.h"
#include "Companions.h"
#include "Symbols.h"
#include "ThreadContext.h"
#include "Word.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// MARK: The thread

/// The state that the runtime keeps for each thread: all zero except `task` on an unused one.
struct mi_thread {
    /// The mirror: the task-local's value while no task runs on this thread (0: nothing bound).
    uintptr_t mirror;
    /// The number of `IdentityQueue.sync` bodies called from main code that run on this thread.
    uint32_t main_bodies;
    /// The value of the binding at the bottom of this thread's bindings, which is empty while no scope is open;
    /// it ends with the thread. Null: there is none.
    uintptr_t *_Nullable lasting;
    /// The bindings of companions above it, which last too; null: there are none.
    struct mi_lasting_companions *_Nullable companions;
    /// The address where Swift's runtime stores the task of this thread, found by automatic mode. Before that it is
    /// `mi_unknown_task`, so that a reader assumes a task and asks the runtime.
    void *_Nullable const *_Nonnull task;
    /// Not 0 while this library dispatches for itself, which automatic mode does not capture; `task` is `mi_unknown_task`
    /// meanwhile, so that only callers that ask the runtime check this.
    uint32_t dispatches_for_itself;
    /// The snapshot that triggered the handler that runs here: its bits and 1 (0: no handler, or not known).
    uintptr_t trigger;
    /// The task of the handler, for comparison: a task that it starts immediately on this thread is another one.
    uintptr_t trigger_task;
    /// The bits of the handler's own binding: if something else is bound, it is not the handler that runs (0: no trigger).
    uintptr_t trigger_binding;
    /// 0: not known yet; 1: this is the process's main thread; 2: it is not.
    uint32_t main_thread;
    /// True while a closure that reads or binds a companion runs here (`CompanionReading`).
    bool in_companions_closure;
    /// True once the end of this thread is observed (`mi_thread_watch_end`).
    bool end_is_watched;
    /// The system's number of this thread; 0: not known yet.
    uint64_t number;
    /// This thread's entry among those that run handed-over work (`InFlight.h`); null if it never ran recorded work.
    struct mi_in_flight *_Nullable in_flight;
    /// The limits for which this thread works (`WorkLimits`), and its processor time when it began to; null: there are none.
    void *_Nullable limits;
    uint64_t limits_since;
    /// The run of a task on this thread (`TaskRun`); null: none is known.
    void *_Nullable run;
};

/// How C code finds the record: the compiler's choice, unless a file defines another one before.
#ifndef MI_BY_OFFSET
#define MI_BY_OFFSET
#endif
extern MI_BY_OFFSET _Thread_local struct mi_thread mi_this_thread;

extern void *_Nullable const mi_unknown_task;

/// This thread's record; its address also identifies the thread.
static inline struct mi_thread *_Nonnull mi_thread_current(void) { return &mi_this_thread; }

/// Begins and ends a call that this library dispatches for itself on this thread: one at a time.
static inline void *_Nullable const *_Nonnull mi_dispatch_for_itself_begin(void) {
    struct mi_thread *thread = mi_thread_current();
    void *_Nullable const *task = thread->task;
    thread->task = &mi_unknown_task;
    thread->dispatches_for_itself++;
    return task;
}
static inline void mi_dispatch_for_itself_end(void *_Nullable const *_Nonnull task) {
    mi_thread_current()->task = task;
    mi_thread_current()->dispatches_for_itself--;
}

/// Asks the system, once per thread, whether this is the process's main thread.
bool mi_thread_ask_main(void);

static inline bool mi_thread_is_main(void) {
    uint32_t known = mi_this_thread.main_thread;
    return known ? known == 1 : mi_thread_ask_main();
}

/// The system's number of this thread, as debuggers show it.
uint64_t mi_thread_number(void);

/// Returns the CPU time that this thread has used, in nanoseconds.
uint64_t mi_thread_cpu_nanoseconds(void);

/// Returns the number of processors that are online, at least 1.
uint32_t mi_processor_count(void);

/// Writes to standard error.
void mi_write_error(const unsigned char *_Nullable text, intptr_t count);

/// The time of day, in seconds since 1970-01-01T00:00:00Z.
int64_t mi_seconds_since_1970(void);

/// The time of Swift's `ContinuousClock`, in nanoseconds since the system was started.
int64_t mi_continuous_nanoseconds(void);

// MARK: The task

/// The Swift runtime's entry: the task that runs on this thread, or null. Some 8 instructions;
/// `withUnsafeCurrentTask` takes some 550. Part of the runtime's stable ABI on Apple platforms.
__attribute__((swiftcall)) void *_Nullable swift_task_getCurrent(void);

/// The task that runs on this thread as a number, for comparison; 0 if none runs.
static inline uintptr_t mi_task_current(void) { return (uintptr_t)swift_task_getCurrent(); }

/// Returns whether a task runs on this thread.
static inline bool mi_task_runs(void) { return swift_task_getCurrent() != NULL; }

/// The runtime's entry behind `Task.isCancelled`, without the references that this takes.
__attribute__((swiftcall)) bool swift_task_isCancelled(void *_Nonnull task);

/// Returns whether a cancelled task runs on this thread.
static inline bool mi_task_is_cancelled(void) {
    void *task = swift_task_getCurrent();
    return task && swift_task_isCancelled(task);
}

/// The runtime's entries for the executor that runs this thread's task, empty if none does, and for the main actor's.
struct mi_executor {
    uintptr_t identity, implementation;
};
__attribute__((swiftcall)) struct mi_executor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) struct mi_executor swift_task_getMainExecutor(void);

/// Returns whether the main actor runs on this thread, which need not be the main thread or a main queue's worker.
static inline bool mi_main_actor_runs(void) {
    return swift_task_getCurrentExecutor().identity == swift_task_getMainExecutor().identity;
}

// MARK: The task-local

/// The runtime's entries behind `TaskLocal.withValue` and `TaskLocal.get`. Code that is compiled into clients calls them,
/// so they are as stable as the standard library. `push` takes the value over from its place.
__attribute__((swiftcall)) void
swift_task_localValuePush(const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type);
__attribute__((swiftcall)) void swift_task_localValuePop(void);
__attribute__((swiftcall)) const void *_Nullable swift_task_localValueGet(const void *_Nonnull key);

/// The task-local with the thread level, and the type of its value; null until something is bound for the first
/// time, and constant afterwards.
extern _Atomic(const void *) mi_bound_key;
extern const void *_Nullable mi_bound_type;
/// The bits of an empty snapshot, which are known as soon as the key is.
extern uintptr_t mi_bound_nothing;

static inline const void *_Nullable mi_bound_key_known(void) {
    return __c11_atomic_load(&mi_bound_key, __ATOMIC_ACQUIRE);
}
static inline bool mi_bound_is_known(void) { return mi_bound_key_known() != NULL; }
void mi_bound_make_known(const void *_Nonnull key, const void *_Nonnull type, uintptr_t nothing);

/// True if a binding's value can be replaced in place: a trial verifies that once.
extern _Atomic(bool) mi_bound_is_settable;
static inline bool mi_bound_can_be_set(void) { return __c11_atomic_load(&mi_bound_is_settable, __ATOMIC_RELAXED); }
static inline void mi_bound_make_settable(void) { __c11_atomic_store(&mi_bound_is_settable, true, __ATOMIC_RELAXED); }

/// Binds a snapshot of these bits, and takes over their reference.
// Not inline: in a Swift function its argument's place on the stack would be guarded.
void mi_bound_push(uintptr_t bits);

/// Ends the innermost binding.
static inline void mi_bound_pop(void) { swift_task_localValuePop(); }

/// Returns the address of the bits that are bound here; null if nothing ever was.
static inline const uintptr_t *_Nullable mi_bound_get(void) {
    const void *key = __c11_atomic_load(&mi_bound_key, __ATOMIC_ACQUIRE);
    return key ? (const uintptr_t *)swift_task_localValueGet(key) : NULL;
}

// MARK: Memory

/// Returns memory to be released with `free`; if there is none, the program stops, as in Swift.
static inline void *_Nonnull mi_allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) abort();
    return memory;
}

// MARK: The switch for rarely used features

/// Not 0 once any caller has custom levels, or wants binding sites recorded: a bit for each.
extern _Atomic(uint32_t) mi_frame_features;

/// The bit that is set from the start if the environment has `MULTI_IDENTITY_FAST_PATHS=off`.
#define MI_FAST_PATHS_OFF (1u << 8)

static inline uint32_t mi_frame_features_load(void) {
    return __c11_atomic_load(&mi_frame_features, __ATOMIC_RELAXED);
}
static inline bool mi_fast_paths_are_off(void) { return mi_frame_features_load() & MI_FAST_PATHS_OFF; }

/// The bit that is set from the start if the environment has `MULTI_IDENTITY_FAST_PATHS=untried`: every trial of the
/// internals of Swift's runtime and of libdispatch fails, as it may with a future version.
#define MI_TRIALS_FAIL (1u << 11)

static inline bool mi_trials_fail(void) { return mi_frame_features_load() & (MI_FAST_PATHS_OFF | MI_TRIALS_FAIL); }

/// The bit that is set from the start if others can copy all that is bound, and bind it on any thread: the mirror is not
/// used there, and no binding lasts.
#define MI_BINDINGS_ARE_COPIED (1u << 10)

static inline bool mi_bindings_are_copied(void) { return mi_frame_features_load() & MI_BINDINGS_ARE_COPIED; }
static inline bool mi_mirror_is_asked(void) {
    return !(mi_frame_features_load() & (MI_FAST_PATHS_OFF | MI_BINDINGS_ARE_COPIED));
}

/// The bit that is set while automatic mode lists plain hops.
#define MI_HOPS_ARE_LISTED (1u << 15)

/// Returns whether any library of this process has an entry of this name.
bool mi_has_entry(const char *_Nonnull name);
static inline void mi_frame_features_insert(uint32_t bits) {
    __c11_atomic_fetch_or(&mi_frame_features, bits, __ATOMIC_RELAXED);
}
static inline void mi_frame_features_remove(uint32_t bits) {
    __c11_atomic_fetch_and(&mi_frame_features, ~bits, __ATOMIC_RELAXED);
}

// MARK: Counters

/// The numbers of counted events, one column each, and of boundaries.
enum { mi_count_events = 4, mi_count_boundaries = 256 };

/// One thread's counts: written only by that thread, so that counting needs no locked instruction; read by any.
struct mi_counts {
    _Atomic(uint64_t) of[mi_count_boundaries][mi_count_events];
    struct mi_counts *_Nullable next;
};

extern _Thread_local struct mi_counts *_Nullable mi_this_threads_counts;

/// Makes this thread's counts; returns null if there is no memory, and then nothing is counted.
struct mi_counts *_Nullable mi_counts_make(void);

static inline void mi_count(uint8_t boundary, uint8_t event) {
    struct mi_counts *counts = mi_this_threads_counts;
    if (!counts && !(counts = mi_counts_make())) return;
    _Atomic(uint64_t) *count = &counts->of[boundary][event];
    uint64_t seen = __c11_atomic_load(count, __ATOMIC_RELAXED);
    __c11_atomic_store(count, seen + 1, __ATOMIC_RELAXED);
}

/// Counts at an address that several threads share.
static inline void mi_count_shared(uintptr_t count) {
    __c11_atomic_fetch_add((_Atomic(uint64_t) *)count, 1, __ATOMIC_RELAXED);
}

/// Sets the function that lists a read of the identity where none is bound, for automatic mode; and calls it.
typedef void (*mi_read_note)(void);
void mi_unbound_reads_note(mi_read_note _Nonnull note);
void mi_unbound_read(void);

/// Returns the count of all threads together, including ended ones.
uint64_t mi_counts_total(uint8_t boundary, uint8_t event);

// MARK: The layout of a Swift class, as the runtime itself reports it

/// The offset of the one stored property of `type` if it has exactly one and it is called `name`; otherwise 0.
uintptr_t mi_offset_of_only_field(const void *_Nonnull type, const char *_Nonnull name);

// MARK: The thread sanitizer

/// Reports to the thread sanitizer an order that it cannot see; does nothing in other builds.
void mi_tsan_acquire(void *_Nonnull address);
void mi_tsan_release(void *_Nonnull address);

#include "BlockLayout.h"
#include "InFlight.h"
#include "LastingBinding.h"
#include "WorkBlock.h"

#endif

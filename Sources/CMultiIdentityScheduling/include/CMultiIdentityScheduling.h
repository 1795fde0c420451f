#ifndef C_MULTI_IDENTITY_SCHEDULING_H
#define C_MULTI_IDENTITY_SCHEDULING_H

#include <stdbool.h>
#include <stdint.h>

// libdispatch's entry points, and the hooks of Swift's concurrency, as this library defines them, and their interface to Swift.
//
// A program that links it gets these definitions first, wherever a call comes from. On a thread that a schedule controls, a
// call becomes a step of the schedule; on any other thread libdispatch's own definition is called.

// MARK: Work

typedef void (*mi_scheduled_function)(void *_Nullable context);

/// Handed-over work: it runs once, and releases its captures.
struct mi_scheduled_work {
    mi_scheduled_function _Nonnull function;
    void *_Nullable context;
    /// The item of the work (`dispatch_block_create`), or null.
    struct mi_scheduled_item *_Nullable item;
    bool is_barrier;
};

/// A work item: libdispatch's own block around the program's block.
struct mi_scheduled_item {
    bool is_barrier;
    /// True once the work has run, or was cancelled before.
    bool has_run;
    /// The references to this record: the item's block, and what waits for its end.
    int32_t references;
    uint64_t made;
};
void mi_scheduled_item_retain(struct mi_scheduled_item *_Nonnull item);
void mi_scheduled_item_release(struct mi_scheduled_item *_Nonnull item);

/// Runs and releases a block.
void mi_scheduled_run_block(void *_Nullable block);

/// Calls a block, or releases it.
void mi_scheduled_call_block(void *_Nonnull block);
void mi_scheduled_release_block(void *_Nonnull block);

enum mi_scheduled_source_kind {
    mi_scheduled_source_timer,
    mi_scheduled_source_add,
    mi_scheduled_source_or,
    mi_scheduled_source_replace,
    mi_scheduled_source_other,
};
enum mi_scheduled_handler { mi_scheduled_handler_event, mi_scheduled_handler_cancel, mi_scheduled_handler_registration };

/// A thread that runs work items of a schedule, one thread at a time.
struct mi_scheduled_thread;

/// What a work item is about to do, or has done, where another one can run.
enum mi_scheduled_step {
    mi_step_lock,
    mi_step_try,
    mi_step_unlock,
    mi_step_signal,
    /// An access to an atomic value.
    mi_step_access,
    /// It has found nothing, and checks again later.
    mi_step_poll,
    mi_step_hop,
    mi_step_continuation,
    mi_step_resume,
    mi_step_cancel,
    mi_step_is_cancelled,
};

/// How a lock is taken: any combination of these.
enum mi_scheduled_how {
    mi_lock_shared = 1,
    /// Not again by the thread that has it.
    mi_lock_once = 2,
    /// Swift's `Mutex`.
    mi_lock_of_swift = 4,
};

// MARK: What Swift does on a controlled thread

struct mi_scheduling_hooks {
    void (*_Nonnull async)(void *_Nonnull queue, struct mi_scheduled_work work, void *_Nullable group);
    void (*_Nonnull sync)(void *_Nonnull queue, struct mi_scheduled_work work);
    void (*_Nonnull after)(uint64_t when, void *_Nonnull queue, struct mi_scheduled_work work);
    /// Runs an iteration `count` times; `iterate` takes the index.
    void (*_Nonnull apply)(
        uintptr_t count, void *_Nullable queue, void (*_Nonnull iterate)(void *_Nullable, uintptr_t), void *_Nullable context
    );
    void (*_Nonnull group_enter)(void *_Nonnull group);
    /// Returns false for a group that was not entered in the schedule.
    bool (*_Nonnull group_leave)(void *_Nonnull group);
    void (*_Nonnull group_notify)(void *_Nonnull group, void *_Nonnull queue, struct mi_scheduled_work work);
    /// Returns whether the group was empty in time.
    bool (*_Nonnull group_wait)(void *_Nonnull group, uint64_t timeout);
    /// Returns whether the semaphore was signalled in time.
    bool (*_Nonnull semaphore_wait)(void *_Nonnull semaphore, uint64_t timeout);
    void (*_Nonnull semaphore_signal)(void *_Nonnull semaphore);
    bool (*_Nonnull item_wait)(struct mi_scheduled_item *_Nonnull item, uint64_t timeout);
    void (*_Nonnull item_notify)(
        struct mi_scheduled_item *_Nonnull item, void *_Nonnull queue, struct mi_scheduled_work work
    );
    /// An item has run.
    void (*_Nonnull item_ended)(struct mi_scheduled_item *_Nonnull item);
    /// An item is cancelled, or its cancellation is checked.
    void (*_Nonnull item_cancelled)(struct mi_scheduled_item *_Nonnull item, bool is_asked);
    void (*_Nonnull set_target)(void *_Nonnull queue, void *_Nullable target);
    void (*_Nonnull suspend)(void *_Nonnull object);
    void (*_Nonnull resume)(void *_Nonnull object);
    void (*_Nonnull activate)(void *_Nonnull object);
    /// Returns the queue whose work runs here, `depth` targets up; null if there is none.
    void *_Nullable (*_Nonnull current_queue)(int32_t depth);
    /// Enqueues a job of Swift's concurrency, `delay` nanoseconds from now.
    void (*_Nonnull enqueue)(void *_Nonnull job, uint64_t delay, bool is_for_main);
    /// Lets others run when a task does something.
    void (*_Nonnull task_step)(enum mi_scheduled_step step, void *_Nullable task);
    /// Waits until no other thread makes this global, and then counts this thread as making it.
    void (*_Nonnull once_begin)(void *_Nonnull predicate);
    void (*_Nonnull once_end)(void *_Nonnull predicate);
    /// Lets others run before or after something is done with a lock, condition or semaphore.
    void (*_Nonnull step)(enum mi_scheduled_step step, void *_Nonnull object);
    /// Lets others run while one of them has the lock; returns whether it is free in time.
    bool (*_Nonnull wait_for_lock)(void *_Nonnull lock, uint32_t how, uint64_t timeout);
    /// Returns whether the condition was signalled before a time of libdispatch.
    bool (*_Nonnull wait_for_condition)(void *_Nonnull condition, uint64_t timeout);
    void (*_Nonnull signal_condition)(void *_Nonnull condition, bool wakes_all);
    /// Returns whether a semaphore of the C library has a positive value in time.
    bool (*_Nonnull wait_for_semaphore)(void *_Nonnull semaphore, uint64_t timeout);
    /// Returns whether this work item was the last to arrive.
    bool (*_Nonnull wait_at_barrier)(void *_Nonnull barrier);
    /// Lets others run for so many nanoseconds of virtual time.
    void (*_Nonnull sleep)(uint64_t duration);
    /// A work item ends the program with a signal.
    void (*_Nonnull crashed)(int32_t signal);
    /// Takes over a thread that the program has started, which waits for its start.
    void (*_Nonnull thread_started)(struct mi_scheduled_thread *_Nonnull thread, uintptr_t id);
    /// Returns the number for `mi_scheduled_here` of the thread that begins here.
    uint32_t (*_Nonnull thread_begun)(void);
    void (*_Nonnull thread_ended)(void);
    /// Lets others run until a thread has ended.
    void (*_Nonnull thread_join)(uintptr_t id);
    void (*_Nonnull source_created)(
        void *_Nonnull source, enum mi_scheduled_source_kind kind, void *_Nullable queue
    );
    // These return false for a source that the schedule does not know.
    bool (*_Nonnull source_set_timer)(void *_Nonnull source, uint64_t start, uint64_t interval);
    /// Takes the block over.
    bool (*_Nonnull source_set_handler)(
        void *_Nonnull source, enum mi_scheduled_handler which, void *_Nullable block
    );
    bool (*_Nonnull source_merge)(void *_Nonnull source, uintptr_t value);
    bool (*_Nonnull source_data)(void *_Nonnull source, uintptr_t *_Nonnull data);
    void (*_Nonnull source_cancel)(void *_Nonnull source);
    void (*_Nonnull retained)(void *_Nonnull object);
    void (*_Nonnull released)(void *_Nonnull object);
    /// Reports that a call is not controlled: the schedule ends with the call's name.
    void (*_Nonnull refuse)(const char *_Nonnull call);
};

/// Finds libdispatch's own entry points, and calls these hooks on controlled threads from now on; returns null, or the
/// name of a missing entry point.
const char *_Nullable mi_scheduling_prepare(const struct mi_scheduling_hooks *_Nonnull hooks);

/// Returns whether Swift's Dispatch calls the definitions of this library: not if the runtime is linked statically.
bool mi_scheduling_is_linked(void);
/// Returns the file whose code owns a hook of Swift's executors, where this library does not own all; otherwise null.
const char *_Nullable mi_scheduling_other_owner(void);
/// Returns whether the program was built with the thread sanitizer, whose own entry points bypass this library.
bool mi_scheduling_is_sanitized(void);

/// Returns whether hashes have the same seed in each process: the program restarts itself with
/// SWIFT_DETERMINISTIC_HASHING, unless that is set.
bool mi_scheduling_hashes_alike(void);
/// Resets the random numbers that the runtime draws on controlled threads: a schedule begins.
void mi_scheduled_draw_anew(void);

// MARK: Threads

/// Starts a thread that waits for its first token, and then runs `body`; returns null if there is none.
struct mi_scheduled_thread *_Nullable mi_scheduled_thread_start(
    void (*_Nonnull body)(void *_Nullable), void *_Nullable context
);
/// Wakes the thread where it waits.
void mi_scheduled_thread_go(struct mi_scheduled_thread *_Nonnull thread);
/// Waits on this thread, which must be the given one, until it is woken.
void mi_scheduled_thread_wait(struct mi_scheduled_thread *_Nonnull thread);

/// Makes a place where a thread that is not controlled waits.
struct mi_scheduled_thread *_Nonnull mi_scheduled_place_make(void);
void mi_scheduled_place_free(struct mi_scheduled_thread *_Nonnull place);
/// Waits at most so many milliseconds until it is woken; returns whether it was.
bool mi_scheduled_place_wait(struct mi_scheduled_thread *_Nonnull place, uint32_t milliseconds);

/// This thread's worker number plus 1; 0 on a thread that is not controlled.
extern _Thread_local uint32_t mi_scheduled_here;
static inline bool mi_scheduled_is_here(void) { return mi_scheduled_here != 0; }
static inline uint32_t mi_scheduled_get_here(void) { return mi_scheduled_here; }
static inline void mi_scheduled_set_here(uint32_t here) { mi_scheduled_here = here; }

/// Registers this thread under the system's number as its current worker, or removes it.
void mi_scheduled_thread_known(void);
void mi_scheduled_thread_forgotten(void);
/// Returns the `mi_scheduled_here` of a thread by the system's number; 0 for one that is not controlled.
uint32_t mi_scheduled_thread_of(uint32_t number);

// MARK: Locks

/// Returns whether no thread but this one has a lock; `mi_scheduled_here` identifies threads.
bool mi_scheduled_is_free(const void *_Nonnull lock, uint32_t thread, uint32_t how);
/// Returns the thread that keeps this one from taking a lock; 0 if there is none.
uint32_t mi_scheduled_holder(const void *_Nonnull lock, uint32_t thread, uint32_t how);
/// Forgets which thread has which lock, before a schedule begins.
void mi_scheduled_forget_locks(void);
/// Returns whether a controlled thread has taken or released a lock since the last call.
bool mi_scheduled_touched_locks(void);
int32_t mi_scheduled_semaphore_value(void *_Nonnull semaphore);

// MARK: Objects

/// Returns what is known of an object since it was made: 1 for a concurrent queue, 2 for an inactive concurrent queue, for a
/// semaphore its value; 0 if nothing is known.
int64_t mi_scheduled_known(const void *_Nonnull object);

/// Restarts the count of what is made in a schedule at 1: a schedule begins.
void mi_scheduled_count_anew(void);
/// Returns the schedule and the number of what this controlled thread makes now; 0 on any other thread.
uint64_t mi_scheduled_made_here(void);
uint32_t mi_scheduled_made_so_far(void);
/// Returns a number that is equal in all schedules with the same steps so far: for an object made in this schedule its number,
/// for any other its address.
uint64_t mi_scheduled_identity(uint64_t made, const void *_Nullable object);
uint64_t mi_scheduled_identity_of(const void *_Nonnull object);

void mi_scheduled_retain(void *_Nonnull object);
void mi_scheduled_release(void *_Nonnull object);
const char *_Nonnull mi_scheduled_label(void *_Nonnull queue);
/// The target that the queue was made with; null if there was none.
void *_Nullable mi_scheduled_made_with_target(const void *_Nonnull queue);
void *_Nonnull mi_scheduled_main_queue(void);

// MARK: Time

/// The time that controlled threads see: nanoseconds since the schedule began.
uint64_t mi_scheduled_time(void);
void mi_scheduled_set_time(uint64_t time);
/// Returns the nanoseconds of virtual time from now to a time of libdispatch; 0 for one that is past, and
/// `UINT64_MAX` for the end of time.
uint64_t mi_scheduled_until(uint64_t when);

/// Returns the work that runs a job of Swift's concurrency.
struct mi_scheduled_work mi_scheduled_work_of_job(void *_Nonnull job, bool is_for_main);

/// Keeps a task from running again: its body did not end in its schedule.
void mi_scheduled_leave(const void *_Nonnull task);

/// The value of MULTI_IDENTITY_SCHEDULING.
const char *_Nullable mi_scheduling_environment(void);

#endif

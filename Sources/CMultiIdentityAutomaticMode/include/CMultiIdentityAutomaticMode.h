#ifndef C_MULTI_IDENTITY_INTERPOSITION_H
#define C_MULTI_IDENTITY_INTERPOSITION_H

#include <stdbool.h>
#include <stdint.h>

// libdispatch's entry points as this library defines them, and its interface to Swift.
//
// A program that links it gets these definitions first, wherever the call comes from; each captures the current identity,
// and calls libdispatch's own. A capture is a word whose meaning only Swift knows.

// MARK: The entry points

/// The boundary that an entry point captures as, for explanations and counters.
enum mi_automatic_boundary {
    mi_automatic_async,
    mi_automatic_async_after,
    mi_automatic_sync,
    mi_automatic_apply,
    mi_automatic_item,
    mi_automatic_notify,
    mi_automatic_source_event,
    mi_automatic_source_cancel,
    mi_automatic_source_registration,
    mi_automatic_io_read,
    mi_automatic_io_write,
    mi_automatic_io_barrier,
    mi_automatic_io_cleanup,
    mi_automatic_data_deallocator,
    mi_automatic_boundary_count,
};

/// Returns the number of entry points.
int32_t mi_automatic_entry_count(void);

/// Returns libdispatch's name of an entry point.
const char *_Nonnull mi_automatic_entry_name(int32_t entry);

/// Returns whether the trial must have seen it, since Swift's Dispatch calls it.
bool mi_automatic_entry_is_tried(int32_t entry);

/// Returns whether the trial saw it.
bool mi_automatic_entry_is_held(int32_t entry);

// MARK: The list of plain hops

/// The boundary of a place that reads the identity where none is bound.
static const uint32_t mi_no_boundary = UINT32_MAX;

/// A place in the program whose plain hops were carried, or which read without an identity, and the counts.
struct mi_plain_hop {
    /// Null for all places beyond the limit.
    const void *_Nullable caller;
    uint64_t hops, reads;
    uint32_t boundary;
    /// True if the caller called Foundation, which called Dispatch.
    bool is_through_foundation;
    /// The beginning of the label of the queue, or of the one that runs the read.
    char label[192];
};

/// Returns the place of a call that this thread makes now, without counting it; beyond the limit, one for all others.
struct mi_plain_hop *_Nonnull
mi_plain_hop_find(uint32_t boundary, void *_Nullable queue, const void *_Nonnull caller);

/// Counts a hop, and returns the address of the number of reads behind the place, which is never freed.
uintptr_t mi_plain_hop_count(struct mi_plain_hop *_Nonnull hop);

/// Returns what is listed at an index below this number; `hops` is 0 if that is nothing.
int32_t mi_plain_hop_rows(void);
struct mi_plain_hop mi_plain_hop_row(int32_t index);

/// Calls `print` when the process exits and, if `signal` is not 0, whenever that arrives, on a thread that waits for it.
void mi_plain_hops_print(void (*_Nonnull print)(void), int32_t signal);

// MARK: What Swift does

typedef void (*mi_automatic_work)(void *_Nullable context);

struct mi_automatic_hooks {
    /// Captures what is bound here, with a reference to it; `queue` is libdispatch's, or null. `caller` is the return address of
    /// the call, for the list of plain hops; null if it is not to be listed.
    uintptr_t (*_Nonnull capture)(uint32_t boundary, void *_Nullable queue, const void *_Nullable caller);
    /// Captures again what was captured, with a reference to it, for a plain hop that is to be listed now.
    uintptr_t (*_Nonnull capture_again)(uintptr_t captured, struct mi_plain_hop *_Nonnull hop);
    /// Runs work as the captured identity, and takes the reference over; `handed_over` is for `mi_account_enter`.
    void (*_Nonnull run)(
        uintptr_t captured, uint32_t boundary, uint32_t handed_over, mi_automatic_work _Nonnull work,
        void *_Nullable context
    );
    /// Runs work as the captured identity, and keeps the reference.
    void (*_Nonnull run_kept)(
        uintptr_t captured, uint32_t boundary, mi_automatic_work _Nonnull work, void *_Nullable context
    );
    /// Runs work with nothing bound.
    void (*_Nonnull run_bare)(mi_automatic_work _Nonnull work, void *_Nullable context);
    /// Never called, only compared: what the package's own boundaries hand over, which carries already.
    mi_automatic_work _Nonnull run_carried;
    /// Runs a job of Swift's concurrency.
    void (*_Nonnull run_job)(mi_automatic_work _Nonnull work, void *_Nonnull job);
};

// MARK: The task that runs

/// Begins a trial of where Swift's runtime stores the task that runs on a thread, if none runs on this one.
void mi_automatic_seek_task(void);

/// Call it without a task, in one, and in one inside that, on the same thread.
void mi_automatic_compare_task(void);

/// Ends the trial: from now on the runtime is not asked, if exactly one place agreed with it each time.
void mi_automatic_settle_task(void);

// MARK: Switching

/// Finds libdispatch's own definition of every entry point by `dlsym`, and the address ranges of its code and of Swift's
/// concurrency; returns null, or what is missing.
const char *_Nullable mi_automatic_prepare(void);

/// While `is_trying`, calls of entry points on this thread are recorded, and asynchronous ones do nothing.
void mi_automatic_try(bool is_trying);

/// Prepares captures once, before the first `mi_automatic_turn_on`.
///
/// - hooks: Retained for ever.
/// - nothing: The bits of an empty snapshot.
/// - address_bits: The bits of any other word that are the address of the one Swift object that it retains.
/// - features: The features with which a capture or a restore does more than read or bind.
/// - features_of_somebody: Those, and the ones that do so if an identity is bound.
/// - features_of_tasks: The features that want to know whose task runs.
void mi_automatic_set_up(
    struct mi_automatic_hooks hooks, uintptr_t nothing, uintptr_t address_bits, uint32_t features,
    uint32_t features_of_somebody, uint32_t features_of_tasks
);

/// Captures from now on.
void mi_automatic_turn_on(void);

/// Stops capturing; what was captured is still restored.
void mi_automatic_turn_off(void);
bool mi_automatic_is_on(void);

#endif

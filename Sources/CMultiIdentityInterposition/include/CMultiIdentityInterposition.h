#ifndef C_MULTI_IDENTITY_INTERPOSITION_H
#define C_MULTI_IDENTITY_INTERPOSITION_H

#include <stdbool.h>
#include <stdint.h>

// libdispatch's entry points as this library defines them, and what Swift tells it and asks of it.
//
// A program that links it gets its own definitions first, wherever the call comes from; each captures the current identity,
// and goes on to libdispatch's own. What is captured is a word with a meaning that only Swift knows.

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

/// Returns whether the trial did see it.
bool mi_automatic_entry_is_held(int32_t entry);

// MARK: What Swift does

typedef void (*mi_automatic_work)(void *_Nullable context);

struct mi_automatic_hooks {
    /// Takes what is bound here, with a reference to it; `queue` is libdispatch's, or null.
    uintptr_t (*_Nonnull capture)(uint32_t boundary, void *_Nullable queue);
    /// Runs work as the captured identity, and takes the reference over.
    void (*_Nonnull run)(
        uintptr_t captured, uint32_t boundary, mi_automatic_work _Nonnull work, void *_Nullable context
    );
    /// Runs work as the captured identity, and leaves the reference.
    void (*_Nonnull run_kept)(
        uintptr_t captured, uint32_t boundary, mi_automatic_work _Nonnull work, void *_Nullable context
    );
    /// Runs work with nothing bound.
    void (*_Nonnull run_bare)(mi_automatic_work _Nonnull work, void *_Nullable context);
    /// Never called, but known: what the package's own boundaries hand over, which carries already.
    mi_automatic_work _Nonnull run_carried;
};

// MARK: The task that runs

/// Begins a trial of where Swift's runtime keeps the task that runs on a thread, if none runs on this one.
void mi_automatic_seek_task(void);

/// To be called with no task, in one, and in one inside that, on the same thread.
void mi_automatic_compare_task(void);

/// Ends the trial: from here on the runtime is asked no more, if exactly one place agreed with it each time.
void mi_automatic_settle_task(void);

// MARK: Switching

/// Finds by `dlsym` libdispatch's own definition of every entry point, and where its code and that of Swift's
/// concurrency lie; returns null, or what is missing.
const char *_Nullable mi_automatic_prepare(void);

/// While it tries, calls of entry points on this thread are noted, and asynchronous ones come to nothing.
void mi_automatic_try(bool is_trying);

/// Sets up what captures need, once, before the first `mi_automatic_turn_on`.
///
/// - hooks: Kept forever.
/// - nothing: The bits of a snapshot of nothing.
/// - address_bits: Those that are an address in any other word: of the one object of Swift that it keeps.
/// - features: The features that have a capture or a restore do more than read or bind.
/// - features_of_somebody: Those, and the ones that do so where somebody is bound.
void mi_automatic_set_up(
    struct mi_automatic_hooks hooks, uintptr_t nothing, uintptr_t address_bits, uint32_t features,
    uint32_t features_of_somebody
);

/// Captures from here on.
void mi_automatic_turn_on(void);

/// Captures no more; what was captured is restored all the same.
void mi_automatic_turn_off(void);
bool mi_automatic_is_on(void);

#endif

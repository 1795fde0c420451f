// Wraps the work of work items: this library defines the two entry points of libdispatch that make an item, for automatic mode,
// the scheduler and operation queues alike. The table of all entry points is in DispatchEntries.h.
#ifndef C_DISPATCH_ENTRIES_H
#define C_DISPATCH_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

// MARK: Every item

/// The call that makes an item.
struct mi_item_call {
    const void *_Nonnull work;
    unsigned long flags;
    /// The return address of the call.
    const void *_Nonnull caller;
    /// True if it was `dispatch_block_create_with_qos_class`.
    bool has_qos_class;
    /// True if the item is already captured, as an operation's is.
    bool is_captured;
};

/// Space on the stack for a block, which libdispatch copies.
struct mi_item_room {
    uintptr_t words[8];
};

/// The functions that wrap the work of every item.
struct mi_item_user {
    /// Returns a block that replaces the work, in `room` or elsewhere; null leaves the work as it is.
    void *_Nullable (*_Nonnull around)(const struct mi_item_call *_Nonnull call, struct mi_item_room *_Nonnull room);
    /// Releases that block, once the item is made.
    void (*_Nonnull end)(void *_Nonnull block);
};

/// From now on wraps each item's work on every thread with these functions, for ever.
void mi_items_use(const struct mi_item_user *_Nonnull user);

// MARK: The items of operations

/// Calls `mi_item_work_run` with an item's work, once, as the identity of its owner, which is a Swift object.
typedef void (*mi_item_run)(const void *_Nonnull owner, void *_Nonnull work);

/// An operation that is about to be added, and its owner; null if its item is left unchanged.
struct mi_item_owner {
    const void *_Nonnull operation;
    const void *_Nullable owner;
};

/// The operations that this thread adds.
struct mi_item_owners {
    const struct mi_item_owner *_Nullable owners;
    uint32_t count;
    /// The index of the next one: items are made in order.
    uint32_t next;
    /// The number of items that got their owner.
    uint32_t found;
    /// True while this thread learns the closures from which Foundation makes items.
    bool is_trial;
};

/// Sets how an owner runs its work; call it before the first `mi_item_owners_begin`, always with the same function.
void mi_item_run_set(mi_item_run _Nonnull run);

/// Assigns this thread's items of these operations to their owners, until `mi_item_owners_end` gets the returned former state. No
/// other item changes, such as one that an operation makes while its readiness is checked.
struct mi_item_owners mi_item_owners_begin(const struct mi_item_owner *_Nullable owners, uint32_t count, bool is_trial);

/// True if this thread is already adding the operation, with or without an owner.
bool mi_item_is_added(const void *_Nonnull operation);

/// Restores `outer`, and returns the state since `begin`.
struct mi_item_owners mi_item_owners_end(struct mi_item_owners outer);

/// Retains an item's work, which otherwise ends with its item, and returns it; and releases it.
void *_Nonnull mi_item_work_retain(void *_Nonnull work);
void mi_item_work_release(void *_Nonnull work);

/// Runs an item's work.
void mi_item_work_run(void *_Nonnull work);

#endif

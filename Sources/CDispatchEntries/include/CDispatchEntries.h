// Who has something put around a work item's work: this library defines the two entry points of libdispatch by which an item is
// made, for automatic mode, the scheduler and operation queues alike. The table of all entry points is in DispatchEntries.h.
#ifndef C_DISPATCH_ENTRIES_H
#define C_DISPATCH_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

// MARK: Every item

/// The call that makes an item.
struct mi_item_call {
    const void *_Nonnull work;
    unsigned long flags;
    /// Where the call comes from.
    const void *_Nonnull caller;
    /// True if it came by `dispatch_block_create_with_qos_class`.
    bool has_qos_class;
    /// True if it is captured already, as an operation.
    bool is_captured;
};

/// Room on the stack for a block, which libdispatch copies from there.
struct mi_item_room {
    uintptr_t words[8];
};

/// The one that has something put around the work of every item.
struct mi_item_user {
    /// Returns a block to take the work's place, in the room or elsewhere; null leaves it as it is.
    void *_Nullable (*_Nonnull around)(const struct mi_item_call *_Nonnull call, struct mi_item_room *_Nonnull room);
    /// Lets go of that block, once the item is made.
    void (*_Nonnull end)(void *_Nonnull block);
};

/// Has each item's work, from here on and on every thread, put into a block by this one, which stays.
void mi_items_use(const struct mi_item_user *_Nonnull user);

// MARK: The items of operations

/// Calls `mi_item_work_run` with an item's work, once, as the one that its owner says, which is an object of Swift's.
typedef void (*mi_item_run)(const void *_Nonnull owner, void *_Nonnull work);

/// An operation that is about to be added, and its owner; null if its item is left as it is.
struct mi_item_owner {
    const void *_Nonnull operation;
    const void *_Nullable owner;
};

/// The operations that this thread adds.
struct mi_item_owners {
    const struct mi_item_owner *_Nullable owners;
    uint32_t count;
    /// The place of the next one: items are made in order.
    uint32_t next;
    /// The number of items that got their owner.
    uint32_t found;
    /// True while the closures are learned that Foundation makes items of.
    bool is_trial;
};

/// Sets how an owner runs its work; before the first `mi_item_owners_begin`, and always the same.
void mi_item_run_set(mi_item_run _Nonnull run);

/// From here on this thread's items of these operations are for their owners; returns what was in force, for
/// `mi_item_owners_end`. No other item is changed, such as one that an operation makes while it is asked whether it is ready.
struct mi_item_owners mi_item_owners_begin(const struct mi_item_owner *_Nullable owners, uint32_t count, bool is_trial);

/// True if this thread is adding the operation already, for an owner or for none.
bool mi_item_is_added(const void *_Nonnull operation);

/// Has `outer` in force again, and returns what was since `begin`.
struct mi_item_owners mi_item_owners_end(struct mi_item_owners outer);

/// Runs an item's work.
void mi_item_work_run(void *_Nonnull work);

#endif

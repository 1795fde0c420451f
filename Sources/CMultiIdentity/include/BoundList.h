// The list of all that is bound in a task or on a thread, which Swift's runtime keeps and has no entry for.
#ifndef C_MULTI_IDENTITY_BOUND_LIST_H
#define C_MULTI_IDENTITY_BOUND_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An item of the list; what is bound innermost comes first.
struct mi_bound_item {
    /// The item beneath, and the kind of this one in the lowest bits.
    uintptr_t next;
    /// Only in an item with a value, which follows these.
    const void *_Nonnull key;
    const void *_Nonnull type;
};

/// Where this runtime keeps the list, as a trial found it (`BoundListTrial`); constant once `is_known`.
struct mi_bound_list {
    /// The kinds of an item with a value, of one that was bound in the body of a task group, and of the mark between a task's
    /// own items and those of its parent. At any other kind the runtime ends its search.
    uint8_t value, in_group, parent;
    /// The offset of the list in a task.
    uint32_t in_task;
    /// The offset of the list's address from the thread pointer; 0 if it is not known.
    intptr_t on_thread;
    /// The type of a task's object: other jobs, such as those of actors, have another one.
    uintptr_t type_of_task;
    _Atomic(bool) is_known;
};
extern struct mi_bound_list mi_bound_list;

static inline bool mi_bound_list_is_known(void) {
    return __c11_atomic_load(&mi_bound_list.is_known, __ATOMIC_ACQUIRE);
}

static inline uint8_t mi_bound_kind(const struct mi_bound_item *_Nonnull item) { return item->next & 7; }
static inline const struct mi_bound_item *_Nullable mi_bound_next(const struct mi_bound_item *_Nonnull item) {
    return (const struct mi_bound_item *)(item->next & ~(uintptr_t)7);
}

/// Returns the innermost item here; null if nothing is bound. The list must be known.
const struct mi_bound_item *_Nullable mi_bound_innermost(void);

/// Returns the first item from this one that has a value; null if the runtime would look no further.
static inline const struct mi_bound_item *_Nullable mi_bound_with_value(const struct mi_bound_item *_Nullable item) {
    for (; item; item = mi_bound_next(item)) {
        uint8_t kind = mi_bound_kind(item);
        if (kind == mi_bound_list.value || kind == mi_bound_list.in_group) return item;
        if (kind != mi_bound_list.parent) return NULL;
    }
    return NULL;
}

/// Finds the bits that are bound in the task that this job is, while it does not run; returns false if it is no task. The list must be
/// known.
bool mi_bound_in_job(const void *_Nonnull job, uintptr_t *_Nonnull bits);

/// Returns whether a variable of the program or of a library refers to this key, which then is never freed. An item retains
/// its key no longer than the code that binds it, and a task that copies the item can live longer.
bool mi_bound_key_lasts(const void *_Nonnull key);

// MARK: The trial

/// Makes known where the list is, once.
void mi_bound_list_make_known(struct mi_bound_list list, intptr_t on_thread);

/// Returns whether it is this library's own innermost binding here, with its key and its type, as the runtime's search finds it.
bool mi_bound_is_own_item(const struct mi_bound_item *_Nonnull item);

/// Finds the list in the task that runs here; returns its offset, or 0.
uint32_t mi_bound_seek_in_task(void);

/// Finds the list's address on threads, with two that this starts; returns its offset, or 0.
intptr_t mi_bound_seek_on_threads(void);

#endif

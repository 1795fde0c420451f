// Other task-locals that travel with an identity, as the runtime stores them: by key, and as bytes.
#ifndef C_MULTI_IDENTITY_COMPANIONS_H
#define C_MULTI_IDENTITY_COMPANIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "BoundList.h"

/// One task-local.
struct mi_companion {
    const void *_Nonnull key;
    /// The type of its value.
    const void *_Nonnull type;
    /// The size of its value, and its offset among all values.
    uint32_t size, offset;
};

/// The task-locals that were registered so far, in order. It never changes and is never freed; a later one begins with the
/// same entries.
struct mi_companions {
    const struct mi_companion *_Nonnull of;
    uint32_t count;
    /// The size of all values.
    uint32_t size;
    /// True if a value with the same bytes as a living one is the same value, and can be moved as bytes.
    bool are_bytes;
    /// The Swift object that knows their types.
    const void *_Nonnull owner;
    /// All keys that are known, by hash (`mi_known_slot`): a power of two of them, with some that are null. Null: other keys do
    /// not matter.
    const struct mi_known_local *_Nullable known;
    uint32_t known_mask;
    /// True if keys that are not known stay so.
    bool is_full;
    /// True if another thread can copy all values, from a list that does not change meanwhile.
    bool are_in_list;
};

/// A task-local that was seen, while all are carried.
struct mi_known_local {
    const void *_Nullable key;
    /// Its number among the companions, or why it has none.
    int32_t index;
    /// The offset of its value in an item of the list.
    uint32_t place;
};
enum { mi_known_left = -1, mi_known_refused = -2 };
/// The most companions that can be found by walking the list.
enum { mi_known_most = 256 };
static inline uint32_t mi_known_slot(const void *_Nonnull key) {
    return (uint32_t)((uintptr_t)key >> 4 ^ (uintptr_t)key >> 12);
}

/// The newest; null until one was registered.
extern _Atomic(const struct mi_companions *) mi_companions_named;
static inline const struct mi_companions *_Nullable mi_companions_current(void) {
    return __c11_atomic_load(&mi_companions_named, __ATOMIC_ACQUIRE);
}
static inline void mi_companions_make_current(const struct mi_companions *_Nonnull all) {
    __c11_atomic_store(&mi_companions_named, all, __ATOMIC_RELEASE);
}

/// Their values in sequence, followed by a byte for each: 1 if nothing was bound and the value is the default.
struct mi_companion_values {
    const struct mi_companions *_Nonnull all;
    /// The number of them that were bound.
    uintptr_t bound;
    unsigned char bytes[];
};

/// Returns whether these values are bound here, byte for byte. Their holder retains what they refer to, so that no other
/// value can have the same bytes meanwhile.
bool mi_companions_hold(const struct mi_companion_values *_Nonnull values);

/// Returns the innermost item of a list whose key is not known and lasts; null if there is none.
const struct mi_bound_item *_Nullable
mi_companions_unknown(const struct mi_companions *_Nonnull all, const struct mi_bound_item *_Nullable list);
/// Returns the innermost item of a list that must not be handed over; null if there is none.
const struct mi_bound_item *_Nullable
mi_companions_refused(const struct mi_companions *_Nonnull all, const struct mi_bound_item *_Nullable list);
/// Returns where a list has the value of a companion; null if it has none.
const void *_Nullable
mi_companion_in_list(const struct mi_companions *_Nonnull all, uint32_t index, const struct mi_bound_item *_Nullable list);

/// Binds the value in this memory, and takes it over.
void mi_companion_push(const struct mi_companion *_Nonnull companion, void *_Nonnull value);

/// Ends the innermost binding.
void mi_companion_pop(void);

/// A thread's lasting binding of a companion: the address of its value, and the initial value.
struct mi_lasting_companion {
    unsigned char *_Nonnull place;
    unsigned char *_Nonnull own;
};

/// All of them, and the values that they have now; null: their own.
struct mi_lasting_companions {
    const struct mi_companion_values *_Nullable lent;
    uint32_t count, capacity;
    struct mi_lasting_companion of[];
};

/// Sets this thread's lasting bindings to these values, byte by byte and without a reference; returns false if the thread runs
/// a task, has no such bindings, or one of the companions is bound above them. `outer`: for `mi_companions_take_back`.
bool mi_companions_lend(
    const struct mi_companion_values *_Nonnull values, const struct mi_companion_values *_Nullable *_Nonnull outer
);
/// After `mi_companions_lend`, on the same thread: restores the earlier values.
void mi_companions_take_back(
    const struct mi_companion_values *_Nonnull values, const struct mi_companion_values *_Nullable outer
);

/// Returns the number of this thread's lasting companion bindings; negative if it can have none.
int32_t mi_companions_lasting_count(void);

/// Makes the latest binding of this thread, companion number `index`, last until the thread ends, if it is directly above the
/// previous lasting one, as it is when nothing else is bound.
bool mi_companion_become_lasting(const struct mi_companions *_Nonnull all, uint32_t index);

/// Returns whether this thread's lasting bindings have values that they do not own: work runs on it, or never ended.
bool mi_companions_are_lent(void);

/// Call before this thread ends: these bindings do not last any longer, and end if `unbinding`.
void mi_companions_end(bool unbinding);

#endif

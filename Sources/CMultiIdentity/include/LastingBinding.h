// A worker's first binding, which stays at the bottom of its thread's bindings: each piece of work is bound by setting it again.
#ifndef C_MULTI_IDENTITY_LASTING_BINDING_H
#define C_MULTI_IDENTITY_LASTING_BINDING_H

#include "CMultiIdentity.h"

/// True if a binding shows what lies beneath it: a trial verifies that once.
extern _Atomic(bool) mi_bound_tells_what_is_beneath;
static inline bool mi_bound_can_last(void) {
    return __c11_atomic_load(&mi_bound_tells_what_is_beneath, __ATOMIC_RELAXED);
}
static inline void mi_bound_let_last(void) {
    __c11_atomic_store(&mi_bound_tells_what_is_beneath, true, __ATOMIC_RELAXED);
}

/// The words before a binding's value: the binding beneath it, its key, and the value's type.
static inline uintptr_t mi_bound_beneath(const uintptr_t *_Nonnull place) { return place[-3] & ~(uintptr_t)7; }
/// Removes everything beneath the binding.
static inline void mi_bound_cut(uintptr_t *_Nonnull place) { place[-3] &= 7; }
static inline bool
mi_bound_is_at(const uintptr_t *_Nonnull place, const void *_Nonnull key, const void *_Nonnull type) {
    return place[-2] == (uintptr_t)key && place[-1] == (uintptr_t)type;
}

/// Sets this thread's lasting binding to these bits, and takes over their reference; returns false if there is
/// none, or something is bound here. `nothing`: the bits of an empty snapshot.
static inline bool mi_lasting_enter(uintptr_t bits, uintptr_t nothing) {
    struct mi_thread *thread = mi_thread_current();
    if (thread->mirror || !thread->lasting) return false;
    thread->mirror = bits ^ nothing;
    *thread->lasting = bits;
    return true;
}

/// Does the same for work that may be run by hand: in an `isolated deinit` the thread's bindings are hidden, including the
/// lasting one, and a value set there is not visible. A handler's own captures are bound in another frame (`IdentityTrigger`).
static inline bool mi_lasting_enter_if_seen(uintptr_t bits, uintptr_t nothing) {
    struct mi_thread *thread = mi_thread_current();
    if (thread->mirror || !thread->lasting || thread->trigger_binding == bits || mi_bound_get() != thread->lasting) return false;
    thread->mirror = bits ^ nothing;
    *thread->lasting = bits;
    return true;
}

/// After `mi_lasting_enter`, on the same thread: empties it, and returns its former bits with their
/// reference. The mirror comes first, since code that runs on release may read what is bound.
static inline uintptr_t mi_lasting_leave(uintptr_t nothing) {
    struct mi_thread *thread = mi_thread_current();
    thread->mirror = 0;
    uintptr_t bits = *thread->lasting;
    *thread->lasting = nothing;
    return bits;
}

/// Clears this thread's mirror, and forgets its lasting binding and its trigger.
static inline void mi_lasting_forget(void) {
    struct mi_thread *thread = mi_thread_current();
    thread->mirror = 0;
    thread->lasting = NULL;
    thread->trigger = thread->trigger_binding = 0;
}

/// Runs a dedicated thread's work: if the thread exits meanwhile, nothing is bound for what runs while it ends, such
/// as the destructors of its thread-local values.
void mi_run_thread(void (*_Nonnull work)(void *_Nullable context), void *_Nullable context);

/// Makes the scopes of this thread end with it if it exits inside work; returns false if that is not possible.
bool mi_thread_watch_end(void);

/// Makes this thread's one binding, with its value at `place`, last until the thread ends; returns false if it cannot.
bool mi_bound_become_lasting(uintptr_t *_Nonnull place);

#endif

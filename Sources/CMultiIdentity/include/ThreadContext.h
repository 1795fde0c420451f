// What profilers outside the process read of each thread: the pseudonym of the identity whose work runs on it (OTEP 4947).
#ifndef C_MULTI_IDENTITY_THREAD_CONTEXT_H
#define C_MULTI_IDENTITY_THREAD_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { mi_pseudonym_size = 16 };

/// A thread context record, in OTEP 4947's layout. It never changes while a thread's variable points to it.
struct mi_thread_context {
    uint8_t trace_id[16], span_id[8];
    /// 1, or readers ignore the record.
    uint8_t valid;
    uint8_t trace_flags;
    uint16_t attributes_size;
    /// The attribute: its number among the process's names of attributes, its size, and its value.
    uint8_t key, size;
    char pseudonym[mi_pseudonym_size];
};
_Static_assert(offsetof(struct mi_thread_context, pseudonym) == 30, "OTEP 4947 has no padding");

/// The offset of the thread's variable from the thread pointer: the same in all threads. 0: it is not known.
extern ptrdiff_t mi_thread_context_offset;

/// Makes this thread's variable point to a record, or to none. Volatile: the thread can be read at any instruction.
static inline void mi_thread_context_show(const void *_Nullable record) {
#if defined(__linux__)
    *(const void *volatile *)((char *)__builtin_thread_pointer() + mi_thread_context_offset) = record;
#endif
}
/// Returns the record that this thread's variable points to.
static inline const void *_Nullable mi_thread_context_shown(void) {
#if defined(__linux__)
    return *(const void *volatile *)((char *)__builtin_thread_pointer() + mi_thread_context_offset);
#else
    return NULL;
#endif
}

enum mi_thread_context_state {
    mi_thread_context_is_on,
    mi_thread_context_is_not_linked,
    mi_thread_context_is_taken,
    mi_thread_context_is_impossible,
};

/// Finds the variable, and tells readers of it (OTEP 4719). One call at a time.
enum mi_thread_context_state mi_thread_context_start(void);
void mi_thread_context_stop(void);

/// Returns a record to be released with `free`, and null if there is no memory.
struct mi_thread_context *_Nullable mi_thread_context_make(const char *_Nonnull pseudonym);

// MARK: Scopes

/// Notes a scope of this thread that has more to do when it closes, and makes the variable point to its record if it is published.
void mi_scope_open(bool is_charged, bool is_published, const void *_Nullable record);
void mi_scope_close(void);
/// Returns whether the next scope can be noted; otherwise nothing is published in it, and it must not be charged.
bool mi_scope_has_room(void);

#endif

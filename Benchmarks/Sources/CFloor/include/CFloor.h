// What the cheapest hop that still carries cannot do without: a word of the thread's, and the runtime's own binding.
#ifndef C_FLOOR_H
#define C_FLOOR_H

#include <stdint.h>

__attribute__((swiftcall)) void
swift_task_localValuePush(const void *_Nonnull key, void *_Nonnull value, const void *_Nonnull type);
__attribute__((swiftcall)) void swift_task_localValuePop(void);

/// Whom this thread works for, without a reference of its own.
extern _Thread_local const void *_Nullable floor_current;

static inline const void *_Nullable floor_get_current(void) { return floor_current; }
static inline void floor_set_current(const void *_Nullable current) { floor_current = current; }

/// Told once, before anything is bound: the address of the task-local, and the type of its value.
void floor_make_known(const void *_Nonnull key, const void *_Nonnull type);

/// Binds `value`, and takes its reference over.
void floor_push(const void *_Nullable value);
static inline void floor_pop(void) { swift_task_localValuePop(); }

#endif

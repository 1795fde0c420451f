// The program's own functions on this thread's stack, by name: for findings, and nothing that runs often.
#ifndef C_MULTI_IDENTITY_CALLERS_H
#define C_MULTI_IDENTITY_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Stores addresses inside the calls that are in progress on this thread, innermost first, and returns their number.
size_t mi_callers(uintptr_t *_Nonnull addresses, size_t capacity);

/// The code at an address.
struct mi_caller {
    /// The function, as a person writes it, to be freed; null if it is not the program's own: this package's, a library's, a thunk.
    char *_Nullable name;
    /// True if it is this package's code.
    bool is_package;
    /// True if it is libdispatch's code.
    bool is_dispatch;
};
struct mi_caller mi_caller_at(uintptr_t address);

/// The label of the queue whose work this thread runs.
const char *_Nonnull mi_queue_label(void);

#endif

#ifndef C_AUTOMATIC_PROCESS_H
#define C_AUTOMATIC_PROCESS_H

#include <stdint.h>

// In a program that is linked with this, `dlsym` finds nothing of the name that `MISSING` is in the environment.

/// Returns the number of pieces of work that ran and were handed over before any constructor of the product's.
int32_t lifetime_ran_early(void);

/// Forks; the child calls Dispatch's plain entry points as far as a child may and starts `program` with `arguments`.
/// Returns the child's exit status, or -1.
int32_t lifetime_fork_and_run(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments);

/// Returns 1 where `dlsym` was replaced; called so that the linker takes it along.
int32_t missing_is_linked(void);

#endif

#ifndef C_AUTOMATIC_PROCESS_H
#define C_AUTOMATIC_PROCESS_H

#include <stdint.h>

// In a program that is linked with this, `dlsym` does not find the function that `MISSING` in the environment names.

/// Returns the number of pieces of work that were handed over before any constructor of the product, and ran.
int32_t lifetime_ran_early(void);

/// Forks; the child calls the plain Dispatch entry points that a child may call, and starts `program` with `arguments`.
/// Returns the child's exit status, or -1.
int32_t lifetime_fork_and_run(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments);

/// Forks; the child calls `hop` and exits. Returns the child's exit status, or -1.
int32_t hops_fork(void (*_Nonnull hop)(void));

/// Returns 1 if `dlsym` was replaced; called so that the linker includes it.
int32_t missing_is_linked(void);

#endif

#ifndef C_LIFETIME_H
#define C_LIFETIME_H

#include <stdint.h>

/// Returns the number of pieces of work that ran and were handed over before any constructor of the product's.
int32_t lifetime_ran_early(void);

/// Forks; the child calls Dispatch's plain entry points as far as a child may and starts `program` with `arguments`.
/// Returns the child's exit status, or -1.
int32_t lifetime_fork_and_run(const char *_Nonnull program, char *_Nullable const *_Nonnull arguments);

#endif

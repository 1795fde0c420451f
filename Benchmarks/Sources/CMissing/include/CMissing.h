#ifndef C_MISSING_H
#define C_MISSING_H

// In a program that is linked with this, `dlsym` finds nothing of the name that `MISSING` says in the environment.

/// So that the linker takes this along.
int missing_is_linked(void);

#endif

// The owner of the handed-over work that each thread runs, for a drain that waits for its end: one entry per thread, so that no
// two threads write to one cache line when work begins and ends. Only the waiting thread pays, since it reads all of them.
#ifndef C_MULTI_IDENTITY_IN_FLIGHT_H
#define C_MULTI_IDENTITY_IN_FLIGHT_H

#include <stdint.h>

/// Makes this thread's entry, `mi_thread.in_flight`, which begins with an address for comparison: the owner of the work,
/// or 0. It stays null if there is no memory. `end`, the same each time, ends what is open on a thread that exits.
void mi_in_flight_make(void (*_Nonnull end)(void));

/// Ends what is open on this exiting thread, before its bindings are forgotten.
void mi_in_flight_end(void);

/// Returns how many threads run handed-over work of this owner.
uint64_t mi_in_flight_count(uintptr_t owner);

#endif

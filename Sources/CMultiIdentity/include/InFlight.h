// The owner of the handed-over work that each thread runs, for a drain that waits for the end: a place a thread, so that no two
// threads write to one line of memory where work begins and ends. Who waits pays, and looks at all of them.
#ifndef C_MULTI_IDENTITY_IN_FLIGHT_H
#define C_MULTI_IDENTITY_IN_FLIGHT_H

#include <stdint.h>

/// Makes this thread's place, `mi_thread.in_flight`, which begins with an address, to be compared: of whom the work is for,
/// or 0. It stays null where there is no memory. `end`, the same each time, ends what is open on a thread that exits.
void mi_in_flight_make(void (*_Nonnull end)(void));

/// Ends what is open on this thread, which exits, before it is forgotten what is bound here.
void mi_in_flight_end(void);

/// Returns how many threads run such work of this owner.
uint64_t mi_in_flight_count(uintptr_t owner);

#endif

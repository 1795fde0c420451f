// Holds up a wipe where it rests anyway, so that one wipe can be compared with itself: what others get done with it and without.
#ifndef C_WIPE_PAUSE_H
#define C_WIPE_PAUSE_H

#include <stdbool.h>

/// Lets a rest that begins, or goes on, have no end; or ends all rests.
void wipe_pause_set(bool pauses);

/// Tells whether a rest has been made longer: the wipe works no more, and has no lock (source: `WipeVisit.passed()`).
bool wipe_pause_holds(void);

#endif

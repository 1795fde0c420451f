// For whom a thread works, by its own word: readers from outside compare it with what they are shown.
#ifndef C_TRUTH_H
#define C_TRUTH_H

#include <stdint.h>

/// Sets for whom this thread works, as a number; 0 for no one, or not for sure. The pieces that it worked for are told apart.
void truth_set(uint16_t user);

/// Returns the offset of that number from the thread pointer, in all threads.
int64_t truth_offset(void);

#endif

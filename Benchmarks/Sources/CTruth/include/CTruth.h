// Whose work a thread runs, by its own word: readers from outside compare it with what they are shown.
#ifndef C_TRUTH_H
#define C_TRUTH_H

#include <stdint.h>

/// Sets whose work this thread runs, as a number; 0 for none, or if it is not certain. Each piece of work has a count of its own.
void truth_set(uint16_t user);

/// Returns the offset of that number from the thread pointer, in all threads.
int64_t truth_offset(void);

#endif

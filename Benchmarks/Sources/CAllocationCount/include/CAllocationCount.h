// Counts the allocations of this process, in the program that links it.
#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

/// Returns the number of times that memory was asked for so far; -1 where this build cannot count.
long allocation_count(void);

#endif

// Weighs what this process has allocated.
#ifndef C_BYTES_IN_USE_H
#define C_BYTES_IN_USE_H

/// Bytes that are allocated and not freed, by all threads; -1 where this system cannot tell.
long bytes_in_use(void);

#endif

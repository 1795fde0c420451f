// What the costs are counted by, and compared with, that Swift cannot do: all in C, and without effect until it is called.
#ifndef C_COSTS_H
#define C_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns the bytes that are allocated and not freed, by all threads; -1 where this system cannot tell.
long bytes_in_use(void);

/// Returns the most memory that the process has had, in bytes.
int64_t peak_memory(void);

/// Encrypts the file `from` into a new file, in segments of 64 KiB, 256 KiB at a time, and gives it the name `to`, as one would
/// write it in C with the same library and for the same format. Returns 0, or the number of the step that failed.
int cipher_protect_file(const char *from, const char *folder, const char *to);

/// Encrypts `count` bytes in their place with one key, as `openssl speed` does. Returns 0, or the number of the step that failed.
int cipher_speed(unsigned char *bytes, int count);

/// Lets a rest of a wipe that begins, or goes on, have no end; or ends all rests.
void wipe_pause_set(bool pauses);

/// Returns whether a rest has been made longer: the wipe works no more, and has no lock (source: `WipeVisit.passed()`).
bool wipe_pause_holds(void);

/// Has the files that are made from now on not synchronised, or again.
void sync_skip_set(bool skips);

#endif
